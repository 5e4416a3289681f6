"""Draws that are meant to be alike: several arrays put into one order, what undoes something with the same
draws, results that are compared, a copy of a network to begin with, runs with one seed for several settings.

In: the calls of a function or a module that consume one key, and the text around them. Out: whether the text
says that equal draws are meant. It refuses to know which keys they consume.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.draws.settings import FITS
from jaxlint.analysis.draws.signs import are_opposite
from jaxlint.analysis.draws.texts import bound_to, called_at, differing, entered_around, given_to, paired
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import DIFFERENTIATED
from jaxlint.ir.loop_carried import assignments, parts, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssignStmt,
    BinaryExpr,
    CallExpr,
    CompareExpr,
    ConstExpr,
    Expr,
    LambdaExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.value_reads import SELECTS
from jaxlint.ir.walks import calls_in, last_name, nodes_of, number_of, plain, structure_of, walk

_COPIES = "target|targ|tgt|ema|copy|frozen|fixed|teacher|old|slow|shadow|polyak|averaged|lagged"
_COPY = re.compile(rf"(^|_)({_COPIES})(_|$)", re.IGNORECASE)
_COPIED = re.compile(rf"{_COPIES}|student|online|init|initial|ref|reference", re.IGNORECASE)
_PAIRED = re.compile(r"(^|_)(masks?|labels?|depths?|seg|segmentation|annotations?|gt)(_|$)", re.IGNORECASE)
_MOVES = re.compile(r"(^|_)(shift|crop|flip|rotate|roll|augment|shuffle|permute|translate)", re.IGNORECASE)
_SIDES = ({"x", "y"}, {"input", "target"}, {"inputs", "targets"}, {"x", "x_true"}, {"image", "target"})
EQUAL = re.compile(r"(^|_)(all_?close|array_equal|array_equiv|almost_equal|all_equal)(_|$)", re.IGNORECASE)
_SIZE = re.compile(r"(^|_)(abs|absolute|norm|max|mean|sum|mse|rmse)(_|$)")
_TRANSFORMS = {name.rpartition(".")[2]: spec.level for name, spec in WRAPPERS.items()}
AT_ONCE = frozenset("jvp vjp linearize filter_jvp filter_vjp".split())  # derivatives at the values given
DERIVATIVES = AT_ONCE | {name for name, level in _TRANSFORMS.items() if level == DIFFERENTIATED}

JOINT = {"permutation": "x", "shuffle": "x", "choice": "a"}  # samplers, and the name of their operand

# words that tell one part of the data from another one
_PARTS = re.compile(
    r"(^|_)(train|training|trn|test|testing|tst|val|valid|validation|eval)(?=_|$)", re.IGNORECASE
)

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
    if _are_numbers(a.drawn[1], b.drawn[1]):
        return False
    return _written(a.drawn[1], a.module.program) != _written(b.drawn[1], b.module.program)


def _are_numbers(one: Expr | None, other: Expr | None) -> bool:
    """Whether two operands are numbers, and not of the rows of two arrays: they are written out, or are sizes
    of two axes of one array."""
    if isinstance(one, ConstExpr) and isinstance(other, ConstExpr):
        return type(one.value) is int and type(other.value) is int
    if not isinstance(one, SubscriptExpr) or not isinstance(other, SubscriptExpr):
        return False
    axes = [each.index.value for each in (one, other) if isinstance(each.index, ConstExpr)]
    is_of_one = last_name(one.value) == "shape" and structure_of(one.value) == structure_of(other.value)
    return is_of_one and len(set(axes)) == 2


def _written(node: Expr | None, program: Program) -> Hashable:
    """The structure of an expression; lambdas that are written alike have one."""
    return _without_indices(structure_of(node), program)


def _without_indices(structure: Hashable, program: Program) -> Hashable:
    if not isinstance(structure, tuple):
        return structure
    if structure[:1] == (LambdaExpr,):
        code = program.codes[structure[1]]
        named = tuple([each.name for each in code.params])
        return LambdaExpr, named, _without_indices(structure_of(code.body), program)
    return tuple([_without_indices(each, program) for each in structure])


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


def are_value_and_slope(program: Program, body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one of two calls is of a function, and the other one of its derivative, or both are of its
    derivatives, but not of the same."""
    called = called_at(body, first, second)
    if called is None:
        return False
    bound = [(variables(targets), value) for targets, value in assignments((*program.body.body, *body))]
    one, other = (
        _evaluated(program, bound, each if last_name(each.func) in AT_ONCE else each.func) for each in called
    )
    return one[0] != other[0] and not one[1].isdisjoint(other[1])


def resolved(bound: Sequence[tuple[set[str], Expr]], func: Expr) -> tuple[tuple[CallExpr, ...], Expr]:
    """The derivatives that something called takes, the outer ones first, and the function of which:
    `grad(f)`, `jit(f)`, `jvp(f, x)`. `bound`: what variables are bound to."""
    if isinstance(func, CallExpr) and _is_transformed(func):
        inner, last = resolved(bound, func.args[0])
        return ((func, *inner) if last_name(func.func) in DERIVATIVES else inner), last
    name = "" if isinstance(func, LambdaExpr) else last_name(func)
    made = [value for names, value in bound if name in names and _is_transformed(value)]
    return resolved([each for each in bound if name not in each[0]], made[-1]) if made else ((), func)


def _evaluated(
    program: Program, bound: Sequence[tuple[set[str], Expr]], func: Expr
) -> tuple[tuple[Hashable, ...], set[str]]:
    """The same as text, and the names of the functions of which: where it is a lambda, all that it calls."""
    derivatives, last = resolved(bound, func)
    options = (
        (each, [word.value for word in each.keywords if word.name == "argnums"]) for each in derivatives
    )
    taken = tuple([(last_name(each.func), structure_of((*each.args[1:], *given))) for each, given in options])
    if isinstance(last, LambdaExpr):
        return taken, {last_name(each.func) for each in calls_in(*program.codes[last.index].body)}
    return taken, {last_name(last)}


def _is_transformed(node: Expr) -> bool:
    """Whether a call gives what a function becomes by a transform, or a derivative of it."""
    if not isinstance(node, CallExpr) or not node.args:
        return False
    return last_name(node.func) in _TRANSFORMS or last_name(node.func) in AT_ONCE


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


def is_compared(
    body: Sequence[Stmt], first: int, second: int, of_functions: bool, of_keys: bool = False
) -> bool:
    """Whether what two calls give is asked to be equal, and this is not negated: by a function; or, what
    functions of the program give (`of_functions`), by `==`, or by a bound for the size of the difference.
    `of_keys`: they give keys, and what comes of these is compared."""
    results = [(each, bound_to(body, each)) for each in (first, second)]
    if of_keys:
        mine, others = (_made_of(body, names) for _, names in results)
        results = [(first, mine - others), (second, others - mine)]
    nodes = nodes_of(body)
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
        elif isinstance(node, CallExpr) and EQUAL.search(last_name(node.func)):
            if all(any(_has_result(each, *result) for each in node.args) for result in results):
                return True
    asked = [each.args for each in calls_in(*nodes) if EQUAL.search(last_name(each.func))]
    asked = [each for each in asked if not any(id(arg) in negated for arg in each)]
    bound = {name for targets, _ in assignments(body) for name in variables(targets)}
    return bool(asked) and _are_linked(asked, bound, *results)


def _made_of(body: Sequence[Stmt], names: set[str]) -> set[str]:
    """These variables, and those to which what is made of them is assigned."""
    before = -1
    while len(names) != before:
        before = len(names)
        for targets, value in assignments(body):
            if mentions(value, names):
                names = names | variables(targets)
    return names


def _are_linked(
    asked: Sequence[Sequence[Expr]], bound: set[str], one: tuple[int, set[str]], other: tuple[int, set[str]]
) -> bool:
    """Whether both of two results are asked to be equal to a third one, also through others. `asked`: what
    is asked to be equal; `bound`: the variables that are assigned there."""
    names, before = set(one[1]), -1
    while len(names) != before:
        before = len(names)
        for sides in asked:
            if any(_has_result(each, one[0], names) for each in sides):
                names |= {each.name for each in walk(*sides) if isinstance(each, NameExpr)} & bound
                if any(_has_result(each, *other) for each in sides):
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


def is_one_of_two_runs(
    program: Program, body: Sequence[Stmt], first: Consumption, second: Consumption
) -> bool:
    """Whether a function of the program runs twice on the same draws for the sake of comparison: as it is and
    transformed, on other arguments where the difference of the results is taken, with a flag on and off; or
    the calls by their names fit two models, or one in two ways, and neither gets what the other one gives."""
    numbers = first.nid, second.nid
    called = called_at(body, *numbers)
    if called is None:
        return False
    bound = [(variables(targets), value) for targets, value in assignments((*program.body.body, *body))]
    one, other = (_evaluated(program, bound, each.func) for each in called)
    given = [structure_of((each.args, each.keywords)) for each in called]
    if not one[1].isdisjoint(other[1]):
        funcs = [structure_of(each.func) for each in called]
        if given[0] == given[1] and funcs[0] == funcs[1]:
            compiled = ["disable_jit" not in entered_around(body, each) for each in numbers]
            return compiled[0] != compiled[1]
        if given[0] == given[1]:
            bases = [structure_of(_transformed_by(bound, each.func)) for each in called]
            return bases[0] == bases[1]
        results = [(each, bound_to(body, each)) for each in numbers]
        if any(_is_difference(node, results) for node in nodes_of(body)) or _is_switched(*called):
            return True
        if are_opposite(program, bound, called, (first, second)):
            return True
    fits = [FITS.match(last_name(each.func)) for each in called]
    if not fits[0] or not fits[1] or fits[0][0] != fits[1][0]:
        return False
    return not any(mentions(each, bound_to(body, first.nid)) for each in given_to(called[1]))


def is_selected(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether a second draw takes the place of a first one at some positions, which are drawn one by one:
    `x = where(mask, draw, x)`."""
    names = bound_to(body, first)
    for targets, value in assignments(body):
        if not isinstance(value, CallExpr) or last_name(value.func) not in SELECTS or len(value.args) != 3:
            continue
        arms = value.args[1:]
        for arm, other in (arms, arms[::-1]):
            is_second = any(call.nid == second for call in calls_in(arm))
            if is_second and isinstance(other, NameExpr) and {other.name} == variables(targets) <= names:
                return True
    return False


def _transformed_by(bound: Sequence[tuple[set[str], Expr]], func: Expr) -> Expr:
    """What a function is a transform of, or the function itself."""
    while isinstance(func, CallExpr) and _is_transformed(func):
        func = func.args[0]
    name = func.name if isinstance(func, NameExpr) else ""
    made = [value for names, value in bound if name in names and _is_transformed(value)]
    return _transformed_by([each for each in bound if name not in each[0]], made[-1]) if made else func


def _is_switched(one: CallExpr, other: CallExpr) -> bool:
    """Whether two calls differ in one argument, which is written as true in one and as false in the other."""
    apart = differing(one, other)
    return len(apart) == 1 and all(
        isinstance(each, ConstExpr) and isinstance(each.value, bool) for each in apart[0]
    )


def is_of_pair(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function changes two things that belong together in one way: by its name one of them is
    the mask, the labels or the depth of the other, or they are for training and for tests, or data and
    targets that are moved alike."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    apart = differing(*called)
    if len(apart) != 1:
        return False
    one, other = map(_called_by_name, apart[0])
    if _PAIRED.search(one) or _PAIRED.search(other):
        return True
    if {one, other} in _SIDES and _MOVES.search(last_name(called[0].func)):
        return True
    return bool(_PARTS.search(one)) and _PARTS.sub(r"\1", one) == _PARTS.sub(r"\1", other)


def _called_by_name(node: Expr) -> str:
    """What a variable, an attribute, or an item under a text is called."""
    if isinstance(node, SubscriptExpr) and isinstance(node.index, ConstExpr):
        return str(node.index.value)
    return last_name(node)


def _names_of(body: Sequence[Stmt], number: int) -> set[str]:
    """What a call gives is called: the targets it is assigned to, and the keywords it is handed by."""
    names = set()
    for statement in statements(body):
        read = read_by(statement)
        if not any(call.nid == number for call in calls_in(*read)):
            continue
        statement = plain(statement)
        if isinstance(statement, AssignStmt):
            names |= _targets_of(statement, number)
        for call in calls_in(*read):
            given = ((each.name, each.value) for each in call.keywords)
            names |= {name for name, value in given if name and number in map(number_of, walk(value))}
    return names


def _targets_of(statement: AssignStmt, number: int) -> set[str]:
    """The names of the targets of a call in an assignment: its own of several that are written in a row."""
    pairs = paired(statement.targets, statement.value)
    own = [target for target, value in pairs if any(call.nid == number for call in calls_in(value))]
    return {last_name(part) for each in own for part in parts(each)}
