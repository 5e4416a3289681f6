"""The transforms that make a function of another one: JAX's, and those of the libraries on it.

In: a dotted name. Out: what kind of transform it is, what its results make tracers of, and which parameter is
the function. It refuses to know what a call of the result does.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.domain.values import BATCHED, DIFFERENTIATED, STAGED


@dataclass(frozen=True, slots=True)
class Spec:
    """A transform that makes a function. `fun` is the name of its first parameter.

    leaves: what is traced of what it is given; `all`, `arrays` for those of equinox, to which numbers are
    static, and `module` for those of flax nnx, to which all is static of a module that is no array.
    """

    kind: str
    level: int
    params: tuple[str, ...] = ("fun",)
    leaves: str = "all"


JITS = frozenset(("jit", "pmap"))
"""The kinds of transforms that compile what they are given."""

_GRAD = ("fun", "argnums", "has_aux", "holomorphic", "allow_int", "reduce_axes")
WRAPPERS: dict[str, Spec] = {
    "jax.jit": Spec("jit", STAGED, ("fun",)),
    "jax.pmap": Spec("pmap", STAGED, ("fun", "axis_name")),
    "jax.vmap": Spec("vmap", BATCHED, ("fun", "in_axes", "out_axes", "axis_name")),
    "jax.grad": Spec("grad", DIFFERENTIATED, _GRAD),
    "jax.value_and_grad": Spec("value_and_grad", DIFFERENTIATED, _GRAD),
    "jax.jacfwd": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.jacrev": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.jacobian": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.hessian": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.checkpoint": Spec("checkpoint", STAGED, ("fun",)),
    "jax.named_call": Spec("transparent", 0, ("fun",)),
    "jax.profiler.annotate_function": Spec("transparent", 0, ("func", "name")),
    "jax.custom_jvp": Spec("custom", 0, ("fun", "nondiff_argnums")),
    "jax.custom_vjp": Spec("custom", 0, ("fun", "nondiff_argnums")),
    "jax.custom_gradient": Spec("custom_gradient", 0, ("fun",)),
    "jax.custom_batching.custom_vmap": Spec("checkpoint", STAGED, ("fun",)),
    "jax.shard_map": Spec("shard_map", STAGED, ("f", "mesh", "in_specs", "out_specs")),
    "jax.make_jaxpr": Spec("make_jaxpr", STAGED, ("fun", "static_argnums")),
    "jax.numpy.vectorize": Spec("vectorize", BATCHED, ("pyfunc",)),
    "equinox.filter_jit": Spec("jit", STAGED, ("fun",), "arrays"),
    "equinox.filter_vmap": Spec("vmap", BATCHED, ("fun",), "arrays"),
    "equinox.filter_grad": Spec("grad", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_value_and_grad": Spec("value_and_grad", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_checkpoint": Spec("checkpoint", STAGED, ("fun",), "arrays"),
    "equinox.filter_make_jaxpr": Spec("make_jaxpr", STAGED, ("fun",), "arrays"),
    "equinox.filter_jacfwd": Spec("jacobian", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_jacrev": Spec("jacobian", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_hessian": Spec("jacobian", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_custom_jvp": Spec("custom", 0, ("fn",), "arrays"),
    "equinox.filter_custom_vjp": Spec("custom", 0, ("fn",), "arrays"),
    "flax.nnx.jit": Spec("jit", STAGED, ("fun",), "module"),
    "flax.nnx.vmap": Spec("vmap", BATCHED, ("f",), "module"),
    "flax.nnx.grad": Spec("grad", DIFFERENTIATED, ("f",), "module"),
    "flax.nnx.value_and_grad": Spec("value_and_grad", DIFFERENTIATED, ("f",), "module"),
    "flax.nnx.remat": Spec("checkpoint", STAGED, ("f",), "module"),
    "flax.nnx.scan": Spec("carrying", STAGED, ("f",), "module"),
    "haiku.grad": Spec("grad", DIFFERENTIATED, _GRAD[:4]),
    "haiku.value_and_grad": Spec("value_and_grad", DIFFERENTIATED, _GRAD[:4]),
    "haiku.remat": Spec("checkpoint", STAGED, ("fun",)),
    "jax.experimental.pallas.pallas_call": Spec("pallas", STAGED, ("kernel", "out_shape")),
}
