import jax


class Layer:
    def __init__(self, weight, activation):
        self.weight = weight
        self.activation = activation

    def __init_subclass__(cls):
        jax.tree_util.register_pytree_node(
            cls,
            lambda layer: ((layer.weight,), layer.activation),
            lambda activation, children: cls(children[0], activation),
        )

    @jax.jit
    def apply(self, x):
        return self.forward(x)

    def forward(self, x):
        raise NotImplementedError
