"""JAX112."""
from jaxlint.engine.model import Array, Product, Tree, Tuple
from jaxlint.rule import Finding, Rule

class DynamicSliceBounds(Rule):
    """A slice of an array with traced bounds."""
    code = "JAX112"
    name = "dynamic-slice-bounds"
    raises = ("IndexError",)

    def visit_Subscript(self, event, m):
        owner = event.value
        if isinstance(owner, Product) and owner.kind == "at":
            owner = owner.parts[0]
        if not isinstance(owner, (Array, Tree)):
            return
        parts = event.index.items if isinstance(event.index, Tuple) else (event.index,)
        for part in parts or ():
            if isinstance(part, Product) and part.kind == "slice":
                if any(m.traced(bound) and not bound.shape for bound in part.parts[:3] if isinstance(bound, Array)):
                    yield Finding(event.nid, "a slice with traced bounds: raises IndexError while tracing", help="jax.lax.dynamic_slice_in_dim(x, start, size)", label="traced bounds")
                    return
