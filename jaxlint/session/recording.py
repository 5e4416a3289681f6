"""The analysis of a project, keeping what expressions of some files were evaluated to.

In: as `Driver`, and the paths of files that syntactic rules look at. Out: as `Driver`; each function context
of those files has, by number, what its expressions were, or the join where one run of it evaluated them
several times. It changes nothing of what is found.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from jaxlint.domain.join import join
from jaxlint.domain.values import Value
from jaxlint.ir.nodes import Node
from jaxlint.ir.walks import number_of
from jaxlint.session.driver import Driver


class RecordingDriver(Driver):
    """Keeps what the expressions of some files were."""

    def __init__(self, recorded: Container[str], *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._recorded = recorded
        self.expressions.replace_handlers(self._keeping)

    def _keeping(self, kind: type[Node], handler: Callable[[Any], Value]) -> Callable[[Any], Value]:
        if "nid" not in kind.__struct_fields__:
            return handler

        def evaluate(node: Node) -> Value:
            value = handler(node)
            number = number_of(node)
            if number is not None and self.flow.module.path in self._recorded:
                kept = self.flow.frame.evaluated
                if kept is None:
                    kept = self.flow.frame.evaluated = {}
                before = kept.get(number)
                kept[number] = value if before is None or before is value else join(before, value)
            return value

        return evaluate
