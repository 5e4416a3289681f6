"""What syntactic rules may ask: the questions of `Model` about the nodes of one file's tree.

In: the analysis when it is over, and a file that LibCST has parsed. Out: the abstract value of an expression,
who calls the function that a node is in, in which traces it runs, and the text of nodes. A node that has no
number in the program, as an operator or a comma, stands for the innermost one around it that has.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from jaxlint.domain.join import join_all
from jaxlint.domain.values import External, Unknown, Value
from jaxlint.fixes.imports import meaning
from jaxlint.ir.locations import Located
from jaxlint.ir.places import Places
from jaxlint.library.rule_model import Model, Place
from jaxlint.source.lazy_libcst import cst

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import Event
    from jaxlint.domain.objects import Module


class SourceModel(Model):
    """Questions about the nodes of one file. `code` is the file: texts, places, parents of nodes."""

    def __init__(self, settled: Model, module: Module, code: Located) -> None:
        """`settled`: the model of the analysis that is over."""
        vars(self).update(vars(settled))
        self._module = module
        self.code = code

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        # Of the numbers of one node the last is that of the whole.
        return {id(node): number for number, node in enumerate(self.code.whole()[1])}

    def values_of(self, node: cst.CSTNode) -> tuple[Value, ...]:
        """What an expression is, in each way in which its function is called and something is known of it."""
        number = self._numbers.get(id(node.value if isinstance(node, cst.Arg) else node))
        if number is None or self._sites is None:
            return ()
        contexts = self._sites.contexts(self.place_of(node).code)
        found = [each.evaluated[number] for each in contexts if each.evaluated and number in each.evaluated]
        return tuple(value for value in found if not isinstance(value, Unknown))

    def value_of(self, node: cst.CSTNode) -> Value | None:
        """What an expression is, in all calls of which something is known: their join. None where nothing is
        known, or where it is never evaluated."""
        known = self.values_of(node)
        value = join_all(known) if known else None
        return None if isinstance(value, Unknown) else value

    def name_of(self, node: cst.CSTNode) -> str | None:
        """The canonical name of what an expression stands for, where that is a library's or a builtin:
        `jax.numpy.sum` for `jnp.sum`. None for anything else."""
        value = self.value_of(node)
        if value is not None:
            return value.name if isinstance(value, External) else None
        return meaning(self.code, node) if isinstance(node, cst.BaseExpression) else None

    def in_trace(self, node: cst.CSTNode) -> bool | None:
        """Whether the function that a node is in runs in a trace, in some call. None where the analysis does
        not lead to it."""
        contexts = () if self._sites is None else self._sites.contexts(self.place_of(node).code)
        return any(each.context.depth > 0 for each in contexts) if contexts else None

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that a node is a part of."""
        return self.code.parent(node)

    def text_of(self, node: cst.CSTNode) -> str:
        """The text of a node, without parentheses around it."""
        return self.code.text_of(node)

    def place_of(self, where: Event | cst.CSTNode) -> Place:
        """The module, the function and the number that an event or a node is at."""
        if not isinstance(where, cst.CSTNode):
            return super().place_of(where)
        node: cst.CSTNode | None = where
        while node is not None and id(node) not in self._numbers:
            node = self.code.parent(node)
        number = 0 if node is None else self._numbers[id(node)]
        home = self._home.home.get(number, self._module.program.body)
        return Place(self._module, home, number)

    @cached_property
    def _home(self) -> Places:
        return self._places_of(self._module)

    def _is_outside(self) -> bool:
        return False  # a value that was recorded was seen where it was
