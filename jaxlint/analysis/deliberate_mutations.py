"""Changes of Python's state in traced code that are meant, as far as the text shows.

In: a change, and the text of its module. Out: whether it counts traces for tests and asserts, fills scratch
that every function writes before it reads it, is made once for each of the things that a collection
remembers, or makes again what the module made. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.analysis.function_context import Mutation
from jaxlint.ir.constant_attributes import is_alike
from jaxlint.ir.loop_carried import bodies, statements
from jaxlint.ir.program import Code, Expr, Program, Stmt


def counts_traces(change: Mutation) -> bool:
    """Whether `n += 1` counts for asserts and tests alone: no other code reads what it is called."""
    func = change.frame.func
    if func is None:
        return False
    written = [each for each in statements(func.code.body) if _is_at(each, change.nid)]
    if len(written) != 1 or written[0][0] != "aug" or written[0][3:5] != ("+", ("const", 1)):
        return False
    name = _name(written[0][2])
    asserted = False
    for code in func.module.program.codes:
        is_test = code.name.startswith("test")
        for statement in statements(code.body):
            if statement[0] == "assert" and code.index and _reads(statement, name):
                asserted = True
            elif any(_reads(part, name) for part in _parts(statement, name)):
                if not is_test:
                    return False
                asserted = True
    return asserted


def is_scratch(change: Mutation) -> bool:
    """Whether a list or dict of the function around is filled by each function that reads it, item by
    item and before it is read, so that what a trace leaves in it is never seen."""
    func = change.frame.func
    if func is None or change.how != "item":
        return False
    written = [each for each in statements(func.code.body) if _is_at(each, change.nid)]
    targets = [target for each in written if each[0] == "assign" for target in each[2]]
    names = {target[2][2] for target in targets if target[0] == "sub" and target[2][0] == "name"}
    if len(names) != 1:
        return False
    name = names.pop()
    env = func.env
    while env.code is not None and name not in env.code.bound and env.parent is not None:
        env = env.parent
    maker = env.code
    if maker is None or env.parent is None or name not in maker.bound or name in func.code.bound:
        return False
    program = func.module.program
    inner = [each for each in program.codes if name in each.free and _is_below(each, maker)]
    items = [item for each in inner for item in _stored(each, name)]
    return not _loads(maker, name, program) and all(_fills(each, name, items) for each in inner)


def is_done_once(change: Mutation) -> bool:
    """Whether a change is made once for each thing: where it is not yet in a collection, to which it is added
    beside the change."""
    func = change.frame.func
    for statement in statements(func.code.body) if func is not None else ():
        if statement[0] == "if" and statement[2][0] == "cmp" and len(statement[2][3]) == 1:
            thing, ((operator, seen),) = statement[2][2], statement[2][3]
            block = statement[3] if operator == "not in" else statement[4] if operator == "in" else ()
            if any(_adds(each, seen, thing) for each in block) and _has(block, change.nid):
                return True
    return False


def makes_again(change: Mutation) -> bool:
    """Whether a variable of the module is given once more what the module gives it, by the same call."""
    func = change.frame.func
    if func is None:
        return False
    names = func.code.global_names
    for statement in statements(func.code.body):
        if statement[0] == "assign" and _is_at(statement, change.nid) and statement[3][0] == "call":
            target, value = statement[2][0], statement[3]
            if len(statement[2]) > 1 or target[0] != "name" or target[2] not in names:
                return False
            given = [
                each[3]
                for each in statements(func.module.program.body.body)
                if each[0] == "assign" and any(_name(one) == target[2] for one in each[2])
            ]
            local = func.code.bound.union(func.code.free) - names
            return any(is_alike(each, value) for each in given) and not any(
                _mentions(value, name) and _is_local(func.code, name, func.module.program) for name in local
            )
    return False


def _is_local(code: Code, name: str, program: Program) -> bool:
    """Whether a name is one of the function's, or of a function around it."""
    return name in code.bound or any(
        name in each.bound for each in program.codes[1:] if _is_below(code, each)
    )


def _adds(statement: Stmt, collection: Expr, thing: Expr) -> bool:
    """Whether a statement puts a thing into a collection."""
    if statement[0] == "assign":
        return any(
            target[0] == "sub" and is_alike(target[2], collection) and is_alike(target[3], thing)
            for target in statement[2]
        )
    call = statement[-1]
    if not isinstance(call, tuple) or not call or call[0] != "call" or call[2][0] != "attr":
        return False
    added = call[2][3] in ("add", "append") and len(call[3]) == 1
    return added and is_alike(call[2][2], collection) and is_alike(call[3][0], thing)


def _has(node: object, nid: int) -> bool:
    """Whether one of the expressions has this number."""
    if not isinstance(node, tuple) or not node or node[0] == "const":
        return False
    if len(node) > 2 and isinstance(node[0], str) and node[1] == nid:
        return True
    return any(_has(part, nid) for part in node if isinstance(part, tuple))


def _is_at(statement: Stmt, nid: int) -> bool:
    if statement[0] not in ("aug", "assign"):
        return False
    targets = statement[2] if statement[0] == "assign" else (statement[2],)
    return statement[1] == nid or any(len(each) > 2 and each[1] == nid for each in targets)


def _is_below(code: Code, maker: Code) -> bool:
    return code.qualname.startswith(f"{maker.qualname}.")


def _stored(code: Code, name: str) -> Iterator[Expr]:
    """The items that statements of the body itself store."""
    for statement in code.body:
        if statement[0] == "assign":
            for target in statement[2]:
                if target[0] == "sub" and target[2][0] == "name" and target[2][2] == name:
                    yield target[3]


def _fills(code: Code, name: str, items: Sequence[Expr]) -> bool:
    """Whether a body stores all of these items before anything else of it mentions the container."""
    missing = list(items)
    for statement in code.body:
        if missing and _mentions(statement, name):
            stored = list(_stored(Code(0, "", "", 0, body=(statement,)), name))
            if not stored or _mentions(statement[3], name):
                return False
            missing = [each for each in missing if not any(is_alike(each, item) for item in stored)]
    return not missing


def _loads(maker: Code, name: str, program: Program) -> bool:
    """Whether the function that makes a container reads it, or hands it to anyone."""
    for statement in statements(maker.body):
        if statement[0] in ("def", "class"):
            continue
        if any(_mentions(part, name) for part in _parts(statement, name)):
            return True
    return any(
        _mentions(statement, name)
        for each in program.classes
        if each.qualname.startswith(f"{maker.qualname}.")
        for statement in each.body
    )


def _parts(statement: Stmt, name: str) -> Iterator[object]:
    """What a statement evaluates: all but the places where it stores, and but its blocks."""
    kind = statement[0]
    if kind in ("assign", "ann", "aug"):
        for target in statement[2] if kind == "assign" else (statement[2],):
            if _name(target) != name:
                yield target
            elif target[0] == "sub":
                yield target[3]
        yield statement[3] if kind == "aug" and _name(statement[2]) == name else statement[3:]
        return
    blocks = list(bodies(statement))
    for part in statement[1:]:
        if not any(part is block for block in blocks):
            yield part if kind != "try" else None


def _name(target: Expr) -> str:
    """The variable or the attribute that a target is, or is an item of."""
    while target[0] == "sub":
        target = target[2]
    if target[0] == "attr":
        return str(target[3])
    return str(target[2]) if target[0] == "name" else ""


def _reads(node: object, name: str) -> bool:
    """Whether an expression reads a variable or an attribute of this name."""
    if not isinstance(node, tuple) or not node or node[0] == "const":
        return False
    if len(node) > 2 and ((node[0] == "name" and node[2] == name) or (node[0] == "attr" and node[3] == name)):
        return True
    return any(_reads(part, name) for part in node if isinstance(part, tuple))


def _mentions(node: object, name: str) -> bool:
    if not isinstance(node, tuple) or not node or node[0] == "const":
        return False
    if len(node) > 2 and node[0] == "name" and node[2] == name:
        return True
    return any(_mentions(part, name) for part in node if isinstance(part, tuple))
