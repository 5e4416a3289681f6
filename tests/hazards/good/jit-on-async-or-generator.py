import jax

@jax.jit
def f(x): return x + 1
async def call(x): return f(x)
import asyncio; print(asyncio.run(call(1.0)))
