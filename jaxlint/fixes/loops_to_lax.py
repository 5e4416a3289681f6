"""Loops of Python written as loops of JAX: what they carry from turn to turn, and the edits.

In: a `for` or `while` of a located file, and the kinds of the variables there. Out: the edits, or None where
the body does more than compute variables whose shapes and dtypes stay as they are. It rewrites the header
and what stands behind the body; the body itself stays, comments and all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from jaxlint.diagnostic import Edit
from jaxlint.fixes.array_safe_uses import takes_tracer
from jaxlint.fixes.definite_assignment import (
    earlier,
    is_bound_at,
    is_read_after,
    names_bound,
    small_statements,
)
from jaxlint.fixes.imports import builtin, reached, unused
from jaxlint.fixes.rewrite import plain_operator, put, whole
from jaxlint.fixes.shapes import (
    Form,
    Kind,
    Kinds,
    Reader,
    arrays_by_use,
    form_of_kind,
    forms_of,
    variables_in,
)
from jaxlint.fixes.uniqueness import reads, scope_of
from jaxlint.ir.locations import Located
from jaxlint.source.from_libcst import dotted_name
from jaxlint.source.lazy_libcst import cst

_COUNTER = "#"  # stands for the counter among the variables
_COUNTS = Kind("array", "i", 0)
_Step: TypeAlias = "tuple[cst.Name, cst.BaseExpression]"


def as_fori_loop(code: Located, iterable: cst.CSTNode, kinds: Kinds) -> tuple[Edit, ...] | None:
    """`for i in range(...)` as `jax.lax.fori_loop`, where that takes the bounds."""
    loop = code.parent(iterable)
    if not isinstance(loop, cst.For) or loop.iter is not iterable or loop.asynchronous:
        return None
    if not isinstance(iterable, cst.Call) or builtin(code, iterable.func) != "range":
        return None
    counter, args = loop.target, iterable.args
    if not isinstance(counter, cst.Name) or not 1 <= len(args) <= 2 or any(arg.star for arg in args):
        return None
    entered = Reader(code, _forms_at(code, loop, kinds), {**dict(kinds), _COUNTER: _COUNTS})
    carried = _carried(code, loop, entered, counter)
    loops = reached(code, "jax.lax.fori_loop")
    if not carried or loops is None or is_read_after(code, loop, counter):
        return None
    first = "0" if len(args) == 1 else whole(code, args[0].value)
    start = f"{first}, {whole(code, args[-1].value)}"
    turn, header, unpack, state = _turn(code, carried, f"{counter.value}, ")
    head = f"{header}:"
    return _edits(code, loop, head, unpack, carried, f"{loops[0]}({start}, {turn}, {state})", loops[1])


def as_while_loop(code: Located, test: cst.CSTNode, kinds: Kinds) -> tuple[Edit, ...] | None:
    """`while test` as `jax.lax.while_loop`; the test has to be one boolean."""
    loop = code.parent(test)
    if not isinstance(loop, cst.While) or loop.test is not test:
        return None
    entered = Reader(code, _forms_at(code, loop, kinds), dict(kinds))
    carried = _carried(code, loop, entered, None)
    loops = reached(code, "jax.lax.while_loop")
    asked = entered.form(test)
    if not carried or loops is None or asked is None or entered.letter(asked) != "b":
        return None
    read = {*variables_in(test)} & {target.value for target, _ in _steps(loop)}
    if not read or not read <= {*carried}:
        return None
    turn, header, unpack, state = _turn(code, carried, "")
    unfinished = unused(code, "condition")
    outer, inner = _indents(code, loop)
    lines = [f"{header.replace(turn, unfinished, 1)}:", *([inner + unpack] if unpack else [])]
    lines += [f"{inner}return {whole(code, test)}", "", f"{outer}{header}:"]
    call = f"{loops[0]}({unfinished}, {turn}, {state})"
    return _edits(code, loop, "\n".join(lines), unpack, carried, call, loops[1])


# ---- what is carried


def _carried(
    code: Located, loop: cst.For | cst.While, entered: Reader, counter: cst.Name | None
) -> list[str]:
    """The variables that a loop changes and that are there before it, in the order of the body; none where
    the loop is no plain computation of them, or does not leave their shapes and dtypes as they are."""
    steps = _steps(loop)
    names = list(dict.fromkeys(target.value for target, _ in steps))
    known = {name for name in names if is_bound_at(code, loop, name)}
    carried = [name for name in names if name in known]
    if not carried or (counter is not None and counter.value in names):
        return []
    function = scope_of(code, loop)
    for name in names:
        written = next(target for target, _ in steps if target.value == name)
        if name not in known and is_read_after(code, loop, written):
            return []
        if any(scope_of(code, each) is not function for each in reads(code, written)):
            return []
    if not earlier(code, loop) or not _are_set_first({*names} - known, steps):
        return []
    if any({*names} & (each.global_names | each.nonlocal_names) for each in code.program.codes):
        return []
    if not _are_arrays(code, loop, steps, entered.kinds):
        return []
    start = {name: entered.forms.get(name) for name in carried}
    first = _after(steps, entered, start, counter)
    if first is None:
        return []
    # JAX gives a number of Python the dtype that the first turn leaves, once.
    settled = {name: _promoted(entered, start[name], first[name]) for name in carried}
    last = _after(steps, entered, settled, counter)
    if last is None or not all(_alike(entered, settled[name], last[name]) for name in carried):
        return []
    for name in carried:
        # Python's numbers are wider than those of JAX: of them only counts are carried.
        is_count = entered.letter(last[name]) == "i" and _may_be_array(code, loop, name, steps)
        if not _has_array(last[name]) and not is_count:
            return []
    return carried


def _steps(loop: cst.For | cst.While) -> list[_Step]:
    """The assignments to plain names that a body consists of, an augmented one as the operation that it
    does; none where there is anything else."""
    if loop.orelse is not None or not isinstance(loop.body, cst.IndentedBlock):
        return []
    found: list[_Step] = []
    for line in loop.body.body:
        for statement in small_statements(line):
            if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
                target = statement.targets[0].target
                if not isinstance(target, cst.Name):
                    return []
                found.append((target, statement.value))
            elif isinstance(statement, cst.AugAssign) and isinstance(statement.target, cst.Name):
                operator = plain_operator(statement.operator)
                if operator is None:
                    return []
                value = cst.BinaryOperation(statement.target, operator[1], statement.value)
                found.append((statement.target, value))
            else:
                return []
    return found


def _are_set_first(names: set[str], steps: Iterable[_Step]) -> bool:
    """Whether a turn reads its own variables only after it has set them."""
    for target, value in steps:
        if names.intersection(variables_in(value)):
            return False
        names = names - {target.value}
    return True


def _after(
    steps: Iterable[_Step], entered: Reader, start: Mapping[str, Form | None], counter: cst.Name | None
) -> dict[str, Form] | None:
    """The forms of all variables when the body has run once."""
    forms = {**entered.forms, **{name: form for name, form in start.items() if form is not None}}
    kinds = {**entered.kinds}
    for name, form in start.items():
        if form != entered.forms.get(name) or form is None:
            kinds.pop(name, None)
    if counter is not None:
        kinds.pop(counter.value, None)
        forms[counter.value] = form_of_kind(_COUNTER, _COUNTS)
    for target, value in steps:
        reader = Reader(entered.code, forms, kinds)
        form = reader.form(value)
        if form is None or _may_overflow(reader, value):
            return None
        forms[target.value] = form
    return forms


def _may_overflow(reader: Reader, value: cst.CSTNode) -> bool:
    """Whether an expression computes with integers of Python, which are of any size, more than a count."""
    if isinstance(value, cst.BinaryOperation):
        sides = (value.left, value.right)
        forms = [reader.form(each) for each in sides]
        if all(each and not _has_array(each) and reader.letter(each) in "bi" for each in forms):
            plain = [isinstance(each, cst.Integer) for each in sides]
            counts = [form is not None and _COUNTER in form.dtype for form in forms]
            if isinstance(value.operator, cst.Multiply):
                is_count = any(plain) and any(counts)
            else:
                is_count = not isinstance(value.operator, cst.Power) and any(plain + counts)
            if not is_count and not all(plain):
                return True
    return any(_may_overflow(reader, each) for each in value.children)


def _has_array(form: Form) -> bool:
    """Whether an array decides the dtype too; the loop's counter is one where JAX has the loop."""
    return any(not each.startswith(":") and each != _COUNTER for each in form.dtype)


def _promoted(reader: Reader, start: Form | None, end: Form) -> Form | None:
    """A number of Python at the start takes the dtype that it has at the end."""
    if start is None or _has_array(start) or start.shape != end.shape:
        return start
    order = "bifc"
    before, after = reader.letter(start), reader.letter(end)
    if before == "b" or after == "?" or order.index(before) > order.index(after):
        return start
    return end


def _alike(reader: Reader, start: Form | None, end: Form) -> bool:
    return start is not None and reader.are_alike(start, end)


def _are_arrays(code: Located, loop: cst.CSTNode, steps: Iterable[_Step], kinds: Mapping[str, Kind]) -> bool:
    """Whether what may be a container is computed with as only arrays can be."""
    values = [value for _, value in steps]
    used = {each for value in values for each in variables_in(value)}
    trees = {each for each in used if each in kinds and kinds[each].sort == "tree"}
    return trees <= arrays_by_use(code, values)


def _may_be_array(code: Located, loop: cst.CSTNode, name: str, steps: Iterable[_Step]) -> bool:
    """Whether an array may be what a number of Python was, for all that read it behind the loop."""
    written = next(target for target, _ in steps if target.value == name)
    start, end = code.offsets(loop)
    outside = [each for each in reads(code, written) if not start <= code.offsets(each)[0] < end]
    return all(takes_tracer(code, each) for each in outside if code.offsets(each)[0] >= end)


# ---- the forms that the loop begins with


def _forms_at(code: Located, loop: cst.CSTNode, kinds: Kinds) -> dict[str, Form]:
    """The forms of the variables when a statement is reached, by what was assigned on the way to it."""
    known = dict(kinds)
    forms = forms_of(kinds)
    for position, statement in enumerate(earlier(code, loop)):
        if position == 0:
            continue  # the function itself
        if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
            target = statement.targets[0].target
            form = Reader(code, forms, known).form(statement.value)
            if isinstance(target, cst.Name) and form is not None:
                _bind(forms, known, target.value)
                if target.value not in form.shape | form.dtype:
                    forms[target.value] = form
                continue
        for name in _bound_in(statement):
            _bind(forms, known, name)
    return forms


def _bind(forms: dict[str, Form], kinds: Mapping[str, Kind], name: str) -> None:
    """A variable has another value: what was like the old one is like nothing known."""
    for other, form in list(forms.items()):
        if other == name or name in form.shape | form.dtype:
            if other in kinds:
                forms[other] = form_of_kind(other, kinds[other])
            else:
                del forms[other]


def _bound_in(statement: cst.CSTNode) -> Iterator[str]:
    """All names that a statement may bind."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)):
            yield from names_bound(node.target)
            if isinstance(node.target, cst.Attribute):
                yield dotted_name(node.target)
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            yield node.name.value
        elif isinstance(node, cst.AsName):
            yield from names_bound(node.name)
        elif isinstance(node, cst.Del):
            yield from names_bound(node.target)
        stack.extend(node.children)


# ---- the text


def _turn(code: Located, carried: list[str], counter: str) -> tuple[str, str, str, str]:
    """The name of the function that is one turn, its header, the line that names what it is given, and what
    the loop begins with."""
    turn = unused(code, "body")
    if len(carried) == 1:
        return turn, f"def {turn}({counter}{carried[0]})", "", carried[0]
    carry, names = unused(code, "carry"), ", ".join(carried)
    return turn, f"def {turn}({counter}{carry})", f"{names} = {carry}", f"({names})"


def _indents(code: Located, loop: cst.For | cst.While) -> tuple[str, str]:
    """The indents of the loop and of its body."""
    return _indent(code, loop), _indent(code, loop.body.body[0])


def _indent(code: Located, node: cst.CSTNode) -> str:
    start = code.offsets(node)[0]
    return code.source.text[code.source.text.rfind("\n", 0, start) + 1 : start]


def _edits(
    code: Located,
    loop: cst.For | cst.While,
    head: str,
    unpack: str,
    carried: list[str],
    call: str,
    imports: tuple[Edit, ...],
) -> tuple[Edit, ...] | None:
    """The header becomes `head`, and the function's result and its call follow the body."""
    text = code.source.text
    outer, inner = _indents(code, loop)
    start, header = code.offsets(loop)[0], loop.body.header  # type: ignore[attr-defined]
    colon, first = code.offsets(header)
    last = code.offsets(loop.body.body[-1])[1]
    row_start = start - len(outer)
    if (outer + inner).strip() or "#" in text[start:colon] or not text[:first].endswith("\n"):
        return None
    names = ", ".join(carried)
    before = text[:row_start].rstrip(" \t")
    edits = [Edit(code.source.span(start, colon), head)]
    if before.endswith("\n") and not before.endswith(("\n\n", ":\n")):
        edits.append(put(code, row_start, "\n"))
    if unpack:
        edits.append(put(code, first, f"{inner}{unpack}\n"))
    tail = f"{inner}return {names}\n\n{outer}{names} = {call}\n"
    end = text.find("\n", last - 1 if text[last - 1 : last] == "\n" else last)
    if end < 0:
        return None
    edits.append(put(code, end + 1, tail))
    return (*edits, *imports)


__all__ = ["as_fori_loop", "as_while_loop"]
