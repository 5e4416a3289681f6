"""Ways in which this project makes pytrees of its classes."""

import dataclasses

import jax


class Node:
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        jax.tree_util.register_pytree_node(cls, cls.flatten, cls.unflatten)

    def flatten(self):
        return tuple(vars(self).values()), tuple(vars(self))

    @classmethod
    def unflatten(cls, names, values):
        node = object.__new__(cls)
        node.__dict__.update(zip(names, values))
        return node


def record(cls):
    cls = dataclasses.dataclass(frozen=True)(cls)
    return jax.tree_util.register_dataclass(cls)
