"""Every rule: its metadata, its page and its examples, which are linted and fixed. test_confirm runs them."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path

import pytest
from linted import lint
from verify_cases import CASES, sections

from jaxlint.api import Linter
from jaxlint.diagnostic import APPLICABILITIES
from jaxlint.fixes.apply import fix_until_stable, parses
from jaxlint.rule import Example, Rule
from jaxlint.rule.registry import CATEGORIES, registry

RULES = [entry.rule for entry in registry().entries if entry.rule is not None]
EXAMPLES = [(rule, number) for rule in RULES for number in range(len(rule.examples))]
SECTIONS = ["What it does", "Why", "When it is fine", "Fix safety"]

# code -> name, category, on, the most that a fix reaches, kind of the claim; as the catalogue has them.
C, S, P, D = "correctness", "suspicious", "performance", "pedantic"
CATALOGUE: dict[str, tuple[str, str, bool, str | None]] = {
    "JAX101": ("branch-on-traced", C, True, "displayonly"),
    "JAX102": ("while-on-traced", C, True, "displayonly"),
    "JAX103": ("boolean-operator-on-traced", C, True, "unsafe"),
    "JAX104": ("range-over-traced", C, True, "displayonly"),
    "JAX105": ("python-cast-of-traced", C, True, "unsafe"),
    "JAX106": ("numpy-on-traced", C, True, "unsafe"),
    "JAX107": ("math-on-traced", C, True, "unsafe"),
    "JAX108": ("traced-container-index", C, True, "displayonly"),
    "JAX109": ("traced-shape", C, True, None),
    "JAX110": ("data-dependent-shape", C, True, None),
    "JAX111": ("boolean-mask-index", C, True, "safe"),
    "JAX112": ("dynamic-slice-bounds", C, True, "displayonly"),
    "JAX113": ("jnp-on-static-shape", C, True, "safe"),
    "JAX117": ("python-builtin-on-traced", C, True, "unsafe"),
    "JAX201": ("side-effect-while-tracing", S, True, None),
    "JAX202": ("print-while-tracing", S, True, "unsafe"),
    "JAX203": ("tracer-leak", C, True, None),
    "JAX204": ("impure-call-while-tracing", C, True, None),
    "JAX205": ("stale-global", C, True, None),
    "JAX206": ("stale-captured-self", C, True, None),
    "JAX301": ("key-reuse", C, True, None),
    "JAX302": ("key-reuse-in-loop", C, True, "displayonly"),
    "JAX303": ("constant-key", S, False, None),
    "JAX304": ("shared-key-under-vmap", S, False, None),
    "JAX308": ("key-used-after-split", D, False, None),
    "JAX309": ("replaced-key-argument", S, True, None),
    "JAX401": ("mutable-static-self", C, True, None),
    "JAX402": ("unhashable-static-argument", C, True, "safe"),
    "JAX403": ("jit-in-loop", S, True, None),
    "JAX404": ("jit-of-fresh-function", P, True, None),
    "JAX405": ("jitted-method-without-static-self", C, True, "unsafe"),
    "JAX501": ("array-item-assignment", C, True, "safe"),
    "JAX502": ("discarded-update", C, True, "unsafe"),
    "JAX505": ("donated-buffer-reuse", C, True, None),
    "JAX506": ("matmul-on-host", P, False, "unsafe"),
    "JAX601": ("vmap-of-jit", P, True, "safe"),
    "JAX602": ("cond-under-vmap", P, False, None),
    "JAX702": ("update-outside-jit", P, False, None),
    "JAX703": ("unrolled-loop", P, False, "displayonly"),
    "JAX712": ("matmul-operator", D, False, "safe"),
    "JAX901": ("removed-api", C, True, "safe"),
    "JAX902": ("deprecated-api", S, True, "safe"),
}


def code_of(rule: type[Rule]) -> str:
    return rule.code


def name_of(case: tuple[type[Rule], int]) -> str:
    return f"{case[0].code}-{case[1] + 1}"


def texts(case: tuple[type[Rule], int]) -> Example:
    rule, number = case
    example = rule.examples[number]
    return replace(example, bad=example.bad.lstrip("\n"), good=example.good.lstrip("\n"))


def test_every_rule_of_the_first_set_is_there() -> None:
    assert sorted(rule.code for rule in RULES if not rule.nursery) == sorted(CATALOGUE)


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_metadata(rule: type[Rule]) -> None:
    own = (rule.name, rule.category, rule.on, rule.fix)
    name, category, on, most = own if rule.nursery else CATALOGUE[rule.code]
    assert (rule.name, rule.category, rule.on) == (name, category, on)
    assert rule.category in CATEGORIES
    assert re.fullmatch(r"\d+\.\d+\.\d+", rule.since)
    if rule.fix is not None:
        assert most is not None, f"{rule.code} has no fix in the catalogue"
        assert APPLICABILITIES.index(rule.fix) >= APPLICABILITIES.index(most)
    module = inspect.getmodule(rule)
    assert module is not None
    assert module.__name__ == f"jaxlint.rules.{name.replace('-', '_')}"
    assert rule.__name__ == "".join(part.capitalize() for part in name.split("-"))


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_page(rule: type[Rule]) -> None:
    page = inspect.cleandoc(rule.__doc__ or "")
    summary = page.partition("\n\n")[0]
    assert summary.endswith(".") and "\n" not in summary
    assert re.findall(r"^## (.+)$", page, re.M)[: len(SECTIONS)] == SECTIONS
    assert rule.examples
    assert rule.claim is not None


@pytest.mark.parametrize("case", EXAMPLES, ids=name_of)
def test_bad_is_found_and_good_is_silent(case: tuple[type[Rule], int]) -> None:
    example = texts(case)
    assert case[0].code in {found.code for found in lint(example.bad)}
    opt_in = {rule.code for rule in RULES if not rule.on}
    assert [found for found in lint(example.good) if found.code not in opt_in - {case[0].code}] == []


@pytest.mark.parametrize("case", EXAMPLES, ids=name_of)
def test_fix_of_bad(case: tuple[type[Rule], int]) -> None:
    """Where the rule's fix is offered for the example, it makes the good program of the bad one."""
    rule, example = case[0], texts(case)
    offered = [found for found in lint(example.bad) if found.code == rule.code and found.fix]
    if not offered:
        assert rule.fix is None or any(
            found.fix for each in rule.examples for found in lint(each.bad) if found.code == rule.code
        ), f"{rule.code} says that it has a fix, and no example shows it"
        return
    fixed = fix_until_stable(example.bad, lint, lambda found: found.code == rule.code)
    assert fixed.is_stable and not fixed.broken
    assert parses(fixed.text)
    assert rule.code not in {found.code for found in fixed.left}
    assert fixed.text == example.good


@pytest.mark.parametrize(
    ("target", "codes"),
    [(">=0.4.30", ["JAX401"]), ("<0.11", ["JAX401"]), ("0.10.2", ["JAX401"]), (">=0.11", []), ("0.12", [])],
)
def test_a_hash_by_value_counts_from_jax_0_11_on(target: str, codes: list[str], tmp_path: Path) -> None:
    """Older versions find the changed object itself among those that they compiled for; see the folklore."""
    cases = {each.title: each.source for each in sections(CASES / "mutable_static_self.py")}
    (source,) = (cases[title] for title in cases if title.startswith("hash and eq by value"))
    (tmp_path / "kernel.py").write_text(source)
    with Linter(isolated=True, select=["JAX401"], target_jax=target) as linter:
        found = linter.lint(tmp_path)
    assert [each.code for each in found] == codes
    assert all(each.message.endswith("before JAX 0.11 compiled code keeps the old value") for each in found)
