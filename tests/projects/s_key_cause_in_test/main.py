import jax
from agent import Agent

print(Agent(jax.random.key(1)).play(2))
