import jax

print(jax.tree.leaves([1, None, 2]), jax.tree.map(lambda x: x * 2, [1, None]))
jax.tree.map(lambda a, b: a, [1, None], [1, 2])
