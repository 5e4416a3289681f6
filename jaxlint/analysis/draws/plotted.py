"""Draws of which a picture is made, and nothing else.

In: calls that consume one key, and the code that they are in. Out: whether what each of them gives goes into
plots alone, each into its own. Plots are calls of what a plotting library gives: of its modules, of what
comes of their calls, as figures and axes do, of functions that are given such, and of functions of the file
that do nothing else. It does not know what they draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeGuard

from jaxlint.analysis.draws.texts import called_at, given_to, pairs_of
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.liveness import Liveness
from jaxlint.ir.loop_carried import Turns, assignments, parts, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    ForStmt,
    FromStmt,
    IfStmt,
    ImportStmt,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import calls_by_number, last_name, nodes_of, number_of, plain, structure_of, walk

_WITHIN = (ForStmt, FromStmt, IfStmt, ImportStmt, WhileStmt, WithStmt)
_LIBRARIES = frozenset(("matplotlib", "seaborn", "plotly", "bokeh"))


def are_plotted(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether two calls that are not the same are made for plots, of which none is made of both."""
    called = called_at(code.body, first, second)
    if called is None or structure_of(called[0]) == structure_of(called[1]):
        return False
    found = _uses_for_plots(code, program)
    mine, others = found.of(first), found.of(second)
    return bool(mine and others) and mine.isdisjoint(others)


def are_returned_for_plots(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether a function returns what two calls give, each as an item of a tuple, and the module's body,
    which alone calls it, makes other plots of the one than of the other, and nothing else."""
    returned = [each.value for each in statements(code.body) if isinstance(each, ReturnStmt)]
    items = returned[0].items if len(returned) == 1 and isinstance(returned[0], TupleExpr) else ()
    places = [_place_in(items, code, program, each) for each in (first, second)]
    one, other = places
    if one is None or other is None or one == other or code.name != code.qualname:
        return False
    found, is_called = _uses_for_plots(program.body, program), False
    named = {each.nid for part in program.codes for each in nodes_of(part.body) if _is_named(each, code.name)}
    for statement in map(plain, statements(program.body.body)):
        if not isinstance(statement, AssignStmt) or not isinstance(statement.value, CallExpr):
            continue
        root = _root_at(statement.value)
        if root is None or root.nid not in named:
            continue
        targets = statement.targets[0].items if isinstance(statement.targets[0], TupleExpr) else ()
        if len(statement.targets) > 1 or len(targets) != len(items):
            return False
        mine, others = found.of_target(targets[one]), found.of_target(targets[other])
        if not mine or not others or not mine.isdisjoint(others):
            return False
        named.discard(root.nid)
        is_called = True
    return is_called and not named


def _place_in(items: Sequence[Expr], code: Code, program: Program, number: int) -> int | None:
    """Which item of a tuple a call gives, that nothing else is made of."""
    for place, each in enumerate(items):
        if isinstance(each, CallExpr) and each.nid == number:
            return place
        if not isinstance(each, NameExpr):
            continue
        for targets, value in assignments(code.body):
            is_bound = len(targets) == 1 and isinstance(targets[0], NameExpr)
            if is_bound and isinstance(value, CallExpr) and value.nid == number:
                readers = def_use_of(code, program).readers(number_of(targets[0]) or 0)
                if readers is not None and [*readers] == [each.nid]:
                    return place
    return None


def _is_named(node: Node, name: str) -> TypeGuard[NameExpr]:
    return isinstance(node, NameExpr) and node.name == name


def is_plotted_for_each(program: Program, code: Code, number: int, loop: Turns) -> bool:
    """Whether a loop calls a function for each of several things that it is given, or is a method of, and
    plots what it gives."""
    call = calls_by_number(loop.body).get(number)
    if call is None or loop.target is None:
        return False
    found = _uses_for_plots(code, program)
    things = names_from(variables((loop.target,)), loop.body) - found.plots
    return any(mentions(each, things) for each in (call.func, *given_to(call))) and bool(found.of(number))


class _UsesForPlots:
    """plots: the variables of a function, or of a module's body, that hold parts of a plotting library."""

    def __init__(self, code: Code, program: Program) -> None:
        self.flow = def_use_of(code, program)
        self.shaped = Liveness(code, program).shaped
        self.plots = plotting(code, program)
        self.statements: dict[int, Stmt] = {}  # by the numbers of what they read
        for statement in statements(code.body) if self.plots else ():
            for each in walk(*read_by(statement)):
                if isinstance(each, (NameExpr, CallExpr)):
                    self.statements[each.nid] = statement

    def of(self, number: int) -> set[int]:
        """The statements, by identity, that read what a call gives, where that ends in plots alone; none
        where it does not."""
        return self._ends([number], self.statements.get(number))

    def of_target(self, target: Expr) -> set[int]:
        """The same, of what a target binds."""
        found: list[int] = []
        for each in parts(target):
            readers = self.flow.readers(each.nid) if isinstance(each, NameExpr) else None
            if readers is None:
                return set()
            found += [read for read in readers if read not in self.shaped]
        return self._ends(found, None)

    def _ends(self, reads: Sequence[int], start: Stmt | None) -> set[int]:
        found: set[int] = set()
        plots: set[int] = set()
        stack = [(read, False) for read in reads]  # whether it comes of a plot
        while stack:
            nid, is_plot = stack.pop()
            statement = self.statements.get(nid)
            if statement is None or (nid not in reads and statement is start):
                return set()
            if id(statement) in found or id(statement) in plots:
                continue
            if self._is_plot(statement, not is_plot):
                plots.add(id(statement))
                if not is_plot:
                    found.add(id(statement))
                is_plot = True
            elif is_plot:
                return set()
            else:
                found.add(id(statement))
            readers = self._readers(statement, is_plot)
            if readers is None:
                return set()
            stack += [(read, is_plot) for read in readers]
        return found if plots else set()

    def _is_plot(self, statement: Stmt, or_hands: bool) -> bool:
        """Whether a statement is a call of what a plotting library gives; `or_hands`: or hands such to a
        function and drops what that gives."""
        statement = plain(statement)
        if not isinstance(statement, (ExprStmt, AssignStmt)) or not isinstance(statement.value, CallExpr):
            return False
        given = given_to(statement.value) if or_hands and isinstance(statement, ExprStmt) else ()
        return any(_root_of(each) in self.plots for each in (statement.value, *given))

    def _readers(self, statement: Stmt, is_plot: bool) -> Sequence[int] | None:
        """What reads the variables that a statement binds; None where it does something else."""
        statement = plain(statement)
        if isinstance(statement, (AssignStmt, ForStmt)):
            targets = statement.targets if isinstance(statement, AssignStmt) else (statement.target,)
            bound = [part for target in targets for part in parts(target)]
        elif is_plot:
            bound = []
        else:
            return None
        found: list[int] = []
        for each in bound:
            readers = self._filled(each) if isinstance(each, SubscriptExpr) else None
            if isinstance(each, NameExpr):
                readers = self.flow.readers(each.nid)
            if readers is None:
                return None
            found += [read for read in readers if read not in self.shaped]
        return found

    def _filled(self, target: SubscriptExpr) -> Sequence[int] | None:
        """What reads an array of which a part is set; None where others may have it."""
        if not isinstance(target.value, NameExpr):
            return None
        bindings = self.flow.seen_by(target.value.nid)
        if not bindings or not bindings.isdisjoint(each.nid for each in self.flow.code.params):
            return None
        readers = [self.flow.readers(nid) for nid in bindings]
        if None in readers:
            return None
        return [read for each in readers for read in each or () if read != target.value.nid]


@lru_cache(maxsize=16)
def _uses_for_plots(code: Code, program: Program) -> _UsesForPlots:
    return _UsesForPlots(code, program)


@lru_cache(maxsize=16)
def plotting(code: Code, program: Program) -> set[str]:
    """The variables that hold a plotting library, or what comes of its calls, and nothing else; and functions
    of the file that only plot."""
    return _holding_plots(code, program, _only_plotting(program))


@lru_cache(maxsize=16)
def _only_plotting(program: Program) -> frozenset[str]:
    """The functions of a file that do nothing but to plot what they are given, by their names."""
    named = [each for each in program.codes if each.name == each.qualname and each is not program.body]
    found, before = set[str](), -1
    while len(found) != before:  # one may call another one
        before = len(found)
        found |= {each.name for each in named if _only_plots(each, program, frozenset(found))}
    return frozenset(found).difference(*(each.bound for each in program.codes if each is not program.body))


def _only_plots(code: Code, program: Program, functions: frozenset[str]) -> bool:
    if code.is_lambda or code.is_generator or code.is_async or code.global_names or code.nonlocal_names:
        return False
    plots, is_plot = _holding_plots(code, program, functions), False
    for statement in map(plain, statements(code.body)):
        if isinstance(statement, (ExprStmt, ReturnStmt)):
            value = statement.value
            if _root_of(value) in plots:
                is_plot = True
            elif not (isinstance(value, ConstExpr) or (isinstance(statement, ExprStmt) and _prints(value))):
                return False
        elif isinstance(statement, AssignStmt):
            targets = [part for target in statement.targets for part in parts(target)]
            if not all(isinstance(each, NameExpr) or _root_of(each) in plots for each in targets):
                return False
        elif not isinstance(statement, _WITHIN):
            return False
    return is_plot


def _prints(value: Expr) -> bool:
    return isinstance(value, CallExpr) and last_name(value.func) == "print"


def _holding_plots(code: Code, program: Program, functions: frozenset[str]) -> set[str]:
    body = (*program.body.body, *(() if code is program.body else code.body))
    found = {name for statement in statements(body) for name in _imported_by(statement)} | functions
    if not found:
        return found
    bound = [
        pair for targets, value in assignments(body) for each in targets for pair in pairs_of(each, value)
    ]
    before = -1
    while len(found) != before:
        before = len(found)
        found.update(*(variables((target,)) for target, value in bound if _is_of_plots(value, found)))
    others = (variables((target,)) for target, value in bound if not _is_of_plots(value, found))
    return found.difference(*others, (param.name for param in code.params))


def _imported_by(statement: Stmt) -> Iterator[str]:
    """The names that an import of a plotting library binds."""
    if isinstance(statement, ImportStmt):
        for _, module, alias in statement.items:
            if module.partition(".")[0] in _LIBRARIES:
                yield alias or module.partition(".")[0]
    elif isinstance(statement, FromStmt) and statement.module.partition(".")[0] in _LIBRARIES:
        yield from (bound for _, _, bound in statement.items or ())


def _is_of_plots(value: Expr, plots: set[str]) -> bool:
    """Whether a value comes of a plotting library, or is a collection of such."""
    if isinstance(value, (TupleExpr, ListExpr)):
        return bool(value.items) and all(_is_of_plots(each, plots) for each in value.items)
    return _root_of(value) in plots


def _root_of(node: Expr) -> str:
    """The variable of which an expression is an attribute, an item, or a call of one."""
    root = _root_at(node)
    return "" if root is None else root.name


def _root_at(node: Expr) -> NameExpr | None:
    while not isinstance(node, NameExpr):
        if isinstance(node, (AttrExpr, SubscriptExpr)):
            node = node.value
        elif isinstance(node, CallExpr):
            node = node.func
        else:
            return None
    return node
