"""Functions of JAX that run what they are given: `scan`, `cond`, `while_loop`, `jvp`, callbacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Choice
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.calls import Calls
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.transforms import Transforms, lanes
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    Instance,
    MutableContainer,
    NumPyArray,
    Product,
    TracerPytree,
    Tuple,
    Unknown,
    Value,
    level_of,
)
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.lowering import Expr

ALIASES = {
    "jax.remat": "jax.checkpoint",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.experimental.shard_map.shard_map": "jax.shard_map",
    "jax.experimental.pjit.pjit": "jax.jit",
    "jax.api.jit": "jax.jit",
    "chex.chexify": "jax.named_call",
    "haiku.jit": "jax.jit",
}


class ControlPrimitives:
    """Analyzes the functions that control-flow primitives run."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        expressions: Expressions,
        keys: Keys,
        calls: Calls,
        lifting: Lifting,
        transforms: Transforms,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.expressions = expressions
        self.keys = keys
        self.calls = calls
        self.lifting = lifting
        self.transforms = transforms

    # ---- functions that run what they are given

    def run_staged(self, func: Value | None, args: list[Value], nid: int, kind: str) -> Value:
        if func is None:
            return UNKNOWN
        self.staleness.hold(func, kind)
        if self.flow.context.unjitted:
            return self.calls.call(func, list(args), {}, nid)
        lifted = [self.lifting.lift(value, STAGED) for value in args]
        return self.transforms.enter_trace(func, lifted, {}, nid, kind, STAGED)

    def repeat_body(
        self,
        func: Value | None,
        args: list[Value],
        nid: int,
        kind: str,
        carry: int | None = None,
    ) -> Value:
        """Analyzes a loop body twice: a key from around it that is spent is spent again.

        `carry` is the argument that the second turn takes from the first one's result.
        """
        rounds = len(self.flow.rounds)
        self.flow.rounds.append(((self.flow.module, nid), kind, 0))
        first = self.run_staged(func, args, nid, kind)
        again = [self.core.fresh_copy(value) for value in args]
        if carry is not None:
            result: Value = first
            if kind == "scan":
                result = first.items[0] if isinstance(first, Tuple) and first.items else UNKNOWN
            again[carry] = self.another(args[carry]) if isinstance(result, Unknown) else result
        frame = self.flow.frame
        frame.loop += 1
        self.flow.rounds[rounds:] = [((self.flow.module, nid), kind, 1)]
        last = self.run_staged(func, again, nid, kind)
        del self.flow.rounds[rounds:]
        frame.loop -= 1
        return first if isinstance(last, Unknown) else last

    def c_scan(self, call: Call) -> Value:
        func, init, xs = call.get(0, "f"), call.get(1, "init"), call.get(2, "xs")
        if init is None:
            return UNKNOWN
        outer = self.core.arrays_level([each for each in (init, xs) if each is not None])
        element = NONE if xs is None or xs == NONE else self.element_of(xs)
        result = self.repeat_body(func, [init, element], call.nid, "scan", 0)
        self.keys.consume_mapped(lanes([xs or NONE], [element]), call.nid, "scan")
        parts = result.items if isinstance(result, Tuple) and result.items is not None else ()
        carry = self.carried(parts[0] if len(parts) == 2 else UNKNOWN, init, outer)
        if len(parts) == 2:
            return Tuple((carry, self.lifting.lower(parts[1], outer, 1)))
        return Tuple((carry, TracerPytree(outer)))

    def element_of(self, value: Value) -> Value:
        """One slice along the leading axis of every leaf."""
        return self.lifting.lift(value, 0, drop=1) if not isinstance(value, Unknown) else UNKNOWN

    def c_while_loop(self, call: Call) -> Value:
        init = call.get(2, "init_val")
        if init is None:
            return UNKNOWN
        outer = self.core.arrays_level([init])
        test = call.get(0, "cond_fun")
        goes_on = self.run_staged(test, [init], call.nid, "while_loop")
        result = self.repeat_body(call.get(1, "body_fun"), [init], call.nid, "while_loop", 0)
        if level_of(result) & ~level_of(goes_on) & BATCHED:
            goes_on = self.run_staged(test, [result], call.nid, "while_loop")
        if level_of(goes_on):
            self.core.emit("Choice", Choice(call.nid, self.flow.frame, "while_loop", goes_on))
        return self.carried(result, init, outer)

    def c_fori_loop(self, call: Call) -> Value:
        init = call.get(3, "init_val")
        if init is None:
            return UNKNOWN
        lower, upper = call.get(0, "lower"), call.get(1, "upper")
        outer = self.core.arrays_level([each for each in (init, lower, upper) if each is not None])
        counter = Array(0, "i", 0)
        result = self.repeat_body(call.get(2, "body_fun"), [counter, init], call.nid, "fori_loop", 1)
        return self.carried(result, init, outer)

    def carried(self, result: Value, init: Value, level: int) -> Value:
        """What a loop leaves in its carry: what its body gives, or something like its start."""
        if isinstance(result, Unknown):
            return self.lifting.lower(self.another(init), level)
        return self.lifting.lower(result, level)

    def another(self, value: Value) -> Value:
        """What a body of which nothing is known may have put in the place of this: its keys are others."""
        return self._renewed(self.lifting.lift(value, STAGED), set())

    def _renewed(self, value: Value, seen: set[int]) -> Value:
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(self._renewed(item, seen) for item in value.items), cls=value.cls)
        if not isinstance(value, (MutableContainer, Instance)) or id(value) in seen:
            return self.core.fresh_copy(value)
        seen.add(id(value))
        if isinstance(value, Instance):
            value.many = True
            value.attributes = {name: self._renewed(each, seen) for name, each in value.attributes.items()}
            return value
        if value.items is not None:
            value.items = [self._renewed(item, seen) for item in value.items]
        value.entries = {name: self._renewed(each, seen) for name, each in value.entries.items()}
        value.elem = None if value.elem is None else self._renewed(value.elem, seen)
        return value

    def c_cond(self, call: Call) -> Value:
        operands = call.args[3:]
        if "operand" in call.keywords:
            operands = [call.keywords["operand"]]
        branches = [call.get(1, "true_fun"), call.get(2, "false_fun")]
        predicate = call.get(0, "pred")
        test = (
            self.flow.calling[3][0]
            if self.flow.calling[1] == call.nid and self.flow.calling[3]
            else ("opaque",)
        )
        return self._branches(branches, operands, predicate, call.nid, "cond", [(test, True), (test, False)])

    def c_switch(self, call: Call) -> Value:
        operands = call.args[2:]
        if "operand" in call.keywords:
            operands = [call.keywords["operand"]]
        branches = call.get(1, "branches")
        items = self.expressions.known_items(branches) if branches is not None else None
        found: list[Value | None] = list(items) if items is not None else []
        if items is None and isinstance(branches, MutableContainer):
            found = [branches.each()]
        index = (
            self.flow.calling[3][0]
            if self.flow.calling[1] == call.nid and self.flow.calling[3]
            else ("opaque",)
        )
        tests = [(("cmp", call.nid, index, (("==", ("const", place)),)), True) for place in range(len(found))]
        return self._branches(found, operands, call.get(0, "index"), call.nid, "switch", tests)

    def _branches(
        self, branches: list[Value | None], operands: list[Value], chosen: Value | None, nid: int, kind: str,
        tests: Sequence[tuple[Expr, bool]],
    ) -> Value:  # fmt: skip
        outer = self.core.arrays_level([*operands, *([chosen] if chosen is not None else [])])
        if chosen is not None and level_of(chosen):
            self.core.emit("Choice", Choice(nid, self.flow.frame, kind, chosen))

        def take(branch: Value, test: Expr, truth: bool) -> Value:
            self.flow.tests.append(Held(test, truth, len(self.flow.frame.iterations)))
            result = self.run_staged(branch, operands, nid, kind)
            self.flow.tests.pop()
            return result

        known = [
            partial(take, branch, *test)
            for branch, test in zip(branches, tests, strict=False)
            if branch is not None
        ]
        return self.lifting.lower(self.calls.either(known), outer, sloped=False)

    def c_map(self, call: Call) -> Value:
        func, xs = call.get(0, "f"), call.get(1, "xs")
        if xs is None:
            return UNKNOWN
        outer = self.core.arrays_level([xs])
        element = self.element_of(xs)
        result = self.repeat_body(func, [element], call.nid, "map")
        self.keys.consume_mapped(lanes([xs], [element]), call.nid, "map")
        return self.lifting.lower(result, outer, 1)

    def c_associative_scan(self, call: Call) -> Value:
        func, elements = call.get(0, "fn"), call.get(1, "elems")
        if func is None or elements is None:
            return UNKNOWN
        self.calls.call(func, [elements, elements], {}, call.nid)
        return elements

    def c_eval_shape(self, call: Call) -> Value:
        if call.args:
            with self.keys.unspent():
                self.run_staged(call.args[0], call.args[1:], call.nid, "eval_shape")
        return Product("opaque", "shapes")

    def c_jvp(self, call: Call) -> Value:
        func, primals = call.get(0, "fun"), call.get(1, "primals")
        if func is None or primals is None:
            return UNKNOWN
        items = self.expressions.known_items(primals)
        if items is None:
            return UNKNOWN
        outer = self.core.arrays_level(items)
        lifted = [self.lifting.lift(item, DIFFERENTIATED) for item in items]
        result = self.lifting.lower(
            self.transforms.enter_trace(func, lifted, {}, call.nid, "jvp", DIFFERENTIATED), outer
        )
        return Tuple((result, result))

    def c_vjp(self, call: Call) -> Value:
        func = call.get(0, "fun")
        if func is None:
            return UNKNOWN
        outer = self.core.arrays_level(call.args[1:])
        lifted = [self.lifting.lift(item, DIFFERENTIATED) for item in call.args[1:]]
        name = "linearize" if call.name.endswith("linearize") else "vjp"
        result = self.transforms.enter_trace(func, lifted, {}, call.nid, name, DIFFERENTIATED)
        aux = call.keywords.get("has_aux")
        if aux is not None and aux != Const(False):
            return UNKNOWN
        return Tuple((self.lifting.lower(result, outer), Product("opaque", "vjp")))

    def c_callback(self, call: Call) -> Value:
        """The body of a callback runs on the host, with NumPy arrays."""
        if not call.args:
            return UNKNOWN
        skip = 1 if call.name.endswith("debug.callback") else 2
        host = [NumPyArray() for _ in call.args[skip:]]
        saved = self.flow.context
        self.flow.context = Context(quiet=saved.quiet)
        self.calls.call(call.args[0], list(host), {}, call.nid, call.exact)
        self.flow.context = saved
        return TracerPytree(self.core.arrays_level(call.args[skip:]))


@dataclass(slots=True)
class Call:
    """A call of a library function."""

    name: str
    args: list[Value]
    keywords: dict[str, Value]
    nid: int
    exact: bool

    def get(self, position: int, name: str) -> Value | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.args[position] if position < len(self.args) else None


RUNNERS = {
    "haiku.scan": "c_scan", "haiku.while_loop": "c_while_loop", "haiku.fori_loop": "c_fori_loop",
    "haiku.cond": "c_cond", "haiku.switch": "c_switch", "haiku.map": "c_map",
    "flax.nnx.cond": "c_cond", "flax.nnx.while_loop": "c_while_loop", "flax.nnx.fori_loop": "c_fori_loop",
    "jax.lax.scan": "c_scan", "jax.lax.while_loop": "c_while_loop",
    "jax.lax.fori_loop": "c_fori_loop", "jax.lax.cond": "c_cond", "jax.lax.switch": "c_switch",
    "jax.lax.map": "c_map", "jax.lax.associative_scan": "c_associative_scan",
    "jax.eval_shape": "c_eval_shape", "jax.jvp": "c_jvp", "jax.vjp": "c_vjp",
    "jax.linearize": "c_vjp", "jax.pure_callback": "c_callback",
    "jax.experimental.io_callback": "c_callback", "jax.debug.callback": "c_callback",
    "jax.experimental.host_callback.call": "c_callback",
}  # fmt: skip
