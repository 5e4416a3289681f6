"""`jax.tree`: leaves, maps and reductions of pytrees."""

from __future__ import annotations

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.calling.calls import Calls
from jaxlint.calling.control_primitives import Call
from jaxlint.calling.lifting import Lifting
from jaxlint.domain.values import (
    ANY,
    NONE,
    UNKNOWN,
    Array,
    Const,
    Key,
    MutableContainer,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Tuple,
    Unknown,
    Value,
    join_all,
)

# functions of one pytree that give back the leaves that they are given, and those that leave NumPy's arrays
# to NumPy: tests/test_api_table.py finds both by running JAX
GIVEN_BACK = frozenset(("jax.block_until_ready", "jax.copy_to_host_async"))
KEPT_ON_HOST = frozenset(("jax.lax.stop_gradient",))


class Pytrees:
    """What the functions on pytrees give back."""

    def __init__(
        self, flow: FlowState, core: Core, consumption: KeyConsumption, calls: Calls, lifting: Lifting
    ) -> None:
        self.flow = flow
        self.core = core
        self.consumption = consumption
        self.calls = calls
        self.lifting = lifting

    # ---- jax

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

    def f_tree_map(self, call: Call) -> Value:
        func, tree = call.get(0, "f"), call.get(1, "tree")
        if func is None or tree is None:
            return UNKNOWN
        leaves = [self.leaf_of(each) for each in call.args[1:]]
        if "is_leaf" in call.keywords:
            leaves = [UNKNOWN for _ in leaves]
        if call.name.endswith("_with_path"):
            leaves.insert(0, UNKNOWN)
        self.flow.frame.loop += 1
        spent = self.flow.env.vars.get("$spent")
        rounds = len(self.flow.rounds)
        self.flow.rounds.append(((self.flow.module, call.nid), "tree_map", 0))
        result = self.calls.call(func, leaves, {}, call.nid)
        self.flow.rounds[rounds:] = [((self.flow.module, call.nid), "tree_map", 1)]
        if self.flow.env.vars.get("$spent") is not spent and _has_leaves(tree):
            self.consumption.leafwise = True
            self.calls.call(func, [self.core.fresh_copy(leaf) for leaf in leaves], {}, call.nid)
            self.consumption.leafwise = False
        del self.flow.rounds[rounds:]
        self.flow.frame.loop -= 1
        if isinstance(tree, (Array, NumPyArray)) and isinstance(result, (Array, NumPyArray)):
            return result  # a single leaf
        if isinstance(tree, (Const, Static)) and tree not in (NONE, ANY):
            return result
        return TracerPytree(result.level) if isinstance(result, Array) else UNKNOWN

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

    def f_tree_leaves(self, call: Call) -> Value:
        tree = call.get(0, "tree")
        box = self.core.box("list", call.nid, "leaves")
        box.items = None
        box.elem = UNKNOWN if tree is None else self.leaf_of(tree)
        return box

    def f_tree_reduce(self, call: Call) -> Value:
        func, tree = call.get(0, "function"), call.get(1, "tree")
        if func is None or tree is None:
            return UNKNOWN
        leaf = self.leaf_of(tree)
        start = call.args[2] if len(call.args) > 2 else call.keywords.get("initializer", leaf)
        return self.calls.call(func, [join_all((start, leaf)) if start != leaf else leaf, leaf], {}, call.nid)

    def f_tree_flatten(self, call: Call) -> Value:
        return Tuple((self.f_tree_leaves(call), Product("opaque", "treedef")))


def _has_leaves(tree: Value) -> bool:
    """Whether what a program maps a function over, leaf by leaf, is a tree of more than one."""
    if isinstance(tree, Tuple) and tree.items is not None:
        return len(tree.items) > 1 or any(map(_has_leaves, tree.items))
    if isinstance(tree, MutableContainer):
        items = (*tree.entries.values(), *(tree.items or ()))
        return len(items) > 1 or tree.elem is not None or any(map(_has_leaves, items))
    return isinstance(tree, (TracerPytree, Unknown))
