"""jaxlint: a linter for JAX programs.

`lint` and `fix` do once what the command does; a `Linter` does it again and again, and keeps what it has
read. Beside this module, `jaxlint.diagnostic` (what is reported) and `jaxlint.rule` (for rules of one's own)
are public. Importing the package is cheap: the engine is loaded where a name is first asked for.
"""

import sys as _sys

# `python -m jaxlint` looks for modules in the working folder first, which holds what is linted: that must not
# be run. While a package is looked up for `-m`, this is what stands for the script.
if _sys.argv[:1] == ["-m"] and {"jaxlint", "-mjaxlint"} & {*_sys.orig_argv} and not _sys.flags.safe_path:
    del _sys.path[0]

from typing import TYPE_CHECKING as _TYPES_ARE_CHECKED

from jaxlint._version import __version__

if _TYPES_ARE_CHECKED:
    from jaxlint.api import Change, Fixes, Linter, fix, lint
    from jaxlint.diagnostic import Diagnostic
    from jaxlint.project.discovery import MissingPath
    from jaxlint.project.option import SettingsError

__all__ = [
    "Change",
    "Diagnostic",
    "Fixes",
    "Linter",
    "MissingPath",
    "SettingsError",
    "__version__",
    "fix",
    "lint",
]

_HOMES = {
    "Diagnostic": "jaxlint.diagnostic",
    "MissingPath": "jaxlint.project.discovery",
    "SettingsError": "jaxlint.project.option",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'jaxlint' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(_HOMES.get(name, "jaxlint.api")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
