import jax

@jax.jit
def f(x):
    jax.debug.print("x = {}", x)
    return x + 1
f(1.0); f(2.0); f(3.0); jax.effects_barrier()
