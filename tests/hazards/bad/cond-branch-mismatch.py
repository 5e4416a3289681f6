import jax
from jax import lax

jax.jit(lambda x: lax.cond(x > 0, lambda v: v, lambda v: 0, x))(1.0)
