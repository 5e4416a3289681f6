"""Two configurations: one that JAX can hash, one that it cannot."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Model:
    width: int = 4
    depth: int = 2


@dataclasses.dataclass
class Run:
    steps: int = 3
    lr: float = 0.1
