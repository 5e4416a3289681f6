"""Augmentations: written for the host, later put under jit by somebody else."""

import random

import jax.numpy as jnp
import numpy as np


def brightness(image):
    return image * random.uniform(0.8, 1.2)  #! JAX204


def crop(image, size):
    corner = np.random.randint(0, image.shape[0] - size + 1)
    return image[corner : corner + size]


def flip(image):
    return jnp.flip(image, axis=0)
