import jax

fns = [jax.jit(lambda x: x * k) for k in range(3)]
print([float(f(1.0)) for f in fns])
