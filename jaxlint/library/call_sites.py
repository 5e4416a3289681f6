"""Who calls the functions of a project, how often, and in which traces, once all of it is analyzed.

In: the function contexts that the analysis leads to. Out: the callers of a function, as far as the project
has them; how often it runs in a run of the program, where that is certain; the transforms around it. It does
not know what code outside the project calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from jaxlint.ir.mentions import reads_attribute, sets_first
from jaxlint.ir.places import Places, mentions
from jaxlint.ir.repetition import is_public

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext, Link, Mutation
    from jaxlint.domain.objects import Module
    from jaxlint.ir.program import Code

Often = Literal["once", "many", "loop"]


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

    def is_set_first(self, change: Mutation) -> bool:
        """Whether a function that is traced sets an attribute before anything else is done with the object,
        and only it and what it calls read such attributes: no read finds what another trace has left."""
        codes = (code for module in self._modules for code in module.program.codes)
        readers = [code for code in codes if reads_attribute(code, change.name)]
        contexts = [each for code in readers for each in self._contexts.get(code, (None,))]
        frame: FunctionContext | None = change.frame
        while frame is not None and frame.func is not None and frame.context.depth:
            code = frame.func.code
            if sets_first(code, change.name):
                return bool(contexts) and all(each is not None and _is_below(each, code) for each in contexts)
            frame = None if frame.link is None else frame.link.parent
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
