"""Which function is jitted is not in the text: a run has shown it, see jaxlint-facts.json."""

import os
from importlib import import_module

import jax
import jax.numpy as jnp

plugin = import_module(os.environ.get("PLUGIN", "plugin"))
model = plugin.Model(limit=2.0)
chosen = getattr(model, os.environ.get("METHOD", "step"))
print(model.describe(jnp.ones(3)))
jax.jit(chosen)(jnp.ones(3), 0.5)
