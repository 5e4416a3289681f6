"""JAX401: static self whose attributes are written."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Class, Example, Finding, Instance, Model, Rule, StaticRead

_FIXED = frozenset("frozen namedtuple framework equinox nnx enum".split())
_EXEMPT = _FIXED | {"pytree", "static"}  # a call is made with what is there

_HASH_KEPT = (0, 11, 0)  # the first JAX that keeps the hash of a static argument
_PLAIN = "`{read}` is static and is written later: compiled code keeps the old value"
_HASHED = "`{read}` is static and is written later: before JAX 0.11 compiled code keeps the old value"


class MutableStaticSelf(Rule):
    """A jitted method reads an attribute of its static `self` that is written later.

    ## What it does
    Finds methods that are jitted with `self` static and read, directly or through helper methods, an
    attribute that another method, or a caller, writes after the first call. Of several reads in one method
    the first is reported.

    ## Why
    JAX caches compiled functions by their static arguments, compared by hash and equality. A plain object is
    equal to itself whatever its attributes hold: after the write the cached program is used again, with the
    old value. Before JAX 0.11 a `__hash__` of the attributes does not help: the key in the cache is the same
    object, so it has changed too, and a new object equal to it gets the old program. From 0.11 on JAX keeps
    the hash as well, and compiles anew.

    ## When it is fine
    Attributes that only `__init__`, and methods that it calls, write, or methods whose names say that they
    load, build or initialise; attributes that a method sets to the value that the constructor set.
    Attributes that `__hash__` reads, unless `target-jax` or the project's dependencies admit versions
    before 0.11. A program that writes the attribute and calls what reads it only before, or only after.
    Frozen dataclasses, named tuples and modules of frameworks, where a change makes a new object. A method
    that clears the cache after it writes, or counts up a number that is a static argument, too, or gives
    one another constant under the test that the write is under. An attribute that is set once, where it was
    found to be `None`. What each trace writes before it reads it. Reads of no more than the shape, the
    dtype, the length or the structure, and those that decide only whether an error is raised. Fields that
    keep their values where a copy is written, as `self.state.apply_fn` after `self.state =
    self.state.replace(step=1)`.

    ## Fix safety
    No fix is applied: the attribute may become an argument of the method, or the class a pytree, or the
    objects may be replaced instead of changed.
    """

    code = "JAX401"
    name = "mutable-static-self"
    idle_in_tests = True
    category = "correctness"
    examples = (
        Example(
            bad="""
from functools import partial

import jax


class Filter:
    def __init__(self, gain):
        self.gain = gain

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.gain * x


lowpass = Filter(10)
before = lowpass(1)
lowpass.gain = 9
assert before == lowpass(1) == 10
""",
            good="""
from functools import partial

import jax


class Filter:
    def __init__(self, gain):
        self.gain = gain

    def __call__(self, x):
        return self._apply(self.gain, x)

    @partial(jax.jit, static_argnums=0)
    def _apply(self, gain, x):
        return gain * x


lowpass = Filter(10)
before = lowpass(1)
lowpass.gain = 9
assert before == 10 and lowpass(1) == 9
""",
        ),
    )
    claim = Claim("same", calls=("before", "lowpass(1)"))

    def visit_StaticRead(self, read: StaticRead, m: Model) -> Iterator[Finding]:
        owner = read.owner
        if not isinstance(owner, Instance) or owner.cls.has_any_mark(_FIXED if read.is_held else _EXEMPT):
            return
        if m.only_checks(read) or (not read.is_held and _has_no_hash(owner.cls)) or m.is_made_anew(read):
            return
        oldest, _ = m.target()
        if read.is_hashed and (oldest is None or oldest >= _HASH_KEPT):
            return
        module, nid = read.writes[0]
        func = read.frame.func
        reader = None if func is None else (func.module.path, func.code.nid)
        yield Finding(
            read.nid,
            _HASHED if read.is_hashed else _PLAIN,
            help="pass `{read}` as an argument of the jitted method, or make `{cls}` a pytree",
            label="read while tracing",
            names={"read": read.nid, "cls": owner.cls.code.name},
            cause=(module.path, nid, reader),
            also=((module, nid, f"`{read.name}` is written here"),),
        )


def _has_no_hash(cls: Class) -> bool:
    """Whether a call with an object of it raises."""
    said = (each.marks for each in cls.lineage() if not each.marks.isdisjoint(("hashed", "unhashable")))
    return "unhashable" in next(said, ())
