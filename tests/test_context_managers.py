"""What JAX's settings do where no `with` enters them: what JAX502 says of them."""

from __future__ import annotations

import jax
import pytest

from rules.discarded_update import SETTINGS

GIVEN = ((), ("allow",), ("highest",), ("standard",), ("threefry2x32",), (None,))
NAMES = sorted(name for name in SETTINGS if hasattr(jax, name.removeprefix("jax.")))


def test_most_settings_are_there() -> None:
    assert len(NAMES) > 20


@pytest.mark.parametrize("name", NAMES)
def test_a_call_gives_a_context_manager_and_changes_nothing(name: str) -> None:
    setting = getattr(jax, name.removeprefix("jax."))
    before = dict(jax.config.values)
    for given in GIVEN:
        try:
            made = setting(*given)
            break
        except (TypeError, ValueError):
            continue
    else:
        pytest.fail("no call of it is known")
    assert hasattr(made, "__enter__") and hasattr(made, "__exit__")
    assert dict(jax.config.values) == before
