"""Who calls the functions of a project, how often, and in which traces, once all of it is analyzed.

In: the function contexts that the analysis leads to. Out: the callers of a function, as far as the project
has them; how often it runs in a run of the program, where that is certain; the transforms around it. It does
not know what code outside the project calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from jaxlint.domain.objects import Class, Environment, Instance
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import BATCHED, DIFFERENTIATED
from jaxlint.ir.constant_attributes import assigned, names_read, reads_of
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.mentions import sets_first
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ExprStmt,
    NameExpr,
    ReturnStmt,
    Stmt,
    TupleExpr,
    WithStmt,
)
from jaxlint.ir.places import Places, bindings_of, mentions
from jaxlint.ir.repetition import is_public
from jaxlint.ir.walks import calls_of, number_of, numbers_of, walk

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext, Link, Mutation
    from jaxlint.domain.objects import Module
    from jaxlint.ir.program import Code

Often = Literal["once", "many", "loop"]
# the kinds of transforms that keep nothing of a trace, and none at all; and those whose function may keep it
_UNCOMPILED = {"", *(spec.kind for spec in WRAPPERS.values() if spec.level in (BATCHED, DIFFERENTIATED))}
_KEEPING = {spec.kind for spec in WRAPPERS.values()} - _UNCOMPILED


class Caller(NamedTuple):
    """A place that leads to a function: a call, or a transform that traces it.

    function: the qualified name of the function that the place is in, `<module>` for a module's body.
    transform: the name of the transform, empty for a call. in_loop: a loop of that function, or of what calls
    it, repeats it.
    """

    module: Module
    nid: int
    function: str
    transform: str
    in_loop: bool


class CallSites:
    """The calls of one analysis that is over."""

    def __init__(self, contexts: Iterable[FunctionContext], modules: Iterable[Module]) -> None:
        self._modules = tuple(modules)
        self._contexts: dict[Code, list[FunctionContext]] = {}
        for each in contexts:
            self._contexts.setdefault(each.code, []).append(each)
        self._places: dict[int, Places] = {}
        self._often: dict[Code, Often | None] = {}
        self._transforms: dict[Code, frozenset[str]] = {}

    @cached_property
    def _mentions(self) -> Counter[str]:
        """How often the project mentions each name."""
        found: Counter[str] = Counter()
        for each in self._modules:
            found.update(mentions(each.program))
        return found

    def places(self, module: Module) -> Places:
        found = self._places.get(id(module.program))
        if found is None:
            found = self._places[id(module.program)] = Places(module.program)
        return found

    def callers(self, code: Code) -> tuple[Caller, ...]:
        """The places of the project that lead to a function, in the order of their files and texts."""
        found: dict[tuple[str, int, str], Caller] = {}
        for context in self._contexts.get(code, ()):
            for link in context.live_links():
                for made in () if link.parent is None else self._calls(code, link.parent, link):
                    place = made.module.path, made.nid, made.transform
                    before = found.get(place)
                    found[place] = made if before is None or made.in_loop else before
        return tuple(found[place] for place in sorted(found))

    @cached_property
    def _readers(self) -> dict[str, list[Code]]:
        """The functions that read an attribute of a name, or have it as a text."""
        found: dict[str, list[Code]] = {}
        for code in (code for module in self._modules for code in module.program.codes):
            for name in names_read(code):
                found.setdefault(name, []).append(code)
        return found

    def is_set_first(self, change: Mutation) -> bool:
        """Whether a function that is traced sets an attribute before anything else is done with the object,
        and only it and what it calls read such attributes: no read finds what another trace has left."""
        contexts = [
            each
            for code in self._readers.get(change.name, ())
            for each in self._contexts.get(code, (None,))
            if each is None or not _reads_others(each, change)
        ]
        if not contexts or None in contexts:
            return False
        frame: FunctionContext | None = change.frame
        while frame is not None and frame.func is not None and frame.context.depth:
            code = frame.func.code
            if sets_first(code, change.name):
                if all(each is not None and _is_below(each, code) for each in contexts):
                    return True
                break
            frame = None if frame.link is None else frame.link.parent
        return self._is_set_by_call(change, [each for each in contexts if each is not None])

    def _is_set_by_call(self, change: Mutation, readers: Sequence[FunctionContext]) -> bool:
        """Whether each trace calls a function that sets an attribute before anything reads it: what reads it
        is called after that, in the same trace."""
        setter, name = change.frame.func, change.name
        if setter is None or not sets_first(setter.code, name):
            return False
        after: dict[Code, frozenset[int]] = {}  # the functions that call it, and what they run after that
        pending = list(self._contexts.get(setter.code, ()))
        while pending:
            for link in pending.pop().live_links():
                caller = link.parent
                if link.transform or caller is None or caller.func is None or caller.code in after:
                    continue
                numbers = _numbers_after(caller.code.body, link.nid)
                contexts = self.contexts(caller.code)
                if numbers is not None and not any(self._leaves_another(each, name) for each in contexts):
                    after[caller.code] = numbers
                    pending += contexts
        return all(self._is_after(each, setter.code, name, after) for each in readers)

    def _is_after(
        self, context: FunctionContext, setter: Code, name: str, after: Mapping[Code, frozenset[int]]
    ) -> bool:
        """Whether a function that reads an attribute is run by nothing else than by functions that have
        called the setter before, in the same trace, in one that keeps nothing or in a loop or a branch of a
        function that is made there; or it is the setter. after: by function, the numbers of what comes after
        that call."""
        code = context.code
        if code in after and not after[code].issuperset(map(number_of, reads_of(code, name))):
            return False
        seen, stack = {context}, [context]
        while stack:
            each = stack.pop()
            if each.code is setter or (each is context and each.code in after):
                continue
            is_called = self._is_called(each)
            links = [link for link in each.live_links() if link.parent is not None or not is_called]
            if not links and not is_called:
                return False
            for link in links:
                if link.parent is None or link.parent.func is None:
                    return False
                maker, is_kept = link.parent.code, link.transform not in _UNCOMPILED
                if link.transform in _KEEPING or (is_kept and not self._is_made_by(maker, each, link.nid)):
                    return False
                if link.parent.code in after:
                    if link.nid not in after[link.parent.code]:
                        return False
                elif link.parent not in seen:
                    seen.add(link.parent)
                    stack.append(link.parent)
        return True

    def _is_made_by(self, maker: Code, context: FunctionContext, nid: int) -> bool:
        """Whether each call of a function makes anew what it has traced at a place: a function inside of it,
        or a bound method that is taken there."""
        code = context.code
        if self.places(context.module).outer.get(code) is maker:
            return True
        calls = (each for each in calls_of(maker.body) if each.nid == nid)
        given = (part for each in calls for part in (*each.args, *(one.value for one in each.keywords)))
        return code.in_class and any(isinstance(each, AttrExpr) and each.name == code.name for each in given)

    def _is_called(self, context: FunctionContext) -> bool:
        """Whether the project calls a function, in this context or in another one."""
        return any(link.parent for each in self.contexts(context.code) for link in each.live_links())

    def _leaves_another(self, context: FunctionContext, name: str) -> bool:
        """Whether a trace that a function begins sets an attribute of this name, too."""
        seen, stack = {context}, [context]
        while stack:
            for each in stack.pop().callees:
                if each.context.depth > context.context.depth and _sets(each.code, name):
                    return True
                if each not in seen:
                    seen.add(each)
                    stack.append(each)
        return False

    def _calls(self, code: Code, parent: FunctionContext, link: Link) -> Iterator[Caller]:
        """The calls that a link stands for. What a transform made is called somewhere else than it is
        made."""
        looped = self.places(parent.module).looped
        name = "<module>" if parent.func is None else parent.func.code.qualname
        calls = {nid: often for (called, nid), often in parent.sites.items() if called is code and nid}
        if not link.transform:
            calls = {link.nid: calls.get(link.nid, False)}
        for nid, often in calls.items():
            yield Caller(parent.module, nid, name, link.transform, often or nid in looped)
        if not calls:
            yield Caller(link.module, link.nid, name, link.transform, False)

    def is_handed_unread(self, code: Code, nid: int) -> bool:
        """Whether a function only returns what is read there, and no call in the project reads it."""
        route = _returned_at(code, nid)
        calls = [
            (link.parent.code, made)
            for context in self._contexts.get(code, ())
            for link in context.live_links()
            if link.parent is not None
            for made in self._calls(code, link.parent, link)
        ]
        return (
            route is not None
            and bool(calls)
            and all(not made.transform and _is_unread(around, made, route) for around, made in calls)
        )

    def contexts(self, code: Code) -> Sequence[FunctionContext]:
        """The ways in which a function is analyzed."""
        return self._contexts.get(code, ())

    def transforms(self, code: Code) -> frozenset[str]:
        """The names of the transforms in whose traces a function runs, in some call."""
        if code not in self._transforms:
            self._transforms[code] = frozenset[str]().union(*map(self.around, self._contexts.get(code, ())))
        return self._transforms[code]

    def around(self, context: FunctionContext) -> frozenset[str]:
        """The names of the transforms that lead to a function context."""
        names: set[str] = set()
        seen = {context}
        stack = [context]
        while stack:
            for link in stack.pop().live_links():
                names.update((link.transform, *link.around) if link.transform else ())
                if link.parent is not None and link.parent not in seen:
                    seen.add(link.parent)
                    stack.append(link.parent)
        return frozenset(names)

    def how_often(self, code: Code, module: Module) -> Often | None:
        """How often a function runs while a program runs that imports its module once."""
        if code not in self._often:
            self._often[code] = self._how_often(code, module, set())
        return self._often[code]

    def _how_often(self, code: Code, module: Module, seen: set[Code]) -> Often | None:
        if code is module.program.body:
            return "once"
        if code in seen:
            return "many"  # it calls itself
        callers = self.callers(code)
        if any(each.in_loop for each in callers):
            return "loop"
        parents = [link.parent for each in self._contexts.get(code, ()) for link in each.live_links()]
        homes = {(each.code, each.module) for each in parents if each is not None}
        around = [self._how_often(home, at, {*seen, code}) for home, at in homes]
        if "loop" in around:
            return "loop"
        if len(callers) > 1 or "many" in around:
            return "many"
        if callers and around == ["once"] and not self._is_known_elsewhere(code, module):
            return "once"
        return None

    def _is_known_elsewhere(self, code: Code, module: Module) -> bool:
        """Whether something else than one call may run a function: it is public, a method, or handed on."""
        if is_public(code) or code.in_class or code.is_lambda or code.decorators:
            return True
        return self._mentions[code.name] != 1

    def is_dead(self, code: Code, module: Module) -> bool:
        """Whether nothing can run a function: it is private, nothing leads to it, and nothing mentions it."""
        if code is module.program.body:
            return False
        around = self.places(module).outer.get(code)
        if around is not None and self.is_dead(around, module):
            return True
        if code.is_lambda or code.in_class or code.decorators or is_public(code):
            return False
        return not self._mentions[code.name]

    def is_run(self, code: Code, module: Module) -> bool:
        """Whether a module's body leads to a function."""
        seen: set[FunctionContext] = set()
        stack = list(self._contexts.get(code, ()))
        while stack:
            context = stack.pop()
            if context.func is None:
                return True
            if context not in seen:
                seen.add(context)
                stack += [link.parent for link in context.live_links() if link.parent is not None]
        return code is module.program.body


def _returned_at(code: Code, nid: int) -> tuple[int, ...] | None:
    """Which item of what a function returns is read there; all of it: `()`."""
    for statement in statements(code.body):
        value = statement.value if isinstance(statement, ReturnStmt) else None
        if value is not None and number_of(value) == nid:
            return ()
        for position, item in enumerate(value.items if isinstance(value, TupleExpr) else ()):
            if number_of(item) == nid:
                return (position,)
    return None


def _is_unread(code: Code, call: Caller, route: tuple[int, ...]) -> bool:
    """Whether nothing reads a part of what a call gives, as far as the function around it tells."""
    if any(
        isinstance(each, ExprStmt) and number_of(each.value) == call.nid for each in statements(code.body)
    ):
        return True
    program = call.module.program
    bound = [each for each in bindings_of(code, call.nid) if each.path in ((), route)]
    readers = [def_use_of(code, program).readers(each.nid) for each in bound]
    return bool(bound) and not any(readers) and (code is program.body or None not in readers)


def _reads_others(context: FunctionContext, change: Mutation) -> bool:
    """Whether a function reads an attribute of the name of one that is set, but of objects of other classes
    alone."""
    owner = change.target
    return isinstance(owner, Instance) and all(
        isinstance(read, AttrExpr)
        and isinstance(read.value, NameExpr)
        and _is_other(context.env, read.value.name, owner.cls)
        for read in reads_of(context.code, change.name)
    )


def _is_other(env: Environment | None, name: str, cls: Class) -> bool:
    """Whether a variable holds an object of a class that neither derives from another one nor the other way
    round."""
    while env is not None and name not in env.vars:
        env = env.parent
    value = None if env is None else env.vars[name]
    if not isinstance(value, Instance):
        return False
    return value.cls not in cls.lineage() and cls not in value.cls.lineage()


def _sets(code: Code, name: str) -> bool:
    return any(isinstance(each, AttrExpr) and each.name == name for each, _ in assigned(code.body))


def _numbers_after(body: Sequence[Stmt], nid: int) -> frozenset[int] | None:
    """The numbers of what a body runs after a statement that is a call and, if it is run at all, is run on
    each path; None where there is no such statement."""
    for position, each in enumerate(body):
        if isinstance(each, WithStmt) and nid in numbers_of(each.body):
            later = _numbers_after(each.body, nid)
            return None if later is None else later.union(_numbers(body[position + 1 :]))
        value = each.value if isinstance(each, (ExprStmt, AssignStmt)) else None
        if isinstance(value, CallExpr) and value.nid == nid:
            return _numbers(body[position + 1 :])
    return None


def _numbers(body: Sequence[Stmt]) -> frozenset[int]:
    return frozenset([number for each in walk(*body) if (number := number_of(each)) is not None])


def _is_below(context: FunctionContext, code: Code) -> bool:
    """Whether a function is run by each call of a context, or is what that is a context of."""
    seen: set[int] = set()
    stack = [context]
    while stack:
        each = stack.pop()
        if each.func is not None and each.func.code is code:
            continue
        parents = [link.parent for link in each.links]
        if not parents or any(parent is None or parent.func is None for parent in parents):
            return False
        seen.add(id(each))
        stack += [parent for parent in parents if parent is not None and id(parent) not in seen]
    return True
