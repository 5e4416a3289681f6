def xmap(f, values):
    return [f(value) for value in values]
