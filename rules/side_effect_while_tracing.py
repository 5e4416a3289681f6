"""JAX201."""
from jaxlint.rule import Finding, Rule

class SideEffectWhileTracing(Rule):
    """A change to Python state from inside a traced function."""
    code = "JAX201"
    name = "side-effect-while-tracing"
    category = "suspicious"
    calls = ("logging", "absl", "io", "pathlib")

    def visit_Mutation(self, event, m):
        if not event.outside or event.memo or m.holds_tracer(event.new, "SBD"):
            return
        what = f"`{event.name}`" if event.name else "Python state"
        yield Finding(event.nid, f"{what} changes once per trace, not once per call", label="a side effect", names={"it": event.nid})

    def visit_Call(self, call, m):
        if not call.staged:
            return
        root, _, method = call.name.rpartition(".")
        if root == "io.IOBase":
            found = method in ("write", "writelines") and call.receiver.parts[0] < call.frame.context.stage
        elif root == "pathlib.Path":
            found = method in ("write_text", "write_bytes")
        elif root in ("logging", "logging.Logger", "absl.logging"):
            found = method in _LEVELS and any(m.holds_tracer(v, "SB") for v in call.args)
        else:
            found = False
        if found:
            yield Finding(call.nid, "`{it}` happens once per trace, not once per call", names={"it": call.nid})

_LEVELS = frozenset("debug info warning warn error critical exception log fatal vlog".split())
