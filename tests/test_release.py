"""The list of what a new JAX asks for: from surfaces that are made up, and from that of the installed one."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from derivation.release import changes, previous, surface_with

from jaxlint.tables import deprecation


def surface(jax: str, **parts: Any) -> dict[str, Any]:
    return {"jax": jax, "names": {}, "keywords": {}, "methods": {}, "options": [], **parts}


def found(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[str]]:
    return {topic: lines for topic, lines in changes(before, after) if lines}


def test_names() -> None:
    names = {
        "jax.new_thing": "function",
        "jax.tree_map": "function",  # removed in 0.6.0, and in the table
        "jax.other": "deprecated: jax.other moved to jax.there.",
        "jax.fine": "function",
        "jax.part": "module",
        "jax.part.inner": "function",
    }
    after = {
        "jax.new_thing": "gone: Use jax.newer_thing.",
        "jax.fine": "deprecated: jax.fine goes in 1.1.",
        "jax.part": "unreadable: No module named 'x'",
        "jax.sin": "function",
        "jax.util": "module",  # removed in 0.8.0 by the table
    }
    assert found(surface("0.99.0", names=names), surface("1.0.0", names=after)) == {
        "names that are gone": [
            "jax.new_thing: Use jax.newer_thing.",
            "jax.other: jax.other moved to jax.there.",
        ],
        "names that are deprecated": ["jax.fine: jax.fine goes in 1.1."],
        "names that are there, though deprecations.csv has them as removed": ["jax.util"],
    }


def test_parameters() -> None:
    before = {
        "jax.f": ["x", "axis", "*", "out"],
        "jax.g": ["x", "y"],
        "jax.h": ["x", "old"],
        "jax.numpy.clip": ["x", "a_min", "min"],
    }
    after = {
        "jax.f": ["x", "*", "axis"],
        "jax.g": ["x", "y", "z"],
        "jax.h": ["x", "**kwargs"],
        "jax.numpy.clip": ["x", "min"],
    }
    assert found(surface("0.99.0", keywords=before), surface("1.0.0", keywords=after)) == {
        "keywords that are gone": ["jax.f(out=): takes x, *, axis"],
        "arguments that are taken by keyword only": ["jax.f: axis"],
    }


def test_methods_and_options() -> None:
    before = surface(
        "0.99.0",
        methods={"array": {"sum": "fine", "mean": "fine", "to_py": "fine"}, "device": {"id": "fine"}},
        options=["jax_enable_x64", "jax_array"],
    )
    after = surface("1.0.0", methods={"array": {"sum": "fine", "mean": "Use jnp.mean."}}, options=[])
    assert found(before, after) == {
        "methods that are gone or deprecated": ["array.mean: Use jnp.mean.", "device.id: gone"],
        "options that are gone": ["jax_enable_x64"],
    }


def test_the_version_before() -> None:
    assert previous("0.12.0.1") == "0.11.2" and previous("0.10.2") == "0.9.2"
    assert deprecation.version(previous("99.0.0"))[:3] == deprecation.NEWEST_VERIFIED


def test_the_installed_jax_asks_for_nothing() -> None:
    """Of itself, its surface has what deprecations.csv says: no name is back, none warns that has no row."""
    jax = pytest.importorskip("jax")
    here = surface_with(sys.executable)
    assert here["jax"] == jax.__version__ and here["names"]["jax.numpy.sin"] == "function"
    assert here["keywords"]["jax.numpy.clip"][0] == "arr"
    assert {"jax.util", "jax.safe_zip"}.isdisjoint(here["names"]) and "jax_enable_x64" in here["options"]
    assert found(here, here) == {}
