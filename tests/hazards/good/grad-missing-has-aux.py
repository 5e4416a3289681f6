import jax
import jax.numpy as jnp

def loss(w, x):
    pred = w * x
    return (pred ** 2).sum(), pred
(v, pred), g = jax.value_and_grad(loss, has_aux=True)(2.0, jnp.ones(2)); print(v, g)
