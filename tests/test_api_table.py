"""The committed tables of library facts are what the installed JAX does, and hang together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import derive_api
import pytest

from jaxlint.engine.api import (
    array_methods,
    impure,
    jax_functions,
    jax_random,
    numpy_functions,
    python_on_tracer,
)


@pytest.fixture(scope="module")
def derived() -> dict[str, str]:
    """The source of every module whose libraries are installed in the versions it was made with."""
    return dict(derive_api.derive_all(name for name in derive_api.MODULES if not differing_versions(name)))


def differing_versions(name: str) -> list[str]:
    """Packages that are not installed in the version that a module was made with."""
    return [package for package, version in recorded(name).items() if installed(package) != version]


def installed(package: str) -> str:
    try:
        return derive_api.installed(package)
    except metadata.PackageNotFoundError:
        return ""


def recorded(name: str) -> dict[str, str]:
    for target, value in assignments(derive_api.TARGET / name):
        if target == "VERSIONS":
            found: dict[str, str] = ast.literal_eval(value)
            return found
    raise AssertionError(f"{name} does not say with which versions it was made.")


def assignments(path: Path) -> Iterator[tuple[str, ast.expr]]:
    for statement in ast.parse(path.read_text()).body[1:]:
        assert isinstance(statement, ast.AnnAssign), f"{path.name}: only literals with a type belong here"
        assert isinstance(statement.target, ast.Name) and statement.value is not None
        yield statement.target.id, statement.value


@pytest.mark.parametrize("name", derive_api.MODULES)
def test_says_what_runs_say(name: str, derived: dict[str, str]) -> None:
    if name not in derived:
        pytest.skip(f"made with another version of {', '.join(differing_versions(name))}")
    committed = (derive_api.TARGET / name).read_text().splitlines()
    assert committed == derived[name].splitlines(), "run `python tests/derive_api.py --write`"


@pytest.mark.parametrize("name", derive_api.MODULES)
def test_holds_literals_only(name: str) -> None:
    for _, value in assignments(derive_api.TARGET / name):
        literal = value.args[0] if isinstance(value, ast.Call) and value.args else value
        ast.literal_eval(literal)


def test_aliases_lead_to_a_canonical_name() -> None:
    aliases = jax_functions.ALIASES | jax_functions.FORMER
    assert not [name for name in aliases if aliases[name] in aliases]
    assert not [name for name in aliases if name in jax_functions.FUNCTIONS]


def test_static_and_key_parameters_are_parameters() -> None:
    for name, (_, _, params, static, size, key) in jax_functions.FUNCTIONS.items():
        assert set(static) <= set(params), name
        assert not key or key in params, name
        assert size in ("", "!") or size.partition(":")[0] in params, name
        assert set(jax_functions.FLAGS.get(name, ())) <= set(params), name


def test_keys_have_rows() -> None:
    for name, (_, key) in jax_random.KEYS.items():
        assert jax_functions.FUNCTIONS[name][5] == key, name


def test_known_facts() -> None:
    """A few rows that rules lean on, so that a change in JAX is seen by name."""
    functions, methods = jax_functions.FUNCTIONS, array_methods.METHODS
    assert functions["jax.numpy.zeros"][3][0] == "shape"
    assert functions["jax.numpy.nonzero"][4] == "size"
    assert functions["jax.numpy.where"][4] == "size:when=unary"
    assert functions["jax.numpy.repeat"][4] == "total_repeat_length:when=repeats"
    assert functions["jax.numpy.greater"][1] == "bool"
    assert "reps" in functions["jax.numpy.tile"][3]
    assert methods["item"][3] == methods["__bool__"][3] == methods["__index__"][3] == "SB"
    assert methods["tolist"][3] == methods["__float__"][3] == "SBD"
    assert methods["__setitem__"][3] == "!SBD"
    assert (
        array_methods.AT_METHODS["set(mask)"][0] == array_methods.FORMS["__getitem__(bool array)"][0] == "SB"
    )
    assert python_on_tracer.BUILTINS["max"][1] == "SB" and python_on_tracer.BUILTINS["sum"][1] == ""
    assert python_on_tracer.MATH["math.sqrt"][0] == "SBD"
    assert numpy_functions.NUMPY["numpy.sin"][1] == "SBD" and numpy_functions.NUMPY["numpy.sum"][1] == ""
    assert numpy_functions.NUMPY["numpy.shape"][2] == "static"
    assert jax_random.KEYS["jax.random.split"] == ("split", "key")
    assert impure.IMPURE["time.time"] == ("time", 0) and impure.IMPURE["numpy.random.default_rng"] == (
        "random",
        1,
    )


def test_required_static_arguments_refuse_none() -> None:
    """`_REQUIRED` of the static arguments: None, a pytree without leaves, is no value for them."""
    import jax.numpy as jnp

    from jaxlint.engine.static_arguments import _REQUIRED

    others = {"full": {"fill_value": 1.0}, "linspace": {"start": 0.0, "stop": 1.0}}
    arrays = {"broadcast_to": {"array": 1.0}, "reshape": {"a": jnp.ones(3)}}
    for each in sorted(_REQUIRED):
        _, _, name, parameter = each.split(".")
        given = {**others.get(name, {}), **arrays.get(name, {}), parameter: None}
        with pytest.raises(TypeError):
            getattr(jnp, name)(**given)
