"""JAX101: Python branches on traced values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.rule import (
    SCALAR,
    Claim,
    Edit,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Reader,
    Rule,
    Test,
    arrays_by_use,
    bounds,
    cst,
    forms_of,
    is_bound_at,
    kinds_of,
    next_statement,
    only_statement,
    operand,
    plain_operator,
    reached,
    result_of,
    spelling,
    takes_tracer,
    traced_part,
    variables_in,
    whole,
)

_WORDS = {
    "if": "`if` on",
    "ternary": "`if ... else` on",
    "assert": "`assert` on",
    "comprehension": "a comprehension's `if` on",
    "guard": "`case` on",
}


class BranchOnTraced(Rule):
    """A Python branch on a traced value.

    ## What it does
    Finds `if`, `elif`, conditional expressions, `assert`, `match` guards and the conditions of
    comprehensions whose test is certainly a traced array.

    ## Why
    A branch needs a concrete bool. While JAX traces a function, a tracer has a shape and a dtype but no
    concrete value: `TracerBoolConversionError`, often raised far from the transform that caused it.

    ## When it is fine
    Tests of values that are concrete while tracing are not reported: shapes, dtypes, `is None`,
    `isinstance`, static arguments, closed-over Python values, the keys of a dict. Under `jax.grad` alone a
    branch on a value works, because the value is concrete.

    ## Fix safety
    The fix, `jnp.where`, is only shown: it computes both sides. It is offered if both are numbers or arrays
    of certainly compatible shapes, made by operations that never fail: no division by a variable, no root or
    logarithm that the test may guard. If both sides are calls with the same arguments, of functions that
    return one shape and dtype, it is `jax.lax.cond`.
    """

    code = "JAX101"
    name = "branch-on-traced"
    category = "correctness"
    fix = "displayonly"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp

@jax.jit
def clipped(x, limit):
    if x.sum() > limit:
        return x * 0.5
    return x

print(clipped(jnp.ones(3), 2.0))
""",
            good="""
import jax
import jax.numpy as jnp

@jax.jit
def clipped(x, limit):
    return jnp.where(x.sum() > limit, x * 0.5, x)

print(clipped(jnp.ones(3), 2.0))
""",
            prints="[0.5 0.5 0.5]",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerBoolConversionError", "Attempted boolean conversion")

    def visit_If(self, test: Test, m: Model) -> Iterator[Finding]:
        if m.traced(test.value) and test.method:
            yield Finding(
                test.nid,
                f"{_WORDS[test.kind]} `{{test}}`, whose `{test.method}` returns a tracer: raises TypeError",
                help="a method that returns the array, and jnp.where or jax.lax.cond on that",
                label="a traced boolean",
                names={"test": test.nid},
            )
        elif m.traced(test.value) and test.kind == "pattern":
            yield Finding(
                test.nid,
                "`case` compares a tracer with `{test}`: raises TracerBoolConversionError",
                help="jnp.where(... == {test}, ..., ...) or jax.lax.cond(... == {test}, ..., ...)",
                label="compared with a tracer",
                names={"test": test.nid},
            )
        elif m.traced(test.value):
            yield Finding(
                test.nid,
                "needs a concrete bool, but `{test}` is traced: raises TracerBoolConversionError",
                help="an assert outside the traced function, or jax.experimental.checkify.check({test}, ...)"
                if test.kind == "assert"
                else "jnp.where({test}, ..., ...) or jax.lax.cond({test}, ..., ...)",
                label="a traced boolean",
                names={"test": traced_part(test, m)},
                data=(test.kind, m.is_scalar(test.value), kinds_of(m.mentioned(test))),
            )

    visit_IfExp = visit_Assert = visit_CompIf = visit_MatchCase = visit_If

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        if finding.data is None:
            return None
        kind, is_scalar, kinds = finding.data
        test = code.node(finding.nid)
        outer = code.parent(test)
        if kind == "ternary" and isinstance(outer, cst.IfExp) and outer.test is test:
            choice: _Choice | None = _Choice(outer, outer, outer.body, outer.orelse)
        elif kind == "if" and isinstance(outer, cst.If) and outer.test is test:
            choice = _choice(code, outer)
        else:
            return None
        if choice is None or _asks_more(test):
            return None
        start, end = bounds(code, choice.first)[0], bounds(code, choice.last)[1]
        if "#" in code.source.text[start:end]:
            return None
        reader = Reader(code, forms_of(kinds), dict(kinds))
        made = _as_where(reader, test, choice) or (is_scalar and _as_cond(reader, test, choice)) or None
        if made is None:
            return None
        text, imports = made
        edit = Edit(code.source.span(start, end), choice.before + text)
        return Fix("displayonly", "choose between the values", (edit, *imports))


_Made = tuple[str, tuple[Edit, ...]]


@dataclass(frozen=True, slots=True)
class _Choice:
    """What stands from `first` to `last` gives `chosen` or `other`; `before` is written in front of it."""

    first: cst.CSTNode
    last: cst.CSTNode
    chosen: cst.BaseExpression
    other: cst.BaseExpression
    before: str = ""
    operator: str = ""  # of `x += ...`: then `other` is x, and `chosen` is no node of the file


def _choice(code: Located, branch: cst.If) -> _Choice | None:
    """The choice that an `if` makes between two values of one variable, or between two results."""
    outer, orelse = code.parent(branch), branch.orelse
    if (isinstance(outer, cst.If) and outer.orelse is branch) or isinstance(orelse, cst.If):
        return None
    then = only_statement(branch.body)
    last: cst.CSTNode | None = then
    if isinstance(then, cst.Return):
        follows = next_statement(code, branch) if orelse is None else orelse
        if isinstance(follows, cst.Else):
            last = only_statement(follows.body)
        elif isinstance(follows, cst.SimpleStatementLine):
            last = follows.body[0]
        if isinstance(last, cst.Return) and then.value is not None and last.value is not None:
            return _Choice(branch, last, then.value, last.value, "return ")
        return None
    if orelse is not None:
        last = only_statement(orelse.body)
        name, other = _assigned(then), _assigned(last)
        if name is None or other is None or name[0].value != other[0].value or last is None:
            return None
        return _Choice(branch, last, name[1], other[1], f"{name[0].value} = ")
    if isinstance(then, cst.AugAssign) and isinstance(then.target, cst.Name):
        found = plain_operator(then.operator)
        if found is None:
            return None
        chosen = cst.BinaryOperation(then.target, found[1], then.value)
        return _Choice(branch, then, chosen, then.target, f"{then.target.value} = ", found[0])
    name = _assigned(then)
    if name is None or then is None:
        return None
    return _Choice(branch, then, name[1], name[0], f"{name[0].value} = ")


def _assigned(statement: cst.CSTNode | None) -> tuple[cst.Name, cst.BaseExpression] | None:
    """The variable and the value of a plain assignment."""
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    return (target, statement.value) if isinstance(target, cst.Name) else None


def _asks_more(test: cst.CSTNode) -> bool:
    """Whether the test asks for the truth of its parts too, or binds a name."""
    more = (cst.BooleanOperation, cst.Not, cst.IfExp, cst.NamedExpr, cst.In, cst.NotIn, cst.Await, cst.Yield)
    if isinstance(test, more) or (isinstance(test, cst.Comparison) and len(test.comparisons) > 1):
        return True
    return any(_asks_more(each) for each in test.children)


def _as_where(reader: Reader, test: cst.CSTNode, choice: _Choice) -> _Made | None:
    """`jnp.where(test, a, b)`, where both sides can be computed and have one shape."""
    code = reader.code
    name = spelling(code, "jax.numpy")
    sides = (choice.chosen, choice.other)
    forms = [reader.form(each) for each in sides]
    chosen, other = forms
    if name is None or chosen is None or other is None or chosen.partial or other.partial:
        return None
    used = {each for side in sides for each in variables_in(side)}
    if not all(is_bound_at(code, choice.first, each) for each in used):
        return None
    trees = {each for each in used if each in reader.kinds and reader.kinds[each].sort == "tree"}
    if not trees <= arrays_by_use(code, (test, *sides)):
        return None
    asked = reader.form(test)
    single = asked.shape if asked is not None else SCALAR  # the truth of one number is asked for
    shapes = (chosen.shape - single, other.shape - single)
    if not (shapes[0] <= shapes[1] or shapes[1] <= shapes[0]):
        return None
    is_static = not any(
        each in reader.kinds and reader.kinds[each].sort in ("array", "tree") for each in used
    )
    place = choice.first if isinstance(choice.first, cst.IfExp) else choice.other
    if is_static and (choice.operator or not takes_tracer(code, place)):
        return None
    texts = (whole(code, test), _text(code, choice), whole(code, choice.other))
    return f"{name[0]}.where({', '.join(texts)})", name[1]


def _text(code: Located, choice: _Choice) -> str:
    if not choice.operator or not isinstance(choice.chosen, cst.BinaryOperation):
        return whole(code, choice.chosen)
    right = choice.chosen.right
    text = whole(code, right) if isinstance(right, cst.BaseNumber) else operand(code, right)
    return f"{whole(code, choice.other)} {choice.operator} {text}"


def _as_cond(reader: Reader, test: cst.CSTNode, choice: _Choice) -> _Made | None:
    """`jax.lax.cond(test, f, g, x)` for `f(x)` and `g(x)`, where f and g give one shape and dtype."""
    code, chosen, other = reader.code, choice.chosen, choice.other
    if not isinstance(chosen, cst.Call) or not isinstance(other, cst.Call):
        return None
    name = reached(code, "jax.lax.cond")
    arguments = [whole(code, arg.value) for arg in chosen.args]
    if name is None or arguments != [whole(code, arg.value) for arg in other.args]:
        return None
    results = [result_of(reader, each.func, each.args) for each in (chosen, other)]
    if results[0] is None or results[1] is None or not reader.are_alike(results[0], results[1]):
        return None
    texts = (whole(code, test), whole(code, chosen.func), whole(code, other.func), *arguments)
    return f"{name[0]}({', '.join(texts)})", name[1]
