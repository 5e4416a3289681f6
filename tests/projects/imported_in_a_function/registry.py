ops = {}


def register(name, impl):
    ops[name] = impl
