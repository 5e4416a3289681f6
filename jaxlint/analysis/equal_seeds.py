"""Keys that are equal as they are made of one seed: `jax.random.key(0)` twice.

In: where keys are made, with their seeds, and which keys samplers draw from. Out: of a draw those before it
by another key of the same seed, where one computation has both, and their numbers depend on each other.
Nothing is said of what functions of the program draw, of two turns of a loop, and of draws that are only
compared, shown, or kept beside each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from jaxlint.analysis.consumption import Consumption, Place, spent_in
from jaxlint.analysis.draws.flows import ARRAYS, Flows, flows_of
from jaxlint.analysis.draws.intended import is_compared
from jaxlint.analysis.draws.texts import SHOWS, called_at
from jaxlint.analysis.flow_state import FlowState
from jaxlint.domain.consumed_keys import sharing
from jaxlint.domain.key_tokens import renamed, root_of
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.nodes import AssertStmt, AttrExpr, BinaryExpr, CallExpr, ExprStmt, NameExpr, Node
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import dotted, last_name, number_of, structure_of
from jaxlint.tables.jax_random import DIRECT

_COMPARES = frozenset("-/")


class EqualSeeds:
    """Keeps which keys are made of which seeds."""

    def __init__(self, flow: FlowState) -> None:
        self.flow = flow
        self.seeds: dict[Hashable, Hashable] = {}  # by token
        self.samplers: dict[Place, str] = {}  # by the places of draws

    def note(self, token: Hashable, seed: Hashable) -> None:
        """A key is made of a seed."""
        self.seeds[token] = seed
        self.flow.frame.numbered["seed", seed] = (*self._made_of(seed), token)

    def _made_of(self, seed: Hashable) -> tuple[Hashable, ...]:
        """The tokens of the keys that the function that is analyzed has made of a seed."""
        found = self.flow.frame.numbered.get(("seed", seed))
        return found if isinstance(found, tuple) else ()

    def drawn_before(self, token: Hashable, nid: int, name: str) -> Iterator[tuple[Consumption, Consumption]]:
        """Draws by keys that are equal to the one that a sampler `name` draws from, each with this draw."""
        root, frame = root_of(token), self.flow.frame
        seed = self.seeds.get(root)
        if seed is None:
            return
        place = frame.module, nid
        self.samplers[place] = name
        spent = spent_in(self.flow.env.vars)
        here = [each for each in spent.uses(token) if each.place == place]
        for other in self._made_of(seed) if here else ():
            for before in sharing(renamed(token, root, other), spent) if other != root else ():
                if before.nid == nid or before.iterations != here[-1].iterations:
                    continue
                by = self.samplers.get(before.place)
                if by is None or before.module is not frame.module or not _is_alike(by, name):
                    continue
                if are_combined(frame.code, frame.module.program, before.nid, nid):
                    yield before, here[-1]


def _is_alike(one: str, other: str) -> bool:
    """Whether what two samplers draw from one key depends on each other."""
    return one == other or all(DIRECT.get(f"jax.random.{each}") for each in (one, other))


def are_combined(code: Code, program: Program, first: int, second: int) -> bool:
    """Whether something is computed of what both of two calls draw, or an object that was told of the first
    draw is asked about the second one; and they are not asked to be equal."""
    called = called_at(code.body, first, second)
    if called is None or is_compared(code.body, first, second, True):
        return False
    flows = flows_of(code, program)
    is_same = _text_of(called[0]) == _text_of(called[1])
    return _meet(flows, first, second, is_same) or _are_given_in_turn(flows, first, second)


def _text_of(draw: CallExpr) -> Hashable:
    """A draw as it is written, but for its key and its type."""
    given = [(each.name, structure_of(each.value)) for each in draw.keywords]
    shape = (*map(structure_of, draw.args[1:2]), *sorted(each for each in given if each[0] == "shape"))
    return last_name(draw.func), shape


def _meet(flows: Flows, first: int, second: int, is_same: bool) -> bool:
    """Whether an operator or a function gets what is made of the one call beside what is made of the other;
    `is_same`: these are written alike. Then functions may be shown by equal arguments, or two functions be
    compared on equal ones, so that neither a difference or a ratio counts, nor a function of the program."""
    one, other = (flows.of(each, in_objects=False) for each in (first, second))
    only, only_other = one.reads - other.reads, other.reads - one.reads
    for key, unit in other.users.items():
        if key not in one.users or isinstance(unit.statement, AssertStmt):
            continue
        for node in flows.nodes(*unit.value):
            if not isinstance(node, (BinaryExpr, CallExpr)) or not _combines(node, is_same):
                continue
            reads = [{number_of(each) for each in flows.nodes(part)} for part in _operands(node)]
            mine, others = (
                {place for place, each in enumerate(reads) if not each.isdisjoint(wanted)}
                for wanted in (only, only_other)
            )
            if mine and others and len(mine | others) > 1:
                return True
    return False


def _combines(node: BinaryExpr | CallExpr, is_same: bool) -> bool:
    if isinstance(node, BinaryExpr):
        return not is_same or node.operator not in _COMPARES
    if is_same:
        return dotted(node.func).partition(".")[0] in ARRAYS
    return last_name(node.func) not in SHOWS


def _operands(node: BinaryExpr | CallExpr) -> list[Node]:
    if isinstance(node, BinaryExpr):
        return [node.left, node.right]
    return [*node.args, *(each.value for each in node.keywords)]


def _are_given_in_turn(flows: Flows, first: int, second: int) -> bool:
    """Whether a statement calls a method of an object with what is made of one draw, and a later call of one
    is given what is made of another: a model is trained with the one and asked about the other. The
    function itself has made the object."""
    one, other = (flows.of(each, in_objects=False) for each in (first, second))
    constructed = {
        part.nid
        for targets, value in assignments(flows.flow.code.body)
        if isinstance(value, CallExpr) and last_name(value.func)[:1].isupper()
        for part in targets
        if isinstance(part, NameExpr)
    }
    for unit in one.users.values():
        told = unit.statement.value if isinstance(unit.statement, ExprStmt) else None
        owner = _owner(told) if isinstance(told, CallExpr) else None
        made = flows.flow.seen_by(owner.nid) if owner is not None else ()
        if owner is None or not made or not constructed.issuperset(made):
            continue
        for asked in other.users.values():
            if isinstance(asked.statement, ExprStmt):
                continue  # it is told of both
            for call in flows.nodes(*asked.value):
                again = _owner(call) if isinstance(call, CallExpr) else None
                if again is None or again.nid <= owner.nid or flows.flow.seen_by(again.nid) != made:
                    continue
                given = {number_of(each) for each in flows.nodes(call) if each is not again}
                if not given.isdisjoint(other.reads - one.reads):
                    return True
    return False


def _owner(call: CallExpr) -> NameExpr | None:
    """The variable of which a call is one of a method."""
    owner = call.func.value if isinstance(call.func, AttrExpr) else None
    return owner if isinstance(owner, NameExpr) else None
