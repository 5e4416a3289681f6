"""A trainer class jits the loss that it is given and keeps it on self."""

import jax.numpy as jnp

from trainer import Trainer
from losses import absolute, hinge

batch = (jnp.ones((3, 2)), jnp.ones(3))
Trainer(absolute, rate=0.1).fit(jnp.ones(2), [batch])
hinge(jnp.ones(2), batch)
Trainer(hinge).fit(jnp.ones(2), [batch, batch])
