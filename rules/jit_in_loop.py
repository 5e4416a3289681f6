"""JAX403: functions that a loop jits anew at each turn."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Call, Claim, Example, Finding, Model, Recompile, Rule

_CLEARING = frozenset(("jax.clear_caches", "jitted.clear_cache", "functools.$cache_clear"))


class JitInLoop(Rule):
    """A new function is jitted and called in every iteration of a loop.

    ## What it does
    Finds `jax.jit` of a lambda, a partial, a bound method, a local function or the result of another
    transform where all of it is made in the body of a loop or comprehension and called there, and calls there
    of a jitted function that are given a new function for a static argument, or of a function that jits a new
    function that it is given. Also finds caches of compiled functions that a loop clears, JAX's or those of
    `functools`, or a function that it calls.

    ## Why
    JAX caches compiled functions by the function object. A function that is made in every iteration is a new
    object each time: it is traced and compiled again, which takes a thousand times as long as the call.

    ## When it is fine
    `jax.jit(f)` of one and the same function compiles once, in a loop too. A table of jitted functions that
    is built in a loop and used later compiles each of them once, also where each is called there to warm it
    up. Neither is reported, nor is a loop that calls what it jits in a loop of its own, or hands a new
    function to one that goes on to a loop, a function that is jitted with options of its own in every
    iteration, such as `out_shardings`, one that is chosen by a text or calls a function that each iteration
    has another one of, or that branches or loops by what is written for each iteration
    (`for depth in (2, 4):`) or has arrays of another shape in each (`jnp.ones(n)`), where no other loop is
    around, code in a traced function, a use of `lower` and `compile`, or caches that only some iterations
    clear (`if i % 100 == 0:`).

    ## Fix safety
    No fix is applied: what is moved out of the loop may depend on its variables, which then have to become
    arguments.
    """

    code = "JAX403"
    name = "jit-in-loop"
    idle_in_tests = True
    category = "suspicious"
    when = "eager"
    calls = ("jax", "jitted", "functools")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp

x = jnp.ones(8)
for _ in range(3):
    x = jax.jit(lambda v: jnp.sin(v) * 2)(x)
print(x)
""",
            good="""
import jax
import jax.numpy as jnp

step = jax.jit(lambda v: jnp.sin(v) * 2)
x = jnp.ones(8)
for _ in range(3):
    x = step(x)
print(x)
""",
        ),
    )
    claim = Claim("traces", what="<lambda>", bad=3, good=1)

    def visit_Recompile(self, made: Recompile, m: Model) -> Iterator[Finding]:
        if made.kind == "loop" and made.given is not None:
            yield Finding(
                made.nid,
                "`{call}` is given a new function in every iteration: each one compiles",
                help="JAX finds a function by its identity: define it once, pass what varies as an argument",
                label="compiled in every iteration",
                names={"call": made.nid},
                traced=False,
            )
        elif made.kind == "loop":
            yield Finding(
                made.nid,
                "`{jit}` makes a new function in every iteration: each one compiles",
                help="jit the function once, before the loop, and pass what varies as an argument",
                label="compiled in every iteration",
                names={"jit": made.nid},
                traced=False,
            )

        if made.kind == "cleared":
            yield Finding(
                made.nid,
                "`{clear}` in a function that a loop calls: it compiles again in every iteration",
                help="clear the caches once, before or after the loop",
                label="empties the cache",
                names={"clear": made.nid},
                traced=False,
            )

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.name not in _CLEARING or call.staged:
            return
        if not call.frame.iterations or not call.frame.iterations[-1][1] or m.in_some_turns(call):
            return
        if not m.is_timed(call):
            yield Finding(
                call.nid,
                "`{clear}` in a loop: functions are compiled again in every iteration",
                help="clear the caches once, before or after the loop",
                label="empties the cache",
                names={"clear": call.nid},
                traced=False,
            )
