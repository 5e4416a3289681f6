import jax

@jax.jit
def f(d):
    if not d: return 0.0
    if "w" in d: return d["w"] * 2
    return 1.0
print(f({"w": 1.0}), f({}))
