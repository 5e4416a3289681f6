"""The bases of all rules, and the version of what they are written for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from jaxlint.claim import Claim, Example

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import Event
    from jaxlint.diagnostic import Applicability, Fix
    from jaxlint.ir.finding import Finding
    from jaxlint.ir.locations import Located
    from jaxlint.library.rule_model import Model

API_VERSION = (1, 0)
"""The version of `jaxlint.rule`. The first number changes where a rule may have to be written again, the
second where there is more than before."""

Category = Literal["correctness", "suspicious", "performance", "style", "pedantic"]


class Rule:
    """The base of all rules.

    code, name, category, since: as in the catalogue. on: whether it is in the default set.
    idle_in_tests: whether it is off in test files (setting `tests`) unless it is selected by code or name,
    because what it finds there is harmless or meant. idle_where_shown: whether it is off at an expression
    that ends a notebook's cell, whose value is shown below it. fix: the most that its fixes can reach.
    raises: the classes that the runtime error is an instance of, so that a handler around the line silences
    it. calls: first parts of the names of library functions that `visit_Call` wants to see, or their whole
    names. only_traced: only calls that a tracer is passed to. when: `eager` keeps only what no trace reaches,
    and each `Recompile`. unless: rules whose finding at the same place says it better. claim, and also: what
    is claimed of each example. api: the version of `jaxlint.rule` that it was written for.
    """

    code: ClassVar[str] = ""
    name: ClassVar[str] = ""
    category: ClassVar[Category] = "correctness"
    on: ClassVar[bool] = True
    idle_in_tests: ClassVar[bool] = False
    idle_where_shown: ClassVar[bool] = False
    since: ClassVar[str] = "0.1.0"
    nursery: ClassVar[bool] = False
    fix: ClassVar[Applicability | None] = None
    raises: ClassVar[tuple[str, ...]] = ()
    calls: ClassVar[tuple[str, ...]] = ()
    only_traced: ClassVar[bool] = False
    when: ClassVar[str] = ""
    unless: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[tuple[Example, ...]] = ()
    claim: ClassVar[Claim | None] = None
    also: ClassVar[tuple[Claim, ...]] = ()
    api: ClassVar[tuple[int, int]] = API_VERSION

    def stands(self, event: Event, finding: Finding, m: Model) -> bool:
        """Whether a finding is to be reported, asked once more when the whole project is analyzed: only then
        does the model know callers. What raises in a trace does not where an earlier call, outside of traces,
        has computed it."""
        return not self.raises or not m.is_computed_first(event)

    def repair(self, finding: Any, code: Located) -> Fix | None:
        """The fix for a finding, from the source; None where there is none. What a rule gets here is what it
        gave: a `Finding`, or the `NodeFinding` of a syntactic rule."""
        return None


class SyntacticRule(Rule):
    """A rule that looks at the tree of a file, when the project is analyzed.

    Its methods are `visit_NODE(self, node, m)` and `leave_NODE(self, node, m)`, named for nodes of LibCST,
    and yield findings of nodes. All syntactic rules share one walk over a file; each has an object of its own
    for it, which may keep what it has seen. needs: words that a file must all have in it for the rule to look
    at it.
    """

    needs: ClassVar[tuple[str, ...]] = ()
