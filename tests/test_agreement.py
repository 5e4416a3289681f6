"""Classes that inherit a method share its analysis outside traces, as far as they look up the same there.

In: programs with many classes below one. Out: how many contexts their methods have; that what one class replaces
is still found in it, wherever its name stands among the others.
"""

from __future__ import annotations

import pytest
from linted import lint

from jaxlint.domain.objects import Module
from jaxlint.domain.program import World
from jaxlint.ir.parsing import parsed
from jaxlint.project.settings import Settings
from jaxlint.rule.registry import registry
from jaxlint.session.driver import Driver
from jaxlint.session.pipeline import rules_of

BASE = """
import jax

class Base:
    scale = 1.0

    def sample(self, key):
        return self.scale * jax.random.normal(key, (3,)) + self.more(key)

    def more(self, key):
        return 0.0
"""
CLASSES = 12


def program(replaced: dict[int, str]) -> str:
    """Classes below `Base`, each with a function that uses it. `replaced`: the bodies of some."""
    parts = [BASE]
    for number in range(CLASSES):
        body = replaced.get(number, "    pass\n")
        parts.append(f"class Below{number:02}(Base):\n{body}")
        parts.append(f"def use{number:02}(key):\n    return Below{number:02}().sample(key)\n")
    return "\n".join(parts)


def contexts(text: str) -> dict[str, int]:
    """How many contexts each function of a program has."""
    settings = Settings()
    outcome = parsed(text.encode())
    module = Module("/program/module.py", ("module",), False, outcome)
    driver = Driver(World([module], lambda *_: None), rules_of(registry(())), (None, None), settings.jax)
    driver.run()
    found: dict[str, int] = {}
    for each in driver.staleness.order:
        if each.func is not None:
            name = each.func.code.qualname
            found[name] = found.get(name, 0) + 1
    return found


def test_classes_that_replace_nothing_share_a_context() -> None:
    found = contexts(program({}))
    assert found["Base.sample"] <= 2
    assert found["Base.more"] <= 2


@pytest.mark.parametrize(
    "body",
    [
        "    def more(self, key):\n        return 1.0\n",
        "    scale = 2.0\n",
        "    def __init__(self):\n        self.scale = 3\n",
    ],
)
def test_a_class_that_replaces_something_has_its_own(body: str) -> None:
    shared = contexts(program({}))["Base.sample"]
    assert contexts(program({5: body}))["Base.sample"] == shared + 1


@pytest.mark.parametrize("place", [0, 5, CLASSES - 1])
def test_what_a_class_replaces_is_found_wherever_it_stands(place: int) -> None:
    body = "    def more(self, key):\n        return jax.random.uniform(key, (3,))\n"
    assert not [each for each in lint(program({})) if each.code == "JAX301"]
    assert [each for each in lint(program({place: body})) if each.code == "JAX301"]
