"""JAX109."""
from jaxlint.engine.api.array_methods import METHODS
from jaxlint.engine.api.jax_functions import FUNCTIONS
from jaxlint.engine.model import Array, Box, Tuple
from jaxlint.rule import Finding, Rule

def traced_static_arguments(call, m):
    """(parameter, value) of every argument that must be static and is traced."""
    if call.name.startswith("jax.Array."):
        row = METHODS.get(call.name[10:])
        if row is None:
            return
        params, static = row[5], tuple(name.lstrip("*") for name in row[6])
    else:
        row = FUNCTIONS.get(call.name)
        if row is None:
            return
        params, static = row[2], tuple(name.lstrip("*") for name in row[3])
    if not static:
        return
    position = 0
    pairs = []
    names = []
    for name in params:
        if name == "*" or name.startswith("**"):
            break
        if name.startswith("*"):
            if name[1:] in static:
                pairs += [(name[1:], value) for value in call.args[position:]]
            break
        names.append(name)
        if position < len(call.args) and name in static:
            pairs.append((name, call.args[position]))
        position += 1
    pairs += [(name, value) for name, value in call.keywords.items() if name in static]
    for name, value in pairs:
        items = m.items(value) if isinstance(value, (Tuple, Box)) else (value,)
        for item in items or ():
            if m.traced(item):
                yield name, item
                break

class TracedShape(Rule):
    """A traced value where a shape, an axis, a length or another static argument is needed."""
    code = "JAX109"
    name = "traced-shape"
    raises = ("ConcretizationTypeError", "TypeError", "JAXTypeError", "TracerIntegerConversionError")
    only_traced = True
    calls = ("jax",)

    def visit_Call(self, call, m):
        if not call.level or not call.exact:
            return
        for name, value in traced_static_arguments(call, m):
            if not (isinstance(value, Array) and value.shape):
                yield Finding(call.nid, f"`{name}` of `{{func}}` is a tracer: it must be known while tracing", label=f"`{name}` is traced", names={"func": call.name.rpartition(".")[2]})
                return
