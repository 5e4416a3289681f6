import dataclasses

import jax

from trees import pytree


@pytree(meta=("kind", "frozen"))
class Body:
    position: jax.Array
    velocity: jax.Array
    kind: str
    frozen: bool

    def moved(self, position):
        return dataclasses.replace(self, position=position)
