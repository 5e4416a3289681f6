"""Calls of library functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from jaxlint.domain.values import Value

OVER_SOURCE = "__jaxlint_over_source__"
"""The attribute of a model that says whether it counts where the library itself is linted."""


class Call(Struct, eq=False):
    """A call of a library function.

    nid: the number of the call in its module's program. exact: whether `args` and `keywords` are all that is
    passed; without it more may be, from `*` or `**`.
    """

    name: str
    args: list[Value]
    keywords: dict[str, Value]
    nid: int
    exact: bool

    def get(self, position: int, name: str) -> Value | None:
        """The argument of a parameter, by place or name; None where it is not passed."""
        if name in self.keywords:
            return self.keywords[name]
        return self.args[position] if position < len(self.args) else None


def around_jax(models: Mapping[str, Callable[..., Value]]) -> frozenset[str]:
    """The packages of libraries around JAX: those with models beside the ones of `library.models` itself,
    which are of JAX, NumPy and Python."""
    own = f"{__package__}.models."
    names = [
        name
        for name, each in models.items()
        if not each.__module__.startswith(own) or each.__module__.startswith(f"{own}frameworks.")
    ]
    return frozenset([name.partition(".")[0] for name in names])
