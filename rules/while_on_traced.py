"""JAX102."""
from jaxlint.rule import Finding, Rule

class WhileOnTraced(Rule):
    """A Python `while` loop on a traced value."""
    code = "JAX102"
    name = "while-on-traced"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")

    def visit_While(self, test, m):
        if m.traced(test.value):
            yield Finding(test.nid, "`while` on `{test}` runs while tracing: raises TracerBoolConversionError", help="jax.lax.while_loop(lambda ...: {test}, ..., ...)", label="a traced boolean", names={"test": test.nid})
