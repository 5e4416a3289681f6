"""One augmentation draws on the host while it is traced, in the compiled pipeline of another module; the one that the data loader calls draws at every batch."""

import jax

from augment import brightness, flip
from data import batches


@jax.jit
def pipeline(image):
    return flip(brightness(image))


if __name__ == "__main__":
    for image, seconds in batches(3):
        out = pipeline(image)
        print(float(out[0, 0] / image[-1, 0]), seconds >= 0.0)
