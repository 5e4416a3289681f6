"""Objects of a class or of any below it: what reads of their attributes may find.

In: the classes of the project. Out: for an object that annotations say to be of a class, an attribute as the
class or one below it has it. What a method gives that only says that it is to be there is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.domain.join import VariableRef, join_all
from jaxlint.domain.objects import Class, Function, Instance, Key, Module, Transformed
from jaxlint.domain.questions import with_token
from jaxlint.domain.values import Candidates, External, OneOf, Product, Unknown, Value
from jaxlint.ir.limits import OVERRIDES, REACHED
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    CallExpr,
    ConstExpr,
    ExprStmt,
    NameExpr,
    RaiseStmt,
    Stmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import last_name, walk

BELOW = "below"
"""With a name: what an attribute is of the objects of a class or of any class below it."""
_PROTOCOL = External("typing.Protocol")
Bind = Callable[[Value, Instance, int], Value]


class Heirs:
    """Knows which classes are below one, and makes the objects that stand for all of their objects."""

    def __init__(self, flow: FlowState, core: Core) -> None:
        self.flow = flow
        self.core = core
        self.classes: dict[Class, None] = {}
        self._below: dict[Class, tuple[Class, ...]] = {}
        self._seen = 0  # for how many classes that was found
        self._own_at: bool | None = None
        self._uses_jax: dict[str, bool] = {}
        self._with: dict[tuple[Class, str], tuple[Class, ...]] = {}
        self._open: dict[Class, bool] = {}
        self._wrappers: dict[Class, bool] = {}
        self._made: dict[tuple[Class, tuple[Hashable, ...], int], Instance] = {}
        # the places of what stands for objects, by identity: an object, and the fields on the way from it
        self.places: dict[Hashable, tuple[Hashable, ...]] = {}
        self.kinds: dict[int, Class] = {}  # and their classes

    def note_class(self, cls: Class) -> None:
        if _is_of_module(cls):
            self.classes[cls] = None

    def below(self, cls: Class) -> tuple[Class, ...]:
        """The classes of modules that inherit from one, in an order that rests on their names."""
        if self._seen != len(self.classes):
            self._seen, self._below, self._with = len(self.classes), {}, {}
        found = self._below.get(cls)
        if found is None:
            asked = _asked_of(cls)
            heirs = [
                each
                for each in self.classes
                if each is not cls and (cls in each.lineage() or (asked and _has_all(each, asked)))
            ]
            found = self._below[cls] = tuple(sorted(heirs, key=_rank))
        return found

    def stand_in(self, generic: Instance, place: tuple[Hashable, ...], depth: int = 0) -> Instance:
        """The object that stands for those of a class or of one below it, and is no other one of another
        place. `generic`: that of which only the class is known. Without a place it stands for several.
        `depth`: how many traces may be around the making of it."""
        cls = generic.cls
        found = self._made.get((cls, place, depth))
        if found is None:
            found = self._made[cls, place, depth] = Instance(cls, depth, generic=True)
            found.attributes, found.origin, found.place = generic.attributes, generic, place
            found.many = not place
            self.places[id(found)] = place
            self.kinds[id(found)] = cls
        found.is_open = self._is_open(cls)
        return found

    def read(
        self, owner: Instance, name: str, nid: int, generic: Callable[[Class], Instance], bind: Bind,
        beside: Callable[[Instance, Instance], Instance],
    ) -> Value | None:  # fmt: skip
        """An attribute of an object of a class or of one below it; None where no class says what it is."""
        cls = owner.cls
        self.flow.frame.reads.setdefault((cls.generic, (BELOW, name)), self.core.changes)
        held = [
            own_of(owner, name, each.generic.attributes[name])
            for each in (cls, *self.below(cls))
            if each.generic is not None and name in each.generic.attributes
        ]
        if held:  # of a copy on the other side of a transform that is not what it holds
            return _unknown(owner, name) if owner.origin is None else join_all(held)
        found: dict[Value, Class] = {}
        stubs = 0
        own = None if (known := cls.lookup(name)) is None else known[0]
        values = [] if own is None else [(own, cls)]
        reader = self._reader(cls)
        values += [
            (each.attributes[name], each)
            for each in self._below_with(cls, name)
            if reader is None or not (each is reader or self._is_wrapper(each))
        ]
        for value, holder in values:
            if _is_stub(value) or (value is own and self._is_only_asked(holder)):
                stubs += 1
            else:
                found.setdefault(value, holder)
        if not found:
            return _unknown(owner, name) if stubs else None
        if len(found) > OVERRIDES.most:
            REACHED["overrides"] += 1
            return _unknown(owner, name)
        bound = []
        for value, holder in found.items():
            if not isinstance(value, (Function, Transformed, Product, OneOf, Candidates)):
                return None if len(found) == 1 else _unknown(owner, name)
            of = owner
            if holder is not cls:
                of = beside(self.stand_in(generic(holder), owner.place, owner.depth), owner)
            bound.append(bind(value, of, nid))
        return join_all(bound)

    def function_of_any(self, owner: Instance, name: str) -> Value | None:
        """The function that an attribute of an object holds: that which is known of all objects of its class,
        where it is not known what the constructor of this one has set there."""
        any_of_class = owner.cls.generic
        if any_of_class is None:
            return None
        self.flow.frame.reads.setdefault((any_of_class, name), self.core.changes)
        held = any_of_class.attributes.get(name)
        if isinstance(held, (Function, Transformed, Candidates)):
            return own_of(owner, name, held)
        return None

    def _reader(self, cls: Class) -> Class | None:
        """The class below this one in whose methods, or in functions in them, the analysis is."""
        func = self.flow.frame.func
        if func is None:
            return None
        if func.cls is not None:
            return func.cls if func.cls in self.below(cls) else None
        for each in self.below(cls):
            if each.module is func.module and func.code.qualname.startswith(f"{each.code.qualname}."):
                return each
        return None

    def _is_only_asked(self, cls: Class) -> bool:
        """Whether no class inherits from a protocol what its methods do."""
        return is_protocol(cls) and not any(cls in each.lineage() for each in self.below(cls))

    def _is_wrapper(self, cls: Class) -> bool:
        """Whether objects of a class are made of another one of its base, as it is annotated: what wraps one
        seldom wraps a wrapper."""
        found = self._wrappers.get(cls)
        if found is None:
            maker = cls.attributes.get("__init__")
            params = maker.code.params if isinstance(maker, Function) else ()
            written = [*cls.annotations.values(), *(each.annotation for each in params)]
            names = {each.code.name for each in cls.lineage()}
            found = self._wrappers[cls] = any(
                last_name(node) in names or (isinstance(node, ConstExpr) and node.value in names)
                for each in written
                if each is not None
                for node in walk(each)
            )
        return found

    def is_updater(self, module: Module) -> bool:
        """Whether `x.at` there is that of an array of JAX: the module imports JAX, but not Pallas, whose
        references have one too, and no class of the project has an attribute of this name."""
        if self._own_at is None:
            self._own_at = any(_defines_at(each.program) for each in self.core.world.modules)
        if module.path not in self._uses_jax:
            names = [name for name, _, _ in module.program.imports]
            uses_jax = any(name.partition(".")[0] == "jax" for name in names)
            self._uses_jax[module.path] = uses_jax and not has_kernels(module)
        return self._uses_jax[module.path] and not self._own_at

    def _is_open(self, cls: Class) -> bool:
        """Whether a class leaves to others what its objects do."""
        if self.below(cls):
            return True
        found = self._open.get(cls)
        if found is None:
            methods = {name: value for each in cls.lineage()[::-1] for name, value in each.attributes.items()}
            stubs = [name for name, value in methods.items() if _is_stub(value)]
            found = self._open[cls] = not all(name.startswith("__") for name in stubs)
        return found

    def _below_with(self, cls: Class, name: str) -> tuple[Class, ...]:
        """The classes below one that have an attribute of their own."""
        below = self.below(cls)
        found = self._with.get((cls, name))
        if found is None:
            found = self._with[cls, name] = tuple([each for each in below if name in each.attributes])
        return found


def _unknown(owner: Instance, name: str) -> Unknown:
    return Unknown(None if owner.many else (id(owner), ".", name))


def own_of(owner: Instance, name: str, value: Value) -> Value:
    """What an attribute holds of another object of the class: a key has the identity of its place."""
    if isinstance(value, Key) and not owner.many:
        return Key((id(owner), ".", name), value.level, value.many, value.count)
    if type(value) is Candidates:
        return with_token(value, _unknown(owner, name).token)
    if isinstance(value, VariableRef) and value.depth < owner.depth:
        return VariableRef(value.inner, value.is_parameter, owner.depth)
    if type(value) is Unknown or isinstance(value, Key):
        return _unknown(owner, name)
    return value


def _rank(cls: Class) -> tuple[str, str, str]:
    return cls.module.name, cls.module.path, cls.code.qualname


def is_protocol(cls: Class) -> bool:
    """Whether a class says what others can do that need not inherit from it."""
    return _PROTOCOL in cls.bases


def _asked_of(cls: Class) -> dict[str, Code]:
    """The methods that a class has to have to be one of a protocol, where that says enough to tell: more than
    `__call__` alone."""
    if not is_protocol(cls):
        return {}
    methods = {
        name: value.code
        for each in reversed(cls.lineage())
        for name, value in each.attributes.items()
        if isinstance(value, Function)
    }
    return methods if any(not name.startswith("__") for name in methods) else {}


def _has_all(cls: Class, asked: Mapping[str, Code]) -> bool:
    """Whether a class that is no protocol has methods of these names that take as many arguments."""
    if is_protocol(cls):
        return False
    for name, code in asked.items():
        found = cls.lookup(name)
        func = None if found is None else _written(found[0])
        if func is None or not _takes_as_many(func.code, code):
            return False
    return True


def _takes_as_many(code: Code, asked: Code) -> bool:
    if any(param.kind.startswith("*") for param in (*code.params, *asked.params)):
        return True
    needed = [param for param in code.params if param.default is None]
    return len(needed) <= len(asked.params) <= len(code.params)


def _is_of_module(cls: Class) -> bool:
    """Whether a class is there as soon as its module is: no function makes it."""
    env = cls.env
    while env.code is None and env.parent is not None:
        env = env.parent
    return env.parent is None


def is_abstract(value: Value) -> bool:
    """Whether a method, or a property, is there for the classes below to say what it is."""
    func = _written(value)
    return func is not None and any(last_name(each).startswith("abstract") for each in func.code.decorators)


def _is_stub(value: Value) -> bool:
    """Whether no object has a method as it is written: it does nothing, or is decorated as abstract."""
    func = _written(value)
    if func is None or func.code.is_lambda:
        return False
    return is_abstract(func) or all(map(_says_nothing, func.code.body))


def _written(value: Value) -> Function | None:
    """The function that a method or a property is made of."""
    while isinstance(value, (Product, Transformed)):
        inner = value.func if isinstance(value, Transformed) else next(iter(value.parts), None)
        if not isinstance(inner, Value):
            return None
        value = inner
    return value if isinstance(value, Function) else None


def _says_nothing(statement: Stmt) -> bool:
    if isinstance(statement, ExprStmt):
        return isinstance(statement.value, ConstExpr)
    if isinstance(statement, RaiseStmt):
        raised = statement.value.func if isinstance(statement.value, CallExpr) else statement.value
        return isinstance(raised, NameExpr) and raised.name == "NotImplementedError"
    return False


def _defines_at(program: Program) -> bool:
    """Whether a class of a file has something of the name `at`."""
    for code in program.codes:
        if code.in_class and code.name == "at":
            return True
    for record in program.classes:
        for statement in record.body:
            targets = statement.targets if isinstance(statement, AssignStmt) else ()
            if isinstance(statement, AnnotatedStmt):
                targets = (statement.target,)
            if any(isinstance(target, NameExpr) and target.name == "at" for target in targets):
                return True
    return False


def has_kernels(module: Module) -> bool:
    """Whether a module imports Pallas."""
    return any("pallas" in name or "pallas" in (names or ()) for name, _, names in module.program.imports)
