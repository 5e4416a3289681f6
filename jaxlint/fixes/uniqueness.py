"""Whether a local variable is the only name of a new array, as far as its function's text shows.

In: a name in a located file. Out: whether everything that is bound to it is new, and nothing else keeps it;
then changing the variable is as good as changing the array. It knows names and syntax, no values: what it
cannot see is answered with no.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.fixes.imports import meaning
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst

# functions that may hand on the array that they are given, or a part of it that NumPy would share
_SHARING = frozenset(
    "asarray array_split atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to expand_dims moveaxis "
    "permute_dims ravel reshape rollaxis split squeeze swapaxes transpose device_put "
    "block_until_ready".split()
)
_PRINTERS = frozenset(("print", "float", "int", "bool", "len", "sum", "min", "max", "abs", "repr", "str"))


def _is_scope(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.FunctionDef, cst.Lambda, cst.ClassDef))


def _is_operation(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison))


def scope_of(code: Located, node: cst.CSTNode) -> cst.CSTNode | None:
    """The function or class that a node's names belong to; None for the module."""
    scope = code.parent(node)
    if isinstance(scope, (cst.FunctionDef, cst.ClassDef)) and scope.name is node:
        scope = code.parent(scope)
    while scope is not None and not _is_scope(scope):
        scope = code.parent(scope)
    return scope


def home_of(code: Located, name: cst.Name) -> cst.CSTNode | None:
    """The innermost scope around a name that binds it; None for the module's, or a builtin."""
    scope = scope_of(code, name)
    while scope is not None:
        if is_bound_in(code, scope, name.value):
            return scope
        scope = scope_of(code, scope)
    return None


def reads(code: Located, name: cst.Name) -> Sequence[cst.Name]:
    """The places that read the variable of which this is an occurrence, in all scopes that see it."""
    home = home_of(code, name)
    key = "reads", id(home), name.value
    found = code.known.get(key)
    if found is None:
        found = code.known[key] = [
            each
            for each in occurrences(code, home, name.value, True)
            if binding(code, each) is None and home_of(code, each) is home
        ]
    return found


def is_bound(code: Located, name: cst.Name) -> bool:
    """Whether the scope around the name binds it, so that one more assignment changes no other scope."""
    return is_bound_in(code, scope_of(code, name), name.value)


def is_bound_in(code: Located, scope: cst.CSTNode | None, name: str) -> bool:
    """Whether something in the scope itself binds the name."""
    key = "bound", id(scope), name
    found = code.known.get(key)
    if found is None:
        found = any(binding(code, each) is not None for each in occurrences(code, scope, name, False))
        code.known[key] = found
    return bool(found)


def is_owner(code: Located, name: cst.Name) -> bool:
    """Whether the variable alone holds arrays that were made for it."""
    scope = scope_of(code, name)
    found = False
    for each in occurrences(code, scope, name.value, True):
        if scope_of(code, each) is not scope:
            return False  # captured, global or nonlocal elsewhere
        bound = binding(code, each)
        if bound is not None:
            if not _is_new(code, bound):
                return False
            found = True
        elif not _is_read(code, each):
            return False
    return found


def occurrences(code: Located, scope: cst.CSTNode | None, name: str, deep: bool) -> Iterator[cst.Name]:
    """The places where the name stands in a scope, with `deep` in the scopes inside it too."""
    for each in named(code, scope, name, deep):
        if not _is_label(code, each):
            yield each


def named(code: Located, scope: cst.CSTNode | None, name: str, deep: bool) -> Sequence[cst.Name]:
    """The nodes that are the name in a scope, whatever they are there."""
    key = "names", id(scope), deep, name if scope is None else ""
    names: dict[str, list[cst.Name]] | None = code.known.get(key)
    if names is None:
        own = getattr(scope, "name", None)  # belongs to the scope around
        roots = scope.children if scope is not None else code.mentioning(name)
        names = code.known[key] = {}
        for each in _names([root for root in roots if root is not own], deep):
            names.setdefault(each.value, []).append(each)
    return names.get(name, ())


def _names(stack: list[cst.CSTNode], deep: bool) -> Iterator[cst.Name]:
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Name):
            yield node
        if deep or not _is_scope(node):
            stack.extend(node.children)
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            stack.append(node.name)


def _is_label(code: Located, name: cst.Name) -> bool:
    """Whether this is an attribute or a keyword, no variable."""
    outer = code.parent(name)
    if isinstance(outer, cst.Attribute):
        return outer.attr is name
    return isinstance(outer, cst.Arg) and outer.keyword is name


def binding(code: Located, name: cst.Name) -> cst.CSTNode | None:
    """What an occurrence binds the variable to: an expression, or the statement that does it."""
    outer = code.parent(name)
    if isinstance(outer, cst.AssignTarget):
        return getattr(code.parent(outer), "value", outer)
    if isinstance(outer, (cst.FunctionDef, cst.ClassDef)):
        return outer if outer.name is name else None
    if isinstance(outer, (cst.AnnAssign, cst.NamedExpr)) and outer.target is name:
        return outer.value if outer.value is not None else outer
    if isinstance(outer, (cst.For, cst.CompFor)):
        return outer if outer.target is name else None
    if isinstance(outer, (cst.AugAssign, cst.Param, cst.AsName, cst.NameItem, cst.StarredElement)):
        return outer
    element = code.parent(outer) if isinstance(outer, cst.Element) else None
    holder = code.parent(element) if isinstance(element, (cst.Tuple, cst.List)) else None
    if isinstance(holder, cst.AssignTarget):
        return holder
    if isinstance(holder, (cst.For, cst.CompFor)) and holder.target is element:
        return holder
    return None


def _is_new(code: Located, value: cst.CSTNode) -> bool:
    """Whether an expression makes an array that nothing else can hold."""
    if _is_operation(value) or isinstance(value, cst.AugAssign):
        return True
    if isinstance(value, cst.IfExp):
        return _is_new(code, value.body) and _is_new(code, value.orelse)
    if not isinstance(value, cst.Call):
        return False
    if isinstance(value.func, cst.Attribute) and _is_update(value.func):
        return True
    name = meaning(code, value.func)
    return name is not None and name.startswith("jax.") and name.rpartition(".")[2] not in _SHARING


def _is_update(function: cst.Attribute) -> bool:
    """Whether this is the method of `x.at[...]`."""
    owner = function.value
    return (
        isinstance(owner, cst.Subscript)
        and isinstance(owner.value, cst.Attribute)
        and owner.value.attr.value == "at"
    )


def _is_read(code: Located, name: cst.Name) -> bool:
    """Whether nothing can keep the array because of this occurrence."""
    outer = code.parent(name)
    if isinstance(outer, (cst.Subscript, cst.Attribute)):
        return outer.value is name and (isinstance(outer, cst.Subscript) or outer.attr.value != "T")
    if outer is not None and _is_operation(outer):
        return True
    if isinstance(outer, (cst.ComparisonTarget, cst.FormattedStringExpression, cst.Expr, cst.Return)):
        return True
    if isinstance(outer, cst.Element):
        return isinstance(code.parent(code.parent(outer) or outer), cst.Return)
    if isinstance(outer, cst.Arg):
        call = code.parent(outer)
        if not isinstance(call, cst.Call):
            return False
        if isinstance(call.func, cst.Name) and call.func.value in _PRINTERS:
            return True
        return (meaning(code, call.func) or "").startswith("jax.") and _is_new(code, call)
    return False


__all__ = ["binding", "home_of", "is_bound", "is_owner", "occurrences", "reads", "scope_of"]
