"""Whether a function is called more than once in a run of the program, as far as call sites and text say.

In: the call sites of the project's functions, and a call in a function's body. Out: whether that call is made
again and again: a loop calls the function, one caller calls it twice, or callers outside the project may call
it with arrays of their own. What prepares (`init_params`, `build`, `main`) counts only where a loop calls it.
It refuses to know what is called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from jaxlint.ir.loop_carried import Turns, assignments, is_same_in_turns, parts
from jaxlint.ir.loop_guards import bound_by, is_done_once, mentions
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    Clause,
    ComprehensionExpr,
    ConditionalExpr,
    Expr,
    ForStmt,
    IfStmt,
    Keyword,
    MatchStmt,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    StarExpr,
    Stmt,
    TryStmt,
    WhileStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import (
    calls_by_number,
    calls_in,
    calls_of,
    codes_in,
    codes_read,
    dotted,
    has_call,
    heads,
    last_name,
    nodes_of,
    number_of,
    structure_of,
    suites,
    walk,
)
from jaxlint.tables.array_methods import METHODS
from jaxlint.tables.signatures import METHOD, parameter_at, signature

# how the names of functions begin that prepare something, or are a program of their own
_PREPARES = tuple(
    "init setup set_up build make create compile load restore prepare finalize finalise warm main test bench "
    "profile demo example run_exp".split()
)
_PREPARED = ("_init", "_initialize", "_initialise", "_setup")  # and how they end


class Site(NamedTuple):
    """A call of one of the project's functions. home: what calls it, a function or a module's body. looped: a
    loop around it, in a caller too, repeats it."""

    caller: Code | None
    home: Code
    looped: bool


Sites = Mapping[Code, Mapping[tuple[str, int], Site]]

# functions of JAX that call their first argument
_CALLERS = frozenset(
    "grad value_and_grad vmap jacfwd jacrev jacobian hessian jvp vjp linearize checkpoint remat map "
    "tree_map".split()
)
_MODULES = frozenset("jnp np numpy lax nn random".split())  # what is written before functions, not methods


class Repetition:
    """Answers from call sites. `runs_once`: whether a function certainly runs at most once; `looped`: the
    functions that loops may repeat."""

    def __init__(
        self, sites: Sites, runs_once: Callable[[Code | None], bool], looped: Collection[Code]
    ) -> None:
        self.sites = sites
        self.runs_once = runs_once
        self.looped = looped

    def is_looped(self, code: Code, seen: frozenset[int] = frozenset()) -> bool:
        """Whether a loop of the project calls a function, or one of its callers."""
        if code not in self.looped or self.runs_once(code) or id(code) in seen:
            return False
        seen |= {id(code)}
        return any(
            site.looped or (calls_itself(site.caller, nid) and self.is_looped(site.caller, seen))
            for (path, nid), site in self.sites.get(code, {}).items()
            if not is_in_test(path, site.caller)
        )

    def is_given_others(self, code: Code, names: Collection[str], seen: frozenset[int] = frozenset()) -> bool:
        """Whether each call of a function is made in a loop that gives one of these parameters something else
        in each turn, or by a function whose calls do so, and which hands that on."""
        sites = self.sites.get(code, {})
        if not sites or id(code) in seen:
            return False
        seen |= {id(code)}
        return all(
            _gives_others(site.home, nid, code, names)
            or self.is_given_others(site.home, _handed_on(site.home, nid, code, names), seen)
            for (_, nid), site in sites.items()
        )

    def unfilled(self, code: Code) -> set[str]:
        """The name of the parameter for all other keywords, where no call of the function gives any."""
        sites = self.sites.get(code, {})
        named = {param.name for param in code.params if param.kind in "nk"}
        calls = [
            call for (_, nid), site in sites.items() for call in calls_of(site.home.body) if call.nid == nid
        ]
        if (
            not sites
            or len(calls) < len(sites)
            or any(each.name not in named for call in calls for each in call.keywords)
        ):
            return set()
        return {param.name for param in code.params if param.kind == "**"}

    def is_of_others(self, code: Code, name: str, seen: frozenset[int] = frozenset()) -> bool:
        """Whether each call of a function gives a parameter of it, which may be the object of a method,
        another object: one that is made there, that a loop takes or makes, or that no other call gives."""
        met: set[Hashable] = set()
        for (_, nid), site in (sites := self.sites.get(code, {})).items():
            value = given_at(site.home, nid, code, name)
            if value is None or id(code) in seen:
                return False
            if isinstance(value, CallExpr) or mentions(value, _turning(site.home, nid)):
                continue
            root, mark = dotted(value).partition(".")[0], (id(site.home), structure_of(value))
            if site.looped and root == dotted(value) and is_same_in_turns(site.home.body, nid, root):
                return False
            if any(root == each.name for each in site.home.params):
                if not self.is_of_others(site.home, root, seen | {id(code)}):
                    return False
            elif site.looped or mark in met:
                return False
            else:
                met.add(mark)
        return bool(sites)

    def is_repeated(self, code: Code, nids: Collection[int], seen: frozenset[int] = frozenset()) -> bool:
        """Whether a call in `code`, by its number or that of a part, is repeated, tests left out."""
        sites = self.sites.get(code, {})
        used = [(place, site) for place, site in sites.items() if not is_in_test(place[0], site.caller)]
        if ((used or not sites) and self.runs_once(code)) or id(code) in seen:
            return False
        if self.is_looped(code):
            return True
        if prepares(code) or _loops_after(code.body, max(nids)) or is_done_once(code.body, nids):
            return False
        if not used:
            return is_public(code) and takes(code, nids)
        callers: dict[Code, set[int]] = {}
        for (_, nid), site in used:
            callers.setdefault(site.home, set()).add(nid)
        if any(len(places) > 1 and max(_most(home.body, places)) > 1 for home, places in callers.items()):
            return True
        seen |= {id(code)}
        return any(
            site.caller is not None and self.is_repeated(site.caller, (place[1],), seen)
            for place, site in used
        )


def calls_itself(caller: Code | None, nid: int) -> TypeGuard[Code]:
    """Whether the caller chooses what it calls: what it is handed is another function each time."""
    if caller is None:
        return False
    params = {param.name for param in caller.params}
    calls = (call for call in calls_of(caller.body) if call.nid == nid)
    return not any(isinstance(call.func, NameExpr) and call.func.name in params for call in calls)


def _gives_others(home: Code, nid: int, code: Code, names: Collection[str]) -> bool:
    """Whether a call, by its number, hands on what a loop or a comprehension binds."""
    turning = _turning(home, nid)
    given = (given_at(home, nid, code, name) for name in names)
    return any(value is not None and mentions(value, turning) for value in given)


def _handed_on(home: Code, nid: int, code: Code, names: Collection[str]) -> set[str]:
    """The parameters of a function that a call in it, by its number, gives to these of another one."""
    given = (given_at(home, nid, code, name) for name in names)
    params = {each.name for each in home.params}
    return {each.name for each in given if isinstance(each, NameExpr) and each.name in params}


def _turning(home: Code, nid: int) -> set[str]:
    """The variables that are another thing in each turn of the loops around a call, by its number."""
    loops = (each for each in nodes_of(home.body) if isinstance(each, (ForStmt, ComprehensionExpr)))
    return set[str]().union(*(bound_in_turn(each) for each in loops if has_call((each,), nid)))


def bound_in_turn(loop: ForStmt | ComprehensionExpr) -> set[str]:
    """The variables that are another thing in each turn of a loop."""
    if isinstance(loop, ForStmt):
        return names_from(variables((loop.target,)), loop.body)
    return variables(clause.target for clause in loop.clauses)


def given_at(home: Code, nid: int, code: Code, name: str) -> Expr | None:
    """What a call, by its number, gives a parameter of a function of the project."""
    call = calls_by_number(home.body).get(nid)
    return None if call is None else given_in(call, code, name)


def given_in(call: CallExpr, code: Code, name: str) -> Expr | None:
    """What a call gives a parameter of a function of the project."""
    if code.in_class and code.params and name == code.params[0].name:
        func = call.func
        if isinstance(func, AttrExpr) and func.name == code.name:
            return func.value
        return func if code.name == "__call__" else None
    return _arguments(code, call.args, call.keywords).get(name)


def _arguments(code: Code, args: Sequence[Expr], keywords: Iterable[Keyword]) -> dict[str, Expr]:
    """What is given to the parameters of a function, its object apart."""
    params = [param.name for param in code.params if param.kind in "pn"]
    given = dict(zip(params[code.in_class :], args, strict=False))
    return given | {each.name: each.value for each in keywords if each.name is not None}


def is_public(code: Code) -> bool:
    """Whether code outside the project may call this: a function of a module or a method."""
    owners, _, name = code.qualname.rpartition(".")
    if code.is_lambda or (owners and not code.in_class) or any(part[:1] == "_" for part in owners.split(".")):
        return False
    return name[:1] != "_" or (name.startswith("__") and name.endswith("__"))


def takes(code: Code, nids: Collection[int]) -> bool:
    """Whether a call of one of these numbers, or with an argument of one, is handed what comes from the
    function's parameters, as a method of the same object is."""
    given = _derived(code)
    return any(
        any(mentions(value, given) for value in (*call.args, *(each.value for each in call.keywords)))
        or (code.in_class and isinstance(call.func, AttrExpr) and mentions(call.func.value, given))
        for call in calls_of(code.body)
        if call.nid in nids or any(number_of(part) in nids for part in call.args)
    )


def calls_parameter(inner: Code, outer: Code, program: Program, names: Collection[str]) -> bool:
    """Whether a function, or one in it, calls what one of these variables of the function around it is, or
    has JAX do so, or calls a method that arrays lack: what it is compiled to differs with what they hold. Of
    functions beside it that it reads, such methods do not count."""
    if _calls_one(inner, set(inner.free).intersection(names), program, True):
        return True
    read = codes_read(inner, outer, program)
    return any(_calls_one(each, set(each.free).intersection(names), program, False) for each in read[1:])


def _calls_one(code: Code, names: Collection[str], program: Program, with_methods: bool) -> bool:
    """Whether a function, or one in it, calls what one of these variables is, or has JAX do so."""
    below = codes_in(code, program)
    for call in calls_in(*(statement for each in (code, *below) for statement in each.body)):
        func = call.func
        if last_name(func) in _CALLERS and call.args:
            func = call.args[0]
        if isinstance(func, AttrExpr) and (func.name in METHODS or not with_methods):
            continue
        while isinstance(func, AttrExpr):
            func = func.value
        if isinstance(func, NameExpr) and func.name in names:
            return True
    return False


def shapes_program(
    code: Code, names: Collection[str], program: Program, known: dict[Code, set[str]] | None = None
) -> set[str]:
    """Those of these names by which a function, or one in it, branches or loops, of which it makes keyword
    arguments, or that name an attribute or are static in a call of JAX: what it is compiled to differs with
    each value of them. Also those that it hands to a function of the module which does so. `known`: such
    parameters of functions that were asked before."""
    known = {} if known is None else known
    below = codes_in(code, program)
    asked: list[Expr] = []
    for part in walk(*(statement for each in (code, *below) for statement in each.body)):
        if isinstance(part, (IfStmt, WhileStmt, ConditionalExpr)):
            asked.append(part.test)
        elif isinstance(part, (ForStmt, Clause)):
            asked.append(part.iterable)
        elif isinstance(part, CallExpr):
            asked += (each.value for each in part.keywords if each.name is None)
            asked += static_parts(part)
            if isinstance(part.func, NameExpr):
                asked += _shaping_arguments(part, part.func.name, program, known)
    return {name for name in names if any(mentions(each, (name,)) for each in asked)}


def _shaping_arguments(
    call: CallExpr, name: str, program: Program, known: dict[Code, set[str]]
) -> Iterator[Expr]:
    """The arguments by which a function of the module, which a call names, branches or loops."""
    callee = program.function(name)
    if callee is None or any(isinstance(each, StarExpr) for each in call.args):
        return
    if callee not in known:
        known[callee] = set()  # what calls itself adds nothing
        known[callee] = shapes_program(callee, [each.name for each in callee.params], program, known)
    given = _arguments(callee, call.args, call.keywords)
    yield from (value for parameter, value in given.items() if parameter in known[callee])


def static_parts(call: CallExpr) -> Iterator[Expr]:
    """The arguments of a call that its function, by its name, wants to know while tracing."""
    name = last_name(call.func)
    if name == "getattr":
        yield from call.args[1:2]
    is_method = isinstance(call.func, AttrExpr) and last_name(call.func.value) not in _MODULES
    owners = (METHOD,) * is_method + ("jax.numpy.", "jax.random.", "jax.nn.", "jax.lax.")
    found = next(filter(None, (signature(owner + name) for owner in owners)), None)
    if found is None:
        return
    parameters, static = found
    for position, value in enumerate(call.args):
        parameter = parameter_at(parameters, position)
        if parameter is None:
            break
        if parameter.lstrip("*") in static:
            yield value
    yield from (each.value for each in call.keywords if each.name in static)


def is_handed_calls(inner: Code, outer: Code, program: Program, names: Collection[str]) -> bool:
    """Whether a partial in a function hands one of these variables to a function of the program that calls
    it."""
    for call in calls_of(outer.body):
        is_partial = last_name(call.func).lower() == "partial" and bool(call.args)
        if is_partial and last_name(call.args[0]) == inner.name:
            given = handed_to(inner, call.args[1:], call.keywords, names)
            if any(is_called_in(inner, name, program) for name in given):
                return True
    return False


def handed_to(
    code: Code, args: Sequence[Expr], keywords: Iterable[Keyword], names: Collection[str]
) -> list[str]:
    """The parameters of a function to which a call hands one of these variables."""
    given = _arguments(code, args, keywords)
    return [name for name, value in given.items() if isinstance(value, NameExpr) and value.name in names]


def is_called_in(code: Code, name: str, program: Program) -> bool:
    """Whether a function, or one in it, calls what a variable of it holds."""
    below = codes_in(code, program)
    found = [code, *(each for each in below if name in each.free)]
    return any(
        isinstance(call.func, NameExpr) and call.func.name == name
        for each in found
        for call in calls_of(each.body)
    )


def varies(body: Sequence[Stmt], nid: int, loops: Iterable[Turns], is_given: bool) -> bool:
    """Whether what a call calls, or an argument that a call makes, depends on what the loops around bind."""
    names = {name for loop in loops for name in bound_by(loop)}
    call = calls_by_number(body).get(nid)
    if call is None:
        return False
    for part in (*call.args, *(each.value for each in call.keywords)) if is_given else (call.func,):
        values, bound = [part], names
        if isinstance(part, NameExpr):
            bound = names - {part.name}
            values = [value for targets, value in assignments(body) if part.name in variables(targets)]
        if is_given:
            values = [each for each in values if isinstance(each, CallExpr)]
        if any(mentions(value, bound) for value in values):
            return True
    return False


def options_vary(body: Sequence[Stmt], nid: int, names: Collection[str]) -> bool:
    """Whether a transform is applied with options, such as shardings, that depend on one of these names: each
    value of them needs a program of its own."""
    return any(
        mentions(each.value, names)
        for call in calls_of(body)
        if call.nid == nid
        for each in call.keywords
        if each.name not in ("fun", "f")
    )


def is_made_of(body: Sequence[Stmt], nid: int, names: Collection[str]) -> bool:
    """Whether a call is written with one of these names."""
    return any(mentions(call, names) for call in calls_of(body) if call.nid == nid)


def given_to(code: Code) -> set[str]:
    """The names in a function that stand for what its callers give, its object apart."""
    return _derived(code, code.in_class)


def given_by(loop: Turns) -> set[str]:
    """The names that stand for what one iteration of a loop is for: its targets, and what is derived from
    them in its body."""
    if loop.target is None:
        return set()
    return names_from(variables((loop.target,)), loop.body)


def prepares(code: Code) -> bool:
    """Whether a function's name says that it runs before others do."""
    name = code.name.lstrip("_")
    return name.startswith(_PREPARES) or (name.endswith(_PREPARED) and not name.startswith("re"))


def is_in_test(path: str, caller: Code | None) -> bool:
    """Whether a call is made in a test, which says nothing of what programs do."""
    name = os.path.basename(path)
    if name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py":
        return True
    return caller is not None and caller.name.startswith("test")


def _loops_after(body: Sequence[Stmt], nid: int) -> bool:
    """Whether a loop statement comes after this place: next to what it does a compilation takes little."""
    return any(
        (isinstance(statement, (ForStmt, WhileStmt)) and statement.nid > nid)
        or any(_loops_after(block, nid) for block in suites(statement))
        for statement in body
    )


def _derived(code: Code, first: int = 0) -> set[str]:
    """The parameters from the first on, and the variables that are assigned what mentions one of them."""
    return names_from({param.name for param in code.params[first:]}, code.body)


def names_from(names: set[str], body: Sequence[Stmt]) -> set[str]:
    """These names, and those that are assigned what mentions one of them."""
    before = -1
    while len(names) != before:
        before = len(names)
        for targets, value in assignments(body):
            if mentions(value, names):
                names |= variables(targets)
    return names


def variables(targets: Iterable[Expr]) -> set[str]:
    """The variables that targets bind."""
    return {each.name for target in targets for each in parts(target) if isinstance(each, NameExpr)}


def _most(body: Sequence[Stmt], nids: Collection[int]) -> tuple[int, int]:
    """How many of these calls one pass through a block may make: where it leaves the function, and where it
    goes on to what follows (below zero where it never does)."""
    left, on = 0, 0
    for statement in body:
        if on < 0:
            break
        inner = [_most(block, nids) for block in suites(statement)]
        on += _count(heads(statement), nids)
        if isinstance(statement, (IfStmt, MatchStmt, TryStmt)):  # a handler runs instead of what it handles
            inner += [(0, 0)] * isinstance(statement, MatchStmt)
            left = max([left, *(on + one for one, _ in inner)])
            on = max(-1, *(on + two if two >= 0 else -1 for _, two in inner))
        elif inner:
            left = max(left, on + sum(one for one, _ in inner))
            on += sum(max(0, two) for _, two in inner)
        elif isinstance(statement, (ReturnStmt, RaiseStmt)):
            left, on = max(left, on), -1
    return left, on


def _count(nodes: Iterable[Node], nids: Collection[int]) -> int:
    return sum(call.nid in nids for call in calls_in(*nodes))
