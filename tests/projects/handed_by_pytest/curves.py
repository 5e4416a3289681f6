"""Curves under test; each prints, so that it shows who is traced."""


def line(x):
    print(x)  #! JAX202
    return x


def wave(x):
    print(x)  #! JAX202
    return x


def from_root(x):
    print(x)  #! JAX202
    return x


def hidden(x):
    print(x)
    return x


def nearer(x):
    print(x)  #! JAX202
    return x


def chained(x):
    print(x)  #! JAX202
    return x


def shared(x):
    print(x)  #! JAX202
    return x


def only_called(x):
    print(x)
    return x


class Spline:
    def __init__(self, knots=3):
        self.knots = knots

    def at_once(self, x):
        print(x)  #! JAX202
        return self.inner(x)

    def inner(self, x):
        print(x)  #! JAX202
        return x * self.knots

    def by_hand(self, x):
        print(x)
        return x
