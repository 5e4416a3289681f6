import jax

@jax.jit
def f(x):
    jax.debug.print("x={x}", x=x)
    return x
f(1.0); f(2.0); jax.effects_barrier()
