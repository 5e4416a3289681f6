"""JAX204: clocks, random numbers and input in traced code."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    GENERATOR_METHODS,
    IMPURE,
    Call,
    Claim,
    Event,
    Example,
    Finding,
    Model,
    Part,
    Product,
    Rule,
)

_HELP = {
    "random": "draw with jax.random and a key that is passed in, or draw outside and pass the numbers in",
    "time": "read the clock around the call, or pass the time in",
    "input": "read it outside and pass it in",
}


class ImpureCallWhileTracing(Rule):
    """A clock, a random number or input is read while tracing.

    ## What it does
    Finds calls in traced code of functions that return something else each time: `time`, `datetime.now`,
    `random`, `numpy.random` and its generators, `secrets`, `uuid`, `input`.

    ## Why
    The call runs when JAX traces the function; its result becomes a constant of the compiled program. Every
    later call uses the first noise and the first time. Under `vmap` alone Python runs at every call, but
    once for all batch elements, which share one draw.

    ## When it is fine
    A generator that is made, or seeded, inside the trace from a given seed makes a constant on purpose.
    Callbacks run on the host whenever the program does. `os.environ` is read for settings and is not
    reported. A `uuid` that is made while tracing names what the trace builds; it is reported only where its
    number is read. Nor is a random number reported that only becomes part of a text, as the name of a group
    of operations. A time that only a log reads which a test turns on, or where an error is raised next, is
    not reported, nor what is computed once and kept, where the program does so outside of traces first. A
    call that raises because of a tracer is reported by numpy-on-traced or python-cast-of-traced.

    ## Fix safety
    No fix is applied: `jax.random` needs a key from the caller.
    """

    code = "JAX204"
    name = "impure-call-while-tracing"
    category = "correctness"
    unless = ("JAX105", "JAX106")
    calls = (*sorted({name.partition(".")[0] for name in IMPURE} - {"input", "builtins"}), "builtins.input")
    examples = (
        Example(
            bad="""
import jax
import numpy as np


@jax.jit
def noisy(x):
    return x + np.random.normal()


draws = {float(noisy(0.0)) for _ in range(4)}
assert len(draws) == 1
""",
            good="""
import jax


@jax.jit
def noisy(key, x):
    return x + jax.random.normal(key)


draws = {float(noisy(key, 0.0)) for key in jax.random.split(jax.random.key(0), 4)}
assert len(draws) == 4
""",
        ),
    )
    claim = Claim(
        "same",
        calls=("noisy(0.0)", "noisy(0.0)"),
        good_calls=("noisy(jax.random.key(1), 0.0)", "noisy(jax.random.key(2), 0.0)"),
    )

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if not call.traced:
            return
        group = _group(call)
        if not group or not (call.staged or (group == "random" and call.frame.context.batched)):
            return
        if group == "random" and m.becomes_text(call):
            return
        if group == "time":
            if m.is_only_shown(call) or m.ends_in_error(call):
                return
            said = "tells the time of tracing, not that of each call"
        elif call.staged:
            said = "runs while tracing: later calls reuse its result"
        else:
            said = "runs while tracing: all batch elements share its result"
        yield Finding(
            call.nid,
            f"`{{it}}` {said}",
            help=_HELP[group],
            label="called once per trace",
            names={"it": Part(call.nid, ("func",))},
        )

    def stands(self, event: Event, finding: Finding, m: Model) -> bool:
        """What is kept once it is there was computed by an earlier call, outside of traces; what is drawn
        after the trace has seeded the generator is the same at each call."""
        return not m.is_computed_first(event) and not m.is_seeded(event)


def _group(call: Call) -> str:
    """What the call asks for: time, random or input; nothing where its answer is always the same."""
    name = call.name.removeprefix("builtins.")
    if name in IMPURE:
        group, fewer = IMPURE[name]
        # making a generator draws nothing: its draws are found
        return "" if fewer and (group == "random" or len(call.args) >= fewer) else group
    owner, _, method = name.rpartition(".")
    maker = call.receiver
    if isinstance(maker, Product) and method in GENERATOR_METHODS.get(owner, ()):
        _, depth, seeded = maker.parts
        return "" if seeded and depth >= call.frame.context.depth else "random"
    return ""
