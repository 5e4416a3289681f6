
# %% float of a reduction in a jitted update
import jax
import jax.numpy as jnp


@jax.jit
def rescale(gradients, limit):
    size = float(jnp.linalg.norm(gradients)) #! JAX105
    return gradients * limit / size


rescale(jnp.ones(3), 1.0)


# %% int of a traced index in a scan body, run eagerly
import jax
import jax.numpy as jnp
from jax import lax


def beam(tokens, scores):
    def expand(carry, score):
        best = int(jnp.argmax(score)) #! JAX105
        return carry + best, best

    return lax.scan(expand, tokens, scores)


beam(jnp.int32(0), jnp.ones((2, 3)))


# %% bool, outside any test
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="tolerance")
def converged(residual, tolerance=1e-6):
    done = bool(jnp.max(jnp.abs(residual)) < tolerance) #! JAX105
    return done


converged(jnp.ones(2))


# %% complex of a traced real
import jax

phase = jax.jit(lambda angle: complex(angle) * 1j) #! JAX105
phase(0.5)


# %% .item() in a function that is vmapped, batched only
import jax
import jax.numpy as jnp


def to_label(logits):
    return logits.argmax().item() #! JAX105


jax.vmap(to_label)(jnp.eye(3))


# %% .tolist() of a traced vector
import jax
import jax.numpy as jnp


@jax.jit
def histogram(x):
    total = 0.0
    for value in (x / x.sum()).tolist(): #! JAX105
        total = total + value
    return total


histogram(jnp.ones(3))


# %% operator.index
import operator

import jax
import jax.numpy as jnp


@jax.jit
def offset(x, start):
    begin = operator.index(start) #! JAX105
    return x[begin:]


offset(jnp.ones(3), 1)


# %% a format spec in an f-string converts
import jax
import jax.numpy as jnp


@jax.jit
def step(w, lr):
    new = w * (1 - lr)
    message = f"lr={lr:.4f}" #! JAX105
    return new if message else w


step(jnp.ones(2), 0.1)


# %% the % operator with %d converts, %s and %r do not
import jax
import jax.numpy as jnp


@jax.jit
def label(x, epoch):
    name = "epoch %s of %r" % (epoch, x.shape)
    if not name:
        raise ValueError
    code = "epoch %d" % epoch #! JAX105
    return x * len(code)


label(jnp.ones(2), 3)


# %% str.format with a spec, on an element of a traced dict
import jax
import jax.numpy as jnp


@jax.jit
def describe(metrics):
    text = "{:.2f} {}".format(metrics["loss"], metrics["name"].shape) #! JAX105
    return metrics["loss"] * len(text)


describe({"loss": jnp.float32(1.0), "name": jnp.ones(2)})


# %% formatting without a spec shows the tracer and does no harm
import jax
import jax.numpy as jnp


@jax.jit
def checked(x, scale):
    assert x.ndim == 1, f"expected a vector, got {x.shape} {x!r} {scale} {scale!s}"
    tag = "{} and {!r} and {:d} and {:>8}".format(x, scale, x.ndim, str(x.dtype))
    tag += "%s %r %d" % (x, scale, x.size)
    tag += str(scale) + repr(x) + format(x.shape[0], "03d") + f"{x.shape[0]:>4}"
    return x * scale * bool(tag)


checked(jnp.ones(2), 2.0)


# %% casts of shapes, ranks, lengths, dtypes and static values
import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnums=(1,))
def attention_scale(q, temperature):
    depth = float(q.shape[-1])
    heads = int(np.prod(q.shape[:-1]))
    even = bool(q.ndim % 2)
    width = int(math.ceil(q.shape[0] / 2)) + int(q.size) + int(len(q)) + int(q.dtype.itemsize)
    return q * float(temperature) / depth**0.5 * heads * width + complex(0, 1).imag + even


attention_scale(jnp.ones((2, 4)), 2)


# %% round, abs, divmod, pow and unary plus work on tracers
import jax
import jax.numpy as jnp


@jax.jit
def arithmetic(x, n):
    quotient, remainder = divmod(x, n)
    return round(x) + round(x, 1) + abs(x) + pow(x, 2) + -x + +x + quotient + remainder


arithmetic(jnp.float32(2.6), 2.0)


# %% astype and the dtype constructors are the casts to use
import jax
import jax.numpy as jnp


@jax.jit
def cast(x):
    return x.astype(float) + jnp.float32(x) + jnp.asarray(x, int) + x.real.astype(jnp.int32) + jnp.array(x, dtype=float)


cast(jnp.ones(2))


# %% gradient alone: bool, int and item work, float does not
import jax
import jax.numpy as jnp


def bumpy(x):
    cell = int(x)
    inside = bool(x > 0)
    first = jnp.floor(x).item()
    return x * cell + inside + first


def smooth(x):
    return x * float(x) #! JAX105


jax.grad(bumpy)(2.5)
jax.grad(smooth)(2.5)


# %% gradient alone: tolist raises
import jax
import jax.numpy as jnp


def total(x):
    return sum(x.tolist()) #! JAX105


jax.value_and_grad(total)(jnp.ones(2))


# %% gradient alone: a format spec raises
import jax


def loss(w):
    value = (w - 1.0) ** 2
    note = f"{value:.3f}" #! JAX105
    return value * len(note)


jax.grad(loss)(2.0)


# %% gradient with an argument that is not differentiated: that one is concrete
import jax
import jax.numpy as jnp


def loss(w, scale, steps):
    return jnp.sum(w) * float(scale) * int(steps) + float(steps)


jax.grad(loss)(jnp.ones(2), jnp.float32(2.0), 3)
jax.grad(loss, argnums=(0,))(jnp.ones(2), 2.0, jnp.int32(3))


# %% the second argument differentiated
import jax
import jax.numpy as jnp


def loss(w, scale):
    return jnp.sum(w) * float(scale) #! JAX105


jax.grad(loss)(jnp.ones(2), 2.0)
jax.grad(loss, argnums=1)(jnp.ones(2), 2.0)


# %% vmap: closures and unmapped arguments are concrete, casts on them are fine
import jax
import jax.numpy as jnp

sigma = jnp.float32(0.5)


def kernel(x, scale):
    return x / float(scale) + float(sigma) + int(jnp.sum(jnp.ones(2)))


jax.vmap(kernel, in_axes=(0, None))(jnp.ones(3), jnp.float32(2.0))


# %% jit makes tracers of constants: the same helper under jit raises at the constant
import jax
import jax.numpy as jnp


def grid_step(x):
    return x / float(jnp.linspace(0.0, 1.0, 5)[1]) #! JAX105


jax.vmap(grid_step)(jnp.ones(2))
jax.jit(grid_step)(jnp.ones(2))


# %% casting what a jitted function returns, in eager code
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(w):
    return {"loss": jnp.sum(w**2), "correct": jnp.sum(w > 0)}


def report(w):
    metrics = evaluate(w)
    line = f"loss {metrics['loss']:.3f} correct {int(metrics['correct']):d}"
    return float(metrics["loss"]), metrics["correct"].item(), metrics["loss"].tolist(), line


report(jnp.ones(3))


# %% a helper used eagerly with arrays and in a trace with a shape
import jax
import jax.numpy as jnp


def as_float(value):
    return float(value)


@jax.jit
def normalise(x):
    return x / as_float(x.shape[0])


normalise(jnp.ones(3))
as_float(jnp.ones(()))


# %% the same helper in a trace with an array
import jax
import jax.numpy as jnp


def as_float(value):
    return float(value) #! JAX105


@jax.jit
def normalise(x):
    return x / as_float(x.shape[0]) / as_float(x.max())


normalise(jnp.ones(3))


# %% host callbacks cast as they please
import jax
import jax.numpy as jnp
import numpy as np


def slow_bessel(x):
    return np.asarray([float(v) ** 0.5 for v in np.ravel(x).tolist()], dtype=np.float32)


@jax.jit
def damped(x):
    jax.debug.callback(lambda v: f"{float(v):.2f}", x.sum())
    jax.debug.print("mean {m:.3f}", m=x.mean())
    return jax.pure_callback(slow_bessel, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


damped(jnp.ones(2))


# %% casts guarded by a check for a tracer
import jax
import jax.numpy as jnp


def sanity(rate):
    if isinstance(rate, jax.core.Tracer):
        return rate
    return float(rate)


def cheap(rate):
    return rate if isinstance(rate, jax.core.Tracer) else max(float(rate), 0.0)


@jax.jit
def decay(x, rate):
    return x * sanity(rate) * cheap(rate)


decay(jnp.ones(2), 0.5)
sanity(jnp.float32(0.5))


# %% map over the leaves: the mapped function casts each
import jax
import jax.numpy as jnp


@jax.jit
def sizes(params):
    return jax.tree.map(lambda leaf: leaf * float(leaf.sum()), params) #! JAX105


sizes({"w": jnp.ones(2), "b": jnp.ones(1)})


# %% map over the leaves that only reads shapes
import jax
import jax.numpy as jnp


@jax.jit
def scaled(params):
    counted = jax.tree.map(lambda leaf: float(leaf.size), params)
    return jax.tree.map(lambda leaf, n: leaf / n, params, counted)


scaled({"w": jnp.ones(2), "b": jnp.ones(1)})


# %% NumPy scalars of static values are cast on the host
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.linspace(0.0, 1.0, 4)


@jax.jit
def lookup(x):
    n = int(np.ceil(np.log2(x.shape[0])))
    return x * float(TABLE[n]) + TABLE.max().item() + sum(TABLE.tolist())


lookup(jnp.ones(4))


# %% a static field of a pytree may be cast, the child may not
import jax
import jax.numpy as jnp


class Spring:
    def __init__(self, length, stiffness):
        self.length = length
        self.stiffness = stiffness


jax.tree_util.register_pytree_node(
    Spring,
    lambda spring: ((spring.length,), spring.stiffness),
    lambda stiffness, children: Spring(children[0], stiffness),
)


@jax.jit
def force(spring):
    k = float(spring.stiffness)
    return k * float(spring.length) #! JAX105


force(Spring(1.0, 2))


# %% int() of the loop variable of fori_loop with static bounds
from jax import lax
import jax.numpy as jnp

xs = jnp.arange(4.0)
lax.fori_loop(0, 4, lambda i, acc: acc + xs[int(i)], 0.0) #! JAX105


# %% an argument of any type, of a function that nobody here calls
import math

import jax


@jax.jit
def scaled(x, factor):
    return x * float(factor)  #! JAX105


def kept(x, factor):
    return x * float(factor)


fast = jax.jit(kept, static_argnames="factor")
print(fast(1.0, 2))
scaled(1.0, 2)


# %% a tree that is one array of NumPy: mapped it stays one, and checkpoint makes a tracer of it
import jax
import jax.numpy as jnp
import numpy as np

WIDTHS = np.array([1.0, 2.0])


def first(row):
    if not isinstance(row, jax.core.Tracer):
        return row[0]
    return float(row[0])  #! JAX105


def step(_, z):
    stepped = jax.tree.map(lambda a: a + 1, WIDTHS)
    return z + first(stepped) * jax.checkpoint(first)(stepped)


jax.lax.fori_loop(0, 2, step, jnp.float32(1.0))


# %% where only a gradient is traced, what has no slope is the value itself
import math

import jax
import jax.numpy as jnp
import numpy as np


def quantised(x):
    q = jnp.round(x * 8) / 8
    print(f"{q[0]:.3f}", q.tolist())
    return ((x - q) ** 2).sum()


def interpolated(t, n):
    i = jnp.floor(t * n)
    return t * n - i + math.pow(2.0, i) + np.exp(t // 1) + float(divmod(t, 2.0)[0])


print(jax.grad(quantised)(jnp.ones(3)))
print(jax.value_and_grad(interpolated)(0.3, 4))
print(jax.hessian(lambda x: x * float(jnp.trunc(x) * 2 + 1) * round(x).item())(2.5))


# %% what has a slope besides is traced
import jax
import jax.numpy as jnp


def mixed(x):
    return x * float(jnp.floor(x) + x)  #! JAX105


jax.grad(mixed)(2.5)


# %% own __bool__ and not
import jax
import jax.numpy as jnp


class Box:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 0) #! JAX105


@jax.jit
def f(x):
    box = Box(x)
    return x if not box else -x


f(1.0)


# %% own __len__ with int of a tracer
import jax
import jax.numpy as jnp


class Ragged:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return int(self.count) #! JAX105


@jax.jit
def f(n):
    return len(Ragged(n))


f(1)


# %% own __float__
import jax
import jax.numpy as jnp


class Loss:
    def __init__(self, total):
        self.total = total

    def __float__(self):
        return float(self.total) #! JAX105


@jax.jit
def f(n):
    return float(Loss(n))


f(1.0)


# %% own __iter__ static
import jax
import jax.numpy as jnp


class Both:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __bool__(self):
        return True

    def __len__(self):
        return 2

    def __contains__(self, name):
        return name in ("a", "b")


@jax.jit
def f(x):
    both = Both(x, x)
    if both and len(both) == 2 and "a" in both:
        return x
    return both.b


f(1.0)


# %% bytes
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    pad = bytes(n) #! JAX105
    return x


f(1.0, 2)


# %% chr, hex
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    t = hex(n) #! JAX105
    return x


f(1.0, 2)


# %% SimpleNamespace arithmetic
import types

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    s = types.SimpleNamespace(pos=x, steps=3)
    s.pos = s.pos + 1
    y = s.pos * 2
    for _ in range(s.steps):
        y = y + 1
    return float(y) #! JAX105


f(1.0)


# %% dataclasses.replace
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class State:
    pos: jax.Array
    steps: int = 3


@jax.jit
def f(x):
    s = State(x)
    s = dataclasses.replace(s, pos=s.pos * 2)
    return float(s.pos) #! JAX105


f(1.0)


# %% namespace changed on one arm
from types import SimpleNamespace

import jax


@jax.jit
def f(x, flag=True):
    s = SimpleNamespace(value=1)
    s.value = 2
    if s.value > 1:
        s.value = x
    return float(s.value) #! JAX105


f(1.0)


# %% namespace that is made per call keeps a key apart
from types import SimpleNamespace

import jax


def draw(seed):
    state = SimpleNamespace(key=jax.random.key(seed))
    state.key, sub = jax.random.split(state.key)
    a = jax.random.normal(sub)
    state.key, sub = jax.random.split(state.key)
    return a + jax.random.normal(sub)


draw(0)


# %% jit of sign: what has no slope leaves the compiled function as the value itself
import jax
import jax.numpy as jnp


@jax.jit
def direction(x):
    return jnp.sign(x)


def loss(x):
    return x * float(direction(x))


print(jax.grad(loss)(2.0))


# %% jit of floor: of two results one has a slope
import jax
import jax.numpy as jnp


@jax.jit
def split(x):
    return x - jnp.floor(x), jnp.floor(x)


def loss(x):
    rest, whole = split(x)
    return rest * float(whole)


print(jax.grad(loss)(2.5))


# %% jit of something else: the result does not depend on what is differentiated
import jax
import jax.numpy as jnp


@jax.jit
def schedule(x, step):
    return 0.1 / jnp.sqrt(step)


def loss(x):
    return x * float(schedule(x, 3.0))


print(jax.grad(loss)(2.5))


# %% jit that stops the gradient: the value itself comes back
import jax
import jax.numpy as jnp


@jax.jit
def scale(x):
    return jax.lax.stop_gradient(jnp.abs(x))


def loss(x):
    return x * float(scale(x))


try:
    print(jax.grad(loss)(2.5))
except Exception as e:
    print('E', e)
    raise


# %% checkpoint of sign: as under jit
import jax
import jax.numpy as jnp


@jax.checkpoint
def direction(x):
    return jnp.sign(x)


def loss(x):
    return x * float(direction(x))


print(jax.grad(loss)(2.5))


# %% cond without a slope: neither branch has one
import jax
import jax.numpy as jnp


def loss(x):
    d = jax.lax.cond(True, jnp.sign, jnp.round, x)
    return x * float(d)


print(jax.grad(loss)(2.5))


# %% scan of sign: the carry begins with what is differentiated, so it has a slope for JAX
import jax
import jax.numpy as jnp


def loss(x):
    c, _ = jax.lax.scan(lambda c, _: (jnp.sign(c), None), x, None, length=3)
    return x * float(c)  #! JAX105


print(jax.grad(loss)(2.5))


# %% loop of sign: the carry has the slope of its start
import jax
import jax.numpy as jnp


def loss(x):
    c = jax.lax.fori_loop(0, 3, lambda i, c: jnp.sign(c), x)
    return x * float(c)  #! JAX105


print(jax.grad(loss)(2.5))


# %% jit of a comparison: a truth value has no slope
import jax
import jax.numpy as jnp


@jax.jit
def positive(x):
    return x > 0


def loss(x):
    return x if bool(positive(x)) else -x


print(jax.grad(loss)(2.5))


# %% jit of a product: one factor has a slope
import jax
import jax.numpy as jnp


@jax.jit
def scale(x):
    return jnp.sign(x) * x


def loss(x):
    return x * float(scale(x))  #! JAX105


print(jax.grad(loss)(2.0))


# %% jit of sign in jit: the outer trace still makes a tracer of it
import jax
import jax.numpy as jnp


@jax.jit
def direction(x):
    return jnp.sign(x)


@jax.jit
def loss(x):
    return x * float(direction(x))  #! JAX105


print(jax.grad(loss)(2.0))


# %% JAX is there where a program is linted for it: what stands in for it is not run
try:
    import jax
    import jax.numpy as jnp
    from jax import hessian, vjp

    HAS_JAX = True
except ImportError:
    HAS_JAX = False


@jax.jit
def norm(x):
    if not HAS_JAX:
        return float(x.sum()) ** 0.5
    return jnp.sqrt(x.sum())


print(norm(jnp.ones(3)), hessian(lambda x: x**2)(1.0), vjp)

# %% a library that may be missing is imported beside JAX
try:
    import jax
    import jax.numpy as jnp
    import surely_missing_library

    HAS_BOTH = True
except ImportError:
    HAS_BOTH = False


@jax.jit
def norm(x):
    if not HAS_BOTH:
        return float(x.sum()) ** 0.5  #! JAX105
    return jnp.sqrt(x.sum())


norm(jnp.ones(3))

# %% the project's own question whether something is a tracer, behind one of which library it is from
import jax
import jax.numpy as jnp
import numpy as np


def library_of(x):
    return type(x).__module__.partition(".")[0]


def is_abstract(x, like=None):
    library = like or library_of(x)
    if library.startswith("jax"):
        if isinstance(x, jax.core.Tracer):
            return not jax.core.is_concrete(x)  #! JAX901
        return False
    if library == "numpy":
        return x.dtype == object
    return False


def total(values):
    if not is_abstract(sum(values)):
        if float(sum(values)) > 1.0:
            raise ValueError("more than one")
    return sum(values)


def rounded(x):
    if library_of(x).startswith("jax") and not is_abstract(x):
        x = float(x)
    return np.round(x, 2) if isinstance(x, float) else jnp.round(x, 2)


def repeated(state):
    if is_abstract(state):
        return [state * 2]
    return [2] * int(state)


def weighed(x):
    if is_abstract(x):
        return x * float(x)  #! JAX105
    return x * x


jax.jit(total)(jnp.ones(3) / 4)
jax.jit(rounded)(jnp.float32(0.333))
jax.jit(repeated)(2)
jax.jit(weighed)(2.0)


# %% the question is answered in one expression, or handed on
import jax
import jax.numpy as jnp

LIBRARIES = {"numpy": "numpy", "jaxlib": "jax"}


def library_of(x):
    return LIBRARIES.get(type(x).__module__.partition(".")[0], "jax")


def is_traced(x):
    return library_of(x) == "jax" and isinstance(x, jax.core.Tracer)


def is_known(x):
    return not is_traced(x)


class Scale:
    def __init__(self, value):
        self.value = value

    def __call__(self, x):
        if is_known(x):
            return self.value * float(x)
        if is_traced(x):
            return self.value * x
        return float(x)


@jax.jit
def scaled(x):
    traced = is_traced(x)
    y = x if traced else float(x)
    return Scale(2.0)(x) * y


@jax.jit
def wrong(x):
    if is_traced(x):
        x = x * 2
    return float(x)  #! JAX105


scaled(2.0)
wrong(2.0)


# %% a gradient's tracer has a value that JAX can tell, others have not
import jax


def halved(x):
    if jax.core.is_concrete(x):  #! JAX901
        return x / float(jax.lax.stop_gradient(x))
    return x / 2


def doubled(x):
    if not jax.core.is_concrete(x):  #! JAX901
        return x * float(x)  #! JAX105
    return x * 2


jax.jit(halved)(2.0)
jax.jit(doubled)(2.0)


# %% a list that the caller wrote out is not empty, unless something is taken out of it
import jax
import jax.numpy as jnp


def expanded(mat, wires):
    if isinstance(wires, int):
        wires = [wires]
    if not wires:
        return complex(mat[0, 0])
    return mat * len(wires)


def drained(x, rows):
    while rows:
        x = x + rows.pop()
    if not rows:
        return float(x)  #! JAX105
    return x


def cleared(x, rows):
    if rows:
        rows.clear()
    if not rows:
        return float(x)  #! JAX105
    return x


def slope(mat):
    return expanded(mat, wires=[2]) + expanded(mat, 1)


jax.jacobian(slope)(jnp.ones((2, 2)))
jax.jit(lambda x: drained(x, [1, 2]))(1.0)
jax.jit(lambda x: cleared(x, [1]))(1.0)


# %% the module of the type says that an array is a tracer
import jax
import jax.numpy as jnp


def is_jax(x):
    return type(x).__module__.startswith("jax")


def library_of(x):
    return x.__class__.__module__.split(".")[0]


def squared(x):
    y = jnp.square(x)
    if is_jax(y):
        return y
    return float(y)


def halved(x):
    y = jnp.multiply(x, 0.5)
    if library_of(y) in ("numpy", "builtins"):
        return float(y)
    if library_of(y) == "jax":
        return y.sum() + float(y)  #! JAX105
    return int(y)


jax.jit(squared)(2.0)
jax.jit(halved)(2.0)
jax.grad(squared)(2.0)


# %% transforms refuse strings: what is annotated as one is no tracer
import jax
import jax.numpy as jnp


def number(text: str):
    if text == "K":
        return 12
    return int(text)


def parsed(text: str, x):
    return x * number(text)


def traced(text, x):
    return x * int(text)  #! JAX105


parsed = jax.jit(parsed)
jax.jit(traced)(jnp.ones(()), 2.0)

# %% norun handed over to a function that traces what it is given under a flag, which nobody gives here
import jax
import jax.numpy as jnp


def chunked(f, size=None, use_scan=False):
    if size is None:
        return f

    def run(*args):
        if use_scan:
            _, out = jax.lax.scan(lambda carry, each: (carry, f(*each)), None, list(args))
        else:
            out = [f(*each) for each in args]
        return out

    return run


def scanned(f, size):
    return jax.jit(chunked(jax.vmap(f), size, use_scan=True))


def total(x):
    return jnp.sum(x).item() * x


class Totals:
    def __init__(self, size):
        self.total = chunked(total, size)

    def __call__(self, x):
        return self.total(x)

# %% norun handed over with the flag, by one of two callers
import jax
import jax.numpy as jnp


def chunked(f, size=None, use_scan=False):
    if size is None:
        return f

    def run(*args):
        if use_scan:
            _, out = jax.lax.scan(lambda carry, each: (carry, f(*each)), None, list(args))
        else:
            out = [f(*each) for each in args]
        return out

    return run


def total(x):
    return jnp.sum(x).item() * x  #! JAX105


class Totals:
    def __init__(self, size):
        self.total = chunked(total, size)
        self.scanned = chunked(total, size, use_scan=True)

    def __call__(self, x):
        return self.total(x), self.scanned(x)


# %% a table of functions by their names: each row has a weight of its own
import functools

import jax
import jax.numpy as jnp

LOSSES = {}


def loss(weight):
    def register(fn):
        LOSSES[fn.__name__] = (fn, weight)
        return fn

    return register


@loss(0.7)
def smooth(x):
    return x.mean()


@loss(0.0)
def shown(x):
    return float(x.sum())


@jax.jit
def total(x):
    return sum(fn(x) * weight for fn, weight in LOSSES.values() if weight > 0)


total(jnp.ones(3))


# %% functions told apart by their names, also through `functools.wraps`
import functools

import jax
import jax.numpy as jnp


def compiled(fn):
    @functools.wraps(fn)
    def inner(x):
        return fn(x)

    return inner if inner.__name__.startswith("host_") else jax.jit(inner)


@compiled
def mean(x):
    return x.mean()


@compiled
def host_mean(x):
    return float(x.mean())


@compiled
def traced_mean(x):
    return float(x.mean())  #! JAX105


mean(jnp.ones(3))
host_mean(jnp.ones(3))
traced_mean(jnp.ones(3))


# %% a handler that names an error of JAX: another way is tried
import jax
import jax.numpy as jnp


def first_of(x, functions):
    for function in functions:
        try:
            return function(x)
        except (ValueError, jax.errors.JAXTypeError):
            continue
    return x


jax.jit(lambda x: first_of(x, [lambda v: float(v), lambda v: v * 2]))(jnp.ones(()))


# %% the name of what a partial is of
import functools

import jax
import jax.numpy as jnp

HOST = {"host_scale"}


def scale(x, by):
    return x * by


def host_scale(x, by):
    return float(x) * by


def name_of(fn):
    while isinstance(fn, functools.partial):
        fn = fn.func
    return fn.__name__


def run(fn, x):
    return fn(x) if name_of(fn) in HOST else jax.jit(fn)(x)


for fn in (functools.partial(scale, by=2.0), functools.partial(host_scale, by=2.0)):
    run(fn, jnp.ones(()))


# %% membership in a list that another function has made, and in one that is handed
import jax
import jax.numpy as jnp


def passes(check=False):
    names = ["lower"]
    if check:
        names.append("check")
    return names


def run(x, **flags):
    todo = passes(**flags)
    if "check" in todo and float(x.sum()) > 100:
        raise FloatingPointError
    return x * 2 if "lower" in todo else x


def chosen(x, only):
    return [f(x) for name, f in (("sum", jnp.sum), ("host", float)) if name in only]


jax.jit(lambda x: run(x))(jnp.ones(3))
run(jnp.ones(3), check=True)
jax.jit(lambda x: chosen(x, ["sum"]))(jnp.ones(()))


# %% membership in a list that a function inside, or a loop, appends to
import jax
import jax.numpy as jnp


def first_double(x, names):
    seen = ["start"]
    for name in names:
        if name in seen:
            return float(x)  #! JAX105
        seen.append(name)
    return x


def filled(x, name):
    names = ["a"]

    def add(other):
        names.append(other)

    add("b")
    return float(x) if name in names else x  #! JAX105


try:
    jax.jit(lambda x: first_double(x, ["p", "p"]))(jnp.ones(()))
except TypeError:
    jax.jit(lambda x: filled(x, "b"))(jnp.ones(()))


# %% ok: the constructor has asked for what is kept, before any trace
import jax
import jax.numpy as jnp


class Parts:
    def __init__(self, supports):
        self.supports = supports
        self._start = None
        self._ends = None
        self.ends

    @property
    def start(self):
        if not self._start:
            self._start = int(jnp.count_nonzero(self.supports)) * 3
        return self._start

    @property
    def ends(self):
        if self._ends is not None:
            return self._ends
        total = float(jnp.sum(self.supports))
        self._ends = [self.start, int(total) + 4]
        return self._ends

    def split(self, params):
        return jnp.split(params, self.ends)


parts = Parts(jnp.array([1, 0, 1]))
print(jax.jit(lambda p: parts.split(p)[0].sum())(jnp.ones(9)))


# %% raises-elsewhere: nobody has asked for it before a trace
import jax
import jax.numpy as jnp


class Parts:
    def __init__(self, supports):
        self.supports = supports
        self._start = None

    @property
    def start(self):
        if self._start is None:
            self._start = int(jnp.count_nonzero(self.supports)) * 3  #! JAX105
        return self._start

    def split(self, params):
        return jnp.split(params, [self.start])


parts = Parts(jnp.array([1, 0, 1]))
jax.jit(lambda p: parts.split(p)[0].sum())(jnp.ones(9))


# %% a flag that chooses what is compiled holds in what is compiled
import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, compiled):
        self.compiled = compiled
        if compiled:
            self.step = jax.jit(self._step)
        else:
            self.step = self._step

    def _step(self, x):
        if not self.compiled:
            print(float(x))
        return 2 * x


def loss(x, verbose):
    if verbose:
        print(float(x))
    return 2 * x


def by_argument(x, verbose=False):
    function = loss if verbose else jax.jit(loss, static_argnames="verbose")
    return function(x, verbose=verbose)


def by_return(x, verbose):
    if verbose:
        return loss(x, verbose)
    compiled = jax.jit(lambda x: loss(x, verbose))
    return [compiled(x) for _ in range(2)]


def by_closure(x, verbose):
    def doubled(x):
        if verbose:
            print(float(x))
        return 2 * x

    function = doubled if verbose else jax.jit(doubled)
    return [function(x) for _ in range(2)]


for flag in (True, False):
    print(Solver(flag).step(jnp.float32(1)), by_argument(jnp.float32(1), flag))
    print(by_return(jnp.float32(1), flag), by_closure(jnp.float32(1), flag))


# %% raises-elsewhere a flag that chooses what is compiled chooses wrongly there
import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, compiled):
        self.compiled = compiled
        if compiled:
            self.step = jax.jit(self._step)
        else:
            self.step = self._step

    def _step(self, x):
        if self.compiled:
            print(float(x))  #! JAX105
        return 2 * x


def loss(x, verbose):
    if verbose:
        print(float(x))  #! JAX105
    return 2 * x


def by_argument(x, verbose=False):
    function = jax.jit(loss, static_argnames="verbose") if verbose else loss
    return function(x, verbose=verbose)


def by_closure(x, verbose):
    def doubled(x):
        if not verbose:
            print(float(x))  #! JAX105
        return 2 * x

    function = doubled if verbose else jax.jit(doubled)
    return [function(x) for _ in range(2)]


for attempt in (
    lambda: Solver(True).step(jnp.float32(1)),
    lambda: by_argument(jnp.float32(1), True),
    lambda: by_closure(jnp.float32(1), False),
):
    print(attempt())


# %% norun compiled for nobody: no call of it is traced, since JAX takes no such argument
import time

import jax
import jax.numpy as jnp
import numpy as np


class Namelist:
    def __init__(self, scale):
        self.scale = scale


def solve(b, *, namelist: Namelist, tol=1e-6):
    start = time.perf_counter()
    x = jnp.asarray(b) * namelist.scale
    norm = float(jnp.linalg.norm(x))
    print(norm, time.perf_counter() - start)
    return np.asarray(x) / max(norm, tol)


solve_jit = jax.jit(solve, static_argnames=("tol",))
solve(np.ones(3), namelist=Namelist(2.0))


# %% norun the same, where JAX takes the argument: a named tuple, a registered class, a static argument
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Scale(NamedTuple):
    factor: float


@jax.tree_util.register_pytree_node_class
class Offset:
    def __init__(self, value):
        self.value = value

    def tree_flatten(self):
        return (self.value,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


class Namelist:
    def __init__(self, scale):
        self.scale = scale


def scaled(scale: Scale, x):
    return float(jnp.linalg.norm(x)) * scale.factor  #! JAX105


def shifted(offset: Offset, x):
    return float(jnp.linalg.norm(x)) + offset.value  #! JAX105


def solved(namelist: Namelist, x):
    return float(jnp.linalg.norm(x)) * namelist.scale  #! JAX105


fast_scaled = jax.jit(scaled)
fast_shifted = jax.jit(shifted)
fast_solved = jax.jit(solved, static_argnums=0)


# %% norun decorated: it was written to be traced
import jax
import jax.numpy as jnp


class Namelist:
    def __init__(self, scale):
        self.scale = scale


@jax.jit
def solve(namelist: Namelist, x):
    return float(jnp.linalg.norm(x)) * namelist.scale  #! JAX105


# %% functions of the standard library that need numbers
import array
import decimal
import fractions
import json
import statistics
import struct

import jax
import jax.numpy as jnp


@jax.jit
def averaged(x):
    return statistics.fmean([x[0], 1.0]) + statistics.mean(x)  #! JAX105


@jax.jit
def exact(x):
    return decimal.Decimal(x[0]), fractions.Fraction(x[1])  #! JAX105


@jax.jit
def packed(x):
    return struct.pack("f", x[0]), array.array("f", [x[0]])  #! JAX105


@jax.jit
def told(x, i):
    print("step".rjust(i))  #! JAX105
    print(json.dumps([x[0]], indent=2))  #! JAX105
    return x


@jax.grad
def spread(x):
    return x * statistics.pstdev([1.0, x], mu=0.5)  #! JAX105


x = jnp.arange(3.0)
accepted = []
for call in (lambda: averaged(x), lambda: exact(x), lambda: packed(x), lambda: told(x, 8), lambda: spread(1.0)):
    try:
        call()
    except (TypeError, struct.error):
        continue
    accepted.append(call)
assert not accepted, accepted
averaged(x)


# %% methods of arrays that need the buffer
import jax
import jax.numpy as jnp


@jax.jit
def waited(x):
    y = x * 2
    y.block_until_ready()  #! JAX105
    return y


@jax.jit
def asked(x):
    print(x.is_deleted(), x.devices(), x.tobytes())  #! JAX105
    return x


@jax.vmap
def copied(x):
    x.copy_to_host_async()  #! JAX105
    return x


accepted = []
for each in (waited, asked, copied):
    try:
        each(jnp.arange(3.0))
    except (TypeError, AttributeError):
        continue
    accepted.append(each)
assert not accepted, accepted
waited(jnp.arange(3.0))


# %% standard library on what is concrete, and methods of arrays outside of traces
import functools
import json
import statistics
import struct

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, static_argnames="widths")
def step(x, widths):
    scale = statistics.fmean(widths) + statistics.median([len(x), x.ndim]) + statistics.mean(x.shape)
    names = json.dumps({"shape": x.shape}), json.dumps([str(x.dtype), x.size], default=str), "x".rjust(x.ndim)
    print(names, struct.pack("i", x.shape[0]), json.dumps([x], default=str), json.dumps(x, default=repr))
    return x * scale


@jax.jit
def ready(x):
    x = x * 2
    if hasattr(x, "block_until_ready"):
        x.block_until_ready()
    if not isinstance(x, jax.core.Tracer):
        x.block_until_ready()
    return jax.block_until_ready(x)


y = step(jnp.ones(3), (1.0, 2.0)).block_until_ready()
print(y.devices(), y.is_deleted(), len(y.tobytes()), statistics.fmean(y.tolist()), statistics.fmean(np.asarray(y)))
print(struct.pack("f", y[0]), ready(y), jax.grad(lambda v: v * statistics.fmean(step(y, (1.0,)).tolist()))(1.0))


# %% norun: a call that does not fit leaves a jitted function as it is
import jax


@jax.jit
def cast(x, y):
    return float(x)  #! JAX105


def with_one(x):
    return cast(x)


@jax.jit
def cast_too(x, y):
    return float(x)  #! JAX105


def mapped(xs):
    return jax.tree.map(cast_too, xs)


# %% errors that a handler names by what a module has put together
import jax
import jax.numpy as jnp

_errors = [TypeError, jax.errors.ConcretizationTypeError]
_unexpected = getattr(jax.errors, "UnexpectedTracerError", None)
if _unexpected is not None:
    _errors.append(_unexpected)
EXPECTED = tuple(_errors)
Alias = jax.errors.ConcretizationTypeError


class Keys:
    errors = (ValueError, jax.errors.ConcretizationTypeError)

    def of(self, x):
        try:
            return float(x[0])
        except self.errors:
            return None


def key_of(x):
    try:
        return float(x[0])
    except EXPECTED:
        return None


def key_or_none(x):
    try:
        return float(x[0])
    except Alias:
        return None


@jax.jit
def f(x):
    assert key_of(x) is None and key_or_none(x) is None and Keys().of(x) is None
    return x


f(jnp.ones(3))


# %% and errors that it names otherwise
import jax
import jax.numpy as jnp

OTHERS = (KeyError, IndexError)


class Missing(Exception):
    pass


def key_of(x):
    try:
        return float(x[0])  #! JAX105
    except OTHERS:
        return None


def key_or_none(x):
    try:
        return float(x[0])  #! JAX105
    except Missing:
        return None


@jax.jit
def f(x):
    return x if key_or_none(x) is None else x + 1


@jax.jit
def g(x):
    return x if key_of(x) is None else x + 1


try:
    f(jnp.ones(3))
except (KeyError, IndexError, Missing):
    pass
g(jnp.ones(3))


# %% a trace makes registered objects anew of tracers: what their constructors ask of arrays raises there
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Weight:
    def __init__(self, x):
        self.x = float(x)  #! JAX105

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.jit
def double(weight):
    return weight.x * 2


def weighted(x):
    return double(Weight(x))


double(Weight(2.0))


# %% ... also where functions are registered beside the class
import jax


class Scale:
    def __init__(self, x):
        if x < 0:  #! JAX101
            x = 0.0
        self.x = x


def flatten_scale(scale):
    children = (scale.x,)
    return children, None


jax.tree_util.register_pytree_node(Scale, flatten_scale, lambda aux, children: Scale(children[0]))


@jax.jit
def double(scale):
    return scale.x * 2


double(Scale(2.0))


# %% ... and not where they are not asked, or are asked of what goes along
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Passed:
    def __init__(self, x):
        self.x = float(x)

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        made = object.__new__(cls)
        (made.x,) = children
        return made


@jax.tree_util.register_pytree_node_class
class Guarded:
    def __init__(self, x, size, check=True):
        if not isinstance(x, jax.core.Tracer):
            x = float(x)
        if check and x < 0:
            raise ValueError("negative")
        self.is_large = size > 3
        assert jnp.ndim(x) == 0
        self.x = x
        self.size = size

    def tree_flatten(self):
        return (self.x,), (self.size,)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, *aux, check=False)


class Keyed:
    def __init__(self, key):
        self.key = key
        self.x = jax.random.normal(key)


jax.tree_util.register_pytree_node(Keyed, lambda keyed: ((keyed.key,), None), lambda aux, items: Keyed(*items))


@jax.jit
def double(weight):
    return weight.x * 2


print(double(Passed(2.0)), double(Guarded(2.0, 4)), double(Keyed(jax.random.key(0))))
print(jax.grad(lambda weight: weight.x**2)(Passed(2.0)).x)


# %% the truth of a named tuple is what its own method says
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Converged(NamedTuple):
    err: jax.Array

    def __bool__(self):
        return bool(self.err < 1)  #! JAX105


@jax.jit
def step(x):
    if Converged(x.sum()):
        return x
    return x * 2


step(jnp.ones(3))


# %% a named tuple without such a method, and one whose method asks for nothing traced
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Pair(NamedTuple):
    err: jax.Array


class Known(NamedTuple):
    err: jax.Array
    count: int

    def __bool__(self):
        return self.count > 0

    def __len__(self):
        return int(self.err)


@jax.jit
def step(x):
    if Pair(x.sum()) and Known(x.sum(), 1):
        return x
    return x * 2


step(jnp.ones(3))
# %% an argument that is annotated as optional, and given
from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Neighbors:
    idx: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    position: jax.Array
    neighbors: Neighbors


def listed(position: jax.Array, neighbors: Neighbors | None = None) -> Neighbors:
    if neighbors is None:
        return Neighbors(jnp.arange(int(jnp.max(position) * 2)))
    return Neighbors(neighbors.idx)


def listed_anew(position: jax.Array, neighbors: Neighbors | None = None) -> Neighbors:
    if neighbors is None:
        return Neighbors(jnp.arange(int(jnp.max(position) * 2)))  #! JAX105
    return Neighbors(neighbors.idx)


def unpack(record):
    return tuple(getattr(record, field.name) for field in dataclasses.fields(record))


def step(i, state):
    position, neighbors = unpack(state)
    return State(position * 0.9, listed(position, neighbors))


def step_anew(i, state):
    position, neighbors = unpack(state)
    return State(position * 0.9, listed_anew(position))


start = jnp.ones(4)
jax.lax.fori_loop(0, 3, step, State(start, listed(start)))
jax.lax.fori_loop(0, 3, step_anew, State(start, listed_anew(start)))

# %% a keyword that no call passes has its default, and a test that is left by an error holds behind it
import json

import jax
import jax.numpy as jnp


class Convolution:
    def __init__(self, x, **kwargs):
        real_space = kwargs.pop("real_space", None)
        if bool(real_space):
            raise NotImplementedError
        self._real_space = bool(real_space)
        self.x = x

    def is_analytic(self):
        if self._real_space:
            return jnp.all(jnp.array([True, False])).item()
        return False


class Kept:
    def __init__(self, exact):
        if exact:
            raise NotImplementedError
        self.exact = exact
        self.is_exact = bool(exact)
        self.is_rough = not exact

    def scale(self, x):
        if self.exact or self.is_exact or not self.is_rough:
            return float(x)
        return x


def scaled(x, **kwargs):
    options = {**kwargs}
    unit, way = kwargs.get("unit", "m"), dict(kwargs).pop("way", None)
    if options.pop("exact", False) or way or "other" in kwargs or kwargs.copy().get("last"):
        return float(x)
    return x if unit == "m" else float(x)


def passed_on(x, *args, **kwargs):
    if kwargs.pop("first", None):
        return float(x)
    kwargs.pop("limit", None)
    return float(x) if kwargs.pop("limit", False) else scaled(x, *args, **kwargs)


def made(**kwargs):
    @jax.jit
    def scale(x):
        if kwargs.get("exact"):
            return float(x)
        return x

    return scale


def checked(x, exact):
    if bool(exact):
        raise NotImplementedError
    same = exact
    if exact or same or bool(same):
        return float(x)
    return x


class Chosen:
    def __init__(self, parts, **kwargs):
        exact = kwargs.pop("exact", None)
        hard = True
        for part in parts:
            if not part["hard"]:
                hard = False
        if exact is None:
            exact = hard if len(parts) <= 2 else False
        if exact:
            for part in parts:
                if not part["known"]:
                    exact = False
                    break
        if bool(exact):
            raise NotImplementedError
        self.exact = bool(exact)

    def scale(self, x):
        return float(x) if self.exact else x


EXACT = json.loads("0")
PARTS = json.loads('[{"hard": false}, {"hard": true}]')


@jax.jit
def step(x):
    x = Chosen(PARTS).scale(x)
    y = 2 * x if Convolution(x).is_analytic() else x
    return Kept(EXACT).scale(y) + passed_on(x, limit=True) + checked(x, EXACT)


print(step(1.0), made()(1.0), jax.jit(scaled)(1.0), jax.jit(Kept(EXACT).scale)(1.0))

# %% a keyword that a call passes
import jax


def scaled(x, **kwargs):
    if kwargs.pop("exact", None):
        return float(x)  #! JAX105
    return x


def passed_on(x, **kwargs):
    return scaled(x, **kwargs)


@jax.jit
def step(x):
    return passed_on(x, exact=True)


step(1.0)

# %% a keyword that no call passes, and that the function puts there itself
import jax


def scaled(x, **kwargs):
    kwargs.setdefault("exact", True)
    if kwargs.pop("exact", None):
        return float(x)  #! JAX105
    return x


@jax.jit
def step(x):
    return scaled(x)


step(1.0)

# %% a keyword that a helper puts there
import jax


def fill(options):
    options["exact"] = True


def scaled(x, **kwargs):
    fill(kwargs)
    if kwargs.get("exact"):
        return float(x)  #! JAX105
    return x


@jax.jit
def step(x):
    return scaled(x)


step(1.0)

# %% a keyword that an earlier turn of the loop has put there
import jax


def scaled(x, **kwargs):
    for _ in range(2):
        if kwargs.get("exact"):
            return float(x)  #! JAX105
        kwargs["exact"] = True
    return x


@jax.jit
def step(x):
    return scaled(x)


step(1.0)

# %% a keyword that another function of the same factory puts there
import jax


def made(**kwargs):
    @jax.jit
    def scale(x):
        if kwargs.get("exact"):
            return float(x)  #! JAX105
        return x

    def switch():
        kwargs["exact"] = True

    return scale, switch


scale, switch = made()
switch()
scale(1.0)

# %% the default of a keyword that no call passes is what the test finds
import jax


def scaled(x, **kwargs):
    if kwargs.get("exact", True):
        return float(x)  #! JAX105
    return x


@jax.jit
def step(x):
    return scaled(x)


step(1.0)

# %% what a test has shown of a list is over once the list is filled
import json

import jax


class Names:
    def __init__(self, names):
        if names:
            raise ValueError
        self.names = names

    def add(self, name):
        self.names.append(name)
        return self

    def scale(self, x):
        if self.names:
            return float(x)  #! JAX105
        return x


jax.jit(Names(json.loads("[]")).add("a").scale)(1.0)

# %% what a test has shown of a variable is over once another value is bound to it, and of an attribute once it is set
import json

import jax


class Kept:
    def __init__(self, exact):
        if bool(exact):
            raise NotImplementedError
        self.exact = bool(exact)

    def switch(self):
        self.exact = True
        return self

    def scale(self, x):
        if self.exact:
            return float(x)  #! JAX105
        return x


def checked(x, exact, other):
    if exact:
        raise NotImplementedError
    exact = other
    if exact:
        return float(x)  #! JAX105
    return x


jax.jit(Kept(json.loads("0")).switch().scale)(checked(1.0, json.loads("0"), 1))
jax.jit(checked, static_argnums=(1, 2))(1.0, json.loads("0"), json.loads("1"))

# %% what a test has shown of one of two lists is over once the list is filled
import json

import jax


def scaled(x, names, others):
    chosen = names if len(others) > 1 else others
    if chosen:
        raise ValueError
    chosen.append("a")
    if chosen:
        return float(x)  #! JAX105
    return x


@jax.jit
def step(x):
    return scaled(x, json.loads("[]"), json.loads("[]"))


step(1.0)


# %% classes of which a container of Python is the base: numbers, and what methods of their own give
from collections import OrderedDict, deque

import jax
import jax.numpy as jnp


class Stats(OrderedDict):
    def add(self, name, value):
        self[name] = value
        return self

    def best(self):
        return jnp.max(jnp.stack(list(self.values())))

    def names(self):
        if "a" in self and len(self) > 1:
            return list(self)
        return [n for n in self if n != "b"]


class Attr(dict):
    def __getattr__(self, name):
        return self[name]

    __setattr__ = dict.__setitem__


class Casting(dict):
    def __getitem__(self, name):
        return 1.0


class Defaults(dict):
    def __missing__(self, name):
        return 0.0


class Losses(list):
    def __iter__(self):
        return iter([1.0, 2.0])


class Config(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for key, value in self.items():
            if isinstance(value, dict):
                self[key] = Config(value)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]


CONFIG = Config(model={"depth": 2, "act": "relu"}, scale=2.0)


class Registry(dict):
    def register(self, name):
        def put(func):
            self[name] = func
            return func

        return put


OPS = Registry()


@OPS.register("double")
def double(x):
    return x * 2


@OPS.register("halve")
def halve(x):
    return x / 2


@jax.jit
def a(x):
    s = Stats()
    s.add("q", x).add("r", x * 2)
    if s.names() and s:
        return s.best()
    return x


@jax.jit
def b(x):
    t = Attr(a=x, n=3)
    if t.n > 2:
        t.n = 4
    if t["n"] > 3:
        return t.a
    return x


@jax.jit
def c(x):
    if Casting(a=x)["a"] > 0:
        return x
    return float(Defaults()["a"]) + x


@jax.jit
def d(x):
    return sum(float(v) for v in Losses([x])) + x


@jax.jit
def e(x):
    for _ in range(CONFIG.model.depth):
        x = x * CONFIG.scale
    if CONFIG.model.act == "relu" and CONFIG.model["depth"] > 1:
        return jnp.maximum(x, 0)
    return x


@jax.jit
def f(x):
    for name, op in OPS.items():
        if name == "double":
            x = op(x)
    return OPS["halve"](x)


class Window(deque):
    def __init__(self, n):
        super().__init__(maxlen=n)

    def mean(self):
        return sum(self) / max(len(self), 1)


window = Window(3)
for i in range(5):
    window.append(float(a(jnp.float32(i))))
    if window[-1] > 100 or window.mean() > 100:
        break

for fn in (a, b, c, d, e, f):
    fn(1.0)


class History(list):
    def log(self, value):
        self.append(float(value))
        return self


history = History()
for i in range(3):
    history.log(a(jnp.float32(i)))
assert max(history) > 0


class Vec(tuple):
    def __new__(cls, *items):
        return super().__new__(cls, items)

    def __add__(self, other):
        return Vec(*(p + q for p, q in zip(self, other)))


@jax.jit
def g(x):
    v = Vec(x, x) + Vec(1.0, 2.0)
    if len(v) == 2:
        return v[0]
    return v[1]


g(1.0)


class Keys(dict):
    def __init__(self, seed):
        super().__init__()
        self.key = jax.random.key(seed)

    def __missing__(self, name):
        self.key, self[name] = jax.random.split(self.key)
        return self[name]


keys = Keys(0)
draws = jax.random.normal(keys["a"]), jax.random.normal(keys["b"])


# %% what a subclass of dict holds, in a method of its own
import jax
import jax.numpy as jnp


class Metrics(dict):
    def compute(self):
        return {name: float(value) for name, value in self.items()}  #! JAX105


@jax.jit
def step(x):
    return Metrics(mean=x.mean(), peak=x.max()).compute()


step(jnp.ones(3))


# %% ... of OrderedDict, which a method has put in
from collections import OrderedDict

import jax
import jax.numpy as jnp


class Stats(OrderedDict):
    def add(self, name, value):
        self[name] = value
        return self


@jax.jit
def step(x):
    return float(Stats().add("total", x.sum())["total"])  #! JAX105


step(jnp.ones(3))


# %% ... of dict, which its constructor gives to that of dict
import jax
import jax.numpy as jnp


class Stats(dict):
    def __init__(self, total):
        super().__init__(total=total)


@jax.jit
def step(x):
    return float(Stats(x.sum()).get("total"))  #! JAX105


step(jnp.ones(3))


# %% ... or calls that by its name
import jax
import jax.numpy as jnp


class Stats(dict):
    def __init__(self, total):
        dict.__init__(self, total=total)


@jax.jit
def step(x):
    return float(Stats(x.sum()).pop("total"))  #! JAX105


step(jnp.ones(3))


# %% ... of list
import jax
import jax.numpy as jnp


class Losses(list):
    def total(self):
        return sum(float(each) for each in self)  #! JAX105


@jax.jit
def step(x):
    return Losses([x.sum(), x.max()]).total()


step(jnp.ones(3))


# %% ... of list, appended
import jax
import jax.numpy as jnp


class Losses(list):
    pass


def collect(x):
    losses = Losses()
    losses.append(x.sum())
    return losses


@jax.jit
def step(x):
    return float(collect(x)[0])  #! JAX105


step(jnp.ones(3))


# %% ... of UserDict, in the dict that it has
from collections import UserDict

import jax
import jax.numpy as jnp


class Stats(UserDict):
    def total(self):
        return float(self.data["total"])  #! JAX105


@jax.jit
def step(x):
    return Stats(total=x.sum()).total()


step(jnp.ones(3))


# %% ... of deque
from collections import deque

import jax
import jax.numpy as jnp


class Window(deque):
    def __init__(self, items):
        super().__init__(items, maxlen=3)


@jax.jit
def step(x):
    return float(Window([x.sum()])[-1])  #! JAX105


step(jnp.ones(3))


# %% ... of tuple
import jax
import jax.numpy as jnp


class Vector(tuple):
    def norm(self):
        return float(sum(each**2 for each in self)) ** 0.5  #! JAX105


@jax.jit
def step(x):
    return Vector((x.sum(), x.max())).norm()


step(jnp.ones(3))


# %% ... of a dict, spread over arguments
import jax
import jax.numpy as jnp


class Stats(dict):
    pass


def report(total):
    return float(total)  #! JAX105


@jax.jit
def step(x):
    return report(**Stats(total=x.sum()))


step(jnp.ones(3))


# %% ... of a mapping with the methods that its abstract base has
from collections.abc import Mapping

import jax
import jax.numpy as jnp


class Batch(Mapping):
    def __init__(self, **arrays):
        self.arrays = arrays

    def __getitem__(self, name):
        return self.arrays[name]

    def __iter__(self):
        return iter(self.arrays)

    def __len__(self):
        return len(self.arrays)


@jax.jit
def step(x):
    return [float(each.sum()) for each in Batch(a=x, b=x).values()]  #! JAX105


step(jnp.ones(3))

# %% norun what stands in for a function that nobody gives: by `or`, of an object, as a default that is an object
import jax


def plain(x):
    return float(x)  #! JAX105


class Rounded:
    def __call__(self, x):
        return int(x)  #! JAX105


class Squared:
    def __call__(self, x):
        return float(x) ** 2  #! JAX105


def fit(xs, metric=None):
    metric = metric or plain

    @jax.jit
    def step(x):
        return x + metric(x)

    return [step(x) for x in xs]


def rounded(xs, metric=None):
    metric = metric or Rounded()
    return jax.jit(lambda x: x + metric(x))(xs)


def squared(xs, metric=Squared()):
    return jax.jit(lambda x: x + metric(x))(xs)

# %% what stands in for a function that all callers give
import jax


def plain(x):
    return float(x)


def fit(xs, metric=None):
    metric = metric or plain

    @jax.jit
    def step(x):
        return x + metric(x)

    return [step(x) for x in xs]


fit([1.0], lambda x: x * 2)

# %% what functools keeps from a call outside of traces is not computed in one
import functools

import jax


class Data:
    def __init__(self, seed):
        self.seed = seed

    @functools.cached_property
    def plan(self):
        return int(jax.random.bits(jax.random.key(self.seed))) % 7

    @property
    def spec(self):
        return self.plan + 1


@functools.cache
def size(seed, *, most=7):
    return draw(seed) % most


def draw(seed):
    return int(jax.random.bits(jax.random.key(seed)))


data = Data(0)
print(data.spec, size(1))
print(jax.jit(lambda x: x + data.spec)(1.0))
print(jax.jit(lambda x: x + size(1))(1.0))


def check(trainer):
    print(trainer.data.spec)
    return jax.eval_shape(functools.partial(trainer.init, scale=2.0))


class Trainer:
    def __init__(self, data):
        self.data = data

    def init(self, scale):
        return jax.numpy.zeros(3) + scale * self.data.plan


check(Trainer(Data(3)))

# %% what functools keeps for another object, or for other arguments, is computed in the trace
import functools

import jax


class Data:
    def __init__(self, seed):
        self.seed = seed

    @functools.cached_property
    def plan(self):
        return int(jax.random.bits(jax.random.key(self.seed))) % 7  #! JAX105


first, second = Data(0), Data(1)
print(first.plan)
print(jax.jit(lambda x: x + first.plan)(1.0))
print(jax.jit(lambda x: x + second.plan)(1.0))

# %% what is kept for one argument is computed in a trace for another
import functools

import jax


@functools.cache
def size(seed):
    return int(jax.random.bits(jax.random.key(seed))) % 7  #! JAX105


print(size(1))
print(jax.jit(lambda x: x + size(1))(1.0))
print(jax.jit(lambda x: x + size(2))(1.0))

# %% a caller that keeps what it computes in one place, and computes it in another one
import jax
import jax.numpy as jnp


class Total:
    def __init__(self):
        self.total = None

    def compute(self):
        return float(jnp.arange(3).sum())  #! JAX105

    def get(self, x):
        y = x * self.compute()
        if self.total is None:
            self.total = self.compute()
        return y * self.total


total = Total()
print(total.get(jnp.ones(3)))
print(jax.jit(lambda x: total.get(x))(jnp.ones(3)))

# %% functools tells calls apart by how their arguments are written
import functools

import jax
import jax.numpy as jnp


@functools.cache
def table(n):
    return float(jnp.arange(n).sum())  #! JAX105


print(table(3))
print(jax.jit(lambda x: table(n=3) * x)(jnp.ones(3)))

# %% a cache that is emptied before the trace
import functools

import jax
import jax.numpy as jnp


@functools.cache
def table(n):
    return float(jnp.arange(n).sum())  #! JAX105


print(table(3))
table.cache_clear()
print(jax.jit(lambda x: table(3) * x)(jnp.ones(3)))

# %% what a cached property has kept is deleted before the trace
import functools

import jax
import jax.numpy as jnp


class Table:
    @functools.cached_property
    def total(self):
        return float(jnp.arange(3).sum())  #! JAX105


table = Table()
print(table.total)
del table.total
print(jax.jit(lambda x: table.total * x)(jnp.ones(3)))
