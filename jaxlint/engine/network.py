"""What led to what while an island was followed, as plain data that outlives the run.

In: a machine that has run, and for each diagnostic the activations that it comes from. Out: a `Network`: one
node for each activation, by number, with what it calls, reads, writes and notes; or the JSON of it. Code is
named by its file and its index there. It refuses to know what has changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from jaxlint.engine.frame import Activation
from jaxlint.engine.history import Notes, Read, base_of
from jaxlint.engine.ledger import Trace
from jaxlint.engine.lower import Code
from jaxlint.engine.machine import Machine
from jaxlint.engine.naming import CodeRef, Naming
from jaxlint.engine.values import Class, Environment, Function, Instance, Value

Called = tuple[str, CodeRef | None, bool]
"""What a transform of this kind made of a function, and whether that is all, and the function a module's."""
Crowd = tuple[CodeRef, bool]
"""A function, and whether it is traced: of each there may be so many runs."""
Cell = tuple[str, str, str | int, str]
"""An attribute of a class's objects, the class by its name, or a variable of a function or module (0)."""

TRACED, FREE, BODY, JUDGED, REMAKES = 1, 2, 4, 8, 16
MAKES, SHARED, ALTERS, UNSETTLED, KEEPS, SETS, EARLY = 32, 64, 128, 256, 512, 1024, 2048
"""What a node is: in a trace; followed as an outside caller would call it; a module's body; notes what only a
whole run can judge; makes functions anew; makes objects; returns to more than one call; changes what code can
see that has nothing to do with it; has read what changed again when nothing more was followed; is a trace
that lasts, and reads what may change; may be called by anyone, and writes what a trace could read; has been
followed for the last time before anything but bodies of modules and what they call was."""


UNNAMED = 1


class Node(NamedTuple):
    """One activation. callees, parent, home: numbers of nodes; of the parent -1 where there is none, of the
    home (what made the function) where that is no activation. apart: callees that no call leads to. sites:
    what it calls, where, and whether in a loop. called: what transforms made that it calls. denied: what it
    asks for in vain. mapped: maps that it calls, by file and number.

    call: the name of what it is called with, and outcome: of what its callers see; 0 where there is none.
    asked: the name of the runs that it asks for of functions of which there are not all that are asked for;
    UNNAMED where one of these has no name.
    """

    code: CodeRef
    flags: int
    callees: Sequence[int]
    apart: Sequence[int]
    parent: int
    home: int
    reads: Sequence[Cell]
    writes: Sequence[Cell]
    sites: Sequence[tuple[CodeRef, int, bool]]
    called: Sequence[Called]
    denied: Sequence[Crowd]
    mapped: Sequence[tuple[str, int]]
    call: int
    outcome: int
    asked: int

    @property
    def run(self) -> Crowd:
        """What this is a run of."""
        return self.code, bool(self.flags & TRACED)


@dataclass
class Network:
    """by: for each diagnostic the nodes that it comes from. driven: functions that bodies call. getters:
    names of properties. static_reads: what is read of static arguments. maps: places of maps of jitted
    functions. methods: classes of which methods are jitted. remakes: whether functions are made anew.
    refilled: variables of modules whose containers functions change. hidden: functions of which something is
    not told since they are traced. peeked: functions whose text says something of those who do not call them.
    watched: what traces depend on, by name. granted: of functions of which there are not all runs that are
    asked for, the names of those that there are, in any round. denials: and of those that there are not, by
    who asks."""

    nodes: list[Node]
    by: list[list[int]]
    driven: list[CodeRef]
    getters: list[str]
    static_reads: Set[Cell]
    maps: Set[tuple[str, int]]
    methods: Set[tuple[str, str]]
    remakes: bool
    refilled: Set[Cell]
    hidden: Set[CodeRef]
    peeked: Set[CodeRef]
    watched: Set[int]
    granted: list[tuple[CodeRef, bool, list[int]]]
    denials: list[tuple[CodeRef | None, CodeRef, bool, list[int]]]

    def written(self, node: Node) -> list[Cell]:
        """What a node writes; who reads a container that functions change may well change it."""
        if not self.refilled:
            return [*node.writes]
        return [*node.writes, *(cell for cell in node.reads if cell in self.refilled)]

    @cached_property
    def readers(self) -> dict[Cell, set[int]]:
        return _by_cell(node.reads for node in self.nodes)

    @cached_property
    def writers(self) -> dict[Cell, set[int]]:
        return _by_cell(map(self.written, self.nodes))


def _by_cell(cells: Iterable[Iterable[Cell]]) -> dict[Cell, set[int]]:
    found: dict[Cell, set[int]] = {}
    for number, own in enumerate(cells):
        for cell in own:
            found.setdefault(cell, set()).add(number)
    return found


Place = TypeVar("Place", bound=Hashable)


def closure(starts: Iterable[Place], near: Callable[[Place], Iterable[Place]]) -> set[Place]:
    """All that is reached from these."""
    found = set(starts)
    stack = list(found)
    while stack:
        for each in near(stack.pop()):
            if each not in found:
                found.add(each)
                stack.append(each)
    return found


class Survey:
    """Makes plain data of what a machine has followed."""

    def __init__(
        self,
        machine: Machine,
        naming: Naming,
        watched: Set[int] | None = None,
        crowds: Set[tuple[Code, bool]] = frozenset(),
    ) -> None:
        self.machine = machine
        self.naming = naming
        self.watched = self.naming.watched() if watched is None else watched
        # functions, traced or not, of which there are not all runs that are asked for
        self.crowds = crowds | {(code, traced) for _, code, traced in machine.denials}
        self.reached = machine.reached()
        self.order = [each for each in machine.order if each in self.reached]
        self.numbers = {activation: number for number, activation in enumerate(self.order)}
        self.free = set(machine.generics.values())
        self.paths = {id(func.code): func.module.path for func in machine.functions.values()}
        for activation in self.order:
            if activation.func is not None:
                self.paths[id(activation.func.code)] = activation.module.path

    def network(self, by: Iterable[Iterable[Activation]]) -> Network:
        machine = self.machine
        nodes = [self.node(activation) for activation in self.order]
        notes = [each.noted for each in self.order if each.noted is not None]
        return Network(
            nodes,
            [[self.numbers[each] for each in group if each in self.numbers] for group in by],
            sorted(self.driven()),
            sorted(machine.getters),
            {cell for each in notes for read in each.reads for cell in self.static_cells(read)},
            {(made.place[0].path, made.place[1]) for each in notes for made in each.mapped},
            {self.of_class(cls) for each in notes for cls in self.judged_classes(each)},
            any(each.remade for each in notes),
            {("variable", path, 0, name) for path, name in machine.refilled},
            {self.ref(code) for code in machine.hidden},
            {self.ref(code) for code in machine.peeked},
            self.watched,
            self.granted(),
            self.denials(),
        )

    def driven(self) -> set[CodeRef]:
        """The functions that bodies of modules call."""
        return {self.ref(self.machine.functions[number].code) for number in self.machine.driven}

    def ref(self, code: Code) -> CodeRef:
        return self.paths[id(code)], code.index

    def node(self, activation: Activation) -> Node:
        link, func = activation.link, activation.func
        home = None if func is None else self.machine.homes.get(func.env)
        reads = dict.fromkeys(cell for each in activation.reads if (cell := self.cell(*each)))
        writes = dict.fromkeys(
            cell for each in (*activation.writes, *activation.bound) if (cell := self.cell(*each))
        )
        parent = None if link is None else link.parent
        return Node(
            self.code(activation),
            self.flags(activation),
            tuple([self.numbers[each] for each in activation.callees if each in self.numbers]),
            tuple([self.numbers[each] for each in activation.apart if each in self.numbers]),
            -1 if parent is None else self.numbers.get(parent, -1),
            -1 if home is None else self.numbers.get(home, -1),
            tuple(reads),
            tuple(writes),
            tuple([(self.ref(code), number, looped) for (code, number), looped in activation.sites.items()]),
            tuple([self.called(kind, each) for kind, each in activation.called]),
            tuple(sorted({(self.ref(code), traced) for code, traced, _ in activation.denied})),
            () if activation.noted is None else tuple(sorted({place[:2] for place in activation.noted.uses})),
            0 if func is None else self.naming.call(activation) or 0,
            self.outcome(activation) if activation in self.is_called else 0,
            self.asked(activation),
        )

    def outcome(self, activation: Activation) -> int:
        return self.naming.outcome(activation, self.watched) or 0

    @cached_property
    def is_called(self) -> set[Activation]:
        """The runs of functions that others lead to."""
        return {each for one in self.order for each in one.callees if each is not one}

    @cached_property
    def asking(self) -> set[Activation]:
        """What asks for runs of such functions, or leads to what does."""
        callers: dict[Activation, list[Activation]] = {}
        for each in self.order:
            for callee in each.callees:
                callers.setdefault(callee, []).append(each)
        found = {
            each
            for each in self.order
            if each.denied or (each.func and (each.func.code, each.context.depth > 0) in self.crowds)
        }
        return closure(found, lambda each: callers.get(each, ()))

    def asked(self, activation: Activation) -> int:
        """The name of what an activation asks for that not everybody gets, in order."""
        if activation not in self.asking:
            return 0
        rows = [
            (number, 1, self.naming.call(callee))
            for number, callee in enumerate(activation.callees)
            if callee in self.asking
        ]
        for (_, _, name), number in activation.denied.items():
            rows.append((number, 0, name))
        if not rows:
            return 0
        names = [name for _, _, name in sorted(rows, key=lambda row: row[:2])]
        return UNNAMED if None in names else self.naming.asked(tuple(map(str, names))) or UNNAMED

    def granted(self) -> list[tuple[CodeRef, bool, list[int]]]:
        names: dict[tuple[Code, bool], list[int]] = {crowd: [] for crowd in self.crowds}
        for each in self.machine.order:
            held = names.get((each.func.code, each.context.depth > 0)) if each.func is not None else None
            if held is not None and (name := self.naming.call(each)) is not None:
                held.append(name)
        return sorted((self.ref(code), traced, sorted(held)) for (code, traced), held in names.items())

    def denials(self) -> list[tuple[CodeRef | None, CodeRef, bool, list[int]]]:
        found = []
        for (who, code, traced), names in self.machine.denials.items():
            known = sorted(name for name in names if name is not None)
            found.append((None if who is None else self.ref(who), self.ref(code), traced, known))
        return found

    def called(self, kind: str, made_of: Value) -> Called:
        func = base_of(made_of)
        if not isinstance(func, Function):
            return kind, None, False
        return kind, (func.module.path, func.code.index), made_of is func and func.env.parent is None

    def code(self, activation: Activation) -> CodeRef:
        return activation.module.path, 0 if activation.func is None else activation.func.code.index

    def cell(self, holder: Any, name: object) -> Cell | None:
        if isinstance(holder, Instance):
            return ("object", *self.of_class(holder.cls), str(name))
        if isinstance(holder, Environment):
            index = 0 if holder.code is None else holder.code.index
            return ("variable", holder.module.path, index, str(name))
        return None

    def of_class(self, cls: Class) -> tuple[str, str]:
        return cls.module.path, cls.code.qualname

    @cached_property
    def heirs(self) -> dict[Class, list[Class]]:
        """Of each class those below it, and itself."""
        found: dict[Class, list[Class]] = {}
        for cls in self.machine.classes:
            for base in cls.lineage():
                found.setdefault(base, []).append(cls)
        return found

    def relatives(self, cls: Class) -> list[Class]:
        """A class, those above it and those below."""
        return [*cls.lineage(), *self.heirs.get(cls, ())]

    def static_cells(self, read: Read) -> Iterable[Cell]:
        """The attributes whose writes are writes of what a static argument is asked for."""
        return [("object", *self.of_class(cls), read.name) for cls in self.relatives(read.owner.cls)]

    def judged_classes(self, notes: Notes) -> Iterable[Class]:
        """The classes whose objects the judgement of jitted methods looks at."""
        owners = [*(cls for _, cls, _ in notes.methods), *(owner.cls for _, owner, _ in notes.selves)]
        return [each for cls in owners for each in self.relatives(cls)]

    def flags(self, activation: Activation) -> int:
        notes = activation.noted
        flags = TRACED * (activation.context.depth > 0)
        flags |= FREE * (activation in self.free) | BODY * (activation.func is None)
        flags |= UNSETTLED * (activation in self.machine.unsettled)
        flags |= ALTERS * (activation.alters and activation.func is not None)
        flags |= EARLY * activation.early
        flags |= KEEPS * (activation in self.keepers) | SETS * (activation in self.setters)
        if notes is not None:
            judged = notes.reads or notes.mapped or notes.methods or notes.selves or notes.recalls
            flags |= JUDGED * bool(judged) | REMAKES * bool(notes.remade)
        if any(type(each) is Instance for each in activation.heap.values()):
            flags |= MAKES | SHARED * (activation.uses > 1)
        return flags

    # ---- traces

    @cached_property
    def keepers(self) -> set[Activation]:
        """The traces that last as long as a module or an object, and read what may change."""
        lasting = self.machine.lasting()
        functions = {each.func for each in lasting}

        def lasts(trace: Trace) -> bool:
            body, holder = trace
            return holder in lasting if holder is not None else body.func in functions

        return {trace[0] for trace in self.machine.kept_traces if trace[0].effects.keys and lasts(trace)}

    @cached_property
    def setters(self) -> set[Activation]:
        """What users may call when they like that writes what a trace could read."""
        setters = self.machine.setters()
        return {each for each in setters if each.affected is not None and each.affected.written}


# ---- as a record


def packed(network: Network) -> list[Any]:
    """A network as JSON, with each code and each cell written once."""
    codes: dict[CodeRef, int] = {}
    cells: dict[Cell, int] = {}

    def code(ref: CodeRef) -> int:
        return codes.setdefault(ref, len(codes))

    def some(found: Iterable[Cell]) -> list[int]:
        return [cells.setdefault(cell, len(cells)) for cell in found]

    rows = [
        [
            code(node.code), node.flags, node.callees, node.apart, node.parent, node.home,
            some(node.reads), some(node.writes),
            [part for ref, number, looped in node.sites for part in (code(ref) * 2 + looped, number)],
            [[kind, -1 if ref is None else code(ref), is_all] for kind, ref, is_all in node.called],
            [code(ref) * 2 + traced for ref, traced in node.denied],
            node.mapped, node.call, node.outcome, node.asked,
        ]
        for node in network.nodes
    ]  # fmt: skip
    rest = [_plain(getattr(network, each.name)) for each in fields(network)[1:]]
    return [rows, [*codes], [*cells], rest]


def unpacked(record: Any) -> Network:
    """The network of a record.

    Raises:
        TypeError, ValueError, IndexError: It is not one.
    """
    rows, code_rows, cell_rows, rest = record
    codes: list[CodeRef] = [(path, index) for path, index in code_rows]
    cells: list[Cell] = [(kind, path, place, name) for kind, path, place, name in cell_rows]
    nodes = [
        Node(
            codes[code], flags, callees, apart, parent, home,
            [cells[number] for number in reads] if reads else (),
            [cells[number] for number in writes] if writes else (),
            [
                (codes[site // 2], number, bool(site % 2))
                for site, number in zip(sites[::2], sites[1::2], strict=True)
            ],
            [(kind, None if number < 0 else codes[number], is_all) for kind, number, is_all in called],
            [(codes[each // 2], bool(each % 2)) for each in denied],
            [(path, number) for path, number in mapped], call, outcome, asked,
        )
        for code, flags, callees, apart, parent, home, reads, writes, sites, called, denied, mapped, call,
            outcome, asked in rows
    ]  # fmt: skip
    network = Network(nodes, *rest)
    network.driven = [(path, index) for path, index in network.driven]
    network.static_reads = {(kind, path, place, name) for kind, path, place, name in network.static_reads}
    network.maps = {(path, number) for path, number in network.maps}
    network.methods = {(path, name) for path, name in network.methods}
    network.refilled = {(kind, path, place, name) for kind, path, place, name in network.refilled}
    network.hidden = {(path, index) for path, index in network.hidden}
    network.peeked = {(path, index) for path, index in network.peeked}
    network.watched = {*network.watched}
    network.granted = [((path, index), traced, names) for (path, index), traced, names in network.granted]
    network.denials = [
        (None if who is None else (who[0], who[1]), (code[0], code[1]), traced, names)
        for who, code, traced, names in network.denials
    ]
    return network


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, Set) else value
