import jax

@jax.jit
def f(x):
    jax.debug.print("loss={x:.3f}", x=x)
    return x
f(1.0); jax.effects_barrier()
