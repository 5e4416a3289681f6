"""What of an island must be followed again after a change, and what of it still holds.

In: the network of the last whole run, and what has changed in files since. Out: a `Plan`, or None where all
must be followed: where a module's body is affected, where which runs there are depends on who asks first, and
where what is judged at the end of a run takes part. It refuses to know how anything is followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from jaxlint.engine.change import Change
from jaxlint.engine.network import (
    ALTERS,
    BODY,
    CHANGES,
    CROWDED,
    FREE,
    JUDGED,
    MAPS,
    TRACED,
    Cell,
    CodeRef,
    Network,
)

_MOST = 0.6  # of all nodes: beyond, a whole run takes hardly longer


@dataclass(frozen=True, slots=True)
class Plan:
    """What is followed again: nodes by number, code as it was named before.

    affected: code of which no run is as it was. gone: these runs, and what only they lead to. below: all that
    they lead to. run: all that is followed, bodies of modules too. wanted: the functions that it starts from.
    """

    affected: frozenset[CodeRef]
    gone: frozenset[int]
    below: frozenset[int]
    run: frozenset[int]
    wanted: frozenset[CodeRef]


def plan(network: Network, changes: Mapping[str, Change]) -> Plan | None:
    return _Planning(network, changes).plan()


class _Planning:
    def __init__(self, network: Network, changes: Mapping[str, Change]) -> None:
        self.network = network
        self.nodes = network.nodes
        self.changes = changes
        self.of_code: dict[CodeRef, list[int]] = defaultdict(list)
        self.callers: dict[int, list[int]] = defaultdict(list)
        self.made: dict[int, list[int]] = defaultdict(list)
        self.readers: dict[Cell, list[int]] = defaultdict(list)
        self.writers: dict[Cell, list[int]] = defaultdict(list)
        for number, node in enumerate(self.nodes):
            self.of_code[node.code].append(number)
            apart = set(node.apart)
            for callee in node.callees:
                if callee not in apart:
                    self.callers[callee].append(number)
            if node.home >= 0:
                self.made[node.home].append(number)
            for cell in node.reads:
                self.readers[cell].append(number)
            for cell in node.writes:
                self.writers[cell].append(number)
        self.crowds = set(network.crowds)
        self.wanted: set[CodeRef] = set()
        self.run: set[int] = set()

    def plan(self) -> Plan | None:
        affected = self._affected()
        if affected is None:
            return None
        below = self._down(affected)
        if not all(map(self._is_plain, below)):
            return None
        codes = frozenset(self.nodes[number].code for number in affected)
        if affected:
            self._follow(affected)
        refilled = set(self.network.refilled)
        if refilled and not all(refilled.isdisjoint(self.nodes[each].reads) for each in self.run | below):
            return None
        if len(self.run) > _MOST * len(self.nodes):
            return None
        gone = self._exclusive(affected)
        return Plan(codes, frozenset(gone), frozenset(below), frozenset(self.run), frozenset(self.wanted))

    # ---- what is affected

    def _is_changed(self, code: CodeRef) -> bool:
        change = self.changes.get(code[0])
        return change is not None and code[1] not in change.same

    def _affected(self) -> set[int] | None:
        """All runs of functions that differ, that lead to such, or that read what such have written."""
        affected: set[int] = set()
        new = [number for number, node in enumerate(self.nodes) if self._is_changed(node.code)]
        seen_cells: set[Cell] = set()
        while new:
            while new:
                number = new.pop()
                if number in affected:
                    continue
                if self.nodes[number].flags & BODY:
                    return None
                affected.add(number)
                new += self.of_code[self.nodes[number].code]
                new += self.callers[number]
                new += self.made[number]
            for number in self._exclusive(affected):
                for cell in self.nodes[number].writes:
                    if cell not in seen_cells:
                        seen_cells.add(cell)
                        new += self.readers[cell]
        return affected

    def _exclusive(self, affected: set[int]) -> set[int]:
        """The nodes that nothing leads to but these."""
        starts = [
            number
            for number, node in enumerate(self.nodes)
            if number not in affected and (node.parent < 0 or node.flags & (FREE | BODY))
        ]
        return self._down(affected) - self._down(starts)

    def _down(self, starts: Iterable[int]) -> set[int]:
        return closure(starts, lambda number: self.nodes[number].callees)

    def _is_plain(self, number: int) -> bool:
        """Whether nothing about a node depends on more than what it calls and reads."""
        node, network = self.nodes[number], self.network
        if node.flags & (JUDGED | CROWDED | ALTERS):
            return False
        if (node.flags & CHANGES and network.static_reads) or (node.flags & MAPS and network.maps):
            return False
        if network.methods and any(cell[0] == "object" for cell in node.writes):
            return False
        return not any(
            (self.nodes[callee].code, bool(self.nodes[callee].flags & TRACED)) in self.crowds
            for callee in node.callees
        )

    # ---- what is followed

    def _follow(self, affected: set[int]) -> None:
        """Adds all that must be followed for these to be what they would be in a whole run."""
        bodies = [number for number, node in enumerate(self.nodes) if node.flags & BODY]
        self.run |= closure(bodies, self._calls)
        for number in affected:
            if self.nodes[number].flags & FREE or not self.callers[number]:
                self._need(number)
        for number, node in enumerate(self.nodes):
            if node.flags & ALTERS:
                self._need(number)
        left = list(self.run)
        asked: set[Cell] = set()
        while left:
            before = set(self.run)
            for number in left:
                for cell in self.nodes[number].reads:
                    if cell not in asked:
                        asked.add(cell)
                        for writer in self.writers[cell]:
                            if writer not in self.run:
                                self._need(writer)
            left = list(self.run - before)

    def _calls(self, number: int) -> Iterable[int]:
        """What a node calls itself."""
        node = self.nodes[number]
        return set(node.callees).difference(node.apart) if node.apart else node.callees

    def _need(self, number: int) -> None:
        """Has a node followed: from the function itself, or from what led to it first."""
        while number >= 0 and number not in self.run:
            node = self.nodes[number]
            parent = node.parent
            is_start = node.flags & FREE or parent < 0 or number in self.nodes[parent].apart
            if is_start:
                self.wanted.add(node.code)
                self.run |= closure([number], self._calls)
                if node.home >= 0:
                    self._need(node.home)
                if not node.flags & FREE and parent >= 0:
                    self._need(parent)
                return
            number = parent


def closure(starts: Iterable[int], near: Callable[[int], Iterable[int]]) -> set[int]:
    """All numbers that are reached from these."""
    found = set(starts)
    stack = list(found)
    while stack:
        for number in near(stack.pop()):
            if number not in found:
                found.add(number)
                stack.append(number)
    return found
