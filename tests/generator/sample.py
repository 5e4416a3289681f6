"""Drawing specifications: every pair that is wanted occurs, the rest is chance.

`draw` gives base programs, each followed by its twin. The only random source is the seed.
Constraints here keep a program meaningful (it runs, or a tracer stops it); they never say
which of the two.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, cycle, islice

from .guard import GUARDS, NOT_FOR, ONLY_FOR
from .operation import OPERATIONS, Operation
from .passing import ALL_WAYS, FIXED_WAYS, FORMS
from .spec import FLAG, KINDS, SCALAR, VECTOR, Flag, Link, Spec
from .transform import BOUND_WAYS, METHOD_WAYS, TRANSFORMS, Calling, Wrapping, applicable
from .value import STEPS

LOCALS = ("direct", "dict-entry", "tuple-element", "list-comprehension", "dataclass-field",
          "self-attribute", "loop-carry", "module-global", "walrus", "unpacking", "ternary", "closure",
          "partial")
OPAQUE_VALUES = ("getattr", "dict-get", "attrgetter", "choice", "reduce", "getattr-sibling",
                 "dict-get-sibling", "attrgetter-sibling", "choice-sibling", "reduce-sibling")
FLAG_SOURCES = ("literal", "constant", "argument", "default", "threaded", "static")
FLAG_SHAPES = ("if", "unless", "return", "else")
DEPTHS = (0, 1, 2, 3)
TRIES = 400
# Steps whose result depends on no value: kept rare, since nothing raises after them.
STATIC_STEPS = frozenset({"shape", "len", "size", "jnp-shape", "ndim", "is-none", "zeros-of-shape"})
STATIC_WEIGHT = 0.12
# Guards behind which a traced value is still reached.
OPEN_GUARDS = ("given", "missing-return", "rank-return", "rank", "hasattr", "python-return", "array-only",
               "tracer-only", "concrete-return", "try-uncaught", "finally", "compile-time", "loop",
               "named-scope")
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
    twinned = ((base, _twin(dice, base)) for base in bases)
    return list(islice(chain.from_iterable(twinned), count))


def _base(dice: random.Random, pair: TransformPair, waiting: deque[WayPair]) -> Spec:
    """A program of `pair` with the first waiting way that fits it; that way goes to the back."""
    for place, way in enumerate(waiting):
        for _ in range(TRIES):
            spec = _tried(dice, *pair, *way)
            if spec is not None and allowed(spec):
                del waiting[place]
                waiting.append(way)
                return spec
    raise ValueError(f"no way of passing fits {pair}")


def _tried(
    dice: random.Random, transform: str, application: str, way: str, depth: int, other: bool
) -> Spec | None:
    chosen = TRANSFORMS[transform]
    kind = dice.choice(chosen.kinds)
    origin = dice.choices(("traced", "config", "made", "host", "device"), (80, 9, 6, 2, 3))[0]
    binding = _binding(dice, chosen, application, origin)
    if binding is None:
        return None
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
        seed=dice.getrandbits(32), transform=transform, application=application, binding=binding,
        origin=origin, kind=kind, start=start, step=step, operand=operand, operation=operation.name,
        links=links, local=local, guard=guard, flag=flag, split=split,
        layout=dice.choice(("package", "package", "flat", "src")), also_eager=dice.random() < 0.3,
    )
    if dice.random() < 0.12:
        spec = replace(spec, opaque=dice.choice(_opaque_choices(spec)))
    return spec


def _binding(
    dice: random.Random, transform: Wrapping | Calling, application: str, origin: str
) -> str | None:
    if application in (*BOUND_WAYS, *METHOD_WAYS):
        choices: tuple[str, ...] = ("absent", "static")
    elif isinstance(transform, Calling) or application == "decorator":
        choices = ("absent",)
        if isinstance(transform, Wrapping) and transform.name not in ("vectorize",):
            choices = ("absent", "traced")
    else:
        choices = transform.bindings
    if origin == "config":
        choices = tuple(each for each in choices if each != "absent")
    return dice.choice(choices) if choices else None


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


def allowed(spec: Spec) -> bool:
    """Whether the choices fit together."""
    transform, operation, step = TRANSFORMS[spec.transform], OPERATIONS[spec.operation], STEPS[spec.step]
    if spec.operand not in operation.kinds or spec.step not in STEPS or spec.start not in step.before:
        return False
    if step.result(spec.start) != spec.operand:
        return False
    ways = [link.way for link in spec.links]
    if operation.positive and not step.positive:
        return False
    # A step may turn NumPy's number into Python's.
    if operation.array and spec.step != "none":
        return False
    checks = (
        _flag_fits(spec), _binding_fits(spec, transform), _links_fit(spec, ways), _host_fits(spec),
        not (spec.opaque == "json-config" and operation.array),
        spec.operand in ONLY_FOR.get(spec.guard, KINDS) and spec.operand not in NOT_FOR.get(spec.guard, ()),
    )
    return all(checks)


def _flag_fits(spec: Spec) -> bool:
    flag = spec.flag
    if flag is None:
        return True
    last = spec.links[-1] if spec.links else None
    if flag.source in ("argument", "default") and (last is None or last.way == "returned"):
        return False
    if flag.source == "static":
        return spec.binding == "static" and spec.origin != "config"
    return not (flag.source == "threaded" and not spec.links)


def _binding_fits(spec: Spec, transform: Wrapping | Calling) -> bool:
    if spec.origin != "config":
        return True
    if spec.binding == "absent":
        return False
    if isinstance(transform, Wrapping) and spec.application not in (*BOUND_WAYS, *METHOD_WAYS):
        if spec.binding == "static" and spec.start == VECTOR and transform.hashed:
            return False
        if spec.binding == "static" and transform.lead == 1 and spec.start == VECTOR:
            return False
    return True


def _links_fit(spec: Spec, ways: list[str]) -> bool:
    hops = sum(link.other for link in spec.links) + spec.split
    if hops > 2 or any(link.other and link.form == "nested" for link in spec.links):
        return False
    # What goes round a loop keeps its kind.
    return spec.start == spec.operand or spec.early or not {"lax-carry", "loop-carry"} & set(ways)


def _host_fits(spec: Spec) -> bool:
    """Inside a callback no jax operation may run: it would wait for itself."""
    transform = TRANSFORMS[spec.transform]
    if not isinstance(transform, Calling) or not transform.host:
        return True
    return (
        OPERATIONS[spec.operation].host and STEPS[spec.step].host and spec.guard in ("none", "given")
        and spec.local != "ternary" and not any(link.way == "lax-carry" for link in spec.links)
        and spec.origin in ("traced", "config", "host")
        and all(link.way != "module-global" for link in spec.links) and spec.local != "module-global"
    )


def _twin(dice: random.Random, base: Spec) -> Spec:
    edits = [spec for spec in _edits(base) if allowed(spec)]
    same = [spec for spec in _rewritings(dice, base) if allowed(spec)]
    return dice.choice(same if same and (not edits or dice.random() < 0.5) else edits)


def _edits(base: Spec) -> Iterator[Spec]:
    """Specs that differ from `base` by one edit; likelier ones come more than once."""
    operation, transform = OPERATIONS[base.operation], TRANSFORMS[base.transform]
    if operation.safe and base.operand in OPERATIONS[operation.safe].kinds:
        yield replace(base, operation=operation.safe, edit="safe operation")
    if base.flag is not None:
        flipped = replace(base.flag, value=not base.flag.value)
        if base.opaque != "json-flag":
            yield from [replace(base, flag=flipped, edit="flag flipped")] * 4
        yield replace(base, flag=None, opaque="" if base.opaque == "json-flag" else base.opaque,
                      edit="flag removed")
    if base.guard != "none":
        yield from [replace(base, guard="none", edit="guard removed")] * 2
    else:
        for guard in ("tracer-return", "concrete-only", "try-caught", *OPEN_GUARDS[:5]):
            yield replace(base, guard=guard, edit="guard added")
    if base.transform != "eager":
        yield replace(base, bare=True, edit="transform removed")
    if base.binding == "static" and base.origin == "config" and isinstance(transform, Wrapping):
        if base.application not in (*BOUND_WAYS, *METHOD_WAYS) and "traced" in transform.bindings:
            yield from [replace(base, binding="traced", opaque="", edit="static argument traced")] * 6
    if base.binding == "traced" and base.origin == "config" and base.application != "decorator":
        yield from [replace(base, binding="static", edit="traced argument static")] * 6
    if base.origin == "traced" and base.binding == "static" and base.start == base.kind:
        yield from [replace(base, origin="config", flag=None, edit="static argument used")] * 2
    if base.origin != "traced" and base.start in transform.kinds:
        yield replace(base, origin="traced", kind=base.start, opaque="", edit="traced argument used")
    for place, link in enumerate(base.links):
        if link.take in ("value", "sibling"):
            other = replace(link, take="sibling" if link.take == "value" else "value")
            yield replace(base, links=_with(base, place, other), edit="the value beside")
        if link.form in ("overridden", "overridden-away"):
            form = "overridden-away" if link.form == "overridden" else "overridden"
            turned = replace(link, form=form)
            yield from [replace(base, links=_with(base, place, turned), edit="other override")] * 4
    if base.start == VECTOR and base.operand == VECTOR and base.step == "none":
        yield replace(base, step="zeros-of-shape", edit="only the shape")
    if base.opaque and base.opaque not in ("json-config", "json-flag"):
        yield replace(base, opaque="", edit="opaque step removed")
    if base.operand in (SCALAR, FLAG) and base.step != "none":
        yield replace(base, step="none", operand=base.start, edit="step removed")


def _rewritings(dice: random.Random, base: Spec) -> Iterator[Spec]:
    """Edits that say the same in other words; the truth may still change with them."""
    others = [way for way in applicable(TRANSFORMS[base.transform]) if way != base.application]
    for application in dice.sample(others, min(3, len(others))):
        fits = _binding(dice, TRANSFORMS[base.transform], application, base.origin)
        if fits is not None and (fits == base.binding or base.flag is None and base.origin == "traced"):
            yield replace(base, application=application, binding=fits, edit="applied another way")
    for place, link in enumerate(base.links):
        ways = [way for way in ALL_WAYS if way not in (*FIXED_WAYS, "module-global", link.way)]
        if link.way not in (*FIXED_WAYS, "module-global"):
            changed = replace(link, way=dice.choice(ways))
            yield from [replace(base, links=_with(base, place, changed), edit="passed another way")] * 4
        if link.form in ("function", "method", "factory", "wrapped", "table", "lambda", "stored"):
            changed = replace(link, form=dice.choice(("function", "super", "overridden", "applied", "instance")))
            yield from [replace(base, links=_with(base, place, changed), edit="another form")] * 2
        if link.other and link.form != "fixed":
            changed = replace(link, other=False)
            yield replace(base, links=_with(base, place, changed), edit="moved to the same module")


def _with(base: Spec, place: int, link: Link) -> tuple[Link, ...]:
    return (*base.links[:place], link, *base.links[place + 1:])
