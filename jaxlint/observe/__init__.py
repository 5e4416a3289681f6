"""What a run of the user's own program showed, and how that is kept.

It is a plugin of pytest too: `python -m pytest -p jaxlint.observe` records what the tests show, see `plugin`.
"""

from __future__ import annotations

from typing import Any


def pytest_addoption(parser: Any) -> None:
    """Options of the plugin."""
    from jaxlint.observe import plugin

    plugin.add_options(parser)


def pytest_configure(config: Any) -> None:
    """Begins to record."""
    from jaxlint.observe import plugin

    plugin.configure(config)
