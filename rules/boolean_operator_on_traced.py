"""JAX103."""
from jaxlint.rule import Finding, Rule

class BooleanOperatorOnTraced(Rule):
    """`and`, `or`, `not`, a chained comparison or `in` on a traced value."""
    code = "JAX103"
    name = "boolean-operator-on-traced"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")

    def visit_BooleanOperation(self, op, m):
        if m.traced(op.value):
            yield Finding(op.nid, f"`{op.operator}` takes the truth of a tracer: raises TracerBoolConversionError", label="on a traced value", names={"it": op.nid}, data=op.operator)

    visit_UnaryOperation = visit_Comparison = visit_BooleanOperation
