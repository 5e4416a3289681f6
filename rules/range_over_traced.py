"""JAX104."""
from jaxlint.rule import Finding, Rule

class RangeOverTraced(Rule):
    """range() of a traced value."""
    code = "JAX104"
    name = "range-over-traced"
    raises = ("TracerIntegerConversionError", "TypeError", "JAXTypeError")
    only_traced = True
    calls = ("builtins",)

    def visit_Call(self, call, m):
        if call.level and call.name == "builtins.range" and any(m.traced(a) and not a.shape for a in call.args):
            yield Finding(call.nid, "`range` of a tracer while tracing: raises TracerIntegerConversionError", help="jax.lax.fori_loop(0, n, body, init)", label="a traced length", names={"call": call.nid})
