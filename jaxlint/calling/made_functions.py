"""Functions that calls make, each with a key of its own.

In: what a call gives. Out: the functions in it as those of this call; the name of a key that such a function
has, for who calls it. A call that made a function is `(context, place, turns)`, of which context's code; a
call of that code hands the function out as `(context, place, turns, call)`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Final

from jaxlint.analysis.consumption import Place
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Tokens
from jaxlint.domain.join import Tuple
from jaxlint.domain.key_tokens import MADE, root_of
from jaxlint.domain.objects import Environment, Function, Key, Module, Partial, Transformed
from jaxlint.domain.questions import base_of, remade, with_function
from jaxlint.domain.values import Product, Unknown, Value
from jaxlint.ir.split_children import children_of

Call = tuple[Hashable, ...]
LOOPS: Final = frozenset(("scan", "while_loop", "fori_loop", "map"))  # of JAX


def encloses(outer: Environment | None, env: Environment | None) -> bool:
    """Whether variables are those of a function around another one."""
    return outer is not None and outer in _around(env)


def _around(env: Environment | None) -> Iterator[Environment]:
    while env is not None:
        yield env
        env = env.parent


def runs_of(
    activation: FunctionContext, tokens: Tokens, call: Place, key: Key, token: Hashable
) -> tuple[Place, ...]:
    """Where the splits were run that a key comes from which a call gives, as the caller sees it. `token`: its
    name there."""
    return split_at(activation, tokens, call, key.made, root_of(key.token), token)


def split_at(
    activation: FunctionContext, tokens: Tokens, call: Place, made: tuple[Place, ...], base: Hashable,
    token: Hashable,
) -> tuple[Place, ...]:  # fmt: skip
    """The same by what the key begins with to the callee, and where it was made as that sees it. What it
    closes over was made before the call."""
    func, link = activation.func, activation.link
    # the body of a loop is reported as if it were written there
    is_loop = link is not None and link.transform in LOOPS and activation.module is call[0]
    if not made or func is None or base in tokens.back:
        return tokens.made_of(token, call, made if is_loop else None)
    return made if is_loop else tuple([place if _is_around(func, *place) else call for place in made])


def _is_around(func: Function, module: Module, number: int) -> bool:
    """Whether a call is written in the body of a module, or in a function that is around this one."""
    home = children_of(module.program).home_of(number)
    return home is module.program.body or home in [each.code for each in _around(func.env)]


def made_anew(value: Value, activation: FunctionContext, call: Call, maker: Hashable) -> Value:
    """A layer that a function makes is another one at each call, and so is a function with a key of its
    own. `maker`: which call has made the function that is called."""
    if isinstance(value, Product) and value.kind == "layer":
        is_given = any(value is each for each in activation.arguments)
        return value if is_given else Product(value.kind, *value.parts)
    if isinstance(value, (Function, Partial, Transformed)):
        base = base_of(value)
        made = _maker_of(base, activation, call, maker) if isinstance(base, Function) else None
        return value if made is None else _of_call(value, made)
    if isinstance(value, Tuple) and value.items is not None:
        items = [made_anew(each, activation, call, maker) for each in value.items]
        if any(one is not other for one, other in zip(items, value.items, strict=True)):
            return Tuple(tuple(items), cls=value.cls)
    return value


def _maker_of(func: Function, activation: FunctionContext, call: Call, maker: Hashable) -> Hashable:
    """The call whose keys a function has that a call gives, where it is another one than was known; a
    decorator hands on those of the call that made the decorator."""
    if func.env is activation.env:
        has_keys = any(isinstance(each, (Key, Unknown)) for each in activation.arguments)
        return call if has_keys else maker if isinstance(maker, tuple) else None
    is_of_this = isinstance(func.made, tuple) and func.made[0] is activation
    return (*call, func.made) if is_of_this else None


def _of_call(value: Function | Partial | Transformed, made: Hashable) -> Function | Partial | Transformed:
    """What a call gives that closes over a key, by itself or beneath transforms."""
    if isinstance(value, Function):
        return remade(value, made)
    if not isinstance(value.func, (Function, Partial, Transformed)):
        return value
    return with_function(value, _of_call(value.func, made))


def made_within(
    token: Hashable, env: Environment, homes: Mapping[Environment, FunctionContext], maker: Hashable
) -> Hashable:
    """The name of a key of a function that a call around another function has made, which is over: at each
    such call it is another key. `env`: what that other function closes over; `maker`: the call that has made
    it. None where this is not known."""
    if not (type(token) is tuple and len(token) == 3):
        return token
    origin, how, which = token
    origin = made_within(origin, env, homes, maker)
    if how == MADE and isinstance(which, tuple):
        around = [homes[each] for each in _around(env) if each in homes]
        if any(home is which[0] and home.func is not None and not home.running for home in around):
            if not isinstance(maker, tuple):
                return None
            which = (*maker, which)
    return None if origin is None else (origin, how, which)
