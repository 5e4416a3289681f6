"""Guards: code around an operation that decides whether it is reached, or that seems to.

A guard wraps the operation's lines, given the value's expression and how a result is
returned. Whether the operation is then reached is left to JAX.
"""

from __future__ import annotations

from collections.abc import Callable

from .block import Lines, indented
from .spec import FLAG, VECTOR, Flag

Guard = Callable[[str, Lines, Callable[[str], str]], Lines]


def _inside(header: str) -> Guard:
    return lambda v, lines, leave: [header.replace("{v}", v), *indented(lines)]


def _after_return(header: str) -> Guard:
    return lambda v, lines, leave: [header.replace("{v}", v), f"    {leave(v)}", *lines]


def _try(handler: str) -> Guard:
    return lambda v, lines, leave: ["try:", *indented(lines), handler, "    pass"]


def _finally(v: str, lines: Lines, leave: Callable[[str], str]) -> Lines:
    return ["try:", *indented(lines), "finally:", "    done = True"]


def _else(header: str) -> Guard:
    return lambda v, lines, leave: [header.replace("{v}", v), "    pass", "else:", *indented(lines)]


GUARDS: dict[str, Guard] = {
    "none": lambda v, lines, leave: lines,
    "tracer-only": _inside("if isinstance({v}, jax.core.Tracer):"),
    "concrete-only": _inside("if not isinstance({v}, jax.core.Tracer):"),
    "concrete-else": _else("if isinstance({v}, jax.core.Tracer):"),
    "tracer-return": _after_return("if isinstance({v}, jax.core.Tracer):"),
    "concrete-return": _after_return("if not isinstance({v}, jax.core.Tracer):"),
    "predicate": _inside("if not is_traced({v}):"),
    "given": _inside("if {v} is not None:"),
    "missing": _inside("if {v} is None:"),
    "missing-return": _after_return("if {v} is None:"),
    "given-return": _after_return("if {v} is not None:"),
    "rank-return": _after_return("if jnp.ndim({v}) > 4:"),
    "rank": _inside("if jnp.ndim({v}) < 4:"),
    "shape-checked": _inside("if {v}.shape == (3,):"),
    "hasattr": _inside("if hasattr({v}, 'shape'):"),
    "hasattr-return": _after_return("if hasattr({v}, 'shape'):"),
    "python-only": _inside("if isinstance({v}, (int, float)):"),
    "python-return": _after_return("if isinstance({v}, (int, float)):"),
    "array-only": _inside("if isinstance({v}, jax.Array):"),
    "host-only": _inside("if isinstance({v}, np.ndarray):"),
    "try-caught": _try("except Exception:"),
    "try-type-error": _try("except (TypeError, IndexError):"),
    "try-uncaught": _try("except KeyError:"),
    "finally": _finally,
    "compile-time": _inside("with jax.ensure_compile_time_eval():"),
    "loop": _inside("for _ in range(2):"),
    "named-scope": _inside("with jax.named_scope('inner'):"),
}
# Guards behind which a traced value is still reached.
OPEN_GUARDS = (
    "given",
    "missing-return",
    "rank-return",
    "rank",
    "hasattr",
    "python-return",
    "array-only",
    "tracer-only",
    "concrete-return",
    "try-uncaught",
    "finally",
    "compile-time",
    "loop",
    "named-scope",
)
# A guard that cannot be asked of values of some kinds.
ONLY_FOR = {"shape-checked": (VECTOR,)}
NOT_FOR = {"missing": (FLAG,)}

PREDICATE = ("def is_traced(a):", "    return isinstance(a, jax.core.Tracer)")


def flagged(flag: Flag, expression: str, value: str, lines: Lines, leave: Callable[[str], str]) -> Lines:
    """The operation behind a Python bool; it is reached where `flag.value` is true."""
    match flag.shape:
        case "if":
            return [f"if {expression}:", *indented(lines)]
        case "unless":
            return [f"if not {expression}:", *indented(lines)]
        case "return":
            return [f"if not {expression}:", f"    {leave(value)}", *lines]
        case "else":
            return [f"if {expression}:", "    pass", "else:", *indented(lines)]
    raise ValueError(f"no such shape of a flag: {flag.shape}")


def written(flag: Flag) -> bool:
    """The bool to write so that the operation is reached exactly where `flag.value`."""
    return flag.value if flag.shape in ("if", "return") else not flag.value
