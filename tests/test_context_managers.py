"""What JAX's settings do where no `with` enters them: what JAX502 says of them."""

from __future__ import annotations

import warnings

import jax
import pytest

from rules.discarded_update import SETTINGS

GIVEN = ((), ("allow",), ("highest",), ("standard",), ("threefry2x32",), (None,), ("log",))
# those that are functions; all others are settings of `jax.config` that can be called
FUNCTIONS = {"jax.checking_leaks", "jax.disable_jit", "jax.named_scope", "jax.transfer_guard"}


def settings() -> set[str]:
    """The settings that this JAX has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kind = type(jax.debug_nans)
        return {f"jax.{name}" for name in dir(jax) if isinstance(getattr(jax, name, None), kind)} | FUNCTIONS


def test_all_settings_are_listed() -> None:
    assert settings() <= SETTINGS


@pytest.mark.parametrize("name", sorted(settings()))
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
