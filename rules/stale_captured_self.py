"""JAX206."""
from jaxlint.rule import Finding, Rule

class StaleCapturedSelf(Rule):
    """A traced function reads an attribute of a captured object that is assigned again."""
    code = "JAX206"
    name = "stale-captured-self"

    def visit_StaleRead(self, read, m):
        if read.kind == "attribute":
            yield Finding(read.nid, f"`{{it}}` is read once per trace, and is assigned again: stale", label="baked in while tracing", names={"it": read.nid})
