"""Which samplers draw from the children of their key: what the page of JAX308 says of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxlint.analysis.draws.one_value import is_one_value
from jaxlint.domain.join import Tuple
from jaxlint.domain.values import Const
from jaxlint.tables.jax_functions import FUNCTIONS

COUNT = 50

FROM_CHILDREN: dict[str, Callable[[Any], Any]] = {
    "permutation": lambda key: jax.random.permutation(key, COUNT),
    "choice without replacement": lambda key: jax.random.choice(key, COUNT, (COUNT,), replace=False),
    "randint": lambda key: jax.random.randint(key, (COUNT,), 0, 256),
    "choice": lambda key: jax.random.choice(key, 256, (COUNT,)),
}
FROM_THE_KEY: dict[str, Callable[[Any], Any]] = {
    "uniform": lambda key: jax.random.uniform(key, (COUNT,)),
    "normal": lambda key: jax.random.normal(key, (COUNT,)),
    "bernoulli": lambda key: jax.random.bernoulli(key, 0.5, (COUNT,)),
    "categorical": lambda key: jax.random.categorical(key, jnp.zeros(COUNT)),
    "gumbel": lambda key: jax.random.gumbel(key, (COUNT,)),
    "truncated_normal": lambda key: jax.random.truncated_normal(key, -1.0, 1.0, (COUNT,)),
    "choice with weights": lambda key: jax.random.choice(key, COUNT, (COUNT,), p=jnp.ones(COUNT) / COUNT),
}


def primitives_of(draw: Callable[[Any], Any]) -> set[str]:
    """The names of the operations that a sampler is made of, in all functions that it calls."""
    found: set[str] = set()
    stack = [jax.make_jaxpr(draw)(jax.random.key(0)).jaxpr]
    while stack:
        for equation in stack.pop().eqns:
            found.add(equation.primitive.name)
            stack += [part.jaxpr for part in equation.params.values() if hasattr(part, "jaxpr")]
    return found


@pytest.mark.parametrize("name", FROM_CHILDREN)
def test_splits_its_key(name: str) -> None:
    assert "random_split" in primitives_of(FROM_CHILDREN[name])


@pytest.mark.parametrize("name", FROM_THE_KEY)
def test_draws_from_its_key(name: str) -> None:
    assert "random_split" not in primitives_of(FROM_THE_KEY[name])


@pytest.mark.parametrize("seed", range(3))
def test_a_permutation_sorts_by_the_second_child(seed: int) -> None:
    key = jax.random.key(seed)
    second = jax.random.split(key)[1]
    order = jnp.argsort(jax.random.bits(second, (COUNT,)))
    for name in ("permutation", "choice without replacement"):
        assert (FROM_CHILDREN[name](key) == order).all()
    drawn = jax.random.uniform(second, (COUNT,))[order]
    assert (drawn[:-1] <= drawn[1:]).all()


@pytest.mark.parametrize("seed", range(3))
def test_an_integer_is_a_remainder_of_bits_of_both_children(seed: int) -> None:
    key = jax.random.key(seed)
    first, second = (jax.random.bits(child, (COUNT,)) for child in jax.random.split(key))
    assert (FROM_CHILDREN["randint"](key) == second % 256).all()
    assert (FROM_CHILDREN["choice"](key) == second % 256).all()
    factor = (2**16 % 10) ** 2 % 10
    assert (jax.random.randint(key, (COUNT,), 0, 10) == (first % 10 * factor + second % 10) % 10).all()


KEYS = jax.random.split(jax.random.key(0), 20)
OF_ONE_VALUE = [
    ("randint", ((2,), 0, 1)),
    ("randint", ((2,), 5, 5)),
    ("randint", ((2,), 5, 3)),
    ("randint", ((2,), 0, 2)),
    ("randint", ((2,), -1, 1)),
    ("randint", ((0,), 0, 9)),
    ("uniform", ((2,), float, 2.0, 2.0)),
    ("uniform", ((2,), float, 2.0, 1.0)),
    ("uniform", ((2,), float, 2.0, 2.5)),
    ("uniform", ((2,), float, -1.0)),
    ("uniform", ((2,), float, 1.0)),
    ("uniform", ((2,),)),
    ("uniform", ((3, 0),)),
    ("bernoulli", (0.0, (2,))),
    ("bernoulli", (1.0, (2,))),
    ("bernoulli", (0.5, (2,))),
    ("choice", (1, (2,))),
    ("choice", (2, (2,))),
    ("permutation", (1,)),
    ("permutation", (0,)),
    ("permutation", (3,)),
    ("normal", ((2,),)),
    ("normal", ((0, 2),)),
]


@pytest.mark.parametrize("name, args", OF_ONE_VALUE)
def test_which_arguments_leave_no_choice(name: str, args: tuple[Any, ...]) -> None:
    draw = getattr(jax.random, name)
    drawn = [draw(key, *args).tolist() for key in KEYS]
    values = [Tuple(tuple(map(Const, each))) if isinstance(each, tuple) else Const(each) for each in args]
    row = FUNCTIONS[f"jax.random.{name}"]
    assert is_one_value(name, row[2], [Const(None), *values], {}) == all(each == drawn[0] for each in drawn)
