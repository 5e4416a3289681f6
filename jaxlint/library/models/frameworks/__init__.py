"""Models of the libraries around JAX."""
