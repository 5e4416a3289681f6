"""`jax.tree`: leaves, maps and reductions of pytrees."""

from __future__ import annotations

from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.lifting import Lifting
from jaxlint.domain.join import MutableContainer, Tuple, join_all
from jaxlint.domain.objects import Key
from jaxlint.domain.values import NONE, UNKNOWN, Array, Const, NumPyArray, Static, TracerPytree, Value

# functions of one pytree that give back the leaves that they are given, and those that leave NumPy's arrays
# to NumPy: tests/test_api_table.py finds both by running JAX
GIVEN_BACK = frozenset(("jax.block_until_ready", "jax.copy_to_host_async"))
KEPT_ON_HOST = frozenset(("jax.lax.stop_gradient",))


class Pytrees:
    """What the functions on pytrees give back."""

    def __init__(self, flow: FlowState, lifting: Lifting) -> None:
        self.flow = flow
        self.lifting = lifting

    def tree_of(self, name: str, target: Value | None, level: int) -> Value:
        """What a function gives that maps the leaves of a pytree."""
        if target is None:
            return TracerPytree(level)
        if name in GIVEN_BACK:
            return target
        if name in KEPT_ON_HOST and not self.flow.context.staged:
            return self._kept_on_host(target, level)
        if isinstance(target, (Array, NumPyArray)):
            return Array(level, target.dtype, target.ndim)
        return self.lifting.lower(target, level)

    def _kept_on_host(self, value: Value, level: int) -> Value:
        """What a function of `KEPT_ON_HOST` gives outside of staged code: NumPy's arrays stay such, or become
        JAX's in older versions; Python's numbers stay numbers."""
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple([self._kept_on_host(each, level) for each in value.items]), cls=value.cls)
        if isinstance(value, (Const, Static)):
            return value
        return UNKNOWN if isinstance(value, NumPyArray) else self.lifting.lower(value, level)

    def leaf_of(self, value: Value) -> Value:
        """What one leaf of a pytree is."""
        if isinstance(value, TracerPytree):
            return Array(value.level)
        if isinstance(value, (Array, NumPyArray, Key)):
            return value
        if isinstance(value, Tuple):
            if value.items is None:
                return self.leaf_of(value.elem)
            return join_all(self.leaf_of(item) for item in value.items)
        if isinstance(value, MutableContainer):
            return self.leaf_of(value.each())
        if isinstance(value, (Const, Static)):
            return value if value != NONE else UNKNOWN
        return UNKNOWN
