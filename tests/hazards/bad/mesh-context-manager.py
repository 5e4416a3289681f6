import jax

mesh = jax.make_mesh((1,), ("d",))
with mesh: print("ok")
