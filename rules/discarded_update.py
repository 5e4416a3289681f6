"""JAX502: the result of a function that only returns is dropped."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Applicability,
    Claim,
    Discard,
    Example,
    Finding,
    Fix,
    Located,
    LostChange,
    Model,
    Part,
    Rule,
    cst,
    is_bound,
    put,
)

# methods that other libraries have in place, or that a reader may take for such
_METHODS = frozenset("astype clip flatten ravel reshape round sort squeeze swapaxes transpose".split())
# what is called -> which argument it returns an updated form of, None where the result is of its own kind
_FUNCTIONS: dict[str, int | None] = {
    "jax.random.split": None,
    "jax.random.fold_in": 0,
    "jax.random.permutation": 1,
    "jax.lax.dynamic_update_slice": 0,
    "jax.lax.dynamic_update_slice_in_dim": 0,
    "jax.lax.dynamic_update_index_in_dim": 0,
    "jax.numpy.append": 0,
    "jax.numpy.delete": 0,
    "jax.numpy.insert": 0,
    "jax.numpy.fill_diagonal": 0,
    "jax.numpy.nan_to_num": 0,
    "jax.numpy.place": 0,
    "jax.numpy.put": 0,
    "jax.numpy.where": None,
    "jax.numpy.maximum": None,
    "jax.numpy.minimum": None,
    "jax.lax.clamp": 1,
    "jax.numpy.concatenate": None,
    "jax.numpy.flip": 0,
    "jax.numpy.fliplr": 0,
    "jax.numpy.flipud": 0,
    "jax.numpy.pad": 0,
    "jax.numpy.roll": 0,
    "jax.device_put": 0,
    "jax.lax.stop_gradient": 0,
    "jax.lax.with_sharding_constraint": 0,
    "equinox.apply_updates": 0,
    "equinox.combine": None,
    "equinox.filter": 0,
    "equinox.partition": None,
    "equinox.tree_at": 1,
    "equinox.nn.inference_mode": 0,
    "flax.nnx.clone": 0,
    "flax.nnx.merge": None,
    "optax.apply_updates": 0,
    "optax.incremental_update": 1,
    "optax.periodic_update": 1,
    "dataclasses.replace": 0,
    "copy.replace": 0,
    **{f"jax.numpy.{name}": 0 for name in _METHODS},
}
# functions over trees, which only compute, but for those that run a function that they are given
_TREES = ("optax.tree.", "optax.tree_utils.tree_")
# functions that give an array like the one that they are given first, and which other libraries have in place
_ACTIVATIONS = "jax.nn."
# comparisons, whose answer an assert was to look at
_COMPARISONS = frozenset(
    (
        *(f"jax.numpy.{name}" for name in ("allclose", "isclose", "array_equal", "array_equiv")),
        *("jax.Array.all", "jax.Array.any"),
    )
)
# functions of JAX that give a context manager for a setting, and change none until it is entered
SETTINGS = frozenset(
    f"jax.{name}"
    for name in (
        "allow_f16_reductions array_garbage_collection_guard auto_pcast check_tracer_leaks checking_leaks "
        "debug_infs debug_key_reuse debug_nans default_device default_matmul_precision default_prng_impl "
        "disable_jit enable_checks enable_custom_prng enable_x64 explain_cache_misses "
        "jax2tf_associative_scan_reductions legacy_prng_key log_compiles named_scope no_execution no_tracing "
        "numpy_dtype_promotion numpy_rank_promotion remove_size_one_mesh_axis_from_type softmax_custom_jvp "
        "thread_guard threefry_partitionable transfer_guard transfer_guard_device_to_device "
        "transfer_guard_device_to_host transfer_guard_host_to_device"
    ).split()
)
# methods of records that give a record with other fields, and of training states
_RECORDS = {
    "$replace": "replace",
    "builtins.tuple._replace": "_replace",
    "equinox.nn.State.set": "set",
    "flax.training.train_state.TrainState.apply_gradients": "apply_gradients",
}


class DiscardedUpdate(Rule):
    """The result of an update is not used, so nothing is updated.

    ## What it does
    Finds statements that call a function without side effects and do not use its result: `x.at[i].set(v)`
    and the other updates, `x.sort()`, `x.astype(...)` and similar methods of JAX arrays, `jnp.sort(x)`
    and other functions that give back an array like theirs, `jax.random.split(key)`, `jax.device_put(x)`,
    `jax.tree.map` of a function of `jax.numpy`, or of a lambda, function, method or `partial` that only
    computes, a loop or a branch of `jax.lax` and `jax.vmap(f)(x)` of such, where a variable is computed
    with, `jax.nn.relu(x)` and other
    functions of `jax.nn`, `optax.apply_updates(...)`, `optax.tree.scale(...)`, `equinox.tree_at(...)`; and
    those that give a record with other fields: `replace` of flax's and chex's dataclasses and of
    `dataclasses`, also of an object that a compiled function or a call with a random key takes, `_replace` of
    a named tuple, `apply_gradients` of a `TrainState`. And calls of
    functions and methods of the project that do nothing but to give back such a copy, what `lax.scan` makes
    of an argument, a step along a gradient, or another object that is made of one; checks and lines in a
    log are nothing. The call may be an arm of the statement, as in `flag and x.at[i].set(v)`, or be
    made for each item of a comprehension that is one. Also finds changes in place, as
    `params["w"] = v`, `state.n += 1` and `optimizer.update(model, grads)` of flax nnx under `jax.jit`, of a
    parameter that a transform of JAX gives the function as a copy, where nothing reads that copy
    afterwards; and comparisons, such as
    `jnp.allclose(a, b)`, that no `assert` looks at, and settings that no `with` enters:
    `jax.debug_nans(True)` alone changes nothing, `with jax.debug_nans(True):` and
    `jax.config.update("jax_debug_nans", True)` do.

    ## Why
    JAX arrays are immutable and JAX functions are pure: such a call only computes its result. If the result
    is not used, the program continues with the old value, and no error is raised. JAX also takes the pytrees
    apart that a traced function is given, and puts them together anew: what the function changes in place is
    its own dict, list or object, and the caller keeps what it had.

    ## When it is fine
    Calls that are made for their time or for an expected error: sampling as a warm-up,
    `block_until_ready()`, the body of `pytest.raises`, what a `try` with handlers runs first, where it
    calls nothing else. Lists and NumPy arrays, whose `sort` works in place, are not reported, nor are objects
    that are not known, but for updates by `.at[...]`, which only JAX arrays have, and references of Pallas,
    which are written in place: files that import Pallas are left alone. A compiled function that is called
    for nothing is reported in loops only, where no clock is read. An expression that ends a cell of a
    notebook, or of a script with `# %%`, shows its value. `_ = x.at[i].set(v)` shows that the result is
    ignored on purpose. A copy of what a record holds, where a part of it was changed in place before, says
    nothing new.

    ## Fix safety
    The fix assigns the result to what it updates, if that is a variable of the same scope. It is unsafe,
    because the program then computes with another value. In a long eager loop it is only shown.
    """

    code = "JAX502"
    name = "discarded-update"
    category = "correctness"
    fix = "unsafe"
    idle_in_tests = True
    idle_where_shown = True
    examples = (
        Example(
            bad="""
import jax.numpy as jnp

mass = jnp.ones(3)
mass.at[0].set(0.0)
print(mass.sum())
""",
            good="""
import jax.numpy as jnp

mass = jnp.ones(3)
mass = mass.at[0].set(0.0)
print(mass.sum())
""",
        ),
        Example(
            bad="""
import jax.numpy as jnp

scores = jnp.array([3.0, 1.0, 2.0])
scores.sort()
print(scores[-1])
""",
            good="""
import jax.numpy as jnp

scores = jnp.array([3.0, 1.0, 2.0])
scores = scores.sort()
print(scores[-1])
""",
            claim=Claim("differs", calls=("scores[-1]",), gives="3.0"),
        ),
        Example(
            note="A function that does nothing but to give back a changed copy",
            bad="""
import jax.numpy as jnp


def cleared(grid, row):
    return grid.at[row].set(0.0)


grid = jnp.ones((2, 3))
cleared(grid, 0)
print(grid.sum())
""",
            good="""
import jax.numpy as jnp


def cleared(grid, row):
    return grid.at[row].set(0.0)


grid = jnp.ones((2, 3))
grid = cleared(grid, 0)
print(grid.sum())
""",
            claim=Claim("differs", calls=("grid.sum()",), gives="3.0"),
        ),
        Example(
            note="A dict that `jit` has made anew is changed, and not given back",
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def step(params, x):
    gradient = jax.grad(lambda w: jnp.mean((w * x - 1.0) ** 2))(params["w"])
    params["w"] = params["w"] - 0.1 * gradient


params = {"w": jnp.ones(2)}
step(params, jnp.zeros(2) + 2.0)
print(params["w"].sum())
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def step(params, x):
    gradient = jax.grad(lambda w: jnp.mean((w * x - 1.0) ** 2))(params["w"])
    params["w"] = params["w"] - 0.1 * gradient
    return params


params = {"w": jnp.ones(2)}
params = step(params, jnp.zeros(2) + 2.0)
print(params["w"].sum())
""",
            claim=Claim("differs", calls=('float(params["w"].sum())',), gives="1.600000023841858"),
        ),
        Example(
            note="A setting that no `with` enters",
            bad="""
import jax

jax.debug_nans(True)
is_checked = jax.config.jax_debug_nans
print(is_checked)
""",
            good="""
import jax

with jax.debug_nans(True):
    is_checked = jax.config.jax_debug_nans
print(is_checked)
""",
            claim=Claim("differs", calls=("is_checked",), gives="True"),
        ),
    )
    claim = Claim("differs", calls=("mass.sum()",), gives="2.0")

    def visit_Expr(self, event: Discard, m: Model) -> Iterator[Finding]:
        last = event.name.rpartition(".")[2]
        whole: tuple[object, ...] = () if event.inner else ("value",)
        updated: tuple[object, ...] | None = (*whole, "func", "value")
        helped = not event.inner
        if event.name.startswith("jax.Array.at."):
            if last == "get":
                return
            called, updated = f".at[...].{last}", (*whole, "func", "value", "value", "value")
            helped = helped and event.kept
        elif event.name.startswith("jax.Array.") and last in _METHODS:
            if not event.kept or not m.is_array(event.receiver):
                return
            called = f".{last}"
        elif event.name in _RECORDS:
            if not event.kept:
                return
            called = f".{_RECORDS[event.name]}"
        elif event.name == "$update":
            if not event.kept:
                return
            called, updated, helped = "{called}", None, False
        elif event.name in _COMPARISONS:
            yield _idle(event, "`{it}` checks nothing: its result is not used", "assert {it}")
            return
        elif event.name in SETTINGS:
            said = "`{it}` changes nothing: it is a context manager that is not entered"
            yield _idle(event, said, "with {it}:")
            return
        elif event.name in _FUNCTIONS:
            called = event.name.replace("jax.numpy.", "jnp.").removeprefix("jax.")
            position = _FUNCTIONS[event.name]
            updated = None if position is None else (*whole, ("argument", position))
        elif event.name.startswith(_ACTIVATIONS) and m.is_array(event.value):
            called, updated = event.name.removeprefix("jax."), (*whole, ("argument", 0))
        elif event.name.startswith(_TREES) and not event.name.endswith("map_params"):
            called, updated, helped = event.name, None, False
        else:
            return
        yield Finding(
            event.nid,
            f"`{called}` changes nothing in place: its result is not used",
            help="{updated} = {it}" if updated and helped else "... = {it}",
            label="the result is not used",
            names={
                "it": event.nid,
                "called": Part(event.nid, (*whole, "func")),
                **({"updated": Part(event.nid, updated)} if updated else {}),
            },
            data=(None if event.inner else updated, m.copies_in_loop(event)),
        )

    def visit_LostChange(self, event: LostChange, m: Model) -> Iterator[Finding]:
        yield Finding(
            event.nid,
            f"this changes only a copy of `{event.name}` that `{event.transform}` made, which nothing reads",
            help=f"return {event.name}",
            label="the caller keeps what it had",
            names={"it": event.nid},
            data=(None, False),
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        path, copies = finding.data
        node = None if path is None else code.part(Part(finding.nid, path))
        while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            # the first of a chain of updates: x.at[i].set(v).at[j].add(w)
            indexed = node.func.value
            at = indexed.value if isinstance(indexed, cst.Subscript) else None
            node = at.value if isinstance(at, cst.Attribute) and at.attr.value == "at" else None
        if not isinstance(node, cst.Name) or not is_bound(code, node):
            return None
        safety: Applicability = "displayonly" if copies else "unsafe"
        start, _ = code.offsets(code.node(finding.nid))
        return Fix(safety, f"assign the result to `{node.value}`", (put(code, start, f"{node.value} = "),))


def _idle(event: Discard, message: str, help: str) -> Finding:
    """A call that does nothing as it stands, and is not an update of anything."""
    return Finding(
        event.nid,
        message,
        help=help,
        label="the result is not used",
        names={"it": event.nid},
        data=(None, False),
    )
