"""What is found here does not depend on whether another module makes such a function before or after."""

import jax

from make import make, use

draw = make(jax.random.key(0))
print(use(draw), use(draw)) #! JAX301
