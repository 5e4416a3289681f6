"""A decorator with arguments, made in another module with functools.wraps, jits with static names."""

import jax.numpy as jnp

from flows.layers import coupling, permute

coupling(jnp.ones(4), reverse=True)
coupling(jnp.ones(4))
permute(jnp.ones(4), True)
