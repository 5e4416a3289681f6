"""The recorder names transforms by functions inside of JAX, which move: each is named in the JAX that is here."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from test_observe import OBSERVED, observe

from jaxlint.observe.facts import Facts, read_facts

HEAD = """
import jax
import jax.numpy as jnp

X = jnp.ones(3)
"""

# By the name of a function: what runs it, the transforms around it, and whether one of them stages it.
CALLS: Mapping[str, tuple[str, tuple[str, ...], bool | None]] = {
    "eager": ("eager(X)", (), False),
    "jit": ("jax.jit(jit)(X)", ("jax.jit",), True),
    "lower": ("jax.jit(lower).lower(X).compile()", ("jax.jit",), True),
    "shape": ("jax.eval_shape(shape, X)", ("jax.eval_shape",), True),
    "jaxpr": ("jax.make_jaxpr(jaxpr)(X)", ("jax.make_jaxpr",), True),
    "vmap": ("jax.vmap(vmap)(X)", ("jax.vmap",), False),
    "grad": ("jax.grad(grad)(1.0)", ("jax.grad",), False),
    "value_and_grad": ("jax.value_and_grad(value_and_grad)(1.0)", ("jax.value_and_grad",), False),
    "jacfwd": ("jax.jacfwd(jacfwd)(X)", ("jax.jacfwd",), False),
    "jacrev": ("jax.jacrev(jacrev)(X)", ("jax.jacrev",), False),
    "hessian": ("jax.hessian(hessian)(1.0)", ("jax.jacfwd", "jax.jacrev"), False),
    "jvp": ("jax.jvp(jvp, (X,), (X,))", ("jax.jvp",), False),
    "vjp": ("jax.vjp(vjp, X)", ("jax.vjp",), False),
    "linearize": ("jax.linearize(linearize, X)", ("jax.linearize",), None),  # it may stage
    "checkpoint": ("jax.checkpoint(checkpoint)(X)", ("jax.checkpoint",), True),
    "pmap": ("jax.pmap(pmap)(jnp.ones((1, 3)))", ("jax.pmap",), True),
    "scan": ("jax.lax.scan(lambda c, x: (c, scan(x)), 0.0, X)", ("jax.lax.scan",), True),
    "while_loop": ("jax.lax.while_loop(lambda x: x[0] < 1, while_loop, X)", ("jax.lax.while_loop",), True),
    "fori_loop": ("jax.lax.fori_loop(0, 3, lambda i, x: fori_loop(x), X)", ("jax.lax.fori_loop",), True),
    "cond": ("jax.lax.cond(X[0] > 0, cond, lambda x: x, X)", ("jax.lax.cond",), True),
    "switch": ("jax.lax.switch(0, [switch, lambda x: x], X)", ("jax.lax.switch",), True),
    "lax_map": ("jax.lax.map(lax_map, X)", ("jax.lax.map",), True),
    "associative": (
        "jax.lax.associative_scan(lambda a, b: associative(a + b), X)", ("jax.lax.associative_scan",), False,
    ),
    "nested": ("jax.jit(jax.vmap(jax.grad(nested)))(X)", ("jax.jit", "jax.vmap", "jax.grad"), True),
    "inside": ("jax.vmap(jax.jit(inside))(X)", ("jax.vmap", "jax.jit"), True),
    "looped": ("jax.jit(lambda x: jax.lax.scan(lambda c, y: (c, looped(y)), 0.0, x))(X)",
               ("jax.jit", "jax.lax.scan"), True),
    "disabled": ("run_disabled()", (), False),
}  # fmt: skip
BODIES = {"while_loop": "x + 1", "grad": "x * 2", "hessian": "x ** 3"}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    defs = "".join(f"\n\ndef {name}(x):\n    return {BODIES.get(name, 'x * 2')}\n" for name in CALLS)
    disabled = "\n\ndef run_disabled():\n    with jax.disable_jit():\n        jax.jit(disabled)(X)\n"
    calls = "".join(f"{call}\n" for call, _, _ in CALLS.values())
    folder = tmp_path_factory.mktemp("transforms")
    folder.joinpath("main.py").write_text(f"{HEAD}{defs}{disabled}\n\n{calls}", encoding="utf-8")
    done = observe(folder, "--facts", "facts.json", "--no-check", "--", OBSERVED, "main.py")
    assert done.returncode == 0, done.stderr
    return read_facts(str(folder / "facts.json"))


@pytest.mark.parametrize("name", CALLS)
def test_is_named(facts: Facts, name: str) -> None:
    _, transforms, staged = CALLS[name]
    entries = facts.functions[f"main.py::{name}"].entries
    assert transforms in [entry.transforms for entry in entries]
    if staged is not None:
        assert staged in [entry.staged for entry in entries if entry.transforms == transforms]
