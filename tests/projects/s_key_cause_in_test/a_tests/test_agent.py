"""A test does the same with an agent of its own: it is off there, and hides nothing."""

import jax
from agent import Agent


def test_act():
    agent = Agent(jax.random.key(0))
    assert [agent.act(0.0) for _ in range(2)]
