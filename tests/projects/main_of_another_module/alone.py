import jax

KEY = jax.random.key(0)


def shown():
    print(jax.random.normal(KEY))


def main():
    for _ in range(2):
        shown()  #! JAX302
