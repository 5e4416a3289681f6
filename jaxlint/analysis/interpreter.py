"""What the parts of the analysis ask of parts that are built after them.

Evaluation is recursive: an expression has calls, a call analyzes statements, statements have expressions.
Parts import only what is built before them; for the rest, each protocol here is what one class offers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from jaxlint.analysis.trace_context import Context
    from jaxlint.domain.join import MutableContainer, Tuple
    from jaxlint.domain.objects import Class, Function, Instance, Key, Module, Transformed
    from jaxlint.domain.values import Product, Value
    from jaxlint.ir.nodes import AnnotatedStmt, CallExpr, Expr, Stmt


class Expressions(Protocol):
    def known_items(self, value: Value) -> tuple[Value, ...] | None: ...

    def eval(self, node: Expr) -> Value: ...

    def copied(self, value: Value, nid: int) -> Value: ...


class Keys(Protocol):
    def turns(self, iterable: Value, nid: int) -> tuple[list[Value], bool]: ...

    def begin_turn(self, value: Value) -> None: ...


class Definitions(Protocol):
    def make_function(self, index: int) -> Value: ...

    def run_entry(self, node: Expr) -> None: ...


class Attributes(Protocol):
    def special(self, owner: Instance | Tuple, name: str, nid: int) -> Value | None: ...

    def asked(self, value: Value, nid: int, event: str = "") -> Value: ...

    def attribute(self, owner: Value, name: str, nid: int) -> Value: ...

    def named(self, owner: Value, name: Value, nid: int) -> Value: ...

    def of_instance(self, owner: Instance, name: str, nid: int = 0) -> Value: ...

    def bind_method(self, value: Value, owner: Value, nid: int) -> Value: ...

    by_kind: dict[type, Callable[..., Value]]


class Narrowing(Protocol):
    def assume(self, node: Expr, truth: bool) -> bool: ...

    def narrow(self, node: Expr, truth: bool) -> None: ...


class Assignment(Protocol):
    def assign_annotated(self, node: AnnotatedStmt) -> bool: ...

    def assign(self, target: Expr, value: Value, nid: int) -> None: ...


class ControlFlow(Protocol):
    def turn_count(self, iterable: Value) -> int | None: ...


class ModuleImports(Protocol):
    def module_value(self, name: str) -> Value: ...

    def member(self, module: Any, name: str) -> Value | None: ...

    def there(self, owner: Value, names: list[str]) -> list[str]: ...

    def lacks(self, owner: Value, name: str) -> bool: ...

    def is_named(self, module: Module, name: str) -> bool: ...


class Statements(Protocol):
    def run_block(self, body: Sequence[Stmt]) -> bool: ...

    def set_context(self, context: Context) -> None: ...

    def note_dropped(self, node: CallExpr, value: Value) -> None: ...


class Contexts(Protocol):
    def note_function(self, function: Function) -> None: ...

    def note_class(self, cls: Class) -> None: ...

    def renew_tests(self) -> None: ...


class Fixtures(Protocol):
    def value_of(self, func: Function, name: Value) -> Value: ...


class Calls(Protocol):
    def call(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool = True
    ) -> Value: ...

    def restore_spent(self, before: Value | None) -> None: ...

    def truth(self, value: Value) -> bool | None: ...


class Transforms(Protocol):
    def call_transformed(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value: ...


class Containers(Protocol):
    def iterator_of(self, value: Value, nid: int) -> Value: ...

    def iterate(self, value: Value, nid: int, turn: int = 0) -> Value: ...

    def subscript(self, owner: Value, index: Value, nid: int) -> Value: ...

    def item(self, owner: Value, index: Value, nid: int) -> Value: ...

    def percent_format(self, template: str, value: Value, nid: int) -> Value: ...

    def items_of_keys(self, keys: Key, count: int | None) -> tuple[Value, ...] | None: ...


class Decisions(Protocol):
    def differing(self, a: Value, b: Value, nid: int, operator: str) -> Value | None: ...

    def rows(self, a: Value, b: Value, operator: str) -> tuple[Sequence[Value], Sequence[Value]] | None: ...

    def box_method(
        self, name: str, box: MutableContainer, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value: ...

    def sought(self, item: Value, sequence: Tuple | MutableContainer, nid: int) -> Value | None: ...


class Builtins(Protocol):
    def instance_of(self, value: Value, classes: Value) -> bool | None: ...

    def kind_of_class(self, name: str) -> Value | None: ...


class Library(Protocol):
    def external(self, name: str) -> Value: ...

    def builtin(self, name: str) -> Value: ...

    def record_with(self, names: Collection[str], by_position: Collection[str] = ()) -> Class | None: ...

    def call_external(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value: ...

    def of_jax(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value: ...

    def read_number(self, identifier: Value) -> None: ...

    def of_object(
        self, name: str, owner: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value: ...

    def call_product(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value: ...


class Lifting(Protocol):
    def rebuilt(self, value: Value) -> Value: ...

    def beside(self, value: Instance, like: Instance) -> Instance: ...


class ModuleLoader(Protocol):
    def context_of(self, func: Function) -> Context: ...

    def load(self, module: Module) -> None: ...


class Interpreter:
    """The parts that are built later. `library.parts` sets each once."""

    __slots__ = (
        "assignments",
        "attributes",
        "builtins",
        "calls",
        "containers",
        "contexts",
        "control",
        "decisions",
        "definitions",
        "expressions",
        "fixtures",
        "imports",
        "keys",
        "library",
        "lifting",
        "loader",
        "narrowing",
        "statements",
        "transforms",
    )

    expressions: Expressions
    keys: Keys
    definitions: Definitions
    attributes: Attributes
    narrowing: Narrowing
    assignments: Assignment
    control: ControlFlow
    imports: ModuleImports
    statements: Statements
    contexts: Contexts
    fixtures: Fixtures
    calls: Calls
    transforms: Transforms
    lifting: Lifting
    containers: Containers
    decisions: Decisions
    builtins: Builtins
    library: Library

    def __init__(self, loader: ModuleLoader) -> None:
        self.loader = loader
