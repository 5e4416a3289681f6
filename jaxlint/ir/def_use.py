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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.program import Code, Expr, Program, Stmt

State: TypeAlias = "dict[str, frozenset[int]]"
"""By variable: the bindings that may be there."""

_BY_TEXT = frozenset("locals vars eval exec dir globals breakpoint".split())


class Binding(NamedTuple):
    """A variable that gets a value, or a part of it.

    nid: the number of the name. path: the positions that lead to the part: `(1,)` for the second of a pair;
    -1 where a star takes several.
    """

    name: str
    nid: int
    path: tuple[int, ...] = ()


class DefUse:
    """The bindings of one function, or of a module's body."""

    def __init__(self, code: Code, program: Program) -> None:
        self.code = code
        self.program = program
        self.names: dict[int, str] = {}  # of each binding
        self.reads: dict[int, dict[int, None]] = {}  # of each binding
        self.is_open = False  # something may read variables by their names as texts
        self._inner: list[Code] = []  # functions, whose bodies run at any time
        self._raised: list[
            list[State]
        ] = []  # of each `try` or `with` around: what may be there when it raises
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

    # ---- reads and bindings

    def _bind(self, name: str, nid: int, state: State, is_certain: bool = True) -> None:
        self.names[nid] = name
        before = frozenset[int]() if is_certain else state.get(name, frozenset())
        state[name] = before | {nid}

    def _read(self, name: str, nid: int, state: Mapping[str, frozenset[int]]) -> None:
        for binding in state.get(name, ()):
            self.reads.setdefault(binding, {})[nid] = None
        if name in _BY_TEXT:
            self.is_open = True

    def _target(self, target: Expr, state: State) -> None:
        for each in parts(target):
            if each[0] == "name":
                self._bind(each[2], each[1], state)
            else:
                self._expression(each, state)

    def _expression(self, node: Any, state: State, hidden: frozenset[str] = frozenset()) -> None:
        """`hidden`: the names that a comprehension around has for itself."""
        if not isinstance(node, tuple) or not node:
            return
        kind = node[0]
        if _is_constant(node):
            return
        if kind == "name" and len(node) == 3:
            if node[2] not in hidden:
                self._read(node[2], node[1], state)
        elif _hides(node):
            self.is_open = True
        elif kind == "walrus" and len(node) == 4:
            self._expression(node[3], state, hidden)
            self._bind(node[2][2], node[2][1], state, is_certain=False)
        elif kind in ("lambda", "def") and len(node) == 3 and type(node[2]) is int:
            self._function(self.program.codes[node[2]], state, hidden)
        elif kind == "comp" and len(node) == 6:
            self._comprehension(node, state, hidden)
        else:
            if _has_open_format(node):
                self.is_open = True
            for part in node:
                self._expression(part, state, hidden)

    def _comprehension(self, node: Expr, state: State, hidden: frozenset[str]) -> None:
        for _, target, iterable, tests in node[5]:
            self._expression(iterable, state, hidden)
            own = {each[2] for each in parts(target) if each[0] == "name"}
            hidden |= own
            for each in parts(target):
                if each[0] != "name":
                    self._expression(each, state, hidden)
            self._expression(tests, state, hidden)
        self._expression((node[3], node[4]), state, hidden)

    def _function(self, code: Code, state: State, hidden: frozenset[str] = frozenset()) -> None:
        heads = [(param.default, param.annotation) for param in code.params]
        self._expression((*code.decorators, code.returns, *heads), state, hidden)
        self._inner.append(code)

    def _close(self) -> None:
        """What functions inside read, they may read whenever they run."""
        everywhere: dict[str, frozenset[int]] = {}
        for nid, name in self.names.items():
            everywhere[name] = everywhere.get(name, frozenset()) | {nid}
        seen: set[int] = set()
        while self._inner:
            code = self._inner.pop()
            if code.index in seen:
                continue
            seen.add(code.index)
            free = {name: everywhere.get(name, frozenset()) for name in code.free}
            self._inside(code.body, free)

    def _inside(self, body: Sequence[Stmt], free: Mapping[str, frozenset[int]]) -> None:
        """The reads in the body of a function inside, and in those inside it."""
        stack: list[Any] = [body]
        while stack:
            part = stack.pop()
            if not isinstance(part, tuple) or not part or _is_constant(part):
                continue
            kind = part[0]
            if kind == "name" and len(part) == 3:
                self._read(part[2], part[1], free)
            elif kind in ("lambda", "def") and len(part) == 3 and type(part[2]) is int:
                self._function(self.program.codes[part[2]], dict(free))
            elif kind == "class" and len(part) == 3 and type(part[2]) is int:
                record = self.program.classes[part[2]]
                stack += [record.bases, record.keywords, record.decorators, record.body]
            else:
                if _hides(part) or _has_open_format(part):
                    self.is_open = True
                stack += part

    # ---- statements

    def _block(self, body: Sequence[Stmt], state: State) -> State | None:
        """What is there at the end of a block; None where its end is never reached."""
        here: State | None = state
        for statement in body:
            if here is None:
                return None
            for raised in self._raised:
                raised.append(dict(here))
            here = self._statement(statement, here)
        return here

    def _statement(self, statement: Stmt, state: State) -> State | None:
        handler = _STATEMENTS.get(statement[0])
        if handler is not None:
            left: State | None = handler(self, statement, state)
            return left
        self._expression(statement, state)
        return state

    def _assign(self, statement: Stmt, state: State) -> State:
        self._expression(statement[3], state)
        for target in statement[2]:
            self._target(target, state)
        return state

    def _annotated(self, statement: Stmt, state: State) -> State:
        _, _, target, annotation, value = statement
        self._expression((annotation, value), state)
        if value is not None or target[0] != "name":
            self._target(target, state)
        return state

    def _augmented(self, statement: Stmt, state: State) -> State:
        self._expression((statement[4], statement[5]), state)
        self._target(statement[2], state)
        return state

    def _delete(self, statement: Stmt, state: State) -> State:
        for target in statement[2]:
            self._expression(target, state)
            if target[0] == "name":
                state.pop(target[2], None)
        return state

    def _leave(self, statement: Stmt, state: State) -> None:
        for part in statement[2:]:
            if part is not None:
                self._expression(part, state)

    def _break(self, statement: Stmt, state: State) -> None:
        if self._breaks:
            self._breaks[-1].append(state)

    def _continue(self, statement: Stmt, state: State) -> None:
        if self._continues:
            self._continues[-1].append(state)

    def _import(self, statement: Stmt, state: State) -> State:
        if statement[0] == "import":
            for nid, dotted, name in statement[1]:
                self._bind(name or dotted.partition(".")[0], nid, state)
        elif statement[4] is not None:
            for nid, _, name in statement[4]:
                self._bind(name, nid, state)
        return state

    def _define(self, statement: Stmt, state: State) -> State:
        code = self.program.codes[statement[2]]
        self._function(code, state)
        self._bind(code.name, code.nid, state)
        return state

    def _class(self, statement: Stmt, state: State) -> State:
        record = self.program.classes[statement[2]]
        self._expression((record.bases, record.keywords, record.decorators), state)
        # Its body runs here and has variables of its own; which of the two a name means is left open.
        self._inside(record.body, state)
        self._bind(record.name, record.nid, state)
        return state

    def _if(self, statement: Stmt, state: State) -> State | None:
        self._expression(statement[2], state)
        return _joined([self._block(statement[3], dict(state)), self._block(statement[4], dict(state))])

    def _loop(self, statement: Stmt, state: State) -> State | None:
        is_for = statement[0] == "for"
        target, test = (statement[2], statement[3]) if is_for else (None, statement[2])
        body, other = statement[-2:]
        if is_for:
            self._expression(test, state)
        head = dict(state)
        while True:
            self._breaks.append([])
            self._continues.append([])
            here = dict(head)
            if target is None:
                self._expression(test, here)
            else:
                self._target(target, here)
            end = self._block(body, here)
            left, again = self._breaks.pop(), self._continues.pop()
            new = _joined([head, end, *again]) or head
            if new == head:
                break
            head = new
        # The target is bound by the iteration that is over, too: what was there before may be gone.
        after = _joined([head, end, *again]) or head
        if target is None:
            self._expression(test, after)
        return _joined([self._block(other, after), *left])

    def _try(self, statement: Stmt, state: State) -> State | None:
        _, _, body, handlers, other, last = statement
        everything: list[State] = []
        self._raised.append(everything)  # for the last block: whatever happens
        raised: list[State] = [dict(state)]
        self._raised.append(raised)
        end = self._block(body, dict(state))
        self._raised.pop()
        if end is not None:
            end = self._block(other, end)
        ends = [end]
        for kind, name, handler in handlers:
            here = _joined(raised) or {}
            self._expression(kind, here)
            if name is not None:
                here[name] = frozenset()
            ends.append(self._block(handler, here))
        self._raised.pop()
        found = _joined(ends)
        if not last:
            return found
        self._block(last, _joined([*everything, *raised, found]) or {})
        return None if found is None else self._block(last, found)

    def _with(self, statement: Stmt, state: State) -> State | None:
        for value, target in statement[2]:
            self._expression(value, state)
            if target is not None:
                self._target(target, state)
        raised: list[State] = []
        self._raised.append(raised)
        end = self._block(statement[3], dict(state))
        self._raised.pop()
        return _joined([end, *raised])  # it may go on where its body raises

    def _match(self, statement: Stmt, state: State) -> State | None:
        self._expression(statement[2], state)
        ends: list[State | None] = [dict(state)]
        for _, pattern, guard, body in statement[3]:
            here = dict(state)
            self._expression(pattern, here)
            for name in _captured(pattern):
                here[name] = frozenset()
            self._expression(guard, here)
            ends.append(self._block(body, here))
        return _joined(ends)


_STATEMENTS: Mapping[str, Any] = {
    "assign": DefUse._assign,
    "ann": DefUse._annotated,
    "aug": DefUse._augmented,
    "del": DefUse._delete,
    "return": DefUse._leave,
    "raise": DefUse._leave,
    "break": DefUse._break,
    "continue": DefUse._continue,
    "import": DefUse._import,
    "from": DefUse._import,
    "def": DefUse._define,
    "class": DefUse._class,
    "if": DefUse._if,
    "for": DefUse._loop,
    "while": DefUse._loop,
    "try": DefUse._try,
    "with": DefUse._with,
    "match": DefUse._match,
}


def _is_constant(node: Expr) -> bool:
    """Whether this is a constant, and no keyword argument of that name."""
    return node[0] == "const" and len(node) == 2 and not isinstance(node[1], tuple)


def _hides(node: Expr) -> bool:
    """Whether an expression was lowered without what it reads."""
    return node[0] == "opaque" and len(node) == 1


def _has_open_format(node: Expr) -> bool:
    """Whether a string is formatted with a specification that has values in it, which are not kept."""
    return node[0] == "fstring" and len(node) == 4 and any("{" in (part[2] or "") for part in node[2])


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


def _captured(pattern: Any) -> Iterator[str]:
    """The names that a pattern binds."""
    stack = [pattern]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part:
            continue
        if part[0] in ("capture", "star") and isinstance(part[1], str):
            yield part[1]
        elif part[0] == "mapping" and len(part) == 4 and part[2] is not None:
            yield part[2]
        if part[0] not in ("const", "name", "attr", "call"):
            stack += part


def bindings_of(code: Code, nid: int) -> tuple[Binding, ...]:
    """The variables that the value of the expression with this number goes into, whole or in parts: it is all
    of what an assignment assigns, or a constant item of it is."""
    return tuple(_bindings(code.body, nid))


def _bindings(body: Sequence[Stmt], nid: int) -> Iterator[Binding]:
    for statement in statements(body):
        if statement[0] == "assign":
            targets, value = statement[2], statement[3]
        elif statement[0] == "ann" and statement[4] is not None:
            targets, value = (statement[2],), statement[4]
        else:
            continue
        index: tuple[int, ...] = ()
        while value[0] == "sub" and value[1] != nid and value[3][0] == "const" and type(value[3][1]) is int:
            index, value = (value[3][1], *index), value[2]
        if len(value) > 1 and value[0] not in ("const", "tuple", "star") and value[1] == nid:
            for target in targets:
                yield from _parts(target, index)


def _parts(target: Expr, index: tuple[int, ...]) -> Iterator[Binding]:
    if target[0] == "name":
        yield Binding(target[2], target[1], index)
    elif target[0] == "star":
        yield from _parts(target[1], (*index[:-1], -1))
    elif target[0] == "tuple":
        stars = [number for number, each in enumerate(target[1]) if each[0] == "star"]
        for number, each in enumerate(target[1]):
            # Behind a star positions count from the end.
            own = number if not stars or number <= stars[0] else number - len(target[1])
            yield from _parts(each, (*index, own))


def names_in(code: Code, nid: int) -> frozenset[str]:
    """The variables that the expression with this number mentions, outside functions in it."""
    stack: list[Any] = [code.body]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part or _is_constant(part):
            continue
        if len(part) > 2 and isinstance(part[0], str) and part[1] == nid and type(part[1]) is int:
            return frozenset(_names(part))
        stack += part
    return frozenset()


def _names(node: Any) -> Iterator[str]:
    stack = [node]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part or _is_constant(part):
            continue
        if part[0] == "name" and len(part) == 3 and type(part[1]) is int:
            yield part[2]
        stack += part
