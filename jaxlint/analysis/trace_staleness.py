"""The cache of traces: reads, writes, uses, in program order.

Code in a staged trace notes what it reads from outside; code outside notes what it writes. A use of
a trace that JAX finds again, after a write of what the trace had read, is told as `StaleRead`.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Literal

from jaxlint.analysis.compilation.cleared_caches import MemoisedMakers
from jaxlint.analysis.compilation.same_writes import is_made_again
from jaxlint.analysis.copies.kept_fields import has_structure_of, is_unseen
from jaxlint.analysis.core import DOUBT, Core
from jaxlint.analysis.events import StaleRead
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext, Owner, Spoilt, Trace, TraceRead
from jaxlint.analysis.mutations.hidden_writes import not_written
from jaxlint.analysis.mutations.setters import prepares, setters
from jaxlint.analysis.trace_cache import EVERY, Index, TraceCache, add_write, is_own
from jaxlint.analysis.writes import Write
from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.objects import (
    Class,
    Environment,
    Function,
    Imported,
    Instance,
    Key,
    Transformed,
)
from jaxlint.domain.questions import intercepts
from jaxlint.domain.values import UNKNOWN, Array, Const, NumPyArray, Product, TracerPytree, Unknown, Value
from jaxlint.ir.nodes import ConstExpr
from jaxlint.ir.program import Code
from jaxlint.ir.replaced_fields import STATIC_PART

# transforms of which JAX keeps the trace together with the function
_KEPT = frozenset("jit pmap scan while_loop fori_loop cond switch checkpoint shard_map".split())
_KEEPS = frozenset(("framework", "equinox", "nnx", "namedtuple", "enum"))
_PLAIN_BASES = ("builtins.", "abc.", "typing.", "collections.abc.")

# how the names of functions begin that prepare an object before it is used
_NO_DATA = (Function, Class, Imported, Product, Transformed, Unknown)

ANY_ITEM = "any item"
ANY_NAME = "any name"

Holder = Transformed | Literal[False] | None
"""By what JAX finds a trace: None the function, False not at all, else this."""


# whose static part is taken to be that of what was there: it is not certain that it differs
_OF_ONE_KIND = (Const, Array, NumPyArray, Key, TracerPytree, Unknown)


class TraceStaleness:
    """Keeps the trace cache."""

    def __init__(self, flow: FlowState, core: Core) -> None:
        self.flow = flow
        self.core = core
        self.order: list[FunctionContext] = []
        self.trace_cache = TraceCache()
        self.holder: Holder = None  # of the next trace
        self.given: tuple[Instance, ...] = ()  # what the next trace has as static arguments
        self.makers = MemoisedMakers()
        # codes whose calls functools remembers, and whether it hashes what they are given
        self.memoised: dict[int, bool] = {}
        # stands for the module or the function that is run from outside now; None where none is
        self.entry: object = None
        # functions, by code, and calls of memoised ones that some entry runs outside traces before in one
        self.memos: dict[FunctionContext, set[Hashable]] = {}  # calls of memoised functions, by what they run
        self.emptied: set[Hashable] = set()  # caches that are emptied, names that are deleted
        self.ran_first: set[Hashable] = set()
        # by attribute: the classes of objects in which code outside of traces sets it, and that code
        self._filled: dict[str, dict[tuple[Class, Code], None]] = {}
        self._called: set[tuple[object, Hashable]] = set()  # by entry
        self.keeping = 0  # inside a getter that runs once for each object
        self.kept_traces: dict[Trace, None] = {}
        self.moved = False  # inside an assignment of a variable, an attribute or an item to another one
        self.index = Index()

    # ---- reads

    def note_read(self, env: Environment, name: str, value: Value, nid: int) -> None:
        """A variable of an enclosing function or of a module is read in staged code."""
        if env.depth < self.flow.context.depth and not isinstance(value, (Imported, Class)):
            part = (name, STATIC_PART) if self.flow.item is STATIC_PART else name
            self._note(("v", id(env), part), TraceRead(nid, self.flow.frame, env.depth, name))
            if isinstance(value, MutableContainer):
                self._note_items(value, TraceRead(nid, self.flow.frame, value.depth, name))

    def note_container(self, box: MutableContainer, name: str, nid: int) -> None:
        """A container that was made outside is read in what is traced, which has it from a `partial`."""
        link = self.flow.frame.link
        if self.flow.context.staged and link is not None and link.transform:
            self._note_items(box, TraceRead(nid, self.flow.frame, box.depth, name))

    def note_attribute(self, owner: Instance, name: str, value: Value, nid: int) -> None:
        """An attribute of an object that was made outside is read in staged code."""
        if owner.depth < self.flow.context.depth and not is_framework(owner.cls):
            if intercepts(owner.cls, name):
                return  # that may make anew what was compiled
            part = (name, STATIC_PART) if self.flow.item is STATIC_PART else name
            gives = frozenset(_objects_in(value))
            read = TraceRead(nid, self.flow.frame, owner.depth, name, id(owner), gives)
            self._note(("a", id(owner), part), read)
            if isinstance(value, MutableContainer):
                self._note_items(value, TraceRead(nid, self.flow.frame, value.depth, name, id(owner)))

    def note_class_read(self, cls: Class, name: str, value: Value, nid: int, through: bool = False) -> None:
        """Data of a class that was made outside is read in staged code; `through` one of its objects."""
        if not self.flow.context.staged or isinstance(value, _NO_DATA) or is_framework(cls):
            return
        if cls.env.depth < self.flow.context.depth and not cls.has_mark("enum"):
            full = f"{cls.code.name}.{name}"
            self._note(("c", id(cls), name), TraceRead(nid, self.flow.frame, cls.env.depth, full))
            if isinstance(value, MutableContainer) and not through:
                self._note_items(value, TraceRead(nid, self.flow.frame, value.depth, full))

    def note_function_read(self, owner: Function, name: str, value: Value, nid: int) -> None:
        """An attribute of a function that was made outside is read in staged code. `name`: what it is kept
        as, which begins with what it is called."""
        depth = owner.env.depth
        if self.flow.context.staged and depth < self.flow.context.depth:
            part = (name, STATIC_PART) if self.flow.item is STATIC_PART else name
            shown = name.partition(" ")[0]
            self._note(("f", owner, part), TraceRead(nid, self.flow.frame, depth, shown, owner))
            if isinstance(value, MutableContainer):
                self._note_items(value, TraceRead(nid, self.flow.frame, value.depth, shown, owner))

    def _note_items(self, box: MutableContainer, read: TraceRead) -> None:
        """What is in a container is read: one item, or any of them."""
        if self.flow.item is None:
            self._note(("b", id(box)), read)
        else:
            self._note(("b", id(box), self.flow.item), read)
            self._note(("b", id(box), ANY_ITEM), read)

    def _note(self, key: Hashable, read: TraceRead) -> None:
        if DOUBT not in self.flow.env.vars:
            self.flow.frame.effects.reads.setdefault((key, id(read.frame)), read)

    # ---- writes

    def note_write(
        self, key: Hashable, nid: int, before: Value | None = None, after: Value | None = None
    ) -> None:
        """Something is written that a trace may have read; in staged code that happens only once."""
        if not self.flow.context.staged:
            last = self.trace_cache.written.get(key)
            if is_made_again(last, self.flow.frame, nid):
                return
            if last is not None and type(last.after) is Const:
                before = last.after  # what a variable of a module holds is else any of what it is ever given
            self.trace_cache.write(key, Write(self.flow.module, nid, before, after, self.moved), self.index)
        else:
            self.flow.frame.effects.own.add(key)

    def keeps_kind(self, before: Value | None, after: Value) -> bool:
        """Whether what is written has the static part of what was there: it is made of that, is an array, or
        a collection of as many things under the same names."""
        if self.flow.derived or isinstance(after, _OF_ONE_KIND):
            return True
        known = options_of(UNKNOWN if before is None else before)
        return all(has_structure_of(one, each) for one in known for each in options_of(after))

    def note_place(
        self, kind: str, owner: object, name: str, nid: int, before: Value | None, after: Value
    ) -> None:
        """A variable or an attribute is written."""
        of = owner if isinstance(owner, Function) else id(owner)
        self.note_write((kind, of, name), nid, before, after)
        if not self.keeps_kind(before, after):
            self.note_write((kind, of, (name, STATIC_PART)), nid, before, after)

    def write_all(self, writes: Iterable[tuple[Hashable, Write]]) -> None:
        """What a context manager writes when it is entered or left."""
        for key, write in writes:
            self.trace_cache.write(key, write, self.index)

    def note_item(
        self, box: MutableContainer, item: Value | None, nid: int, before: Value | None, after: Value
    ) -> ConstExpr | None:
        """An item of a container is written: gives the constant that says which one, where it is known."""
        if isinstance(after, MutableContainer) and after.source is box and not self.flow.context.staged:
            write = Write(self.flow.module, nid, restores=True)
            for key in self.trace_cache.of_box(id(box)):
                self.trace_cache.write(key, write, self.index)
            return None
        self.note_write(("b", id(box)), nid)
        which = ConstExpr(item.value) if isinstance(item, Const) else None
        if which is None:
            self.note_write(("b", id(box), ANY_ITEM), nid)
        else:
            self.note_write(("b", id(box), which), nid, before, after)
        return which

    def note_made(self, made: Hashable) -> None:
        """A function, a transform's result or an object (by identity) is made."""
        if not self.flow.context.staged and not self.keeping:
            self.trace_cache.make(made, self.index)

    def note_dropped(self, before: Value | None, after: Value | None = None) -> None:
        """What is written over is no longer there, nor are the traces of a function that was kept there."""
        if before is None or self.flow.context.staged:
            return
        for each in options_of(before):
            inner = options_of(each.each()) if isinstance(each, MutableContainer) else (each,)
            for made in inner if each is not after else ():
                if isinstance(made, Transformed) and (after is None or made not in options_of(after)):
                    self.note_made(made.func if isinstance(made.func, Function) else made)

    # ---- traces

    def hold(self, func: Value, kind: str, is_found_again: bool = True) -> None:
        """Something is about to be traced: by what will JAX find the trace again?"""
        if self.flow.context.staged:
            return
        self.given = ()
        inner = func.func if isinstance(func, Transformed) else func
        if kind not in _KEPT or not is_found_again:
            self.holder = False
        elif isinstance(inner, (Function, Instance)):
            self.holder = None
        elif isinstance(inner, Transformed) and inner.kind == "jit":
            self.holder = None
        else:
            self.holder = func if isinstance(func, Transformed) else False

    def use_trace(self, activation: FunctionContext, holder: Holder) -> None:
        """A staged function is called from outside of any trace."""
        if holder is False:
            return
        trace: Trace = (activation, holder)
        spoilt = self.trace_cache.earlier(trace, self.index) or {}
        found = self.trace_cache.found_by(trace, self.index) if spoilt else {}
        # Arguments of the same types in other objects: what was read then says what is old.
        for each in (trace,) if trace in found else found:
            self._tell(each, spoilt)
        self._note_use(trace, {})

    def _note_use(self, trace: Trace, before: Spoilt) -> None:
        """Notes what was written before a use, for when the call around it happens once more. A module's body
        runs once."""
        self._note_use_in(self.flow.frame, self.trace_cache, trace, before)

    def pass_uses(self, activation: FunctionContext, caller: FunctionContext, outer: TraceCache) -> None:
        """A call was analyzed: when the call around it happens once more, so does this. `outer`: the caller's
        trace cache, as it was before the call."""
        if activation.affected is not None and not self.is_remembered(activation):
            for trace, before in activation.affected.uses.items():
                self._note_use_in(caller, outer, trace, before)
            caller.effects.renewed |= activation.affected.renewed

    def _note_use_in(
        self, frame: FunctionContext, trace_cache: TraceCache, trace: Trace, before: Spoilt
    ) -> None:
        if frame.func is not None and trace not in frame.effects.uses:
            functions: set[Hashable] = {trace[0].func, trace[1]}
            written = _then(trace_cache.written_without(functions), before)
            kept = {key: write for key, write in written.items() if not is_own(key, frame)}
            frame.effects.uses[trace] = kept
            if not trace_cache.made.isdisjoint({*functions, EVERY}):
                frame.effects.renewed.add(trace)

    def keep_trace(self, activation: FunctionContext, holder: Holder, given: tuple[Instance, ...]) -> None:
        """The trace is done: of what it read it will see no change."""
        if holder is False:
            return
        depth, effects = activation.context.depth, activation.effects
        passed = _reachable(given)
        read_there = (
            key for (key, _), read in effects.reads.items() if read.depth < depth and read.owner not in passed
        )
        effects.keys = {*not_written(read_there, effects.own)}
        effects.owners = _roots(effects.reads.values())
        self.index.read(activation)
        self.trace_cache.keep((activation, holder), {}, self.index)
        self.kept_traces[activation, holder] = None

    def watched(self) -> set[Hashable]:
        """What the kept traces depend on: what they read, its owners, their functions and holders; and the
        names of the attributes that traces read of static arguments."""
        noted = (each.noted for each in self.order if each.noted is not None)
        found: set[Hashable] = {read.name for notes in noted for read in notes.reads}
        for body, holder in self.kept_traces:
            found.update((body.func, holder))
            for (key, _), read in body.effects.reads.items():
                found.update((key, read.owner))
        return found

    def check_setters(self, lasting: Mapping[Transformed, set[Hashable]]) -> None:
        """What a public function or method, that the project itself never calls, writes after a trace
        that lasts as long as the module or the object. `lasting`: where these keep what transforms made."""
        writers = setters(self.order)
        functions = {each.func for each in lasting}
        writing: dict[Hashable, list[int]] = {}
        for number, writer in enumerate(writers):
            for key in writer.affected.written if writer.affected is not None else ():
                writing.setdefault(key, []).append(number)
        for trace in self.kept_traces:
            body, holder = trace
            if holder not in lasting if holder is not None else body.func not in functions:
                continue
            for number in sorted({number for key in body.effects.keys for number in writing.get(key, ())}):
                writer = writers[number]
                renewing = {
                    body.func,
                    holder,
                    EVERY,
                    *(lasting.get(holder, ()) if holder is not None else ()),
                }
                spoilt = {
                    key: write
                    for key, write in writer.effects.written.items()
                    if key in body.effects.keys and not _renews(writer, key, write, renewing)
                }
                self.flow.frame = writer
                self._tell(trace, spoilt)

    def replay(self, activation: FunctionContext) -> None:
        """A call that was analyzed before happens once more."""
        effects, trace_cache = activation.affected, self.trace_cache
        if effects is None:
            return
        known, is_remembered = trace_cache.traces, self.is_remembered(activation)
        for trace, before in () if is_remembered else effects.uses.items():
            if trace in effects.renewed or {trace[0].func, trace[1], EVERY} & effects.made:
                continue
            earlier = trace_cache.earlier(trace, self.index)
            if earlier is not None:
                own = {key: place for key, place in before.items() if key in trace[0].effects.keys}
                self._tell(trace, _then(earlier, own))
            self._note_use(trace, before)
        if not is_remembered:
            for made in effects.made:
                trace_cache.make(made, self.index)
        for key, write in effects.written.items():
            trace_cache.write(key, write, self.index, effects.made_with.get(key, ()))
        for trace in effects.uses:
            if trace not in known:
                trace_cache.keep(trace, effects.ends.get(trace, {}), self.index)

    def follow_writes(self, activation: FunctionContext, stand_in: Instance, owner: Instance) -> None:
        """A method that calls share has written attributes of its object, and made functions anew. `owner`:
        the object that another one stands in for. What prepares an object is called before it is used."""
        effects, func = activation.affected, activation.func
        if effects is None or func is None or self.flow.context.staged:
            return
        if prepares(func.code.name.lstrip("_")):
            return
        for made in effects.made:
            self.trace_cache.make(made, self.index)
        for key, write in effects.written.items():
            if isinstance(key, tuple) and key[:2] == ("a", id(stand_in)):
                renewed = effects.made_with.get(key, ())
                self.trace_cache.write(("a", id(owner), *key[2:]), write, self.index, renewed)
        for name, held in stand_in.attributes.items():
            # what the object itself holds there need not be known: then it is read as an attribute
            is_list = isinstance(held, MutableContainer) and held.kind == "list"
            filled = effects.written.get(("b", id(held))) if is_list else None
            if filled is not None and type(owner.attributes.get(name, UNKNOWN)) is Unknown:
                self.trace_cache.write(("a", id(owner), name), filled, self.index)

    def note_call(self, called: Hashable, is_traced: bool) -> None:
        """A function is called, for the first time in this entry or once more."""
        call = (self.entry, called)
        if call not in self._called and self.entry is not None:
            self._called.add(call)
            if not is_traced:
                self.ran_first.add(called)

    def note_filled(self, cls: Class, name: str, code: Code) -> None:
        """Code outside of traces sets an attribute of an object to something."""
        self._filled.setdefault(name, {})[cls, code] = None

    def is_filled_elsewhere(self, cls: Class, name: str, code: Code) -> bool:
        """Whether other code than this sets an attribute of such objects outside of traces."""
        return any(
            filler is not code and (owner in cls.lineage() or cls in owner.lineage())
            for owner, filler in (*self._filled.get(name, ()), *self._filled.get(ANY_NAME, ()))
        )

    def has_run_first(self, func: Function) -> bool:
        """Whether some entry calls a function outside traces before it does in one."""
        return id(func.code) in self.ran_first

    def note_emptied(self, func: Function) -> bool:
        """The cache of a function is emptied. Gives back whether it has one."""
        self.emptied.add(id(func.code))
        return id(func.code) in self.memoised

    def is_given_again(self, activation: FunctionContext) -> bool:
        """Whether functools gives a trace what a memoised function has given outside of traces before."""
        func = activation.func
        if func is None or id(func.code) not in self.memoised:
            return False
        if not self.emptied.isdisjoint((id(func.code), func.code.name)):
            return False
        memos = self.memos.get(activation)
        if memos and memos <= self.ran_first:
            return True
        is_any = any(isinstance(each, Instance) and each.generic for each in activation.arguments)
        return is_any and self.has_run_first(func)

    def is_remembered(self, activation: FunctionContext) -> bool:
        """Whether functools gives back what an earlier call of this function gave."""
        if activation.func is None or id(activation.func.code) not in self.memoised:
            return False
        return all(
            isinstance(each, Const) or (isinstance(each, Instance) and not each.generic and not each.many)
            for each in activation.arguments
        )

    def _tell(self, trace: Trace, spoilt: Spoilt) -> None:
        if not spoilt or self.flow.context.quiet:
            return
        for (key, _), read in trace[0].effects.reads.items():
            write = spoilt.get(key)
            if write is not None and not is_unseen(write, read):
                kind = "variable" if read.owner is None else "attribute"
                event = StaleRead(read.nid, read.frame, read.name, kind, (write.module, write.nid))
                self.core.show(self.core.hooks.get("StaleRead", ()), event, self.flow.frame)


def _roots(reads: Collection[TraceRead]) -> set[Owner]:
    """The objects of which a trace reads, but for those that it has from others: that they are made anew
    matters where they are put there, which is a write."""
    owners = {read.owner for read in reads}
    inner: dict[Owner, set[int]] = {}
    for read in reads:
        if read.gives:
            inner.setdefault(read.owner, set()).update(read.gives)
    given = set().union(*inner.values())
    stack: list[Owner] = [each for each in inner if each not in given]
    found: set[int] = set()
    while stack:
        new = inner.get(stack.pop(), set()) - found
        found |= new
        stack += new
    return {each for each in owners if each not in found}


def _objects_in(value: Value, depth: int = 3) -> Iterator[int]:
    """The objects that a value is, or has in it."""
    for each in options_of(value):
        if isinstance(each, Instance):
            yield id(each)
        elif depth and isinstance(each, (MutableContainer, Tuple)):
            entries = each.entries.values() if isinstance(each, MutableContainer) else ()
            for item in (*(each.items or ()), *entries, each.elem or UNKNOWN):
                yield from _objects_in(item, depth - 1)


def _then(earlier: Spoilt, later: Spoilt) -> Spoilt:
    """What is written first, and what is later."""
    found = dict(earlier)
    for key, write in later.items():
        add_write(found, key, write)
    return found


def _renews(writer: FunctionContext, key: Hashable, write: Write, renewing: set[Hashable]) -> bool:
    """Whether what writes there also makes anew by what JAX finds the trace: itself, or all that it calls."""
    if renewing & writer.effects.made.union(writer.effects.made_with.get(key, ())):
        return True
    inner = []
    for each in writer.callees:
        own = None if each.affected is None else each.affected.written.get(key)
        if own is not None and (own.module, own.nid) == (write.module, write.nid):
            inner.append(each)
    return bool(inner) and all(_renews(each, key, write, renewing) for each in inner)


def _reachable(owners: tuple[Instance, ...]) -> set[int]:
    """These objects and those in their attributes."""
    found: set[int] = set()
    stack: list[Value] = list(owners)
    while stack:
        value = stack.pop()
        if isinstance(value, Instance) and id(value) not in found:
            found.add(id(value))
            stack.extend(value.attributes.values())
    return found


def is_framework(cls: Class) -> bool:
    """Whether a class's attributes are kept by a framework, or by code that is not known, or never change."""
    return cls.has_mark("frozen") or keeps_attributes(cls)


def keeps_attributes(cls: Class) -> bool:
    """Whether a framework, or code that is not known, says what setting an attribute of an object does."""
    if cls.has_any_mark(_KEEPS) or cls.opaque():
        return True
    return any(not name.startswith(_PLAIN_BASES) for name in cls.externals())
