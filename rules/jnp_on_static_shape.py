"""JAX113: jax.numpy arithmetic on shapes, where a static number is needed."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Array,
    Call,
    Claim,
    Edit,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    MutableContainer,
    Part,
    Product,
    Rule,
    Subscript,
    TracerPytree,
    Tuple,
    Value,
    cst,
    has_builtin,
    has_comment,
    meaning,
    operand,
    replaced,
    spelling,
    traced_static_arguments,
)

_CASTS = {
    "builtins.range": "TracerIntegerConversionError",
    "builtins.int": "ConcretizationTypeError",
    "builtins.float": "ConcretizationTypeError",
    "builtins.bool": "TracerBoolConversionError",
    "builtins.list.pop": "TracerIntegerConversionError",
    "builtins.list.insert": "TracerIntegerConversionError",
}
# Functions that give the same integers in NumPy.
_EXACT = frozenset(
    "abs add array asarray ceil cumprod cumsum floor floor_divide max maximum min minimum mod multiply prod"
    " remainder subtract sum".split()
)
_PAIRS = {"minimum": "min", "maximum": "max"}


class JnpOnStaticShape(Rule):
    """jax.numpy arithmetic on a shape, where a static number is needed.

    ## What it does
    Finds shapes, lengths, axes, bounds and conversions to `int` that get a number which jax.numpy computed,
    while tracing, from shapes and constants only.

    ## Why
    Under `jit` and in the bodies of `jax.lax` loops, jax.numpy functions return tracers even for constants.
    The shape was static, but the result is not: `TypeError` or `ConcretizationTypeError`.

    ## When it is fine
    Shapes used as data: `x / jnp.array(x.shape)`. `jnp.shape`, `jnp.ndim` and `jnp.size` return Python
    numbers. Under `vmap` or `grad` alone, in eager code and under `ensure_compile_time_eval` jax.numpy
    computes at once.

    ## Fix safety
    Safe if Python or NumPy computes the same integers: `math.prod(x.shape)`, `min`, `max`, `//`, or the same
    functions of NumPy. Unsafe for functions that round, because NumPy computes them with 64 bits.
    """

    code = "JAX113"
    name = "jnp-on-static-shape"
    category = "correctness"
    fix = "safe"
    unless = ("JAX105",)
    raises = (
        "TypeError", "ConcretizationTypeError", "TracerIntegerConversionError", "IndexError", "JAXTypeError",
    )  # fmt: skip
    calls = ("jax", "builtins", "numpy")
    only_traced = True
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    return x.reshape(jnp.prod(jnp.array(x.shape)))


print(flatten(jnp.ones((2, 3))))
""",
            good="""
import jax
import jax.numpy as jnp
import math


@jax.jit
def flatten(x):
    return x.reshape(math.prod(x.shape))


print(flatten(jnp.ones((2, 3))))
""",
            prints="[1. 1. 1. 1. 1. 1.]",
        ),
    )
    claim = Claim("raises", "builtins.TypeError", "Shapes must be 1D sequences of concrete values")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.name.startswith(("jax.", "numpy.")):
            for _, which, value in traced_static_arguments(call, m):
                if _is_shape(value):
                    yield _finding(Part(call.nid, (("argument", which),)), "TypeError")
                    return
        elif call.name in _CASTS:
            for position, value in enumerate(call.args):
                if _is_shape(value):
                    yield _finding(Part(call.nid, (("argument", position),)), _CASTS[call.name])
                    return

    def visit_Subscript(self, event: Subscript, m: Model) -> Iterator[Finding]:
        owner = event.value
        is_array = isinstance(owner, (Array, TracerPytree))
        if not is_array and not isinstance(owner, (MutableContainer, Tuple)):
            return
        error = "IndexError" if is_array else "TracerIntegerConversionError"
        parts = (event.index.items or ()) if isinstance(event.index, Tuple) else (event.index,)
        for position, part in enumerate(parts):
            if isinstance(part, Product) and part.kind == "slice":
                for which, bound in zip(("lower", "upper", "step"), part.parts, strict=False):
                    if _is_shape(bound):
                        yield _finding(Part(event.nid, ("slice", position, "slice", which)), error)
                        return
            elif _is_shape(part) and not is_array:
                yield _finding(Part(event.nid, ("slice", position, "slice", "value")), error)
                return

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.part(finding.data)
        if node is None or has_comment(code, node):
            return None
        edits: list[Edit] = []
        modules: set[str] = set()
        left = _by_python(code, node, edits, modules)
        if not edits and left:
            edits, modules = [], {"numpy"}
        elif left or not edits:
            return None
        names = {module: spelling(code, module) for module in sorted(modules)}
        for known in names.values():
            if known is None:
                return None
            edits += known[1]
        if not left:
            return Fix("safe", "compute it with Python numbers", tuple(edits))
        numpy = names["numpy"]
        if numpy is None:
            return None
        edits += [replaced(code, root, numpy[0]) for root, _ in left]
        exact = all(name in _EXACT for _, name in left)
        return Fix("safe" if exact else "unsafe", "compute it with NumPy", tuple(edits))


def _is_shape(value: Value) -> bool:
    """Whether jax.numpy made this, while tracing, of shapes and constants."""
    return isinstance(value, Array) and value.shape


def _finding(part: Part, error: str) -> Finding:
    return Finding(
        part.nid,
        f"jax.numpy made a tracer of a shape in `{{it}}`: raises {error}",
        help="math.prod(x.shape), min, max or NumPy compute with shapes",
        label="a tracer",
        names={"it": part},
        data=part,
    )


def _by_python(
    code: Located, node: cst.CSTNode, edits: list[Edit], modules: set[str]
) -> list[tuple[cst.BaseExpression, str]]:
    """Writes what Python can compute itself; returns the names of jax.numpy's module that are left, each
    with the function that it is asked for."""
    text = _python(code, node, modules) if isinstance(node, cst.BaseExpression) else None
    if text is not None:
        edits.append(replaced(code, node, text))
        return []
    left: list[tuple[cst.BaseExpression, str]] = []
    name = _function(code, node)
    if name and isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        left.append((node.func.value, name))
    for child in node.children:
        left += _by_python(code, child, edits, modules)
    return left


def _python(code: Located, node: cst.BaseExpression, modules: set[str]) -> str | None:
    """The same number without jax.numpy; None where this knows no such text."""
    if not isinstance(node, cst.Call) or any(arg.star or arg.keyword for arg in node.args):
        return None
    inner = [arg.value for arg in node.args]
    name = _function(code, node)
    if name == "prod" and len(inner) == 1:
        return _product(code, inner[0], modules)
    pair = _PAIRS.get(name, "")
    if has_builtin(code, pair) and len(inner) == 2 and not any(_uses_jnp(code, each) for each in inner):
        return f"{pair}({code.text_of(inner[0])}, {code.text_of(inner[1])})"
    if name == "floor_divide" and len(inner) == 2 and not any(_uses_jnp(code, each) for each in inner):
        return f"{operand(code, inner[0])} // {operand(code, inner[1])}"
    if isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Call):
        before = node.func.value
        if node.func.attr.value == "prod" and not inner and _function(code, before) in ("array", "asarray"):
            return _product(code, before, modules)
        rounded = _function(code, before)
        to_int = len(inner) == 1 and isinstance(inner[0], cst.Name) and inner[0].value == "int"
        if node.func.attr.value == "astype" and rounded in ("ceil", "floor") and to_int:
            if len(before.args) == 1 and not _uses_jnp(code, before.args[0].value):
                return f"{_math(code, modules)}.{rounded}({code.text_of(before.args[0].value)})"
    return None


def _product(code: Located, node: cst.BaseExpression, modules: set[str]) -> str | None:
    """`math.prod` of a shape that jnp.array may stand around."""
    if isinstance(node, cst.Call) and _function(code, node) in ("array", "asarray") and len(node.args) == 1:
        node = node.args[0].value
    if _uses_jnp(code, node) or isinstance(node, cst.Call):
        return None
    return f"{_math(code, modules)}.prod({code.text_of(node)})"


def _math(code: Located, modules: set[str]) -> str:
    """What the file calls the module `math`, which a fix then needs."""
    modules.add("math")
    known = spelling(code, "math")
    return "math" if known is None else known[0]


def _function(code: Located, node: cst.CSTNode) -> str:
    """The name in jax.numpy of the function that a call calls; empty for any other."""
    name = meaning(code, node.func) if isinstance(node, cst.Call) else None
    return name.removeprefix("jax.numpy.") if name is not None and name.startswith("jax.numpy.") else ""


def _uses_jnp(code: Located, node: cst.CSTNode) -> bool:
    return bool(_function(code, node)) or any(_uses_jnp(code, child) for child in node.children)
