"""The nodes of a lowered program: expressions, targets, statements and patterns, as slotted structs.

In: what `ir.lowering` fills in. Out: types, and walks over what a node holds. `nid` is the number of the node
in its file. A node never changes; equal nodes have equal parts, their numbers included.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, get_args

from msgspec import Struct


def _tag(name: str) -> str:
    return name.removesuffix("Expr").removesuffix("Stmt").removesuffix("Pattern")


class Node(Struct, frozen=True, gc=False, array_like=True, tag=_tag):
    """What all nodes are. Programs have no cycles, so the garbage collector need not look at them."""


# ---- expressions and targets


class NameExpr(Node, frozen=True):
    """A variable, read or bound."""

    nid: int
    name: str


class ConstExpr(Node, frozen=True):
    """A literal: None, a truth value, a number, a text, bytes or `...`."""

    value: Any


class OpaqueExpr(Node, frozen=True):
    """Something of which nothing is known."""


class FormattedPart(Node, frozen=True, tag=False):
    """One value of a formatted string. spec: its format, with a brace for each value in it."""

    nid: int
    value: Expr
    spec: str | None
    conversion: str | None


class FStringExpr(Node, frozen=True):
    """A formatted or a template string. texts: those around its values, where they may be part of a name."""

    nid: int
    parts: tuple[FormattedPart, ...]
    texts: tuple[ConstExpr, ...]


class AttrExpr(Node, frozen=True):
    """`value.name`"""

    nid: int
    value: Expr
    name: str


class Keyword(Node, frozen=True, tag=False):
    """`name=value` of a call; of `**value` the name is None."""

    nid: int
    name: str | None
    value: Expr


class CallExpr(Node, frozen=True):
    """`func(*args, **keywords)`"""

    nid: int
    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]


class SubscriptExpr(Node, frozen=True):
    """`value[index]`"""

    nid: int
    value: Expr
    index: Expr


class SliceExpr(Node, frozen=True):
    """`lower:upper:step`; a bound that is not written is the constant None."""

    nid: int
    lower: Expr
    upper: Expr
    step: Expr


class StarExpr(Node, frozen=True):
    """`*value`"""

    value: Expr


class TupleExpr(Node, frozen=True):
    """A tuple, or the targets of an unpacking."""

    items: tuple[Expr, ...]


class ListExpr(Node, frozen=True):
    """`[a, b]`"""

    nid: int
    items: tuple[Expr, ...]


class SetExpr(Node, frozen=True):
    """`{a, b}`"""

    nid: int
    items: tuple[Expr, ...]


class DictExpr(Node, frozen=True):
    """`{key: value, **value}`; the key of the latter is None."""

    nid: int
    items: tuple[tuple[Expr | None, Expr], ...]


class BinaryExpr(Node, frozen=True):
    """`left operator right` of arithmetic."""

    nid: int
    operator: str
    left: Expr
    right: Expr


class UnaryExpr(Node, frozen=True):
    """`operator operand`"""

    nid: int
    operator: str
    operand: Expr


class BoolExpr(Node, frozen=True):
    """`left and right`, `left or right`; `a and b and c` is `(a and b) and c`."""

    nid: int
    operator: str
    left: Expr
    right: Expr


class CompareExpr(Node, frozen=True):
    """`left < a < b`; rest: each operator with what is right of it."""

    nid: int
    left: Expr
    rest: tuple[tuple[str, Expr], ...]


class ConditionalExpr(Node, frozen=True):
    """`body if test else orelse`"""

    nid: int
    test: Expr
    body: Expr
    orelse: Expr


class Clause(Node, frozen=True, tag=False):
    """`for target in iterable if ...` of a comprehension; tests: each with its number."""

    nid: int
    target: Expr
    iterable: Expr
    tests: tuple[tuple[int, Expr], ...]


class ComprehensionExpr(Node, frozen=True):
    """kind: list, set, dict or generator; key: of a dict's."""

    nid: int
    kind: str
    key: Expr | None
    element: Expr
    clauses: tuple[Clause, ...]


class WalrusExpr(Node, frozen=True):
    """`target := value`"""

    nid: int
    target: NameExpr
    value: Expr


class AwaitExpr(Node, frozen=True):
    """`await value`"""

    value: Expr


class YieldExpr(Node, frozen=True):
    """`yield value`"""

    value: Expr


class YieldFromExpr(Node, frozen=True):
    """`yield from value`"""

    value: Expr


class LambdaExpr(Node, frozen=True):
    """A lambda; index: of its `Code` in the program."""

    nid: int
    index: int


Expr: TypeAlias = (
    NameExpr | ConstExpr | OpaqueExpr | FStringExpr | AttrExpr | CallExpr | SubscriptExpr | SliceExpr
    | StarExpr | TupleExpr | ListExpr | SetExpr | DictExpr | BinaryExpr | UnaryExpr | BoolExpr | CompareExpr
    | ConditionalExpr | ComprehensionExpr | WalrusExpr | AwaitExpr | YieldExpr | YieldFromExpr | LambdaExpr
)  # fmt: skip


# ---- patterns


class CapturePattern(Node, frozen=True):
    """`pattern as name`, `name` or `_`."""

    name: str | None
    pattern: Pattern | None


class ValuePattern(Node, frozen=True):
    """A constant or a dotted name."""

    nid: int
    value: Expr


class OrPattern(Node, frozen=True):
    """`a | b`"""

    options: tuple[Pattern, ...]


class SequencePattern(Node, frozen=True):
    """`[a, b]`"""

    items: tuple[Pattern, ...]


class StarPattern(Node, frozen=True):
    """`*name`"""

    name: str | None


class MappingPattern(Node, frozen=True):
    """`{key: item, **rest}`"""

    items: tuple[Pattern, ...]
    rest: str | None
    keys: tuple[Expr, ...]


class ClassPattern(Node, frozen=True):
    """`cls(item, name=item)`"""

    cls: Expr
    items: tuple[Pattern, ...]
    names: tuple[str, ...]  # of the last items


class UnknownPattern(Node, frozen=True):
    """One of a newer Python."""


Pattern: TypeAlias = (
    CapturePattern | ValuePattern | OrPattern | SequencePattern | StarPattern | MappingPattern
    | ClassPattern | UnknownPattern
)  # fmt: skip


# ---- statements


class ExprStmt(Node, frozen=True):
    """An expression whose value nobody takes."""

    nid: int
    value: Expr


class AssignStmt(Node, frozen=True):
    """`a = b = value`"""

    nid: int
    targets: tuple[Expr, ...]
    value: Expr


class AnnotatedStmt(Node, frozen=True):
    """`target: annotation = value`"""

    nid: int
    target: Expr
    annotation: Expr
    value: Expr | None


class AugmentedStmt(Node, frozen=True):
    """`target operator= value`; read: the target as it is read."""

    nid: int
    target: Expr
    operator: str
    value: Expr
    read: Expr


class ReturnStmt(Node, frozen=True):
    """`return value`; the constant None where none is written."""

    nid: int
    value: Expr


class RaiseStmt(Node, frozen=True):
    """`raise value from cause`; the value of a bare one is the constant None."""

    nid: int
    value: Expr
    cause: Expr | None


class AssertStmt(Node, frozen=True):
    """`assert test, message`"""

    nid: int
    test: Expr
    message: Expr | None


class DeleteStmt(Node, frozen=True):
    """`del a, b`"""

    nid: int
    targets: tuple[Expr, ...]


class ImportStmt(Node, frozen=True):
    """`import module as alias`; items: number, module and alias of each."""

    items: tuple[tuple[int, str, str | None], ...]


class FromStmt(Node, frozen=True):
    """`from module import name as bound`; items: number, name and bound name of each; None for all.

    level: how many dots the module begins with.
    """

    nid: int
    level: int
    module: str
    items: tuple[tuple[int, str, str], ...] | None


class BreakStmt(Node, frozen=True):
    """`break`"""


class ContinueStmt(Node, frozen=True):
    """`continue`"""


class DefStmt(Node, frozen=True):
    """A function; index: of its `Code` in the program."""

    nid: int
    index: int


class ClassStmt(Node, frozen=True):
    """A class; index: of its `ClassCode` in the program."""

    nid: int
    index: int


class IfStmt(Node, frozen=True):
    """`if test: body else: orelse`"""

    nid: int
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class WhileStmt(Node, frozen=True):
    """`while test: body else: orelse`"""

    nid: int
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class ForStmt(Node, frozen=True):
    """`for target in iterable: body else: orelse`"""

    nid: int
    target: Expr
    iterable: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class Handler(Node, frozen=True, tag=False):
    """`except kind as name: body`"""

    kind: Expr | None
    name: str | None
    body: tuple[Stmt, ...]


class TryStmt(Node, frozen=True):
    """`try: body except ...: else: orelse finally: final`"""

    nid: int
    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Stmt, ...]
    final: tuple[Stmt, ...]


class WithStmt(Node, frozen=True):
    """`with value as target: body`; items: each value with its target."""

    nid: int
    items: tuple[tuple[Expr, Expr | None], ...]
    body: tuple[Stmt, ...]


class Case(Node, frozen=True, tag=False):
    """`case pattern if guard: body`"""

    nid: int
    pattern: Pattern
    guard: Expr | None
    body: tuple[Stmt, ...]


class MatchStmt(Node, frozen=True):
    """`match subject: cases`"""

    nid: int
    subject: Expr
    cases: tuple[Case, ...]


Stmt: TypeAlias = (
    ExprStmt | AssignStmt | AnnotatedStmt | AugmentedStmt | ReturnStmt | RaiseStmt | AssertStmt | DeleteStmt
    | ImportStmt | FromStmt | BreakStmt | ContinueStmt | DefStmt | ClassStmt | IfStmt | WhileStmt | ForStmt
    | TryStmt | WithStmt | MatchStmt
)  # fmt: skip

EXPRESSIONS: Final[tuple[type[Node], ...]] = get_args(Expr)
STATEMENTS: Final[tuple[type[Node], ...]] = get_args(Stmt)

NONE: Final = ConstExpr(None)
TRUE: Final = ConstExpr(True)
FALSE: Final = ConstExpr(False)
OPAQUE: Final = OpaqueExpr()
