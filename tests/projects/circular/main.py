"""Two modules that import each other; the helper of one is traced by the other."""

import jax.numpy as jnp

import agents

agents.act(jnp.ones(3), 1)
agents.evaluate(jnp.ones(3))
