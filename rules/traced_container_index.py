"""JAX108: containers of Python indexed by traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.event import Boolean, Call, Store, Subscript
from jaxlint.engine.model import Array, Box, Const, Model, Or, Product, Static, Tree, Tuple, Value
from jaxlint.rule import Claim, Example, Finding, Part, Rule

_INTEGER = "TracerIntegerConversionError"
_NUMBERS = Static("int")  # what a short range gives
_CURES = {
    "dict": "jax.lax.switch, or a list of the values and jnp.stack({owner})[{index}]",
    "str": "compare or choose strings by static values only",
    "range": "start + {index} * step",
}
_SEQUENCE = "jnp.stack({owner})[{index}], or jax.lax.switch({index}, {owner}, ...) for functions"
# Methods whose first argument is an index or a key -> the error
_METHODS = {
    "builtins.list.pop": _INTEGER,
    "builtins.list.insert": _INTEGER,
    "builtins.dict.get": "TypeError",
    "builtins.dict.setdefault": "TypeError",
    "builtins.dict.pop": "TypeError",
}


class TracedContainerIndex(Rule):
    """A list, tuple, dict, set, string or range indexed by a tracer.

    ## What it does
    Finds containers of Python that are read or written at a traced index or key, also by `pop`, `insert`,
    `get` and `setdefault`, and tracers put into a set.

    ## Why
    Python looks the element up while JAX traces the function, when the index stands for all the values that
    it may have: `TracerIntegerConversionError`. A dict or a set needs the hash, which a tracer does not
    have: `TypeError`.

    ## When it is fine
    An array of JAX at a traced index. A container at an index that is known while tracing. Under `jax.grad`
    alone an integer that is not differentiated is a number, and indexes lists.

    ## Fix safety
    No fix is applied: `jnp.stack` wants elements of one shape, and functions want `jax.lax.switch`, which
    clamps an index outside of the list.
    """

    code = "JAX108"
    name = "traced-container-index"
    category = "correctness"
    raises = ("TracerIntegerConversionError", "TypeError", "JAXTypeError")
    calls = ("builtins",)
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
from jax import lax

ACTIVATIONS = [jnp.tanh, jnp.sin, jnp.abs]


@jax.jit
def activate(kind, x):
    return lax.switch(kind, ACTIVATIONS, x)


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
        parts = index.parts[:3] if isinstance(index, Product) and index.kind == "slice" else (index,)
        if len(parts) == 1 and isinstance(index, Or):
            parts = tuple(each for each in index.options if not m.is_none(each))
            if not all(isinstance(part, Array) and m.traced(part) for part in parts):
                return
        if not any(
            (isinstance(part, Array) and m.traced(part) and not part.shape)
            or (kind != "dict" and part is index and isinstance(part, Tree) and m.no_number(part))
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
        )

    def visit_Set(self, display: Boolean, m: Model) -> Iterator[Finding]:
        if m.traced(display.value, "SBD"):
            yield Finding(
                display.nid,
                "`{set}` asks a tracer for its hash: raises TypeError",
                help="a list or tuple asks for no hash",
                label="holds a tracer",
                names={"set": display.nid},
            )

    def visit_Assign(self, store: Store, m: Model) -> Iterator[Finding]:
        owner = store.value
        if not isinstance(owner, Box) or not isinstance(store.index, Array) or store.index.shape:
            return
        hashed = owner.kind == "dict"
        error = "TypeError" if hashed else _INTEGER
        if m.traced(store.index, "SBD" if hashed else "SB"):
            path = ("target", "value") if store.kind == "augmented" else ("targets", 0, "target", "value")
            yield Finding(
                store.nid,
                f"`{{owner}}`, a {owner.kind}, is indexed by a tracer: raises {error}",
                help="an array of JAX, written by x = x.at[index].set(...)",
                label="a traced index",
                names={"owner": Part(store.nid, path)},
            )

    visit_AugAssign = visit_Assign

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        error = _METHODS.get(call.name)
        if error is None or not call.args:
            return
        index = call.args[0]
        if isinstance(index, Array) and m.traced(index) and not index.shape:
            _, kind, method = call.name.rsplit(".", 2)
            yield Finding(
                call.nid,
                f"`.{method}` of a {kind} is given a tracer, `{{index}}`: raises {error}",
                help="jax.lax.switch or an array of JAX choose by a traced index",
                label="a traced index",
                names={"index": Part(call.nid, (("argument", 0),))},
            )


def _kind(owner: Value) -> str | None:
    """The Python type of a container; None for what is none."""
    if isinstance(owner, Box):
        return owner.kind
    if isinstance(owner, Tuple):
        return "tuple"
    if isinstance(owner, Const) and isinstance(owner.value, str):
        return "str"
    if isinstance(owner, Product) and (owner.kind == "range" or owner.parts[:1] == (_NUMBERS,)):
        return "range"
    return None
