"""What is made and never looked at: objects after the one call that they are made for, results of transforms.

In: a change that a trace makes to an object, or a call of a transform. Out: whether anyone can see the change
once the trace is over, as far as the text of the function shows that made the object; whether anyone can call
what the transform gives, as far as the texts of all modules show. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.calling.donated.reads_after import ReadsAfter
from jaxlint.domain.join import MutableContainer, options_of
from jaxlint.domain.objects import Instance, Module
from jaxlint.domain.program import World
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import NONE
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.mentions import may_name_others
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    CallExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    DefStmt,
    Expr,
    ForStmt,
    NameExpr,
    Node,
    SubscriptExpr,
    WhileStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import codes_in, innermost_loop, last_name, nodes_of, number_of, walk

_ANY = "*"  # in place of a name: any of them
_BY_NAME = frozenset((_ANY, "vars", "__dict__", "attrgetter"))
_NAMES = frozenset(name.rpartition(".")[2] for name in WRAPPERS)


def is_left_unread(change: Mutation) -> bool:
    """Whether a change sets an attribute of an object, or changes a container, that a function outside of the
    trace has made: it keeps that in a variable alone, and reads it no more once the call is over that begins
    the trace."""
    owner = change.target
    if isinstance(owner, Instance):
        if change.how != "attribute" or change.depth:
            return False
    elif not isinstance(owner, MutableContainer):
        return False
    begun = _begun(change.frame, change.depth)
    return bool(begun) and all(_ends_with(maker, nid, owner) for maker, nid in begun)


def _begun(frame: FunctionContext, depth: int) -> list[tuple[FunctionContext, int]]:
    """The functions in so many traces that lead to a function context, or the module's body, and their calls
    that do; none where others may lead there."""
    found: list[tuple[FunctionContext, int]] = []
    seen, stack = {frame}, [frame]
    while stack:
        for link in stack.pop().live_links():
            caller = link.parent
            if caller is None:
                return []
            if caller.context.depth <= depth:
                found.append((caller, link.nid))
            elif caller not in seen:
                seen.add(caller)
                stack.append(caller)
    return found


def _ends_with(maker: FunctionContext, call: int, owner: Instance | MutableContainer) -> bool:
    """Whether a function has made an object, or others like it, or a container, and lets nothing see them
    after a call."""
    func = maker.func
    if func is None:
        return False
    code, program = func.code, func.module.program
    is_box = isinstance(owner, MutableContainer)
    if isinstance(owner, MutableContainer):
        if owner.home is not None or not _is_alone(owner, maker):
            return False
        names = [name for name, value in maker.env.vars.items() if value is owner]
    else:
        names = [
            name
            for name, value in maker.env.vars.items()
            if isinstance(value, Instance) and value.cls is owner.cls and id(value) in maker.instances
        ]
    return bool(names) and all(
        isinstance(name, str) and name in code.bound and _is_last_read(code, program, call, name, is_box)
        for name in names
    )


def _is_alone(box: MutableContainer, maker: FunctionContext) -> bool:
    """Whether a function has made a container, and no other one that it has made holds it."""
    made = [each for each in maker.heap.values() if isinstance(each, MutableContainer)]
    held = (
        part for each in made for part in (*each.entries.values(), *(each.items or ()), each.elem or NONE)
    )
    return any(each is box for each in made) and not any(
        option is box for part in held for option in options_of(part)
    )


def _is_last_read(code: Code, program: Program, call: int, name: str, is_box: bool) -> bool:
    """Whether a call is the last thing that sees what a variable holds, which nothing else is handed.
    `is_box`: a container, whose methods do not keep it."""
    flow = ReadsAfter(code, program, call, name)
    later = flow.after()
    if later is None:
        return False
    nodes = nodes_of(code.body)
    within = {number_of(part) for node in nodes if number_of(node) == call for part in walk(node)}
    if any(isinstance(each, ComprehensionExpr) and _holds(each, call) for each in nodes):
        return False  # the next turn sees it
    loop = innermost_loop(code.body, call) if is_box else None
    if isinstance(loop, (ForStmt, WhileStmt)) and all(
        last_name(each) != name for each, _ in assigned(loop.body)
    ):
        return False
    bound = [seen for each, seen in flow.reads.items() if flow.names[each] == name]
    here = [seen for seen in bound if not within.isdisjoint(seen)] or bound
    read = {number for seen in here for number in seen}.union(later)
    fine = within | {number_of(each) for each in _owners(nodes, is_box)}
    for each in nodes:
        if isinstance(each, NameExpr) and each.name == name and each.nid in read:
            if each.nid in later or each.nid not in fine:
                return False
    return all(
        _is_for(each, code, program, call, nodes, within)
        for each in codes_in(code, program)
        if name in each.free
    )


def _is_for(
    inner: Code, code: Code, program: Program, call: int, nodes: Sequence[Node], within: set[int | None]
) -> bool:
    """Whether a function inside of another one is called by nothing after a call."""
    if inner.is_lambda:
        return inner.nid in within
    is_own = any(isinstance(each, DefStmt) and program.codes[each.index] is inner for each in nodes)
    named = [each.nid for each in nodes if isinstance(each, NameExpr) and each.name == inner.name]
    is_handed = any(number not in within for number in named)
    return is_own and not is_handed and ReadsAfter(code, program, call, inner.name).after() == ()


def _holds(node: Node, number: int) -> bool:
    return any(number_of(each) == number for each in walk(node))


def _owners(nodes: Sequence[Node], with_methods: bool) -> Iterator[Node]:
    """Whatever an attribute or an item is read or set of; of methods, which may keep it, none without
    `with_methods`."""
    called = {number_of(each.func) for each in nodes if isinstance(each, CallExpr) and not with_methods}
    for each in nodes:
        if isinstance(each, (AttrExpr, SubscriptExpr)) and each.nid not in called:
            yield each.value


class UnreadResults:
    """Knows which results of transforms are kept under names of which nothing in the project reads one."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._kept: dict[str, dict[int, tuple[Expr, Code]]] = {}  # by file and call: where, and who keeps it
        # by file and refused calls in it: attributes, variables and texts
        self._read: dict[tuple[str, frozenset[int]], Collection[str]] = {}
        # by file: the calls of such results which have raised as their arguments do not fit, and those that
        # have run
        self._refused: dict[str, frozenset[int]] = {}
        self._ran: set[tuple[str, int]] = set()

    def note_call(self, module: Module, nid: int, is_refused: bool) -> None:
        """A result is called: with arguments that are not those of its function, or so that this is run."""
        refused = self._refused.get(module.path, frozenset())
        if not is_refused:
            self._ran.add((module.path, nid))
            if nid in refused:
                self._refused[module.path] = refused - {nid}
        elif (module.path, nid) not in self._ran:
            self._refused[module.path] = refused | {nid}

    def is_unread(self, module: Module, nid: int) -> bool:
        """Whether what a call makes is kept, and surely never looked at: under a private name, or in a
        variable of a function; or it is only called with arguments that do not fit, in the body of its own
        module where the name is not private."""
        refused = self._refused.get(module.path, frozenset())
        if refused and nid in self._refused_at_once(module, refused):
            return True
        target, code = self._kept_by(module).get(nid, (None, None))
        if isinstance(target, AttrExpr):
            is_own = isinstance(target.value, NameExpr) and _is_private(target.name)
            is_own = is_own and _BY_NAME.isdisjoint(self._reads_of(module))
            return is_own and not any(target.name in self._reads_of(each) for each in self._world.modules)
        if not isinstance(target, NameExpr) or code is None or may_name_others(module.program):
            return False
        name, program = target.name, module.program
        if code is program.body or name in code.global_names:
            is_own = _is_private(name) or name in _called(program.body.body, refused)
            return is_own and not any(name in self._reads_of(each) for each in self._world.modules)
        inner = [] if name in code.nonlocal_names else [code, *codes_in(code, program)]
        return bool(inner) and not any(name in _reads(each.body, refused) for each in inner)

    def _refused_at_once(self, module: Module, refused: Collection[int]) -> set[int]:
        """The calls that make what is called right there, with arguments that do not fit."""
        nodes = (
            node for code in (module.program.body, *module.program.codes) for node in nodes_of(code.body)
        )
        calls = (node for node in nodes if isinstance(node, CallExpr) and node.nid in refused)
        return {made for each in calls for made in _made(each.func)}

    def _kept_by(self, module: Module) -> dict[int, tuple[Expr, Code]]:
        found = self._kept.get(module.path)
        if found is None:
            found = self._kept[module.path] = {}
            for code in (module.program.body, *module.program.codes):
                for node in nodes_of(code.body):
                    if isinstance(node, AssignStmt) and len(node.targets) == 1:
                        found.update(dict.fromkeys(_made(node.value), (node.targets[0], code)))
                    elif isinstance(node, AnnotatedStmt) and node.value is not None:
                        found.update(dict.fromkeys(_made(node.value), (node.target, code)))
        return found

    def _reads_of(self, module: Module) -> Collection[str]:
        refused = self._refused.get(module.path, frozenset())
        found = self._read.get((module.path, refused))
        if found is None:
            program = module.program
            around: list[Node] = []
            for code in (program.body, *program.codes):
                around += (
                    *code.decorators,
                    *[each.default for each in code.params if each.default],
                    *code.body,
                )
            for record in program.classes:
                around += (*record.decorators, *record.body)
            imported = [name for _, _, names in program.imports for name in names or ()]
            found = _reads(around, refused) | {*imported}
            self._read[module.path, refused] = found
        return found


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _made(value: Expr) -> Iterator[int]:
    """The calls of which one makes a value: of transforms, one applied to what another one makes."""
    if isinstance(value, ConditionalExpr):
        yield from _made(value.body)
        yield from _made(value.orelse)
    elif isinstance(value, CallExpr):
        yield value.nid
        if value.args and last_name(value.func) in _NAMES:
            yield from _made(value.args[0])


def _called(body: Sequence[Node], calls: Collection[int]) -> set[str]:
    """The variables of which these are calls."""
    found = [each.func for each in nodes_of(body) if isinstance(each, CallExpr) and each.nid in calls]
    return {each.name for each in found if isinstance(each, NameExpr)}


def _reads(body: Sequence[Node], refused: Collection[int]) -> set[str]:
    """The variables and attributes that are read there, and all texts. `refused`: calls that do no more with
    what they call than to raise."""
    nodes = nodes_of(body)
    stored = [id(each.func) for each in nodes if isinstance(each, CallExpr) and each.nid in refused]
    stored += [
        id(target)
        for each in nodes
        if isinstance(each, (AssignStmt, AnnotatedStmt))
        for target in (each.targets if isinstance(each, AssignStmt) else (each.target,))
    ]
    return {
        each.value if isinstance(each, ConstExpr) else each.name
        for each in nodes
        if (isinstance(each, (NameExpr, AttrExpr)) and id(each) not in stored)
        or (isinstance(each, ConstExpr) and isinstance(each.value, str))
    } | {_ANY for each in nodes if isinstance(each, CallExpr) and _asks_for_any(each)}


def _asks_for_any(call: CallExpr) -> bool:
    """Whether a call reads an attribute whose name is not written there."""
    is_named = isinstance(call.func, NameExpr) and call.func.name == "getattr"
    return is_named and not (len(call.args) > 1 and isinstance(call.args[1], ConstExpr))
