"""JAX204."""
from jaxlint.engine.api.impure import IMPURE
from jaxlint.rule import Finding, Rule

class ImpureCallWhileTracing(Rule):
    """A clock, a random number or input read while tracing."""
    code = "JAX204"
    name = "impure-call-while-tracing"
    calls = ("time", "datetime", "random", "numpy", "secrets", "uuid", "builtins", "os")

    def visit_Call(self, call, m):
        if not call.traced:
            return
        impure = call.name in IMPURE or call.name.startswith("numpy.random.Generator.")
        if not impure:
            return
        is_random = "random" in call.name or "secrets" in call.name or "uuid" in call.name
        if call.staged or (is_random and call.frame.context.batched):
            yield Finding(call.nid, f"`{{func}}` runs once per trace: every call of the compiled function reuses its value", label="frozen while tracing", names={"func": call.name})
