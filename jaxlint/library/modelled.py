"""Models: functions that say what a call of a library's function does to values.

A model is a function of the call and of the parts of the analysis, decorated with the dotted names that it is
for. Those of a library are in a module of `library.models`; a plugin has its own in any of its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from jaxlint.domain.values import Value

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@dataclass(slots=True)
class Call:
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


ModelFunction = Callable[[Call, "Parts"], Value]
Decorated = TypeVar("Decorated", bound=ModelFunction)

_NAMES = "__jaxlint_models__"


def model(*names: str) -> Callable[[Decorated], Decorated]:
    """Marks a function as the model of library functions with these dotted names.

    Aliases that a library documents are resolved before: the name is the one under which the tables list it.
    """

    def mark(function: Decorated) -> Decorated:
        setattr(function, _NAMES, names)
        return function

    return mark


def models_in(modules: Iterable[ModuleType]) -> Mapping[str, ModelFunction]:
    """The models of modules, by the dotted names that they are for; of two the later one counts."""
    found: dict[str, ModelFunction] = {}
    for module in modules:
        for value in vars(module).values():
            if callable(value) and getattr(value, "__module__", None) == module.__name__:
                found.update(dict.fromkeys(getattr(value, _NAMES, ()), value))
    return found
