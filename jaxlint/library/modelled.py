"""Models: functions that say what a call of a library's function does to values.

A model is a function of the call and of the parts of the analysis, decorated with the dotted names that it is
for. Those of a library are in a module of `library.models`; a plugin has its own in any of its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from jaxlint.domain.values import Value
from jaxlint.library.library_call import OVER_SOURCE, Call

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


ModelFunction = Callable[[Call, "Parts"], Value]
Decorated = TypeVar("Decorated", bound=ModelFunction)

_NAMES = "__jaxlint_models__"


def model(*names: str, over_source: bool = False) -> Callable[[Decorated], Decorated]:
    """Marks a function as the model of library functions with these dotted names.

    Aliases that a library documents are resolved before: the name is the one under which the tables list it.

    Args:
        over_source: Whether the model also counts where the library itself is linted: its source does what
            the model says in a way that the analysis does not follow.
    """

    def mark(function: Decorated) -> Decorated:
        setattr(function, _NAMES, names)
        setattr(function, OVER_SOURCE, over_source)
        return function

    return mark


class Models(dict[str, ModelFunction]):
    """Models by the dotted names that they are for."""

    @cached_property
    def over_source(self) -> tuple[str, ...]:
        """The names whose models count where the library itself is linted: JAX's all do."""
        return tuple(
            [
                name
                for name, each in self.items()
                if name.startswith("jax.") or getattr(each, OVER_SOURCE, False)
            ]
        )


def models_in(modules: Iterable[ModuleType]) -> Models:
    """The models of modules; of two of one name the later one counts."""
    found = Models()
    for module in modules:
        for value in vars(module).values():
            if callable(value) and getattr(value, "__module__", None) == module.__name__:
                found.update(dict.fromkeys(getattr(value, _NAMES, ()), value))
    return found
