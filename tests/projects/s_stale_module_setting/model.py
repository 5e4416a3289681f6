"""Compiled functions that read settings as they trace."""

import jax
import jax.numpy as jnp

import settings
from settings import CLIP


@jax.jit
def predict(logits):
    return jax.nn.softmax(logits / settings.TEMPERATURE)  #! JAX205


@jax.jit
def smooth(labels):
    return labels * (1.0 - settings.SMOOTHING) + settings.SMOOTHING / labels.shape[-1]


@jax.jit
def clipped(x):
    return jnp.clip(x, -CLIP, CLIP)


def eager_scale(x):
    return x / settings.TEMPERATURE
