"""What a call leaves in the attributes of objects, as its caller sees it: above all which keys.

In: the context of the callee, and the way from its tokens to those of the caller. Out: the values of
attributes, and the keys that objects hold. It refuses to know what the callee is called for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeGuard

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Outward
from jaxlint.domain.join import MutableContainer, options_of
from jaxlint.domain.key_tokens import TURNED, root_of
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.questions import but_for_none, first_of, has_tokens, is_of_all, map_tokens, with_token
from jaxlint.domain.values import NONE, UNKNOWN, Const, OneOf, TracerPytree, Unknown, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.ir.nodes import AttrExpr, Expr, NameExpr

_MAY_BE_KEY = frozenset((Key, Unknown, OneOf))


class LeftThere(NamedTuple):
    """What a call has left in an attribute. value: as the caller sees it; last: as the callee does; shown: of
    a context manager, what it has there meanwhile; is_late: it is left there when that is left."""

    owner: Instance
    name: str
    value: Value
    last: Value | None
    shown: Value | None
    is_late: bool


def moved(token: Hashable, before: Hashable, after: Hashable) -> Hashable:
    """The token of what one object has, for what another one has."""
    if isinstance(token, tuple) and len(token) == 3:
        return moved(token[0], before, after), token[1], token[2]
    return after if token == before else token


def _held_first(token: Any) -> tuple[Any, str] | None:
    """What held the key that a token derives from, an object's identity, and the attribute of it."""
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] == "." and not isinstance(token[0], tuple):
            return token[0], token[2]
        token = token[0]
    return None


def _is_plain(value: Value | None) -> TypeGuard[Value]:
    """Whether a value means the same to a caller: something is known of it, and it has no tokens."""
    return value is not None and type(value) is not Unknown and not has_tokens(value)


class LeftAttributes:
    """Says what attributes hold after a call, and shows it to the caller."""

    def __init__(self, flow: FlowState, core: Core, attributes: Attributes) -> None:
        self.flow = flow
        self.core = core
        self.attributes = attributes

    def is_there(self, place: AttrExpr, is_some: bool) -> bool:
        """Whether the function that runs has had an attribute set, to what is not None if that is asked."""
        owner = self._holder_of(place.value)
        value = None if owner is None else self.flow.env.vars.get(("@", id(owner), place.name))
        if value is None or not is_some:
            return value is not None
        return but_for_none(value) is value and value != NONE and not isinstance(value, Unknown)

    def _holder_of(self, place: Expr) -> Instance | None:
        """The object that a variable holds, or an attribute of one."""
        value: Value | None = None
        if isinstance(place, NameExpr):
            value = self.flow.env.vars.get(place.name)
        elif isinstance(place, AttrExpr):
            owner = self._holder_of(place.value)
            value = None if owner is None else owner.attributes.get(place.name)
        return value if isinstance(value, Instance) else None

    def held_by(self, owner: Instance | None, token: Any) -> Any:
        """The token of what an object holds where another one of its class holds the key of this token; None
        where that, or which object it is, is not known."""
        if owner is None or not isinstance(token, tuple) or len(token) != 3:
            return None
        if isinstance(token[0], tuple):
            inner = self.held_by(owner, token[0])
            if inner is None or (token[1] in (".", "[]") and inner in self.flow.frame.touched):
                return None  # what it has there may be another thing now
            if owner.many and token[1] == "fold" and not isinstance(token[2], int):
                return None  # each object may fold in a number of its own
            which = token[2]
            if token[1] == "fold" and root_of(which) == root_of(token):
                which = self._number_of(owner, which)
                if which is None:
                    return None
            return inner, token[1], which
        name = token[2]
        value = self.flow.env.vars.get(("@", id(owner), name))
        if not is_of_all(owner, value) and (value is not None or not owner.alike):
            return None
        own = (id(owner), ".", name)
        if value is None and name in owner.attributes:
            value = self.attributes.held(owner, name)
            any_of_class = owner.cls.generic
            if owner.generic and getattr(value, "token", None) == (id(any_of_class), ".", name):
                return own  # what stands for an object has of its own what any of its class has
        return own if value is None else getattr(value, "token", None)

    def _number_of(self, owner: Instance, token: Any) -> Any:
        """The number that an object holds where another one of its class holds that of this token: itself, or
        its token; None where that is not known."""
        value = self.flow.env.vars.get(("@", id(owner), token[2]), owner.attributes.get(token[2]))
        if type(value) is Const and type(value.value) is int and not isinstance(token[0], tuple):
            return None if owner.many else value.value
        return self.held_by(owner, token)

    def in_field(self, base: Hashable, roots: Mapping[tuple[Hashable, ...], Instance]) -> Value | None:
        """What the caller has where an object, of which `base` is the identity, stands in the callee for what
        an annotated field holds; None where it stands for nothing, or for itself. roots: the objects of the
        caller by the places of those that stand for them."""
        place = self.attributes.definitions.heirs.places.get(base, ())
        for count in range(1, len(place)):
            if place[:count] in roots:
                held: Value = roots[place[:count]]
                for name in place[count:]:
                    held = (
                        self.attributes.of_instance(held, str(name))
                        if isinstance(held, Instance)
                        else UNKNOWN
                    )
                return None if id(held) == base else held
        return None

    def counterparts(self, stand_in: Instance, original: Instance) -> dict[Hashable, Instance | None]:
        """By identity, the objects that an object holds, and that these hold; with those that another one,
        which it stands in for, has in their places, where that is known. Several places may lead to an
        object: the nearest one says it, and of these the first by name."""
        found: dict[Hashable, Instance | None] = {id(stand_in): original}
        pairs: list[tuple[Instance, Instance | None]] = [(stand_in, original)]
        for mine, theirs in pairs:
            for name, value in sorted(mine.attributes.items(), key=lambda item: item[0]):
                for each in options_of(value):
                    if isinstance(each, Instance) and id(each) not in found:
                        held = self.attributes.of_instance(theirs, name) if theirs and each is value else None
                        found[id(each)] = held if isinstance(held, Instance) else None
                        pairs.append((each, found[id(each)]))
        return found

    def named_for(self, held: Value, token: Hashable) -> Hashable:
        """The token of what an object holds where this is in the place of that object."""
        if isinstance(held, Instance):
            own: Hashable = self.held_by(held, token)
            return own
        known = getattr(held, "token", None)
        return None if known is None else moved(token, root_of(token), known)

    def values_left(
        self,
        activation: FunctionContext,
        outward: Outward,
        objects: Mapping[Hashable, Instance | None],
        is_known: bool,
        is_manager: bool,
    ) -> list[LeftThere]:
        """What a call has left in attributes, as its caller sees it. `objects`: those that others stood for,
        None where that is not known. Where it is not known that the call does the same to it (`is_known`),
        only which attributes it sets is, and what becomes of keys and arguments. `is_manager`: the callee is
        a context manager."""
        if not (activation.writes or activation.former):
            return []
        shown = (activation.shown or {}) if is_manager else {}

        def renamed(token: Any) -> Any:
            root = root_of(token)
            return self.held_by(objects[root], token) if root in objects else outward(token)

        found = []
        for owner, name, mark, last in activation.left():
            if id(owner) in objects:
                there = objects[id(owner)]
                if there is None:
                    continue
                owner = there
            elif not is_known:
                continue
            value = owner.attributes.get(name, UNKNOWN) if is_known else UNKNOWN
            if type(last) is Key or (type(last) is Unknown and type(value) is Unknown):
                first = _held_first(last.token)
                again = first is not None and first[1] != name  # what another one holds is put back
                value = self._written(owner, value, None if again else last, renamed)
                if owner.alike and first is not None and not again:
                    value = self._turned(owner, name, last) or value
            elif type(value) is Unknown and not is_known:
                value = Unknown(self.core.fresh())
            elif type(last) is MutableContainer and (not owner.many or id(owner) in activation.instances):
                value = last
            elif is_known and not owner.many and _is_plain(last):
                value = last
            elif type(value) is Unknown:
                value = Unknown(self.core.fresh())
            elif type(value) in _MAY_BE_KEY:
                value = self._written(owner, value, last, renamed)
            is_late = is_manager and activation.shown is not None and mark not in shown
            found.append(LeftThere(owner, name, value, last, shown.get(mark), is_late))
        return found

    def _turned(self, owner: Instance, name: str, last: Value) -> Value | None:
        """What one of several objects that are made with one key has made of it: the others have it yet."""
        held = first_of(owner, self.held_by(owner, (id(owner), ".", name)))
        return None if held is None else with_token(last, (held, TURNED, self.core.fresh()))

    def show(self, left: Iterable[LeftThere], outward: Outward) -> None:
        """The caller sees what a call has left in attributes."""
        for owner, name, value, last, held, is_late in left:
            mark = self.flow.frame.writes[owner, name] = ("@", id(owner), name)
            if is_late and not owner.many:
                before = self.flow.env.vars.get(mark)
                if before is None and name in owner.attributes:
                    before = self.attributes.held(owner, name)
                self.flow.shown += () if before is None else ((mark, before, value),)
            self.flow.env.vars[mark] = value
            if held is not None and not owner.many and (type(held) is TracerPytree or not has_tokens(held)):
                then = UNKNOWN if last is None or has_tokens(last) else last
                self.flow.shown += ((mark, map_tokens(held, outward), then),)

    def _written(
        self, owner: Instance, value: Value, last: Value | None, renamed: Callable[[Any], Any]
    ) -> Value:
        """What a call has left in an attribute; a key that the caller knows is still that key."""
        if isinstance(last, (Key, Unknown)):
            given = map_tokens(last, renamed)
            if isinstance(given, (Key, Unknown)) and given.token is not None and is_of_all(owner, given):
                return given
        if isinstance(value, Unknown) or (
            isinstance(value, OneOf) and any(isinstance(each, Key) for each in value.options)
        ):
            return Unknown(self.core.fresh())
        return (
            Key(self.core.fresh(), value.level, value.many, value.count) if isinstance(value, Key) else value
        )
