"""JAX203: tracers stored where they outlive their trace."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Event, Example, Finding, Kept, Model, ModuleChange, Mutation, Part, Rule


class TracerLeak(Rule):
    """A tracer leaks: traced code stores it where it outlives the trace.

    ## What it does
    Finds tracers that a transformed function stores in a container, an attribute, a global or a variable of
    an enclosing function that existed before the trace began; and calls of functions and methods memoised by
    `functools`, and reads of its cached properties, that make a tracer in one trace and are asked for again,
    with the same constants and objects, outside of it. Also changes of what a module of flax nnx holds, its
    variables, attributes and streams of keys, in another trace than the one that has made the module or was
    given it; and calls of transforms of `flax.nnx` with such a module, which would change it.

    ## Why
    A tracer is valid only while its function is traced. Afterwards any operation on it raises
    `UnexpectedTracerError`, in code that may be far away. This holds under every transform: `jit`, `grad`,
    `vmap`, and the bodies of loops and branches. In a jitted function even the arrays that `jax.numpy` makes
    of constants are tracers. Modules of flax nnx remember their trace, and refuse the change at once, with
    `TraceContextError`, whatever is stored.

    ## When it is fine
    Containers and objects made inside the same trace may hold tracers, and so may copies that `jit` passes to
    the function. A callback stores concrete arrays. A table or an attribute that is filled when it is first
    asked for holds concrete arrays where the program asks for it outside of traces first. An attribute that
    is reset, or a stack that is popped, before the function ends holds no tracer afterwards, nor does what a
    context manager takes back where it is left, and nothing reads what is left in an index list that each
    function fills before it reads it, nor in an attribute that each trace sets, itself or by a call, before
    anything else, where only what the trace calls reads it, nor in an object that a function makes for one
    call alone. A file that names `UnexpectedTracerError` shows or handles a leak.
    Shapes, dtypes and NumPy arrays are not tracers.

    ## Fix safety
    No fix is applied: the value has to be returned, with `has_aux=True` under `grad`, as the carry or an
    output of a loop, and stored by the caller.
    """

    code = "JAX203"
    name = "tracer-leak"
    category = "correctness"
    examples = (
        Example(
            bad="""
import jax

history = []


@jax.jit
def step(x):
    y = x * 2.0
    history.append(y)
    return y


step(1.0)
print(history[0] + 1.0)
""",
            good="""
import jax

history = []


@jax.jit
def step(x):
    y = x * 2.0
    return y


history.append(step(1.0))
print(history[0] + 1.0)
""",
            prints="3.0",
        ),
    )
    claim = Claim(
        "raises", "jax.errors.UnexpectedTracerError", "Encountered an unexpected tracer", elsewhere=True
    )

    def stands(self, event: Event, finding: Finding, m: Model) -> bool:
        return not isinstance(event, Mutation) or not m.is_filled_first(event)

    def visit_Kept(self, call: Kept, m: Model) -> Iterator[Finding]:
        yield Finding(
            call.nid,
            "`{it}` is memoised and leaks a tracer: later use raises UnexpectedTracerError",
            help="with jax.ensure_compile_time_eval(): around what it computes, or NumPy",
            label="its cache keeps a tracer",
            names={"it": Part(call.nid, ("func",))},
        )

    def visit_ModuleChange(self, change: ModuleChange, m: Model) -> Iterator[Finding]:
        if change.is_argument:
            yield Finding(
                change.nid,
                "gives flax nnx a module of another trace: raises ValueError or TraceContextError",
                help="give the module to the function around as an argument, under the transform of flax.nnx",
                label="takes a module that was made outside of this trace",
                raises=("TraceContextError", "ValueError"),
            )
            return
        yield Finding(
            change.nid,
            "`{it}` changes a flax nnx module of another trace: raises TraceContextError",
            help="give the module to the function as an argument, under the transform of flax.nnx",
            label="was made outside of this trace",
            names={"it": change.nid},
            raises=("TraceContextError",),
        )

    def visit_Mutation(self, change: Mutation, m: Model) -> Iterator[Finding]:
        if m.holds_tracer(change.new, "SBD" if change.outside else "BD") and not m.may_leak(change):
            yield Finding(
                change.nid,
                "`{it}` leaks a tracer: later use raises UnexpectedTracerError",
                help="return the value from the traced function, and store it in the caller",
                label="stores a tracer",
                names={"it": change.nid},
            )
