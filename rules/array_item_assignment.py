"""JAX501: items of JAX arrays are assigned, changed or deleted in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.rule import (
    UPDATES,
    Applicability,
    Binary,
    Call,
    Claim,
    Const,
    Edit,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    MutableContainer,
    NumPyArray,
    Part,
    Product,
    Rule,
    Static,
    Store,
    TracerPytree,
    Tuple,
    Value,
    Written,
    cst,
    is_always_refused,
    is_bound,
    is_owner,
    keeps_order,
    updated,
    written,
    written_item,
)

VIEWS = frozenset(("T", "mT", "real", "imag", "flat"))  # attributes of arrays that cannot be set
_BASE, _INDEX = ("value",), ("slice", 0)


@dataclass(frozen=True, slots=True)
class _Write:
    """What the fix has to know of a write."""

    operator: str
    once: bool  # the index names each element at most once
    mask: bool  # the index is a traced mask
    refused: bool  # JAX takes no such index: a list, which NumPy takes for an array
    copies: bool  # a long eager loop repeats the write


class ArrayItemAssignment(Rule):
    """An item of a JAX array is assigned, changed in place or deleted.

    ## What it does
    Finds `x[i] = v`, `x[a:b] += v`, `del x[i]`, items as targets of unpacking and of `for`, and functions
    that write into an argument (`np.add.at`, `np.copyto`, `random.shuffle`, `out=`), where the array is
    certainly a JAX array, or a parameter or a field outside of traces that is annotated as one: `jax.Array`,
    `jnp.ndarray`, `Float[Array, "n"]`. And items of what `np.asarray` or `jax.device_get` gives of a JAX
    array, or of the arrays in a collection: a view, which is read-only, as its rows are and what NumPy shows
    of it without a copy (`y.reshape(2, 2)`, `np.flip(y)`), also for `y += 1`, `y.sort()` and `out=y`.

    ## Why
    JAX arrays are immutable, traced or not: assignment raises `TypeError`, `del` raises `AttributeError`. An
    update makes a new array: `x = x.at[i].set(v)`. Under `jit` XLA updates in place where it can.

    ## When it is fine
    NumPy arrays, also copies such as `np.array(x)`, lists and dicts, the references of `jax.new_ref` and of
    Pallas kernels, classes with a `__setitem__` of their own, code where `isinstance` shows that the array is
    a NumPy array, and a `try` that catches the error.

    ## Fix safety
    The fix is safe if the array is held by one local variable only, bound to the result of a JAX function or
    of an operator. It is unsafe if another variable may hold the array and would have seen the change
    (parameters, attributes, elements of containers), if an index may contain an element twice, because
    `.add` then adds twice, and if computing the value may change what the index reads: `.set` computes it
    last, an assignment first. In a long eager loop, where each update copies the array, it is only shown.
    """

    code = "JAX501"
    name = "array-item-assignment"
    category = "correctness"
    fix = "safe"
    raises = ("TypeError", "AttributeError", "NotImplementedError")
    calls = ("numpy", "operator", "random")
    examples = (
        Example(
            bad="""
import jax.numpy as jnp

field = jnp.zeros((4, 4))
field[0, :] = 1.0
print(field.sum())
""",
            good="""
import jax.numpy as jnp

field = jnp.zeros((4, 4))
field = field.at[0, :].set(1.0)
print(field.sum())
""",
            prints="4.0",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def smooth(u):
    v = jnp.tanh(u)
    v[1:-1] += 0.5 * (u[2:] - u[:-2])
    return v


print(smooth(jnp.arange(5.0)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def smooth(u):
    v = jnp.tanh(u)
    v = v.at[1:-1].add(0.5 * (u[2:] - u[:-2]))
    return v


print(smooth(jnp.arange(5.0)))
""",
            prints="[0.        1.7615942 1.9640276 1.9950547 0.9993292]",
        ),
        Example(
            note="What NumPy is shown of an array of JAX is read-only",
            bad="""
import jax.numpy as jnp
import numpy as np

row = np.asarray(jnp.zeros(3))
row[0] = 1.0
print(row.sum())
""",
            good="""
import jax.numpy as jnp
import numpy as np

row = np.array(jnp.zeros(3))
row[0] = 1.0
print(row.sum())
""",
            prints="1.0",
            claim=Claim("raises", "builtins.ValueError", "assignment destination is read-only"),
        ),
    )
    claim = Claim("raises", "builtins.TypeError", "JAX arrays are immutable")

    def visit_Assign(self, store: Store, m: Model) -> Iterator[Finding]:
        # of what is None or an array the one raises as the other does
        held = [each for each in m.each(store.value) if each != Const(None)]
        if held and all(m.is_read_only(each, or_item=True) for each in held):
            yield self._of_view(store)
        if not held or not all(m.is_annotated_array(each) or _is_leaf(each, store.index) for each in held):
            return
        path = ("target",) if store.kind == "augmented" else ()
        single = not isinstance(store.index, Tuple)
        index: str | Part = Part(store.nid, (*path, *_INDEX)) if single else "..."
        operator = store.operator if store.kind == "augmented" else ""
        mask = m.is_mask(store.index) and m.traced(store.index)
        refused = isinstance(store.index, MutableContainer)
        write = _Write(operator, _names_once(store.index), mask, refused, m.copies_in_loop(store))
        cure = "jnp.where({index}, ..., {base})" if mask else f"{{base}}.at[{{index}}].{_update(operator)}"
        yield Finding(
            store.nid,
            "`{it}` is an item of a JAX array, which is immutable: raises TypeError",
            help=f"{{base}} = {cure}",
            label="an item of a JAX array",
            names={
                "it": Part(store.nid, path) if path else store.nid,
                "base": Part(store.nid, (*path, *_BASE)),
                "index": index,
            },
            data=write,
        )

    @staticmethod
    def _of_view(store: Store) -> Finding:
        path = ("target",) if store.kind == "augmented" else ()
        return Finding(
            store.nid,
            "`{it}` is an item of a view of a JAX array, which is read-only: raises ValueError",
            help="np.array(...) makes a copy, which can be written to",
            label="an item of what np.asarray or jax.device_get gives",
            names={"it": Part(store.nid, path) if path else store.nid},
            raises=("ValueError",),
        )

    visit_AugAssign = visit_Assign

    def visit_BinaryOperation(self, operation: Binary, m: Model) -> Iterator[Finding]:
        held = [each for each in m.each(operation.left) if each != Const(None)]
        if (
            operation.augmented
            and held
            and all(map(m.is_read_only, held))
            and not m.is_array(operation.right)
        ):
            yield Finding(
                operation.nid,
                "`{it}` is a view of a JAX array, which is read-only: `{sign}=` raises ValueError",
                help="np.array(...) makes a copy, which can be written to; or make a new array",
                label="what np.asarray or jax.device_get gives",
                names={"it": Part(operation.nid, ("target",)), "sign": operation.operator},
                raises=("ValueError",),
            )

    def visit_Del(self, store: Store, m: Model) -> Iterator[Finding]:
        if m.is_annotated_array(store.value):
            yield Finding(
                store.nid,
                "`del {it}` of a JAX array, which is immutable: raises AttributeError",
                help="{base} = jnp.delete({base}, ...)",
                label="an item of a JAX array",
                names={"it": store.nid, "base": Part(store.nid, _BASE)},
            )

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        for argument in written(call):
            held = [each for each in m.each(argument.value) if each != Const(None)]
            if held and all(map(m.is_read_only, held)):
                if is_always_refused(call.name):
                    yield self._into_view(call, argument)
            elif argument.error and m.is_annotated_array(argument.value):
                # NumPy's functions convert what is traced, which is another rule's
                if not call.level or call.name.endswith(".at") or not call.name.startswith("numpy."):
                    yield self._into_array(call, argument)

    @staticmethod
    def _into_view(call: Call, argument: Written) -> Finding:
        return Finding(
            call.nid,
            "`{function}` writes into `{base}`, a read-only view: raises ValueError",
            help="np.array(...) makes a copy, which can be written to",
            label="writes into what np.asarray or jax.device_get gives",
            names=_names_of(call, argument),
            raises=("ValueError",),
        )

    @staticmethod
    def _into_array(call: Call, argument: Written) -> Finding:
        if call.name == "numpy.fill_diagonal":
            cure = "jnp.fill_diagonal({base}, ..., inplace=False)"
        elif argument.place == 0:
            cure = "{base} = {base}.at[...]." + ("add(...)" if call.name == "numpy.add.at" else "set(...)")
        else:
            cure = "{base} = ..., a new array"
        return Finding(
            call.nid,
            f"`{{function}}` writes into `{{base}}`, an immutable JAX array: raises {argument.error}",
            help=cure,
            label="writes into a JAX array",
            names=_names_of(call, argument),
            raises=(argument.error,),
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        write = finding.data
        item = written_item(code, code.node(finding.nid))
        if item is None or not isinstance(write, _Write) or write.mask or not is_bound(code, item.root):
            return None
        base = item.target.value
        if write.refused or (isinstance(base, cst.Attribute) and base.attr.value in VIEWS):
            return None
        text = updated(code, item, write.operator)
        if text is None:
            return None
        safety: Applicability = "unsafe"
        if write.copies:
            safety = "displayonly"
        elif item.root is item.target.value and write.once and is_owner(code, item.root):
            safety = "safe" if keeps_order(code, item) else "unsafe"
        return Fix(safety, "make an updated array", (Edit(code.span_of(item.statement), text),))


def _names_of(call: Call, argument: Written) -> dict[str, int | str | Part]:
    path = ("func", "value") if argument.place == -1 else (("argument", argument.place),)
    return {"function": Part(call.nid, ("func",)), "base": Part(call.nid, path)}


def _update(operator: str) -> str:
    """The method of `.at[...]` that does what an assignment by an operator does, as the help shows it."""
    if operator not in UPDATES:
        return f"set({{base}}[{{index}}] {operator} ...)"
    return f"{UPDATES[operator]}({'-' if operator == '-' else ''}...)"


def _is_leaf(value: Value, index: Value | None) -> bool:
    """Whether a pytree of arrays is an array: only those have items at two or more numbers or slices."""
    items = index.items if isinstance(index, Tuple) else None
    if not isinstance(value, TracerPytree) or items is None or len(items) < 2:
        return False
    return not any(isinstance(each, Const) and isinstance(each.value, str) for each in items)


def _names_once(index: Value | None) -> bool:
    """Whether an index certainly names each element at most once: numbers and slices, no arrays."""
    if isinstance(index, Tuple):
        return index.items is not None and all(map(_names_once, index.items))
    if isinstance(index, NumPyArray):
        return index.ndim == 0
    if isinstance(index, Product):
        return index.kind == "slice"
    return isinstance(index, Const) or (isinstance(index, Static) and index.type in ("int", "bool"))
