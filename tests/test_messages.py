"""The style of what is said: of every diagnostic that the tests' programs give rise to."""

from __future__ import annotations

import re

import pytest
from linted import findings, lint, lint_folder, programs, projects

from jaxlint.diagnostic import Diagnostic
from jaxlint.rule.registry import registry

LENGTH = 90


@pytest.fixture(scope="module")
def said() -> list[tuple[str, Diagnostic]]:
    found = [(program.name, each) for program in programs() for each in findings(program.text)]
    return found + [(folder.name, each) for folder in projects() for each in lint_folder(folder)]


def complaints(found: Diagnostic) -> list[str]:
    message = found.message
    rule = registry().entry(found.code).rule
    wrong = []
    if len(message) > LENGTH:
        wrong.append(f"{len(message)} characters")
    if "\n" in message:
        wrong.append("more than one line")
    if message[:1].isupper():
        wrong.append("begins with a capital")
    if message.endswith("."):
        wrong.append("ends with a period")
    if message.count("`") % 2:
        wrong.append("a backtick is not closed")
    for text in (message, found.help or "", found.label or "", *(note.message for note in found.related)):
        if re.search(r"(?<![{f\"'])\{[a-z_]+\}(?!\})", text) and not re.search(r"[\"']", text):
            wrong.append(f"a name is not filled in: {text}")
    if rule is not None and rule.claim is not None and rule.claim.kind == "raises":
        if not re.search(r"\braises? [\w.]*(Error|error)\b", message) and "Error" not in message:
            wrong.append("names no class of error")
    if found.help and ((found.help.endswith(".") and not found.help.endswith("...")) or "\n" in found.help):
        wrong.append(f"help: {found.help}")
    return wrong


def test_messages(said: list[tuple[str, Diagnostic]]) -> None:
    wrong = sorted(
        {(found.code, problem, found.message) for _, found in said for problem in complaints(found)}
    )
    assert not wrong, "\n" + "\n".join(f"{code} {problem}: {message}" for code, problem, message in wrong)


def test_every_traced_finding_says_why(said: list[tuple[str, Diagnostic]]) -> None:
    silent = {(name, found.message) for name, found in said if found.code < "JAX118" and not found.related}
    allowed = {(name, message) for name, message in silent if message.startswith("syntax error")}
    assert silent == allowed


@pytest.mark.parametrize(
    ("line", "code", "help"),
    [
        (
            "assert x > 0",
            "JAX101",
            "an assert outside the traced function, or jax.experimental.checkify.check(",
        ),
        ("y = bool(x > 0)", "JAX105", "(x > 0).astype(bool): "),
        ("y = bool(x)", "JAX105", "x.astype(bool): "),
        ("y = math.log(x, 2)", "JAX107", "jnp.log(...) / jnp.log(...)"),
        ("y = (jnp.sin, jnp.cos)[x](1.0)", "JAX108", "jnp.stack((jnp.sin, jnp.cos))[x], "),
        ("y = max(x, 1, 2)", "JAX117", "jnp.maximum(jnp.maximum(..., ...), ...)"),
        ("y = x + 1 or 2", "JAX103", "jnp.logical_or(x + 1, ...), or jnp.where(x + 1, x + 1, ...)"),
        ("y = jnp.cos(x); y[0] -= 1", "JAX501", "y = y.at[0].add(-...)"),
        ("y = jnp.cos(x); y[0] //= 2", "JAX501", "y = y.at[0].set(y[0] // ...)"),
    ],
)
def test_help_in_the_users_names(line: str, code: str, help: str) -> None:
    text = f"import math\nimport jax\nimport jax.numpy as jnp\n@jax.jit\ndef f(x):\n    {line}\nf(1)\n"
    (found,) = (each for each in lint(text) if each.code == code)
    assert (found.help or "").startswith(help)


def test_function_of_a_data_dependent_shape_is_named_whole() -> None:
    text = "import jax\n@jax.jit\ndef f(x):\n    return jax.numpy.flatnonzero(x)\nf(1)\n"
    assert "`jax.numpy.flatnonzero`" in lint(text)[0].message


def test_code_of_several_rows_is_told_in_one() -> None:
    text = "import jax\ng = jax.vmap(  # first\n    jax.jit(  # then\n        abs\n    )\n)\n"
    assert "`jax.vmap(jax.jit(abs))`" in lint(text)[0].message
