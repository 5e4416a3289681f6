

# %% scan body outside jit: a scan stages its body even where the caller is eager
import jax.numpy as jnp
from jax import lax


def adaptive_rk4(y0, ts):
    def advance(carry, t):
        y, h = carry
        k1 = -y * jnp.cos(t)
        error = jnp.abs(h * k1)
        if error > 1e-3: #! JAX101
            h = h * 0.5
        return (y + h * k1, h), y

    return lax.scan(advance, (y0, 0.1), ts)


adaptive_rk4(jnp.float32(1.0), jnp.linspace(0.0, 1.0, 5))

# %% ternary in a lambda that is compiled under an alias of the module
import jax as j
import jax.numpy as jnp

huber = j.jit(lambda r, delta: 0.5 * r**2 if abs(r) < delta else delta * abs(r)) #! JAX101
huber(jnp.float32(0.3), 1.0)

# %% assert on values, after asserts on shape and dtype that are fine
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(0,))
def normalise_rows(weights):
    assert weights.ndim == 2, f"expected a matrix, got {weights.shape}"
    assert jnp.issubdtype(weights.dtype, jnp.floating)
    total = weights.sum(axis=1, keepdims=True)
    assert (total > 0).all(), "empty row" #! JAX101
    return weights / total


normalise_rows(jnp.ones((2, 3)))

# %% match guard: the subject is static, the guard is not
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("kind",))
def reward(kind, distance):
    match kind:
        case "sparse" if distance < 0.1: #! JAX101
            return 1.0
        case "sparse":
            return 0.0
        case _:
            return -distance


reward("dense", jnp.float32(0.5))
reward("sparse", jnp.float32(0.5))

# %% match on a traced value: a literal pattern compares with == and asks for its truth
import jax


@jax.jit
def table(mode, x):
    match mode:
        case 0: #! JAX101
            return x
        case _:
            return -x


table(0, 2.0)

# %% comprehension condition over the elements of a list of tracers
import jax
import jax.numpy as jnp


@jax.jit
def positive_losses(losses):
    kept = [loss for loss in losses if loss > 0] #! JAX101
    return sum(kept)


positive_losses([jnp.float32(1.0), jnp.float32(2.0)])

# %% helper called with a static and with a traced flag: the traced call makes the finding
import jax
import jax.numpy as jnp


def maybe_flip(image, flip):
    if flip: #! JAX101
        return image[::-1]
    return image


@jax.jit
def always(image):
    return maybe_flip(image, True)


@jax.jit
def sometimes(image, coin):
    return maybe_flip(image, coin > 0.5)


always(jnp.arange(3.0))
sometimes(jnp.arange(3.0), 0.7)

# %% twin helpers: the same flag, but every caller passes a Python constant
import jax
import jax.numpy as jnp


def maybe_flip(image, flip, verbose=False):
    if verbose and image.ndim > 2:
        raise ValueError("image too deep")
    if flip:
        return image[::-1]
    return image


@jax.jit
def always(image):
    return maybe_flip(image, True)


@jax.jit
def never(image):
    return maybe_flip(image, flip=image.ndim > 1)


def eager(image, coin):
    return maybe_flip(image, coin > 0.5)


always(jnp.arange(3.0))
never(jnp.arange(3.0))
eager(jnp.arange(3.0), 0.7)
eager(jnp.arange(3.0), jnp.float32(0.7))

# %% default argument that the transformed callable is given by a caller
import jax
import jax.numpy as jnp


@jax.jit
def dense(x, w, activate=False):
    y = jnp.dot(x, w)
    if activate: #! JAX101
        y = jnp.tanh(y)
    return y


dense(jnp.ones(2), jnp.eye(2))
dense(jnp.ones(2), jnp.eye(2), activate=True)

# %% default argument that no caller overrides stays a Python value
import jax
import jax.numpy as jnp


@jax.jit
def dense(x, w, activate=False, kind="tanh", limits=(0.0, 1.0)):
    y = jnp.dot(x, w)
    if activate:
        y = jnp.tanh(y) if kind == "tanh" else y
    if limits[0] < limits[1]:
        y = jnp.clip(y, *limits)
    return y


dense(jnp.ones(2), jnp.eye(2))
dense(jnp.ones(2), w=jnp.eye(2))

# %% bool under vmap of what depends on the mapped argument
import jax
import jax.numpy as jnp


def clipped_gain(gain, floor):
    return gain if gain > floor else floor #! JAX101


jax.vmap(clipped_gain, in_axes=(0, None))(jnp.arange(3.0), 1.0)

# %% under a bare vmap an unmapped argument, a closure and a constant array are concrete
import jax
import jax.numpy as jnp

threshold = jnp.float32(0.5)


def gate(x, temperature):
    scale = jnp.exp(jnp.zeros(()))
    if temperature > 1.0:
        x = x / temperature
    if threshold > 0:
        x = x - threshold
    if scale > 0.5:
        x = x * scale
    return x


jax.vmap(gate, in_axes=(0, None))(jnp.arange(3.0), jnp.float32(2.0))
jax.vmap(lambda x: gate(x, 0.5))(jnp.arange(3.0))

# %% the same closure under jit(vmap): what jax.numpy makes in a staged body is a tracer
import jax
import jax.numpy as jnp


def gate(x):
    scale = jnp.exp(jnp.zeros(()))
    if scale > 0.5: #! JAX101
        x = x * scale
    return x


jax.vmap(gate)(jnp.arange(3.0))
jax.jit(jax.vmap(gate))(jnp.arange(3.0))

# %% gradient alone: bool of a tracer of differentiation is allowed
import jax
import jax.numpy as jnp


def hinge(w, x):
    margin = jnp.vdot(w, x)
    if margin > 1:
        return 0.0 * margin
    return 1 - margin


jax.grad(hinge)(jnp.ones(2), jnp.ones(2))
jax.value_and_grad(lambda w: w**2 if w > 0 else -w)(3.0)
jax.jvp(lambda t: t * 2 if t < 1 else t, (0.5,), (1.0,))

# %% gradient inside jit: now the branch is staged
import jax
import jax.numpy as jnp


def hinge(w, x):
    margin = jnp.vdot(w, x)
    if margin > 1: #! JAX101
        return 0.0 * margin
    return 1 - margin


@jax.jit
def update(w, x, lr):
    return w - lr * jax.grad(hinge)(w, x)


jax.grad(hinge)(jnp.ones(2), jnp.ones(2))
update(jnp.ones(2), jnp.ones(2), 0.1)

# %% vmap of grad batches, so the branch sees a batched tracer
import jax
import jax.numpy as jnp


def penalty(theta):
    if jnp.max(theta) > 2.0: #! JAX101
        return jnp.sum(theta)
    return jnp.sum(theta**2)


per_example = jax.vmap(jax.grad(penalty))
per_example(jnp.ones((4, 2)))

# %% truth of a pytree, None checks, type checks and keys are Python's
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Batch(NamedTuple):
    image: jax.Array
    mask: jax.Array | None = None


@jax.jit
def loss(params, batch, extras=None):
    if not params:
        return jnp.float32(0)
    if extras:
        raise ValueError("unexpected")
    out = batch.image * params["scale"]
    if "bias" in params:
        out = out + params["bias"]
    if batch.mask is not None:
        out = jnp.where(batch.mask, out, 0)
    if isinstance(params.get("head"), (list, tuple)) and len(params["head"]) > 1:
        out = out * params["head"][1]
    if isinstance(batch.image, jax.Array):
        out = out + 1
    return out.sum()


loss({"scale": 2.0, "head": [1.0, 2.0]}, Batch(jnp.ones(2)), {})
loss({"scale": 2.0, "bias": 1.0}, Batch(jnp.ones(2), jnp.array([True, False])))
loss({}, Batch(jnp.ones(2)))

# %% truth of a leaf of the same pytree
import jax
import jax.numpy as jnp


@jax.jit
def guarded(params, x):
    if params["frozen"]: #! JAX101
        return x
    return x * params["scale"]


guarded({"frozen": True, "scale": 2.0}, jnp.ones(2))

# %% static by name, by number, by negative number, and static even when passed by keyword
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1, -1))
def pool(x, window, kind, causal):
    if causal and window > 1:
        x = x[::-1]
    return x * kind


@jax.jit
def outer(x):
    return pool(x, 2, 1.0, False)


def resize(x, *, method, antialias=True):
    if method == "nearest" or not antialias:
        return x
    return (x + x[::-1]) / 2


fast_resize = jax.jit(resize, static_argnames=["method", "antialias"])
numbered = jax.jit(lambda x, flip: -x if flip else x, static_argnums=1)
pool(jnp.ones(3), 3, 2.0, True)
outer(jnp.ones(3))
fast_resize(jnp.ones(3), method="linear", antialias=False)
numbered(jnp.ones(3), flip=True)

# %% a method that sets an attribute of its own name calls the method before
import jax
import jax.numpy as jnp


class Trainer:
    def compile(self):
        self.step = jax.jit(self.step)

    def step(self, x):
        return x if x.sum() > 0 else -x #! JAX101


trainer = Trainer()
trainer.compile()
trainer.step(jnp.ones(2))

# %% static_argnums of a method counts self, and the off-by-one leaves the flag traced
from functools import partial

import jax
import jax.numpy as jnp


class Filter:
    @partial(jax.jit, static_argnums=(0, 1))
    def apply(self, x, causal):
        if causal: #! JAX101
            return jnp.cumsum(x)
        return x

    @partial(jax.jit, static_argnums=(0, 2))
    def right(self, x, causal):
        return jnp.cumsum(x) if causal else x


signal = jnp.ones(3)
Filter().right(signal, True)
Filter().apply(3.0, True)

# %% configuration held by a static self, set once, steers the branch
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Sampler:
    steps: int = 3
    ancestral: bool = False

    @partial(jax.jit, static_argnames="self")
    def sample(self, x):
        if self.ancestral:
            x = x + 1
        for _ in range(self.steps):
            x = x * 0.9
        return x if self.steps > 2 else -x


Sampler(ancestral=True).sample(jnp.ones(2))

# %% the method's own tracer is bad even though self is static
from functools import partial

import jax
import jax.numpy as jnp


class Controller:
    def __init__(self, gain, limit):
        self.gain = gain
        self.limit = limit
        self._step = jax.jit(self._raw_step)

    def _saturate(self, u):
        if u > self.limit: #! JAX101
            return self.limit
        return u

    def _raw_step(self, error):
        if self.gain > 1:
            error = error * self.gain
        return self._saturate(error)

    def __call__(self, error):
        return self._step(error)


Controller(2.0, 1.0)(jnp.float32(0.1))

# %% tracer guards: what is behind them runs for concrete values only
import jax
import jax.numpy as jnp


def check_probability(p):
    if not isinstance(p, jax.core.Tracer):
        if (p < 0).any() or (p > 1).any():
            raise ValueError("not a probability")
    return p


def validated(p):
    if isinstance(p, jax.core.Tracer):
        return p
    if p.min() < 0:
        raise ValueError("negative")
    return p


@jax.jit
def entropy(p):
    p = validated(check_probability(p))
    return -jnp.sum(p * jnp.log(p))


entropy(jnp.array([0.5, 0.5]))
check_probability(jnp.array([0.5, 0.5]))

# %% a predicate of the project's own that answers whether any argument is a tracer
import jax
import jax.numpy as jnp


def is_concrete(*values):
    return not any(isinstance(value, jax.core.Tracer) for value in jax.tree.leaves(values))


def assert_positive(x, name):
    if is_concrete(x) and (x <= 0).any():
        raise ValueError(f"{name} must be positive")


@jax.jit
def gamma_log_density(x, rate):
    assert_positive(rate, "rate")
    return -rate * x


gamma_log_density(jnp.ones(2), jnp.ones(2))

# %% the body of a callback runs on the host with NumPy arrays
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback


def on_host(x):
    if x.sum() > 1:
        return np.float32(x.max())
    return np.float32(0)


def report(step):
    if step % 2 == 0:
        assert float(step) >= 0


def log(step):
    if step > 1:
        return np.int32(1)
    return np.int32(0)


@jax.jit
def simulate(x, step):
    jax.debug.callback(report, step)
    seen = io_callback(log, jax.ShapeDtypeStruct((), jnp.int32), step)
    peak = jax.pure_callback(on_host, jax.ShapeDtypeStruct((), jnp.float32), x)
    return x / peak + seen


simulate(jnp.ones(3), 2)

# %% ensure_compile_time_eval computes at once what does not depend on a tracer
import jax
import jax.numpy as jnp


@jax.jit
def spectral(x):
    with jax.ensure_compile_time_eval():
        grid = jnp.linspace(0.0, 1.0, 4)
        if grid.max() > 0.5:
            grid = grid * 2
    return x * grid


spectral(jnp.ones(4))

# %% disable_jit turns tracing off for the calls inside it
import jax
import jax.numpy as jnp


def newton(x):
    return x - 1 if x > 1 else x


step = jax.jit(newton)
with jax.disable_jit():
    step(jnp.float32(3.0))

# %% disable_jit with a flag that is false leaves everything traced
import jax
import jax.numpy as jnp


def halve(x):
    while x > 1:  #! JAX102
        x = x / 2
    return x


with jax.disable_jit(False):
    jax.jit(halve)(jnp.float32(8.0))

# %% disable_jit with a flag that nothing is known of: the function may be traced
import jax
import jax.numpy as jnp


def clamp(x):
    if x > 1:  #! JAX101
        return x / x
    return x


def main(args):
    with jax.disable_jit(disable=args["eager"]):
        return jax.jit(clamp)(jnp.float32(3.0))


main({"eager": bool(jnp.zeros(()))})

# %% what is done with complex arrays, where it is not known that an array is complex
import jax
import jax.numpy as jnp


def real_part(values):
    if jnp.iscomplexobj(values):
        if jnp.allclose(values.imag, 0.0):
            return values.real
        raise ValueError("complex")
    return values


def checked(values):
    if not jnp.iscomplexobj(values):
        if jnp.any(values < 0.0): #! JAX101
            raise ValueError("negative")
    return values


@jax.jit
def norm(x):
    return real_part(jnp.real(jnp.conj(x) * x)).sum()


@jax.jit
def root(x):
    return jnp.sqrt(checked(x.astype(jnp.float32)))


print(norm(jnp.ones(2, complex)))
root(jnp.ones(2))

# %% disable_jit inside disable_jit may turn jit on again
import jax
import jax.numpy as jnp


def sign(x):
    return 1 if x > 0 else -1  #! JAX101


with jax.disable_jit(), jax.disable_jit(False):
    jax.jit(sign)(jnp.float32(3.0))

# %% disable_jit(True), in a variable, on an exit stack, and behind a context manager of one's own
import contextlib

import jax
import jax.numpy as jnp


def newton(x):
    return x - 1 if x > 1 else x


def shrink(x):
    return x / 2 if x > 1 else x


def grow(x):
    return x * 2 if x < 1 else x


@contextlib.contextmanager
def debugging():
    with jax.disable_jit(disable=True):
        yield


eager = jax.disable_jit()
with eager:
    jax.jit(newton)(jnp.float32(3.0))
with contextlib.ExitStack() as stack:
    stack.enter_context(jax.disable_jit())
    jax.jit(shrink)(jnp.float32(3.0))
with debugging():
    jax.jit(grow)(jnp.float32(3.0))

# %% an exit stack that enters disable_jit only where a flag asks for it
import contextlib

import jax
import jax.numpy as jnp


def flip(x):
    return -x if x > 1 else x  #! JAX101


def main(args):
    with contextlib.ExitStack() as stack:
        if args["eager"]:
            stack.enter_context(jax.disable_jit())
        return jax.jit(flip)(jnp.float32(3.0))


main({"eager": bool(jnp.zeros(()))})

# %% what was entered on an exit stack ends with it
import contextlib

import jax
import jax.numpy as jnp


def relu(x):
    return x if x > 0 else 0 * x


def hinge(x):
    return x if x > 1 else 0 * x  #! JAX101


stack = contextlib.ExitStack()
stack.enter_context(jax.disable_jit())
jax.jit(relu)(jnp.float32(3.0))
stack.close()
jax.jit(hinge)(jnp.float32(3.0))

# %% jax.config.update("jax_disable_jit", True): nothing is traced from there on
import jax
import jax.numpy as jnp

jax.config.update("jax_disable_jit", True)


@jax.jit
def newton(x):
    if x > 1:
        x = x - 1
    return x


newton(jnp.float32(3.0))
jax.config.update("jax_disable_jit", False)

# %% norun: functions that are called later run under what their module has set for the process
import jax

jax.config.update("jax_disable_jit", True)


@jax.jit
def newton(x):
    if x > 1:
        x = x - 1
    return x


def solve(x):
    return newton(x)

# %% jax.config.update("jax_disable_jit", False) says what holds anyway
import jax
import jax.numpy as jnp

jax.config.update("jax_disable_jit", False)


@jax.jit
def newton(x):
    if x > 1:  #! JAX101
        x = x - 1
    return x


newton(jnp.float32(3.0))

# %% eager code branches on arrays as it likes, jitted callees inside
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, g):
    return w - 0.1 * g, jnp.abs(g).max()


def fit(w):
    best = jnp.inf
    for _ in range(3):
        w, size = train_step(w, 2 * w)
        if size < best:
            best = size
        if jnp.isnan(w).any():
            break
    return w if best > 0 else -w


fit(jnp.ones(2))

# %% cond branches: operands are tracers in both, even outside jit
from jax import lax
import jax.numpy as jnp


def reflect(v):
    return -v if v < 0 else v #! JAX101


def keep(v):
    return v


lax.cond(True, keep, reflect, jnp.float32(-1.0))

# %% while_loop body called eagerly, the test on a piece of a tuple state
import jax.numpy as jnp
from jax import lax


def bisect(lo, hi, tolerance=1e-3):
    def unfinished(state):
        low, high = state
        return high - low > tolerance

    def halve(state):
        low, high = state
        middle = 0.5 * (low + high)
        if middle**2 > 2.0: #! JAX101
            return low, middle
        return middle, high

    return lax.while_loop(unfinished, halve, (lo, hi))


bisect(jnp.float32(0.0), jnp.float32(2.0))

# %% fori_loop with Python bounds: the index is a tracer all the same
import jax.numpy as jnp
from jax import lax


def accumulate(xs):
    def body(i, total):
        if i == 0: #! JAX101
            return xs[i]
        return total + xs[i]

    return lax.fori_loop(0, 3, body, jnp.float32(0))


accumulate(jnp.arange(3.0))

# %% unrolled Python loop: its index is an int and may steer
import jax
import jax.numpy as jnp


@jax.jit
def stack(x, weights):
    for i, w in enumerate(weights):
        x = jnp.tanh(x * w)
        if i < len(weights) - 1:
            x = x + 1
        if i % 2 == 0 and w.ndim == 0:
            x = x * 2
    return x


stack(jnp.ones(2), [1.0, 2.0])

# %% a custom_vjp's nondiff argument is static in primal, forward and backward
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def clip_gradient(mode, x):
    return x if mode == "identity" else -x


def clip_forward(mode, x):
    if mode == "identity":
        return x, None
    return -x, None


def clip_backward(mode, residual, cotangent):
    if mode == "identity" and residual is None:
        return (jnp.clip(cotangent, -1, 1),)
    return (-cotangent,)


clip_gradient.defvjp(clip_forward, clip_backward)
jax.jit(jax.grad(lambda x: clip_gradient("identity", x)))(2.0)

# %% backward rule of a custom_vjp branches on its cotangent
import jax
import jax.numpy as jnp


@jax.custom_vjp
def safe_norm(x):
    return jnp.sqrt(jnp.sum(x**2))


def norm_forward(x):
    norm = safe_norm(x)
    return norm, (x, norm)


def norm_backward(residuals, cotangent):
    x, norm = residuals
    if norm == 0: #! JAX101
        return (jnp.zeros_like(x),)
    return (cotangent * x / norm,)


safe_norm.defvjp(norm_forward, norm_backward)
train = jax.jit(jax.grad(safe_norm))
train(jnp.ones(3))

# %% the rule of a custom_jvp under plain differentiation sees concrete primals
import jax
import jax.numpy as jnp


@jax.custom_jvp
def soft_abs(x):
    return jnp.abs(x)


@soft_abs.defjvp
def soft_abs_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    if x > 0:
        return soft_abs(x), dx
    return soft_abs(x), -dx


jax.jvp(soft_abs, (1.0,), (1.0,))

# %% checkpoint stages its function even without jit around
import jax
import jax.numpy as jnp


@jax.checkpoint
def block(x):
    if x.mean() > 0: #! JAX101
        return jnp.sin(x)
    return jnp.cos(x)


block(jnp.ones(3))

# %% early return narrows: behind the check for None the mask is an array, the branch is on None
import jax
import jax.numpy as jnp


@jax.jit
def masked_mean(x, mask=None):
    if mask is None:
        return x.mean()
    if mask.ndim != x.ndim:
        mask = mask[:, None]
    weight = mask if mask.dtype == x.dtype else mask.astype(x.dtype)
    return (x * weight).sum() / weight.sum()


masked_mean(jnp.ones((2, 2)))
masked_mean(jnp.ones((2, 2)), jnp.ones(2, bool))

# %% walrus binds a tracer in the test of a jitted method
import jax
import jax.numpy as jnp


class LineSearch:
    def __init__(self, c):
        self.c = c

    def search(self, f0, f1):
        if (drop := f0 - f1) > self.c: #! JAX101
            return drop
        return jnp.zeros_like(drop)


search = LineSearch(0.1)
compiled = jax.jit(search.search)
compiled(jnp.float32(1.0), jnp.float32(0.5))

# %% factory closes over configuration: its branches are on Python values
import jax
import jax.numpy as jnp


def make_step(config, *, clip=None, schedule=lambda step: 0.1):
    def step(params, grads, count):
        if config["decay"] > 0:
            params = params * (1 - config["decay"])
        if clip:
            grads = jnp.clip(grads, -clip, clip)
        return params - schedule(count) * grads

    return jax.jit(step)


make_step({"decay": 0.1}, clip=1.0)(jnp.ones(2), jnp.ones(2), 3)
make_step({"decay": 0.0})(jnp.ones(2), jnp.ones(2), 3)

# %% partial binds a Python flag before jit, another partial leaves it traced
from functools import partial

import jax
import jax.numpy as jnp


def attend(causal, scale, q):
    if causal: #! JAX101
        q = jnp.cumsum(q)
    return q * scale


causal_attend = jax.jit(partial(attend, True))
full_attend = jax.jit(partial(attend, causal=False))
traced_attend = jax.jit(partial(attend, scale=2.0))
causal_attend(1.0, jnp.ones(2))
full_attend(scale=1.0, q=jnp.ones(2))
traced_attend(True, q=jnp.ones(2))

# %% partial binds every Python flag: nothing is traced
from functools import partial

import jax
import jax.numpy as jnp


def attend(causal, q, scale=1.0, window=None):
    if causal and window is None:
        q = jnp.cumsum(q)
    return q * scale if scale != 1.0 else q


causal_attend = jax.jit(partial(attend, True, scale=0.5))
mapped_attend = jax.vmap(partial(attend, False, window=3))
causal_attend(jnp.ones(2))
mapped_attend(jnp.ones(2))

# %% a decorator of the project's own passes everything on, static names included
import functools

import jax
import jax.numpy as jnp


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@functools.partial(jax.jit, static_argnames=("training",))
@logged
def forward(params, x, training=False):
    x = x * params
    if training:
        x = x + 1
    return x


@jax.jit
@logged
def unsafe(params, x):
    if x.sum() > 0: #! JAX101
        return x * params
    return x


forward(2.0, jnp.ones(2), training=True)
unsafe(2.0, jnp.ones(2))

# %% an enum, a string, a dtype and a function are static wherever they come from
import enum
from functools import partial

import jax
import jax.numpy as jnp


class Reduction(enum.Enum):
    MEAN = "mean"
    SUM = "sum"


@partial(jax.jit, static_argnames=("reduction", "link"))
def total(x, reduction=Reduction.MEAN, link=None):
    if link is jnp.exp or callable(link):
        x = link(x)
    if x.dtype == jnp.bfloat16:
        x = x.astype(jnp.float32)
    if reduction is Reduction.SUM:
        return x.sum()
    elif reduction == Reduction.MEAN:
        return x.mean()
    raise ValueError(reduction)


total(jnp.ones(2), Reduction.SUM, link=jnp.exp)

# %% meta fields of a registered dataclass are static, its data fields are tracers
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["position", "charge"], meta_fields=["species", "frozen"])
@dataclasses.dataclass
class Particles:
    position: jax.Array
    charge: jax.Array
    species: str
    frozen: bool = False


@jax.jit
def energy(particles):
    if particles.species == "electron":
        sign = -1.0
    else:
        sign = 1.0
    if particles.frozen:
        return jnp.zeros(())
    if particles.charge.ndim and len(particles.position) > 1:
        sign = sign * 2
    if particles.charge.sum() == 0: #! JAX101
        return jnp.zeros(())
    return sign * particles.position.sum()


energy(Particles(jnp.ones(2), jnp.ones(2), "ion"))

# %% a dataclass whose static field is declared with metadata of the field
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Grid:
    values: jax.Array
    periodic: bool = dataclasses.field(metadata={"static": True}, default=True)
    axis: int = dataclasses.field(metadata=dict(static=True), default=0)


def gradient(grid: Grid) -> jax.Array:
    if grid.periodic:
        return jnp.roll(grid.values, -1, grid.axis) - grid.values
    return jnp.diff(grid.values, axis=grid.axis)


jax.jit(gradient)(Grid(jnp.arange(3.0), periodic=False))
jax.jit(gradient)(Grid(jnp.arange(3.0)))

# %% pytree class with children and aux data: the aux field steers, the child must not
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Dual:
    def __init__(self, value, order):
        self.value = value
        self.order = order

    def tree_flatten(self):
        return (self.value,), self.order

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children[0], aux)

    def relu(self):
        if self.order > 1:
            return self.value
        return self.value if self.value > 0 else 0.0 #! JAX101


@jax.jit
def apply(dual):
    return dual.relu()


apply(Dual(1.0, 2))
apply(Dual(1.0, 1))

# %% a callable object compiled: __call__ sees the tracer
import jax
import jax.numpy as jnp


class Barrier:
    def __init__(self, height):
        self.height = height

    def __call__(self, x):
        if x.max() > self.height: #! JAX101
            return jnp.inf
        return x.sum()


potential = jax.jit(Barrier(3.0))
potential(jnp.ones(2))

# %% a table of functions: the key is static, only one entry reaches jit
import jax
import jax.numpy as jnp


def host_only(x):
    return x if x > 0 else -x


def traced_safe(x):
    return jnp.abs(x)


KERNELS = {"host": host_only, "device": traced_safe}


def run(name, x):
    return KERNELS[name](x)


run("host", jnp.float32(-1.0))
jax.jit(KERNELS["device"])(jnp.float32(-1.0))

# %% a table of lambdas mapped by switch: each branch is staged
import jax.numpy as jnp
from jax import lax

BRANCHES = (
    lambda x: x + 1,
    lambda x: x * 2 if x > 0 else x, #! JAX101
)

lax.switch(0, BRANCHES, jnp.float32(1.0))

# %% dead flag: the branch on values is behind a debug flag that nobody sets
import jax
import jax.numpy as jnp

DEBUG = False


def project(x, check=False):
    if DEBUG:
        assert (x > 0).all()
    if check:
        assert jnp.isfinite(x).all()
    return x / x.sum()


@jax.jit
def iterate(x):
    return project(project(x, check=False))


iterate(jnp.ones(3))
project(jnp.ones(3), check=True)

# %% the error is expected: a test of the error itself
import jax
import jax.numpy as jnp


def threshold(x):
    return x if x > 0 else 0.0


try:
    jax.jit(threshold)(jnp.float32(1.0))
except jax.errors.TracerBoolConversionError:
    fallback = jnp.maximum(jnp.float32(1.0), 0.0)

# %% catching the error inside the traced function and falling back
import jax
import jax.numpy as jnp


@jax.jit
def robust(x):
    try:
        positive = bool(x > 0)
    except jax.errors.ConcretizationTypeError:
        positive = None
    if positive is None:
        return jnp.maximum(x, 0)
    return x if positive else 0.0


robust(jnp.float32(1.0))

# %% known-gap reassignment: that the traced arm is taken shows only in the length of the array
import jax
import jax.numpy as jnp


@jax.jit
def shadowed(x, n):
    n = x.shape[0]
    if n > 2:
        x = x[:2]
    x_size = x.size
    if x_size == 2:
        x_size = x.sum()
    if x_size > 1: #! JAX101
        return x
    return -x


shadowed(jnp.ones(3), 1.0)

# %% the elements of a static container next to a tracer in the same tuple
import jax
import jax.numpy as jnp


@jax.jit
def pairs(x):
    bundle = ("relu", x, {"scale": 2.0, "bias": x})
    name, value, options = bundle
    if name == "relu" and options["scale"] > 1:
        value = jnp.maximum(value, 0) * options["scale"]
    if options["bias"] is not None:
        value = value + options["bias"]
    layers = [("dense", x), ("norm", x)]
    for kind, weight in layers:
        if kind == "dense":
            value = value * weight
    return value


pairs(jnp.ones(2))

# %% star arguments: the flag travels through *args into a staged helper
import jax
import jax.numpy as jnp


def combine(x, *rest, **options):
    if options.get("scale", 1.0) == 1.0:
        x = x + 1
    if rest[0] > 0: #! JAX101
        return x + rest[0]
    return x


@jax.jit
def outer(*arrays):
    return combine(*arrays, scale=1.0)


outer(jnp.ones(2), jnp.float32(1.0))

# %% associative_scan combines with tracers, also when called eagerly
import jax.numpy as jnp
from jax import lax


def larger(a, b):
    return jnp.maximum(a, b)


lax.associative_scan(larger, jnp.arange(4.0))
lax.map(lambda x: x * 2, jnp.arange(4.0))
lax.map(lambda x: x * 2 if x > 0 else x, jnp.arange(4.0)) #! JAX101

# %% a name that is in a dict only if one of which nothing is known had it: what is behind the test is in doubt
import jax
import jax.numpy as jnp

_NOTED = {}


def note(name, value):
    _NOTED[name] = value


@jax.jit
def merged(x):
    out = {"place": x * 2}
    out.update(dict(_NOTED))
    if "rate" in out:
        if x.sum() > 0:
            return x
    return out["place"]


@jax.jit
def unpacked(x):
    out = {"place": x * 2, **_NOTED}
    if "rate" in out and x.sum() > 0:
        return x
    return out["place"]


print(merged(jnp.ones(3)), unpacked(jnp.ones(3)))

# %% a name that is in a dict beside what was merged into it: it is there, and what follows the test is run
import jax
import jax.numpy as jnp

_SEEN = {}


def see(name, value):
    _SEEN[name] = value


@jax.jit
def there(x):
    out = {"place": x * 2, **_SEEN}
    if "place" in out:
        if x.sum() > 0:  #! JAX101
            return x
    return out["place"]


@jax.jit
def not_there(x):
    out = {"place": x * 2, **_SEEN}
    if "rate" not in out:
        if x.sum() > 0:  #! JAX101
            return x
    return out["place"]


@jax.jit
def after(x):
    out = {"place": x * 2, **_SEEN}
    if "rate" in out:
        x = x * 2
    if x.sum() > 0:  #! JAX101
        return x
    return out["place"]


after(jnp.ones(3))

# %% truth of an array with static size is still the truth of a tracer
import jax
import jax.numpy as jnp


@jax.jit
def any_active(flags):
    if len(flags):
        flags = flags | False
    if flags.any(): #! JAX101
        return jnp.float32(1)
    return jnp.float32(0)


any_active(jnp.array([True, False]))

# %% jnp metadata functions answer with Python values
import jax
import jax.numpy as jnp


@jax.jit
def promote(x, y):
    if jnp.ndim(x) == 0 and jnp.shape(y) == (2,):
        x = jnp.broadcast_to(x, y.shape)
    if jnp.size(y) > 1 and jnp.issubdtype(y.dtype, jnp.floating):
        y = y * 2
    if jnp.result_type(x, y) == jnp.float32:
        x = x + 1
    if jnp.iscomplexobj(x) or jnp.isscalar(3.0):
        y = y - 1
    if jax.tree.structure((x, y)) == jax.tree.structure((1, 2)):
        y = y + 1
    if jax.eval_shape(jnp.sum, x).shape == ():
        y = y + 1
    if x is y or x.aval == y.aval:
        return x
    return x + y


promote(1.0, jnp.ones(2))

# %% eval_shape and make_jaxpr trace too
import jax
import jax.numpy as jnp


def unstable(x):
    if jnp.linalg.norm(x) > 1: #! JAX101
        return x / 2
    return x


jax.eval_shape(unstable, jax.ShapeDtypeStruct((3,), jnp.float32))

# %% nested function of a jitted function, called there, sees the outer tracer by closure
import jax
import jax.numpy as jnp


@jax.jit
def outer(x, y):
    def inner(use_y):
        if use_y:
            return y
        if y.sum() > 0: #! JAX101
            return x
        return -x

    return inner(True) + inner(False)


outer(jnp.ones(2), jnp.ones(2))

# %% hasattr, callable and getattr with a default are questions about types
import jax
import jax.numpy as jnp


@jax.jit
def unwrap(box, scale):
    if hasattr(box, "shape"):
        value = box
    else:
        value = box[0]
    if hasattr(value, "unit"):
        raise TypeError("no units")
    name = getattr(value, "name", None)
    if name is None and not callable(scale):
        return value * scale
    return value


unwrap(jnp.ones(2), 2.0)
unwrap((jnp.ones(2),), 2.0)

# %% correlated flags: the eager version is chosen only where nothing is jitted
import functools

import jax
import jax.numpy as jnp


def eager_loop(cond, body, init):
    value = init
    while cond(value):
        value = body(value)
    return value


def staged_loop(cond, body, init):
    return jax.lax.while_loop(cond, body, init)


def run(cond, body, init, unroll=False, jit=True):
    if unroll:
        if jit:
            raise ValueError("unrolled loops are not jitted")
        fun = eager_loop
    else:
        if jit:
            fun = staged_loop
        else:
            fun = eager_loop
    if jit and fun is not None:
        fun = jax.jit(fun, static_argnums=(0, 1))
    return fun(cond, body, init)


def solve(init, jit, unroll):
    return run(lambda v: v < 4.0, lambda v: v + 1.0, init, unroll, jit)


print(solve(jnp.float32(1.0), True, False), solve(jnp.float32(1.0), False, True))

# %% correlated flags, the wrong way round: what is jitted is the eager version
import jax
import jax.numpy as jnp


def eager(x):
    if x > 0:  #! JAX101
        return x
    return -x


def staged(x):
    return jnp.where(x > 0, x, -x)


def build(fast):
    if fast:
        fun = eager
    else:
        fun = staged
    if fast:
        fun = jax.jit(fun)
    return fun


def main(fast):
    return build(fast)(1.0)


main(True)

# %% a flag that is bound anew says nothing of the values before
import jax
import jax.numpy as jnp


def eager(x):
    if x > 0:  #! JAX101
        return x
    return -x


def staged(x):
    return jnp.where(x > 0, x, -x)


def build(fast):
    if fast:
        fun = staged
    else:
        fun = eager
    fast = not fast
    if fast:
        fun = jax.jit(fun)
    return fun


def main(fast):
    return build(fast)(1.0)


main(False)

# %% modes by name: the value of the mode that is asked for
import jax
import jax.numpy as jnp


def loss(params, mode):
    if mode == "sum":
        scale = 3.0
    elif mode == "mean":
        scale = jnp.mean(params)
    else:
        scale = jnp.max(params)
    if mode == "sum":
        if scale > 2:
            return jnp.sum(params)
    return jnp.sum(params) * scale


def total(params, mode):
    return jax.grad(lambda p: loss(p, mode))(params)


print(total(jnp.ones(3), "sum"), total(jnp.ones(3), "mean"))

# %% modes by name: the traced one is tested
import jax
import jax.numpy as jnp


def loss(params, mode):
    if mode == "sum":
        scale = 3.0
    else:
        scale = jnp.max(params)
    if mode != "sum":
        if scale > 2:  #! JAX101
            return jnp.sum(params)
    return jnp.sum(params) * scale


def total(params, mode):
    return jax.jit(lambda p: loss(p, mode))(params)


total(jnp.ones(3), "max")

# %% a tracer test of what may be one of two things: which of them it is decides whether the branch is taken
import json

import jax
import jax.numpy as jnp


def positive(value):
    if isinstance(value, jax.core.Tracer):
        assert value > -100.0
    return value


@jax.jit
def step(x):
    parts = {"state": x, "limit": 2.0}
    return x + positive(parts.get(json.loads('"limit"')))


print(step(1.0))

# %% a tracer test of what certainly is one
import json

import jax
import jax.numpy as jnp


def positive(value):
    if isinstance(value, jax.core.Tracer):
        assert value > -100.0  #! JAX101
    return value


@jax.jit
def step(x):
    parts = {"state": x, "limit": 2.0}
    return x + positive(parts["state"])


step(1.0)

# %% after a tracer test of an array of the module: what is made of it is never computed
import jax
import jax.numpy as jnp

WEIGHTS = jnp.ones(3)


class Filter:
    def __call__(self, weights):
        if not isinstance(weights, jax.core.Tracer):
            return weights
        if jnp.linalg.norm(weights) > 1.0:
            weights = weights / 2.0
        return weights


@jax.jit
def energy(x):
    return x * jnp.sum(Filter()(WEIGHTS))


print(energy(2.0))

# %% after a test that no tracer comes here: an array of the module goes on, and its norm is a tracer
import jax
import jax.numpy as jnp

WEIGHTS = jnp.ones(3)


def halved(weights):
    if isinstance(weights, jax.core.Tracer):
        return weights
    if jnp.linalg.norm(weights) > 1.0:  #! JAX101
        weights = weights / 2.0
    return weights


@jax.jit
def energy(x):
    return x * jnp.sum(halved(WEIGHTS))


energy(2.0)

# %% a branch on an unknown value's type: what both ways leave behind is asked about as ever
import json
import operator
import types

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    box = types.SimpleNamespace(value=x, other=2.0)
    held = operator.attrgetter(json.loads('"other"'))(box)
    seen = False
    if isinstance(held, jax.core.Tracer):
        seen = True
    if seen is True:
        held = 0.0
    if x > 0:  #! JAX101
        return held
    return x


step(1.0)

# %% a tracer test of an item: what is not known to be a tracer there is not taken for one
import jax
import jax.numpy as jnp

LIMITS = {"norm": jnp.ones(3), "steps": 3}


def bounded(options, *rest):
    if isinstance(options["norm"], jax.core.Tracer):
        if jnp.any(options["norm"] > 1.0):
            return 2.0
    if not isinstance(rest[0], jax.core.Tracer):
        return 1.0
    return 3.0 if jnp.any(rest[0] > 1.0) else 4.0


@jax.jit
def energy(x):
    return x * bounded(LIMITS, LIMITS["norm"])


print(energy(2.0))

# %% a tracer test of an item that is one
import jax
import jax.numpy as jnp


def bounded(options, *rest):
    if not isinstance(rest[0], jax.core.Tracer):
        return 1.0
    if isinstance(options["norm"], jax.core.Tracer):
        if jnp.any(options["norm"] > 1.0):  #! JAX101
            return 2.0
    return 3.0


@jax.jit
def energy(x):
    return x * bounded({"norm": x, "steps": 3}, x)


energy(2.0)

# %% a test for numbers of what is not known: what goes on is not known either
import random

import jax
import jax.numpy as jnp


@jax.jit
def correct(z):
    picked = random.choice([z])  #! JAX204
    if isinstance(picked, (int, float)):
        if jnp.any(picked > 1):
            return picked * 2
    if hasattr(random.choice([z]), "shape"):  #! JAX204
        return picked
    return z * 2 if jnp.any(random.choice([z]) > 1) else z


print(correct(jnp.ones(3)))

# %% a default that is compared: None raises an error of its own before any tracer is met
import jax
import jax.numpy as jnp


@jax.jit
def clipped(x, limit=None):
    try:
        return x if limit > 1.0 else jnp.sqrt(x)
    except TypeError:
        return x


print(clipped(2.0))

# %% a question asked of a call, or through a function: what is not known may be a tracer
import random

import jax
import jax.numpy as jnp


def is_traced(value):
    return isinstance(value, jax.core.Tracer)


@jax.jit
def correct(z):
    if random.choice([z]) is None:  #! JAX204
        return z if jnp.any(random.choice([z]) > 1) else z * 2
    picked = random.choice([z])  #! JAX204
    if not is_traced(picked):
        return z if jnp.any(picked > 1) else z * 2
    return z


print(correct(jnp.ones(3)))

# %% a question asked through a function: of an array that the module made the answer is known
import jax
import jax.numpy as jnp

WEIGHTS = jnp.ones(3)


def is_traced(value):
    return isinstance(value, jax.core.Tracer)


@jax.jit
def correct(z):
    if not is_traced(WEIGHTS):
        return z if jnp.any(WEIGHTS > 1) else z * 2  #! JAX101
    return z


correct(jnp.ones(3))

# %% shard_map outside of jit: what is the same on all devices has a value when the body runs
import jax
import jax.numpy as jnp


def step(x):
    if x > 1.0:
        x = x * 2.0
    return x


mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
print(jax.shard_map(step, mesh=mesh, in_specs=jax.P(), out_specs=jax.P())(jnp.array(2.0)))

# %% entries of a table that are replaced by partials of themselves, in a base class and below it
import functools
import jax
import jax.numpy as jnp


class Op:
    def __init__(self, name, scale=1, check=False):
        self.name, self.scale, self.check = name, scale, check

    def __call__(self, x):
        return x * self.scale if x > 0 else x  #! JAX101


class Provider:
    def __init__(self, names):
        self.ops = {name: functools.partial(Op, name) for name in names}
        for name in names:
            self.ops[name] = functools.partial(self.ops[name], check=True)

    def made(self):
        return {name: op(scale=2) for name, op in self.ops.items()}


class Quantized(Provider):
    def __init__(self, names, strict=False):
        super().__init__(names)
        for name in ["dot", "conv", "einsum", "mul"]:
            self.ops[name] = functools.partial(self.ops[name], check=strict)

    def made(self):
        made = super().made()
        for name in ["dot", "conv"]:
            made[name] = self.ops[name](scale=3)
        return made


@jax.jit
def run(x):
    return Quantized(("dot", "conv", "einsum", "mul", "add")).made()["dot"](x)


run(jnp.ones(()))

# %% shard_map outside of jit: what a spec spreads over the devices has none
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec


def step(x):
    if jnp.sum(x) > 1.0:  #! JAX101
        x = x * 2.0
    return x


mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
jax.shard_map(step, mesh=mesh, in_specs=PartitionSpec("i"), out_specs=PartitionSpec("i"))(jnp.ones(4))

# %% shard_map under jit: staged, whatever the specs say
import jax
import jax.numpy as jnp


def step(x):
    if x > 1.0:  #! JAX101
        x = x * 2.0
    return x


mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
jax.jit(jax.shard_map(step, mesh=mesh, in_specs=jax.P(), out_specs=jax.P()))(jnp.array(2.0))

# %% ways of naming a traced value: a pattern of a mapping, a context that holds it
import contextlib

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    match {"state": x, "limit": 2.0}:
        case {"limit": limit, "state": state}:
            if limit > 1.0:
                state = state + 1.0
    with contextlib.nullcontext(state) as held:
        return held if held > 1.0 else -held  #! JAX101


step(2.0)

# %% ways of naming a traced value: a `try` that cannot fail
import jax


SCALE = 2.0


@jax.jit
def step(x):
    try:
        kept = x
        scale = SCALE
    except KeyError:
        kept = scale = 2.0
    return kept if kept * scale > 1.0 else -kept  #! JAX101


step(2.0)

# %% set by a nested function: None or a tracer, of which the test leaves the tracer
import jax
import jax.numpy as jnp


@jax.jit
def residual(signal):
    kept = None

    def keep(given):
        nonlocal kept
        kept = given

    keep(signal)
    if not isinstance(kept, jax.core.Tracer):
        return signal
    return signal * 2.0 if jnp.any(kept > 1) else signal  #! JAX101


residual(jnp.ones(3))

# %% an iterator of the project's own, which is its own iterator
import jax
import jax.numpy as jnp


class Batches:
    def __init__(self, data):
        self.data = data
        self.left = 2

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.data * self.left


@jax.jit
def total(x):
    result = 0.0
    for batch in Batches(x):
        if jnp.sum(batch) > 0:  #! JAX101
            result = result + batch
    return result


total(jnp.ones(3))

# %% iterators that give what no trace knows of
import jax
import jax.numpy as jnp


class Count:
    def __init__(self, most):
        self.most = most
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at > self.most:
            raise StopIteration
        return self.at


class Pairs:
    def __init__(self, first):
        self.first = first

    def __iter__(self):
        return Count(self.first)


@jax.jit
def total(x):
    for n in Pairs(3):
        if n > 1:
            x = x + n
    return x + next(Count(2))


print(total(jnp.ones(3)))

# %% a function with its own rule for vmap is traced wherever it is called
import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def clamp(x):
    if x > 1.0:  #! JAX101
        return jnp.ones_like(x)
    return x


@clamp.def_vmap
def clamp_rule(axis_size, in_batched, xs):
    return jnp.minimum(xs, 1.0), in_batched[0]


print(clamp(jnp.float32(2.0)))

# %% a function with its own rule for vmap, and the rule, which sees values
import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def clamp(x):
    return jnp.minimum(x, 1.0)


@clamp.def_vmap
def clamp_rule(axis_size, in_batched, xs):
    if axis_size > 2:
        return jnp.minimum(xs, 1.0), in_batched[0]
    return xs, in_batched[0]


print(clamp(jnp.float32(2.0)), jax.vmap(clamp)(jnp.ones(3)))

# %% a wrapper hands out what it wraps
import jax


class Env:
    limit = 3

    def step(self, s):
        return s + 1 if s > self.limit else s  #! JAX101


class Wrapper:
    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.env, name)


class Timed(Wrapper):
    def count(self):
        return self.limit


env = Timed(Wrapper(Env()))
print(env.count() if env.count() > 2 else 0)
jax.jit(lambda s: env.step(s))(2.0)

# %% a wrapper that hands out what it wraps, used outside of all traces
import jax
import jax.numpy as jnp


class Env:
    def __init__(self):
        self.size = 3

    def step(self, s):
        return s + 1 if s > 3 else s


class Wrapper:
    def __init__(self, env):
        self._env = env

    def __getattr__(self, name):
        return getattr(self._env, name)


env = Wrapper(Env())
print(env.step(2.0), jax.jit(lambda s: jnp.zeros(env.size) + s)(1.0))
if env.size > 2:
    print("large")

# %% a class whose `__call__` is an object of the class: only a name for a loop without end
import jax


class Round:
    pass


Round.__call__ = Round()


@jax.jit
def go(x):
    try:
        return Round()(x)
    except RecursionError:
        return x


print(go(1.0))

# %% fields of a collections.namedtuple
from collections import namedtuple

import jax
import jax.numpy as jnp

Step = namedtuple("Step", ["obs", "done"])


class Pair(namedtuple("Pair", "x y")):
    def total(self):
        return self.x + self.y


def back(R, step):
    R = 0.0 if step.done else step.obs + R  #! JAX101
    return R, R


@jax.jit
def halved(pair):
    if len(pair) == 2 and pair is not None:
        pair = pair._replace(x=pair.x / 2)
    if pair.total() > 0:  #! JAX101
        return pair.x
    return pair.y


jax.lax.scan(back, 0.0, Step(jnp.ones(3), jnp.zeros(3, bool)))
halved(Pair(1.0, 2.0))

# %% norun equinox: what filter_jit gives back is no tracer, and what is no array comes back as it is
import equinox as eqx
import jax.numpy as jnp


def loss_fn(model, data):
    return jnp.mean(model * data)


@eqx.filter_jit
def parts(x):
    if x.sum() > 0:  #! JAX101
        x = x * 2
    return (x * 2, {"a": x}, 3, loss_fn)


def train(model, data):
    loss, _ = eqx.filter_jit(eqx.filter_value_and_grad(loss_fn))(model, data)
    assert loss < 3
    _, b, n, fn = parts(data)
    if b["a"].sum() > n:
        return fn(model, data)
    return loss


train(jnp.ones(3), jnp.ones(3))

# %% __bool__ that gives a tracer to an if
import jax


class Check:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value > 0


@jax.jit
def f(x):
    if Check(x): #! JAX101
        return x
    return -x


f(1.0)

# %% __bool__ that gives a tracer to a conditional expression
import jax


class Check:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value > 0


@jax.jit
def f(x):
    return x if Check(x) else -x #! JAX101


f(1.0)

# %% __bool__ outside a trace is a number's
import jax.numpy as jnp


class Check:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 0)


if Check(jnp.ones(())):
    print("positive")

# %% reduce by an operator gives a tracer
import functools
import operator

import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    total = functools.reduce(operator.add, [jnp.sum(p) for p in jax.tree.leaves(params)])
    if total > 1: #! JAX101
        return total
    return 0.0 * total


f({"a": jnp.ones(2)})

# %% tree.reduce by an operator gives a tracer
import operator

import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    total = jax.tree.reduce(operator.add, jax.tree.map(jnp.sum, params))
    return total if total > 1 else -total #! JAX101


f({"a": jnp.ones(2)})

# %% reduce by an operator of sizes
import functools
import math
import operator

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    n = functools.reduce(operator.mul, x.shape, 1)
    if n > 3:
        return x.reshape(n)
    return x[: operator.floordiv(n, 2)]


f(jnp.ones((2, 2)))

# %% accumulate of tracers
import itertools

import jax


@jax.jit
def f(xs):
    totals = list(itertools.accumulate(xs))
    return 1.0 if totals[-1] > 2 else 0.0 #! JAX101


f([1.0, 2.0])

# %% chain of tracers
import itertools

import jax


@jax.jit
def f(xs, ys):
    for x in itertools.chain(xs, ys):
        if x > 0: #! JAX101
            return x
    return 0.0


f([1.0, 2.0], [1.0])

# %% SimpleNamespace branch
from types import SimpleNamespace

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    state = SimpleNamespace(pos=x, vel=x * 2)
    if state.vel > 0: #! JAX101
        return state.pos
    return -state.pos


f(1.0)

# %% SimpleNamespace passed to a helper
from types import SimpleNamespace

import jax
import jax.numpy as jnp


def norm(state):
    if state.total > 1.0: #! JAX101
        return state.total
    return 1.0


@jax.jit
def f(x):
    return norm(SimpleNamespace(total=jnp.sum(x)))


f(jnp.ones(2))

# %% SimpleNamespace static config
from types import SimpleNamespace

import jax
import jax.numpy as jnp

cfg = SimpleNamespace(depth=2, act="relu", rate=0.5)


@jax.jit
def f(x):
    for _ in range(cfg.depth):
        x = x * cfg.rate
    if cfg.act == "relu" and cfg.rate > 0:
        x = jax.nn.relu(x)
    return x


f(jnp.ones(2))

# %% dataclass attribute
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class State:
    pos: jax.Array
    steps: int = 3


@jax.jit
def f(x):
    s = State(x)
    s.pos = s.pos * 2
    if s.steps > 2:
        s.pos += 1
    if s.pos > 0: #! JAX101
        return s.pos
    return x


f(1.0)

# %% dict of tracers
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    s = {"pos": x, "n": 2}
    s["pos"] = s["pos"] * 2
    for _ in range(s["n"]):
        s["pos"] += 1
    if s["pos"] > 0: #! JAX101
        return s["pos"]
    return x


f(1.0)

# %% dict comprehension
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    norms = {name: jnp.sum(value) for name, value in params.items()}
    if norms["w"] > 1: #! JAX101
        return 1.0
    return 0.0


f({"w": jnp.ones(2)})

# %% dataclass pytree argument
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    pos: jax.Array
    steps: int = dataclasses.field(metadata=dict(static=True))


@jax.jit
def f(s):
    if s.steps > 2:
        return s.pos
    if s.pos > 0: #! JAX101
        return s.pos
    return s.pos


f(State(jnp.ones(()), 1))

# %% dataclass field default_factory
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Log:
    losses: list = dataclasses.field(default_factory=list)


@jax.jit
def f(x):
    log = Log()
    log.losses.append(x * 2)
    if log.losses[-1] > 0: #! JAX101
        return x
    return -x


f(1.0)

# %% attribute set by setattr
from types import SimpleNamespace

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    s = SimpleNamespace()
    setattr(s, "pos", x * 2)
    s.vel = x
    if s.pos > s.vel: #! JAX101
        return x
    return -x


f(1.0)

# %% class with attributes only
import jax
import jax.numpy as jnp


class Bag:
    pass


@jax.jit
def f(x):
    s = Bag()
    s.pos = x * 2
    if s.pos > 0: #! JAX101
        return x
    return -x


f(1.0)

# %% defaultdict of sums
from collections import defaultdict

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    sums = defaultdict(float)
    for name in ("a", "b"):
        sums[name] += x
    if sums["a"] > 0: #! JAX101
        return x
    return -x


f(1.0)

# %% vars of namespace
from types import SimpleNamespace

import jax
import jax.numpy as jnp


@jax.jit
def f(x, flag):
    s = SimpleNamespace(**{"pos": x, "flag": True})
    if s.flag:
        return s.pos
    return int(s.pos)


f(1.0, True)

# %% namespace from unknown
from types import SimpleNamespace
import json
import jax
import jax.numpy as jnp

cfg = SimpleNamespace(**json.loads('{"n": 3}'))


@jax.jit
def f(x):
    if cfg.n > 2:
        return x * cfg.n
    return x


f(1.0)

# %% a method by a name that is put together
import jax


class Model:
    def act_relu(self, x):
        return x if x > 0 else 0.0 #! JAX101

    def act_tanh(self, x):
        return jax.numpy.tanh(x)

    def __call__(self, x, act="relu"):
        return getattr(self, f"act_{act}")(x)


model = Model()


@jax.jit
def f(x):
    return model(x)


f(1.0)

# %% a method by a name that is put together: the other one
import jax


class Model:
    def act_relu(self, x):
        return x if x > 0 else 0.0

    def act_tanh(self, x):
        return jax.numpy.tanh(x)

    def __call__(self, x, act="tanh"):
        return getattr(self, f"act_{act}")(x)


model = Model()


@jax.jit
def f(x):
    return model(x)


f(1.0)

# %% items by names that are put together
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    state = {}
    for i in range(2):
        state[f"scale_{i}"] = i + 1
        state[f"out_{i}"] = x * i
    for i in range(2):
        if state[f"scale_{i}"] > 1:
            x = x + 1
        if state[f"out_{i}"] > 1: #! JAX101
            x = x + 1
    return x


f(1.0)

# %% jitted under the flag that the partial hands on: the Python loop is for the other case
from functools import partial

import jax
import jax.numpy as jnp


def loop(cond, body, value, unroll, jit):
    if unroll and not jit:
        while cond(value):
            value = body(value)
        return value
    return jax.lax.while_loop(cond, body, value)


def search(fun, unroll, jit, x):
    return loop(lambda v: fun(v) < 10.0, lambda v: v + 1.0, x, unroll, jit)


class Solver:
    def __init__(self, fun, unroll=False, jit=True):
        self.fun = fun
        self.unroll = unroll
        self.jit = jit
        searched = partial(search, fun, unroll, jit)
        if jit:
            self.search = jax.jit(searched)
        else:
            self.search = searched


print(Solver(jnp.square).search(1.0), Solver(jnp.square, True, False).search(1.0))

# %% jitted under the flag of the object: it is handed on by keyword
from functools import partial

import jax
import jax.numpy as jnp


def run(x, *, fast):
    if not fast:
        if x > 0:
            return x
    return -x


class Solver:
    jit: bool

    def __init__(self, jit):
        self.jit = jit
        self.run = partial(run, fast=self.jit)
        if self.jit:
            self.run = jax.jit(partial(run, fast=self.jit))


print(Solver(True).run(1.0), Solver(False).run(1.0))

# %% jitted unless the flag is set: the branch is for debugging
from functools import partial

import jax
import jax.numpy as jnp


def run(debug, x):
    if debug:
        if x > 0:
            return x
    return -x


def build(debug):
    step = partial(run, debug)
    if not debug:
        step = jax.jit(step)
    return step


print(build(True)(1.0), build(False)(1.0))

# %% jitted whatever the flag: the branch runs in the trace
from functools import partial

import jax
import jax.numpy as jnp


def run(debug, x):
    if debug:
        if x > 0:  #! JAX101
            return x
    return -x


def build(debug):
    return jax.jit(partial(run, debug))


print(build(True)(1.0))

# %% jitted under another flag: both may be set
from functools import partial

import jax
import jax.numpy as jnp


def run(debug, x):
    if debug:
        if x > 0:  #! JAX101
            return x
    return -x


def build(debug, jit):
    step = partial(run, debug)
    if jit:
        step = jax.jit(step)
    return step


print(build(True, True)(1.0))

# %% a test of what device_get gives in a trace
import jax
import jax.numpy as jnp


def halved(x):
    total = jax.device_get(jnp.sum(x))
    if total > 1:  #! JAX101
        return x / 2
    return x


print(halved(jnp.ones(3)))
jax.jit(halved)(jnp.ones(3))

# %% jitted unless the configuration says so: the closure reads it
import jax


class Config:
    def __init__(self, debug):
        self.debug = debug


def build(config):
    def run(x):
        if config.debug:
            if x > 0:
                return x
        return -x

    if not config.debug:
        run = jax.jit(run)
    return run


print(build(Config(True))(1.0), build(Config(False))(1.0))

# %% auxiliary data that comes back: the decay is static in the object that the trace returns
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class EMA:
    def __init__(self, value, decay=0.9):
        self.value = value
        self.decay = decay

    def update(self, new):
        return EMA(self.decay * self.value + (1 - self.decay) * new, self.decay)

    def tree_flatten(self):
        return (self.value,), (self.decay,)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children[0], *aux)


@jax.jit
def step(ema, x):
    if ema.decay > 0.5:
        ema = ema.update(x)
    ema.value = ema.value * 1.0
    return ema


e = EMA(jnp.zeros(2))
for _ in range(2):
    e = step(e, jnp.ones(2))
print(e.value)

# %% a variable of the module bound again: what the module runs sees what it is by then
import jax
import jax.numpy as jnp


class Switch:
    def __call__(self, x, train):
        return x if train else -x


model = Switch()


def first(x):
    return model(x, True)


print(jax.jit(first)(1.0))


class Choice:
    def __call__(self, x, train):
        return jnp.where(train, x, -x)


model = Choice()


def second(x, train):
    return model(x, train)


print(jax.jit(second)(1.0, True))

# %% raises a variable of the module bound again: what it is by then branches
import jax
import jax.numpy as jnp


class Choice:
    def __call__(self, x, train):
        return jnp.where(train, x, -x)


class Switch:
    def __call__(self, x, train):
        return x if train else -x  #! JAX101


model = Choice()


def first(x, train):
    return model(x, train)


print(jax.jit(first)(1.0, True))
model = Switch()


def second(x, train):
    return model(x, train)


jax.jit(second)(1.0, True)

# %% arguments in a list of unknown length: they do not fill what has a default
import jax
import jax.numpy as jnp


def scale(y, a):
    if a != 0:
        return y * float(a)
    return y


def run(fn, *xs):
    @jax.jit
    def inner(*xs):  # one step of many
        return fn(*map(jnp.ravel, xs))

    return inner(*xs)


y = jnp.ones(3)
for a in (0.0, 0.5):
    y = run(lambda y, a=a: scale(y, a), y)  # fresh in every iteration

# %% arguments in a list of unknown length fill what has no default
import jax
import jax.numpy as jnp


def clip(y, bound):
    if bound > 0:  #! JAX101
        return y
    return -y


@jax.jit
def both(xs):
    return clip(*[x.sum() for x in xs])


both([jnp.ones(3), jnp.ones(2)])

# %% an index is asked whether it is a slice, after a question that is not answered: arrays are none
import jax
import jax.numpy as jnp


class Sizes(tuple):
    @property
    def total(self):
        return sum(self)

    def __getitem__(self, i):
        found = super().__getitem__(i)
        return Sizes(found) if isinstance(i, slice) else found


class Field:
    def __init__(self, sizes, array):
        self.sizes = sizes
        self.array = array

    def __getitem__(self, index):
        if not isinstance(index, tuple):
            index = (index,)
        if (len(index) == self.array.ndim or Ellipsis in index[:-1]) and isinstance(index[-1], slice):
            start, stop, _ = index[-1].indices(self.array.shape[-1])
            for i in range(len(self.sizes) + 1):
                if self.sizes[:i].total == start:
                    return Field(self.sizes[i:], self.array[index])
        return Field(self.sizes, self.array[index])


jax.tree_util.register_pytree_node(
    Field, lambda each: ((each.array,), each.sizes), lambda sizes, parts: Field(sizes, parts[0])
)


@jax.jit
def edges(field: Field, senders):
    return field[senders].array


@jax.jit
def tail(field: Field):
    return field[..., 2:].array


field = Field(Sizes((2, 1)), jnp.ones((4, 3)))
edges(field, jnp.array([0, 1]))
tail(field)

# %% the children of a registered class are traced, where an index is a slice too
import jax
import jax.numpy as jnp


class Field:
    def __init__(self, sizes, array):
        self.sizes = sizes
        self.array = array

    def __getitem__(self, index):
        if (len(index) == 2 or Ellipsis in index) and isinstance(index[-1], slice):
            if self.array.sum() > 0:  #! JAX101
                return Field(self.sizes, self.array[index])
        return self


jax.tree_util.register_pytree_node(
    Field, lambda each: ((each.array,), each.sizes), lambda sizes, parts: Field(sizes, parts[0])
)


@jax.jit
def tail(field: Field):
    return field[..., 2:].array


tail(Field((2, 1), jnp.ones((4, 3))))

# %% members of named tuples, dataclasses and protocols that run without a call: each note says where
import dataclasses
import enum
import functools
from typing import NamedTuple, Protocol

import jax
import jax.numpy as jnp


class Cell(NamedTuple):
    row: jax.Array

    @property
    def origin(self):
        assert self.row > 0  #! JAX101
        return self.row

    @property
    def size(self):
        assert len(self) == 1
        return self.row * 2


class Placed(Protocol):
    row: jax.Array

    @property
    def half(self):
        return self.row if self.row < 1 else self.row / 2  #! JAX101


@dataclasses.dataclass
class Path(Placed):
    row: jax.Array

    @functools.cached_property
    def steps(self):
        return 1 if self.row > 2 else 2  #! JAX101

    def __iter__(self):
        if self.row > 1:  #! JAX101
            yield self.row


class Mode(enum.Enum):
    FAST = 1

    @property
    def is_fast(self):
        return self.value > 0


def origin(row):
    return Cell(row).origin


def size(row):
    return Cell(row).size if Mode.FAST.is_fast else row


def half(row):
    return Path(row).half


def steps(row):
    return Path(row).steps


def items(row):
    yield from Path(row)


def first(row):
    return [*Path(row), *items(row)][0]


for each in (size, origin, half, steps, first):
    jax.jit(each)(jnp.float32(2.0))

# %% a variable that only an earlier iteration binds is tested in the next one
import jax
import jax.numpy as jnp


@jax.jit
def descend(x, gates):
    for gate in gates:
        if gate is not None:
            if level > 0: #! JAX101
                x = x - level
        level = jnp.sum(x)
    return x


descend(jnp.ones(2), (None, 1.0))

# %% the same in a comprehension
import jax
import jax.numpy as jnp


@jax.jit
def bounds(x, gates):
    steps = []
    for gate in gates:
        if gate is not None:
            steps = [step for step in (1.0, 2.0) if level > step] #! JAX101
        level = jnp.sum(x)
    return steps


bounds(jnp.ones(2), (None, 1.0))

# %% ok: a variable holds a function's answer, which is that this is no tracer
import jax
import numpy as np


def is_abstract(value):
    kinds = [kind.__name__ for kind in type(value).__mro__]
    return any("Tracer" in kind for kind in kinds)


class State:
    def __init__(self, state, wires):
        tracing = is_abstract(state)
        if not tracing and state >= 2**wires:
            raise ValueError
        concrete = not tracing
        if concrete and state < 0:
            raise ValueError
        self.state = state


@jax.jit
def prepare(state):
    return State(state, 3).state


prepare(1)

# %% a flag that a caller gives does not say that this is no tracer
import jax


@jax.jit
def f(x, flag=True):
    return clip(x, flag)


def clip(x, flag):
    if flag and x > 1:  #! JAX101
        return x * 0
    return x


f(1.0)

# %% a decorator jits all public functions of a class, which it goes through by `vars`
import jax


def jit_public(cls):
    for name, member in list(vars(cls).items()):
        if callable(member) and not name.startswith("_"):
            setattr(cls, name, staticmethod(jax.jit(member)))
    return cls


@jit_public
class Scaling:
    most = 3

    def scale(x, k):
        if k > 1:  #! JAX101
            return x * k
        return x

    def _shift(x, k):
        if k > 1:
            return x + k
        return x


Scaling._shift(1.0, 2)
Scaling.scale(1.0, 2)

# %% a decorator jits methods that it names, that `dir` or `inspect` name, and one at a time
import inspect

import jax


def jit_named(*names):
    def wrap(cls):
        for name in names:
            setattr(cls, name, jax.jit(getattr(cls, name), static_argnums=0))
        return cls

    return wrap


def jit_dir(cls):
    public = [name for name in dir(cls) if not name.startswith("_")]
    for name in public:
        setattr(cls, name, jax.jit(getattr(cls, name), static_argnums=0))
    return cls


def jit_members(cls):
    for name, member in inspect.getmembers(cls, inspect.isfunction):
        setattr(cls, name, staticmethod(jax.jit(member)))
    return cls


def jit_step(cls):
    cls.step = jax.jit(cls.step, static_argnums=0)
    return cls


@jit_named("step", "loss")
class Named:
    def step(self, x):
        return x if x > 0 else -x  #! JAX101

    def loss(self, x):
        return x * x

    def host(self, x):
        return x if x > 0 else -x


@jit_dir
class Listed:
    def step(self, x):
        return x if x > 0 else -x  #! JAX101

    def _host(self, x):
        return x if x > 0 else -x


@jit_members
class Members:
    def step(x):
        return x if x > 0 else -x  #! JAX101


@jit_step
class One:
    def step(self, x):
        return x if x > 0 else -x  #! JAX101

    def host(self, x):
        return x if x > 0 else -x


Named().host(1.0), Listed()._host(1.0), One().host(1.0)
One().step(1.0)

# %% norun more methods than loops are gone through elsewhere, by the mapping of the class
import jax


def jit_public(cls):
    methods = {name: each for name, each in cls.__dict__.items() if callable(each) and name[0] != "_"}
    for name, each in methods.items():
        setattr(cls, name, jax.jit(each, static_argnums=0))
    return cls


def jit_keys(cls):
    for name in vars(cls):
        if not name.startswith("_"):
            setattr(cls, name, jax.jit(getattr(cls, name), static_argnums=0))
    return cls


@jit_public
class Many:
    a = b = c = d = e = f = g = h = i = lambda self, x: x

    def step(self, x):
        return x if x > 0 else -x  #! JAX101

    def _host(self, x):
        return x if x > 0 else -x


@jit_keys
class Few:
    def step(self, x):
        return x if x > 0 else -x  #! JAX101

    def _host(self, x):
        return x if x > 0 else -x

# %% a decorator that goes through a class without compiling, and one that asks for what there may be
import functools

import jax


def logged(cls):
    for name, member in list(vars(cls).items()):
        if callable(member) and not name.startswith("_"):

            @functools.wraps(member)
            def log(*args, member=member, **options):
                print("called")
                return member(*args, **options)

            setattr(cls, name, log)
    return cls


def jit_if_asked(cls):
    if vars(cls).get("compiled", False):
        cls.step = jax.jit(cls.step, static_argnums=0)
    return cls


@logged
class Logged:
    def step(self, x):
        return x if x > 0 else -x


@jit_if_asked
class Plain:
    compiled = False

    def step(self, x):
        return x if x > 0 else -x


Logged().step(1.0)
Plain().step(1.0)

# %% a context manager hands out an object with a tracer in it, and takes that out again
from contextlib import contextmanager

import jax


class Scope:
    def __init__(self):
        self.gain = 0.0


@contextmanager
def scope(gain):
    held = Scope()
    held.gain = gain
    try:
        yield held
    finally:
        held.gain = 0.0


class Layer:
    def __init__(self):
        self.gain = 1.0

    @contextmanager
    def scaled(self, gain):
        before = self.gain
        self.gain = gain
        yield
        self.gain = before

    def __call__(self, x, gain):
        with self.scaled(gain):
            if self.gain > 1:  #! JAX101
                return x * self.gain
        return x


@jax.jit
def apply(gain, x):
    with scope(gain) as held:
        if held.gain < 1:  #! JAX101
            return x
    return x * gain


@jax.jit
def layered(gain, x):
    return Layer()(x, gain)


layered(2.0, 1.0)

# %% a context manager hands out a dict of tracers
from contextlib import contextmanager

import jax


@contextmanager
def scope(gain):
    held = {"gain": gain}
    yield held
    held["gain"] = None


@jax.jit
def apply(gain, x):
    with scope(gain) as held:
        if held["gain"] < 1:  #! JAX101
            return x
    return x * gain


apply(2.0, 1.0)

# %% what a context manager hands out is static while it is open, or is again when it is left
from contextlib import contextmanager

import jax


class Scope:
    def __init__(self):
        self.gain = 0.0
        self.mode = "train"


@contextmanager
def scope(gain, mode):
    held = Scope()
    held.gain = gain
    held.mode = mode
    try:
        yield held
    finally:
        held.gain = 0.0


@contextmanager
def one_of_two(gain, is_static):
    held = Scope()
    if is_static:
        held.gain = 2.0
        yield held
    else:
        held.gain = gain
        yield held


@jax.jit
def apply(gain, x):
    with scope(gain, "eval") as held:
        if held.mode == "eval":
            x = x * held.gain
    if held.gain < 1:
        x = x + 1
    manager = scope(gain, "eval")
    with manager as again:
        x = x * again.gain
    if again.gain < 1:
        x = x + 1
    with one_of_two(gain, True) as static:
        if static.gain > 1:
            x = x * 2
    return x


apply(2.0, 1.0)

# %% a context manager hands out an object with a dict of tracers, and an empty one when it is left
from contextlib import contextmanager

import jax


class Scope:
    def __init__(self):
        self.params = {}

    def get(self, name):
        return self.params[name]


@contextmanager
def scope(params):
    held = Scope()
    held.params = params
    try:
        yield held
    finally:
        held.params = {}


@jax.jit
def apply(params, x):
    with scope(params) as held:
        gain = held.get("gain")
        if gain < 1:  #! JAX101
            return x
        return x * gain


apply({"gain": 2.0}, 1.0)

# %% the same where something is put into the dict that is there at first
from contextlib import contextmanager

import jax


class Scope:
    def __init__(self):
        self.store = {}

    def get(self, name):
        return self.store[name]


@contextmanager
def scope(store):
    held = Scope()
    held.store = store
    yield held


def static():
    held = Scope()
    held.store["gain"] = 2.0
    return held


@jax.jit
def apply(params, x):
    with scope(params) as held:
        x = x * held.get("gain")
    if static().get("gain") < 1:
        return x
    return -x


apply({"gain": 2.0}, 1.0)

# %% what `dir` and `vars` name is not all that a class has
import jax


class Base:
    def size(self):
        return 2


class Step(Base):
    def __call__(self, x):
        return x


@jax.jit
def own(x):
    if "size" not in vars(Step):
        if x > 0:  #! JAX101
            return x
    return -x


@jax.jit
def apply(x):
    if "__eq__" in dir(Step):
        if x > 0:  #! JAX101
            return x
    return -x


apply(1.0)

# %% rows of settings, of which a copy is taken apart: what is popped or deleted is gone
import jax
import jax.numpy as jnp

ROWS = [dict(kind="dense", n=2), dict(kind="gate", limit=0.5), dict(kind="skip", until=None)]


def dense(x, n):
    return x * n


def gate(x, limit):
    if x.mean() > limit:  #! JAX101
        return x
    return x * 0


def skip(x, until):
    if until is not None and x.mean() > until:
        return x
    return x * 0


KINDS = {"dense": dense, "gate": gate, "skip": skip}


@jax.jit
def popped(x):
    for row in ROWS:
        given = dict(row)
        if row["kind"] != "gate":
            x = KINDS[given.pop("kind")](x, **given)
    return x


@jax.jit
def deleted(x):
    for row in ROWS:
        given = {**row}
        del given["kind"]
        x = KINDS[row["kind"]](x, **given)
    return x


popped(jnp.ones(2))
deleted(jnp.ones(2))

# %% what the class says is not what a constructor from elsewhere is given
import argparse
import jax


class Options(argparse.Namespace):
    is_clipped = False
    size = 3


class Named(Options):
    def __init__(self, **options):
        super().__init__(**options)


options, others, usual = Options(is_clipped=True), Named(is_clipped=True), Options(size=4)


@jax.jit
def loss(x):
    if others.is_clipped:
        if x > 1.0:  #! JAX101
            return 1.0
    if usual.is_clipped:
        if x > 2.0:
            return 2.0
    if options.is_clipped:
        if x > 3.0:  #! JAX101
            return 3.0
    return x


loss(4.0)

# %% what the constructor of a base with fields is given by a subclass
import equinox as eqx
import jax


class Layer(eqx.Module):
    is_clipped: bool = False
    size: int = 3


class First(Layer):
    def __init__(self, size):
        super().__init__(True, size=size)


class Second(Layer):
    def __init__(self, size):
        super().__init__(size=size)


first, second = First(2), Second(3)


@jax.jit
def loss(x):
    if second.is_clipped:
        if x > 2.0:
            return 2.0
    if first.is_clipped:
        if x > 3.0:  #! JAX101
            return 3.0
    return x


loss(4.0)

# %% norun pydantic is not installed: the fields of its models
import jax
from pydantic import BaseModel


class Config(BaseModel):
    is_clipped: bool = False
    mode: str = "train"
    factor: float | None = None


def read(path):
    with open(path) as file:
        return dict(line.split() for line in file)


usual, same, other = Config(), Config(is_clipped=False), Config(mode="test", factor=0.5)
from_file = Config(**read("config.txt"))


@jax.jit
def as_said(x):
    if usual.is_clipped or same.is_clipped or same.mode != "train" or usual.factor:
        if x > 2.0:
            return 2.0
    return x


@jax.jit
def as_given(x):
    if other.is_clipped or other.mode == "train":
        if x > 2.0:
            return 2.0
    if other.factor is not None:
        if x > 3.0:  #! JAX101
            return 3.0
    if other.mode == "test":
        if x > 4.0:  #! JAX101
            return 4.0
    return x


@jax.jit
def as_in_the_file(x):
    if from_file.is_clipped:
        if x > 2.0:  #! JAX101
            return 2.0
    return x


as_said(1.0), as_given(1.0), as_in_the_file(1.0)

# %% a setting that is popped on one path is still there on the other
import jax
import jax.numpy as jnp


def scaled(x, by=1.0, flip=False):
    if flip:
        x = x[::-1]
    return x * by


def run(x, keep):
    given = {"by": 2.0, "flip": True}
    if not keep:
        given.pop("flip")
    return scaled(x, **given)


for keep in (True, False):
    jax.jit(run, static_argnames="keep")(jnp.ones(2), keep=keep)

# %% children that `tree_flatten` gathers in variables
import jax
from jax.tree_util import register_pytree_node_class


@register_pytree_node_class
class Gathered:
    def __init__(self, a, b, c, name):
        self.a = a
        self.b = b
        self.c = c
        self.name = name

    def tree_flatten(self):
        params = [self.a]
        params += (self.b,)
        params.append(self.c)
        pair = params, self.name
        return pair

    @classmethod
    def tree_unflatten(cls, name, params):
        return cls(*params, name)


@jax.jit
def by_name(x):
    if x.name == "big":
        return x.a
    return x.b


@jax.jit
def by_second(x):
    if x.b > 0:  #! JAX101
        return x.a
    return x.b


@jax.jit
def by_third(x):
    if x.c > 0:  #! JAX101
        return x.a
    return x.b


gathered = Gathered(1.0, 2.0, 3.0, "big")
by_name(gathered)
by_second(gathered)
by_third(gathered)

# %% two backends, one of which a module chooses as it is imported: where jit is JAX's, so is all else
import os

import numpy as np

if os.environ.get("BACKEND", "jax") == "jax":
    import jax.numpy as jnp
    from jax import jit
    from jax.lax import cond, while_loop

    def put(array, index, value):
        return array.at[index].set(value)

else:
    jnp = np

    def jit(function):
        return function

    def cond(test, yes, no, *operands):
        if test:
            return yes(*operands)
        return no(*operands)

    def while_loop(test, body, value):
        while test(value):
            value = body(value)
        return value

    def put(array, index, value):
        array = array.copy()
        array[index] = value
        return array


@jit
def step(x):
    x = put(x, 0, 1.0)
    if x.sum() > 0:  #! JAX101
        x = x + 1
    x = cond(x.sum() > 0, lambda y: y, lambda y: -y, x)
    return while_loop(lambda y: y.sum() < 10, lambda y: y + 1, x)


step(jnp.ones(3))

# %% two backends, the one without JAX first, by a flag of the module
import os

import numpy as np

try:
    import jax

    use_jax = os.environ.get("BACKEND") != "numpy"
except ImportError:
    use_jax = False

if not use_jax:

    def compiled(function, **options):
        return function

    def cond(test, yes, no, *operands):
        if test:
            return yes(*operands)
        return no(*operands)

else:
    compiled = jax.jit
    cond = jax.lax.cond


@compiled
def step(x):
    return cond(x.sum() > 0, lambda y: y, lambda y: -y, x)

# %% no other backend: both alternatives are JAX's
import os

import jax

if os.environ.get("WHERE") == "cond":
    choose = jax.lax.cond
    checked = jax.jit
else:

    def choose(test, yes, no, *operands):
        if test:  #! JAX101
            return yes(*operands)
        return no(*operands)

    checked = jax.vmap


@checked
def step(x):
    return choose(x.sum() > 0, lambda y: y, lambda y: -y, x)


step(jax.numpy.ones(3))

# %% more calls than are told apart, all of which pass the flag
import jax
import jax.numpy as jnp


def check(values):
    if jnp.any(values < 0):
        raise ValueError("negative")


def powers(values, order, skip_checks=False):
    if not skip_checks:
        check(values)
    return values**order


@jax.jit
def series(x):
    total = powers(x, 1, skip_checks=True)
    total += powers(x, 2, skip_checks=True)
    total += powers(x, 3, skip_checks=True)
    total += powers(x, 4, skip_checks=True)
    total += powers(x, 5, skip_checks=True)
    total += powers(x, 6, skip_checks=True)
    total += powers(x, 7, skip_checks=True)
    total += powers(x, 8, skip_checks=True)
    total += powers(x, 9, skip_checks=True)
    total += powers(x, 10, skip_checks=True)
    total += powers(x, 11, skip_checks=True)
    total += powers(x, 12, skip_checks=True)
    return total


series(jnp.ones(3))

# %% more calls than are told apart, of which one leaves the flag out
import jax
import jax.numpy as jnp


def check(values):
    if jnp.any(values < 0):  #! JAX101
        raise ValueError("negative")


def powers(values, order, skip_checks=False):
    if not skip_checks:
        check(values)
    return values**order


@jax.jit
def series(x):
    total = powers(x, 1, skip_checks=True)
    total += powers(x, 2, skip_checks=True)
    total += powers(x, 3, skip_checks=True)
    total += powers(x, 4, skip_checks=True)
    total += powers(x, 5, skip_checks=True)
    total += powers(x, 6, skip_checks=True)
    total += powers(x, 7, skip_checks=True)
    total += powers(x, 8, skip_checks=True)
    total += powers(x, 9, skip_checks=True)
    total += powers(x, 10, skip_checks=True)
    total += powers(x, 11, skip_checks=True)
    total += powers(x, 12)
    return total


series(jnp.ones(3))

# %% ok: a call without keywords leaves nothing in `**`, and the fields of a dataclass are copied with others
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Sizes:
    least: int = 128
    most: int = 8192

    def changed(self, **new):
        if not new:
            return self
        fields = self.__dict__.copy()
        for name in new:
            fields[name] = new[name]
        return Sizes(**fields)

    def merged(self, **new):
        return self if len(new) == 0 else Sizes(**{**vars(self), **new})

    def updated(self, **new):
        fields = dict(vars(self))
        fields.update(new)
        return Sizes(**fields)

    def joined(self, **new):
        return Sizes(**(vars(self) | new))


def cut(sizes, x):
    if sizes.most != sizes.least:
        if x > sizes.most:
            return sizes.most
    return x


@jax.jit
def run(x):
    same = Sizes(4, 4)
    for sizes in (same.changed(), same.merged(), Sizes().changed(least=3, most=3), Sizes().merged(least=3, most=3)):
        x = cut(sizes, x)
    return cut(Sizes().joined(least=2, most=2), cut(Sizes().updated(least=2, most=2), x))


print(run(3.0))

# %% the same where a field differs, or where a keyword is given
from dataclasses import dataclass

import jax


@dataclass(frozen=True)
class Sizes:
    least: int = 128
    most: int = 8192

    def changed(self, **new):
        if not new:
            return self
        return Sizes(**{**vars(self), **new})


@jax.jit
def run(x):
    sizes = Sizes(4, 4).changed(most=5)
    if sizes.most != sizes.least:
        if x > sizes.most:  #! JAX101
            return x
    return x


def scaled(x, **options):
    if options:
        return x if x > 0 else -x  #! JAX101
    return x


jax.jit(lambda x: scaled(x) + scaled(x, by=2))(1.0)
run(1.0)

# %% a traced attribute in a copy of the attributes of an object
import jax
import jax.numpy as jnp


class State:
    def __init__(self, x, total):
        self.x, self.total = x, total


@jax.jit
def run(x):
    fields = dict(vars(State(x, x.sum())))
    return fields["x"] if fields["total"] > 2 else -x  #! JAX101


run(jnp.ones(2))

# %% ok: a flag that is written out at a call of what only the caller knows
import jax
import jax.numpy as jnp


class Decay:
    def __init__(self, rates):
        self.rates = rates

    def inverse(self, skip_checks=False):
        if not skip_checks:
            if jnp.min(jnp.diff(self.rates)) < 1e-9:
                raise ValueError
        return 1 / self.rates


jax.tree_util.register_pytree_node(Decay, lambda d: ((d.rates,), None), lambda _, c: Decay(*c))


def guarded(cond, fn):
    def inner(decay, *args, **kwargs):
        return jax.lax.cond(cond(decay), lambda: jnp.inf, lambda: fn(decay, *args, **kwargs))

    return inner


def below_one(fn):
    return guarded(lambda decay: jnp.any(decay.rates > 1), fn)


def positive(fn):
    return guarded(lambda decay: jnp.any(decay.rates <= 0), fn)


@jax.jit
@below_one
def sensitivity(decay: Decay, n):
    return jnp.sum(decay.rates) * n


@jax.jit
@positive
def loss(decay: Decay, n):
    scale = sensitivity(decay, n)
    return jnp.max(decay.inverse(skip_checks=True)) * scale


print(globals()["loss"](globals()["Decay"](jnp.array([0.25, 0.5])), jnp.float32(3.0)))

# %% keywords that the function changes itself
import jax


def scaled(x, **options):
    options.setdefault("by", 1)
    if not options:
        return 0
    return x if x > 0 else -x  #! JAX101


jax.jit(scaled)(1.0)

# %% raises-elsewhere the number of a program in a kernel is traced
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(x_ref, o_ref):
    number = pl.program_id(0)
    if number == 0:  #! JAX101
        o_ref[...] = jnp.zeros_like(o_ref)
    o_ref[...] = x_ref[...]


call = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4,), jnp.float32), grid=(2,), interpret=True)
print(call(jnp.ones(4)))

# %% what a kernel does in one of its programs only, and how many there are
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(x_ref, o_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o_ref[...] = jnp.zeros_like(o_ref)

    if pl.num_programs(0) > 1:
        o_ref[...] += x_ref[...]


call = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4,), jnp.float32), grid=(2,), interpret=True)
print(call(jnp.ones(4)))

# %% a schedule that is an object
import dataclasses

import jax
import jax.numpy as jnp
import optax


@dataclasses.dataclass(frozen=True)
class Warmup:
    peak: float
    steps: int

    def __call__(self, step):
        if step < self.steps:  #! JAX101
            return self.peak * step / self.steps
        return self.peak


@dataclasses.dataclass(frozen=True)
class Smooth:
    peak: float
    steps: int

    def __call__(self, step):
        return self.peak * jnp.minimum(step / self.steps, 1.0)


def trained(schedule):
    optimizer = optax.sgd(schedule)

    @jax.jit
    def step(params, state):
        updates, state = optimizer.update(params, state)
        return optax.apply_updates(params, updates), state

    params = jnp.ones(2)
    return step(params, optimizer.init(params))


print(trained(Smooth(0.1, 5)))
print(trained(Warmup(0.1, 5)))

# %% a schedule that an optimizer of jax.example_libraries asks for the size of a traced step
import jax
import jax.numpy as jnp
from jax.example_libraries import optimizers


def warmup(step):
    if step < 10:  #! JAX101
        return 0.01
    return 0.1


def decay(step):
    return 0.1 / (1.0 + step)


def train(schedule):
    init, update, get_params = optimizers.momentum(schedule, mass=0.9)

    @jax.jit
    def run(i, state):
        grads = jax.grad(lambda params: jnp.sum(params**2))(get_params(state))
        return update(i, grads, state)

    return run(0, init(jnp.ones(3)))


print(train(decay))
print(train(warmup))

# %% tangents are tracers where JAX takes a derivative for all of them
import jax
import jax.numpy as jnp


@jax.custom_jvp
def f(x):
    return x * 2.0


@f.defjvp
def rule(primals, tangents):
    (x,), (dot,) = primals, tangents
    if dot > 0:  #! JAX101
        dot = dot * 1.0
    return f(x), 2.0 * dot

@jax.custom_jvp
def g(x):
    return x * 2.0


@g.defjvp
def g_rule(primals, tangents):
    (x,), (dot,) = primals, tangents
    if dot > 0:
        dot = dot * 1.0
    return g(x), 2.0 * dot

print(jax.jvp(g, (1.0,), (1.0,)))
print(jax.grad(lambda x: f(x))(1.0))

# %% what a class of a library was called for is an object of that class
import optparse
from optparse import OptionParser as Parser
from optparse import Values as Settings

import jax
import jax.numpy as jnp

jax.tree_util.register_pytree_node(
    Settings, lambda each: ((each.rate,), None), lambda _, parts: Settings({"rate": parts[0]})
)
KINDS = (Parser, Settings)


def rate_of(given):
    if isinstance(given, optparse.Values):
        return given.rate
    if given > 1:
        return given
    return 1 / given


def not_of(given):
    if not isinstance(given, KINDS):
        return given if given > 1 else 1 / given
    return given.rate


def made(rate):
    return Settings({"rate": rate})


print(jax.jit(rate_of)(optparse.Values({"rate": jnp.ones(())})))
print(jax.jit(not_of)(made(jnp.ones(()))))
print(jax.grad(lambda given: not_of(given))(made(1.0)).rate)

# %% what a class of a library was called for, or an array: the array goes on
import optparse

import jax
import jax.numpy as jnp


def rate_of(given):
    if isinstance(given, optparse.Values):
        return given.rate
    if given > 1:  #! JAX101
        return given
    return 1 / given


print(rate_of(optparse.Values({"rate": 2.0})))
jax.jit(rate_of)(jnp.ones(()))

# %% decorators that JAX and chex make, and context managers as decorators: the function stays what it is
import contextlib

import jax
import jax.numpy as jnp


@contextlib.contextmanager
def region(name):
    yield name


@jax.jit
@jax.named_scope("limit")
def limited(x):
    if x.max() > 1.0:  #! JAX101
        return x / x.max()
    return x


@jax.jit
@jax.default_matmul_precision("float32")
def solved(a, b):
    r = jnp.matmul(a, b)
    if jnp.linalg.norm(r) > 1.0:  #! JAX101
        return r / jnp.linalg.norm(r)
    return r


@jax.jit
@jax.profiler.annotate_function
def halved(x):
    if x.sum() > 1.0:  #! JAX101
        return x * 0.5
    return x


@jax.jit
@region("step")
def stepped(x):
    if x.sum() > 1.0:  #! JAX101
        return x * 0.5
    return x


class Model:
    @jax.named_scope("advance")
    def advance(self, x):
        if x.sum() > 1.0:  #! JAX101
            return x * 0.5
        return x


limited(2 * jnp.ones(3))
solved(jnp.eye(2), jnp.ones(2))
halved(jnp.ones(3))
stepped(jnp.ones(3))
jax.jit(Model().advance)(jnp.ones(3))

# %% ... called with arrays they decide as any function does
import jax
import jax.numpy as jnp


@jax.named_scope("limit")
def limited(x, scale=None):
    if x.max() > 1.0:
        return x / x.max()
    return x


limited(2 * jnp.ones(3))

# %% what jnp.vectorize maps by a signature: arguments with more dimensions than it names
from functools import partial

import jax.numpy as jnp


@partial(jnp.vectorize, signature="(n)->(n)")
def normalized(v):
    n = jnp.linalg.norm(v)
    if n > 0:  #! JAX101
        return v / n
    return v


def distance(a, b):
    d = jnp.sum((a - b) ** 2)
    return d if d > 0 else 0.0  #! JAX101


normalized(jnp.ones((2, 3)))
jnp.vectorize(distance, signature="(n),(n)->()")(jnp.ones((2, 3)), jnp.zeros((2, 3)))

# %% ... with as many as it names nothing is mapped
import jax.numpy as jnp


def distance(a, b):
    d = jnp.sum((a - b) ** 2)
    return d if d > 0 else 0.0


jnp.vectorize(distance, signature="(n),(n)->()")(jnp.ones(3), jnp.zeros(3))

# %% fields of the named tuples that jax.numpy gives
import jax
import jax.numpy as jnp


@jax.jit
def conditioned(a):
    parts = jnp.linalg.svd(a)
    if parts.S[-1] < 1e-6:  #! JAX101
        return jnp.inf
    if jnp.linalg.eigh(a).eigenvalues[0] < 0:  #! JAX101
        return 0.0
    if jnp.linalg.slogdet(a).logabsdet > 0:  #! JAX101
        return 1.0
    return parts.S[0] / parts.S[-1]


conditioned(jnp.eye(2))

# %% errors that a call of assertRaises expects
import unittest

import jax


@jax.jit
def f(x):
    return 1 if x > 0 else 0


class TestErrors(unittest.TestCase):
    def test_error(self):
        self.assertRaises(jax.errors.TracerBoolConversionError, f, 1.0)

# %% errors that a broad handler hides
import jax


@jax.jit
def step(x):
    if x > 0:  #! JAX101
        return x
    return -x


def main():
    return step(1.0)


try:
    main()
except Exception as error:
    print(error)
    raise

# %% norun the handler puts another error in the place of this one
import jax
import jax.numpy as jnp


class NotCompiled(Exception):
    pass


@jax.jit
def clipped(x):
    try:
        if x > 0:  #! JAX101
            return x
        return -x
    except jax.errors.TracerBoolConversionError as error:
        raise NotCompiled("give this an array that is not traced") from error


clipped(jnp.float32(2.0))

# %% what is called in the try: its handler raises with advice
import jax
import jax.numpy as jnp


def advised(function, *args):
    try:
        return function(*args)
    except jax.errors.UnexpectedTracerError as error:
        raise RuntimeError("use the transforms of this library") from error


def positive(x):
    if x > 0:  #! JAX101
        return x
    return -x


jax.jit(lambda x: advised(positive, x))(jnp.float32(2.0))

# %% the handler notes the error and raises it again
import jax
import jax.numpy as jnp

failed = []


@jax.jit
def noted(x):
    try:
        return x if x > 0 else -x  #! JAX101
    except Exception as error:
        failed.append(str(error))
        raise


noted(jnp.float32(2.0))

# %% the handler gives another answer for tracers, and raises only for what is none
import jax
import jax.numpy as jnp


@jax.jit
def either(x):
    try:
        return x if x > 0 else -x
    except jax.errors.TracerBoolConversionError:
        if isinstance(x, jax.core.Tracer):
            return jnp.abs(x)
        raise


either(jnp.float32(2.0))

# %% the first error is answered by another try, the last one is raised
import jax
import jax.numpy as jnp


def attempts(x):
    for attempt in range(2):
        try:
            if attempt == 0 and x > 0:
                return x
            return jnp.abs(x)
        except jax.errors.TracerBoolConversionError:
            if attempt == 0:
                continue
            raise


jax.jit(attempts)(jnp.float32(2.0))

# %% `:=` behind `and` and what `finally` binds: a size in the place of a traced sum
import jax
import jax.numpy as jnp


@jax.jit
def doubled(x):
    n = x.sum()
    if x.ndim and (n := x.shape[0]) and n > 2:
        return x * n
    if x.ndim and (n := x.shape[0]):
        for _ in range(n):
            x = x + 1
    return x


@jax.jit
def last(x):
    for i in range(3):
        n = x.sum()
        try:
            if i == 1:
                break
        finally:
            n = x.shape[0]
    if n > 2:
        return x * 2
    return x


doubled(jnp.ones(4)), last(jnp.ones(3))

# %% `:=` behind `and` binds a tracer
import jax
import jax.numpy as jnp


@jax.jit
def doubled(x):
    n = x.shape[0]
    if x.ndim and (n := x.sum()) > 2:  #! JAX101
        return x * n
    return x


doubled(jnp.ones(4))

# %% an object or what a trace has of one is not taken for None, nor in a function inside
import jax
import jax.numpy as jnp


class Neighbors:
    def __init__(self, found):
        self.found = found


jax.tree_util.register_pytree_node(Neighbors, lambda n: ((n.found,), None), lambda _, parts: Neighbors(*parts))


def listed(position, neighbors=None):
    def made():
        if neighbors is None:
            if jnp.all(position > 0):
                return Neighbors(position)
            return Neighbors(-position)
        return Neighbors(position + neighbors.found)

    nearest = neighbors
    if nearest is None:
        return made()
    return made()


@jax.jit
def step(position, neighbors):
    return position + 1, listed(position, neighbors)


def run(position, first):
    neighbors = listed(position)
    for _ in range(3):
        position, neighbors = step(position, neighbors)
    return step(position, first)


run(jnp.ones(3), Neighbors(jnp.ones(3)))

# %% what certainly is None in a trace
import jax
import jax.numpy as jnp


def listed(position, neighbors=None):
    def made():
        if neighbors is None:
            if jnp.all(position > 0):  #! JAX101
                return position
            return -position
        return position + neighbors

    return made()


jax.jit(listed)(jnp.ones(3))

# %% a factory wraps the functions of several callers, and one of these compiles what it gets
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


class Pair(NamedTuple):
    init: Callable
    apply: Callable


def transform(function):
    def init(x):
        return function(x) * 0

    def apply(x):
        return function(x)

    return Pair(init, apply)


def clipped(x):
    if x > 1:
        return x
    return -x


def halved(x):
    return x / 2 if x > 2 else x


def doubled(x):
    while x < 3:
        x = x * 2
    return x


def shifted(x):
    assert x > -4
    return x + 1


def signed(x):
    if x > 5:  #! JAX101
        return x
    return -x


def test_clipped():
    pair = transform(clipped)
    return pair.init(1.0), pair.apply(1.0)


def test_doubled():
    return transform(doubled).apply(1.0)


def test_halved():
    return transform(halved).apply(1.0)


def test_shifted():
    return transform(shifted).apply(1.0)


def test_signed():
    pair = transform(signed)
    return jax.jit(pair.apply)(jnp.float32(1.0))


test_clipped(), test_doubled(), test_halved(), test_shifted(), test_signed()

# %% a class of dicts
from typing import TypedDict

import jax
import jax.numpy as jnp


class Graph(TypedDict, total=False):
    nodes: jax.Array
    size: int


class Masked(Graph):
    mask: jax.Array


@jax.jit
def spread(graph: Masked):
    if "mask" in graph and graph["nodes"].ndim == 1:
        nodes = graph["nodes"] * graph["mask"]
    if graph["mask"].any():  #! JAX101
        nodes = graph["nodes"]
    return nodes


def spread_of(count):
    graph = Masked(nodes=jnp.ones(count), mask=jnp.ones(count), size=3)
    if graph["size"] > 2:
        del graph["size"]
    return spread(graph)


print(spread_of(3))

# %% a dict of arrays that an object keeps, and hands to what gives the next one
import jax
import jax.numpy as jnp


@jax.jit
def update(params, x):
    if params["w"].ndim > 1:
        x = x[None]
    if params["w"].sum() > 3:  #! JAX101
        x = 2 * x
    return {"w": params["w"] - x, "b": params["b"]}


class Trainer:
    def __init__(self, width):
        self.params = {"w": jnp.zeros(width), "b": jnp.zeros(())}

    def step(self, x):
        self.params = update(self.params, x)
        return self.params["b"]


trainer = Trainer(3)
for _ in range(2):
    print(trainer.step(1.0))

# %% methods of the members of an enumeration, which hand a function on or are called
import enum

import jax
import jax.numpy as jnp


class Remat(enum.Enum):
    NONE = "none"
    FULL = "full"

    def wrap(self, fn):
        if self is Remat.NONE:
            return fn
        return jax.checkpoint(fn)

    @property
    def is_full(self):
        return self is Remat.FULL


class Act(enum.Enum):
    RELU = "relu"
    TANH = "tanh"

    def __call__(self, x):
        if self is Act.RELU:
            return jax.nn.relu(x)
        if x.max() > 0:  #! JAX101
            return jnp.tanh(x)
        return x

    @classmethod
    def default(cls):
        return cls.RELU


def block(p, x):
    s = jnp.matmul(x, p)
    if s.max() > 0:  #! JAX101
        s = s / s.max()
    return s


def plain(p, x):
    return jnp.matmul(x, p)


@jax.jit
def forward(params, x):
    fn = Remat.FULL.wrap(block)
    return jax.lax.scan(lambda x, p: (fn(p, x), None), x, params)[0]


@jax.jit
def right(params, x):
    fn = Remat.FULL.wrap(plain)
    if Remat.FULL.is_full:
        x = Act.default()(x)
    return jax.lax.scan(lambda x, p: (fn(p, x), None), x, params)[0]


@jax.jit
def activated(x):
    return Act.TANH(x)


print(right(jnp.ones((2, 3, 3)), jnp.ones(3)))
forward(jnp.ones((2, 3, 3)), jnp.ones(3))
activated(jnp.ones(3))

# %% the limits of a dtype are numbers
import jax
import jax.numpy as jnp


def norm(x):
    eps = jnp.finfo(x.dtype).eps
    if eps and jnp.max(x) > 0: #! JAX101
        return jnp.sqrt(jnp.sum(x * x) + eps)
    return jnp.sqrt(jnp.sum(x * x))


@jax.jit
def scaled(x):
    if jnp.iinfo(jnp.int32).max > x.size:
        x = x * 2
    return x / norm(x)


scaled(jnp.ones(3))

# %% classes that a `try` adds to a tuple: what a test of them refuses may be no array
import jax
import jax.numpy as jnp
import numpy as np

_ARRAYS = (np.ndarray, np.generic, jax.Array)
_HOSTS = (np.ndarray,)
try:
    from jax._src.literals import TypedNdArray

    _ARRAYS += (TypedNdArray,)
    _HOSTS += (np.generic,)
except ImportError:
    pass


def is_array(x):
    return isinstance(x, _ARRAYS)


def equal(x, y):
    if is_array(x):
        return jnp.all(x == y)
    if isinstance(y, _ARRAYS):
        return False
    if x != y:
        return False
    return True


def sign(x):
    if isinstance(x, _HOSTS):
        return np.sign(x)
    if x > 0:  #! JAX101
        return 1
    return -1


def positive(x):
    if isinstance(x, _ARRAYS):
        if x > 0:  #! JAX101
            return 1
    return 0


@jax.jit
def run(x, y):
    return equal(x, y), equal(3, 3)


@jax.jit
def signs(x):
    return positive(x), sign(x)


run(jnp.ones(()), jnp.ones(()))
signs(jnp.ones(()))

# %% a flag that a jitted function has by default, where what is called is handed to the function around it
import functools

import jax
import jax.numpy as jnp


class Model:
    def generate(self, tokens, trace=True):
        if not trace:
            if jnp.sum(tokens[:, -1] == 3) > 0:
                print("right padding")
        return tokens + 1


def loaded(model):
    @functools.partial(jax.jit, static_argnames=("trace",))
    def generate(tokens, trace=True):
        return model.generate(tokens, trace=trace)

    return generate


def main():
    return loaded(Model())(jnp.ones((1, 3), int))

# %% where the default is that the test is made
import functools

import jax
import jax.numpy as jnp


class Model:
    def generate(self, tokens, trace=True):
        if not trace:
            if jnp.sum(tokens[:, -1] == 3) > 0:  #! JAX101
                print("right padding")
        return tokens + 1


def loaded(model):
    @functools.partial(jax.jit, static_argnames=("trace",))
    def generate(tokens, trace=False):
        return model.generate(tokens, trace=trace)

    return generate


def main():
    return loaded(Model())(jnp.ones((1, 3), int))


main()

# %% a function that is handed over with the flag that it is not traced
import jax
import jax.numpy as jnp


def controlled(controller, x):
    return controller(x)


def make_step(controller):
    def step(x, _):
        return controlled(controller, x), None

    return step


def scanned(x, count, controller):
    return jax.lax.scan(make_step(controller), x, None, length=count)[0]


def execute(x, count, controller=None, cost=None, use_jit="auto"):
    if use_jit == "auto":
        is_blocked = cost is not None
        use_jit = not is_blocked
    if use_jit:
        return scanned(x, count, controller)
    for _ in range(count):
        x = x + controlled(controller, x)
    return x


def test_goal():
    def controller(x):
        assert jnp.allclose(x, 0)
        return x

    execute(jnp.zeros(2), 3, controller, use_jit=False)


def test_others():
    def controller(x):
        return -x

    execute(jnp.zeros(2), 3, controller)

# %% or with the one that it is
import jax
import jax.numpy as jnp


def controlled(controller, x):
    return controller(x)


def make_step(controller):
    def step(x, _):
        return controlled(controller, x), None

    return step


def scanned(x, count, controller):
    return jax.lax.scan(make_step(controller), x, None, length=count)[0]


def execute(x, count, controller=None, cost=None, use_jit="auto"):
    if use_jit == "auto":
        is_blocked = cost is not None
        use_jit = not is_blocked
    if use_jit:
        return scanned(x, count, controller)
    for _ in range(count):
        x = x + controlled(controller, x)
    return x


def test_by_default():
    def controller(x):
        assert jnp.allclose(x, 0)  #! JAX101
        return x

    execute(jnp.zeros(2), 3, controller)


test_by_default()

# %% a flag that all calls share of a method with more calls than are told apart
import jax
import jax.numpy as jnp


class Generation:
    def generate(self, tokens, config=None, trace=True, **options):
        if not trace:
            if jnp.sum(tokens[:, -1] == 3) > 0:
                print("right padding")
        return tokens + 1


class A(Generation): ...

class B(Generation): ...

class C(Generation): ...

class D(Generation): ...

class E(Generation): ...


@jax.jit
def generated(tokens):
    model = A()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = B()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = C()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = D()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = E()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    return model.generate(tokens, mask=tokens)


generated(jnp.ones((1, 3), int))

# %% a flag that all calls share but one, of a method with more calls than are told apart
import jax
import jax.numpy as jnp


class Generation:
    def generate(self, tokens, config=None, trace=True, **options):
        if not trace:
            if jnp.sum(tokens[:, -1] == 3) > 0:  #! JAX101
                print("right padding")
        return tokens + 1


class A(Generation): ...

class B(Generation): ...

class C(Generation): ...

class D(Generation): ...

class E(Generation): ...


@jax.jit
def generated(tokens):
    model = A()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = B()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = C()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = D()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    model = E()
    model.generate(tokens), model.generate(tokens, 0), model.generate(tokens, 1), model.generate(tokens, 2), model.generate(tokens, 3), model.generate(tokens, 4), model.generate(tokens, 5)
    return model.generate(tokens, mask=tokens, trace=False)


generated(jnp.ones((1, 3), int))

# %% what a method of a base class is handed for objects of another class
import jax
import jax.numpy as jnp


class VonMises:
    def __init__(self, location, concentration):
        self.location, self.concentration = location, concentration

    def mean(self):
        return self.location * self.concentration


class Independent:
    def __init__(self, distribution, batch_ndims=None):
        if batch_ndims > 3:
            raise ValueError(batch_ndims)
        self.distribution = distribution


class EquivalenceTest:
    def set_class(self, cls):
        self.cls = cls


class VonMisesTest(EquivalenceTest):
    def setup(self):
        self.set_class(VonMises)

    def test_gradient(self):
        def loss(location, concentration):
            return self.cls(location, concentration).mean()

        jnp.vectorize(jax.grad(loss))(jnp.ones(3), jnp.ones(3))


class IndependentTest(EquivalenceTest):
    def setup(self):
        self.set_class(Independent)

    def test_constructor(self):
        self.cls(VonMises(1.0, 2.0), 1)

# %% or of a class that is derived from it
import jax
import jax.numpy as jnp


class VonMises:
    def __init__(self, location, concentration):
        self.location, self.concentration = location, concentration

    def mean(self):
        return self.location * self.concentration


class Independent:
    def __init__(self, distribution, batch_ndims=None):
        if batch_ndims > 3:  #! JAX101
            raise ValueError(batch_ndims)
        self.distribution = distribution


class EquivalenceTest:
    def set_class(self, cls):
        self.cls = cls


class VonMisesTest(EquivalenceTest):
    def setup(self):
        self.set_class(VonMises)

    def test_gradient(self):
        def loss(location, concentration):
            return self.cls(location, concentration).mean()

        jnp.vectorize(jax.grad(loss))(jnp.ones(3), jnp.ones(3))


class IndependentTest(VonMisesTest):
    def setup(self):
        self.set_class(Independent)


def run(test):
    test.setup()
    test.test_gradient()


run(IndependentTest())

# %% what a function gives back to a call whose flag says which return that is
import jax
from jax import numpy as jnp


def init(ratio, safe=True):
    def safely(fun):
        def wrapped(p, x):
            if jnp.any(jnp.isnan(x)):
                raise RuntimeError("NaN")
            return fun(p, x)

        return wrapped

    def propagate(p, x):
        return p * x

    if safe:
        return safely(propagate), 1
    return propagate, safely


class Trainer:
    def __init__(self, ratio=0.9):
        self.step, _ = init(ratio, safe=False)
        self.jitted = jax.jit(lambda p, x: self.step(p, x))


class Safe:
    def __init__(self, ratio=0.9):
        self.step, _ = init(ratio)

# %% where it is the other return
import jax
from jax import numpy as jnp


def init(ratio, safe=True):
    def safely(fun):
        def wrapped(p, x):
            if jnp.any(jnp.isnan(x)):  #! JAX101
                raise RuntimeError("NaN")
            return fun(p, x)

        return wrapped

    def propagate(p, x):
        return p * x

    if safe:
        return safely(propagate), 1
    return propagate, safely


class Trainer:
    def __init__(self, ratio=0.9):
        self.step, _ = init(ratio, safe=True)
        self.jitted = jax.jit(lambda p, x: self.step(p, x))


class Unsafe:
    def __init__(self, ratio=0.9):
        self.step, _ = init(ratio, safe=False)


Trainer().jitted(2.0, jnp.ones(3))

# %% an update hands numbers of the state to the factory
import functools

import jax
import jax.numpy as jnp
import optax


@functools.partial(optax.inject_hyperparams, static_args=("clip",))
def make(learning_rate, clip, weight_decay=0.0):
    chain = [optax.clip(clip)] if clip > 0 else []
    if weight_decay > 0:  #! JAX101
        chain.append(optax.add_decayed_weights(weight_decay))
    return optax.chain(*chain, optax.scale(-learning_rate))


optimizer = make(1e-3, 1.0)


@jax.jit
def step(params, state):
    updates, state = optimizer.update(params, state, params)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(3)}
step(params, optimizer.init(params))

# %% and what is no number as it is
import jax
import jax.numpy as jnp
import optax


def make(learning_rate, clip, name="sgd", nesterov=False, mask=None):
    if clip > 0 and name == "sgd" and not nesterov and mask is None:
        return optax.chain(optax.clip(clip), optax.sgd(learning_rate))
    return optax.adam(learning_rate)


optimizer = optax.inject_hyperparams(make, static_args="clip")(learning_rate=1e-3, clip=1.0)


@jax.jit
def step(params, state):
    updates, state = optimizer.update(params, state, params)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(3)}
step(params, optimizer.init(params))

# %% one setting chooses what is compiled and the class that it calls
from functools import partial

import jax
import jax.numpy as jnp


class Config:
    def __init__(self, name):
        self.name = name


class Recurrent:
    def __call__(self, x, is_training=True):
        return jnp.tanh(x)


class Attention:
    def __call__(self, x, is_training=True):
        if is_training:
            x = 0.9 * x
        return x


class Belief:
    def __init__(self, config):
        self.config = config
        if self.config.name == "recurrent":
            self.encode = jax.jit(self.encoded)
        else:
            self.encode = self.encoded

    @partial(jax.jit, static_argnums=0)
    def compiled(self, x, **options):
        if self.config.name == "recurrent":
            cls = Recurrent
        elif self.config.name == "attention":
            cls = Attention
        return cls()(x, **options)

    def encoded(self, x, training):
        return (Recurrent() if self.config.name == "recurrent" else Attention())(x, training)


def rollout(config, x):
    model = Belief(config)
    if config.name == "recurrent":
        x = start(model, x)
    elif config.name == "attention":
        x = Attention()(x, is_training=True)
    return model.encode(x, True)


def start(model, x):
    return model.compiled(x, is_training=True)


for name in ("recurrent", "attention"):
    rollout(Config(name), jnp.ones(3))

# %% and where it is the class with the branch
from functools import partial

import jax
import jax.numpy as jnp


class Config:
    def __init__(self, name, other):
        self.name = name
        self.other = other


class Recurrent:
    def __call__(self, x, is_training=True):
        return jnp.tanh(x)


class Attention:
    def __call__(self, x, is_training=True):
        if is_training:  #! JAX101
            x = 0.9 * x
        return x


class Belief:
    def __init__(self, config):
        self.config = config

    @partial(jax.jit, static_argnums=0)
    def compiled(self, x, **options):
        if self.config.other == "recurrent":
            cls = Recurrent
        elif self.config.other == "attention":
            cls = Attention
        return cls()(x, **options)


def rollout(config, x):
    if config.name == "recurrent":
        return Belief(config).compiled(x, is_training=True)
    return x


rollout(Config("recurrent", "attention"), jnp.ones(3))

# %% norun nobody calls these: a parameter that is annotated as a pytree is one, with traced leaves
import dataclasses
from functools import partial
from typing import Any, NamedTuple

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Net:
    scale: jax.Array
    name: str = dataclasses.field(default="a", metadata=dict(static=True))
    bias: Any = None
    layers: list = dataclasses.field(default_factory=list)

    def forward(self, x):
        if self.name == "a":
            return x
        if self.bias is not None:
            x = x + self.bias
        for each in self.layers:
            x = each(x)
        if self.scale > 2:  #! JAX101
            return x
        return x * self.scale

    def __call__(self, x):
        if x.sum() > 2:  #! JAX101
            return x
        return x * self.scale


class Wide(NamedTuple):
    net: Net
    count: int

    def apply(self, x):
        if self.count > 2:  #! JAX101
            return x
        return x * self.count


@jax.tree_util.register_pytree_node_class
class Custom:
    def __init__(self, rate, name):
        self.rate, self.name = rate, name

    def tree_flatten(self):
        return (self.rate,), self.name

    @classmethod
    def tree_unflatten(cls, name, rates):
        return cls(*rates, name)

    def apply(self, x):
        if self.name == "a":
            return x
        if self.rate > 2:  #! JAX101
            return x
        return x * self.rate


@jax.jit
def method(net: Net, x):
    return net.forward(x)


def called(x, *, net: "Net"):
    return net(x)


compiled = jax.jit(called)


@jax.vmap
def mapped(wide: Wide, x):
    return wide.apply(x)


@partial(jax.jit, static_argnames="count")
def custom(x, custom: Custom, count):
    return custom.apply(x) if count > 2 else x

# %% norun ... a static one, one that may be another class, and none
import dataclasses
from functools import partial
from typing import NamedTuple, Protocol

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float

    def apply(self, x):
        if self.rate > 2:
            return x
        return x * self.rate


class Law(Protocol):
    rate: float

    def apply(self, x):
        if self.rate > 2:
            return x
        return x * self.rate


class Rates(NamedTuple):
    first: float

    def apply(self, x):
        if self.first > 2:
            return x
        return x * self.first


@partial(jax.jit, static_argnums=0)
def static(config: Config, x):
    return config.apply(x)


@jax.jit
def may_be_any(law: Law, x):
    return law.apply(x)


@partial(jax.jit, static_argnames=("rates",))
def named(x, rates: Rates):
    return rates.apply(x)


@partial(jax.jit, static_argnames=("rates",))
def by_keyword(x, *, rates: Rates):
    return rates.apply(x)

# %% compiled and kept where nothing reads it: nobody calls it so
import jax
import jax.numpy as jnp


def slow(x):
    while x > 2:
        x = x - 1
    return x


class Sampler:
    def __init__(self, params):
        self.params = params
        self._compiled = jax.jit(self._sample)
        self._mapped = jax.jit(jax.vmap(self._one)) if params is not None else None

    def _sample(self, state):
        if jnp.any(state < 5):
            state = state + self.params
        return state

    def _one(self, state):
        return state if state > 5 else -state

    def __call__(self, state):
        return self._sample(state)


def use(x):
    compiled = jax.jit(slow)
    return slow(x)


_compiled = jax.jit(slow)
print(Sampler(jnp.ones(2))(jnp.zeros(2)), use(jnp.asarray(3.0)), slow(3.0))

# %% norun ... read, under a public name, asked for by name, and a function that has no other name
import jax


class Sampler:
    def __init__(self):
        self._read = jax.jit(self._one)
        self.public = jax.jit(self._two)
        self._written = jax.jit(lambda x: x if x > 2 else -x)  #! JAX101

    def _one(self, x):
        return x if x > 2 else -x  #! JAX101

    def _two(self, x):
        return x if x > 2 else -x  #! JAX101

    def handed(self):
        return self._read


class ByName:
    def __init__(self):
        self._named = jax.jit(self._one)

    def _one(self, x):
        return x if x > 2 else -x  #! JAX101

    def get(self, name):
        return getattr(self, f"_{name}")


def made():
    compiled = jax.jit(inner)
    return lambda x: compiled(x)


def inner(x):
    return x if x > 2 else -x  #! JAX101


def in_list(x):
    return x if x > 2 else -x  #! JAX101


_compiled = jax.jit(in_list)
ALL = [_compiled]

# %% what a loop defines calls what this turn has
import jax
import jax.numpy as jnp


class Scaled:
    def __call__(self, x, y):
        return 2 * x + y


class Bounded:
    def __call__(self, x, y):
        return jnp.abs(x) if y.sum() > 0 else x  #! JAX101


def by_objects():
    for layer in (Scaled(), Bounded()):

        @jax.jit
        def step(x):
            return layer(x, x)

        step(jnp.ones(3))


by_objects()

# %% and so do lambdas in it
import jax
import jax.numpy as jnp


def halved(x, y):
    return x / 2 + y


def chosen(x, y):
    return x if x.sum() > 2 else y  #! JAX101


for name in ("halved", "chosen"):
    each = globals()[name]
    jax.jit(lambda x: each(x, x))(jnp.ones(3))

# %% and not what another one has
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Case:
    name: str
    kind: str


CASES = (
    Case("added", "binary"),
    Case("sine", "unary"),
    Case("cosine", "unary"),
    Case("tangent", "unary"),
    Case("root", "unary"),
    Case("absolute", "unary"),
    Case("negative", "unary"),
    Case("square", "unary"),
    Case("cube", "unary"),
    Case("convolved", "sizes"),
)


@partial(jax.jit, static_argnames=("sizes",))
def convolved(x, sizes):
    for size in sizes:
        x = x * int(size)
    return x


def added(x, y):
    return x + y


sine, cosine, tangent, root, absolute = jnp.sin, jnp.cos, jnp.tan, jnp.sqrt, jnp.abs
negative, square = jnp.negative, jnp.square


def cube(x):
    return x**3


def wrap(case):
    fn = globals()[case.name]
    if case.kind == "binary":
        return jax.jit(lambda x: fn(x, x))
    if case.kind == "sizes":
        return jax.jit(lambda x: fn(x, (2, 3)))
    return jax.jit(fn)


def test_all():
    for case in CASES:
        wrap(case)(jnp.ones(3))


def test_names():
    for name, kind in [(case.name, case.kind) for case in CASES]:
        fn = globals()[name]
        if kind == "unary":
            jax.jit(fn)(jnp.ones(3))
        elif "conv" in name:
            jax.jit(lambda x: fn(x, (2, 3)))(jnp.ones(3))
        else:
            jax.jit(fn)(jnp.ones(3), jnp.ones(3))


test_all()
test_names()

# %% a function that a later definition replaces before anything has called it never runs
from functools import partial

import jax
import jax.numpy as jnp


class Cosmology:
    @partial(jax.jit, static_argnums=(3,))
    def delay(self, near, far, n=10):
        if far <= near:
            raise ValueError("source before lens")
        return jnp.linspace(near, far, n).sum()

    def delay(self, near, far):
        return far - near

    @staticmethod
    @jax.jit
    def sign(x):
        return 1 if x > 0 else -1

    @staticmethod
    @jax.jit
    def sign(x):
        return jnp.sign(x)


@jax.jit
def clip(x):
    if x > 2:
        return 2.0
    return x


@jax.jit
def clip(x):
    return jnp.minimum(x, 2.0)


Cosmology().delay(jnp.ones(()), jnp.ones(()))
Cosmology.sign(jnp.ones(()))
clip(jnp.ones(()))

# %% ... and does where something has it
import jax
import jax.numpy as jnp

registry = {}


def register(name):
    def add(func):
        registry[name] = func
        return func

    return add


@register("a")
def _(x):
    if x > 2:  #! JAX101
        return 2.0
    return x


@register("b")
def _(x):
    return jnp.minimum(x, 2.0)


class Gauge:
    @property
    def value(self):
        return jax.jit(lambda x: 1 if x > 0 else -1)  #! JAX101

    @value.setter
    def value(self, new):
        self.new = new


@jax.jit
def first(x):
    return 1 if x > 0 else -1  #! JAX101


kept = first


@jax.jit
def first(x):
    return jnp.sign(x)


first(jnp.ones(()))
jax.jit(registry["a"])(jnp.ones(()))

# %% the index of a mapped axis is a tracer under vmap alone
from functools import partial

import jax
import jax.numpy as jnp


def is_first():
    return jax.lax.axis_index("lanes") == 0


@partial(jax.vmap, axis_name="lanes")
def scaled(x):
    if is_first():  #! JAX101
        return x * 2
    return x


scaled(jnp.ones(3))

# %% the index of a mapped axis is a tracer under shard_map alone, whatever is split
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))


def scaled(x):
    rank = jax.lax.axis_index("data")
    if rank > 0:  #! JAX101
        return x * 2
    return x


jax.shard_map(scaled, mesh=mesh, in_specs=P(), out_specs=P(), check_vma=False)(jnp.ones(3))

# %% how many lanes there are, and a sum over them, are known under vmap; outside of a map there is no index
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.vmap, axis_name="lanes")
def scaled(x):
    if jax.lax.psum(1, "lanes") > 2:
        x = x * 2
    if jax.lax.psum(jax.lax.axis_index("lanes"), "lanes") > 2:
        x = x * 2
    return jnp.where(jax.lax.axis_index("lanes") == 0, x, -x)


def alone(x):
    try:
        if jax.lax.axis_index("lanes") == 0:
            print("first")
    except NameError:
        print("not mapped")
    return x


print(scaled(jnp.ones(3)))
print(alone(jnp.ones(3)))

# %% a constant in a sequence pattern is compared with the item
import jax
import jax.numpy as jnp


@jax.jit
def applied(kind, x):
    match (x.ndim, kind):
        case (1, 0):  #! JAX101
            return x
        case _:
            return x * 2


applied(0, jnp.ones(3))

# %% a constant in a mapping pattern is compared with the entry
import jax
import jax.numpy as jnp


@jax.jit
def applied(options, x):
    match options:
        case {"kind": 0 | 1}:  #! JAX101
            return x
        case _:
            return x * 2


applied({"kind": 0, "more": 1}, jnp.ones(3))

# %% a constant in a class pattern is compared with the attribute
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Spec:
    kind: int


@jax.jit
def applied(x, spec):
    match spec:
        case Spec(kind=0):  #! JAX101
            return x
        case _:
            return x * 2


applied(1.0, Spec(0))

# %% a class pattern by position, nested, and behind a star
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Spec(NamedTuple):
    name: str
    kind: jax.Array


@jax.jit
def applied(x, kind):
    match [1, 2, Spec("a", kind)]:
        case [*_, Spec("a", 0 as found)]:  #! JAX101
            return x * found
        case _:
            return x * 2


applied(jnp.ones(3), 1)

# %% what a class pattern binds is the attribute
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Spec:
    kind: int


@jax.jit
def applied(x, spec):
    match spec:
        case Spec(kind=kind) if kind > 0:  #! JAX101
            return x
        case _:
            return x * 2


applied(1.0, Spec(0))

# %% another length, key or class, what comes behind another constant, and singletons compare no tracer
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Spec:
    name: str
    kind: jax.Array


@dataclasses.dataclass
class Other:
    kind: jax.Array


@jax.jit
def applied(x, kind):
    match (kind, 1):
        case (0, 1, 2):
            return x
        case (None, 1) | (True, 1) | ("a", 1) | (int(), 1):
            return x
    match ("b", kind):
        case ("a", 0):
            return x
    match kind:
        case (0, 1):
            return x
        case {"kind": 0}:
            return x
        case None | True:
            return x
    match {"name": "b", "kind": kind}:
        case {"name": "a", "kind": 0} | {"other": 0}:
            return x
    match Spec("b", kind):
        case Other(0) | Spec("a", 0) | Spec(name="a", kind=0):
            return x
        case Spec(name="b", kind=jax.Array() as found):
            return x * found
    return x * 2


applied(jnp.ones(3), 1)

# %% a pattern of which it is not known whether its first part matches
import os

import jax
import jax.numpy as jnp

MODE = os.environ.get("MODE", "all")


@jax.jit
def applied(x, kind):
    match (MODE, kind):
        case ("one", 0):
            return x
    return x * 2


applied(jnp.ones(3), 1)

# %% a function that calls itself with twice what it was given is analyzed to an end
from functools import partial

import jax
import jax.numpy as jnp


def outer(f, args, order, modes=None):
    args = tuple(args)

    def _check(f, args, order, err_msg=""):
        if order > 1:
            _check(partial(jax.jvp, f), (args, args), order - 1, err_msg)

    _check(f, args, order)


@jax.jit
def positive(x):
    if x > 0:  #! JAX101
        return x
    return -x


outer(positive, (jnp.ones(()),), 2)
positive(jnp.ones(()))

# %% norun what a function gives back as it was given is known of a caller that nothing calls
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Limits:
    least: int = 128
    most: int = 8192


def checked(limits):
    assert limits is not None
    return limits


def same(x, y=None):
    if y is None:
        return x
    return x


def test_equal_limits():
    limits = checked(Limits(least=128, most=128))
    order = same(2)

    def f(x):
        if limits.least == limits.most and order == 2:
            return x
        return x if x > 0 else -x

    assert jax.jit(f)(1.0) == 1.0


def test_other_limits():
    limits = checked(Limits(least=64))

    def f(x):
        if limits.least == limits.most:
            return x
        return x if x > 0 else -x  #! JAX101

    assert jax.jit(f)(1.0) == 1.0

# %% `dataclasses.replace` makes the object as its class does: `__post_init__` is run
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    p: jax.Array

    def __post_init__(self):
        if self.p < 0:  #! JAX101
            raise ValueError("negative")


@jax.jit
def step(state):
    return dataclasses.replace(state, p=state.p + 1.0)


step(State(1.0))

# %% ... by a method that the class inherits, and what it calls
import dataclasses

import jax
import jax.numpy as jnp


class Checked:
    def __post_init__(self):
        object.__setattr__(self, "p", jnp.asarray(self.p))
        self.check()

    def check(self):
        assert self.p > 0  #! JAX101

    def moved(self):
        return dataclasses.replace(self, p=self.p + 1)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State(Checked):
    p: jax.Array


@jax.jit
def step(state):
    return state.moved()


step(State(1.0))

# %% ... of a static field, of what is asked whether it is a tracer, and of what no constructor makes
import dataclasses
from typing import NamedTuple

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    p: jax.Array
    n: int = dataclasses.field(metadata=dict(static=True), default=1)

    def __post_init__(self):
        if self.n < 0:
            raise ValueError("negative")
        if not isinstance(self.p, jax.core.Tracer) and self.p < 0:
            raise ValueError("negative")


@dataclasses.dataclass
class Settings:
    rate: float

    def __post_init__(self):
        if self.rate < 0:
            raise ValueError("negative")


class Pair(NamedTuple):
    p: jax.Array
    q: jax.Array

    def __post_init__(self):
        assert self.p > 0


@jax.jit
def step(state, pair):
    pair = pair._replace(p=pair.q)
    return dataclasses.replace(state, p=state.p + 1.0, n=2), pair


step(State(1.0), Pair(1.0, 2.0))
print(dataclasses.replace(Settings(0.1), rate=0.2))

# %% norun: classes of flax, chex, attrs and equinox that check what they are made of
import attrs
import chex
import equinox as eqx
import flax.struct
import jax


@flax.struct.dataclass
class OfFlax:
    p: jax.Array

    def __post_init__(self):
        if self.p < 0:  #! JAX101
            raise ValueError


@chex.dataclass
class OfChex:
    p: jax.Array

    def __post_init__(self):
        if self.p < 0:  #! JAX101
            raise ValueError


@attrs.define
class OfAttrs:
    p: jax.Array

    def __attrs_post_init__(self):
        if self.p < 0:  #! JAX101
            raise ValueError


class Rate(eqx.Module):
    value: jax.Array

    def __init__(self, value):
        self.value = value

    def __check_init__(self):
        if self.value < 0:  #! JAX101
            raise ValueError("negative")


class Small(Rate):
    def __check_init__(self):
        if self.value > 9:  #! JAX101
            raise ValueError("big")


class Free(eqx.Module):
    value: jax.Array

    def __check_init__(self):
        if self.value < 0:
            raise ValueError("negative")


@jax.jit
def step(one, other, x):
    made = attrs.evolve(OfAttrs(x), p=x + 1)
    return one.replace(p=one.p + 1), other.replace(p=other.p + 1), made.p


@jax.jit
def checked(x):
    return Small(x + 1).value


@eqx.filter_jit
def kept(free):
    return jax.tree.map(lambda x: x + 1, eqx.tree_at(lambda tree: tree.value, free, free.value * 2))


step(OfFlax(1.0), OfChex(p=1.0), 1.0)
checked(1.0)
kept(Free(jax.numpy.ones(())))

# %% what an attribute of a dict finds among its items
import jax
import jax.numpy as jnp


class Bunch(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


@jax.jit
def step(x):
    state = Bunch(total=x.sum())
    state.peak = x.max()
    if state.total + state["peak"] > 0:  #! JAX101
        return state.peak
    return x


step(jnp.ones(3))

# %% ... by methods of its own
import jax
import jax.numpy as jnp


class Bunch(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value


@jax.jit
def step(x):
    state = Bunch(total=x.sum())
    if state.total > 0:  #! JAX101
        return state.total
    return x


step(jnp.ones(3))

# %% ... as the dict is that of its attributes
import jax
import jax.numpy as jnp


class Bunch(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


@jax.jit
def step(x):
    state = Bunch(total=x.sum())
    if state.total > 0:  #! JAX101
        return state.total
    return x


step(jnp.ones(3))

# %% what a registered subclass of dict holds in a trace
import jax


@jax.tree_util.register_pytree_node_class
class Params(dict):
    def tree_flatten(self):
        return tuple(self.values()), tuple(self)

    @classmethod
    def tree_unflatten(cls, names, values):
        return cls(zip(names, values))


@jax.jit
def relu(params):
    if params["w"] > 0:  #! JAX101
        return params["w"]
    return 0.0 * params["w"]


relu(Params(w=1.0))

# %% what a kernel reads of a reference among others
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(pair, o_ref):
    left, right = pair
    value = left[0]
    if value > 0:  #! JAX101
        o_ref[...] = right[...]


shape = jax.ShapeDtypeStruct((4,), jnp.float32)
pl.pallas_call(kernel, out_shape=shape, interpret=True)((jnp.ones(4), jnp.ones(4)))

# %% norun: pytest calls the test, which makes the object as it is
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        if x.sum() > 0:  #! JAX101
            return x
        return self.scale * x


def layer_of(kind, n):
    return Layer(n) if kind == "scale" else jnp.tanh


class Net:
    def __init__(self, n, kind):
        self.layer = layer_of(kind, n)

    def apply(self, x):
        return self.layer(x)


def test_net():
    net = Net(3, "scale")
    print(jax.vmap(net.apply)(jnp.ones((3, 2))))

# %% silent: a dict that is known has no such name, and a tuple no such item: nothing follows
import operator

import jax
import jax.numpy as jnp


class Kernel:
    def __call__(self, x, data):
        raise NotImplementedError


class Serial(Kernel):
    def __call__(self, x, data):
        return x + data["shift"]


class Group(Kernel):
    def __call__(self, x, data):
        n_steps = data["n_steps"]
        return x * 2 if n_steps > 5 else x


class Gathering(Kernel):
    def __call__(self, x, data):
        n_steps = operator.getitem(data, "n_steps")
        return x * 2 if n_steps > 5 else x


def scanned(kernel: Kernel, x, data):
    def body(carry, _):
        x, data = carry
        return (kernel(x, data), data), x

    return jax.lax.scan(body, (x, data), length=3)[1]


@jax.jit
def run(pair, x):
    third = pair[2]
    return x if third > 0 else -x


scanned(Serial(), jnp.ones(()), {"shift": 1.0})
for each in (Group(), Gathering()):
    try:
        scanned(each, jnp.ones(()), {"shift": 1.0})
    except KeyError:
        pass
try:
    run((1.0, 2.0), 1.0)
except IndexError:
    pass

# %% the name is there in one of two dicts, or the error is handled
import jax
import jax.numpy as jnp


@jax.jit
def chosen(x, data):
    return x if data["n_steps"] > 5 else -x  #! JAX101


@jax.jit
def handled(x, data):
    try:
        return x * data["n_steps"]
    except KeyError:
        return x if x > 0 else -x  #! JAX101


@jax.jit
def asked(x, data):
    scale = data["scale"] if "scale" in data else 1.0
    return x * scale if x > 0 else x  #! JAX101


def run(x):
    for data in ({"shift": 1.0}, {"shift": 2.0, "n_steps": 9}):
        handled(x, data)
        asked(x, data)
        chosen(x, data)


handled(jnp.ones(()), {"shift": 1.0})

# %% a dict that makes what is missing, or that other code fills
import collections
import operator

import jax
import jax.numpy as jnp


def put(table, name):
    table[name] = 1


@jax.jit
def counted(x):
    counts = collections.defaultdict(int)
    counts["a"] += 1
    number = counts["b"]
    return x if x > number else -x  #! JAX101


@jax.jit
def executed(x):
    names = {"a": 1}
    exec("b = 2", names)
    number = names["b"]
    return x if x > number else -x  #! JAX101


@jax.jit
def filled(x):
    table = {"a": 1}
    operator.setitem(table, "b", 2)
    put(table, "c")
    table |= {"d": 1}
    dict.update(table, e=2)
    number = table["b"] + table["c"] + table["d"] + table["e"]
    return x if x > number else -x  #! JAX101


counted(jnp.ones(()))

# %% in_axes with a dict in it: what has an axis is traced, what has None is not
import jax
import jax.numpy as jnp


def tail(record):
    if record["lang"]:
        record["x"] = record["x"] + 1
    if record["n"] > 2:  #! JAX101
        return record["x"]
    return -record["x"]


mapped = jax.vmap(tail, in_axes=({"x": 0, "n": 0, "lang": None},))
mapped({"x": jnp.ones((3, 5)), "n": jnp.array([2, 3, 4]), "lang": 0})

# %% in_axes with a dict in it that is named, beside a list and a nested tuple
import jax
import jax.numpy as jnp

AXES = {"x": 0, "more": (None, {"n": 0})}


def tail(scale, record, pair):
    if record["more"][0] > 2 and scale and pair[1]:
        return record["x"]
    if record["more"][1]["n"] > 2:  #! JAX101
        return record["x"] * scale
    return -record["x"]


mapped = jax.vmap(tail, in_axes=[None, AXES, [0, None]])
mapped(2.0, {"x": jnp.ones((3, 5)), "more": (1, {"n": jnp.arange(3)})}, [jnp.ones(3), 0])

# %% in_axes with a dict made by a comprehension or fromkeys, and the argument of a function
import jax
import jax.numpy as jnp


def choose(record):
    if record["n"] > 2:  #! JAX101
        return record["x"]
    return -record["x"]


def run(batch):
    return jax.vmap(choose, in_axes=({name: 0 for name in batch},))(batch)


run({"x": jnp.ones((3, 5)), "n": jnp.arange(3)})

# %% in_axes with a dict of Nones: nothing of it is traced
import jax
import jax.numpy as jnp


def choose(record, x):
    if record["n"] > 2:
        return record["x"] + x
    return -record["x"] + x


def run(batch, xs):
    return jax.vmap(choose, in_axes=(dict.fromkeys(batch), 0))(batch, xs)


run({"x": jnp.ones(5), "n": 3}, jnp.arange(3))

# %% in_axes with a dict: under jit all of it is traced, also what has no axis
import jax
import jax.numpy as jnp


@jax.jit
def run(batch):
    def choose(record):
        if record["n"] > 2:  #! JAX101
            return record["x"]
        return -record["x"]

    return jax.vmap(choose, in_axes=({"x": 0, "n": None},))(batch)


run({"x": jnp.ones((3, 5)), "n": 3})

# %% in_axes with a dict for an argument of which nothing else is known
import jax
import jax.numpy as jnp


def run(batch):
    def choose(record):
        if record["n"]:
            return record["x"]
        return record["x"] if record["x"].sum() > 2 else -record["x"]  #! JAX101

    return jax.vmap(choose, in_axes=({"x": 0, "n": None},))(batch)


run({"x": jnp.ones((3, 5)), "n": 0})

# %% in_axes with a record of axes that is a dataclass
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Record:
    x: jax.Array
    n: jax.Array


def choose(record):
    if record.n > 2:
        return record.x
    return record.x if record.x.sum() > 2 else -record.x  #! JAX101


jax.vmap(choose, in_axes=(Record(0, None),))(Record(jnp.ones((3, 5)), 1))

# %% out_axes: what has no axis is as it is in the function
import jax
import jax.numpy as jnp


def both(x, n):
    return {"x": x * n, "n": n}, n


out, n = jax.vmap(both, in_axes=(0, None), out_axes=({"x": 0, "n": None}, None))(jnp.ones(3), jnp.array(2))
if n > 1 and out["n"] > 1:
    print(out["n"].ndim, float(n))
assert out["n"].ndim == 0 and out["x"].ndim == 1

# %% apply_along_axis maps its function over the other axes, and annotate_function gives the function
from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
@partial(jax.profiler.annotate_function, name="f")
def f(x, n=2):
    if n > 1:
        return x + 1
    return x


@partial(jax.profiler.annotate_function, name="g")
def g(x):
    return x if x > 0 else -x


def signed(row):
    return row if row[0] > 0 else -row  #! JAX101


jnp.apply_along_axis(lambda row: row if row[0] > 0 else -row, 0, jnp.ones(2))
print(f(1.0), g(1.0))
jnp.apply_along_axis(signed, 0, jnp.ones((2, 2)))

# %% a function that the profiler annotates is compiled
from functools import partial

import jax


@jax.jit
@partial(jax.profiler.annotate_function, name="f")
def f(x):
    return x if x > 0 else -x  #! JAX101


f(1.0)

# %% norun what an abstract method does is what the classes below it do, also where it has a body of its own
import abc

import equinox as eqx
import jax


class Solver(eqx.Module):
    @abc.abstractmethod
    def step(self, x):
        if x > 0:
            raise NotImplementedError("a step")
        return x


class Euler(Solver):
    def step(self, x):
        if x > 0:  #! JAX101
            return x
        return -x


class Heun(Solver):
    scale: jax.Array

    def step(self, x):
        return self.scale * x if self.scale > 0 else x  #! JAX101


@eqx.filter_jit
def solve(solver: Solver, x: jax.Array):
    return solver.step(x)

# %% norun an object of any of more than a few classes below is one of each
import abc

import jax


class Term(abc.ABC):
    @abc.abstractmethod
    def value(self, x):
        ...


class A(Term):
    def value(self, x):
        return x if x > 0 else -x  #! JAX101


class B(Term):
    def value(self, x):
        return x + 1


class C(Term):
    def value(self, x):
        return x + 2


class D(Term):
    def value(self, x):
        return x + 3


class E(Term):
    def value(self, x):
        return x + 4


class F(Term):
    def value(self, x):
        return x + 5


class G(Term):
    def value(self, x):
        return x * 2 if x.ndim > 0 else x


class H(Term):
    def value(self, x):
        while x < 3:  #! JAX102
            x = x * 2
        return x


def run(term: Term, x: jax.Array):
    return jax.lax.scan(lambda carry, _: (term.value(carry), None), x, None, length=3)

# %% what a dict holds that another one was unpacked into, or joined with
import jax
import jax.numpy as jnp


@jax.jit
def first_large(batch):
    if ({**batch, "scale": 1})["scale"] > 1:
        return batch
    if ({"scale": 1} | batch).get("other") is not None:
        return batch
    for name, leaf in {**batch}.items():
        if leaf.sum() > 1:  #! JAX101
            return name


first_large({"x": jnp.ones(2)})

# %% the same with one that was joined by `|`
import jax
import jax.numpy as jnp


@jax.jit
def first_large(batch):
    for leaf in (batch | {"y": jnp.ones(2)}).values():
        if leaf.sum() > 1:  #! JAX101
            return leaf


first_large({"x": jnp.ones(2)})

# %% a parameter without annotation that is used as a record of the module, in a function that makes one
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    count: jax.Array
    params: Any


def init(params):
    return State(jnp.zeros((), jnp.int32), params)


@jax.jit
def step(state, grads):
    rate = 0.1
    if state.count > 10:  #! JAX101
        rate = 0.01
    return State(state.count + 1, state.params - rate * grads)


step(init(jnp.ones(3)), jnp.ones(3))

# %% norun the same, where nothing calls it, and in a function inside
import dataclasses
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Batch(NamedTuple):
    x: jax.Array
    y: jax.Array


@partial(jax.tree_util.register_dataclass, data_fields=["step", "weights"], meta_fields=["width"])
@dataclasses.dataclass
class State:
    step: jax.Array
    weights: jax.Array
    width: int = 3


@jax.jit
def train(state, batch):
    def loss(weights):
        error = batch.x * weights - batch.y
        if error.sum() > 0:  #! JAX101
            return -error.sum()
        return error.sum()

    return jax.grad(loss)(state.weights) * (1 if state.width > 2 else 2)


@jax.jit
def schedule(state):
    if state.width > 2 and jnp.ndim(state.weights) == 1:
        return state.weights
    if state.step > 2:  #! JAX101
        return state.weights
    return -state.weights

# %% a parameter that may be of two classes, or of none that the module knows, or is set before it is used
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class First(NamedTuple):
    rows: jax.Array
    sizes: Any


class Second(NamedTuple):
    sizes: Any
    rows: jax.Array


class Third(NamedTuple):
    rows: jax.Array
    count: jax.Array


@jax.tree_util.register_static
class Plan:
    rows = 3
    count = 4
    kind = "plan"


@jax.jit
def first(record):
    return record.rows[0] if record.sizes == 3 else record.rows[1]


@jax.jit
def other(plan):
    return plan.rows if plan.count > 2 and plan.kind == "plan" else 0


@jax.jit
def bound(plan):
    plan = Plan()
    return plan.rows if plan.count > 2 else 0


@jax.jit
def one(plan):
    return 3 if plan.rows > 2 else 0


other(Plan())
bound(Third(jnp.ones(3), jnp.ones(3)))
one(Plan())

# %% norun an object without annotation, with methods that only one class of the module has
import jax
from jax import lax


class Walk:
    def __init__(self, scale):
        self.scale = scale

    def begin(self, key):
        return jax.random.normal(key)

    def transition(self, key, x):
        proposal = x + self.scale * jax.random.normal(key)
        if proposal > x:  #! JAX101
            return proposal
        return x


class Tuned(Walk):
    def width(self):
        return 2 * self.scale


def sample(kernel, key, n):
    begun, drawn = jax.random.split(key)

    def body(x, each):
        x = kernel.transition(each, x)
        return x, x

    return lax.scan(body, kernel.begin(begun), jax.random.split(drawn, n))

# %% norun objects that may be of several classes, or of none of these
import jax
from jax import lax


class First:
    def begin(self):
        return 1.0

    def transition(self, x):
        return x if x > 0 else -x


class Second:
    def begin(self):
        return 2.0

    def transition(self, x):
        return x if x > 1 else -x


class Kernel:
    def update(self, x):
        return x if x > 1 else -x


def sample(kernel, n):
    return lax.scan(lambda x, _: (kernel.transition(x), None), kernel.begin(), None, length=n)[0]


def moved(kernel, n):
    return lax.scan(lambda x, _: (kernel.update(x), None), 0.0, None, length=n)[0]


def other(kernel, n):
    return lax.scan(lambda x, _: (kernel.transition(x), None), kernel.end(), None, length=n)[0]

# %% norun what annotations say of the first parameter of a static method
from typing import NamedTuple

import jax


class State(NamedTuple):
    count: jax.Array
    params: jax.Array


class Net:
    def act(self, y):
        if y > 0:  #! JAX101
            return y
        return -y


class Trainer:
    @staticmethod
    @jax.jit
    def step(state: State, x):
        if state.count > 1:  #! JAX101
            return x
        return -x

    @staticmethod
    def scanned(net: Net, xs):
        return jax.lax.scan(lambda carry, x: (net.act(carry), x), 0.0, xs)


# %% a default in place of what is missing: an object that is given is true, and stays what it is
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Limits:
    low: int = 1
    high: int = 8


class Profile:
    def __init__(self, k, limits=None):
        self.k = jnp.asarray(k)
        self.limits = limits or Limits()

    def size(self):
        if self.limits.high == self.limits.low:
            return self.limits.high
        return 8 if jnp.ceil(1.0 / self.k) > 4 else 4


fixed = Profile(0.5, Limits(6, 6))
assert jax.jit(lambda: jnp.zeros(fixed.size()))().shape == (6,)


def scale(x, limits=None):
    limits = limits or Limits()
    if limits.low == limits.high:
        return x
    return x if x > 0 else -x


print(jax.jit(lambda x: scale(x, Limits(2, 2)))(1.0))


# %% ... what is missing, and an object whose own method says that it is false, are replaced
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Limits:
    low: int = 1
    high: int = 8


class Empty(Limits):
    def __bool__(self):
        return False


class Bag:
    low = high = 1

    def __len__(self):
        return 0


def scale(x, limits=None):
    limits = limits or Limits()
    if limits.low == limits.high:
        return x
    return x if x > 0 else -x  #! JAX101


def scale_by_bag(x, limits):
    limits = limits or Limits()
    if limits.low == limits.high:
        return x
    return x if x > 0 else -x  #! JAX101


def scale_by_empty(x, limits):
    limits = limits or Limits()
    if limits.low == limits.high:
        return x
    return x if x > 0 else -x  #! JAX101


for function, given in ((scale, None), (scale_by_bag, Bag()), (scale_by_empty, Empty(2, 2))):
    jax.jit(lambda x, function=function, given=given: function(x, given))(1.0)


# %% under vmap the derivative of a linear function may be concrete: it does not depend on what is mapped
import jax
import jax.numpy as jnp

data = jnp.ones(3)


def slope(w):
    return jax.jacrev(lambda w: jnp.dot(data, w))(w)


def fit(w):
    found = slope(w)
    if found.any():
        w = w - 0.1 * found
    if jax.grad(lambda w: (data * w).sum())(w)[0] > 0:
        w = w + 1
    return w


print(jax.vmap(fit)(jnp.ones((2, 3))))


# %% ... so may what is given beside it, and what a linear function makes of tangents
import jax
import jax.numpy as jnp

data = jnp.ones(3)


def fit(w):
    (value, count), _ = jax.value_and_grad(lambda w: ((data * w).sum(), 3), has_aux=True)(w)
    if count > 2:
        w = w + value
    _, kept = jax.grad(lambda w: ((data * w).sum(), data), has_aux=True)(w)
    if kept[0] > 2:
        w = w + 1
    _, back = jax.vjp(lambda w: 2 * w, w)
    if back(data)[0][0] > 0:
        w = w + 1
    _, tangent = jax.jvp(lambda w: 2 * w, (w,), (data,))
    if tangent[0] > 0:
        w = w + 1
    _, linear = jax.linearize(lambda w: 2 * w, w)
    return w + 1 if linear(data)[0] > 0 else w


print(jax.vmap(fit)(jnp.ones((2, 3))))


# %% ... of what vmap maps these are tracers
import jax
import jax.numpy as jnp


def fit(w, v):
    (value, kept), _ = jax.value_and_grad(lambda w: (w.sum(), 2 * w), has_aux=True)(w)
    if kept[0] > 2:  #! JAX101
        w = w + value
    _, back = jax.vjp(lambda w: 2 * w, w)
    if back(v)[0][0] > 0:  #! JAX101
        w = w + 1
    out, tangent = jax.jvp(lambda w: 2 * w, (w,), (v,))
    if out[0] > 0:  #! JAX101
        w = w + 1
    return w if tangent[0] > 0 else -w  #! JAX101


jax.vmap(fit)(jnp.ones((2, 3)), jnp.ones((2, 3)))


# %% ... of what vmap maps itself it does, and jit makes tracers of all
import jax
import jax.numpy as jnp


def fit(w, x):
    if jax.grad(lambda w, x: (x * w).sum())(w, x)[0] > 0:  #! JAX101
        w = w + 1
    value, found = jax.value_and_grad(lambda w: (2 * w).sum())(w)
    if value > 0:  #! JAX101
        return w
    return found


def step(w):
    return w if jax.grad(lambda w: (2 * w).sum())(w)[0] > 0 else -w  #! JAX101


jax.vmap(fit)(jnp.ones((2, 3)), jnp.ones((2, 3)))
jax.jit(jax.vmap(step))(jnp.ones((2, 3)))
