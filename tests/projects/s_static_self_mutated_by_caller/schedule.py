"""Changes of a running solver."""


def soften(solver, factor):
    solver.alpha = solver.alpha * factor


def count(solver):
    solver.steps_taken += 1
