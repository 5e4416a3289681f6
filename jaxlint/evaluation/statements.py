"""Blocks of statements, and the statements that are neither assignments nor control flow."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.copies.changed_copies import acts_elsewhere, calls_of, copies_tree, gives_changed_copy
from jaxlint.analysis.copies.dropped_calls import MAPPED, changes_nothing, is_timed
from jaxlint.analysis.copies.pure_code import differentiates
from jaxlint.analysis.copies.unknown_records import copied_record
from jaxlint.analysis.core import PATCHED, Core, Unreachable, by_kind
from jaxlint.analysis.draws.repeated import is_only_observed
from jaxlint.analysis.events import Discard
from jaxlint.analysis.expected_errors import takes_errors
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.mutations.net import made_on_leaving
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.analysis.writes import Write
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Instance
from jaxlint.domain.transforms import JITS
from jaxlint.domain.values import NONE, UNKNOWN, Array, External, Product, TracerPytree, Value
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.attribute_names import gives_itself
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.failure import MOST, Failure
from jaxlint.ir.liveness import dropped_in
from jaxlint.ir.nodes import (
    STATEMENTS,
    AttrExpr,
    BinaryExpr,
    BreakStmt,
    CallExpr,
    ClassStmt,
    ContinueStmt,
    DefStmt,
    Expr,
    ExprStmt,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    Stmt,
    SubscriptExpr,
    WithStmt,
)
from jaxlint.ir.program import ClassCode, Code
from jaxlint.ir.repetition import given_by
from jaxlint.ir.value_reads import is_of_place, is_place
from jaxlint.ir.walks import dotted, is_question, last_name, number_of, reads_clock, walk

Writes = tuple[tuple[Hashable, Write], ...]

_WARNS = Product("context", "warns")
_REPLACING: Mapping[str, frozenset[str]] = dict.fromkeys(
    ("fake_pmap", "fake_pmap_and_jit"), frozenset(("jax.pmap",))
)


class Statements:
    """Analyzes lowered statements; each handler says whether control flows on."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        constants: ConstantKeys,
        expressions: Expressions,
        definitions: Definitions,
        attributes: Attributes,
        narrowing: Narrowing,
        assignments: Assignment,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.constants = constants
        self.expressions = expressions
        self.definitions = definitions
        self.attributes = attributes
        self.narrowing = narrowing
        self.assignments = assignments
        self.interpreter = interpreter
        self._steps: dict[type[Node], Callable[[Any], bool]] = {}
        self.published: Mapping[
            Code | ClassCode, str
        ] = {}  # what the project defines that has rows in tables

    def register(self, *parts: object) -> None:
        """The methods named `s_KIND` run the statements of that kind."""
        self._steps |= by_kind(*parts, prefix="s_", kinds=STATEMENTS)

    def run_block(self, body: Sequence[Stmt]) -> bool:
        if not body:
            return True
        steps = self._steps
        frame, context, block = self.flow.frame, self.flow.context, self.flow.block
        loop, tests, held, rounds = (
            frame.loop,
            len(self.flow.conditions),
            len(self.flow.tests),
            len(self.flow.rounds),
        )
        loops = (frame.iterations, frame.unrolled, frame.turns, frame.breaks, frame.continues, frame.raised)
        asking, arms = (self.flow.guards, self.flow.warned, self.flow.floors), self.flow.arms
        looking = self.flow.looking
        around = (
            self.flow.env,
            self.flow.module,
            self.flow.depth,
            self.staleness.trace_cache,
            self.flow.conditions,
            self.flow.tests,
            self.flow.enclosing,
        )
        self.flow.arms = 0
        try:
            for statement in body:
                try:
                    if not steps[type(statement)](statement):
                        return False
                    continue
                except Unreachable:
                    follows = False
                except Exception as error:
                    if isinstance(error, (RecursionError, MemoryError)) or len(self.core.failures) >= MOST:
                        raise
                    self._lose(statement, error, frame)
                    (
                        self.flow.env,
                        self.flow.module,
                        self.flow.depth,
                        self.staleness.trace_cache,
                        self.flow.conditions,
                        self.flow.tests,
                        self.flow.enclosing,
                    ) = around
                    self._forget_names(statement)
                    follows = True
                frame.loop, self.flow.block, self.flow.arms, self.flow.looking = loop, block, 0, looking
                self.flow.guards, self.flow.warned, self.flow.floors = asking
                frame.iterations, frame.unrolled, frame.turns = loops[:3]
                frame.breaks, frame.continues, frame.raised = loops[3:]
                del self.flow.conditions[tests:], self.flow.tests[held:], self.flow.rounds[rounds:]
                self.set_context(context)
                if not follows:
                    return False
            return True
        finally:
            self.flow.arms = arms

    def _lose(self, statement: Stmt, error: Exception, frame: FunctionContext) -> None:
        """Analyzing a statement failed: that is reported, and what it called is left."""
        self.core.note_failure(Failure.of(error, frame.module.path, number_of(statement)))
        inner: FunctionContext | None = self.flow.frame
        while inner is not None and inner is not frame:
            inner.running = False
            inner = None if inner.link is None else inner.link.parent
        self.flow.frame = frame
        self.staleness.keeping = self.flow.delegating = self.constants.unconsuming = 0
        self.flow.looking = False

    def _forget_names(self, statement: Stmt) -> None:
        """What a statement names may be anything behind it where analyzing it failed."""
        for part in walk(statement):
            if isinstance(part, NameExpr) and part.name in self.flow.env.vars:
                self.flow.env.vars[part.name] = UNKNOWN

    def s_expr(self, node: ExprStmt) -> bool:
        if self._expects_error(node.value):
            return True
        self._discard(node)
        self.assignments.note_changed(node.value)
        self.definitions.run_entry(node.value)
        return not isinstance(node.value, CallExpr) or dotted(node.value.func) not in _EXITS

    @contextmanager
    def expecting(self) -> Iterator[None]:
        """What is evaluated meanwhile is run for the error that it raises."""
        context = self.flow.context
        self.set_context(context.expecting())
        try:
            yield
        finally:
            self.set_context(context)

    def _expects_error(self, node: Expr) -> bool:
        """Runs `self.assertRaises(Error, function, ...)`, if it is that: the call's error is expected."""
        func = node.func if isinstance(node, CallExpr) else None
        if not isinstance(node, CallExpr) or not isinstance(func, AttrExpr) or func.name not in _RAISES:
            return False
        first = 2 if func.name == "assertRaises" else 3
        if len(node.args) < first or any(isinstance(each, StarExpr) for each in node.args):
            return False
        with self.expecting():
            self.expressions.eval(CallExpr(node.nid, node.args[first - 1], node.args[first:], node.keywords))
        return True

    def _discard(self, node: ExprStmt) -> None:
        """An expression statement."""
        written, before = node.value, self.flow.dropped
        tried = self.flow.tried == (self.flow.module, node.nid)  # it is run for the error that it may raise
        if not tried and "Expr" in self.core.hooks:
            self.flow.dropped = before.union(map(id, dropped_in(written, self.flow.module.program)))
        value = self.expressions.eval(written)
        self.flow.dropped = before
        if not tried and isinstance(written, (CallExpr, SubscriptExpr, BinaryExpr)):
            self._tell(node.nid, written, value)

    def _tell(
        self, nid: int, node: CallExpr | SubscriptExpr | BinaryExpr, value: Value, inner: bool = False
    ) -> None:
        """Tells rules of a value that nothing takes."""
        if "Expr" not in self.core.hooks:
            return
        called: tuple[str, Value | None] = ("", None)
        if isinstance(node, CallExpr):
            programs = self.core.world.programs()
            copied = copied_record(node, self.flow, self.definitions.transparent, programs)
            name = copied or self.flow.last_called[0]
            if is_only_observed(self.flow.frame.code, node, name):
                return
            if not self._is_handed(node.func):
                called = self.flow.last_called
                if copied:
                    called = copied, None
                elif value is not NONE and changes_nothing(node, called[0], self.flow):
                    called = "$update", None
                elif called[0] in ("", MAPPED):
                    called = self._own_update(node, value)
                elif called[0].startswith("jax.nn.") and is_timed(self.flow):
                    called = "", None
        kept = called[0] == "$update" or is_of_place(node)
        self.core.emit("Expr", Discard(nid, self.flow.frame, value, *called, kept, inner))

    def note_dropped(self, node: CallExpr, value: Value) -> None:
        """A call was evaluated whose value its statement drops."""
        self._tell(node.nid, node, value, inner=True)

    def _is_handed(self, node: Expr) -> bool:
        """Whether what is called is a parameter: who calls any function may do so to warm it up, or for the
        time that it takes."""
        func = self.flow.frame.func
        params = () if func is None else func.code.params
        return isinstance(node, NameExpr) and any(node.name == each.name for each in params)

    def _own_update(self, node: CallExpr, value: Value) -> tuple[str, Value | None]:
        """What is called there, where that is a function of the project that only gives back a changed copy
        of what it is given."""
        owner = node.func.value if isinstance(node.func, AttrExpr) else node.args[0] if node.args else node
        inner = owner if isinstance(owner, CallExpr) and owner is not node else None
        if not is_place(owner) and (inner is None or not self._own_update(inner, value)[0]):
            return "", None  # what is changed is not there any more
        codes = {code for code, site in self.flow.frame.sites if site == node.nid}
        is_copy = isinstance(value, (Array, Instance, MutableContainer, TracerPytree)) or (
            isinstance(value, Tuple) and value.cls is not None
        )
        called = {each.func.code for each in self.flow.frame.callees if each.func is not None}
        if not is_copy:
            homes = [each.func for each in self.flow.frame.callees if each.func and each.func.code in codes]
            is_copy = all(copies_tree(each.code, each.module.program) for each in homes)
        if not is_copy or not codes or not codes <= called:
            return "", None
        depth = self.flow.context.depth
        for each in self.flow.frame.callees:
            if each.func is not None and each.func.code in codes:
                is_again = self.flow.frame.loop > 0 and each.context.depth == depth
                steps = is_again or differentiates(each.func.code)
                if not gives_changed_copy(each.func.code, calls_of(each)._replace(steps=steps)):
                    return "", None
                if acts_elsewhere(each):
                    return "", None
                if each.context.depth > depth and not self._is_update_in_loop(each):
                    return "", None
        return "$update", None

    def _is_update_in_loop(self, callee: FunctionContext) -> bool:
        """Whether a compiled function is called again and again, and not to warm it up or to time it."""
        frame = self.flow.frame
        kinds = {link.transform for link in callee.links if link.parent is frame}
        return kinds <= JITS and frame.loop > 0 and not reads_clock(*frame.code.body)

    def s_return(self, node: ReturnStmt) -> bool:
        value = self.expressions.eval(node.value)
        if self.flow.context.depth and self.interpreter.calls.truth(value) is None:
            value = self.narrowing.answer_of_tracer(node.value) or value
        self.flow.frame.leave(value, self.flow.env.vars, self.flow.tests)
        return False

    def s_break(self, node: BreakStmt) -> bool:
        if self.flow.frame.breaks:
            self.flow.frame.breaks[-1].append(self.flow.env.vars)
        return False

    def s_continue(self, node: ContinueStmt) -> bool:
        if self.flow.frame.continues:
            self.flow.frame.continues[-1].append(self.flow.env.vars)
        return False

    def s_with(self, node: WithStmt) -> bool:
        nid = node.nid
        context = self.flow.context
        warned = self.flow.warned
        patched: dict[str, Value] = {}
        entered: list[tuple[Value, tuple[Mutation, ...], dict[Hashable, Value]]] = []
        lent: list[tuple[Hashable, Write]] = []
        for value_node, target in node.items:
            self.flow.leaving, self.flow.lent, self.flow.shown, self.flow.lending = (), frozenset(), (), ()
            manager = self.expressions.eval(value_node)
            lending = self._as_varying(value_node, self.flow.lending)
            self.staleness.write_all(lending)
            lent += lending
            self.set_context(self.flow.context.within(self.flow.lent))
            entered.append((manager, self._put_off(), self._as_shown(manager)))
            for name in self._replaced_by(value_node):
                patched[name] = self.flow.env.vars.setdefault((PATCHED, name), NONE)
            self.flow.warned += isinstance(manager, Product) and manager == _WARNS
            held = self.enter(manager, nid)
            func = value_node.func if isinstance(value_node, CallExpr) else None
            if isinstance(func, AttrExpr) and func.name in _RAISES:
                self.set_context(self.flow.context.expecting())
            if target is not None:
                self.assignments.assign(target, held, nid)
        flows = self.run_block(node.body)
        for name in patched:
            self.flow.env.vars.pop((PATCHED, name), None)
        self.flow.warned = warned
        suppressed = self.flow.context.quiet and not context.quiet
        self.set_context(context)
        self.staleness.write_all([(key, write.undone()) for key, write in reversed(lent)])
        for made in made_on_leaving(dict.fromkeys(write.lender for _, write in lent)):
            self.staleness.note_made(made)
        for manager, late, left in reversed(entered):
            self.flow.frame.mutations += late
            self.flow.env.vars.update(left)
            self.leave(manager, nid)
        return flows or suppressed

    def leave(self, manager: Value, nid: int) -> None:
        """What an object does when its `with` is left, and what a stack was given to call then."""
        if isinstance(manager, Instance):
            ask = self.attributes.special
            if method := ask(manager, "__exit__", nid) or ask(manager, "__aexit__", nid):
                self.interpreter.calls.call(method, [NONE, NONE, NONE], {}, nid)
        elif isinstance(manager, Product) and manager.kind == "exit-stack":
            for func, args, keywords, at in manager.parts[0].records():
                self.interpreter.calls.call(func, [*args], dict(keywords), at)

    def _as_varying(self, manager: Expr, lent: Writes) -> Writes:
        """What a context manager writes on entering, which may be something else in another turn of the loops
        around."""
        if not lent or not self.flow.frame.turns:
            return lent
        names = {each.name for each in walk(manager) if isinstance(each, NameExpr)}
        varies = any(not names.isdisjoint(given_by(loop)) for loop in self.flow.frame.turns)
        return tuple([(key, write._replace(varies=write.varies or varies)) for key, write in lent])

    def _replaced_by(self, manager: Expr) -> frozenset[str]:
        """The functions of JAX that may be others inside of `with manager()`."""
        if not isinstance(manager, CallExpr):
            return frozenset()
        names = self.core.replaced()
        if not names and last_name(manager.func) not in _REPLACING:
            return names
        func = self.expressions.eval(manager.func) if is_question(manager.func) else UNKNOWN
        if isinstance(func, External) and not func.name.startswith(("unittest.mock.", "mock.")):
            names = _REPLACING.get(func.name.removeprefix("chex."), frozenset())
        self.flow.replacing = self.flow.replacing or bool(names)
        return names

    def _put_off(self) -> tuple[Mutation, ...]:
        """What a context manager that is a generator changes when it is left, which is not yet."""
        late, frame = self.flow.leaving, self.flow.frame
        if late and frame.mutations[-len(late) :] == late:
            frame.mutations = frame.mutations[: -len(late)]
            return late
        return ()

    def _as_shown(self, manager: Value) -> dict[Hashable, Value]:
        """Puts in attributes what a generator that was just called has there at its `yield`; gives what is
        there when it is left."""
        if not isinstance(manager, Product) or manager.kind != "iterator":
            return {}
        self.flow.env.vars.update({mark: value for mark, value, _ in self.flow.shown})
        return {mark: left for mark, _, left in self.flow.shown}

    def set_context(self, context: Context) -> None:
        """Changes the context of what follows in this function context."""
        self.flow.context = context
        self.flow.frame.context = context

    def enter(self, manager: Value, nid: int) -> Value:
        """What `with manager as x` binds; some managers change the context."""
        if takes_errors(manager):
            self.set_context(self.flow.context.expecting())
        if isinstance(manager, Product) and manager.kind == "context":
            name = manager.parts[0]
            if name == "eager":
                self.set_context(self.flow.context._replace(staged=False, batched=False))
            elif name in ("unjitted", "jitted"):
                self.set_context(self.flow.context._replace(unjitted=name == "unjitted"))
            return UNKNOWN
        if isinstance(manager, Product) and manager.kind in ("io.IOBase", "exit-stack", "object", "tqdm"):
            return manager
        if isinstance(manager, Product) and manager.kind in ("nullcontext", "iterator"):
            if manager.kind == "iterator" and type(manager.parts[-1]) is not int:
                return manager  # in a progress bar: only a generator is a context manager
            held: Value = manager.parts[0]
            return held
        if isinstance(manager, Instance):
            ask = self.attributes.special
            if method := ask(manager, "__enter__", nid) or ask(manager, "__aenter__", nid):
                result = self.interpreter.calls.call(method, [], {}, nid)
                return manager if gives_itself(method) else result
        return UNKNOWN

    def s_def(self, node: DefStmt) -> bool:
        code = self.flow.module.program.codes[node.index]
        if self.definitions.is_replaced(node.index, code):
            return True
        value = self.definitions.make_function(node.index)
        for decorator in reversed(code.decorators):
            value = self.definitions.decorate(decorator, value, code)
        self.assignments.bind(code.name, self.as_published(code, value), node.nid)
        return True

    def as_published(self, code: Code | ClassCode, value: Value) -> Value:
        """What is known of a definition by the public name that it has in a library."""
        name = self.published.get(code)
        return value if name is None else self.interpreter.library.external(name)

    def s_class(self, node: ClassStmt) -> bool:
        record = self.flow.module.program.classes[node.index]
        value = self.definitions.make_class(record)
        self.assignments.bind(record.name, self.as_published(record, value), node.nid)
        return True


_EXITS = frozenset(("sys.exit", "os._exit", "pytest.skip", "pytest.fail", "pytest.exit"))

# methods of unittest's test cases: errors inside are expected
_RAISES = frozenset(("assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch"))
