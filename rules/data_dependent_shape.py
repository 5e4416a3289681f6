"""JAX110."""
from jaxlint.engine.api.jax_functions import FUNCTIONS
from jaxlint.engine.api.array_methods import METHODS
from jaxlint.rule import Finding, Rule

class DataDependentShape(Rule):
    """A function whose result's shape depends on traced values."""
    code = "JAX110"
    name = "data-dependent-shape"
    raises = ("ConcretizationTypeError", "TypeError", "JAXTypeError", "TracerBoolConversionError")
    calls = ("jax",)

    def visit_Call(self, call, m):
        if not call.exact or not (call.level & 3 or call.staged):
            return
        offset = 0
        name = call.name
        args = list(call.args)
        if name.startswith("jax.Array."):
            row = METHODS.get(name[10:])
            if row is None or not row[7]:
                return
            size, params = row[7], row[5]
            if not m.traced(call.receiver) and not call.staged:
                return
            args = args
        else:
            row = FUNCTIONS.get(name)
            if row is None or not row[4]:
                return
            size, params = row[4], row[2]
        size, _, when = size.partition(":when=")
        if size != "!":
            given = call.keywords.get(size)
            if given is None and size in params:
                position = params.index(size)
                if "*" not in params[:position] and position < len(args):
                    given = args[position]
            if given is not None and not m.is_none(given):
                return
        if when == "unary":
            if len(args) + len(call.keywords) != 1:
                return
        elif when:
            value = call.keywords.get(when)
            if value is None and when in params and params.index(when) < len(args):
                value = args[params.index(when)]
            if not m.traced(value):
                return
        if not call.staged and not any(m.traced(value) for value in [*args, call.receiver]):
            return
        last = name.rpartition(".")[2]
        cure = f"pass `{size}=`" if size != "!" else ""
        yield Finding(call.nid, f"the shape of `{last}`'s result depends on traced values: raises while tracing", help=cure, label="a shape that depends on data")
