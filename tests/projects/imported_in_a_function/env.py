import registry


def load():
    import plugin  # the module's body runs once, at the first import

    return dict(registry.ops)


def view(x):
    return load()["double"](x)


def call(f, x):
    return view(f(x))
