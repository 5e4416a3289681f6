import jax

k = jax.random.PRNGKey(0)
print("raw key arithmetic accepted:", k + 1)
jax.random.key(0) + 1
