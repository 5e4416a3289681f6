"""The tests of a function as they are where it is called: arguments stand for its parameters.

In: tests of a function that is called, and the expression of the call; or the tests around a call. Out: tests
of the function that calls it; the arguments that the called function names; what tests show of its
parameters. It refuses to know the values of the arguments.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from operator import ge, gt, le, lt
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from jaxlint.analysis.conditions import held_facts
from jaxlint.analysis.consumption import Drawn
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import parameter_of
from jaxlint.domain.facts import Fact, disagree, fact_of, facts_of
from jaxlint.domain.join import callees_of, join_all
from jaxlint.domain.objects import Class, Environment, Function, Instance, Module
from jaxlint.domain.questions import texts_of
from jaxlint.domain.values import Const, Unknown, Value
from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import Held, bound_by, mentions
from jaxlint.ir.mentions import set_by
from jaxlint.ir.nodes import (
    NONE,
    OPAQUE,
    AssertStmt,
    AttrExpr,
    BoolExpr,
    CallExpr,
    CompareExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    Expr,
    IfStmt,
    LambdaExpr,
    NameExpr,
    StarExpr,
    Stmt,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import codes_in, dotted, last_name, nodes_of, substituted, walk

Test = tuple[Expr, bool]  # and whether it holds
IsThere: TypeAlias = Callable[[AttrExpr, bool], bool]
Around: TypeAlias = Sequence[tuple[Environment, Sequence[Held], frozenset[Fact]]]
"""The tests in force in a function, and what is shown by the constants that it is given; and of each one that
it is inside of."""
_KEPT = 4096  # of the questions that calls ask again, how many answers are kept
_ORDERS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_EQUALS = {"==": True, "is": True, "!=": False, "is not": False}


class Given(NamedTuple):
    """What is known of all calls that hand over a value: what their constants show, and on objects of which
    classes they are, None for those of no method."""

    facts: frozenset[Fact]
    owners: frozenset[Class | None]

    def may_be_of(self, cls: Class | None) -> bool:
        """Whether it may be handed over for an object of a class."""
        return cls is None or any(
            each is None or each in cls.lineage() or cls in each.lineage() for each in self.owners
        )


def handed(tests: Sequence[Test], func: Function, call: CallExpr | None, caller: Module) -> tuple[Test, ...]:
    """Those tests of a function that a call in a module answers with its arguments, in terms of these."""
    if not tests or call is None:
        return ()
    given = arguments_given(func, call)
    if given is None:
        return ()
    kept = [(test, truth) for test, truth in tests if _is_of(test, given, func, func.module is caller)]
    return tuple([(substituted(test, given), truth) for test, truth in kept])


def shown(around: Around, code: int, given: Collection[Fact]) -> list[Fact]:
    """What the tests around a call show of the parameters of a function, which it may be inside of, where
    this is known of what the function is given."""
    facts: list[Fact] = []
    for env, tests, constants in around:
        own = [fact for held in tests for fact in facts_of(held.test, held.truth)]
        if env.code is not None and id(env.code) == code:
            facts += constants
        hidden: set[str] = set()
        while id(env.code) != code and env.parent is not None:
            hidden.update(env.code.bound if env.code is not None else ())
            env = env.parent
        if own and env.code is not None and id(env.code) == code:
            hidden |= _rebound(env.code, frozenset(given))
            facts += [fact for fact in own if fact.names.isdisjoint(hidden)]
    return facts


def constants_of(given: Mapping[Hashable, Value]) -> frozenset[Fact]:
    """What tests of parameters show where a call gives constants for them."""
    return frozenset(
        [fact_of(str(name), value.value) for name, value in given.items() if isinstance(value, Const)]
    )


def known_of(func: Function, given: Mapping[Hashable, Value]) -> Given:
    """What is known of one call."""
    owner = next(iter(given.values())) if func.cls is not None else None
    return Given(constants_of(given), frozenset((owner.cls if isinstance(owner, Instance) else None,)))


def result_of(activation: FunctionContext, given: Mapping[Any, Value]) -> Value:
    """What a function gives back to a call, `given` what that gives where it shares the context with others:
    not what it returns under tests that the constants of this call answer otherwise."""
    func, ways = activation.func, activation.ways
    if (
        func is None
        or len(ways) < 2
        or activation.sees_tracer
        or func.code.is_generator
        or func.code.is_async
    ):
        return activation.result
    facts = constants_of(given)
    left = [value for value, tests in ways if not is_answered_otherwise(activation, tests, facts)]
    if any(texts_of(each) for each in (*given.values(), *activation.arguments)):
        named = _named_by_text(left)
        if named is not None:
            return named
    return join_all(left) if 0 < len(left) < len(ways) else activation.result


def draws_of(
    activation: FunctionContext, given: Mapping[Any, Value], flow: FlowState, nid: int
) -> frozenset[Drawn]:
    """The streams that a call draws from, in terms of its caller: those that its arguments show it to draw
    from, or that the arguments of that one's callers may. `given`: what the call gives where it shares the
    context with others."""
    func, here, node = activation.func, flow.open_tests(), flow.calling
    if func is None:
        return frozenset()
    names = [param.name for param in func.code.params]
    stand = _written_as(given or dict(zip(names, activation.arguments, strict=False)), flow, nid)
    changed = set_by(func.code) | _rebound(func.code, frozenset())
    found = []
    for drawn in activation.draws:
        if any(mentions(test, changed) for test, _ in drawn.under):
            continue
        tests = [(substituted(test, stand), truth) for test, truth in drawn.under]
        answers = [_answer(test, _is_nowhere) for test, _ in tests]
        if any(answer is (not truth) for (_, truth), answer in zip(tests, answers, strict=True)):
            continue
        asked = [at for at, answer in enumerate(answers) if answer is None]
        outer = [tests[at] for at in asked if _names_in(drawn.under[at][0]) <= stand.keys()]
        if len(outer) < len(asked):
            call = None if node is None or node.nid != nid else node
            outer = [*handed([drawn.under[at] for at in asked], func, call, flow.module)]
        if len(outer) == len(asked):
            found.append(Drawn(drawn.stream, (*here, *outer)))
    return frozenset(found)


def _written_as(given: Mapping[Any, Value], flow: FlowState, nid: int) -> dict[str, Expr]:
    """The constants among arguments, and those that are parameters of the caller, as expressions there."""
    found: dict[str, Expr] = {}
    code = flow.frame.code
    for name, value in given.items():
        if isinstance(value, Const) and isinstance(value.value, (bool, int, float, str, NoneType)):
            found[name] = ConstExpr(value.value)
        elif type(value) is Unknown and (at := parameter_of(value.token, code)) is not None:
            found[name] = NameExpr(nid, code.params[at].name)
    return found


def _names_in(test: Expr) -> set[str]:
    return {each.name for each in walk(test) if isinstance(each, NameExpr)}


def _is_nowhere(_place: AttrExpr, _is_some: bool) -> bool:
    return False


def is_answered_otherwise(activation: FunctionContext, tests: Sequence[Held], facts: frozenset[Fact]) -> bool:
    """Whether the constants of a call, as these facts, answer some of the tests in a function otherwise."""
    around = [(activation.env, tests, frozenset[Fact]())]
    return bool(facts) and disagree(shown(around, id(activation.code), facts), facts)


def _named_by_text(returns: Sequence[Value]) -> Value | None:
    """The function that a text names, where one return is that function and all others are any of several
    ones, such as what the environment names, of which it is one."""
    codes = [{each.code for each in callees_of(value) if isinstance(each, Function)} for value in returns]
    exact = [value for value in returns if isinstance(value, Function)]
    if not exact or any(each != exact[0] for each in exact):
        return None
    is_choice = all(exact[0].code in each for each in codes) and any(len(each) > 1 for each in codes)
    return exact[0] if is_choice else None


def signature(around: Around) -> Hashable:
    """What tells the tests around one call from those around another one."""
    return tuple(
        [
            (id(env.code), constants, *[(held.test, held.truth) for held in tests])
            for env, tests, constants in around
            if tests or constants
        ]
    )


@lru_cache(maxsize=_KEPT)
def _rebound(code: Code, given: frozenset[Fact]) -> frozenset[str]:
    """The variables that a function binds where this holds of its parameters."""
    return frozenset(_bound_where(code.body, given))


def _bound_where(body: Sequence[Stmt], given: Collection[Fact]) -> set[str]:
    """The variables that statements bind where this holds before them: no arm is run whose test says else."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, IfStmt):
            left = [fact for fact in given if fact.names.isdisjoint(found)]
            for arm, truth in ((statement.body, True), (statement.orelse, False)):
                if not disagree(facts_of(statement.test, truth), left):
                    found |= _bound_where(arm, left)
        else:
            found.update(bound_by(Turns(None, (statement,))))
    return found


def is_ruled_out(tests: Sequence[Test], is_there: IsThere) -> bool:
    """Whether one of these tests, as it is where a function is called, is known to have the other answer:
    what is done under it is not done there. `is_there`: whether an attribute has been set, and if
    that is asked to what is not None."""
    return any(_answer(test, is_there) is (not truth) for test, truth in tests)


def _answer(test: Expr, is_there: IsThere) -> bool | None:
    """The truth of a test that is made of constants, or asks if an attribute is there; None where it does
    not."""
    if isinstance(test, ConstExpr):
        return bool(test.value)
    if isinstance(test, UnaryExpr) and test.operator == "not":
        inner = _answer(test.operand, is_there)
        return None if inner is None else not inner
    if isinstance(test, BoolExpr):
        answers = _answer(test.left, is_there), _answer(test.right, is_there)
        decides = test.operator == "or"
        return decides if decides in answers else None if None in answers else not decides
    if isinstance(test, CompareExpr) and len(test.rest) == 1:
        (operator, right), left = test.rest[0], test.left
        if isinstance(left, ConstExpr) and isinstance(right, ConstExpr):
            if operator in _EQUALS:
                return (left.value == right.value) is _EQUALS[operator]
            if isinstance(left.value, (int, float)) and isinstance(right.value, (int, float)):
                return _ORDERS[operator](left.value, right.value) if operator in _ORDERS else None
        if isinstance(left, AttrExpr) and right == NONE and operator in _EQUALS and is_there(left, True):
            return not _EQUALS[operator]
    asked = _asked_attribute(test)
    return True if asked is not None and is_there(asked, False) else None


def _asked_attribute(test: Expr) -> AttrExpr | None:
    """What `hasattr` with a literal asks for."""
    if not isinstance(test, CallExpr) or len(test.args) != 2 or last_name(test.func) != "hasattr":
        return None
    owner, name = test.args
    if not isinstance(name, ConstExpr) or not isinstance(name.value, str):
        return None
    return AttrExpr(test.nid, owner, name.value)


def named_arguments(func: Function, call: CallExpr) -> CallExpr:
    """The call with the arguments for parameters that the function names, and without what is called; with
    all arguments where it is not known which parameters get them."""
    given = arguments_given(func, call)
    if given is None:
        return CallExpr(call.nid, OPAQUE, call.args, call.keywords)
    code = func.code
    named = {part.name for part in nodes_of(code.body) if isinstance(part, NameExpr)}
    named.update(*(each.free for each in codes_in(code, func.module.program)))
    own = {param.name for param in code.params[: func.cls is not None]}
    kept = [value for name, value in given.items() if name in named - own]
    return CallExpr(call.nid, OPAQUE, tuple(kept), ())


def arguments_given(func: Function, call: CallExpr) -> Mapping[str, Expr] | None:
    """The expressions of arguments by parameters; None where the call may give other ones."""
    code = func.code
    if last_name(call.func) != code.name or any(isinstance(each, StarExpr) for each in call.args):
        return None
    names = [param.name for param in code.params if param.kind in ("p", "n")]
    given: dict[str, Expr] = {
        param.name: param.default for param in code.params if isinstance(param.default, ConstExpr)
    }
    args: Sequence[Expr] = call.args
    if func.cls is not None:
        if not isinstance(call.func, AttrExpr) or dotted(call.func.value)[:1].isupper():
            return None
        args = (call.func.value, *args)
    given |= dict(zip(names, args, strict=False))
    for keyword in call.keywords:
        if keyword.name is None:
            return None
        given[keyword.name] = keyword.value
    return given


def _is_of(test: Expr, given: Mapping[str, Expr], func: Function, is_at_home: bool) -> bool:
    """Whether a test is one of parameters that are given and not changed by the function, or of what the
    caller sees as well. `is_at_home`: both see the same variables of a module."""
    changed = set_by(func.code)
    for node in walk(test):
        if isinstance(node, (LambdaExpr, ComprehensionExpr)):
            return False
        if isinstance(node, (NameExpr, AttrExpr)) and dotted(node) in changed:
            return False
        if isinstance(node, NameExpr) and node.name not in given and not hasattr(builtins, node.name):
            if node.name in func.code.bound or not is_at_home:
                return False
    return True


def handed_facts(func: Function, given: Mapping[Any, Value], flow: FlowState, nid: int) -> tuple[Fact, ...]:
    """What holds at a call of what the function tests: of its parameters, where it is called as it is, and of
    what it closes over. What is known of the values that the parameters get says the same."""
    here = (*held_facts.held(flow.env.vars), *flow.conditions)
    asked = _asked_in(func.code) if here else frozenset()
    if not asked:
        return ()
    node = flow.calling
    is_plain = not flow.entering and node is not None and node.nid == nid
    written = arguments_given(func, node) if is_plain and node is not None else None
    args = {name: value for name, value in (written or {}).items() if dotted(value)}
    stand = {dotted(value): name for name, value in args.items()}
    found: dict[Fact, None] = {}
    for fact in here:
        names = [_name_inside(name, stand, func, flow.env) for name in fact.names]
        if all(names):
            shown = fact.renamed(args, names)
            value = given.get(shown.variable())
            is_known = isinstance(value, Const) or (isinstance(value, Unknown) and value.truth is not None)
            if shown.subject in asked and not is_known:
                found[shown] = None
    return tuple(found)


def _name_inside(name: str, stand: Mapping[str, str], func: Function, env: Environment) -> str:
    """What a variable, or an attribute, is in a function that is called; empty if that sees another one."""
    owner, dot, rest = name.partition(".")
    if name in stand or owner in stand:
        return stand.get(name) or f"{stand[owner]}{dot}{rest}"
    if owner in func.code.bound or any(owner == param.name for param in func.code.params):
        return ""
    return name if _seen(owner, func.env) is _seen(owner, env) else ""


def _seen(name: str, env: Environment | None) -> object:
    """What a variable holds that is seen from somewhere; None where it is none of the project's."""
    while env is not None and name not in env.vars:
        env = env.parent
    return None if env is None else env.vars[name]


@lru_cache(maxsize=_KEPT)
def _asked_in(code: Code) -> frozenset[Hashable]:
    """The expressions that the tests of a function are of."""
    tests = [
        each.test for each in nodes_of(code.body) if isinstance(each, (IfStmt, ConditionalExpr, AssertStmt))
    ]
    return frozenset(
        [fact.subject for test in tests for truth in (True, False) for fact in facts_of(test, truth)]
    )
