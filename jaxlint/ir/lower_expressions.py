"""Lowers expressions, targets of assignments, patterns and parameters."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable
from string import ascii_letters, digits
from typing import Any

from msgspec import Struct

from jaxlint.ir.nodes import (
    NONE,
    OPAQUE,
    AttrExpr,
    AwaitExpr,
    BinaryExpr,
    BoolExpr,
    CallExpr,
    CapturePattern,
    ClassPattern,
    Clause,
    CompareExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    DictExpr,
    Expr,
    FormattedPart,
    FStringExpr,
    Keyword,
    ListExpr,
    MappingPattern,
    NameExpr,
    OrPattern,
    Pattern,
    SequencePattern,
    SetExpr,
    SliceExpr,
    StarExpr,
    StarPattern,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    UnknownPattern,
    ValuePattern,
    WalrusExpr,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.program import Import, Param, Program


class Scope(Struct, eq=False):
    name: str
    is_class: bool
    bound: set[str] = set()
    read: set[str] = set()
    global_names: set[str] = set()
    nonlocal_names: set[str] = set()
    is_generator: bool = False
    is_function: bool = False
    is_async: bool = False
    loops: int = 0  # that are open


BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


class ExpressionLowering:
    """Lowers expressions, targets and patterns. `nodes[nid]` is the syntax node that a number stands for.

    is_doubtful: whether Python's compiler may refuse what its parser reads, as `return` outside a function.
    """

    def __init__(self) -> None:
        self.program = Program()
        self.imports: dict[Import, None] = {}  # each once
        self.nodes: list[ast.AST] = []
        self.scopes: list[Scope] = []
        self.is_doubtful = False
        self.depth = 0  # of blocks in each other
        self.comprehensions = 0  # that are open

    def number(self, node: ast.AST) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def bind(self, name: str) -> None:
        scope = self.scopes[-1]
        if name not in scope.global_names and name not in scope.nonlocal_names:
            scope.bound.add(name)

    def assign(self, name: str) -> None:
        self.program.targets.add(name)
        self.bind(name)

    def qualify(self, name: str) -> str:
        return ".".join([*(scope.name for scope in self.scopes[1:]), name])

    def parameters(self, node: ast.arguments) -> tuple[Param, ...]:
        """Defaults and annotations are lowered in the scope around the function."""
        found: list[Param] = []

        def add(arg: ast.arg | None, kind: str, default: ast.expr | None = None) -> None:
            if arg is not None:
                value = None if default is None else self.expr(default)
                annotation = None if arg.annotation is None else self.expr(arg.annotation)
                found.append(Param(arg.arg, kind, value, annotation, self.number(arg)))

        count = len(node.posonlyargs) + len(node.args)
        defaults = [*[None] * (count - len(node.defaults)), *node.defaults]
        for position, arg in enumerate((*node.posonlyargs, *node.args)):
            add(arg, "p" if position < len(node.posonlyargs) else "n", defaults[position])
        add(node.vararg, "*")
        for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            add(arg, "k", default)
        add(node.kwarg, "**")
        return tuple(found)

    def pattern(self, node: ast.pattern) -> Pattern:
        if isinstance(node, ast.MatchAs):
            if node.name is not None:
                self.assign(node.name)
            return CapturePattern(node.name, None if node.pattern is None else self.pattern(node.pattern))
        if isinstance(node, ast.MatchValue):
            return ValuePattern(self.number(node), self.expr(node.value))
        if isinstance(node, ast.MatchSingleton):
            return ValuePattern(self.number(node), ConstExpr(node.value))
        if isinstance(node, ast.MatchOr):
            return OrPattern(tuple([self.pattern(each) for each in node.patterns]))
        if isinstance(node, ast.MatchSequence):
            return SequencePattern(tuple([self.pattern(each) for each in node.patterns]))
        if isinstance(node, ast.MatchStar):
            if node.name is not None:
                self.assign(node.name)
            return StarPattern(node.name)
        if isinstance(node, ast.MatchMapping):
            items = tuple([self.pattern(each) for each in node.patterns])
            if node.rest is not None:
                self.assign(node.rest)
            return MappingPattern(items, node.rest, tuple([self.expr(each) for each in node.keys]))
        if isinstance(node, ast.MatchClass):
            parts = [self.pattern(each) for each in (*node.patterns, *node.kwd_patterns)]
            return ClassPattern(self.expr(node.cls), tuple(parts), tuple(node.kwd_attrs))
        return UnknownPattern()

    def target(self, node: ast.expr) -> Expr:
        kind = type(node)
        if kind is ast.Name:
            self.assign(node.id)  # type: ignore[attr-defined]
            return NameExpr(self.number(node), node.id)  # type: ignore[attr-defined]
        if isinstance(node, (ast.Tuple, ast.List)):
            if sum(type(each) is ast.Starred for each in node.elts) > 1:
                self.is_doubtful = True
            return TupleExpr(tuple([self.target(each) for each in node.elts]))
        if isinstance(node, ast.Starred):
            return StarExpr(self.target(node.value))
        return self.expr(node)

    def expr(self, node: ast.expr) -> Expr:
        handler = EXPRESSIONS.get(type(node))
        return OPAQUE if handler is None else handler(self, node)

    def exprs(self, nodes: Iterable[ast.expr]) -> tuple[Expr, ...]:
        return tuple([self.expr(each) for each in nodes])

    def e_name(self, node: ast.Name) -> Expr:
        name = node.id
        self.scopes[-1].read.add(name)
        self.nodes.append(node)
        return NameExpr(len(self.nodes) - 1, name)

    def e_constant(self, node: ast.Constant) -> Expr:
        return ConstExpr(node.value)

    def e_formatted(self, node: Any) -> Expr:
        """A formatted or a template string; the text around its parts, where it may be part of a name."""
        nid = self.number(node)
        parts = []
        texts: list[Any] = [""]
        for part in node.values:
            if type(part) is ast.Constant:
                texts[-1] += str(part.value)
                continue
            number = self.number(part)
            value = self.expr(part.value)
            if type(value) is StarExpr:
                self.is_doubtful = True
            conversion = None if part.conversion < 0 else chr(part.conversion)
            parts.append(FormattedPart(number, value, _spec(part.format_spec), conversion))
            texts.append("")
        plain = all(part.spec is None and part.conversion is None for part in parts)
        if not plain or not isinstance(node, ast.JoinedStr) or not all(map(_may_name, texts)):
            texts = []
        return FStringExpr(nid, tuple(parts), tuple([ConstExpr(text) for text in texts]))

    def e_attribute(self, node: ast.Attribute) -> Expr:
        value = self.expr(node.value)
        self.nodes.append(node)
        return AttrExpr(len(self.nodes) - 1, value, node.attr)

    def e_call(self, node: ast.Call) -> Expr:
        func = self.expr(node.func)
        args = self.exprs(node.args)
        keywords: list[Keyword] = []
        for keyword in node.keywords:
            value = self.expr(keyword.value)
            keywords.append(Keyword(self.number(keyword), keyword.arg, value))
        if len(keywords) > 1 and len({each.name for each in keywords}) < len(keywords):
            self.is_doubtful = True
        self.nodes.append(node)
        return CallExpr(len(self.nodes) - 1, func, args, tuple(keywords))

    def e_subscript(self, node: ast.Subscript) -> Expr:
        value = self.expr(node.value)
        index = self.expr(node.slice)
        self.nodes.append(node)
        return SubscriptExpr(len(self.nodes) - 1, value, index)

    def e_slice(self, node: ast.Slice) -> Expr:
        nid = self.number(node)
        lower, upper, step = [
            NONE if each is None else self.expr(each) for each in (node.lower, node.upper, node.step)
        ]
        return SliceExpr(nid, lower, upper, step)

    def e_star(self, node: ast.Starred) -> Expr:
        return StarExpr(self.expr(node.value))

    def e_tuple(self, node: ast.Tuple) -> Expr:
        return TupleExpr(self.exprs(node.elts))

    def e_list(self, node: ast.List) -> Expr:
        return ListExpr(self.number(node), self.exprs(node.elts))

    def e_set(self, node: ast.Set) -> Expr:
        return SetExpr(self.number(node), self.exprs(node.elts))

    def e_dict(self, node: ast.Dict) -> Expr:
        items = [
            (None if key is None else self.expr(key), self.expr(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return DictExpr(self.number(node), tuple(items))

    def e_binary(self, node: ast.BinOp) -> Expr:
        left = self.expr(node.left)
        right = self.expr(node.right)
        self.nodes.append(node)
        return BinaryExpr(len(self.nodes) - 1, BINARY[type(node.op)], left, right)

    def e_unary(self, node: ast.UnaryOp) -> Expr:
        operand = self.expr(node.operand)
        operator = _UNARY[type(node.op)]
        if type(operand) is ConstExpr and operator == "-" and type(operand.value) in (int, float):
            return ConstExpr(-operand.value)
        return UnaryExpr(self.number(node), operator, operand)

    def e_boolean(self, node: ast.BoolOp) -> Expr:
        """`a and b and c` is taken for `(a and b) and c`."""
        operator = "and" if isinstance(node.op, ast.And) else "or"
        left = self.expr(node.values[0])
        for value in node.values[1:]:
            right = self.expr(value)
            left = BoolExpr(self.number(node), operator, left, right)
        return left

    def e_comparison(self, node: ast.Compare) -> Expr:
        left = self.expr(node.left)
        rest = [
            (_COMPARE[type(operator)], self.expr(comparator))
            for operator, comparator in zip(node.ops, node.comparators, strict=True)
        ]
        self.nodes.append(node)
        return CompareExpr(len(self.nodes) - 1, left, tuple(rest))

    def e_conditional(self, node: ast.IfExp) -> Expr:
        nid = self.number(node)
        test = self.expr(node.test)
        return ConditionalExpr(nid, test, self.expr(node.body), self.expr(node.orelse))

    def e_comprehension(self, node: Any) -> Expr:
        nid = self.number(node)
        clauses = []
        outer = self.scopes[-1]
        before = set(outer.bound)
        self.comprehensions += 1
        for clause in node.generators:
            if type(clause.target) is ast.Starred or (clause.is_async and not outer.is_async):
                self.is_doubtful = True
            iterable = self.expr(clause.iter)
            target = self.target(clause.target)
            tests = tuple([(self.number(test), self.expr(test)) for test in clause.ifs])
            clauses.append(Clause(self.number(clause), target, iterable, tests))
        is_dict = isinstance(node, ast.DictComp)
        key = self.expr(node.key) if is_dict else None
        element = self.expr(node.value if is_dict else node.elt)
        self.comprehensions -= 1
        outer.bound = before | {name for name in outer.bound if name in self._walrus}
        return ComprehensionExpr(nid, _COMPREHENSION[type(node)], key, element, tuple(clauses))

    _walrus: frozenset[str] = frozenset()

    def e_walrus(self, node: ast.NamedExpr) -> Expr:
        value = self.expr(node.value)
        self.assign(node.target.id)
        target = NameExpr(self.number(node.target), node.target.id)
        self.is_doubtful = self.is_doubtful or self.comprehensions > 0
        self._walrus = self._walrus | {node.target.id}
        return WalrusExpr(self.number(node), target, value)

    def e_await(self, node: ast.Await) -> Expr:
        self.is_doubtful = self.is_doubtful or not self.scopes[-1].is_async
        return AwaitExpr(self.expr(node.value))

    def yields(self, value: ast.expr | None) -> None:
        scope = self.scopes[-1]
        scope.is_generator = True
        if not scope.is_function or self.comprehensions or type(value) is ast.Starred:
            self.is_doubtful = True

    def e_yield(self, node: ast.Yield) -> Expr:
        self.yields(node.value)
        return YieldExpr(NONE if node.value is None else self.expr(node.value))

    def e_yield_from(self, node: ast.YieldFrom) -> Expr:
        self.yields(node.value)
        return YieldFromExpr(self.expr(node.value))


_COMPREHENSION: dict[type[ast.expr], str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}
_L = ExpressionLowering
EXPRESSIONS: dict[type[ast.AST], Callable[[Any, Any], Expr]] = {
    ast.Name: _L.e_name, ast.Constant: _L.e_constant, ast.JoinedStr: _L.e_formatted,
    ast.Attribute: _L.e_attribute, ast.Call: _L.e_call, ast.Subscript: _L.e_subscript, ast.Slice: _L.e_slice,
    ast.Tuple: _L.e_tuple, ast.List: _L.e_list, ast.Set: _L.e_set, ast.Dict: _L.e_dict,
    ast.BinOp: _L.e_binary, ast.UnaryOp: _L.e_unary, ast.BoolOp: _L.e_boolean, ast.Compare: _L.e_comparison,
    ast.IfExp: _L.e_conditional, ast.ListComp: _L.e_comprehension,
    ast.SetComp: _L.e_comprehension, ast.DictComp: _L.e_comprehension, ast.GeneratorExp: _L.e_comprehension,
    ast.NamedExpr: _L.e_walrus, ast.Await: _L.e_await, ast.Yield: _L.e_yield,
    ast.YieldFrom: _L.e_yield_from, ast.Starred: _L.e_star,
    **({ast.TemplateStr: _L.e_formatted} if hasattr(ast, "TemplateStr") else {}),  # of newer Pythons
}  # fmt: skip


_LETTERS = frozenset(ascii_letters + digits + "_-./ ")


def _may_name(text: str) -> bool:
    """Whether a text may be part of a name; it is then written as it is, without escapes."""
    return _LETTERS.issuperset(text)


def _spec(node: ast.expr | None) -> str | None:
    """The text of a format specification, with a brace for each value in it."""
    values = node.values if isinstance(node, ast.JoinedStr) else ()
    return "".join([str(each.value) if isinstance(each, ast.Constant) else "{" for each in values]) or None


def lowered_text(text: str) -> Expr | None:
    """The expression that a text is, as of an annotation; None where it is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    lowering = ExpressionLowering()
    lowering.scopes.append(Scope("<text>", False))
    return lowering.expr(node)
