"""LibCST's syntax tree as the tree that Python's own parser would have made.

In: a parsed module. Out: an `ast.Module` without places, in which `cst` of every node is the LibCST node that
it stands for. It is lowered as Python's own tree is, number by number, so that what is told of a number is
found in the text; and it serves for files that are written for a newer Python than the one that runs.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from unicodedata import normalize

from jaxlint.source.lazy_libcst import cst

_LOAD = ast.Load()
_CONSTANTS: dict[str, Any] = {"None": None, "True": True, "False": False}
_BINARY: dict[str, type[ast.operator]] = {
    "Add": ast.Add, "Subtract": ast.Sub, "Multiply": ast.Mult, "Divide": ast.Div,
    "FloorDivide": ast.FloorDiv, "Modulo": ast.Mod, "Power": ast.Pow, "MatrixMultiply": ast.MatMult,
    "LeftShift": ast.LShift, "RightShift": ast.RShift, "BitAnd": ast.BitAnd, "BitOr": ast.BitOr,
    "BitXor": ast.BitXor,
}  # fmt: skip
_COMPARE: dict[str, type[ast.cmpop]] = {
    "Equal": ast.Eq, "NotEqual": ast.NotEq, "LessThan": ast.Lt, "LessThanEqual": ast.LtE,
    "GreaterThan": ast.Gt, "GreaterThanEqual": ast.GtE, "In": ast.In, "NotIn": ast.NotIn,
    "Is": ast.Is, "IsNot": ast.IsNot,
}  # fmt: skip
_UNARY: dict[str, type[ast.unaryop]] = {
    "Not": ast.Not, "Minus": ast.USub, "Plus": ast.UAdd, "BitInvert": ast.Invert,
}  # fmt: skip


def identifier(name: cst.Name) -> str:
    """The name that Python takes this for: styled and wide letters are the plain ones."""
    text = name.value
    return text if text.isascii() else normalize("NFKC", text)


def dotted_name(node: cst.BaseExpression) -> str:
    """`a.b.c` of a chain of attributes on a name; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(identifier(node.attr))
        node = node.value
    if not isinstance(node, cst.Name):
        return ""
    parts.append(identifier(node))
    return ".".join(reversed(parts))


def as_python(module: cst.Module) -> ast.Module:
    """The module as a tree of Python's own."""
    return _made(module, ast.Module(_suite(module), []))  # type: ignore[no-any-return]


def _made(node: cst.CSTNode, made: Any) -> Any:
    made.cst = node
    return made


# ---- statements


def _suite(node: Any) -> list[ast.stmt]:
    """The statements of a module or of a body, those of one line one by one."""
    found: list[ast.stmt] = []
    for line in node.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else (line,):
            found.append(_made(small, _STATEMENT[type(small).__name__](small)))
    return found


def _orelse(node: cst.If | cst.Else | None) -> list[ast.stmt]:
    if isinstance(node, cst.If):
        return [_made(node, _if(node))]
    return [] if node is None else _suite(node.body)


def _function(node: cst.FunctionDef) -> ast.stmt:
    kind: Any = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
    returns = None if node.returns is None else _expr(node.returns.annotation)
    decorators = [_expr(each.decorator) for each in node.decorators]
    made: ast.stmt = kind(
        identifier(node.name), _arguments(node.params), _suite(node.body), decorators, returns
    )
    return made


def _arguments(node: cst.Parameters) -> ast.arguments:
    def arg(param: object) -> Any:
        if not isinstance(param, cst.Param):
            return None
        annotation = None if param.annotation is None else _expr(param.annotation.annotation)
        return _made(param, ast.arg(identifier(param.name), annotation))

    positional = (*node.posonly_params, *node.params)
    return ast.arguments(
        [arg(each) for each in node.posonly_params],
        [arg(each) for each in node.params],
        arg(node.star_arg),
        [arg(each) for each in node.kwonly_params],
        [None if each.default is None else _expr(each.default) for each in node.kwonly_params],
        arg(node.star_kwarg),
        [_expr(each.default) for each in positional if each.default is not None],
    )


def _class(node: cst.ClassDef) -> ast.stmt:
    bases = [_starred(each) for each in node.bases]
    decorators = [_expr(each.decorator) for each in node.decorators]
    return ast.ClassDef(identifier(node.name), bases, _keywords(node.keywords), _suite(node.body), decorators)


def _if(node: cst.If) -> ast.stmt:
    return ast.If(_expr(node.test), _suite(node.body), _orelse(node.orelse))


def _while(node: cst.While) -> ast.stmt:
    return ast.While(_expr(node.test), _suite(node.body), _orelse(node.orelse))


def _for(node: cst.For) -> ast.stmt:
    return ast.For(_expr(node.target), _expr(node.iter), _suite(node.body), _orelse(node.orelse))


def _try(node: cst.Try | cst.TryStar) -> ast.stmt:
    handlers = []
    for each in node.handlers:
        kind = None if each.type is None else _expr(each.type)
        name = None if each.name is None else _bound(each.name)
        handlers.append(_made(each, ast.ExceptHandler(kind, name, _suite(each.body))))
    final = [] if node.finalbody is None else _suite(node.finalbody.body)
    return ast.Try(_suite(node.body), handlers, _orelse(node.orelse), final)


def _with(node: cst.With) -> ast.stmt:
    items = [
        ast.withitem(_expr(each.item), None if each.asname is None else _expr(each.asname.name))
        for each in node.items
    ]
    return ast.With(items, _suite(node.body))


def _match(node: cst.Match) -> ast.stmt:
    cases = [
        _made(
            case,
            ast.match_case(
                _pattern(case.pattern), None if case.guard is None else _expr(case.guard), _suite(case.body)
            ),
        )
        for case in node.cases
    ]
    return ast.Match(_expr(node.subject), cases)


def _expression(node: cst.Expr) -> ast.stmt:
    return ast.Expr(_expr(node.value))


def _assign(node: cst.Assign) -> ast.stmt:
    return ast.Assign([_expr(each.target) for each in node.targets], _expr(node.value))


def _ann_assign(node: cst.AnnAssign) -> ast.stmt:
    value = None if node.value is None else _expr(node.value)
    return ast.AnnAssign(_expr(node.target), _expr(node.annotation.annotation), value, 1)


def _aug_assign(node: cst.AugAssign) -> ast.stmt:
    operator = _BINARY[type(node.operator).__name__.removesuffix("Assign")]()
    return ast.AugAssign(_expr(node.target), operator, _expr(node.value))


def _return(node: cst.Return) -> ast.stmt:
    return ast.Return(None if node.value is None else _expr(node.value))


def _raise(node: cst.Raise) -> ast.stmt:
    cause = None if node.cause is None else _expr(node.cause.item)
    return ast.Raise(None if node.exc is None else _expr(node.exc), cause)


def _assert(node: cst.Assert) -> ast.stmt:
    return ast.Assert(_expr(node.test), None if node.msg is None else _expr(node.msg))


def _delete(node: cst.Del) -> ast.stmt:
    target = node.target
    is_several = isinstance(target, cst.Tuple) and not target.lpar
    return ast.Delete(_elements(target) if is_several else [_expr(target)])


def _global(node: cst.Global) -> ast.stmt:
    return ast.Global([identifier(each.name) for each in node.names])


def _nonlocal(node: cst.Nonlocal) -> ast.stmt:
    return ast.Nonlocal([identifier(each.name) for each in node.names])


def _aliases(names: Iterable[cst.ImportAlias]) -> list[ast.alias]:
    return [
        _made(each, ast.alias(dotted_name(each.name), None if each.asname is None else _bound(each.asname)))
        for each in names
    ]


def _bound(node: cst.AsName) -> str:
    return identifier(node.name) if isinstance(node.name, cst.Name) else ""


def _import(node: cst.Import) -> ast.stmt:
    return ast.Import(_aliases(node.names))


def _import_from(node: cst.ImportFrom) -> ast.stmt:
    module = None if node.module is None else dotted_name(node.module)
    names = [ast.alias("*")] if isinstance(node.names, cst.ImportStar) else _aliases(node.names)
    return ast.ImportFrom(module, names, len(node.relative))


def _type_alias(node: cst.TypeAlias) -> ast.stmt:
    return ast.Assign([_expr(node.name)], _unknown(node))


def _pattern(node: cst.MatchPattern | cst.MatchStar) -> ast.pattern:
    made: ast.pattern
    if isinstance(node, cst.MatchAs):
        inner = None if node.pattern is None else _pattern(node.pattern)
        made = ast.MatchAs(inner, None if node.name is None else identifier(node.name))
    elif isinstance(node, cst.MatchValue):
        made = ast.MatchValue(_expr(node.value))
    elif isinstance(node, cst.MatchSingleton):
        made = ast.MatchSingleton(_CONSTANTS[node.value.value])
    elif isinstance(node, cst.MatchOr):
        made = ast.MatchOr([_pattern(each.pattern) for each in node.patterns])
    elif isinstance(node, cst.MatchStar):
        made = ast.MatchStar(None if node.name is None else identifier(node.name))
    elif isinstance(node, cst.MatchSequence):
        made = ast.MatchSequence(
            [_pattern(each if isinstance(each, cst.MatchStar) else each.value) for each in node.patterns]
        )
    elif isinstance(node, cst.MatchMapping):
        made = ast.MatchMapping(
            [_expr(each.key) for each in node.elements],
            [_pattern(each.pattern) for each in node.elements],
            None if node.rest is None else identifier(node.rest),
        )
    elif isinstance(node, cst.MatchClass):
        names = [identifier(each.key) for each in node.kwds]
        made = ast.MatchClass(
            _expr(node.cls),
            [_pattern(each.value) for each in node.patterns],
            names,
            [_pattern(each.pattern) for each in node.kwds],
        )
    else:
        made = ast.pattern()
    return _made(node, made)  # type: ignore[no-any-return]


_STATEMENT: dict[str, Callable[[Any], ast.stmt]] = {
    "FunctionDef": _function, "ClassDef": _class, "If": _if, "While": _while, "For": _for,
    "Try": _try, "TryStar": _try, "With": _with, "Match": _match, "Expr": _expression,
    "Assign": _assign, "AnnAssign": _ann_assign, "AugAssign": _aug_assign, "Return": _return,
    "Raise": _raise, "Assert": _assert, "Del": _delete, "Global": _global,
    "Nonlocal": _nonlocal, "Import": _import, "ImportFrom": _import_from,
    "TypeAlias": _type_alias, "Pass": lambda _: ast.Pass(), "Break": lambda _: ast.Break(),
    "Continue": lambda _: ast.Continue(),
}  # fmt: skip


# ---- expressions


def _expr(node: cst.BaseExpression) -> Any:
    return _made(node, _EXPRESSION.get(type(node).__name__, _unknown)(node))


def _unknown(_: object) -> ast.expr:
    return ast.expr()


def _name(node: cst.Name) -> ast.expr:
    if node.value in _CONSTANTS:
        return ast.Constant(_CONSTANTS[node.value])
    return ast.Name(identifier(node), _LOAD)


def _literal(node: cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.Constant(ast.literal_eval(node.value))
    except (ValueError, SyntaxError):
        return ast.expr()


def _ellipsis(_: cst.Ellipsis) -> ast.expr:
    return ast.Constant(...)


def _concatenated(node: cst.ConcatenatedString) -> ast.expr:
    sides = [_expr(node.left), _expr(node.right)]
    if all(isinstance(each, ast.Constant) for each in sides):
        return ast.Constant(sides[0].value + sides[1].value)
    return ast.JoinedStr([value for each in sides for value in getattr(each, "values", (each,))])


def _formatted(node: Any) -> ast.expr:
    return ast.JoinedStr(_parts(node.parts))


def _template(node: Any) -> ast.expr:
    """A template is no string: a text that no name has marks it."""
    return ast.JoinedStr([*_parts(node.parts), ast.Constant("{")])


def _parts(parts: Sequence[Any]) -> list[ast.expr]:
    return [
        ast.Constant(part.value) if hasattr(part, "value") else _made(part, _formatted_value(part))
        for part in parts
    ]


def _formatted_value(node: cst.FormattedStringExpression) -> ast.expr:
    # `f"{x=}"` shows the representation
    is_plain = node.equal is not None and node.format_spec is None
    conversion = node.conversion or ("r" if is_plain else None)
    spec = None if node.format_spec is None else ast.JoinedStr(_parts(node.format_spec))
    return ast.FormattedValue(_expr(node.expression), -1 if conversion is None else ord(conversion), spec)


def _attribute(node: cst.Attribute) -> ast.expr:
    return ast.Attribute(_expr(node.value), identifier(node.attr), _LOAD)


def _starred(node: Any) -> ast.expr:
    """An argument, an element or an index, with its star."""
    value = _expr(node.value)
    is_starred = isinstance(node, cst.StarredElement) or getattr(node, "star", None)
    return _made(node, ast.Starred(value, _LOAD)) if is_starred else value  # type: ignore[no-any-return]


def _star(node: cst.StarredElement) -> ast.expr:
    return ast.Starred(_expr(node.value), _LOAD)


def _keywords(args: Iterable[cst.Arg]) -> list[ast.keyword]:
    return [
        _made(
            each, ast.keyword(None if each.keyword is None else identifier(each.keyword), _expr(each.value))
        )
        for each in args
        if each.keyword is not None or each.star == "**"
    ]


def _call(node: cst.Call) -> ast.expr:
    positional = [_starred(each) for each in node.args if each.keyword is None and each.star != "**"]
    return ast.Call(_expr(node.func), positional, _keywords(node.args))


def _subscript(node: cst.Subscript) -> ast.expr:
    items = [_index(each.slice) for each in node.slice]
    is_one = len(items) == 1 and isinstance(node.slice[-1].comma, cst.MaybeSentinel)
    index = items[0] if is_one and not isinstance(items[0], ast.Starred) else ast.Tuple(items, _LOAD)
    return ast.Subscript(_expr(node.value), index, _LOAD)


def _index(node: cst.BaseSlice) -> ast.expr:
    if not isinstance(node, cst.Slice):
        return _starred(node)
    bounds = [None if each is None else _expr(each) for each in (node.lower, node.upper, node.step)]
    return _made(node, ast.Slice(*bounds))  # type: ignore[no-any-return]


def _elements(node: Any) -> list[ast.expr]:
    return [_starred(each) for each in node.elements]


def _dict(node: cst.Dict) -> ast.expr:
    keys = [_expr(each.key) if isinstance(each, cst.DictElement) else None for each in node.elements]
    return ast.Dict(keys, [_expr(each.value) for each in node.elements])


def _binary(node: cst.BinaryOperation) -> ast.expr:
    return ast.BinOp(_expr(node.left), _BINARY[type(node.operator).__name__](), _expr(node.right))


def _unary(node: cst.UnaryOperation) -> ast.expr:
    return ast.UnaryOp(_UNARY[type(node.operator).__name__](), _expr(node.expression))


def _boolean(node: cst.BooleanOperation) -> ast.expr:
    operator = ast.And() if isinstance(node.operator, cst.And) else ast.Or()
    return ast.BoolOp(operator, [_expr(node.left), _expr(node.right)])


def _comparison(node: cst.Comparison) -> ast.expr:
    operators: list[ast.cmpop] = [_COMPARE[type(each.operator).__name__]() for each in node.comparisons]
    return ast.Compare(_expr(node.left), operators, [_expr(each.comparator) for each in node.comparisons])


def _conditional(node: cst.IfExp) -> ast.expr:
    return ast.IfExp(_expr(node.test), _expr(node.body), _expr(node.orelse))


def _lambda(node: cst.Lambda) -> ast.expr:
    return ast.Lambda(_arguments(node.params), _expr(node.body))


def _clauses(node: cst.BaseComp) -> list[ast.comprehension]:
    found: list[ast.comprehension] = []
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        tests = [_expr(each.test) for each in clause.ifs]
        made = ast.comprehension(
            _expr(clause.target), _expr(clause.iter), tests, clause.asynchronous is not None
        )
        found.append(_made(clause, made))
        clause = clause.inner_for_in
    return found


def _dict_comp(node: cst.DictComp) -> ast.expr:
    return ast.DictComp(_expr(node.key), _expr(node.value), _clauses(node))


def _walrus(node: cst.NamedExpr) -> ast.expr:
    return ast.NamedExpr(_expr(node.target), _expr(node.value))


def _await(node: cst.Await) -> ast.expr:
    return ast.Await(_expr(node.expression))


def _yield(node: cst.Yield) -> ast.expr:
    if isinstance(node.value, cst.From):
        return ast.YieldFrom(_expr(node.value.item))
    return ast.Yield(None if node.value is None else _expr(node.value))


_EXPRESSION: dict[str, Callable[[Any], ast.expr]] = {
    "Name": _name, "Integer": _literal, "Float": _literal, "Imaginary": _literal,
    "SimpleString": _literal, "Ellipsis": _ellipsis, "ConcatenatedString": _concatenated,
    "FormattedString": _formatted, "TemplatedString": _template, "Attribute": _attribute, "Call": _call,
    "Subscript": _subscript, "Tuple": lambda node: ast.Tuple(_elements(node), _LOAD),
    "List": lambda node: ast.List(_elements(node), _LOAD), "Set": lambda node: ast.Set(_elements(node)),
    "Dict": _dict, "BinaryOperation": _binary, "UnaryOperation": _unary,
    "BooleanOperation": _boolean, "Comparison": _comparison, "IfExp": _conditional,
    "Lambda": _lambda, "ListComp": lambda node: ast.ListComp(_expr(node.elt), _clauses(node)),
    "SetComp": lambda node: ast.SetComp(_expr(node.elt), _clauses(node)), "DictComp": _dict_comp,
    "GeneratorExp": lambda node: ast.GeneratorExp(_expr(node.elt), _clauses(node)),
    "NamedExpr": _walrus, "Await": _await, "Yield": _yield, "StarredElement": _star,
}  # fmt: skip
