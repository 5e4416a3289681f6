"""Draws that are meant to be alike: several arrays put into one order, what undoes something with the same
draws, results that are compared, a copy of a network to begin with, runs with one seed for several settings.

In: the calls of a function or a module that consume one key, and the text around them. Out: whether the text
says that equal draws are meant. It refuses to know which keys they consume.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence

from jaxlint.analysis.consumption import Consumption
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import DIFFERENTIATED
from jaxlint.ir.loop_carried import Turns, assignments, parts, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    CompareExpr,
    ConstExpr,
    Expr,
    ForStmt,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WithStmt,
)
from jaxlint.ir.program import Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_in, last_name, number_of, structure_of, walk

_COPIES = "target|targ|tgt|ema|copy|frozen|fixed|teacher|old|slow|shadow|polyak|averaged|lagged"
_COPY = re.compile(rf"(^|_)({_COPIES})(_|$)", re.IGNORECASE)
_COPIED = re.compile(rf"{_COPIES}|student|online|init|initial|ref|reference", re.IGNORECASE)
_PAIRED = re.compile(r"(^|_)(masks?|labels?|depths?|seg|segmentation|annotations?|gt)(_|$)", re.IGNORECASE)
_EQUAL = re.compile(r"(^|_)(all_?close|array_equal|array_equiv|almost_equal|all_equal)(_|$)", re.IGNORECASE)
_EVALUATES = re.compile(
    r"(^|_)(eval|evaluation|valid|validation)(_|$)|(^|_)val_(key|rng)|(key|rng)_val", re.IGNORECASE
)
_FITS = re.compile(r"_*(fit|train)(?=_(?!step|epoch|batch|one|iter|loop)|$)", re.IGNORECASE)
_SIZE = re.compile(r"(^|_)(abs|absolute|norm|max|mean|sum|mse|rmse)(_|$)")
_TRANSFORMS = {name.rpartition(".")[2]: spec.level for name, spec in WRAPPERS.items()}
_AT_ONCE = frozenset("jvp vjp linearize filter_jvp filter_vjp".split())  # derivatives at the values given
_DERIVATIVES = _AT_ONCE | {name for name, level in _TRANSFORMS.items() if level == DIFFERENTIATED}

JOINT = {"permutation": "x", "shuffle": "x", "choice": "a"}  # samplers, and the name of their operand

_OPPOSITE = ({"pos", "neg"}, {"positive", "negative"}, {"plus", "minus"})
_INVERSE = frozenset(("inverse", "inv", "undo"))  # words in the name of what undoes something
_THERE = frozenset(("apply", "forward", "transform"))  # and of what is undone


def drawn_by(name: str, call: CallExpr) -> tuple[Hashable, Expr | None] | None:
    """Of a joint draw what it is given besides its key and operand, as text, and the operand."""
    operand = JOINT.get(name)
    if operand is None:
        return None
    args, keywords = call.args, {keyword.name: keyword.value for keyword in call.keywords}
    given = args[1] if len(args) > 1 else keywords.pop(operand, None)
    keywords.pop("key", None)
    if keywords.get("axis") == ConstExpr(0):
        del keywords["axis"]
    named = tuple(sorted(keywords.items(), key=lambda item: str(item[0])))
    return (name, structure_of(args[2:]), structure_of(named)), given


def are_paired(a: Consumption, b: Consumption) -> bool:
    """Whether two draws put different arrays into the same order."""
    if a.drawn is None or b.drawn is None or a.drawn[0] != b.drawn[0]:
        return False
    return structure_of(a.drawn[1]) != structure_of(b.drawn[1])


def undoes(a: Consumption, b: Consumption) -> bool:
    """Whether the name of one of two functions says that it undoes what the other does: `rotate` and
    `inverse_rotate`, `shuffle_rows` and `unshuffle_rows`, `compress` and `decompress`, `forward` and
    `inverse`. Nothing is said of `encode` and `decode`, which may draw samples of their own."""
    one, other = (re.findall(r"[A-Z]?[a-z]+|[A-Z]+", each.by) for each in (a, b))
    one, other = ([word.lower() for word in words] for words in (one, other))
    if len(one) == len(other):
        apart = {pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]}
        return len(apart) == 1 and any(_is_opposite(x, y) or _is_opposite(y, x) for x, y in apart)
    less, more = sorted((one, other), key=len)
    return bool(less) and [word for word in more if word not in _INVERSE] == less


def _is_opposite(word: str, other: str) -> bool:
    """Whether a word says that what another one says is undone."""
    if word in _INVERSE:
        return other in _THERE
    return word == f"un{other}" or (word == f"de{other}" and other != "noise")


def called_at(body: Sequence[Stmt], first: int, second: int) -> tuple[CallExpr, CallExpr] | None:
    """The calls of two numbers; None where they are not both there."""
    found = {call.nid: call for call in calls_in(*body)}
    return (found[first], found[second]) if first in found and second in found else None


def bound_to(body: Sequence[Stmt], number: int) -> set[str]:
    """The variables that what a call gives is assigned to."""
    return {
        name
        for targets, value in assignments(body)
        if any(call.nid == number for call in calls_in(value))
        for name in variables(targets)
    }


def are_value_and_slope(program: Program, body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one of two calls is of a function, and the other one of its derivative, or both are of its
    derivatives, but not of the same."""
    called = called_at(body, first, second)
    if called is None:
        return False
    bound = [(variables(targets), value) for targets, value in assignments((*program.body.body, *body))]
    one, other = (
        _evaluated(program, bound, each if last_name(each.func) in _AT_ONCE else each.func) for each in called
    )
    return one[0] != other[0] and not one[1].isdisjoint(other[1])


def _evaluated(
    program: Program, bound: Sequence[tuple[set[str], Expr]], func: Expr
) -> tuple[tuple[Hashable, ...], set[str]]:
    """The derivatives that something called takes, the outer ones first, and the names of the functions of
    which: `grad(f)`, `jit(f)`, `jvp(f, x)`, also where `f` is a lambda that calls the function. `bound`: what
    variables are bound to."""
    if isinstance(func, CallExpr) and _is_transformed(func):
        inner, names = _evaluated(program, bound, func.args[0])
        name = last_name(func.func)
        if name not in _DERIVATIVES:
            return inner, names
        options = [each.value for each in func.keywords if each.name == "argnums"]
        return ((name, structure_of((*func.args[1:], *options))), *inner), names
    if isinstance(func, LambdaExpr):
        return (), {last_name(each.func) for each in calls_in(*program.codes[func.index].body)}
    name = last_name(func)
    made = [value for names, value in bound if name in names and _is_transformed(value)]
    if not made:
        return (), {name}
    return _evaluated(program, [each for each in bound if name not in each[0]], made[-1])


def _is_transformed(node: Expr) -> bool:
    """Whether a call gives what a function becomes by a transform, or a derivative of it."""
    if not isinstance(node, CallExpr) or not node.args:
        return False
    return last_name(node.func) in _TRANSFORMS or last_name(node.func) in _AT_ONCE


def is_copy(body: Sequence[Stmt], first: int, second: int, of_functions: bool) -> bool:
    """Whether two calls of one function are given the same, as far as both are given it, and one of them by
    its name is a copy of the other to begin with: the target network of an agent, which needs no optimizer;
    or what equal calls of functions of the program give (`of_functions`) has one name, but for a word that
    says so."""
    called = called_at(body, first, second)
    if called is None or not _agree(*called):
        return False
    one, other = (_names_of(body, each) for each in (first, second))
    if any(map(_COPY.search, one)) != any(map(_COPY.search, other)):
        return True
    if structure_of(called[0]) != structure_of(called[1]):
        return False
    pairs = ((name, copy) for name in one for copy in other if name != copy)
    return of_functions and any(_without_copy(name) == _without_copy(copy) for name, copy in pairs)


def _agree(one: CallExpr, other: CallExpr) -> bool:
    """Whether two calls are of one function, and what both are given, but for None, is the same."""
    others = {each.name: each.value for each in other.keywords if each.name}
    pairs = [*zip(one.args, other.args, strict=False)]
    pairs += [(each.value, others[each.name]) for each in one.keywords if each.name in others]
    given = [pair for pair in pairs if ConstExpr(None) not in pair]
    return bool(given) and all(
        structure_of(a) == structure_of(b) for a, b in ((one.func, other.func), *given)
    )


def _without_copy(name: str) -> str:
    """A name without the words that say which of several copies it is."""
    return "_".join(word for word in name.split("_") if not _COPIED.fullmatch(word))


def is_compared(body: Sequence[Stmt], first: int, second: int, of_functions: bool) -> bool:
    """Whether what two calls give is asked to be equal, and this is not negated: by a function; or, what
    functions of the program give (`of_functions`), by `==`, or by a bound for the size of the difference."""
    results = [(each, bound_to(body, each)) for each in (first, second)]
    nodes = [*walk(*body)]
    negations = [each for each in nodes if isinstance(each, UnaryExpr) and each.operator in ("not", "~")]
    negated = {id(each) for each in walk(*(negation.operand for negation in negations))}
    for node in nodes:
        if id(node) in negated:
            continue
        if isinstance(node, CompareExpr) and of_functions:
            sides = (node.left, *(other for _, other in node.rest))
            is_equal = len(node.rest) == 1 and node.rest[0][0] == "=="
            if is_equal and _are_apart_in(sides, results):
                return True
            sizes = [call for call in calls_in(*sides) if _SIZE.search(last_name(call.func))]
            if any(_is_difference(part, results) for part in walk(*sizes)):
                return True
        elif isinstance(node, CallExpr) and _EQUAL.search(last_name(node.func)):
            if all(any(_has_result(each, *result) for each in node.args) for result in results):
                return True
    return False


def _has_result(node: Node, number: int, names: set[str]) -> bool:
    """Whether an expression is made of what a call of this number gives, which is in these variables."""
    return mentions(node, names) or any(call.nid == number for call in calls_in(node))


def _are_apart_in(sides: Sequence[Node], results: Sequence[tuple[int, set[str]]]) -> bool:
    """Whether two operands are made of the results of two calls: each of another one."""
    (one, other), (first, second) = sides, results
    return (_has_result(one, *first) and _has_result(other, *second)) or (
        _has_result(one, *second) and _has_result(other, *first)
    )


def _is_difference(node: Node, results: Sequence[tuple[int, set[str]]]) -> bool:
    if not isinstance(node, BinaryExpr) or node.operator != "-":
        return False
    return _are_apart_in((node.left, node.right), results)


def is_one_of_two_runs(program: Program, body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether a function of the program runs twice on the same draws for the sake of comparison: as it is and
    transformed, on other arguments where the difference of the results is taken, with a flag on and off; or
    the calls by their names fit two models, or one in two ways, and neither gets what the other one gives."""
    called = called_at(body, first, second)
    if called is None:
        return False
    bound = [(variables(targets), value) for targets, value in assignments((*program.body.body, *body))]
    one, other = (_evaluated(program, bound, each.func) for each in called)
    given = [structure_of((each.args, each.keywords)) for each in called]
    if not one[1].isdisjoint(other[1]):
        funcs = [structure_of(each.func) for each in called]
        if given[0] == given[1] and funcs[0] == funcs[1]:
            compiled = ["disable_jit" not in entered_around(body, each) for each in (first, second)]
            return compiled[0] != compiled[1]
        if given[0] == given[1]:
            bases = [structure_of(_transformed_by(bound, each.func)) for each in called]
            return bases[0] == bases[1]
        results = [(each, bound_to(body, each)) for each in (first, second)]
        if any(_is_difference(node, results) for node in walk(*body)) or _is_switched(*called):
            return True
        if _are_opposite(program, bound, *called):
            return True
    fits = [_FITS.match(last_name(each.func)) for each in called]
    if not fits[0] or not fits[1] or fits[0][0] != fits[1][0]:
        return False
    return not any(mentions(each, bound_to(body, first)) for each in _given(called[1]))


def _transformed_by(bound: Sequence[tuple[set[str], Expr]], func: Expr) -> Expr:
    """What a function is a transform of, or the function itself."""
    while isinstance(func, CallExpr) and _is_transformed(func):
        func = func.args[0]
    name = func.name if isinstance(func, NameExpr) else ""
    made = [value for names, value in bound if name in names and _is_transformed(value)]
    return _transformed_by([each for each in bound if name not in each[0]], made[-1]) if made else func


def entered_around(body: Sequence[Stmt], number: int) -> list[str]:
    """The names of the functions whose results a `with` around a call enters."""
    around = [each for each in statements(body) if isinstance(each, WithStmt)]
    return [
        name
        for each in around
        if any(call.nid == number for call in calls_in(*each.body))
        for name in entered(each)
    ]


def entered(statement: Stmt) -> list[str]:
    """The names of the functions whose results a `with` enters."""
    items = statement.items if isinstance(statement, WithStmt) else ()
    return [last_name(item.func) for item, _ in items if isinstance(item, CallExpr)]


def _is_switched(one: CallExpr, other: CallExpr) -> bool:
    """Whether two calls differ in one argument, which is written as true in one and as false in the other."""
    apart = _apart(one, other)
    return len(apart) == 1 and all(
        isinstance(each, ConstExpr) and isinstance(each.value, bool) for each in apart[0]
    )


def _apart(one: CallExpr, other: CallExpr) -> list[tuple[Expr, Expr]]:
    """The arguments in which two calls differ; none where they are not given alike."""
    names = [(len(call.args), [each.name for each in call.keywords]) for call in (one, other)]
    if names[0] != names[1]:
        return []
    pairs = zip(_given(one), _given(other), strict=True)
    return [pair for pair in pairs if structure_of(pair[0]) != structure_of(pair[1])]


def _are_opposite(
    program: Program, bound: Sequence[tuple[set[str], Expr]], one: CallExpr, other: CallExpr
) -> bool:
    """Whether two calls are an antithetic pair: something is added to an argument of one of them that is
    subtracted in the other; or names in their arguments differ in words for this alone."""
    names = [{name for name in map(last_name, walk(*_given(each))) if name} for each in (one, other)]
    if any(_are_opposite_names(a, b) for a in names[0] - names[1] for b in names[1] - names[0]):
        return True
    signs = [{*_signs(program, bound, _given(each))} for each in (one, other)]
    turned = [{("-" if sign == "+" else "+", *operands) for sign, *operands in each} for each in signs]
    return any(not (turned[at] & signs[1 - at]) <= signs[at] for at in (0, 1))


def _signs(
    program: Program, bound: Sequence[tuple[set[str], Expr]], nodes: Iterable[Node], far: int = 2
) -> Iterable[tuple[str, Hashable, Hashable]]:
    """The sums and differences in expressions, in what their variables are bound to, and in the functions
    that are written there: the sign and both operands."""
    for node in walk(*nodes):
        if isinstance(node, BinaryExpr) and node.operator in ("+", "-"):
            yield node.operator, structure_of(node.left), structure_of(node.right)
        elif isinstance(node, LambdaExpr):
            yield from _signs(program, bound, program.codes[node.index].body, far)
        elif isinstance(node, NameExpr) and far:
            made = [value for names, value in bound if node.name in names]
            if len(made) == 1:
                yield from _signs(program, bound, made, far - 1)


def _are_opposite_names(one: str, other: str) -> bool:
    """Whether two names differ in one word, which says of one of them that it is the positive one of a pair,
    and of the other one the negative one."""
    words, others = one.lower().split("_"), other.lower().split("_")
    if len(words) != len(others):
        return False
    apart = [{a, b} for a, b in zip(words, others, strict=True) if a != b]
    return len(apart) == 1 and (apart[0] in _OPPOSITE or (len(words) > 1 and apart[0] == {"p", "n"}))


def is_of_pair(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function changes two things that belong together in one way: by its name one of them is
    the mask, the labels or the depth of the other."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    apart = _apart(*called)
    return len(apart) == 1 and any(map(_PAIRED.search, map(_called_by_name, apart[0])))


def _called_by_name(node: Expr) -> str:
    """What a variable, an attribute, or an item under a text is called."""
    if isinstance(node, SubscriptExpr) and isinstance(node.index, ConstExpr):
        return str(node.index.value)
    return last_name(node)


def is_of_settings(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop makes a run for each of several settings, all of which begin alike: it hands written
    fractions to a function, or other things to one that by its name fits a model; and nothing of what the
    call gives goes into the next one."""
    call = next((each for each in calls_in(*body) if each.nid == number), None)
    if call is None or loop.target is None:
        return False
    names = variables((loop.target,))
    around = [each for each in statements(body) if isinstance(each, ForStmt) and each.target is loop.target]
    if not around or not any(mentions(each, names) for each in _given(call)):
        return False
    if mentions(call, bound_to(loop.body, number)):
        return False
    iterable = around[0].iterable
    if isinstance(call.func, NameExpr) and _FITS.match(call.func.name):
        return not isinstance(iterable, CallExpr) or last_name(iterable.func) != "range"
    return _are_fractions(iterable, body)


def _are_fractions(node: Expr, body: Sequence[Stmt]) -> bool:
    """Whether numbers are iterated over that are written out, each with a decimal point."""
    if isinstance(node, NameExpr):
        made = [value for targets, value in assignments(body) if node.name in variables(targets)]
        node = made[0] if len(made) == 1 else node
    if isinstance(node, CallExpr) and last_name(node.func) == "enumerate" and node.args:
        return _are_fractions(node.args[0], body)
    items = node.items if isinstance(node, (TupleExpr, ListExpr)) else ()
    return bool(items) and all(
        isinstance(each, ConstExpr) and isinstance(each.value, float) for each in items
    )


def is_evaluated(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function evaluates two things on the same draws: with a key that by its name is that of an
    evaluation."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    one, other = (
        {name for name in map(last_name, _given(each)) if _EVALUATES.search(name)} for each in called
    )
    return not one.isdisjoint(other) and structure_of(called[0]) != structure_of(called[1])


def is_evaluated_anew(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop evaluates what it changes itself, each time on the same draws."""
    call = next((each for each in calls_in(*body) if each.nid == number), None)
    changed = {name for targets, _ in assignments(loop.body) for name in variables(targets)}
    kept = {
        name
        for targets, value in assignments(body)
        if _is_of_evaluation(value)
        for name in variables(targets)
    }
    if call is None:
        return False
    given = [*_given(call)]
    is_kept = any(_is_of_evaluation(each) or mentions(each, kept - changed) for each in given)
    return is_kept and any(mentions(each, changed) for each in given)


def _is_of_evaluation(node: Expr) -> bool:
    return any(_EVALUATES.search(each.name) for each in walk(node) if isinstance(each, (NameExpr, AttrExpr)))


def _given(call: CallExpr) -> Iterable[Expr]:
    return (*call.args, *(each.value for each in call.keywords))


def _names_of(body: Sequence[Stmt], number: int) -> set[str]:
    """What a call gives is called: the targets it is assigned to, and the keywords it is handed by."""
    names = set()
    for statement in statements(body):
        read = read_by(statement)
        if not any(call.nid == number for call in calls_in(*read)):
            continue
        if isinstance(statement, AssignStmt):
            names |= _targets_of(statement, number)
        for call in calls_in(*read):
            given = ((each.name, each.value) for each in call.keywords)
            names |= {name for name, value in given if name and number in map(number_of, walk(value))}
    return names


def _targets_of(statement: AssignStmt, number: int) -> set[str]:
    """The names of the targets of a call in an assignment: its own of several that are written in a row."""
    names: set[str] = set()
    for target in statement.targets:
        value = statement.value
        if (
            isinstance(target, TupleExpr)
            and isinstance(value, TupleExpr)
            and len(target.items) == len(value.items)
        ):
            pairs = zip(target.items, value.items, strict=True)
            own = [one for one, each in pairs if any(call.nid == number for call in calls_in(each))]
            names |= {last_name(part) for one in own for part in parts(one)}
        else:
            names |= {last_name(part) for part in parts(target)}
    return names
