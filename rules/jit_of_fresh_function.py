"""JAX404: functions that are jitted anew at each call of the code that uses them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, Finding, Model, Recompile, Rule


class JitOfFreshFunction(Rule):
    """A function that jits a new function in each of its calls, and calls it.

    ## What it does
    Finds `jax.jit` of a lambda, a partial, a bound method, a local function or the result of another
    transform in a function that calls the result once, where the function is called more than once: a loop
    calls it, one caller calls it twice, or it is a public function or a method whose callers pass the
    arrays. Also finds factories of jitted functions, or of functions that call one, that a loop calls for the
    same function in every iteration, and calls of jitted functions that are given such a new function for a
    static argument, or of functions that jit a new function that they are given.

    ## Why
    JAX caches compiled functions by the function object, and by the static arguments. One that is made in
    each call, as `self.method` and `jax.grad(f)` are, is never in the cache: each call traces and compiles.
    It is the first cause of slow programs on JAX's page "Debugging slow JAX tracing and XLA compilation".

    ## When it is fine
    In `__init__`, at module level, in `main` and in tests, which run once; in notebooks and in functions that
    initialise, build or load something, unless a loop calls them; in factories that return the jitted
    function, or keep it with `functools.lru_cache`, in a table or in an attribute; where the function
    that makes it calls it in a loop, as `map` is one, or goes on to a loop of its own; where what is
    compiled calls, differentiates or maps a function that the caller passes, or hands it to a function
    that does, unless each turn of a loop passes the same one; where it is a method of an object that is
    made there of what the caller passes, or of the caller's object itself, unless a loop calls it for one
    object; where it is another function in every iteration, or has another shape (a depth, a width) in
    every one; where its result is only waited for or looked at by an `assert`; where options of `jit`,
    such as `out_shardings`, come from the caller; where the compiled program runs a `scan`, `while_loop`
    or `fori_loop`, next to which compiling it takes little, unless a loop calls it; where the function also
    compiles one that the caller passes, or is left at once where an attribute shows that it has run, unless a
    loop calls it; in a traced function, unless a loop outside of traces calls it, too; where only `lower` or
    `compile` is used. `jax.jit(f)` of a
    function of the module compiles once however often it is evaluated. These are not reported.

    ## Fix safety
    No fix is applied: what the function closes over has to become an argument.
    """

    code = "JAX404"
    name = "jit-of-fresh-function"
    idle_in_tests = True
    category = "performance"
    when = "eager"
    examples = (
        Example(
            bad="""
import jax


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x

    def __call__(self, x):
        return jax.jit(self.forward)(x)


net = Net(2.0)
print([net(float(i)) for i in range(3)])
""",
            good="""
import jax


class Net:
    def __init__(self, w):
        self.w = w
        self.compiled = jax.jit(self.forward)

    def forward(self, x):
        return self.w * x

    def __call__(self, x):
        return self.compiled(x)


net = Net(2.0)
print([net(float(i)) for i in range(3)])
""",
        ),
    )
    claim = Claim("traces", calls=("net(3.0)",), times=3, what="forward", bad=3, good=0)
    also = (Claim("compiles", calls=("net(3.0)",), times=3, bad=3, good=0),)

    def visit_Recompile(self, made: Recompile, m: Model) -> Iterator[Finding]:
        if made.kind in ("loop", "cleared"):
            return
        func = made.frame.func if made.given is None else made.maker
        where = func.code.name if func is not None and not func.code.is_lambda else "a lambda"
        if made.given is not None:
            yield Finding(
                made.nid,
                "each call of {where} compiles: `{call}` is given a new function",
                help="JAX finds a function by its identity: define it once, pass what varies as an argument",
                label="compiled in every call",
                names={"call": made.nid, "where": f"`{where}`" if where != "a lambda" else where},
                traced=False,
            )
            return
        yield Finding(
            made.nid,
            "each call of {where} compiles: `{jit}` makes a new function",
            help="jit the function once, where it is defined, and pass what varies as an argument",
            label="compiled in every call",
            names={"jit": made.nid, "where": f"`{where}`" if where != "a lambda" else where},
            traced=False,
        )
