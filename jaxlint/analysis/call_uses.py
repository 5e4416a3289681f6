"""What becomes of the values of calls, asked at the place that is analyzed.

In: the function that is analyzed, and the texts of its module. Out: whether anything reads what a call gives,
and in which arms of selections it is, also in those that are around the function. It refuses to know what the
calls do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import External
from jaxlint.ir.liveness import Liveness
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.nodes import AttrExpr, CallExpr, NameExpr
from jaxlint.ir.repetition import variables
from jaxlint.ir.value_reads import Text
from jaxlint.ir.walks import last_name

if TYPE_CHECKING:
    from jaxlint.analysis.consumption import Place
    from jaxlint.analysis.flow_state import FlowState
    from jaxlint.domain.objects import Environment
    from jaxlint.ir.nodes import Expr
    from jaxlint.ir.program import Code


class CallUses:
    """Answers from texts, each of which is read once."""

    def __init__(self, flow: FlowState) -> None:
        self.flow = flow
        self._known: dict[Code, Liveness] = {}
        self._texts: dict[Code, Text] = {}

    def of(self, nid: int) -> str:
        """`discarded` or `unread` where nothing reads the value of a call of this function, else empty."""
        return self._here().unused.get(nid, "")

    def leaves_unread(self, earlier: int, later: int) -> bool:
        """Whether this function returns with the later call, and has not read what the earlier one gives."""
        return self._here().leaves_unread(earlier, later)

    def name_of(self, func: Expr) -> str:
        """The last name of what is called: of what transforms and `partial` are given, where they are called
        there."""
        while isinstance(func, CallExpr) and func.args:
            made = func.func.args[0] if isinstance(func.func, CallExpr) and func.func.args else func.func
            transform = self.flow.named(made)
            if not isinstance(transform, External) or transform.name not in (*WRAPPERS, "functools.partial"):
                break  # or else `partial(transform, ...)(function)`
            func = func.args[0]
        if not isinstance(func, CallExpr):
            return last_name(func)
        name = last_name(func.func)  # of the class of an object that is called, or of what gives a function
        return name[:1].lower() + name[1:]

    def is_of_library(self, call: CallExpr, package: str) -> bool:
        """Whether a call is one of a method of what a library gives, as it stands or by a variable."""
        owner = call.func.value if isinstance(call.func, AttrExpr) else None
        made = [owner]
        if isinstance(owner, NameExpr):
            home = self.flow.home_of(owner.name)
            if home.module is not self.flow.module:
                return False
            code = home.code or home.module.program.body
            if any(owner.name == each.name for each in code.params):
                return False
            made = [value for targets, value in assignments(code.body) if owner.name in variables(targets)]
        libraries = [self.flow.named(each.func) if isinstance(each, CallExpr) else None for each in made]
        names = [each.name if isinstance(each, External) else "" for each in libraries]
        return bool(names) and all(each.startswith(package) for each in names)

    def arms_of(self, nid: int, inner: Sequence[Place]) -> frozenset[tuple[Hashable, Hashable]]:
        """The arms of selections that a call is in, here and in the functions around; `inner`: the places
        that it leads to in functions that are called there."""
        module = self.flow.module
        env: Environment | None = self.flow.env
        numbers = [nid, *(number for place, number in inner if place is module)]
        found: dict[Hashable, set[Hashable]] = {}
        while env is not None and env.module is module:
            arms = self._liveness(env.code or module.program.body).arms
            for number in numbers:
                here: dict[Hashable, set[Hashable]] = {}
                for selection, arm in arms.get(number, ()):
                    here.setdefault(selection, set()).add(arm)
                for selection, each in here.items():  # in a function are the arms of all calls of it
                    found[selection] = found.get(selection, each) & each or each
            env = env.parent
        return frozenset((selection, arm) for selection, each in found.items() for arm in each)

    def _here(self) -> Liveness:
        return self._liveness(self.flow.frame.code)

    def _liveness(self, code: Code) -> Liveness:
        found = self._known.get(code)
        if found is None:
            found = self._known[code] = Liveness(code, self.flow.module.program, self._texts)
        return found
