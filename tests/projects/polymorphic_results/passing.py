def identity(value):
    return value


def first(pair):
    return pair[0]


def half(n):
    return n // 2
