"""Pytrees: maps, leaves, reductions; classes that are registered as nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join_all
from jaxlint.domain.objects import Class, Function, Partial
from jaxlint.domain.tokens import FLATTEN
from jaxlint.domain.values import (
    ANY,
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


def _has_leaves(tree: Value) -> bool:
    """Whether what a program maps a function over, leaf by leaf, is a tree of more than one."""
    if isinstance(tree, Tuple) and tree.items is not None:
        return len(tree.items) > 1 or any(map(_has_leaves, tree.items))
    if isinstance(tree, MutableContainer):
        items = (*tree.entries.values(), *(tree.items or ()))
        return len(items) > 1 or tree.elem is not None or any(map(_has_leaves, items))
    return isinstance(tree, (TracerPytree, Unknown))


@model("jax.tree.map", "jax.tree_util.tree_map", "jax.tree.map_with_path", "jax.tree_util.tree_map_with_path")
def tree_map(call: Call, m: Parts) -> Value:
    func, tree = call.get(0, "f"), call.get(1, "tree")
    if func is None or tree is None:
        return UNKNOWN
    leaves = [m.pytrees.leaf_of(each) for each in call.args[1:]]
    if "is_leaf" in call.keywords:
        leaves = [UNKNOWN for _ in leaves]
    if call.name.endswith("_with_path"):
        leaves.insert(0, UNKNOWN)
    m.flow.frame.loop += 1
    spent = m.flow.env.vars.get("$spent")
    rounds = len(m.flow.rounds)
    m.flow.rounds.append(((m.flow.module, call.nid), "tree_map", 0))
    result = m.calls.call(func, leaves, {}, call.nid)
    m.flow.rounds[rounds:] = [((m.flow.module, call.nid), "tree_map", 1)]
    if m.flow.env.vars.get("$spent") is not spent and _has_leaves(tree):
        m.consumption.leafwise = True
        m.calls.call(func, [m.core.fresh_copy(leaf) for leaf in leaves], {}, call.nid)
        m.consumption.leafwise = False
    del m.flow.rounds[rounds:]
    m.flow.frame.loop -= 1
    if isinstance(tree, (Array, NumPyArray)) and isinstance(result, (Array, NumPyArray)):
        return result  # a single leaf
    if isinstance(tree, (Const, Static)) and tree not in (NONE, ANY):
        return result
    return TracerPytree(result.level) if isinstance(result, Array) else UNKNOWN


@model("jax.tree.leaves", "jax.tree_util.tree_leaves")
def tree_leaves(call: Call, m: Parts) -> Value:
    tree = call.get(0, "tree")
    box = m.core.box("list", call.nid, "leaves")
    box.items = None
    box.elem = UNKNOWN if tree is None else m.pytrees.leaf_of(tree)
    return box


@model("jax.tree.reduce")
def tree_reduce(call: Call, m: Parts) -> Value:
    func, tree = call.get(0, "function"), call.get(1, "tree")
    if func is None or tree is None:
        return UNKNOWN
    leaf = m.pytrees.leaf_of(tree)
    start = call.args[2] if len(call.args) > 2 else call.keywords.get("initializer", leaf)
    return m.calls.call(func, [join_all((start, leaf)) if start != leaf else leaf, leaf], {}, call.nid)


@model("jax.tree.unflatten", "jax.tree_util.tree_unflatten")
def tree_unflatten(call: Call, m: Parts) -> Value:
    """A pytree of these leaves; of which structure is not kept."""
    leaves = call.get(1, "leaves")
    leaf = UNKNOWN if leaves is None else m.pytrees.leaf_of(leaves)
    return TracerPytree(leaf.level) if isinstance(leaf, Array) and leaf.level else UNKNOWN


@model("jax.tree.flatten", "jax.tree_util.tree_flatten")
def tree_flatten(call: Call, m: Parts) -> Value:
    return Tuple((tree_leaves(call, m), Product("opaque", "treedef")))


@model(
    "jax.tree_util.register_pytree_node_class",
    "jax.tree_util.register_pytree_node",
    "jax.tree_util.register_pytree_with_keys",
    "jax.tree_util.register_pytree_with_keys_class",
    "jax.tree_util.register_dataclass",
    "jax.tree_util.register_static",
)
def register_class(call: Call, m: Parts) -> Value:
    cls = call.get(0, "cls") or call.get(0, "nodetype")
    if isinstance(cls, Class):
        cls.marks.add("pytree")
        if not call.name.endswith(("dataclass", "static")):
            cls.marks.add("flattened")
        flatten = call.get(1, "flatten_func")
        if isinstance(flatten, Function):
            cls.attributes[FLATTEN] = flatten
        meta = call.get(2, "meta_fields")
        names = m.expressions.known_items(meta) if meta is not None and "dataclass" in call.name else None
        for name in names or ():
            if isinstance(name, Const) and isinstance(name.value, str):
                default = cls.fields.get(name.value, (None, False))[0]
                cls.fields[name.value] = (default, True)
        if call.name.endswith("register_static"):
            cls.marks.add("static")
        return cls
    return Partial(External(call.name), (), tuple(call.keywords.items())) if cls is None else UNKNOWN
