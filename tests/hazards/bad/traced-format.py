import jax

@jax.jit
def f(x):
    msg = f"loss={x:.3f}"  #! JAX105
    return x
f(1.0)
