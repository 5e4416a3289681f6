"""Follows a part of an island again after a change, and says whether that part was all there was to follow.

In: the plan, the machine of the island as it is now, the network of the last whole run. Out: the findings of
the functions that are affected; None where the run shows that the plan was too small. Nothing is assumed of
what is new: what it reads, writes and notes is held against the network.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from jaxlint.engine.calls import MAX_ACTIVATIONS, MAX_HIGHER
from jaxlint.engine.change import Change
from jaxlint.engine.frame import Activation
from jaxlint.engine.history import Others, Site
from jaxlint.engine.lower import Code
from jaxlint.engine.machine import Found, Machine
from jaxlint.engine.naming import CodeRef, Naming
from jaxlint.engine.network import (
    FREE,
    KEEPS,
    MAKES,
    SETS,
    SHARED,
    TRACED,
    UNNAMED,
    UNSETTLED,
    Called,
    Cell,
    Crowd,
    Network,
    Node,
    Survey,
    closure,
)
from jaxlint.engine.plan import Plan, is_plain


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
        self.followed = plan.run | plan.gone
        # nodes that are as they were, and of these the ones that nothing that is affected leads to
        self.kept = [node for number, node in enumerate(network.nodes) if number not in plan.gone]
        self.untouched = [node for number, node in enumerate(network.nodes) if number not in plan.below]

    def found(self) -> list[Found] | None:
        machine = self.machine
        machine.wanted = wanted = self._wanted()
        below = {self.network.nodes[number].code for number in self.plan.below}
        machine.makers = wanted | {code for ref in below if (code := self._code(ref)) is not None}
        machine.apart = self._apart()
        elsewhere = {called for node in self.untouched for called in node.called if called[2]}
        machine.elsewhere = {
            (kind, code) for kind, ref, _ in elsewhere if ref is not None and (code := self._code(ref))
        }
        staged = {node.code for node in self.kept if node.flags & TRACED}
        machine.traced_codes |= {id(code) for ref in staged if (code := self._code(ref))}
        machine.others = Others(self._other_sites(), frozenset(machine.traced_codes))
        naming = Naming(machine, self._old)
        grants = Grants(self.network, naming, self._code)
        machine.naming, machine.grants = naming, grants.answer
        machine.is_shared = self._is_shared(naming)
        findings = machine.run()
        survey = Survey(machine, naming, self.network.watched, grants.crowds)
        if not self._are_grants_known(survey, grants):
            return None
        trusted = self._trusted(survey)
        if not self._holds(survey, trusted, elsewhere):
            return None
        return [each for each in findings if each[2] in trusted or self._is_added(each)]

    def _is_added(self, found: Found) -> bool:
        """Whether what a module's body does with a function that is new is told."""
        event, _, activation = found
        change = self.changes.get(activation.module.path) if activation.func is None else None
        return change is not None and any(each.first <= event.nid < each.behind for each in change.added)

    def _apart(self) -> dict[Code, set[Code]]:
        """For each function that is not affected those of which it makes what is traced apart."""
        nodes = self.network.nodes
        found: dict[Code, set[Code]] = {}
        for node in nodes:
            code = self._code(node.code) if node.code not in self.plan.affected and node.code[1] else None
            if code is not None:
                codes = found.setdefault(code, set())
                codes.update(own for each in node.apart if (own := self._code(nodes[each].code)) is not None)
        return found

    def _is_shared(self, naming: Naming) -> Callable[[Activation], bool]:
        """Whether others, that are not affected, have called a function so before what is affected may."""
        nodes = self.network.nodes
        shared: dict[CodeRef | None, set[int]] = defaultdict(set)
        for number in self.plan.below:
            node = nodes[number]
            if node.flags & SHARED and node.call and (node.parent < 0 or node.parent not in self.plan.below):
                shared[node.code].add(node.call)

        def answer(activation: Activation) -> bool:
            assert activation.func is not None
            names = shared.get(self._old((activation.module.path, activation.func.code.index)))
            return names is not None and naming.call(activation) in names

        return answer

    def _other_sites(self) -> list[tuple[Code, tuple[str, int], Site]]:
        """The calls in activations that are not followed."""
        found = []
        for node in self.untouched:
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
        nodes = [survey.node(activation) for activation in trusted]
        return (
            self._is_common_alike(survey)
            and self._are_runs_alike(survey, trusted)
            and self._are_results_alike(survey, trusted)
            and all(map(self._stays_apart, nodes))
            and self._are_calls_alike(nodes, elsewhere)
            and self._are_shared_alike(nodes)
            and self._are_traces_kept(nodes)
            and self._are_traced_alike(nodes)
        )

    def _is_common_alike(self, survey: Survey) -> bool:
        """Whether what all code can see is what it was."""
        machine, network = self.machine, self.network
        refilled = {("variable", path, 0, name) for path, name in machine.refilled}
        unsettled = {node.code for node in network.nodes if node.flags & UNSETTLED}
        return (
            not machine.failures
            and refilled <= network.refilled
            and sorted(machine.getters) == network.getters
            and set(map(self._old, survey.driven())) == set(network.driven)
            and {self._old(survey.code(each)) for each in machine.unsettled} <= unsettled
        )

    def _stays_apart(self, node: Node) -> bool:
        """Whether a node reads only what is followed, and writes only what is read there."""
        network, plan = self.network, self.plan
        old = self._old(node.code)
        is_affected = old is None or old in plan.affected
        if node.flags & UNSETTLED or not is_plain(node, network, self.changes, is_affected):
            return False
        if is_affected or not node.flags & FREE:
            for cell in map(self._old_cell, network.written(node)):
                if not network.readers.get(cell, set()) <= plan.below:
                    return False
        cells = map(self._old_cell, node.reads)
        return all(network.writers.get(cell, set()) <= self.followed for cell in cells)

    def _are_calls_alike(self, nodes: Sequence[Node], elsewhere: set[Called]) -> bool:
        """Whether what transforms made is called as it was, and, where it counts, all functions are."""
        below = [self.network.nodes[number] for number in self.plan.below]
        called = {each for node in nodes for each in self._called(node, True)}
        if (called ^ {each for node in below for each in self._called(node, False)}) - elsewhere:
            return False
        sites = {
            (self._old(node.code), self._old(ref), looped) for node in nodes for ref, _, looped in node.sites
        }
        before = {(node.code, ref, looped) for node in below for ref, _, looped in node.sites}
        return not self.network.remakes or sites == before

    def _are_shared_alike(self, nodes: Sequence[Node]) -> bool:
        """Whether objects that functions make stand for several calls, or for one, as they did."""
        shared: dict[tuple[CodeRef, int], set[bool]] = defaultdict(set)
        for node in self.network.nodes:
            if node.flags & MAKES:
                shared[node.code, node.call].add(bool(node.flags & SHARED))
        for node in nodes:
            old = self._old(node.code)
            if node.flags & MAKES and old is not None and old not in self.plan.affected:
                before = shared.get((old, node.call), set())
                if (before or not node.call) and bool(node.flags & SHARED) not in before:
                    return False
        return True

    def _are_traces_kept(self, nodes: Sequence[Node]) -> bool:
        """Whether no trace that lasts meets a write of what it read, where one of the two is followed."""
        own = [*nodes, *(self.network.nodes[number] for number in self.plan.below)]
        everything = [*nodes, *self.network.nodes]
        keeps, sets = (any(node.flags & flag for node in own) for flag in (KEEPS, SETS))
        return not (
            (keeps and any(node.flags & SETS for node in everything))
            or (sets and any(node.flags & KEEPS for node in everything))
        )

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
        needed = {nodes[number].code for number in plan.run}
        known: dict[tuple[CodeRef, int], set[object]] = defaultdict(set)
        for node in nodes:
            if node.code in needed:
                asked = frozenset(nodes[each].run for each in node.callees if each not in node.apart)
                known[node.code, node.call].add((asked, frozenset(node.denied)))
                known[node.code, 0].add((asked, frozenset(node.denied)))
        apart: dict[CodeRef | None, set[CodeRef | None]] = defaultdict(set)
        for node in nodes:
            apart[node.code].update(nodes[each].code for each in node.apart)
        for activation in survey.order:
            old = self._old(survey.code(activation))
            if old is None or old in plan.affected:
                continue
            calls = [each for each in activation.callees if each not in activation.apart]
            called = frozenset(self._run(survey, each) for each in calls)
            denied = frozenset((self._old(survey.ref(code)), traced) for code, traced, _ in activation.denied)
            if not {self._old(survey.code(each)) for each in activation.apart} <= apart[old]:
                return False
            if activation.func is not None and old in needed:
                call = survey.naming.call(activation) or 0
                if (called, denied) not in (known.get((old, call)) or known[old, 0]):
                    return False
        runs = [self._run(survey, activation) for activation in trusted]
        return self._are_as_many(Counter([(code, traced) for code, traced in runs if code is not None]))

    def _are_grants_known(self, survey: Survey, grants: Grants) -> bool:
        """Whether all that counts was asked for in the whole run."""
        needed = {self.network.nodes[number].code for number in self.plan.run} | self.plan.affected
        for activation in survey.order:
            if any((activation, denied) in grants.unknown for denied in activation.denied):
                old = self._old(survey.code(activation))
                if old is None or old in needed:
                    return False
        return True

    def _are_results_alike(self, survey: Survey, trusted: set[Activation]) -> bool:
        """Whether callers that are not affected see no difference, and whether what is affected asks for the
        same runs of those functions of which not everybody gets one."""
        plan, nodes = self.plan, self.network.nodes
        of_affected = [
            survey.node(activation)._replace(outcome=survey.outcome(activation))
            for activation in trusted
            if (old := self._old(survey.code(activation))) is None or old in plan.affected
        ]
        asked = {(self._old(node.code), node.call, node.asked) for node in of_affected if node.asked}
        before = {
            (node.code, node.call, node.asked)
            for number in plan.gone
            if (node := nodes[number]).asked and node.code in plan.affected
        }
        if asked != before or any(node.asked == UNNAMED for node in of_affected):
            return False
        results = Counter((self._old(node.code), node.call, node.outcome) for node in of_affected)
        kept = Counter((node.code, node.call, node.outcome) for node in map(nodes.__getitem__, plan.kept))
        return kept <= results

    def _run(self, survey: Survey, activation: Activation) -> tuple[CodeRef | None, bool]:
        return self._old(survey.code(activation)), activation.context.depth > 0

    def _are_as_many(self, now: Mapping[Crowd, int]) -> bool:
        """Whether there are no more runs of a function than there were, or fewer than there may be."""
        nodes, plan = self.network.nodes, self.plan
        before = Counter(node.run for node in nodes)
        below = Counter(nodes[number].run for number in plan.below)
        for run, count in now.items():
            total = before[run] - below[run] + count
            if total > before[run] and total >= (MAX_ACTIVATIONS if run[1] else MAX_HIGHER):
                return False
        return True

    def _are_traced_alike(self, nodes: Sequence[Node]) -> bool:
        """Whether nothing depends on which functions are traced of those that are, or no longer are."""
        network = self.network
        before = {node.code for node in network.nodes if node.flags & TRACED}
        now = {node.code for node in self.kept if node.flags & TRACED}
        now.update(old for node in nodes if node.flags & TRACED and (old := self._old(node.code)))
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


class Grants:
    """Who gets a run of a function of which there are not all runs that are asked for: in a run of a part who
    got it in the whole run. unknown: what has been asked for, and by whom, that was not then."""

    def __init__(self, network: Network, naming: Naming, code_of: Callable[[CodeRef], Code | None]) -> None:
        self.naming = naming
        self.unknown: set[tuple[Activation, tuple[Code, bool, int | None]]] = set()
        self.granted: dict[tuple[Code, bool], set[int]] = {}
        self.denied: dict[tuple[Code | None, Code, bool], set[int]] = {}
        for ref, traced, names in network.granted:
            if (code := code_of(ref)) is not None:
                self.granted[code, traced] = set(names)
        for who, ref, traced, names in network.denials:
            asking = None if who is None else code_of(who)
            code = code_of(ref)
            if code is not None and (who is None or asking is not None):
                self.denied[asking, code, traced] = set(names)
        self.crowds = frozenset(self.granted)

    def answer(self, asking: Activation, code: Code, traced: bool, key: Hashable) -> bool | None:
        granted = self.granted.get((code, traced))
        if granted is None:
            return None
        who = None if asking.func is None else asking.func.code
        name = self.naming.asked(key)
        is_granted, is_denied = name in granted, name in self.denied.get((who, code, traced), ())
        if is_granted == is_denied:
            self.unknown.add((asking, (code, traced, name)))
        return is_granted and not is_denied
