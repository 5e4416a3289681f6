import jax

@jax.jit
def f(d):
    d["w"] = d["w"] + 1; d.update(b=2.0); return d
a = {"w": 1.0}; print(f(a), a)
