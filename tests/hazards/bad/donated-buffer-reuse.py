import jax
import jax.numpy as jnp

f = jax.jit(lambda s, g: s + g, donate_argnums=0)
s = jnp.ones(4); t = f(s, 1.0)
try: f(*(lambda a: (a, a))(jnp.ones(4)))
except Exception as e: print("f(a,a):", type(e).__name__, str(e).split(chr(10))[0][:120])
print(s + 1)  #! JAX505
