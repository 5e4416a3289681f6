"""A made-up project of any size: packages of modules that import each other and a core that all share.

Out: the texts of the core and of one package. Every other package is that one again; `neighbour`, in its
imports, means another package in each. The modules have what real ones have: jitted steps that reach helpers
three calls away, classes that inherit from the core's, jitted methods and methods that change what they read,
keys that are split and spent, scans and gradients, a registry that all enter, and code that only Python runs.
"""

from __future__ import annotations

MODULES = 20
NEIGHBOUR = "neighbour"

CORE = {
    "core.layers": '''
"""What all layers inherit from."""

import jax
import jax.numpy as jnp

from core.registry import REGISTRY


class Layer:
    """A layer with named parameters."""

    def __init__(self, width, name="layer"):
        self.width = width
        self.name = name
        self.calls = 0

    def init(self, key):
        weight_key, bias_key = jax.random.split(key)
        weight = jax.random.normal(weight_key, (self.width, self.width))
        bias = jax.random.normal(bias_key, (self.width,))
        return {"weight": weight, "bias": bias}

    def apply(self, params, x):
        return x @ params["weight"] + params["bias"]

    def __call__(self, params, x):
        return self.activation(self.apply(params, x))

    def activation(self, x):
        return jnp.tanh(x)


def built(name, width):
    """A registered layer by its name."""
    if name not in REGISTRY:
        raise KeyError(name)
    return REGISTRY[name](width, name=name)
''',
    "core.numeric": '''
"""Numerics that all packages share."""

import jax.numpy as jnp
from jax import lax


def safe_norm(x, axis=None):
    return jnp.sqrt(jnp.maximum(jnp.sum(x * x, axis=axis), 1e-12))


def scaled(x, limit=1.0):
    norm = safe_norm(x)
    return jnp.where(norm > limit, x * (limit / norm), x)


def rolled(step, carry, xs):
    return lax.scan(step, carry, xs)
''',
    "core.registry": '''
"""Everything that can be built by its name."""

REGISTRY = {}


def register(name):
    def wrapped(thing):
        if name in REGISTRY:
            raise ValueError(f"{name} is registered twice")
        REGISTRY[name] = thing
        return thing

    return wrapped
''',
}

TEXT = '''"""Module {number} of a package: a layer, its loss, and how it is trained."""

from __future__ import annotations

import functools
import logging
import os
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from core.layers import Layer
from core.numeric import rolled, safe_norm, scaled
from core.registry import register
from {neighbour}.module_{number} import Config as OtherConfig
from {neighbour}.module_{number} import energy as other_energy
{siblings}
logger = logging.getLogger(__name__)

MOMENTUM = 0.9
DEFAULTS = {{"rate": 1e-3, "rounds": 100, "width": 64, "verbose": False}}


class Config(NamedTuple):
    """How a model is trained."""

    rate: float = 1e-3
    rounds: int = 100
    width: int = 64
    verbose: bool = False

    def widened(self, factor: int = 2) -> Config:
        return self._replace(width=self.width * factor)


class State(NamedTuple):
    params: dict[str, Any]
    momentum: dict[str, Any]
    step: int


# The layer of this module, under the name that configurations give it.
@register("layer_{number}")
class Dense(Layer):
    """A layer with a residual path.

    Args:
        width: How many features there are.
        residual: Whether the input is added to the output.
    """

    def __init__(self, width, name="dense", residual=True):
        super().__init__(width, name)
        self.residual = residual

    def activation(self, x):
        return jax.nn.gelu(x)

    def __call__(self, params, x):
        y = super().__call__(params, scaled(x, 10.0))
        if self.residual:
            y = y + x
        return y

    def widen(self, factor):
        self.width = self.width * factor
        return self

    @functools.partial(jax.jit, static_argnums=0)
    def norms(self, params):
        return [safe_norm(leaf) / self.width for leaf in jax.tree_util.tree_leaves(params)]

    def noisy(self, params, x, key):
        drop_key, noise_key = jax.random.split(key)
        kept = jax.random.bernoulli(drop_key, 0.9, x.shape)
        noise = jax.random.normal(noise_key, x.shape)
        return jnp.where(kept, self(params, x) + 0.01 * noise, 0.0)


def residuals(model, params, batch):
    predicted = model(params, batch["inputs"])
    if predicted.shape != batch["targets"].shape:
        raise ValueError(f"{{predicted.shape}} is not {{batch['targets'].shape}}")
    return predicted - batch["targets"]


def weighted(values, weights=None):
    if weights is None:
        weights = jnp.ones(values.shape[0])
    return jnp.sum(values * weights[:, None]) / jnp.maximum(jnp.sum(weights), 1.0)


def energy(model, params, batch):
    """The loss of a batch; lower is better."""
    rest = residuals(model, params, batch)
    penalty = sum(safe_norm(leaf) for leaf in jax.tree_util.tree_leaves(params))
    return weighted(rest**2, batch.get("weights")) + 1e-4 * penalty


def clipped(grads, limit):
    return jax.tree_util.tree_map(lambda grad: scaled(grad, limit), grads)


def updated(state, grads, rate):
    momentum = jax.tree_util.tree_map(lambda m, g: MOMENTUM * m + g, state.momentum, grads)
    params = jax.tree_util.tree_map(lambda p, m: p - rate * m, state.params, momentum)
    return State(params, momentum, state.step + 1)


@functools.partial(jax.jit, static_argnums=(0,))
def train_step(model, state, batch, rate):
    loss, grads = jax.value_and_grad(lambda params: energy(model, params, batch))(state.params)
    return updated(state, clipped(grads, 1.0), rate), loss


@jax.jit
def decayed(values, rate):
    def step(carry, value):
        carry = MOMENTUM * carry + (1.0 - MOMENTUM) * value
        return carry, carry * rate

    return rolled(step, jnp.zeros(()), values)[1]


def batches(data, size, seed=0):
    """Batches of the data in random order, on the host."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(data["inputs"]))
    for start in range(0, len(order) - size + 1, size):
        rows = order[start : start + size]
        yield {{name: values[rows] for name, values in data.items()}}


def evaluated(model, params, data, size=128):
    losses = []
    for batch in batches(data, size):
        losses.append(float(energy(model, params, batch)))
    if not losses:
        logger.warning("no batches of %d rows", size)
        return 0.0
    return sum(losses) / len(losses)


def compared(model, params, other, other_params, batch):
    """How much better the model is than another package's."""
    config = OtherConfig()
    mine, theirs = energy(model, params, batch), other_energy(other, other_params, batch)
    if config.verbose:
        logger.info("compared at width %d", config.width)
    return jnp.where(mine < theirs, 1.0, 0.0)


def trained(data, config=None, seed=0):
    """Trains a model from scratch."""
    config = config or Config()
    model = Dense(config.width)
    key, init_key = jax.random.split(jax.random.PRNGKey(seed))
    params = model.init(init_key)
    state = State(params, jax.tree_util.tree_map(jnp.zeros_like, params), 0)
    for number in range(config.rounds):
        key, noise_key = jax.random.split(key)
        for batch in batches(data, 32, seed=number):
            state, loss = train_step(model, state, batch, config.rate)
        if config.verbose and number % 10 == 0:
            logger.info("round %d: %f", number, float(loss))
            model.noisy(state.params, batch["inputs"], noise_key)
    return model, state


def saved(state, folder):
    os.makedirs(folder, exist_ok=True)
    for name, value in state.params.items():
        path = os.path.join(folder, f"{{name}}.npy")
        try:
            np.save(path, np.asarray(value))
        except OSError as error:
            logger.error("cannot write %s: %s", path, error)
            raise
    return folder


def fresh(shape):
    """What a rule finds, so that findings are counted as well."""
    key = jax.random.PRNGKey(0)
    return jax.random.normal(key, shape) + jax.random.uniform(key, shape)
'''

SIBLING = "from .module_{number} import {name} as {name}_{number}\n"

USED = '''

@jax.jit
def summary(values, weights):
    """What the module beside this one makes of the values, three calls away."""
    smooth = decayed_{near}(values, 0.5)
    return weighted_{near}(smooth[:, None], weights)


def archived(data, folder):
    model, state = trained(data, Config(rounds=10).widened())
    return saved_{near}(state, folder), model
'''


def core() -> dict[str, str]:
    """The texts of the modules that all packages share, by their names."""
    return {name: text.lstrip("\n") for name, text in CORE.items()}


def package() -> dict[str, str]:
    """The texts of one package, by the names of the modules; each imports those at a half and a third of its
    number."""
    made = {"__init__": '"""A package."""\n'}
    for number in range(MODULES):
        near = sorted({number // 2, number // 3} - {number})
        names = ("weighted", "decayed", "saved")
        siblings = "".join(SIBLING.format(number=each, name=name) for each in near for name in names)
        text = TEXT.format(number=number, neighbour=NEIGHBOUR, siblings=siblings)
        made[f"module_{number}"] = text + (USED.format(near=near[-1]) if near else "")
    return made


def neighbour(number: int) -> int | None:
    """The package that is the neighbour of a package; no chain of imports is longer than a logarithm."""
    return number // 2 if number else None
