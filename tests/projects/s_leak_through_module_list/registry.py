"""What was observed, by name, for the life of the program."""

OBSERVED = []


def observe(name, value):
    OBSERVED.append((name, value))  #! JAX203
    return value


def reset():
    OBSERVED.clear()
