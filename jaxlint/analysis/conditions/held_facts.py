"""What tests have shown that holds from here on: the other way was left (`if eager: return`), or an `assert`
says so.

In: facts, and what is bound, changed or called after them. Out: those that still hold, in the variables of
the flow: where paths meet, those that hold on all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from functools import lru_cache

from jaxlint.analysis.function_context import Vars
from jaxlint.domain.facts import NO_FACT, Fact, only_looks
from jaxlint.domain.join import MutableContainer, options_of
from jaxlint.domain.values import Product, Value
from jaxlint.ir.nodes import AttrExpr, CallExpr, Expr, NameExpr
from jaxlint.ir.program import Program
from jaxlint.ir.walks import walk

MARK = "$held"
_MOST = 24


def hold(state: Vars, facts: Iterable[Fact], program: Program) -> None:
    """These facts hold from here on, but those of variables that other functions bind, and what an object
    says of itself unasked, such as whether it is ready: the next answer may be another one."""
    known = held(state)
    outer = bound_from_inside(program)
    found = [
        fact
        for fact in facts
        if fact is not NO_FACT
        and fact not in known
        and outer.isdisjoint([name.partition(".")[0] for name in fact.names])
        and not (fact.is_soft and _asks_object(fact.subject))
    ]
    if found:
        state[MARK] = Product(MARK, (*known, *found)[-_MOST:])


def holding(facts: Iterable[Fact]) -> Vars:
    """The variables of a function with which this holds where it begins."""
    found = tuple(facts)
    return {MARK: Product(MARK, found)} if found else {}


def held(state: Vars) -> tuple[Fact, ...]:
    """What is known to hold."""
    mark = state.get(MARK)
    facts: tuple[Fact, ...] = mark.parts[0] if isinstance(mark, Product) else ()
    return facts


def forget(state: Vars, name: str, is_changed: bool) -> None:
    """A variable, or an attribute, is bound anew. `is_changed`: it is the same object, which has changed."""
    _drop(state, [fact for fact in held(state) if name in fact.names and not (is_changed and _lasts(fact))])


def forget_given(state: Vars, call: CallExpr) -> None:
    """A call may change the objects that it is given, and the one whose method it is. What is true or false
    is taken for a flag, unless it is known for a container or has methods."""
    if only_looks(call):
        return
    receiver = call.func.value if isinstance(call.func, AttrExpr) else None
    given = [*call.args, *[each.value for each in call.keywords]]
    names = {node.name for node in walk(receiver, *given) if isinstance(node, NameExpr)}
    found = [fact for fact in held(state) if not _lasts(fact) and not names.isdisjoint(fact.names)]
    _drop(state, [fact for fact in found if _is_of_contents(fact) or _is_changeable(fact, receiver, state)])


def common(a: Value, b: Value) -> Value:
    """What holds on both of two paths."""
    assert isinstance(a, Product) and isinstance(b, Product)
    other = b.parts[0]
    return Product(MARK, tuple([fact for fact in a.parts[0] if fact in other]))


def _drop(state: Vars, facts: Collection[Fact]) -> None:
    if facts:
        state[MARK] = Product(MARK, tuple([each for each in held(state) if each not in facts]))


def _lasts(fact: Fact) -> bool:
    """Whether it holds until a variable is bound anew, whatever is done with the objects."""
    return not (_is_of_contents(fact) or fact.truth() is not None)


def _is_of_contents(fact: Fact) -> bool:
    return fact.is_soft or any("." in name for name in fact.names)


def _is_changeable(fact: Fact, receiver: Expr | None, state: Vars) -> bool:
    """Whether a call may change the truth of a variable: it is a method of it, or gets a container."""
    if isinstance(receiver, NameExpr) and receiver.name in fact.names:
        return True
    values = [state[name] for name in fact.names if name in state]
    return any(isinstance(each, MutableContainer) for value in values for each in options_of(value))


def _asks_object(subject: Hashable) -> bool:
    """Whether a method without arguments is called, in the structure of an expression."""
    if not isinstance(subject, tuple):
        return False
    if len(subject) == 4 and subject[0] is CallExpr:
        func = subject[1]
        if isinstance(func, tuple) and func[0] is AttrExpr and not (subject[2] or subject[3]):
            return True
    return any(map(_asks_object, subject))


@lru_cache(maxsize=1024)
def bound_from_inside(program: Program) -> frozenset[str]:
    """The variables that functions of a module bind which are not their own."""
    return frozenset().union(*(each.global_names | each.nonlocal_names for each in program.codes))
