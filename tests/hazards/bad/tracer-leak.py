import jax

history = []
@jax.jit
def step(x):
    y = x * 2
    history.append(y)  #! JAX203
    return y
step(1.0)
print("repr ok:", type(history[0]).__name__)
history[0] + 1
