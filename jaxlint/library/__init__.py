"""What calls of libraries and of Python's own functions do to values.

Of this, what a model of a library's function needs is public: `model`, `Call` and `Parts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

__all__ = ["Call", "Parts", "model"]


def __getattr__(name: str) -> object:
    if name != "Parts":  # the whole analysis, which few need before it runs
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jaxlint.library.parts import Parts

    return Parts
