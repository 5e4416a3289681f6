"""The statements around a statement: what is bound for certain before it, and what is read after it.

In: a statement of a located file. Out: names, and the statements that run before it. It knows the order in
which statements stand, and that loops come round.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from jaxlint.fixes.uniqueness import is_bound_in, reads
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst


def small_statements(line: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements of a line, or the compound statement that it is."""
    return line.body if isinstance(line, cst.SimpleStatementLine) else (line,)


def only_statement(body: cst.BaseSuite) -> cst.CSTNode | None:
    """The statement that is all of a block."""
    lines: Sequence[cst.CSTNode] = body.body
    found = [each for line in lines for each in small_statements(line)]
    return found[0] if len(found) == 1 else None


def line_of(code: Located, node: cst.CSTNode) -> cst.CSTNode | None:
    """The line or compound statement around a node, or the node itself."""
    line: cst.CSTNode | None = node
    while line is not None and not isinstance(line, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        line = code.parent(line)
    return line


def next_statement(code: Located, node: cst.CSTNode) -> cst.CSTNode | None:
    """The statement that follows in the same block, where it stands on lines of its own."""
    block = code.parent(node)
    if not isinstance(block, cst.IndentedBlock):
        return None
    lines = list(block.body)
    behind = lines[lines.index(node) + 1 :]  # type: ignore[arg-type]
    return behind[0] if behind else None


def names_bound(target: cst.CSTNode) -> Iterator[str]:
    """The plain names that an assignment to the target binds."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for each in target.elements:
            yield from names_bound(each.value)


def earlier(code: Located, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The function around a statement, and what has run in it when the statement is reached, in order; loops
    around it are among that. Empty where there is no function, or the way to it is not a plain one."""
    found: list[list[cst.CSTNode]] = []
    line = line_of(code, node)
    while line is not None:
        block = code.parent(line)
        if not isinstance(block, cst.IndentedBlock):
            break
        lines: list[cst.CSTNode] = list(block.body)
        found.append([each for line in lines[: lines.index(line)] for each in small_statements(line)])
        line = code.parent(block)
        while isinstance(line, (cst.Else, cst.If, cst.Finally)) and isinstance(code.parent(line), cst.If):
            line = code.parent(line)
        if isinstance(line, cst.FunctionDef):
            found.append([line])
            return [each for block in reversed(found) for each in block]
        if line is not None and not isinstance(line, cst.BaseCompoundStatement):
            break
        if isinstance(line, (cst.For, cst.While)):
            found.append([line])
    return []


def parameters(function: cst.FunctionDef | cst.Lambda) -> list[str]:
    params = function.params
    return [each.name.value for each in (*params.posonly_params, *params.params, *params.kwonly_params)]


def is_bound_at(code: Located, node: cst.CSTNode, name: str) -> bool:
    """Whether a name is bound for certain at a node; one of a scope around the function is taken to be."""
    inner, outer = node, code.parent(node)
    while outer is not None:
        if isinstance(outer, (cst.FunctionDef, cst.Lambda)):
            return name in parameters(outer) or not is_bound_in(code, outer, name)
        if isinstance(outer, (cst.IndentedBlock, cst.Module)):
            if _bindings(code, outer).is_bound_before(inner, name):
                return True
        elif isinstance(outer, cst.BaseComp):
            clause: cst.CompFor | None = outer.for_in
            while clause is not None:
                if name in names_bound(clause.target):
                    return True
                clause = clause.inner_for_in
        elif isinstance(outer, cst.For) and inner is outer.body and name in names_bound(outer.target):
            return True
        elif isinstance(outer, cst.With) and name in _names_of_items(outer):
            return True
        inner, outer = outer, code.parent(outer)
    return not is_bound_in(code, None, name)


class Bindings:
    """Which names are bound for certain before each statement of a block."""

    def __init__(self, lines: Sequence[cst.CSTNode]) -> None:
        self._places = {id(line): place for place, line in enumerate(lines)}
        self._changes: dict[str, list[tuple[int, bool]]] = {}  # after which statements that is another answer
        bound: set[str] = set()
        for place, line in enumerate(lines):
            names = set(_names_changed(line))
            after = _bound_after(line, bound & names)
            for name in names:
                if (name in after) != (name in bound):
                    self._changes.setdefault(name, []).append((place, name in after))
            bound -= names
            bound |= after

    def is_bound_before(self, line: cst.CSTNode, name: str) -> bool:
        changes = self._changes.get(name, [])
        index = bisect_left(changes, (self._places.get(id(line), len(self._places)), False))
        return index > 0 and changes[index - 1][1]


def _bindings(code: Located, block: cst.IndentedBlock | cst.Module) -> Bindings:
    key = "bindings", id(block)
    known: Bindings | None = code.known.get(key)
    if known is None:
        known = code.known[key] = Bindings(block.body)
    return known


def _names_changed(line: cst.CSTNode) -> Iterator[str]:
    """The names that a statement may bind or delete, as far as `_bound_after` looks."""
    for each in small_statements(line):
        if isinstance(each, cst.Assign):
            for target in each.targets:
                yield from names_bound(target.target)
        elif isinstance(each, (cst.AnnAssign, cst.Del)):
            yield from names_bound(each.target)
        elif isinstance(each, (cst.Import, cst.ImportFrom, cst.FunctionDef, cst.ClassDef)):
            yield from _bound_after(each, set())
        elif isinstance(each, (cst.With, cst.If)):
            if isinstance(each, cst.With):
                yield from _names_of_items(each)
            arm: cst.CSTNode | None = each
            while isinstance(arm, (cst.With, cst.If, cst.Else)):
                for inner in arm.body.body:
                    yield from _names_changed(inner)
                arm = arm.orelse if isinstance(arm, cst.If) else None


def _names_of_items(statement: cst.With) -> set[str]:
    named = [each.asname.name for each in statement.items if each.asname is not None]
    return {name for target in named for name in names_bound(target)}


def _bound_after(line: cst.CSTNode, bound: set[str]) -> set[str]:
    """What is bound for certain when a statement is over, given what was before."""
    found = {*bound}
    for each in small_statements(line):
        if isinstance(each, cst.Assign):
            for target in each.targets:
                found.update(names_bound(target.target))
        elif isinstance(each, cst.AnnAssign) and each.value is not None:
            found.update(names_bound(each.target))
        elif isinstance(each, (cst.Import, cst.ImportFrom)):
            aliases = () if isinstance(each.names, cst.ImportStar) else each.names
            for alias in aliases:
                found.add(alias.evaluated_alias or alias.evaluated_name.partition(".")[0])
        elif isinstance(each, cst.Del):
            found.difference_update(names_bound(each.target))
        elif isinstance(each, (cst.FunctionDef, cst.ClassDef)):
            found.add(each.name.value)
        elif isinstance(each, cst.With):
            found = _bound_in_block(each.body, found | _names_of_items(each))
        elif isinstance(each, cst.If):
            arms = [_bound_in_block(each.body, found)]
            if isinstance(each.orelse, cst.If):
                arms.append(_bound_after(each.orelse, found))
            else:
                arms.append(found if each.orelse is None else _bound_in_block(each.orelse.body, found))
            ends = [_leaves(each.body), isinstance(each.orelse, cst.Else) and _leaves(each.orelse.body)]
            live = [arm for arm, is_left in zip(arms, ends, strict=True) if not is_left]
            found = set.intersection(*live) if live else found
    return found


def _bound_in_block(body: cst.BaseSuite, bound: set[str]) -> set[str]:
    for line in body.body:
        bound = _bound_after(line, bound)
    return bound


def _leaves(body: cst.BaseSuite) -> bool:
    """Whether a block ends by leaving the one around it."""
    lines: Sequence[cst.CSTNode] = body.body
    last = [each for line in lines[-1:] for each in small_statements(line)]
    return bool(last) and isinstance(last[-1], (cst.Return, cst.Raise, cst.Continue, cst.Break))


def is_read_after(code: Located, statement: cst.CSTNode, name: cst.Name) -> bool:
    """Whether a variable that the statement binds is read elsewhere, after it or in the next turn of a loop
    around it."""
    start, end = code.offsets(statement)
    outer = code.parent(statement)
    first = end
    while outer is not None and not isinstance(outer, (cst.FunctionDef, cst.Lambda)):
        if isinstance(outer, (cst.For, cst.While)):
            first = code.offsets(outer)[0]
        outer = code.parent(outer)
    places = [code.offsets(each)[0] for each in reads(code, name)]
    return any(first <= place and not start <= place < end for place in places)
