from functools import partial

import jax

import enum
class E(enum.Enum): A = 1; B = 2
@partial(jax.jit, static_argnames="e")
def f(x, e): return x if e is E.A else -x
print(f(1.0, E.B))
