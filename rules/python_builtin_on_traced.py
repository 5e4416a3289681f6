"""JAX117."""
from jaxlint.engine.model import Array
from jaxlint.rule import Finding, Rule

class PythonBuiltinOnTraced(Rule):
    """max, min, any, all or sorted of traced values."""
    code = "JAX117"
    name = "python-builtin-on-traced"
    fix = "unsafe"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")
    calls = ("builtins",)

    def visit_Call(self, call, m):
        last = call.name[9:]
        if last not in ("max", "min", "any", "all", "sorted") or not call.args or not call.exact:
            return
        if len(call.args) > 1:
            found = last in ("max", "min") and "key" not in call.keywords and any(m.traced(v) for v in call.args) and all(m.traced(v) or m.is_static(v) for v in call.args)
        else:
            value = call.args[0]
            items = m.items(value)
            if items is not None:
                traced = [m.traced(item) for item in items]
                found = (any(traced) if last in ("any", "all") else len(items) > 1 and any(traced)) and "key" not in call.keywords
                if last in ("any", "all") and found:
                    for item, t in zip(items, traced):
                        if t: break
                        if m.truth(item) is (last == "any"):
                            found = False; break
            else:
                found = m.traced(m.iterate(value)) and "key" not in call.keywords
        if found:
            fix = {"any": "jnp.any", "all": "jnp.all", "sorted": "jnp.sort"}.get(last, f"jnp.{last}imum" if len(call.args) > 1 else f"jnp.{last}")
            yield Finding(call.nid, f"`{last}` takes the truth of a tracer: raises TracerBoolConversionError", help=f"{fix}(...)", label="of traced values", data=fix)
