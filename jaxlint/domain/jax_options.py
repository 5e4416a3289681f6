"""Options of JAX that a file may set: by `jax.config.update`, by a context manager or in the environment.

In: a program. Out: whether its text names an option. Which value it gets is not asked.
"""

from __future__ import annotations

from jaxlint.ir.nodes import AttrExpr, ConstExpr
from jaxlint.ir.program import ClassCode, Code, Program
from jaxlint.ir.walks import walk

CHECKS_KEYS = "debug_key_reuse"
SCIPY_TAKES_ARRAYS = "scipy_array_api"  # of SciPy: many of its functions then compute with arrays of JAX


def names_option(program: Program, option: str) -> bool:
    """Whether an attribute or a string of a file is, or contains, the name of an option, without `jax_`."""
    if any(option in name for _, _, names in program.imports for name in names or ()):
        return True
    codes: list[Code | ClassCode] = [*program.codes, *program.classes]
    for node in (node for each in codes for node in walk(*each.decorators, *each.body)):
        name = (
            node.name if isinstance(node, AttrExpr) else node.value if isinstance(node, ConstExpr) else None
        )
        if isinstance(name, str) and option in name.lower():
            return True
    return False
