"""Agents that hold a key: one draws from it as it is, the other refreshes it first."""

import jax


class Agent:
    def __init__(self, seed, n_actions):
        self.key = jax.random.key(seed)
        self.n_actions = n_actions

    def act(self):
        return jax.random.randint(self.key, (), 0, self.n_actions)

    def reseed(self, seed):
        self.key = jax.random.key(seed)


class FreshAgent(Agent):
    def next_key(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def act(self):
        return jax.random.randint(self.next_key(), (), 0, self.n_actions)
