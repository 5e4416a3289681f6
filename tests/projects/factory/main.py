"""A factory in another module closes over configuration; what it makes is jitted here."""

import jax
import jax.numpy as jnp

from training.factory import make_loss, make_update
from training.schedule import cosine, stepwise

loss = make_loss(penalty=0.1, robust=False)
update = jax.jit(make_update(loss, cosine))
broken = jax.jit(make_update(loss, stepwise))
weights = jnp.ones(2)
update(weights, jnp.ones(2), 3)
stepwise(11)
broken(weights, jnp.ones(2), 3)
