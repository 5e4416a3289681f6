"""Tables of what libraries do, made by running them."""
