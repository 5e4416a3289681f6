"""What has no hash, by what a program declares.

In: a call of a function and its arguments, of which nothing is known but that they are fields, or what nobody
passes. Out: lists, dicts, sets, arrays and objects in their place, where declarations leave nothing else. It
refuses to know which arguments are hashed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from jaxlint.analysis.core import Core, Unreachable
from jaxlint.analysis.flow_state import FlowState
from jaxlint.domain.hashing import lacks_hash
from jaxlint.domain.join import MutableContainer
from jaxlint.domain.objects import Class, Function
from jaxlint.domain.questions import base_of
from jaxlint.domain.values import Array, External, Product, Unknown, Value
from jaxlint.evaluation.annotations import ARRAY, Annotations, Belief
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.lower_expressions import lowered_text
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    NameExpr,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Program
from jaxlint.ir.walks import calls_of, container_written, last_name

_CONTAINERS = {
    f"{module}.{name}": kind
    for kind, named in (("list", ("list", "List")), ("dict", ("dict", "Dict")), ("set", ("set", "Set")))
    for module, name in zip(("builtins", "typing"), named, strict=True)
}  # those that have no hash
# whose fields are made tuples, or are no fields of Python's dataclasses
_FREEZING = frozenset(("linen", "nnx", "altered"))
_MAKERS = ("__init__", "__new__", "__post_init__", "__setattr__", "__getattribute__")
GENERIC = "g"  # of tokens of arguments of which nothing is known, as nobody calls the function


class Declarations:
    """Reads what fields and parameters are declared as."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        expressions: Expressions,
        definitions: Definitions,
        annotations: Annotations,
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.definitions = definitions
        self.annotations = annotations

    def arguments(
        self, func: Value, args: Sequence[Value], keywords: Mapping[str, Value]
    ) -> tuple[list[Value], dict[str, Value]]:
        """Arguments of a call of which no more is known than declarations say, as these have them: fields
        whose default makes a list, a dict or a set, and arguments of a function that nobody calls."""
        base = base_of(func)
        return (
            [self._declared(each, base) for each in args],
            {name: self._declared(each, base) for name, each in keywords.items()},
        )

    def _declared(self, value: Value, base: Value) -> Value:
        token = value.token if isinstance(value, Unknown) else None
        if not isinstance(token, tuple) or not isinstance(base, Function):
            return value
        if token[0] == GENERIC and token[1][0] == id(base.code):
            param = base.code.params[token[1][1]]
            belief = (
                None if param.annotation is None else self.annotations.of_parameters(base).get(param.name)
            )
            return value if belief is None else self._without_hash(belief) or value
        if len(token) != 3 or token[1] != ".":
            return value
        cls = self.definitions.heirs.kinds.get(token[0]) or self.definitions.class_of(token[0])
        kind = "" if cls is None else self._made_by_default(cls, token[2])
        return MutableContainer(kind, 0, 0) if kind else value

    def _without_hash(self, belief: Belief) -> Value | None:
        """What has no hash, whatever it holds, as it is an array or of a class of the project."""
        if belief.kind == ARRAY and not belief.is_optional:
            return Array(0)
        cls = belief.kind
        if not isinstance(cls, Class) or belief.is_optional:
            return None
        below = self.definitions.heirs.below(cls)
        return self.definitions.generic_instance(cls) if all(map(lacks_hash, (cls, *below))) else None

    def _made_by_default(self, cls: Class, name: str) -> str:
        """Which of Python's containers a field of a dataclass is, where its annotation says so, its default
        makes one, and nothing in the project puts a tuple there; nothing where that is not known."""
        found = next((each for each in cls.lineage() if name in each.annotations), None)
        if found is None or "dataclass" not in found.marks or found.has_any_mark(_FREEZING):
            return ""
        if any(name in each.annotations for each in self.definitions.heirs.below(found)):
            return ""
        if name in cls.instance_writes or any(cls.lookup(each) is not None for each in _MAKERS):
            return ""
        node: Expr | None = found.annotations[name]
        if isinstance(node, ConstExpr) and isinstance(node.value, str):
            node = lowered_text(node.value)
        node = node.value if isinstance(node, SubscriptExpr) else node
        default, _ = found.fields.get(name, (None, False))
        if not isinstance(node, NameExpr | AttrExpr) or not isinstance(default, Product):
            return ""
        kind = self._container(node, found)
        made = default.parts[0] if default.kind == "factory" else None
        is_made = bool(kind) and (
            made == External(f"builtins.{kind}")
            or (isinstance(made, Function) and made.code.is_lambda and _gives(made.code.body, kind))
        )
        programs = self.core.world.programs() if is_made else ()
        return "" if any(_puts(each, cls.code.name, name) for each in programs) else kind if is_made else ""

    def _container(self, node: Expr, cls: Class) -> str:
        """What an annotation names: a list, a dict or a set."""
        try:
            with self.core.elsewhere(cls.env, cls.module):
                value = self.expressions.eval(node)
        except Unreachable:
            return ""
        return _CONTAINERS.get(value.name, "") if isinstance(value, External) else ""


def _gives(body: Sequence[Stmt], kind: str) -> bool:
    """Whether a lambda gives a list, a dict or a set that it has written out or makes by a comprehension."""
    return len(body) == 1 and isinstance(body[0], ReturnStmt) and container_written(body[0].value) == kind


@lru_cache(maxsize=1024)
def _puts(program: Program, cls: str, name: str) -> bool:
    """Whether a file puts a tuple in a field of a class, by its name or in a row of arguments."""
    for code in program.codes:
        given = [
            value
            for targets, value in assignments(code.body)
            if any(isinstance(each, AttrExpr) and each.name == name for each in targets)
        ]
        for call in calls_of(code.body):
            given += [each.value for each in call.keywords if each.name == name]
            given += call.args if last_name(call.func) == cls else ()
        if any(map(_is_tuple, given)):
            return True
    return False


def _is_tuple(node: Expr) -> bool:
    return isinstance(node, TupleExpr) or (isinstance(node, CallExpr) and last_name(node.func) == "tuple")
