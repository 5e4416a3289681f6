"""JAX108: containers of Python indexed by traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    CALLABLE,
    Array,
    Call,
    Claim,
    Const,
    Edit,
    Example,
    Finding,
    Fix,
    Hashed,
    Instance,
    Kinds,
    Located,
    Model,
    MutableContainer,
    OneOf,
    Part,
    Product,
    Reader,
    Rule,
    Static,
    Store,
    Subscript,
    TracerPytree,
    Tuple,
    Value,
    binding,
    cst,
    forms_of,
    has_comment,
    hashed_array,
    home_of,
    kind_of,
    kinds_of,
    occurrences,
    reached,
    reads,
    replaced,
    result_of,
    spelling,
    takes_tracer,
    whole,
)

_INTEGER = "TracerIntegerConversionError"
_NUMBERS = Static("int")  # what a short range gives
_CURES = {
    "dict": "jax.lax.switch, or a list of the values and jnp.stack({owner})[{index}]",
    "str": "compare or choose strings by static values only",
    "range": "start + {index} * step",
}
_SEQUENCE = "jnp.stack({owner})[{index}], or jax.lax.switch({index}, {owner}, ...) for functions"
# kind of a write -> where the container stands in it
_OWNERS: dict[str, tuple[str | int, ...]] = {
    "assign": ("targets", 0, "target", "value"), "augmented": ("target", "value"), "delete": ("value",),
}  # fmt: skip
# Methods whose first argument is an index or a key -> the error
_METHODS = {
    "builtins.list.pop": _INTEGER,
    "builtins.list.insert": _INTEGER,
}
_HASHING_CURES = {
    "key": "jax.lax.switch or a JAX array, which take a traced index",
    "memo": "a function that is not memoised: JAX traces it once for each compilation",
}


class TracedContainerIndex(Rule):
    """A list, tuple, dict, set, string or range is indexed by a tracer.

    ## What it does
    Finds Python containers that are read or written at a traced index or key, also by `pop`, `insert`, `get`
    and `setdefault`, and tracers that Python hashes: elements of sets, keys that `dict` or `Counter` is
    given, arguments of memoised functions.

    ## Why
    Python looks the element up while JAX traces the function, and a tracer has no concrete value:
    `TracerIntegerConversionError`. A dict or a set needs a hash, and tracers are not hashable: `TypeError`.

    ## When it is fine
    A JAX array at a traced index. A container at an index that is concrete while tracing. Under `jax.grad`
    alone an integer that is not differentiated is concrete, and indexes lists.

    ## Fix safety
    The fix is only shown: an index out of bounds raises in Python, and is clamped by an array and by
    `jax.lax.switch`. A list of numbers becomes `jnp.asarray(xs)[i]`, a list of arrays of one shape
    `jnp.stack(xs)[i]`; `fs[i](x)` becomes `jax.lax.switch(i, fs, x)` if the functions return one shape and
    dtype.
    """

    code = "JAX108"
    name = "traced-container-index"
    category = "correctness"
    fix = "displayonly"
    raises = ("TracerIntegerConversionError", "TypeError", "JAXTypeError")
    calls = ("builtins", "operator")
    only_traced = True
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp

ACTIVATIONS = [jnp.tanh, jnp.sin, jnp.abs]


@jax.jit
def activate(kind, x):
    return ACTIVATIONS[kind](x)


print(activate(1, jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp

ACTIVATIONS = [jnp.tanh, jnp.sin, jnp.abs]


@jax.jit
def activate(kind, x):
    return jax.lax.switch(kind, ACTIVATIONS, x)


print(activate(1, jnp.ones(3)))
""",
            prints="[0.84147096 0.84147096 0.84147096]",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerIntegerConversionError", "__index__() method was called")

    def visit_Subscript(self, event: Subscript, m: Model) -> Iterator[Finding]:
        kind = _kind(event.value)
        if kind is None:
            return
        index = event.index
        if kind == "dict" and isinstance(index, (Tuple, Instance)):
            array = hashed_array(index)
            if array is not None:
                yield from self.visit_Hashed(Hashed(event.nid, event.frame, array, "key", True), m)
            return
        parts = index.parts[:3] if isinstance(index, Product) and index.kind == "slice" else (index,)
        if len(parts) == 1 and isinstance(index, OneOf):
            parts = tuple(each for each in index.options if not m.is_none(each))
            if not all(isinstance(part, Array) and m.traced(part) for part in parts):
                return
        if not any(
            (isinstance(part, Array) and m.traced(part) and not part.shape)
            or (kind != "dict" and part is index and isinstance(part, TracerPytree) and m.no_number(part))
            for part in parts
        ):
            return
        error = "TypeError" if kind == "dict" else _INTEGER
        yield Finding(
            event.nid,
            f"`{{owner}}`, a {kind}, is indexed by a tracer: raises {error}",
            help=_CURES.get(kind, _SEQUENCE)
            if not isinstance(index, Product)
            else "jax.lax.dynamic_slice of a stacked array",
            label="a traced index",
            names={
                "owner": Part(event.nid, ("value",)),
                "index": Part(event.nid, ("slice", 0, "slice", "value")),
            },
            data=_contents(event, m),
        )

    def visit_Hashed(self, hashed: Hashed, m: Model) -> Iterator[Finding]:
        if m.traced(hashed.value, "SBD"):
            inside = "what holds " if hashed.inside else ""
            yield Finding(
                hashed.nid,
                f"`{{it}}` hashes {inside}a tracer, which is not hashable: raises TypeError",
                help=_HASHING_CURES.get(hashed.how, "a list or a tuple, whose items need not be hashable"),
                label="hashes a tracer",
                names={"it": hashed.nid},
            )

    def visit_Assign(self, store: Store, m: Model) -> Iterator[Finding]:
        owner = store.value
        is_dict = isinstance(owner, MutableContainer) and owner.kind == "dict"
        if is_dict and isinstance(store.index, (Tuple, Instance)):
            array = hashed_array(store.index)
            if array is not None:
                yield from self.visit_Hashed(Hashed(store.nid, store.frame, array, "key", True), m)
        if not isinstance(owner, MutableContainer) or not isinstance(store.index, Array) or store.index.shape:
            return
        hashed = owner.kind == "dict"
        error = "TypeError" if hashed else _INTEGER
        if m.traced(store.index, "SBD" if hashed else "SB"):
            path = _OWNERS[store.kind]
            yield Finding(
                store.nid,
                f"`{{owner}}`, a {owner.kind}, is indexed by a tracer: raises {error}",
                help="a JAX array, updated by x = x.at[index].set(...)",
                label="a traced index",
                names={"owner": Part(store.nid, path)},
            )

    visit_AugAssign = visit_Del = visit_Assign

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.name == "operator.getitem" and len(call.args) == 2:
            yield from self._got(call, call.args[0], call.args[1], m)
        error = _METHODS.get(call.name)
        if error is None or not call.args:
            return
        index = call.args[0]
        if isinstance(index, Array) and m.traced(index) and not index.shape:
            _, kind, method = call.name.rsplit(".", 2)
            yield Finding(
                call.nid,
                f"`.{method}` of a {kind} is given a tracer, `{{index}}`: raises {error}",
                help="jax.lax.switch or a JAX array, which take a traced index",
                label="a traced index",
                names={"index": Part(call.nid, (("argument", 0),))},
            )

    def _got(self, call: Call, owner: Value, index: Value, m: Model) -> Iterator[Finding]:
        kind = _kind(owner)
        is_traced = m.traced(index) if kind == "dict" else m.no_number(index)
        if kind is not None and is_traced and not (isinstance(index, Array) and index.shape):
            error = "TypeError" if kind == "dict" else _INTEGER
            yield Finding(
                call.nid,
                f"an item of a {kind} is read at a traced index: raises {error}",
                help="jax.lax.switch or a JAX array, which take a traced index",
                label="a traced index",
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.node(finding.nid)
        if finding.data is None or not isinstance(node, cst.Subscript) or has_comment(code, node):
            return None
        sort, kinds = finding.data
        made = _switched(code, node, kinds) if sort == "functions" else _indexed(code, node, sort, kinds)
        return None if made is None else Fix("displayonly", "select by an index that may be traced", made)


def _contents(event: Subscript, m: Model) -> tuple[str, Kinds] | None:
    """What a list or tuple holds - numbers, scalars, arrays or functions - and the variables seen there."""
    owner, index = event.value, event.index
    if not isinstance(owner, (MutableContainer, Tuple)) or (
        isinstance(owner, MutableContainer) and owner.kind != "list"
    ):
        return None
    items = owner.items if owner.items is not None else [owner.elem] if owner.elem is not None else []
    if not items or not isinstance(index, Array) or index.dtype != "i" or index.ndim != 0:
        return None
    kinds = [kind_of(each) for each in items]
    known = [each for each in kinds if each is not None and each.sort != "tree"]
    if len(known) < len(kinds):
        sort = "functions" if owner.items and all(isinstance(each, CALLABLE) for each in items) else ""
    elif all(each.sort == "number" for each in known):
        is_one_sort = len({each.dtype for each in known}) == 1
        sort = "numbers" if is_one_sort and not any(map(_is_wide, items)) else ""
    elif all(each.ndim == 0 for each in known):
        sort = "scalars" if owner.items else ""
    else:
        sort = "arrays" if owner.items and len({each.ndim for each in known}) == 1 else ""
    return (sort, kinds_of(m.mentioned(event))) if sort else None


def _is_wide(value: Value) -> bool:
    """Whether this is an integer that JAX has no room for by default."""
    return isinstance(value, Const) and isinstance(value.value, int) and abs(value.value) >= 2**31


def _indexed(code: Located, node: cst.Subscript, sort: str, kinds: Kinds) -> tuple[Edit, ...] | None:
    """`jnp.asarray(xs)[i]` of numbers, `jnp.stack(xs)[i]` of arrays of one shape."""
    name = spelling(code, "jax.numpy")
    if name is None or not takes_tracer(code, node):
        return None
    if sort == "arrays":
        reader = Reader(code, forms_of(kinds), dict(kinds))
        display = _display(code, node.value)
        forms = [] if display is None else [reader.form(each.value) for each in display.elements]
        shapes = {None if form is None else form.shape for form in forms}
        if len(shapes) != 1 or None in shapes:
            return None
    function = "asarray" if sort == "numbers" else "stack"
    text = f"{name[0]}.{function}({whole(code, node.value)})"
    return (replaced(code, node.value, text), *name[1])


def _switched(code: Located, node: cst.Subscript, kinds: Kinds) -> tuple[Edit, ...] | None:
    """`jax.lax.switch(i, fs, x)` for `fs[i](x)`, where all functions give one shape and dtype."""
    call, display = code.parent(node), _display(code, node.value)
    name = reached(code, "jax.lax.switch")
    if not isinstance(call, cst.Call) or call.func is not node or display is None or name is None:
        return None
    reader = Reader(code, forms_of(kinds), dict(kinds))
    results = [result_of(reader, each.value, call.args) for each in display.elements]
    first = results[0]
    if first is None or not all(each is not None and reader.are_alike(first, each) for each in results):
        return None
    index = node.slice[0].slice
    if has_comment(code, call) or not isinstance(index, cst.Index):
        return None
    texts = (
        whole(code, index.value),
        whole(code, node.value),
        *(whole(code, arg.value) for arg in call.args),
    )
    return (replaced(code, call, f"{name[0]}({', '.join(texts)})"), *name[1])


def _display(code: Located, node: cst.BaseExpression) -> cst.List | cst.Tuple | None:
    """The list or tuple that is written there, or that is all that is ever bound to a variable."""
    if isinstance(node, cst.Name):
        found = [binding(code, each) for each in occurrences(code, home_of(code, node), node.value, False)]
        bound = [each for each in found if each is not None]
        if len(bound) != 1 or not isinstance(bound[0], cst.BaseExpression):
            return None
        if not all(_is_item(code, each) for each in reads(code, node)):
            return None
        node = bound[0]
    if not isinstance(node, (cst.List, cst.Tuple)) or not node.elements:
        return None
    return None if any(isinstance(each, cst.StarredElement) for each in node.elements) else node


def _is_item(code: Located, name: cst.Name) -> bool:
    """Whether a read of a list only takes an item, so that the list stays what it is."""
    outer = code.parent(name)
    if not isinstance(outer, cst.Subscript) or outer.value is not name:
        return False
    return not isinstance(code.parent(outer), (cst.AssignTarget, cst.AugAssign, cst.Del))


def _kind(owner: Value) -> str | None:
    """The Python type of a container; None for what is none."""
    if isinstance(owner, MutableContainer):
        return owner.kind
    if isinstance(owner, Tuple):
        return "tuple"
    if isinstance(owner, Const) and isinstance(owner.value, str):
        return "str"
    if isinstance(owner, Product) and (owner.kind == "range" or owner.parts[:1] == (_NUMBERS,)):
        return "range"
    return None
