import jax

@jax.tree_util.register_pytree_node_class
class P:
    def __init__(self, mean, std): self.mean = mean; self.std = std
    def tree_flatten(self): return (self.mean, self.std), None
    @classmethod
    def tree_unflatten(cls, aux, ch): return cls(*ch)
q = jax.tree.map(lambda v: v, P(0.0, 1.0)); print(q.mean, q.std)
