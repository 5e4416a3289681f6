import jax

SCALE = 1.0
KEY = jax.random.key(0)


@jax.jit
def step(x):
    return x * SCALE


def main(scale=2.0):
    global SCALE
    SCALE = scale
    print(step(1.0))
    print(jax.random.normal(KEY))
