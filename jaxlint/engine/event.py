"""What happens while the program is followed: the facts that rules are shown.

Each event has the number of the syntax node where it happens and the activation in which it
happens. Names of events are LibCST's node names where there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.engine.values import UNKNOWN, Value

if TYPE_CHECKING:
    from jaxlint.engine.frame import Activation
    from jaxlint.engine.program import Module


@dataclass(slots=True, eq=False)
class Event:
    """Something that happens at node `nid` of `module`, in activation `frame`."""

    nid: int
    frame: Activation

    @property
    def module(self) -> Module:
        return self.frame.module

    @property
    def staged(self) -> bool:
        """Whether a staged trace encloses this: Python runs once per trace."""
        return self.frame.context.staged

    @property
    def traced(self) -> bool:
        """Whether any transform encloses this."""
        return self.frame.context.depth > 0


@dataclass(slots=True, eq=False)
class Test(Event):
    """A truth test. `kind`: if, while, assert, ternary, comprehension, guard."""

    value: Value
    kind: str


@dataclass(slots=True, eq=False)
class Boolean(Event):
    """An operand that `and`, `or`, `not`, a chained comparison or `in` takes the truth of."""

    value: Value
    operator: str


@dataclass(slots=True, eq=False)
class Call(Event):
    """A call of a library function or builtin by canonical name, or of a method.

    A method of an array is `jax.Array.<name>` with the receiver as `receiver`.
    """

    name: str
    args: Sequence[Value]
    keywords: Mapping[str, Value]
    receiver: Value | None = None
    level: int = 0
    exact: bool = True  # no * or ** hides arguments

    def arg(self, position: int, name: str = "") -> Value | None:
        if name and name in self.keywords:
            return self.keywords[name]
        return self.args[position] if 0 <= position < len(self.args) else None


@dataclass(slots=True, eq=False)
class Subscript(Event):
    """A read `value[index]`."""

    value: Value
    index: Value


@dataclass(slots=True, eq=False)
class Store(Event):
    """`value[index] = new`, `value.name = new`, the augmented forms and `del`."""

    value: Value
    new: Value
    index: Value | None = None
    name: str | None = None
    kind: str = "assign"  # assign, augmented, delete
    operator: str = ""


@dataclass(slots=True, eq=False)
class Binary(Event):
    """A binary operation."""

    operator: str
    left: Value
    right: Value
    result: Value


@dataclass(slots=True, eq=False)
class Format(Event):
    """A value that an f-string formats with `spec` (None: without one)."""

    value: Value
    spec: str | None


@dataclass(slots=True, eq=False)
class Discard(Event):
    """An expression statement: its value is dropped. `name` is what was called, if known."""

    value: Value
    name: str
    receiver: Value | None


@dataclass(slots=True, eq=False)
class GlobalRead(Event):
    """A module variable that is bound more than once, read inside a function."""

    name: str
    value: Value
    home: Module


@dataclass(slots=True, eq=False)
class AttributeRead(Event):
    """An attribute of a project instance that is read."""

    owner: Value
    name: str
    value: Value


@dataclass(slots=True, eq=False)
class Reference(Event):
    """A library name that is referred to: by import, attribute or call keyword."""

    name: str
    how: str  # import, from, attribute, keyword, method
    keyword: str | None = None
    positional: int = 0
    guarded: bool = False


@dataclass(slots=True, eq=False)
class Mutation(Event):
    """A change to an object that was made outside the innermost trace, or to a variable there.

    `how`: append, item, attribute, global, nonlocal, next, delete, write.
    """

    how: str
    target: Value
    new: Value
    name: str = ""


@dataclass(slots=True, eq=False)
class KeyUse(Event):
    """A key is spent. `before` is the earlier spend of the same key, if there was one."""

    token: Any
    name: str
    before: tuple[Module, int] | None = None
    in_loop: bool = False


@dataclass(slots=True, eq=False)
class Transform(Event):
    """A transform is applied to a function. `fresh`: the function is new at each evaluation."""

    kind: str
    func: Value
    options: Mapping[str, Value]
    result: Value = UNKNOWN
    decorator: bool = False
    loop: int = 0
    fresh: bool = False


@dataclass(slots=True, eq=False)
class TransformedCall(Event):
    """The result of a transform is called."""

    func: Value
    args: Sequence[Value]
    keywords: Mapping[str, Value]
    loop: int = 0


@dataclass(slots=True, eq=False)
class Loop(Event):
    """A `for` statement. `count` is its number of turns where that is known."""

    iterable: Value
    count: int | None
    operations: int = 0


@dataclass(slots=True, eq=False)
class ClassEnd(Event):
    """A class statement was executed."""

    cls: Value
