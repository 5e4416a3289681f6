"""What a rule says of a node of a program, before it has a place in a text.

In: node numbers, and templates of texts. Out: plain data, which `report` makes a diagnostic of.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from jaxlint.source.lazy_libcst import cst

# errors that JAX raises where a tracer is asked for what it has not
AT_ONCE = frozenset(
    "TracerBoolConversionError TracerIntegerConversionError TracerArrayConversionError "
    "ConcretizationTypeError NonConcreteBooleanIndexError".split()
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the node with number `nid`: attributes and indices of syntax nodes, one after another.

    A step `("argument", which)` is an argument of a call, by position or keyword.
    """

    nid: int
    path: tuple[object, ...]

    @staticmethod
    def is_argument(step: object) -> TypeGuard[tuple[str, int | str]]:
        return isinstance(step, tuple) and step[0] == "argument"


@dataclass(slots=True)
class Finding:
    """A rule's output. `{name}` in a text stands for `names[name]`: the source text of a node, by
    number, of a part of one, or a string. raises: as of the rule, where this error is another one. cause:
    what several findings of a rule have in common of which the first in the project is enough."""

    nid: int
    message: str
    help: str = ""
    label: str = ""
    names: dict[str, int | str | Part] = field(default_factory=dict)
    data: Any = None
    traced: bool = True
    also: Sequence[tuple[Any, int, str]] = ()
    raises: tuple[str, ...] = ()
    cause: Hashable = None
    rule: Any = None

    @property
    def raised(self) -> tuple[str, ...]:
        """The classes that the error is an instance of."""
        return self.raises or tuple(self.rule.raises)

    @property
    def is_at_once(self) -> bool:
        """Whether the error certainly comes, where the finding is."""
        return not AT_ONCE.isdisjoint(self.raised)


@dataclass(slots=True)
class NodeFinding:
    """The output of a syntactic rule: a node of the file's tree. `{name}` in a text stands for `names[name]`:
    the text of a node, or a string. also: notes, each with its node. data: what the rule's `repair` gets to
    know."""

    node: cst.CSTNode
    message: str
    help: str = ""
    label: str = ""
    names: dict[str, cst.CSTNode | str] = field(default_factory=dict)
    data: Any = None
    also: Sequence[tuple[cst.CSTNode, str]] = ()
