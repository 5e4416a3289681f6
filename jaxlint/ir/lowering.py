"""Lower one module's syntax tree to a plain-data program.

In: a tree of Python's own `ast`, from Python's parser or made of a LibCST tree. Out: a `Program` of nested
tuples, one shape per construct, in which every expression or statement that can carry a finding has a number
(its `nid`). No syntax node is in it, so it can be cached, compared and sent between processes. It refuses to
know what names mean.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from string import ascii_letters, digits
from typing import Any, NamedTuple

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


Import = tuple[str, int, tuple[str, ...] | None]  # module, level, names; None: all, or the module itself


@dataclass(slots=True, eq=False)
class Program:
    """What one file says: its module body (`codes[0]`), its functions and its classes.

    tops: for each line or compound statement of the module body the first number in it, what it is (`import`,
    `expression`, which `pass` counts as, or nothing) and its last row, 0 where the tree has no rows. methods:
    for each function in a class of the module body the first number in it, the first one behind it, and its
    first and last row. targets: the names that something other than an import, a `def` or a `class` binds
    anywhere. size: how many numbers there are. imports: what is imported anywhere.
    """

    codes: list[Code] = field(default_factory=list)
    classes: list[ClassCode] = field(default_factory=list)
    tops: list[tuple[int, str, int]] = field(default_factory=list)
    methods: list[tuple[int, int, int, int]] = field(default_factory=list)
    targets: set[str] = field(default_factory=set)
    size: int = 0
    imports: dict[Import, None] = field(default_factory=dict)

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
    is_function: bool = False
    is_async: bool = False
    loops: int = 0  # that are open


NONE: Expr = ("const", None)

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_OPAQUE: Expr = ("opaque",)
_BLOCKS = 20  # that Python's compiler allows in each other


class Lowering:
    """One table-driven walk. `nodes[nid]` is the syntax node that a number stands for.

    is_doubtful: whether Python's compiler may refuse what its parser reads, as `return` outside a function.
    """

    def __init__(self) -> None:
        self.program = Program()
        self.nodes: list[ast.AST] = []
        self.scopes: list[_Scope] = []
        self.is_doubtful = False
        self.depth = 0  # of blocks in each other
        self.comprehensions = 0  # that are open

    # ---- numbers, scopes

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

    # ---- module, functions, classes

    def module(self, node: ast.Module) -> Program:
        code = Code(0, "<module>", "<module>", self.number(node))
        self.program.codes.append(code)
        self.scopes.append(_Scope("<module>", False))
        body: list[Stmt] = []
        tops = self.program.tops
        self.is_doubtful = _is_future_late(node)
        for statement in node.body:
            first, last = getattr(statement, "lineno", 0), getattr(statement, "end_lineno", 0)
            if first and tops and first == tops[-1][2]:
                tops[-1] = (*tops[-1][:2], last)
            else:
                tops.append((len(self.nodes), _kind_of(statement), last))
            self.statement(statement, body)
        code.body = tuple(body)
        scope = self.scopes.pop()
        code.bound = frozenset(scope.bound)
        self.program.size = len(self.nodes)
        return self.program

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

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Code:
        is_lambda = isinstance(node, ast.Lambda)
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        nid = self.number(node)
        code = Code(len(self.program.codes), name, self.qualify(name), nid, is_lambda=is_lambda)
        self.program.codes.append(code)
        code.in_class = self.scopes[-1].is_class
        if not isinstance(node, ast.Lambda):
            code.decorators = tuple([self.expr(each) for each in node.decorator_list])
            code.is_async = isinstance(node, ast.AsyncFunctionDef)
            if node.returns is not None:
                code.returns = self.expr(node.returns)
        code.params = self.parameters(node.args)
        scope = _Scope(name, False, is_function=True, is_async=code.is_async)
        self.scopes.append(scope)
        scope.bound.update([param.name for param in code.params])
        if len(scope.bound) < len(code.params) or getattr(node, "type_params", None):
            self.is_doubtful = True
        if isinstance(node, ast.Lambda):
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
        if code.is_async and code.is_generator:
            self.is_doubtful = True
        return code

    # ---- statements

    def suite(self, body: list[ast.stmt]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        self.depth += 1
        for statement in body:
            self.statement(statement, out)
        self.depth -= 1
        if self.depth >= _BLOCKS:
            self.is_doubtful = True
        return tuple(out)

    def looped(self, body: list[ast.stmt]) -> tuple[Stmt, ...]:
        """The suite of a loop."""
        scope = self.scopes[-1]
        scope.loops += 1
        out = self.suite(body)
        scope.loops -= 1
        return out

    def statement(self, node: ast.stmt, out: list[Stmt]) -> None:
        handler = _STATEMENT.get(type(node))
        statement = None if handler is None else handler(self, node)
        if statement is not None:
            out.append(statement)

    def s_expr(self, node: ast.Expr) -> Stmt | None:
        value = node.value
        if type(value) is ast.Constant and type(value.value) in (str, bytes):
            return None
        nid = self.number(node)
        if type(value) is ast.Starred:
            self.is_doubtful = True
        return ("expr", nid, self.expr(value))

    def s_assign(self, node: ast.Assign) -> Stmt:
        nid = self.number(node)
        value = self.expr(node.value)
        if value[0] == "star" or any(type(each) is ast.Starred for each in node.targets):
            self.is_doubtful = True
        return ("assign", nid, tuple([self.target(each) for each in node.targets]), value)

    def s_ann(self, node: ast.AnnAssign) -> Stmt:
        nid = self.number(node)
        value = None if node.value is None else self.expr(node.value)
        annotation = self.expr(node.annotation)
        return ("ann", nid, self.target(node.target), annotation, value)

    def s_aug(self, node: ast.AugAssign) -> Stmt:
        nid = self.number(node)
        value = self.expr(node.value)
        read = self.expr(node.target)
        return ("aug", nid, self.target(node.target), _BINARY[type(node.op)], value, read)

    def s_return(self, node: ast.Return) -> Stmt:
        nid = self.number(node)
        if not self.scopes[-1].is_function or type(node.value) is ast.Starred:
            self.is_doubtful = True
        return ("return", nid, NONE if node.value is None else self.expr(node.value))

    def s_raise(self, node: ast.Raise) -> Stmt:
        nid = self.number(node)
        return ("raise", nid, NONE if node.exc is None else self.expr(node.exc))

    def s_assert(self, node: ast.Assert) -> Stmt:
        nid = self.number(node)
        return ("assert", nid, self.expr(node.test), None if node.msg is None else self.expr(node.msg))

    def s_delete(self, node: ast.Delete) -> Stmt:
        nid = self.number(node)
        items: list[ast.expr] = []
        for target in node.targets:
            items.extend(target.elts if isinstance(target, ast.Tuple) else [target])
        return ("del", nid, tuple([self.target(each) for each in items]))

    def s_global(self, node: ast.Global) -> None:
        self.is_doubtful = True
        self.scopes[-1].global_names.update(node.names)
        self.scopes[-1].bound.difference_update(node.names)

    def s_nonlocal(self, node: ast.Nonlocal) -> None:
        self.is_doubtful = True
        self.scopes[-1].nonlocal_names.update(node.names)
        self.scopes[-1].bound.difference_update(node.names)

    def s_import(self, node: ast.Import) -> Stmt:
        items = []
        for alias in node.names:
            self.bind(alias.asname or alias.name.partition(".")[0])
            items.append((self.number(alias), alias.name, alias.asname))
            self.program.imports[alias.name, 0, None] = None
        return ("import", tuple(items))

    def s_from(self, node: ast.ImportFrom) -> Stmt:
        nid = self.number(node)
        level, module = node.level, node.module or ""
        if module == "__future__" and (len(self.scopes) > 1 or self.depth):
            self.is_doubtful = True
        if node.names[0].name == "*":
            self.is_doubtful = self.is_doubtful or len(self.scopes) > 1
            self.program.imports[module, level, None] = None
            return ("from", nid, level, module, None)
        items = []
        for alias in node.names:
            name = alias.asname or alias.name
            self.bind(name)
            items.append((self.number(alias), alias.name, name))
        self.program.imports[module, level, tuple([alias.name for alias in node.names])] = None
        return ("from", nid, level, module, tuple(items))

    def s_break(self, node: ast.Break) -> Stmt:
        self.is_doubtful = self.is_doubtful or not self.scopes[-1].loops
        return ("break",)

    def s_continue(self, node: ast.Continue) -> Stmt:
        self.is_doubtful = self.is_doubtful or not self.scopes[-1].loops
        return ("continue",)

    def s_type_alias(self, node: Any) -> Stmt:
        self.assign(node.name.id)
        self.is_doubtful = True
        nid = self.number(node)
        return ("assign", nid, (("name", self.number(node.name), node.name.id),), _OPAQUE)

    def s_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Stmt:
        code = self.function(node)
        self.bind(code.name)
        return ("def", code.nid, code.index)

    def s_class(self, node: ast.ClassDef) -> Stmt:
        nid = self.number(node)
        name = node.name
        decorators = tuple([self.expr(each) for each in node.decorator_list])
        bases = tuple([self.expr(each) for each in node.bases if type(each) is not ast.Starred])
        keywords = tuple([(each.arg, self.expr(each.value)) for each in node.keywords])
        if len(keywords) > 1 or getattr(node, "type_params", None):
            self.is_doubtful = True
        record = ClassCode(
            len(self.program.classes), name, self.qualify(name), nid, bases, keywords, decorators, ()
        )
        self.program.classes.append(record)
        self.bind(name)
        self.scopes.append(_Scope(name, True))
        body: list[Stmt] = []
        for statement in node.body:
            first = len(self.nodes)
            self.statement(statement, body)
            if len(self.scopes) == 2 and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._note_method(statement, first)
        record.body = tuple(body)
        self.scopes.pop()
        return ("class", nid, record.index)

    def _note_method(self, node: ast.FunctionDef | ast.AsyncFunctionDef, first: int) -> None:
        last = getattr(node, "end_lineno", None)
        if last:
            row = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            self.program.methods.append((first, len(self.nodes), row, last))

    def s_if(self, node: ast.If) -> Stmt:
        nid = self.number(node)
        test = self.expr(node.test)
        return ("if", nid, test, self.suite(node.body), self.suite(node.orelse))

    def s_while(self, node: ast.While) -> Stmt:
        nid = self.number(node)
        test = self.expr(node.test)
        return ("while", nid, test, self.looped(node.body), self.suite(node.orelse))

    def s_for(self, node: ast.For | ast.AsyncFor) -> Stmt:
        nid = self.number(node)
        iterable = self.expr(node.iter)
        target = self.target(node.target)
        if target[0] == "star" or (type(node) is ast.AsyncFor and not self.scopes[-1].is_async):
            self.is_doubtful = True
        return ("for", nid, target, iterable, self.looped(node.body), self.suite(node.orelse))

    def s_try(self, node: ast.Try | ast.TryStar) -> Stmt:
        nid = self.number(node)
        body = self.suite(node.body)
        handlers = []
        if type(node) is ast.TryStar or any(each.type is None for each in node.handlers[:-1]):
            self.is_doubtful = True
        for handler in node.handlers:
            kind = None if handler.type is None else self.expr(handler.type)
            if handler.name is not None:
                self.assign(handler.name)
            handlers.append((kind, handler.name, self.suite(handler.body)))
        return ("try", nid, body, tuple(handlers), self.suite(node.orelse), self.suite(node.finalbody))

    def s_with(self, node: ast.With | ast.AsyncWith) -> Stmt:
        nid = self.number(node)
        if type(node) is ast.AsyncWith and not self.scopes[-1].is_async:
            self.is_doubtful = True
        items = []
        for item in node.items:
            value = self.expr(item.context_expr)
            target = None if item.optional_vars is None else self.target(item.optional_vars)
            if type(item.optional_vars) is ast.Starred:
                self.is_doubtful = True
            items.append((value, target))
        return ("with", nid, tuple(items), self.suite(node.body))

    def s_match(self, node: ast.Match) -> Stmt:
        nid = self.number(node)
        self.is_doubtful = True
        subject = self.expr(node.subject)
        cases = []
        for case in node.cases:
            pattern = self.pattern(case.pattern)
            guard = None if case.guard is None else self.expr(case.guard)
            cases.append((self.number(case), pattern, guard, self.suite(case.body)))
        return ("match", nid, subject, tuple(cases))

    def pattern(self, node: ast.pattern) -> tuple[Any, ...]:
        if isinstance(node, ast.MatchAs):
            if node.name is not None:
                self.assign(node.name)
            return ("capture", node.name, None if node.pattern is None else self.pattern(node.pattern))
        if isinstance(node, ast.MatchValue):
            return ("value", self.number(node), self.expr(node.value))
        if isinstance(node, ast.MatchSingleton):
            return ("value", self.number(node), ("const", node.value))
        if isinstance(node, ast.MatchOr):
            return ("or", tuple([self.pattern(each) for each in node.patterns]))
        if isinstance(node, ast.MatchSequence):
            return ("sequence", tuple([self.pattern(each) for each in node.patterns]))
        if isinstance(node, ast.MatchStar):
            if node.name is not None:
                self.assign(node.name)
            return ("star", node.name)
        if isinstance(node, ast.MatchMapping):
            items = tuple([self.pattern(each) for each in node.patterns])
            if node.rest is not None:
                self.assign(node.rest)
            return ("mapping", items, node.rest, tuple([self.expr(each) for each in node.keys]))
        if isinstance(node, ast.MatchClass):
            parts = [self.pattern(each) for each in (*node.patterns, *node.kwd_patterns)]
            return ("instance", self.expr(node.cls), tuple(parts))
        return ("unknown",)

    # ---- targets

    def target(self, node: ast.expr) -> Expr:
        kind = type(node)
        if kind is ast.Name:
            self.assign(node.id)  # type: ignore[attr-defined]
            return ("name", self.number(node), node.id)  # type: ignore[attr-defined]
        if isinstance(node, (ast.Tuple, ast.List)):
            if sum(type(each) is ast.Starred for each in node.elts) > 1:
                self.is_doubtful = True
            return ("tuple", tuple([self.target(each) for each in node.elts]))
        if isinstance(node, ast.Starred):
            return ("star", self.target(node.value))
        return self.expr(node)

    # ---- expressions

    def expr(self, node: ast.expr) -> Expr:
        handler = _EXPR.get(type(node))
        return _OPAQUE if handler is None else handler(self, node)

    def exprs(self, nodes: Iterable[ast.expr]) -> tuple[Expr, ...]:
        return tuple([self.expr(each) for each in nodes])

    def e_name(self, node: ast.Name) -> Expr:
        name = node.id
        self.scopes[-1].read.add(name)
        self.nodes.append(node)
        return ("name", len(self.nodes) - 1, name)

    def e_constant(self, node: ast.Constant) -> Expr:
        return ("const", node.value)

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
            if value[0] == "star":
                self.is_doubtful = True
            conversion = None if part.conversion < 0 else chr(part.conversion)
            parts.append((number, value, _spec(part.format_spec), conversion))
            texts.append("")
        plain = all(spec is None and conversion is None for _, _, spec, conversion in parts)
        if not plain or not isinstance(node, ast.JoinedStr) or not all(map(_may_name, texts)):
            texts = []
        return ("fstring", nid, tuple(parts), tuple([("const", text) for text in texts]))

    def e_attribute(self, node: ast.Attribute) -> Expr:
        value = self.expr(node.value)
        self.nodes.append(node)
        return ("attr", len(self.nodes) - 1, value, node.attr)

    def e_call(self, node: ast.Call) -> Expr:
        func = self.expr(node.func)
        args = self.exprs(node.args)
        keywords: list[tuple[str | None, Expr]] = []
        numbers: list[int] = []
        for keyword in node.keywords:
            keywords.append((keyword.arg, self.expr(keyword.value)))
            numbers.append(self.number(keyword))
        if len(keywords) > 1 and len({each for each, _ in keywords}) < len(keywords):
            self.is_doubtful = True
        self.nodes.append(node)
        return ("call", len(self.nodes) - 1, func, args, tuple(keywords), tuple(numbers))

    def e_subscript(self, node: ast.Subscript) -> Expr:
        value = self.expr(node.value)
        index = self.expr(node.slice)
        self.nodes.append(node)
        return ("sub", len(self.nodes) - 1, value, index)

    def e_slice(self, node: ast.Slice) -> Expr:
        nid = self.number(node)
        bounds = [NONE if each is None else self.expr(each) for each in (node.lower, node.upper, node.step)]
        return ("slice", nid, *bounds)

    def e_star(self, node: ast.Starred) -> Expr:
        return ("star", self.expr(node.value))

    def e_tuple(self, node: ast.Tuple) -> Expr:
        return ("tuple", self.exprs(node.elts))

    def e_list(self, node: ast.List) -> Expr:
        return ("list", self.number(node), self.exprs(node.elts))

    def e_set(self, node: ast.Set) -> Expr:
        return ("set", self.number(node), self.exprs(node.elts))

    def e_dict(self, node: ast.Dict) -> Expr:
        items = [
            (None if key is None else self.expr(key), self.expr(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return ("dict", self.number(node), tuple(items))

    def e_binary(self, node: ast.BinOp) -> Expr:
        left = self.expr(node.left)
        right = self.expr(node.right)
        self.nodes.append(node)
        return ("bin", len(self.nodes) - 1, _BINARY[type(node.op)], left, right)

    def e_unary(self, node: ast.UnaryOp) -> Expr:
        operand = self.expr(node.operand)
        operator = _UNARY[type(node.op)]
        if operand[0] == "const" and operator == "-" and type(operand[1]) in (int, float):
            return ("const", -operand[1])
        return ("un", self.number(node), operator, operand)

    def e_boolean(self, node: ast.BoolOp) -> Expr:
        """`a and b and c` is taken for `(a and b) and c`."""
        operator = "and" if isinstance(node.op, ast.And) else "or"
        left = self.expr(node.values[0])
        for value in node.values[1:]:
            right = self.expr(value)
            left = ("bool", self.number(node), operator, left, right)
        return left

    def e_comparison(self, node: ast.Compare) -> Expr:
        left = self.expr(node.left)
        rest = [
            (_COMPARE[type(operator)], self.expr(comparator))
            for operator, comparator in zip(node.ops, node.comparators, strict=True)
        ]
        self.nodes.append(node)
        return ("cmp", len(self.nodes) - 1, left, tuple(rest))

    def e_conditional(self, node: ast.IfExp) -> Expr:
        nid = self.number(node)
        test = self.expr(node.test)
        return ("ifexp", nid, test, self.expr(node.body), self.expr(node.orelse))

    def e_lambda(self, node: ast.Lambda) -> Expr:
        code = self.function(node)
        return ("lambda", code.nid, code.index)

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
            clauses.append((self.number(clause), target, iterable, tests))
        is_dict = isinstance(node, ast.DictComp)
        key = self.expr(node.key) if is_dict else None
        element = self.expr(node.value if is_dict else node.elt)
        self.comprehensions -= 1
        outer.bound = before | {name for name in outer.bound if name in self._walrus}
        return ("comp", nid, _COMPREHENSION[type(node)], key, element, tuple(clauses))

    _walrus: frozenset[str] = frozenset()

    def e_walrus(self, node: ast.NamedExpr) -> Expr:
        value = self.expr(node.value)
        target = self.target(node.target)
        self.is_doubtful = self.is_doubtful or self.comprehensions > 0
        self._walrus = self._walrus | {node.target.id}
        return ("walrus", self.number(node), target, value)

    def e_await(self, node: ast.Await) -> Expr:
        self.is_doubtful = self.is_doubtful or not self.scopes[-1].is_async
        return ("await", self.expr(node.value))

    def yields(self, value: ast.expr | None) -> None:
        scope = self.scopes[-1]
        scope.is_generator = True
        if not scope.is_function or self.comprehensions or type(value) is ast.Starred:
            self.is_doubtful = True

    def e_yield(self, node: ast.Yield) -> Expr:
        self.yields(node.value)
        return ("yield", NONE if node.value is None else self.expr(node.value))

    def e_yield_from(self, node: ast.YieldFrom) -> Expr:
        self.yields(node.value)
        return ("yieldfrom", self.expr(node.value))


_COMPREHENSION: dict[type[ast.expr], str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}
_L = Lowering
_EXPR: dict[type[ast.AST], Callable[[Lowering, Any], Expr]] = {
    ast.Name: _L.e_name, ast.Constant: _L.e_constant, ast.JoinedStr: _L.e_formatted,
    ast.Attribute: _L.e_attribute, ast.Call: _L.e_call, ast.Subscript: _L.e_subscript, ast.Slice: _L.e_slice,
    ast.Tuple: _L.e_tuple, ast.List: _L.e_list, ast.Set: _L.e_set, ast.Dict: _L.e_dict,
    ast.BinOp: _L.e_binary, ast.UnaryOp: _L.e_unary, ast.BoolOp: _L.e_boolean, ast.Compare: _L.e_comparison,
    ast.IfExp: _L.e_conditional, ast.Lambda: _L.e_lambda, ast.ListComp: _L.e_comprehension,
    ast.SetComp: _L.e_comprehension, ast.DictComp: _L.e_comprehension, ast.GeneratorExp: _L.e_comprehension,
    ast.NamedExpr: _L.e_walrus, ast.Await: _L.e_await, ast.Yield: _L.e_yield,
    ast.YieldFrom: _L.e_yield_from, ast.Starred: _L.e_star,
}  # fmt: skip
_STATEMENT: dict[type[ast.AST], Callable[[Lowering, Any], Stmt | None]] = {
    ast.Expr: _L.s_expr, ast.Assign: _L.s_assign, ast.AnnAssign: _L.s_ann, ast.AugAssign: _L.s_aug,
    ast.Return: _L.s_return, ast.Raise: _L.s_raise, ast.Assert: _L.s_assert, ast.Delete: _L.s_delete,
    ast.Global: _L.s_global, ast.Nonlocal: _L.s_nonlocal, ast.Import: _L.s_import,
    ast.ImportFrom: _L.s_from, ast.Break: _L.s_break, ast.Continue: _L.s_continue,
    ast.FunctionDef: _L.s_function, ast.AsyncFunctionDef: _L.s_function, ast.ClassDef: _L.s_class,
    ast.If: _L.s_if, ast.While: _L.s_while, ast.For: _L.s_for, ast.AsyncFor: _L.s_for, ast.Try: _L.s_try,
    ast.TryStar: _L.s_try, ast.With: _L.s_with, ast.AsyncWith: _L.s_with, ast.Match: _L.s_match,
}  # fmt: skip
# Newer Pythons know more than the oldest one here.
if hasattr(ast, "TypeAlias"):
    _STATEMENT[ast.TypeAlias] = _L.s_type_alias
if hasattr(ast, "TemplateStr"):
    _EXPR[ast.TemplateStr] = _L.e_formatted


_LETTERS = frozenset(ascii_letters + digits + "_-./ ")


def _may_name(text: str) -> bool:
    """Whether a text may be part of a name; it is then written as it is, without escapes."""
    return _LETTERS.issuperset(text)


def _spec(node: ast.expr | None) -> str | None:
    """The text of a format specification, with a brace for each value in it."""
    values = node.values if isinstance(node, ast.JoinedStr) else ()
    return "".join([str(each.value) if isinstance(each, ast.Constant) else "{" for each in values]) or None


def _kind_of(statement: ast.stmt) -> str:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return "import"
    return "expression" if isinstance(statement, (ast.Expr, ast.Pass)) else ""


def _is_future_late(module: ast.Module) -> bool:
    """Whether something is imported from `__future__` that Python may not know, or below other statements."""
    is_late = False
    for number, statement in enumerate(module.body):
        if type(statement) is ast.ImportFrom and statement.module == "__future__":
            if is_late or any(each.name not in __future__.all_feature_names for each in statement.names):
                return True
        elif number or type(statement) is not ast.Expr or type(statement.value) is not ast.Constant:
            is_late = True
    return False


class Lowered(NamedTuple):
    """The program of a module, the syntax node behind each number in it, and whether Python's compiler may
    refuse it."""

    program: Program
    nodes: list[ast.AST]
    is_doubtful: bool


def lower(module: ast.Module) -> Lowered:
    """The program of a module."""
    lowering = Lowering()
    program = lowering.module(module)
    return Lowered(program, lowering.nodes, lowering.is_doubtful)
