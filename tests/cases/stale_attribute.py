

# %% a singleton that is made where it is None: its constructor changes no other object
import jax
import jax.numpy as jnp

_env = None


class Environment:
    def __init__(self):
        self.ops = {"double": lambda x: x * 2}


def default_env():
    global _env
    if _env is None:
        _env = Environment()
    return _env


def view(x):
    return default_env().ops["double"](x)


@jax.jit
def up(x):
    return view(x)


x = jnp.ones(3)
print(up(x))
view(jnp.sin(x))
print(up(5 * x))


# %% an object that takes the place of another one
import jax


class Config:
    def __init__(self, scale):
        self.scale = scale


config = Config(2.0)


@jax.jit
def scaled(x):
    return x * config.scale  #! JAX205


print(scaled(1.0))
config = Config(3.0)
print(scaled(1.0))
