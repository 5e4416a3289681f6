"""Names that the analysis keeps among those of a program, and that no text of a program equals.

In: a text. Out: `Mark`, which is shown and sorted as that text and is equal to itself alone.
"""

from __future__ import annotations


class Mark(str):
    """A name of the analysis."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__


LEAVES = Mark("$leaves")  # among the options of a transform: which leaves of its arguments it takes
# among the attributes of a class: the functions that it was registered with
FLATTEN = Mark("$flatten")
UNFLATTEN = Mark("$unflatten")
PYTREE = Mark("$pytree")  # among the marks of a partial: it is a pytree of its arguments

# objects of libraries all of whose leaves are arrays: behind the name is which tracers these are
STATES = frozenset(("equinox.nn.State", "flax.nnx.Metric"))
# `TracerPytree.made` of the state of an optax transformation: its fields are arrays, or pytrees of arrays
OPTAX_STATE = "optax state"
# boxes of arrays in the modules of flax nnx
VARIABLES = frozenset(
    f"flax.nnx.{kind}" for kind in "BatchStat Cache Intermediate LoRAParam Param Variable".split()
)
