"""Flags that travel as constants through **options, a dataclass and defaults: nothing to report."""

import jax
import jax.numpy as jnp

from solver import OPTIONS, Settings, solve

solve(jnp.ones(3), **OPTIONS)
compiled = jax.jit(lambda x: solve(x, settings=Settings(debug=False), rounds=2))
compiled(jnp.ones(3))
jax.jit(solve)(jnp.ones(3))
