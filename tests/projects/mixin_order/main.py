"""Of two mixins the first in the order of bases is called; the branch on values in the other is never traced."""

import jax.numpy as jnp

from samplers import Langevin

sampler = Langevin(step=0.1)
sampler.run(jnp.ones(2))
sampler.check(jnp.ones(2))
