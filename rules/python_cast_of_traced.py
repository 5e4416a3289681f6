"""JAX105: casts of traced values to numbers of Python."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    METHODS,
    STANDARD,
    Array,
    Call,
    Claim,
    Example,
    Finding,
    Fix,
    Format,
    Located,
    Model,
    Part,
    Rule,
    Value,
    bounds,
    cst,
    cut,
    has_comment,
    operand,
    replaced,
    safety,
)

# cast -> the tracers that it raises for, the error
_CASTS = {
    "builtins.float": ("SBD", "ConcretizationTypeError"),
    "builtins.int": ("SB", "ConcretizationTypeError"),
    "builtins.bool": ("SB", "TracerBoolConversionError"),
    "builtins.complex": ("SBD", "ConcretizationTypeError"),
    **dict.fromkeys(
        ("operator.index", "builtins.hex", "builtins.oct", "builtins.bin", "builtins.chr", "builtins.bytes"),
        ("SB", "TracerIntegerConversionError"),
    ),
}
_CALLED = tuple(sorted({name.partition(".")[0] for name in STANDARD} | {"builtins"}))
# methods of arrays that no tracer has, where no static argument makes up for it
_METHODS = {
    f"jax.Array.{name}": (levels, error)
    for name, (kind, _, _, levels, error, _, _, size) in METHODS.items()
    if kind == "method" and levels and not size and not name.startswith("__")
}
_AS_IT_IS = ("item", "tolist")


_OF_CASTS = ("ConcretizationTypeError", "TypeError", "JAXTypeError")
# the methods by which Python converts an object
_CONVERTS = frozenset(f"__{name}__" for name in "bool int float complex index len".split())


class PythonCastOfTraced(Rule):
    """A tracer is converted to a Python number.

    ## What it does
    Finds `float(x)`, `int(x)`, `bool(x)`, `complex(x)`, `operator.index(x)`, `x.item()`, `x.tolist()` and
    format specs such as `f"{x:.2f}"` where `x` is certainly a traced array; `hex`, `bin` and `chr` too, other
    methods that need the buffer of an array, as `x.block_until_ready()`, and functions of the standard
    library that need numbers, of `statistics`, `decimal`, `json`, `struct` and others.

    ## Why
    A conversion needs a concrete value, and a tracer has none: `ConcretizationTypeError`, or for a format
    spec `TypeError`. A scalar array can be used like a number as it is.

    ## When it is fine
    Conversions of what is concrete while tracing: `int(x.shape[0])`, `float(eps)` of a Python number.
    `round(x)`, `f"{x}"` without a spec, and `x.astype(float)` work on tracers. Under `jax.grad` alone `int`,
    `bool` and `.item()` work, while `float`, `complex`, `.tolist()` and format specs raise.

    ## Fix safety
    The fix is unsafe: `x.astype(float)` stays a JAX array with JAX's default dtype, where `float(x)` was
    meant to be a Python number. It is only shown if the number may be needed while tracing, as the length of
    a loop or a shape is.
    """

    code = "JAX105"
    name = "python-cast-of-traced"
    category = "correctness"
    fix = "unsafe"
    raises = (*_OF_CASTS, "AttributeError", "error")
    calls = (*_CALLED, "jax", "operator")
    only_traced = True
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def normalise(x):
    return x / float(x.max())


print(normalise(jnp.arange(1.0, 4.0)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def normalise(x):
    return x / x.max().astype(float)


print(normalise(jnp.arange(1.0, 4.0)))
""",
            prints="[0.33333334 0.6666667  1.        ]",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def mean_square(error):
    return {"loss": jnp.mean(error**2).item()}


print(mean_square(jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def mean_square(error):
    return {"loss": jnp.mean(error**2)}


print(mean_square(jnp.ones(3)))
""",
            prints="{'loss': Array(1., dtype=float32)}",
        ),
    )
    claim = Claim("raises", "jax.errors.ConcretizationTypeError", "Abstract tracer value encountered")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if not call.traced:
            return  # a tracer that outlived its trace: tracer-leak says so
        if call.name in _CASTS and call.args:
            levels, error = _CASTS[call.name]
            value = call.args[0]
            # What jax.numpy makes of a shape has a rule of its own, jnp-on-static-shape.
            is_found = m.traced if call.name == "builtins.bool" else m.no_number
            if is_found(value, levels) and not (isinstance(value, Array) and value.shape):
                cast = call.name.rpartition(".")[2]
                help = f"{{it}}.astype({cast})" if cast in ("float", "int", "complex", "bool") else "{it}"
                yield Finding(
                    call.nid,
                    f"needs a concrete value, but `{{it}}` is traced: raises {error}",
                    help=f"{help}: an array without dimensions can be used like a number",
                    label="a traced value",
                    names={"cast": Part(call.nid, ("func",)), "it": Part(call.nid, (("argument", 0),))},
                    data=cast if len(call.args) == 1 and not call.keywords else None,
                    raises=_OF_CASTS,
                )
        elif call.name in STANDARD:
            yield from _of_standard_library(call, m)
        elif call.name in _METHODS and m.traced(call.receiver, _METHODS[call.name][0]):
            method, error = call.name.rpartition(".")[2], _METHODS[call.name][1]
            yield Finding(
                call.nid,
                f"needs a concrete value, but `{{it}}` is traced: raises {error}",
                help="{it} as it is: an array stays an array while tracing"
                if method in _AS_IT_IS
                else "call it on the result, outside of the traced function: a tracer has no buffer",
                label="a traced value",
                names={"it": Part(call.nid, ("func", "value"))},
                data=method if method in _AS_IT_IS and not call.args and not call.keywords else None,
                raises=(error, *_OF_CASTS),
            )

    def visit_FormattedString(self, text: Format, m: Model) -> Iterator[Finding]:
        if text.spec and m.no_number(text.value, "SBD"):
            yield Finding(
                text.nid,
                "a format spec needs a concrete value, but `{it}` is traced: raises TypeError",
                help='jax.debug.print("{...}", ...) formats the value when the program runs',
                label="a traced value",
                names={"it": Part(text.nid, ("expression",))},
                raises=_OF_CASTS,
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        call = code.node(finding.nid)
        if finding.data is None or not isinstance(call, cst.Call) or has_comment(code, call):
            return None
        outer: cst.CSTNode | None = call
        while outer is not None and not isinstance(outer, (cst.FunctionDef, cst.Lambda)):
            outer = code.parent(outer)
        if isinstance(outer, cst.FunctionDef) and outer.name.value in _CONVERTS:
            return None  # Python takes no array from it
        if finding.data == "item" and isinstance(call.func, cst.Attribute):
            end = bounds(code, call.func.value)[1]
            return Fix(
                safety(code, call), "leave the array as it is", (cut(code, end, code.offsets(call)[1]),)
            )
        if finding.data == "tolist" or len(call.args) != 1 or call.args[0].keyword or call.args[0].star:
            return None
        text = operand(code, call.args[0].value)
        if finding.data != "index":
            text = f"{text}.astype({finding.data})"
        return Fix(
            safety(code, call),
            f"write `{text}`" if "\n" not in text else "cast the array",
            (replaced(code, call, text),),
        )


def _of_standard_library(call: Call, m: Model) -> Iterator[Finding]:
    """The first argument that a function of the standard library makes a number of, or tests."""
    if not call.exact or not all(_is_plain(name, value, call, m) for name, value in call.keywords.items()):
        return
    for position, parameter, part, levels, errors in STANDARD[call.name]:
        value = call.arg(position, parameter)
        if value is None or part == "several":
            continue
        items = m.items(value) if part == "items" and not m.is_array(value) else (value,)
        if not any(m.no_number(each, levels.lstrip("!")) for each in items or (m.iterate(value, call.nid),)):
            continue
        error = errors.split()[0].rpartition(":")[2]
        if error.islower():  # a class of the function's own module
            error = f"{call.name.partition('.')[0]}.{error}"
        which = parameter if parameter in call.keywords else position
        func = call.name.rpartition(".")[2]
        yield Finding(
            call.nid,
            f"`{func}` needs a concrete value, but `{{it}}` is traced: raises {error}",
            help="jax.pure_callback calls it when the compiled program runs",
            label="a traced value",
            names={"it": Part(call.nid, (("argument", which),))},
            raises=(error, *_OF_CASTS),
        )
        return


def _is_plain(name: str, value: Value, call: Call, m: Model) -> bool:
    """Whether a keyword argument is one that the table lists, or a constant: a function may take over."""
    return m.constants(value) is not None or name in [row[1] for row in STANDARD[call.name]]
