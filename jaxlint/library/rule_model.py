"""What rules may ask of the analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.compilation.renewals import is_made_anew
from jaxlint.analysis.events import Call, StaleRead
from jaxlint.analysis.joined_states import with_attributes
from jaxlint.analysis.mutations.deliberate import (
    computed_attributes,
    fills_once,
    is_kept_by_callers,
    is_meant,
    is_own,
    is_scratch,
)
from jaxlint.analysis.mutations.net import is_unseen
from jaxlint.analysis.mutations.seeded import is_seeded
from jaxlint.calling.unread_objects import is_left_unread
from jaxlint.domain import questions
from jaxlint.domain.join import MutableContainer, Tuple, level_of, options_of
from jaxlint.domain.objects import Bound, Class, Environment, Function, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import LEVELS, constants, holds, is_annotated_array, is_array
from jaxlint.domain.values import (
    DIFFERENTIATED,
    NONE,
    Array,
    Candidates,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Text,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.texts import fields_shown
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import LONG
from jaxlint.ir.loop_guards import is_in_some_turns
from jaxlint.ir.mentions import names_error
from jaxlint.ir.nodes import AttrExpr, CallExpr
from jaxlint.ir.places import Binding, Places, becomes_text, bindings_of, is_only_shown, names_in
from jaxlint.ir.replaced_fields import changes_other_fields
from jaxlint.ir.walks import reads_clock
from jaxlint.library.call_sites import Caller, CallSites, Often

if TYPE_CHECKING:
    from jaxlint.analysis.events import KeyUse, StaticRead
    from jaxlint.analysis.flow_state import FlowState
    from jaxlint.analysis.function_context import Event, FunctionContext, Mutation
    from jaxlint.analysis.key_consumption import KeyConsumption
    from jaxlint.calling.calls import Calls
    from jaxlint.calling.transforms import Transforms
    from jaxlint.domain.objects import Module
    from jaxlint.domain.program import World
    from jaxlint.ir.program import Code
    from jaxlint.library.array_results import ArrayResults
    from jaxlint.library.containers import Containers
    from jaxlint.library.pytrees import Pytrees

Target = tuple[tuple[int, ...] | None, tuple[int, ...] | None]
"""The least and the highest version of JAX that a project admits."""


class Place(NamedTuple):
    """Where something is: the number of a node, and the function, or the module's body, that runs it."""

    module: Module
    code: Code
    nid: int


class Model:
    """Questions about values, each answered by what is certain."""

    def __init__(
        self,
        flow: FlowState,
        consumption: KeyConsumption,
        calls: Calls,
        transforms: Transforms,
        containers: Containers,
        arrays: ArrayResults,
        pytrees: Pytrees,
        target: Target,
        world: World,
        is_test: Callable[[str], bool] | None = None,
    ) -> None:
        """`is_test`: whether the file of a path is a test."""
        self._flow = flow
        self._consumption = consumption
        self._calls = calls
        self._transforms = transforms
        self._containers = containers
        self._arrays = arrays
        self._pytrees = pytrees
        self._target = target
        self._world = world
        self._is_test = is_test
        self._sites: CallSites | None = None
        self._places: dict[str, Places] = {}

    def traced(self, value: Value | None, levels: str = "SB") -> bool:
        """Whether the value is certainly one tracer array of one of these levels."""
        if value is None or self._is_outside():
            return False
        level = sum(LEVELS[letter] for letter in levels)
        arrays = [each for each in options_of(value) if not self.is_none(each)]
        return bool(arrays) and all(isinstance(each, Array) and each.level & level for each in arrays)

    def no_number(self, value: Value | None, levels: str = "SB") -> bool:
        """Whether the value is a tracer, or some pytree of tracers: neither can be taken for a number."""
        is_pytree = isinstance(value, TracerPytree)
        return self.traced(value, levels) or (is_pytree and self.tracer_tree(value, levels))

    def compares_traced(self, event: Event, value: Value | None) -> bool:
        """Whether comparing the value there gives a tracer: in staged code any array's comparison does."""
        return self.traced(value) or (event.staged and self.is_array(value))

    def compared(self, call: Call) -> set[int | str]:
        """The arguments, by place or name, whose comparison gives a tracer of which NumPy takes the truth."""
        return self._arrays.compared(call.name, call.args, call.keywords) if call.staged else set()

    def tracer_tree(self, value: Value | None, levels: str = "SB") -> bool:
        """Whether the value is a tracer, or a pytree that holds nothing else."""
        return value is not None and bool(level_of(value) & sum(LEVELS[letter] for letter in levels))

    def holds_tracer(self, value: Value | None, levels: str = "SBD") -> bool:
        """Whether a tracer is certainly in the value: it, or an item of a container or leaf of a pytree."""
        return value is not None and self._pytrees.holds_tracer(value, levels)

    def shows_tracer(self, value: Value | None, levels: str = "SBD") -> bool:
        """Whether the text of the value certainly shows a tracer: it, or a field of a record."""
        if isinstance(value, OneOf) or (isinstance(value, Candidates) and not value.is_open):
            return all(self.shows_tracer(each, levels) for each in value.options)
        if questions.may_be_empty(value):
            return False
        node = self._flow.calling
        if value is not None and node is not None:
            shown = self._containers.expressions.texts.shown(value, node.nid)
            if shown is not value or not isinstance(value, Instance):
                return holds(shown, levels, True)
        if not isinstance(value, Instance) or not value.cls.has_mark("dataclass"):
            return holds(value, levels, True)
        return any(
            holds(self._pytrees.attributes.of_instance(value, name), levels, True)
            for name in fields_shown(value.cls)
            if name in value.attributes
        )

    def _is_outside(self) -> bool:
        """Whether no trace encloses what is looked at, so that it sees no tracer, also where objects that the
        analysis does not tell apart are made by a trace elsewhere."""
        frame = self._flow.frame
        return not frame.context.depth and (frame.func is None or not frame.func.is_made_in_trace())

    def is_shape(self, value: Value) -> bool:
        """Whether a value is a shape or a dtype of an array, which a trace has one of."""
        if isinstance(value, Tuple):
            items = (value.elem,) if value.items is None else value.items
            return bool(items) and all(isinstance(each, Static) and each.type == "int" for each in items)
        return isinstance(value, Static) and value.type == "dtype"

    def is_deliberate(self, change: Mutation) -> bool:
        """Whether a change counts traces, fills scratch, or is made once for each thing, again or unread."""
        return is_meant(change) or is_unseen(change, self._containers.core.world.programs())

    def may_leak(self, change: Mutation) -> bool:
        """Whether a change fills an index list that each function fills before it reads it, or a variable
        that one function uses as its own, or an object that nothing reads once the trace is over; or the file
        names the error that comes of a leak: it handles or expects it."""
        expects = names_error(change.module.program, "UnexpectedTracerError")
        return expects or is_own(change) or is_scratch(change) or is_left_unread(change)

    def is_filled_first(self, change: Mutation) -> bool:
        """Whether a change fills what is not there yet, in a function that the program calls outside of
        traces first, or what other code fills there: then a trace finds it filled; or each trace fills it
        before it reads it. Asked when the analysis is over."""
        func, staleness = change.frame.func, self._containers.staleness
        if change.how == "attribute" and self._sites is not None and self._sites.is_set_first(change):
            return True
        if func is None or not fills_once(change):
            return False
        owner = change.target
        return staleness.has_run_first(func) or (
            isinstance(owner, Instance) and staleness.is_filled_elsewhere(owner.cls, change.name, func.code)
        )

    def is_computed_first(self, event: Event) -> bool:
        """Whether what happens in a trace is part of computing what is kept and not there yet, in a function
        that the program calls outside of traces first, or an attribute that other code sets there. Asked when
        the analysis is over."""
        func, staleness = event.frame.func, self._containers.staleness
        if func is None or not event.frame.context.depth:
            return False
        if is_kept_by_callers(event.frame, event.nid, staleness):
            return True
        names, cls = computed_attributes(func.code, event.nid), func.cls
        if not names or cls is None:
            return False
        return all(staleness.is_filled_elsewhere(cls, name, func.code) for name in names)

    def is_seeded(self, event: Event) -> bool:
        """Whether traced code seeds the library's own generator before what it draws here, which is the same
        at each call then, traced or not. Asked when the analysis is over."""
        return isinstance(event, Call) and is_seeded(event.frame, event.nid, event.name.rpartition(".")[0])

    def is_made_anew(self, read: StaleRead | StaticRead) -> bool:
        """Whether the text shows that what reads an attribute is compiled anew after it was written."""
        writes = [read.place] if isinstance(read, StaleRead) else read.writes
        return is_made_anew(read.frame, read.name, writes)

    def changes_other_fields(self, read: StaleRead) -> bool:
        """Whether what is written later are copies of the record that was there, with other fields replaced
        than those that are read. Asked when the analysis is over."""
        return changes_other_fields(read.frame.code, read.module.program, read.nid, self._world.programs())

    def is_only_shown(self, call: Call) -> bool:
        """Whether nothing reads the result of a call but logs that a test turns on."""
        return is_only_shown(call.frame.code, call.module.program, call.nid)

    def becomes_text(self, call: Call) -> bool:
        """Whether the result of a call goes into texts alone, and none that a statement only shows."""
        return becomes_text(call.frame.code, call.module.program, call.nid)

    def checks_level(self) -> bool:
        """Whether a test around what is analyzed asks a logger whether it is enabled for a level."""
        called = [one.test.func for one in self._flow.tests if one.truth and isinstance(one.test, CallExpr)]
        return any(isinstance(func, AttrExpr) and func.name == "isEnabledFor" for func in called)

    def level(self, value: Value) -> int:
        """Which tracers the value certainly is, as bits: those of `BATCHED` and its like."""
        return level_of(value)

    def is_array(self, value: Value | None) -> bool:
        """Whether the value is certainly an array of JAX, a tracer or not."""
        return value is not None and is_array(value)

    def is_annotated_array(self, value: Value | None) -> bool:
        """Whether the value is an array of JAX, certainly or by its annotation, where nothing shows else."""
        return value is not None and is_annotated_array(value)

    def is_scalar(self, value: Value | None) -> bool:
        """Whether the value is certainly one array without dimensions."""
        return isinstance(value, Array) and value.ndim == 0

    def is_host(self, value: Value | None) -> bool:
        """Whether the value is a NumPy array."""
        return value is not None and all(isinstance(each, NumPyArray) for each in options_of(value))

    def is_read_only(self, value: Value | None, or_item: bool = False) -> bool:
        """Whether the value is a NumPy array that shows what an array of JAX holds, and cannot be written."""
        return isinstance(value, NumPyArray) and value.is_view(or_item)

    def is_static(self, value: Value | None) -> bool:
        """Whether the value is certainly data that no transform traces: of Python, or of NumPy."""
        return value is not None and questions.is_host_data(value)

    def is_none(self, value: Value | None) -> bool:
        """Whether the value is certainly None."""
        return isinstance(value, Const) and value.value is None

    def is_given(self, value: Value) -> bool:
        """Whether the value is certainly not None."""
        return not any(
            isinstance(each, Unknown) or each == NONE or (isinstance(each, Static) and each.type == "any")
            for each in options_of(value)
        )

    def is_mask(self, value: Value | None) -> bool:
        """Whether the value is certainly a boolean array with at least one dimension."""
        return isinstance(value, Array) and value.dtype == "b" and value.ndim != 0

    def constants(self, value: Value | None) -> tuple[object, ...] | None:
        """The Python value of a constant, or those of a tuple or list of them; None for anything else."""
        return None if value is None else constants(value)

    def items(self, value: Value) -> tuple[Value, ...] | None:
        """The elements of a tuple, list or iterator whose number is known."""
        return self._containers.exact_items(value)

    def iterate(self, value: Value, nid: int) -> Value:
        """What any one element is that the expression of this number is iterated over for."""
        return self._containers.iterate(value, nid)

    def leaf(self, value: Value) -> Value:
        """What any one leaf of a pytree is."""
        return self._pytrees.leaf_of(value)

    def truth(self, value: Value) -> bool | None:
        """What `bool(value)` certainly gives; None where that is not known."""
        return self._calls.truth(value)

    def parameters(self, func: Value) -> list[str] | None:
        """The positional parameters that a caller fills."""
        return self._transforms.parameter_names(func)

    def static_arguments(self, func: Transformed, count: int) -> tuple[set[int], set[str]] | None:
        """The positions and names of the static arguments of a jitted function that gets `count` positional
        ones; None where that is not known."""
        return self._transforms.static_positions(func, count)

    def copies_in_loop(self, event: Event) -> bool:
        """Whether an `.at` update there would copy its array often: in an eager loop that is long, or
        whose length is not known."""
        counts = [loop.count for loop in event.frame.turns]
        return not event.traced and (None in counts or prod(each or 0 for each in counts) >= LONG)

    def variables(self, event: Event) -> dict[str, Value]:
        """What is seen there by name: the function's own variables, those of the scopes around it, and what
        the objects among them hold, as `self.x`."""
        return with_attributes(_in_sight(event), event.frame.env.vars)

    def mentioned(self, event: Event) -> dict[str, Value]:
        """Those of the variables seen there that the function there reads or binds."""
        func = event.frame.func
        if func is None:
            return self.variables(event)
        names = func.code.bound.union(func.code.global_names, func.code.free)
        found = {name: value for name, value in _in_sight(event).items() if name in names}
        return with_attributes(found, event.frame.env.vars)

    def is_differentiated(self, event: Event) -> bool:
        """Whether a tracer of differentiation is seen there: what is in sight may be differentiated."""
        return any(level_of(value) & DIFFERENTIATED for value in self.variables(event).values())

    def holders(self, use: KeyUse) -> tuple[tuple[str, bool], ...]:
        """The variables that hold the key which is spent there, each with whether it is certainly one key."""
        return tuple(
            (name, isinstance(value, Key) and not value.many)
            for name, value in sorted(self.variables(use).items(), key=lambda named: named[0])
            if self._consumption.token_of(value) == use.token
        )

    def key_name(self, use: KeyUse) -> str:
        """What the program calls the key there: a variable, an attribute or an item of one; or nothing."""
        token, behind = use.token, ""
        while True:
            found = [
                name
                for name, value in self.variables(use).items()
                if self._consumption.token_of(value) == token and name[0] != "$"
            ]
            if found:
                return min(found, key=lambda name: (len(name), name)) + behind
            if not isinstance(token, tuple) or len(token) != 3:
                return ""
            if token[1] == "[]" and isinstance(token[2], int):
                behind = f"[{token[2]}]{behind}"
            elif token[1] != "[*]":
                return ""
            token = token[0]

    def key_parameter(self, use: KeyUse) -> tuple[Module, int] | None:
        """Where the parameter is written that the key comes in by."""
        func = use.frame.func
        if func is not None:
            for param, value in zip(func.code.params, use.frame.arguments, strict=False):
                if self._consumption.token_of(value) == use.token:
                    return use.frame.module, param.nid
        return None

    def each(self, value: Value) -> Iterable[Value]:
        """The values that the value may be, one by one."""
        return options_of(value)

    # ---- who reads a value

    def bindings(self, where: Event) -> tuple[Binding, ...]:
        """The variables that the value of the expression there goes into, whole or in parts: where it is all
        that an assignment assigns, or a constant item of it is."""
        place = self.place_of(where)
        return bindings_of(place.code, place.nid)

    def names_in(self, where: Event) -> frozenset[str]:
        """The variables that the expression there mentions."""
        place = self.place_of(where)
        return names_in(place.code, place.nid)

    def readers(self, where: Event, binding: Binding) -> tuple[int, ...] | None:
        """The reads that may see what a variable is bound to there, by number; those in functions inside too.
        `del` counts as one. None where that is not known, as where the variable is of another scope."""
        place = self.place_of(where)
        return def_use_of(place.code, place.module.program).readers(binding.nid)

    def is_read(self, where: Event, binding: Binding) -> bool | None:
        """Whether anything may read what a variable is bound to there. None where that is not known: other
        modules may read the variables of a module."""
        readers = self.readers(where, binding)
        place = self.place_of(where)
        is_open = place.code is place.module.program.body
        return None if readers is None else bool(readers) or (None if is_open else False)

    # ---- who calls a function, and what is around

    @property
    def is_settled(self) -> bool:
        """Whether the analysis is over: what is asked of callers has an answer only then."""
        return self._sites is not None

    def callers(self, where: Event) -> tuple[Caller, ...] | None:
        """The places of the project that lead to the function that the event is in; none for a module's body.
        Code outside the project may have others. None before the analysis is over."""
        return None if self._sites is None else self._sites.callers(self.place_of(where).code)

    def how_often(self, where: Event) -> Often | None:
        """How often the function that the event is in runs while the program does: `once`, `many`, or `loop`,
        where a loop around a call repeats it. None where that is not known."""
        place = self.place_of(where)
        return None if self._sites is None else self._sites.how_often(place.code, place.module)

    def transforms(self, where: Event) -> frozenset[str] | None:
        """The transforms in whose traces the function that the event is in runs, in some call, by the names
        of `Transform.kind`. None before the analysis is over."""
        return None if self._sites is None else self._sites.transforms(self.place_of(where).code)

    def in_loop(self, where: Event) -> bool:
        """Whether a loop or a comprehension of the same function repeats what is there."""
        place = self.place_of(where)
        return place.nid in self._places_of(place.module).looped

    def in_some_turns(self, where: Event) -> bool:
        """Whether a test decides in which iterations of a loop a call is made; asked when it is analyzed."""
        return bool(where.frame.turns) and is_in_some_turns(where.frame.turns[-1], where.nid)

    def is_timed(self, where: Event) -> bool:
        """Whether the function that the event is in reads a clock."""
        return reads_clock(*self.place_of(where).code.body)

    def only_checks(self, where: Event) -> bool:
        """Whether what is there decides about nothing but whether an error is raised."""
        return where.nid in self._places_of(where.module).checks

    def ends_in_error(self, where: Event) -> bool:
        """Whether what is there is done only before an error that is raised in the same block."""
        return where.nid in self._places_of(where.module).failing

    def in_test_file(self, where: Event) -> bool | None:
        """Whether the file is one of the setting `tests`. None where no settings are known."""
        return None if self._is_test is None else self._is_test(self.place_of(where).module.path)

    def is_dead(self, where: Event) -> bool | None:
        """Whether nothing ever runs what is there. False where a module's body leads to it; None where only
        code outside the project may, or before the analysis is over."""
        place = self.place_of(where)
        if place.nid in self._places_of(place.module).dead:
            return True
        if self._sites is None:
            return None
        if self._sites.is_dead(place.code, place.module):
            return True
        return False if self._sites.is_run(place.code, place.module) else None

    def place_of(self, where: Event) -> Place:
        """The module, the function and the number that an event is at."""
        return Place(where.module, where.frame.code, where.nid)

    def is_handed_unread(self, where: Event) -> bool:
        """Whether what is read there is only returned, and no call reads it, once the analysis is over."""
        return self._sites is not None and self._sites.is_handed_unread(self.place_of(where).code, where.nid)

    def settle(self, contexts: Iterable[FunctionContext]) -> None:
        """The analysis is over, and led to these."""
        self._sites = CallSites(contexts, self._world.modules)

    def _places_of(self, module: Module) -> Places:
        found = self._places.get(module.path)
        if found is None:
            found = self._places[module.path] = Places(module.program)
        return found

    def target(self) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        """The lowest and highest JAX that the project admits."""
        return self._target


def _in_sight(event: Event) -> dict[str, Value]:
    """The variables of the function there and of the scopes around it."""
    found: dict[str, Value] = {}
    env: Environment | None = event.frame.env
    while env is not None:
        for name, value in env.vars.items():
            if isinstance(name, str):
                found.setdefault(name, value)
        env = env.parent
    return found


__all__ = [
    "Array", "Bound", "Class", "Const", "External", "Function", "Instance", "Model", "MutableContainer",
    "NumPyArray", "OneOf", "Partial", "Product", "Static", "Text", "TracerPytree", "Transformed",
    "Tuple", "Unknown", "Value",
]  # fmt: skip
