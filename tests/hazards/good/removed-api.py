import jax

print(jax.tree.map(lambda x: x, 1))
