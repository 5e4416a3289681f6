"""What `def` and `class` make: functions, classes, and the instances that stand for any object of a class."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeGuard

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import ClassEnd
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.objects import Class, Environment, Function, Instance, Module, Partial
from jaxlint.domain.questions import map_tokens
from jaxlint.domain.tokens import VARIABLES
from jaxlint.domain.values import UNKNOWN, Array, External, Product, Unknown, Value
from jaxlint.evaluation.delegation import is_jitted_variant
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.heirs import Heirs
from jaxlint.ir.liveness import replaced_definitions
from jaxlint.ir.mentions import hands_on, registers_itself
from jaxlint.ir.nodes import (
    TRUE,
    AnnotatedStmt,
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    NameExpr,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
)
from jaxlint.ir.program import ClassCode, Code
from jaxlint.ir.walks import dotted, last_name, number_of

# what makes a class a dataclass or a pytree, by the canonical name of a base
BASE_MARKS: dict[str, tuple[str, ...]] = {
    "typing.NamedTuple": ("namedtuple",),
    "typing.TypedDict": ("dict",),
    "enum.Enum": ("enum",), "enum.IntEnum": ("enum",), "enum.StrEnum": ("enum",),
    "enum.Flag": ("enum",), "enum.IntFlag": ("enum",),
    "equinox.Module": ("pytree", "dataclass", "frozen", "equinox"),
    "flax.struct.PyTreeNode": ("pytree", "dataclass", "frozen", "replaces"),
    "flax.linen.Module": ("dataclass", "frozen", "framework", "linen"),
    "flax.nnx.Module": ("pytree", "framework", "nnx"),
    "flax.nnx.Object": ("pytree", "framework", "nnx"),
    "flax.nnx.Pytree": ("pytree", "framework", "nnx"),
    **dict.fromkeys(VARIABLES, ("variable",)),
    "haiku.Module": ("framework",),
    "simple_pytree.Pytree": ("pytree",), "treex.Module": ("pytree", "framework"),
    "penzai.core.struct.Struct": ("pytree", "dataclass"),
}  # fmt: skip


# annotations that make no field: of a class's own variables, and of what a subclass is to have
_KW_ONLY = "KW_ONLY"  # says of the fields below it that no argument gives them by its position
_NO_FIELDS = frozenset(("ClassVar", "AbstractVar", "AbstractClassVar", _KW_ONLY))
_OF_EQUINOX = frozenset(("AbstractVar", "AbstractClassVar", "field"))
_DECLARES = frozenset([External(f"equinox.{name}") for name in _OF_EQUINOX])
_TYPING = frozenset(("typing", "abc", "functools", "typeguard", "jaxtyping", "beartype", "jax"))
_METACLASSES = frozenset(("builtins.type", "abc.ABCMeta"))
_ARRAYS = ("jax.", "jaxlib.", "numpy.")
INSIDE = 1 << 20  # traces around the making of what may be new: more than there ever are


class Definitions:
    """Makes functions, classes and generic instances."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        expressions: Expressions,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        core.summaries.any_of = self.generic_instance
        self.guards = guards
        self.staleness = staleness
        self.freshness = freshness
        self.expressions = expressions
        self.interpreter = interpreter
        self.decorators: dict[int, dict[Value, None]] = {}  # of functions and classes, by their code
        # lists of arguments that tests are called with, by the code of a test or a class, and by decorators
        self.marks: dict[int, dict[int, Product]] = {}
        self.pending_checks: list[ClassEnd] = []
        # By class, whether it may be new and whether it may be another at each turn: objects only met.
        self.classes: dict[int, Class] = {}  # of the objects of which only the class is known, by identity
        self.met: dict[tuple[Class, bool, bool], Instance] = {}
        self.metaclasses: dict[Class, Class] = {}  # the project's, of classes that name one
        self.heirs = Heirs(flow, core)
        self.transparent = _TYPING  # packages of libraries whose decorators hand calls on as they are
        # functions of which code that is not known has made others, by their names and those of what did so
        self.decorated: dict[tuple[Environment, str], dict[Function, None]] = {}
        self._lost: dict[Code | ClassCode, Function] = {}
        self._replaced: dict[str, frozenset[int]] = {}  # by module
        self.getters: set[str] = set()  # names of properties that give more than what an object holds

    # ---- functions

    def make_function(self, index: int) -> Value:
        code = self.flow.module.program.codes[index]
        env = self.flow.env
        cls = None
        if self.flow.class_stack and self.flow.class_stack[-1][1] is env:
            cls = self.flow.class_stack[-1][0]
            assert env.parent is not None
            env = env.parent
        function = Function(code, self.flow.module, env, cls)
        function.caught = tuple(self.core.handlers())
        self.flow.in_default = True
        for param in code.params:
            if param.default is not None:
                default = self.expressions.eval(param.default)
                # functions that a loop makes have each its own
                function.defaults[param.name] = (
                    map_tokens(default, _no_token) if self.flow.frame.loop else default
                )
        self.flow.in_default = False
        for param in code.params:
            self.guards.refer_annotation(param.annotation)
        self.guards.refer_annotation(code.returns)
        self.guards.note_asked(function)
        self.interpreter.contexts.note_function(function)
        self.staleness.note_made(function)
        self.freshness.note_birth(function, id(code))
        return function

    def decorate(self, node: Expr, value: Value, code: Code | ClassCode) -> Value:
        """What a decorator makes of a function or class. `code`: what is decorated."""
        result = self._decorated_by(node, value, code)
        if isinstance(result, Unknown):
            self._note_decorated(node, value, code)
        return result

    def _decorated_by(self, node: Expr, value: Value, code: Code | ClassCode) -> Value:
        decorator = self.expressions.eval(node)
        nid = number_of(node) or 0
        self.decorators.setdefault(id(code), {})[decorator] = None
        if isinstance(decorator, Product) and decorator.kind == "cases":
            self._note_cases(code, nid, decorator)
        if isinstance(decorator, Unknown):
            maker = self.expressions.eval(node.func) if isinstance(node, CallExpr) else decorator
            if isinstance(value, Class):
                value.marks.update(() if _keeps_classes(maker) else ("altered",))
                return value
            return self.plain_decorator(maker.name, value) if isinstance(maker, External) else UNKNOWN
        if isinstance(decorator, Product) and decorator.kind == "iterator" and isinstance(value, Function):
            return value  # a generator that is a context manager runs around each call
        self.flow.decorating = True
        result = self.interpreter.calls.call(decorator, [value], {}, nid)
        self.flow.decorating = False
        if isinstance(result, Function) and isinstance(value, Function) and result is not value:
            result.stands_for = value
        if isinstance(value, Class) and not isinstance(result, (Class, Function)):
            value.marks.update(() if _keeps_classes(decorator) else ("altered",))
            return value
        if isinstance(result, Unknown) and isinstance(decorator, External):
            return self.plain_decorator(decorator.name, value)
        if isinstance(result, Unknown) and isinstance(decorator, Product) and decorator.kind == "opaque":
            return self.plain_decorator(decorator.parts[0], value)
        return result

    def _note_decorated(self, node: Expr, value: Value, code: Code | ClassCode) -> None:
        """Remembers a function of which code that is not known makes another one."""
        if isinstance(value, Function):
            self._lost[code] = value
        func = self._lost.get(code)
        if func is not None:
            by = dotted(node.func if isinstance(node, CallExpr) else node).partition(".")[0]
            for name in (func.code.name, by):
                self.decorated.setdefault((func.env, name), {})[func] = None

    def _note_cases(self, code: Code | ClassCode, nid: int, cases: Product) -> None:
        """Remembers the arguments of tests; those that had others are analyzed again."""
        known = self.marks.setdefault(id(code), {})
        if nid in known and known[nid] != cases:
            self.interpreter.contexts.renew_tests()
        known[nid] = cases

    def is_variant(self, func: Function | None) -> bool:
        """Whether a test is one that chex runs with `jax.jit`."""
        decorators = () if func is None else self.decorators.get(id(func.code), ())
        return any(is_jitted_variant(each) for each in decorators)

    def may_fail(self, func: Function) -> bool:
        """Whether what runs a test expects that it fails, or never runs it."""
        decorators = [*self.decorators.get(id(func.code), ())]
        for cls in func.cls.lineage() if func.cls is not None else ():
            decorators += self.decorators.get(id(cls.code), ())
        return any(each == FAILING or getattr(each, "name", "") in FAILS for each in decorators)

    def run_entry(self, node: Expr) -> None:
        """Runs what a library runs for a script: functions that it has decorated, where a statement of a
        module calls one by its name (`main()` under `@click.command()`) or what has decorated them (`cli()`
        where that is `@cli.command()`), or one that such a statement hands it (`app.run(main)`)."""
        if not self.flow.driving or self.flow.frame.func is not None or not isinstance(node, CallExpr):
            return
        known = self.flow.env.vars
        root = known.get(dotted(node.func).partition(".")[0])
        given = node.args[0] if len(node.args) == 1 else None
        found: Iterable[Value | None] = ()
        if isinstance(root, Unknown) and isinstance(node.func, NameExpr):
            found = self.decorated.get((self.flow.env, node.func.name), {})
        elif isinstance(given, NameExpr) and isinstance(root, External) and self._is_foreign(root.name):
            found = (known.get(given.name),)
        self.flow.launching = True
        try:
            for each in tuple(found):
                if isinstance(each, Function):
                    self.interpreter.calls.call(each, [], {"**": UNKNOWN}, node.nid, False)
        finally:
            self.flow.launching = False

    def run_main(self, module: Module) -> None:
        """Runs a script's `main()`, where nothing in the project names it: what installs or starts the script
        does."""
        main = module.env.vars.get("main")
        if not isinstance(main, Function) or main.module is not module or main.env is not module.env:
            return
        if any(each.kind in "pnk" and each.default is None for each in main.code.params):
            return
        if not self.interpreter.imports.is_named(module, "main"):
            self.interpreter.calls.call(main, [], {}, main.code.nid)

    def _is_foreign(self, name: str) -> bool:
        package = name.partition(".")[0]
        return package not in self.transparent and package not in sys.stdlib_module_names

    def is_elsewhere(self, value: Value, classes: Value) -> bool:
        """Whether a value that seems to be an array is none where it is of a class of a library that is
        neither JAX, NumPy nor around JAX."""
        if not isinstance(value, Array) or not isinstance(classes, External):
            return False
        return not classes.name.startswith(_ARRAYS) and self._is_foreign(classes.name)

    def plain_decorator(self, name: str, value: Value) -> Value:
        """What a library decorator that the tables don't know makes of a function: those for types and of
        what is written for JAX call it as it is called."""
        return value if self._is_plain(name) else UNKNOWN

    def _is_plain(self, name: str) -> bool:
        return name.partition(".")[0] in self.transparent and "callback" not in name

    def is_replaced(self, index: int, code: Code) -> bool:
        """Whether nothing ever calls a function: a later definition takes its place, and all its decorators
        give another one, and hand it to nobody who could keep it."""
        module = self.flow.module
        replaced = self._replaced.get(module.path)
        if replaced is None:
            replaced = self._replaced[module.path] = replaced_definitions(module.program)
        if index not in replaced:
            return False
        for node in code.decorators:
            decorator = self.expressions.eval(node)
            while isinstance(decorator, Partial):
                decorator = decorator.func
            if not isinstance(decorator, External):
                return False
            if not (decorator.name.startswith("builtins.") or self._is_plain(decorator.name)):
                return False
        return True

    # ---- classes

    def make_class(self, record: ClassCode) -> Value:
        key = ("class", record.index, self.flow.module.path)
        cls = self.flow.frame.heap.get(key)
        if not isinstance(cls, Class):
            cls = self.core.keep(key, Class(record, self.flow.module, self.flow.env))
        cls.env = self.flow.env
        cls.bases = tuple(self.expressions.eval(base) for base in record.bases)
        for name, node in record.keywords:
            if name == "frozen" and node == TRUE:
                cls.marks.add("frozen")
            if name == "metaclass":
                self._note_metaclass(cls, self.expressions.eval(node))
        for base in cls.bases:
            if isinstance(base, External):
                cls.marks.update(BASE_MARKS.get(base.name, ()))
            elif isinstance(base, Product) and base.kind == "marked":
                cls.marks.update(base.parts[0])
        env = Environment(None, self.flow.module, self.flow.env, self.flow.context.depth)
        saved = self.flow.env
        self.flow.env = env
        self.flow.class_stack.append((cls, env))
        self.interpreter.statements.run_block(record.body)
        self.flow.class_stack.pop()
        self.flow.env = saved
        for name, value in env.vars.items():
            if isinstance(name, str):
                cls.attributes[name] = value
        getters = [name for name, value in cls.attributes.items() if _computes(value)]
        if getters:
            self.getters.update(getters)
        self.begin_subclass(cls)
        self._register(cls)
        value = cls
        for decorator in reversed(record.decorators):
            self.decorate(decorator, value, record)
        self.interpreter.contexts.note_class(cls)
        self.heirs.note_class(cls)
        if "ClassDef" in self.core.hooks:
            self.pending_checks.append(ClassEnd(record.nid, self.flow.frame, cls))
        return value

    def _note_metaclass(self, cls: Class, metaclass: Value) -> None:
        """Of a metaclass that does nothing but begin classes, that is all; others make what they like."""
        if isinstance(metaclass, Class) and _only_begins(metaclass):
            self.metaclasses[cls] = metaclass
        elif metaclass != External("abc.ABCMeta"):
            cls.marks.add("altered")

    def _register(self, cls: Class) -> None:
        """Has a class that registers itself as a pytree do so: as its first object is made, or as its
        metaclass begins it."""
        metaclass = next((self.metaclasses[each] for each in cls.lineage() if each in self.metaclasses), None)
        for found in (cls.lookup("__new__"), None if metaclass is None else metaclass.lookup("__init__")):
            if found is not None and isinstance(found[0], Function) and registers_itself(found[0].code):
                self.interpreter.calls.call(found[0], [cls], {}, cls.code.nid, exact=False)
                if "pytree" not in cls.marks:
                    cls.marks.add("altered")

    def begin_subclass(self, cls: Class) -> None:
        """Python tells the bases of a class when it is made."""
        for base in cls.lineage()[1:]:
            hook = base.attributes.get("__init_subclass__")
            if isinstance(hook, Product) and hook.kind == "classmethod":
                hook = hook.parts[0]
            if isinstance(hook, Function):
                keywords = {
                    name: self.expressions.eval(node)
                    for name, node in cls.code.keywords
                    if name and name != "metaclass"
                }
                self.interpreter.calls.call(hook, [cls], keywords, cls.code.nid)
                if hands_on(hook.code):
                    cls.marks.add("given")  # to a function that may have registered it as a pytree
                return

    def _is_of_equinox(self, cls: Class, node: AnnotatedStmt) -> bool:
        """Whether a field is declared as modules of equinox do, in a class with a base from elsewhere."""
        if not any(isinstance(base, (External, Unknown)) for base in cls.bases):
            return False
        heads = [node.annotation.value] if isinstance(node.annotation, SubscriptExpr) else []
        heads += [node.value.func] if isinstance(node.value, CallExpr) else []
        named = [each for each in heads if last_name(each) in _OF_EQUINOX]
        return any(self.expressions.eval(each) in _DECLARES for each in named)

    def s_annotated(self, node: AnnotatedStmt) -> bool:
        is_in_class = self.flow.class_stack and self.flow.class_stack[-1][1] is self.flow.env
        if is_in_class and isinstance(node.target, NameExpr):
            cls = self.flow.class_stack[-1][0]
            name = node.target.name
            self.guards.refer_annotation(node.annotation)
            if self._is_of_equinox(cls, node):
                cls.marks.update(BASE_MARKS["equinox.Module"])
            if _is_class_var(node.annotation):
                cls.marks |= {last_name(node.annotation)} & {_KW_ONLY}
                return self.interpreter.assignments.assign_annotated(node)
            default = None if node.value is None else self.expressions.eval(node.value)
            static = self._is_static(node.annotation)
            if isinstance(default, Product) and default.kind == "field":
                if not default.parts[2]:
                    cls.unhashed.add(name)
                if default.parts[3] is not None:
                    cls.converters[name] = default.parts[3]
                cls.named_only |= {name} if default.parts[4] else set()
                static = static or bool(default.parts[1])
                default = default.parts[0]
            cls.named_only |= {name} if _KW_ONLY in cls.marks else set()
            cls.fields[name] = (default, static)
            cls.annotations[name] = node.annotation
            if default is not None and not is_factory(default):
                self.flow.env.vars[name] = default
            return True
        return self.interpreter.assignments.assign_annotated(node)

    def _is_static(self, annotation: Expr) -> bool:
        """Whether an annotation of a field says that it is no leaf."""
        base = annotation.value if isinstance(annotation, SubscriptExpr) else None
        if not isinstance(base, (NameExpr, AttrExpr)):
            return False
        return self.expressions.eval(base) == External("jax_dataclasses.Static")

    def generic_instance(self, cls: Class) -> Instance:
        """An instance of which only the class is known."""
        if cls.generic is None:
            cls.generic = Instance(cls, 0, generic=True)
            self.classes[id(cls.generic)] = cls
        return cls.generic

    def class_of(self, owner: int) -> Class | None:
        """The class of an object, given by its identity."""
        known = self.classes.get(owner)
        if known is None and owner in self.core.origins:
            frame, key = self.core.origins[owner]
            made = frame.heap.get(key)
            return made.cls if isinstance(made, Instance) else None
        return known

    def stand_in(self, cls: Class, place: tuple[Hashable, ...]) -> Instance:
        """The object that stands for those that annotations say to be of a class, at one place; in a trace it
        may well have been made there."""
        depth = INSIDE if self.flow.context.depth else 0
        return self.heirs.stand_in(self.generic_instance(cls), place, depth)

    def some_instance(self, cls: Class) -> Instance:
        """One of which a test shows the class: in a trace it may well have been made there, and at each turn
        of a loop it may be another."""
        return self.instance_for(cls, self.flow.context.depth > 0, self.flow.frame.loop > 0)

    def instance_for(self, cls: Class, is_traced: bool, is_many: bool) -> Instance:
        """The instance of which only the class is known, where one is met in a trace or in a loop."""
        generic = self.generic_instance(cls)
        if not is_traced and not is_many:
            return generic
        found = self.met.get((cls, is_traced, is_many))
        if found is None:
            found = Instance(cls, INSIDE if is_traced else 0, generic=True)
            found.attributes, found.many = generic.attributes, is_many
            self.classes[id(found)] = cls
            self.met[cls, is_traced, is_many] = found
        return found


def _computes(value: Value) -> bool:
    """Whether this is a property, computed at each read, that does more than to read other attributes."""
    if not isinstance(value, Product) or value.kind != "property" or value.parts[1]:
        return False
    func = value.parts[0]
    body: Sequence[Stmt] = func.code.body if isinstance(func, Function) else ()
    if not body or not isinstance(last := body[-1], ReturnStmt):
        return True
    held = last.value
    while isinstance(held, AttrExpr):
        held = held.value
    return not isinstance(held, NameExpr) or not all(map(_is_literal, body[:-1]))


def _keeps_classes(decorator: Value) -> bool:
    """Whether what decorates a class is of Python itself, which adds methods at most."""
    return isinstance(decorator, External) and decorator.name.partition(".")[0] in sys.stdlib_module_names


def computed_by(value: Value) -> tuple[str, Expr] | None:
    """What a property calls its object, and the expression that it gives back, where it does no more."""
    func = value.parts[0] if isinstance(value, Product) and value.kind == "property" else None
    if not isinstance(func, Function) or not func.code.params or not func.code.body:
        return None
    *before, last = func.code.body
    if not isinstance(last, ReturnStmt) or not all(map(_is_literal, before)):
        return None
    return func.code.params[0].name, last.value


def shown_by(value: Value) -> str:
    """The attribute of its object that a property gives back as it is; empty where it does anything else."""
    own, shown = computed_by(value) or ("", None)
    if not isinstance(shown, AttrExpr) or not isinstance(shown.value, NameExpr):
        return ""
    return shown.name if shown.value.name == own else ""


def _is_literal(statement: Stmt) -> bool:
    return isinstance(statement, ExprStmt) and isinstance(statement.value, ConstExpr)


def is_factory(default: Value) -> TypeGuard[Product]:
    """Whether a field's default is a call that each instance makes anew."""
    return isinstance(default, Product) and default.kind == "factory"


def _no_token(token: object) -> None:
    return None


def _only_begins(metaclass: Class) -> bool:
    """Whether a metaclass has nothing of its own but what is done when a class is there."""
    is_known = not metaclass.opaque() and metaclass.externals() <= _METACLASSES
    return is_known and all(each.attributes.keys() <= {"__init__"} for each in metaclass.lineage())


def _is_class_var(annotation: Expr) -> bool:
    if isinstance(annotation, SubscriptExpr):
        annotation = annotation.value
    return last_name(annotation) in _NO_FIELDS


FAILING = Product("failing")  # what marks a test that is to fail, or is not run
FAILS = frozenset(("pytest.mark.xfail", "pytest.mark.skip", "unittest.skip", "unittest.expectedFailure"))
