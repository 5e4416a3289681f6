"""What a caller has where its callee reads a part of an argument: of a dict, a record or an object that is
known in the caller, and of which the callee knows nothing.

In: the callee's token of the part, and the arguments by their tokens. Out: the caller's token; and, after the
call, other keys in what the callee may have changed. It refuses to know what the callee does with a part.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Numbered, Outward, Tokens, is_part_of, position_of
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.questions import is_of_all
from jaxlint.domain.values import Const, Static, Unknown, Value
from jaxlint.evaluation.attributes import Attributes

_FAR = 3  # how deep containers are looked into


class GivenParts:
    """Finds and renews what arguments hold."""

    def __init__(self, flow: FlowState, core: Core, attributes: Attributes) -> None:
        self.flow = flow
        self.core = core
        self.attributes = attributes

    def outward(
        self, keys: Numbered, tokens: Tokens, activation: FunctionContext, stale: bool = False
    ) -> Outward:
        """The way from a callee's tokens to its caller's, which leads to parts of arguments, too."""
        return Outward(self.flow, keys, tokens, activation, stale, self.token_of)

    def token_of(self, given: Mapping[Hashable, Value], token: Hashable) -> Hashable:
        """The caller's token of what its callee reads of an argument; None where it is not known."""
        value = self._at(given, token)
        found = value.token if isinstance(value, (Key, Unknown)) else None
        return found if self._is_of_here(root_of(found)) else None

    def renew_touched(self, given: Mapping[Hashable, Value], touched: Iterable[Hashable]) -> None:
        """What a callee may have changed of arguments may hold other keys now."""
        for token in touched:
            root = root_of(token)
            if root in given:
                self._renew(self._at(given, token) or given[root], _FAR)

    def _at(self, given: Mapping[Hashable, Value], token: Any) -> Value | None:
        if token in given:
            return given[token]
        if not is_part_of(token):
            return None
        origin, how, which = token
        owner = self._at(given, origin)
        if isinstance(owner, Instance):
            return self._attribute(owner, which) if how == "." else None
        if isinstance(owner, (Tuple, MutableContainer)):
            return _item(owner, how, which)
        if isinstance(owner, (Key, Unknown)) and owner.token is not None:
            is_touched = owner.token in self.flow.frame.touched
            return None if is_touched else Unknown((owner.token, how, which))
        return None

    def _attribute(self, owner: Instance, name: str) -> Value | None:
        """What an object has under this name, where it has it itself and that is one thing."""
        found = owner.cls.lookup(name)
        if found is not None and not isinstance(found[0], (Const, Static)):
            return None  # a property may give another thing each time
        value = self.flow.env.vars.get(("@", id(owner), name))
        if value is None and name in owner.attributes:
            value = self.attributes.held(owner, name)
        return value if is_of_all(owner, value) else None

    def _is_of_here(self, root: Hashable) -> bool:
        """Whether a token is no name of a parameter in another function than those around this place: there
        it stands for something else at each call."""
        named = position_of(root)
        env = self.flow.env
        while named is not None and (env.code is None or id(env.code) != named[0]):
            if env.parent is None:
                return False
            env = env.parent
        return True

    def _renew(self, value: Value, depth: int) -> None:
        """Other keys are in what a value holds that can be changed."""
        if not depth:
            return
        if isinstance(value, Instance):
            marked = [each[2] for each in self.flow.env.vars if each[:2] == ("@", id(value))]
            for name in dict.fromkeys((*value.attributes, *marked)):
                held = self._attribute(value, name)
                if isinstance(held, (Key, Unknown)):
                    mark = self.flow.frame.writes[value, name] = ("@", id(value), name)
                    self.flow.env.vars[mark] = self.core.fresh_copy(held)
                elif held is not None:
                    self._renew(held, depth - 1)
        elif isinstance(value, MutableContainer):
            for which, held in value.entries.items():
                value.entries[which] = self._renewed(held, depth)
            if value.items is not None:
                value.items = [self._renewed(held, depth) for held in value.items]
        elif isinstance(value, Tuple):
            for held in value.items or ():
                self._renew(held, depth - 1)

    def _renewed(self, value: Value, depth: int) -> Value:
        if isinstance(value, (Key, Unknown)):
            return self.core.fresh_copy(value)
        self._renew(value, depth - 1)
        return value


def _item(owner: Tuple | MutableContainer, how: str, which: Hashable) -> Value | None:
    """What a record or a container has there; None where that is not certain."""
    if isinstance(owner, MutableContainer):
        if how != "[]" or owner.lacking or owner.is_open:
            return None
        if owner.kind == "dict":
            return owner.entries.get(which)
        items = owner.items if owner.kind == "list" else None
    else:
        items = None if owner.items is None else list(owner.items)
        if how == ".":
            fields = [] if owner.cls is None else [*owner.cls.all_fields()]
            which = fields.index(which) if which in fields else None
    if items is None or not isinstance(which, int) or not -len(items) <= which < len(items):
        return None
    return items[which]


def roots_in(values: Iterable[Value], depth: int = _FAR) -> set[Hashable]:
    """What the keys come from that containers hold among these."""
    found: set[Hashable] = set()
    for value in values:
        if isinstance(value, MutableContainer):
            inner = (*value.entries.values(), *(value.items or ()))
            found.update([root_of(each.token) for each in inner if isinstance(each, (Key, Unknown))])
        else:
            inner = (value.items or ()) if isinstance(value, Tuple) else ()
        if depth and inner:
            found |= roots_in(inner, depth - 1)
    return found
