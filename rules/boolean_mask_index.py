"""JAX111."""
from jaxlint.engine.model import Array, Product, Tree, Tuple
from jaxlint.rule import Finding, Rule

class BooleanMaskIndex(Rule):
    """An array indexed by a traced boolean mask."""
    code = "JAX111"
    name = "boolean-mask-index"
    fix = "safe"
    raises = ("NonConcreteBooleanIndexError", "IndexError", "JAXIndexError")

    def visit_Subscript(self, event, m):
        owner = event.value
        if not (isinstance(owner, (Array, Tree)) or (isinstance(owner, Product) and owner.kind == "at" and isinstance(owner.parts[0], Array))):
            return
        parts = event.index.items if isinstance(event.index, Tuple) else (event.index,)
        for part in parts or ():
            if isinstance(part, Array) and part.dtype == "b" and m.traced(part):
                yield Finding(event.nid, "indexing by a traced boolean mask: raises NonConcreteBooleanIndexError", help="jnp.where(mask, x, fill)", label="a traced boolean mask", names={"it": event.nid})
                return
