import jax
import jax.numpy as jnp

print(jax.jit(lambda x, i: x[i] + x[-1] + x[..., 0] + x[:2].sum() + x[1:x.shape[0] - 1].sum())(jnp.arange(4.0), 2))
