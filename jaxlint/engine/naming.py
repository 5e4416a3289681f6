"""Names that another run gives to the same: to what a function is called with, and to what its callers see.

In: a machine, while it runs or after. Out: numbers. Code is named by its file and its index there, an object
by the call that made it and how many that had made before, a place by how far it is behind the start of a
function. What another run could not know again is `Nameless`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Hashable, Iterable
from hashlib import blake2b
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jaxlint.engine.event import Mutation
from jaxlint.engine.frame import Activation
from jaxlint.engine.history import birth_of
from jaxlint.engine.keys import Spend
from jaxlint.engine.ledger import Effects
from jaxlint.engine.lower import Code
from jaxlint.engine.program import Module
from jaxlint.engine.values import (
    Array,
    Asked,
    Bound,
    Box,
    Cell,
    Class,
    Const,
    Environment,
    External,
    Function,
    Host,
    Imported,
    Instance,
    Key,
    Number,
    Or,
    Partial,
    Product,
    Static,
    Text,
    Transformed,
    Tree,
    Tuple,
    Unknown,
    Value,
    level_of,
    options_of,
)

if TYPE_CHECKING:
    from jaxlint.engine.machine import Machine

CodeRef = tuple[str, int]

_PLAIN = frozenset((str, int, bool, float, complex, bytes, type(None), type(...)))
_TOKENS = frozenset(("p", "new"))
FAR = 6  # how deep containers are looked into
_DEEP = 5  # and objects, together with these
_LEAST_ID = 1 << 32  # smaller numbers are no identities


class Nameless(Exception):
    """Something that another run could not know again."""


class Naming:
    """The names of one run. `renamed`: how code was named in the run that these are held against; None where
    it was not there."""

    def __init__(self, machine: Machine, renamed: Callable[[CodeRef], CodeRef | None] | None = None) -> None:
        self.machine = machine
        self._codes: dict[int, str] = {}
        self._starts: dict[str, tuple[list[int], list[str]]] = {}
        for module in machine.world.modules:
            starts = []
            for code in module.program.codes:
                own = (module.path, code.index)
                ref = own if renamed is None else renamed(own)
                name = "" if ref is None else f"{ref[0]}:{ref[1]}"
                self._codes[id(code)] = name
                starts.append((code.nid if code.index else 0, name))
            starts.sort()
            self._starts[module.path] = ([nid for nid, _ in starts], [name for _, name in starts])
        self._calls: dict[Activation, str] = {}
        self._objects: dict[int, str] = {}
        self._ranks: dict[Activation, dict[Hashable, str]] = {}
        self._others: dict[int, Any] = {}
        self._state = (-1, 0)
        self._span = (0, 0)  # the tokens of the run that is named
        self._own: dict[int, int] | None = None  # their numbers, in the order in which they are met

    def call(self, activation: Activation) -> int | None:
        """What a function is called with for this run of it; None where that has no name."""
        return self._number(lambda: self._call(activation))

    def asked(self, key: Hashable) -> int | None:
        """The same, where there is no such run."""
        return self._number(lambda: self._key(key))

    def outcome(self, activation: Activation, watched: Container[int]) -> int | None:
        """What callers see of a run; None where that has no name. `watched`: what traces depend on."""
        return self._number(lambda: self._outcome(activation, watched))

    def watched(self) -> set[int]:
        """What traces depend on."""
        return {number for each in self.machine.watched() if (number := self.asked(each)) is not None}

    def _number(self, text: Callable[[], str]) -> int | None:
        try:
            return int(_digest(text()), 16)
        except Nameless:
            return None

    # ---- calls and what comes of them

    def _call(self, activation: Activation) -> str:
        found = self._calls.get(activation)
        if found is None:
            self._calls[activation] = "..."  # where what it is called with says how it is called
            if activation.func is None:
                found = f"body {activation.module.path}"
            else:
                try:
                    found = self._key(activation.key)
                except Nameless:
                    del self._calls[activation]
                    raise
            self._calls[activation] = found
        return found

    def _key(self, key: Hashable) -> str:
        """Of what has no place and no name, how often it is met is all that is told."""
        saved = self._span, self._own
        self._span, self._own = (0, 0), {}
        try:
            return _digest(self._text(key))
        finally:
            self._span, self._own = saved

    def _outcome(self, activation: Activation, watched: Container[int]) -> str:
        """All that the callers of an activation see of it, where its code may be another one."""
        result, notes = activation.result, activation.noted
        effects = activation.affected or Effects()
        self._span, self._own = activation.tokens, {}
        parts = [
            self._text(result),
            self._text(result.key(FAR)),
            self._births(result, activation),
            self._inside(result, _DEEP),
            self._texts(value.key(FAR) for value in activation.arguments),
            "|".join(map(self._spend, activation.spends)),
            self._text([*activation.captures]),
            self._text(activation.touched),
            self._sorted((owner, name) for owner, name in activation.writes),
            f"{activation.operations} {activation.yielded}",
            "|".join(map(self._mutation, activation.mutations)),
            self._sorted((key, read) for (key, _), read in effects.reads.items()),
            self._text(effects.own),
            self._text(effects.uses),
            self._text(effects.ends),
        ]
        for key, write in effects.written.items():
            name = _digest(self._text(key))
            if int(name, 16) in watched:
                parts.append(f"{name} {self._place(write.module.path, write.nid)}")
        made = sorted(name for each in effects.made if int(name := _digest(self._text(each)), 16) in watched)
        parts.append(",".join(made))
        if notes is not None:
            parts.append(self._text([*notes.statics.values()]))
            parts += [f"{self._text(each.owner)} {each.name}" for each in notes.changes]
        return "\n".join(parts)

    def _spend(self, spend: Spend) -> str:
        if spend.tests or spend.conditions:
            raise Nameless
        place = self._place(spend.module.path, spend.nid)
        return f"{place} {self._text(spend.token)} {len(spend.laps)} {spend.joint}"

    def _mutation(self, event: Mutation) -> str:
        place = self._place(event.module.path, event.nid)
        return f"{self._text(event.place)} {event.how} {place} {level_of(event.new)} {event.depth}"

    def _inside(self, value: Any, depth: int) -> str:
        """What is in the objects, and in the classes of functions, that a value holds: their names do not say
        it, and not all that sets it is noted as a write."""
        if depth < 0:
            raise Nameless
        if isinstance(value, Instance):
            held: Iterable[tuple[str, Any]] = value.attributes.items() if not value.generic else ()
        elif isinstance(value, Class):
            held = value.attributes.items() if value.env.parent is not None else ()
            held = [*held, ("", value.bases), *((name, each) for name, (each, _) in value.fields.items())]
        else:
            inner = depth - isinstance(value, Box)
            return "|".join(sorted(self._inside(each, inner) for each in _parts(value)))
        names = [f"{name} {self._text(each)} {self._inside(each, depth - 1)}" for name, each in held]
        return f"<{' '.join(sorted(names))}>"

    def _births(self, value: Value, activation: Activation) -> str:
        """Which function objects are new."""
        found = []
        for each in options_of(value):
            birth = birth_of(each)
            found.append("" if birth is None else f"{birth.home is activation} {len(birth.laps)}")
        return "|".join(sorted(found))

    # ---- values

    def _texts(self, parts: Iterable[Any]) -> str:
        return ",".join(map(self._text, parts))

    def _sorted(self, parts: Iterable[Any]) -> str:
        """What has no order, in the order of its names, which does not hang on the numbers in them."""
        numbers, self._own = self._own, None
        found = sorted(((self._text(each), each) for each in parts), key=itemgetter(0))
        self._own = numbers
        names = [name for name, _ in found] if numbers is None else [self._text(each) for _, each in found]
        return "{" + ",".join(names) + "}"

    def _text(self, part: Any) -> str:
        kind = type(part)
        if kind in _PLAIN:
            return self._thing(part) if kind is int and part > _LEAST_ID else repr(part)
        if kind is tuple:
            if len(part) == 2 and part[0] in _TOKENS:
                return self._token(*part)
            return "(" + self._texts(part) + ")"
        maker = _TEXTS.get(kind)
        if maker is not None:
            return maker(self, part)
        if isinstance(part, Code):
            return self._code(part)
        if isinstance(part, tuple):
            fields = part._asdict()  # type: ignore[attr-defined]
            nid, module, frame = (fields.pop(name, None) for name in ("nid", "module", "frame"))
            path = getattr(module or getattr(frame, "module", None), "path", "")
            place = "" if nid is None else self._place(path, nid)
            return f"{kind.__name__}({place} {self._texts(fields.values())})"
        raise Nameless(kind.__name__)

    def _token(self, kind: str, number: Any) -> str:
        """The tokens of what a function is handed are named for it, those that a run makes are numbered."""
        if kind == "p" and type(number) is tuple:
            code, count = number
            return f"p{self._codes[code]}.{count}"
        if kind == "new" and type(number) is int:
            start, end = self._span
            if end and not start < number <= end:
                raise Nameless  # which one of those that others made cannot be told
            return "own" if self._own is None else f"own{self._own.setdefault(number, len(self._own))}"
        return f"({kind},{self._text(number)})"

    def _code(self, code: Code) -> str:
        name = self._codes.get(id(code), "")
        if not name:
            raise Nameless
        return name

    def _environment(self, env: Environment) -> str:
        home = self.machine.homes.get(env)
        if home is not None:
            return self._call(home)
        return env.module.path if env.parent is None else f"within {self._text(env.parent)}"

    def _place(self, path: str, nid: int) -> str:
        if path not in self._starts:
            raise Nameless
        nids, names = self._starts[path]
        at = bisect_right(nids, nid) - 1
        if not names[at]:
            raise Nameless
        return f"{names[at]}+{nid - nids[at]}"

    # ---- objects

    def _object(self, made: Any) -> str:
        return self._thing(id(made))

    def _thing(self, number: int) -> str:
        """Something by its identity; a large number may be just that."""
        found = self._objects.get(number)
        if found is None:
            origin = self.machine.origins.get(number)
            if origin is None:
                found = self._text(self._other(number))
            elif isinstance(origin[0], Activation):
                found = f"made {self._rank(*origin)} {self._call(origin[0])}"
            else:
                found = self._text(origin)
            found = self._objects[number] = _digest(found)
        return found

    def _rank(self, activation: Activation, key: Any) -> str:
        """What an activation makes is counted by its kind: of each, what is added later comes after it."""
        ranks = self._ranks.setdefault(activation, {})
        if key not in ranks:
            counts: dict[str, int] = {}
            for each in activation.heap:
                kind = each[0] if each[0] != "box" else f"box {each[1]}"
                counts[kind] = counts.get(kind, 0) + 1
                ranks[each] = f"{kind} {counts[kind]}"
        return ranks[key]

    def _other(self, number: int) -> Any:
        machine = self.machine
        state = (len(machine.order), len(machine.functions))
        if state != self._state:
            self._state = state
            others: dict[int, Any] = {id(each): each for each in machine.order}
            others.update((id(each.env), each.env) for each in machine.order)
            others.update((id(module.env), module.env) for module in machine.world.modules)
            others.update((id(func), func) for func in machine.functions.values())
            self._others = others
        if number not in self._others:
            raise Nameless
        return self._others[number]


def _parts(value: Any) -> list[Any]:
    """The values that another one is made of."""
    if isinstance(value, Or):
        return [*value.options]
    if isinstance(value, Tuple):
        return [value.elem] if value.items is None else [*value.items]
    if isinstance(value, Box):
        held = (*(value.items or ()), *value.entries.values(), value.elem)
        return [each for each in held if each is not None]
    if isinstance(value, Bound):
        return [value.func, value.owner]
    if isinstance(value, Partial):
        return [value.func, *value.args, *(each for _, each in value.keywords)]
    if isinstance(value, Transformed):
        return [value.func, *(each for _, each in value.options)]
    if isinstance(value, (Product, tuple)):
        parts = value.parts if isinstance(value, Product) else value
        return [each for each in parts if isinstance(each, (Value, tuple))]
    if isinstance(value, Cell):
        return [value.inner]
    return []


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


_TEXTS: dict[type, Callable[[Naming, Any], str]] = {
    Activation: Naming._call,
    Array: lambda self, each: f"array {each.level}{each.dtype}{each.ndim}{each.shape}",
    Asked: lambda self, each: (
        "asked" + self._texts(getattr(each, name) for name in ("type", *Asked.__slots__))
    ),
    Bound: lambda self, each: f"bound {self._text(each.func)} {self._text(each.owner)}",
    Box: Naming._object,
    Cell: lambda self, each: f"cell {each.is_parameter}{self._text(each.inner)}",
    Class: lambda self, each: f"class {each.module.path} {each.code.qualname} {self._text(each.env)}",
    Const: lambda self, each: f"= {type(each.value).__name__} {each.value!r}",
    Environment: Naming._environment,
    External: lambda self, each: each.name,
    Function: lambda self, each: f"def {self._code(each.code)} {self._environment(each.env)}",
    Host: lambda self, each: f"host {each.dtype}{each.ndim}",
    Imported: lambda self, each: f"module {each.module.path}",
    Instance: Naming._object,
    Key: lambda self, each: f"key {each.level}{each.many}{each.count}{self._text(each.token)}",
    Module: lambda self, each: each.path,
    Number: lambda self, each: f"number {self._text(each.token)}",
    Or: lambda self, each: "or" + self._sorted(each.options),
    Partial: lambda self, each: f"partial {self._text((each.func, each.args, each.keywords))}",
    Product: lambda self, each: f"<{each.kind} {self._texts(each.parts)}>",
    Static: lambda self, each: f"static {each.type}",
    Text: lambda self, each: f"text {each.level}",
    Transformed: lambda self, each: f"{each.kind} {self._text((each.func, each.options))}",
    Tree: lambda self, each: f"tree {each.level}{self._text(each.token)}",
    Tuple: lambda self, each: f"tuple {self._text((each.items, each.elem, each.cls))}",
    Unknown: lambda self, each: f"? {each.truth}{self._text(each.token)}",
    MappingProxyType: lambda self, each: self._sorted(each.items()),
    dict: lambda self, each: self._sorted(each.items()),
    frozenset: Naming._sorted,
    list: lambda self, each: f"[{self._texts(each)}]",
    set: Naming._sorted,
    type: lambda self, each: each.__name__,
}
