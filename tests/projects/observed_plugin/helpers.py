def clipped(gradient, limit):
    norm = (gradient * gradient).sum()
    if norm > limit:  #! JAX101
        return gradient * limit / norm
    return gradient


def halved(gradient):
    if gradient.sum() > 0:
        return gradient / 2
    return gradient
