"""JAX111: arrays indexed by traced boolean masks."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Applicability,
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
    Subscript,
    TracerPytree,
    Tuple,
    cst,
    has_comment,
    is_repeatable,
    operand,
    replaced,
    spelling,
    whole,
)

_REDUCTIONS = frozenset(("sum", "mean", "prod", "any", "all", "var", "std"))
_UPDATES = {"add": "+", "multiply": "*", "divide": "/", "power": "**"}
# dtype of an array -> the Python scalars that leave it as it is
_KINDS: dict[str, tuple[type, ...]] = {
    "b": (bool,), "i": (int,), "f": (int, float), "c": (int, float, complex),
}  # fmt: skip


class BooleanMaskIndex(Rule):
    """An array is indexed by a traced boolean mask.

    ## What it does
    Finds `x[mask]` and `x.at[mask]` where the mask is certainly a traced array of booleans.

    ## Why
    The number of selected elements depends on the values of the mask, but shapes must be static under `jit`:
    `NonConcreteBooleanIndexError`. Since JAX 0.12 `x.at[mask].set(c)` raises it, too.

    ## When it is fine
    NumPy masks, masks closed over from eager code and masks made under `ensure_compile_time_eval` are
    concrete while tracing. Integer arrays are not masks. Under `jax.grad` alone the values are concrete.

    ## Fix safety
    `x.at[mask].set(c)` becomes `jnp.where(mask, c, x)`: safe if the mask compares the same `x` with a number
    and `c` is a Python number of `x`'s kind. It is unsafe for other numbers, because `jnp.where` broadcasts,
    and promotes dtypes where `set` casts. Everything else is only shown: only the author knows which values
    should replace the elements that are not selected.
    """

    code = "JAX111"
    name = "boolean-mask-index"
    category = "correctness"
    fix = "safe"
    raises = ("NonConcreteBooleanIndexError", "IndexError", "JAXIndexError")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def rectify(x):
    x = jnp.sin(x)
    return x.at[x < 0.0].set(0.0)


print(rectify(jnp.arange(4.0)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def rectify(x):
    x = jnp.sin(x)
    return jnp.where(x < 0.0, 0.0, x)


print(rectify(jnp.arange(4.0)))
""",
            prints="[0.         0.84147096 0.9092974  0.14112   ]",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_positive(x):
    return x[x > 0.0].mean()


print(mean_of_positive(jnp.arange(-2.0, 3.0)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_positive(x):
    return jnp.mean(x, where=x > 0.0)


print(mean_of_positive(jnp.arange(-2.0, 3.0)))
""",
            prints="1.5",
        ),
    )
    claim = Claim(
        "raises", "jax.errors.NonConcreteBooleanIndexError", "Array boolean indices must be concrete"
    )

    def visit_Subscript(self, event: Subscript, m: Model) -> Iterator[Finding]:
        owner = event.value
        is_update = isinstance(owner, Product) and owner.kind == "at"
        if isinstance(owner, Product) and is_update:
            owner = owner.parts[0]
        if not isinstance(owner, (Array, TracerPytree) if not is_update else Array):
            return
        masks = (event.index.items or ()) if isinstance(event.index, Tuple) else (event.index,)
        for position, mask in enumerate(masks):
            if isinstance(mask, Array) and mask.dtype == "b" and m.traced(mask):
                yield Finding(
                    event.nid,
                    "`{x}` is indexed by traced mask `{mask}`: raises NonConcreteBooleanIndexError",
                    help="jnp.where({mask}, ..., {x})" if is_update else "jnp.where({mask}, {x}, ...)",
                    label="a traced boolean mask",
                    names={
                        "x": Part(event.nid, ("value", "value") if is_update else ("value",)),
                        "mask": Part(event.nid, ("slice", position, "slice", "value")),
                    },
                    data=(is_update, owner.dtype if isinstance(owner, Array) else "?"),
                )
                return

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.node(finding.nid)
        method = code.parent(node)
        call = None if method is None else code.parent(method)
        if not (
            isinstance(node, cst.Subscript)
            and isinstance(method, cst.Attribute)
            and isinstance(call, cst.Call)
            and call.func is method
        ):
            return None
        name = spelling(code, "jax.numpy")
        index = node.slice[0].slice
        if (
            len(node.slice) != 1
            or not isinstance(index, cst.Index)
            or name is None
            or has_comment(code, call)
        ):
            return None
        mask = code.text_of(index.value)
        is_update, dtype = finding.data
        verb = method.attr.value
        safety: Applicability = "displayonly"
        if not is_update:
            if verb not in _REDUCTIONS or call.args:
                return None
            text = f"{name[0]}.{verb}({code.text_of(node.value)}, where={mask})"
        else:
            if not isinstance(node.value, cst.Attribute) or len(call.args) != 1 or call.args[0].keyword:
                return None
            owner, new = node.value.value, call.args[0].value
            x, value = code.text_of(owner), code.text_of(new)
            if verb == "set":
                safety = _safety(code, owner, index.value, new, dtype)
            elif verb in _UPDATES and is_repeatable(owner):
                value = f"{operand(code, owner)} {_UPDATES[verb]} {operand(code, new)}"
            else:
                return None
            text = f"{name[0]}.where({mask}, {value}, {x})"
        return Fix(safety, "choose by the mask", (replaced(code, call, text), *name[1]))


def _safety(
    code: Located, owner: cst.BaseExpression, mask: cst.BaseExpression, new: cst.BaseExpression, dtype: str
) -> Applicability:
    """How sure it is that `jnp.where(mask, new, owner)` is what `set` gives."""
    number = _number(new)
    if number is None:
        return "displayonly"
    if not isinstance(mask, cst.Comparison) or len(mask.comparisons) != 1 or not is_repeatable(owner):
        return "unsafe"
    sides = (mask.left, mask.comparisons[0].comparator)
    same = [whole(code, side) == whole(code, owner) for side in sides]
    compared = any(same) and _number(sides[same.index(True) - 1]) is not None
    return "safe" if compared and type(number) in _KINDS.get(dtype, ()) else "unsafe"


def _number(node: cst.BaseExpression) -> complex | None:
    """The value of a literal number, with its sign; True and False are numbers."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, (cst.Minus, cst.Plus)):
        return None if isinstance(node.expression, cst.UnaryOperation) else _number(node.expression)
    if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary)):
        number: complex = node.evaluated_value
        return number
    return {"True": True, "False": False}.get(node.value) if isinstance(node, cst.Name) else None
