"""JAX205: variables that traced code reads once and that change later."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Event, Example, Finding, Model, Rule, StaleRead


class StaleGlobal(Rule):
    """Traced code reads a variable that is changed between calls.

    ## What it does
    Finds reads in jitted functions and in bodies of loops and branches of a global, of a variable of an
    enclosing function, or of a container or NumPy array in one, where the program changes it after the
    function was traced and then calls the function again: also in place, by `table.fill(0)`,
    `np.add(table, 1, out=table)` or `rng.shuffle(table)`. Modules of flax nnx that a function closes over are
    such variables, where an optimizer, `nnx.update`, `eval()` or a store gives them another state.

    ## Why
    JAX reads the variable when it traces the function and keeps its value as a constant of the compiled
    program. The change has no effect until something else, such as another shape, makes JAX trace again.

    ## When it is fine
    Variables that are set before the first call, names that never change again, a value that is set once
    where it was found to be `None`. A function that is defined again after the change is traced again. Under
    `vmap` or `grad` alone, and in callbacks, Python reads the variable at every call. A function that sets a
    variable of its module, and that nothing in the project calls, configures it before anything is traced.
    Copies of a record that replace other fields than those that are read. What a context manager writes and
    puts back, where all calls of the compiled function are inside, or none.
    What a check or a timer reads does not reach the outputs.

    ## Fix safety
    No fix is applied: the variable has to become an argument, static if the program's shape depends on it.
    """

    code = "JAX205"
    name = "stale-global"
    idle_in_tests = True
    category = "correctness"
    examples = (
        Example(
            bad="""
import jax

scale = 2


@jax.jit
def grow(x):
    return x * scale


before = grow(1)
scale = 5
assert grow(1) == before == 2
""",
            good="""
import jax

scale = 2


@jax.jit
def grow(x, scale):
    return x * scale


before = grow(1, scale)
scale = 5
assert before == 2 and grow(1, scale) == 5
""",
        ),
    )
    claim = Claim("same", calls=("before", "grow(1)"), good_calls=("before", "grow(1, scale)"))

    def visit_StaleRead(self, read: StaleRead, m: Model) -> Iterator[Finding]:
        if read.kind == "variable":
            yield Finding(
                read.nid,
                f"`{read.name}` changes after this is traced: later calls use the old value",
                help=f"pass `{read.name}` to the traced function as an argument",
                label="read while tracing",
                also=((*read.place, f"`{read.name}` is changed here"),),
            )

    def stands(self, event: Event, finding: Finding, m: Model) -> bool:
        return not (isinstance(event, StaleRead) and (m.only_checks(event) or m.changes_other_fields(event)))
