import jax

f = jax.jit(lambda x, **kw: x * kw["k"], static_argnames=("k",)); print(f(2.0, k=3))
