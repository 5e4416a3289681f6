"""All that a rule author imports: `Rule`, `Finding`, `Example`, claims and the events.

A rule is one class without state. Its docstring is its documentation. `visit_<Event>` methods get
an event and the model, and yield findings; a finding's place is a node number and its texts are
templates filled from the source when it is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from jaxlint.diagnostic import Applicability, Edit, Fix

if TYPE_CHECKING:
    from jaxlint.engine.locate import Located

Category = Literal["correctness", "suspicious", "performance", "style", "pedantic"]


@dataclass(frozen=True, slots=True)
class Example:
    """A bad program, the good one beside it, and what is to be said of the pair."""

    bad: str
    good: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What happens when an example's programs run.

    kind: `raises` (then `error` is the exception's class and `text` part of its message), `same`,
    `differs`, `traces`, `program`, `side-effect`, `warns`, `missing`.
    """

    kind: str
    error: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the node with number `nid`: attributes and indices of syntax nodes, one after another.

    A step `("argument", which)` is an argument of a call, by position or keyword.
    """

    nid: int
    path: tuple[Any, ...]

    @staticmethod
    def is_argument(step: object) -> bool:
        return isinstance(step, tuple) and step[0] == "argument"


@dataclass(slots=True)
class Finding:
    """A rule's output. `{name}` in a text stands for `names[name]`: the source text of a node, by
    number, of a part of one, or a string. raises: as of the rule, where this error is another one."""

    nid: int
    message: str
    help: str = ""
    label: str = ""
    names: dict[str, int | str | Part] = field(default_factory=dict)
    data: Any = None
    traced: bool = True
    also: Sequence[tuple[Any, int, str]] = ()
    raises: tuple[str, ...] = ()
    rule: Any = None


class Rule:
    """The base of all rules.

    code, name, category, since: as in the catalogue. on: whether it is in the default set.
    fix: the most that its fixes can reach. raises: the classes that the runtime error is an
    instance of, so that a handler around the line silences it. calls: first parts of the names of
    library functions that `visit_Call` wants to see, or their whole names. only_traced: only calls
    that a tracer is passed to. when: `eager` keeps only what no trace reaches.
    """

    code: ClassVar[str] = ""
    name: ClassVar[str] = ""
    category: ClassVar[Category] = "correctness"
    on: ClassVar[bool] = True
    since: ClassVar[str] = "0.1.0"
    nursery: ClassVar[bool] = False
    fix: ClassVar[Applicability | None] = None
    raises: ClassVar[tuple[str, ...]] = ()
    calls: ClassVar[tuple[str, ...]] = ()
    only_traced: ClassVar[bool] = False
    when: ClassVar[str] = ""
    examples: ClassVar[tuple[Example, ...]] = ()
    claim: ClassVar[Claim | None] = None

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        """The fix for a finding, from the source; None where there is none."""
        return None


__all__ = ["Applicability", "Claim", "Edit", "Example", "Finding", "Fix", "Part", "Rule"]
