"""Tests make what they trace by name: of a table, through a helper that looks the name up in two modules."""

import jax
import jax.numpy as jnp

import rates
from tests.test_rates import CASES, factory

for case in CASES:
    rule = factory(case["name"])(**case["options"])
    if case["wrapper"] is not None:
        rule = getattr(rates, case["wrapper"])(rule)
    x = jnp.ones(3)
    jax.jit(rule.update)(x, rule.init(x))
rates.on_host(0.1).update(1.0, ())
