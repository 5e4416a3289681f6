"""The engine's tables of frameworks, row by row: each function, layer and schedule is run in jit, where it
gives one tracer, and each kind of box is differentiated or not, as the table says."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from test_transform_table import found
from verify_cases import in_share, ready_jax

from jaxlint.domain.questions import TRUE_BASES
from jaxlint.domain.tokens import VARIABLES
from jaxlint.library.framework_layers import (
    ARRAYS,
    CELLS,
    DISTRIBUTIONS,
    DRAWS,
    FLAT_SAMPLES,
    LAYERS,
    NO_STREAMS,
    PARAMETERS,
    QUIET,
    SCHEDULES,
    STATELESS,
)
from jaxlint.tables.distributions import PARTS
from jaxlint.tables.layers import FIELDS, GIVEN, OF_ARRAYS, SEVERAL, WITH_ARRAYS, Held
from jaxlint.tables.samplers import STATES


@pytest.fixture(scope="module", autouse=True)
def jax_is_ready() -> None:
    ready_jax()


def gives_tracer(called: Callable[..., Any], *args: Any) -> bool:
    """Whether what a function gives in jit is one tracer, for concrete arguments."""
    import jax

    seen: list[bool] = []

    def traced() -> int:
        seen.append(isinstance(called(*args), jax.core.Tracer))
        return 0

    jax.jit(traced)()
    return all(seen)


@pytest.mark.parametrize("name", sorted(ARRAYS))
def test_function(name: str) -> None:
    import jax.numpy as jnp

    function, x = found(name), jnp.ones((2, 4)) / 2
    if name.endswith("_pool"):
        args: tuple[Any, ...] = (jnp.ones((1, 4, 4, 1)), (2, 2))
        if name.startswith("haiku"):
            args = (jnp.ones((1, 4, 4, 1)), (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    elif name.endswith("one_hot"):
        args = (jnp.arange(2), 4)
    elif "labels" in name and "integer" in name:
        args = (x, jnp.zeros(2, int))
    elif name == "optax.smooth_labels":
        args = (x, 0.1)
    elif name == "optax.global_norm":
        args = ({"a": x},)
    else:
        needed = [
            each
            for each in inspect.signature(function).parameters.values()
            if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
        ]
        args = (x,) * max(1, len(needed))
    assert gives_tracer(function, *args)


# what layers are made with, and the shape that they are given where it is not (1, 4)
MADE: dict[str, tuple[tuple[Any, ...], tuple[int, ...]]] = {
    "BatchNorm": ((), (1, 4)), "Bias": ((), (1, 4)), "LayerNorm": ((), (1, 4)), "RMSNorm": ((), (1, 4)),
    "GroupNorm": ((2,), (1, 2, 4)), "InstanceNorm": ((), (1, 2, 4)), "PReLU": ((), (1, 4)),
    "Conv": ((2, (3, 3)), (1, 4, 4, 1)), "ConvTranspose": ((2, (3, 3)), (1, 4, 4, 1)),
    "ConvLocal": ((2, (3, 3)), (1, 4, 4, 1)), "Dense": ((2,), (1, 4)), "Linear": ((2,), (1, 4)),
    "DenseGeneral": ((2,), (1, 4)), "Einsum": (((4, 2), "ij,jk->ik"), (1, 4)),
    "Embed": ((4, 2), ()), "Embedding": ((4, 2), ()),
    "MultiHeadAttention": ((2,), (1, 3, 4)), "MultiHeadDotProductAttention": ((2,), (1, 3, 4)),
    "SelfAttention": ((2,), (1, 3, 4)), "MLP": (([4, 2],), (1, 4)),
    "Conv1D": ((2, 3), (1, 4, 1)), "Conv2D": ((2, 3), (1, 4, 4, 1)), "Conv3D": ((2, 3), (1, 4, 4, 4, 1)),
    "Conv1DTranspose": ((2, 3), (1, 4, 1)), "Conv2DTranspose": ((2, 3), (1, 4, 4, 1)),
    "DepthwiseConv2D": ((1, 3), (1, 4, 4, 1)),
}  # fmt: skip
NNX: dict[str, tuple[Any, ...]] = {
    "BatchNorm": (4,), "LayerNorm": (4,), "RMSNorm": (4,), "GroupNorm": (4, 2), "InstanceNorm": (4,),
    "Conv": (1, 2, (3, 3)), "ConvTranspose": (1, 2, (3, 3)), "Linear": (4, 2), "LinearGeneral": (4, 2),
    "Einsum": ("ij,jk->ik", (4, 2)), "MultiHeadAttention": (2, 4),
}  # fmt: skip
EQUINOX: dict[str, tuple[tuple[Any, ...], tuple[int, ...]]] = {
    "Linear": ((4, 2), (4,)), "MLP": ((4, 2, 3, 1), (4,)), "PReLU": ((), (4,)), "LayerNorm": ((4,), (4,)),
    "RMSNorm": ((4,), (4,)), "GroupNorm": ((2, 4), (4,)), "Embedding": ((4, 2), ()),
    "MultiheadAttention": ((2, 4), (3, 4)), "Conv1d": ((1, 2, 3), (1, 4)), "Conv2d": ((1, 2, 3), (1, 4, 4)),
    "Conv3d": ((1, 2, 3), (1, 4, 4, 4)), "ConvTranspose1d": ((1, 2, 3), (1, 4)),
    "ConvTranspose2d": ((1, 2, 3), (1, 4, 4)), "ConvTranspose3d": ((1, 2, 3), (1, 4, 4, 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(filter(in_share, LAYERS)))
def test_layer(name: str) -> None:
    import haiku as hk
    import jax
    import jax.numpy as jnp
    from flax import linen, nnx

    last = name.rpartition(".")[2]
    make, key = found(name), jax.random.key(0)
    args, shape = (EQUINOX if name.startswith("equinox") else MADE).get(last, ((), (1, 4)))
    x = jnp.ones(shape) if last not in ("Embed", "Embedding") else jnp.int32(1)
    if name.startswith("equinox"):
        keyed = {"key": key} if "key" in inspect.signature(make).parameters else {}
        layer = make(*args, **keyed)
        assert gives_tracer(layer, *([x] * 3 if last == "MultiheadAttention" else [x]))
        accepted = inspect.signature(layer).parameters
        assert "key" in accepted and QUIET >= {"key", "inference"}
    elif name.startswith("flax.nnx"):
        keyed = {"rngs": nnx.Rngs(0)} if "rngs" in inspect.signature(make.__init__).parameters else {}
        options = {"MultiHeadAttention": {"decode": False}, "BatchNorm": {"use_running_average": True}}
        assert gives_tracer(make(*NNX.get(last, args), **keyed, **options.get(last, {})), x)
    elif name.startswith("flax.linen"):
        averaged = {"use_running_average": True} if last == "BatchNorm" else {}

        class Outer(linen.Module):
            @linen.compact
            def __call__(self, x: Any) -> Any:
                given = [x] * 2 if last.startswith("MultiHead") else [x]
                seen.append(isinstance(make(*args, **averaged)(*given), jax.core.Tracer))
                return 0

        seen: list[bool] = []
        variables = Outer().init(key, x)
        seen.clear()
        jax.jit(lambda: Outer().apply(variables, x))()
        assert seen == [True]
    else:
        attention = {"key_size": 2, "w_init": hk.initializers.Constant(1.0)}
        norms = {"LayerNorm": (-1, True, True), "RMSNorm": (-1,), "InstanceNorm": (True, True)}
        norms |= {"BatchNorm": (True, True, 0.9)}
        seen = []

        def forward(x: Any) -> int:
            layer = make(*norms.get(last, args), **(attention if last == "MultiHeadAttention" else {}))
            given = [x] * 3 if last == "MultiHeadAttention" else [x, True] if last == "BatchNorm" else [x]
            seen.append(isinstance(layer(*given), jax.core.Tracer))
            return 0

        network = hk.transform_with_state(forward)
        params, state = network.init(key, x)
        seen.clear()
        jax.jit(lambda: network.apply(params, state, None, x)[0])()
        assert seen == [True]


@pytest.mark.parametrize("name", sorted(WITH_ARRAYS))
def test_arrays_of_layer(name: str) -> None:
    """A layer of equinox has arrays whatever is left out, and its attributes are those of the table."""
    import equinox
    import jax

    make, key = found(name), jax.random.key(0)
    args = EQUINOX[name.rpartition(".")[2]][0] if name in LAYERS else (3, 4)
    options = {each: False for each in inspect.signature(make).parameters if each.startswith("use_")}
    whole, least = make(*args, key=key), make(*args, **options, key=key)
    assert jax.tree.leaves(equinox.filter(least, equinox.is_array))
    arrays = {each for each, value in vars(least).items() if isinstance(value, jax.Array)}
    assert arrays == set(OF_ARRAYS.get(name, ()))
    assert (name in OF_ARRAYS) == all(isinstance(each, jax.Array) for each in jax.tree.leaves(whole))


def _class_among(names: Iterable[str], value: Any) -> str | None:
    """Which of these classes a value is of."""
    return next((each for each in names if type(value) is found(each)), None)


@pytest.mark.parametrize("name", sorted({*FIELDS, *SEVERAL}))
def test_fields_of_layer(name: str) -> None:
    """The table names the variables and the layers of what is made with as little as can be."""
    import jax
    from flax import nnx

    make, last = found(name), name.rpartition(".")[2]
    accepted = inspect.signature(make.__init__).parameters
    if name.startswith("equinox"):
        args = EQUINOX[last][0] if name in LAYERS else (3, 4)
        keyed: dict[str, Any] = {"key": jax.random.key(0)}
    else:
        args = NNX.get(last, (3, 4) if name in CELLS else (4, 2) if last == "Embed" else ())
        keyed = {"rngs": nnx.Rngs(0)} if "rngs" in accepted else {}
        keyed |= {"decode": False} if last == "MultiHeadAttention" else {}
    least = {each: False for each in accepted if each.startswith("use_")}
    layer = make(*args, **keyed, **least)
    kinds: dict[str, Any] = {}
    for field, value in vars(layer).items():
        of = _class_among(FIELDS, value)
        if isinstance(value, jax.Array):
            kinds[field] = Held.ARRAY
        elif isinstance(value, nnx.Variable) and value.get_value() is not None:
            kinds[field] = Held.PARAMETER if isinstance(value, nnx.Param) else Held.VARIABLE
        elif of is not None:
            kinds[field] = of
        elif isinstance(value, tuple) and len({type(each) for each in value}) == 1:
            if (of := _class_among(FIELDS, value[0])) is not None:
                kinds[field] = of
    assert kinds == {**FIELDS.get(name, {}), **SEVERAL.get(name, {})}
    places = [each for each in accepted if each != "self"]
    assert [(each, places.index(each)) for each in kinds if each in places] == [
        each for layer, each in GIVEN.items() if layer == name
    ]


@pytest.mark.parametrize("name", sorted(CELLS))
def test_cell(name: str) -> None:
    """What a call gives is, in this order, an array, or a pytree of arrays."""
    import haiku as hk
    import jax
    import jax.numpy as jnp
    from flax import linen, nnx

    make, key, x = found(name), jax.random.key(0), jnp.ones((1, 3))
    seen: list[Any] = []
    if name.startswith("equinox"):
        h = jnp.zeros(4)
        cell = make(3, 4, key=key)
        jax.jit(lambda: seen.append(cell(x[0], (h, h) if name.endswith("LSTMCell") else h)))()
    elif name.startswith("flax.nnx"):
        cell = make(3, 4, rngs=nnx.Rngs(0))
        jax.jit(lambda: seen.append(cell(cell.initialize_carry(x.shape, nnx.Rngs(0)), x)))()
    elif name.startswith("flax.linen"):

        class Outer(linen.Module):
            @linen.compact
            def __call__(self, x: Any) -> Any:
                cell = make(4)
                seen.append(cell(cell.initialize_carry(key, x.shape), x))
                return 0

        variables = Outer().init(key, x)
        seen.clear()
        jax.jit(lambda: Outer().apply(variables, x))()
    else:

        def forward(x: Any) -> int:
            core = make(4)
            seen.append(core(x, core.initial_state(1)))
            return 0

        network = hk.transform(forward)
        params = network.init(key, x)
        seen.clear()
        jax.jit(lambda: network.apply(params, None, x))()
    (given,) = seen
    results = given if len(CELLS[name]) > 1 else (given,)
    assert len(results) == len(CELLS[name])
    for result, kind in zip(results, CELLS[name], strict=True):
        leaves = [result] if kind == "array" else jax.tree.leaves(result)
        assert leaves and all(isinstance(each, jax.core.Tracer) for each in leaves)


@pytest.mark.parametrize("name", sorted(SCHEDULES))
def test_schedule(name: str) -> None:
    import optax

    last = name.rpartition(".")[2]
    special: dict[str, tuple[Any, ...]] = {
        "join_schedules": ([optax.constant_schedule(0.1), optax.constant_schedule(0.2)], [3]),
        "sgdr_schedule": ([{"init_value": 0.0, "peak_value": 1.0, "warmup_steps": 2, "decay_steps": 5}],),
        "piecewise_constant_schedule": (1.0, {3: 0.5}),
        "piecewise_interpolate_schedule": ("linear", 1.0, {3: 0.5}),
        "cosine_onecycle_schedule": (10, 1.0),
        "linear_onecycle_schedule": (10, 1.0),
        "cosine_decay_schedule": (1.0, 10),
        "exponential_decay": (1.0, 10, 0.5),
        "warmup_constant_schedule": (0.0, 1.0, 3),
        "warmup_exponential_decay_schedule": (0.0, 1.0, 3, 10, 0.5),
    }
    schedule = found(name)(*special.get(last, (1.0, 0.5, 2, 10)[: 3 if last == "linear_schedule" else 4]))
    assert gives_tracer(schedule, 3)


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_variable(name: str) -> None:
    """It is traced in nnx.jit, and by nnx.grad where it is a parameter."""
    import jax
    import jax.numpy as jnp
    from flax import nnx

    class Holder(nnx.Module):
        def __init__(self) -> None:
            self.held = found(name)(jnp.float32(1.0))
            self.other = nnx.Param(jnp.float32(1.0))

    seen: list[bool] = []

    def look(model: Holder) -> Any:
        value = model.held.get_value()
        seen.append(isinstance(value, jax.core.Tracer))
        assert value is model.held[...] or isinstance(model.held[...], jax.core.Tracer) == seen[-1]
        return value * model.other[...]

    nnx.jit(look)(Holder())
    nnx.grad(look)(Holder())
    assert seen == [True, name in PARAMETERS]


@pytest.mark.parametrize("name", sorted(TRUE_BASES - {"typing.Generic"}))
def test_objects_are_true(name: str) -> None:
    made = types.new_class("Made", (found(name),))
    assert not {"__bool__", "__len__"} & {each for base in made.__mro__ for each in vars(base)}


def test_streams() -> None:
    """All that nnx.Rngs has is in the table; what draws gives a tracer in jit, all else that is called a key."""
    import jax
    from flax import nnx

    public = {name for name in dir(nnx.Rngs) if not name.startswith("_")}
    assert public == DRAWS | NO_STREAMS
    rngs = nnx.Rngs(0)
    assert gives_tracer(lambda: nnx.Rngs(0).normal((2,)))
    first, second = rngs.params(), rngs.params()
    assert (jax.random.key_data(first) != jax.random.key_data(second)).any()
    assert (jax.random.key_data(rngs()) != jax.random.key_data(rngs.noise())).any()


@pytest.mark.parametrize("name", sorted(STATELESS))
def test_state_without_leaves(name: str) -> None:
    import jax
    import jax.numpy as jnp

    made: Any = None
    for args in ((), (0.5,), (lambda updates, params: updates,)):
        with contextlib.suppress(TypeError):
            made = found(name)(*args)
            break
    assert jax.tree.leaves(made.init(jnp.ones(2))) == []


# what distributions are made with, where that is not (0.5, 0.7)
PARAMETERS_OF: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys("Bernoulli BernoulliLogits BernoulliProbs Exponential GeometricLogits".split(), (0.5,)),
    **dict.fromkeys("Geometric GeometricProbs HalfCauchy HalfNormal Poisson Softmax Deterministic".split(), (0.5,)),
    **dict.fromkeys("Categorical CategoricalLogits CategoricalProbs OneHotCategorical".split(), ([0.5, 0.5],)),
    "Chi2": (1.5,), "Dirichlet": ([0.5, 0.5],), "Multinomial": (3, [0.5, 0.5]),
    "Binomial": (3, 0.5), "BinomialLogits": (0.5, 3), "BinomialProbs": (0.5, 3), "BetaBinomial": (0.5, 0.7, 3),
    "DiscreteUniform": (0, 3), "AsymmetricLaplace": (0.5, 0.7, 0.5),
    "MultivariateNormal": ([0.5, 0.5], [[1.0, 0.0], [0.0, 1.0]]), "StudentT": (0.5, 0.7),
    "MultivariateNormalDiag": ([0.5, 0.5],), "MultivariateNormalTri": ([0.5, 0.5],),
    "TruncatedNormal": (0.5, 0.7), "Softmax": ([0.5, 0.5],), "ZeroInflatedPoisson": (0.5, 0.7),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(filter(in_share, DISTRIBUTIONS)))
def test_distribution(name: str) -> None:
    """A sample is one tracer in jit, under vmap over the parameters, and under grad if the table says so."""
    import jax
    import jax.numpy as jnp

    make, last = found(name), name.rpartition(".")[2]
    given = [jnp.asarray(each) for each in PARAMETERS_OF.get(last, (0.5, 0.7))]
    numbers = {i: int(each) for i, each in enumerate(given) if each.dtype == int and last == "Multinomial"}
    traced = [i for i in range(len(given)) if i not in numbers]
    seen: list[type] = []

    def draw(*values: Any) -> Any:
        made = make(*[numbers[i] if i in numbers else values[traced.index(i)] for i in range(len(given))])
        key = jax.random.key(0)
        drawn = made.sample(key) if name.startswith("numpyro") else made.sample(seed=key)
        seen.append(isinstance(drawn, jax.core.Tracer) and not isinstance(drawn, tuple))
        return jnp.sum(drawn) * 1.0

    floats = [given[i] for i in traced]
    jax.eval_shape(draw, *floats)
    for position in range(len(floats)):
        axes = [0 if i == position else None for i in range(len(floats))]
        jax.vmap(draw, in_axes=axes)(
            *[each[None] if i == position else each for i, each in enumerate(floats)]
        )
    assert all(seen)
    seen.clear()
    for position in range(len(floats)):
        if floats[position].dtype != int and name not in FLAT_SAMPLES:
            jax.grad(draw, argnums=position)(*floats)
    assert all(seen)


@pytest.mark.parametrize("name", sorted(PARTS))
def test_parts_of_distributions(name: str) -> None:
    """What the table names is a tracer in jit where one parameter is, and the others are numbers or arrays that
    were made outside of it."""
    import jax
    import jax.numpy as jnp

    make, given = found(name), PARAMETERS_OF.get(name.rpartition(".")[2], (0.5, 0.7))
    names = [*inspect.signature(make).parameters]
    for parameter, place, parts in PARTS[name]:
        assert names[place] == parameter
        others = {each: value for each, value in zip(names, given, strict=False) if each != parameter}
        value = given[place] if place < len(given) else others.pop(names[0])
        if {parameter, *others} >= {"logits", "probs"}:
            others = {each: value for each, value in others.items() if each not in ("logits", "probs")}
        for outer in ({each: jnp.asarray(value) for each, value in others.items()}, others):
            if any(isinstance(each, list) for each in outer.values()):
                continue

            def traced(value: Any, outer: Any = outer, parameter: str = parameter, parts: Any = parts) -> int:
                made = make(**{parameter: value}, **outer)
                for part in parts:
                    held = getattr(made, part)
                    assert isinstance(held() if inspect.ismethod(held) else held, jax.core.Tracer), part
                return 0

            jax.jit(traced)(jnp.asarray(value))


@pytest.mark.parametrize("name", sorted(STATES))
def test_states_of_samplers(name: str) -> None:
    pytest.importorskip("blackjax")
    import jax
    import jax.numpy as jnp

    given: dict[str, Any] = {"step_size": 0.2, "inverse_mass_matrix": jnp.ones(2)}
    if name == "hmc":
        given["num_integration_steps"] = 3
    elif name == "mala":
        del given["inverse_mass_matrix"]
    elif name == "rmh":
        given = {"proposal_generator": lambda key, x: {"a": x["a"] + jax.random.normal(key, (2,))}}
    made = found(f"blackjax.{name}")(lambda x: -jnp.sum(x["a"] ** 2), **given)
    key, state = jax.random.key(0), made.init({"a": jnp.zeros(2)})

    def traced(key: Any, state: Any) -> int:
        results = (*made.step(key, state), made.init(state.position))
        for result, (title, fields) in zip(results, (*STATES[name], STATES[name][0]), strict=True):
            assert (type(result).__name__, [*result._fields]) == (title, [*fields])
            for field, kind in fields.items():
                held = getattr(result, field)
                assert kind != "array" or isinstance(held, jax.core.Tracer)
                assert kind != "tree" or isinstance(held["a"], jax.core.Tracer)
        return 0

    jax.jit(traced)(key, state)
    jax.jit(lambda state: traced(key, state))(state)
