def iterate(function, value, count):
    for _ in range(count):
        value = function(value)
    return value


def clamp(flux, dt):
    return scale_by(flux, dt)


def scale_by(flux, dt):
    if dt > 0.5: #! JAX101
        return flux * 0.5
    return flux * dt
