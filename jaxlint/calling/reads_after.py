"""What is read of a variable, an attribute or an item after a call, before it gets another value.

In: the lowered code of a function, and the number of a call in it. Out: the numbers of the reads. It refuses
to know what the call does.
"""

from __future__ import annotations

import re
from typing import Final

from jaxlint.calling.donated_copies import place_of
from jaxlint.ir.def_use import DefUse, State
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import AttrExpr, CallExpr, Expr, NameExpr, Node, SubscriptExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, number_of

_CALL: Final = -1  # stands for the binding that the call is
_OTHER: Final = -2  # and for what may give a part of a variable another value


class ReadsAfter(DefUse):
    """The call counts as a binding of the variable, so that the reads it reaches are those after it. An
    attribute or an item of a variable is one by itself, which gets another value with the variable as well,
    and by what is called with it."""

    def __init__(self, code: Code, program: Program, call: int, name: str) -> None:
        self._call = call
        self._name = name
        self._root = re.split(r"[.[]", name)[0]
        super().__init__(code, program)

    def after(self) -> tuple[int, ...] | None:
        """The reads that may see what was there when the call was made; None where that is not known."""
        return self.readers(_CALL)

    def _expression(self, node: Node, state: State, hidden: frozenset[str] = frozenset()) -> None:
        is_part = self._root != self._name and self._root not in hidden
        number = number_of(node)
        if is_part and number is not None and place_of(node) == self._name:
            self._read(self._name, number, state)
        super()._expression(node, state, hidden)
        if not isinstance(node, CallExpr):
            return
        if node.nid == self._call and self._name not in hidden:
            self._bind(self._name, _CALL, state)
        elif is_part and self._may_change(node):
            self._bind(self._name, node.nid, state)

    def _may_change(self, node: CallExpr) -> bool:
        """Whether what has the part is called, or is an argument."""
        receiver = node.func.value if isinstance(node.func, AttrExpr) else None
        given = (receiver, *node.args, *(each.value for each in node.keywords))
        return any(each is not None and self._has_part(each) for each in given)

    def _has_part(self, node: Node) -> bool:
        owner = place_of(node)
        return bool(owner) and self._name.startswith((f"{owner}.", f"{owner}["))

    def _target(self, target: Expr, state: State) -> None:
        for each in parts(target):
            if not isinstance(each, NameExpr) and place_of(each) == self._name:
                self._expressions(children(each), state)
                self._bind(self._name, number_of(each) or _OTHER, state)
                continue
            super()._target(each, state)
            owner = each.value if isinstance(each, SubscriptExpr) and not place_of(each) else each
            if self._has_part(owner):
                self._bind(self._name, _OTHER, state)

    def _where_raised(self, state: State) -> State:
        return {name: bindings - {_CALL} for name, bindings in state.items()}
