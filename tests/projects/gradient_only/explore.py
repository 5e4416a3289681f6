import jax

from losses import piecewise, sparse, stiff

gradients = [jax.grad(function) for function in (piecewise, sparse, stiff)]


def landscape(w):
    return [gradient(w) for gradient in gradients]
