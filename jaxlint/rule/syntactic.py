"""Rules that look at the text: one walk over the tree of a file for all of them together.

In: syntactic rules, a file that LibCST has parsed, and the model of an analysis that is over. Out: what each
rule finds, and what went wrong in one: that costs its findings in this file and no others. It refuses to know
how a finding is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from jaxlint.failure import Failure
from jaxlint.ir.finding import NodeFinding
from jaxlint.rule.definition import SyntacticRule
from jaxlint.rule.source_model import SourceModel
from jaxlint.source.lazy_libcst import cst

Hook = tuple[SyntacticRule, Callable[[Any, SourceModel], "Iterable[NodeFinding] | None"]]
Found = tuple[SyntacticRule, NodeFinding]


def needs(rule: type[SyntacticRule], data: bytes) -> bool:
    """Whether a rule has to look at a file of these bytes."""
    return all(word.encode() in data for word in rule.needs)


def walk(
    rules: Iterable[type[SyntacticRule]], module: cst.Module, model: SourceModel, path: str
) -> tuple[list[Found], list[Failure]]:
    """What rules find in a file, in the order of the walk."""
    walker = _Walker([rule() for rule in rules], model, path)
    visitor = _visitor()(walker)
    module.visit(visitor)
    return walker.found, walker.failures


class _Walker:
    """The methods of the rules by the kind of node, and what they gave."""

    def __init__(self, rules: Sequence[SyntacticRule], model: SourceModel, path: str) -> None:
        self.model = model
        self.path = path
        self.found: list[Found] = []
        self.failures: list[Failure] = []
        self.broken: set[SyntacticRule] = set()
        self.visits: dict[str, list[Hook]] = {}
        self.leaves: dict[str, list[Hook]] = {}
        for rule in rules:
            for table, prefix in ((self.visits, "visit_"), (self.leaves, "leave_")):
                for name in dir(rule):
                    if name.startswith(prefix):
                        self._listen(table, rule, name, name.removeprefix(prefix))

    def _listen(self, table: dict[str, list[Hook]], rule: SyntacticRule, name: str, kind: str) -> None:
        node = getattr(cst, kind, None)
        if isinstance(node, type) and issubclass(node, cst.CSTNode):
            table.setdefault(kind, []).append((rule, getattr(rule, name)))
        elif rule not in self.broken:
            self._break(rule, AttributeError(f"LibCST has no node `{kind}`"), None)

    def _break(self, rule: SyntacticRule, error: Exception, node: cst.CSTNode | None) -> None:
        self.broken.add(rule)
        number = None if node is None else self.model.place_of(node).nid
        self.failures.append(Failure.of(error, self.path, number, rule.code))
        self.found = [each for each in self.found if each[0] is not rule]

    def show(self, hooks: Iterable[Hook], node: cst.CSTNode) -> None:
        for rule, hook in hooks:
            if rule in self.broken:
                continue
            try:
                self.found += [(rule, finding) for finding in hook(node, self.model) or ()]
            except (RecursionError, MemoryError):
                raise
            except Exception as error:
                self._break(rule, error, node)


@cache
def _visitor() -> Any:
    """The class of the visitor, which is made of one of LibCST's when that is loaded."""

    class Visitor(cst.CSTVisitor):
        """Shows each node to the rules that listen to its kind."""

        def __init__(self, walker: _Walker) -> None:
            super().__init__()
            self.walker = walker

        def on_visit(self, node: cst.CSTNode) -> bool:
            hooks = self.walker.visits.get(type(node).__name__)
            if hooks:
                self.walker.show(hooks, node)
            return True

        def on_leave(self, original_node: cst.CSTNode) -> None:
            hooks = self.walker.leaves.get(type(original_node).__name__)
            if hooks:
                self.walker.show(hooks, original_node)

        def on_visit_attribute(self, node: cst.CSTNode, attribute: str) -> None: ...

        def on_leave_attribute(self, original_node: cst.CSTNode, attribute: str) -> None: ...

    return Visitor
