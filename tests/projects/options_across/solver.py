from dataclasses import dataclass, replace

import jax.numpy as jnp

OPTIONS = {"rounds": 3, "verbose": True}


@dataclass(frozen=True)
class Settings:
    damping: float = 0.5
    debug: bool = False
    norm: str = "l2"


DEFAULT = Settings()


def size(x, norm):
    if norm == "l2":
        return jnp.sqrt(jnp.sum(x**2))
    if norm == "max":
        return jnp.abs(x).max()
    raise ValueError(norm)


def solve(x, settings=DEFAULT, rounds=1, verbose=False):
    settings = replace(settings, damping=settings.damping * 2) if settings.damping < 0.6 else settings
    for _ in range(rounds):
        x = x * settings.damping
        if settings.debug and size(x, settings.norm) > 1:
            raise FloatingPointError
        if verbose:
            assert float(size(x, settings.norm)) >= 0
    return x / size(x, norm=settings.norm)
