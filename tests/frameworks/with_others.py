# %% chex: a dataclass whose arrays are traced, with static assertions on shapes
import chex
import jax
import jax.numpy as jnp


@chex.dataclass
class State:
    position: chex.Array
    step: chex.Array


@jax.jit
def advance(state):
    chex.assert_shape(state.position, (3,))
    chex.assert_rank(state.step, 0)
    chex.assert_type(state.position, float)
    return state.replace(position=state.position + 1.0, step=state.step + 1)


state = State(position=jnp.zeros(3), step=jnp.asarray(0))
for _ in range(3):
    state = advance(state)
    if state.step > 1:
        break
chex.assert_trees_all_close(state.position, jnp.full(3, 2.0))
print(f"{state.position.sum():.1f} {int(state.step)}")


# %% chex: a field of such a dataclass is traced
import chex
import jax
import jax.numpy as jnp


@chex.dataclass(frozen=True)
class State:
    position: chex.Array
    count: int


@jax.jit
def advance(state):
    if state.count > 0:  #! JAX101
        return state.position
    return -state.position


advance(State(position=jnp.zeros(3), count=1))


# %% chex: a function that may be traced once only, and a check of values that chexify allows
import chex
import jax
import jax.numpy as jnp


@jax.jit
@chex.assert_max_traces(n=1)
def double(x):
    return x * 2


@chex.chexify
@jax.jit
def root(x):
    chex.assert_tree_all_finite(x)
    return jnp.sqrt(x)


for i in range(3):
    double(jnp.ones(2) * i)
root(jnp.ones(2))
chex.block_until_chexify_assertions_complete()


# %% distrax: samples with a seed each, and log probabilities compared outside of jit
import distrax
import jax
import jax.numpy as jnp


@jax.jit
def loss(params, x):
    return -jnp.mean(distrax.Normal(params["loc"], jnp.exp(params["log_scale"])).log_prob(x))


key = jax.random.key(0)
params = {"loc": jnp.asarray(0.0), "log_scale": jnp.asarray(0.0)}
history = []
for _ in range(3):
    key, sub = jax.random.split(key)
    x = distrax.Normal(1.0, 2.0).sample(seed=sub, sample_shape=(8,))
    value, grads = jax.value_and_grad(loss)(params, x)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    history.append(value)
    if value < 0:
        break
print(f"{jnp.mean(jnp.array(history)):.2f}")


# %% distrax: a policy, an action chosen in jit and read outside of it
import distrax
import jax
import jax.numpy as jnp


@jax.jit
def act(logits, key):
    policy = distrax.Categorical(logits=logits)
    action, log_prob = policy.sample_and_log_prob(seed=key)
    return action, log_prob, policy.entropy()


key = jax.random.key(0)
total = 0.0
for step in range(3):
    key, sub = jax.random.split(key)
    action, log_prob, entropy = act(jnp.zeros(4), sub)
    if action == 3:
        total += float(log_prob)
    print(f"{int(action)} {entropy:.2f}")


# %% a key that was spent goes to a distribution, and a sample is drawn from it again
import distrax
import jax
import jax.numpy as jnp

key = jax.random.key(0)
noise = jax.random.normal(key, (3,))
more = jax.random.uniform(key, (3,))  #! JAX301
sample = distrax.Normal(noise, 1.0).sample(seed=jax.random.key(1))


# %% numpyro: a model, NUTS with a key, and the samples averaged
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def model(x, y=None, scale=1.0):
    slope = numpyro.sample("slope", dist.Normal(0.0, scale))
    intercept = numpyro.sample("intercept", dist.Normal(0.0, scale))
    if y is not None and scale > 0:
        slope = slope + 0.0
    with numpyro.plate("data", x.shape[0]):
        return numpyro.sample("y", dist.Normal(slope * x + intercept, 1.0), obs=y)


data_key, mcmc_key = jax.random.split(jax.random.key(0))
x = jax.random.normal(data_key, (10,))
mcmc = MCMC(NUTS(model), num_warmup=10, num_samples=10, progress_bar=False)
mcmc.run(mcmc_key, x, 2.0 * x)
samples = mcmc.get_samples()
slope = np.mean(samples["slope"])
if slope > 0:
    print(f"{slope:.2f} {samples['slope'].std():.2f}")


# %% numpyro: handlers that seed and trace a model
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def model(n):
    total = 0.0
    for i in range(n):
        total = total + numpyro.sample(f"x{i}", dist.Normal(0.0, 1.0))
    return numpyro.deterministic("total", total)


trace = handlers.trace(handlers.seed(model, jax.random.key(0))).get_trace(3)
values = {name: site["value"] for name, site in trace.items() if site["type"] == "sample"}
if values["x0"] > 0:
    print(f"{values['x0']:.2f}")
key = jax.random.key(1)
for _ in range(2):
    key, sub = jax.random.split(key)
    with handlers.seed(rng_seed=sub):
        print(float(model(2)))


# %% numpyro: stochastic variational inference, a loop over jitted updates
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Predictive, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal


def model(x):
    loc = numpyro.sample("loc", dist.Normal(0.0, 1.0))
    numpyro.sample("x", dist.Normal(loc, 1.0).expand([x.shape[0]]).to_event(1), obs=x)


guide = AutoNormal(model)
svi = SVI(model, guide, numpyro.optim.Adam(0.05), Trace_ELBO())
init_key, predict_key = jax.random.split(jax.random.key(0))
x = jnp.ones(5)
state = svi.init(init_key, x)
update = jax.jit(svi.update)
losses = []
for step in range(3):
    state, loss = update(state, x)
    losses.append(loss)
    if loss < 0:
        break
print(f"{losses[-1]:.3f} {float(sum(losses)) / len(losses):.3f}")
drawn = Predictive(guide, params=svi.get_params(state), num_samples=2)(predict_key, x)
if drawn["loc"].mean() > 100:
    raise ValueError


# %% numpyro: a branch on a sampled value inside of the inference raises
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density


@jax.jit
def density(params, x):
    log_prob = dist.Normal(params["loc"], 1.0).log_prob(x).sum()
    if params["loc"] > 0:  #! JAX101
        return log_prob
    return log_prob - 1.0


density({"loc": jnp.asarray(0.5)}, jnp.ones(3))


# %% gymnax-like environments: states of chex.dataclass in a scan, episodes counted outside of it
import chex
import jax
import jax.numpy as jnp


@chex.dataclass
class EnvState:
    x: chex.Array
    time: chex.Array


def reset(key):
    return EnvState(x=jax.random.uniform(key, (2,)), time=jnp.asarray(0))


def env_step(state, action, limit=5):
    x = state.x + jnp.where(action == 0, -0.1, 0.1)
    time = state.time + 1
    return EnvState(x=x, time=time), -jnp.sum(x**2), time >= limit


@jax.jit
def rollout(key):
    reset_key, scan_key = jax.random.split(key)

    def body(state, key):
        state, reward, done = env_step(state, jax.random.randint(key, (), 0, 2))
        return state, (reward, done)

    state, (rewards, dones) = jax.lax.scan(body, reset(reset_key), jax.random.split(scan_key, 5))
    return state, rewards.sum(), dones


key = jax.random.key(0)
returns = []
for episode in range(3):
    key, sub = jax.random.split(key)
    state, total, dones = rollout(sub)
    returns.append(float(total))
    if dones[-1] and state.time >= 5:
        print(f"{episode} {total:.2f} {sum(returns) / len(returns):.2f}")


# %% numpyro: a factor, an automatic guide and a run of updates
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO, autoguide


def model(x, y=None):
    k = x.shape[1]
    beta = numpyro.sample("beta", dist.Normal(jnp.zeros(k), 1.0).to_event(1))
    if k > 1:
        numpyro.factor("prior", -jnp.sum(beta**2))
    with numpyro.plate("n", len(x)):
        numpyro.sample("y", dist.Bernoulli(logits=x @ beta), obs=y)  #! JAX712


g = autoguide.AutoDelta(model)
svi = SVI(model, g, numpyro.optim.optax_to_numpyro(__import__("optax").adam(1e-2)), Trace_ELBO())
res = svi.run(jax.random.key(0), 5, jnp.ones((4, 2)), jnp.ones(4), progress_bar=False)
if res.losses[-1] < res.losses[0]:
    print(f"{res.losses[-1]:.2f}")


# %% chex: a variant of a test is jitted; without jit it is not
import functools
import unittest

import chex
import jax.numpy as jnp
from absl.testing import parameterized


def loss(x, n):
    print(x)  #! JAX202
    return x * n if n > 1 else x


def plain(x):
    print(x)
    return x


def other(x):
    print(x)  #! JAX202
    return x


def variants(**options):
    return lambda test: test


every = functools.partial(chex.variants, with_jit=True, without_jit=True)


class LossTest(parameterized.TestCase):
    @chex.variants(with_jit=True, without_jit=True)
    def test_loss(self):
        self.variant(loss, static_argnums=1)(jnp.ones(3), 2)

    @chex.variants(without_jit=True)
    def test_plain(self):
        self.variant(plain)(jnp.ones(3))

    @every
    @parameterized.parameters(1.0, 2.0)
    def test_other(self, x):
        self.variant(other)(x)


class Namesake(unittest.TestCase):
    def variant(self, function):
        return function

    @variants(with_jit=True)
    def test_plain(self):
        self.variant(plain)(jnp.ones(3))


unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(LossTest))


# %% replace of chex and flax gives an object with other fields
import chex
import flax.struct
import jax
import jax.numpy as jnp


@chex.dataclass
class Stats:
    mean: jax.Array
    count: int


@flax.struct.dataclass
class State:
    x: jax.Array
    n: int = flax.struct.field(pytree_node=False)


@jax.jit
def step(x):
    stats = Stats(mean=x, count=0).replace(mean=x + 1)
    state = State(x=x, n=3).replace(x=x + 1)
    if stats.count > 0 or state.n > 3:
        x = x * 2
    if stats.mean > 0:  #! JAX101
        x = x + 1
    return x + state.x


step(jnp.ones(()))


# %% numpyro: what a model samples is traced in inference, what it is given is not
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO


def shown(b):
    print(b)  #! JAX202


def regression(x, y=None, order=3):
    print(x, order)
    a = numpyro.sample("a", dist.Normal(0.0, 1.0))
    print(a)  #! JAX202
    with numpyro.plate("p", order):
        b = numpyro.sample("b", dist.Normal(a, 1.0))
    shown(b)
    mean = numpyro.deterministic("mean", a * x)
    print(mean)  #! JAX202
    seen = numpyro.sample("seen", dist.Normal(mean, 1.0), obs=y)
    print(seen)


def model(data):
    z = numpyro.sample("z", dist.Normal(numpyro.param("place", 0.0), 1.0))
    print(z)  #! JAX202
    numpyro.sample("data", dist.Normal(z, 1.0), obs=data)


def guide(data):
    place = numpyro.param("q", jnp.array(0.1))
    print(place)  #! JAX202
    print(data)
    numpyro.sample("z", dist.Normal(place, 1.0))


def drawn(x):
    z = numpyro.sample("z", dist.Normal(0.0, 1.0))
    print(z)
    return z * x


x = jnp.ones(3)
chain = MCMC(NUTS(regression), num_warmup=2, num_samples=2, progress_bar=False)
chain.run(jax.random.key(0), x, y=x)
print(chain.get_samples()["a"])
svi = SVI(model, guide, numpyro.optim.Adam(0.1), Trace_ELBO())
print(svi.run(jax.random.key(0), 3, x, progress_bar=False).params)
with numpyro.handlers.seed(rng_seed=0):
    print(drawn(x))


def prior(x):
    z = numpyro.sample("z", dist.Normal(0.0, 1.0))
    print(z)  #! JAX202
    return z + x


print(Predictive(prior, num_samples=2)(jax.random.key(1), x)["z"])


# %% numpyro: the density of a model at traced values; at concrete ones its branches are fine
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density


def model(y, scale=1.0, order=2):
    tau = numpyro.sample("tau", dist.HalfNormal(scale))
    if order > 1 and y.ndim == 1:
        numpyro.factor("order", -1.0)
    numpyro.sample("y", dist.Normal(0, tau), obs=y)


def branching(y):
    tau = numpyro.sample("tau", dist.HalfNormal(1.0))
    if tau > 5:  #! JAX101
        numpyro.factor("pen", -100.0)
    numpyro.sample("y", dist.Normal(0, tau), obs=y)


def eager(y):
    tau = numpyro.sample("tau", dist.HalfNormal(1.0))
    if tau > 5:
        numpyro.factor("pen", -100.0)
    numpyro.sample("y", dist.Normal(0, tau), obs=y)


def logp(tau, y):
    density, trace = log_density(model, (y,), {"order": 3}, {"tau": tau})
    return density if trace["tau"]["value"].ndim == 0 else -density


def logp_branching(tau, y):
    return log_density(branching, (y,), {}, {"tau": tau})[0]


print(log_density(eager, (jnp.ones(2),), {}, {"tau": jnp.ones(())})[0])
print(jax.jit(jax.value_and_grad(logp))(1.0, jnp.ones(2)))
jax.jit(jax.value_and_grad(logp_branching))(1.0, jnp.ones(2))


# %% numpyro: a seeded model is traced where its key is, under vmap too
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def sized(n):
    k = numpyro.sample("k", dist.Binomial(n, 0.5))
    return jnp.arange(k)  #! JAX109


def simulate(key):
    return handlers.trace(handlers.seed(sized, key)).get_trace(5)["k"]["value"]


jax.vmap(simulate)(jax.random.split(jax.random.key(0), 3))


# %% numpyro: seeded, traced, conditioned and substituted models; what is concrete may be branched on
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def counted(n, scale=1.0):
    k = numpyro.sample("k", dist.Binomial(n, 0.5))
    z = numpyro.sample("z", dist.Normal(0.0, scale))
    if k > 2:
        z = z * 2
    return jnp.arange(int(k)).sum() + z


def plain(n):
    z = numpyro.sample("z", dist.Normal(0.0, 1.0))
    return z * n if n > 2 else z


def fixed(key, n):
    return handlers.seed(handlers.condition(counted, {"k": jnp.asarray(3), "z": jnp.ones(())}), key)(n)


def mixed(z):
    return handlers.substitute(handlers.seed(conditioned, jax.random.key(0)), {"z": z})()


def conditioned():
    k = numpyro.sample("k", dist.Binomial(5, 0.5))
    z = numpyro.sample("z", dist.Normal(0.0, 1.0))
    return z * int(k)


trace = handlers.trace(handlers.seed(counted, jax.random.key(0))).get_trace(5)
print(handlers.seed(counted, jax.random.key(1))(5, scale=2.0), trace["k"]["value"])
seeded = jax.jit(handlers.seed(plain, jax.random.key(0)), static_argnames="n")
print(seeded(n=3), jax.vmap(lambda key: handlers.seed(plain, key)(3))(jax.random.split(jax.random.key(2), 2)))
print(jax.vmap(fixed, in_axes=(0, None))(jax.random.split(jax.random.key(3), 2), 5))
print(jax.vmap(mixed)(jnp.ones(3)))


# %% numpyro: the key of a sample is its first argument, or a keyword
from functools import partial

import jax
import numpyro
import numpyro.distributions as dist


class Prior:
    def __init__(self, scale):
        self.dist = dist.Normal(0, scale).expand([2]).to_event(1)

    def draw(self, key):
        return self.dist.sample(key, (3,))


def simulate(key, n):
    x = dist.Normal(0, 1).sample(key, (n,))
    e = dist.Normal(0, 1).sample(key, (n,))  #! JAX301
    return x, e


def mixed(key):
    x = dist.Gamma(2.0).sample(key=key)
    y = numpyro.sample("y", dist.Normal(0, 1), rng_key=key)  #! JAX301
    return x + y


def called(key):
    draw = partial(dist.Bernoulli(0.5), rng_key=key)
    return draw() + draw()  #! JAX301


def drawn(key, d):
    return d.sample(key)


def fresh(key, n):
    first, second = jax.random.split(key)
    x = dist.Normal(0, 1).sample(first, (n,))
    outs = [dist.Normal(i, 1).sample(jax.random.fold_in(second, i), (n,)) for i in range(3)]
    return x, outs, dist.Normal(x, 1).log_prob(x), dist.Normal(x, 1).mean


prior = Prior(2.0)
key = jax.random.key(0)
print([prior.draw(key) for _ in range(2)])  #! JAX302
print(simulate(jax.random.key(1), 3), mixed(jax.random.key(2)), called(jax.random.key(3)))
print(fresh(jax.random.key(4), 3))
key = jax.random.key(5)
print(drawn(key, dist.Cauchy(0, 1)))
print(drawn(key, dist.Laplace(0, 1)))  #! JAX301


# %% distrax: samples and densities are traced in jit, and mapped where the parameters or the seed are
import distrax
import jax
import jax.numpy as jnp


@jax.jit
def act(logits, key):
    pi = distrax.Categorical(logits=logits)
    a, log_prob = pi.sample_and_log_prob(seed=key)
    print(log_prob)  #! JAX202
    if a == 0:  #! JAX101
        return jnp.zeros(())
    return pi.log_prob(a)


act(jnp.ones(3), jax.random.key(0))


# %% distrax: a sample under vmap
import distrax
import jax
import jax.numpy as jnp


def noisy(loc, key):
    x = distrax.Normal(loc, 1.0).sample(seed=key)  #! JAX304
    return x if x > 0 else -x  #! JAX101


jax.vmap(noisy, in_axes=(0, None))(jnp.ones(3), jax.random.key(0))


# %% distributions outside of traces, and what a trace knows of them without values
import distrax
import jax
import jax.numpy as jnp
import numpyro.distributions as dist


def policy(logits):
    return distrax.Categorical(logits=logits)


@jax.jit
def act(logits, key):
    pi = policy(logits)
    if pi.batch_shape or pi.event_shape:
        return pi.mode()
    d = dist.Normal(logits, 1.0)
    if d.batch_shape == (3,) and len(d.event_shape) == 0 and d.loc.ndim == 1:
        return d.log_prob(logits).sum()
    return pi.sample(seed=key)


def walk(key, n):
    x = 0.0
    for _ in range(n):
        key, sub = jax.random.split(key)
        step = distrax.Normal(0.0, 1.0).sample(seed=sub)
        x = x + step if step > 0 else x
        if dist.Normal(x, 1.0).log_prob(x) > 10:
            break
    return x


print(act(jnp.ones(3), jax.random.key(0)), walk(jax.random.key(1), 3))
a = policy(jnp.ones(3)).sample(seed=jax.random.key(2))
if a == 0:
    print(policy(jnp.ones(3)).prob(a))


# %% norun jax_dataclasses is no dependency: fields that are annotated as static, or marked so, are not traced
from typing import Optional

import jax
import jax.numpy as jnp
import jax_dataclasses
import jax_dataclasses as jdc
import numpy as np
from jax_dataclasses import Static
from jax_dataclasses import Static as NoLeaf


@jax_dataclasses.pytree_dataclass
class Joints:
    dofs: Static[tuple]
    is_fixed: NoLeaf[bool] = False
    names: jax_dataclasses.Static[tuple] = ()
    enabled: "Static[tuple]" = ()
    kind: str = jdc.static_field(default="free")
    position: Optional[jax.Array] = None

    def is_floating(self):
        return self.dofs[0] == 6


@jdc.pytree_dataclass
class Model:
    joints: Joints
    mass: jax.Array
    order: jdc.Static[int] = 1

    def is_floating(self):
        return self.joints.dofs[0] == 6


@jax.jit
def energy(model):
    if model.joints.is_fixed or model.is_floating() or model.joints.is_floating() and model.order > 0:
        return model.mass * len(np.where(np.array(model.joints.dofs))[0])
    return model.mass if model.joints.kind == "free" else jnp.zeros(())


@jax.jit
def heavy(model: Model):
    if model.mass > 0:  #! JAX101
        return model.joints.position
    return model.mass


model = Model(Joints(dofs=(6, 1)), mass=jnp.ones(()))
energy(model)
heavy(model)


# %% haiku: several functions of one module, and methods that are no scope of their own
import haiku as hk
import jax
import jax.numpy as jnp


class Coder(hk.Module):
    def __call__(self, x):
        print(x)  #! JAX202
        return self.decode(x)

    def decode(self, x):
        print(x)  #! JAX202
        return x


def both():
    coder = Coder()
    return lambda x: coder(x), (coder, coder.decode)


class Clear(hk.Module):
    def __call__(self, x):
        return self.inner(x)

    @hk.transparent
    def inner(self, x):
        print(x)  #! JAX202
        return x


made = hk.multi_transform(both)
encode, decode = made.apply
params = made.init(jax.random.key(0), jnp.ones(2))
jax.jit(encode)(params, None, jnp.ones(2))
jax.jit(decode)(params, None, jnp.ones(2))
jax.jit(hk.transform(lambda x: Clear()(x)).apply)({}, None, jnp.ones(2))


# %% chex counts the traces of a function that stays what it is; sums of optax over leaves
import chex
import jax
import jax.numpy as jnp
import optax


@jax.jit
@chex.assert_max_traces(n=1)
def step(x):
    if x.sum() > 1.0:  #! JAX101
        return x * 0.5
    return x


@jax.jit
def clipped(gradients):
    norm = optax.tree_utils.tree_norm(gradients)
    if norm > 1.0:  #! JAX101
        gradients = jax.tree.map(lambda g: g / norm, gradients)
    return gradients


step(jnp.ones(3))
clipped({"w": jnp.ones(3)})


# %% numpyro: handlers.seed draws with its key, at each call anew
import jax
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def model(obs=None):
    mu = numpyro.sample("mu", dist.Normal(0.0, 1.0))
    return numpyro.sample("x", dist.Normal(mu, 1.0), obs=obs)


def guide():
    return numpyro.sample("mu", dist.Normal(1.0, 1.0))


def differing(key):
    return handlers.seed(model, key)() - handlers.seed(guide, rng_seed=key)()  #! JAX301


def shifted(key):
    return handlers.seed(model, key)() + jax.random.normal(key)  #! JAX301


def traces(key):
    first = handlers.trace(handlers.seed(model, key)).get_trace()
    return first, handlers.trace(handlers.seed(guide, key)).get_trace()  #! JAX301


def again(key):
    seeded = handlers.seed(model, key)
    return seeded(), seeded()  #! JAX301


def repeated(key):
    total = 0.0
    for _ in range(3):
        total += handlers.seed(model, key)()  #! JAX302
    return total


def entered(key):
    with handlers.seed(rng_seed=key):
        a = model()
    with handlers.seed(rng_seed=key):  #! JAX301
        b = guide()
    return a - b


for number, each in enumerate((differing, shifted, traces, again, repeated, entered)):
    print(each(jax.random.key(number)))


# %% numpyro: nothing is drawn with the key of what is not called, has no samples or is given them
import jax
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def model():
    mu = numpyro.sample("mu", dist.Normal(0.0, 1.0))
    return numpyro.sample("x", dist.Normal(mu, 1.0))


def quiet():
    return numpyro.param("a", 1.0)


def apart(key):
    first, second = jax.random.split(key)
    return handlers.seed(model, first)() - handlers.seed(model, second)()


def not_drawn(key):
    handlers.seed(model, key)
    given = handlers.seed(handlers.condition(model, {"mu": 1.0, "x": 2.0}), key)()
    return given + handlers.seed(quiet, key)() + handlers.seed(model, key)()


def numbered():
    return handlers.seed(model, 0)() - handlers.seed(quiet, 0)()


print(apart(jax.random.key(0)), not_drawn(jax.random.key(0)), numbered())


# %% numpyro and distrax: what is computed of a traced parameter is traced, whichever the other parameters are
import distrax
import jax
import jax.numpy as jnp
import numpyro.distributions as dist

WIDTH = jnp.ones(())


@jax.jit
def summary(x):
    d = dist.Normal(x, WIDTH)
    if d.event_shape == ():
        x = x + d.mean
    return x + distrax.Normal(WIDTH, x).entropy()


@jax.jit
def act(logits):
    policy = distrax.Categorical(logits=logits)
    if policy.mode() == 0:  #! JAX101
        return logits
    return logits * policy.probs


if distrax.Normal(WIDTH, 1.0).mean() > 0 and dist.Normal(WIDTH, 1.0).mean > 0:
    print(summary(1.0))
act(jnp.ones(3))


# %% numpyro: the mean of a distribution with a traced parameter is no number, its shapes are
import jax
import numpyro.distributions as dist


@jax.jit
def summary(x):
    d = dist.Normal(x, 1.0)
    assert d.batch_shape == () and not d.is_discrete
    return float(d.mean)  #! JAX105


summary(1.0)


# %% norun blackjax: states and what is said of a step are traced, how long a trajectory is, as it was given
import blackjax
import jax
import jax.numpy as jnp

hmc = blackjax.hmc(
    lambda x: -jnp.sum(x**2), step_size=0.2, inverse_mass_matrix=jnp.ones(2), num_integration_steps=3
)


def one(state, key):
    new, info = hmc.step(key, state)
    if info.num_integration_steps > 2:
        new = new._replace(position=new.position * 1.0)
    return new, info.acceptance_rate


state, rates = jax.lax.scan(one, hmc.init(jnp.zeros(2)), jax.random.split(jax.random.key(0), 3))
for key in jax.random.split(jax.random.key(1), 3):
    state, info = hmc.step(key, state)
    if info.is_divergent:
        break
    print(float(info.acceptance_rate) >= 0.0, state.position.shape)


def stopping(state, key):
    new, info = hmc.step(key, state)
    if info.is_divergent:  #! JAX101
        new = state
    return new, info.acceptance_rate


jax.lax.scan(stopping, state, jax.random.split(jax.random.key(0), 3))


# %% norun diffrax: counts of steps are traced, the most that there may be is a number
import diffrax
import jax


@jax.jit
def solve(y0):
    sol = diffrax.diffeqsolve(
        diffrax.ODETerm(lambda t, y, args: -y), diffrax.Tsit5(), 0.0, 1.0, 0.1, y0, max_steps=64
    )
    if sol.stats["max_steps"] > 10:
        y0 = y0 + 1.0
    if sol.stats["num_steps"] > 10:  #! JAX101
        return y0
    return sol.ys[-1]


solve(1.0)


# %% norun what diffrax asks for an event, what it saves and how it measures an error is traced
import diffrax
import jax.numpy as jnp
import numpy as np


def below(t, y, args, *, t0, max_steps, **kwargs):
    if max_steps is not None and max_steps > 10:
        t = t + 0.0
    return True if y < 0 else False  #! JAX101


def solved(**options):
    field = diffrax.ODETerm(lambda t, y, args: -1.0)
    return diffrax.diffeqsolve(field, diffrax.Euler(), 0.0, 1.0, 0.1, jnp.array(1.0), **options)


solved(event=diffrax.Event([below]))


# %% norun ... in what it saves
import diffrax
import jax.numpy as jnp
import numpy as np


class Saved:
    def save(self, t, y, args):
        return np.sin(y)  #! JAX106


field = diffrax.ODETerm(lambda t, y, args: -1.0)
saveat = diffrax.SaveAt(subs=[diffrax.SubSaveAt(t1=True, fn=Saved().save)])
diffrax.diffeqsolve(field, diffrax.Euler(), 0.0, 1.0, 0.1, jnp.array(1.0), saveat=saveat)


# %% norun ... in the norm of errors
import diffrax
import jax.numpy as jnp


def largest(x):
    return x if x > 0 else -x  #! JAX101


field = diffrax.ODETerm(lambda t, y, args: -1.0)
controller = diffrax.PIDController(rtol=1e-3, atol=1e-3, norm=largest)
diffrax.diffeqsolve(field, diffrax.Tsit5(), 0.0, 1.0, 0.1, jnp.array(1.0), stepsize_controller=controller)


# %% norun ... functions that compute with arrays, and ask for what is not traced, are fine
import diffrax
import jax.numpy as jnp


def below(t, y, args, *, max_steps, dt0, **kwargs):
    if max_steps is None or args["limit"] > 5 or dt0 is None:
        return y < 0
    return y < args["limit"]


def save(t, y, args):
    if y.ndim > 1:
        return y.sum()
    return {"y": jnp.sin(y), "t": t}


field = diffrax.ODETerm(lambda t, y, args: -1.0)
print(
    diffrax.diffeqsolve(
        field, diffrax.Euler(), 0.0, 1.0, 0.1, jnp.array(1.0), {"limit": 0}, event=diffrax.Event(below),
        saveat=diffrax.SaveAt(ts=jnp.array([0.5]), fn=save),
    ).ys
)


# %% the parameters of a distribution of numpyro are what it is made with
import jax
import jax.numpy as jnp
import numpyro.distributions as dist


@jax.jit
def score(x, scale):
    normal = dist.Normal(x, 1.0)
    if normal.batch_shape:
        return normal.log_prob(0.0)
    if normal.loc > 0:  #! JAX101
        return normal.log_prob(0.0)
    wide = dist.HalfNormal(scale)
    return x if wide.scale > 1 else -x  #! JAX101


print(dist.Normal(1.0, 2.0).loc > 0)
score(1.0, 2.0)
