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
from copy import copy
from itertools import groupby
from typing import Any, NamedTuple

from jaxlint.ir.lower_expressions import BINARY, EXPRESSIONS, ExpressionLowering, Scope
from jaxlint.ir.nodes import (
    NONE,
    OPAQUE,
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AugmentedStmt,
    BreakStmt,
    Case,
    ClassStmt,
    ContinueStmt,
    DefStmt,
    DeleteStmt,
    Expr,
    ExprStmt,
    ForStmt,
    FromStmt,
    Handler,
    IfStmt,
    ImportStmt,
    LambdaExpr,
    MatchStmt,
    NameExpr,
    RaiseStmt,
    ReturnStmt,
    StarExpr,
    Stmt,
    TryStmt,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import HAS_RUN, ClassCode, Code, Program

_BLOCKS = 20  # that Python's compiler allows in each other


class Lowering(ExpressionLowering):
    """One table-driven walk. `nodes[nid]` is the syntax node that a number stands for.

    is_doubtful: whether Python's compiler may refuse what its parser reads, as `return` outside a function.
    """

    # ---- module, functions, classes

    def module(self, node: ast.Module) -> Program:
        code = Code(0, "<module>", "<module>", self.number(node))
        self.program.codes.append(code)
        self.scopes.append(Scope("<module>", False))
        body: list[Stmt] = []
        tops = self.program.tops
        self.is_doubtful = _is_future_late(node)
        for statement in node.body:
            first, last = getattr(statement, "lineno", 0), getattr(statement, "end_lineno", 0)
            if first and tops and first == tops[-1][2]:
                tops[-1] = (*tops[-1][:2], last)
            else:
                tops.append((len(self.nodes), _kind_of(statement), last))
            for part in _parted(statement):
                self.statement(part, body)
        code.body = tuple(body)
        scope = self.scopes.pop()
        code.bound = frozenset(scope.bound)
        self.program.size = len(self.nodes)
        self.program.imports = tuple(self.imports)
        return self.program

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
        scope = Scope(name, False, is_function=True, is_async=code.is_async)
        self.scopes.append(scope)
        scope.bound.update([param.name for param in code.params])
        if len(scope.bound) < len(code.params) or getattr(node, "type_params", None):
            self.is_doubtful = True
        if isinstance(node, ast.Lambda):
            code.body = (ReturnStmt(self.number(node.body), self.expr(node.body)),)
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
        return ExprStmt(nid, self.expr(value))

    def s_assign(self, node: ast.Assign) -> Stmt:
        nid = self.number(node)
        value = self.expr(node.value)
        if type(value) is StarExpr or any(type(each) is ast.Starred for each in node.targets):
            self.is_doubtful = True
        return AssignStmt(nid, tuple([self.target(each) for each in node.targets]), value)

    def s_ann(self, node: ast.AnnAssign) -> Stmt:
        nid = self.number(node)
        value = None if node.value is None else self.expr(node.value)
        annotation = self.expr(node.annotation)
        return AnnotatedStmt(nid, self.target(node.target), annotation, value)

    def s_aug(self, node: ast.AugAssign) -> Stmt:
        nid = self.number(node)
        value = self.expr(node.value)
        read = self.expr(node.target)
        return AugmentedStmt(nid, self.target(node.target), BINARY[type(node.op)], value, read)

    def s_return(self, node: ast.Return) -> Stmt:
        nid = self.number(node)
        if not self.scopes[-1].is_function or type(node.value) is ast.Starred:
            self.is_doubtful = True
        return ReturnStmt(nid, NONE if node.value is None else self.expr(node.value))

    def s_raise(self, node: ast.Raise) -> Stmt:
        nid = self.number(node)
        raised = NONE if node.exc is None else self.expr(node.exc)
        return RaiseStmt(nid, raised, None if node.cause is None else self.expr(node.cause))

    def s_assert(self, node: ast.Assert) -> Stmt:
        nid = self.number(node)
        return AssertStmt(nid, self.expr(node.test), None if node.msg is None else self.expr(node.msg))

    def s_delete(self, node: ast.Delete) -> Stmt:
        nid = self.number(node)
        items: list[ast.expr] = []
        for target in node.targets:
            items.extend(target.elts if isinstance(target, ast.Tuple) else [target])
        return DeleteStmt(nid, tuple([self.target(each) for each in items]))

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
            self.imports[alias.name, 0, None] = None
        return ImportStmt(tuple(items))

    def s_from(self, node: ast.ImportFrom) -> Stmt:
        nid = self.number(node)
        level, module = node.level, node.module or ""
        if module == "__future__" and (len(self.scopes) > 1 or self.depth):
            self.is_doubtful = True
        if node.names[0].name == "*":
            self.is_doubtful = self.is_doubtful or len(self.scopes) > 1
            self.imports[module, level, None] = None
            return FromStmt(nid, level, module, None)
        items = []
        for alias in node.names:
            name = alias.asname or alias.name
            self.bind(name)
            items.append((self.number(alias), alias.name, name))
        self.imports[module, level, tuple([alias.name for alias in node.names])] = None
        return FromStmt(nid, level, module, tuple(items))

    def s_break(self, node: ast.Break) -> Stmt:
        self.is_doubtful = self.is_doubtful or not self.scopes[-1].loops
        return BreakStmt()

    def s_continue(self, node: ast.Continue) -> Stmt:
        self.is_doubtful = self.is_doubtful or not self.scopes[-1].loops
        return ContinueStmt()

    def s_type_alias(self, node: Any) -> Stmt:
        self.assign(node.name.id)
        self.is_doubtful = True
        nid = self.number(node)
        return AssignStmt(nid, (NameExpr(self.number(node.name), node.name.id),), OPAQUE)

    def e_lambda(self, node: ast.Lambda) -> Expr:
        code = self.function(node)
        return LambdaExpr(code.nid, code.index)

    def s_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Stmt:
        code = self.function(node)
        self.bind(code.name)
        return DefStmt(code.nid, code.index)

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
        self.scopes.append(Scope(name, True))
        body: list[Stmt] = []
        for statement in node.body:
            first = len(self.nodes)
            self.statement(statement, body)
            if len(self.scopes) == 2 and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._note_method(statement, first)
        record.body = tuple(body)
        self.scopes.pop()
        return ClassStmt(nid, record.index)

    def _note_method(self, node: ast.FunctionDef | ast.AsyncFunctionDef, first: int) -> None:
        last = getattr(node, "end_lineno", None)
        if last:
            row = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            self.program.methods.append((first, len(self.nodes), row, last))

    def s_if(self, node: ast.If) -> Stmt:
        nid = self.number(node)
        test = self.expr(node.test)
        return IfStmt(nid, test, self.suite(node.body), self.suite(node.orelse))

    def s_while(self, node: ast.While) -> Stmt:
        nid = self.number(node)
        test = self.expr(node.test)
        return WhileStmt(nid, test, self.looped(node.body), self.suite(node.orelse))

    def s_for(self, node: ast.For | ast.AsyncFor) -> Stmt:
        nid = self.number(node)
        iterable = self.expr(node.iter)
        target = self.target(node.target)
        if type(target) is StarExpr or (type(node) is ast.AsyncFor and not self.scopes[-1].is_async):
            self.is_doubtful = True
        return ForStmt(nid, target, iterable, self.looped(node.body), self.suite(node.orelse))

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
            handlers.append(Handler(kind, handler.name, self.suite(handler.body)))
        return TryStmt(nid, body, tuple(handlers), self.suite(node.orelse), self.suite(node.finalbody))

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
        return WithStmt(nid, tuple(items), self.suite(node.body))

    def s_match(self, node: ast.Match) -> Stmt:
        nid = self.number(node)
        self.is_doubtful = True
        subject = self.expr(node.subject)
        cases = []
        for case in node.cases:
            pattern = self.pattern(case.pattern)
            guard = None if case.guard is None else self.expr(case.guard)
            cases.append(Case(self.number(case), pattern, guard, self.suite(case.body)))
        return MatchStmt(nid, subject, tuple(cases))


_STATEMENT: dict[type[ast.AST], Callable[[Lowering, Any], Stmt | None]] = {
    ast.Expr: Lowering.s_expr,
    ast.Assign: Lowering.s_assign,
    ast.AnnAssign: Lowering.s_ann,
    ast.AugAssign: Lowering.s_aug,
    ast.Return: Lowering.s_return,
    ast.Raise: Lowering.s_raise,
    ast.Assert: Lowering.s_assert,
    ast.Delete: Lowering.s_delete,
    ast.Global: Lowering.s_global,
    ast.Nonlocal: Lowering.s_nonlocal,
    ast.Import: Lowering.s_import,
    ast.ImportFrom: Lowering.s_from,
    ast.Break: Lowering.s_break,
    ast.Continue: Lowering.s_continue,
    ast.FunctionDef: Lowering.s_function,
    ast.AsyncFunctionDef: Lowering.s_function,
    ast.ClassDef: Lowering.s_class,
    ast.If: Lowering.s_if,
    ast.While: Lowering.s_while,
    ast.For: Lowering.s_for,
    ast.AsyncFor: Lowering.s_for,
    ast.Try: Lowering.s_try,
    ast.TryStar: Lowering.s_try,
    ast.With: Lowering.s_with,
    ast.AsyncWith: Lowering.s_with,
    ast.Match: Lowering.s_match,
}
EXPRESSIONS[ast.Lambda] = Lowering.e_lambda
# Newer Pythons know more than the oldest one here.
if hasattr(ast, "TypeAlias"):
    _STATEMENT[ast.TypeAlias] = Lowering.s_type_alias


def _kind_of(statement: ast.stmt) -> str:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return "import"
    return "expression" if isinstance(statement, (ast.Expr, ast.Pass)) else ""


def _parted(statement: ast.stmt) -> Iterable[ast.stmt]:
    """The statements of a cell that is saved with an error, in place of the `try` around them: those that
    have run, and the others between them, each time in a `try`."""
    ending = statement.handlers[0].body[0] if type(statement) is ast.Try and statement.handlers else None
    call = ending.value if isinstance(ending, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != HAS_RUN:
        return (statement,)
    assert isinstance(statement, ast.Try)
    ran = {each.value for each in call.args if isinstance(each, ast.Constant)}
    found: list[ast.stmt] = []
    for has_run, group in groupby(enumerate(statement.body), key=lambda pair: pair[0] in ran):
        body = [each for _, each in group]
        if has_run:
            found += body
            continue
        tried = copy(statement)
        handler = copy(statement.handlers[0])
        handler.body = []
        tried.body, tried.handlers = body, [handler]
        found.append(tried)
    return found


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
