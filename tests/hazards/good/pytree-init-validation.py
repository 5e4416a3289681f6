import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class P:
    def __init__(self, x): self.x = jnp.asarray(x, float)
    def tree_flatten(self): return (self.x,), None
    @classmethod
    def tree_unflatten(cls, aux, ch):
        o = object.__new__(cls); o.x, = ch; return o
print(jax.tree.map(lambda v: "leaf", P(1.0)).x)
