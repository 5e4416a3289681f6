"""A dataclass of another module that is not frozen is handed to a static argument of a third; the frozen one may be."""

from config import Model, Run
from ops import forward, update

if __name__ == "__main__":
    forward(1.0, cfg=Model(width=8))
    forward(1.0, Model())
    run = Run(steps=5)
    for _ in range(run.steps):
        update(1.0, run)  #! JAX402
