"""What a call leaves to its caller: the result, consumed keys, mutations, writes, by the caller's tokens."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from jaxlint.analysis.consumption import Consumption, Place
from jaxlint.analysis.copies.shared_memory import SharedMemory
from jaxlint.analysis.core import TRACER_SEEN, Core
from jaxlint.analysis.draws.initial_keys import counted_here
from jaxlint.analysis.draws.untaken import needs_absent
from jaxlint.analysis.events import KeyUse
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.mutations import net
from jaxlint.analysis.token_names import Outward, Tokens
from jaxlint.calling.given_parts import GivenParts, roots_in
from jaxlint.calling.given_variables import note_given
from jaxlint.calling.handed_tests import (
    constants_of,
    draws_of,
    handed,
    is_answered_otherwise,
    is_ruled_out,
    named_arguments,
    result_of,
)
from jaxlint.calling.left_attributes import LeftAttributes, moved
from jaxlint.calling.made_functions import LOOPS, encloses, made_anew, made_within, runs_of, split_at
from jaxlint.domain.join import MutableContainer
from jaxlint.domain.key_tokens import MADE, initial_of, is_local, keys_handed, renamed, root_of
from jaxlint.domain.objects import Function, Instance, Key
from jaxlint.domain.questions import map_tokens, rename_tokens
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.ir import nodes
from jaxlint.ir.loop_guards import Held, mentions, singles_out
from jaxlint.ir.mentions import depends_on_object, has_effects, has_effects_after_yield
from jaxlint.ir.nodes import CallExpr

_NOTHING: Final[Mapping[Hashable, Value]] = MappingProxyType({})
_PLAIN = frozenset(("", "jit"))  # ways to call a function with the arguments that are written
_SAME = frozenset(("lifted", "lowered"))  # what is kept so is an object that was there, as a trace sees it
_FIXED = frozenset((Const, Static, Array, NumPyArray, External))  # the same for whoever gets it


def _base(consume: Consumption) -> Any:
    return root_of(consume.token)


def _is_single(tests: Sequence[Held], func: Function | None) -> bool:
    """Whether a body of a compiled loop does under these tests what may be done at one turn only."""
    names = func.code.bound if func is not None else ()
    return any(singles_out(held.test, held.truth) and mentions(held.test, names) for held in tests)


def _parameter_owner(token: Any) -> int | None:
    """The identity of the code of which a token names a parameter, or what a parameter holds."""
    base = root_of(token)
    owner: int | None = base[1][0] if isinstance(base, tuple) and len(base) == 2 and base[0] == "p" else None
    return owner


class Below:
    """A function context and all that was called while it was analyzed, looked for when it is first asked."""

    __slots__ = ("_codes", "_contexts", "_start")

    def __init__(self, start: FunctionContext) -> None:
        self._start = start
        self._contexts: set[FunctionContext] | None = None
        self._codes: set[int] | None = None

    def contexts(self) -> set[FunctionContext]:
        if self._contexts is None:
            self._contexts = found = {self._start}
            stack = [self._start]
            while stack:
                new = stack.pop().callees.keys() - found
                found |= new
                stack += new
        return self._contexts

    def codes(self) -> set[int]:
        """The identities of the codes that were called: the first one's own where it calls itself."""
        if self._codes is None:
            called = [inner for each in self.contexts() for inner in each.callees]
            self._codes = {id(each.func.code) for each in called if each.func is not None}
        return self._codes


def _differs(owner: Instance, below: Below) -> bool:
    """Whether what a method does depends on attributes of its object, which stands for several ones."""
    lineage = owner.cls.lineage()
    called = {each.func for each in below.contexts() if each.func is not None and each.func.cls in lineage}
    methods = {name for cls in lineage for name in cls.attributes}
    return any(depends_on_object(func.code, methods) for func in called)


def _outer(value: Value | None, outward: Callable[[Any], Any]) -> Value | None:
    return None if value is None else map_tokens(value, outward)


def _reaches_others(activation: FunctionContext, known: Container[Hashable]) -> bool:
    """Whether a call consumes keys of other objects than these, or writes attributes of such."""
    roots = (root_of(each.token) for each in activation.consumptions)
    return any(isinstance(root, int) and root not in known for root in roots) or any(
        id(owner) not in known for owner, _ in activation.writes
    )


class CallEffects:
    """Passes what a callee did to its caller."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        freshness: FunctionFreshness,
        consumption: KeyConsumption,
        attributes: Attributes,
        narrowing: Narrowing,
        memory: SharedMemory,
    ) -> None:
        self.memory = memory
        self.flow = flow
        self.core = core
        self.freshness = freshness
        self.consumption = consumption
        self.left = LeftAttributes(flow, core, attributes)
        self.parts = GivenParts(flow, core, attributes)
        self.narrowing = narrowing
        self.managers: set[int] = set()  # codes of the generators that are context managers

    def returned(
        self, activation: FunctionContext, tokens: Tokens, nid: int, stand_in: Instance | None = None,
        calling: CallExpr | None = None, original: Instance | None = None, is_equal: bool = False,
        made: Hashable = None, given: Mapping[Any, Value] = _NOTHING,
    ) -> Value:  # fmt: skip
        """A function context's result and effects, in the caller's tokens. `stand_in`: the object that took
        the place of the caller's, the original. is_equal: the call does to the original what it does to that
        one. `given`: what this call gives, where others share the context."""
        self.flow.leaving = self.flow.shown = self.flow.lending = ()
        self.flow.lent = frozenset()
        if keys := keys_handed(activation.arguments, tokens.back):
            self.flow.frame.handed.setdefault((nid, activation), keys)
        note_given(self.core, self.memory, activation, tokens, calling or self.flow.calling, nid)
        if activation.does_nothing() and type(activation.result) in _FIXED:
            activation.told = True
            self._note_user(activation, nid)
            self.consumption.returns += 1
            return self._predicate_answer(activation, activation.result, nid)
        stale = self._recapture(activation, tokens)
        outward = self.parts.outward(self.consumption, tokens, activation, stale)
        activation.told = True
        self._note_user(activation, nid)
        if stand_in is None:
            self.freshness.note_effects(activation)
        self.freshness.note_compiled(activation, nid)
        code = None if activation.func is None else activation.func.code
        self.flow.lent = activation.lends if id(code) in self.managers else frozenset()
        if activation.halfway and id(code) in self.managers:
            last = {} if activation.affected is None else activation.affected.written
            lent = [each for each in activation.halfway.items() if each[0] not in last]
            varies = any(isinstance(each, OneOf) for each in activation.arguments)
            self.flow.lending = tuple(
                [(key, write._replace(lender=activation, varies=varies)) for key, write in lent]
            )
        if activation.draws:
            self.flow.frame.draws |= draws_of(activation, given, self.flow, nid)
        if activation.mutations:
            self._pass_mutations(activation, outward)
        names = partial(self._name_of, activation, outward, tokens, made)
        value = result_of(activation, given)
        ran = partial(runs_of, activation, tokens, (self.flow.module, nid))
        detached = self._detached(value, activation, names, nid, made, ran)
        result = self._predicate_answer(activation, self.freshness.renewed(detached, activation), nid)
        below = Below(activation)
        bases = {base for base in map(_base, activation.consumptions) if self._is_made_in(base, below)}
        if bases:
            self.consumption.forget_spent(bases)  # what an earlier call has made are other objects
        is_known, is_manager = stand_in is None or is_equal, id(code) in self.managers
        stood_for: dict[Hashable, Instance | None] = dict(tokens.objects)
        if stand_in is not None:
            stood_for[id(stand_in)] = original
            if original is not None and not is_known and _reaches_others(activation, stood_for):
                stood_for = self.left.counterparts(stand_in, original) | stood_for
        left = self.left.values_left(activation, outward, stood_for, is_known, is_manager)
        node, self.flow.calling = self.flow.calling, calling or self.flow.calling
        self.consumption.returns += 1
        self.consumption.follows = activation
        if not self._is_called_for_nothing(activation, nid):
            self._pass_consumptions(activation, below, outward, tokens, nid, stand_in, stood_for, made, given)
        self.flow.calling = node
        for token in tuple(activation.touched):
            if stand_in is not None and original is not None:
                token = moved(token, id(stand_in), id(original))
            # At each call of a function in itself every part would have all parts anew.
            self.flow.frame.touched.add(outward(root_of(token) if activation.running else token))
        self.left.show(left, outward)
        if tokens.given:
            self.parts.renew_touched(tokens.given, activation.touched)
        return result

    def _note_user(self, activation: FunctionContext, nid: int) -> None:
        """What a function makes that is called from a second place, or in a loop, is made more than once."""
        frame = self.flow.frame
        user = frame, nid
        if activation.users and (user not in activation.users or frame.iterations or frame.loop):
            for made in activation.heap.values():
                if isinstance(made, Instance):
                    made.many = True
        activation.users.add(user)

    def _recapture(self, activation: FunctionContext, tokens: Tokens) -> bool:
        """The variables closed over, as they are now; whether a constant among them has changed."""
        stale = False
        for (env, variable), held in activation.captures.items():
            now = env.vars.get(variable, UNKNOWN)
            if activation.told and now is not held:
                rename_tokens(held, now, tokens.back)
                stale = stale or (type(held) is Const and now != held)
            if env is not self.flow.env:  # what was just analyzed may have set it since it was read
                self.flow.frame.captures.setdefault((env, variable), now if activation.told else held)
        return stale

    def _pass_consumptions(
        self, activation: FunctionContext, below: Below, outward: Outward, tokens: Tokens, nid: int,
        stand_in: Instance | None, stood_for: Mapping[Hashable, Instance | None], made: Hashable,
        given: Mapping[Any, Value],
    ) -> None:  # fmt: skip
        """The keys that a call consumes, in the caller's tokens. `stood_for`: the objects that others stood
        for; `made`: which call has made the function; `given`: what this call gives, if others share that."""
        func = activation.func
        is_method = func is not None and func.cls is not None
        owners = [value for value in activation.arguments if isinstance(value, Instance)]
        objects = roots_in(activation.arguments)
        objects |= {id(value) for value in activation.arguments[is_method:] if isinstance(value, Instance)}
        several = {id(value): value for value in owners if value.many}
        roots = {value.place or (id(value),): stood_for.get(id(value)) or value for value in owners}
        optional = self._optional()
        known = constants_of(given)
        handed_on = {name for name, outer in tokens.back.items() if outer in optional}
        told: dict[Any, Consumption] = {}  # two keys of the callee's may be one of the caller's
        for where in activation.consumptions:
            token = where.token
            base = root_of(token)
            if is_local(token) or (outward.is_own(base) and base not in outward.renamed):
                continue  # a key of the callee's own, which it did not hand out
            if base in several and (stand_in is None or base != id(stand_in)):
                outer = self.left.held_by(several[base], token)
                if outer is not None and _differs(several[base], below):
                    continue
            elif base in stood_for and base not in tokens.given:
                outer = self.left.held_by(stood_for[base], token)
            elif (there := self.left.in_field(base, roots)) is not None:
                outer = self.left.named_for(there, token)
            else:
                outer = self._name_of(activation, outward, tokens, made, token)
            owner = _parameter_owner(outer)
            if owner is not None and owner in below.codes() and base not in tokens.back:
                continue  # at each call in there it stands for something else
            if outer is None:
                continue
            inside = activation.link is not None and activation.link.transform in LOOPS
            at = where.nid if inside and where.module is self.flow.module else nid
            absent = self.still_absent(where.absent, tokens)
            if absent is None or needs_absent(activation, where, handed_on, given):
                continue
            outer = counted_here(outer, self.flow)
            earlier = told.setdefault((outer, where.splits, where.weak), where)
            is_certain = not (where.splits or where.weak or earlier.tests or where.tests)
            is_certain = is_certain and initial_of(outer) is None
            if earlier is not where and is_certain:
                before = (earlier.module, earlier.nid)
                self.core.emit("KeyUse", KeyUse(at, self.flow.frame, outer, activation.name, before))
            once = earlier is not where or (inside and _is_single(where.tests, func))
            own = base not in tokens.back and base not in objects
            splits = split_at(activation, tokens, (self.flow.module, at), where.made, base, outer)
            tested = bool(where.tests)
            node = self.flow.calling
            if where.under and func is not None:
                if is_answered_otherwise(activation, [Held(*test, 0) for test in where.under], known):
                    continue
                is_plain = activation.link is not None and activation.link.transform in _PLAIN
                call = node if is_plain else None
                where = where._replace(under=handed(where.under, func, call, self.flow.module))
                if is_ruled_out(where.under, self.left.is_there):
                    continue
            is_here = (where.module, where.nid) == (self.flow.module, at)
            if where.drawn is not None and func is not None and not is_here and node and node.nid == at:
                where = where._replace(drawn=(where.drawn[0], named_arguments(func, node)))
            self.consumption.consume_token(
                outer, at, activation.name, tested, once, where, absent, own, splits
            )

    def _name_of(
        self, activation: FunctionContext, outward: Outward, tokens: Tokens, made: Hashable, token: Hashable
    ) -> Hashable:
        """The caller's name of a key. One that a function has from a call of the function around it which is
        over is that of the call that made it, as far as that is known."""
        base, token = root_of(token), outward(token)
        env = None if activation.func is None else activation.func.env
        if token is None or env is None or base in tokens.back or type(base) is not tuple or base[0] != "p":
            return token
        around = env
        while env is not None and (env.code is None or id(env.code) != base[1][0]):
            env = env.parent
        home = None if env is None else self.core.homes.get(env)
        if home is None:
            return made_within(token, around, self.core.homes, made)
        if home.running:
            return token
        if not isinstance(made, tuple):
            # a function beside this one: who calls this one knows which call of the one around made both
            return token if encloses(env, self.flow.env) else None
        frame, _, turns = made[:3]
        if frame is self.flow.frame:
            is_past = turns != self.flow.frame.iterations[: len(turns)]
        else:  # another call of the function that it is of may have made another one
            is_past = frame.func is not None and not frame.running
            is_past = is_past and not encloses(frame.env, self.flow.env)
        return None if is_past else renamed(token, base, (base, MADE, made))

    def _is_called_for_nothing(self, activation: FunctionContext, nid: int) -> bool:
        """Whether a compiled function is called, which does nothing but give a result, and nothing reads it:
        a warm-up, or a call that is timed."""
        is_compiled = activation.link is not None and activation.link.transform in ("jit", "pmap")
        return is_compiled and self.consumption.uses.of(nid) == "discarded"

    def _predicate_answer(self, activation: FunctionContext, answer: Value, nid: int) -> Value:
        """What a function says that asks whether it was handed a tracer. Of a pytree that has tracers the
        answer is not certain: the other one is doubtful. Where it is not known, either is."""
        frame = self.flow.frame
        if isinstance(answer, Const) and isinstance(answer.value, bool) and activation.sees_tracer:
            if not activation.presumes:
                self.flow.env.vars[TRACER_SEEN] = NONE
                frame.sees_tracer = True
                return answer
            self.flow.env.vars["tracer", nid] = answer
            return Static("bool")
        is_asked = activation.sees_tracer or activation.doubts_tracer
        if is_asked and (isinstance(answer, Unknown) or answer == Static("bool")):
            self.flow.env.vars["tracer", nid] = NONE
            frame.doubts_tracer = frame.doubts_tracer or activation.doubts_tracer
        return answer

    def _is_made_in(self, base: Any, below: Below) -> bool:
        """Whether a call makes the object, by identity, that a token begins with."""
        origin = self.core.origins.get(base) if type(base) is int else None
        while origin is not None and origin[1][0] in _SAME:
            origin = self.core.origins.get(origin[1][1])
        if origin is None or origin[0].running:
            return False
        if origin[1][0] == "replaced":
            return False  # it may hold the keys of the one that it replaces
        return origin[0] in below.contexts()

    def _pass_mutations(self, activation: FunctionContext, outward: Outward) -> None:
        """What a call changed its caller has changed. Where a trace is over, what is still there of the
        changes that it made to what was made around it is told."""
        frame, cut, here = self.flow.frame, activation.yielded, self.flow.frame.context.depth
        if activation.context.depth > here:
            self._tell_mutations(activation, here)
            if not here:
                return
        # a function that sets what the caller has found missing sets all that it does once
        once = {self._owner(each) for each in activation.mutations if self._is_missing(each)}
        is_sure, in_parts = self.flow.is_sure(), activation.func and activation.func.code.is_generator
        changes = activation.mutations if in_parts or is_sure else net.unrefreshed(activation.mutations)
        outer = [
            each.with_values(
                map_tokens(each.new, outward),
                _outer(each.before, outward),
                each.memo or self._owner(each) in once,
                is_sure,
            )
            for each in changes
            if activation.context.depth == here or each.depth < here
        ]
        frame.mutations = net.gathered(frame.mutations, tuple(outer))
        if in_parts:
            self.flow.leaving = tuple(outer[cut:])

    def _owner(self, change: Mutation) -> int | str:
        """Whose attribute is set: an object's, or nobody's where it is a global of the caller's module."""
        is_global = change.how == "global" and change.place == (id(self.flow.module.env), change.name)
        return "" if is_global else id(change.target)

    def _is_missing(self, change: Mutation) -> bool:
        """Whether a test has shown what is set here to be missing, or to be a flag that was not set."""
        owner = self._owner(change)
        guards = (("guard", owner), ("guard", owner, change.name))
        return any(guard in self.flow.env.vars for guard in guards) or self.narrowing.sets_once(
            owner, change.name, change.new
        )

    def _tell_mutations(self, activation: FunctionContext, depth: int) -> None:
        """`depth`: how many traces enclose the one that is over; the others may undo what they can see."""
        events = [each for each in activation.mutations if each.depth >= depth or each.depth < 0]
        told = {(each.frame, each.nid) for each, _ in activation.findings if isinstance(each, Mutation)}
        left = net.lasting(events, net.hidden_by_pushes(activation.mutations))
        roles = {id(event): self._role(event) for event in (events if left else ())}
        others = [event for event in events if roles.get(id(event)) != "leaving"]
        for event in left:
            role = roles[id(event)]
            if role == "undone" or (role == "leaving" and net.may_undo(event, others)):
                continue
            if (event.frame, event.nid) not in told:
                self.core.show(self.core.hooks.get("Mutation", ()), event, activation)

    def _role(self, event: Mutation) -> str:
        """Whether a change happens where a context is entered or left: `undone` where leaving may undo it,
        `leaving` where that happens itself, and nothing elsewhere."""
        frame: FunctionContext | None = event.frame
        nid = event.nid
        while frame is not None and frame.func is not None:
            func = frame.func
            if id(func.code) in self.managers:
                if net.is_after_yield(func.code.body, nid):
                    return "leaving"
                return "undone" if has_effects_after_yield(func.code) else ""
            if func.env.code is not None and id(func.env.code) in self.managers:
                return "undone"  # it is there while the context is open
            if func.code.name in ("__exit__", "__aexit__"):
                return "leaving"
            if func.code.name in ("__enter__", "__aenter__"):
                found = None if func.cls is None else func.cls.lookup(func.code.name.replace("enter", "exit"))
                leaves = found[0] if found is not None else None
                return "undone" if not isinstance(leaves, Function) or has_effects(leaves.code) else ""
            frame, nid = (None, 0) if frame.link is None else (frame.link.parent, frame.link.nid)
        return ""

    def _detached(
        self, value: Value, activation: FunctionContext, outward: Callable[[Any], Any], nid: int,
        made: Hashable, ran: Callable[[Key, Hashable], tuple[Place, ...]],
    ) -> Value:  # fmt: skip
        """A result in the caller's tokens; a list of keys is another list at each call, and so is what a
        generator yields, and what closes over a key."""
        if isinstance(value, Product) and value.kind == "iterator":
            each, rows, *rest = value.parts
            rows = None if rows is None else tuple([map_tokens(row, outward) for row in rows])
            if rest and type(rest[0]) is Key:  # another stream at each call
                rest = [map_tokens(rest[0], outward), self.core.box("begun", nid), *rest[1:]]
            return Product("iterator", map_tokens(each, outward), rows, *rest)
        if isinstance(value, MutableContainer) and any(
            isinstance(each, Key) for each in (*(value.items or ()), *value.entries.values())
        ):
            box = MutableContainer(value.kind, value.depth, self.flow.block)
            again = partial(map_tokens, change=outward, ran=ran)
            box.items = None if value.items is None else [*map(again, value.items)]
            box.entries = {name: again(each) for name, each in value.entries.items()}
            box.elem = value.elem
            return box
        call = (self.flow.frame, nid, self.flow.frame.iterations)
        return map_tokens(made_anew(value, activation, call, made), outward, ran)

    def still_absent(self, absent: frozenset[Hashable], tokens: Tokens) -> frozenset[Hashable] | None:
        """What has to be None in the caller where a callee consumes a key: an argument that is written out
        is taken to be there, but one that hands on a parameter whose default is None."""
        if not absent:
            return absent
        found = set()
        optional = self._optional()
        for token in absent & tokens.back.keys():
            outer = tokens.back[token]
            if tokens.given.get(token) == NONE:  # as this call has it
                continue
            if outer is None or (outer not in optional and ("none", outer) not in self.flow.env.vars):
                return None
            found.add(outer)
        return frozenset(found)

    def _optional(self) -> set[Hashable]:
        """The tokens of the arguments for parameters whose default is None."""
        func = self.flow.frame.func
        params = () if func is None else func.code.params
        return {
            getattr(value, "token", None)
            for param, value in zip(params, self.flow.frame.arguments, strict=False)
            if param.default == nodes.NONE
        } - {None}
