"""What is there in place of what a class says: the attribute that a `__getattr__` asks, those that a program
sets on functions, the variant that a decorator runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.analysis.writes import is_same
from jaxlint.domain.objects import (
    CONSTRUCTION,
    Class,
    Environment,
    Function,
    Instance,
    Partial,
    Transformed,
)
from jaxlint.domain.questions import contents_of
from jaxlint.domain.values import (
    Const,
    External,
    Value,
)
from jaxlint.evaluation.heirs import Heirs
from jaxlint.ir.constant_attributes import assigned, is_of
from jaxlint.ir.limits import DELEGATES, REACHED
from jaxlint.ir.nodes import AttrExpr, CallExpr, NameExpr, ReturnStmt, Stmt
from jaxlint.ir.program import Code
from jaxlint.ir.walks import calls_in, number_of, once_for_body, suites

_Classes = tuple[Class, ...]


class Delegation:
    """What objects give for attributes that they do not have, or have in place of what their class has."""

    def __init__(self, flow: FlowState, heirs: Heirs, interpreter: Interpreter) -> None:
        self.flow = flow
        self.heirs = heirs
        self.interpreter = interpreter
        self._setters: dict[tuple[Class, bool], tuple[_Classes, _Classes, dict[str, list[Code]]]] = {}

    def is_shadowed(self, owner: Instance, name: str) -> bool:
        """Whether the class has a method of this name, and the object may have something else: another
        method, of the class or of one below it, assigns that. Where constructors run, it is known what they
        assign; a method that assigns it has the other one before, as in `self.step = jax.jit(self.step)`."""
        found = owner.cls.lookup(name)
        if found is None or not isinstance(found[0], (Function, Transformed)):
            return False
        setters = self._setters_of(owner.cls, owner.generic or owner.is_open).get(name)
        if not setters:
            return False
        env: Environment | None = self.flow.env
        while env is not None and env.code not in setters:
            env = env.parent
        return env is None

    def _setters_of(self, cls: Class, is_any: bool) -> dict[str, list[Code]]:
        """The methods that may set an attribute when or after an object is made, by the attribute. `is_any`:
        the object may be of a class below this one."""
        lineage, below = cls.lineage(), self.heirs.below(cls) if is_any else ()
        known = self._setters.get((cls, is_any))
        if known is not None and known[0] is lineage and known[1] is below:
            return known[2]
        found: dict[str, list[Code]] = {}
        hooks = ("__init__", "__post_init__")
        for each in (*lineage, *below):
            for method, value in each.attributes.items():
                if isinstance(value, Function) and not (each in lineage and method in hooks):
                    own = value.code.params[0].name if value.code.params else ""
                    for place, _ in assigned(value.code.body):
                        if is_of(place, own):
                            found.setdefault(place.name, []).append(value.code)
        self._setters[cls, is_any] = lineage, below, found
        return found

    def is_asked(self, owner: Instance, name: str, nid: int) -> bool:
        """Whether `__getattr__` is asked for what the constructor that runs is yet to set."""
        if owner.cls.lookup("__getattr__") is None or owner.cls.lookup(name) is not None:
            return False
        return _is_yet_to_set(self.flow.frame, nid, owner, name, set())

    def by_getter(self, getter: Value, owner: Instance, name: str, nid: int) -> Value | None:
        """What `__getattr__` gives where it asks another object, or an object for what it holds."""
        attributes = self.interpreter.attributes
        is_method = isinstance(getter, Function)
        if contents_of(owner) is not None:
            given: list[Value] = [Const(name)] if is_method else [owner, Const(name)]
            return self.interpreter.calls.call(attributes.bind_method(getter, owner, nid), given, {}, nid)
        holder = delegate_of(getter.code) if isinstance(getter, Function) else ""
        if not holder or holder == name:
            return None
        if self.flow.delegating >= DELEGATES.most:
            REACHED["delegates"] += 1
            return None
        self.flow.delegating += 1
        value = attributes.attribute(attributes.of_instance(owner, holder, nid), name, nid)
        self.flow.delegating -= 1
        return value


def _is_yet_to_set(
    frame: FunctionContext, nid: int, owner: Instance, name: str, seen: set[FunctionContext]
) -> bool:
    """Whether a constructor leads to a node of a function, and nothing has set an attribute up to there."""
    if frame.func is None or frame in seen or _is_set_before(frame, frame.func.code, nid, owner, name):
        return False
    seen.add(frame)
    links = frame.live_links()
    if _constructs(frame, owner):
        links = [each for each in links if each.parent is not None and _constructs(each.parent, owner)]
    elif not links:
        return False
    return all(
        each.parent is not None
        and not each.transform
        and _is_yet_to_set(each.parent, each.nid, owner, name, seen)
        for each in links
    )


def _constructs(frame: FunctionContext, owner: Instance) -> bool:
    """Whether this is a constructor of the object."""
    code = frame.func.code if frame.func is not None else None
    if code is None or code.name not in CONSTRUCTION or not code.params:
        return False
    return frame.env.vars.get(code.params[0].name) is owner


def _is_set_before(frame: FunctionContext, code: Code, nid: int, owner: Instance, name: str) -> bool:
    """Whether a function may have set an attribute when it gets to a node."""
    before = [each for each in _steps_of(code.body) if each.number <= nid]
    if before and not before[-1].is_compound:
        before.pop()
    return any(name in each.sets for each in before) or any(
        (owner, name) in callee.writes
        and any(
            link.parent is frame and any(link.nid in each.calls for each in before) for link in callee.links
        )
        for callee in frame.callees
    )


class _Step(NamedTuple):
    """A statement of a body: its number, the attributes that it sets, the numbers of its calls."""

    number: int
    is_compound: bool
    sets: frozenset[str]
    calls: frozenset[int]


@once_for_body
def _steps_of(body: Sequence[Stmt]) -> Sequence[_Step]:
    return tuple(
        [
            _Step(
                number_of(each) or 0,
                any(suites(each)),
                frozenset([target.name for target, _ in assigned((each,)) if isinstance(target, AttrExpr)]),
                frozenset([call.nid for call in calls_in(each)]),
            )
            for each in body
        ]
    )


def is_jitted_variant(decorator: Value) -> bool:
    """Whether a decorator is one of chex that runs a test with `jax.jit` among others."""
    func, options = (
        (decorator.func, decorator.keywords) if isinstance(decorator, Partial) else (decorator, ())
    )
    if not isinstance(func, External) or func.name not in ("chex.variants", "chex.all_variants"):
        return False
    return dict(options).get("with_jit", Const(func.name == "chex.all_variants")) == Const(True)


def makes_anew(cls: Class, name: str) -> bool:
    """Whether a `__getattr__` computes what objects of a class have by a name at each read."""
    getter = cls.lookup("__getattr__")
    return getter is not None and not any(name in each.instance_writes for each in cls.lineage())


def delegate_of(code: Code) -> str:
    """The attribute of `self` whose attributes a `__getattr__` hands out; empty where it does not."""
    last = code.body[-1] if code.body else None
    if not isinstance(last, ReturnStmt) or not isinstance(last.value, CallExpr) or len(code.params) != 2:
        return ""
    func, args = last.value.func, last.value.args
    own, name = (param.name for param in code.params)
    if not isinstance(func, NameExpr) or func.name != "getattr" or len(args) < 2:
        return ""
    source, asked = args[0], args[1]
    if not isinstance(source, AttrExpr) or not isinstance(source.value, NameExpr):
        return ""
    is_asked = isinstance(asked, NameExpr) and asked.name == name
    return source.name if is_asked and source.value.name == own else ""


class FunctionAttributes:
    """Reads and sets attributes of functions. `jax.jit` copies those that are there: it has its own."""

    def __init__(self, flow: FlowState, core: Core, staleness: TraceStaleness) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness

    def read(self, owner: Function | Transformed, name: str, nid: int) -> Value | None:
        """What the program has set there; None where it has not, as far as is known by now."""
        if name == "__get__":
            return Partial(External("types.MethodType"), (owner,), ())
        func = _function_of(owner)
        if func is None:
            return None
        own = _own_name(owner, name)
        if own not in func.attributes and own != name:
            own = name
        value = func.attributes.get(own)
        if value is None:
            return None
        if not name.startswith("__"):
            self.staleness.note_function_read(func, own, value, nid)
        return self.core.fresh_copy(value)  # whoever calls it may have set it

    def write(self, owner: Function | Transformed, name: str, value: Value, nid: int, is_once: bool) -> None:
        """Sets one; `is_once`: where a test has shown that it was not."""
        func = _function_of(owner)
        if func is None:
            return
        own = _own_name(owner, name)
        before = func.attributes.get(own)
        func.attributes[own] = value
        if before is not None and not is_once and not is_same(before, value) and not name.startswith("__"):
            self.staleness.note_place("f", func, own, nid, before, value)


def _function_of(owner: Function | Transformed) -> Function | None:
    inner = owner.func if isinstance(owner, Transformed) else owner
    return inner if isinstance(inner, Function) else None


def _own_name(owner: Function | Transformed, name: str) -> str:
    """The name under which the function has an attribute; with the place, one of what a transform made."""
    return name if isinstance(owner, Function) else f"{name} {owner.kind} {owner.place[1]}"
