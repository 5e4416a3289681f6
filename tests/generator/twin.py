"""Twins: specs that differ from a base program's by one edit.

Some edits change what happens (a flag, a guard, a static argument), some only how it is
written; which is which is not assumed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from .fit import allowed, bindings_of
from .guard import OPEN_GUARDS
from .operation import OPERATIONS
from .passing import ALL_WAYS, FIXED_WAYS
from .spec import FLAG, SCALAR, VECTOR, Link, Spec
from .transform import BOUND_WAYS, METHOD_WAYS, TRANSFORMS, Wrapping, applicable


def twin_of(dice: random.Random, base: Spec) -> Spec:
    """One of the specs that differ from `base` by an edit, half of them mere rewritings."""
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
        yield replace(
            base, flag=None, opaque="" if base.opaque == "json-flag" else base.opaque, edit="flag removed"
        )
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
        bindings = bindings_of(TRANSFORMS[base.transform], application, base.origin)
        if base.binding in bindings:
            yield replace(base, application=application, edit="applied another way")
    for place, link in enumerate(base.links):
        ways = [way for way in ALL_WAYS if way not in (*FIXED_WAYS, "module-global", link.way)]
        if link.way not in (*FIXED_WAYS, "module-global"):
            changed = replace(link, way=dice.choice(ways))
            yield from [replace(base, links=_with(base, place, changed), edit="passed another way")] * 4
        if link.form in ("function", "method", "factory", "wrapped", "table", "lambda", "stored"):
            changed = replace(
                link, form=dice.choice(("function", "super", "overridden", "applied", "instance"))
            )
            yield from [replace(base, links=_with(base, place, changed), edit="another form")] * 2
        if link.other and link.form != "fixed":
            changed = replace(link, other=False)
            yield replace(base, links=_with(base, place, changed), edit="moved to the same module")


def _with(base: Spec, place: int, link: Link) -> tuple[Link, ...]:
    return (*base.links[:place], link, *base.links[place + 1 :])
