import jax

@jax.jit
def f(x, flip=False):
    if flip: x = -x  #! JAX101
    return x
print(f(1.0))
try: f(1.0, flip=True)
except Exception as e: print("raises when passed:", type(e).__name__)
