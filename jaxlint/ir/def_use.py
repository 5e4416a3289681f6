"""Which reads of a variable see which of its bindings.

In: the lowered code of a function, or of a module's body. Out: `DefUse`, which gives the numbers of the reads
that a binding may reach, by the number of the name that is bound. It goes through the code once, in the order
of execution, and through loops until nothing changes; where paths meet, either binding may be there.

A worked example: of `a = 1`, `if c:`, `a = 2`, `print(a)` the read sees both bindings; without the `if` only
the second, and the first is never read. What a function inside reads may be any binding of the variable.
`del` counts as a read: who writes it knows of the variable. It does not know: what reads variables by a text,
as `locals()` does, and other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from jaxlint.ir.liveness import definition_heads, reads_all
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AugmentedStmt,
    BoolExpr,
    BreakStmt,
    CallExpr,
    CapturePattern,
    ClassStmt,
    ComprehensionExpr,
    ConditionalExpr,
    ContinueStmt,
    DefStmt,
    DeleteStmt,
    Expr,
    ForStmt,
    FromStmt,
    FStringExpr,
    IfStmt,
    ImportStmt,
    LambdaExpr,
    MappingPattern,
    MatchStmt,
    NameExpr,
    Node,
    OpaqueExpr,
    Pattern,
    RaiseStmt,
    ReturnStmt,
    StarPattern,
    Stmt,
    TryStmt,
    UnaryExpr,
    WalrusExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, walk

_KEPT = 64  # functions of which an index is kept

State: TypeAlias = "dict[str, frozenset[int]]"
"""By variable: the bindings that may be there."""


class DefUse:
    """The bindings of one function, or of a module's body."""

    def __init__(self, code: Code, program: Program) -> None:
        self.code = code
        self.program = program
        self.names: dict[int, str] = {}  # of each binding
        self.reads: dict[int, dict[int, None]] = {}  # of each binding
        self.is_open = False  # something may read variables by their names as texts
        self._inner: list[tuple[Code, Collection[str]]] = []  # functions, whose bodies run at any time
        # of each `try` or `with` around: what may be there when it raises
        self._raised: list[list[State]] = []
        self._breaks: list[list[State]] = []
        self._continues: list[list[State]] = []
        state: State = {}
        for param in code.params:
            self._bind(param.name, param.nid, state)
        self._block(code.body, state)
        self._close()

    def readers(self, nid: int) -> tuple[int, ...] | None:
        """The reads that may see the binding at a name. None where that is not known: the variable is no
        variable of this function alone, or something may read it by its name."""
        name = self.names.get(nid)
        if name is None or name in self.code.global_names or name in self.code.nonlocal_names:
            return None
        found = tuple(self.reads.get(nid, ()))
        return None if self.is_open and not found else found

    def bindings_of(self, name: str) -> list[int]:
        """The places where a variable is bound."""
        return [nid for nid, each in self.names.items() if each == name]

    def binding_of(self, nid: int) -> int | None:
        """The binding that a read of a variable sees, where it is the only one."""
        found = [*self.seen_by(nid)]
        return found[0] if len(found) == 1 and self.readers(found[0]) else None

    def seen_by(self, nid: int) -> set[int]:
        """The bindings that a read of a variable may see."""
        return {binding for binding, reads in self.reads.items() if nid in reads}

    # ---- reads and bindings

    def _bind(self, name: str, nid: int, state: State, is_certain: bool = True) -> None:
        self.names[nid] = name
        before = frozenset[int]() if is_certain else state.get(name, frozenset())
        state[name] = before | {nid}

    def _read(self, name: str, nid: int, state: Mapping[str, frozenset[int]]) -> None:
        for binding in state.get(name, ()):
            self.reads.setdefault(binding, {})[nid] = None
        if reads_all(name, self.code, self.program):
            self.is_open = True

    def _evaluated_in(self, node: Node) -> Iterable[Node]:
        """The nodes in a node, but for `vars` and `dir` of an object, which read its attributes only."""
        found = children(node)
        if isinstance(node, CallExpr) and node.args and isinstance(node.func, NameExpr):
            name = node.func.name
            if name in ("vars", "dir") and reads_all(name, self.code, self.program):
                return found[1:]
        return found

    def _target(self, target: Expr, state: State) -> None:
        for each in parts(target):
            if isinstance(each, NameExpr):
                self._bind(each.name, each.nid, state)
            else:
                self._expression(each, state)

    def _expressions(
        self, nodes: Iterable[Node | None], state: State, hidden: frozenset[str] = frozenset()
    ) -> None:
        for node in nodes:
            if node is not None:
                self._expression(node, state, hidden)

    def _expression(self, node: Node, state: State, hidden: frozenset[str] = frozenset()) -> None:
        """`hidden`: the names that a comprehension around has for itself."""
        if isinstance(node, NameExpr):
            if node.name not in hidden:
                self._read(node.name, node.nid, state)
        elif isinstance(node, WalrusExpr):
            self._expression(node.value, state, hidden)
            self._bind(node.target.name, node.target.nid, state)
        elif isinstance(node, ConditionalExpr):
            self._either(self._test(node.test, state, hidden), (node.body, node.orelse), state, hidden)
        elif isinstance(node, BoolExpr):
            self._either(self._test(node, state, hidden), (), state, hidden)
        elif isinstance(node, LambdaExpr):
            self._function(self.program.codes[node.index], state, hidden)
        elif isinstance(node, ComprehensionExpr):
            self._comprehension(node, state, hidden)
        else:
            if _hides(node):
                self.is_open = True
            for part in self._evaluated_in(node):
                self._expression(part, state, hidden)

    def _test(self, node: Expr, state: State, hidden: frozenset[str] = frozenset()) -> tuple[State, State]:
        """What is there where a test holds, and where it does not: `and` and `or` leave operands out."""
        if isinstance(node, UnaryExpr) and node.operator == "not":
            holds, fails = self._test(node.operand, state, hidden)
            return fails, holds
        if isinstance(node, BoolExpr):
            holds, fails = self._test(node.left, state, hidden)
            if node.operator == "and":
                holds, failed = self._test(node.right, holds, hidden)
                return holds, _joined((fails, failed)) or {}
            held, fails = self._test(node.right, fails, hidden)
            return _joined((holds, held)) or {}, fails
        here = dict(state)
        self._expression(node, here, hidden)
        return here, dict(here)

    def _either(
        self, ways: Iterable[State], nodes: Sequence[Expr], state: State, hidden: frozenset[str]
    ) -> None:
        """Goes on after the states that a test leaves, each with what is evaluated in it."""
        ends = [*ways]
        for end, node in zip(ends, nodes, strict=False):
            self._expression(node, end, hidden)
        state.clear()
        state.update(_joined(ends) or {})

    def _comprehension(self, node: ComprehensionExpr, state: State, hidden: frozenset[str]) -> None:
        here = state  # nothing but the first iterable is certainly evaluated
        for clause in node.clauses:
            self._expression(clause.iterable, here, hidden)
            here = dict(here)
            targets = [*parts(clause.target)]
            hidden |= {each.name for each in targets if isinstance(each, NameExpr)}
            self._expressions((each for each in targets if not isinstance(each, NameExpr)), here, hidden)
            for _, test in clause.tests:
                here, _ = self._test(test, here, hidden)
        self._expressions((node.key, node.element), here, hidden)
        state.update(_joined((state, here)) or {})

    def _function(self, code: Code, state: State, hidden: frozenset[str] = frozenset()) -> None:
        self._expressions(definition_heads(code), state, hidden)
        self._inner.append((code, ()))

    def _close(self) -> None:
        """What functions inside read, they may read whenever they run."""
        everywhere: dict[str, frozenset[int]] = {}
        for nid, name in self.names.items():
            everywhere[name] = everywhere.get(name, frozenset()) | {nid}
        seen: set[int] = set()
        while self._inner:
            code, own = self._inner.pop()
            if code.index in seen:
                continue
            seen.add(code.index)
            read = (name for name in code.free if name not in own or name in code.global_names)
            free = {name: everywhere.get(name, frozenset()) for name in read}
            self._inside(code.body, free, {*own, *code.bound})

    def _inside(self, body: Sequence[Stmt], free: State, own: Collection[str] = ()) -> None:
        """The reads in the body of a function inside, and in those inside it, which see its `own` names."""
        stack: list[Node] = [*body]
        while stack:
            node = stack.pop()
            if isinstance(node, NameExpr):
                if node.name not in own or node.name in free:
                    self._read(node.name, node.nid, free)
            elif isinstance(node, (LambdaExpr, DefStmt)):
                code = self.program.codes[node.index]
                self._expressions(definition_heads(code), dict(free))
                self._inner.append((code, own))
            elif isinstance(node, ClassStmt):
                record = self.program.classes[node.index]
                stack += [*record.bases, *(value for _, value in record.keywords)]
                stack += [*record.decorators, *record.body]
            else:
                if _hides(node):
                    self.is_open = True
                stack += self._evaluated_in(node)

    # ---- statements

    def _block(self, body: Sequence[Stmt], state: State) -> State | None:
        """What is there at the end of a block; None where its end is never reached."""
        here: State | None = state
        for statement in body:
            if here is None:
                return None
            for raised in self._raised:
                raised.append(self._where_raised(here))
            here = self._statement(statement, here)
        return here

    def _where_raised(self, state: State) -> State:
        """What may be there where a statement raises."""
        return dict(state)

    def _statement(self, statement: Stmt, state: State) -> State | None:
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            return handler(self, statement, state)
        self._expression(statement, state)
        return state

    def _assign(self, statement: AssignStmt, state: State) -> State:
        self._expression(statement.value, state)
        for target in statement.targets:
            self._target(target, state)
        return state

    def _annotated(self, statement: AnnotatedStmt, state: State) -> State:
        self._expressions((statement.annotation, statement.value), state)
        if statement.value is not None or not isinstance(statement.target, NameExpr):
            self._target(statement.target, state)
        return state

    def _augmented(self, statement: AugmentedStmt, state: State) -> State:
        self._expressions((statement.value, statement.read), state)
        self._target(statement.target, state)
        return state

    def _delete(self, statement: DeleteStmt, state: State) -> State:
        for target in statement.targets:
            self._expression(target, state)
            if isinstance(target, NameExpr):
                state.pop(target.name, None)
        return state

    def _leave(self, statement: ReturnStmt | RaiseStmt, state: State) -> None:
        self._expressions(children(statement), state)

    def _break(self, statement: BreakStmt, state: State) -> None:
        if self._breaks:
            self._breaks[-1].append(state)

    def _continue(self, statement: ContinueStmt, state: State) -> None:
        if self._continues:
            self._continues[-1].append(state)

    def _import(self, statement: ImportStmt, state: State) -> State:
        for nid, dotted, name in statement.items:
            self._bind(name or dotted.partition(".")[0], nid, state)
        return state

    def _from(self, statement: FromStmt, state: State) -> State:
        for nid, _, name in statement.items or ():
            self._bind(name, nid, state)
        return state

    def _define(self, statement: DefStmt, state: State) -> State:
        code = self.program.codes[statement.index]
        self._function(code, state)
        self._bind(code.name, code.nid, state)
        return state

    def _class(self, statement: ClassStmt, state: State) -> State:
        record = self.program.classes[statement.index]
        keywords = [value for _, value in record.keywords]
        self._expressions((*record.bases, *keywords, *record.decorators), state)
        # Its body runs here and has variables of its own; which of the two a name means is left open.
        self._inside(record.body, state)
        self._bind(record.name, record.nid, state)
        return state

    def _if(self, statement: IfStmt, state: State) -> State | None:
        ways = self._test(statement.test, state)
        blocks = (statement.body, statement.orelse)
        return _joined([self._block(block, way) for block, way in zip(blocks, ways, strict=True)])

    def _assert(self, statement: AssertStmt, state: State) -> State:
        holds, fails = self._test(statement.test, state)
        self._expressions((statement.message,), fails)
        return holds

    def _loop(self, statement: ForStmt | WhileStmt, state: State) -> State | None:
        if isinstance(statement, ForStmt):
            self._expression(statement.iterable, state)
        head = dict(state)
        while True:
            self._breaks.append([])
            self._continues.append([])
            here = dict(head)
            if isinstance(statement, ForStmt):
                self._target(statement.target, here)
            else:
                here, _ = self._test(statement.test, here)
            end = self._block(statement.body, here)
            left, again = self._breaks.pop(), self._continues.pop()
            new = _joined([head, end, *again]) or head
            if new == head:
                break
            head = new
        # The target is bound by the iteration that is over, too: what was there before may be gone.
        after = _joined([head, end, *again]) or head
        if isinstance(statement, WhileStmt):
            _, after = self._test(statement.test, after)
        return _joined([self._block(statement.orelse, after), *left])

    def _try(self, statement: TryStmt, state: State) -> State | None:
        everything: list[State] = []
        self._raised.append(everything)  # for the last block: whatever happens
        left = [(exits[-1], len(exits[-1])) for exits in (self._breaks, self._continues) if exits]
        raised: list[State] = [dict(state)]
        self._raised.append(raised)
        end = self._block(statement.body, dict(state))
        self._raised.pop()
        if end is not None:
            end = self._block(statement.orelse, end)
        ends = [end]
        for handler in statement.handlers:
            here = _joined(raised) or {}
            self._expressions((handler.kind,), here)
            if handler.name is not None:
                here[handler.name] = frozenset()
            ends.append(self._block(handler.body, here))
        self._raised.pop()
        found = _joined(ends)
        if not statement.final:
            return found
        self._block(statement.final, _joined([*everything, *raised, found]) or {})
        for exits, before in left:
            ends = [self._block(statement.final, dict(each)) for each in exits[before:]]
            exits[before:] = [end for end in ends if end is not None]
        return None if found is None else self._block(statement.final, found)

    def _with(self, statement: WithStmt, state: State) -> State | None:
        for value, target in statement.items:
            self._expression(value, state)
            if target is not None:
                self._target(target, state)
        raised: list[State] = []
        self._raised.append(raised)
        end = self._block(statement.body, dict(state))
        self._raised.pop()
        return _joined([end, *raised])  # it may go on where its body raises

    def _match(self, statement: MatchStmt, state: State) -> State | None:
        self._expression(statement.subject, state)
        ends: list[State | None] = [dict(state)]
        for case in statement.cases:
            here = dict(state)
            self._expression(case.pattern, here)
            for name in _captured(case.pattern):
                here[name] = frozenset()
            self._expressions((case.guard,), here)
            ends.append(self._block(case.body, here))
        return _joined(ends)


_STATEMENTS: Mapping[type[Node], Callable[[DefUse, Any, State], State | None]] = {
    AssignStmt: DefUse._assign,
    AnnotatedStmt: DefUse._annotated,
    AugmentedStmt: DefUse._augmented,
    DeleteStmt: DefUse._delete,
    ReturnStmt: DefUse._leave,
    RaiseStmt: DefUse._leave,
    BreakStmt: DefUse._break,
    ContinueStmt: DefUse._continue,
    ImportStmt: DefUse._import,
    FromStmt: DefUse._from,
    DefStmt: DefUse._define,
    ClassStmt: DefUse._class,
    AssertStmt: DefUse._assert,
    IfStmt: DefUse._if,
    ForStmt: DefUse._loop,
    WhileStmt: DefUse._loop,
    TryStmt: DefUse._try,
    WithStmt: DefUse._with,
    MatchStmt: DefUse._match,
}


def _hides(node: Node) -> bool:
    """Whether a node was lowered without what it reads: as nothing that is known, or as a string that is
    formatted with a specification that has values in it."""
    if isinstance(node, FStringExpr):
        return any("{" in (part.spec or "") for part in node.parts)
    return isinstance(node, OpaqueExpr)


def _joined(states: Iterable[State | None]) -> State | None:
    found: State | None = None
    for state in states:
        if state is None:
            continue
        if found is None:
            found = dict(state)
            continue
        for name, bindings in state.items():
            found[name] = found.get(name, frozenset()) | bindings
    return found


def _captured(pattern: Pattern) -> Iterator[str]:
    """The names that a pattern binds."""
    for node in walk(pattern):
        if isinstance(node, (CapturePattern, StarPattern, MappingPattern)):
            name = node.rest if isinstance(node, MappingPattern) else node.name
            yield from () if name is None else (name,)


@lru_cache(maxsize=_KEPT)
def def_use_of(code: Code, program: Program) -> DefUse:
    """The bindings of a function, and their reads."""
    return DefUse(code, program)
