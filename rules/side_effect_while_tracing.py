"""JAX201."""
from jaxlint.rule import Finding, Rule

class SideEffectWhileTracing(Rule):
    """A change to Python state from inside a traced function."""
    code = "JAX201"
    name = "side-effect-while-tracing"
    category = "suspicious"
    calls = ("builtins", "logging")

    def visit_Mutation(self, event, m):
        if not event.outside or event.memo or m.holds_tracer(event.new, "SBD"):
            return
        what = f"`{event.name}`" if event.name else "Python state"
        yield Finding(event.nid, f"{what} changes once per trace, not once per call", label="a side effect", names={"it": event.nid})
