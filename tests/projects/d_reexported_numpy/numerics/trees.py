import jax

tree_map = jax.tree.map


def mapped(f, tree):
    return tree_map(f, tree)
