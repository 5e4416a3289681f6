import jax
import jax.numpy as jnp
import pytest

import extra
import rates

CASES = [
    {"name": "plain", "options": {"rate": 0.1}},
    {"name": "momentum", "options": {"rate": 0.1, "decay": 0.5}},
]
for case in CASES:
    case["wrapper"] = None
CASES += [{"name": "plain", "options": {"rate": 1.0}, "wrapper": "halved"}]
RATES = [{"rate": 0.1}, {"rate": 0.2}]
CASES += [{"name": "signed", "options": options, "wrapper": None} for options in RATES]


def factory(name):
    if hasattr(extra, name):
        return getattr(extra, name)
    if hasattr(rates, name):
        return getattr(rates, name)
    raise ValueError(name)


def wrapped(rule, name):
    return getattr(rates, name)(rule)


@pytest.mark.parametrize("case", CASES)
def test_step_of_case(case):
    rule = factory(case["name"])(**case["options"])
    x = jnp.ones(3)
    assert jax.jit(rule.update)(x, rule.init(x))[0].shape == (3,)


@pytest.mark.parametrize(
    "name, wrapper", [(case["name"], case["wrapper"]) for case in CASES]
)
def test_step(name, wrapper):
    rule = factory(name)(0.1)
    if wrapper is not None:
        rule = wrapped(rule, wrapper)

    @jax.jit
    def step(params, state):
        return rule.update(params, state)

    x = jnp.ones(3)
    assert step(x, rule.init(x))[0].shape == (3,)


def test_in_turn():
    rule = rates.both(rates.plain(0.1), rates.momentum(0.1))
    x = jnp.ones(3)
    jax.jit(rule.update)(x, rule.init(x))
