"""JAX402: values without a hash where JAX or Python needs one."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    LEAVES,
    VIEW,
    Array,
    Claim,
    Edit,
    Event,
    Example,
    External,
    Finding,
    Fix,
    Function,
    Hashed,
    Instance,
    Located,
    Model,
    MutableContainer,
    NumPyArray,
    OneOf,
    Product,
    Rule,
    Store,
    Subscript,
    Transformed,
    TransformedCall,
    Tuple,
    Value,
    cst,
    has_comment,
    has_hash_of_leaves,
    hashed_array,
    hashed_by_method,
    hashed_fields,
    hashed_leaf,
    hashes_fields,
    lacks_hash,
    replaced,
    takes_tuple,
)

_FINDS_TRACES = frozenset(("jit", "pmap", "checkpoint"))
_WRITTEN = {
    "key": "a dict key",
    "element": "an element of a set",
    "memo": "an argument of a memoised function",
}


class UnhashableStaticArgument(Rule):
    """A value that is not hashable is passed as a static argument.

    ## What it does
    Finds lists, dicts, sets, arrays and other unhashable objects that are passed at a static position of a
    jitted function, such objects that are jitted themselves because they can be called, and arrays that are
    used as dict keys, elements of sets or arguments of memoised functions, also where a function such as
    `set`, `dict` or `Counter` takes them out of what it is given, or a tuple holds them. Where nobody calls a
    jitted function, what its static parameters are annotated with counts: an array, or a class without a
    hash; and of an annotated parameter a field that is declared as a list and made one by `default_factory`.

    ## Why
    JAX caches compiled functions by their static arguments, so these must be hashable. Arrays are not, nor
    are mutable containers, nor objects of a class that defines `__eq__` without `__hash__`, as a dataclass
    that is not frozen does. The call raises `ValueError`; for a jitted object, and in a dict, a set or
    `lru_cache`, it is a `TypeError`.

    ## When it is fine
    Tuples, strings, frozen dataclasses, functions, bound methods, enums. A default that no caller overrides
    is never hashed by JAX and is not reported.

    ## Fix safety
    A list display in the call becomes a tuple with the same elements. That is unsafe where the function does
    with it what a tuple cannot do or does otherwise (`shape + [1]`, `shape.append(...)`, `shape == [2]`), or
    hands it to another function of the project. If the list is the result of an expression, `tuple(...)`
    around it is only shown.
    """

    code = "JAX402"
    name = "unhashable-static-argument"
    category = "correctness"
    fix = "safe"
    raises = ("ValueError", "TypeError")
    examples = (
        Example(
            bad="""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="shape")
def reshape(x, shape):
    return x.reshape(shape)


print(reshape(jnp.ones(6), shape=[2, 3]))
""",
            good="""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="shape")
def reshape(x, shape):
    return x.reshape(shape)


print(reshape(jnp.ones(6), shape=(2, 3)))
""",
            prints="[[1. 1. 1.]\n [1. 1. 1.]]",
        ),
    )
    claim = Claim("raises", "builtins.ValueError", "Non-hashable static arguments")

    def visit_TransformedCall(self, call: TransformedCall, m: Model) -> Iterator[Finding]:
        func = call.func
        if not isinstance(func, Transformed):
            return
        yield from _hashed_callable(call, func)
        if func.kind not in ("jit", "pmap"):
            return
        static = m.static_arguments(func, len(call.args))
        if static is None:
            return
        numbers, names = static
        parameters = m.parameters(func.func) or []
        for position, value in enumerate(call.args):
            if isinstance(value, Product) and value.kind == "rest":
                break
            if position in numbers:
                name = parameters[position] if position < len(parameters) else f"argument {position}"
                yield from self._passed(call, func, value, name, (position, len(call.args)))
        for name, value in call.keywords.items():
            if name in names:
                yield from self._passed(call, func, value, name, name)

    def _passed(
        self, call: TransformedCall, func: Transformed, value: Value, name: str, where: object
    ) -> Iterator[Finding]:
        kind = unhashable(value)
        if not kind:
            return
        inner: Value = func
        while isinstance(inner, Transformed):
            inner = inner.func
        named = isinstance(inner, Function) and not inner.code.is_lambda
        list_ = isinstance(value, MutableContainer) and value.kind == "list"
        yield Finding(
            call.nid,
            "static `{name}`{of} is {kind}, not hashable: raises ValueError",
            help=_HELP.get(kind, "pass a tuple or a frozen dataclass, or let the argument be traced"),
            label=f"`{name}` is not hashable",
            names={
                "name": name,
                "kind": kind,
                "of": f" of `{inner.code.name}`" if isinstance(inner, Function) and named else "",
            },
            data=(where, takes_tuple(inner, name) if isinstance(inner, Function) else type(inner) is External)
            if list_ or isinstance(value, Tuple)
            else None,
            traced=call.traced,
        )

    def visit_Hashed(self, hashed: Hashed, m: Model) -> Iterator[Finding]:
        if isinstance(hashed.value, Array) and hashed.value.level:
            return
        kind = "JAX" if isinstance(hashed.value, Array) else "NumPy"
        where = _WRITTEN.get(hashed.how, f"hashed by `{hashed.how.removeprefix('builtins.')}`")
        inside = ("in " if hashed.how in _WRITTEN else "in what is ") if hashed.inside else ""
        yield Finding(
            hashed.nid,
            f"a {kind} array is {inside}{where}, not hashable: raises TypeError",
            help="a number, a name or a shape, such as int(x), float(x) or x.shape",
            label="hashes an array",
            traced=False,
        )

    def visit_Assign(self, store: Store, m: Model) -> Iterator[Finding]:
        if _is_dict(store.value):
            yield from self._looked_up(store, store.index, m)

    visit_AugAssign = visit_Assign

    def visit_Subscript(self, read: Subscript, m: Model) -> Iterator[Finding]:
        if _is_dict(read.value):
            yield from self._looked_up(read, read.index, m)

    def _looked_up(self, event: Event, key: Value | None, m: Model) -> Iterator[Finding]:
        array = None if key is None else hashed_array(key)
        if array is not None:
            yield from self.visit_Hashed(Hashed(event.nid, event.frame, array, "key", array is not key), m)

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        call = code.node(finding.nid)
        if finding.data is None or not isinstance(call, cst.Call):
            return None
        where, is_read_alike = finding.data
        node = _argument(call, where)
        if node is None or has_comment(code, node):
            return None
        edits = _tuples(code, node)
        if edits:
            return Fix("safe" if is_read_alike else "unsafe", "pass a tuple", edits)
        if isinstance(node, (cst.ListComp, cst.Call, cst.Name, cst.Attribute)):
            edit = replaced(code, node, f"tuple({code.text_of(node)})")
            return Fix("displayonly", "pass a tuple", (edit,))
        return None


_HELP = {
    "a list": "pass a tuple",
    "a set": "pass a frozenset",
    "a dict": "pass a frozen dataclass, or a tuple of its items",
    "a view of a dict": "pass a tuple of it",
    "an array": "pass the array as an argument that is not static",
}


def _hashed_callable(call: TransformedCall, func: Transformed) -> Iterator[Finding]:
    """An object whose class has `__call__` is what JAX finds a trace by; a bound method of it has a hash."""
    if func.kind not in _FINDS_TRACES or call.frame.context.unjitted:
        return
    cls = func.func.cls if isinstance(func.func, Instance) else None
    if cls is not None and has_hash_of_leaves(cls) and func.option(LEAVES) is not None:
        return  # `equinox.filter_jit` takes the arrays of a module for arguments
    kind = unhashable(func.func) if cls is not None and call.nid != func.place[1] else ""
    if kind and cls is not None and cls.lookup("__call__") is not None:
        yield Finding(
            call.nid,
            f"{kind} has no hash, and is called by `{func.kind}`: raises TypeError",
            help=f"make the class frozen, or use `{func.kind}` on its bound method `__call__`",
            label="hashes the object that it calls",
            traced=call.traced,
        )


def unhashable(value: Value, depth: int = 4) -> str:
    """What a value without a hash is, in words; empty where it has one, or that is not known."""
    if isinstance(value, OneOf):
        found = [unhashable(each, depth) for each in value.options]
        return found[0] if all(found) else ""
    if isinstance(value, MutableContainer):
        return "" if value.kind == "frozenset" else f"a {value.kind}"
    if isinstance(value, Array):
        return "an array"
    if isinstance(value, NumPyArray):
        return "an array" if value.ndim else ""
    if isinstance(value, Product) and value.kind == "variables":
        return "a dict"
    if isinstance(value, Product) and value.kind == "layer" and hashed_leaf(value) is not None:
        return f"an object of `{value.parts[0].rpartition('.')[2]}`"
    if isinstance(value, Product) and value.kind == "iterator":
        return "a view of a dict" if VIEW in value.parts[2:] else ""
    if isinstance(value, Product) and value.kind == "opaque":
        name = value.parts[0]
        return f"an object of `{name.rpartition('.')[2]}`" if lacks_hash(name) else ""
    if isinstance(value, Tuple) and value.items is not None and depth:
        return _with("a tuple", [unhashable(item, depth - 1) for item in value.items])
    if isinstance(value, Instance):
        return _unhashable_instance(value, depth)
    return ""


def _unhashable_instance(value: Instance, depth: int) -> str:
    if lacks_hash(value.cls):
        return f"an object of `{value.cls.code.name}`"
    hashed = hashes_fields(value.cls)
    if value.generic or not depth:
        return ""
    if has_hash_of_leaves(value.cls):
        leaf = hashed_leaf(value)
        return "" if leaf is None else _with(f"`{value.cls.code.name}`", [unhashable(leaf)])
    if hashed is None:
        names = hashed_by_method(value.cls)
    elif "pytree" in hashed.marks:
        return ""
    else:
        names = hashed_fields(hashed)
    held = [value.attributes[name] for name in names if name in value.attributes]
    return _with(f"`{value.cls.code.name}`", [unhashable(each, depth - 1) for each in held])


def _with(outer: str, found: list[str]) -> str:
    """A hashable object with something in it that has no hash."""
    inside = next((each for each in found if each), "")
    return f"{outer} with {inside} in it" if inside and "in it" not in inside else inside


def _is_dict(value: Value) -> bool:
    return isinstance(value, MutableContainer) and value.kind == "dict"


def _argument(call: cst.Call, where: object) -> cst.BaseExpression | None:
    """The expression of an argument, by keyword or by position among how many."""
    if any(each.star for each in call.args):
        return None
    if isinstance(where, str):
        for each in call.args:
            if each.keyword is not None and each.keyword.value == where:
                return each.value
        return None
    assert isinstance(where, tuple)
    written = [each.value for each in call.args if each.keyword is None]
    position = where[0] - (where[1] - len(written))
    return written[position] if 0 <= position < len(written) else None


def _tuples(code: Located, node: cst.BaseExpression) -> tuple[Edit, ...]:
    """The edits that make tuples of a list that is written out, and of those in it."""
    if not isinstance(node, (cst.List, cst.Tuple)):
        return ()
    edits: list[Edit] = []
    if isinstance(node, cst.List):
        start, end = code.offsets(node)
        single = len(node.elements) == 1 and not isinstance(node.elements[0].comma, cst.Comma)
        edits.append(Edit(code.source.span(start, start + 1), "("))
        edits.append(Edit(code.source.span(end - 1, end), ",)" if single else ")"))
    for element in node.elements:
        edits.extend(_tuples(code, element.value))
    return tuple(edits)
