import jax.numpy as jnp


def convolve(mode, image, width=1):
    if mode == "same" and width > 0:
        return image + width
    return image - jnp.mean(image)


def resize(image, factor):
    rows = image.shape[0] * factor
    return jnp.zeros((rows, image.shape[1])) #! JAX109


def resize_static(image, factor):
    rows = image.shape[0] * factor
    return jnp.zeros((rows, image.shape[1]))
