"""JAX210: f-strings that show a tracer where `jax.debug.print` would show its value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Claim,
    Example,
    Fix,
    Located,
    NodeFinding,
    SourceModel,
    SyntacticRule,
    Text,
    cst,
    has_comment,
    replaced,
    whole,
)

_FUNCTIONS = ("jax.debug.print", "jax.debug.log")
_OPTIONS = frozenset(("fmt", "ordered", "partitioned", "skip_format_check"))


class DebugPrintOfFstring(SyntacticRule):
    """An f-string formats a tracer before `jax.debug.print` gets it.

    ## What it does
    Finds `jax.debug.print(f"...{x}...")` in traced code where `x` is a tracer, or holds one; also where the
    text gets there through a variable, or `str`, `%` or `format` has made it.

    ## Why
    Python formats the f-string while JAX traces: every call of the compiled function prints the same text,
    such as `JitTracer<float32[]>`, and never a value. `jax.debug.print` takes the values as arguments of its
    own and formats them when the program runs.

    ## When it is fine
    Static values are known while tracing: `f"{name}: {{x}}"`, which puts a name into the template, is right,
    and is not reported. A format such as `{x:.3f}` raises for a tracer: see JAX105.

    ## Fix safety
    The fix makes an f-string that is written there a template and passes what it shows as arguments. It is
    unsafe because other text is printed. None is offered where something in the f-string is no array, where
    it has braces or conversions, or where there are other arguments than options.
    """

    code = "JAX210"
    name = "debug-print-of-fstring"
    category = "suspicious"
    nursery = True
    fix = "unsafe"
    needs = ("debug",)
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    error = jnp.mean((w - x) ** 2)
    jax.debug.print(f"error = {error}")
    return error


print(loss(2.0, jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    error = jnp.mean((w - x) ** 2)
    jax.debug.print("error = {error}", error=error)
    return error


print(loss(2.0, jnp.ones(3)))
""",
        ),
    )
    claim = Claim(
        "side-effect", calls=("loss(2.0, jnp.ones(3))",), times=3, text="error = 1.0", bad=0, good=3
    )

    def visit_Call(self, node: cst.Call, m: SourceModel) -> Iterator[NodeFinding]:
        if not node.args or node.args[0].star or node.args[0].keyword is not None:
            return
        template = node.args[0].value
        if isinstance(template, cst.SimpleString) or m.name_of(node.func) not in _FUNCTIONS:
            return
        if not isinstance(template, (cst.FormattedString, cst.ConcatenatedString)):
            if any(
                isinstance(value, Text) and m.shows_tracer(value, "SB") for value in m.values_of(template)
            ):
                yield NodeFinding(
                    node,
                    "`{it}` is a text that shows a tracer, and not its value at each call",
                    help='{print}("{}", ...) shows the value whenever it is computed',
                    label="formatted while tracing",
                    names={"it": template, "print": node.func},
                    data=False,
                )
            return
        shown = [*_shown(template)]
        for part in shown:
            values = () if part.format_spec is not None else m.values_of(part.expression)
            if any(m.holds_tracer(value, "SB") for value in values):
                yield NodeFinding(
                    node,
                    "the f-string shows a tracer, and not the value of `{it}` at each call",
                    help='{print}("{}", {it})',
                    label="formatted while tracing",
                    names={"it": part.expression, "print": node.func},
                    data=all(m.is_array(m.value_of(each.expression)) for each in shown),
                )
                return

    def repair(self, finding: NodeFinding, code: Located) -> Fix | None:
        call = finding.node
        if not finding.data or not isinstance(call, cst.Call) or has_comment(code, call):
            return None
        template, options = call.args[0].value, call.args[1:]
        if any(each.keyword is None or each.keyword.value not in _OPTIONS for each in options):
            return None
        arguments = _arguments(code, template) if isinstance(template, cst.FormattedString) else None
        if arguments is None:
            return None
        edit = replaced(code, template, ", ".join(arguments))
        return Fix("unsafe", "pass the values as arguments", (edit,))


def _shown(node: cst.BaseExpression) -> Iterator[cst.FormattedStringExpression]:
    """What an f-string, or the f-strings among adjacent strings, show."""
    if isinstance(node, cst.ConcatenatedString):
        yield from _shown(node.left)
        yield from _shown(node.right)
    elif isinstance(node, cst.FormattedString):
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                yield part


def _arguments(code: Located, node: cst.FormattedString) -> list[str] | None:
    """The template that an f-string becomes, and what it shows; a variable goes by its name."""
    text, values, named = "", [], []
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            if "{" in part.value or "}" in part.value:
                return None
            text += part.value
            continue
        assert isinstance(part, cst.FormattedStringExpression)
        if part.conversion is not None or part.equal is not None or part.format_spec is not None:
            return None
        shown = part.expression
        if isinstance(shown, cst.Name) and shown.value not in _OPTIONS:
            text += f"{{{shown.value}}}"
            named.append(f"{shown.value}={shown.value}")
        elif isinstance(shown, (cst.Yield, cst.NamedExpr, cst.GeneratorExp, cst.Tuple)):
            return None
        else:
            text += "{}"
            values.append(whole(code, shown))
    prefix = node.start[: -len(node.end)].replace("f", "").replace("F", "")
    return [f"{prefix}{node.end}{text}{node.end}", *values, *dict.fromkeys(named)]
