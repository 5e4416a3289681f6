import jax

from jax.core import ShapedArray
print(ShapedArray)
