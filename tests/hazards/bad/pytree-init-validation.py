import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class P:
    def __init__(self, x): self.x = jnp.asarray(x, float)
    def tree_flatten(self): return (self.x,), None
    @classmethod
    def tree_unflatten(cls, aux, ch): return cls(*ch)
print("ordinary map ok:", jax.tree.map(lambda v: v + 1, P(1.0)).x)
jax.tree.map(lambda v: "leaf", P(1.0))
