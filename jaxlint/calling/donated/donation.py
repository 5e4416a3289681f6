"""Buffers that a compiled function is given to write its results into, and reads of them after that.

In: a call of the result of `jit` or `pmap` with donated arguments, and what it gives. Out: an event for each
variable that is donated and read again before it gets another value.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import DonatedRead
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.donated.activations import leaves_parameters
from jaxlint.calling.donated.arguments import donated, donated_by, donated_wholes, passed, spread, variables
from jaxlint.calling.donated.contents import Contents, Donated
from jaxlint.calling.donated.copies import (
    copies_of,
    has_item,
    holders_of,
    is_deleted,
    is_layer_of_equinox,
    is_replaced,
    is_vague,
    item_at,
    item_of,
    may_hold,
    part_of,
    place_of,
    returned,
    shared_parts,
    spread_in,
    stored_in,
    swapped_with,
    taken_from,
    written_parts,
)
from jaxlint.calling.donated.functions import calls_with, keeping
from jaxlint.calling.donated.lasting_copies import Kept, given_to, kept_by, left_by_methods, set_behind
from jaxlint.calling.donated.making import at
from jaxlint.calling.donated.places import Places
from jaxlint.calling.donated.reads_after import (
    HolderReads,
    LaterRead,
    ReadsAfter,
    given_by_generator,
    later_reads,
    shape_reads,
)
from jaxlint.calling.donated.sharing import Sharing, is_of_jax
from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.objects import CONSTRUCTION, Function, Instance, Transformed
from jaxlint.domain.questions import base_of, but_for_none, level_of_all
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.values import (
    BATCHED,
    STAGED,
    Array,
    Const,
    External,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    NameExpr,
    StarExpr,
    SubscriptExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import last_name, number_of, walk
from jaxlint.tables.layers import OF_ARRAYS

_MODULES = Const("module")  # what flax nnx compiles
# transforms that give the function what their result is given
_AS_GIVEN = frozenset(("grad", "jacobian", "value_and_grad", "vmap"))


class Donations:
    """Tells of donated variables that are read again."""

    def __init__(self, flow: FlowState, core: Core, attributes: Attributes) -> None:
        self.flow = flow
        self.core = core
        self.attributes = attributes
        self._reads: dict[tuple[Code, int, str, int | None], list[LaterRead]] = {}  # by call and variable
        self.places = Places(flow, attributes)
        self.contents = Contents(self.places)
        self.sharing = Sharing(self.places)

    def note_call(
        self, func: Transformed, params: Sequence[str] | None, node: CallExpr | None, nid: int, result: Value,
        args: Sequence[Value],
    ) -> None:  # fmt: skip
        """A call was analyzed. `params`: the positional parameters of what is called, where they are known;
        `node`: the call that was being evaluated, which is this one if it has its number; `args`: its
        positional arguments."""
        frame = self.flow.frame
        if node is None or self.flow.context.unjitted or not self._is_given(node, nid, len(args)):
            return
        module, stars = self.flow.module, self._stars(node)
        node = spread(node, stars)
        code, unknown = frame.code, is_vague(result)
        gone: set[str] = set()
        unused: set[int] = set()
        if not self.flow.around:
            unused = self._note_contents(func, params, node, nid, result, args)
        is_known = not isinstance(result, TracerPytree) or isinstance(base_of(func), (Function, External))
        for arg, whole in donated(func, params, node, args):
            value = self._value_of(arg, node, args)
            if value is None and stars:
                value = self.places.held(arg)
            if value is None or not is_deleted(value) or id(arg) in unused:
                continue
            held = whole if whole is not None and self.flow.around else value
            if self.flow.context.batched and not level_of_all(held) & BATCHED:
                continue  # the result, which has an axis more, may not fit
            fits = is_known and may_hold(result, held)
            if not fits and not (unknown and is_replaced(code, place_of(arg), nid)):
                continue
            if func.option(LEAVES) == _MODULES and not isinstance(value, Array):
                continue  # modules get the new arrays by the call
            for name, part in self._parts(code, module.program, arg, value, result):
                self._note_reads(func, code, module.program, nid, name, place_of(arg), part)
            place = place_of(arg)
            self._note_holders(func, code, module.program, nid, place, value)
            self._note_objects(func, code, module.program, nid, place, value)
            holding = [*self._holding(code, place, value), *self._shared(code, module.program, arg, value)]
            kept = self._kept(code, module.program, arg, node)
            given = [
                each
                for each in variables(node)
                if place_of(each) in holding or number_of(each) in kept.get(place_of(each), ())
            ]
            if len(given) > 1:
                self._tell(number_of(given[1]) or nid, func, place_of(given[1]), place, nid, "arguments")
                continue
            self._note_given(code, module.program, arg)
            for name in holding:
                if not self._note_reads(func, code, module.program, nid, name, place, value):
                    gone.add(place)
            for name, among in kept.items():
                self._note_reads(func, code, module.program, nid, name, place, value, among)
            self._note_swapped(func, code, module.program, nid, place, value)
            for name, among in self.sharing.wholes(arg, nid, value):
                self._note_reads(func, code, module.program, nid, name, place, value, among)
        self._note_stars(func, code, module.program, nid, stars, gone)

    def _note_contents(
        self, func: Transformed, params: Sequence[str] | None, node: CallExpr, nid: int, result: Value,
        args: Sequence[Value],
    ) -> set[int]:  # fmt: skip
        """Tells of reads of what a donated record, dict or tuple was made of, and where it has one array
        twice. Gives the parts that are written there and not used."""
        code, program, unused = self.flow.frame.code, self.flow.module.program, set[int]()
        for made, given, param in donated_wholes(func, params, node, args):
            value = self.places.held(made) if given is None or place_of(made) else given
            place = place_of(made)
            if value is None:
                continue
            if leaves_parameters(func, param, {each.name for each in node.keywords}):
                unused.update(map(id, walk(made)))
                continue
            unused |= self.contents.unused(func, param, made, value)
            arg = Donated(func, param, made, value, result, is_replaced(code, place, nid))
            if (twice := self.contents.twice(arg)) is not None:
                first, second = (each.name_in(place) for each in twice)
                self._tell(number_of(made) or nid, func, second, first, nid, "twice")
                continue
            for name, route, among in self.sharing.of(made, nid) if place else ():
                inner = at(value, route)
                if not route and not is_deleted(value) and self.contents.is_replaced_tree(arg):
                    inner = self.flow.env.vars.get(name)  # of a module its arrays are donated
                elif not route or not self.contents.is_taken(arg, route):
                    continue
                if inner is not None and is_of_jax(inner):
                    self._note_reads(func, code, program, nid, name, place, inner, among)
            for part, held, reads in [*self.contents.deleted(arg)]:
                name = place_of(part)
                other = next((each for each in variables(node) if place_of(each) == name), None)
                if other is not None and other is not made:
                    self._tell(number_of(other) or nid, func, name, place or name, nid, "arguments")
                    continue
                for each in self._holding(code, name, held):
                    seen = reads if each == name else None
                    self._note_reads(func, code, program, nid, each, place or name, held, seen)
        return unused

    def _note_swapped(
        self, func: Value, code: Code, program: Program, nid: int, place: str, value: Value
    ) -> None:
        """Tells of reads of what the statement of the call itself sets to what is donated."""
        for name, target in swapped_with(code, place, nid).items():
            if name:
                self._note_reads(func, code, program, nid, name, place, value, target=number_of(target))

    def note_helper(
        self, helper: Function, names: frozenset[str], node: CallExpr | None, nid: int, count: int
    ) -> None:
        """A function was called that donates what it is given for these parameters. `count`: how many
        arguments it has by position."""
        if not names or node is None or not self._is_given(node, nid, count):
            return
        module, code = self.flow.module, self.flow.frame.code
        given = given_by_generator(code, nid) if helper.code.is_generator else ()
        if given is None:
            return
        stars = self._stars(node)
        node = spread(node, stars)
        positions, names = donated_by(helper.code, names, node, count)
        gone: set[str] = set()
        for arg, _ in passed(positions, names, node, count):
            if not isinstance(arg, NameExpr) and not stars:
                continue
            value, place = self.places.held(arg), place_of(arg)
            if value is not None and is_deleted(value):
                self._note_holders(helper, code, module.program, nid, place, value)
                self._note_objects(helper, code, module.program, nid, place, value)
                self._note_given(code, module.program, arg)
                for name in (each for each in self._holding(code, place, value) if each not in given):
                    if not self._note_reads(helper, code, module.program, nid, name, place, value):
                        gone.add(place)
                self._note_swapped(helper, code, module.program, nid, place, value)
                for name, among in self.sharing.wholes(arg, nid, value) if not given else ():
                    self._note_reads(helper, code, module.program, nid, name, place, value, among)
        self._note_stars(helper, code, module.program, nid, stars, gone)

    def _stars(self, node: CallExpr) -> dict[Expr, dict[object, Expr]]:
        """What a call spreads by stars, with the parts that each gives, by index or key, where they are
        known: as they are written, or of a variable."""
        spread = [each.value for each in node.args if isinstance(each, StarExpr)]
        spread += [each.value for each in node.keywords if each.name is None]
        found: dict[Expr, dict[object, Expr]] = {}
        for each in spread:
            held = self.places.held(each) if place_of(each) else None
            keys: Iterable[object] = ()
            if isinstance(held, MutableContainer) and held.kind == "dict":
                keys = held.entries if held.elem is None and not held.is_open else ()
            elif isinstance(held, (MutableContainer, Tuple)) and held.items is not None:
                keys = range(len(held.items))
            parts = {key: part_of(each, "[]", key) for key in keys} or written_parts(each)
            if parts:
                found[each] = parts
        return found

    def _note_stars(
        self, func: Value, code: Code, program: Program, nid: int,
        stars: Mapping[Expr, Mapping[object, Expr]], gone: Container[str],
    ) -> None:  # fmt: skip
        """Tells of reads of what a star has spread, of which the parts in these places are donated and are
        not read by themselves, and of the variables that it was made of."""
        for whole, parts in stars.items():
            donated = {key: part for key, part in parts.items() if place_of(part) in gone}
            held = self.places.held(whole)
            if not donated or held is None:
                continue
            place = place_of(whole)
            among = {*(HolderReads(code, program, nid, place, place, None).after() or ())} - stored_in(code)
            if len(donated) < len(parts):
                among &= spread_in(code)
            self._note_reads(func, code, program, nid, place, place, held, among)
            for key, source in self.places.made_of(code, program, whole).items():
                value = self.places.held(donated[key]) if key in donated and place_of(source) else None
                if value is not None and self.places.held(source) is value:
                    name, known_as = place_of(source), place_of(donated[key])
                    self._note_reads(func, code, program, nid, name, known_as, value)

    def _is_given(self, node: CallExpr, nid: int, count: int) -> bool:
        """Whether what is called is given the arguments of the call that is evaluated, perhaps behind others
        that it holds already, and arrays that it donates are deleted at once."""
        context, frame = self.flow.context, self.flow.frame
        return (
            "DonatedRead" in self.core.hooks
            and node.nid == nid
            and len(node.args) <= count
            and self.flow.env is frame.env
            and context.depth == context.deletes
            and all(kind in _AS_GIVEN for kind in self.flow.around)
        )

    def depth_inside(self, level: int, lifted: Iterable[Value]) -> int:
        """The depth inside of a transform, if functions there delete what is donated to them: it runs at
        once, no `vmap` in another, and what it makes tracers of, `lifted`, are arrays of JAX."""
        context, arrays = self.flow.context, [*lifted]
        if context.depth != context.deletes or level & STAGED or (context.batched and level & BATCHED):
            return 0
        return context.depth + 1 if arrays and all(map(is_deleted, arrays)) else 0

    def _holding(self, code: Code, name: str, value: Value) -> list[str]:
        """A variable that holds a value, or an attribute or an item of one, and those that the function sets
        to it, or it to them, and that hold it yet."""
        pairs = [pair for pair in copies_of(code) if name in map(place_of, pair)]
        others = {place_of(each): each for pair in pairs for each in pair}
        held = ((each, self.places.held(others[each])) for each in sorted(others.keys() - {name}))
        return [name, *(each for each, other in held if other is not None and but_for_none(other) is value)]

    def _shared(self, code: Code, program: Program, arg: Expr, value: Value) -> list[str]:
        """The parts of a record, a dict or a tuple that were given one variable with the part that is
        donated, and hold it yet; also where a function of the program has made it."""
        root = arg.value if isinstance(arg, (AttrExpr, SubscriptExpr)) else None
        if not isinstance(root, NameExpr):
            return []
        owner, seen = self.flow.env.vars.get(root.name), self.places.flow_of(code, program).seen_by(root.nid)
        cls = owner.cls if isinstance(owner, (Tuple, Instance)) else None
        if cls is not None and (cls.converters or any(map(cls.lookup, (*CONSTRUCTION, "__new__")))):
            return []
        found: set[str] = set()
        for target, given in assigned(code.body):
            if not isinstance(target, NameExpr) or target.name != root.name or target.nid not in seen:
                continue
            made = [each for each, site in self.flow.frame.sites if site == number_of(given)]
            written = returned(made[0]) if len(made) == 1 else given
            if isinstance(written, CallExpr) and (cls is None or last_name(written.func) != cls.code.name):
                continue
            parts = shared_parts(written, [] if cls is None else [*cls.all_fields()]) if written else ()
            for group in parts:
                places = [part_of(root, *each) for each in group]
                if place_of(arg) in map(place_of, places):
                    found |= {place_of(each) for each in places if self.places.held(each) is value}
        return sorted(found - {place_of(arg)})

    def _kept(self, code: Code, program: Program, arg: Expr, call: CallExpr) -> Kept:
        """What holds the donated array since the turn before of a loop, or since another method ran."""
        func = self.flow.frame.func
        if isinstance(arg, NameExpr):
            return set_behind(self.places.flow_of(code, program), code, arg, call.nid)
        if func is None or func.cls is None or not isinstance(arg, AttrExpr):
            return {}
        return left_by_methods(func.cls, code, arg, call.nid)

    def _value_of(self, arg: Expr, node: CallExpr, args: Sequence[Value]) -> Value | None:
        """What a variable holds that is passed, or an attribute or an item of one."""
        if isinstance(arg, NameExpr):
            return self.flow.env.vars.get(arg.name)
        if len(args) != len(node.args):
            return None
        return next((value for each, value in zip(node.args, args, strict=True) if each is arg), None)

    def _note_reads(
        self, func: Value, code: Code, program: Program, nid: int, name: str, donated: str, value: Value,
        among: Container[int] | None = None, target: int | None = None,
    ) -> bool:  # fmt: skip
        """Tells of the first read of a variable after the call that donated what it holds, or of the first
        among some; with a target of the first that sees what this is set to. Whether there is one."""
        place = code, nid, name, target
        if place not in self._reads:
            self._reads[place] = later_reads(code, program, nid, name, target)
        for read in self._reads[place]:
            if among is not None and read.nid not in among:
                continue
            if read.of_keys and isinstance(value, MutableContainer) and value.kind == "dict":
                continue
            if not read.attribute or self._reads_array(value, read):
                self._tell(read.nid, func, name, donated, nid, "turn" if read.is_of_call else "behind")
                return True
        return False

    def _parts(
        self, code: Code, program: Program, arg: Expr, value: Value, result: Value
    ) -> Iterator[tuple[str, Value]]:
        """The variables that are set to the attribute or the item that is donated, or to a part of what is,
        and hold it still; with what they hold."""
        name = place_of(arg)
        for target, source in copies_of(code):
            place = place_of(source)
            is_part = place.startswith((f"{name}.", f"{name}["))
            if (
                not isinstance(target, NameExpr)
                or isinstance(source, NameExpr)
                or not (is_part or place == name)
            ):
                continue
            held = self.flow.env.vars.get(target.name)
            if is_part and self._is_of_layer(value, name, source):
                if len(self.places.flow_of(code, program).bindings_of(target.name)) > 1:
                    continue
                held = Array()  # what was read of the layer, since nothing else is bound
            elif held is None or held is not (self._part(value, name, source) if is_part else value):
                continue
            elif is_part and not may_hold(result, held):
                continue
            read = next(each for each in walk(source) if place_of(each) == name)
            if self.places.is_same(code, program, name, number_of(read), number_of(arg)):
                yield target.name, held

    def _is_of_layer(self, value: Value, name: str, source: Expr) -> bool:
        """Whether an attribute of a layer that is donated, or is in what is, is one of its arrays."""
        owner = self._part(value, name, source.value) if isinstance(source, AttrExpr) else None
        if owner is None or not isinstance(source, AttrExpr) or not is_layer_of_equinox(owner):
            return False
        return source.name in OF_ARRAYS.get(owner.parts[0], ())

    def _part(self, value: Value, name: str, source: Expr) -> Value | None:
        """What an attribute, or an item, of a donated value holds, where it is certainly of its arrays."""
        if place_of(source) == name:
            return value
        if not isinstance(source, (AttrExpr, SubscriptExpr)):
            return None
        owner = self._part(value, name, source.value)
        found: Value | None = None
        if isinstance(source, AttrExpr) and isinstance(owner, (Instance, Tuple)):
            found = self.places.looked_up(owner, source.name, source.nid)
        elif isinstance(source, SubscriptExpr) and isinstance(source.index, ConstExpr):
            found = item_of(owner, source.index.value)
        return found if found is not None and not isinstance(found, Unknown) and is_deleted(found) else None

    def _note_holders(
        self, func: Value, code: Code, program: Program, nid: int, donated: str, value: Value
    ) -> None:
        """Tells of the first read of a list or dict that the function itself has put a variable into, and
        that holds what was donated of it."""
        for place, path in holders_of(code, donated):
            holder, box = place_of(place), self.places.held(place)
            if not isinstance(box, (MutableContainer, Tuple)) or not has_item(box, value, path):
                continue
            most = box.most if isinstance(box, MutableContainer) else None
            flow = HolderReads(code, program, nid, holder, donated, most)
            after = flow.after() or ()
            reads = (
                read
                for read, item in taken_from(code, holder, path, shape_reads(code, program) if path else ())
                if (read in after and (item is None or item_at(box, (item, *path)) is value))
                or (type(item) is int and item < 0 and flow.is_gone(read, item))
            )
            first = min(reads, default=None)
            if first is not None:
                self._tell(first, func, holder, donated, nid, "behind")

    def _note_objects(
        self, func: Value, code: Code, program: Program, nid: int, donated: str, value: Value
    ) -> None:
        """Tells of reads of what objects keep that were given what is donated, and of calls of functions."""
        for name in sorted(keeping(code, program, donated)):
            calls = [*calls_with(code, name, self.flow.env.vars.get(name), value)]
            after = ReadsAfter(code, program, nid, name).after() if calls else ()
            first = min((call for call in calls if call in (after or ())), default=None)
            if first is not None:
                self._tell(first, func, name, donated, nid, "behind")
        for owner in given_to(code, donated):
            held = self.places.held(owner)
            cls = held.cls if isinstance(held, (Tuple, Instance)) else None
            for name in sorted(() if cls is None else kept_by(cls)):
                part = part_of(owner, ".", name)
                place, kept = place_of(part), self.places.held(part)
                if kept is value:
                    self._note_reads(func, code, program, nid, place, donated, value)
                elif isinstance(kept, MutableContainer) and kept.each() is value:
                    after = HolderReads(code, program, nid, place, place, kept.most).after() or ()
                    first = min((read for read, _ in taken_from(code, place) if read in after), default=None)
                    if first is not None:
                        self._tell(first, func, place, donated, nid, "behind")

    def _note_given(self, code: Code, program: Program, arg: Expr) -> None:
        """Where a variable that is donated, under no test, holds what a parameter of that name was given, the
        function donates what it is given. A loop may set it behind the call; where something before does, it
        has to be seen that this was not run. A part of `*args` or `**kwargs` is one argument."""
        frame = self.flow.frame
        if isinstance(arg, SubscriptExpr) and isinstance(arg.value, NameExpr):
            starred = [each.nid for each in code.params if each.kind in ("*", "**")]
            if self.places.flow_of(code, program).binding_of(arg.value.nid) in starred:
                frame.donates |= {place_of(arg)} if len(self.flow.tests) <= frame.sure else set()
        if not isinstance(arg, NameExpr):
            return
        given = [
            (param, value)
            for param, value in zip(code.params, frame.arguments, strict=False)
            if param.name == arg.name and param.kind in "pn"
        ]
        if not given or len(self.flow.tests) > frame.sure:
            return
        ((param, value),) = given
        before = {each for each in self.places.flow_of(code, program).seen_by(arg.nid) if each < arg.nid}
        if before == {param.nid} or (param.nid in before and self.flow.env.vars[arg.name] is value):
            frame.donates |= {arg.name}

    def _reads_array(self, value: Value, read: LaterRead) -> bool:
        """Whether an attribute of a donated value is certainly of its arrays."""
        if isinstance(value, (Array, Unknown)):
            return isinstance(value, Array)  # a method of it
        if is_layer_of_equinox(value):
            return read.attribute in OF_ARRAYS.get(value.parts[0], ())
        held = self.places.looked_up(value, read.attribute, read.nid)
        return not isinstance(held, Unknown) and any(map(is_deleted, options_of(held)))

    def _tell(self, read: int, func: Value, name: str, donated: str, call: int, when: str) -> None:
        place = self.flow.module, call
        self.core.emit("DonatedRead", DonatedRead(read, self.flow.frame, func, name, donated, place, when))
