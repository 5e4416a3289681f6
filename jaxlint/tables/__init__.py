"""What JAX, NumPy and the frameworks do, as data derived by running them."""
