"""Which files belong together, and what the configuration says of them."""
