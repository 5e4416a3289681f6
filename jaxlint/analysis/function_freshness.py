"""What a function context notes of itself while it is analyzed, for `history` to judge at the end.

In: calls, reads, writes, functions that are made, transformed and called. Out: the notes of the current
function context, and marks in its variables that say on which paths something has happened.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import prod

from jaxlint.analysis.compilation.loop_shapes import has_own_shapes, passes_sizes
from jaxlint.analysis.core import DOUBT
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import (
    Birth,
    Change,
    FieldRead,
    FunctionContext,
    Remade,
    Use,
    Vars,
)
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.analysis.whole_program import birth_of, handed_down, is_made_now, static_holder
from jaxlint.domain.container_methods import CHANGING
from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.questions import base_of, intercepts, remade, with_function
from jaxlint.domain.tokens import LEAVES, PYTREE
from jaxlint.domain.transforms import JITS
from jaxlint.domain.values import NONE, TRUE, Const, External, Number, Product, Static, Value
from jaxlint.ir.limits import REACHED, WRITES
from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import is_in_some_turns
from jaxlint.ir.nodes import AttrExpr, Expr, ForStmt, WhileStmt
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import given_by, is_made_of, options_vary, shapes_program, variables, varies
from jaxlint.ir.walks import calls_once, nodes_of, reads_clock

_MANY = 1000  # turns of a loop that, with a fraction of a millisecond in each, somebody notices
_FUNCTIONS = (Function, Class, External, Bound, Partial, Transformed)


ARRAYS = Const("arrays")  # the leaves of which the transforms of equinox trace those that are arrays


def is_pytree(func: Value) -> bool:
    """Whether a function is a pytree of what it is made of: what equinox transforms, and JAX's `Partial`."""
    if isinstance(func, Transformed):
        return func.option(LEAVES) == ARRAYS
    birth = birth_of(func) if isinstance(func, Partial) else None
    return birth is not None and PYTREE in birth.mark


class FunctionFreshness:
    """Keeps the notes."""

    def __init__(self, flow: FlowState, staleness: TraceStaleness) -> None:
        self.flow = flow
        self.staleness = staleness
        self.has_static = False  # some object was a static argument
        # the known static arguments of calls of maps, by the turn of the loop around
        self._fixed: dict[tuple[FunctionContext, int], dict[int, tuple[Value, ...]]] = {}

    def note_site(self, func: Function, nid: int, is_call: bool) -> None:
        """A function of the project is run here: called, or traced."""
        frame = self.flow.frame
        frame.sites[func.code, nid] = frame.loop > 0 or nid == 0
        birth = birth_of(func)
        if is_call and birth is not None and birth.home is not birth.frame:
            if not (self.flow.context.staged or self.flow.context.quiet or self.flow.looking):
                for made in _compiled_beside(func, birth.home):
                    self._called_again(made, None, birth, nid)

    # ---- static arguments

    def note_static(self, func: Value, values: Iterable[Value]) -> None:
        """These are static arguments of a function that is called next."""
        self.flow.static = tuple(value for value in values if isinstance(value, Instance))
        base = base_of(func)
        for owner in self.flow.static:
            self._seen(id(owner), owner)
            held = [each for each in owner.attributes.values() if isinstance(each, Instance)]
            for each in held:
                self._seen(id(each), each)
            if isinstance(base, Function):
                self._used((id(each), base.code) for each in (owner, *held))

    def _used(self, uses: Iterable[Use]) -> None:
        notes = self.flow.frame.notes
        notes.moment += 1
        for use in uses:
            first, _ = notes.static_uses.get(use, (notes.moment, 0))
            notes.static_uses[use] = first, notes.moment

    def _seen(self, number: int, owner: Instance) -> None:
        self.has_static = True
        self.flow.frame.notes.statics[number] = owner
        self.flow.env.vars["static", number] = TRUE

    def note_static_read(self, owner: Instance, name: str, nid: int) -> None:
        if (owner, name) in self.flow.frame.writes or intercepts(owner.cls, name):
            return  # what each trace has put there itself
        if nid and self.has_static and self.flow.context.staged and not self.flow.context.quiet:
            body = static_holder(self.flow.frame, owner)
            if body is not None and DOUBT not in self.flow.env.vars:
                self.flow.frame.notes.reads.append(FieldRead(nid, owner, name, body, self.flow.item))

    def note_change(
        self, owner: Instance, name: str, nid: int, item: Expr | None = None, is_derived: bool = False
    ) -> None:
        """A write: by a method of the object itself, or by code that was handed the object. is_derived: what
        is written is made of what was there."""
        if self.flow.context.depth or self.flow.context.quiet:
            return
        if self.flow.env.vars.get(("@", id(owner), name)) == NONE:
            return  # filled where it was found to be empty
        func = self.flow.frame.func
        own = False
        if func is not None and func.cls is not None and func.cls in owner.cls.lineage() and func.code.params:
            own = self.flow.env.vars.get(func.code.params[0].name) is owner
        self._changed(Change(owner, name, self.flow.module, nid, self.flow.frame, own, item, 0, is_derived))

    def note_held(self, token: Hashable, method: str, nid: int) -> None:
        """A method is called of what an attribute holds, of which no more is known than that the attribute is
        set to a container elsewhere: one that changes such a container changes what was there."""
        box = self.staleness.core.held.get(token)
        if box is not None and box.home is not None and method in CHANGING.get(box.kind, ()):
            self.note_change(*box.home, nid, is_derived=True)
            self.staleness.note_write(("a", id(box.home[0]), box.home[1]), nid)

    def _changed(self, change: Change) -> None:
        notes = self.flow.frame.notes
        if self.has_static and ("static", id(change.owner)) in self.flow.env.vars:
            notes.late.append(change._replace(moment=notes.moment))
            return
        key = change.owner, change.name, change.frame, change.nid
        if key in notes.changes:
            return
        if len(notes.changes) < WRITES.most:
            notes.changes[key] = change
        else:
            REACHED["writes"] += 1

    def note_new(self, owner: Instance) -> None:
        """An object is made here, which no function has seen."""
        self.flow.env.vars.pop(("static", id(owner)), None)

    def note_effects(
        self, activation: FunctionContext, own: Instance | None = None, stand_in: Instance | None = None
    ) -> None:
        """What a call did to the objects that it was handed, and which it made. `own`: the object that
        another one stands in for."""
        notes = activation.noted
        if not self.has_static and (notes is None or not notes.changes):
            return
        made = activation.instances
        if self.has_static:
            for number in made:
                self.flow.env.vars.pop(("static", number), None)
        if notes is None:
            return
        for change in tuple(notes.changes.values()):
            if own is not None and change.owner is stand_in:
                self._changed(change._replace(owner=own))
            elif id(change.owner) not in made:
                self._changed(change)
        self._used(
            (id(own) if own is not None and number == id(stand_in) else number, code)
            for number, code in notes.static_uses
            if number not in made
        )
        for owner in notes.statics.values():
            each = own if own is not None and owner is stand_in else owner
            self._seen(id(each), each)

    # ---- functions made anew

    def note_birth(self, value: Value, *key: Hashable) -> None:
        """A function object is made here."""
        frame = self.flow.frame
        mark = ("made", *key)
        value.birth = Birth(frame, frame.iterations, mark, frame)  # type: ignore[attr-defined]
        if frame.func is not None or frame.iterations:
            self.flow.env.vars[mark] = Const(frame.iterations)

    def renewed(self, value: Value, activation: FunctionContext) -> Value:
        """A result that each call makes anew is made by this call, as its caller sees it."""
        if isinstance(value, Tuple) and value.items is not None:
            items = tuple(self.renewed(item, activation) for item in value.items)
            is_other = any(a is not b for a, b in zip(items, value.items, strict=True))
            return Tuple(items, value.elem, value.cls) if is_other else value
        if isinstance(value, Product) and value.kind == "iterator":
            inner = self.renewed(value.parts[0], activation)
            return value if inner is value.parts[0] else Product(value.kind, inner, *value.parts[1:])
        birth = birth_of(value)
        if birth is None or birth.frame is not activation or birth.iterations:
            return value
        if activation.func is None or id(activation.func.code) in self.staleness.memoised:
            return value
        if activation.env.vars.get(birth.mark) != Const(()):
            return value
        copy: Function | Partial | Transformed
        if isinstance(value, Function):
            copy = remade(value, value.made)
        elif isinstance(value, Partial):
            copy = with_function(value, self.renewed(value.func, activation))
        elif isinstance(value, Transformed):
            copy = with_function(value, value.func)
        else:
            return value
        frame = self.flow.frame
        copy.birth = birth._replace(frame=frame, iterations=frame.iterations)
        if frame.func is not None or frame.iterations:
            self.flow.env.vars[birth.mark] = Const(frame.iterations)
        return copy

    def is_new(self, func: Value, by_parts: bool = False) -> bool:
        """Whether JAX has certainly not seen this function object. `by_parts`: equinox asks. It compares
        pytrees, as its own transforms and `jax.tree_util.Partial` make, by what is in them, and methods."""
        if by_parts and (isinstance(func, Bound) or is_pytree(func)):
            return self.is_new(func.func, True)  # type: ignore[attr-defined]
        if isinstance(func, Transformed) and func.kind in JITS:
            return func.fresh and is_made_now(func, self.flow.frame)
        return isinstance(func, (Function, Bound, Partial, Transformed)) and is_made_now(
            func, self.flow.frame
        )

    def binds(self, func: Value, nid: int) -> bool:
        """Whether what is transformed is a method of a framework's module that this expression binds, and no
        attribute holds."""
        node = self.flow.calling
        if not isinstance(func, Product) or func.kind != "linen-method" or node is None or node.nid != nid:
            return False
        written = node.args[0] if node.args else None
        if not isinstance(written, AttrExpr) or written.name != func.parts[0]:
            return False
        owner = self.flow.named(written.value)
        return owner is func.parts[1] or not isinstance(owner, Instance)

    def forget_calls(self, before: Vars) -> None:
        """After an error: what was called since then is called again."""
        found = self.flow.env.vars
        for name in [each for each in found if type(each) is tuple and each[0] == "called"]:
            if name not in before:
                del found[name]

    # ---- transforms

    def note_transform(self, made: Transformed) -> None:
        """A transform is applied here."""
        self.note_birth(made, made.place[0].path, made.place[1])
        made.fresh = made.fresh and not self.flow.unsure
        if self.flow.context.quiet:
            return
        base = base_of(made.func)
        if made.kind == "jit" and isinstance(base, Function) and self.flow.class_stack:
            cls, env = self.flow.class_stack[-1]
            if env is self.flow.env and base.cls is cls:
                self.flow.frame.notes.methods.append((made, cls, base.code))
        inner = made.func
        while isinstance(inner, (Bound, Partial)):
            inner = inner.func
        if made.kind in JITS and isinstance(inner, Transformed) and inner.kind == "vmap":
            self.flow.frame.notes.uses.setdefault((inner.place[0].path, inner.place[1], True), {})
        if made.kind == "vmap" and isinstance(inner, Transformed) and inner.kind == "jit":
            if not self.flow.context.staged:
                self.flow.frame.notes.mapped.append(made)

    def note_use(
        self, func: Transformed, args: list[Value], keywords: Mapping[str, Value],
        static: tuple[set[int], set[str]] | None, nid: int, fixed: Sequence[Value],
    ) -> None:  # fmt: skip
        """What a transform made is called. `static`: the positions and names of static arguments. `fixed`:
        these, also those of what is mapped."""
        looking, self.flow.looking = self.flow.looking, False
        staged = self.flow.context.staged
        notes = self.flow.frame.notes
        if func.kind == "vmap" and (staged or not looking):
            # under `jax.disable_jit()` nothing is compiled, and nothing is meant to be fast
            use = func.place[0].path, func.place[1], staged or self.flow.context.unjitted
            calls = notes.uses.setdefault(use, {})
            calls[nid] = calls.get(nid) or self._is_paid_for(nid, fixed)
        if self.flow.context.quiet or looking or func.kind not in JITS:
            return
        birth = birth_of(func)
        first = args[0] if args else None
        if isinstance(first, Instance) and static is not None and 0 not in static[0] and birth is not None:
            if func.option(LEAVES) is None:
                notes.selves.append((func, first, birth.home))
        if birth is not None and birth.frame.func is None and not staged and func not in notes.ran:
            notes.ran.append(func)
        if staged:
            return
        if birth is not None and self.flow.env.vars.get(birth.mark) == Const(()):
            self._note_handed(func, birth.frame)
        if birth is not None:
            self._note_driving(birth)
            if func.fresh:
                self._called_again(func, None, birth, nid)
        if static is not None and not self.flow.context.unjitted:
            fixed = [args[each] for each in static[0] if each < len(args)]
            fixed += [keywords[each] for each in sorted(static[1]) if each in keywords]
            for given in fixed:
                made = birth_of(given)
                # one that is made together with what is compiled makes nothing worse
                if made is not None and (birth is None or not func.fresh or made[:2] != birth[:2]):
                    self._called_again(func, given, made, nid)

    def _is_paid_for(self, nid: int, fixed: Sequence[Value]) -> bool | None:
        """Whether a loop is around a call of a map; None where what is mapped is compiled anew in each turn,
        as static arguments are others in each."""
        frame = self.flow.frame
        if not self._is_looped() or len(frame.iterations) != 1:
            return self._is_looped()
        ((_, turn),) = frame.iterations
        turns = self._fixed.setdefault((frame, nid), {})
        turns[turn] = tuple([each for each in fixed if isinstance(each, (Const, Number))])
        return None if turns[turn] and list(turns.values()).count(turns[turn]) == 1 else True

    def _note_handed(self, func: Transformed, frame: FunctionContext) -> None:
        """A function compiles a function of its caller, and calls that once."""
        inner, birth = func.func, birth_of(func.func)
        if func.fresh or birth is None or birth.frame is frame or frame is not self.flow.frame:
            return
        if frame.iterations or self.flow.context.unjitted or _does_much(frame.code):
            return
        is_known = isinstance(inner, Transformed) and inner.kind in JITS
        is_known = is_known or (func.option(LEAVES) == ARRAYS and is_pytree(inner))
        if isinstance(inner, (Function, Partial, Transformed)) and not is_known:
            frame.notes.handed.append((func, inner))

    def note_compiled(self, activation: FunctionContext, nid: int) -> None:
        """A call is over of what compiles a function that it is given."""
        frame = self.flow.frame
        if activation.noted is None or frame.context.staged or frame.context.quiet:
            return
        for func, given in activation.noted.handed:
            birth = birth_of(given)
            if birth is None or frame is activation:
                continue
            if birth.frame is frame:
                if not (frame.turns and self._is_for_one_turn(frame.turns[-1], activation.code, nid)):
                    self._called_again(func, given, birth, nid)
            elif not (frame.iterations or _does_much(frame.code) or (func, given) in frame.notes.handed):
                frame.notes.handed.append((func, given))

    def _is_for_one_turn(self, loop: Turns, code: Code, nid: int) -> bool:
        """Whether a call of a function that compiles is made in some turns of a loop only, or is given the
        shape of its arrays by each turn."""
        env = self.flow.env.vars
        counted = [name for name in given_by(loop) if _is_count(env.get(name))]
        return is_in_some_turns(loop, nid) or passes_sizes(loop, nid, counted, code)

    def _is_looped(self) -> bool:
        """Whether loops repeat a call; in a cell of a notebook more often than is little next to the cell."""
        frame = self.flow.frame
        if frame.func is not None or not frame.module.program.cells or frame.loop > len(frame.turns):
            return frame.loop > 0
        return prod([_MANY if each.count is None else each.count for each in frame.turns]) >= _MANY

    def _note_driving(self, birth: Birth) -> None:
        """What is compiled is called: by a loop, it may be, in the function that has compiled it before."""
        if not birth.iterations and birth.frame.running:
            if self.flow.frame.iterations or birth.frame.iterations:
                birth.frame.notes.drives = True

    def _called_again(self, func: Transformed, given: Value | None, birth: Birth, nid: int) -> None:
        """What is compiled is called where it is new, or where a static argument of it is."""
        frame = self.flow.frame
        mark = self.flow.env.vars.get(birth.mark)
        self._note_driving(birth)
        if mark is None:
            if birth.frame is not frame and birth.frame.func is not None and not birth.iterations:
                if handed_down(frame, birth):
                    frame.notes.remade.append(Remade("call", func, given, birth.frame, nid))
        elif mark == Const(frame.iterations):
            if not frame.iterations:
                if frame.func is not None:
                    frame.notes.remade.append(Remade("call", func, given, frame, nid))
                return
            turn = ("called", birth.mark, frame.iterations[-1][0])
            if turn in self.flow.env.vars:
                kind = "loop" if birth.home is frame else "asked"
                body, place = frame.code.body, nid if given is not None else func.place[1]
                if kind == "asked" and varies(body, nid, frame.turns, is_given=given is not None):
                    return
                if kind == "loop" and given is None and options_vary(body, place, given_by(frame.turns[-1])):
                    return
                if kind == "loop" and self._is_one_of_several(given or func.func, place, nid):
                    if frame.func is None:
                        return
                    kind = "call"
                frame.notes.remade.append(Remade(kind, func, given, frame, nid))
            self.flow.env.vars[turn] = TRUE

    def _is_one_of_several(self, inner: Value, place: int, nid: int) -> bool:
        """Whether what is made in each turn of a loop, and of any around it, is chosen by a text, or calls a
        function or an object, and each turn has another one, or branches or loops by what is written for each
        turn: none of these can be an argument of what is compiled once. So it is where each turn has arrays
        of another shape. `place`: of the call that is given it; `nid`: of the one that compiles it."""
        env, body = self.flow.env.vars, self.flow.frame.code.body
        taken: list[Value] = []
        shaping: Collection[str] = ()
        handed: dict[str, Value] = {}
        while isinstance(inner, (Bound, Partial, Transformed)):
            if isinstance(inner, Partial):
                handed = {**dict(inner.keywords), **handed}
            inner = inner.func
        if isinstance(inner, Function):
            free = [name for name in inner.code.free if name in env]
            taken += (*inner.defaults.values(), *[env[name] for name in free])
            handed = {**inner.defaults, **handed}
            shaping = shapes_program(inner.code, [*free, *handed], inner.module.program)
        for loop in chain.from_iterable(each.axes() for each in self.flow.frame.turns):
            counted = variables(() if loop.target is None else (loop.target,))
            if has_own_shapes(loop, nid, [each for each in counted if _is_count(env.get(each))]):
                continue
            given = {name: env[name] for name in given_by(loop) if name in env}
            if any(_is_written(given[name]) for name in shaping if name in given):
                continue
            written = [value for value in given.values() if _is_written(value)]
            if any(handed[name] in written for name in shaping if name in handed):
                continue
            given = {name: value for name, value in given.items() if _is_choice(value)}
            if not any(each in taken for each in given.values()):
                if not is_made_of(body, place, given):
                    return False
        return True


def _compiled_beside(func: Function, maker: FunctionContext) -> Iterator[Transformed]:
    """What the call that made a function has compiled for it on each of its paths, and each call of it calls
    once, outside of loops."""
    made = maker.env.vars
    for name in func.code.free if func.env is maker.env else ():
        value, birth = made.get(name), birth_of(made.get(name, NONE))
        if isinstance(value, Transformed) and value.kind in JITS and value.fresh and birth is not None:
            if birth.home is maker and made.get(birth.mark) == Const(()) and calls_once(func.code.body, name):
                yield value


def _does_much(code: Code) -> bool:
    """Whether a call may do the work of many, next to which compiling is little, or measures what it does."""
    return reads_clock(*code.body) or any(
        isinstance(each, (ForStmt, WhileStmt)) for each in nodes_of(code.body)
    )


def _is_choice(value: Value) -> bool:
    """Whether a value is a text, a function, a tuple with one, or an object that is no pytree, whichever it
    is."""
    return all(
        isinstance(each.value, str)
        if isinstance(each, Const)
        else isinstance(each, _FUNCTIONS)
        or (isinstance(each, Tuple) and any(isinstance(item, _FUNCTIONS) for item in each.items or ()))
        or (isinstance(each, Instance) and not each.cls.has_mark("pytree"))
        or (isinstance(each, Product) and each.kind == "layer")
        for each in options_of(value)
    )


def _is_count(value: Value | None) -> bool:
    """Whether a value is a whole number, whichever it is."""
    return value is not None and all(
        type(each.value) is int
        if isinstance(each, Const)
        else isinstance(each, Static) and each.type == "int"
        for each in options_of(value)
    )


def _is_written(value: Value) -> bool:
    """Whether a value is a constant, or a collection, whichever it is."""
    return all(isinstance(each, (Const, Tuple, MutableContainer)) for each in options_of(value))


__all__ = ["FunctionFreshness"]
