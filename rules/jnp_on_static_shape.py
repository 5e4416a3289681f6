"""JAX113."""
from jaxlint.engine.model import Array, Box, Product, Tree, Tuple
from jaxlint.rule import Finding, Rule
from jaxlint.rules.traced_shape import traced_static_arguments

def is_shape(value):
    return isinstance(value, Array) and value.shape

class JnpOnStaticShape(Rule):
    """jax.numpy arithmetic on a shape, used where a static value is needed."""
    code = "JAX113"
    name = "jnp-on-static-shape"
    fix = "safe"
    raises = ("TypeError", "ConcretizationTypeError", "TracerIntegerConversionError", "IndexError", "JAXTypeError")
    only_traced = True
    calls = ("jax", "builtins")

    def finding(self, nid):
        return Finding(nid, "jax.numpy made this length a tracer: it is not static any more", help="math.prod(x.shape), or np on the shape", label="made by jax.numpy while tracing")

    def visit_Call(self, call, m):
        if not call.level:
            return
        if call.name.startswith("jax."):
            for _, value in traced_static_arguments(call, m):
                if is_shape(value):
                    yield self.finding(call.nid)
                    return
        elif call.name in ("builtins.range", "builtins.int", "builtins.float", "builtins.bool"):
            if any(is_shape(value) for value in call.args):
                yield self.finding(call.nid)
        elif call.name.startswith("builtins.list.") and any(is_shape(value) for value in call.args[:1]) and call.name.endswith(("pop", "insert")):
            yield self.finding(call.nid)

    def visit_Subscript(self, event, m):
        parts = event.index.items if isinstance(event.index, Tuple) else (event.index,)
        for part in parts or ():
            bounds = part.parts[:3] if isinstance(part, Product) and part.kind == "slice" else ()
            if any(is_shape(bound) for bound in bounds) and isinstance(event.value, (Array, Tree, Box, Tuple)):
                yield self.finding(event.nid)
                return
            if is_shape(part) and isinstance(event.value, (Box, Tuple)):
                yield self.finding(event.nid)
                return
