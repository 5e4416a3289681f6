"""Rules of a step by name, each a pair of functions, and what is made of one by name."""

from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp


class Rule(NamedTuple):
    init: Callable[[Any], Any]
    update: Callable[[Any, Any], Any]


def plain(rate):
    def init(params):
        return ()

    def update(grads, state):
        print(grads) #! JAX202
        return jax.tree.map(lambda g: -rate * g, grads), state

    return Rule(init, update)


def momentum(rate, decay=0.9):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, state):
        print(state) #! JAX202
        state = jax.tree.map(lambda m, g: decay * m + g, state, grads)
        return jax.tree.map(lambda m: -rate * m, state), state

    return Rule(init, update)


def on_host(rate):
    def init(params):
        return ()

    def update(grads, state):
        print(grads)
        return -rate * float(grads), state

    return Rule(init, update)


def halved(rule):
    def update(grads, state):
        print(grads) #! JAX202
        updates, state = rule.update(grads, state)
        return jax.tree.map(lambda u: u / 2, updates), state

    return Rule(rule.init, update)


def both(*rules):
    inits, updates = zip(*rules)

    def init(params):
        return tuple([each(params) for each in inits])

    def update(grads, states):
        found = []
        for state, each in zip(states, updates):
            grads, state = each(grads, state)
            found.append(state)
        return grads, tuple(found)

    return Rule(init, update)
