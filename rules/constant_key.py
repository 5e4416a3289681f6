"""JAX303."""
from jaxlint.rule import Finding, Rule

class ConstantKey(Rule):
    """A key made of a constant where code runs again."""
    code = "JAX303"
    name = "constant-key"
    category = "suspicious"
    on = False

    def visit_ConstantKey(self, key, m):
        yield Finding(key.nid, f"`{{it}}` gives the same key at every call", traced=False, names={"it": key.nid})
