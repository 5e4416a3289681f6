"""What of an island must be followed again after a change, and what of it still holds.

In: the network of the last whole run, and what has changed in files since. Out: a `Plan`, or None where all
must be followed: where a module's body is affected, where which runs there are depends on who asks first, and
where what is judged at the end of a run takes part. It refuses to know how anything is followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from jaxlint.engine.change import Change
from jaxlint.engine.network import (
    ALTERS,
    BODY,
    FREE,
    JUDGED,
    UNSETTLED,
    Cell,
    CodeRef,
    Crowd,
    Network,
    Node,
)

_MOST = 0.3  # of all nodes: a run that turns out to be too small is lost
_FEW = 200


@dataclass(frozen=True, slots=True)
class Plan:
    """What is followed again: nodes by number, code as it was named before.

    affected: code of which no run is as it was. gone: these runs, and what only they lead to. below: all that
    they lead to. run: all that these rest on, bodies of modules too. wanted: the functions that this starts
    from. crowds: functions, traced or not, of which not all runs are made that these ask for.
    """

    affected: frozenset[CodeRef]
    gone: frozenset[int]
    below: frozenset[int]
    run: frozenset[int]
    wanted: frozenset[CodeRef]
    crowds: frozenset[Crowd]


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
        for number, node in enumerate(self.nodes):
            self.of_code[node.code].append(number)
            apart = set(node.apart)
            for callee in node.callees:
                if callee not in apart:
                    self.callers[callee].append(number)
            if node.home >= 0:
                self.made[node.home].append(number)
        self.crowds: dict[Crowd, list[int]] = {crowd: [] for node in self.nodes for crowd in node.denied}
        for number, node in enumerate(self.nodes):
            runs = self.crowds.get(node.run)
            if runs is not None:
                runs.append(number)
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
        crowds: set[Crowd] = set()
        for number in below:
            asked = self._asked(number) if number in gone else self.nodes[number].denied
            if not all(self._is_full(crowd, number, affected) for crowd in asked):
                return None
            crowds.update(asked)
        self.affected, self.gone = affected, gone
        if affected:
            self._follow(crowds)
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
            frozenset(crowds),
        )

    def _is_full(self, crowd: Crowd, before: int, affected: set[int]) -> bool:
        """Whether all the runs that there may be of a function were made before a node, and by others than
        what is affected."""
        for number in self.crowds[crowd]:
            if number >= before:
                return False
            while number >= 0:
                if number in affected:
                    return False
                number = self.nodes[number].parent
        return True

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
                for cell in self.network.written(self.nodes[number]):
                    if cell not in seen_cells:
                        seen_cells.add(cell)
                        new += self.network.readers.get(cell, ())
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

    def _is_plain(self, number: int, is_gone: bool) -> bool:
        """Whether nothing about a node depends on more than what it calls and reads."""
        return is_plain(self.nodes[number], self.network, self.changes, is_gone)

    def _asked(self, number: int) -> set[Crowd]:
        """The functions that a node asks for, of which not all runs are made that are asked for."""
        node = self.nodes[number]
        asked = [self.nodes[callee].run for callee in node.callees]
        return {crowd for crowd in (*asked, *node.denied) if crowd in self.crowds}

    # ---- what is followed

    def _follow(self, crowds: set[Crowd]) -> None:
        """Adds all that must be followed for these to be what they would be in a whole run. `crowds`: what
        they ask for, and others ask for first."""
        starts = [number for number, node in enumerate(self.nodes) if node.flags & BODY]
        self.bodies = closure(starts, self._calls)
        self.run |= self.bodies
        for number in self.affected:
            if self.nodes[number].flags & FREE or not self.callers[number]:
                self._start(number)
        asked: set[Cell | Crowd] = set(crowds)
        for crowd in crowds:
            for number in self.crowds[crowd]:
                self._need_first(number)
        left = set(self.run)
        while left:
            before = set(self.run)
            for number in left:
                for cell in self.nodes[number].reads:
                    if cell not in asked:
                        asked.add(cell)
                        for writer in self.network.writers.get(cell, ()):
                            if cell in self.network.refilled:
                                self._need_first(writer)
                            else:
                                self._need(writer)
                for crowd in self.nodes[number].denied if number not in self.bodies else ():
                    if crowd not in asked:
                        asked.add(crowd)
                        for each in self.crowds[crowd]:
                            self._need_first(each)
            left = self.run - before
        self.exact = frozenset(self.run)
        for number, node in enumerate(self.nodes):
            if node.flags & ALTERS:
                self._need(number)

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

    def _need(self, number: int) -> None:
        """Has a node followed, if it is still there: from the function itself, or from what leads to it."""
        if number in self.run or number in self.gone:
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


def is_plain(node: Node, network: Network, changes: Container[str], is_new: bool) -> bool:
    """Whether nothing about a node depends on more than what it calls and reads. `is_new`: whether its run is
    another one after the change."""
    if node.flags & JUDGED or (is_new and node.flags & ALTERS):
        return False
    if network.maps and any(place in network.maps or place[0] in changes for place in node.mapped):
        return False
    written = [cell for cell in node.writes if cell[0] == "object"]
    return not any(cell in network.static_reads or cell[1:3] in network.methods for cell in written)
