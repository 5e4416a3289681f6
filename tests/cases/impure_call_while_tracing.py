

# %% NumPy draw: the noise is drawn when the function is traced, and never again
import jax
import numpy as np


@jax.jit
def noisy(x):
    return x + np.random.uniform()  #! JAX204


print([float(noisy(0.0)) for _ in range(3)])

# %% clock: the time stamp of the first trace
import time

import jax
import jax.numpy as jnp


@jax.jit
def stamped(x):
    now = time.time()  #! JAX204
    return jnp.sum(x) * 0.0 + now % 1000.0


first = stamped(jnp.ones(2))
time.sleep(0.01)
print(first, stamped(jnp.ones(2)))

# %% standard library random: the augmentation is chosen once
import random

import jax
import jax.numpy as jnp


def augment(image):
    if random.random() < 0.5:  #! JAX204
        image = jnp.flip(image, axis=1)
    return image * random.choice([0.9, 1.0, 1.1])  #! JAX204


pipeline = jax.jit(augment)
print([float(pipeline(jnp.arange(4.0).reshape(2, 2))[0, 0]) for _ in range(2)])

# %% generator object: the stateful generator outside is asked once, by scan without jit too
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def body(x, _):
    x = x + rng.normal()  #! JAX204
    return x, x


_, path = jax.lax.scan(body, 0.0, None, length=4)
print(path)

# %% imported names: functions of time and random under names of their own
from datetime import datetime
from random import gauss as draw
from time import perf_counter as clock

import jax


@jax.jit
def kick(x):
    seed = datetime.now().microsecond  #! JAX204
    start = clock()  #! JAX204
    return x + draw(0.0, 1.0) + (seed + start) * 0.0  #! JAX204


print([float(kick(0.0)) for _ in range(3)])

# %% helper below grad and jit: the mask is drawn two calls down
import jax
import jax.numpy as jnp
import numpy as np


def dropout(x, rate):
    mask = np.random.binomial(1, 1.0 - rate, size=x.shape)  #! JAX204
    return x * mask


def loss(w, x):
    return jnp.sum(dropout(x * w, 0.5) ** 2)


grad_fn = jax.jit(jax.grad(loss))
print([float(grad_fn(1.0, jnp.arange(1.0, 9.0))) for _ in range(3)])

# %% vmap alone: all lanes share the draw
import jax
import jax.numpy as jnp
import numpy as np


def perturb(x):
    return x + np.random.normal()  #! JAX204


print(jax.vmap(perturb)(jnp.zeros(3)))

# %% generator made in the trace without a seed: still one draw a trace
import jax
import numpy as np


@jax.jit
def shuffle_scale(x):
    rng = np.random.default_rng()
    return x * rng.uniform(0.5, 1.5, x.shape)  #! JAX204


print(shuffle_scale(jax.numpy.ones(2)), shuffle_scale(jax.numpy.ones(2)))

# %% method with static self: the agent's own generator, kept as an attribute
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class Agent:
    def __init__(self, seed, epsilon):
        self.rng = np.random.RandomState(seed)
        self.epsilon = epsilon

    @partial(jax.jit, static_argnums=0)
    def act(self, q):
        noise = self.rng.randn(4) * self.epsilon  #! JAX204
        return jnp.argmax(q + noise)


agent = Agent(0, 10.0)
print([int(agent.act(jnp.zeros(4))) for _ in range(5)])

# %% random numbers of other kinds: uuid and secrets under a while_loop condition and in a lambda
import secrets
import uuid

import jax
from jax import lax

tag = jax.jit(lambda x: x + uuid.uuid4().int % 1000)  #! JAX204
print([int(tag(0)) for _ in range(3)])


def unlucky(x):
    return x < secrets.randbelow(10)  #! JAX204


print(lax.while_loop(unlucky, lambda x: x + 1, 0))

# %% keys from the clock: the seed of the key is fixed at the first trace
import time

import jax


@jax.jit
def sample(shape_like):
    key = jax.random.key(time.time_ns() % 2**31)  #! JAX204
    return jax.random.normal(key, shape_like.shape)


print(sample(jax.numpy.ones(2)), sample(jax.numpy.ones(2)))

# %% host code: draws and clocks around the compiled function, the draws handed in
import random
import time

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


@jax.jit
def update(w, batch, scale):
    return w - 0.1 * jnp.mean(batch * w) * scale


def epochs(w, data, n):
    start = time.perf_counter()
    for _ in range(n):
        order = rng.permutation(len(data))
        batch = data[order[:2]]
        w = update(w, batch, random.uniform(0.5, 1.5))
    jax.block_until_ready(w)
    return w, time.perf_counter() - start


epochs(jnp.float32(1.0), np.arange(4.0, dtype=np.float32), 2)

# %% jax.random under the same names: keys make draws part of the program
import jax
import jax.numpy as jnp
from jax import random


@jax.jit
def noisy(key, x):
    k1, k2 = random.split(key)
    shift = random.uniform(k1)
    return random.permutation(k2, x) + shift + random.choice(random.fold_in(key, 2), jnp.arange(3.0))


print([float(noisy(k, jnp.arange(3.0))[0]) for k in random.split(random.key(0), 3)])

# %% host callbacks: what the callback draws is drawn when the program runs
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

rng = np.random.default_rng(0)


def draw(shape):
    return rng.normal(size=shape).astype(np.float32)


def tick(x):
    return np.float32(time.perf_counter() % 100.0)


@jax.jit
def step(x):
    noise = io_callback(lambda: draw((2,)), jax.ShapeDtypeStruct((2,), jnp.float32))
    t = io_callback(tick, jax.ShapeDtypeStruct((), jnp.float32), x[0])
    return x + noise, t


a, _ = step(jnp.zeros(2))
b, _ = step(jnp.zeros(2))
print(a, b)

# %% eager gradient: without a trace that is kept, each call draws again
import jax
import jax.numpy as jnp
import numpy as np


def noisy_loss(w):
    return jnp.sum((w + float(np.random.normal())) ** 2)


slope = jax.grad(noisy_loss)
print(slope(1.0), slope(1.0))

# %% drawn outside: closed-over values and defaults are drawn once by any reading of the program
import random

import jax
import jax.numpy as jnp
import numpy as np

projection = np.random.default_rng(0).normal(size=(2, 3)).astype(np.float32)
threshold = random.uniform(0.0, 1.0)


@jax.jit
def project(x, offset=random.gauss(0.0, 1.0)):
    return jnp.where(jnp.dot(x, projection) > threshold, 1.0, offset)


project(jnp.ones(2))

# %% fixed seed: a generator made with a constant seed is a recipe for a constant
import random

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def fourier_features(x):
    frequencies = np.random.default_rng(1234).normal(size=(x.shape[-1], 8))
    phases = np.random.RandomState(7).uniform(0.0, 6.28, size=8)
    scale = random.Random(3).uniform(1.0, 2.0)
    return scale * jnp.cos(jnp.dot(x, frequencies) + phases)


fourier_features(jnp.ones((2, 3)))

# %% names that only look so: parameters, fields and methods called time, now or random
import datetime

import jax
import jax.numpy as jnp


class Clock:
    def __init__(self, dt):
        self.dt = dt

    def time(self, n):
        return self.dt * n

    def random(self):
        return 4.0


clock = Clock(0.5)
EPOCH = datetime.datetime(2000, 1, 1)


@jax.jit
def ephemeris(position, time, random=0.0):
    span = datetime.datetime(2020, 1, 1) - EPOCH
    return position * jnp.cos(time) + clock.time(3) + clock.random() + random + span.days


ephemeris(1.0, 2.0)

# %% environment: variables of the environment are settings, read when compiled
import os

import jax
import jax.numpy as jnp


@jax.jit
def attention(q, k):
    if os.environ.get("ATTENTION_IMPL", "plain") == "scaled":
        q = q / jnp.sqrt(q.shape[-1])
    bits = int(os.getenv("ATTENTION_BITS", "32"))
    return jnp.sum(q * k) / bits


attention(jnp.ones(2), jnp.ones(2))

# %% what makes data is below one generic class with what makes schedules: the annotation says which is meant
import abc
import random
from dataclasses import dataclass
from typing import Generic, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

Made = TypeVar("Made")


class Maker(abc.ABC, Generic[Made]):
    @abc.abstractmethod
    def make(self) -> Made: ...


class Batches(Maker[np.ndarray]):
    def make(self):
        return np.random.rand(4)


class Jitter(Maker[float]):
    def make(self):
        return random.random() #! JAX204


class SmallJitter(Jitter):
    scale = 0.1


@dataclass
class Training:
    batches: Maker[np.ndarray]
    rate: Maker[complex]
    jitter: Maker[float]

    def start(self, x):
        return x * self.rate.make()

    def moved(self, x):
        return x + self.jitter.make()


class Fixed(Maker[complex]):
    def make(self):
        return 2.0


def begin(training: Training):
    batch = training.batches.make()
    return jax.jit(training.start)(batch), jax.jit(lambda x: training.moved(x))(batch)


begin(Training(Batches(), Fixed(), SmallJitter()))

# %% a generic class of which nobody says what it makes: any that is below it
import random
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import jax

Made = TypeVar("Made")


class Maker(Generic[Made]):
    def make(self) -> Made:
        raise NotImplementedError


class Jitter(Maker[float]):
    def make(self):
        return random.random() #! JAX204


@dataclass
class Training:
    jitter: Maker[Any]


def begin(training: Training):
    return jax.jit(lambda x: x + training.jitter.make())(1.0)


begin(Training(Jitter()))

# %% timers around traces: a decorator outside of jit measures every call
import functools
import time

import jax

spent = []


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        start = time.perf_counter()
        out = jax.block_until_ready(fn(*args))
        spent.append(time.perf_counter() - start)
        return out

    return wrapper


@timed
@jax.jit
def cube(x):
    return x**3


cube(1.0)
cube(2.0)
print(len(spent))

# %% vmap and the clock: without jit Python runs at each call, and the time is one for all lanes
import time

import jax
import jax.numpy as jnp


def aged(birth):
    return time.time() - birth


print(jax.vmap(aged)(jnp.zeros(2)))

# %% an argument that cannot be followed is not the default None
import operator

import jax
import jax.numpy as jnp
import numpy as np


def mixup(x, alpha, key=None):
    if key is None:
        weight = np.random.beta(alpha, alpha)
    else:
        weight = jax.random.beta(key, alpha, alpha)
    return weight * x + (1 - weight) * x[::-1]


@jax.jit
def step(keys, x):
    first = operator.itemgetter(0)(keys)
    return mixup(x, 1.0, key=first)


step(jax.random.split(jax.random.key(0)), jnp.ones(3))

# %% the default None, where the caller gives nothing
import jax
import jax.numpy as jnp
import numpy as np


def mixup(x, alpha, key=None):
    if key is None:
        weight = np.random.beta(alpha, alpha)  #! JAX204
    else:
        weight = jax.random.beta(key, alpha, alpha)
    return weight * x + (1 - weight) * x[::-1]


@jax.jit
def step(x):
    return mixup(x, 1.0)


step(jnp.ones(3))

# %% seeded in the trace: each call draws the same, traced or not
import random

import jax
import jax.numpy as jnp
import numpy as np


def pattern(count):
    return np.random.permutation(count)


@jax.jit
def attend(x):
    np.random.seed(3)
    return x[pattern(4)] * np.random.normal()


@jax.jit
def drop(x, seed=7):
    random.seed(seed)
    return jnp.where(jnp.arange(4) < 4 * random.random(), 0.0, x)


for function in (attend, drop):
    traced = function(jnp.arange(1.0, 5.0))
    with jax.disable_jit():
        assert (traced == function(jnp.arange(1.0, 5.0))).all()

# %% seeded too late, in one branch, of another module, by the clock of the system, or by one caller of two
import random

import jax
import jax.numpy as jnp
import numpy as np


def pattern(count):
    return np.random.permutation(count)  #! JAX204


@jax.jit
def late(x):
    x = x * np.random.normal()  #! JAX204
    np.random.seed(3)
    return x


@jax.jit
def other(x):
    random.seed(3)
    return x * np.random.normal()  #! JAX204


@jax.jit
def sometimes(x):
    if x.ndim > 1:
        np.random.seed(0)
    return x * np.random.uniform()  #! JAX204


@jax.jit
def by_system(x):
    np.random.seed()  #! JAX204
    return x * np.random.uniform()  #! JAX204


@jax.jit
def seeded(x):
    np.random.seed(0)
    return x[pattern(4)]


@jax.jit
def unseeded(x):
    return x[pattern(4)]


for function in (late, other, sometimes, by_system, seeded, unseeded):
    function(jnp.arange(4.0))
sometimes(jnp.ones((2, 2)))

# %% identifiers: they name what a trace makes, and are no number that the program computes with
import uuid

import jax
import jax.numpy as jnp


class Operation:
    def __init__(self, value, key=None):
        self.value = value
        self.key = key or uuid.uuid4()
        self.name = f"operation-{uuid.uuid1()}"

    def __hash__(self):
        return hash(self.key)


@jax.jit
def circuit(x):
    tag = str(uuid.uuid4())
    operations = {Operation(x), Operation(x, uuid.uuid4().hex)}
    return sum(each.value for each in operations) * len(tag)


circuit(1.0)

# %% the number of an identifier is a random number
import uuid

import jax


@jax.jit
def seeded(x):
    seed = uuid.uuid4()  #! JAX204
    key = jax.random.key(seed.int % 2**31)
    number = int(uuid.uuid4())  #! JAX204
    return x + jax.random.normal(key) + number % 7


seeded(1.0)

# %% a cached property that the constructor reads is there before anything is traced
import functools
from functools import partial

import jax
import numpy as np


class Planned:
    def __init__(self):
        _ = self.plan

    @functools.cached_property
    def plan(self):
        return np.random.randint(0, 10)

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + self.plan


class Lazy:
    @functools.cached_property
    def plan(self):
        return np.random.randint(0, 10)  #! JAX204

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + self.plan


Planned().step(1.0)
Lazy().step(1.0)

# %% a draw that the author evaluates at compile time is one for all lanes on purpose
import jax
import jax.numpy as jnp
import numpy as np


def projected(x):
    with jax.ensure_compile_time_eval():
        shared = jnp.array(np.random.randn(3))
    return x * shared


def noisy(x):
    return x + np.random.randn(3)  #! JAX204


jax.vmap(projected)(jnp.ones((2, 3)))
jax.vmap(noisy)(jnp.ones((2, 3)))

# %% a default that is made where nothing is handed over, as the caller in the trace does
import random

import jax


def made(key=None):
    if key is None:
        return jax.random.PRNGKey(random.randint(0, 100))
    return key


@jax.jit
def model(x, key):
    return x * jax.random.normal(made(key=key))


@jax.jit
def always(x):
    return x * jax.random.normal(jax.random.PRNGKey(random.randint(0, 100)))  #! JAX204


@jax.jit
def by_default(x):
    return x * jax.random.normal(made_too())


def made_too(key=None):
    if key is None:
        return jax.random.PRNGKey(random.randint(0, 100))  #! JAX204
    return key


by_default(1.0)

# %% a time that only a log reads which a flag turns on, and one that is read elsewhere
import time

import jax
import jax.numpy as jnp


def build(x, verbose=False):
    start = time.perf_counter()
    y = jnp.matmul(x, x.T)
    end = time.perf_counter()
    if verbose:
        spent = end - start
        print("built in", spent)
    return y


def kept(x, verbose=False):
    start = time.perf_counter()  #! JAX204
    y = jnp.matmul(x, x.T)
    if verbose:
        spent = time.perf_counter() - start  #! JAX204
    else:
        spent = 0.0
    return y + spent


def told(x):
    start = time.perf_counter()  #! JAX204
    y = jnp.matmul(x, x.T)
    print("built in", time.perf_counter() - start)  #! JAX204
    return y


x = jnp.ones((2, 2))
print(build(x, True), jax.jit(build)(x), jax.jit(lambda x: kept(x, True))(x), jax.jit(told)(x))

# %% a time that is kept where others read it
import time

import jax


class Clock:
    start = 0.0


clock = Clock()
last = 0.0


@jax.jit
def kept(x):
    clock.start = time.time()  #! JAX201 JAX204
    return x


@jax.jit
def shared(x):
    global last
    last = time.time()  #! JAX201 JAX204
    return x


print(kept(1.0), shared(1.0), clock.start, last)

# %% a time that is written where an error is raised next
import time

import jax
import jax.numpy as jnp

failed = []


@jax.jit
def checked(x, sizes):
    if len(sizes) > 5:
        failed.append(time.time())
        raise ValueError("too many")
    return x * time.time()  #! JAX204


checked(jnp.ones(2), (1, 2))

# %% a setting that is read once and kept, before the first trace
import random
import time

import jax
import jax.numpy as jnp


def retried(load):
    try:
        return load()
    except OSError:
        time.sleep(0.01 * random.uniform(0.5, 1.5))
    return load()


class Settings:
    kept = None

    @classmethod
    def get(cls):
        if cls.kept is None:
            cls.kept = retried(lambda: {"batch": 4})
        return cls.kept

    @classmethod
    def anew(cls):
        return {"batch": random.random()}  #! JAX204


@jax.jit
def scaled(x):
    return x * Settings.get()["batch"]


@jax.jit
def wrongly_scaled(x):
    return x * Settings.anew()["batch"]


print(Settings.get())
print(scaled(jnp.ones(2)), wrongly_scaled(jnp.ones(2)))

# %% a call that raises makes no constant
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def velocity(x):
    amplitude = np.max(x) * 0.1
    return x + np.random.uniform(-amplitude, amplitude, x.shape)  #! JAX106


velocity(jnp.ones(3))

# %% nor is that said where another call of it in a trace does
import jax
import jax.numpy as jnp
import numpy as np


def noise(x, amplitude):
    return x + np.random.uniform(-amplitude, amplitude, x.shape)  #! JAX106


@jax.jit
def velocity(x):
    return noise(x, 0.1)


@jax.jit
def other(x):
    return noise(x, np.max(x))


velocity(jnp.ones(3))
other(jnp.ones(3))

# %% a caught error makes none either
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def velocity(x):
    try:
        return x + np.random.uniform(0.0, x.sum())
    except TypeError:
        return x


@jax.jit
def other(x):
    return x + np.random.uniform(0.0, x.sum())  #! JAX106


velocity(jnp.ones(3))
other(jnp.ones(3))

# %% the first value of a clock that only a callback reads, which puts another one there each time
import time

import jax
import jax.numpy as jnp


def make_train(n):
    def train(x):
        last_time = time.time()

        def update(x, _):
            def callback(x):
                nonlocal last_time
                now = time.time()
                print("steps per second", 1 / (now - last_time), x)
                last_time = now

            jax.debug.callback(callback, x)
            return x * 0.9, None

        x, _ = jax.lax.scan(update, x, None, n)
        return x

    return train


print(jax.jit(make_train(3))(jnp.float32(1)))

# %% ... but one that stays, that a trace reads, or that another function reads, too
import time

import jax
import jax.numpy as jnp


@jax.jit
def stays(x):
    start = time.time()  #! JAX204

    def callback(x):
        print("seconds", time.time() - start, x)

    jax.debug.callback(callback, x)
    return x


@jax.jit
def traced(x):
    last = time.time()  #! JAX204

    def update(x, _):
        nonlocal last
        now = time.time()  #! JAX204
        print("seconds", now - last)
        last = now  #! JAX201
        return x, None

    return jax.lax.scan(update, x, None, 3)[0]


@jax.jit
def twice(x):
    last = time.time()  #! JAX204

    def callback(x):
        nonlocal last
        last = time.time()

    jax.debug.callback(callback, x)
    jax.debug.callback(lambda x: print(last), x)
    return x + last


print(stays(jnp.ones(2)), traced(jnp.ones(2)), twice(jnp.ones(2)))

# %% a random number that only becomes a text: it names what the trace builds
import contextlib
import random

import jax
import jax.numpy as jnp
import numpy as np


@contextlib.contextmanager
def named(name):
    yield name


@jax.jit
def product(x, w):
    group = f"{random.randint(0, 1000000000)}" if x.ndim == 2 else "0"
    with named(group):
        return jnp.matmul(x, w)


@jax.jit
def scoped(x):
    with jax.named_scope("layer_" + str(random.randint(0, 9))):
        x = x * 2
    number = np.random.randint(9)
    with named("part-%d" % random.getrandbits(8)), named(f"{number:03d}"):
        return x + 1


print(product(jnp.ones((2, 2)), jnp.ones((2, 2))), scoped(jnp.ones(2)))

# %% ... but not one that is read as a number again, looked up, compared, shown or computed with
import random

import jax
import jax.numpy as jnp

TABLE = {"0": 1.0, "1": 2.0}


@jax.jit
def again(x):
    return x * int(f"{random.randint(1, 9)}")  #! JAX204


@jax.jit
def looked_up(x):
    return x * TABLE[str(random.randint(0, 1))]  #! JAX204


@jax.jit
def compared(x):
    if f"{random.randint(0, 1)}" == "0":  #! JAX204
        return x
    return x * 2


@jax.jit
def both(x):
    number = random.random()  #! JAX204
    with jax.named_scope(f"scale-{number}"):
        return x * number


@jax.jit
def debugged(x):
    jax.debug.print("drawn " + str(random.random()) + " {}", x)  #! JAX204
    return x


print(again(1.0), looked_up(1.0), compared(1.0), both(1.0), debugged(1.0))
