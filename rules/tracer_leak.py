"""JAX203."""
from jaxlint.engine.model import Array, Tree
from jaxlint.rule import Finding, Rule

class TracerLeak(Rule):
    """A traced value stored where it outlives its trace."""
    code = "JAX203"
    name = "tracer-leak"

    def visit_Mutation(self, event, m):
        if m.holds_tracer(event.new, "SBD" if event.outside else "BD"):
            where = f"`{event.name}`" if event.name else "an object"
            yield Finding(event.nid, f"a tracer is kept in {where} that outlives its trace: UnexpectedTracerError", label="stores a tracer", names={"it": event.nid})
