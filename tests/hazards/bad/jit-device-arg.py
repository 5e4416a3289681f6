import jax

f = jax.jit(lambda x: x, backend="cpu"); print(f(1.0))  #! JAX902
f = jax.jit(lambda x: x, device=jax.devices()[0]); print(f(1.0))  #! JAX902
