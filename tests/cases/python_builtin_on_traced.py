# %% max of a tracer and a number
import jax
import jax.numpy as jnp


@jax.jit
def clip(x, lo):
    return max(x, lo) #! JAX117


clip(2.0, 1.0)

# %% min of the elements of a traced vector
import jax
import jax.numpy as jnp


@jax.jit
def smallest(x):
    return min(x) #! JAX117


smallest(jnp.arange(3.0))

# %% any and all over comparisons
import jax
import jax.numpy as jnp


@jax.jit
def check(x):
    flag = any(x > 0) #! JAX117
    return jnp.where(flag, x, 0.0)


check(jnp.arange(3.0))

# %% all over a generator of traced comparisons
import jax
import jax.numpy as jnp


@jax.jit
def finite(params):
    ok = all(jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(params)) #! JAX117
    return ok


finite({"w": jnp.ones(2), "b": jnp.zeros(1)})

# %% sorted of a list of tracers
import jax
import jax.numpy as jnp


@jax.jit
def median(a, b, c):
    return sorted([a, b, c])[1] #! JAX117


median(1.0, 3.0, 2.0)

# %% sum, abs, round, pow, divmod, zip, enumerate, reversed, len and map work on tracers
import jax
import jax.numpy as jnp


@jax.jit
def allowed(x, parts):
    total = sum(x) + sum(parts) + sum(part * 2 for part in parts) + sum([x, x], start=jnp.zeros(2))
    total = total + abs(x) + round(x) + pow(x, 2) + divmod(x, 2.0)[0]
    for a, b in zip(x, reversed(x), strict=True):
        total = total + a * b
    for i, value in enumerate(map(jnp.sin, parts)):
        total = total + i * value
    return total * len(x) * len(parts)


allowed(jnp.arange(2.0), (1.0, 2.0))

# %% builtins over shapes, lengths, names and static arguments
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="limits")
def block(params, x, limits):
    width = max(x.shape) + min(len(params), 3) + max(x.ndim, 2, *limits)
    names = sorted(params)
    ordered = sorted(params.items(), key=lambda item: item[0])
    biggest = max(params.values(), key=lambda leaf: leaf.size)
    by_rank = sorted(params.values(), key=lambda leaf: leaf.ndim)
    if all(leaf.ndim for leaf in params.values()) and any(name == "w" for name in names):
        x = x * width
    if any(isinstance(leaf, jax.Array) for leaf in params.values()) and all(x.shape) and max(names) == "w":
        x = x + biggest.sum() + by_rank[0].sum() + ordered[0][1].sum()
    return x * sum(limits)


block({"w": jnp.ones(2), "b": jnp.ones(1)}, jnp.ones(2), limits=(1, 2))

# %% under vmap what is not mapped may be compared
import jax
import jax.numpy as jnp

floor = jnp.float32(0.5)


def scaled(x, temperature):
    return x / max(temperature, floor) + min(jnp.ones(2)) + sorted([temperature, floor])[0]


jax.vmap(scaled, in_axes=(0, None))(jnp.ones(3), jnp.float32(2.0))

# %% under vmap what is mapped may not
import jax
import jax.numpy as jnp


def scaled(x, temperature):
    return temperature / max(x, 0.1) #! JAX117


scaled(1.0, 2.0)
jax.vmap(scaled, in_axes=(0, None))(jnp.ones(3), jnp.float32(2.0))

# %% gradient alone: the comparisons are concrete
import jax
import jax.numpy as jnp


def hinge(w):
    flags = any(w > 0) and all(w < 3)
    return max(0.0, 1 - w[0]) + min(w) + sorted([w[0], w[1]])[1] * flags


jax.grad(hinge)(jnp.array([0.5, 1.0]))

# %% gradient under jit: they are not
import jax
import jax.numpy as jnp


def hinge(w):
    return max(0.0, 1 - w[0]) #! JAX117


jax.grad(hinge)(jnp.ones(2))
train = jax.jit(jax.grad(hinge))
train(jnp.ones(2))

# %% one element has nothing to be compared with; defaults of empty containers
import jax


@jax.jit
def lonely(x, extras=()):
    return max([x]) + min((x,)) + sorted([x])[0] + max(extras, default=0.0)


lonely(2.0)

# %% carry of fori_loop through max
import jax.numpy as jnp
from jax import lax


def running_max(xs):
    return lax.fori_loop(0, 3, lambda i, best: max(best, xs[i]), -jnp.inf) #! JAX117


running_max(jnp.arange(3.0))

# %% an operator given to reduce, and jnp.maximum in its place
import functools

import jax
import jax.numpy as jnp


@jax.jit
def extent(points):
    highest = functools.reduce(jnp.maximum, points)
    lowest = functools.reduce(lambda a, b: jnp.minimum(a, b), points)
    total = functools.reduce(lambda a, b: a + b, points)
    return highest - lowest + total


extent([1.0, 2.0, 3.0])

# %% names that shadow the builtins
import jax
import jax.numpy as jnp
from jax.numpy import any, max


@jax.jit
def spread(x):
    return max(x) - jnp.min(x) + any(x > 0)


spread(jnp.arange(3.0))

# %% methods and functions of the same names
import jax
import jax.numpy as jnp


class Range:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def max(self, x):
        return jnp.minimum(x, self.high)


@jax.jit
def limit(x):
    box = Range(0.0, 1.0)
    return box.max(x) + x.max() + x.min() + x.any() + x.all() + jnp.max(x) + jnp.sort(x)


limit(jnp.arange(3.0))

# %% max over a static schedule, the traced count joins later
import jax
import jax.numpy as jnp

SCHEDULE = (10, 20, 30)


@jax.jit
def rate(step):
    horizon = max(SCHEDULE)
    fraction = jnp.minimum(step / horizon, 1.0)
    return fraction * min(step, horizon) #! JAX117


rate(5)

# %% a helper called with a shape and with a tracer
import jax
import jax.numpy as jnp


def at_least_one(n):
    return max(n, 1) #! JAX117


@jax.jit
def mean(x, weights):
    count = at_least_one(x.shape[0])
    return x.sum() / count / at_least_one(weights.sum())


mean(jnp.ones(2), jnp.ones(2))

# %% a helper called with shapes only
import jax
import jax.numpy as jnp


def at_least_one(n):
    return max(n, 1)


def longest(*sequences):
    return max(len(sequence) for sequence in sequences)


@jax.jit
def mean(x, weights):
    return x.sum() / at_least_one(x.shape[0]) / at_least_one(len(weights)) / longest(x, weights)


mean(jnp.ones(2), jnp.ones(2))
at_least_one(jnp.float32(3.0))

# %% eager statistics on the results of a jitted function
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(x):
    return x**2


def best(candidates):
    scores = [evaluate(candidate) for candidate in candidates]
    ranked = sorted(scores)
    return max(scores), min(ranked), any(score > 1 for score in scores)


best([jnp.float32(1.0), jnp.float32(2.0)])

# %% a star-expanded traced list
import jax


@jax.jit
def winner(scores):
    return max(*scores) #! JAX117


winner([1.0, 2.0])

# %% a callback ranks with the builtins
import jax
import jax.numpy as jnp
import numpy as np


def rank(x):
    return np.float32(sorted(x)[0] + max(x) + any(x > 0))


@jax.jit
def score(x):
    return jax.pure_callback(rank, jax.ShapeDtypeStruct((), jnp.float32), x)


score(jnp.arange(3.0))

# %% compared while tracing: an array that is no tracer gives one when `max` compares it
import jax
import jax.numpy as jnp

FLOOR = jnp.float32(0.5)


@jax.jit
def clamp(x):
    return x * max(FLOOR, 0.0)  #! JAX117


clamp(1.0)

# %% compared while tracing: in a list, behind a test that it is given
import jax
import jax.numpy as jnp

OFFSET = jnp.ones(())


def branch(x):
    order = [1.0]
    if OFFSET is not None:
        order = sorted([OFFSET, 1])  #! JAX117
    return x + order[0]


jax.lax.switch(1, [lambda x: x, branch], jnp.float32(2.0))

# %% compared outside of staged code: under vmap and grad the arrays of the module have values
import jax
import jax.numpy as jnp

FLOOR = jnp.float32(0.5)


def clamp(x):
    return x * max(FLOOR, 0.0) + min([FLOOR, 1.0]) + sorted([FLOOR, 0.1])[0]


print(jax.vmap(clamp)(jnp.ones(2)), jax.grad(clamp)(1.0))


@jax.jit
def staged(x):
    with jax.ensure_compile_time_eval():
        floor = max(FLOOR, 0.0)
    return x * floor * max([FLOOR])


print(staged(1.0))

# %% filter by a traced predicate
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    kept = list(filter(lambda x: x > 0, xs)) #! JAX117
    return sum(kept)


f([jnp.ones(()), jnp.ones(())])

# %% filter None
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    return sum(filter(None, [a * 2, b * 2])) #! JAX117


f(jnp.ones(()), jnp.ones(()))

# %% filter in for
import jax
import jax.numpy as jnp


def positive(leaf):
    return leaf.sum() > 0


@jax.jit
def f(params):
    total = 0.0
    for leaf in filter(positive, jax.tree.leaves(params)): #! JAX117
        total = total + leaf.sum()
    return total


f({"w": jnp.ones(2)})

# %% filter static predicate
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    total = 0.0
    for leaf in filter(lambda leaf: leaf.ndim > 1, jax.tree.leaves(params)):
        total = total + leaf.sum()
    return total + sum(filter(None, [1, 0, 2]))


f({"w": jnp.ones((2, 2))})

# %% filter of names
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    names = list(filter(lambda name: name.startswith("w"), params))
    return sum(params[name].sum() for name in names)


f({"w": jnp.ones((2, 2)), "b": jnp.ones(2)})

# %% sorted by a traced key
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    return sorted(xs, key=lambda x: x.sum())[0] #! JAX117


f([jnp.ones(2), jnp.ones(3)])

# %% sorted of arrays by a static key
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    return sorted(xs, key=lambda x: x.shape[0])[0]


f([jnp.ones(2), jnp.ones(3)])

# %% sorted of pairs by traced
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    pairs = [("a", a), ("b", b)]
    return sorted(pairs, key=lambda pair: pair[1])[0][1] #! JAX117


f(1.0, 2.0)

# %% sorted dict items by value
import jax
import jax.numpy as jnp


@jax.jit
def f(scores):
    return sorted(scores.items(), key=lambda kv: kv[1])[0][1] #! JAX117


f({"a": 1.0, "b": 2.0})

# %% sorted dict items by name
import jax
import jax.numpy as jnp


@jax.jit
def f(scores):
    return sorted(scores.items(), key=lambda kv: kv[0])[0][1]


f({"a": 1.0, "b": 2.0})

# %% sorted dict items plain: names differ
import jax
import jax.numpy as jnp


@jax.jit
def f(scores):
    return sorted(scores.items())[0][1]


f({"a": 1.0, "b": 2.0})

# %% max by key
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    return max(a, b, key=lambda x: jnp.abs(x)) #! JAX117


f(1.0, 2.0)

# %% max by key of list
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    return max([a, b], key=jnp.linalg.norm) #! JAX117


f(jnp.ones(2), jnp.ones(2))

# %% min of dict by get
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    losses = {"a": a, "b": b}
    best = min(losses, key=losses.get) #! JAX117
    return losses[best]


f(1.0, 2.0)

# %% min of dict by lambda
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    losses = {"a": a, "b": b}
    best = min(losses, key=lambda name: losses[name]) #! JAX117
    return losses[best]


f(1.0, 2.0)

# %% max by static key
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    return max([a, b], key=lambda x: x.size) + max(a, b, key=len)


f(jnp.ones(2), jnp.ones(2))

# %% list.sort
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    xs = [a, b]
    xs.sort() #! JAX117
    return xs[0]


f(1.0, 2.0)

# %% list.sort key
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    xs = [a, b]
    xs.sort(key=lambda x: -x) #! JAX117
    return xs[0]


f(1.0, 2.0)

# %% list.sort key static
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    xs = [a, b]
    xs.sort(key=lambda x: -x.ndim)
    return xs[0]


f(1.0, 2.0)

# %% list.index of the first itself: identity
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    xs = [a, b]
    return xs.index(a)


f.lower

# %% list.index of traced in numbers
import jax
import jax.numpy as jnp


@jax.jit
def f(a):
    return [1, 2, 3].index(a) #! JAX117


f(1.0)

# %% list.count
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    return [1, 2, 3].count(a) + (1, 2).count(b) #! JAX117


f(1.0, 2.0)

# %% tree all of traced leaves
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    ok = jax.tree.all(jax.tree.map(lambda x: jnp.all(jnp.isfinite(x)), params)) #! JAX117
    return jnp.where(ok, 1.0, 0.0)


f({"w": jnp.ones(2), "b": jnp.ones(2)})

# %% tree_util.tree_all
import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):
    return jax.tree_util.tree_all([a > 0, b > 0]) #! JAX117


f(1.0, 2.0)

# %% tree all of static leaves
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    ok = jax.tree.all(jax.tree.map(lambda x: x.ndim == 1, params))
    return params["w"] if ok else params["b"]


f({"w": jnp.ones(2), "b": jnp.ones(2)})

# %% own __lt__ in sorted
import jax
import jax.numpy as jnp


class Item:
    def __init__(self, score):
        self.score = score

    def __lt__(self, other):
        return self.score < other.score


@jax.jit
def f(a, b):
    return sorted([Item(a), Item(b)])[0].score #! JAX117


f(1.0, 2.0)

# %% takewhile asks for traced truths
import itertools

import jax


@jax.jit
def f(xs):
    return sum(itertools.takewhile(lambda x: x > 0, xs)) #! JAX117


f([1.0, 2.0])

# %% compress by a static mask
import itertools

import jax


@jax.jit
def f(xs):
    return sum(itertools.compress(xs, [True, False])) + sum(itertools.takewhile(lambda x: x.ndim == 0, xs))


f([1.0, 2.0])

# %% compress by a traced mask
import itertools

import jax


@jax.jit
def f(xs, mask):
    return sum(itertools.compress(xs, [m > 0 for m in mask])) #! JAX117


f([1.0, 2.0], [1, 0])

# %% attrgetter and itemgetter as keys
import operator

import jax
import jax.numpy as jnp


class Item:
    def __init__(self, name, score):
        self.name, self.score = name, score


@jax.jit
def f(a, b):
    items = [Item("a", a), Item("b", b)]
    first = min(items, key=operator.attrgetter("name"))
    return max(items, key=operator.attrgetter("score")).score + first.score #! JAX117


f(1.0, 2.0)

# %% sorted by a pair whose first part is static and differs
import jax


@jax.jit
def f(a, b):
    pairs = sorted([(1, a), (0, b)])
    return pairs[0][1]


f(1.0, 2.0)

# %% sorted by a pair whose first parts are equal
import jax


@jax.jit
def f(a, b):
    pairs = sorted([(1, a * 2), (1, b * 2)]) #! JAX117
    return pairs[0][1]


f(1.0, 2.0)

# %% sorted by a tuple key with a static first part
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    return sorted(xs, key=lambda x: (x.ndim, x.size))[0]


f([jnp.ones(2), jnp.ones((3, 1))])

# %% one item is not compared
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    only = [x]
    only.sort()
    return max([x], key=jnp.sum) + sorted([x], key=jnp.sum)[0]


f(jnp.ones(2))

# %% under grad alone truths are there
import jax
import jax.numpy as jnp


def f(x):
    kept = list(filter(lambda v: v > 0, [x, 2 * x]))
    kept.sort(key=lambda v: -v)
    return max(kept, key=lambda v: v * 2) * kept.count(3.0) if 7.0 not in kept else x


jax.grad(f)(1.0)

# %% under vmap what is not mapped has a truth
import jax
import jax.numpy as jnp


def f(x, limits):
    kept = list(filter(lambda v: v > 0, limits))
    return x + max(kept, key=lambda v: v * 2)


jax.vmap(f, in_axes=(0, None))(jnp.ones(2), [1.0, 2.0])

# %% next of a filter by a static predicate
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    name = next(filter(lambda name: "w" in name, params))
    return params[name]


f({"w1": jnp.ones(2), "b": jnp.ones(2)})

# %% filter in a method of a class
import jax
import jax.numpy as jnp


class Pruner:
    def __init__(self, limit):
        self.limit = limit

    def keep(self, leaf):
        return jnp.abs(leaf).max() > self.limit

    def prune(self, leaves):
        return [leaf * 2 for leaf in filter(self.keep, leaves)] #! JAX117


@jax.jit
def f(params):
    return Pruner(0.1).prune(jax.tree.leaves(params))


f({"w": jnp.ones(2)})

# %% truths under try
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    try:
        return sorted(xs, key=jnp.sum)[0]
    except jax.errors.TracerBoolConversionError:
        return xs[0]


f([jnp.ones(2), jnp.ones(3)])

# %% operators as functions of arrays
import operator

import jax
import jax.numpy as jnp


@jax.jit
def f(tree, other):
    summed = jax.tree.map(operator.add, tree, other)
    return jax.tree.map(operator.mul, summed, other)


f({"w": jnp.ones(2)}, {"w": jnp.ones(2)})

# %% iterator that the program takes twice
import itertools

import jax

key = jax.random.key(0)
keys = (k for k in jax.random.split(key, 4))
first = [jax.random.normal(k) for k in itertools.islice(keys, 2)]
second = [jax.random.normal(k) for k in itertools.islice(keys, 2)]

# %% the largest of traced scores by heapq
import heapq

import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    return heapq.nlargest(2, xs, key=lambda x: x.sum())[0] #! JAX117


f([jnp.ones(2), jnp.ones(3)])

# %% the largest of tracers by heapq
import heapq

import jax


@jax.jit
def f(xs):
    return heapq.nlargest(2, xs)[0] #! JAX117


f([1.0, 2.0, 3.0])

# %% the largest names by heapq
import heapq

import jax


@jax.jit
def f(params):
    names = heapq.nsmallest(1, params, key=len)
    heap = [(2, params["a"]), (1, params["b"])]
    heapq.heapify(heap)
    return params[names[0]] + heap[0][1]


f({"a": 1.0, "b": 2.0})

# %% a heap of tracers
import heapq

import jax


@jax.jit
def f(a, b):
    heap = [a, b]
    heapq.heapify(heap) #! JAX117
    return heap[0]


f(1.0, 2.0)

# %% a place found by bisect among numbers
import bisect

import jax


@jax.jit
def f(x):
    return bisect.bisect([0.0, 1.0, 2.0], x) #! JAX117


f(1.5)

# %% a place found by bisect for a static number
import bisect

import jax


@jax.jit
def f(x):
    return x * bisect.bisect_left([0, 1, 2], x.ndim)


f(1.5)

# %% the median of tracers
import statistics

import jax


@jax.jit
def f(a, b, c):
    return statistics.median([a, b, c]) #! JAX117


f(1.0, 2.0, 3.0)

# %% a decision in another function that a method hands on
import jax
import jax.numpy as jnp


class Beam:
    def __init__(self, width):
        self.width = width

    def score(self, state):
        return state["logp"].sum()

    def prune(self, states):
        return sorted(states, key=self.score, reverse=True)[: self.width] #! JAX117


beam = Beam(2)


@jax.jit
def search(x):
    states = [{"logp": x * i, "n": i} for i in range(4)]
    return [state["logp"] for state in beam.prune(states)]


search(jnp.ones(2))

# %% a decision by a static part of a record
import jax
import jax.numpy as jnp


class Beam:
    def __init__(self, width):
        self.width = width

    def prune(self, states):
        return sorted(states, key=lambda state: state["n"], reverse=True)[: self.width]


beam = Beam(2)


@jax.jit
def search(x):
    states = [{"logp": x * i, "n": i} for i in range(4)]
    return [state["logp"] for state in beam.prune(states)]


search(jnp.ones(2))

# %% dataclass instances ordered by a traced field
import dataclasses

import jax


@dataclasses.dataclass(order=True)
class Item:
    score: float
    name: str = dataclasses.field(compare=False, default="")


@jax.jit
def f(a, b):
    return max(Item(a, "a"), Item(b, "b")).score


f.lower

# %% namedtuples ordered by a traced field
from typing import NamedTuple

import jax


class Item(NamedTuple):
    score: float
    name: str = ""


@jax.jit
def f(a, b):
    items = [Item(a * 2, "a"), Item(b * 2, "b")]
    items.sort(key=lambda item: item.score) #! JAX117
    return items[0].score


f(1.0, 2.0)

# %% namedtuples ordered as they are
from typing import NamedTuple

import jax


class Item(NamedTuple):
    score: float
    name: str = ""


@jax.jit
def f(a, b):
    items = [Item(a * 2, "a"), Item(b * 2, "b")]
    return min(items).score #! JAX117


f(1.0, 2.0)

# %% max of a default
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    return max((p.size for p in params), default=0) * max([1.0, 2.0], key=lambda v: -v) * params[0]


f([jnp.ones(2)])

# %% sort of indices by traced values
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    order = sorted(range(3), key=lambda i: xs[i]) #! JAX117
    return xs[order[0]]


f(jnp.ones(3))

# %% functools.cmp_to_key
import functools

import jax


@jax.jit
def f(a, b):
    return sorted([a, b], key=functools.cmp_to_key(lambda x, y: x - y))[0]


f.lower

# %% groups of consecutive static keys
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    total = 0.0
    for n, group in itertools.groupby(xs, key=lambda x: x.ndim):
        for x in group:
            total = total + n * x.sum()
    return total


f([jnp.ones(2), jnp.ones(3)])

# %% any of a filter
import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    return 1.0 if any(filter(lambda x: x.ndim > 1, xs)) else 0.0


f([jnp.ones(2), jnp.ones(3)])


# %% a leaf that may be a tracer or a number is mapped as such
import json

import jax
import jax.numpy as jnp


def at_least(z):
    return max(0, 1, z)


def bounded(z):
    return max(0, 1, z)  #! JAX117


@jax.jit
def picked(rate):
    box = {"value": rate * 2, "other": 3}
    mapped = jax.tree.map(at_least, {"a": box.get(json.loads('"other"'))})
    return rate + mapped["a"]


@jax.jit
def traced(rate):
    box = {"value": rate * 2, "other": rate}
    return jax.tree.map(bounded, {"a": box.get(json.loads('"other"'))})


picked(jnp.int32(3))
traced(jnp.int32(3))


# %% a function or a value of which nothing is known, one of which a flag chooses
import argparse

import jax
import jax.numpy as jnp
import optax


def schedule(count):
    return 0.1 * max(1.0 - count / 10, 0.1)  #! JAX117


def untraced(count):
    return 0.1 * max(1.0 - count / 10, 0.1)


def build(args):
    if args.warm:
        print(untraced(3))
    return optax.adam(schedule if args.anneal else args.lr)


parser = argparse.ArgumentParser()
parser.add_argument("--anneal", default=True)
parser.add_argument("--warm", default=True)
parser.add_argument("--lr", default=1.0)
tx = build(parser.parse_args([]))


@jax.jit
def step(params, state):
    updates, state = tx.update(params, state)
    return optax.apply_updates(params, updates), state


step(jnp.ones(3), tx.init(jnp.ones(3)))


# %% an enumeration looks for the member that a tracer is equal to
import enum
from functools import partial

import jax
import jax.numpy as jnp


class Mode(enum.IntEnum):
    KEEP = 0
    FLIP = 1


class Side(enum.Enum):
    LEFT = 0
    RIGHT = 1


@jax.jit
def moved(x, mode):
    return x if Mode(mode) == Mode.KEEP else -x  #! JAX117


moved(1.0, 1)


# %% the same for the lanes of a map
import enum

import jax
import jax.numpy as jnp


class Side(enum.Enum):
    LEFT = 0
    RIGHT = 1


def turned(x, side):
    return {Side.LEFT: x, Side.RIGHT: -x}[Side(side)]  #! JAX117


jax.vmap(turned)(jnp.ones(2), jnp.arange(2))


# %% ok: a static argument, the member's value, and a class that says itself what is missing
import enum
from functools import partial

import jax
import jax.numpy as jnp


class Mode(enum.IntEnum):
    KEEP = 0
    FLIP = 1


@partial(jax.jit, static_argnames="mode")
def moved(x, mode):
    return x if Mode(mode) == Mode.KEEP else -x


@jax.jit
def flipped(x, mode):
    return jnp.where(mode == Mode.FLIP, -x, x)


print(moved(1.0, mode=1), flipped(1.0, 1))


# %% functions of the standard library that compare tracers or test them
import bisect
import heapq
import itertools
import operator
import statistics

import jax
import jax.numpy as jnp


@jax.jit
def pushed(x):
    heap = [x[0]]
    heapq.heappush(heap, x[1])  #! JAX117
    return heap[0]


@jax.jit
def queued(x):
    heap = []
    for i in range(3):
        heapq.heappush(heap, (x[i], i))  #! JAX117
    return x


@jax.jit
def inserted(x):
    bounds = [0.0, 1.0]
    bisect.insort(bounds, x[0])  #! JAX117
    return bounds[0]


@jax.jit
def grouped(x):
    return [len(list(group)) for _, group in itertools.groupby(range(3), key=lambda v: v * x[0])]  #! JAX117


@jax.jit
def negated(x):
    return jnp.where(operator.not_(x[0] > 0), 1, 0)  #! JAX117


@jax.jit
def sought(x):
    return operator.indexOf([1.0, 2.0], x[0]) + operator.countOf((1.0, 2.0), x[1])  #! JAX117


@jax.jit
def middle(x):
    return statistics.median_low([x[0], x[1]])  #! JAX117


x = jnp.arange(3.0)
accepted = []
for each in (pushed, queued, inserted, grouped, negated, sought, middle):
    try:
        each(x)
    except TypeError:
        continue
    accepted.append(each)
assert not accepted, accepted
pushed(x)


# %% heaps, groups and searches that compare no tracer
import bisect
import heapq
import itertools
import operator
import statistics

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    heap = []
    heapq.heappush(heap, x[0])
    alone = heapq.heappop(heap)
    queue = []
    for i in range(3):
        heapq.heappush(queue, (i, x[i]))
    sizes = [3, 5]
    bisect.insort(sizes, x.shape[0])
    groups = [(kind, list(group)) for kind, group in itertools.groupby(range(4), key=lambda v: v % 2)]
    of_arrays = [group for _, group in itertools.groupby([x, x + 1], key=jnp.ndim)]
    named = {kind: sum(v for _, v in group) for kind, group in itertools.groupby([("a", x), ("a", x)], operator.itemgetter(0))}
    is_odd = operator.not_(x.shape[0] % 2), operator.truth(x.ndim), operator.indexOf(x.shape, 3), statistics.median([x[0]])
    return alone + queue[0][1] + sizes[0] + len(groups) + len(of_arrays) + named["a"] + is_odd[2] + is_odd[3]


print(step(jnp.arange(3.0)))


# %% the larger of what a jitted function is given, whatever that is
import jax


@jax.jit
def larger(x, y):
    return max(x, y)  #! JAX117


@jax.jit
def positive(x):
    return max(x, 0)  #! JAX117


@jax.jit
def only(x):
    return x[max(x)]


only({"a": 1.0}), only({"b": 1.0})
larger((1.0,), (2.0,))

# %% the order that dataclass makes compares the fields
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(order=True)
class Candidate:
    energy: jax.Array
    index: int


@jax.jit
def best(x):
    first, _ = sorted([Candidate(x.sum(), 0), Candidate(x.max(), 1)])  #! JAX117
    return first.energy


best(jnp.ones(3))

# %% a tracer is looked up in a list of tracers
import jax
import jax.numpy as jnp


@jax.jit
def position(x):
    levels = [jnp.zeros(()), jnp.ones(())]
    return levels.index(x)  #! JAX117


position(jnp.ones(()))

# %% the item itself is found at once
import jax
import jax.numpy as jnp


@jax.jit
def position(x, y):
    return [x, y].index(x)


position(jnp.ones(()), jnp.ones(()))
