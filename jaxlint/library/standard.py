"""What functions of the standard library give back: of functools, dataclasses, collections, copy and so on.

In: calls with the values of their arguments. Out: the values of their results. What such functions do to
arrays stands in tables; here is what they make of functions, classes and containers.
"""

from __future__ import annotations

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.call_effects import CallEffects
from jaxlint.calling.calls import Calls
from jaxlint.calling.control_primitives import Call
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.transforms import WRAPPERS
from jaxlint.domain.tokens import PYTREE
from jaxlint.domain.values import (
    INT,
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    External,
    Function,
    Instance,
    MutableContainer,
    Partial,
    Product,
    TracerPytree,
    Unknown,
    Value,
    constants,
    join_all,
)
from jaxlint.evaluation.statements import Statements
from jaxlint.ir.lowering import ClassCode
from jaxlint.library.builtin import Builtins
from jaxlint.library.containers import Containers


class Standard:
    """Calls of the standard library that make functions, classes and containers."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        statements: Statements,
        effects: CallEffects,
        calls: Calls,
        lifting: Lifting,
        containers: Containers,
        builtins: Builtins,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.freshness = freshness
        self.statements = statements
        self.effects = effects
        self.calls = calls
        self.lifting = lifting
        self.containers = containers
        self.builtins = builtins

    def f_partial(self, call: Call) -> Value:
        if not call.args or isinstance(call.args[0], Unknown):
            return UNKNOWN
        if not call.exact and "**" in call.keywords:
            target = call.args[0]
            known = {name: value for name, value in call.keywords.items() if name != "**"}
            if isinstance(target, External) and target.name in WRAPPERS:
                return Partial(
                    target,
                    tuple(call.args[1:]),
                    tuple(sorted({**known, "**": UNKNOWN}.items(), key=lambda kv: kv[0])),
                )
            return Partial(
                target, tuple(call.args[1:]), (*sorted(known.items(), key=lambda kv: kv[0]), ("**", UNKNOWN))
            )
        keywords = tuple(sorted(call.keywords.items(), key=lambda item: item[0]))
        result = Partial(call.args[0], tuple(call.args[1:]), keywords)
        self.freshness.note_birth(
            result, PYTREE if call.name == "jax.tree_util.Partial" else "partial", call.nid
        )
        return result

    def f_partialmethod(self, call: Call) -> Value:
        if not call.args:
            return UNKNOWN
        return Product(
            "partialmethod",
            call.args[0],
            tuple(call.args[1:]),
            tuple(sorted(call.keywords.items(), key=lambda i: i[0])),
        )

    def f_wraps(self, call: Call) -> Value:
        wrapped = call.get(0, "wrapped")
        named = () if wrapped is None else (("wrapped", wrapped),)
        return Partial(External("functools.update_wrapper"), (), named)

    def f_update_wrapper(self, call: Call) -> Value:
        """`inspect` and with it JAX take the signature of the function that is wrapped for its own."""
        wrapper, wrapped = call.get(0, "wrapper"), call.get(1, "wrapped")
        if isinstance(wrapper, Function) and wrapped is not None:
            wrapper.attributes["__wrapped__"] = wrapped
        return UNKNOWN if wrapper is None else wrapper

    def f_identity(self, call: Call) -> Value:
        return call.args[0] if call.args else External("builtins.$identity")

    def f_reduce(self, call: Call) -> Value:
        if len(call.args) < 2:
            return UNKNOWN
        items = self.containers.exact_items(call.args[1])
        if items and len(items) <= 8:
            result = call.args[2] if len(call.args) > 2 else items[0]
            for item in items if len(call.args) > 2 else items[1:]:
                result = self.calls.call(call.args[0], [result, item], {}, call.nid)
            return result
        each = self.containers.iterate(call.args[1], call.nid)
        start = call.args[2] if len(call.args) > 2 else each
        first = self.calls.call(call.args[0], [start, each], {}, call.nid)
        return join_all((start, first)) if first == start else first

    def f_dataclass(self, call: Call) -> Value:
        target = call.get(0, "cls")
        if not isinstance(target, Class):
            return Partial(External(call.name), (), tuple(sorted(call.keywords.items(), key=lambda i: i[0])))
        target.marks.add("dataclass")
        if call.keywords.get("eq") == Const(False):
            target.marks.add("identity")  # it has the hash of its base
        if call.keywords.get("frozen") == Const(True):
            target.marks.add("frozen")
        elif call.name.startswith(("dataclasses.", "attr")) and call.exact:
            hashed = {call.keywords.get(name) for name in ("unsafe_hash", "hash", "eq")}
            if hashed <= {None, NONE} and not call.name.endswith(".frozen"):
                target.marks.add("unhashable")
        if call.name != "dataclasses.dataclass" and not call.name.startswith("attr"):
            target.marks.add("pytree")
            if call.name.startswith(("flax.struct", "jax_dataclasses")):
                target.marks.add("frozen")
        if call.name.endswith(".frozen"):
            target.marks.add("frozen")
        return target

    def f_field(self, call: Call) -> Value:
        static = (
            call.name == "equinox.static_field"
            or call.keywords.get("static") == Const(True)
            or call.keywords.get("pytree_node") == Const(False)
        )
        if isinstance(call.keywords.get("metadata"), MutableContainer):
            marked = call.keywords["metadata"].entries.get("static")  # type: ignore[attr-defined]
            static = static or marked == Const(True)
        default = call.keywords.get("default")
        factory = call.keywords.get("default_factory")
        if default is None and factory is not None:
            default = Product("factory", factory)
        hashed = call.keywords.get("hash", NONE)
        is_hashed = call.keywords.get("compare") != Const(False) if hashed == NONE else hashed != Const(False)
        return Product("field", default, static, is_hashed)

    def f_replace(self, call: Call) -> Value:
        owner = call.args[0] if call.args else UNKNOWN
        if not isinstance(owner, Instance):
            return owner if isinstance(owner, TracerPytree) else UNKNOWN
        key = ("replaced", call.nid, id(owner))
        found = self.flow.frame.heap.get(key)
        copy = (
            found
            if isinstance(found, Instance)
            else Instance(owner.cls, self.flow.context.depth, owner.generic)
        )
        self.core.keep(key, copy)
        copy.attributes = {**owner.attributes, **call.keywords}
        return copy

    def f_count(self, call: Call) -> Value:
        return Product("stream", INT, self.flow.context.depth)

    def f_defaultdict(self, call: Call) -> Value:
        box = self.core.box("dict", call.nid, "defaultdict")
        factory = call.args[0] if call.args else NONE
        if factory == External("builtins.list"):
            inner = self.core.box("list", call.nid, "inner")
            inner.blur()
            box.elem = inner
        return box

    def f_deque(self, call: Call) -> Value:
        return self.builtins.sequence(call.args[:1], call.nid, "list")

    def f_cache(self, call: Call) -> Value:
        """A cached function is analyzed as if it were not cached."""
        target = call.args[0] if call.args else None
        if isinstance(target, (Function, Bound, Partial)):
            if isinstance(target, Function):
                self.staleness.memoised.add(id(target.code))
            return target
        return Partial(External(call.name), (), ())

    def f_cached_property(self, call: Call) -> Value:
        if call.args and isinstance(call.args[0], Function):
            self.staleness.memoised.add(id(call.args[0].code))
        return Product("property", call.args[0], True, NONE) if call.args else UNKNOWN

    def f_namedtuple(self, call: Call) -> Value:
        """A class of tuples, where its fields are known."""
        given = call.get(1, "field_names")
        found = None if given is None else constants(given)
        if found is None:
            return UNKNOWN
        if isinstance(given, Const) and isinstance(given.value, str):
            found = tuple(given.value.replace(",", " ").split())
        key = ("namedtuple", call.nid, self.flow.module.path)
        cls = self.flow.frame.heap.get(key)
        if not isinstance(cls, Class):
            record = ClassCode(-1, "<namedtuple>", "<namedtuple>", call.nid, (), (), (), ())
            cls = self.core.keep(key, Class(record, self.flow.module, self.flow.env))
        default = UNKNOWN if "defaults" in call.keywords else None
        cls.fields = {str(name): (default, False) for name in found}
        cls.marks.add("namedtuple")
        return cls

    def f_ordered(self, call: Call) -> Value:
        return self.builtins.b_dict(call.args, call.keywords, call.nid)

    def f_copy(self, call: Call) -> Value:
        """A container, and after `deepcopy` what is in it, is another one than before."""
        if not call.args:
            return UNKNOWN
        if isinstance(call.args[0], Instance):
            return self.f_replace(call)
        return self._copied(call.args[0], 4 if call.name == "copy.deepcopy" else 1)

    def _copied(self, value: Value, depth: int) -> Value:
        if depth == 0 or not isinstance(value, MutableContainer):
            return value
        copy = self.lifting.copy_of(value, "copied", lambda each: self._copied(each, depth - 1))
        copy.depth = self.flow.context.depth
        return copy

    def f_logger(self, call: Call) -> Value:
        return Product("logging.Logger")

    def f_path(self, call: Call) -> Value:
        return Product("pathlib.Path")

    def f_stream(self, call: Call) -> Value:
        """A file outlives the trace that opens it; a buffer in memory may belong to it."""
        if call.name.startswith("io."):
            return Product("io.IOBase", self.flow.context.depth, False)
        mode = call.get(1, "mode")
        emptied = isinstance(mode, Const) and isinstance(mode.value, str) and mode.value[:1] in ("w", "x")
        return Product("io.IOBase", -1, emptied and self.flow.context.staged)

    def f_typing_cast(self, call: Call) -> Value:
        return call.args[1] if len(call.args) > 1 else UNKNOWN

    def f_manager(self, call: Call) -> Value:
        func = call.args[0] if call.args else UNKNOWN
        if isinstance(func, Function):
            self.effects.managers.add(id(func.code))
        return func

    def f_disable_jit(self, call: Call) -> Value:
        """`jax.disable_jit(flag)` changes what runs inside it only as far as the flag is known."""
        flag = call.get(0, "disable")
        truth = self.calls.truth(flag) if flag is not None else True if call.exact else None
        return Product("context", {True: "unjitted", False: "jitted", None: "opaque"}[truth])

    def f_config_update(self, call: Call) -> Value:
        """`jax.config.update("jax_disable_jit", flag)` holds for what follows it in the same body."""
        if (
            call.get(0, "name") == Const("jax_disable_jit")
            and not self.flow.tests
            and not self.flow.frame.iterations
        ):
            flag = call.get(1, "val")
            truth = None if flag is None else self.calls.truth(flag)
            self.statements.set_context(self.flow.context._replace(unjitted=truth is True))
        return NONE

    def f_exit_stack(self, call: Call) -> Value:
        return Product("exit-stack")

    def stack_method(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """`stack.enter_context(manager)` is as `with manager:` up to the end of the stack's own `with`."""
        certain = not self.flow.tests and not self.flow.frame.iterations
        if name in ("enter_context", "enter_async_context") and len(args) == 1:
            manager = args[0]
            if not isinstance(manager, Product) or manager.kind != "context" or certain:
                return self.statements.enter(manager, nid)
        elif name == "close" and self.flow.context.unjitted:
            self.statements.set_context(self.flow.context._replace(unjitted=False))
        self.calls.escape(args, keywords)
        return UNKNOWN

    def f_operator_index(self, call: Call) -> Value:
        return INT
