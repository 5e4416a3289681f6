"""The counters of the loops around a place: the names that have another number at each turn.

In: a node of a located file and the name of a variable. Out: the counters, from the innermost loop outwards,
of all loops that find the same value in the variable at each of their turns. A loop whose turns cannot be
told apart by a number that is in sight is answered with None, and so is what the syntax does not show.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.fixes.imports import builtin, meaning
from jaxlint.fixes.uniqueness import binding, occurrences, scope_of
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst

_FORI_BODY = 2  # its position among the arguments of fori_loop
_LOOPING = frozenset(
    f"jax.lax.{name}" for name in ("scan", "while_loop", "fori_loop", "map", "associative_scan")
)


def counters(code: Located, node: cst.CSTNode, name: str) -> list[cst.Name] | None:
    """The counters that tell apart all turns at which `node` sees one value of the variable."""
    found: list[cst.Name] = []
    seen = [node]  # the nodes on the way outwards
    is_bound = False
    while (outer := code.parent(seen[-1])) is not None:
        inner = seen[-1]
        seen.append(outer)
        if isinstance(outer, (cst.For, cst.While)) and inner is outer.body:
            if not is_bound and _renews(code, outer, name):
                return found
            counter = _of_for(code, outer) if isinstance(outer, cst.For) else None
        elif isinstance(outer, cst.CompFor) and inner is not outer.iter:
            counter = _of_clause(code, outer)
        elif isinstance(outer, cst.BaseComp) and not isinstance(inner, cst.CompFor):
            clauses = [*_clauses(outer.for_in)]
            for clause in reversed(clauses[1:]):
                each = _of_clause(code, clause)
                if each is None:
                    return None
                found.append(each)
            counter = _of_clause(code, clauses[0])
        elif isinstance(outer, (cst.FunctionDef, cst.Lambda)) and inner is outer.body:
            is_bound = is_bound or _binds(code, outer, name)
            call = _fori_call(code, outer)
            if call is None:
                return found if is_bound and not _is_looped(code, outer) else None
            counter = outer.params.params[0].name if outer.params.params else None
            seen.append(call)
        elif isinstance(outer, cst.ClassDef):
            return None
        else:
            continue
        if counter is None:
            return None
        found.append(counter)
    return found if is_bound or _binds(code, None, name) else None


def is_steady(code: Located, counter: cst.Name) -> bool:
    """Whether nothing in the counter's loop but the loop itself binds it."""
    loop = code.parent(counter)
    while not isinstance(loop, (cst.For, cst.BaseComp, cst.FunctionDef, cst.Lambda, type(None))):
        loop = code.parent(loop)
    stack: list[cst.CSTNode] = [] if loop is None else [loop]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Name) and node.value == counter.value and node is not counter:
            if binding(code, node) is not None:
                return False
        stack.extend(node.children)
    return True


def _binds(code: Located, scope: cst.CSTNode | None, name: str) -> bool:
    return any(binding(code, each) is not None for each in occurrences(code, scope, name, False))


def _clauses(clause: cst.CompFor | None) -> Iterator[cst.CompFor]:
    while clause is not None:
        yield clause
        clause = clause.inner_for_in


def _of_for(code: Located, loop: cst.For) -> cst.Name | None:
    return None if loop.asynchronous else _counting(code, loop.target, loop.iter)


def _of_clause(code: Located, clause: cst.CompFor) -> cst.Name | None:
    return None if clause.asynchronous else _counting(code, clause.target, clause.iter)


def _counting(code: Located, target: cst.BaseExpression, iterable: cst.BaseExpression) -> cst.Name | None:
    """The target of `for i in range(...)` or `for i, x in enumerate(...)`, which counts from zero or more."""
    if not isinstance(iterable, cst.Call) or any(arg.star for arg in iterable.args):
        return None
    function = builtin(code, iterable.func)
    values = [arg.value for arg in iterable.args]
    if function == "range" and values:
        first = values[0] if len(values) > 1 else None
        rises = len(values) < 3 or isinstance(values[2], cst.Integer)
        if rises and (first is None or isinstance(first, cst.Integer)):
            return target if isinstance(target, cst.Name) else None
    if function == "enumerate" and values and all(isinstance(each, cst.Integer) for each in values[1:]):
        if isinstance(target, (cst.Tuple, cst.List)) and len(target.elements) == 2:
            counter = target.elements[0].value
            return counter if isinstance(counter, cst.Name) else None
    return None


def _renews(code: Located, loop: cst.For | cst.While, name: str) -> bool:
    """Whether each turn of a loop splits a key anew for the variable."""
    for line in loop.body.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.Assign) and isinstance(statement.value, cst.Call):
                called = meaning(code, statement.value.func)
                targets = [each.target for each in statement.targets]
                if called == "jax.random.split" and any(_has(target, name) for target in targets):
                    return True
    return False


def _has(target: cst.BaseExpression, name: str) -> bool:
    if isinstance(target, (cst.Tuple, cst.List)):
        return any(_has(each.value, name) for each in target.elements)
    return isinstance(target, cst.Name) and target.value == name


def _is_looped(code: Located, function: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a loop of JAX is given the function, or one of its name: it may hand on the same key."""
    stack = code.mentioning(function.name.value if isinstance(function, cst.FunctionDef) else "lambda")
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if isinstance(node, cst.Call) and meaning(code, node.func) in _LOOPING:
            if any(_mentions(arg.value, function) for arg in node.args):
                return True
    return False


def _mentions(node: cst.CSTNode, function: cst.FunctionDef | cst.Lambda) -> bool:
    if isinstance(function, cst.FunctionDef) and isinstance(node, cst.Name):
        return node.value == function.name.value
    return node is function or any(_mentions(each, function) for each in node.children)


def _fori_call(code: Located, function: cst.FunctionDef | cst.Lambda) -> cst.Call | None:
    """The one call of `fori_loop` that a function is the body of, where nothing else has the function."""
    place: cst.CSTNode = function
    if isinstance(function, cst.FunctionDef):
        name = function.name.value
        if function.decorators or function.asynchronous:
            return None
        home = scope_of(code, function)
        uses = [each for each in occurrences(code, home, name, True) if each is not function.name]
        if len(uses) != 1:
            return None
        place = uses[0]
    arg = code.parent(place)
    call = code.parent(arg) if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or not isinstance(arg, cst.Arg):
        return None
    is_body = arg.keyword is None and not any(each.star or each.keyword for each in call.args[:_FORI_BODY])
    is_body = is_body and list(call.args).index(arg) == _FORI_BODY
    return call if is_body and meaning(code, call.func) == "jax.lax.fori_loop" else None
