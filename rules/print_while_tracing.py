"""JAX202."""
from jaxlint.rule import Finding, Rule

class PrintWhileTracing(Rule):
    """print() or logging of traced values."""
    code = "JAX202"
    name = "print-while-tracing"
    category = "suspicious"
    fix = "unsafe"
    calls = ("builtins", "pprint")

    def visit_Call(self, call, m):
        if call.staged and call.name in ("builtins.print", "pprint.pprint", "pprint.pp") and any(m.holds_tracer(v, "SB") for v in call.args):
            yield Finding(call.nid, f"`{call.name.rpartition('.')[2]}` runs once per trace and shows tracers, not values", help='jax.debug.print("{}", ...)', label="prints a tracer")
