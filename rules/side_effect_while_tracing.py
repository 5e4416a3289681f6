"""JAX201: changes to Python's state from traced code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.rule import (
    Bound,
    Call,
    Claim,
    Class,
    Const,
    Example,
    External,
    Finding,
    Function,
    Instance,
    Model,
    Mutation,
    Partial,
    Rule,
    Transformed,
    Tuple,
    Value,
)

_LEVELS = frozenset("debug info warning warn error critical fatal exception log vlog".split())
_TEXT = frozenset(("msg", "data"))  # the parameters of loggers and of paths that are what is written
_ALIKE = (
    Bound,
    Class,
    External,
    Function,
    Instance,
    Partial,
    Transformed,
)  # each trace makes such a one again
_HAPPENS = frozenset(("append", "next", "delete"))


class SideEffectWhileTracing(Rule):
    """Traced code changes Python state outside of it.

    ## What it does
    Finds changes to objects made outside a jitted function or a loop body of `jax.lax`: containers that are
    appended to, popped or incremented, attributes, globals and variables of enclosing functions, `next` of
    an outer iterator, written files, and log records of traced values.

    ## Why
    JAX runs the Python code of such a function when it traces it, and keeps only the array operations. The
    side effect happens once per trace, not once per call or iteration: counters do not advance, lists stay
    short, and an iterator returns the same item in every iteration.

    ## When it is fine
    Objects made inside the trace belong to the function, and so do the dicts, lists and pytrees that `jit`
    passes to it. Caches with a key per entry, values that are made if a test finds none, and what the same
    trace pushes and pops, increments and decrements or sets and resets are not reported, nor is a log of
    shapes that each trace empties before it fills it, nor the state of modules of flax, haiku and equinox.
    Under `vmap` or `grad` alone Python runs at every call. A counter, or a list that is appended to, that
    only asserts, tests and `if ...: raise` read, or that is called `n_traces` or `compiles`, counts traces on
    purpose. What is added to a set is there after each call as it would be otherwise, and of the structure of
    a pytree a trace has one. An index list that each function fills before it reads it, a file that is
    written from its beginning and contains no tracer, and a shape, a function, an object or a named tuple
    without tracers that an object keeps are the same after each call. Log records behind `isEnabledFor`, what
    is done once for each key that a collection does not have yet, or once because of a flag that is set with
    it, and a variable of the module that is set by the same call as before, or that one function binds before
    it reads it, and nothing else reads, are meant for the time of tracing, as is what is noted where an error
    is raised next. So is what is kept where it was compared with what is asked for (`if n > self.n: self.n =
    n`), and what each trace sets to a constant, or to an empty list, before it goes on from there. A private
    attribute that no code reads, but to count it on, is seen by nobody, and a log record that begins with the
    call of its own function, as `logging.info("step(batch=%s)", batch)` in `step`, says when that is traced.

    ## Fix safety
    No fix is applied: only the author knows whether the state should become an argument and a result, or the
    effect a callback.
    """

    code = "JAX201"
    name = "side-effect-while-tracing"
    idle_in_tests = True
    unless = ("JAX203",)
    category = "suspicious"
    calls = ("logging", "absl", "io", "pathlib", "tqdm")
    examples = (
        Example(
            bad="""
import jax

calls = 0


@jax.jit
def decay(x):
    global calls
    calls += 1
    return x * 0.9


for _ in range(3):
    decay(1.0)
print(f"{calls} calls")
""",
            good="""
import jax


@jax.jit
def decay(x, calls):
    return x * 0.9, calls + 1


calls = 0
for _ in range(3):
    _, calls = decay(1.0, calls)
print(f"{calls} calls")
""",
        ),
        Example(
            bad="""
import jax
from jax import lax

weights = iter([1.0, 2.0, 3.0])
total = lax.fori_loop(0, 3, lambda i, acc: acc + next(weights), 0.0)
assert total == 3.0
""",
            good="""
import jax
import jax.numpy as jnp
from jax import lax

weights = jnp.array([1.0, 2.0, 3.0])
total = lax.fori_loop(0, 3, lambda i, acc: acc + weights[i], 0.0)
assert total == 6.0
""",
            claim=Claim("differs", calls=("total",), gives="6.0"),
        ),
    )
    claim = Claim("side-effect", what="calls", bad=1, good=3)

    def visit_Mutation(self, change: Mutation, m: Model) -> Iterator[Finding]:
        if not change.outside or change.memo or m.holds_tracer(change.new) or m.ends_in_error(change):
            return
        happens = change.how in _HAPPENS
        if (not happens and m.is_shape(change.new)) or m.is_deliberate(change):
            return
        is_record = isinstance(change.new, Tuple) and change.new.cls is not None
        if change.how == "attribute" and (is_record or isinstance(change.new, _ALIKE)):
            if not _keeps_tracer(change.new, m):
                return
        yield Finding(
            change.nid,
            f"`{{it}}` {'happens' if happens else 'is written'} once per trace, not once per call",
            help="jax.debug.callback(lambda: {it})"
            if change.how == "append"
            else "take the values as an argument"
            if change.how == "next"
            else "take `{it}` as an argument and return its new value",
            label="a side effect",
            names={"it": change.nid},
        )

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.staged and _is_written(call, m) and not m.ends_in_error(call):
            shown = "logs a tracer once per trace, not the values of each call"
            yield Finding(
                call.nid,
                f"`{{it}}` {shown if _is_log(call) else 'happens once per trace, not once per call'}",
                help="jax.debug.callback(...) runs it at each call, with the values",
                label="a side effect",
                names={"it": call.nid},
            )


def _keeps_tracer(value: Value, m: Model, depth: int = 4) -> bool:
    """Whether an object has a tracer in it, or a function closes over one."""
    held: Iterable[Value] = ()
    if isinstance(value, Instance):
        held = value.attributes.values()
    elif isinstance(value, Function):
        held = [value.env.vars[name] for name in value.code.free if name in value.env.vars]
    elif isinstance(value, Tuple):
        held = (value.elem, *(value.items or ()))
    elif isinstance(value, Partial):
        held = (value.func, *value.args, *(each for _, each in value.keywords))
    elif isinstance(value, (Bound, Transformed)):
        held = (value.func,)
    return depth > 0 and any(m.holds_tracer(each) or _keeps_tracer(each, m, depth - 1) for each in held)


def _is_written(call: Call, m: Model) -> bool:
    """Whether the call writes to a file, or a traced value to a log, or moves a progress bar."""
    owner, _, method = call.name.rpartition(".")
    if owner == "tqdm.tqdm":
        made: int = call.receiver.parts[0]  # type: ignore[union-attr]
        return made < call.frame.context.stage
    if owner == "io.IOBase":
        depth: int = call.receiver.parts[0]  # type: ignore[union-attr]
        if method not in ("write", "writelines") or depth >= call.frame.context.stage:
            return False
        # A file that each run writes from its beginning holds what the last one wrote: the same at each call.
        return not call.receiver.parts[1] or _shows_tracer(call, m)  # type: ignore[union-attr]
    if owner == "pathlib.Path":
        return method in ("write_text", "write_bytes") and _shows_tracer(call, m)
    if _is_log(call):
        is_record = method in _LEVELS or method.startswith("log_")
        return is_record and _shows_tracer(call, m) and not m.checks_level() and not _tells_of_call(call)
    return False


def _tells_of_call(call: Call) -> bool:
    """Whether a log says by the name of its own function that it is called, as `"step(batch=%s)"`, which is
    when it is traced."""
    func = call.frame.func
    text = call.args[0] if call.args else None
    if func is None or not isinstance(text, Const) or not isinstance(text.value, str):
        return False
    return text.value.startswith(f"{func.code.name}(")


def _is_log(call: Call) -> bool:
    return call.name.rpartition(".")[0] in ("logging", "logging.Logger", "absl.logging")


def _shows_tracer(call: Call, m: Model) -> bool:
    named = [value for name, value in call.keywords.items() if name in _TEXT]
    return any(m.shows_tracer(value, "SB") for value in (*call.args, *named))
