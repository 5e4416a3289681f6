"""Lower one LibCST module to a plain-data program.

In: a parsed module. Out: a `Program` of nested tuples, one shape per construct, in which every
expression or statement that can carry a finding has a number (its `nid`). No syntax node is in
it, so it can be cached, compared and sent between processes. It refuses to know what names mean.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

Expr = tuple[Any, ...]
Stmt = tuple[Any, ...]


@dataclass(slots=True, eq=False)
class Param:
    """One parameter; kind is `p` (positional only), `n`, `*`, `k` (keyword only) or `**`."""

    name: str
    kind: str
    default: Expr | None
    annotation: Expr | None
    nid: int


@dataclass(slots=True, eq=False)
class Code:
    """A function, lambda or module body."""

    index: int
    name: str
    qualname: str
    nid: int
    params: tuple[Param, ...] = ()
    body: tuple[Stmt, ...] = ()
    decorators: tuple[Expr, ...] = ()
    returns: Expr | None = None
    bound: frozenset[str] = frozenset()
    global_names: frozenset[str] = frozenset()
    nonlocal_names: frozenset[str] = frozenset()
    is_async: bool = False
    is_generator: bool = False
    is_lambda: bool = False
    in_class: bool = False
    free: tuple[str, ...] = ()  # names that it reads and does not bind


@dataclass(slots=True, eq=False)
class ClassCode:
    """A class statement."""

    index: int
    name: str
    qualname: str
    nid: int
    bases: tuple[Expr, ...]
    keywords: tuple[tuple[str | None, Expr], ...]
    decorators: tuple[Expr, ...]
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Program:
    """What one file says: its module body (`codes[0]`), its functions and its classes.

    tops: for each line or compound statement of the module body the first number in it and what it is:
    `import`, `expression` or nothing. targets: the names that something other than an import, a `def`
    or a `class` binds anywhere. size: how many numbers there are.
    """

    codes: list[Code] = field(default_factory=list)
    classes: list[ClassCode] = field(default_factory=list)
    tops: list[tuple[int, str]] = field(default_factory=list)
    targets: set[str] = field(default_factory=set)
    size: int = 0

    @property
    def body(self) -> Code:
        return self.codes[0]


@dataclass(slots=True)
class _Scope:
    name: str
    is_class: bool
    bound: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    is_generator: bool = False


NONE: Expr = ("const", None)

_BINARY = {
    "Add": "+", "AddAssign": "+", "Subtract": "-", "SubtractAssign": "-", "Multiply": "*",
    "MultiplyAssign": "*", "Divide": "/", "DivideAssign": "/", "FloorDivide": "//",
    "FloorDivideAssign": "//", "Modulo": "%", "ModuloAssign": "%", "Power": "**",
    "PowerAssign": "**", "MatrixMultiply": "@", "MatrixMultiplyAssign": "@", "LeftShift": "<<",
    "LeftShiftAssign": "<<", "RightShift": ">>", "RightShiftAssign": ">>", "BitAnd": "&",
    "BitAndAssign": "&", "BitOr": "|", "BitOrAssign": "|", "BitXor": "^", "BitXorAssign": "^",
}  # fmt: skip
_COMPARE = {
    "Equal": "==", "NotEqual": "!=", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">",
    "GreaterThanEqual": ">=", "In": "in", "NotIn": "not in", "Is": "is", "IsNot": "is not",
}  # fmt: skip
_UNARY = {"Not": "not", "Minus": "-", "Plus": "+", "BitInvert": "~"}


def dotted_name(node: cst.BaseExpression) -> str:
    """`a.b.c` of a chain of attributes on a name; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return ""
    parts.append(node.value)
    return ".".join(reversed(parts))


class Lowering:
    """One table-driven walk. `nodes[nid]` is the syntax node that a number stands for."""

    def __init__(self) -> None:
        self.program = Program()
        self.nodes: list[cst.CSTNode] = []
        self.scopes: list[_Scope] = []

    # ---- numbers, scopes

    def number(self, node: cst.CSTNode) -> int:
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

    # ---- module, functions, classes

    def module(self, node: cst.Module) -> Program:
        code = Code(0, "<module>", "<module>", self.number(node))
        self.program.codes.append(code)
        self.scopes.append(_Scope("<module>", False))
        body: list[Stmt] = []
        for line in node.body:
            self.program.tops.append((len(self.nodes), _kind_of(line)))
            body.extend(self.statements((line,)))
        code.body = tuple(body)
        scope = self.scopes.pop()
        code.bound = frozenset(scope.bound)
        self.program.size = len(self.nodes)
        return self.program

    def parameters(self, node: cst.Parameters) -> list[Param]:
        """Defaults and annotations are lowered in the scope around the function."""
        found: list[Param] = []

        def add(param: cst.Param, kind: str) -> None:
            found.append(
                Param(
                    param.name.value,
                    kind,
                    None if param.default is None else self.expr(param.default),
                    None if param.annotation is None else self.expr(param.annotation.annotation),
                    self.number(param),
                )
            )

        for param in node.posonly_params:
            add(param, "p")
        for param in node.params:
            add(param, "n")
        if isinstance(node.star_arg, cst.Param):
            add(node.star_arg, "*")
        for param in node.kwonly_params:
            add(param, "k")
        if isinstance(node.star_kwarg, cst.Param):
            add(node.star_kwarg, "**")
        return found

    def function(self, node: cst.FunctionDef | cst.Lambda) -> Code:
        is_lambda = isinstance(node, cst.Lambda)
        name = "<lambda>" if isinstance(node, cst.Lambda) else node.name.value
        nid = self.number(node)
        code = Code(len(self.program.codes), name, self.qualify(name), nid, is_lambda=is_lambda)
        self.program.codes.append(code)
        code.in_class = self.scopes[-1].is_class
        if isinstance(node, cst.FunctionDef):
            code.decorators = tuple(self.expr(each.decorator) for each in node.decorators)
            code.is_async = node.asynchronous is not None
            if node.returns is not None:
                code.returns = self.expr(node.returns.annotation)
        code.params = tuple(self.parameters(node.params))
        scope = _Scope(name, False)
        self.scopes.append(scope)
        scope.bound.update(param.name for param in code.params)
        if isinstance(node, cst.Lambda):
            code.body = (("return", self.number(node.body), self.expr(node.body)),)
        else:
            code.body = self.suite(node.body)
        self.scopes.pop()
        code.free = tuple(sorted(scope.read - scope.bound))
        self.scopes[-1].read.update(code.free)
        code.bound = frozenset(scope.bound)
        code.global_names = frozenset(scope.global_names)
        code.nonlocal_names = frozenset(scope.nonlocal_names)
        code.is_generator = scope.is_generator
        return code

    def class_statement(self, node: cst.ClassDef) -> Stmt:
        nid = self.number(node)
        name = node.name.value
        decorators = tuple(self.expr(each.decorator) for each in node.decorators)
        bases = tuple(self.expr(each.value) for each in node.bases if each.star == "")
        keywords = tuple(
            (None if each.keyword is None else each.keyword.value, self.expr(each.value))
            for each in node.keywords
        )
        record = ClassCode(
            len(self.program.classes), name, self.qualify(name), nid, bases, keywords, decorators, ()
        )
        self.program.classes.append(record)
        self.bind(name)
        self.scopes.append(_Scope(name, True))
        record.body = self.suite(node.body)
        self.scopes.pop()
        return ("class", nid, record.index)

    # ---- statements

    def suite(self, node: cst.BaseSuite) -> tuple[Stmt, ...]:
        return self.statements(node.body)

    def statements(self, body: Any) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for line in body:
            if type(line) is cst.SimpleStatementLine:
                for small in line.body:
                    self.small(small, out)
            else:
                self.compound(line, out)
        return tuple(out)

    def small(self, node: cst.CSTNode, out: list[Stmt]) -> None:
        handler = _SMALL.get(type(node))
        if handler is not None:
            statement = handler(self, node)
            if statement is not None:
                out.append(statement)

    def compound(self, node: cst.CSTNode, out: list[Stmt]) -> None:
        handler = _COMPOUND.get(type(node))
        if handler is not None:
            out.append(handler(self, node))
        else:
            self.small(node, out)

    def s_expr(self, node: cst.Expr) -> Stmt | None:
        if type(node.value) in (cst.SimpleString, cst.ConcatenatedString):
            return None
        nid = self.number(node)
        return ("expr", nid, self.expr(node.value))

    def s_assign(self, node: cst.Assign) -> Stmt:
        nid = self.number(node)
        value = self.expr(node.value)
        return ("assign", nid, tuple(self.target(each.target) for each in node.targets), value)

    def s_ann(self, node: cst.AnnAssign) -> Stmt:
        nid = self.number(node)
        value = None if node.value is None else self.expr(node.value)
        annotation = self.expr(node.annotation.annotation)
        return ("ann", nid, self.target(node.target), annotation, value)

    def s_aug(self, node: cst.AugAssign) -> Stmt:
        nid = self.number(node)
        value = self.expr(node.value)
        operator = _BINARY[type(node.operator).__name__]
        read = self.expr(node.target)
        return ("aug", nid, self.target(node.target), operator, value, read)

    def s_return(self, node: cst.Return) -> Stmt:
        nid = self.number(node)
        return ("return", nid, NONE if node.value is None else self.expr(node.value))

    def s_raise(self, node: cst.Raise) -> Stmt:
        nid = self.number(node)
        return ("raise", nid, NONE if node.exc is None else self.expr(node.exc))

    def s_assert(self, node: cst.Assert) -> Stmt:
        nid = self.number(node)
        return ("assert", nid, self.expr(node.test), None if node.msg is None else self.expr(node.msg))

    def s_del(self, node: cst.Del) -> Stmt:
        nid = self.number(node)
        target = node.target
        items = [each.value for each in target.elements] if isinstance(target, cst.Tuple) else [target]
        return ("del", nid, tuple(self.target(each) for each in items))

    def s_global(self, node: cst.Global) -> None:
        names = {each.name.value for each in node.names}
        self.scopes[-1].global_names |= names
        self.scopes[-1].bound -= names

    def s_nonlocal(self, node: cst.Nonlocal) -> None:
        names = {each.name.value for each in node.names}
        self.scopes[-1].nonlocal_names |= names
        self.scopes[-1].bound -= names

    def s_import(self, node: cst.Import) -> Stmt:
        items = []
        for alias in node.names:
            nid = self.number(alias)
            name = dotted_name(alias.name)
            asname = alias.asname.name.value if alias.asname is not None else None  # type: ignore[union-attr]
            self.bind(asname or name.partition(".")[0])
            items.append((nid, name, asname))
        return ("import", tuple(items))

    def s_from(self, node: cst.ImportFrom) -> Stmt:
        nid = self.number(node)
        module = "" if node.module is None else dotted_name(node.module)
        level = len(node.relative)
        if isinstance(node.names, cst.ImportStar):
            return ("from", nid, level, module, None)
        items = []
        for alias in node.names:
            number = self.number(alias)
            name = dotted_name(alias.name)
            asname = alias.asname.name.value if alias.asname is not None else name  # type: ignore[union-attr]
            self.bind(asname)
            items.append((number, name, asname))
        return ("from", nid, level, module, tuple(items))

    def s_pass(self, node: cst.CSTNode) -> None:
        return None

    def s_break(self, node: cst.CSTNode) -> Stmt:
        return ("break",)

    def s_continue(self, node: cst.CSTNode) -> Stmt:
        return ("continue",)

    def s_type_alias(self, node: cst.TypeAlias) -> Stmt:
        self.assign(node.name.value)
        return (
            "assign",
            self.number(node),
            (("name", self.number(node.name), node.name.value),),
            ("opaque",),
        )

    def c_function(self, node: cst.FunctionDef) -> Stmt:
        code = self.function(node)
        self.bind(code.name)
        return ("def", code.nid, code.index)

    def c_if(self, node: cst.If) -> Stmt:
        nid = self.number(node)
        test = self.expr(node.test)
        body = self.suite(node.body)
        orelse: tuple[Stmt, ...] = ()
        if isinstance(node.orelse, cst.If):
            orelse = (self.c_if(node.orelse),)
        elif node.orelse is not None:
            orelse = self.suite(node.orelse.body)
        return ("if", nid, test, body, orelse)

    def c_while(self, node: cst.While) -> Stmt:
        nid = self.number(node)
        test = self.expr(node.test)
        orelse = () if node.orelse is None else self.suite(node.orelse.body)
        return ("while", nid, test, self.suite(node.body), orelse)

    def c_for(self, node: cst.For) -> Stmt:
        nid = self.number(node)
        iterable = self.expr(node.iter)
        target = self.target(node.target)
        body = self.suite(node.body)
        orelse = () if node.orelse is None else self.suite(node.orelse.body)
        return ("for", nid, target, iterable, body, orelse)

    def c_try(self, node: cst.Try | cst.TryStar) -> Stmt:
        nid = self.number(node)
        body = self.suite(node.body)
        handlers = []
        for handler in node.handlers:
            kind = None if handler.type is None else self.expr(handler.type)
            name = None
            if handler.name is not None and isinstance(handler.name.name, cst.Name):
                name = handler.name.name.value
                self.assign(name)
            handlers.append((kind, name, self.suite(handler.body)))
        orelse = () if node.orelse is None else self.suite(node.orelse.body)
        final = () if node.finalbody is None else self.suite(node.finalbody.body)
        return ("try", nid, body, tuple(handlers), orelse, final)

    def c_with(self, node: cst.With) -> Stmt:
        nid = self.number(node)
        items = []
        for item in node.items:
            value = self.expr(item.item)
            target = None if item.asname is None else self.target(item.asname.name)
            items.append((value, target))
        return ("with", nid, tuple(items), self.suite(node.body))

    def c_match(self, node: cst.Match) -> Stmt:
        nid = self.number(node)
        subject = self.expr(node.subject)
        cases = []
        for case in node.cases:
            pattern = self.pattern(case.pattern)
            guard = None if case.guard is None else self.expr(case.guard)
            cases.append((self.number(case), pattern, guard, self.suite(case.body)))
        return ("match", nid, subject, tuple(cases))

    def pattern(self, node: cst.MatchPattern) -> tuple[Any, ...]:
        if isinstance(node, cst.MatchAs):
            name = None if node.name is None else node.name.value
            if name is not None:
                self.assign(name)
            inner = None if node.pattern is None else self.pattern(node.pattern)
            return ("capture", name, inner)
        if isinstance(node, cst.MatchValue):
            return ("value", self.number(node), self.expr(node.value))
        if isinstance(node, cst.MatchSingleton):
            return ("value", self.number(node), self.expr(node.value))
        if isinstance(node, cst.MatchOr):
            return ("or", tuple(self.pattern(each.pattern) for each in node.patterns))
        if isinstance(node, cst.MatchSequence):
            return ("sequence", tuple(self._pattern_item(each) for each in node.patterns))
        if isinstance(node, cst.MatchMapping):
            items = tuple(self.pattern(each.pattern) for each in node.elements)
            if node.rest is not None:
                self.assign(node.rest.value)
            keys = tuple(self.expr(each.key) for each in node.elements)
            return ("mapping", items, None if node.rest is None else node.rest.value, keys)
        if isinstance(node, cst.MatchClass):
            parts = [self.pattern(each.value) for each in node.patterns]
            parts += [self.pattern(each.pattern) for each in node.kwds]
            return ("instance", self.expr(node.cls), tuple(parts))
        return ("unknown",)

    def _pattern_item(self, node: cst.MatchSequenceElement | cst.MatchStar) -> tuple[Any, ...]:
        if isinstance(node, cst.MatchStar):
            if node.name is not None:
                self.assign(node.name.value)
            return ("star", None if node.name is None else node.name.value)
        return self.pattern(node.value)

    # ---- targets

    def target(self, node: cst.BaseExpression) -> Expr:
        kind = type(node)
        if kind is cst.Name:
            self.assign(node.value)  # type: ignore[attr-defined]
            return ("name", self.number(node), node.value)  # type: ignore[attr-defined]
        if isinstance(node, (cst.Tuple, cst.List)):
            items = []
            for element in node.elements:
                inner = self.target(element.value)
                items.append(("star", inner) if isinstance(element, cst.StarredElement) else inner)
            return ("tuple", tuple(items))
        return self.expr(node)

    # ---- expressions

    def expr(self, node: cst.BaseExpression) -> Expr:
        handler = _EXPR.get(type(node))
        return ("opaque",) if handler is None else handler(self, node)

    def e_name(self, node: cst.Name) -> Expr:
        value = node.value
        if value in _NAME_CONSTANTS:
            return ("const", _NAME_CONSTANTS[value])
        self.scopes[-1].read.add(value)
        self.nodes.append(node)
        return ("name", len(self.nodes) - 1, value)

    def e_integer(self, node: cst.Integer) -> Expr:
        try:
            return ("const", int(node.value.replace("_", ""), 0))
        except ValueError:
            return ("opaque",)

    def e_float(self, node: cst.Float) -> Expr:
        return ("const", float(node.value.replace("_", "")))

    def e_imaginary(self, node: cst.Imaginary) -> Expr:
        return ("const", complex(node.value.replace("_", "")))

    def e_ellipsis(self, node: cst.Ellipsis) -> Expr:
        return ("const", ...)

    def e_string(self, node: cst.SimpleString) -> Expr:
        raw = node.value
        if raw[0] in "\"'" and "\\" not in raw:
            width = 3 if raw[:3] in ('"""', "'''") and len(raw) >= 6 else 1
            return ("const", raw[width:-width])
        try:
            return ("const", ast.literal_eval(raw))
        except (ValueError, SyntaxError):
            return ("opaque",)

    def e_concatenated(self, node: cst.ConcatenatedString) -> Expr:
        left, right = self.expr(node.left), self.expr(node.right)
        if left[0] == "const" and right[0] == "const" and type(left[1]) is type(right[1]):
            return ("const", left[1] + right[1])
        parts: list[Any] = []
        for side in (left, right):
            parts.extend(side[2] if side[0] == "fstring" else ())
        return ("fstring", self.number(node), tuple(parts))

    def e_formatted(self, node: cst.FormattedString | cst.TemplatedString) -> Expr:
        nid = self.number(node)
        parts = []
        for part in node.parts:
            expression = getattr(part, "expression", None)
            if expression is None:
                continue
            spec = getattr(part, "format_spec", None)
            text = None
            if spec:
                text = "".join(getattr(each, "value", "{") for each in spec)
            parts.append((self.number(part), self.expr(expression), text, getattr(part, "conversion", None)))
        return ("fstring", nid, tuple(parts))

    def e_attribute(self, node: cst.Attribute) -> Expr:
        value = self.expr(node.value)
        self.nodes.append(node)
        return ("attr", len(self.nodes) - 1, value, node.attr.value)

    def e_call(self, node: cst.Call) -> Expr:
        func = self.expr(node.func)
        args: list[Expr] = []
        keywords: list[tuple[str | None, Expr]] = []
        numbers: list[int] = []
        for arg in node.args:
            if arg.keyword is not None:
                keywords.append((arg.keyword.value, self.expr(arg.value)))
                numbers.append(self.number(arg))
            elif arg.star == "**":
                keywords.append((None, self.expr(arg.value)))
                numbers.append(self.number(arg))
            elif arg.star == "*":
                args.append(("star", self.expr(arg.value)))
            else:
                args.append(self.expr(arg.value))
        self.nodes.append(node)
        return ("call", len(self.nodes) - 1, func, tuple(args), tuple(keywords), tuple(numbers))

    def e_subscript(self, node: cst.Subscript) -> Expr:
        value = self.expr(node.value)
        items: list[Expr] = []
        for element in node.slice:
            part: Any = element.slice
            if isinstance(part, cst.Slice):
                nid = self.number(part)
                bounds = [
                    NONE if each is None else self.expr(each) for each in (part.lower, part.upper, part.step)
                ]
                items.append(("slice", nid, *bounds))
            elif getattr(part, "star", None):
                items.append(("star", self.expr(part.value)))
            else:
                items.append(self.expr(part.value))
        last = node.slice[-1]
        single = len(items) == 1 and isinstance(last.comma, cst.MaybeSentinel)
        index = items[0] if single and items[0][0] != "star" else ("tuple", tuple(items))
        self.nodes.append(node)
        return ("sub", len(self.nodes) - 1, value, index)

    def _elements(self, elements: Any) -> tuple[Expr, ...]:
        return tuple(
            ("star", self.expr(each.value)) if type(each) is cst.StarredElement else self.expr(each.value)
            for each in elements
        )

    def e_tuple(self, node: cst.Tuple) -> Expr:
        return ("tuple", self._elements(node.elements))

    def e_list(self, node: cst.List) -> Expr:
        return ("list", self.number(node), self._elements(node.elements))

    def e_set(self, node: cst.Set) -> Expr:
        return ("set", self.number(node), self._elements(node.elements))

    def e_dict(self, node: cst.Dict) -> Expr:
        items = tuple(
            (None, self.expr(each.value))
            if isinstance(each, cst.StarredDictElement)
            else (self.expr(each.key), self.expr(each.value))
            for each in node.elements
            if isinstance(each, (cst.DictElement, cst.StarredDictElement))
        )
        return ("dict", self.number(node), items)

    def e_binary(self, node: cst.BinaryOperation) -> Expr:
        left = self.expr(node.left)
        right = self.expr(node.right)
        self.nodes.append(node)
        return ("bin", len(self.nodes) - 1, _BINARY[type(node.operator).__name__], left, right)

    def e_unary(self, node: cst.UnaryOperation) -> Expr:
        operand = self.expr(node.expression)
        operator = _UNARY[type(node.operator).__name__]
        if operand[0] == "const" and operator == "-" and type(operand[1]) in (int, float):
            return ("const", -operand[1])
        return ("un", self.number(node), operator, operand)

    def e_boolean(self, node: cst.BooleanOperation) -> Expr:
        operator = "and" if isinstance(node.operator, cst.And) else "or"
        left = self.expr(node.left)
        right = self.expr(node.right)
        return ("bool", self.number(node), operator, left, right)

    def e_comparison(self, node: cst.Comparison) -> Expr:
        left = self.expr(node.left)
        rest = tuple(
            (_COMPARE[type(each.operator).__name__], self.expr(each.comparator)) for each in node.comparisons
        )
        self.nodes.append(node)
        return ("cmp", len(self.nodes) - 1, left, rest)

    def e_conditional(self, node: cst.IfExp) -> Expr:
        nid = self.number(node)
        test = self.expr(node.test)
        return ("ifexp", nid, test, self.expr(node.body), self.expr(node.orelse))

    def e_lambda(self, node: cst.Lambda) -> Expr:
        code = self.function(node)
        return ("lambda", code.nid, code.index)

    def e_comprehension(self, node: Any) -> Expr:
        nid = self.number(node)
        clauses = []
        outer = self.scopes[-1]
        before = set(outer.bound)
        clause = node.for_in
        while clause is not None:
            iterable = self.expr(clause.iter)
            target = self.target(clause.target)
            tests = tuple((self.number(each), self.expr(each.test)) for each in clause.ifs)
            clauses.append((self.number(clause), target, iterable, tests))
            clause = clause.inner_for_in
        if isinstance(node, cst.DictComp):
            key: Expr | None = self.expr(node.key)
            element = self.expr(node.value)
        else:
            key = None
            element = self.expr(node.elt)
        outer.bound = before | {name for name in outer.bound if name in self._walrus}
        return ("comp", nid, _COMPREHENSION[type(node)], key, element, tuple(clauses))

    _walrus: frozenset[str] = frozenset()

    def e_walrus(self, node: cst.NamedExpr) -> Expr:
        value = self.expr(node.value)
        target = self.target(node.target)
        if isinstance(node.target, cst.Name):
            self._walrus = self._walrus | {node.target.value}
        return ("walrus", self.number(node), target, value)

    def e_await(self, node: cst.Await) -> Expr:
        return ("await", self.expr(node.expression))

    def e_yield(self, node: cst.Yield) -> Expr:
        self.scopes[-1].is_generator = True
        value = node.value
        if value is None:
            return ("yield", NONE)
        if isinstance(value, cst.From):
            return ("yieldfrom", self.expr(value.item))
        return ("yield", self.expr(value))

    def e_star(self, node: cst.StarredElement) -> Expr:
        return ("star", self.expr(node.value))


_NAME_CONSTANTS: dict[str, Any] = {"None": None, "True": True, "False": False}
_COMPREHENSION: dict[type, str] = {
    cst.ListComp: "list",
    cst.SetComp: "set",
    cst.DictComp: "dict",
    cst.GeneratorExp: "generator",
}
_L = Lowering
_EXPR: dict[type, Callable[[Lowering, Any], Expr]] = {
    cst.Name: _L.e_name, cst.Integer: _L.e_integer, cst.Float: _L.e_float,
    cst.Imaginary: _L.e_imaginary, cst.Ellipsis: _L.e_ellipsis, cst.SimpleString: _L.e_string,
    cst.ConcatenatedString: _L.e_concatenated, cst.FormattedString: _L.e_formatted,
    cst.Attribute: _L.e_attribute, cst.Call: _L.e_call, cst.Subscript: _L.e_subscript,
    cst.Tuple: _L.e_tuple, cst.List: _L.e_list, cst.Set: _L.e_set, cst.Dict: _L.e_dict,
    cst.BinaryOperation: _L.e_binary, cst.UnaryOperation: _L.e_unary,
    cst.BooleanOperation: _L.e_boolean, cst.Comparison: _L.e_comparison,
    cst.IfExp: _L.e_conditional, cst.Lambda: _L.e_lambda, cst.ListComp: _L.e_comprehension,
    cst.SetComp: _L.e_comprehension, cst.DictComp: _L.e_comprehension,
    cst.GeneratorExp: _L.e_comprehension, cst.NamedExpr: _L.e_walrus, cst.Await: _L.e_await,
    cst.Yield: _L.e_yield, cst.StarredElement: _L.e_star,
}  # fmt: skip
if hasattr(cst, "TemplatedString"):
    _EXPR[cst.TemplatedString] = _L.e_formatted
_SMALL: dict[type, Callable[[Lowering, Any], Stmt | None]] = {
    cst.Expr: _L.s_expr, cst.Assign: _L.s_assign, cst.AnnAssign: _L.s_ann,
    cst.AugAssign: _L.s_aug, cst.Return: _L.s_return, cst.Raise: _L.s_raise,
    cst.Assert: _L.s_assert, cst.Del: _L.s_del, cst.Global: _L.s_global,
    cst.Nonlocal: _L.s_nonlocal, cst.Import: _L.s_import, cst.ImportFrom: _L.s_from,
    cst.Pass: _L.s_pass, cst.Break: _L.s_break, cst.Continue: _L.s_continue,
    cst.TypeAlias: _L.s_type_alias,
}  # fmt: skip
_COMPOUND: dict[type, Callable[[Lowering, Any], Stmt]] = {
    cst.FunctionDef: _L.c_function, cst.ClassDef: _L.class_statement, cst.If: _L.c_if,
    cst.While: _L.c_while, cst.For: _L.c_for, cst.Try: _L.c_try, cst.TryStar: _L.c_try,
    cst.With: _L.c_with, cst.Match: _L.c_match,
}  # fmt: skip


def _kind_of(line: cst.CSTNode) -> str:
    first = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if isinstance(first, (cst.Import, cst.ImportFrom)):
        return "import"
    return "expression" if isinstance(first, cst.Expr) else ""


def lower(module: cst.Module) -> tuple[Program, list[cst.CSTNode]]:
    """The program of a module, and the syntax node behind each number in it."""
    lowering = Lowering()
    program = lowering.module(module)
    return program, lowering.nodes
