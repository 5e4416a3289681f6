"""JAX117: `max`, `min`, `any`, `all` and `sorted` of traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Call,
    Claim,
    Decision,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Part,
    Rule,
    cst,
    replaced,
    safety,
    spelling,
)

_OF_ONE = {"max": "max", "min": "min", "any": "any", "all": "all", "sorted": "sort"}
_CURES = {
    "sorted": "jnp.argsort(...) of an array of the compared values", "sort": "jnp.argsort(...) of an array",
    "max": "jnp.argmax(...) of an array of the compared values",
    "min": "jnp.argmin(...) of an array of the compared values",
    "index": "jnp.argmax(array == value)", "count": "jnp.sum(array == value)",
}  # fmt: skip
_OF_TWO = {"max": "maximum", "min": "minimum"}


class PythonBuiltinOnTraced(Rule):
    """`max`, `min`, `any`, `all` or `sorted` of tracers.

    ## What it does
    Finds these Python functions where they compare certainly traced arrays, or convert them or what a `key`
    returns for them to bools; likewise `filter` and similar functions of `itertools`, `jax.tree.all`, and
    the methods `sort`, `index`, `count` and `remove` of lists, functions of `heapq`, `bisect` and `operator`
    that compare or test; and the call of an enumeration, which looks
    for the member that is equal.

    ## Why
    They need a concrete bool for every element while JAX traces the function, and a tracer has no concrete
    value: `TracerBoolConversionError`. From Python 3.13 on an enumeration looks for a hash instead:
    `ValueError`.

    ## When it is fine
    `sum(x)`, `abs(x)`, `round(x)` and `len(x)` work on tracers. Shapes and other numbers that are concrete
    while tracing may be compared. Under `jax.grad` alone the values are concrete.

    ## Fix safety
    The fix, `jnp.maximum(a, b)`, `jnp.max(x)` and so on, is unsafe: it promotes dtypes and propagates nan,
    where Python returns one of its arguments unchanged. It is only shown if the result may be needed while
    tracing.
    """

    code = "JAX117"
    name = "python-builtin-on-traced"
    category = "correctness"
    fix = "unsafe"
    raises = (
        "TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError", "ValueError",
    )  # fmt: skip
    calls = (*(f"builtins.{name}" for name in _OF_ONE), "jax.tree.all", "jax.tree_util.tree_all")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def hinge(margin):
    return max(1.0 - margin, 0.0)


print(hinge(0.25))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def hinge(margin):
    return jnp.maximum(1.0 - margin, 0.0)


print(hinge(0.25))
""",
            prints="0.75",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def peak(signal):
    return signal / max(jnp.abs(signal))


print(peak(jnp.arange(1.0, 4.0)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def peak(signal):
    return signal / jnp.max(jnp.abs(signal))


print(peak(jnp.arange(1.0, 4.0)))
""",
            prints="[0.33333334 0.6666667  1.        ]",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerBoolConversionError", "Attempted boolean conversion")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        name = call.name.removeprefix("builtins.")
        if name.endswith("tree_all") or name == "jax.tree.all":
            if call.args and not call.keywords and m.traced(m.leaf(call.args[0])):
                yield Finding(
                    call.nid,
                    "`{all}` calls `bool` on the leaves of `{it}`: raises TracerBoolConversionError",
                    help="jax.tree.reduce(jnp.logical_and, {it})",
                    label="of traced leaves",
                    names={"all": Part(call.nid, ("func",)), "it": Part(call.nid, (("argument", 0),))},
                )
            return
        if name not in _OF_ONE or not call.args or not call.exact or "key" in call.keywords:
            return
        which = _asked(call, name, m)
        if which is None:
            return
        twin = _OF_TWO[name] if len(call.args) > 1 else _OF_ONE[name]
        certain = not call.keywords and (
            len(call.args) == 2 or (len(call.args) == 1 and m.is_array(call.args[0]))
        )
        yield Finding(
            call.nid,
            f"`{name}` calls `bool` on traced `{{it}}`: raises TracerBoolConversionError"
            if name in ("any", "all")
            else f"`{name}` compares traced `{{it}}`: raises TracerBoolConversionError",
            help=f"jnp.{twin}(...)" if len(call.args) < 3 else f"jnp.{twin}(jnp.{twin}(..., ...), ...)",
            label="of traced values",
            names={"it": Part(call.nid, (("argument", which),))},
            data=twin if certain else None,
        )

    def visit_Decision(self, decision: Decision, m: Model) -> Iterator[Finding]:
        if not m.traced(decision.value):
            return
        if decision.which == "enum":
            yield Finding(
                decision.nid,
                f"`{decision.function}` looks up a tracer: raises TracerBoolConversionError or ValueError",
                help="compare with the members' values: jnp.where(x == Kind.A.value, ...)",
                label="looks for a member that is equal",
                raises=("TracerBoolConversionError", "ValueError"),
            )
            return
        is_method = decision.which == "func"
        name = f".{decision.function}" if is_method else decision.function
        yield Finding(
            decision.nid,
            f"`{name}` calls `bool` on a tracer: raises TracerBoolConversionError",
            help=_CURES.get(decision.function, "jnp.where(...) on an array of the values"),
            label="compares or tests a traced value",
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        call = code.node(finding.nid)
        name = spelling(code, "jax.numpy")
        if finding.data is None or name is None or not isinstance(call, cst.Call):
            return None
        text = f"{name[0]}.{finding.data}"
        return Fix(safety(code, call), f"write `{text}`", (replaced(code, call.func, text), *name[1]))


def _asked(call: Call, name: str, m: Model) -> int | None:
    """The position of the argument whose truth, or that of its elements, is asked for while tracing."""
    if len(call.args) > 1:
        compared = [m.compares_traced(call, value) or m.no_number(value) for value in call.args]
        known = all(yes or m.is_static(value) for yes, value in zip(compared, call.args, strict=True))
        return compared.index(True) if name in _OF_TWO and known and True in compared else None
    items = m.items(call.args[0])
    if items is None:
        return 0 if m.traced(m.iterate(call.args[0], call.nid)) else None
    if name not in ("any", "all"):
        return 0 if len(items) > 1 and any(m.compares_traced(call, item) for item in items) else None
    for item in items:
        if m.traced(item):
            return 0
        if m.truth(item) is (name == "any"):
            break  # an element that decides ends the search before a tracer is met
    return None
