"""JAX204."""
from jaxlint.engine.api.impure import GENERATOR_METHODS, IMPURE
from jaxlint.rule import Finding, Rule

class ImpureCallWhileTracing(Rule):
    """A clock, a random number or input read while tracing."""
    code = "JAX204"
    name = "impure-call-while-tracing"
    calls = ("time", "timeit", "datetime", "random", "numpy", "secrets", "uuid", "builtins", "os", "getpass", "resource", "sys", "tempfile")

    def visit_Call(self, call, m):
        if not call.traced:
            return
        group = _group(call)
        if call.staged or (group == "random" and call.frame.context.batched):
          if group:
            yield Finding(call.nid, f"`{{func}}` runs once per trace: every call of the compiled function reuses its value", label="frozen while tracing", names={"func": call.name})

def _group(call):
    name = call.name.removeprefix("builtins.")
    row = IMPURE.get(name)
    if row is not None:
        group, fewer = row
        if fewer and (group == "random" or len(call.args) >= fewer):
            return ""
        return group
    if call.receiver is not None:
        owner, _, method = name.rpartition(".")
        if method in GENERATOR_METHODS.get(owner, ()):
            _, depth, seeded = call.receiver.parts
            if not seeded or depth < call.frame.context.stage or depth < call.frame.context.depth:
                return "random"
    return ""
