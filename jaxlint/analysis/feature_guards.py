"""Which code runs only after it has asked what the library has, and what it refers to.

In: references to names of libraries while a program is analyzed. Out: `Reference` events that say whether
something around them asks first: a test of a version or of `hasattr`, a handler of the error that a missing
name gives, an import for type checkers. It refuses to know which names there are in which version.
"""

from __future__ import annotations

from collections.abc import Collection

from jaxlint.analysis.core import NO_CALL_HOOKS, Core
from jaxlint.analysis.events import Reference
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.objects import Bound, Environment, Function, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import asks
from jaxlint.domain.values import TRUE, UNKNOWN, Array, Const, External, FeatureProbe, Product, Value
from jaxlint.ir.nodes import AttrExpr, BreakStmt, CallExpr, ContinueStmt, Expr, FromStmt, ReturnStmt, Stmt
from jaxlint.ir.program import ANY_FUTURE, Code
from jaxlint.ir.walks import walk
from jaxlint.tables.deprecation import is_listed

# what a name, a module or a keyword that is not there gives
MISSING = frozenset(("ImportError", "ModuleNotFoundError", "AttributeError"))
EXPECTED = MISSING | {"TypeError", "NameError", "Exception", "BaseException"}
_OF_IMPORTS = frozenset(("ImportError", "ModuleNotFoundError"))
_IMPORTS = frozenset(("import", "from", "star"))  # how an import refers to a name
# names that ask a library for its version, or for what it has
ASKED_NAMES = {
    "__version__": "version", "__version_info__": "version", "sys.version": "version",
    "sys.version_info": "version", "sys.hexversion": "version", "jax.lib.version": "version",
    "__dict__": "name", "TYPE_CHECKING": "name", "jax.config.values": "name",
}  # fmt: skip
OWN_VERSION = frozenset(
    ("jax.__version__", "jax.__version_info__", "jax.version.__version__", "jax.version.__version_info__")
)
_MARK = ("asked",)  # in the variables: an arm that was left early asked
_REFERRED: dict[type[Value], str] = {Array: "array", Key: "key"}
_LEAVES = (ReturnStmt, ContinueStmt, BreakStmt)


# what hands keywords that are not its own on to the function that it is given
_HANDS_ON = frozenset(("jax.pure_callback",))


def _takes(func: Value, keyword: str) -> bool:
    """Whether a function of the project has a parameter of this name."""
    while isinstance(func, (Bound, Partial, Transformed)):
        func = func.func
    if isinstance(func, Instance):
        method = func.cls.lookup("__call__")
        return method is not None and _takes(method[0], keyword)
    if not isinstance(func, Function):
        return False
    return any(
        param.kind == "**" or (param.name == keyword and param.kind in "nk") for param in func.code.params
    )


class FeatureGuards:
    """Keeps what asks around the code that is analyzed, and tells of references."""

    def __init__(self, flow: FlowState, core: Core, interpreter: Interpreter) -> None:
        self.flow = flow
        self.core = core
        self.interpreter = interpreter
        # functions that are made where something asks, by what they close over
        self.asked_functions: dict[Code, set[Environment]] = {}
        self._postponed: dict[str, bool] = {}

    # ---- what asks

    def is_asked(self, errors: Collection[str] = EXPECTED) -> bool:
        """Whether something around this in its function, or around its making, asks the library."""
        return bool(self.flow.guards) or self._is_asked(errors)

    def _is_asked(self, errors: Collection[str] = EXPECTED) -> bool:
        for caught in self.flow.frame.caught:
            if not caught.isdisjoint(errors):
                return True
        env: Environment | None = self.flow.env
        while env is not None:
            if _MARK in env.vars:
                return True
            env = env.parent if env.code is None else None
        return False

    def enters_asked(self, func: Function) -> bool:
        """Whether what a function does is asked for: where it is made, or around this call."""
        return func.env in self.asked_functions.get(func.code, ()) or self.is_asked(MISSING)

    def note_asked(self, func: Function) -> None:
        """A function is made; a `try` around it is over when it is called."""
        caught, self.flow.frame.caught = self.flow.frame.caught, ()
        if self.is_asked():
            self.asked_functions.setdefault(func.code, set()).add(func.env)
        self.flow.frame.caught = caught

    def leave_arm(self, how: str, arm: tuple[Stmt, ...], above: bool = False) -> None:
        """One arm of a test that asks was left: what follows runs where the answer was the other one. To
        raise for a version that is too old says nothing of what follows. `above`: it was left for the
        newer versions."""
        if how != "version" or above or (arm and isinstance(arm[-1], _LEAVES)):
            self.flow.env.vars[_MARK] = TRUE

    def answer(self, args: list[Value], result: Value) -> Value:
        """What a call gives back that is handed nothing but what a library was asked for."""
        first, count, own = "", 0, False
        for each in args:
            how = asks(each)
            if how:
                first, count = first or how, count + 1
                own = isinstance(each, FeatureProbe) and each.own
            elif not isinstance(each, (Const, External)):
                return result
        return FeatureProbe("any", first, own and count == 1) if first else result

    # ---- references

    def refer(
        self, nid: int, name: str, how: str, keyword: str = "", value: Value = UNKNOWN, statement: int = 0
    ) -> None:
        if is_listed(name, keyword) and "Reference" in self.core.hooks:
            expected = EXPECTED if how in _IMPORTS else EXPECTED - _OF_IMPORTS
            asked = self.flow.guards > len(self.flow.floors) or self._is_asked(expected)
            if how in _IMPORTS:
                self._ask_by_import()
            floor = max(self.flow.floors, default=())
            event = Reference(
                nid,
                self.flow.frame,
                name,
                how,
                guarded=asked,
                warned=self.flow.warned > 0,
                keyword=keyword,
                floor=floor,
                value=value,
                statement=statement,
            )
            self.core.emit("Reference", event)

    def _ask_by_import(self) -> None:
        """What follows an import whose error is handled runs where the old name is there, and others are."""
        self.flow.frame.caught = tuple(
            [each if _OF_IMPORTS.isdisjoint(each) else each | MISSING for each in self.flow.frame.caught]
        )

    def refer_call(self, node: CallExpr, func: Value, args: list[Value], keywords: dict[str, Value]) -> None:
        """The keywords of a call of a library function, and the method that is called."""
        if isinstance(func, External):
            if func.name == "functools.partial" and args:
                func = args[0]
            elif func.name == "jax.config.update" and args:
                if isinstance(args[0], Const):
                    self.refer(node.nid, f"jax.config.{args[0].value}", "flag")
        elif isinstance(func, Product) and func.kind == "method" and isinstance(node.func, AttrExpr):
            self.refer_method(node.func.nid, func.parts[1], func.parts[0], "call")
        if not node.keywords:
            return
        while isinstance(func, Partial):
            func = func.func
        if isinstance(func, External) and func.spelled.startswith("jax"):
            taker = args[0] if func.name in _HANDS_ON and args else UNKNOWN
            for keyword in node.keywords:
                name = keyword.name
                if name is not None and not _takes(taker, name):
                    self.refer(keyword.nid, func.spelled, "keyword", name, keywords.get(name, UNKNOWN))

    def refer_method(self, nid: int, owner: Value, name: str, how: str = "method") -> None:
        kind = owner.kind if isinstance(owner, Product) else _REFERRED.get(type(owner), "")
        if kind in ("array", "key", "compiled", "device"):
            self.refer(nid, f"{kind}.{name}", how)

    # ---- annotations

    def refer_annotation(self, node: Expr | None) -> None:
        """An annotation that Python evaluates where it stands."""
        if (
            node is None
            or "Reference" not in self.core.hooks
            or self._is_postponed()
            or not _has_attribute(node)
        ):
            return
        saved = (self.core.hooks, self.core.call_hooks)
        self.core.hooks = {"Reference": self.core.hooks["Reference"]}
        self.core.call_hooks = NO_CALL_HOOKS
        try:
            self.interpreter.expressions.eval(node)
        finally:
            self.core.hooks, self.core.call_hooks = saved

    def _is_postponed(self) -> bool:
        """Whether the module begins with `from __future__ import annotations`."""
        path = self.flow.module.path
        if path not in self._postponed:
            self._postponed[path] = any(
                isinstance(statement, FromStmt)
                and statement.module in ("__future__", ANY_FUTURE)
                and any(name == "annotations" for _, name, _ in statement.items or ())
                for statement in self.flow.module.program.body.body
            )
        return self._postponed[path]


def _has_attribute(node: Expr) -> bool:
    return any(isinstance(each, AttrExpr) for each in walk(node))


__all__ = ["ASKED_NAMES", "EXPECTED", "MISSING", "FeatureGuards"]
