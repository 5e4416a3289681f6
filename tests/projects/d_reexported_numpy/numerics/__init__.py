"""The array namespace that the rest of the project uses."""

import jax
from jax import numpy as xp

from .trees import mapped

tree_util = jax.tree_util

__all__ = ["mapped", "tree_util", "xp"]
