"""The attribute that another module's schedule writes is the one that the compiled method read once; attributes that are only counted or never written are not."""

import jax.numpy as jnp

from schedule import count, soften
from solver import HeatSolver

if __name__ == "__main__":
    solver = HeatSolver(alpha=1.0, dx=1.0)
    u = jnp.arange(4.0)
    for _ in range(3):
        u = solver.step(u, 0.1)
        soften(solver, 0.0)
        count(solver)
    print(u, solver.steps_taken)
