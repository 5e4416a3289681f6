"""Where the value of an expression goes, as far as the syntax around it shows.

In: a node of a located file. Out: whether a tracer may stand wherever its value is used: then a fix may put
an array in the place of a number. It follows a local name through its function and no further; what it
cannot see is answered with no.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.diagnostic import Applicability
from jaxlint.fixes.imports import meaning
from jaxlint.fixes.uniqueness import binding, named
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst
from jaxlint.tables.array_methods import METHODS
from jaxlint.tables.signatures import METHOD, parameter_at, signature

_FARTHEST = 3  # variables that a value is followed through
_HARMLESS = ("abs", "sum", "divmod", "pow", "isinstance", "type")


def safety(code: Located, node: cst.CSTNode) -> Applicability:
    """How a fix may be applied that makes an array of what was to be a number or a truth."""
    return "unsafe" if takes_tracer(code, node) else "displayonly"


def takes_tracer(code: Located, node: cst.CSTNode, names: tuple[str, ...] = ()) -> bool:
    """Whether nothing that is done with the value needs to know it while tracing.

    `names`: the variables that it has gone through.
    """
    key = "takes tracer", id(node), names
    known = code.known.get(key)
    if known is None:
        known = code.known[key] = _takes_tracer(code, node, names)
    return bool(known)


def _takes_tracer(code: Located, node: cst.CSTNode, names: tuple[str, ...]) -> bool:
    outer = code.parent(node)
    if isinstance(outer, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.ComparisonTarget)):
        return _keeps_array(outer) and takes_tracer(code, outer, names)
    if isinstance(outer, (cst.Tuple, cst.List, cst.Dict)):
        return _is_returned(code, outer)
    if isinstance(outer, (cst.Element, cst.DictElement)):
        return takes_tracer(code, outer, names)
    if isinstance(outer, cst.Return):
        return True
    if isinstance(outer, cst.Lambda):
        return outer.body is node
    if isinstance(outer, cst.Arg):
        return _is_passed(code, outer, names)
    if isinstance(outer, cst.IfExp):
        return outer.test is not node and takes_tracer(code, outer, names)
    if isinstance(outer, cst.Attribute):
        row = METHODS.get(outer.attr.value)
        return row is not None and row[1] == "array" and takes_tracer(code, outer, names)
    if isinstance(outer, cst.Call):
        return outer.func is node and takes_tracer(code, outer, names)
    target: cst.CSTNode | None = None
    if isinstance(outer, cst.Assign) and len(outer.targets) == 1:
        target = outer.targets[0].target
    elif isinstance(outer, cst.AugAssign) and outer.value is node:
        target = outer.target
    if isinstance(outer, (cst.Assign, cst.AugAssign)):
        return isinstance(target, cst.Name) and _goes_on(code, outer, target.value, names)
    return isinstance(outer, cst.Expr)


def _goes_on(code: Located, node: cst.CSTNode, name: str, names: tuple[str, ...]) -> bool:
    """Whether all reads of a variable that has the value take a tracer."""
    if name in names:
        return True  # that is asked already
    return len(names) < _FARTHEST and all(
        takes_tracer(code, use, (*names, name)) for use in _uses(code, node, name)
    )


def _keeps_array(node: cst.CSTNode) -> bool:
    """Whether an operation works on tracers."""
    if isinstance(node, cst.UnaryOperation):
        return not isinstance(node.operator, cst.Not)
    if isinstance(node, cst.BinaryOperation):
        return not isinstance(node.left, (cst.SimpleString, cst.ConcatenatedString, cst.List, cst.Tuple))
    if isinstance(node, cst.Comparison):
        return len(node.comparisons) == 1
    return not (isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, (cst.In, cst.NotIn)))


def _is_returned(code: Located, node: cst.CSTNode) -> bool:
    """Whether a display is what a function returns."""
    outer = code.parent(node)
    while isinstance(outer, (cst.Tuple, cst.List, cst.Dict, cst.Element, cst.DictElement)):
        outer = code.parent(outer)
    return isinstance(outer, (cst.Return, cst.Lambda))


def _is_passed(code: Located, arg: cst.Arg, names: tuple[str, ...]) -> bool:
    """Whether a function of a library takes a tracer there and gives an array back."""
    call = code.parent(arg)
    if not isinstance(call, cst.Call) or arg.star:
        return False
    if isinstance(call.func, cst.Name) and call.func.value in _HARMLESS:
        return takes_tracer(code, call, names)
    name = meaning(code, call.func)
    if name is None and isinstance(call.func, cst.Attribute):
        # `.set(v)` and the like of x.at[i] are no methods of arrays; they take tracers.
        if isinstance(call.func.value, cst.Subscript) and isinstance(call.func.value.value, cst.Attribute):
            return call.func.value.value.attr.value == "at"
        name = METHOD + call.func.attr.value
    found = None if name is None else signature(name)
    if found is None:
        return False
    parameters, static = found
    if arg.keyword is not None:
        return arg.keyword.value not in static
    position = list(call.args).index(arg)
    parameter = parameter_at(parameters, position)
    return parameter is not None and parameter.lstrip("*") not in static


def _uses(code: Located, node: cst.CSTNode, name: str) -> Iterator[cst.Name]:
    """The reads of a local name in the function around a node."""
    scope: cst.CSTNode | None = node
    while scope is not None and not isinstance(scope, (cst.FunctionDef, cst.Module)):
        scope = code.parent(scope)
    for each in named(code, scope, name, True) if scope is not None else ():
        if not _is_label(code, each):
            yield each


def _is_label(code: Located, name: cst.Name) -> bool:
    """Whether this is a target, a keyword or an attribute: no read of the variable."""
    outer = code.parent(name)
    if isinstance(outer, cst.Arg):
        return outer.keyword is name
    if isinstance(outer, cst.Attribute):
        return outer.attr is name
    return binding(code, name) is not None
