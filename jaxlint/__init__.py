"""jaxlint: a linter for JAX programs.

The library's one door is `lint`; everything else is reached through the command `jaxlint`. Importing the
package is cheap: the engine is loaded on the first call.
"""

from __future__ import annotations

import sys

# `python -m jaxlint` looks for modules in the working folder first, which holds what is linted: that must not
# be run. While a package is looked up for `-m`, this is what stands for the script.
if sys.argv[:1] == ["-m"] and {"jaxlint", "-mjaxlint"} & {*sys.orig_argv} and not sys.flags.safe_path:
    del sys.path[0]

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.diagnostic import Diagnostic

__version__ = "0.1.0"

__all__ = ["__version__", "lint"]


def lint(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = ".",
    *,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    **settings: Any,
) -> list[Diagnostic]:
    """Lint files and folders as `jaxlint check` does.

    Args:
        paths: What is reported; the projects around it are what is analysed.
        config: A configuration file to use for every file, instead of the closest one.
        isolated: Read no configuration file.
        settings: Any setting by its name with underscores, in the types of the configuration file, such as
            `select=["JAX1", "key-reuse"]` or `target_jax=">=0.4.30"`. They win over the files.

    Returns:
        The diagnostics in the order of the report: by file, row, column, code.

    Raises:
        jaxlint.settings.SettingsError: An unknown setting or rule, or a value of the wrong type.
        FileNotFoundError: A path that does not exist.
    """
    from jaxlint.check import lint as run

    return run(paths, config=config, isolated=isolated, settings=settings)
