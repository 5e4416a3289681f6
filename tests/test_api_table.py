"""The committed tables of library facts are what the installed JAX does, and hang together."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Any

import derive_api
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from derivation import memory
from derivation.modules import Module, Tables, Versions, differences, read, source_of
from scipy import stats
from verify_cases import QUICK, share_of

from jaxlint.library.pytrees import GIVEN_BACK, KEPT_ON_HOST
from jaxlint.project.versions import NEWEST_VERIFIED, version_of
from jaxlint.tables import (
    array_methods,
    impure,
    jax_functions,
    jax_random,
    numpy_functions,
    numpy_memory,
    python_on_tracer,
)
from rules import numpy_on_traced

DERIVED = share_of([*derive_api.MODULES])


@pytest.fixture(scope="module")
def derived() -> dict[str, Tables]:
    """The tables of every module whose libraries are installed in versions that it was made with."""
    with pytest.MonkeyPatch.context() as environment:
        for name, value in QUICK.items():
            environment.setenv(name.upper(), str(value))
        return dict(derive_api.derive_all(name for name in DERIVED if installed(name)))


def installed(name: str) -> Versions | None:
    """What is installed of a module's packages, where the module was made with that."""
    try:
        here = derive_api.versions(name)
    except metadata.PackageNotFoundError:
        return None
    return here if here in derive_api.committed(name) else None


def assignments(path: Path) -> Iterator[tuple[str, ast.expr]]:
    for statement in ast.parse(path.read_text()).body[1:]:
        assert isinstance(statement, ast.AnnAssign), f"{path.name}: only literals with a type belong here"
        assert isinstance(statement.target, ast.Name) and statement.value is not None
        yield statement.target.id, statement.value


@pytest.mark.parametrize("name", DERIVED)
def test_says_what_runs_say(name: str, derived: dict[str, Tables]) -> None:
    here = installed(name)
    if here is None:
        pytest.skip(f"made with other versions of {', '.join(derive_api.MODULES[name].packages)}")
    found = list(differences(derive_api.committed(name)[here], derived[name]))
    assert not found, "run `python tests/derive_api.py --write`"


def test_what_gives_numpy_arrays_back() -> None:
    """Of the functions of one pytree, called with an array of NumPy outside of traces."""
    array, made = np.ones(3), {}
    for name, row in jax_functions.FUNCTIONS.items():
        if row[0] == "tree":
            try:
                made[name] = attrgetter(name.removeprefix("jax."))(jax)(array)
            except (AttributeError, TypeError):  # another version has it, or it has more arguments
                continue
    assert {name for name, each in made.items() if each is array} == GIVEN_BACK
    kept = {name for name, each in made.items() if isinstance(each, np.ndarray) and each is not array}
    assert kept == KEPT_ON_HOST
    assert isinstance(made["jax.device_put"], jax.Array)


@pytest.mark.parametrize("name", derive_api.MODULES)
def test_is_written_as_its_tables_say(name: str) -> None:
    """What is read of a module, and written again, is the module."""
    text = (derive_api.TARGET / name).read_text(encoding="utf-8")
    assert text.splitlines() == source_of(derive_api.MODULES[name], read(text)).splitlines()


@pytest.mark.parametrize("name", derive_api.MODULES)
def test_the_oldest_and_the_newest_release_are_there(name: str) -> None:
    """A module that depends on JAX has the tables of the newest that was verified, and of one of Python 3.11."""
    made = [dict(each).get("jax") for each in derive_api.committed(name)]
    if None not in made:
        releases = [version_of(str(each)) for each in made]
        assert releases[0] == NEWEST_VERIFIED and releases[-1] < (0, 11, 0), name


def test_a_version_is_restored_from_the_united_table() -> None:
    module = Module("Rows.", ("jax",), {"ROWS": "dict[str, int]", "WORDS": "frozenset[str]"}, dict)
    old: Tables = {"ROWS": {"a": 1, "b": 2, "gone": 3}, "WORDS": frozenset({"a", "old"})}
    new: Tables = {"ROWS": {"a": 1, "b": 4, "come": 5}, "WORDS": frozenset({"a"})}
    recorded = {(("jax", "0.9.2"),): old, (("jax", "0.10.0"),): new}
    source = source_of(module, recorded)
    assert read(source) == recorded and list(read(source)) == [(("jax", "0.10.0"),), (("jax", "0.9.2"),)]
    names: dict[str, Any] = {}
    exec(source, names)
    assert names["ROWS"] == {"a": 1, "b": 4, "come": 5, "gone": 3} and names["WORDS"] == {"a"}


@pytest.mark.parametrize("name", derive_api.MODULES)
def test_holds_literals_only(name: str) -> None:
    for _, value in assignments(derive_api.TARGET / name):
        if isinstance(value, ast.Call):
            value = value.args[0]
        ast.literal_eval(value)


def test_views_of_arrays_of_jax_may_not_be_written_to() -> None:
    """Of what makes a NumPy array of an array of JAX and gives a view, by the tables, where it is run."""
    seen = 0
    for name, (result, _, _, params) in numpy_memory.VIEWS.items():
        if not numpy_functions.NUMPY.get(name, ("", "", "", ""))[3].startswith("host"):
            continue
        function = attrgetter(name.removeprefix("numpy."))(np)
        needed = [memory._VALUES[each][0] for each in params[:2] if each in ("axis1", "axis2", "axis")]
        needed = [(3, 2, 2, 4)] if name == "numpy.broadcast_to" else needed
        for args in ([], needed):
            try:
                made = function(jnp.ones((2, 2, 4)), *args)
            except (TypeError, ValueError):  # it needs other arguments
                continue
            seen += 1
            parts = [made] if result == "host" else made
            assert not any(each.flags.writeable for each in parts), name
    assert seen > 20


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


def test_what_is_taken_to_be_in_each_version_of_jax_is_there() -> None:
    from jaxlint.evaluation.control_flow import _OF_JAX

    for name in sorted(_OF_JAX):
        assert pkgutil.resolve_name(name) is not None


def test_required_static_arguments_refuse_none() -> None:
    """`_REQUIRED` of the static arguments: None, a pytree without leaves, is no value for them."""
    import jax
    import jax.numpy as jnp

    from jaxlint.fixes.static_arguments import _REQUIRED

    x, key = jnp.ones(3), jax.random.key(0)
    others: dict[str, dict[str, object]] = {
        "full": {"fill_value": 1.0},
        "linspace": {"start": 0.0, "stop": 1.0},
        "broadcast_to": {"array": 1.0},
        "reshape": {"a": x},
        "tile": {"A": x},
        "split": {"key": key},
        "normal": {"key": key},
        "uniform": {"key": key},
        "randint": {"key": key, "minval": 0, "maxval": 3},
        "one_hot": {"x": 1},
        "iota": {"dtype": float},
        "choice": {"key": key, "a": x},
        "top_k": {"operand": x},
        "dynamic_slice": {"operand": x, "start_indices": (0,)},
        "dynamic_slice_in_dim": {"operand": x, "start_index": 0},
    }
    for each in sorted(_REQUIRED):
        _, module, name, parameter = each.split(".")
        function, given = getattr(getattr(jax, module), name), {**others.get(name, {}), parameter: None}
        inspect.signature(function).bind(**given)  # it is None that is refused, and nothing is left out
        with pytest.raises(TypeError):
            function(**given)
        if parameter in ("shape", "slice_sizes", "reps"):  # nor is it an item of what is a sequence
            with pytest.raises(TypeError):
                function(**{**given, parameter: (None,)})


def test_lengths_are_known_while_tracing() -> None:
    """`_LENGTHS` of the static arguments: arrays, or numbers that have to be known."""
    from jaxlint.fixes.static_arguments import _LENGTHS

    for each, (position, name) in sorted(_LENGTHS.items()):
        function = pkgutil.resolve_name(each)
        assert [*inspect.signature(function).parameters][position] == name
        first = jax.random.key(0) if ".random." in each else jnp.ones(3)
        assert jax.jit(function)(first, jnp.arange(3.0)) is not None
        with pytest.raises((TypeError, jax.errors.ConcretizationTypeError)):
            jax.jit(function)(first, 3)


def test_methods_of_distributions_convert_what_they_are_given() -> None:
    """`numpy_on_traced` takes this for granted of every distribution of scipy.stats."""
    kinds = (stats.rv_continuous, stats.rv_discrete)
    found = {name: each for name, each in vars(stats).items() if isinstance(each, kinds)}
    assert len(found) > 100
    for (name, distribution), method in product(found.items(), sorted(numpy_on_traced._METHODS)):
        if not hasattr(distribution, method):
            continue  # a density of a discrete one
        args = [np.array([1.5, 0.5])] * distribution.numargs
        call = partial(_value_of, getattr(distribution, method), args)
        for transform, x in ((jax.jit, jnp.ones(2)), (jax.vmap, jnp.ones(2)), (jax.grad, 1.0)):
            with pytest.raises(jax.errors.TracerArrayConversionError):
                transform(call)(x)
                pytest.fail(f"scipy.stats.{name}.{method} under {transform.__name__}")


def _value_of(method: Callable[..., Any], args: list[Any], x: jax.Array) -> jax.Array:
    return jnp.sum(jnp.asarray(method(x, *args)))
