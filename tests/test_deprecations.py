"""The table of removed and deprecated APIs: what it answers, and whether the installed JAX agrees.

Each row is looked up, called or read under the JAX that is there: what the table calls removed by that version
must fail, what it calls deprecated must warn, and what is neither must do neither. That is observed in a child
process (this file as a program), because JAX warns of a name only once.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from jaxlint.tables.deprecation import (
    BY_POSITION,
    NEWEST_VERIFIED,
    PLACEHOLDERS,
    TABLE,
    Row,
    lookup,
    lookup_flag,
    lookup_import,
    lookup_keyword,
    lookup_method,
    plan,
    renamed,
    rows,
    spelling,
    version,
)

FINE, WARNS, GONE = "fine", "warns", "gone"

# Deprecated by the change log, or by what they contain, without a warning of their own.
QUIET = {
    "jax.config.jax_pmap_no_rank_reduction",
    "jax.dlpack.SUPPORTED_DTYPES",
    "jax.experimental.export",
    "jax.experimental.host_callback",
    "jax.experimental.host_callback.call",
    "jax.experimental.host_callback.id_tap",
    "jax.experimental.maps.xmap",
    "jax.extend.ffi",
    "jax.lax.infeed",
    "jax.lax.infeed_p",
    "jax.lax.outfeed",
    "jax.lax.outfeed_p",
    "jax.util",
    "device.transfer_from_outfeed",
    "device.transfer_to_infeed",
}


# ------------------------------------------------------------------------------------------ the table itself


def test_the_table_is_sorted_and_has_no_row_twice() -> None:
    names = [row.name for row in rows()]
    assert names == sorted(names, key=lambda name: (name.lower(), name))
    assert len(names) == len(set(names))


def test_the_file_is_plain_text() -> None:
    data = TABLE.read_bytes()
    assert data.isascii() and b"\r" not in data and data.endswith(b"\n")


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_a_row_is_well_formed(row: Row) -> None:
    assert row.kind in ("function", "attribute", "module", "kwarg", "method", "behaviour")
    assert row.fix in ("safe", "unsafe", "displayonly", None)
    assert row.deprecated_in is not None or row.removed_in is not None
    if row.deprecated_in is not None and row.removed_in is not None:
        assert row.deprecated_in < row.removed_in
    if row.restored_in is not None:
        assert row.removed_in is not None and row.removed_in < row.restored_in
    if row.fix is not None:
        assert row.replacement, "a fix needs something to write"
    if row.fix in ("safe", "unsafe"):
        assert plan(row) is not None or renamed(row) is not None
    patterns = {"kwarg": r"jax[\w.]+\(\w+=\)", "method": r"[a-z]+\.\w+(\(\))?", "behaviour": r".+"}
    assert re.fullmatch(patterns.get(row.kind, r"(import )?jax(lib)?(\.\w+)+"), row.name)


def test_only_this_module_is_needed_to_read_the_table() -> None:
    code = (
        "import sys, jaxlint.tables.deprecation as d; assert d.lookup('jax.tree_map');"
        "assert not {'jax', 'numpy', 'libcst'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ----------------------------------------------------------------------------------------------- what it says


def test_status_depends_on_the_highest_version() -> None:
    assert lookup("jax.tree_map", highest=(0, 4, 25)) is None
    deprecated = lookup("jax.tree_map", highest=(0, 4, 30))
    removed = lookup("jax.tree_map", highest=(0, 6, 0))
    newest = lookup("jax.tree_map")
    assert deprecated is not None and deprecated.status == "deprecated"
    assert removed is not None and removed.status == "removed"
    assert newest is not None and newest.status == "removed"


def test_a_replacement_is_judged_at_the_lowest_version() -> None:
    for lowest, there in (((0, 4, 20), False), ((0, 4, 25), True), ((0, 5), True), (None, True)):
        verdict = lookup("jax.tree_map", lowest=lowest)
        assert verdict is not None and verdict.replacement_exists is there, lowest


def test_what_came_back_is_reported_of_the_versions_without_it() -> None:
    name = "jax.interpreters.ad.backward_pass"
    for highest, status in (
        ((0, 7, 1), "deprecated"),
        ((0, 8, 2), "removed"),
        ((0, 11, 0), "removed"),
        ((0, 11, 1), ""),
        (None, ""),
    ):
        verdict = lookup(name, highest=highest)
        assert (verdict.status if verdict else "") == status, highest


def test_a_replacement_that_lapsed_itself_is_not_offered() -> None:
    for highest, exists, lapsed in (((0, 10, 2), True, None), ((0, 11, 1), False, (0, 11, 1))):
        verdict = lookup("jax.core.call_impl", lowest=(0, 10, 0), highest=highest)
        assert verdict is not None and verdict[2:] == (exists, lapsed), highest


def test_two_numbers_are_a_version() -> None:
    verdict = lookup_keyword("jax.numpy.clip", "a_min", highest=(0, 10))
    assert verdict is not None and verdict.status == "removed"


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("jax.util.safe_zip", "jax.util.safe_zip"),
        ("jax.util.never_heard_of", "jax.util"),
        ("jax.experimental.maps.SerialLoop", "jax.experimental.maps"),
        ("jax.core.Primitive.bind", "jax.core.Primitive"),
        ("jax.config.config.update", "jax.config.config"),
        ("jax.lib.xla_bridge.get_backend", "jax.lib.xla_bridge.get_backend"),
    ],
)
def test_a_name_is_gone_with_what_it_belongs_to(name: str, row: str) -> None:
    verdict = lookup(name)
    assert verdict is not None and verdict.status == "removed" and verdict.row.name == row


def test_removed_outranks_deprecated() -> None:
    """At 0.8.2 the module only warns; its names are gone."""
    module = lookup("jax.lib.xla_bridge", highest=(0, 8, 2))
    name = lookup("jax.lib.xla_bridge.get_backend", highest=(0, 8, 2))
    assert module is not None and module.status == "deprecated"
    assert name is not None and name.status == "removed"


@pytest.mark.parametrize(
    "name",
    [
        "jax", "jax.config", "jax.config.update", "jax.config.jax_enable_x64", "jax.tree.map", "jax.tree_util.tree_map",
        "jax.numpy.where", "jax.ad", "jax.host_id", "jax.random.PRNGKey", "jax.pmap", "jax.util_of_mine", "jaxtyping.Array",
        "numpy.product", "jax.xla_metadata", "jax.core.ShapedArray", "jax.core.Tracer", "jax.experimental.pjit", "",
    ],
)  # fmt: skip
def test_nothing_is_said_of_what_is_right(name: str) -> None:
    assert lookup(name) is None
    assert lookup(name, highest=(0, 11, 0)) is None


def test_an_import_of_what_is_an_attribute_now() -> None:
    assert lookup("jax.config") is None
    verdict = lookup_import("jax.config")
    assert verdict is not None and verdict.status == "removed"
    for module in ("jax.numpy", "jax.experimental.pjit", "os.path", "jax"):
        assert lookup_import(module) is None
    verdict = lookup_import("jax.experimental.maps")
    assert verdict is not None and verdict.row.name == "jax.experimental.maps"


def test_keywords() -> None:
    removed = lookup_keyword("jax.numpy.clip", "a_min")
    assert removed is not None and removed.status == "removed" and renamed(removed.row) == "min"
    assert removed.row.keyword == "a_min"
    deprecated = lookup_keyword("jax.jit", "backend")
    assert deprecated is not None and deprecated.status == "deprecated" and renamed(deprecated.row) is None
    assert lookup_keyword("jax.numpy.clip", "min") is None
    assert lookup_keyword("jax.experimental.shard_map.shard_map", "check_rep") is None


def test_methods() -> None:
    buffer = lookup_method("array", "device_buffer")
    assert buffer is not None and renamed(buffer.row) == "addressable_data(0)"
    assert lookup_method("array", "device") is None
    device = lookup_method("array", "device", called=True)
    assert device is not None and device.status == "removed"
    assert lookup_method("array", "sum", called=True) is None
    assert lookup_method("key", "device_buffer") is None


def test_flags() -> None:
    verdict = lookup_flag("jax_spmd_mode")
    assert verdict is not None and verdict.status == "removed"
    assert lookup_flag("jax_debug_nans") is None


def test_behaviours_are_not_looked_up() -> None:
    for row in rows():
        if row.kind == "behaviour":
            assert lookup(row.name) is None


@pytest.mark.parametrize(
    ("name", "bound", "imported", "text"),
    [
        ("jax.tree_map", {"jax": "jax"}, (), "jax.tree.map"),
        ("jax.tree_map", {"jax": "jx"}, (), "jx.tree.map"),
        ("jax.tree_map", {"jax.tree_map": "tree_map"}, (), None),
        ("jax.numpy.trapz", {"jax": "jax", "jax.numpy": "jnp"}, (), "jnp.trapezoid"),
        ("jax.numpy.trapz", {"jax": "jax"}, (), "jax.numpy.trapezoid"),
        ("jax.numpy.trapz", {"jax.numpy.trapezoid": "trap"}, (), "trap"),
        ("jax.core.Jaxpr", {"jax": "jax"}, (), None),
        ("jax.core.Jaxpr", {"jax": "jax"}, ("jax.extend.core",), "jax.extend.core.Jaxpr"),
        ("jax.core.Jaxpr", {"jax": "jax"}, ("jax.extend.core.primitives",), "jax.extend.core.Jaxpr"),
        ("jax.core.Jaxpr", {"jax.extend.core": "jex"}, (), "jex.Jaxpr"),
        ("jax.experimental.pjit.pjit", {"jax": "jax"}, (), "jax.jit"),
        ("jax.experimental.enable_x64", {"jax": "jax"}, (), "jax.enable_x64"),
        ("jax.partial", {"jax": "jax"}, (), None),
        ("jax.partial", {"functools": "functools"}, ("functools",), "functools.partial"),
    ],
)
def test_spelling_in_the_users_names(
    name: str, bound: dict[str, str], imported: tuple[str, ...], text: str | None
) -> None:
    verdict = lookup(name)
    assert verdict is not None
    replacement = plan(verdict.row)
    assert replacement is not None
    assert spelling(replacement, bound, imported) == text


def test_what_is_an_expression_has_no_plan() -> None:
    for name in ("jax.numpy.NINF", "jax.experimental.disable_x64", "jax.lax.pvary", "jax.lax.tie_in"):
        verdict = lookup(name)
        assert verdict is not None and plan(verdict.row) is None


def test_versions() -> None:
    assert version("0.4.30") == (0, 4, 30)
    assert version("0.4.30rc1") == (0, 4, 30)
    assert version("0.10.2.dev20260601") == (0, 10, 2)
    assert version("0.9.0.1") == (0, 9, 0, 1)
    with pytest.raises(ValueError, match="not a version"):
        version("newest")


# --------------------------------------------------------------------------------------- what JAX says of it


def installed() -> tuple[int, ...]:
    return version(pytest.importorskip("jax").__version__)


def expected(row: Row) -> str:
    at = installed()
    if row.restored_in is not None and row.restored_in <= at:
        return FINE
    if row.removed_in is not None and row.removed_in <= at:
        return GONE
    if row.deprecated_in is not None and row.deprecated_in <= at:
        return WARNS
    return FINE


def observed(action: Callable[[], object]) -> str:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            action()
        except Exception:
            return GONE
    said = (DeprecationWarning, FutureWarning, UserWarning)
    return WARNS if any(issubclass(warning.category, said) for warning in caught) else FINE


def resolve(name: str) -> object:
    """As `import` and attribute access do: the last step alone may say whether it is deprecated."""
    parts = name.split(".")
    value: Any = importlib.import_module(parts[0])
    for end in range(1, len(parts)):
        with warnings.catch_warnings():
            if end < len(parts) - 1:
                warnings.simplefilter("ignore")
            try:
                value = getattr(value, parts[end])
            except AttributeError:
                sys.modules.pop(".".join(parts[: end + 1]), None)
                value = importlib.import_module(".".join(parts[: end + 1]))
    return value


NAMES = [row for row in rows() if row.kind in ("function", "attribute", "module")]


def use(row: Row) -> object:
    """Uses the API as a program would."""
    if row.name.startswith("import "):
        return importlib.import_module(row.name.removeprefix("import "))
    if row.name.startswith("jax.config.jax_"):
        config: Any = resolve("jax.config")
        flag = row.name.removeprefix("jax.config.")
        return config.update(flag, getattr(config, flag))
    if row.kind == "kwarg":
        return calls()[row.name]()
    if row.kind == "behaviour":
        return behaviours()[row.name]()
    if row.kind == "method":
        receiver, _, method = row.name.partition(".")
        value = getattr(receivers()[receiver], method.removesuffix("()"))
        return value() if method.endswith("()") else value
    return resolve(row.name)


@functools.cache
def seen() -> dict[str, str]:
    """What a fresh process saw of each row."""
    installed()
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_the_installed_jax_agrees(row: Row) -> None:
    want, got = expected(row), seen()[row.name]
    if installed() < NEWEST_VERIFIED and got == GONE and want == FINE:
        return  # it had not come yet
    assert got == want or (want == WARNS and got == FINE and row.name in QUIET)


@pytest.mark.parametrize("row", [row for row in NAMES if plan(row)], ids=lambda row: row.name)
def test_a_replacement_is_there(row: Row) -> None:
    replacement = plan(row)
    assert replacement is not None
    there = row.available_from is None or row.available_from <= installed()
    if replacement.module == "jax.config":
        there = False  # a flag: not every version has an attribute for it
    if (lapsed := lookup(replacement.qualified, highest=installed())) is not None:
        there = False
        want = GONE if lapsed.status == "removed" else WARNS
        assert observed(lambda: resolve(replacement.qualified)) == want
    if replacement.qualified.startswith("jax") and there:
        assert observed(lambda: resolve(replacement.qualified)) == FINE
    if replacement.needs == "" and there:
        assert reached_by_import_jax(replacement.qualified)


_REACHED: dict[str, bool] = {}


def reached_by_import_jax(name: str) -> bool:
    """Whether `import jax` in a fresh process is enough for the name."""
    if not _REACHED:
        names = sorted({plan(row).qualified for row in NAMES if plan(row) and plan(row).needs == ""})  # type: ignore[union-attr]
        code = (
            "import sys, operator, jax\n"
            "for name in sys.argv[1:]:\n"
            "    try: operator.attrgetter(name.partition('.')[2])(jax); print(name)\n"
            "    except AttributeError: pass\n"
        )
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, *names], capture_output=True, text=True, check=True
        )
        _REACHED.update(dict.fromkeys(names, False))
        _REACHED.update(dict.fromkeys(done.stdout.split(), True))
    return _REACHED[name]


def test_removed_keywords_that_are_still_in_a_signature() -> None:
    """Exactly those are placeholders; a value for one raises the error that is said."""
    inspect = pytest.importorskip("inspect")
    installed()
    found = {}
    for row in rows():
        if row.kind == "kwarg" and expected(row) == GONE:
            name, _, _ = row.name.partition("(")
            try:
                parameter = inspect.signature(resolve(name)).parameters.get(row.keyword)
            except (AttributeError, ImportError, TypeError, ValueError):
                continue
            if parameter is not None and parameter.kind == parameter.KEYWORD_ONLY:
                try:
                    resolve(name)([1.0], **{row.keyword: "given"})
                except Exception as error:
                    found[row.name] = type(error).__name__
    placeholders = {row.name: row.refused_with(installed()) for row in rows() if row.name in PLACEHOLDERS}
    assert found == {name: error for name, error in placeholders.items() if error}


def test_a_safe_rename_takes_the_same_arguments() -> None:
    """Where the installed JAX still has both, their parameters are equal."""
    inspect = pytest.importorskip("inspect")
    installed()

    def parameters(value: Any) -> object:
        try:
            return [(p.name, p.kind) for p in inspect.signature(value).parameters.values()]
        except (TypeError, ValueError):
            return None

    for row in NAMES:
        replacement = plan(row)
        if row.fix != "safe" or replacement is None or expected(row) == GONE:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                old, new = resolve(row.name), resolve(replacement.qualified)
        except ImportError:
            continue
        assert old is new or parameters(old) == parameters(new), row.name


def test_replacements_that_take_fewer_arguments_by_position() -> None:
    """Exactly those of the table, of what the installed JAX still has."""
    inspect = pytest.importorskip("inspect")
    installed()

    def positional(value: Any) -> float | None:
        try:
            parameters = inspect.signature(value).parameters.values()
        except (TypeError, ValueError):
            return None
        if any(each.kind is each.VAR_POSITIONAL for each in parameters):
            return float("inf")
        return sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)

    found = {}
    for row in NAMES:
        replacement = plan(row)
        if replacement is None or row.fix == "displayonly" or expected(row) == GONE:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                old, new = positional(resolve(row.name)), positional(resolve(replacement.qualified))
        except ImportError:
            continue
        if old is not None and new is not None and new < old:
            found[row.name] = new
    assert found == BY_POSITION


@pytest.mark.parametrize(
    ("use", "offered"),
    [
        ("pjit(jnp.tanh)", True),
        ("pjit(jnp.tanh, in_shardings=None)", True),
        ("partial(pjit, in_shardings=None)(jnp.tanh)", True),
        ("partial(functools.partial(pjit, donate_argnums=()), in_shardings=None)", True),
        ("g(pjit=1)", True),
        ("pjit(jnp.tanh, None)", False),
        ("pjit(jnp.tanh, None, None)", False),
        ("pjit(*options)", False),
        ("partial(pjit, jnp.tanh, None)", False),
        ("g(pjit)", False),
        ("compiled = pjit", False),
    ],
)
def test_pjit_becomes_jit_where_its_options_are_given_by_keyword(use: str, offered: bool) -> None:
    from linted import findings

    head = "import functools\nfrom functools import partial\nimport jax.numpy as jnp\n"
    program = f"{head}from jax.experimental.pjit import pjit\n{use}\n"
    (found,) = [each for each in findings(program) if each.code == "JAX902"]
    assert (found.fix is not None) is offered
    program = f"{head}from jax.experimental import pjit as module\nimport jax\n{use.replace('pjit', 'module.pjit')}\n"
    if "=1" not in use:
        (found,) = [each for each in findings(program) if each.code == "JAX902"]
        assert (found.fix is not None) is offered


def test_a_decorator_that_is_pjit_becomes_jit() -> None:
    from linted import findings

    program = "from jax.experimental.pjit import pjit\n\n\n@pjit\ndef f(x):\n    return x\n"
    (found,) = [each for each in findings(program) if each.code == "JAX902"]
    assert found.fix is not None


@functools.cache
def calls() -> dict[str, Callable[[], object]]:
    """For every keyword of the table, a call with it that is right otherwise."""
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    def module(name: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)

    x, a = jnp.arange(4.0), jnp.eye(2) + 1
    mesh = Mesh(np.array(jax.devices()[:1]), ("x",))
    sharding = NamedSharding(mesh, P())
    pjit, stats = module("jax.experimental.pjit"), jax.scipy.stats.gennorm
    float32 = jnp.dtype("float32")
    like = jax.ShapeDtypeStruct((4,), float32)
    mosaic, traced = module("jax.experimental.pallas.mosaic_gpu"), jax.make_jaxpr(jnp.sin)(1.0)
    one = a, a, (((1,), (0,)), ((), ()))
    return {
        "jax.checkpoint(concrete=)": lambda: jax.checkpoint(jnp.sin, concrete=False)(x),
        "jax.core.ShapedArray(named_shape=)": lambda: jax.core.ShapedArray((3,), float32, named_shape={}),
        "jax.core.ShapedArray(vma=)": lambda: jax.core.ShapedArray((3,), float32, vma=frozenset()),
        "jax.dtypes.canonicalize_dtype(allow_opaque_dtype=)": lambda: jax.dtypes.canonicalize_dtype(
            "float32", allow_opaque_dtype=True
        ),
        "jax.experimental.layout.Layout(device_local_layout=)": lambda: module(
            "jax.experimental.layout"
        ).Layout(device_local_layout=None),
        "jax.experimental.pallas.BlockSpec(indexing_mode=)": lambda: module(
            "jax.experimental.pallas"
        ).BlockSpec((1,), lambda i: (i,), indexing_mode=None),
        "jax.experimental.pallas.pallas_call(backend=)": lambda: module(
            "jax.experimental.pallas"
        ).pallas_call(lambda x, y: None, like, backend=None),
        "jax.experimental.pjit.pjit(in_axis_resources=)": lambda: pjit.pjit(jnp.sin, in_axis_resources=None),
        "jax.experimental.pjit.pjit(out_axis_resources=)": lambda: pjit.pjit(
            jnp.sin, out_axis_resources=None
        ),
        "jax.experimental.pjit.with_sharding_constraint(axis_resources=)": lambda: (
            pjit.with_sharding_constraint(x, axis_resources=sharding)
        ),
        "jax.experimental.shard_map.shard_map(auto=)": lambda: module("jax.experimental.shard_map").shard_map(
            jnp.sin, mesh=mesh, in_specs=P(), out_specs=P(), auto=frozenset()
        ),
        "jax.experimental.pallas.mosaic_gpu.kernel(out_shape=)": lambda: mosaic.kernel(print, out_shape=like),
        "jax.experimental.pallas.mosaic_gpu.kernel(scratch_shapes=)": lambda: mosaic.kernel(
            print, out_type=like, scratch_shapes=()
        ),
        "jax.experimental.pallas.mosaic_gpu.load(idx=)": lambda: mosaic.load(None, idx=0),
        "jax.extend.core.ClosedJaxpr(jaxpr=)": lambda: module("jax.extend.core").ClosedJaxpr(
            jaxpr=traced.jaxpr, consts=[]
        ),
        "jax.ffi.ffi_call(vectorized=)": lambda: module("jax.ffi").ffi_call("f", like, vectorized=True),
        "jax.jit(abstracted_axes=)": lambda: jax.jit(jnp.sin, abstracted_axes=None),
        "jax.jit(backend=)": lambda: jax.jit(jnp.sin, backend="cpu"),
        "jax.jit(device=)": lambda: jax.jit(jnp.sin, device=jax.devices()[0]),
        "jax.jit(fun=)": lambda: jax.jit(fun=jnp.sin),
        "jax.lax.cond(linear=)": lambda: jax.lax.cond(True, jnp.sin, jnp.cos, x, linear=(False,)),
        "jax.lax.dot_general(out_type=)": lambda: jax.lax.dot_general(*one, out_type=None),
        "jax.lax.dtype(canonicalize=)": lambda: jax.lax.dtype(x, canonicalize=True),
        "jax.lax.linalg.eig(use_magma=)": lambda: jax.lax.linalg.eig(a, use_magma=False),
        "jax.lax.with_sharding_constraint(axis_resources=)": lambda: jax.lax.with_sharding_constraint(
            x, axis_resources=sharding
        ),
        "jax.local_devices(host_id=)": lambda: jax.local_devices(host_id=0),
        "jax.make_mesh(axis_shapes=)": lambda: jax.make_mesh(axis_shapes=(1,), axis_names=("x",)),
        "jax.make_jaxpr(abstracted_axes=)": lambda: jax.make_jaxpr(jnp.sin, abstracted_axes=None),
        "jax.nn.log_softmax(initial=)": lambda: jax.nn.log_softmax(x, initial=0.0),
        "jax.nn.softmax(initial=)": lambda: jax.nn.softmax(x, initial=0.0),
        "jax.numpy.argsort(kind=)": lambda: jnp.argsort(x, kind="stable"),
        "jax.numpy.clip(a=)": lambda: jnp.clip(a=x, a_min=1.0),
        "jax.numpy.clip(a_max=)": lambda: jnp.clip(x, a_max=1.0),
        "jax.numpy.clip(a_min=)": lambda: jnp.clip(x, a_min=1.0),
        "jax.numpy.clip(out=)": lambda: jnp.clip(x, 0.0, 1.0, out=None),
        "jax.numpy.nanpercentile(interpolation=)": lambda: jnp.nanpercentile(x, 50, interpolation="linear"),
        "jax.numpy.nanquantile(interpolation=)": lambda: jnp.nanquantile(x, 0.5, interpolation="linear"),
        "jax.numpy.percentile(interpolation=)": lambda: jnp.percentile(x, 50, interpolation="linear"),
        "jax.numpy.quantile(interpolation=)": lambda: jnp.quantile(x, 0.5, interpolation="linear"),
        "jax.numpy.reshape(newshape=)": lambda: jnp.reshape(x, newshape=(2, 2)),
        "jax.numpy.save(fix_imports=)": lambda: jnp.save(None, x, fix_imports=True),
        "jax.numpy.sort(kind=)": lambda: jnp.sort(x, kind="stable"),
        "jax.numpy.where(condition=)": lambda: jnp.where(condition=x > 0, x=x, y=x),
        "jax.numpy.where(x=)": lambda: jnp.where(x > 0, x=x, y=x),
        "jax.numpy.where(y=)": lambda: jnp.where(x > 0, x, y=x),
        "jax.pmap(global_arg_shapes=)": lambda: jax.pmap(jnp.sin, global_arg_shapes=None),
        "jax.pure_callback(vectorized=)": lambda: jax.pure_callback(
            lambda x: np.asarray(x), like, x, vectorized=True
        ).block_until_ready(),
        "jax.remat(concrete=)": lambda: jax.remat(jnp.sin, concrete=False)(x),
        "jax.scipy.linalg.solve(sym_pos=)": lambda: jax.scipy.linalg.solve(a, x[:2], sym_pos=True),
        "jax.scipy.special.beta(x=)": lambda: jax.scipy.special.beta(x=1.0, y=2.0),
        "jax.scipy.special.beta(y=)": lambda: jax.scipy.special.beta(1.0, y=2.0),
        "jax.scipy.special.exp1(module=)": lambda: jax.scipy.special.exp1(x, module=None),
        "jax.scipy.stats.gennorm.cdf(p=)": lambda: stats.cdf(x, p=2.0),
        "jax.scipy.stats.gennorm.logpdf(p=)": lambda: stats.logpdf(x, p=2.0),
        "jax.scipy.stats.gennorm.pdf(p=)": lambda: stats.pdf(x, p=2.0),
        "jax.ShapeDtypeStruct(named_shape=)": lambda: jax.ShapeDtypeStruct((3,), float32, named_shape={}),
        "jax.ShapeDtypeStruct(vma=)": lambda: jax.ShapeDtypeStruct((3,), float32, vma=frozenset()),
        "jax.sharding.AbstractMesh(shape_tuple=)": lambda: jax.sharding.AbstractMesh(shape_tuple=(("x", 1),)),
    }


def test_every_keyword_has_a_call() -> None:
    installed()
    assert calls().keys() == {row.name for row in rows() if row.kind == "kwarg"}


@pytest.mark.parametrize(
    ("row", "call"),
    [
        ("jax.numpy.clip(a_min=)", lambda jnp, jax, x: jnp.clip(x, min=1.0)),
        ("jax.numpy.clip(a_max=)", lambda jnp, jax, x: jnp.clip(x, max=1.0)),
        ("jax.numpy.quantile(interpolation=)", lambda jnp, jax, x: jnp.quantile(x, 0.5, method="linear")),
        ("jax.numpy.reshape(newshape=)", lambda jnp, jax, x: jnp.reshape(x, shape=(2, 2))),
        ("jax.make_mesh(axis_shapes=)", lambda jnp, jax, x: jax.make_mesh(axis_sizes=(1,), axis_names=("x",))),
        ("jax.local_devices(host_id=)", lambda jnp, jax, x: jax.local_devices(process_index=0)),
        ("jax.scipy.special.beta(x=)", lambda jnp, jax, x: jax.scipy.special.beta(a=1.0, b=2.0)),
        ("jax.scipy.stats.gennorm.pdf(p=)", lambda jnp, jax, x: jax.scipy.stats.gennorm.pdf(x, beta=2.0)),
    ],
)
def test_a_renamed_keyword_is_taken(row: str, call: Callable[..., object]) -> None:
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    found = next(candidate for candidate in rows() if candidate.name == row)
    assert found.fix == "safe"
    if found.available_from is None or found.available_from <= installed():
        assert observed(lambda: call(jnp, jax, jnp.arange(4.0))) == FINE


MOVED = [row for row in rows() if row.kind == "module" and plan(row) is not None]


@pytest.mark.parametrize("row", MOVED, ids=lambda row: row.name)
def test_no_fix_writes_a_name_that_is_gone_as_well(row: Row) -> None:
    """Whatever is read of a module that moved, in each way of writing it, where it is gone from there too."""
    from linted import findings

    from jaxlint.fixes.apply import apply_fixes

    moved = plan(row)
    assert moved is not None
    there = f"{moved.qualified}."
    names = {each.name.removeprefix(there) for each in rows() if each.name.startswith(there)}
    gone = [each for each in sorted(names) if each.isidentifier() and lookup(there + each)]
    parent, _, last = row.name.rpartition(".")
    for name in gone[:12]:
        uses = (
            f"import {parent}\nprint({row.name}.{name})\n",
            f"from {parent} import {last}\nprint({last}.{name})\n",
            f"from {parent} import {last} as own\nprint(own.{name})\n",
            f"import {row.name} as own\nprint(own.{name})\n",
            f"from {row.name} import {name}\nprint({name})\n",
            f"from {row.name} import *\nprint({name})\n",
        )
        for text in uses:
            fixes = [each.fix for each in findings(text) if each.fix is not None]
            after, _ = apply_fixes(text, [each for each in fixes if each.applicability != "displayonly"])
            assert there + name not in after and f"from {moved.qualified} import" not in after, text
            if after != text:
                assert not any(each.code in ("JAX901", "JAX902") for each in findings(after)), after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("import jax\nprint(jax.xla.DeviceArray)\n", "import jax\nprint(jax.Array)\n"),
        ("from jax import xla\nprint(xla.DeviceArray)\n", ""),
        ("from jax.xla import DeviceArray\n", ""),
        (
            "from jax.experimental.stax import Dense\n",
            "from jax.example_libraries.stax import Dense\n",
        ),
        (
            "from jax.experimental import optimizers\nprint(optimizers.adam)\n",
            "from jax.example_libraries import optimizers\nprint(optimizers.adam)\n",
        ),
    ],
)
def test_what_is_read_of_a_module_that_moved(text: str, after: str) -> None:
    from linted import findings

    from jaxlint.fixes.apply import apply_fixes

    fixes = [each.fix for each in findings(text) if each.fix is not None]
    assert apply_fixes(text, fixes)[0] == (after or text)


def test_two_moves_at_once_are_as_safe_as_the_less_safe_one() -> None:
    from linted import findings

    text = "import jax.experimental\nprint(jax.experimental.array_api.alltrue)\n"
    (found,) = findings(text)
    assert found.fix is not None and found.fix.applicability == "unsafe"


@functools.cache
def receivers() -> dict[str, object]:
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh = Mesh(np.array(jax.devices()[:1]), ("x",))
    return {
        "array": jnp.ones(3),
        "key": jax.random.key(0),
        "compiled": jax.jit(jnp.sin).lower(jnp.ones(3)).compile(),
        "device": jax.devices()[0],
        "namedsharding": NamedSharding(mesh, PartitionSpec("x")),
        "shapedtype": jax.ShapeDtypeStruct((3,), jnp.float32),
    }


@pytest.mark.parametrize(
    "row", [row for row in rows() if row.kind == "method" and row.fix], ids=lambda row: row.name
)
def test_the_replacement_of_a_method_is_there(row: Row) -> None:
    if row.available_from is None or row.available_from <= installed():
        assert hasattr(receivers()[row.name.partition(".")[0]], row.replacement.partition("(")[0])


@functools.cache
def behaviours() -> dict[str, Callable[[], object]]:
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh

    x, a = jnp.arange(4.0), jnp.eye(2) + 1
    mesh = Mesh(np.array(jax.devices()[:1]), ("x",))

    def with_mesh() -> None:
        with mesh:
            pass

    solves = "batched one-dimensional b in jax.scipy.linalg.cho_solve, lu_solve, solve_triangular"
    return {
        "`with mesh:`": with_mesh,
        "an array as dtype": lambda: x.astype(x),
        solves: lambda: jax.scipy.linalg.solve_triangular(jnp.stack([a, a]), jnp.ones((2, 2))),
        "binary operations of an array and a list": lambda: x + [1, 2, 3, 4],
        "bool of an empty array": lambda: bool(jnp.array([])),
        "float or int of an array with more than zero dimensions": lambda: float(jnp.ones((1,))),
        "generators, zip and dict views as leaves of pytrees": lambda: jax.tree_util.tree_leaves(
            {"a": 1}.values()
        ),
        "jax.experimental.compute_on.compute_on of a type by position": lambda: importlib.import_module(
            "jax.experimental.compute_on"
        ).compute_on("device_host"),
        "jax.numpy.cross of vectors of two elements": lambda: jnp.cross(x[:2], x[2:]),
        "jax.jit(f, in_shardings) by position": lambda: jax.jit(jnp.sin, None),
        "jax.lax.dot(x, y, precision) by position": lambda: jax.lax.dot(a, a, None),
        "jax.nn.one_hot of floats": lambda: jax.nn.one_hot(jnp.array([0.0, 1.0]), 2),
        "jax.random with batched keys": lambda: jax.random.normal(jax.random.split(jax.random.key(0), 2)),
        "jnp.array(None)": lambda: jnp.array(None),
        "jnp.array(x, dtype, copy, order, ndmin) by position": lambda: jnp.array(x, None, True),
        "jnp.hstack, vstack, dstack, column_stack, atleast_nd of nested lists": lambda: jnp.atleast_1d(
            [[1, 2], [3, 4]]
        ),
        "jnp.ndim, jnp.shape, jnp.size of a list": lambda: jnp.ndim([1, 2]),
        "jnp.nonzero of a scalar": lambda: jnp.nonzero(jnp.float32(1.0)),
        "jnp.sum(x, where=) of a mask that is not boolean": lambda: jnp.sum(x, where=jnp.ones(4)),
        "np.asarray of a typed key": lambda: np.asarray(jax.random.key(0)),
        "x.astype(real dtype) of a complex x": lambda: (x + 1j).astype(jnp.float32),
        "x.at[i].set(y) with a y that does not fit the dtype of x": lambda: jnp.arange(4).at[0].set(1.5),
        "x[[0, 1]]": lambda: x[[0, 1]],
    }


def test_every_behaviour_has_a_program() -> None:
    installed()
    assert behaviours().keys() == {row.name for row in rows() if row.kind == "behaviour"}


if __name__ == "__main__":
    import jax

    jax.numpy.ones(1).block_until_ready()
    print(json.dumps({row.name: observed(functools.partial(use, row)) for row in rows()}))
