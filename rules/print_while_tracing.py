"""JAX202: print of traced values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.rule import (
    Call,
    Claim,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Part,
    Rule,
    Text,
    cst,
    has_comment,
    replaced,
    spelled,
    spelling,
    whole,
)

_PRINTS = frozenset(("builtins.print", "pprint.pprint", "pprint.pp"))
_TEXT = frozenset(("sep", "end", "object"))  # the parameters of `print` and `pprint` that are shown
_STREAMS = frozenset(("sys.stdout.write", "sys.stderr.write"))


class PrintWhileTracing(Rule):
    """A traced value is printed by Python's `print`.

    ## What it does
    Finds `print` and `pprint` of tracers, alone, in containers, in objects whose text shows them or in
    formatted strings, in jitted functions and in the bodies of loops and branches of `jax.lax`; also what
    is written so to `sys.stdout` and `sys.stderr`.

    ## Why
    The call runs while JAX traces, once per trace, and prints a tracer such as `JitTracer(float32[])`
    instead of a number. Calls of the compiled function print nothing. `jax.debug.print` is part of the
    compiled program and prints the value at every call.

    ## When it is fine
    Shapes, dtypes, types and static arguments are concrete while tracing and may be printed then. Callbacks
    print on the host. Under `vmap` or `grad` alone `print` runs at every call. What is printed where an error
    is raised next says where tracing ended.

    ## Fix safety
    Unsafe: `jax.debug.print` prints when the program runs, which may be later and in another order, and adds
    an effect to the program.
    """

    code = "JAX202"
    name = "print-while-tracing"
    category = "suspicious"
    fix = "unsafe"
    idle_in_tests = True
    calls = ("builtins.print", "pprint", "sys")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    error = jnp.mean((w - x) ** 2)
    print("error", error)
    return error


print(loss(1.0, jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    error = jnp.mean((w - x) ** 2)
    jax.debug.print("error {}", error)
    return error


print(loss(1.0, jnp.ones(3)))
""",
        ),
    )
    claim = Claim("side-effect", calls=("loss(1.0, jnp.ones(3))",), times=3, text="error", bad=0, good=3)

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.name not in _PRINTS and call.name not in _STREAMS:
            return
        if not call.staged or m.ends_in_error(call):
            return
        named = [value for name, value in call.keywords.items() if name in _TEXT]
        if any(m.shows_tracer(each, "SB") for each in (*call.args, *named)):
            yield Finding(
                call.nid,
                "`{print}` shows a tracer, once per trace, and not the value at each call",
                help='jax.debug.print("{}", ...) shows the value whenever it is computed',
                label="prints a tracer",
                names={"print": Part(call.nid, ("func",))},
                data=tuple(isinstance(each, Text) for each in call.args if call.name in _PRINTS),
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        call = code.node(finding.nid)
        if not isinstance(call, cst.Call) or has_comment(code, call):
            return None
        if not call.args or any(each.star or each.keyword is not None for each in call.args):
            return None
        name = spelled(code, "jax.debug")
        found = (f"{name}", ()) if name is not None else spelling(code, "jax")
        if found is None or len(finding.data) != len(call.args):
            return None
        parts = [
            _template(code, each.value, made) for each, made in zip(call.args, finding.data, strict=True)
        ]
        if None in parts:
            return None
        if name is None:
            found = (f"{found[0]}.debug", found[1])
        text = _quoted(" ".join(part[0] for part in parts if part is not None))
        values = [value for part in parts if part is not None for value in part[1]]
        edit = replaced(code, call, f"{found[0]}.print({', '.join((text, *values))})")
        return Fix("unsafe", f"write `{found[0]}.print`", (edit, *found[1]))


def _template(code: Located, node: cst.BaseExpression, made: bool) -> tuple[str, list[str]] | None:
    """A printed argument as a part of a format string, with the values that it shows; `made`: it is a
    string made of tracers."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        text = node.evaluated_value
        return (_doubled(text), []) if isinstance(text, str) else None
    if isinstance(node, cst.FormattedString):
        return _formatted(code, node)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        template = node.func.value
        if node.func.attr.value == "format" and isinstance(template, cst.SimpleString):
            if any(each.star or each.keyword is not None for each in node.args):
                return None
            text = template.evaluated_value
            return (text, [whole(code, each.value) for each in node.args]) if isinstance(text, str) else None
    if made or isinstance(node, (cst.GeneratorExp, cst.NamedExpr, cst.Yield)):
        return None
    return "{}", [whole(code, node)]


def _formatted(code: Located, node: cst.FormattedString) -> tuple[str, list[str]] | None:
    text, values = "", []
    if "r" in node.prefix.lower():
        return None
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            plain = part.value.replace("{{", "{").replace("}}", "}")
            quote = node.quote
            text += _doubled(ast.literal_eval(f"{quote}{plain}{quote}"))
        elif isinstance(part, cst.FormattedStringExpression):
            if part.conversion is not None or part.equal is not None:
                return None
            spec = ""
            for inner in part.format_spec or ():
                if not isinstance(inner, cst.FormattedStringText):
                    return None
                spec += inner.value
            text += f"{{:{spec}}}" if spec else "{}"
            values.append(whole(code, part.expression))
    return text, values


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for letter, name in (("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        escaped = escaped.replace(letter, name)
    return f'"{escaped}"'
