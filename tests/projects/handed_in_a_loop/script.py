import jax
import jax.numpy as jnp
from library import coulomb_list, forces, harmonic, screened_list, simulate

charges = jnp.ones(3)


def moved(x, f):
    return x + 0.1 * f


def run(step, x):
    for _ in range(100):
        x = step(x)
    return x


x = run(simulate(harmonic, moved), jnp.ones(3))
x = run(jax.jit(simulate(coulomb_list(charges), moved)), x)
print(forces(coulomb_list(charges))(x))
x = run(simulate(screened_list(charges), moved), x)
