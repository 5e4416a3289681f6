"""What of an island must be followed again after a change, and what of it still holds.

In: the network of the last whole run, and what has changed in files since. Out: a `Plan`, or None where all
must be followed: where a module's body is affected, where which runs there are depends on who asks first, and
where what is judged at the end of a run takes part. It refuses to know how anything is followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from jaxlint.engine.change import Change
from jaxlint.engine.naming import CodeRef
from jaxlint.engine.network import (
    ALTERS,
    BODY,
    EARLY,
    FREE,
    JUDGED,
    UNNAMED,
    UNSETTLED,
    Cell,
    Network,
    Node,
    closure,
)

_MOST = 0.5  # of all nodes: a run that turns out to be too small is lost
_FEW = 200


@dataclass(frozen=True, slots=True)
class Plan:
    """What is followed again: nodes by number, code as it was named before.

    affected: code of which no run is as it was. gone: these runs, and what only they lead to. below: all that
    they lead to. run: all that these rest on, bodies of modules too. wanted: the functions that this starts
    from. kept: runs that are affected, though what leads to them is not if its callers see no difference.
    """

    affected: frozenset[CodeRef]
    gone: frozenset[int]
    below: frozenset[int]
    run: frozenset[int]
    wanted: frozenset[CodeRef]
    kept: frozenset[int]


def plans(network: Network, changes: Mapping[str, Change]) -> Iterator[Plan]:
    """What may do: first, where the callers of what differs see no difference, then where they do."""
    for is_cut in (True, False):
        found = _Planning(network, changes, is_cut).plan()
        if found is not None:
            yield found
        if found is not None and not found.kept:
            return


class _Planning:
    def __init__(self, network: Network, changes: Mapping[str, Change], is_cut: bool) -> None:
        self.is_cut = is_cut  # callers of what is affected are not, if they see no difference
        self.network = network
        self.nodes = network.nodes
        self.changes = changes
        self.of_code: dict[CodeRef, list[int]] = defaultdict(list)
        self.callers: dict[int, list[int]] = defaultdict(list)
        self.made: dict[int, list[int]] = defaultdict(list)
        for number, node in enumerate(self.nodes):
            self.of_code[node.code].append(number)
            apart = set(node.apart)
            for callee in node.callees:
                if callee not in apart:
                    self.callers[callee].append(number)
            if node.home >= 0:
                self.made[node.home].append(number)
        self.wanted: set[CodeRef] = set()
        self.bodies: set[int] = set()
        self.exact: frozenset[int] = frozenset()
        self.affected: set[int] = set()
        self.gone: set[int] = set()
        self.is_lost = False  # whether only what is affected is known to lead to what is needed
        self.run: set[int] = set()

    def plan(self) -> Plan | None:
        affected = self._affected()
        if affected is None or any(map(self._is_changed, self.network.peeked)):
            return None
        below = self._down(affected)
        gone = self._exclusive(affected)
        if not all(self._is_plain(number, number in gone) for number in below):
            return None
        if self.is_cut and self._is_judged(gone):
            return None
        kept = {number for number in affected if not affected.issuperset(self.callers[number])}
        if any(not self.nodes[number].call or not self.nodes[number].outcome for number in kept):
            return None
        if any(self.nodes[number].asked == UNNAMED for number in affected):
            return None
        self.affected, self.gone = affected, gone
        if affected or any(change.added for change in self.changes.values()):
            self._follow(kept, below)
        if self.is_lost or any(self.nodes[each].flags & UNSETTLED for each in self.exact - self.bodies):
            return None
        if len(self.run - self.bodies) > max(_MOST * len(self.nodes), _FEW):
            return None
        return Plan(
            frozenset(self.nodes[number].code for number in affected),
            frozenset(gone),
            frozenset(below),
            self.exact,
            frozenset(self.wanted),
            frozenset(kept),
        )

    def _is_judged(self, gone: set[int]) -> bool:
        """Whether others may have noted something of what is told of these: what is made anew is told where
        it is made, for the calls of those who get it."""
        return self.network.remakes and any(not gone.isdisjoint(group) for group in self.network.by)

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
                new += () if self.is_cut else self.callers[number]
                new += self.made[number]
            for number in self._exclusive(affected):
                for cell in self.network.written(self.nodes[number]):
                    if cell not in seen_cells:
                        seen_cells.add(cell)
                        new += self.network.readers.get(cell, ())
        return affected

    def _exclusive(self, affected: set[int]) -> set[int]:
        """These nodes, and those that nothing leads to but these."""
        starts = [
            number
            for number, node in enumerate(self.nodes)
            if number not in affected and (node.parent < 0 or node.flags & (FREE | BODY))
        ]
        others = closure(starts, lambda each: () if each in affected else self.nodes[each].callees)
        return self._down(affected) - others.difference(affected)

    def _down(self, starts: Iterable[int]) -> set[int]:
        return closure(starts, lambda number: self.nodes[number].callees)

    def _is_plain(self, number: int, is_gone: bool) -> bool:
        """Whether nothing about a node depends on more than what it calls and reads."""
        return is_plain(self.nodes[number], self.network, self.changes, is_gone)

    # ---- what is followed

    def _follow(self, kept: set[int], below: set[int]) -> None:
        """Adds all that must be followed for what is affected to be what it would be in a whole run."""
        starts = [number for number, node in enumerate(self.nodes) if node.flags & BODY]
        self.bodies = closure(starts, self._calls)
        self.run |= self.bodies
        for number in self.affected:
            if self.nodes[number].flags & FREE or not self.callers[number]:
                self._start(number)
            elif number in kept:
                self._need_again(number)
        asked: set[Cell] = set()
        left = self.run | below  # what is affected may well go on reading what it has read
        while left:
            before = set(self.run)
            for number in left:
                node = self.nodes[number]
                for cell in node.reads if not node.flags & EARLY else ():
                    if cell not in asked:
                        asked.add(cell)
                        for writer in self.network.writers.get(cell, ()):
                            if cell in self.network.refilled:
                                self._need_first(writer)
                            else:
                                self._need(writer)
            left = self.run - before
        self.exact = frozenset(self.run)
        for number, node in enumerate(self.nodes):
            if node.flags & ALTERS:
                self._need(number)

    def _need_again(self, number: int) -> None:
        """Has what is affected followed from where it was followed first, or from what is not affected."""
        first = number
        while (parent := self.nodes[first].parent) >= 0 and first not in self.nodes[parent].apart:
            first = parent
            if first in self.affected:
                self._need(number, again=True)
                return
        if not self.nodes[first].flags & BODY:
            self._start(first)

    def _need_first(self, number: int) -> None:
        """Has a node followed from where it was followed first."""
        while self.nodes[number].parent >= 0:
            self.is_lost = self.is_lost or number in self.affected
            number = self.nodes[number].parent
        if not self.nodes[number].flags & BODY:
            self._start(number)

    def _calls(self, number: int) -> Iterable[int]:
        """What a node calls itself; what is affected may call other things now."""
        node = self.nodes[number]
        if number in self.affected:
            return ()
        return set(node.callees).difference(node.apart) if node.apart else node.callees

    def _need(self, number: int, again: bool = False) -> None:
        """Has a node followed, if it is still there: from the function itself, or from what leads to it."""
        if not again and (number in self.run or number in self.gone):
            return
        seen = {number}
        stack = [number]
        while stack:
            number = stack.pop()
            node = self.nodes[number]
            if node.flags & FREE or node.parent < 0 or number in self.nodes[node.parent].apart:
                self._start(number)
                return
            callers = [
                each for each in self.callers[number] if each not in self.affected and each not in seen
            ]
            seen.update(callers)
            stack += reversed(callers)
        self.is_lost = True

    def _start(self, number: int) -> None:
        """Has a node followed that nothing needs to lead to, and what makes its function."""
        node = self.nodes[number]
        self.wanted.add(node.code)
        self.run |= closure([number], self._calls)
        if node.home >= 0:
            self._need(node.home)
        if not node.flags & FREE and node.parent >= 0:
            self._need(node.parent)


def is_plain(node: Node, network: Network, changes: Container[str], is_new: bool) -> bool:
    """Whether nothing about a node depends on more than what it calls and reads. `is_new`: whether its run is
    another one after the change."""
    if node.flags & JUDGED or (is_new and node.flags & ALTERS):
        return False
    if network.maps and any(place in network.maps or place[0] in changes for place in node.mapped):
        return False
    written = [cell for cell in node.writes if cell[0] == "object"]
    return not any(cell in network.static_reads or cell[1:3] in network.methods for cell in written)
