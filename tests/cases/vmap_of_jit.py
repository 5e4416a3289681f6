# %% the plain spelling: each call batches the compiled function anew
import jax
import jax.numpy as jnp


def score(x):
    return jnp.sum(jnp.tanh(x))


batched = jax.vmap(jax.jit(score))  #! JAX601
batched(jnp.ones((8, 3)))


# %% decorator stack: the decorator nearer to the def is the inner one
import jax
import jax.numpy as jnp


@jax.vmap  #! JAX601
@jax.jit
def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2) + 1e-9)


distance(jnp.ones((4, 2)), jnp.zeros((4, 2)))


# %% decorator with options: partial(jax.vmap, ...) over partial(jax.jit, ...)
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.vmap, in_axes=(0, None))  #! JAX601
@partial(jax.jit, static_argnames=("power",))
def moment(x, mean, power=2):
    return jnp.mean((x - mean) ** power)


moment(jnp.ones((4, 5)), 0.5)


# %% named intermediate: the jitted function has a name of its own
import jax
import jax.numpy as jnp


def residual(params, x):
    return params["w"] * x - params["b"]


fast_residual = jax.jit(residual)
all_residuals = jax.vmap(fast_residual, in_axes=(None, 0))  #! JAX601
all_residuals({"w": 2.0, "b": 1.0}, jnp.arange(4.0))


# %% decorated with jit, then mapped elsewhere: it is the same nesting
import jax
import jax.numpy as jnp


@jax.jit
def potential(q):
    return 0.5 * jnp.sum(q**2)


def total_energy(positions):
    return jax.vmap(potential)(positions).sum()  #! JAX601


total_energy(jnp.ones((5, 3)))


# %% partial applied to the jitted function: a curried vmap
from functools import partial

import jax
import jax.numpy as jnp

over_rows = partial(jax.vmap, in_axes=0, out_axes=1)
norms = over_rows(jax.jit(lambda r: r / (1.0 + jnp.sum(r * r))))  #! JAX601
norms(jnp.ones((3, 2)))


# %% imported by name: from jax import jit, vmap under other names
from jax import jit as compile_fn
from jax import vmap as over_batch
import jax.numpy as jnp

loss = over_batch(compile_fn(lambda y, p: (y - p) ** 2))  #! JAX601
loss(jnp.ones(3), jnp.zeros(3))


# %% donated input: the inner jit has options, so the swap is only shown
import jax
import jax.numpy as jnp

decay = jax.vmap(jax.jit(lambda s: s * 0.9, donate_argnums=0))  #! JAX601
decay(jnp.ones((4, 4)))


# %% static argument: the mapped call passes it through
import jax
import jax.numpy as jnp


def tile(x, times):
    return jnp.tile(x, times)


tiled = jax.vmap(jax.jit(tile, static_argnums=1), in_axes=(0, None))  #! JAX601
tiled(jnp.ones((2, 3)), 2)


# %% attribute of self: the object keeps the mapped function
import jax
import jax.numpy as jnp


class Policy:
    def __init__(self, gain):
        self.gain = gain
        self.act = jax.vmap(jax.jit(self._act))  #! JAX601

    def _act(self, observation):
        return jnp.tanh(self.gain * observation)


Policy(2.0).act(jnp.ones((6, 2)))


# %% jit with keyword call: fun is the first parameter of vmap by name too
import jax
import jax.numpy as jnp


def kernel(a):
    return jnp.exp(-a * a)


compiled = jax.jit(kernel)
gram = jax.vmap(fun=compiled)  #! JAX601
gram(jnp.arange(3.0))


# %% wrapper of the project: compile() is jit under a roof
import jax
import jax.numpy as jnp


def compiled(fn):
    return jax.jit(fn)


def energy(x):
    return jnp.sum(x**2)


energies = jax.vmap(compiled(energy))  #! JAX601
energies(jnp.ones((2, 3)))


# %% twice mapped: the inner map is the one over jit
import jax
import jax.numpy as jnp

inner = jax.jit(lambda a, b: a * b)
rows = jax.vmap(inner, in_axes=(None, 0))  #! JAX601
table = jax.vmap(rows, in_axes=(0, None))
table(jnp.arange(3.0), jnp.arange(4.0))


# %% curried jit: jit with options only gives a decorator
import jax
import jax.numpy as jnp

fast = jax.jit(static_argnames="axis")


@fast
def spread(x, axis=0):
    return x.max(axis) - x.min(axis)


spreads = jax.vmap(spread)  #! JAX601
spreads(jnp.ones((3, 4)))


# %% the right way round: jit outermost, one compiled program
import jax
import jax.numpy as jnp


def score(x):
    return jnp.sum(jnp.tanh(x))


batched = jax.jit(jax.vmap(score))
batched(jnp.ones((8, 3)))


# %% decorators the right way round: jit on top
from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
@partial(jax.vmap, in_axes=(0, None))
def shifted(x, mean):
    return x - mean


shifted(jnp.ones((4, 5)), 0.5)


# %% under an outer jit: an inner jit is inlined in a program that is compiled as a whole
import jax
import jax.numpy as jnp


@jax.jit
def potential(q):
    return 0.5 * jnp.sum(q**2)


@jax.jit
def total_energy(positions):
    return jnp.sum(jax.vmap(potential)(positions))


total_energy(jnp.ones((5, 3)))


# %% jit around the composition: jit(vmap(jit(f))) is staged
import jax
import jax.numpy as jnp

f = jax.jit(jax.vmap(jax.jit(lambda x: jnp.sin(x) * 2.0)))
f(jnp.ones(4))


# %% compiled later: the mapped function goes straight into jit
import jax
import jax.numpy as jnp

pairwise = jax.vmap(jax.jit(lambda a, b: jnp.abs(a - b)))
fast_pairwise = jax.jit(pairwise)
fast_pairwise(jnp.ones(3), jnp.zeros(3))


# %% calls a jitted helper: what is mapped is not itself jitted
import jax
import jax.numpy as jnp


@jax.jit
def gelu(x):
    return 0.5 * x * (1.0 + jnp.tanh(x))


def block(x):
    return gelu(x) + x


jax.vmap(block)(jnp.ones((3, 2)))


# %% only traced: make_jaxpr and eval_shape stage what they are given
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1.0)
jaxpr = jax.make_jaxpr(jax.vmap(step))(jnp.ones(3))
shape = jax.eval_shape(jax.vmap(step), jnp.ones(3))


# %% inside a scan: the body is staged whether or not anybody wrote jit
import jax
import jax.numpy as jnp


@jax.jit
def drift(p):
    return p * 0.99


def body(particles, _):
    return jax.vmap(drift)(particles), None


jax.lax.scan(body, jnp.ones(10), None, length=3)


# %% wrapped and plain: the name of the plain function is mapped, its jitted twin is called alone
import jax
import jax.numpy as jnp


def likelihood(theta):
    return -jnp.sum(theta**2)


fast_likelihood = jax.jit(likelihood)
batched = jax.jit(jax.vmap(likelihood))
fast_likelihood(jnp.ones(2))
batched(jnp.ones((3, 2)))


# %% grad of jit: gradients of a compiled function are another matter
import jax
import jax.numpy as jnp

loss = jax.jit(lambda w: jnp.sum(w**2))
gradient = jax.grad(loss)
gradient(jnp.ones(3))


# %% lax.map over a jitted function: it loops, it does not batch
import jax
import jax.numpy as jnp

simulate = jax.jit(lambda seed: jnp.cos(seed) ** 2)
jax.lax.map(simulate, jnp.arange(4.0))


# %% vmap of one's own: a function of that name which is not JAX's
import jax
import jax.numpy as jnp


def vmap(fn):
    return lambda rows: [fn(row) for row in rows]


slow = vmap(jax.jit(lambda row: row * 2.0))
slow([1.0, 2.0])


# %% jit set to nothing: a switch that turns compilation off
import jax
import jax.numpy as jnp


def no_jit(fn):
    return fn


rows = jax.vmap(no_jit(lambda r: r.sum()))
rows(jnp.ones((2, 2)))


# %% unknown function: a parameter may be jitted or not
import jax


def over_batch(fn, xs):
    return jax.vmap(fn)(xs)


# %% method that is jitted: the bound method is what jit made
from functools import partial

import jax
import jax.numpy as jnp


class Pendulum:
    def __init__(self, length):
        self.length = length

    @partial(jax.jit, static_argnums=0)
    def step(self, angle):
        return angle - 0.01 * jnp.sin(angle) / self.length

    def steps(self, angles):
        return jax.vmap(self.step)(angles)  #! JAX601


Pendulum(2.0).steps(jnp.ones(3))


# %% used in traced code only: bound outside, called where everything is compiled as a whole
import jax
import jax.numpy as jnp


@jax.jit
def kick(v):
    return v * 1.1


kicks = jax.vmap(kick)
table = {"kick": jax.vmap(kick)}


@jax.jit
def advance(vs):
    return kicks(vs) + table["kick"](vs)


def helper(vs):
    return jax.vmap(kick)(vs)


advance(jnp.ones(3))
jax.jit(lambda vs: helper(vs) * 2)(jnp.ones(3))


# %% under a jit that a flag may turn off: where it is on, the map is part of its program
from functools import partial

import jax


class Walk:
    @partial(jax.jit, static_argnums=0)
    def reset(self, key):
        return jax.random.normal(key, (2,))


def make_train(config):
    walk = Walk()

    def train(key):
        return jax.vmap(walk.reset)(jax.random.split(key, config["lanes"])).sum()

    return train


def main(config):
    with jax.disable_jit(config["eager"]):
        return jax.jit(make_train(config))(jax.random.key(0))


main({"lanes": 3, "eager": False})


# %% a single call in a script: it is reported, and the help says when it matters
import jax
import jax.numpy as jnp


def norm(x):
    return jnp.sqrt(jnp.sum(x**2))


def main():
    print(jax.vmap(jax.jit(norm))(jnp.ones((2, 3))))  #! JAX601


main()


# %% a whole run is compiled, and mapped over seeds once: next to its loop 0.2 ms are nothing
import jax
import jax.numpy as jnp


def make_train(steps):
    def train(key):
        def update(w, _):
            return w * 0.9, jnp.sum(w)

        return jax.lax.scan(update, jax.random.normal(key, (2,)), None, length=steps)

    return train


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    return jax.vmap(jax.jit(make_train(5)))(keys)


main()
over_seeds = jax.vmap(jax.jit(make_train(2)))
over_seeds(jax.random.split(jax.random.key(1), 2))


# %% a compiled loop that is mapped in every iteration of a program
import jax
import jax.numpy as jnp


@jax.jit
def rollout(state):
    return jax.lax.fori_loop(0, 4, lambda i, s: s * 0.9, state)


states = jnp.ones((3, 2))
for _ in range(3):
    states = jax.vmap(rollout)(states)  #! JAX601


# %% called while an object is made: a table that is computed once
from functools import partial

import jax
import jax.numpy as jnp


class Planner:
    def __init__(self, area):
        self._precompute(area)

    def _precompute(self, area):
        self.table = jax.vmap(self._distance)(area)

    @partial(jax.jit, static_argnums=0)
    def _distance(self, row):
        return jnp.sqrt(jnp.sum(row**2))


planner = Planner(jnp.ones((4, 2)))


# %% called while an object is made, and by a method that others call again
from functools import partial

import jax
import jax.numpy as jnp


class Field:
    def __init__(self, area):
        self.distances = jax.vmap(self._distance)
        self.table = self.distances(area)

    def __call__(self, rows):
        return jax.vmap(self._distance)(rows)  #! JAX601

    @partial(jax.jit, static_argnums=0)
    def _distance(self, row):
        return jnp.sqrt(jnp.sum(row**2))


field = Field(jnp.ones((4, 2)))
field(jnp.ones((3, 2)))


# %% defined in traced code and called by nobody: it could only run while JAX traces
import jax
import jax.numpy as jnp


@jax.jit
def scaled(x):
    return x * 2


def double_all(x):
    return jax.vmap(scaled)(x)


@jax.jit
def run(xs):
    def body(carry, x):
        def kept(state):
            return state + jax.vmap(scaled)(x)

        def left_out(state):
            return state - jax.vmap(scaled)(x)

        def through_helper(state):
            y = double_all(x).at[0].set(0.0)
            for _ in range(3):
                y = jax.jit(lambda v: v + 1)(y)
            return state + y

        return kept(carry), None

    return jax.lax.scan(body, jnp.zeros(3), xs)[0]


run(jnp.ones((4, 3)))


# %% defined in a function that is not traced, or called outside of the trace as well: reported
import jax
import jax.numpy as jnp


@jax.jit
def scaled(x):
    return x * 2


def double_all(x):
    return jax.vmap(scaled)(x)  #! JAX601


def make(x):
    def left_out(state):
        return state - jax.vmap(scaled)(x)  #! JAX601

    return left_out(x)


@jax.jit
def run(xs):
    def left_out(state):
        return state + double_all(xs)

    return xs + 1


xs = make(jnp.ones((4, 3)))
for _ in range(3):
    xs = double_all(run(xs))


# %% called in compiled code, or under `jax.disable_jit()` while debugging: nothing is compiled by itself there
from functools import partial

import jax
import jax.numpy as jnp


class Env:
    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + 1


class Batched:
    def __init__(self, env):
        self.step_all = jax.vmap(env.step)

    def step(self, xs):
        return self.step_all(xs)


def make_train():
    env = Batched(Env())

    def train(xs):
        for _ in range(10):
            xs = env.step(xs)
        return xs

    return train


def main(debug):
    xs = jnp.ones(3)
    if debug:
        with jax.disable_jit():
            return make_train()(xs)
    train = jax.jit(make_train())
    return train(xs)


main(False)
main(True)


# %% ok: below a decorator and jit it runs while jit traces
import functools

import jax
import jax.numpy as jnp


def scoped(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


@jax.jit
def depth(p):
    return jnp.sum(p**2)


@jax.tree_util.register_static
class Contact:
    @jax.jit
    @scoped
    def force(self, points):
        return jax.vmap(depth)(points)


Contact().force(jnp.ones((3, 2)))


# %% the mapped function runs a scan of a function that is handed to it
from functools import partial

import jax


@partial(jax.jit, static_argnames=("step",))
def rollout(key, start, step):
    return jax.lax.scan(step, start, jax.random.split(key, 100))[1]


@partial(jax.jit, static_argnames=("step",))
def once(key, start, step):
    return step(start, key)[1]


def sampled(keys, start, step):
    return jax.vmap(partial(rollout, start=start, step=step))(keys)


def sampled_once(keys, start, step):
    return jax.vmap(partial(once, start=start, step=step))(keys)  #! JAX601


def main(keys, start, step):
    sampled(keys, start, step)
    for each in keys:
        sampled_once(each, start, step)


# %% called outside of loops, of a function that is compiled for its own calls
import jax
import jax.numpy as jnp


@jax.jit
def loss(x):
    return jnp.sum(x**2)


print(loss(jnp.ones(3)))
print(jax.vmap(loss)(jnp.linspace(0.0, 1.0, 5)))


class Problem:
    @staticmethod
    @jax.jit
    def evaluate(x):
        return jnp.sum(jnp.sin(x))


def main():
    problem = Problem()
    print(problem.evaluate(jnp.ones(2)), jax.vmap(problem.evaluate)(jnp.ones((4, 2))))


main()


# %% the same, made and called in every turn of a loop
import jax
import jax.numpy as jnp


@jax.jit
def loss(x):
    return jnp.sum(x**2)


def losses(points):
    return jax.vmap(loss)(points)


print(loss(jnp.ones(3)))
for scale in (1.0, 2.0, 3.0):
    print(jax.vmap(loss)(scale * jnp.linspace(0.0, 1.0, 5)))  #! JAX601


# %% the same, of a function that is compiled for the map alone
import jax
import jax.numpy as jnp


@jax.jit
def loss(x):
    return jnp.sum(x**2)


print(jax.vmap(loss)(jnp.linspace(0.0, 1.0, 5)))  #! JAX601


# %% what each call compiles anew: next to that the map is nothing
import jax
import jax.numpy as jnp


class Dynamics:
    def rollout(self, params, observations):
        @jax.jit  #! JAX404
        def step(observation):
            return jnp.tanh(observation * params)

        return jax.vmap(step)(observations)


model = Dynamics()
observations = jnp.ones((4, 2))
for _ in range(3):
    observations = model.rollout(2.0, observations)
print(observations)


# %% in a loop over episodes that steps through each of them: next to these steps one map is nothing
import jax
import jax.numpy as jnp


@jax.jit
def act(w, x):
    return jnp.tanh(w * x)


@jax.jit
def gain(w, x):
    return w * x


def update(w, batch):
    return w + 0.1 * jnp.mean(jax.vmap(gain, in_axes=(None, 0))(w, batch))


w = 0.5
for episode in range(3):
    x, seen = jnp.ones(()), []
    for step in range(10):
        x = act(w, x)
        seen.append(x)
    w = update(w, jnp.stack(seen))
    w = w + jnp.mean(jax.vmap(gain, in_axes=(None, 0))(w, jnp.stack(seen)))


# %% in the steps themselves, in a loop that does nothing but update, and in a comprehension
import jax
import jax.numpy as jnp


@jax.jit
def gain(w, x):
    return w * x


def update(w, batch):
    return w + 0.1 * jnp.mean(jax.vmap(gain, in_axes=(None, 0))(w, batch))  #! JAX601


batch = jnp.ones(3)
w = 0.5
for episode in range(3):
    for step in range(10):
        w = w + jnp.mean(jax.vmap(gain, in_axes=(None, 0))(w, batch))  #! JAX601
    for step in range(10):
        w = update(w, batch)
    rows = [jax.vmap(gain, in_axes=(None, 0))(w, batch) for _ in range(3)]  #! JAX601
    print(rows)


# %% a loop that calls what calls the function with the map
import jax
import jax.numpy as jnp


@jax.jit
def gain(w, x):
    return w * x


def gains(w, batch):
    return jnp.mean(jax.vmap(gain, in_axes=(None, 0))(w, batch))  #! JAX601


def step(w, batch):
    return w + 0.1 * gains(w, batch)


print(gain(1.0, 2.0))
w = 0.5
for number in range(3):
    w = step(w, jnp.ones(3))


# %% what each turn of a loop compiles anew, with another static argument
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("el",))
def added(dl, beta, el):
    return dl.at[:el].add(beta)


def over_positions(thetas, count):
    total = jnp.zeros((len(thetas), count))
    mapped = jax.vmap(added, in_axes=(0, 0, None))
    for el in range(count):
        total = mapped(total, thetas, el)
    return total


def over_names(thetas, counts):
    total = jnp.zeros((len(thetas), 5))
    for el in counts:
        total = jax.vmap(partial(added, el=el))(total, thetas)
    return total


print(over_positions(jnp.ones(4), 5), over_names(jnp.ones(4), (2, 3, 5)))


# %% ... and static arguments that are the same in each turn, or in each call of the function with the loop
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(2,))
def added(dl, beta, el, factor=1.0):
    return dl.at[:el].add(beta * factor)


def repeated(thetas, count):
    total = jnp.zeros((len(thetas), count))
    mapped = jax.vmap(added, in_axes=(0, 0, None))  #! JAX601
    for _ in range(count):
        total = mapped(total, thetas, count)
    return total


def scaled(thetas, count):
    total = jnp.zeros((len(thetas), count))
    mapped = jax.vmap(added, in_axes=(0, 0, None, None))  #! JAX601
    for factor in range(count):
        total = mapped(total, thetas, count, factor)
    return total


def called_again(thetas, count):
    total = jnp.zeros((len(thetas), count))
    mapped = jax.vmap(added, in_axes=(0, 0, None))  #! JAX601
    for el in range(count):
        total = mapped(total, thetas, el)
    return total


def over_pairs(thetas, count):
    total = jnp.zeros((len(thetas), count))
    mapped = jax.vmap(added, in_axes=(0, 0, None))  #! JAX601
    for _ in range(count):
        for el in range(count):
            total = mapped(total, thetas, el)
    return total


print(repeated(jnp.ones(4), 5), scaled(jnp.ones(4), 5), over_pairs(jnp.ones(4), 5))
for _ in range(3):
    print(called_again(jnp.ones(4), 5))


# %% beside a compiled training step in each turn of the loop: next to it 0.2 ms are little
from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def augment(image, key):
    return jnp.where(jax.random.bernoulli(key), image[::-1], image)


def loss(w, images):
    return jnp.mean((images * w) ** 2)


gradient = jax.value_and_grad(loss)


@jax.jit
def train_step(w, images):
    value, grad = gradient(w, images)
    return w - 0.1 * grad, value


class Trainer:
    def __init__(self, w):
        self.w = w

    @partial(jax.jit, static_argnums=0)
    def _update(self, w, images):
        return w - 0.1 * jax.grad(loss)(w, images)

    def update(self, images):
        self.w = self._update(self.w, images)


def augmented(images, key):
    return jax.vmap(augment)(images, jax.random.split(key, len(images)))


def whole_step(w, images, key):
    images = jax.vmap(augment)(images, jax.random.split(key, len(images)))
    return train_step(w, images)


def train(w, dataset, key, epochs=2):
    trainer = Trainer(w)
    for epoch in range(epochs):
        for images in dataset:
            key, subkey, other = jax.random.split(key, 3)
            images = jax.vmap(augment)(images, jax.random.split(subkey, len(images)))
            images = augmented(images, other)
            w, value = train_step(w, images)
        print(epoch, value)
    for images in dataset:
        key, subkey = jax.random.split(key)
        trainer.update(jax.vmap(augment)(images, jax.random.split(subkey, len(images))))
    for images in dataset:
        key, subkey = jax.random.split(key)
        w, value = whole_step(w, images, subkey)
    return w


train(jnp.ones(2), [jnp.ones((4, 2))] * 3, jax.random.key(0))


# %% the step is in another loop, or under a test that holds now and then, or takes no gradient: nothing else is dear
import jax
import jax.numpy as jnp


@jax.jit
def gain(w, x):
    return w * x


@jax.jit
def train_step(w, xs):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((xs * w) ** 2))(w)


@jax.jit
def decay(w):
    return 0.9 * w


def simulate(w, xs, steps):
    for step in range(steps):
        w = train_step(w, xs)
    for step in range(steps):
        xs = jax.vmap(gain, in_axes=(None, 0))(w, xs)  #! JAX601
        if step % 10 == 0:
            w = train_step(w, xs)
    for step in range(steps):
        w = decay(w)
        xs = jax.vmap(gain, in_axes=(None, 0))(w, xs)  #! JAX601
    return xs


simulate(0.5, jnp.ones(3), 12)


# %% what is mapped takes gradients itself, also beside another such map
import jax
import jax.numpy as jnp


@jax.jit
def slope(w, x):
    return jax.grad(lambda w: (w * x) ** 2)(w)


bend = jax.jit(jax.grad(lambda w, x: w * x))


def fit(w, xs):
    for _ in range(10):
        w = w - 0.1 * jax.vmap(slope, in_axes=(None, 0))(w, xs).mean()  #! JAX601
        w = w - 0.1 * jax.vmap(bend, in_axes=(None, 0))(w, xs).mean()  #! JAX601
    return w


fit(0.5, jnp.ones(3))


# %% once in many turns of the loop: an evaluation
import jax
import jax.numpy as jnp


@jax.jit
def score(w, x):
    return (w * x) ** 2


def evaluate(w, xs):
    return jax.vmap(score, in_axes=(None, 0))(w, xs).mean()


w = jnp.ones(())
for step in range(200):
    w = 0.99 * w
    if step % 100 == 0:
        print(jax.vmap(score, in_axes=(None, 0))(w, jnp.ones(3)).mean())
        print(evaluate(w, jnp.ones(3)))


# %% the method of a layer that nothing here calls: it may run in the code that its users compile
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, inline=True, static_argnums=1)
def blurred(image, size):
    return jnp.median(jnp.stack([jnp.roll(image, i, axis=0) for i in range(size)]), axis=0)


@jax.jit
def scaled(x):
    return x * 2


class Blur:
    def __init__(self, size):
        self.size = size

    def __call__(self, images):
        return jax.vmap(blurred, in_axes=(0, None))(images, self.size)


class Block:
    def forces(self, points):
        return jax.vmap(scaled)(points)

    def update(self, points):
        return points + self.forces(points)


def doubled(points):
    return jax.vmap(scaled)(points)


def summed(points):
    scale = jax.vmap(scaled)
    return scale(points).sum()


# %% what nobody calls yet, and compiles for the map alone or has a loop around it
import jax


def double(x):
    return x * 2


@jax.jit
def scaled(x):
    return x * 2


def doubled(points):
    return jax.vmap(jax.jit(double))(points)  #! JAX601


def run():
    return jax.vmap(scaled)(jax.numpy.ones(3))  #! JAX601


def repeated(points):
    for _ in range(10):
        points = jax.vmap(scaled)(points)  #! JAX601
    return points


# %% norun a whole network is mapped: once, and in a loop that does nothing else
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)


net = Net()
params = net.init(jax.random.key(0), jnp.ones(3))


@jax.jit
def predict(params, x):
    return net.apply(params, x)


def evaluate(params, xs):
    return jax.vmap(predict, in_axes=(None, 0))(params, xs).mean()


print(evaluate(params, jnp.ones((2, 3))), jax.vmap(jax.jit(net.apply), in_axes=(None, 0))(params, jnp.ones((2, 3))))
xs = jnp.ones((2, 3))
for _ in range(10):
    xs = jax.vmap(predict, in_axes=(None, 0))(params, xs)  #! JAX601
