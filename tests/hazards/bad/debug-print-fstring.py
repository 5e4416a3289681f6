import jax

@jax.jit
def f(x):
    jax.debug.print(f"x={x}")  #! JAX210
    return x
f(1.0); f(2.0); jax.effects_barrier()
