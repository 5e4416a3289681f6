"""Methods of arrays, tuples, library objects and transformed functions."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.copies.module_changes import put_in
from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Call as CallEvent
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.numpy_memory import view_of
from jaxlint.analysis.trace_cache import EVERY
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.calls import Calls
from jaxlint.calling.transform_rules import TransformRules
from jaxlint.domain.join import MutableContainer, Tuple, VariableRef, level_of, options_of
from jaxlint.domain.literals import (
    dtype_of,
)
from jaxlint.domain.objects import Bound, Class, Function, Instance, Transformed
from jaxlint.domain.values import (
    ANY,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Const,
    NumPyArray,
    Product,
    Static,
    Text,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.inherited_containers import class_of_kind, refill
from jaxlint.evaluation.keys import Keys
from jaxlint.library.builtin import Builtins
from jaxlint.library.containers import Containers
from jaxlint.library.decisions import Decisions
from jaxlint.library.dispatching import Dispatching
from jaxlint.library.gradient_transformations import GradientTransformations
from jaxlint.library.pytrees import Pytrees
from jaxlint.library.standard import Standard
from jaxlint.tables.array_methods import AT_METHODS
from jaxlint.tables.jax_functions import FUNCTIONS
from jaxlint.tables.numpy_memory import WRITES

_OF_OPERATORS = frozenset(("__init__", "__getitem__", "__iter__", "__len__", "__contains__"))


class ObjectMethods:
    """Calls methods of what the project does not define."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        keys: Keys,
        calls: Calls,
        containers: Containers,
        decisions: Decisions,
        builtins: Builtins,
        standard: Standard,
        dispatching: Dispatching,
        pytrees: Pytrees,
        gradients: GradientTransformations,
        transform_rules: TransformRules,
        interpreter: Interpreter,
    ) -> None:
        self.transform_rules = transform_rules
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.keys = keys
        self.calls = calls
        self.containers = containers
        self.decisions = decisions
        self.builtins = builtins
        self.standard = standard
        self.dispatching = dispatching
        self.pytrees = pytrees
        self.gradients = gradients
        self.interpreter = interpreter

    def call_method(
        self, name: str, owner: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        level = level_of(owner)
        for value in (*args, *keywords.values()):
            level |= level_of(value)
        full, result = self._method_of(name, owner, args, keywords, nid, exact)
        if full in WRITES:
            self.note_written(full, owner, args, keywords, nid, exact)
        if full:
            self.containers.expressions.hashing.hash_arguments(full, args, nid)
            if not self.core.silent:
                self.core.emit_call(
                    CallEvent(nid, self.flow.frame, full, args, keywords, owner, level, exact)
                )
            self.flow.last_called = (full, owner)
        return result

    def note_written(
        self,
        name: str,
        owner: Value | None,
        args: list[Value],
        keywords: dict[str, Value],
        nid: int,
        exact: bool,
    ) -> None:
        """Notes what a call changes in place, of which the table says that it does so."""
        call = CallEvent(nid, self.flow.frame, name, args, keywords, owner, 0, exact)
        self.containers.storing.note_written(call)

    def _method_of(
        self, name: str, owner: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> tuple[str, Value]:
        """The whole name of a method of a library's or of Python's own object, and what it gives. The name is
        empty where no rule is told."""
        if isinstance(owner, Array):
            result = self._array_method(name, owner, args, keywords, nid)
            self.flow.frame.operations += self.flow.context.staged
            return f"jax.Array.{name}", result
        if isinstance(owner, NumPyArray):
            full = f"numpy.ndarray.{name}"
            if name == "tolist":
                return full, self._numbers(owner, nid)
            view = view_of(full, [owner, *args], keywords, 1 if name == "ravel" else None) if exact else None
            return full, view or _host_method(name, owner)
        if name in _OF_OPERATORS and isinstance(owner, (MutableContainer, Tuple)):
            return "", self._special_method(name, owner, args, keywords, nid, exact)
        if isinstance(owner, MutableContainer):
            return f"builtins.{owner.kind}.{name}", self.decisions.box_method(
                name, owner, args, keywords, nid
            )
        if isinstance(owner, VariableRef):
            for value in args:
                put_in(self.core, owner, value, owner, nid)
            return "", NONE if args else owner.inner
        if isinstance(owner, TracerPytree):
            return f"tree.{name}", self.containers.tree_method(name, owner, args, nid)
        if isinstance(owner, Const) and not isinstance(owner.value, (str, bytes)):
            return "", INT if name == "bit_length" else UNKNOWN  # or it is an array where this is run
        if isinstance(owner, Const) or (isinstance(owner, Static) and owner.type == "str"):
            result = self.containers.text_method(name, args, keywords, owner, nid)
            if result == STR and type(result) is not Text:
                joined = self._items_of(args[0], nid) if name == "join" and args else ()
                parts = [option for each in (owner, *args, *joined) for option in options_of(each)]
                result = self.containers.expressions.texts.made_of(filter(_is_text, parts), nid)
            return f"builtins.str.{name}", result
        if isinstance(owner, Tuple):
            return f"builtins.tuple.{name}", self._tuple_method(name, owner, args, keywords, nid)
        if isinstance(owner, (Transformed, Bound)):
            return f"jitted.{name}", self._transformed_method(name, owner, args, keywords, nid, exact)
        if isinstance(owner, Product):
            return self._product_method(name, owner, args, keywords, nid, exact)
        if type(owner) is Function and name == "cache_clear":
            self.staleness.note_made(EVERY)
            if self.staleness.makers.clear(owner.code):
                return "functools.$cache_clear", NONE
        return "", ANY if type(owner) is Static else UNKNOWN

    def _special_method(
        self,
        name: str,
        owner: MutableContainer | Tuple,
        args: list[Value],
        keywords: dict[str, Value],
        nid: int,
        exact: bool,
    ) -> Value:
        """What the methods give that Python's operators ask for, of a class that a container is a base of."""
        if name == "__init__":
            if isinstance(owner, MutableContainer):
                refill(owner, self.calls.call(class_of_kind(owner.kind), args, keywords, nid, exact))
            return NONE
        if name == "__getitem__" and len(args) == 1:
            return self.containers.subscript(owner, args[0], nid)
        return owner if name == "__iter__" else INT if name == "__len__" else UNKNOWN

    def _items_of(self, value: Value, nid: int) -> Sequence[Value]:
        items = self.containers.expressions.known_items(value)
        return (self.containers.iterate(value, nid),) if items is None else items

    def _tuple_method(
        self, name: str, owner: Tuple, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        if name == "_replace" and owner.cls is not None and owner.items is not None:
            names = list(owner.cls.all_fields())
            items = tuple(keywords.get(each, old) for each, old in zip(names, owner.items, strict=False))
            return Tuple(items, cls=owner.cls)
        if name == "_asdict" and owner.cls is not None and owner.items is not None:
            box = self.core.box("dict", nid, "_asdict")
            box.entries = dict(zip(owner.cls.all_fields(), owner.items, strict=False))
            return box
        return self.decisions.tuple_search(name, owner, args, nid) if name in ("index", "count") else UNKNOWN

    def _product_method(
        self, name: str, owner: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> tuple[str, Value]:
        """The same for an object that a library has made."""
        if owner.kind == "at-index":
            self.flow.frame.operations += self.flow.context.staged
            base = owner.parts[0]
            if isinstance(base, Unknown):  # of what has such an attribute only arrays of JAX have the method
                made = self.core.made([owner.parts[1], *args])
                return (f"jax.Array.at.{name}", made) if name in AT_METHODS else ("", UNKNOWN)
            if isinstance(base, Product) and base.kind == "ref":
                return "", UNKNOWN  # it is written in place
            if not isinstance(base, Array):
                return f"jax.Array.at.{name}", Array(1, "?")
            spread = self.core.arrays_level([base, owner.parts[1], *args])
            return f"jax.Array.at.{name}", Array(spread, base.dtype, base.ndim if name != "get" else None)
        if owner.kind == "dispatcher":
            return "", self.dispatching.register(owner, args, keywords) if name == "register" else UNKNOWN
        if owner.kind == "variables":
            return "", self._of_variables(owner.parts[0], name, args, keywords, nid)
        if owner.kind == "generator":
            full = f"{owner.parts[0]}.{name}"
            return full, ANY if full.startswith("random.") else NumPyArray()
        if owner.kind in ("io.IOBase", "logging.Logger", "pathlib.Path"):
            full = f"{owner.kind}.{name}"
            if full == "pathlib.Path.open":
                return full, Product("io.IOBase", -1, False)
            return full, owner if owner.kind == "pathlib.Path" and name in _PATH_PARTS else UNKNOWN
        if owner.kind == "optax":
            if name == "init":
                return "", self.gradients.init(owner, [*args, *keywords.values()], nid)
            return "", self.gradients.update(owner, args, keywords, nid) if name == "update" else UNKNOWN
        if owner.kind in ("object", "distribution", "handler", "signature", "bound"):
            full = f"{owner.parts[0]}.{name}"
            return full, self.interpreter.library.of_object(full, owner, args, keywords, nid, exact)
        if owner.kind == "lowered" and name in ("lower", "compile"):
            return "", owner if name == "lower" else owner.parts[0]
        if owner.kind == "treedef":
            is_unflatten = name == "unflatten" and len(args) == 1
            return "", self.pytrees.of_leaves(owner.parts[0], args[0], nid) if is_unflatten else UNKNOWN
        if owner.kind == "tqdm":
            return f"tqdm.tqdm.{name}", UNKNOWN
        if owner.kind == "exit-stack":
            return "", self.standard.stack_method(owner, name, args, keywords, nid)
        if owner.kind == "request" and args:
            return "", self.interpreter.fixtures.value_of(owner.parts[1], args[0])
        if owner.kind == "stream" and name == "__next__":
            return "", self.builtins.b_next([owner], {}, nid)
        return "", UNKNOWN

    def _of_variables(
        self, owner: Value, name: str, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        """Methods of the mapping that `vars` gives: of a class's all that it defines itself is known."""
        if name in ("update", "__setitem__"):
            given: list[tuple[Value, Value]] = [(Const(each), value) for each, value in keywords.items()]
            if name == "__setitem__" and len(args) == 2:
                given.append((args[0], args[1]))
            for box in args if name == "update" else ():
                if isinstance(box, MutableContainer) and box.elem is None:
                    given += [(Const(each), value) for each, value in box.entries.items()]
                else:
                    self.builtins.storing.store_somewhere(owner)
            for each, value in given:
                self.builtins.storing.store_named(owner, each, value, nid)
            return NONE
        if name in ("get", "pop") and args:
            held = self.interpreter.attributes.named(owner, args[0], nid)
            if name == "pop":
                self.staleness.note_dropped(held)
            return held
        if isinstance(owner, Instance) and name in ("copy", "items", "keys", "values"):
            box = self.interpreter.expressions.copied(Product("variables", owner), nid)
            if not isinstance(box, MutableContainer):
                return UNKNOWN
            return box if name == "copy" else self.containers.container_method(name, box, args, {}, nid)
        if not isinstance(owner, Class) or name not in ("items", "keys", "values", "copy"):
            return UNKNOWN
        box = self.core.box("dict", nid, "vars")
        box.entries = dict(owner.attributes)
        return box if name == "copy" else self.containers.container_method(name, box, args, {}, nid)

    def _array_method(
        self, name: str, owner: Array, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        if name == "item":
            return Static("any")
        if name in ("tolist", "__array__"):
            view = view_of("numpy.ndarray.__array__", [owner, *args], keywords, owner.ndim)
            return self._numbers(owner, nid) if name == "tolist" else view or NumPyArray(owner.dtype)
        if name == "astype":
            dtype = dtype_of(args[0]) if args else dtype_of(keywords.get("dtype", UNKNOWN))
            same = dtype in ("?", owner.dtype)
            level = owner.level if same else owner.level | (1 if self.flow.context.staged else 0)
            return Array(level, dtype, owner.ndim, owner.shape)
        if name in ("block_until_ready", "copy", "view", "conj", "conjugate", "to_device"):
            return owner
        row = f"jax.numpy.{name}"
        if row in FUNCTIONS:
            return self.interpreter.library.of_jax(row, [owner, *args], keywords, nid)
        if name in ("reshape", "flatten"):
            return Array(owner.level, owner.dtype, 1 if name == "flatten" else None)
        return UNKNOWN

    def _numbers(self, array: Array | NumPyArray, nid: int) -> Value:
        """The numbers of an array as Python's own, in lists where it has axes."""
        if array.ndim is None:
            return UNKNOWN
        number: Value = Static(_TYPES[array.dtype]) if array.dtype in _TYPES else ANY
        for axis in range(array.ndim):
            box = self.core.box("list", nid, f"tolist{axis}")
            box.items, box.elem = None, number
            number = box
        return number

    def _transformed_method(
        self, name: str, owner: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        func = owner.func if isinstance(owner, Bound) else owner
        if name == "clear_cache":
            self.flow.frame.notes.cleared = True
            if isinstance(func, Transformed) and not self.flow.context.depth:
                self.flow.frame.notes.clears[nid] = func
            self.staleness.note_made(func)
            if isinstance(func, Transformed):
                self.staleness.note_made(func.func)
        if name in ("defvjp", "defjvp", "def_vmap") and isinstance(func, Transformed):
            self.transform_rules.custom_rules[func.place] = tuple(args)
            return func if name != "defvjp" else NONE
        if name in ("def_fwd", "def_bwd", "def_jvp") and isinstance(func, Transformed) and args:
            rules = self.transform_rules.custom_rules.get(func.place, ())
            first = name != "def_bwd"
            self.transform_rules.custom_rules[func.place] = (
                (args[0], *rules[1:]) if first else (*(rules[:1] or (UNKNOWN,)), args[0])
            )
            return args[0]
        if name in ("lower", "trace", "eval_shape"):
            self.flow.looking = True
            with self.keys.unspent():
                self.calls.call(owner, args, keywords, nid, exact)
            self.flow.looking = False
            return UNKNOWN if name == "eval_shape" else Product("lowered", _ahead_of_time(func))
        return UNKNOWN


def _ahead_of_time(func: Value) -> Value:
    """What is compiled of a function before it is called: where that donates, it donates as well."""
    if not isinstance(func, Transformed) or func.kind != "jit":
        return Product("compiled")
    donated = tuple([each for each in func.options if each[0].startswith("donate")])
    if not donated or any(name.startswith("static") for name, _ in func.options):
        return Product("compiled")  # it is called without its static arguments
    made = Transformed(func.kind, func.func, donated, func.place)
    made.birth, made.conditions = func.birth, func.conditions
    return made


def _is_text(value: Value) -> bool:
    return isinstance(value, Text)


def _host_method(name: str, owner: NumPyArray) -> Value:
    if name in ("item",):
        return ANY
    if name == "tobytes":
        return UNKNOWN
    if name in ("sort", "fill", "resize", "put", "setflags", "itemset"):
        return NONE
    if name == "nonzero":
        return Tuple(None, NumPyArray("i"))
    return NumPyArray()


_TYPES = {"b": "bool", "i": "int", "f": "float"}
_PATH_PARTS = frozenset("parent with_suffix with_name joinpath resolve absolute expanduser".split())
