import jax

@jax.jit
def step(x):
    y = x * 2
    return y, y
y, rec = step(1.0); history = [rec]
print(history[0] + 1)
