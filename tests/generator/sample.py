"""Drawing specifications: every pair that is wanted occurs, the rest is chance.

`draw` gives base programs, each followed by its twin. The only random source is the seed.
Constraints here keep a program meaningful (it runs, or a tracer stops it); they never say
which of the two.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace
from itertools import chain, cycle, islice

from .fit import allowed, bindings_of
from .form import FORMS
from .guard import GUARDS, OPEN_GUARDS
from .operation import OPERATIONS, Operation
from .passing import ALL_WAYS, FIXED_WAYS
from .spec import KINDS, VECTOR, Flag, Link, Spec
from .transform import TRANSFORMS, Calling, Wrapping, applicable
from .twin import twin_of
from .value import STEPS

LOCALS = (
    "direct",
    "dict-entry",
    "tuple-element",
    "list-comprehension",
    "dataclass-field",
    "self-attribute",
    "loop-carry",
    "module-global",
    "walrus",
    "unpacking",
    "ternary",
    "closure",
    "partial",
    "match",
    "match-mapping",
    "try",
    "with",
    "zip",
    "setdefault",
    "nonlocal",
    "pytree",
)
OPAQUE_VALUES = (
    "getattr",
    "dict-get",
    "attrgetter",
    "choice",
    "reduce",
    "getattr-sibling",
    "dict-get-sibling",
    "attrgetter-sibling",
    "choice-sibling",
    "reduce-sibling",
)
FLAG_SOURCES = ("literal", "constant", "argument", "default", "threaded", "static")
FLAG_SHAPES = ("if", "unless", "return", "else")
DEPTHS = (0, 1, 2, 3)
TRIES = 400
# Steps whose result depends on no value: kept rare, since nothing raises after them.
STATIC_STEPS = frozenset({"shape", "len", "size", "jnp-shape", "ndim", "is-none", "zeros-of-shape"})
STATIC_WEIGHT = 0.12
DERIVATIVES = frozenset({"grad", "value_and_grad", "jacrev", "vjp", "jvp", "linearize", "jacfwd", "hessian"})
RAISING_IN_DERIVATIVES = frozenset({"JAX105", "JAX106", "JAX107", "JAX501"})

TransformPair = tuple[str, str]
WayPair = tuple[str, int, bool]


def transform_pairs() -> list[TransformPair]:
    return [(name, way) for name, transform in TRANSFORMS.items() for way in applicable(transform)]


def way_pairs() -> list[WayPair]:
    """(way, depth, other module). At depth 0 the value moves inside the traced function."""
    near = [(way, 0, False) for way in LOCALS]
    return near + [(way, depth, other) for way in ALL_WAYS for depth in DEPTHS[1:] for other in (False, True)]


def draw(seed: int, count: int) -> list[Spec]:
    """`count` programs, a base and its twin in turn."""
    dice = random.Random(seed)
    pairs, ways = transform_pairs(), way_pairs()
    dice.shuffle(pairs)
    dice.shuffle(ways)
    waiting = deque(ways)
    bases = (_base(dice, pair, waiting) for pair in cycle(pairs))
    twinned = ((base, twin_of(dice, base)) for base in bases)
    return list(islice(chain.from_iterable(twinned), count))


def _base(dice: random.Random, pair: TransformPair, waiting: deque[WayPair]) -> Spec:
    """A program of `pair` with the first waiting way that fits it; that way goes to the back."""
    for place, way in enumerate(waiting):
        for _ in range(TRIES):
            spec = _tried(dice, pair, way)
            if spec is not None and allowed(spec):
                del waiting[place]
                waiting.append(way)
                return spec
    raise ValueError(f"no way of passing fits {pair}")


def _tried(dice: random.Random, pair: TransformPair, wanted: WayPair) -> Spec | None:
    (transform, application), (way, depth, other) = pair, wanted
    chosen = TRANSFORMS[transform]
    kind = dice.choice(chosen.kinds)
    origin = dice.choices(("traced", "config", "made", "host", "device"), (80, 9, 6, 2, 3))[0]
    bindings = bindings_of(chosen, application, origin)
    if not bindings:
        return None
    binding = dice.choice(bindings)
    start = kind if origin == "traced" else dice.choice(KINDS)
    operation = _operation(dice, start, chosen)
    operand = dice.choice(operation.kinds)
    steps = [s.name for s in STEPS.values() if start in s.before and s.result(start) == operand]
    if not steps:
        return None
    weights = [STATIC_WEIGHT if name in STATIC_STEPS else 1.0 for name in steps]
    step = "none" if "none" in steps and dice.random() < 0.5 else dice.choices(steps, weights)[0]
    links, local, split = _links(dice, way, depth, other)
    guards = OPEN_GUARDS if dice.random() < 0.7 else tuple(GUARDS)
    guard = "none" if dice.random() < 0.7 else dice.choice(guards)
    flag = None
    if dice.random() < 0.3:
        flag = Flag(dice.choice(FLAG_SOURCES), dice.random() < 0.8, dice.choice(FLAG_SHAPES))
    spec = Spec(
        seed=dice.getrandbits(32),
        transform=transform,
        application=application,
        binding=binding,
        origin=origin,
        kind=kind,
        start=start,
        step=step,
        operand=operand,
        operation=operation.name,
        links=links,
        local=local,
        guard=guard,
        flag=flag,
        split=split,
        layout=dice.choice(("package", "package", "flat", "src")),
        also_eager=dice.random() < 0.3,
    )
    if dice.random() < 0.12:
        spec = replace(spec, opaque=dice.choice(_opaque_choices(spec)))
    return spec


def _operation(dice: random.Random, start: str, transform: Wrapping | Calling) -> Operation:
    """Operations of the start's own kind are likelier, those that may raise too.

    Under a derivative alone few operations raise; they are asked for more often there.
    """
    derivative = transform.name in DERIVATIVES and dice.random() < 0.7
    while True:
        operation = dice.choice(tuple(OPERATIONS.values()))
        if not operation.codes and dice.random() < 0.8:
            continue
        if derivative and not operation.codes & RAISING_IN_DERIVATIVES:
            continue
        if start not in operation.kinds and dice.random() < 0.6:
            continue
        return operation


def _links(dice: random.Random, way: str, depth: int, other: bool) -> tuple[tuple[Link, ...], str, bool]:
    if depth == 0:
        return (), way, dice.random() < 0.3
    focus = dice.randrange(depth)
    split = dice.random() < 0.25
    hops = 2 - split - other
    links = []
    for place in range(depth):
        if place == focus:
            links.append(Link(way, _form(dice, way, other), other, _take(dice, way)))
            continue
        further = hops > 0 and dice.random() < 0.4
        hops -= further
        another = dice.choice(ALL_WAYS) if dice.random() < 0.5 else "positional"
        # One link of the chain at most takes its value from elsewhere.
        if another == "module-global":
            another = "keyword"
        links.append(Link(another, _form(dice, another, further), further, _take(dice, another, 0.02)))
    return tuple(links), "direct", split


def _form(dice: random.Random, way: str, other: bool) -> str:
    if way in FIXED_WAYS:
        return "fixed"
    if dice.random() < 0.35:
        return "function"
    names = [name for name in FORMS if not (other and name == "nested")]
    return dice.choices(names, [0.4 if name == "overridden-away" else 1.0 for name in names])[0]


def _take(dice: random.Random, way: str, sibling: float = 0.08) -> str:
    if way == "module-global":
        return "alone"
    return dice.choices(("alone", "value", "sibling"), (0.6 - sibling, 0.4, sibling))[0]


def _opaque_choices(spec: Spec) -> tuple[str, ...]:
    choices = list(OPAQUE_VALUES)
    if spec.origin == "config" and spec.start != VECTOR and spec.binding == "static":
        choices += ["json-config"] * 20
    if spec.flag is not None and spec.flag.source == "constant" and spec.flag.value:
        choices += ["json-flag"] * 10
    if spec.links and spec.links[0].form == "function" and not spec.links[0].other:
        choices += ["globals"] * 6
    if spec.transform in ("jit", "scan-x", "while-body", "fori", "checkpoint", "jit-grad"):
        choices += ["disable-jit"] * 6
    return tuple(choices)
