"""Methods that another module compiles, for whoever uses them, are mapped once, or in a loop."""

import jax

from world import World, energies, energy

world = World()
states = jax.vmap(world.reset)(jax.random.split(jax.random.key(0), 3))
print(energies(states))
print(jax.vmap(energy)(states)) #! JAX601
for _ in range(4):
    states = jax.vmap(world.step)(states) #! JAX601


class Batched:
    def __init__(self, world):
        self.reset = jax.vmap(world.reset)
        self.step = jax.vmap(world.step)


print(Batched(world).reset(jax.random.split(jax.random.key(1), 2)))
