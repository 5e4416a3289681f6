"""What a reference refers to that JAX has removed or deprecated, and how it is written now.

In: `Reference` events and the versions that a project admits; later the finding's source. Out: the parts of
a finding, and the edits of its fix. It refuses to know which versions those are: `api.deprecation` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from jaxlint.analysis.events import Reference
from jaxlint.diagnostic import APPLICABILITIES, Applicability, Edit, Fix, Span
from jaxlint.fixes.imports import reached
from jaxlint.fixes.rewrite import cut, put, replaced
from jaxlint.ir.finding import Finding, Part
from jaxlint.ir.locations import Located
from jaxlint.ir.positions import Offsets
from jaxlint.source.from_libcst import dotted_name
from jaxlint.source.lazy_libcst import cst
from jaxlint.tables import deprecation
from jaxlint.tables.deprecation import Row, Version

_OWNERS = {"array": "arrays", "key": "keys", "compiled": "compiled functions", "device": "devices"}
_LONGEST = 36  # characters of a name in a message


class Migration(NamedTuple):
    """A reference to an API that is removed or deprecated.

    usable: the new one may be offered. lapsed: since when that is removed or deprecated itself.
    """

    nid: int
    how: str
    row: Row
    usable: bool
    lapsed: Version | None
    target: tuple[Version | None, Version | None]


def migration_of(
    event: Reference, status: str, target: tuple[Version | None, Version | None]
) -> Migration | None:
    """What a reference is reported for under this status, and where: once for all that is in a module."""
    lowest, highest = target
    name, nid = event.name, event.nid
    if event.how in ("import", "star"):
        verdict = deprecation.lookup_import(name, lowest=lowest, highest=highest)
    elif event.how == "keyword":
        verdict = deprecation.lookup_keyword(name, event.keyword, lowest=lowest, highest=highest)
    elif event.how in ("method", "call"):
        kind, _, method = name.partition(".")
        called = event.how == "call"
        verdict = deprecation.lookup_method(kind, method, called=called, lowest=lowest, highest=highest)
    else:
        verdict = deprecation.lookup(name, lowest=lowest, highest=highest)
        owner = name.rpartition(".")[0]
        if event.how == "from":
            if verdict is None or verdict.row.name != name:
                verdict = deprecation.lookup_import(owner, lowest=lowest, highest=highest)
                nid = event.statement
        elif verdict is not None:
            above = deprecation.lookup(owner, lowest=lowest, highest=highest)
            if verdict.row.name != name or (above is not None and above.status == verdict.status):
                return None
    if verdict is None or verdict.status != status:
        return None
    return Migration(nid, event.how, verdict.row, verdict.replacement_exists, verdict.lapsed, target)


def subject(migration: Migration) -> tuple[str, dict[str, int | str | Part]]:
    """What lapsed, as a template with the names in it."""
    row, how = migration.row, migration.how
    if how == "keyword":
        function = _short(row.name.partition("(")[0], _LONGEST - len(row.keyword) - 8)
        return "`{keyword}=` of `{api}`", {"keyword": row.keyword, "api": function}
    if how in ("method", "call"):
        kind, _, method = row.name.partition(".")
        return f"`{{api}}` of {_OWNERS[kind]}", {"api": method}
    if how == "flag":
        return "the option `{api}`", {"api": row.name.rpartition(".")[2]}
    return "`{api}`", {"api": _short(row.name.removeprefix("import "))}


def _short(name: str, longest: int = _LONGEST) -> str:
    return name if len(name) <= longest else name.rpartition(".")[2]


def error_of(migration: Migration) -> str:
    """The class of the error that the line raises where the API is gone."""
    if refused := migration.row.refused_with(migration.target[1]):
        return refused
    if migration.how == "keyword" or migration.row.name.endswith("()"):
        return "TypeError"
    if migration.how in ("import", "star"):
        return "ModuleNotFoundError"
    if migration.how == "from":
        module = migration.row.kind == "module" and not migration.row.name.startswith("import ")
        return "ImportError" if module or migration.row.kind != "module" else "ModuleNotFoundError"
    return "AttributeError"


def advice(migration: Migration) -> str:
    """What to write in its place."""
    row = migration.row
    text = row.replacement
    if text and row.kind == "kwarg" and text.isidentifier():
        text += "=..."
    since = ""
    if text and migration.lapsed is not None:
        text, since = "", f"`{text}` is deprecated or removed since JAX {number(migration.lapsed)}, too"
    elif text and not migration.usable and row.available_from is not None:
        since = "from JAX " + ".".join(map(str, row.available_from)) + " on"
    return "; ".join(part for part in (text, row.note, since) if part)


def number(version: Version | None) -> str:
    return "" if version is None else ".".join(map(str, version))


# ---- fixes


def rewritten(finding: Finding, code: Located) -> Fix | None:
    """The fix for a finding whose data is its lapse."""
    migration: Migration = finding.data
    outer: cst.Attribute | None = None
    if migration.how == "attribute":
        migration, outer = _beyond(code, migration, code.node(finding.nid))
    row = migration.row
    if row.fix in (None, "displayonly") or not migration.usable:
        return None
    most = deprecation.BY_POSITION.get(row.name)
    if most is not None and not _by_keyword(code, outer or code.node(finding.nid), most):
        return None
    if any(_is_gone(each, migration) for each in _said_then(code, outer or code.node(finding.nid), row)):
        return None
    edits: tuple[Edit, ...] | None = None
    if migration.how == "keyword":
        edits = _keyword(code, code.node(finding.nid), row)
    elif migration.how in ("from", "import", "star"):
        edits = _imported(code, code.node(finding.nid), row)
    elif outer is not None:
        edits = _attribute(code, code.offsets(outer), code.offsets(outer.attr), row)
    elif migration.how in ("attribute", "method", "call"):
        edits = _attribute(code, code.header(finding.nid), _name_of(code, finding.nid), row)
    return None if edits is None or row.fix is None else Fix(row.fix, f"write {row.replacement}", edits)


def _name_of(code: Located, nid: int) -> Offsets | None:
    """The name behind the last dot of an attribute."""
    found = code.attribute(nid)
    if found is not None:
        return found
    node = code.node(nid)
    return code.offsets(node.attr) if isinstance(node, cst.Attribute) else None


def _beyond(code: Located, migration: Migration, node: cst.CSTNode) -> tuple[Migration, cst.Attribute | None]:
    """What is read of a module that is gone may have gone to a place of its own, or from where that is."""
    outer = code.parent(node)
    if not isinstance(outer, cst.Attribute) or outer.value is not node:
        return migration, None
    plan = deprecation.plan(migration.row)
    said = f"{migration.row.name}.{outer.attr.value}"
    name = said if plan is None else f"{plan.qualified}.{outer.attr.value}"
    row = deprecation.row_of(name)
    if row is not None and plan is not None:
        if not _is_gone(name, migration):
            return migration, None
        # both steps are made at once, which is as safe as the less safe one
        row = replace(row, name=said, fix=None if row.fix is None else _less_safe(row.fix, migration.row.fix))
    if row is None:
        return migration, None
    usable, lapsed = deprecation.replacement_of(row, *migration.target)
    return migration._replace(row=row, usable=usable, lapsed=lapsed), outer


def _less_safe(one: Applicability, other: Applicability | None) -> Applicability:
    return one if other is None else max(one, other, key=APPLICABILITIES.index)


def _is_gone(name: str, migration: Migration) -> bool:
    """Whether a name, of a module or of what is in one, is removed or deprecated itself."""
    lowest, highest = migration.target
    return deprecation.lookup(name, lowest=lowest, highest=highest) is not None


def _said_then(code: Located, node: cst.CSTNode, row: Row) -> Iterator[str]:
    """The names of the library that the file says once the fix is made: what is read of the new name, where
    it stands and wherever else the name is used that an import binds."""
    plan = deprecation.plan(row)
    if plan is None:
        return
    statement = code.parent(node) if isinstance(node, cst.ImportAlias) else node
    if isinstance(node, cst.ImportAlias) and isinstance(statement, cst.ImportFrom):
        yield from _uses(code, node, plan.qualified)
    elif isinstance(node, cst.ImportAlias):
        yield from _uses(code, node, plan.qualified + code.text_of(node.name).removeprefix(row.name))
    elif isinstance(node, cst.ImportFrom):
        module = plan.qualified + dotted_name(node.module).removeprefix(row.name) if node.module else ""
        if isinstance(node.names, cst.ImportStar):
            # whichever of its names the file has
            yield from (each.name for each in deprecation.rows() if each.name.startswith(f"{module}."))
            return
        for item in node.names:
            yield from _uses(code, item, f"{module}.{item.evaluated_name}")
    else:
        yield _beyond_dots(code, node, plan.qualified)


def _uses(code: Located, item: cst.ImportAlias, name: str) -> Iterator[str]:
    """The names that the file says of what an import binds."""
    yield name
    bound = item.asname.name if item.asname is not None else item.name
    if isinstance(bound, cst.Name):
        for path in _paths(code.mentioning(bound.value), bound.value):
            yield _beyond_dots(code, path[-1], name)


def _beyond_dots(code: Located, node: cst.CSTNode, name: str) -> str:
    """What is read of a name, through all dots behind it."""
    above = code.parent(node)
    while isinstance(above, cst.Attribute) and above.value is node:
        name, node = f"{name}.{above.attr.value}", above
        above = code.parent(node)
    return name


def _by_keyword(code: Located, node: cst.CSTNode, most: int) -> bool:
    """Whether every use that the file shows of a function gives at most so many arguments by position.

    A use is a decorator, a call, or the first argument of `partial` with others by keyword; what else is done
    with the function cannot be told.
    """
    if isinstance(node, cst.ImportAlias):
        bound = node.asname.name if node.asname is not None else node.name
        if not isinstance(bound, cst.Name):
            return False
        return all(_use(path, most) for path in _paths(code.mentioning(bound.value), bound.value))
    above = code.parent(node)
    if isinstance(above, cst.Arg):
        return _use([code.parent(above) or above, above, node], most)
    return _use([above or node, node], most)


def _paths(roots: list[cst.CSTNode], name: str) -> Iterator[list[cst.CSTNode]]:
    """Each read of that name, below the two nodes that it is a part of."""
    stack = [[root] for root in roots]
    while stack:
        path = stack.pop()
        node, above = path[-1], path[-2] if len(path) > 1 else None
        if isinstance(node, cst.Name) and node.value == name:
            keyword = isinstance(above, cst.Arg) and above.keyword is node
            attribute = isinstance(above, cst.Attribute) and above.attr is node
            if not (keyword or attribute or isinstance(above, (cst.ImportAlias, cst.AsName))):
                yield path
        stack += [[*path[-2:], child] for child in node.children]


def _use(path: list[cst.CSTNode], most: int) -> bool:
    above, node = path[-2], path[-1]
    if isinstance(above, cst.Call) and above.func is node:
        given = [arg for arg in above.args if arg.keyword is None]
        return len(given) <= most and not any(arg.star == "*" for arg in given)
    if isinstance(above, cst.Arg) and isinstance(path[0], cst.Call) and path[0].args[0] is above:
        function, others = dotted_name(path[0].func), path[0].args[1:]
        return function.rpartition(".")[2] == "partial" and all(arg.keyword for arg in others)
    return isinstance(above, cst.Decorator)


def _keyword(code: Located, node: cst.CSTNode, row: Row) -> tuple[Edit, ...] | None:
    text, call = deprecation.renamed(row), code.parent(node)
    if text is None or not isinstance(call, cst.Call) or not isinstance(node, cst.Arg):
        return None
    given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    if node.keyword is None or text in given:
        return None
    return (replaced(code, node.keyword, text),)


def _attribute(code: Located, whole: Offsets, name: Offsets | None, row: Row) -> tuple[Edit, ...] | None:
    """An attribute gets another name, or another module's takes its place."""
    if name is None:
        return None
    text = deprecation.renamed(row)
    if text is not None:
        return (Edit(code.source.span(*name), text),)
    plan = deprecation.plan(row)
    if plan is None:
        return None
    owner = row.name.rpartition(".")[0] + "."
    if plan.qualified.startswith(owner) and not plan.needs:
        return (Edit(code.source.span(*name), plan.qualified.removeprefix(owner)),)
    found = reached(code, plan.qualified, plan.needs)
    return None if found is None else (*found[1], Edit(code.source.span(*whole), found[0]))


def _imported(code: Located, node: cst.CSTNode, row: Row) -> tuple[Edit, ...] | None:
    """What an import names is imported from where it is now."""
    if isinstance(node, cst.ImportAlias):
        statement = code.parent(node)
        if isinstance(statement, cst.ImportFrom):
            return _import_from(code, statement, node, row)
        return _module(code, node.name, row) if node.asname is not None else None
    if isinstance(node, cst.ImportFrom) and node.module is not None:
        return _module(code, node.module, row)
    return None


def _module(code: Located, node: cst.CSTNode, row: Row) -> tuple[Edit, ...] | None:
    """The module that an import names moves, with all that is in it."""
    plan = deprecation.plan(row)
    if plan is None or row.kind != "module":
        return None
    text = code.text_of(node)
    if text != row.name and not text.startswith(row.name + "."):
        return None
    return (replaced(code, node, plan.qualified + text.removeprefix(row.name)),)


def _import_from(
    code: Located, statement: cst.ImportFrom, item: cst.ImportAlias, row: Row
) -> tuple[Edit, ...] | None:
    """The name is imported from where it is now, under the name that the file has for it."""
    plan = deprecation.plan(row)
    if plan is None or not plan.module or statement.module is None:
        return None
    if isinstance(statement.names, cst.ImportStar):
        return None
    bound = item.asname.name if item.asname is not None else item.name
    if not isinstance(bound, cst.Name):
        return None
    wanted = plan.attribute if plan.attribute == bound.value else f"{plan.attribute} as {bound.value}"
    items = list(statement.names)
    if plan.module == dotted_name(statement.module):
        return (Edit(_item_span(code, item), wanted),)
    if len(items) == 1:
        return (replaced(code, statement.module, plan.module), Edit(_item_span(code, item), wanted))
    line = code.parent(statement)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    start = code.offsets(statement)[0]
    indent = code.source.text[code.source.text.rfind("\n", 0, start) + 1 : start]
    if indent.strip():
        return None
    position = next(index for index, each in enumerate(items) if each is item)
    if position + 1 < len(items):
        begin, end = code.offsets(item)[0], code.offsets(items[position + 1])[0]
    else:
        begin, end = _end(code, items[position - 1]), _end(code, item)
    if "#" in code.source.text[begin:end]:
        return None  # the comment may be about what stays
    return (put(code, start, f"from {plan.module} import {wanted}\n{indent}"), cut(code, begin, end))


def _end(code: Located, item: cst.ImportAlias) -> int:
    """Where an item ends, its comma left out."""
    last = item.asname.name if item.asname is not None else item.name
    return code.offsets(last)[1]


def _item_span(code: Located, item: cst.ImportAlias) -> Span:
    return code.source.span(code.offsets(item)[0], _end(code, item))
