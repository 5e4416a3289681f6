import jax
import jax.numpy as jnp


def make_loss(penalty, robust):
    def loss(w, x):
        r = w - x
        value = jnp.sum(jnp.abs(r)) if robust else jnp.sum(r**2)
        if penalty > 0:
            value = value + penalty * jnp.sum(w**2)
        return value

    return loss


def make_update(loss, schedule):
    gradient = jax.grad(loss)

    def update(w, x, step):
        return w - schedule(step) * gradient(w, x)

    return update
