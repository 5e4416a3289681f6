"""What was seen, as sentences: why a function was compiled again, and what happened at a line.

In: facts. Out: one line each, with the rule that it is about, where there is one. Names are as in the facts,
not escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.observe.facts import Event, Function, split_key

_WHAT = {
    "first": "",
    "shape": "{arg} came in another shape {times}",
    "dtype": "{arg} came with another dtype {times}",
    "weak type": "{arg} was weakly typed or not, which changed {times}",
    "static value": "{arg} is static and changed {times}",
    "static type": "{arg} is static and was of another type {times}",
    "other tree": "{arg} was another pytree {times}",
    "argument": "{arg} was given or left out, which changed {times}",
    "kind": "{arg} was traced or not, which changed {times}",
    "not kept": "nothing was different {times}: the trace was not kept, or another `jit` of it was called",
    "kept trace": "it was compiled from a trace that was kept {times}: devices, sharding or settings differ",
    "other transforms": "it was traced under other transforms {times}",
}

RULES = {
    "new function object": ("JAX404", "JAX403"),
    "key reused": ("JAX301", "JAX302"),
    "leak": ("JAX203",),
}
"""Codes of rules by why a function was compiled, or what happened; of errors their claims tell."""


class Sentence(NamedTuple):
    """One thing that is said. rules: codes of rules that it may be about, the likeliest first."""

    text: str
    rules: tuple[str, ...] = ()


def compilations(function: Function) -> str:
    """`compiled 41 times in 3.2 s`."""
    seconds = function.seconds.trace + function.seconds.lower + function.seconds.compile
    if not function.compiled:
        return f"traced {times(function.traced)}, {seconds:.2f} s"
    also = f", traced {times(function.traced)}" if function.traced != function.compiled else ""
    return f"compiled {times(function.compiled)}{also}, {seconds:.2f} s"


def reasons(function: Function) -> Iterator[Sentence]:
    """Why a function was traced again, the most frequent reasons first."""
    for argument, what, count in function.reasons:
        if what == "new function object":
            text = (
                f"`{argument}` was a new function object" if argument else "a new function object was jitted"
            )
            yield Sentence(f"{text} {times(count)}", RULES[what])
            continue
        template = _WHAT.get(
            what, "{arg} differed (" + what.replace("{", "(").replace("}", ")") + ") {times}"
        )
        if template:
            text = template.replace("{times}", times(count)).replace("{arg}", f"`{argument}`")
            yield Sentence(text, RULES.get(what, ()))


def happened(event: Event) -> Sentence:
    """What an event says, without its place."""
    rules = RULES.get(event.kind, ())
    if event.kind == "key reused":
        first = event.first
        same = first is not None and first == (event.function, event.line)
        where = " at this line" if same else f" in `{name_of(first[0])}`" if first is not None else ""
        return Sentence(f"a key was consumed before{where}, {times(event.count)}", rules)
    if event.kind == "leak":
        return Sentence(_leaked(event), rules)
    if event.kind == "transfer":
        loop = " in a loop" if event.loop else ""
        return Sentence(f"an array is read on the host by `{event.what}`{loop}, {times(event.count)}", rules)
    if event.kind == "nan":
        return Sentence(f"a NaN comes into being, {times(event.count)}", rules)
    if event.kind == "raised":
        return Sentence(f"raised {event.error.rpartition('.')[2]}, {times(event.count)}", rules)
    return Sentence(f"{event.kind}, {times(event.count)}", rules)


def _leaked(event: Event) -> str:
    kept = f": {event.what} keeps it" if event.what else ""
    text = f"a tracer made here outlives its trace{kept}"
    return f"{text}; JAX's leak check raised {times(event.count)}" if event.error else text


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def name_of(key: str) -> str:
    """The short name of a function: what is behind the last `<locals>`, with its class."""
    name = split_key(key)[1]
    return name.rpartition("<locals>.")[2]
