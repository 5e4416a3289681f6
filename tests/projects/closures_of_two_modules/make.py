import jax


def make(key):
    def draw():
        return jax.random.normal(key)

    return draw


def use(draw):
    return draw()
