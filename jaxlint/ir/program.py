"""What one file says, as plain data: the intermediate representation."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from jaxlint.ir.nodes import Expr, Stmt

Import = tuple[str, int, tuple[str, ...] | None]
"""What is imported: module, level, names; None: all, or the module itself."""

ANY_FUTURE: Final = "__FUTURE__"
"""The module that stands for `__future__` in the cells of a notebook: there such an import may stand below
other statements, which Python's compiler would refuse."""

HAS_RUN: Final = "__HAS_RUN__"
"""`except E:__HAS_RUN__(0, 2)` ends a cell of a notebook that is saved with an error: the first and the third
statement of its `try` have run, and the error is not theirs."""


class Param(Struct, eq=False, gc=False, array_like=True):
    """One parameter; kind is `p` (positional only), `n`, `*`, `k` (keyword only) or `**`."""

    name: str
    kind: str
    default: Expr | None
    annotation: Expr | None
    nid: int


class Code(Struct, eq=False, gc=False, array_like=True):
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


class ClassCode(Struct, eq=False, gc=False, array_like=True):
    """A class statement."""

    index: int
    name: str
    qualname: str
    nid: int
    bases: tuple[Expr, ...]
    keywords: tuple[tuple[str | None, Expr], ...]
    decorators: tuple[Expr, ...]
    body: tuple[Stmt, ...]


class Program(Struct, eq=False, gc=False, array_like=True, tag=True):
    """What one file says: its module body (`codes[0]`), its functions and its classes.

    tops: for each line or compound statement of the module body the first number in it, what it is (`import`,
    `expression`, which `pass` counts as, or nothing) and its last row, 0 where the tree has no rows. methods:
    for each function in a class of the module body the first number in it, the first one behind it, and its
    first and last row. targets: the names that something other than an import, a `def` or a `class` binds
    anywhere. size: how many numbers there are. imports: what is imported anywhere. cells: of a notebook the
    first number behind each border of cells.
    """

    codes: list[Code] = []
    classes: list[ClassCode] = []
    tops: list[tuple[int, str, int]] = []
    methods: list[tuple[int, int, int, int]] = []
    targets: set[str] = set()
    size: int = 0
    imports: tuple[Import, ...] = ()
    cells: tuple[int, ...] = ()

    @property
    def body(self) -> Code:
        return self.codes[0]

    def function(self, name: str) -> Code | None:
        """The function of the module body of this name; None where there is none, or more than one."""
        found = [each for each in self.codes if each.qualname == name and not each.is_lambda]
        return found[0] if len(found) == 1 else None


class Refusal(Struct, frozen=True, gc=False, array_like=True, tag=True):
    """Why a file has no program: the code that this is reported under, and where."""

    code: str
    message: str
    row: int = 1
    column: int = 1
    trace: str = ""  # of what went wrong in jaxlint itself


Outcome = Program | Refusal


class Lead(Struct, frozen=True, gc=False, array_like=True):
    """What is read first of an outcome: whether it is a refusal, and what the file imports."""

    is_refused: bool
    imports: tuple[Import, ...]
