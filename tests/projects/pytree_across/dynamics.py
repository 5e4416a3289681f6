import jax
import jax.numpy as jnp

from state import Body


@jax.jit
def advance(body: Body, dt) -> Body:
    if body.frozen or body.kind == "star":
        return body
    return body.moved(body.position + dt * body.velocity)


@jax.jit
def kinetic(body: Body):
    speed = jnp.sum(body.velocity**2)
    if body.kind == "planet" and speed > 4: #! JAX101
        return jnp.float32(4)
    return speed
