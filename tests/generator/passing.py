"""Ways of passing a value to a function.

A way says how the callee takes the value (`Taken`) and how a caller sends it: text over
text. What kind of function the callee is, is the business of `form`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from .block import Lines


@dataclass(frozen=True, slots=True)
class Extra:
    """A flag that travels beside the value: `host=False` here, `host=True` there."""

    parameter: str = ""
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """The names and literals that a way may use."""

    value: str  # the callee's name for the value
    sibling: str  # its name for what travels beside it
    literal: str  # what travels beside it
    default: str
    record: str  # a class's name
    constant: str  # a module constant's name
    initial: str  # that constant's value
    take: str
    extra: Extra
    dice: random.Random
    suffix: str  # keeps the names of one link's locals from another's

    def name(self, local: str) -> str:
        return local + self.suffix

    @property
    def pair(self) -> bool:
        return self.take != "alone"

    @property
    def used(self) -> str:
        return self.sibling if self.take == "sibling" else self.value


@dataclass(frozen=True, slots=True)
class Taken:
    """The callee's side. `support` are blocks that its module needs first."""

    parameters: tuple[str, ...]
    unpack: tuple[str, ...]
    value: str
    send: Callable[[str, str, Callable[[str], str]], tuple[Lines, str]]  # ref, value, import
    support: tuple[tuple[str, ...], ...] = ()


def _call(ref: str, scene: Scene, *arguments: str) -> str:
    extra = (scene.extra.argument,) if scene.extra.argument else ()
    return f"{ref}({', '.join((*arguments, *extra))})"


def _parameters(scene: Scene, *names: str) -> tuple[str, ...]:
    """The flag goes last, but before `**`."""
    extra = (scene.extra.parameter,) if scene.extra.parameter else ()
    if names and names[-1].startswith("**"):
        return (*names[:-1], *(("*", *extra) if extra else ()), names[-1])
    return (*names, *extra)


def _plain(scene: Scene) -> tuple[str, ...]:
    return _parameters(scene, scene.value, *((scene.sibling,) if scene.pair else ()))


def _positional(s: Scene) -> Taken:
    rest = (s.literal,) if s.pair else ()
    return Taken(_plain(s), (), s.used, lambda ref, e, _: ([], _call(ref, s, e, *rest)))


def _keyword(s: Scene) -> Taken:
    names = _plain(s)
    if s.dice.random() < 0.4:
        names = ("*", *names)
    rest = (f"{s.sibling}={s.literal}",) if s.pair else ()
    return Taken(names, (), s.used, lambda ref, e, _: ([], _call(ref, s, *rest, f"{s.value}={e}")))


def _default(s: Scene) -> Taken:
    names = _parameters(s, f"{s.sibling}=1.0", f"{s.value}={s.default}")

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        if s.take == "sibling":
            return [], _call(ref, s, "2.0") if s.dice.random() < 0.5 else _call(ref, s)
        by_name = s.dice.random() < 0.5
        return [], _call(ref, s, f"{s.value}={e}") if by_name else _call(ref, s, "2.0", e)

    return Taken(names, (), s.value, send)


def _star_args(s: Scene) -> Taken:
    rest = f", {s.literal}" if s.pair else ","
    if s.dice.random() < 0.4:
        return Taken(
            _plain(s),
            (),
            s.used,
            lambda ref, e, _: ([f"{s.name('pack')} = ({e}{rest})"], _call(ref, s, f"*{s.name('pack')}")),
        )
    args = s.name("args")

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        return [], _call(ref, s, e, *((s.literal,) if s.pair else ()))

    if s.dice.random() < 0.5:
        return Taken(_parameters(s, f"*{args}"), (), f"{args}[{int(s.take == 'sibling')}]", send)
    names = f"{s.value}, {s.sibling}" if s.pair else f"{s.value}, *rest"
    return Taken(_parameters(s, f"*{args}"), (f"{names} = {args}",), s.used, send)


def _kwargs(s: Scene) -> Taken:
    rest = (f"{s.sibling}={s.literal}",) if s.pair else ()
    if s.dice.random() < 0.5:

        def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
            shown = ", ".join(f'"{name}": {value}' for name, value in _entries(s, e))
            return [f"{s.name('options')} = {{{shown}}}"], _call(ref, s, f"**{s.name('options')}")

        return Taken(_plain(s), (), s.used, send)
    options = s.name("options")
    return Taken(
        _parameters(s, f"**{options}"),
        (),
        f'{options}["{s.used}"]',
        lambda ref, e, _: ([], _call(ref, s, f"{s.value}={e}", *rest)),
    )


def _entries(s: Scene, value: str) -> list[tuple[str, str]]:
    return [(s.value, value), *([(s.sibling, s.literal)] if s.pair else [])]


def _dict_entry(s: Scene) -> Taken:
    style, state = s.dice.randrange(3), s.name("state")

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        shown = ", ".join(f'"{name}": {value}' for name, value in _entries(s, e))
        if style == 0:
            return [], _call(ref, s, f"{{{shown}}}")
        if style == 1:
            written = [f'{state}["{name}"] = {value}' for name, value in _entries(s, e)]
            return [f"{state} = {{}}", *written], _call(ref, s, state)
        return [f"{state} = dict({', '.join(f'{n}={x}' for n, x in _entries(s, e))})"], _call(ref, s, state)

    chosen = f'{state}["{s.used}"]'
    if s.dice.random() < 0.5:
        return Taken(_parameters(s, state), (f"{s.used} = {chosen}",), s.used, send)
    return Taken(_parameters(s, state), (), chosen, send)


def _tuple_element(s: Scene) -> Taken:
    opening, closing = s.dice.choice(("()", "[]"))
    second = s.literal if s.pair else '"unit"'

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        return [], _call(ref, s, f"{opening}{e}, {second}{closing}")

    pair = s.name("pair")
    names = _parameters(s, pair)
    if s.dice.random() < 0.5:
        return Taken(names, (f"{s.value}, {s.sibling} = {pair}",), s.used, send)
    return Taken(names, (), f"{pair}[{int(s.take == 'sibling')}]", send)


def _partial(s: Scene) -> Taken:
    style = s.dice.randrange(3)
    rest = (f"{s.sibling}={s.literal}",) if s.pair else ()

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        if style == 0:
            bound = s.name("bound")
            return [f"{bound} = partial({', '.join((ref, e, *rest))})"], _call(bound, s)
        if style == 1:
            return [], _call(f"functools.partial({', '.join((ref, *rest))})", s, e)
        return [], _call(f"partial({ref}, {s.value}={e})", s, *rest)

    return Taken(_plain(s), (), s.used, send)


def _comprehension(s: Scene) -> Taken:
    style, parts = s.dice.randrange(3), s.name("parts")
    rest = (s.literal,) if s.pair else ()

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        if style == 0:
            return [], f"[{_call(ref, s, 'item', *rest)} for item in ({e}, {e})][0]"
        if style == 1:
            return [f"{parts} = [{_call(ref, s, 'item', *rest)} for item in [{e}]]"], f"{parts}[-1]"
        table = f"{{k: {_call(ref, s, 'item', *rest)} for k, item in enumerate([{e}])}}"
        return [f"{parts} = {table}"], f"{parts}[0]"

    return Taken(_plain(s), (), s.used, send)


def _dataclass_field(s: Scene) -> Taken:
    fields = (f"    {s.value}: Any", f"    {s.sibling}: Any")
    if s.dice.random() < 0.7:
        frozen = s.dice.choice(("@dataclass", "@dataclass(frozen=True)"))
        support: tuple[str, ...] = (frozen, f"class {s.record}:", *fields)
    else:
        support = (f"class {s.record}(NamedTuple):", *fields)

    def send(ref: str, e: str, use: Callable[[str], str]) -> tuple[Lines, str]:
        return [], _call(ref, s, f"{use(s.record)}({s.value}={e}, {s.sibling}={s.literal})")

    record = s.name("record")
    return Taken(_parameters(s, record), (), f"{record}.{s.used}", send, (support,))


def _module_global(s: Scene) -> Taken:
    return Taken(
        _parameters(s),
        (),
        s.constant,
        lambda ref, e, _: ([], _call(ref, s)),
        ((f"{s.constant} = {s.initial}",),),
    )


def _loop_carry(s: Scene) -> Taken:
    rest = (s.literal,) if s.pair else ()
    turns, total = s.dice.choice(("range(2)", "(1, 2)")), s.name("total")
    return Taken(
        _plain(s),
        (),
        s.used,
        lambda ref, e, _: (
            [f"{total} = {e}", f"for _ in {turns}:", f"    {total} = {_call(ref, s, total, *rest)}"],
            total,
        ),
    )


def _lax_carry(s: Scene) -> Taken:
    rest = (s.literal,) if s.pair else ()

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        body = f"jnp.asarray({_call(ref, s, 'c', *rest)}).astype(c.dtype)"
        return [], f"lax.fori_loop(0, 2, lambda _, c: {body}, jnp.asarray({e}))"

    return Taken(_plain(s), (), s.used, send)


def _tree_map(s: Scene) -> Taken:
    rest, mapped = (s.literal,) if s.pair else (), s.name("mapped")
    return Taken(
        _plain(s),
        (),
        s.used,
        lambda ref, e, _: (
            [f'{mapped} = jax.tree.map(lambda leaf: {_call(ref, s, "leaf", *rest)}, {{"a": {e}}})'],
            f'{mapped}["a"]',
        ),
    )


def _cond_operand(s: Scene) -> Taken:
    rest, chosen = (s.literal,) if s.pair else (), s.dice.choice(("cond", "switch"))

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        body = f"lambda c: jnp.asarray({_call(ref, s, 'c', *rest)}).astype(c.dtype)"
        if chosen == "cond":
            return [], f"lax.cond(True, {body}, lambda c: c, jnp.asarray({e}))"
        return [], f"lax.switch(1, [lambda c: c, {body}], jnp.asarray({e}))"

    return Taken(_plain(s), (), s.used, send)


def _unmapped(s: Scene) -> Taken:
    """Through a vmap that does not map it."""
    rest = (s.literal,) if s.pair else ()

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        body = f"lambda k, c: jnp.asarray({_call(ref, s, 'c', *rest)})"
        return [], f"jax.vmap({body}, in_axes=(0, None))(jnp.arange(2), {e})[0]"

    return Taken(_plain(s), (), s.used, send)


def _checkpointed(s: Scene) -> Taken:
    rest, bound = (s.literal,) if s.pair else (), s.name("saved")

    def send(ref: str, e: str, _: Callable[[str], str]) -> tuple[Lines, str]:
        return [f"{bound} = jax.checkpoint(lambda c: {_call(ref, s, 'c', *rest)})"], f"{bound}({e})"

    return Taken(_plain(s), (), s.used, send)


WAYS: dict[str, Callable[[Scene], Taken]] = {
    "positional": _positional,
    "keyword": _keyword,
    "default": _default,
    "star-args": _star_args,
    "kwargs": _kwargs,
    "dict-entry": _dict_entry,
    "tuple-element": _tuple_element,
    "partial": _partial,
    "comprehension": _comprehension,
    "dataclass-field": _dataclass_field,
    "module-global": _module_global,
    "loop-carry": _loop_carry,
    "lax-carry": _lax_carry,
    "tree-map": _tree_map,
    "cond-operand": _cond_operand,
    "unmapped": _unmapped,
    "checkpointed": _checkpointed,
}
# These bind the value to JAX on the way.
JAX_WAYS = frozenset({"lax-carry", "cond-operand", "unmapped", "checkpointed"})
# These bring their own form: a closure, an object, a helper that gives the value back.
FIXED_WAYS = ("closure", "self-attribute", "returned")
ALL_WAYS = (*WAYS, *FIXED_WAYS)
