"""Which choices fit together in one program.

Constraints keep a program meaningful: it runs, or a tracer stops it. They never say which.
"""

from __future__ import annotations

from .guard import NOT_FOR, ONLY_FOR
from .operation import OPERATIONS
from .passing import JAX_WAYS
from .spec import KINDS, VECTOR, Spec
from .transform import BOUND_WAYS, METHOD_WAYS, TRANSFORMS, Calling, Wrapping
from .value import STEPS


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
        _flag_fits(spec),
        _binding_fits(spec, transform),
        _links_fit(spec, ways),
        _host_fits(spec),
        not (spec.opaque == "json-config" and operation.array),
        spec.operand in ONLY_FOR.get(spec.guard, KINDS) and spec.operand not in NOT_FOR.get(spec.guard, ()),
    )
    return all(checks)


def bindings_of(transform: Wrapping | Calling, application: str, origin: str) -> tuple[str, ...]:
    """The ways in which the traced function can have its second argument."""
    choices: tuple[str, ...]
    if application in (*BOUND_WAYS, *METHOD_WAYS):
        choices = ("absent", "static")
    elif isinstance(transform, Calling):
        choices = ("absent",)
    elif application == "decorator":
        choices = tuple(each for each in transform.bindings if each != "static")
    else:
        choices = transform.bindings
    return tuple(each for each in choices if each != "absent") if origin == "config" else choices


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
    return (
        spec.start == spec.operand
        or spec.early
        or not {"lax-carry", "loop-carry", "cond-operand"} & set(ways)
    )


def _host_fits(spec: Spec) -> bool:
    """Inside a callback no jax operation may run: it would wait for itself."""
    transform = TRANSFORMS[spec.transform]
    if not isinstance(transform, Calling) or not transform.host:
        return True
    return (
        OPERATIONS[spec.operation].host
        and STEPS[spec.step].host
        and spec.guard in ("none", "given")
        and spec.local != "ternary"
        and not any(link.way in JAX_WAYS for link in spec.links)
        and spec.origin in ("traced", "config", "host")
        and all(link.way != "module-global" for link in spec.links)
        and spec.local != "module-global"
    )
