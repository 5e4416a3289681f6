"""JAX106."""
from jaxlint.engine.api.numpy_functions import NUMPY
from jaxlint.rule import Finding, Rule

class NumpyOnTraced(Rule):
    """A NumPy function of a traced value."""
    code = "JAX106"
    name = "numpy-on-traced"
    fix = "unsafe"
    raises = ("TracerArrayConversionError", "TypeError", "JAXTypeError")
    only_traced = True
    calls = ("numpy", "scipy")

    def visit_Call(self, call, m):
        if not call.level:
            return
        row = NUMPY.get(call.name)
        if row is None or not row[1]:
            return
        for value in call.args[:1] if len(call.args) == 1 else call.args:
            if m.traced(value, row[1]):
                yield Finding(call.nid, f"`{{func}}` of a tracer while tracing: raises {row[3].split()[0]}", label="a traced value", names={"func": "np." + call.name.partition(".")[2]}, data=call.name)
                return
