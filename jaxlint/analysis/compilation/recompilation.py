"""Whether a function that compiles another one in each of its calls compiles what it could share.

In: the contexts of the project's functions, where each is called, and a compiled function with its maker.
Out: whether calls of the maker compile again what is the same. It refuses to know when the program calls it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.compilation.handed_functions import are_alike
from jaxlint.domain.join import options_of
from jaxlint.domain.objects import Bound, Environment, Function, Partial, Transformed
from jaxlint.domain.questions import base_of
from jaxlint.domain.transforms import JITS
from jaxlint.domain.values import Const, External, Unknown, Value
from jaxlint.ir.loop_carried import assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    CallExpr,
    ConditionalExpr,
    Expr,
    ExprStmt,
    ForStmt,
    LambdaExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    WhileStmt,
)
from jaxlint.ir.repetition import (
    Repetition,
    bound_in_turn,
    calls_parameter,
    given_at,
    given_in,
    given_to,
    handed_to,
    is_called_in,
    is_handed_calls,
    names_from,
    options_vary,
    shapes_program,
    variables,
)
from jaxlint.ir.walks import (
    calls_by_number,
    calls_in,
    calls_of,
    children,
    codes_in,
    codes_read,
    dotted,
    innermost_loop,
    last_name,
    nodes_of,
    number_of,
    reads_clock,
    suites,
    walk,
)

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import Birth, FunctionContext
    from jaxlint.ir.program import Code, Program

LOOP_FUNCTIONS = frozenset(f"jax.lax.{name}" for name in ("scan", "while_loop", "fori_loop", "map"))
ADDS = frozenset("append appendleft add extend insert update setdefault".split())  # methods of collections
_KNOWN = sys.stdlib_module_names | {"jax", "numpy", "builtins"}
_AROUND = frozenset(("", "jit", "pmap", "vmap"))  # calls and transforms that leave a loop what it is


class Recompilation:
    """Answers from call sites and texts."""

    def __init__(self, bodies: Mapping[Code, Sequence[FunctionContext]], repetition: Repetition) -> None:
        self.bodies = bodies
        self.repetition = repetition

    def is_recompiled(
        self, func: Transformed, given: Value | None, birth: Birth, maker: Code, nid: int
    ) -> bool:
        """Whether calls of the function that jits another one compile again what they could share. `given`: a
        static argument that is another function in each of them, where what is jitted is not."""
        base, home = base_of(func if given is None else given), birth.home.func
        place = func.place[1] if given is None else _number_of(given, birth)
        if isinstance(base, Function):
            program = base.module.program
            makers = {maker} if home is None else {maker, home.code}  # the second one may be a factory
            if any(
                self._calls_handed(base, each) and not self._are_alike(func, base, each) for each in makers
            ):
                return False
            names = _options_elsewhere(base)
            for each in () if home is None else codes_read(base.code, home.code, program):
                names |= shapes_program(each, each.free, program)
            if home is not None and self.repetition.is_given_others(home.code, names):
                return False
        if home is not None and given is None:
            options = given_to(home.code) - self.repetition.unfilled(home.code)
            if options_vary(home.code.body, place, options):
                return False
        if _is_only_checked(maker.body, nid) or is_collected(maker.body, place):
            return False
        if home is not None and home.code is maker:
            owner, own = _owner_of(maker.body, place), _own_read(base, maker)
            if own and not owner and self._is_made_in_turns(maker, own):
                return False  # what is compiled reads another object at each call
            if owner and self.repetition.is_of_others(maker, owner):
                return False  # a method of another object at each call
            sources = _sources(maker, owner) if owner else set()
            if sources and (_is_made_there(maker, owner) or not self.repetition.is_looped(maker)):
                return False
        if self.runs_loop(func) or birth.home.module.program.cells or self._compiles_given(maker):
            return self.repetition.is_looped(maker)
        return self.repetition.is_repeated(maker, (nid, place))

    def _compiles_given(self, maker: Code) -> bool:
        """Whether a function also compiles one that it is given, which is another one in each call as far as
        is known, where no loop is seen: next to that the rest takes little."""
        for name in _compiled_params(maker):
            calls = list(self._calls_of(maker))
            looped = any(
                innermost_loop(home.body, nid) or self.repetition.is_looped(home) for home, nid in calls
            )
            given = [(given_at(home, nid, maker, name), home) for home, nid in calls]
            if not looped and all(
                value.name in home.bound if isinstance(value, NameExpr) else not isinstance(value, AttrExpr)
                for value, home in given
            ):
                return True
        return False

    def _calls_of(self, code: Code) -> Iterator[tuple[Code, int]]:
        """The calls of a function, each with what makes it; where none are known, those of its name."""
        sites = self.repetition.sites.get(code)
        if sites:
            yield from ((site.home, nid) for (_, nid), site in sites.items())
            return
        for home in self.bodies:
            for call in calls_of(home.body):
                if last_name(call.func) == code.name:
                    yield home, call.nid

    def _calls_handed(self, base: Function, maker: Code, name: str = "") -> bool:
        """Whether what is compiled calls what its maker was handed, or for one of the parameters: the program
        differs with that."""
        program, code = base.module.program, base.code
        names = names_from({name}, maker.body) if name else given_to(maker)
        return (
            calls_parameter(code, maker, program, names)
            or is_handed_calls(code, maker, program, names)
            or self._hands_functions(code, names.intersection(code.free))
        )

    def _are_alike(self, func: Transformed, base: Function, maker: Code) -> bool:
        """Whether a loop hands the maker the same functions again and again, and it does little else but to
        compile what calls them."""
        if any(isinstance(each, (ForStmt, WhileStmt)) for each in nodes_of(maker.body)):
            return False
        if reads_clock(*maker.body) or self.runs_loop(func):
            return False
        params = [each.name for each in maker.params[maker.in_class :]]
        called = [each for each in params if self._calls_handed(base, maker, each)]
        programs = {code: found[0].module.program for code, found in self.bodies.items() if found}
        return bool(called) and are_alike(self.repetition.sites, programs, maker, called)

    def _is_made_in_turns(self, code: Code, name: str, seen: frozenset[int] = frozenset()) -> bool:
        """Whether loops repeat the calls of a function, and each turn of the innermost one makes the object
        that is given to a parameter of it, which may be that of a method."""
        if id(code) in seen or not self.repetition.is_looped(code):
            return False
        for (_, nid), site in self.repetition.sites.get(code, {}).items():
            value = given_at(site.home, nid, code, name)
            loop = innermost_loop(site.home.body, nid)
            if value is None or isinstance(loop, WhileStmt):
                return False
            if loop is not None:
                if not isinstance(value, CallExpr) and not mentions(value, bound_in_turn(loop)):
                    return False
                continue
            root = dotted(value).partition(".")[0]
            is_given = any(root == each.name for each in site.home.params)
            if not is_given or not self._is_made_in_turns(site.home, root, seen | {id(code)}):
                return False
        return True

    def runs_loop(self, func: Value) -> bool:
        """Whether what is compiled runs a loop of its own: one call of it does the work of many."""
        while isinstance(func, (Bound, Partial)) or (isinstance(func, Transformed) and func.kind in _AROUND):
            func = func.func
        if isinstance(func, External):
            return func.name in LOOP_FUNCTIONS
        if not isinstance(func, Function):
            return False
        stack = list(self.bodies.get(func.code, ()))
        seen = set(stack)
        while stack:
            activation = stack.pop()
            if activation.noted is not None and activation.noted.loops:
                return True
            for callee in activation.callees:
                kinds = {link.transform for link in callee.links if link.parent is activation}
                if callee not in seen and not kinds.isdisjoint(_AROUND):
                    seen.add(callee)
                    stack.append(callee)
        return False

    def _hands_functions(
        self, code: Code, names: Collection[str], seen: frozenset[Code] = frozenset()
    ) -> bool:
        """Whether a function hands what is in one of these variables to a function of the project that calls
        it, or hands it on to one that does."""
        if not names or code in seen:
            return False
        called: dict[str, dict[Code, Program]] = {}
        for activation in self.bodies.get(code, ()):
            for callee in activation.callees:
                if callee.func is not None:
                    found = called.setdefault(callee.func.code.name, {})
                    found[callee.func.code] = callee.func.module.program
        for call in calls_of(code.body) if called else ():
            for other, program in called.get(last_name(call.func), {}).items():
                taken = handed_to(other, call.args, call.keywords, names)
                if any(is_called_in(other, name, program) for name in taken):
                    return True
                if self._hands_functions(other, taken, seen | {code}):
                    return True
        return False


def _compiled_params(code: Code) -> set[str]:
    """The parameters of a function that it compiles, or what a transform makes of them."""
    found = set()
    for call in calls_of(code.body):
        inner: Expr = call
        while isinstance(inner, CallExpr) and inner.args:
            inner = inner.args[0]
        if last_name(call.func) in JITS and isinstance(inner, NameExpr):
            found.add(inner.name)
    return found.intersection(each.name for each in code.params[code.in_class :])


def _number_of(made: Value, birth: Birth) -> int:
    """The number of what makes a function: where it is written, or the call of `partial` or a transform."""
    if isinstance(made, Function):
        return made.code.nid
    number = birth.mark[-1]
    assert isinstance(number, int), f"{made} is made by no call"
    return number


def _options_elsewhere(base: Function) -> set[str]:
    """The whole numbers and texts, as they are written out, that a function closes over and hands to others
    of which nothing is known, or which branch by them: these may say what is computed, and not on which
    values."""
    codes = (base.code, *codes_in(base.code, base.module.program))
    found: set[str] = set()
    for call in calls_in(*[statement for code in codes for statement in code.body]):
        func = _variable(base, call.func.name) if isinstance(call.func, NameExpr) else None
        given: list[Expr | None] = []
        if _is_elsewhere(func):
            given += (*call.args, *(each.value for each in call.keywords))
        elif isinstance(func, Function) and func.module is not base.module:
            names = [each.name for each in func.code.params]
            for name in shapes_program(func.code, names, func.module.program):
                given.append(given_in(call, func.code, name))
        found.update(each.name for each in given if isinstance(each, NameExpr))
    return {name for name in found.intersection(base.code.free) if _is_option(_variable(base, name))}


def _variable(base: Function, name: str) -> Value | None:
    env: Environment | None = base.env
    while env is not None and name not in env.vars:
        env = env.parent
    return None if env is None else env.vars[name]


def _is_elsewhere(func: Value | None) -> bool:
    """Whether a function is one of a file that is not there, or of a library of which nothing is known."""
    if isinstance(func, External):
        return func.name.partition(".")[0] not in _KNOWN
    return type(func) is Unknown


def _is_option(value: Value | None) -> bool:
    return value is not None and all(
        isinstance(each, Const) and isinstance(each.value, (int, str)) for each in options_of(value)
    )


def _owner_of(body: Sequence[Stmt], nid: int) -> str:
    """The variable whose method a call transforms, as `env` in `jit(vmap(env.reset))`; empty without one."""
    call = calls_by_number(body).get(nid)
    while isinstance(call, CallExpr) and call.args:
        func = call.args[0]
        if isinstance(func, AttrExpr):
            while isinstance(func, AttrExpr):
                func = func.value
            return func.name if isinstance(func, NameExpr) else ""
        call = func if isinstance(func, CallExpr) else None
    return ""


def _own_read(base: Value, maker: Code) -> str:
    """The object of a method that a function in it reads, by its name there; empty without one."""
    own = maker.params[0].name if maker.in_class and maker.params else ""
    return own if isinstance(base, Function) and own in base.code.free else ""


def _sources(code: Code, name: str) -> set[str]:
    """The parameters of a function, its object apart, that a variable of it is, or is made of."""
    params = [param.name for param in code.params[code.in_class :]]
    return {param for param in params if name in names_from({param}, code.body)}


def _is_made_there(code: Code, name: str) -> bool:
    """Whether a function binds a variable to what a call gives, or may do so."""
    for targets, value in assignments(code.body):
        arms = (value.body, value.orelse) if isinstance(value, ConditionalExpr) else (value,)
        if name in variables(targets) and any(isinstance(arm, CallExpr) for arm in arms):
            return True
    return False


def _is_only_checked(body: Sequence[Stmt], nid: int) -> bool:
    """Whether what a call gives is only waited for, or looked at by an `assert`."""
    simple = [each for each in statements(body) if not any(suites(each))]
    holder = next((each for each in simple if any(number_of(part) == nid for part in walk(each))), None)
    if not isinstance(holder, (AssignStmt, AnnotatedStmt)):
        return holder is not None and _checks(holder)
    names = variables(holder.targets if isinstance(holder, AssignStmt) else (holder.target,))
    uses = [each for each in simple[simple.index(holder) + 1 :] if mentions(each, names)]
    return bool(uses) and all(map(_checks, uses))


def is_collected(body: Sequence[Stmt], nid: int) -> bool:
    """Whether what a call gives, here a compiled function, is put into a collection: itself, or in an object
    or a collection that is made of it. A call of it beside that is a warm-up."""
    bound = ((targets, value) for targets, value in assignments(body) if number_of(value) == nid)
    names = {name for targets, _ in bound for name in variables(targets)}
    before = -1
    while names and len(names) != before:
        before = len(names)
        for targets, value in assignments(body):
            if _holds(value, names):
                items = (each.value for each in targets if isinstance(each, SubscriptExpr))
                names |= variables(targets) | {each.name for each in items if isinstance(each, NameExpr)}
    added = (each.value for each in statements(body) if isinstance(each, ExprStmt))
    return any(
        isinstance(each, CallExpr)
        and last_name(each.func) in ADDS
        and any(_holds(given, names) for given in each.args)
        for each in added
    )


def _holds(node: Node, names: Collection[str]) -> bool:
    """Whether what an expression gives is, or has in it, what one of these variables is: a class makes an
    object of it, other functions do not give it back."""
    if isinstance(node, NameExpr):
        return node.name in names
    if isinstance(node, CallExpr):
        makes = last_name(node.func)[:1].isupper() or last_name(node.func) in ("dict", "partial")
        given = (*node.args, *(each.value for each in node.keywords))
        return makes and any(_holds(each, names) for each in given)
    if isinstance(node, (AttrExpr, SubscriptExpr, LambdaExpr)):
        return False
    return any(_holds(each, names) for each in children(node))


def _checks(statement: Stmt) -> bool:
    value = statement.value if isinstance(statement, ExprStmt) else None
    waits = isinstance(value, CallExpr) and last_name(value.func) == "block_until_ready"
    return waits or isinstance(statement, AssertStmt)
