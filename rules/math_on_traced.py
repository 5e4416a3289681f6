"""JAX107."""
from jaxlint.engine.api.python_on_tracer import MATH
from jaxlint.rule import Finding, Rule

class MathOnTraced(Rule):
    """A function of math or cmath of a traced value."""
    code = "JAX107"
    name = "math-on-traced"
    fix = "unsafe"
    raises = ("ConcretizationTypeError", "TypeError", "JAXTypeError")
    only_traced = True
    calls = ("math", "cmath")

    def visit_Call(self, call, m):
        if not call.level:
            return
        row = MATH.get(call.name)
        if row is None or not row[0]:
            return
        if any(m.traced(value, row[0].lstrip("!")) for value in call.args):
            yield Finding(call.nid, f"`{call.name}` of a tracer while tracing: raises {row[2].split()[0]}", label="a traced value", data=call.name)
