"""Which maps of compiled functions cost time that matters.

In: maps, the calls of them outside of traces, and who calls what makes these. Out: whether a map costs time
in the turns of a loop in which little else runs, or is written where `jit` could as well be outside. It
refuses to know how a program finds out about maps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.compilation.recompilation import LOOP_FUNCTIONS, Recompilation
from jaxlint.analysis.draws.gradients import GRADIENTS
from jaxlint.domain.objects import Bound, Imported, Partial, Transformed
from jaxlint.ir.loop_guards import has_remainder
from jaxlint.ir.mentions import APPLYING
from jaxlint.ir.nodes import (
    OPAQUE,
    AttrExpr,
    CallExpr,
    ComprehensionExpr,
    Expr,
    ForStmt,
    IfStmt,
    MatchStmt,
    NameExpr,
    Node,
    Stmt,
    WhileStmt,
)
from jaxlint.ir.repetition import calls_itself, is_in_test, takes
from jaxlint.ir.walks import (
    calls_in,
    calls_of,
    has_call,
    heads,
    innermost_loop,
    last_name,
    nodes_of,
    suites,
    walk,
)

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.domain.objects import Module
    from jaxlint.domain.values import Value
    from jaxlint.ir.program import Code
    from jaxlint.ir.repetition import Repetition

_LOOPS = frozenset(name.rpartition(".")[2] for name in LOOP_FUNCTIONS)


class MapCall(NamedTuple):
    """A call of a map, by its number, in a function context outside of traces. looped: a loop of the function
    is around it; None for one in each turn of which what is mapped is compiled anew."""

    frame: FunctionContext
    nid: int
    looped: bool | None

    @property
    def caller(self) -> Code | None:
        return None if self.frame.func is None else self.frame.func.code


class MappedJits:
    """Answers from calls and texts. `recompiled`: the places of jits that calls compile anew;
    `in_constructor`: whether a function runs only while an object is made; `run`: what certainly runs;
    `maps`: the calls of maps, by module and number."""

    def __init__(
        self,
        repetition: Repetition,
        recompilation: Recompilation,
        recompiled: Collection[tuple[str, int] | None],
        in_constructor: Callable[[Code], bool],
        run: Collection[FunctionContext],
        maps: Collection[tuple[Code, int]],
    ) -> None:
        self.repetition = repetition
        self.recompilation = recompilation
        self.recompiled = recompiled
        self.in_constructor = in_constructor
        self.run = run
        self.maps = maps

    def costs(self, func: Transformed, frame: FunctionContext, calls: Iterable[MapCall] | None) -> bool:
        """Whether one of these calls of a map pays for it: one in a loop does, unless what takes much longer
        runs beside it in each turn. One that only makes an object, runs a loop in a compiled program or a
        network, or maps what is compiled for other calls too and is there as it is, does so only where what
        makes the call is called in a loop; so does one in a notebook of several cells, which somebody runs,
        and one that maps what a function that nothing calls is given, and does not compile it for that:
        traced code may call it. `frame`: what makes the map; `calls`: None where none is known."""
        if _place_of_mapped(func) in self.recompiled:
            return False  # next to compiling it anew that is nothing
        is_from_elsewhere = _is_from_elsewhere(func)
        is_compiled_here = _is_compiled_for(func)
        if calls is None:
            return not is_from_elsewhere and (is_compiled_here or frame in self.run)
        is_light = is_from_elsewhere or self.recompilation.runs_loop(func) or self._runs_network(func)
        is_light = is_light or _is_used_otherwise(func) or bool(func.place[0].program.cells)
        for call in calls:
            code = call.caller
            loop = innermost_loop(call.frame.code.body, call.nid)
            if loop is not None and self._is_little(call.frame.code, loop, call.nid):
                continue
            if call.looped:
                return True
            if call.looped is None and (code is None or not self.repetition.is_looped(code)):
                continue
            if code is None or not self.repetition.is_looped(code):
                is_certain = is_compiled_here or call.frame in self.run
                is_certain = is_certain or code is None or not takes(code, (call.nid,))
                if is_certain and not (is_light or (code is not None and self.in_constructor(code))):
                    return True
            elif self._is_often(code, call.nid):
                return True
        return False

    # ---- what else runs in each turn

    def _is_often(self, code: Code, number: int, seen: frozenset[int] = frozenset()) -> bool:
        """Whether a loop runs a call of a function, by its number, in each turn, and little else beside it:
        neither there nor in what is called on the way to it."""
        if id(code) in seen or self._is_beside_work(code, code.body, number):
            return False
        for (path, nid), site in self.repetition.sites.get(code, {}).items():
            loop = innermost_loop(site.home.body, nid)
            if is_in_test(path, site.caller) or (loop is not None and self._is_little(site.home, loop, nid)):
                continue
            if site.looped and (site.caller is None or loop is not None):
                return True
            if calls_itself(site.caller, nid) and self._is_often(site.caller, nid, seen | {id(code)}):
                return True
        return False

    def _is_little(self, home: Code, loop: ForStmt | WhileStmt | ComprehensionExpr, number: int) -> bool:
        """Whether one call, by its number, is little next to what each turn of a loop around it does, or is
        made in one turn of many."""
        if isinstance(loop, ComprehensionExpr):
            return False
        if any(isinstance(each, (ForStmt, WhileStmt)) for each in nodes_of(loop.body)):
            return True
        is_rare = any(
            isinstance(each, IfStmt) and has_call(each.body, number) and has_remainder(each.test)
            for each in nodes_of(loop.body)
        )
        return is_rare or self._is_beside_work(home, loop.body, number)

    def _is_beside_work(self, home: Code, block: Sequence[Stmt], number: int) -> bool:
        """Whether statements that make a call also take a gradient each time, or run a loop of JAX's."""
        for call in calls_in(*_run_with(block, number)):
            if call.nid == number or (home, call.nid) in self.maps:
                continue
            if last_name(call.func) in _LOOPS and any(
                each.noted is not None and each.noted.loops
                for each in self.recompilation.bodies.get(home, ())
            ):
                return True
            for activation in self.recompilation.bodies.get(home, ()):
                for callee in activation.callees:
                    if (callee.code, call.nid) in activation.sites and self._works(activation, callee):
                        return True
        return False

    def _works(self, caller: FunctionContext, callee: FunctionContext) -> bool:
        """Whether what a call runs takes gradients, or runs a loop of JAX's."""
        stack, seen = [(caller, callee)], {callee}
        while stack:
            outer, each = stack.pop()
            transforms = {link.transform for link in each.links if link.parent is outer}
            if not GRADIENTS.isdisjoint(transforms) or (each.noted is not None and each.noted.loops):
                return True
            if any(
                last_name(call.func).removeprefix("filter_") in GRADIENTS for call in calls_of(each.code.body)
            ):
                return True
            inner = [one for one in each.callees if one not in seen]
            seen.update(inner)
            stack += [(each, one) for one in inner]
        return False

    def _runs_network(self, func: Transformed) -> bool:
        """Whether what is mapped runs a network, as far as that can be seen."""
        if any(
            isinstance(part, AttrExpr) and part.name in APPLYING for part in walk(_mapped_by(func) or OPAQUE)
        ):
            return True
        inner = _mapped(func)
        while isinstance(inner, (Bound, Partial, Transformed)):
            inner = inner.func
        code = getattr(inner, "code", None)
        stack = list(self.recompilation.bodies.get(code, ())) if code is not None else []
        seen = set(stack)
        while stack:
            each = stack.pop()
            if is_in_module(each) or any(
                last_name(call.func) in APPLYING for call in calls_of(each.code.body)
            ):
                return True
            for callee in each.callees:
                if callee not in seen:
                    seen.add(callee)
                    stack.append(callee)
        return False


def _run_with(block: Sequence[Stmt], number: int) -> Iterator[Node]:
    """What is evaluated each time that statements are run which make a call, by its number: no branch that
    may be left out, but the one with that call."""
    for statement in block:
        inner = [*suites(statement)]
        if not inner:
            yield statement
            continue
        yield from heads(statement)
        if isinstance(statement, (ForStmt, WhileStmt)):
            inner = [statement.body]
        elif isinstance(statement, (IfStmt, MatchStmt)):
            inner = [each for each in inner if has_call(each, number)]
        for each in inner:
            yield from _run_with(each, number)


def _place_of_mapped(func: Transformed) -> tuple[str, int] | None:
    """Where what is mapped was compiled."""
    inner = _mapped(func)
    return (inner.place[0].path, inner.place[1]) if isinstance(inner, Transformed) else None


def _mapped(func: Transformed) -> Value:
    """The function that is mapped, without the object and the arguments that are bound to it."""
    inner = func.func
    while isinstance(inner, (Bound, Partial)):
        inner = inner.func
    return inner


def _is_from_elsewhere(func: Transformed) -> bool:
    """Whether what is mapped was compiled in another module, for whoever uses it: it is an attribute of an
    object, and no function of that module."""
    inner, module = _mapped(func), func.place[0]
    if not isinstance(inner, Transformed) or inner.place[0] is module:
        return False
    given = _mapped_by(func)
    root = given
    while isinstance(root, AttrExpr):
        root = root.value
    held = module.env.vars.get(root.name) if isinstance(root, NameExpr) else None
    return root is not given and not isinstance(held, Imported)


def _calls(module: Module) -> Iterator[CallExpr]:
    return (call for code in module.program.codes for call in calls_of(code.body))


def _mapped_by(func: Transformed) -> Expr | None:
    """What the call that maps a function is given."""
    module, number = func.place
    maps = (call for call in _calls(module) if call.nid == number)
    return next((call.args[0] for call in maps if call.args), None)


def _is_compiled_for(func: Transformed) -> bool:
    """Whether a map compiles what it maps by itself, as in `vmap(jit(f))`."""
    given = _mapped_by(func)
    while isinstance(given, CallExpr) and last_name(given.func).lower() == "partial" and given.args:
        given = given.args[0]
    return isinstance(given, CallExpr)


def _is_used_otherwise(func: Transformed) -> bool:
    """Whether what is mapped was compiled for other calls too: what has its name is called or handed to
    something else than a map, here or where it is compiled."""
    name, module, inner = last_name(_mapped_by(func) or OPAQUE), func.place[0], func.func
    homes = {module, inner.place[0]} if isinstance(inner, Transformed) else {module}
    return bool(name) and any(
        last_name(part) == name
        for home in homes
        for call in _calls(home)
        for part in (call.func, *(call.args if last_name(call.func) != func.kind else ()))
    )


def is_in_module(frame: FunctionContext) -> bool:
    """Whether this is a method of a framework's module, which runs in traces."""
    cls = frame.func.cls if frame.func is not None else None
    return cls is not None and any(cls.has_mark(mark) for mark in ("framework", "equinox", "nnx"))
