import jax
import numpy as np

@jax.tree_util.register_pytree_node_class
class P:
    def __init__(self, x, table): self.x = x; self.table = table
    def tree_flatten(self): return (self.x, self.table), None
    @classmethod
    def tree_unflatten(cls, aux, ch): return cls(*ch)
f = jax.jit(lambda p: p.x); print(f(P(1.0, np.ones(2))))
