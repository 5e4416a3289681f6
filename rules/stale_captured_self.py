"""JAX206: attributes of captured objects that traced code reads once and that change later."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Event, Example, Finding, Model, Rule, StaleRead


class StaleCapturedSelf(Rule):
    """Traced code reads an attribute of an object it captured, and the attribute changes between calls.

    ## What it does
    Finds reads of attributes in jitted bound methods, closures and lambdas that captured the object, where
    the attribute is written, or a NumPy array in it is changed in place, after the function was traced and
    the function is called again.

    ## Why
    `jax.jit(self.step)` and `jax.jit(lambda x: x * self.scale)` do not take `self` as an argument. What they
    read from it while tracing is a constant of the compiled program: the training step keeps its first
    weights, the learning rate never falls.

    ## When it is fine
    Attributes that are written before the first call, or never again, and those that a method sets to the
    value that the constructor set. A method that writes the attribute and jits the function again, or drops
    it where it is kept, by `None` or `del`, or sets a flag that is asked where it is jitted; a compiled
    function that is kept under a key made of the attribute, or that is passed a number which each write
    counts up. What a context manager writes and puts back, where all calls are inside, or none. Attributes
    whose setting runs code, as `__setattr__` or a descriptor. Reads of no more than the shape, the dtype,
    the length or the structure, or than fields of a record that its copies do not replace. What stands in
    for an argument that may be left out. Pytrees that are passed as arguments. A static `self` is reported
    by mutable-static-self. Modules of frameworks manage their own state; but a closure that reads
    `self.model` keeps the state that a module of flax nnx had.

    ## Fix safety
    No fix is applied: the attribute has to become an argument of the jitted function.
    """

    code = "JAX206"
    name = "stale-captured-self"
    idle_in_tests = True
    unless = ("JAX401",)
    category = "correctness"
    examples = (
        Example(
            bad="""
import jax


class Gain:
    def __init__(self, k):
        self.k = k
        self.apply = jax.jit(lambda x: x * self.k)


gain = Gain(2)
before = gain.apply(1)
gain.k = 5
assert gain.apply(1) == before == 2
""",
            good="""
import jax


class Gain:
    def __init__(self, k):
        self.k = k
        self._apply = jax.jit(lambda k, x: x * k)

    def apply(self, x):
        return self._apply(self.k, x)


gain = Gain(2)
before = gain.apply(1)
gain.k = 5
assert before == 2 and gain.apply(1) == 5
""",
        ),
    )
    claim = Claim("same", calls=("before", "gain.apply(1)"))

    def visit_StaleRead(self, read: StaleRead, m: Model) -> Iterator[Finding]:
        if read.kind == "attribute" and not m.is_made_anew(read):
            yield Finding(
                read.nid,
                "`{it}` changes after this is traced: later calls use the old value",
                help="pass `{it}` to the jitted function as an argument",
                label="read while tracing",
                names={"it": read.nid},
                also=((*read.place, f"`{read.name}` is changed here"),),
            )

    def stands(self, event: Event, finding: Finding, m: Model) -> bool:
        return not (isinstance(event, StaleRead) and (m.only_checks(event) or m.changes_other_fields(event)))
