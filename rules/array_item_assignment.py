"""JAX501."""
from jaxlint.rule import Finding, Rule

class ArrayItemAssignment(Rule):
    """Item assignment to a JAX array."""
    code = "JAX501"
    name = "array-item-assignment"
    fix = "safe"
    raises = ("TypeError",)
    calls = ("numpy", "jax")

    def visit_Assign(self, store, m):
        if m.is_array(store.value):
            yield Finding(store.nid, "item assignment to a JAX array: raises TypeError, arrays are immutable", help="x = x.at[index].set(value)", label="a JAX array", names={"it": store.nid})

    visit_AugAssign = visit_Assign

    def visit_Del(self, store, m):
        if m.is_array(store.value):
            yield Finding(store.nid, "`del` of an item of a JAX array: raises AttributeError", help="jnp.delete(x, index)", label="a JAX array")

    def visit_Call(self, call, m):
        if call.name.startswith("numpy.") and call.name.endswith(".at") and call.args and m.is_array(call.args[0]):
            yield Finding(call.nid, "`{func}` changes a JAX array in place: raises TypeError", names={"func": call.name}, label="a JAX array")
