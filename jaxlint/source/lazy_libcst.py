"""LibCST as `cst`, and its matchers, loaded when something of it is first asked for.

Loading it takes longer than linting a small project, and only what has a finding is parsed with it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import libcst as cst
    import libcst.matchers as matchers
else:

    class _Late(ModuleType):
        """Stands for a module; what was asked for once is found at once."""

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module(self.__name__), name)
            setattr(self, name, value)
            return value

    cst = _Late("libcst")
    matchers = _Late("libcst.matchers")

__all__ = ["cst", "matchers"]
