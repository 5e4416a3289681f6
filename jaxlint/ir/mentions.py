"""How often a function's body names something, and what for.

In: lowered statements. Out: whether what a name stands for is called there exactly once; whether a function
asks if a parameter is a tracer; whether a method reads an attribute of its object. It refuses to know what
the names stand for.
"""

from __future__ import annotations

from jaxlint.ir.program import Code, Program, Stmt

_LOOPS = frozenset(("for", "while", "comp"))


def is_called_once(body: tuple[Stmt, ...], name: str, program: Program) -> bool:
    """Whether a body names this once, outside its loops: to call it, or to call what some function makes of
    it, as in `jit(f)(x)`."""
    mentions = calls = 0
    stack: list[tuple[object, bool]] = [(body, False)]
    while stack:
        part, repeated = stack.pop()
        if not isinstance(part, tuple) or not part:
            continue
        # What is not numbered is no node: a keyword's name may be like a kind of node.
        kind = part[0] if len(part) > 2 and isinstance(part[1], int) else ""
        if kind == "name":
            mentions += part[2] == name
        elif kind in ("def", "lambda"):
            mentions += name in program.codes[part[2]].free
        elif kind == "class":
            stack.append((program.classes[part[2]].body, True))
        else:
            repeated = repeated or kind in _LOOPS
            if kind == "call" and not repeated:
                makers = (part[2], *part[2][3]) if part[2][0] == "call" else (part[2],)
                calls += any(each[0] == "name" and each[2] == name for each in makers)
            stack.extend([(each, repeated) for each in part])
    return mentions == calls == 1


def asks_for_tracer(code: Code) -> bool:
    """Whether the text of a function has `isinstance(parameter, ...Tracer)`."""
    names = {param.name for param in code.params}
    stack: list[object] = [code.body]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part or part[0] == "const":
            continue
        if part[0] == "call" and len(part) > 3 and part[2][0] == "name" and part[2][2] == "isinstance":
            given = part[3]
            if len(given) == 2 and given[0][0] == "name" and given[0][2] in names:
                classes = given[1][1] if given[1][0] == "tuple" else (given[1],)
                if any(each[0] in ("name", "attr") and each[-1] == "Tracer" for each in classes):
                    return True
        stack.extend(part)
    return False


def registers_itself(code: Code) -> bool:
    """Whether the text of `__new__` hands its class to a function that registers pytrees."""
    own = code.params[0].name if code.params else ""
    stack: list[object] = [code.body]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part or part[0] == "const":
            continue
        if part[0] == "call" and len(part) > 3 and part[2][0] in ("name", "attr") and part[3]:
            first = part[3][0]
            is_own = first[0] == "name" and first[2] == own
            if is_own and str(part[2][-1]).startswith(
                ("register_pytree", "register_dataclass", "register_static")
            ):
                return True
        stack.extend(part)
    return False


def reads_own(code: Code, name: str) -> bool:
    """Whether a method's text has `self.name`, outside the functions in it."""
    own = code.params[0].name if code.params else ""
    stack: list[object] = [code.body]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part or part[0] == "const":
            continue
        if part[0] == "attr" and len(part) == 4 and part[3] == name:
            if part[2][0] == "name" and part[2][2] == own:
                return True
        stack.extend(part)
    return False
