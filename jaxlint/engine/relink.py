"""Follows a part of an island again after a change, and says whether that part was all there was to follow.

In: the plan, the machine of the island as it is now, the network of the last whole run. Out: the findings of
the functions that are affected; None where the run shows that the plan was too small. Nothing is assumed of
what is new: what it reads, writes and notes is held against the network.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from jaxlint.engine.calls import MAX_ACTIVATIONS, MAX_HIGHER
from jaxlint.engine.change import Change
from jaxlint.engine.frame import Activation
from jaxlint.engine.history import Others, Site
from jaxlint.engine.lower import Code
from jaxlint.engine.machine import Found, Machine
from jaxlint.engine.network import (
    FREE,
    MAKES,
    SHARED,
    TRACED,
    UNSETTLED,
    Called,
    Cell,
    CodeRef,
    Crowd,
    Network,
    Node,
    Survey,
)
from jaxlint.engine.plan import Plan, closure, is_plain


class Relink:
    """A run of a part of an island."""

    def __init__(self, network: Network, plan: Plan, changes: Mapping[str, Change], machine: Machine) -> None:
        self.network = network
        self.plan = plan
        self.machine = machine
        self.now: dict[CodeRef, CodeRef] = {}  # code before -> code now, where a file has changed
        self.before: dict[CodeRef, CodeRef] = {}
        for path, change in changes.items():
            for old, new in (*change.same.items(), *change.differs.items()):
                self.now[path, old] = (path, new)
                self.before[path, new] = (path, old)
        self.changes = changes
        self.kept = [
            node for number, node in enumerate(network.nodes) if number not in plan.gone
        ]  # nodes that are as they were

    def found(self) -> list[Found] | None:
        machine = self.machine
        machine.wanted = wanted = self._wanted()
        below = {self.network.nodes[number].code for number in self.plan.below}
        machine.makers = wanted | {code for ref in below if (code := self._code(ref)) is not None}
        elsewhere = {called for node in self._untouched() for called in node.called if called[2]}
        machine.elsewhere = {
            (kind, code) for kind, ref, _ in elsewhere if ref is not None and (code := self._code(ref))
        }
        staged = {node.code for node in self.kept if node.flags & TRACED}
        machine.traced_codes |= {id(code) for ref in staged if (code := self._code(ref))}
        machine.others = Others(self._other_sites(), frozenset(machine.traced_codes))
        findings = machine.run()
        survey = Survey(machine)
        trusted = self._trusted(survey)
        if not self._holds(survey, trusted, elsewhere):
            return None
        return [each for each in findings if each[2] in trusted]

    def _other_sites(self) -> list[tuple[Code, tuple[str, int], Site]]:
        """The calls in activations that are not followed."""
        found = []
        for node in self._untouched():
            path, index = node.code
            caller = self._code(node.code)
            shift = self.changes[path].shifts.get(index, 0) if path in self.changes else 0
            for ref, number, looped in node.sites if caller is not None and index else ():
                code = self._code(ref)
                if code is not None:
                    found.append((code, (path, number + shift), Site(caller, looped)))
        return found

    # ---- code before and now

    def _code(self, ref: CodeRef) -> Code | None:
        path, index = self.now.get(ref, ref)
        if path in self.changes and ref not in self.now:
            return None
        module = self.machine.world.by_path.get(path)
        return None if module is None else module.program.codes[index]

    def _old(self, ref: CodeRef) -> CodeRef | None:
        """The code that was there before in the place of this one; None where it is new."""
        return self.before.get(ref) if ref[0] in self.changes else ref

    def _wanted(self) -> set[Code]:
        found = {code for ref in self.plan.wanted if (code := self._code(ref)) is not None}
        for path in self.changes:
            module = self.machine.world.by_path[path]
            found.update(code for code in module.program.codes[1:] if (path, code.index) not in self.before)
        return found

    def _untouched(self) -> list[Node]:
        nodes = self.network.nodes
        return [node for number, node in enumerate(nodes) if number not in self.plan.below]

    # ---- what can be trusted

    def _trusted(self, survey: Survey) -> set[Activation]:
        """The runs of what is affected, and all that they lead to."""
        starts = []
        for number, activation in enumerate(survey.order):
            if activation.func is not None:
                old = self._old(survey.code(activation))
                if old is None or old in self.plan.affected:
                    starts.append(number)
        numbers = survey.numbers
        callees = [[numbers[each] for each in one.callees if each in numbers] for one in survey.order]
        return {survey.order[number] for number in closure(starts, callees.__getitem__)}

    def _holds(self, survey: Survey, trusted: set[Activation], elsewhere: set[Called]) -> bool:
        """Whether what is followed touches nothing of what is not."""
        machine, network, plan = self.machine, self.network, self.plan
        if not {("variable", path, 0, name) for path, name in machine.refilled} <= network.refilled:
            return False
        if machine.failures or sorted(machine.getters) != network.getters:
            return False
        unsettled = {node.code for node in network.nodes if node.flags & UNSETTLED}
        if any(self._old(survey.code(each)) not in unsettled for each in machine.unsettled):
            return False
        driven = {self._old((survey.paths[each], survey.index(each))) for each in machine.driven}
        if driven != set(network.driven):
            return False
        if not self._are_runs_alike(survey, trusted):
            return False
        readers: dict[Cell, set[int]] = defaultdict(set)
        writers: dict[Cell, set[int]] = defaultdict(set)
        shared: dict[CodeRef, set[bool]] = defaultdict(set)
        for number, node in enumerate(network.nodes):
            for cell in node.reads:
                readers[cell].add(number)
            for cell in network.written(node):
                writers[cell].add(number)
            if node.flags & MAKES:
                shared[node.code].add(bool(node.flags & SHARED))
        called: set[Called] = set()
        sites: set[tuple[CodeRef | None, CodeRef | None, bool]] = set()
        now_shared: dict[CodeRef, set[bool]] = defaultdict(set)
        traced: set[CodeRef] = set()
        for activation in trusted:
            node = survey.node(activation)
            old = self._old(node.code)
            is_affected = old is None or old in plan.affected
            if node.flags & UNSETTLED or not is_plain(node, network, self.changes, is_affected):
                return False
            sites.update((old, self._old(ref), looped) for ref, _, looped in node.sites)
            called.update(self._called(node, True))
            for cell in map(self._old_cell, network.written(node)):
                if not readers[cell] <= plan.below and (is_affected or not node.flags & FREE):
                    return False
            for cell in map(self._old_cell, node.reads):
                if not writers[cell] <= plan.run | plan.gone:
                    return False
            if node.flags & MAKES and old is not None and not is_affected:
                now_shared[old].add(bool(node.flags & SHARED))
            if old is not None and node.flags & TRACED:
                traced.add(old)
        if network.remakes and sites != self._sites():
            return False
        if any(before != shared[code] for code, before in now_shared.items()):
            return False
        below = [network.nodes[number] for number in plan.below]
        if (called ^ {each for node in below for each in self._called(node, False)}) - elsewhere:
            return False
        if network.keeps and (network.sets or survey.sets(trusted)):
            return False
        if network.sets and survey.keeps(trusted):
            return False
        return self._are_traced_alike(traced)

    def _called(self, node: Node, is_new: bool) -> Iterable[Called]:
        """What a node calls of what transforms made, but for what only affected code can make."""
        for kind, ref, is_all in node.called:
            if ref is None:
                yield kind, None, is_all
                continue
            old = self._old(ref) if is_new else ref
            if old is not None and (old[0] not in self.changes or old in self.now):
                yield kind, old, is_all

    def _are_runs_alike(self, survey: Survey, trusted: set[Activation]) -> bool:
        """Whether others, too, get the runs that they got before: none is asked for in vain that was not, and
        there are no more of what there may be so many of."""
        nodes, plan = self.network.nodes, self.plan
        before, gone, shared = Counter[Crowd](), Counter[Crowd](), Counter[Crowd]()
        for number, node in enumerate(nodes):
            run = (node.code, bool(node.flags & TRACED))
            before[run] += 1
            gone[run] += number in plan.gone
            shared[run] += number in plan.below and number not in plan.gone
        crowds = {crowd for node in nodes for crowd in node.denied}
        known: dict[CodeRef, set[object]] = defaultdict(set)
        apart: dict[CodeRef, set[CodeRef | None]] = defaultdict(set)
        for node in (nodes[number] for number in plan.run):
            called = [nodes[each] for each in node.callees if each not in node.apart]
            asked = frozenset((each.code, bool(each.flags & TRACED)) for each in called)
            known[node.code].add((asked, frozenset(node.denied)))
        for node in nodes:
            apart[node.code].update(nodes[each].code for each in node.apart)
        now = Counter[Crowd]()
        for activation in survey.order:
            old = self._old(survey.code(activation))
            calls = [each for each in activation.callees if each not in activation.apart]
            callees = {(self._old(survey.code(each)), each.context.depth > 0) for each in calls}
            denied = {
                (self._old((survey.paths[id(code)], code.index)), traced)
                for code, traced in activation.denied
            }
            if activation in trusted and old is not None:
                now[old, activation.context.depth > 0] += 1
            if old is None or old in plan.affected:
                if not denied <= crowds or not (callees | denied) & crowds <= plan.crowds:
                    return False
            elif not {self._old(survey.code(each)) for each in activation.apart} <= apart[old]:
                return False
            elif activation.func is not None and old in known:
                if (frozenset(callees), frozenset(denied)) not in known[old]:
                    return False
        for run, count in now.items():
            total = before[run] - gone[run] + count - shared[run]
            most = MAX_ACTIVATIONS if run[1] else MAX_HIGHER
            if total > before[run] and total >= most:
                return False
        return True

    def _sites(self) -> set[tuple[CodeRef | None, CodeRef | None, bool]]:
        """Which functions called which before, and whether in loops."""
        nodes = [self.network.nodes[number] for number in self.plan.below]
        return {(node.code, ref, looped) for node in nodes for ref, _, looped in node.sites}

    def _are_traced_alike(self, traced: set[CodeRef]) -> bool:
        """Whether nothing depends on which functions are traced of those that are, or no longer are."""
        network = self.network
        before = {node.code for node in network.nodes if node.flags & TRACED}
        now = {node.code for node in self.kept if node.flags & TRACED} | traced
        if before == now:
            return True
        if network.remakes or network.maps or network.static_reads or (before - now) & network.hidden:
            return False
        told = {
            network.nodes[number].code
            for group in network.by
            for number in group
            if number not in self.plan.gone
        }
        return told.isdisjoint(now - before)

    def _old_cell(self, cell: Cell) -> Cell:
        kind, path, index, name = cell
        if type(index) is not int or path not in self.changes:
            return cell
        return (kind, path, self.before.get((path, index), (path, -1))[1], name)
