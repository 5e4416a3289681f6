"""The laws of fixes, for every fix that the tests' programs give rise to.

Applied alone: the text parses, the finding is gone, a second run changes nothing, what lies outside of the
edits stands as it stood, comments too. One that may be applied brings no new finding. A safe one gives what
the program gave: both are run under JAX, and what raised before must run.
"""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from linted import findings, prepare_findings, programs
from verify_cases import RAISES, Section, ready_jax, run

from jaxlint.diagnostic import APPLICABILITIES, Diagnostic
from jaxlint.fixes.apply import apply_fixes, fix_until_stable, parses
from jaxlint.rule.registry import registry
from jaxlint.source.text import Source

Case = tuple[str, str, Diagnostic]


def _cases() -> list[Case]:
    found = []
    seen = set()
    prepare_findings([program.text for program in programs()])
    for program in programs():
        for each in findings(program.text):
            if each.fix is not None and (program.text, each.fix) not in seen:
                seen.add((program.text, each.fix))
                found.append((program.name, program.text, each))
    return found


CASES = _cases()
APPLIED = [case for case in CASES if case[2].fix and case[2].fix.applicability != "displayonly"]
# Programs with a safe fix that the installed JAX runs, and their names.
SAFE = {
    text: f"{found.code}-{name}"
    for name, text, found in CASES
    if found.fix and found.fix.applicability == "safe" and found.code not in ("JAX901", "JAX902")
}


def name_of(case: Case) -> str:
    name, _, found = case
    return f"{found.code}-{found.span.row}-{found.span.column}-{name[:60]}"


def fixed(case: Case) -> str:
    _, text, found = case
    assert found.fix is not None
    after, applied = apply_fixes(text, [found.fix])
    assert applied == [found.fix]
    return after


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def codes(found: list[Diagnostic] | tuple[Diagnostic, ...]) -> Counter[str]:
    return Counter(each.code for each in found)


def test_there_are_fixes_of_each_kind() -> None:
    kinds = {case[2].fix.applicability for case in CASES if case[2].fix}
    assert kinds == set(APPLICABILITIES)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_it_parses_and_keeps_the_rest(case: Case) -> None:
    _, text, found = case
    after = fixed(case)
    assert after != text
    assert parses(after)
    assert comments(text) - comments(after) == Counter()
    source = Source.from_text(text)
    assert found.fix is not None
    spans = sorted((source.offsets(edit.span), edit.content) for edit in found.fix.edits)
    pieces, end = [], 0
    for (start, stop), content in spans:
        assert start >= end, "edits overlap"
        pieces += [text[end:start], content]
        end = stop
    assert "".join([*pieces, text[end:]]) == after
    rule = registry().entry(found.code).rule
    if rule is not None:
        assert rule.fix is not None, f"{rule.code} offers a fix and says that it has none"
        assert APPLICABILITIES.index(found.fix.applicability) >= APPLICABILITIES.index(rule.fix)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_finding_is_gone(case: Case) -> None:
    _, text, found = case
    after = findings(fixed(case))
    before = codes(findings(text))
    if codes(after)[found.code] >= before[found.code]:
        # A swap may need as many rounds as there are layers.
        driven = fix_until_stable(text, findings, lambda other: other.code == found.code)
        assert found.code not in codes(driven.left)


@pytest.mark.parametrize("case", APPLIED, ids=name_of)
def test_nothing_new_is_found(case: Case) -> None:
    _, text, _ = case
    new = codes(findings(fixed(case))) - codes(findings(text))
    assert not new


@pytest.mark.parametrize("text", sorted({text for _, text, _ in APPLIED}), ids=lambda text: f"{crc32(text.encode()):08x}")
def test_a_second_run_changes_nothing(text: str) -> None:
    def allowed(found: Diagnostic) -> bool:
        return found.fix is not None and found.fix.applicability != "displayonly"

    first = fix_until_stable(text, findings, allowed)
    assert first.is_stable and not first.broken
    assert fix_until_stable(first.text, findings, allowed).text == first.text


@pytest.mark.parametrize("text", SAFE, ids=SAFE.get)
def test_safe_ones_give_the_same(text: str) -> None:
    """All safe fixes of a program together, so that each program runs twice."""
    if "norun" in SAFE[text]:
        pytest.skip("not run")
    ready_jax()
    safe = [found for found in findings(text) if found.fix and found.fix.applicability == "safe"]
    after = fix_until_stable(text, findings, lambda found: bool(found.fix and found.fix.applicability == "safe"))
    before, old = _run(text)
    error, new = _run(after.text)
    if before is None:
        assert error is None, error
        again = _run(text)[1]
        steady = {name: value for name, value in old.items() if _alike({name: value}, again)}
        assert _alike(steady, new)
    elif not {found.code for found in after.left} & RAISES.keys():
        assert error is None, f"{[found.code for found in safe]}: {error}"


def _run(text: str) -> tuple[str | None, dict[str, Any]]:
    """The error that a program ends with, and its numbers and arrays by name."""
    values: dict[str, Any] = {}
    section = Section(Path("fixed.py"), "", text + "\n_keep(globals())\n", hash(text) % 10**9, {})
    import builtins

    def keep(namespace: dict[str, Any]) -> None:
        values.update(namespace)

    builtins._keep = keep  # type: ignore[attr-defined]
    try:
        outcome = run(section)
    finally:
        del builtins._keep  # type: ignore[attr-defined]
    return outcome.error, values


def _alike(old: dict[str, Any], new: dict[str, Any]) -> bool:
    import jax
    import numpy as np

    for name, value in old.items():
        if isinstance(value, (int, float, complex, np.ndarray, jax.Array)) and name in new:
            other = new[name]
            if getattr(value, "dtype", None) != getattr(other, "dtype", None):
                return False
            if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
                value, other = jax.random.key_data(value), jax.random.key_data(other)
            if not np.allclose(np.asarray(value), np.asarray(other), equal_nan=True):
                return False
    return True


def test_attributes_of_arrays_that_cannot_be_set() -> None:
    """No fix assigns to one of these: they are all that gives another array, and JAX refuses to set any."""
    import jax
    import jax.numpy as jnp

    from jaxlint.rules.array_item_assignment import VIEWS

    x = jnp.ones((2, 2))
    public = [name for name in dir(type(x)) if not name.startswith("_") and name != "flat"]
    arrays = {name for name in public if isinstance(getattr(x, name, None), jax.Array)}
    assert arrays | {"flat"} == VIEWS  # reading `x.flat` raises, too
    for name in VIEWS:
        with pytest.raises(AttributeError):
            setattr(x, name, x)


WRITE = "import jax.numpy as jnp\n\n\ndef f(n, g):\n    i = 0\n    a = jnp.zeros(3)\n    {}\n    return a\n"
STATIC = """import functools
import jax


@functools.partial(jax.jit, static_argnums=1)
def f(x, shape):
    return {}


f(1.0, [2])
"""


@pytest.mark.parametrize(
    ("text", "code", "applicability"),
    [
        (WRITE.format("a[i] = g(n)"), "JAX501", "safe"),
        (WRITE.format("a[i] = (i := 2)"), "JAX501", "unsafe"),
        (WRITE.format("a[i] = (a := a + 1)[1]"), "JAX501", "unsafe"),
        (WRITE.format("a[len(n)] = n.pop(0)"), "JAX501", "unsafe"),
        (WRITE.format("a[i] = [(j := n) for k in n][0]"), "JAX501", "safe"),
        (STATIC.format("x.reshape(shape)"), "JAX402", "safe"),
        (STATIC.format("x.reshape(shape + [1])"), "JAX402", "unsafe"),
        (STATIC.format("x.reshape(shape if shape != [2] else -1)"), "JAX402", "unsafe"),
        (STATIC.format("x.reshape(shape.copy())"), "JAX402", "unsafe"),
        (STATIC.format("x.reshape(2)\n\n\ndef g(x):\n    pass"), "JAX402", "safe"),
        ("import jax; J = jax.core.Jaxpr\nimport numpy\n", "JAX901", None),
        ("import math, jax; print(jax.jit(lambda x: math.exp(x))(1.0))\n", "JAX107", None),
        ("from jax import core; x = core.Jaxpr; import jax\n", "JAX901", None),
        ("import jax\n\nJ = jax.core.Jaxpr\nimport numpy\n", "JAX901", "safe"),
        ("import jax\n\n\n@jax.vmap  # a\n@jax.jit\ndef f(x):\n    return x\n", "JAX601", None),
    ],
)
def test_how_safe_it_is(text: str, code: str, applicability: str | None) -> None:
    (found,) = [each for each in findings(text) if each.code == code]
    assert (found.fix and found.fix.applicability) == applicability
