"""`python -m jaxlint` is the command `jaxlint`."""

from __future__ import annotations

from jaxlint.cli.main import main

if __name__ == "__main__":
    main()
