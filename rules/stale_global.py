"""JAX205."""
from jaxlint.engine.model import Class, External, Function, Transformed, Unknown
from jaxlint.rule import Finding, Rule

class StaleGlobal(Rule):
    """A traced function reads a global that is assigned again."""
    code = "JAX205"
    name = "stale-global"

    def visit_GlobalRead(self, read, m):
        if not read.staged or isinstance(read.value, (Function, Class, External, Transformed)):
            return
        yield Finding(read.nid, f"`{read.name}` is read once per trace, and is assigned again: stale", label="baked in while tracing")
