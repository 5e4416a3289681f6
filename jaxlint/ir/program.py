"""What one file says, as plain data: the intermediate representation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
