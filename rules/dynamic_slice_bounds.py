"""JAX112: slices of arrays with traced bounds."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Array,
    Claim,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Part,
    Product,
    Rule,
    Store,
    Subscript,
    TracerPytree,
    Tuple,
    Value,
    cst,
    has_comment,
    replaced,
    spelled,
)

_BOUNDS = ("lower", "upper", "step")


class DynamicSliceBounds(Rule):
    """A slice of an array has a traced start, stop or step.

    ## What it does
    Finds `x[start:stop]` and `x.at[start:stop]` where a bound is certainly a traced number, also of the
    references that the kernels of Pallas read and write.

    ## Why
    The length of the slice would depend on values that are not known while JAX traces the function. Even
    `x[i : i + 4]` raises `IndexError`, because each bound must be static.

    ## When it is fine
    Bounds from shapes, constants and static arguments; one traced index, `x[i]`; `pl.ds(start, size)`.
    Under `jax.grad` alone an integer that is not differentiated is concrete.

    ## Fix safety
    The fix, `lax.dynamic_slice_in_dim`, is offered for `x[i : i + 4]` and only shown: it moves a slice that
    reaches beyond the end back into the array, where Python's slice becomes shorter.
    """

    code = "JAX112"
    name = "dynamic-slice-bounds"
    category = "correctness"
    fix = "displayonly"
    raises = ("IndexError",)
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def window(x, start):
    return x[start : start + 3]


print(window(jnp.arange(10.0), 2))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def window(x, start):
    return jax.lax.dynamic_slice_in_dim(x, start, 3)


print(window(jnp.arange(10.0), 2))
""",
            prints="[2. 3. 4.]",
        ),
        Example(
            note="A reference in a kernel of Pallas",
            bad="""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def halves(x_ref, o_ref):
    start = 2 * pl.program_id(0)
    o_ref[start : start + 2] = x_ref[0:2]


shape = jax.ShapeDtypeStruct((4,), jnp.float32)
print(pl.pallas_call(halves, grid=(2,), out_shape=shape, interpret=True)(jnp.ones(4)))
""",
            good="""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def halves(x_ref, o_ref):
    start = 2 * pl.program_id(0)
    o_ref[pl.ds(start, 2)] = x_ref[0:2]


shape = jax.ShapeDtypeStruct((4,), jnp.float32)
print(pl.pallas_call(halves, grid=(2,), out_shape=shape, interpret=True)(jnp.ones(4)))
""",
            prints="[1. 1. 1. 1.]",
            claim=Claim("raises", "jax.errors.TracerBoolConversionError"),
        ),
    )
    claim = Claim("raises", "builtins.IndexError", "static")

    def visit_Subscript(self, event: Subscript, m: Model) -> Iterator[Finding]:
        owner = event.value
        if _is_ref(owner):
            yield from _of_ref(event.nid, event.index, (), m)
            return
        is_update = isinstance(owner, Product) and owner.kind == "at"
        if isinstance(owner, Product) and is_update:
            owner = owner.parts[0]
        is_array = isinstance(owner, (Array, TracerPytree)) or m.is_annotated_array(owner)
        bound = _traced_bound(event.index, m) if is_array else None
        if bound is not None:
            yield Finding(
                event.nid,
                "slice of `{x}` has a traced bound, `{bound}`: raises IndexError",
                help="jax.lax.dynamic_slice_in_dim({x}, start, size), or a mask and jnp.where",
                label="traced bounds",
                names={
                    "x": Part(event.nid, ("value", "value") if is_update else ("value",)),
                    "bound": Part(event.nid, bound),
                },
                data=not is_update and not isinstance(event.index, Tuple),
            )

    def visit_Assign(self, store: Store, m: Model) -> Iterator[Finding]:
        if _is_ref(store.value) and store.index is not None:
            yield from _of_ref(store.nid, store.index, ("target",) * (store.kind == "augmented"), m)

    visit_AugAssign = visit_Assign

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.node(finding.nid)
        package = spelled(code, "jax")
        lax = spelled(code, "jax.lax") or (package and f"{package}.lax")
        if not finding.data or not lax or not isinstance(node, cst.Subscript) or has_comment(code, node):
            return None
        part = node.slice[0].slice
        if not isinstance(part, cst.Slice) or part.lower is None or part.step is not None:
            return None
        start, stop = part.lower, part.upper
        if not (
            isinstance(stop, cst.BinaryOperation)
            and isinstance(stop.operator, cst.Add)
            and isinstance(stop.right, cst.Integer)
            and stop.left.deep_equals(start)
        ):
            return None
        parts = (code.text_of(node.value), code.text_of(start), stop.right.value)
        text = f"{lax}.dynamic_slice_in_dim({', '.join(parts)})"
        return Fix("displayonly", "take the slice dynamically", (replaced(code, node, text),))


def _is_ref(value: Value) -> bool:
    return isinstance(value, Product) and value.kind == "ref"


def _of_ref(nid: int, index: Value, path: tuple[str, ...], m: Model) -> Iterator[Finding]:
    """A finding for a slice of a reference to memory, as the kernels of Pallas get."""
    bound = _traced_bound(index, m)
    if bound is not None:
        yield Finding(
            nid,
            "slice of `{x}` has a traced bound, `{bound}`: raises TracerBoolConversionError",
            help="{x}[pl.ds(start, size)]",
            label="traced bounds",
            names={"x": Part(nid, (*path, "value")), "bound": Part(nid, (*path, *bound))},
            raises=("TracerBoolConversionError",),
            data=False,
        )


def _traced_bound(index: Value, m: Model) -> tuple[int | str, ...] | None:
    """The way from a subscript to the first bound of a slice in it that is certainly traced."""
    parts = (index.items or ()) if isinstance(index, Tuple) else (index,)
    for position, part in enumerate(parts):
        if not isinstance(part, Product) or part.kind != "slice":
            continue
        for which, bound in zip(_BOUNDS, part.parts, strict=False):
            # What jax.numpy makes of a shape has a rule of its own, jnp-on-static-shape.
            kinds = [each for each in m.each(bound) if isinstance(each, Array)]
            if m.traced(bound) and not any(each.shape for each in kinds):
                return ("slice", position, "slice", which)
    return None
