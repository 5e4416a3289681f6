"""Functions of JAX that run what they are given: `scan`, `cond`, `while_loop`, `jvp`, callbacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Choice
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.calls import Calls
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.transforms import Transforms
from jaxlint.domain.join import MutableContainer, Tuple, any_of, level_of
from jaxlint.domain.objects import Instance
from jaxlint.domain.values import STAGED, UNKNOWN, OneOf, Unknown, Value
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.nodes import Expr

ALIASES = {
    "jax.remat": "jax.checkpoint",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.experimental.shard_map.shard_map": "jax.shard_map",
    "jax.experimental.pjit.pjit": "jax.jit",
    "jax.api.jit": "jax.jit",
    "chex.chexify": "jax.named_call",
    "haiku.jit": "jax.jit",
    **{
        f"flax.nnx.compat.{name}": f"flax.nnx.{name}"
        for name in "cond fori_loop grad jit remat scan split value_and_grad vmap while_loop".split()
    },
}


class ControlPrimitives:
    """Analyzes the functions that control-flow primitives run."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        calls: Calls,
        lifting: Lifting,
        transforms: Transforms,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.calls = calls
        self.lifting = lifting
        self.transforms = transforms

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
        self.flow.frame.notes.loops = True
        rounds = len(self.flow.rounds)
        self.flow.rounds.append(((self.flow.module, nid), kind, 0))
        first = self.run_staged(func, args, nid, kind)
        again = [self._of_next_turn(value) for value in args]
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

    def _of_next_turn(self, value: Value) -> Value:
        """What another turn is given in the place of this: other keys, also in containers."""
        if isinstance(value, MutableContainer):
            return self.lifting.copy_of(value, "turn", self._of_next_turn)
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(map(self._of_next_turn, value.items)), cls=value.cls)
        if isinstance(value, Instance):
            return self.lifting.copy_of_record(value, "turn", self._of_next_turn)
        return self.core.fresh_copy(value)

    def element_of(self, value: Value) -> Value:
        """One slice along the leading axis of every leaf."""
        return self.lifting.lift(value, 0, drop=1) if not isinstance(value, Unknown) else UNKNOWN

    def carried(self, result: Value, init: Value, level: int) -> Value:
        """What a loop leaves in its carry: what its body gives, or something like its start."""
        if isinstance(result, Unknown):
            return self.lifting.lower(self.another(init), level)
        return self.lifting.lower(result, level, own=STAGED)

    def another(self, value: Value) -> Value:
        """What a body of which nothing is known may have put in the place of this: its keys are others."""
        return self._renewed(self.lifting.lift(value, STAGED), set())

    def _renewed(self, value: Value, seen: set[int]) -> Value:
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(self._renewed(item, seen) for item in value.items), cls=value.cls)
        if isinstance(value, OneOf):
            return any_of([self._renewed(option, seen) for option in value.options])
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

    def branches(
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
        result = self.core.with_one_key(self.calls.either(known))
        return self.lifting.lower(result, outer, sloped=False, own=STAGED)
