"""Streams, states, records of keys and helpers that hand keys back: every draw here has a key of its own."""

import jax
import jax.numpy as jnp

from layers import dense, dropout, mlp
from streams import KeyStream, Rngs, State, take


@jax.jit
def step(state, x):
    state, sub = state.advance()
    x = dropout(x, 0.5, sub)
    state, sub = state.advance()
    noise = jax.random.normal(sub, state.w.shape)
    return state._replace(w=state.w - 0.1 * (jnp.mean(x) + noise))


def main():
    rng = KeyStream(jax.random.key(0))
    params = [dense(rng(), 2, 2), dense(rng(), 2, 2), mlp(rng(), (2, 3, 1))]

    key, (k1, k2) = take(rng(), 2)
    key, (k3,) = take(key, 1)
    draws = [jax.random.normal(k) for k in (k1, k2, k3, key)]

    rngs = Rngs.make(rng())
    x = dropout(jnp.ones(4), 0.5, rngs.dropout)
    w = jax.random.normal(rngs.params, (3,))

    x = dropout(x, 0.5, rngs.dropout, training=False)
    state = State(w, rng())
    for _ in range(3):
        state = step(state, x)
    return params, draws, state


if __name__ == "__main__":
    main()
