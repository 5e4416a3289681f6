"""A claim in words: one line that can be true or false.

In: claims. Out: text for `jaxlint rule`, `jaxlint confirm` and the pages. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlint.claim import Claim, Example, Expected
from jaxlint.rule.definition import Rule

_Statement = Callable[[Claim], str]

_GROWS = ("linear", "constant")
_BYTES = {
    "": "temporary memory",
    "temp": "temporary memory",
    "output": "memory of results",
    "argument": "memory of arguments",
    "alias": "aliased memory",
    "constants": "memory of the constants in the program",
    "live": "memory of live arrays",
}


def claims_of(rule: type[Rule], example: Example) -> Sequence[Claim]:
    """What is claimed of an example."""
    if example.claim is not None:
        return (example.claim,)
    return (*(() if rule.claim is None else (rule.claim,)), *rule.also)


def statement(claim: Claim) -> str:
    """What the claim says of the bad and the good program: `raises jax.errors.TracerBoolConversionError`."""
    text = _STATEMENTS[claim.kind](claim)
    if claim.devices > 1:
        text += f", on {claim.devices} devices"
    if claim.since:
        text += f", since JAX {claim.since}"
    if claim.until:
        text += f", before JAX {claim.until}"
    return text


def _raises(claim: Claim) -> str:
    return " ".join(filter(None, (claim.kind, claim.error, claim.text and f'("{claim.text}")')))


def _missing(claim: Claim) -> str:
    return " ".join(filter(None, ("uses a removed API: raises", claim.error, claim.text)))


def _warns(claim: Claim) -> str:
    return " ".join(
        filter(None, ("warns", claim.error or "DeprecationWarning", claim.text and f'("{claim.text}")'))
    )


def _values(claim: Claim) -> str:
    gives = f", which gives {claim.gives}" if claim.gives else ""
    if len(claim.calls) > 1:
        listed = ", ".join(f"`{call}`" for call in claim.calls)
        return f"{listed} {'are the same' if claim.kind == 'same' else 'differ'}{gives}"
    gives = f", where it is {claim.gives}" if claim.gives else ""
    return f"`{claim.calls[0]}` is {'as' if claim.kind == 'same' else 'not as'} in the good program{gives}"


def _count(noun: str) -> _Statement:
    def said(claim: Claim) -> str:
        calls = " and ".join(f"`{call}`" for call in claim.calls)
        times = f", made {claim.times} times" if calls and claim.times > 1 else ""
        subject = noun.format(what=claim.what, text=claim.text)
        return f"{subject}{f' in {calls}' if calls else ''}{times}: {_pair(claim)}"

    return said


def _traces(claim: Claim) -> str:
    return _count("runs of the body of `{what}`" if claim.what else "runs of Python bodies")(claim)


def _transfers(claim: Claim) -> str:
    return _count("{what} transfers" if claim.what else "host-to-device transfers")(claim)


def _side_effect(claim: Claim) -> str:
    return _count("growth of `{what}`" if claim.what else 'lines printed with "{text}"')(claim)


def _program(claim: Claim) -> str:
    if claim.what in ("jaxpr", "hlo"):
        noun = "jaxpr" if claim.what == "jaxpr" else "optimised HLO"
        same = "another" if claim.bad == "differs" else "the same"
        return f"`{claim.calls[0]}` has {same} {noun} in the good program"
    if claim.what.startswith("hlo:"):
        noun = f"`{claim.what[4:]}` in the optimised HLO"
    else:
        noun = "equations" if claim.what == "eqns" else f"`{claim.what}` in the jaxpr"
    return f"{noun} of `{claim.calls[0]}`: {_pair(claim)}"


def _memory(claim: Claim) -> str:
    noun = f"{_BYTES[claim.what]} of `{claim.calls[0]}`"
    if not claim.ratio and claim.bad is None and claim.good is None:
        return f"{noun} is as in the good program"
    return f"{noun}: {_pair(claim)}"


def _slower(claim: Claim) -> str:
    much = f"at least {claim.ratio:g} times the" if claim.ratio > 1 else "more"
    other = claim.calls[1] if len(claim.calls) > 1 else (claim.good_calls or claim.calls)[0]
    against = f" {'of' if claim.ratio > 1 else 'than'} `{other}`" if other != claim.calls[0] else ""
    return f"`{claim.calls[0]}` takes {much} time{against or ' that it takes in the good program'}"


def _pair(claim: Claim) -> str:
    said = []
    if claim.bad is not None:
        said.append(f"{_expected(claim.bad, claim)} in the bad program")
    if claim.good is not None:
        said.append(f"{_expected(claim.good, claim)} in the good one")
    if claim.ratio:
        said.append(f"bad over good at least {claim.ratio:g}")
    return ", ".join(said)


def _expected(value: Expected, claim: Claim) -> str:
    if value in _GROWS:
        return f"{value} in n ({', '.join(map(str, claim.sizes))})"
    return str(value)


_STATEMENTS = {
    "raises": _raises,
    "missing": _missing,
    "warns": _warns,
    "same": _values,
    "differs": _values,
    "traces": _traces,
    "compiles": _count("compilations"),
    "warm-binds": _count("primitives bound from Python by a warm call"),
    "transfers": _transfers,
    "side-effect": _side_effect,
    "program": _program,
    "memory": _memory,
    "gradient": _count("gradient"),
    "slower": _slower,
}
