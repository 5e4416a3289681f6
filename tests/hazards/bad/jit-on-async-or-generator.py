import jax

def gen(x):
    yield x
try: jax.jit(gen)
except Exception as e: print("generator:", type(e).__name__, str(e)[:60])
@jax.jit
async def f(x):
    return x + 1
f(1.0)
