"""A module being written: its blocks, and what it takes from the program's other modules.

Blocks go in, source text comes out. The imports of jax, numpy and the standard library are
found from the names that the text uses; imports between the program's modules are written
in the style that the layout allows. It refuses to know what the blocks mean.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

# The name as the blocks use it, and the ways of importing it.
LIBRARIES = {
    "jax": ["import jax"],
    "jnp": ["import jax.numpy as jnp", "from jax import numpy as jnp"],
    "lax": ["from jax import lax", "import jax.lax as lax"],
    "np": ["import numpy as np"],
    "math": ["import math"],
    "functools": ["import functools"],
    "operator": ["import operator"],
    "json": ["import json"],
    "contextlib": ["import contextlib"],
    "types": ["import types"],
    "copy": ["import copy"],
    "random": ["import random"],
    "sys": ["import sys"],
    "partial": ["from functools import partial"],
    "dataclass": ["from dataclasses import dataclass"],
    "Any": ["from typing import Any"],
    "NamedTuple": ["from typing import NamedTuple"],
}
STANDARD = {
    "math",
    "functools",
    "operator",
    "json",
    "contextlib",
    "types",
    "copy",
    "random",
    "sys",
    "partial",
    "dataclass",
    "Any",
    "NamedTuple",
}

PACKAGE_STYLES = (
    "from .{m} import {n}",
    "from . import {m}",
    "from {p}.{m} import {n}",
    "import {p}.{m} as {m}",
    "from .{m} import {n} as {n}_",
    "from .{m} import *",
    "from {p} import {m} as {m}_",
    "from . import {n}",
    "optional",
)
FLAT_STYLES = (
    "from {m} import {n}",
    "import {m}",
    "import {m} as {m}_",
    "from {m} import {n} as {n}_",
    "from {m} import *",
)


@dataclass
class Module:
    """One file of the program. `package` is empty where modules lie side by side."""

    name: str
    package: str
    seed: str
    blocks: list[list[str]] = field(default_factory=list)
    imports: dict[str, None] = field(default_factory=dict)
    reexports: dict[str, None] = field(default_factory=dict)  # lines for the package's __init__
    style: str = ""

    def _chosen(self, topic: str, options: Sequence[str]) -> str:
        """A style for one question, whatever else the module asks."""
        return random.Random(f"{self.seed}/{self.name}/{topic}").choice(options)

    def add(self, *lines: str) -> None:
        self.blocks.append(list(lines))

    def use(self, other: Module, name: str) -> str:
        """How this module writes a name that another one defines; imports it."""
        if other is self:
            return name
        if not self.style:
            self.style = self._chosen("style", PACKAGE_STYLES if self.package else FLAT_STYLES)
        words = {"m": other.name, "n": name, "p": self.package}
        if self.style == "optional":
            self.imports[
                f"try:\n    from .{other.name} import {name}\n"
                f"except ImportError:\n    from {other.name} import {name}"
            ] = None
            return name
        if self.style == "from . import {n}":
            other.reexports[f"from .{other.name} import {name}"] = None
        self.imports[self.style.format(**words)] = None
        bound = re.split(r"(?:^| )(?:as|import) ", self.style)[-1].format(**words)
        if bound in ("*", name, f"{name}_"):
            return name if bound == "*" else bound
        return f"{bound}.{name}"

    def text(self) -> str:
        body = "\n\n\n".join("\n".join(lines) for lines in self.blocks) + "\n"
        wanted = [name for name in LIBRARIES if re.search(rf"(?<![\w.]){name}(?![\w=])", body)]
        groups = [
            [self._chosen(name, LIBRARIES[name]) for name in wanted if name in STANDARD],
            [self._chosen(name, LIBRARIES[name]) for name in wanted if name not in STANDARD],
            list(self.imports),
        ]
        header = "\n\n".join("\n".join(group) for group in groups if group)
        return f"{header}\n\n\n{body}" if header else body
