"""JAX205."""
from jaxlint.rule import Finding, Rule

class StaleGlobal(Rule):
    """A traced function reads a global that is assigned again."""
    code = "JAX205"
    name = "stale-global"

    def visit_StaleRead(self, read, m):
        if read.kind == "variable":
            yield Finding(read.nid, f"`{read.name}` is read once per trace, and is assigned again: stale", label="baked in while tracing")
