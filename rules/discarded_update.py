"""JAX502."""
from jaxlint.engine.model import Array, Box, Product
from jaxlint.rule import Finding, Rule
METHODS = frozenset(("sort", "astype", "reshape", "clip", "round", "transpose"))

class DiscardedUpdate(Rule):
    """The result of a pure update is dropped."""
    code = "JAX502"
    name = "discarded-update"
    fix = "unsafe"

    def visit_Expr(self, event, m):
        name = event.name
        last = name.rpartition(".")[2]
        if name.startswith("jax.Array.at."):
            if last != "get":
                yield Finding(event.nid, f"`.at[...].{last}()` returns a new array, which is dropped", label="does nothing", names={"it": event.nid})
        elif name.startswith("jax.Array.") and last in METHODS and m.is_array(event.receiver):
            yield Finding(event.nid, f"`.{last}()` of a JAX array returns a new array, which is dropped", label="does nothing", names={"it": event.nid})
        elif name in ("jax.random.split", "jax.random.fold_in", "optax.apply_updates"):
            yield Finding(event.nid, f"`{last}` returns its result, which is dropped", label="does nothing", names={"it": event.nid})
