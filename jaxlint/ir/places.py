"""What the text of a program says of a number: which function it is in, whether a loop is around it, whether
nothing ever runs it.

In: a lowered program. Out: `Places`, with answers by number. It refuses to know what names mean;
`TYPE_CHECKING` and constants are all that it knows of tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from jaxlint.ir.loop_carried import bodies
from jaxlint.ir.program import Code, Program, Stmt

_ENDS = frozenset(("return", "raise", "break", "continue"))
_INNER = frozenset(("def", "lambda", "class"))


class Places:
    """The numbers of one program.

    home: the function, or the module's body, that runs a number. looped: the numbers that a `for`, a `while`
    or a comprehension of their own function repeats. dead: the numbers that come after what always leaves
    their block, or stand under a test that is never true.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.home: dict[int, Code] = {}
        self.looped: set[int] = set()
        self.dead: set[int] = set()
        self.outer: dict[Code, Code] = {}  # the function, or the module's body, that a function is made in
        self._code = program.body
        self._block(program.body.body, False, False)

    # ---- statements

    def _block(self, body: Sequence[Stmt], is_looped: bool, is_dead: bool) -> bool:
        """Gives whether the end of the block is never reached."""
        ends = False
        for statement in body:
            ends = self._statement(statement, is_looped, is_dead or ends) or ends
        return ends

    def _statement(self, statement: Stmt, is_looped: bool, is_dead: bool) -> bool:
        kind = statement[0]
        if kind == "if":
            self._note(statement[1:3], is_looped, is_dead)
            truth = _truth(statement[2])
            then = self._block(statement[3], is_looped, is_dead or truth is False)
            other = self._block(statement[4], is_looped, is_dead or truth is True)
            return (then or truth is False) and (other or truth is True)
        if kind in ("for", "while"):
            return self._loop(statement, is_looped, is_dead)
        if kind == "try":
            self._note(statement[1:2], is_looped, is_dead)
            self._note([kind for kind, _, _ in statement[3]], is_looped, is_dead)
            body = self._block(statement[2], is_looped, is_dead)
            handlers = [self._block(handler, is_looped, is_dead) for _, _, handler in statement[3]]
            other = self._block(statement[4], is_looped, is_dead or body)
            last = self._block(statement[5], is_looped, is_dead)
            return last or ((body or other) and all(handlers))
        if kind in _INNER or kind == "from":
            self._expression(statement, is_looped, is_dead)
            return False
        inner = [*bodies(statement)]
        own = {id(block) for block in inner}
        if kind == "match":  # the blocks are parts of the cases
            self._note([statement[1:3], *(case[:3] for case in statement[3])], is_looped, is_dead)
        else:
            self._note([part if id(part) not in own else () for part in statement], is_looped, is_dead)
        for block in inner:
            self._block(block, is_looped, is_dead)  # a `with` may go on where its body raises
        return kind in _ENDS

    def _loop(self, statement: Stmt, is_looped: bool, is_dead: bool) -> bool:
        if statement[0] == "for":
            head, target, iterable, body, other = statement[1:6]
            self._note((head, iterable), is_looped, is_dead)
            self._note((target,), True, is_dead)
            truth = None
        else:
            head, test, body, other = statement[1:5]
            self._note((head,), is_looped, is_dead)
            self._note((test,), True, is_dead)
            truth = _truth(test)
        self._block(body, True, is_dead or truth is False)
        ends = truth is True and not _breaks(body)
        return self._block(other, is_looped, is_dead or truth is True) and not _breaks(body) or ends

    # ---- numbers

    def _note(self, parts: Iterable[Any], is_looped: bool, is_dead: bool) -> None:
        for part in parts:
            if type(part) is int:
                self._mark(part, is_looped, is_dead)
            elif isinstance(part, tuple) and part:
                self._expression(part, is_looped, is_dead)

    def _expression(self, node: Any, is_looped: bool, is_dead: bool) -> None:
        kind = node[0]
        if kind == "const" and len(node) == 2 and not isinstance(node[1], tuple):
            return
        if kind in _INNER and len(node) == 3 and type(node[2]) is int:
            self._mark(node[1], is_looped, is_dead)
            self._inner(kind, node[2], is_looped, is_dead)
        elif kind == "comp" and len(node) == 6:
            self._mark(node[1], is_looped, is_dead)
            first, *rest = node[5]
            self._note((first[2],), is_looped, is_dead)
            self._note((first[0], first[1], first[3], *rest, node[3], node[4]), True, is_dead)
        elif kind == "from":
            self._mark(node[1], is_looped, is_dead)
            self._note([item[0] for item in node[4] or ()], is_looped, is_dead)
        else:
            self._note(node, is_looped, is_dead)

    def _inner(self, kind: str, index: int, is_looped: bool, is_dead: bool) -> None:
        if kind == "class":
            record = self.program.classes[index]
            keywords = [value for _, value in record.keywords]
            self._note((*record.bases, *keywords, *record.decorators), is_looped, is_dead)
            self._block(record.body, is_looped, is_dead)
            return
        code, around = self.program.codes[index], self._code
        heads = [(param.default, param.annotation) for param in code.params]
        self._note((*code.decorators, code.returns, *heads), is_looped, is_dead)
        self.outer[code] = around
        self._code = code
        self._note([param.nid for param in code.params], False, is_dead)
        self._block(code.body, False, is_dead)
        self._code = around

    def _mark(self, number: int, is_looped: bool, is_dead: bool) -> None:
        self.home[number] = self._code
        if is_looped:
            self.looped.add(number)
        if is_dead:
            self.dead.add(number)


def _truth(test: Any) -> bool | None:
    """Whether a test always, or never, holds."""
    if test[0] == "const":
        return bool(test[1])
    if test[0] in ("name", "attr") and test[-1] == "TYPE_CHECKING":
        return False
    return None


def _breaks(body: Sequence[Stmt]) -> bool:
    """Whether a `break` of this loop is in its body."""
    for statement in body:
        kind = statement[0]
        if kind == "break":
            return True
        inner = [statement[5]] if kind == "for" else [statement[4]] if kind == "while" else bodies(statement)
        if any(_breaks(block) for block in inner):
            return True
    return False


def mentions(program: Program) -> Counter[str]:
    """How often a program mentions each name, be it as a variable, an attribute, an import or a text."""
    stack: list[Any] = []
    for code in program.codes:
        stack += [code.body, code.decorators, code.returns]
        stack += [(param.default, param.annotation) for param in code.params]
    for record in program.classes:
        stack += [record.bases, record.keywords, record.decorators, record.body]
    found: Counter[str] = Counter(name for _, _, names in program.imports for name in names or ())
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part:
            continue
        if part[0] == "const" and len(part) == 2 and not isinstance(part[1], tuple):
            if isinstance(part[1], str):
                found[part[1]] += 1
            continue
        if part[0] in ("name", "attr") and len(part) > 2 and isinstance(part[-1], str):
            found[part[-1]] += 1
        stack.extend(part)
    return found
