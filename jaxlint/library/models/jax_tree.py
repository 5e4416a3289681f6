"""Pytrees: maps, leaves, reductions; classes that are registered as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.core import Unreachable
from jaxlint.domain.join import MutableContainer, Tuple, join_all
from jaxlint.domain.key_tokens import is_each, root_of
from jaxlint.domain.objects import Class, Function, Key, Partial
from jaxlint.domain.tokens import FLATTEN, UNFLATTEN
from jaxlint.domain.values import (
    ANY,
    BOOL,
    NONE,
    UNKNOWN,
    Const,
    External,
    Product,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.library.pytrees import IsLeaf
from jaxlint.library.structures import SOME, Structure
from jaxlint.tables.jax_functions import FUNCTIONS

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_APART = 4  # leaves that differ for which a mapped function is called one by one


def _is_one_key(leaf: Value) -> bool:
    """Whether a leaf is a key, and it is known which one: another leaf that is equal is that key."""
    if not isinstance(leaf, Key) or leaf.many:
        return False
    root, token = root_of(leaf.token), leaf.token
    return not (isinstance(root, tuple) and root[0] == "new") and not is_each(token)


def _has_leaves(tree: Value) -> bool:
    """Whether what a program maps a function over, leaf by leaf, is a tree of more than one."""
    if isinstance(tree, Tuple) and tree.items is not None:
        return len(tree.items) > 1 or any(map(_has_leaves, tree.items))
    if isinstance(tree, MutableContainer):
        items = (*tree.entries.values(), *(tree.items or ()))
        return len(items) > 1 or tree.elem is not None or any(map(_has_leaves, items))
    return isinstance(tree, (TracerPytree, Unknown))


def _is_leaf(call: Call, m: Parts) -> IsLeaf | None:
    """What `is_leaf` says of a part of a tree."""
    names = FUNCTIONS[call.name][2]
    has_place = not any(name.startswith("*") for name in names)
    asked = call.get(names.index("is_leaf") if has_place else len(call.args), "is_leaf") or NONE
    if asked == NONE:
        return None

    def answer(value: Value) -> bool | None:
        try:
            return m.calls.truth(m.calls.call(asked, [value], {}, call.nid))
        except Unreachable:  # it is not asked of this part, or nothing follows
            return None

    return answer


@model("jax.tree.map", "jax.tree_util.tree_map", "jax.tree.map_with_path", "jax.tree_util.tree_map_with_path")
def tree_map(call: Call, m: Parts) -> Value:
    func, tree = call.get(0, "f"), call.get(1, "tree")
    if func is None or tree is None:
        return UNKNOWN
    if not call.exact:
        m.calls.escape(call.args, call.keywords)
        return UNKNOWN
    leaves, structure = m.pytrees.flatten(tree, _is_leaf(call, m))
    firsts = [m.pytrees.leaf_of(leaf) if isinstance(leaf, TracerPytree) else leaf for leaf in leaves]
    others = [m.pytrees.at_leaves(structure, each) for each in call.args[2:]]
    rows = list(zip(firsts, *others, strict=True))
    path: list[Value] = [ANY] if call.name.endswith("_with_path") else []
    results = _called(func, rows, path, tree, call, m)
    return m.pytrees.unflatten(structure, results, call.nid)


def _called(
    func: Value, rows: Sequence[tuple[Value, ...]], path: list[Value], tree: Value, call: Call, m: Parts
) -> list[Value]:
    """What a function gives for each row of leaves: it is called once for all that are equal."""
    apart = list(dict.fromkeys(rows))
    if len(apart) > _APART:
        apart = [tuple(join_all(column) for column in zip(*apart, strict=True))]
    m.flow.frame.loop += 1
    spent = m.flow.env.vars.get("$spent")
    rounds, leafwise, place = len(m.flow.rounds), m.consumption.leafwise, (m.flow.module, call.nid)
    found = []
    try:
        for turn, row in enumerate(apart):
            m.flow.rounds[rounds:] = [(place, "tree_map", turn)]
            m.consumption.leafwise = place if turn else None
            found.append(m.calls.call(func, [*path, *row], {}, call.nid))
        if len(apart) == 1 and m.flow.env.vars.get("$spent") is not spent and _has_leaves(tree):
            m.flow.rounds[rounds:] = [(place, "tree_map", 1)]
            m.consumption.leafwise = place
            certain = len(rows) > 1
            again = [leaf if certain and _is_one_key(leaf) else m.core.fresh_copy(leaf) for leaf in apart[0]]
            m.calls.call(func, [*path, *again], {}, call.nid)
    finally:
        m.consumption.leafwise = leafwise
    del m.flow.rounds[rounds:]
    m.flow.frame.loop -= 1
    results = dict(zip(apart, found, strict=True))
    return [results[row] if row in results else found[0] for row in rows]


@model("jax.tree.leaves", "jax.tree_util.tree_leaves")
def tree_leaves(call: Call, m: Parts) -> Value:
    leaves, structure = _taken_apart(call, m)
    return _listed(leaves, structure, call, m)


def _taken_apart(call: Call, m: Parts) -> tuple[list[Value], Structure]:
    tree = call.get(0, "tree")
    return ([UNKNOWN], SOME) if tree is None else m.pytrees.flatten(tree, _is_leaf(call, m))


def _listed(leaves: Sequence[Value], structure: Structure, call: Call, m: Parts) -> Value:
    box = m.core.box("list", call.nid, "leaves")
    rows = [m.pytrees.leaf_of(leaf) if isinstance(leaf, TracerPytree) else leaf for leaf in leaves]
    if call.name.endswith("_with_path"):
        rows = [Tuple((ANY, leaf)) for leaf in rows]
    if structure.is_exact():
        box.items = rows
        if not structure.is_sure():
            box.block = 0
    else:
        box.items, box.elem = None, join_all(rows)
    return box


@model("jax.tree.flatten", "jax.tree_util.tree_flatten", "jax.tree.flatten_with_path")
def tree_flatten(call: Call, m: Parts) -> Value:
    leaves, structure = _taken_apart(call, m)
    return Tuple((_listed(leaves, structure, call, m), Product("treedef", structure)))


@model("jax.tree.leaves_with_path")
def leaves_with_path(call: Call, m: Parts) -> Value:
    return tree_leaves(call, m)


@model("jax.tree.structure")
def tree_structure(call: Call, m: Parts) -> Value:
    return Product("treedef", _taken_apart(call, m)[1])


@model("jax.tree.unflatten", "jax.tree_util.tree_unflatten")
def tree_unflatten(call: Call, m: Parts) -> Value:
    treedef, leaves = call.get(0, "treedef"), call.get(1, "leaves")
    if leaves is None:
        return UNKNOWN
    is_known = isinstance(treedef, Product) and treedef.kind == "treedef"
    structure = treedef.parts[0] if is_known else SOME  # type: ignore[union-attr]
    return m.pytrees.of_leaves(structure, leaves, call.nid)


@model("jax.tree.transpose")
def tree_transpose(call: Call, m: Parts) -> Value:
    outer, inner = call.get(0, "outer_treedef"), call.get(1, "inner_treedef")
    tree = call.get(2, "pytree_to_transpose")
    if tree is None:
        return UNKNOWN
    known = [each.parts[0] for each in (outer, inner) if isinstance(each, Product) and each.kind == "treedef"]
    if len(known) != 2:
        return m.pytrees.spread(m.pytrees.leaf_of(tree))
    return m.pytrees.transposed(known[0], known[1], tree, call.nid)


@model("jax.tree.reduce")
def tree_reduce(call: Call, m: Parts) -> Value:
    func, tree = call.get(0, "function"), call.get(1, "tree")
    if func is None or tree is None:
        return UNKNOWN
    start = call.args[2] if len(call.args) > 2 else call.keywords.get("initializer")
    leaves, structure = m.pytrees.flatten(tree, _is_leaf(call, m))
    leaves = [m.pytrees.leaf_of(leaf) if isinstance(leaf, TracerPytree) else leaf for leaf in leaves]
    each = join_all(leaves) if leaves else UNKNOWN
    return m.calls.fold(func, leaves if structure.is_exact() else None, each, start, call.nid)


@model("jax.tree.all")
def tree_all(call: Call, m: Parts) -> Value:
    """What `all` says of the leaves."""
    leaves, structure = _taken_apart(call, m)
    truths = {m.calls.truth(leaf) for leaf in leaves}
    answer: Value = BOOL
    if structure.is_sure() and truths <= {True}:
        answer = Const(True)
    elif structure.is_sure() and structure.is_exact() and False in truths:
        answer = Const(False)
    elif False in truths:
        m.decisions.presume(False, False, call.nid)
    m.flow.subjects[call.nid] = answer
    return answer


@model("jax.flatten_util.ravel_pytree")
def ravel_pytree(call: Call, m: Parts) -> Value:
    """All leaves as one array, and the function that makes a pytree of such an array."""
    tree = call.get(0, "pytree")
    if tree is None:
        return UNKNOWN
    leaves, structure = m.pytrees.flatten(tree)
    return Tuple((m.core.made(leaves, ndim=1), Product("object", "jax.flatten_util.$unravel", structure)))


@model("jax.flatten_util.$unravel.__call__")
def unravel(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    structure = owner.parts[1] if isinstance(owner, Product) else SOME
    leaf = m.core.made(call.args[1:])
    return m.pytrees.unflatten(structure, [leaf] * structure.count(), call.nid)


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
        unflatten = call.get(2, "unflatten_func")
        if isinstance(unflatten, Function):
            cls.attributes[UNFLATTEN] = unflatten
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
