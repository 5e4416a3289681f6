"""The harness: what the rules claim about JAX, run with the JAX that is installed."""
