"""JAX105."""
from jaxlint.rule import Finding, Rule
LEVELS = {"float": "SBD", "int": "SB", "bool": "SB", "complex": "SBD"}
ERRORS = {"float": "ConcretizationTypeError", "int": "ConcretizationTypeError", "bool": "TracerBoolConversionError", "complex": "ConcretizationTypeError"}

class PythonCastOfTraced(Rule):
    """float(), int(), bool(), complex(), .item(), .tolist() or a format spec of a traced value."""
    code = "JAX105"
    name = "python-cast-of-traced"
    fix = "unsafe"
    raises = ("ConcretizationTypeError", "TypeError", "JAXTypeError")
    only_traced = True
    calls = ("builtins", "jax", "operator")

    def visit_Call(self, call, m):
        if not call.level:
            return
        root, _, last = call.name.rpartition(".")
        if root == "builtins" and last in LEVELS and call.args and m.traced(call.args[0], LEVELS[last]) and not getattr(call.args[0], "shape", False):
            yield Finding(call.nid, f"`{last}()` of a tracer while tracing: raises {ERRORS[last]}", label="a traced value", names={"call": call.nid}, data=last)
        elif call.name == "operator.index" and call.args and m.traced(call.args[0]):
            yield Finding(call.nid, "`operator.index` of a tracer: raises TracerIntegerConversionError", names={"call": call.nid}, data=last)
        elif root == "jax.Array" and last in ("item", "tolist") and m.traced(call.receiver, "SB" if last == "item" else "SBD"):
            yield Finding(call.nid, f"`.{last}()` of a tracer while tracing: raises ConcretizationTypeError", label="a traced value", names={"call": call.nid}, data=last)

    def visit_FormattedString(self, event, m):
        if event.spec and m.traced(event.value, "SBD"):
            yield Finding(event.nid, "a format spec on a tracer: raises TypeError", label="a traced value")
