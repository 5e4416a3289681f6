"""Networks of haiku and flax: what makes them, and what their methods run.

In: calls of the frameworks' functions and of methods that their modules have from them. Out: the values of
the results; the functions of the user's modules are analyzed as the framework would call them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeGuard

from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.copies.module_changes import note_draw
from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.calling.calls import Calls
from jaxlint.calling.construction import Construction
from jaxlint.calling.control_primitives import ControlPrimitives
from jaxlint.calling.lifting import Lifting
from jaxlint.domain.consumed_keys import Consumed
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.key_tokens import INITIAL, root_of
from jaxlint.domain.layers import level_of_layer
from jaxlint.domain.objects import Function, Instance, Key
from jaxlint.domain.questions import level_of_all
from jaxlint.domain.values import (
    ANY,
    BOOL,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    External,
    Product,
    TracerPytree,
    Value,
)
from jaxlint.evaluation.attribute_names import haiku_parameters
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.definitions import INSIDE
from jaxlint.evaluation.keys import Keys
from jaxlint.library.framework_layers import CELLS, DRAWS, NO_STREAMS

# keywords of `apply` with which it gives something else, or more
OTHERWISE = frozenset(("mutable", "method", "capture_intermediates"))


class FrameworkModules:
    """Calls of frameworks whose modules are functions, and of the methods of these modules."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        keys: Keys,
        consumption: KeyConsumption,
        attributes: Attributes,
        calls: Calls,
        lifting: Lifting,
        primitives: ControlPrimitives,
        construction: Construction,
    ) -> None:
        self.flow = flow
        self.core = core
        self.keys = keys
        self.consumption = consumption
        self.attributes = attributes
        self.calls = calls
        self.lifting = lifting
        self.primitives = primitives
        self.construction = construction

    def new_key(self, stream: str | None = None, many: bool = False) -> Key:
        """One that a framework hands out, or an array of them: another one each time, of a stream."""
        key = Key(self.core.fresh(), self.core.arrays_level(()), many=many)
        if stream is not None:
            self.consumption.streams[key.token] = stream
        return key

    @contextmanager
    def drawing(self) -> Iterator[set[str]]:
        """The streams that what is called in here certainly draws from, once it is over."""
        frame, found = self.flow.frame, set[str]()
        saved = frame.draws, frame.sure
        frame.draws, frame.sure = frozenset(), len(self.flow.tests)
        try:
            yield found
        finally:
            found |= {each.stream for each in frame.draws if not each.under}
            frame.draws, frame.sure = saved

    def is_initial(self) -> Value:
        """Whether parameters are made, and not given."""
        given = self.flow.context.given
        return TRUE if given is None else Const(False) if given else BOOL

    @contextmanager
    def handing(self, given: int | None, stored: int = 0) -> Iterator[None]:
        """A framework hands parameters, or samples, and a state to what is called in here: which tracers they
        certainly are, or None where it makes them, with functions that give tracers or not."""
        saved = self.flow.context
        self.flow.context = saved._replace(given=given, stored=stored)
        try:
            yield
        finally:
            self.flow.context = saved

    def haiku_method(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        name, (target, _, stateful) = func.parts[0], func.parts[1].parts
        level = self.core.arrays_level(args)
        keywords = dict(keywords)
        names = haiku_parameters(*func.parts)
        rest = list(args)
        given: dict[str, Value] = {}
        for each in names:
            value = keywords.pop(each, None) or (rest.pop(0) if rest else None)
            if value is not None:
                given[each] = value
        levels = [level_of_all(given[each]) if each in given else 0 for each in ("params", "state")]
        with self.handing(levels[0] if name == "apply" else None, levels[1]), self.drawing() as streams:
            result = self.calls.call(target, rest, keywords, nid, exact)
        if name == "apply" and streams:
            self.consumption.consume(self.keys.handed_on(given.get("rng"), (target, name)), nid, name)
        elif name != "apply" and "rng" in given:
            self._draw_parameters(given["rng"], (target, name), nid)
        if name == "apply":
            return Tuple((result, TracerPytree(level))) if stateful else result
        return Tuple((TracerPytree(level), TracerPytree(level))) if stateful else TracerPytree(level)

    def _keep_own_keys(self, owner: Instance, before: Consumed[Consumption]) -> None:
        """A module of linen that holds a key holds it for ever: what it draws from it is meant to repeat."""
        own: set[Hashable] = {id(owner)}
        for name, value in self.flow.env.vars.items():
            if isinstance(name, tuple) and name[:2] == ("@", id(owner)) and isinstance(value, Key):
                own.add(root_of(value.token))
        now = self.consumption.spent().all()
        if any(root_of(token) in own for token in now if token not in before):
            kept = {
                token: found for token, found in now.items() if token in before or root_of(token) not in own
            }
            self.flow.env.vars["$spent"] = Product("spent", Consumed.of(kept))

    def initialise(self, name: str, key: Value | None, nid: int) -> None:
        """A layer of equinox draws its parameters from the key that it is given."""
        if name.startswith("equinox.") and key is not None:
            self._draw_parameters(key, name, nid, is_layer=True)

    def _draw_parameters(self, key: Value, which: Hashable, nid: int, is_layer: bool = False) -> None:
        """Parameters are drawn from a key: it counts where equal ones cannot be meant."""
        self.consumption.consume(self.keys.handed_on(key, (INITIAL, which, is_layer)), nid, "init")

    def _consume_streams(
        self, owner: Instance | Product, rngs: Value, streams: Sequence[str], nid: int
    ) -> None:
        """A module of linen draws from the keys of these streams: where one has none, from the main key. What
        it makes of a key is told by the places of its layers: modules of one class draw the same."""
        kind = owner.cls if isinstance(owner, Instance) else owner
        for stream in streams:
            self.consumption.consume(self.keys.handed_on(_key_of(stream, rngs), (kind, stream)), nid, "apply")

    def streams_call(self, func: Product, args: list[Value], nid: int) -> Value:
        """Streams of flax nnx give a key of one of them, or draw from the default one. The first key of a
        stream is made of the key of the stream alone."""
        name, *made = ("default", *func.parts) if func.kind == "rngs" else func.parts
        if name in NO_STREAMS:
            return UNKNOWN
        note_draw(self.core, self.flow.calling, nid)
        stream = "default" if name in DRAWS else name
        key: Value = self.new_key()
        if made and (self.flow.module, nid) in made[0]:
            streams: dict[str, Value] = dict(made[1])
            stream = stream if stream in streams else "default"
            if isinstance(streams.get(stream), Key):
                key = self.keys.handed_on(streams[stream], "stream")  # whatever it is called
        if name not in DRAWS:
            return key
        self.consumption.consume(key, nid, name)
        return self.core.made(args)

    def _parameter(self, args: list[Value]) -> Value:
        """What a function of another library makes of a shape is one array."""
        level = self.flow.context.given or 0
        make = args[1] if len(args) > 2 else None
        is_array = isinstance(make, External) or (isinstance(make, Product) and make.kind == "array-function")
        return Array(level) if is_array else TracerPytree(level)

    def _variable(self, args: list[Value], nid: int) -> Value:
        """A variable of a module, in whose `value` the framework keeps what it is set to."""
        owner = self.construction.namespace({"value": self._parameter(args[1:])}, nid)
        owner.depth = INSIDE
        return owner

    def linen_method(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        name, owner = func.parts
        level = self.core.arrays_level([*args, *keywords.values()])
        if isinstance(owner, Product):
            return self.layer_method(name, owner, args, keywords, nid, exact)
        if name == "make_rng":
            stream = args[0] if args else keywords.get("name", Const("params"))
            return self.new_key(stream.value) if _is_text(stream) else self.new_key()
        if name == "param":
            return self._parameter(args)
        if name == "variable":
            return self._variable(args, nid)
        if name == "is_initializing":
            return self.is_initial()
        own = ("rngs", "mutable", "method", "capture_intermediates")
        rest = {key: value for key, value in keywords.items() if key not in own}
        asked = keywords.get("method", NONE)
        if isinstance(asked, Const):
            asked = self.attributes.attribute(
                owner, asked.value if isinstance(asked.value, str) else "__call__", nid
            )
        elif isinstance(asked, Function):
            asked = self.attributes.bind_method(asked, owner, nid)
        before = self.consumption.spent()
        variables = args[0] if args else keywords.get("variables", UNKNOWN)
        if isinstance(variables, MutableContainer):
            variables = variables.entries.get("params", UNKNOWN)
        with self.handing(level_of_all(variables) if name == "apply" else None), self.drawing() as streams:
            result = self.calls.call(asked, args[1:], rest, nid, exact)
        if name == "apply":
            self._consume_streams(owner, keywords.get("rngs", NONE), sorted(streams), nid)
        else:
            key = _key_of("params", args[0] if args else keywords.get("rngs", NONE))
            self._draw_parameters(key, (owner, "params"), nid)
        self._keep_own_keys(owner, before)
        if name == "init":
            return TracerPytree(level)
        mutable = keywords.get("mutable", Const(False))
        if name == "apply" and mutable == Const(False):
            return result
        return Tuple((result, TracerPytree(level)))

    def layer_method(
        self, name: str, layer: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """What `init` and `apply` of a layer of linen give that no module has."""
        if name == "init":
            return TracerPytree(self.core.arrays_level([*args, *keywords.values()]))
        if keywords.keys() & OTHERWISE or not args:
            return UNKNOWN
        rest = {key: value for key, value in keywords.items() if key != "rngs"}
        with self.handing(level_of_all(args[0])), self.drawing() as streams:
            result = self.calls.call(layer, args[1:], rest, nid, exact)
        self._consume_streams(layer, keywords.get("rngs", NONE), sorted(streams), nid)
        return result

    def layer_results(self, layer: Product, given: list[Value], nid: int) -> Value:
        """What a call of a layer gives, which depends on its parameters as well: an array, to which its
        activations are applied; of a recurrent cell its state, and what comes out."""
        name: str = layer.parts[0]
        made = Array(self.core.arrays_level(given) | level_of_layer(layer))
        # a norm may have been made without parameters
        if name.startswith(("flax.linen.", "haiku.")) and not name.endswith("Norm"):
            made = Array(made.level | (self.flow.context.given or 0))
        for activation in layer.parts[1:]:
            if activation == ANY or isinstance(activation, Array):
                continue  # it says what leaves may be
            self.calls.call(activation, [made], {}, nid)
        results: list[Value] = [
            made if each == "array" else TracerPytree(made.level) for each in CELLS.get(name, ("array",))
        ]
        return results[0] if len(results) == 1 else Tuple(tuple(results))


def _key_of(stream: str, rngs: Value) -> Value:
    """The key of a stream among what linen is given; where it has none, the main key."""
    entries = rngs.entries if isinstance(rngs, MutableContainer) else {"params": rngs}
    return entries.get(stream, entries.get("params", UNKNOWN))


def _is_text(value: Value) -> TypeGuard[Const]:
    return isinstance(value, Const) and isinstance(value.value, str)
