"""What tests show by their text, and which of it cannot hold together: `n == 1` and `n > 1`, `mode is Mode.A`
and `mode is Mode.B`, `a < b` and `a >= b`.

In: tests, and whether they hold. Out: facts, each of one expression, which is known by its text. It refuses
to know what the values are; that a test has the same answer until a variable of it is bound anew is taken for
granted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jaxlint.domain.values import Value
from jaxlint.ir.nodes import (
    AttrExpr,
    BinaryExpr,
    BoolExpr,
    CallExpr,
    CompareExpr,
    ConditionalExpr,
    ConstExpr,
    Expr,
    Keyword,
    ListExpr,
    NameExpr,
    Node,
    SetExpr,
    SliceExpr,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WalrusExpr,
)
from jaxlint.ir.walks import dotted, in_bool, last_name, structure_of, walk

# How two values compare, as bits; values without an order (nan, None and a number) are only unequal.
_LESS, _EQUAL, _MORE, _APART = 1, 2, 4, 8
_ANY = _LESS | _EQUAL | _MORE | _APART
_SIGNS: Final = {
    "<": _LESS,
    "<=": _LESS | _EQUAL,
    "==": _EQUAL,
    "is": _EQUAL,
    "!=": _ANY & ~_EQUAL,
    "is not": _ANY & ~_EQUAL,
    ">": _MORE,
    ">=": _MORE | _EQUAL,
}
_PURE = frozenset(
    "abs all any bool callable float frozenset getattr hasattr int isinstance issubclass len list max min "
    "range round set sorted str sum tuple type".split()
)
_PURE_METHODS = frozenset(
    "all any count endswith get index isdisjoint issubset issuperset item items keys lower max mean min ndim "
    "partition shape size split startswith strip sum upper values".split()
)
_TYPES = frozenset("int str float complex list tuple dict set bytes".split())  # nothing is of two of them
_ASKS = re.compile(r"_*(is|has)(_|[A-Z]|alpha|digit|numeric|upper|lower|space|finite|nan|scalar)")
_STATES = re.compile(r"\w*(ing|ed|able|empty)$")  # `queue.empty()`, `run.finished()`
_TERMS = (
    NameExpr,
    ConstExpr,
    AttrExpr,
    SubscriptExpr,
    SliceExpr,
    TupleExpr,
    ListExpr,
    SetExpr,
    BinaryExpr,
    UnaryExpr,
    BoolExpr,
    CompareExpr,
    ConditionalExpr,
    CallExpr,
    Keyword,
)


class Named(NamedTuple):
    """A constant that a name stands for, as a member of an enumeration: `Mode.TRAIN`."""

    owner: Hashable
    name: str


class Setting(NamedTuple):
    """What a fact is of that holds of a setting, whichever object has it."""

    name: str


class Fact(NamedTuple):
    """What a test shows of one expression.

    against: what it is compared with: ("truth",), ("value", constant), ("among", constants) or ("other",
    expression). signs: how it may compare, as bits; of its truth, and of being among constants, `_EQUAL` is
    yes. names: the variables and attributes that it is made of. is_soft: objects are asked that may change
    without being bound anew.
    """

    subject: Hashable
    against: tuple[Any, ...]
    signs: int
    names: frozenset[str]
    is_soft: bool

    def variable(self) -> str:
        """The variable that it is of; empty where it is of another expression."""
        return next((name for name in self.names if self.subject == _of_variable(name)), "")

    def held_in(self, owner: str, attribute: str) -> Fact:
        """The same of an attribute that holds what this is of."""
        subject = structure_of(AttrExpr(0, NameExpr(0, owner), attribute))
        return self._replace(subject=subject, names=frozenset((owner, f"{owner}.{attribute}")))

    def renamed(self, given: Mapping[str, Expr], names: Iterable[str]) -> Fact:
        """The same where parameters stand for the expressions that they get. `names`: the new variables."""
        stand = {structure_of(value): structure_of(NameExpr(0, name)) for name, value in given.items()}
        return self._replace(subject=_renamed(self.subject, stand), names=frozenset(names))

    def truth(self) -> bool | None:
        """Whether the expression is true, where that is what is shown."""
        return bool(self.signs & _EQUAL) if self.against[0] == "truth" else None

    def constant(self) -> tuple[Any] | None:
        """The constant that it is, where that is what is shown."""
        if self.signs != _EQUAL or self.against[0] != "value" or isinstance(self.against[1], Named):
            return None
        return (self.against[1],)

    def rests_on(self, name: str, is_changed: bool = False) -> bool:
        """Whether it is another fact once a variable, or an attribute, is bound anew. `is_changed`: it is the
        same object, which has changed."""
        return name in self.names and (self.is_soft or not is_changed)

    def is_own(self) -> bool:
        """Whether it is of attributes of `self` alone."""
        return bool(self.names) and all(name == "self" or name.startswith("self.") for name in self.names)

    def setting(self) -> Fact | None:
        """The same of a setting, whichever object has it: an attribute, or an item under a text, that is
        compared with texts. None of anything else, and of what is one already."""
        if type(self.subject) is not tuple or self.against[0] not in ("value", "among"):
            return None
        listed = self.against[1] if self.against[0] == "among" else self.against[1:]
        kind, name = self.subject[0], self.subject[-1]
        if kind is SubscriptExpr:
            name = name[1] if isinstance(name, tuple) and name[0] is ConstExpr else None
        if kind not in (AttrExpr, SubscriptExpr) or not all(type(each) is str for each in (name, *listed)):
            return None
        return self._replace(subject=Setting(name), names=frozenset(), is_soft=False)


def settings_of(facts: Iterable[Fact]) -> list[Fact]:
    """What facts say of settings."""
    found = [fact if isinstance(fact.subject, Setting) else fact.setting() for fact in facts]
    return [each for each in found if each is not None]


def _renamed(structure: Hashable, stand: Mapping[Hashable, Hashable]) -> Hashable:
    if not isinstance(structure, tuple) or structure in stand:
        return stand.get(structure, structure)
    return tuple([_renamed(each, stand) for each in structure])


State = Mapping[Any, Value]
Grounded = tuple[Fact, tuple[Value | None, ...]]  # and the marks of its variables
# a mark among the variables, with a name: when it was bound anew or, if that is added, its object has changed
CHANGED: Final = "changed"
NO_FACT: Final = Fact((), ("truth",), _ANY, frozenset(), False)


@lru_cache(maxsize=32768)
def facts_of(test: Expr, truth: bool) -> tuple[Fact, ...]:
    """What a test shows: itself, and each of its parts where all of them hold."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return facts_of(test.operand, not truth)
    if isinstance(test, BoolExpr):
        parts: tuple[Fact, ...] = ()
        if truth == (test.operator == "and"):
            parts = (*facts_of(test.left, truth), *facts_of(test.right, truth))
        return (*parts, *_asked(test, ("truth",), truth))
    if isinstance(test, CompareExpr) and (truth or len(test.rest) == 1):
        found: tuple[Fact, ...] = ()
        left = test.left
        for operator, right in test.rest:
            found += _compared(left, operator, right, truth)
            left = right
        return found
    if isinstance(test, CallExpr) and len(test.args) == 2 and last_name(test.func) == "isinstance":
        kind = test.args[1]
        kinds = _listed(TupleExpr((kind,)) if isinstance(kind, NameExpr) else kind)
        if kinds and all(isinstance(each, Named) and each.owner == "type" for each in kinds):
            found = _asked(test.args[0], ("among", frozenset(kinds)), truth)
            return tuple([fact._replace(subject=("type", fact.subject)) for fact in found])
    inner = in_bool(test)
    if inner is not None:
        return facts_of(inner, truth)
    return _asked(test, ("truth",), truth)


def _of_variable(name: str) -> Hashable:
    return structure_of(NameExpr(0, name))


def fact_of(name: str, value: object) -> Fact:
    """That a variable is this constant."""
    return Fact(_of_variable(name), ("value", value), _EQUAL, frozenset((name,)), False)


def disagree(one: Collection[Fact], other: Collection[Fact]) -> bool:
    """Whether two lists of facts cannot hold together."""
    if not one or not other:
        return False
    subjects = {each.subject for each in one}
    by_subject: dict[Hashable, list[Fact]] = {}
    for each in other:
        if each.subject in subjects and each.signs != _ANY:
            by_subject.setdefault(each.subject, []).append(each)
    if not by_subject:
        return False
    for each in one:
        if each.subject in by_subject:
            by_subject[each.subject].append(each)
    return any(map(_is_impossible, by_subject.values()))


def grounded(facts: Iterable[Fact], state: State) -> tuple[Grounded, ...]:
    """What is shown, each with what it rests on."""
    return tuple([(fact, _ground(fact, state)) for fact in facts])


def exclude(earlier: Sequence[Grounded], now: Sequence[Grounded], state: State) -> bool:
    """Whether what was shown at an earlier place, as far as it still holds, cannot hold with this."""
    if not earlier or not now:
        return False
    still = [fact for fact, ground in earlier if ground == _ground(fact, state)]
    return disagree(still, [fact for fact, _ in now])


def _ground(fact: Fact, state: State) -> tuple[Value | None, ...]:
    """What a fact rests on: the marks of its variables."""
    ways = (False, True) if fact.is_soft else (False,)
    return tuple(
        [state.get((CHANGED, name, is_changed)) for name in sorted(fact.names) for is_changed in ways]
    )


def _is_impossible(facts: Sequence[Fact]) -> bool:
    """Whether nothing is all that is said of one expression."""
    signs: dict[Hashable, int] = {}
    for each in facts:
        left = signs[each.against] = signs.get(each.against, _ANY) & each.signs
        if not left:
            return True
    candidates = _candidates(facts)
    if candidates is not None:
        return not any(all(_admits(each, value) for each in facts) for value in candidates)
    return _is_empty(facts)


def _candidates(facts: Iterable[Fact]) -> frozenset[Any] | None:
    """The constants of which an expression is one; None where it may be others."""
    sets = []
    for each in facts:
        if each.signs == _EQUAL and each.against[0] == "value":
            sets.append(frozenset(each.against[1:]))
        elif each.signs == _EQUAL and each.against[0] == "among":
            sets.append(each.against[1])
    return min(sets, key=len, default=None)


def _admits(fact: Fact, value: Any) -> bool:
    """Whether a constant is what a fact says, or may be it."""
    kind = fact.against[0]
    if kind == "truth":
        return isinstance(value, Named) or bool(fact.signs & _EQUAL) == bool(value)
    if kind == "among":
        signs = [_sign(value, each) for each in fact.against[1]]
        is_one = _EQUAL in signs
        return is_one or _ANY in signs if fact.signs == _EQUAL else not is_one
    return kind == "other" or bool(fact.signs & _sign(value, fact.against[1]))


def _sign(value: Any, other: Any) -> int:
    """How one constant compares with another; anyhow where that is not known."""
    if isinstance(value, Named) or isinstance(other, Named):
        if isinstance(value, Named) and isinstance(other, Named) and value.owner == other.owner:
            return _EQUAL if value == other else _ANY & ~_EQUAL
        return _ANY
    if value == other:
        return _EQUAL
    try:
        return _LESS if value < other else _MORE if value > other else _APART
    except TypeError:
        return _APART


def _is_empty(facts: Iterable[Fact]) -> bool:
    """Whether no number is on the right side of all that an expression is compared with."""
    bounds = [(each.against[1], each.signs) for each in facts if each.against[0] == "value"]
    bounds = [(value, signs) for value, signs in bounds if _is_number(value)]
    if all(signs & _APART for _, signs in bounds):
        return False  # nan is on neither side
    above = [(value, not signs & _EQUAL) for value, signs in bounds if not signs & _LESS]
    below = [(-value, not signs & _EQUAL) for value, signs in bounds if not signs & _MORE]
    if not above or not below:
        return False
    (low, is_more), (high, is_less) = max(above), max(below)
    return low > -high or (low == -high and (is_more or is_less))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


def _compared(left: Expr, operator: str, right: Expr, truth: bool) -> tuple[Fact, ...]:
    """What is shown by one comparison."""
    if operator in ("in", "not in"):
        is_in = truth == (operator == "in")
        listed = _listed(right)
        if listed is not None:
            return _asked(left, ("among", frozenset(listed)), is_in)
        found = _asked(left, ("other", "in", structure_of(right)), is_in, right)
        return tuple([fact._replace(is_soft=True) for fact in found])
    signs = _SIGNS.get(operator)
    if signs is None:
        return ()
    signs = signs if truth else _ANY & ~signs
    if _constant(left) is not None and _constant(right) is None:
        left, right, signs = right, left, _mirrored(signs)
    constant = _constant(right)
    if constant is not None:
        found = _asked(left, ("value", *constant), truth, signs=signs)
        return (*found, *_of_length(left, constant[0], signs))
    one, other = structure_of(left), structure_of(right)
    if repr(one) > repr(other):
        left, right, other, signs = right, left, one, _mirrored(signs)
    return _asked(left, ("other", "than", other), truth, right, signs)


def _of_length(node: Expr, value: Any, signs: int) -> tuple[Fact, ...]:
    """What the length of a collection says of its truth."""
    if not isinstance(node, CallExpr) or not isinstance(node.func, NameExpr) or node.func.name != "len":
        return ()
    if len(node.args) != 1 or not isinstance(value, int):
        return ()
    may_be_empty = bool(_sign(0, value) & signs)
    may_be_full = bool(signs & _MORE or (signs & _EQUAL and value > 0) or (signs & _LESS and value > 1))
    if may_be_empty == may_be_full:
        return ()
    return tuple([fact._replace(is_soft=True) for fact in _asked(node.args[0], ("truth",), may_be_full)])


def _mirrored(signs: int) -> int:
    """How the other one of two values compares."""
    return (signs & (_EQUAL | _APART)) | (signs & _LESS and _MORE) | (signs & _MORE and _LESS)


def _constant(node: Expr) -> tuple[Any] | None:
    """The constant that an expression is written as."""
    if isinstance(node, ConstExpr):
        return (_plain(node.value),)
    if isinstance(node, UnaryExpr) and node.operator == "-" and isinstance(node.operand, ConstExpr):
        value = node.operand.value
        return (-value,) if _is_number(value) else None
    if isinstance(node, AttrExpr) and isinstance(node.value, (NameExpr, AttrExpr)):
        if node.value.name[:1].isupper():
            return (Named(structure_of(node.value), node.name),)
    if isinstance(node, NameExpr) and (node.name in _TYPES or (node.name.isupper() and len(node.name) > 1)):
        return (Named("type" if node.name in _TYPES else "constant", node.name),)
    if isinstance(node, TupleExpr):
        listed = _listed(node)
        return None if listed is None else (listed,)
    return None


def _listed(node: Expr) -> tuple[Any, ...] | None:
    """The constants that a tuple, a list or a set is written with; None for anything else."""
    if not isinstance(node, (TupleExpr, ListExpr, SetExpr)):
        return None
    found = [_constant(each) for each in node.items]
    values = tuple([each[0] for each in found if each is not None])
    return values if len(values) == len(found) else None


def _plain(value: Any) -> Any:
    return value if isinstance(value, Hashable) else repr(value)


def _asked(
    subject: Expr, against: tuple[Any, ...], truth: bool, other: Expr | None = None, signs: int | None = None
) -> tuple[Fact, ...]:
    """The fact about an expression, and what it is compared with, where both give the same again."""
    if isinstance(subject, WalrusExpr):
        subject = subject.target
    names: set[str] = set()
    is_soft = False
    for node in walk(subject, other):
        if not isinstance(node, _TERMS) or (isinstance(node, CallExpr) and not only_looks(node)):
            return ()
        is_soft = is_soft or isinstance(node, (CallExpr, SubscriptExpr))
        if isinstance(node, (NameExpr, AttrExpr)):
            names.add(dotted(node))
    names.discard("")
    if not names:
        return ()
    if signs is None:
        signs = _EQUAL if truth else _ANY & ~_EQUAL
    return (Fact(structure_of(subject), against, signs, frozenset(names), is_soft),)


def only_looks(call: CallExpr) -> bool:
    """Whether a call by its name only looks at what it is given: it changes nothing."""
    func: Node = call.func
    if isinstance(func, NameExpr):
        return func.name in _PURE or bool(_ASKS.match(func.name))
    if not isinstance(func, AttrExpr):
        return False
    is_state = not (call.args or call.keywords) and bool(_STATES.match(func.name))
    return is_state or func.name in _PURE_METHODS or bool(_ASKS.match(func.name))
