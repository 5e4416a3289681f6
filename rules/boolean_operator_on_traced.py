"""JAX103: `and`, `or`, `not`, chained comparisons and `in` on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Array,
    Boolean,
    Claim,
    Edit,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Part,
    Rule,
    around,
    cst,
    has_comment,
    is_atom,
    is_repeatable,
    operand,
    replaced,
    safety,
    spelling,
    whole,
)

_ERROR = "raises TracerBoolConversionError"
_BOOL = "needs a concrete bool, but `{it}` is traced"
_BITWISE = {"and": "&", "or": "|"}
# operator -> what the message says, the part of the node that is asked for its truth, the help
_SHAPES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "and": (_BOOL, ("left",), "({it}) & (...), or jnp.logical_and({it}, ...)"),
    "or": (_BOOL, ("left",), "({it}) | (...), or jnp.logical_or({it}, ...)"),
    "not": (_BOOL, ("expression",), "jnp.logical_not({it})"),
    "chain": ("`{it}` calls `bool` on its first part", (), "(a < b) & (b < c) instead of a < b < c"),
    "==": ("`{it}` calls `bool` on each comparison", (), "jnp.all(jnp.asarray(...) == ...)"),
    "!=": ("`{it}` calls `bool` on each comparison", (), "jnp.any(jnp.asarray(...) != ...)"),
    **dict.fromkeys(
        ("<", "<=", ">", ">="),
        ("`{it}` calls `bool` on the first items", (), "jnp.where(a == b, ..., a < b), item by item"),
    ),
    "in": ("`{it}` calls `bool` on each comparison", (), "jnp.isin(...) or jnp.any(... == ...)"),
    "not in": ("`{it}` calls `bool` on each comparison", (), "~jnp.isin(...) or jnp.all(... != ...)"),
}

# operator -> the help where the left side may be more than a truth: it, or the right side, is the result
_CHOICE = {
    "and": "jnp.logical_and({it}, ...), or jnp.where({it}, ..., {it}) to select a value",
    "or": "jnp.logical_or({it}, ...), or jnp.where({it}, {it}, ...) to select a value",
}


class BooleanOperatorOnTraced(Rule):
    """`and`, `or`, `not`, a chained comparison or `in` on a tracer.

    ## What it does
    Finds operators that convert a certainly traced array to a bool: the left side of `and` and `or`, the
    operand of `not`, all but the last part of `a < b < c`, and `x in xs` or `(a, b) == (0, 0)` where tracers
    are compared, or tuples are put in order.

    ## Why
    These operators need a concrete bool to choose their result. A tracer has no concrete value:
    `TracerBoolConversionError`. `&`, `|`, `~` and `jnp.logical_and` work element by element instead.

    ## When it is fine
    Operands that are concrete while tracing: `x is not None and ...`, Python flags, shapes, `k in params` of
    a dict. The right side of `and` and `or` may be a tracer, because it is not converted.

    ## Fix safety
    The fix is unsafe: both sides are computed where Python would have stopped at the first, and the result
    is a boolean array where `or` would have returned one of its operands. It is only shown if the result is
    tested at once, or if the operand is not known to be boolean.
    """

    code = "JAX103"
    name = "boolean-operator-on-traced"
    category = "correctness"
    fix = "unsafe"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def in_band(x, low, high):
    return jnp.where(low < x and x < high, x, 0.0)


print(in_band(0.5, 0.0, 1.0))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def in_band(x, low, high):
    return jnp.where((low < x) & (x < high), x, 0.0)


print(in_band(0.5, 0.0, 1.0))
""",
            prints="0.5",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def in_unit_interval(x):
    return jnp.where(0.0 < x < 1.0, x, 0.0)


print(in_unit_interval(0.5))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def in_unit_interval(x):
    return jnp.where((0.0 < x) & (x < 1.0), x, 0.0)


print(in_unit_interval(0.5))
""",
            prints="0.5",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerBoolConversionError", "Attempted boolean conversion")

    def visit_BooleanOperation(self, operation: Boolean, m: Model) -> Iterator[Finding]:
        if m.traced(operation.value):
            said, path, cure = _SHAPES[operation.operator]
            is_mask = isinstance(operation.value, Array) and operation.value.dtype == "b"
            yield Finding(
                operation.nid,
                f"{said}: {_ERROR}",
                help=cure if is_mask or operation.operator not in _CHOICE else _CHOICE[operation.operator],
                label="on a traced value",
                names={"it": Part(operation.nid, path)},
                data=(operation.operator, is_mask),
            )

    visit_UnaryOperation = visit_Comparison = visit_BooleanOperation

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.node(finding.nid)
        operator, is_mask = finding.data
        if operator == "not" and isinstance(node, cst.UnaryOperation):
            edits = self._negated(node, is_mask, code)
        elif operator == "chain" and isinstance(node, cst.Comparison):
            edits = self._unchained(node, code)
        elif operator in _BITWISE and isinstance(node, cst.BooleanOperation):
            while isinstance(outer := code.parent(node), cst.BooleanOperation) and outer.left is node:
                node = outer
            edits = self._joined(node, is_mask, code)
        else:
            return None
        if edits is None:
            return None
        certain = is_mask or operator in ("not", "chain")
        applicability = safety(code, node) if certain else "displayonly"
        return Fix(applicability, "combine the values element by element", tuple(edits))

    def _negated(self, node: cst.UnaryOperation, is_mask: bool, code: Located) -> list[Edit] | None:
        """`~x` of what is boolean, else `jnp.logical_not(x)`."""
        if has_comment(code, node):
            return None
        if is_mask:
            return [replaced(code, node, f"~{operand(code, node.expression)}")]
        name = spelling(code, "jax.numpy")
        if name is None:
            return None
        text = f"{name[0]}.logical_not({code.text_of(node.expression)})"
        return [replaced(code, node, text), *name[1]]

    def _unchained(self, node: cst.Comparison, code: Located) -> list[Edit] | None:
        """`(a < b) & (b < c)`, where b may be written twice."""
        middle = [each.comparator for each in node.comparisons[:-1]]
        if has_comment(code, node) or not all(map(is_repeatable, middle)):
            return None
        left, parts = node.left, []
        for each in node.comparisons:
            operator = code.text_of(each.operator).strip()
            parts.append(f"({whole(code, left)} {operator} {whole(code, each.comparator)})")
            left = each.comparator
        text = " & ".join(parts)
        return [replaced(code, node, f"({text})" if node.lpar else text)]

    def _joined(self, node: cst.BooleanOperation, is_mask: bool, code: Located) -> list[Edit] | None:
        """`(a) & (b)` where both are boolean by their form, else `jnp.logical_and(a, b)`; of values that go
        on, the one that Python would take."""
        if all(_is_boolean(each) for each in _operands(node)[1:]):
            return self._bitwise(node, code)
        name = spelling(code, "jax.numpy")
        if name is None or has_comment(code, node):
            return None
        text = self._called(node, name[0], code)
        if isinstance(code.parent(node), (cst.Return, cst.Assign)) and not is_mask:
            if len(_operands(node)) > 2 or not is_repeatable(node.left):
                return None
            left, right = whole(code, node.left), whole(code, node.right)
            chosen = (right, left) if isinstance(node.operator, cst.And) else (left, right)
            text = f"{name[0]}.where({', '.join((left, *chosen))})"
        return [replaced(code, node, text), *name[1]]

    def _called(self, node: cst.BaseExpression, name: str, code: Located) -> str:
        if not isinstance(node, cst.BooleanOperation):
            return code.text_of(node)
        word = "and" if isinstance(node.operator, cst.And) else "or"
        left, right = (self._called(side, name, code) for side in (node.left, node.right))
        return f"{name}.logical_{word}({left}, {right})"

    def _bitwise(self, node: cst.BooleanOperation, code: Located) -> list[Edit]:
        """Each `and`, `or` of a chain becomes its bitwise form, each operand an atom."""
        word = "and" if isinstance(node.operator, cst.And) else "or"
        start = code.offsets(node.operator.whitespace_before)[1]
        edits = [Edit(code.source.span(start, start + len(word)), _BITWISE[word])]
        for side in (node.left, node.right):
            if isinstance(side, cst.BooleanOperation):
                edits += self._bitwise(side, code)
            elif not is_atom(side):
                edits += around(code, side, "(", ")")
        return edits


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What `and` and `or` stand between, from left to right."""
    if isinstance(node, cst.BooleanOperation):
        return [*_operands(node.left), *_operands(node.right)]
    return [node]


def _is_boolean(node: cst.BaseExpression) -> bool:
    """Whether the form of an operand says that its value is boolean."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Not) or _is_boolean(node.expression)
    if isinstance(node, cst.BinaryOperation):
        bits = (cst.BitAnd, cst.BitOr, cst.BitXor)
        return isinstance(node.operator, bits) and _is_boolean(node.left) and _is_boolean(node.right)
    return isinstance(node, cst.Comparison)
