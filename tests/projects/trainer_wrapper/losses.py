import jax.numpy as jnp


def predict(weights, x):
    return jnp.dot(x, weights)


def absolute(weights, batch):
    x, y = batch
    return jnp.mean(jnp.abs(predict(weights, x) - y))


def hinge(weights, batch):
    x, y = batch
    margin = jnp.mean(y * predict(weights, x))
    return 1 - margin if margin < 1 else 0.0 * margin #! JAX101
