"""JAX108."""
from jaxlint.engine.model import Array, Box, Const, Product, Tuple
from jaxlint.rule import Finding, Rule

class TracedContainerIndex(Rule):
    """A Python container indexed by a traced value."""
    code = "JAX108"
    name = "traced-container-index"
    raises = ("TracerIntegerConversionError", "TypeError", "JAXTypeError")
    only_traced = True
    calls = ("builtins",)

    def visit_Subscript(self, event, m):
        owner = event.value
        is_container = isinstance(owner, (Box, Tuple)) or (isinstance(owner, Const) and isinstance(owner.value, str)) or (isinstance(owner, Product) and owner.kind == "range")
        if not is_container:
            return
        index = event.index
        parts = index.parts[:3] if isinstance(index, Product) and index.kind == "slice" else (index,)
        if any(m.traced(part) and not part.shape for part in parts if isinstance(part, Array)):
            kind = owner.kind if isinstance(owner, Box) else "tuple"
            error = "TypeError" if kind == "dict" else "TracerIntegerConversionError"
            yield Finding(event.nid, f"a {kind} indexed by a tracer: raises {error}", help="jnp.stack(...)[index], or jax.lax.switch for functions", label="a traced index")

    def visit_Set(self, event, m):
        if m.traced(event.value, "SBD"):
            yield Finding(event.nid, "a tracer in a set: raises TypeError, tracers have no hash", label="holds a tracer")

    def visit_Assign(self, store, m):
        if isinstance(store.value, Box) and store.index is not None and m.traced(store.index, "SBD"):
            yield Finding(store.nid, f"a {store.value.kind} indexed by a tracer: raises TypeError", label="a traced index")

    visit_AugAssign = visit_Assign

    def visit_Call(self, call, m):
        if call.level and call.name.startswith(("builtins.list.", "builtins.dict.")) and call.args:
            last = call.name.rpartition(".")[2]
            if last in ("pop", "get", "setdefault", "insert") and m.traced(call.args[0]):
                if last == "get" or last == "setdefault" or "list" in call.name:
                    yield Finding(call.nid, f"`.{last}()` with a tracer as the index: raises TypeError", label="a traced index")
