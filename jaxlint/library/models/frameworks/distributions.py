"""Distributions of numpyro and distrax: what is drawn from them, with which key.

A distribution is a `Product` of the kind `distribution`: whose class it is, which tracers its parameters are,
and whether what is drawn has a gradient with respect to them; and which of its methods and attributes give a
tracer of a staged trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple, level_of
from jaxlint.domain.values import DIFFERENTIATED, NONE, STAGED, UNKNOWN, Array, Product, Value
from jaxlint.ir.nodes import Expr, NameExpr
from jaxlint.library.framework_layers import DISTRIBUTIONS, FLAT_SAMPLES
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.tables.distributions import PARTS

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


def level_of_samples(value: Value) -> int:
    """Which tracers what is drawn from a distribution certainly is, whatever the key."""
    return value.parts[1] if isinstance(value, Product) and value.kind == "distribution" else 0


@model(*sorted(DISTRIBUTIONS))
def distribution(call: Call, m: Parts) -> Value:
    level = 0
    for each in (*call.args, *call.keywords.values()):
        level |= level_of(each)
    if call.name in FLAT_SAMPLES:
        level &= ~DIFFERENTIATED
    traced: set[str] = set()
    for name, place, parts in PARTS.get(call.name, ()) if call.exact else ():
        if level_of(call.get(place, name) or NONE) & STAGED:
            traced |= parts
    holder = f"{call.name.rpartition('.')[0]}.Distribution"
    return Product("distribution", holder, level, frozenset(traced))


@model(
    *(f"distrax.Distribution.{name}" for name in "entropy mean median mode stddev variance".split()),
    "numpyro.distributions.Distribution.entropy",
)
def statistic(call: Call, m: Parts) -> Value:
    """What is computed of the parameters alone."""
    owner, name = call.args[0], call.name.rpartition(".")[2]
    return Array(STAGED) if isinstance(owner, Product) and name in owner.parts[2] else UNKNOWN


def _seed(call: Call, m: Parts) -> Value | None:
    """The key that distrax draws with. It takes numbers, too: such a parameter is annotated."""
    seed, func = call.keywords.get("seed"), m.flow.frame.func
    written = m.calls.written(call.nid, len(call.args), "seed")
    numbers = [] if func is None else [each for each in func.code.params if _is_int(each.annotation)]
    if not isinstance(written, NameExpr) or all(each.name != written.name for each in numbers):
        m.consumption.sample(seed, call.nid, "sample", "seed")
    return seed


def _is_int(annotation: Expr | None) -> bool:
    return isinstance(annotation, NameExpr) and annotation.name == "int"


def _drawn(call: Call, key: Value | None, m: Parts) -> Array:
    level = m.core.arrays_level([] if key is None else [key])
    return Array(level | level_of_samples(call.args[0]))


@model("numpyro.distributions.Distribution.sample", "numpyro.distributions.Distribution.rsample")
def sample(call: Call, m: Parts) -> Value:
    key = call.get(1, "key")
    m.consumption.consume(key, call.nid, "sample")
    return _drawn(call, key, m)


@model("numpyro.distributions.Distribution.sample_with_intermediates")
def sample_with_intermediates(call: Call, m: Parts) -> Value:
    key = call.get(1, "key")
    m.consumption.consume(key, call.nid, "sample")
    return Tuple((_drawn(call, key, m), UNKNOWN))


@model("numpyro.distributions.Distribution.__call__")
def called(call: Call, m: Parts) -> Value:
    """Draws as `sample` does."""
    key = call.keywords.get("rng_key", NONE)
    m.consumption.consume(key, call.nid, "sample")
    return _drawn(call, key, m)


@model(
    "numpyro.distributions.Distribution.expand",
    "numpyro.distributions.Distribution.expand_by",
    "numpyro.distributions.Distribution.to_event",
    "numpyro.distributions.Distribution.mask",
)
def reshaped(call: Call, m: Parts) -> Value:
    return call.args[0]


@model("distrax.Distribution.sample")
def sample_of_seed(call: Call, m: Parts) -> Value:
    return _drawn(call, _seed(call, m), m)


@model("distrax.Distribution.sample_and_log_prob")
def sample_and_log_prob(call: Call, m: Parts) -> Value:
    drawn = _drawn(call, _seed(call, m), m)
    return Tuple((drawn, Array(drawn.level & ~DIFFERENTIATED)))


@model(
    "distrax.Distribution.log_prob",
    "distrax.Distribution.prob",
    "numpyro.distributions.Distribution.log_prob",
)
def density(call: Call, m: Parts) -> Value:
    """Whether it has a gradient depends on the distribution."""
    given = m.core.arrays_level(call.args[1:]) | level_of_samples(call.args[0])
    return Array(given & ~DIFFERENTIATED)
