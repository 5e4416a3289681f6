

# %% the key is drawn from in place of the subkey
import jax


def noisy(key, x):
    key, subkey = jax.random.split(key)  #! JAX310
    return x + jax.random.normal(key)


print(noisy(jax.random.key(0), 1.0))

# %% one of three
import jax


def initial(key):
    weight_key, bias_key, scale_key = jax.random.split(key, 3)  #! JAX310
    return jax.random.normal(weight_key), jax.random.normal(scale_key)


print(initial(jax.random.key(0)))

# %% all of them, under one name
import jax


def initial(key, n):
    keys = jax.random.split(key, n)  #! JAX310
    return jax.numpy.zeros(n)


print(initial(jax.random.key(0), 3))

# %% one item of a split
import jax


def initial(key):
    child = jax.random.split(key)[1]  #! JAX310
    return jax.numpy.zeros(3)


print(initial(jax.random.key(0)))

# %% overwritten before it is used
import jax


def chain(key):
    key, subkey = jax.random.split(key)
    first = jax.random.normal(subkey)
    key, subkey = jax.random.split(key)  #! JAX310
    key, subkey = jax.random.split(key)
    return first, jax.random.normal(subkey), key


print(chain(jax.random.key(0)))

# %% the last iteration's is used, the others' are not
import jax


def chain(key, n):
    total = 0.0
    for _ in range(n):
        key, subkey = jax.random.split(key)
        total = total + 1.0
    return total + jax.random.normal(subkey)


print(chain(jax.random.key(0), 3))

# %% no iteration uses it
import jax


def chain(key, n):
    total = 0.0
    for _ in range(n):
        key, subkey = jax.random.split(key)  #! JAX310
        total = total + 1.0
    return total, key


print(chain(jax.random.key(0), 3))

# %% in the body of a scan
import jax


def step(key, _):
    key, subkey = jax.random.split(key)  #! JAX310
    return key, 0.0


print(jax.lax.scan(step, jax.random.key(0), None, 3))

# %% in a method, the key is an attribute
import jax


class Sampler:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def skip(self):
        self.key, subkey = jax.random.split(self.key)  #! JAX310

    def draw(self):
        self.key, subkey = jax.random.split(self.key)
        return jax.random.normal(subkey)


sampler = Sampler(0)
sampler.skip()
print(sampler.draw())

# %% the key that is carried on need not be used again
import jax


def noisy(key, x):
    key, subkey = jax.random.split(key)
    return x + jax.random.normal(subkey)


print(noisy(jax.random.key(0), 1.0))

# %% nor a new name for it
import jax


def noisy(rng, x):
    rng, subkey = jax.random.split(rng)
    x = x + jax.random.normal(subkey)
    rng, subkey = jax.random.split(rng)
    return x + jax.random.normal(subkey)


print(noisy(jax.random.key(0), 1.0))

# %% nor where the key has no name yet
import jax


def started(seed):
    key, first_key, second_key = jax.random.split(jax.random.key(seed), 3)
    return jax.random.normal(first_key), jax.random.normal(second_key)


print(started(0))

# %% of nothing that is used the first is not what is carried on
import jax


def started(seed):
    first_key, second_key = jax.random.split(jax.random.key(seed))  #! JAX310
    return seed


print(started(0))

# %% names that say so
import jax


def noisy(key, x):
    key, _ = jax.random.split(key)
    first, _second, unused_key, dummy = jax.random.split(key, 4)
    return x + jax.random.normal(first)


print(noisy(jax.random.key(0), 1.0))

# %% deleted on purpose
import jax


def noisy(key, x):
    first, second = jax.random.split(key)
    del second
    return x + jax.random.normal(first)


print(noisy(jax.random.key(0), 1.0))

# %% returned, stored, kept
import jax


def returned(key):
    first, second = jax.random.split(key)
    return first, {"second": second}


def stored(self, key):
    first, second = jax.random.split(key)
    self.first = first
    self.keys = [second]


class Holder:
    pass


print(returned(jax.random.key(0)))
stored(Holder(), jax.random.key(0))

# %% unpacked into an attribute and an item
import jax


class Holder:
    pass


def stored(holder, key):
    holder.key, holder.keys[0] = jax.random.split(key)


holder = Holder()
holder.keys = [None]
stored(holder, jax.random.key(0))

# %% a closure reads it
import jax


def sampler(key):
    first, second = jax.random.split(key)

    def draw():
        return jax.random.normal(second)

    return draw, lambda: jax.random.normal(first)


draw, other = sampler(jax.random.key(0))
print(draw(), other())

# %% nonlocal: who reads it is not known
import jax


def sampler(key):
    subkey = None

    def renew():
        nonlocal key, subkey
        key, subkey = jax.random.split(key)

    def draw():
        renew()
        return jax.random.normal(subkey)

    return draw


print(sampler(jax.random.key(0))())

# %% a global one
import jax

state = None


def renew(key):
    global state
    key, state = jax.random.split(key)


renew(jax.random.key(0))

# %% names of a module may be imported
import jax

__all__ = ["second_key"]
key = jax.random.key(0)
first_key, second_key = jax.random.split(key)
key, subkey = jax.random.split(first_key)

# %% read by its name as a text
import jax


def noisy(key, x):
    first, second = jax.random.split(key)
    return x, locals()


def formatted(key, x):
    first, second = jax.random.split(key)
    return eval("second"), first


print(len(noisy(jax.random.key(0), 1.0)))

# %% a parameter or a variable with the name of a function that reads all variables
import jax


def trained(key):
    def body(i, vars):
        total, scale = vars
        return total + scale, scale

    key, subkey = jax.random.split(key)  #! JAX310
    return jax.lax.fori_loop(0, 3, body, (0.0, jax.random.normal(key)))


def evaluated(key, x):
    def eval(y):
        return y * 2.0

    def twice(y):
        return eval(eval(y))

    key, subkey = jax.random.split(key)  #! JAX310
    return twice(x) + jax.random.normal(key)


print(trained(jax.random.key(0)))
print(evaluated(jax.random.key(0), 1.0))

# %% the attributes of an object are no variables
import argparse
import jax


def configured(key, args):
    options = vars(args)
    key, subkey = jax.random.split(key)  #! JAX310
    return options["scale"] * jax.random.normal(key)


def listed(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first), [vars()[name] for name in dir() if name == "second"]


print(configured(jax.random.key(0), argparse.Namespace(scale=2.0)))

# %% one function inside has such a parameter, another one the function itself
import jax


def shown(key, x):
    def scaled(vars):
        return 2 * vars

    def parsed(text):
        return eval(text)

    key, subkey = jax.random.split(key)
    return scaled(x) + jax.random.normal(key) + parsed("1.0")


print(shown(jax.random.key(0), 1.0))

# %% one branch uses it
import jax


def noisy(key, x, is_training):
    key, subkey = jax.random.split(key)
    if is_training:
        x = x + jax.random.normal(subkey)
    return x


print(noisy(jax.random.key(0), 1.0, True))

# %% the next iteration uses it
import jax


def chain(key, n):
    key, subkey = jax.random.split(key)
    total = 0.0
    for _ in range(n):
        total = total + jax.random.normal(subkey)
        key, subkey = jax.random.split(key)
    return total


print(chain(jax.random.key(0), 3))

# %% an f-string, an assert, an augmented assignment
import jax


def shown(key):
    first, second, third = jax.random.split(key, 3)
    assert second is not None
    keys = [1]
    keys += [third]
    return f"{first}"


print(len(shown(jax.random.key(0))))

# %% a comprehension, an argument, a star
import jax


def drawn(key):
    *keys, last = jax.random.split(key, 3)
    return [jax.random.normal(each) for each in keys], jax.random.normal(last)


def handed(key, func):
    keys = jax.random.split(key, 3)
    return func(*keys)


print(drawn(jax.random.key(0)))
print(handed(jax.random.key(0), lambda a, b, c: jax.random.normal(b)))

# %% a class body, a default, a decorator
import jax


def made(key):
    first, second, third = jax.random.split(key, 3)

    class Layer:
        key = first

        def draw(self, key=second):
            return jax.random.normal(key)

    return Layer, jax.random.normal(third)


print(made(jax.random.key(0)))

# %% another function called split
import jax


def halves(text):
    first, second = text.split("=")
    return first, jax.numpy.zeros(3)


print(halves("a=b"))

# %% the handler uses it
import jax


def drawn(key, func):
    key, subkey = jax.random.split(key)
    try:
        return func(key)
    except ValueError:
        return jax.random.normal(subkey)


print(drawn(jax.random.key(0), jax.random.normal))

# %% what a subkey is read for may be the cause of an error
import jax


def draw(key):
    first, second = jax.random.split(key)
    try:
        return jax.random.normal(first)
    except ValueError as error:
        raise RuntimeError("no draw") from OSError(second, error)


print(draw(jax.random.key(0)))
