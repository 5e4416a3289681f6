"""Tokens have names of their own inside a function: from a caller's to a callee's, and back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from jaxlint.analysis.consumption import Place
from jaxlint.domain.handed_values import ANY, Names
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.key_tokens import SPLIT
from jaxlint.domain.objects import Function, Instance, Key
from jaxlint.domain.questions import map_tokens
from jaxlint.domain.values import NONE, TracerPytree, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.analysis.flow_state import FlowState
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.ir.program import Code


_INSIDE = 1 << 16  # tokens of one argument
SHOWN: Final = frozenset(("true", "none", "is"))
"""With a token, the names of the variables that tests set: what they have shown of it."""


def position_of(token: Hashable) -> tuple[int, int] | None:
    """Of which function, by the identity of its code, and at which position a token names a parameter."""
    if not isinstance(token, tuple) or len(token) != 2 or token[0] != "p":
        return None
    code, count = token[1]
    return (code, count // _INSIDE) if count % _INSIDE == 1 else None


def parameter_of(token: Hashable, code: Code) -> int | None:
    """The position of the parameter of this function that a token names. What is kept of arguments in general
    is counted behind the parameters."""
    named = position_of(token)
    return named[1] if named is not None and named[0] == id(code) and named[1] < len(code.params) else None


def argument_in(values: Sequence[Value], code: Code) -> int | None:
    """The position of the argument of which nothing is known that all these are, as the function got it."""
    tokens = {value.token if type(value) is Unknown else None for value in values}
    return parameter_of(tokens.pop(), code) if len(tokens) == 1 else None


def renamed(token: Any, back: Mapping[Hashable, Hashable]) -> Hashable:
    """What a caller calls the token of an argument, or of what is read of one; None where it has no name."""
    if token in back:
        return back[token]
    if not is_part_of(token):
        return None
    owner = renamed(token[0], back)
    return None if owner is None else (owner, *token[1:])


def parted(token: Any) -> tuple[Any, Names]:
    """What a token is read of, a parameter or an attribute of a class's objects, and what is read."""
    names: Names = ()
    while is_part_of(token) and type(token[0]) is not int and given_as(token) is None:
        names = (token[2], *names)
        token = token[0]
    return token, names


def given_as(token: Any) -> tuple[int, int] | tuple[int, int, str] | None:
    """What a token names of what calls hand over: a parameter, or what is under a name in a dict for one."""
    if isinstance(token, tuple) and len(token) == 3 and token[1] == "[]" and type(token[2]) is str:
        place = position_of(token[0])
        return None if place is None else (*place, token[2])
    return position_of(token)


def is_part_of(token: Any) -> bool:
    """Whether a token is that of an attribute of something, or of an item by its position."""
    if not isinstance(token, tuple) or len(token) != 3:
        return False
    return token[1] in (".", ANY) or (token[1] == "[]" and type(token[2]) in (int, str))


def is_own(token: Any) -> bool:
    """Whether a token is that of an attribute of an object of which only the class is known."""
    return is_part_of(token) and token[1] == "." and type(token[0]) is int


class Tokens:
    """The two-way mapping between a caller's tokens and those of a callee, which are named for it: what a
    function closes over keeps the names of the function around it."""

    __slots__ = ("back", "called", "count", "forth", "given", "made", "noted", "objects", "owner", "stands")

    def __init__(self, func: Function, called: Value | None = None) -> None:
        self.owner = id(func.code)
        self.called = called  # what the caller calls, where that is not the function itself
        self.noted: frozenset[Hashable] = frozenset()  # the caller's tokens that it has since the call
        self.made: dict[Hashable, tuple[Place, ...]] = {}  # where splits were run, by the tokens of arguments
        self.forth: dict[Hashable, Hashable] = {}
        self.back: dict[Hashable, Hashable] = {}
        self.objects: dict[Hashable, Instance] = {}  # what an argument of which nothing is known is
        self.given: dict[Hashable, Value] = {}  # and where it has parts, or is None
        # what is annotated is one object of its class to the callee, whatever the caller has: an object, or
        # the token of something of which nothing is known
        self.stands: dict[Instance, Value] = {}
        self.count = 0

    def stands_for(self, stand_in: Instance, name: Hashable, value: Value | None) -> None:
        """An argument is this object to the callee. `name`: what the callee would call the caller's token."""
        if value is None or value is stand_in:
            return
        self.stands[stand_in] = value
        if isinstance(value, Instance):
            self.objects[id(stand_in)] = value
        else:
            self.back[id(stand_in)] = self.back[name]

    def unknown(self, token: Hashable, value: Value | None) -> Unknown:
        """An argument of which the callee knows nothing: the caller's token, or its object."""
        name = self.local(token)
        if isinstance(value, Instance):
            self.objects[name] = value
        if value is not None and (isinstance(value, (Instance, MutableContainer, Tuple)) or value == NONE):
            self.given[name] = value
        return Unknown(name)

    def at(self, position: int) -> None:
        """What is named next is the parameter at this position, and then what is in it."""
        self.count = position * _INSIDE

    def local(self, token: Hashable) -> Hashable:
        self.count += 1  # for a known token too: a place has its number whatever is in the others
        if token is not None and token in self.forth:
            return self.forth[token]
        name = ("p", (self.owner, self.count))
        if token is not None:
            self.forth[token] = name
        self.back[name] = token
        return name

    def argument(self, value: Value) -> Value:
        """An argument as the callee sees it: what is known of it, and what is not, has an identity."""
        if type(value) is Unknown:
            return value.known_as(self.local(value.token))
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level, self.local(value.token), value.made)
        if isinstance(value, Tuple):
            self.count += 1  # no item is the argument itself
            if value.items is not None:
                return Tuple(tuple([self.argument(item) for item in value.items]), cls=value.cls)
        if isinstance(value, Key) and value.made:
            self.made[value.token] = value.made
        return map_tokens(value, self.local)

    def made_of(
        self, token: Hashable, call: Place, own: tuple[Place, ...] | None = None
    ) -> tuple[Place, ...]:
        """Where the splits were run that a key comes from which the callee consumes. Those in the callee are
        said to be run at the call. `own`: where it ran them itself, if this is to be said."""
        inside: tuple[Place, ...] = ()
        while token not in self.made and token not in self.forth:
            if not isinstance(token, tuple) or len(token) != 3:
                break
            inside += (call,) * (token[1] == SPLIT)
            token = token[0]
        count = len(inside)
        if own is not None and len(own) >= count:
            inside = own[len(own) - count :]
        return self.made.get(token, ()) + inside


class Numbered(Protocol):
    """What is known of keys: the numbers that are folded in, and the key that stands for another call's."""

    numbers: dict[Hashable, int]

    def follower_of(self, token: Hashable) -> Hashable: ...


class Outward:
    """The way from a callee's tokens to its caller's, at one call. stale: a constant that the callee closes
    over is another one now. held: says what the caller calls what is read of an argument without a token."""

    __slots__ = ("back", "flow", "given", "held", "is_own", "keys", "owner", "renamed", "stale", "touched")

    def __init__(
        self,
        flow: FlowState,
        keys: Numbered,
        tokens: Tokens,
        activation: FunctionContext,
        stale: bool,
        held: Callable[[Mapping[Hashable, Value], Hashable], Hashable],
    ) -> None:
        self.flow = flow
        self.keys = keys
        self.back = tokens.back
        self.given = tokens.given
        self.held = held
        self.owner = tokens.owner
        self.is_own = activation.has_made
        self.stale = stale
        self.touched = flow.frame.touched
        self.renamed: dict[Hashable, Hashable] = {}  # what the callee made and hands out

    def __call__(self, token: Hashable) -> Hashable:
        if token in self.back:
            return self.back[token]
        if self.is_own(token):
            if token not in self.renamed:
                self.renamed[token] = self.keys.follower_of(token)
            return self.renamed[token]
        if not isinstance(token, tuple):
            return token
        if token[0] == "p" and token[1][0] == self.owner:
            return None  # an argument of another call that this run was made for
        return self._derived(*token) if len(token) == 3 else token

    def _derived(self, origin: Hashable, how: str, which: Hashable) -> Hashable:
        if how == ".":
            overlay = self.flow.env.vars.get(("@", origin, which))
            if overlay is not None:
                token: Hashable = getattr(overlay, "token", None)
                return token
        base = self(origin)
        if base is None and how in (".", "[]") and self.given:
            return self.held(self.given, (origin, how, which))
        if base is None or (how in (".", "[]") and base in self.touched):
            return None
        if how == "fold":
            if isinstance(which, tuple):
                if which in self.back or which not in self.keys.numbers:
                    which = self(which)
            elif self.stale:
                which = None
            if which is None:
                return None
        return base, how, which
