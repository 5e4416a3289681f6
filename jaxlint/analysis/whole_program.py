"""What happened, kept until the whole program has been analyzed, and judged then.

In: what each function context noted of itself: whom it calls, which objects are static arguments, reads and
writes of attributes, functions that are made and transformed anew. Out: the events that only all of it
can show. It refuses to know how the program was analyzed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from jaxlint.analysis.compilation.cleared_caches import cleared_by_callees
from jaxlint.analysis.compilation.mapped_jits import MapCall, MappedJits, is_in_module
from jaxlint.analysis.compilation.outside_traces import add_sites, is_outside, repetition_of
from jaxlint.analysis.compilation.recompilation import Recompilation, is_collected
from jaxlint.analysis.copies.kept_fields import sets_up
from jaxlint.analysis.events import JittedMethod, MappedJit, Recompile, StaticRead
from jaxlint.analysis.function_context import Birth, Change, Event, FieldRead, Notes, Use
from jaxlint.analysis.mutations.earlier_objects import may_come_later
from jaxlint.analysis.static_hash import hash_follows, paths_to
from jaxlint.domain.objects import (
    CONSTRUCTION,
    Class,
    Function,
    Instance,
    Transformed,
)
from jaxlint.domain.questions import base_of
from jaxlint.domain.values import Const, Product, Value
from jaxlint.ir.repetition import Site, is_in_test, prepares
from jaxlint.ir.replaced_fields import STATIC_FIELDS, Body, Replacing, fields_read

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.ir.program import Code, Program


def is_made_now(func: Value, frame: FunctionContext) -> bool:
    """Whether this function context made the function object, in this turn of its loops."""
    birth = birth_of(func)
    return birth is not None and birth.frame is frame and birth.iterations == frame.iterations


def birth_of(func: Value) -> Birth | None:
    birth: Birth | None = getattr(func, "birth", None)
    return birth


def handed_down(frame: FunctionContext | None, birth: Birth) -> bool:
    """Whether a function reached this function context through calls alone, in the turn that made it, and on
    no path was there before, as what a table keeps."""
    steps = 0
    while frame is not None and frame is not birth.frame and steps < 50:
        if frame.iterations or frame.link is None:
            return False
        frame = frame.link.parent
        steps += 1
    if frame is not birth.frame or not birth.frame.running or birth.frame.iterations != birth.iterations:
        return False
    return birth.frame.env.vars.get(birth.mark) == Const(birth.iterations)


def static_holder(frame: FunctionContext | None, owner: Instance) -> FunctionContext | None:
    """The body of the trace around `frame` for which `owner` is, or belongs to, a static argument."""
    steps = 0
    while frame is not None and frame.link is not None and steps < 60:
        if any(True for each in frame.link.static for _ in paths_to(each, owner)):
            return frame
        frame = frame.link.parent
        steps += 1
    return None


def _is_held(read: FieldRead) -> bool:
    """Whether what is read is no static argument itself, but of an object that one has."""
    link = read.body.link
    return link is not None and not any(each is read.owner for each in link.static)


class WholeProgram:
    """The notes of all function contexts that count."""

    def __init__(self, activations: Iterable[FunctionContext], classes: Iterable[Class]) -> None:
        self.activations = list(activations)
        self.heirs: dict[Class, list[Class]] = {}  # of a class: itself and those below it
        for cls in classes:
            for base in cls.lineage():
                self.heirs.setdefault(base, []).append(cls)
        self.eager = self._eager()
        self.notes = [(each, each.noted) for each in self.activations if each.noted is not None]
        self.sites: dict[Code, dict[tuple[str, int], Site]] = {}
        self.bodies: dict[Code, list[FunctionContext]] = {}
        self.recompiled: set[tuple[str, int] | None] = set()  # the places of jits that calls compile anew
        for activation in self.activations:
            self.bodies.setdefault(activation.code, []).append(activation)
            add_sites(self.sites, activation)
        self.repetition = repetition_of(self.activations, self.sites)
        self.recompilation = Recompilation(self.bodies, self.repetition)
        self.replaced: dict[tuple[str, int, FunctionContext], frozenset[str] | None] = {}

    def events(self) -> Iterator[tuple[str, Event]]:
        yield from self._static_reads()
        yield from self._recompiles()
        yield from self._mapped()
        yield from self._methods()
        if any(notes.clears for _, notes in self.notes):
            outside = self._outside.repetition.sites
            sites = {**self.sites, **{code: outside.get(code, {}) for code in self._staged}}
            for event in cleared_by_callees(self.notes, sites, self.eager):
                yield "Recompile", event

    def _eager(self) -> set[FunctionContext]:
        """What runs outside of traces: what module bodies lead to, and functions that no trace reaches and
        none defines, which callers may call."""
        traced = {id(each.func.code) for each in self.activations if each.func and each.context.depth}
        return self._run(
            each
            for each in self.activations
            if each.func is not None and _is_assumed(each) and id(each.func.code) not in traced
            if not each.func.is_made_in_trace()
        )

    def _run(self, besides: Iterable[FunctionContext] = ()) -> set[FunctionContext]:
        """What module bodies, and these functions besides, run outside of traces."""
        found: set[FunctionContext] = set()
        stack = [*(each for each in self.activations if each.func is None), *besides]
        while stack:
            activation = stack.pop()
            if activation not in found and not activation.context.staged:
                found.add(activation)
                stack.extend(activation.callees)
        return found

    # ---- when code runs

    def constructs(self, code: Code) -> bool:
        """Whether a method runs only while its object is made."""
        if code.name in CONSTRUCTION:
            return True
        if not self.sites.get(code):
            return code.name.startswith("_") and not code.name.startswith("__")
        return code not in self._later

    @cached_property
    def _later(self) -> set[Code]:
        """What is called where no object is being made: from there on, along the calls."""
        callees: dict[Code, list[Code]] = {}
        found: set[Code] = set()
        stack: list[Code] = []
        for code, sites in self.sites.items():
            for site in sites.values() if code.name not in CONSTRUCTION else ():
                caller = site.caller
                if caller is None or (caller not in self.sites and not self.constructs(caller)):
                    stack.append(code)
                else:
                    callees.setdefault(caller, []).append(code)
        while stack:
            code = stack.pop()
            if code not in found:
                found.add(code)
                stack += callees.get(code, ())
        return found

    # ---- static arguments that change

    def _static_reads(self) -> Iterator[tuple[str, Event]]:
        if not any(notes.reads for _, notes in self.notes):
            return
        changes: dict[tuple[int, str], list[tuple[Change, Mapping[Use, tuple[int, int]] | None, bool]]] = {}
        for activation, notes in self.notes:
            # A module's body shows all its calls in order.
            uses = notes.static_uses if activation.func is None else None
            late = [(each, False) for each in notes.late]
            for change, is_assumed in (*late, *((each, True) for each in self._anytime(activation, notes))):
                func = change.frame.func
                if change.frame.notes.cleared:
                    continue
                if func is not None and self.constructs(func.code):
                    continue
                if change.frame not in self.eager:
                    continue
                order = uses
                if func is not None and uses is None and prepares(func.code):
                    # It runs before others do: what it changes was used only between calls that it makes.
                    if change.frame is not activation:
                        continue
                    order = notes.static_uses
                place = (id(change.owner.cls), change.name)
                changes.setdefault(place, []).append((change, order, is_assumed))
        for activation, notes in self.notes:
            for read in notes.reads:
                held = _is_held(read)
                found = [
                    change
                    for cls in self._shared(read)
                    for change, uses, is_assumed in changes.get((id(cls), read.name), ())
                    if change.reaches(read.item)
                    # what an object holds is mostly not changed by what nobody calls
                    if not (held and is_assumed)
                    if not self._keeps_fields(change, read, activation)
                    if uses is None or _is_between(change, read, uses)
                    if not sets_up(activation.code, read.nid, change.module.program, change.nid)
                ]
                if found:
                    places = sorted(
                        {(each.module.path, each.nid): each.module for each in found}.items(),
                        key=lambda item: item[0],
                    )
                    writes = tuple((module, nid) for (_, nid), module in places)
                    link = read.body.link
                    is_hashed = link is not None and hash_follows(link.static, read.owner, read.name)
                    event = StaticRead(read.nid, activation, read.owner, held, read.name, writes, is_hashed)
                    yield "StaticRead", event

    def _keeps_fields(self, change: Change, read: FieldRead, reader: FunctionContext) -> bool:
        """Whether a write puts a copy there that differs in other fields than those that are read."""
        key = (change.module.path, change.nid, change.frame)
        if key not in self.replaced:
            home = Body(change.frame.code, change.module.program, change.module.path)
            self.replaced[key] = self.replacing.fields(home, change.nid)
        replaced = self.replaced[key]
        if replaced is None:
            return False
        found = fields_read(reader.code, reader.module.program, read.nid)
        if found is None:
            return False
        fields, called = found
        # A method reads any field.
        return fields.isdisjoint(replaced | self.replacing.methods) and called <= self._callable_fields

    @cached_property
    def _callable_fields(self) -> frozenset[str]:
        return STATIC_FIELDS.union(*(cls.fields for cls in self.heirs))

    @cached_property
    def replacing(self) -> Replacing:
        callees: dict[tuple[str, int], list[tuple[Code, Program, str]]] = {}
        for code, sites in self.sites.items():
            for body in self.bodies.get(code, ())[:1]:
                for place in sites:
                    callees.setdefault(place, []).append((code, body.module.program, body.module.path))
        methods = frozenset(name for cls in self.heirs for name in cls.attributes.keys() - cls.fields)
        return Replacing(lambda path, nid: callees.get((path, nid), ()), methods)

    def _anytime(self, activation: FunctionContext, notes: Notes) -> list[Change]:
        """What methods write of their objects, called by what the project itself never calls: others may do
        so when they like."""
        if not notes.changes or activation.func is None or not _is_assumed(activation):
            return []
        if self.sites.get(activation.func.code) or prepares(activation.func.code):
            return []
        return [each for each in notes.changes.values() if each.own and may_come_later(activation, each)]

    def _shared(self, read: FieldRead) -> list[Class]:
        """The classes whose writes are writes of what is read."""
        found = list(read.owner.cls.lineage())
        body = read.body.func
        if read.owner.generic and body is not None:
            for cls in self.heirs.get(read.owner.cls, ()):
                if cls not in found:
                    method = cls.lookup(body.code.name)
                    inner = base_of(method[0]) if method is not None else None
                    if isinstance(inner, Function) and inner.code is body.code:
                        found.append(cls)
        return found

    # ---- functions compiled again and again

    @cached_property
    def _staged(self) -> set[Code]:
        """The functions that some trace reaches."""
        return {each.code for each in self.activations if each.context.staged}

    @cached_property
    def _outside(self) -> Recompilation:
        """What calls outside of traces compile again."""
        sites: dict[Code, dict[tuple[str, int], Site]] = {}
        eager = [each for each in self.activations if each in self.eager] if self._staged else []
        for activation in eager:
            add_sites(sites, activation)
        return Recompilation(self.bodies, repetition_of(eager, sites))

    def _recompiles(self) -> Iterator[tuple[str, Event]]:
        drivers = {id(each.func.code) for each, notes in self.notes if each.func and notes.drives}
        for activation, notes in self.notes:
            for kind, func, given, frame, nid in notes.remade if activation in self.eager else ():
                birth = birth_of(func if given is None else given)
                if birth is None or is_in_module(birth.home) or func.option("inline") == Const(True):
                    continue
                maker = frame.func
                is_staged = not self._staged.isdisjoint((birth.home.code, frame.code))
                recompilation = self._outside if is_staged else self.recompilation
                if is_staged and not is_outside(frame, kind, recompilation.repetition):
                    continue
                if kind == "call" and maker is not None:
                    if id(maker.code) in drivers or self._in_constructor(maker.code):
                        continue
                    if not recompilation.is_recompiled(func, given, birth, maker.code, nid):
                        continue
                if given is not None:
                    if func.func is given and recompilation.runs_loop(func):
                        continue  # next to what one call of it does compiling it is little
                    yield "Recompile", Recompile(nid, activation, func, kind, given, maker)
                    continue
                if kind == "loop" and is_collected(frame.code.body, func.place[1]):
                    continue
                self.recompiled.add((func.place[0].path, func.place[1]))
                yield "Recompile", Recompile(func.place[1], birth.home, func, kind)

    def _in_constructor(self, code: Code) -> bool:
        return code.name in CONSTRUCTION or (bool(self.sites.get(code)) and self.constructs(code))

    # ---- maps of jitted functions

    def _mapped(self) -> Iterator[tuple[str, Event]]:
        uses: dict[tuple[str, int], list[MapCall]] = {}
        staged_uses: set[tuple[str, int]] = set()
        for activation, notes in self.notes:
            for (path, nid, staged), calls in notes.uses.items():
                if staged:
                    staged_uses.add((path, nid))
                elif activation in self.eager:
                    known = uses.setdefault((path, nid), [])
                    known += (MapCall(activation, call, looped) for call, looped in calls.items())
        if not any(notes.mapped for _, notes in self.notes):
            return
        maps = {(call.frame.code, call.nid) for calls in uses.values() for call in calls}
        jits = MappedJits(
            self.repetition, self.recompilation, self.recompiled, self._in_constructor, self._run(), maps
        )
        for activation, notes in self.notes:
            for func in notes.mapped if activation in self.eager else ():
                module, nid = func.place
                place = module.path, nid
                found = uses.get(place, [])
                if place in staged_uses:  # what only tests do besides says nothing of the program
                    found = [each for each in found if not is_in_test(each.frame.module.path, each.caller)]
                is_known = bool(found) or place in staged_uses
                if not is_in_module(activation) and jits.costs(func, activation, found if is_known else None):
                    yield "MappedJit", MappedJit(nid, activation, func)

    # ---- methods that trace self

    def _methods(self) -> Iterator[tuple[str, Event]]:
        called: dict[tuple[str, int], list[Class]] = {}
        others: dict[tuple[str, int], tuple[FunctionContext, Transformed]] = {}
        for _, notes in self.notes:
            for func, owner, home in notes.selves:
                cls = owner.cls
                if owner.generic and (len(self.heirs.get(cls, ())) > 1 or not _takes_self(func)):
                    continue  # it may be of any class below, or no object of the class at all
                place = (func.place[0].path, func.place[1])
                others[place] = (home, func)
                found = called.setdefault(place, [])
                if cls not in found:
                    found.append(cls)
        for activation, notes in self.notes:
            for func, cls, code in notes.methods:
                place = (func.place[0].path, func.place[1])
                others.pop(place, None)
                if not _without_instance(cls, code):
                    heirs = self.heirs.get(cls, [])
                    callers = called.get(place, [])
                    yield "JittedMethod", JittedMethod(place[1], activation, func, code, cls, callers, heirs)
        for place, (home, func) in others.items():
            base = base_of(func)
            if isinstance(base, Function) and base.cls is not None:
                callers = called[place]
                yield "JittedMethod", JittedMethod(place[1], home, func, base.code, base.cls, callers, [])


def _is_between(change: Change, read: FieldRead, uses: Mapping[Use, tuple[int, int]]) -> bool:
    """Whether a write comes between two calls of what reads, on the same object."""
    if read.body.func is None:
        return False
    first, last = uses.get((id(change.owner), read.body.func.code), (0, 0))
    return 0 < first <= change.moment < last


def _is_assumed(frame: FunctionContext) -> bool:
    """Whether no call led to this, but the assumption that there may be one."""
    return frame.link is not None and not frame.is_called()


def _takes_self(func: Transformed) -> bool:
    """Whether the first parameter of what is compiled is named as objects are in methods."""
    base = base_of(func)
    params = base.code.params if isinstance(base, Function) else ()
    return bool(params) and params[0].name == "self"


def _without_instance(cls: Class, code: Code) -> bool:
    """Whether a function of a class body is reached without an instance."""
    if code.name in ("__new__", "__init_subclass__", "__class_getitem__"):
        return True
    for value in cls.attributes.values():
        if isinstance(value, Product) and value.kind in ("staticmethod", "classmethod"):
            inner = base_of(value.parts[0])
            if isinstance(inner, Function) and inner.code is code:
                return True
    return False


__all__ = ["Birth", "Change", "WholeProgram", "Notes", "FieldRead", "Site"]
