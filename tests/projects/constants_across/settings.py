import enum
from dataclasses import dataclass


class Mode(enum.Enum):
    TRAIN = 0
    EVAL = 1


@dataclass(frozen=True)
class Hyper:
    width: int = 3
    residual: bool = True
    dropout: float | None = None


CONFIG = {"depth": 2, "activation": "tanh"}
HYPER = Hyper()
DEBUG = False
