"""Draws that are repeated on purpose, or not at all: a call that is made again to be timed, compared or
evaluated, or for a plot, the copy of a network, cells of a notebook, and what an attribute keeps.

In: the lowered code of a function or a module, and two calls in it that consume one key. Out: whether the
text says that the second one need not be independent of the first. It refuses to know the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.consumption import Consumption, Place
from jaxlint.analysis.draws.alternatives import is_one_taken
from jaxlint.analysis.draws.apart import are_on_other_paths
from jaxlint.analysis.draws.cells import are_apart
from jaxlint.analysis.draws.differences import is_mirrored, is_of_opposites, is_subtracted, takes_parts
from jaxlint.analysis.draws.displayed import is_displayed, is_given_new_key
from jaxlint.analysis.draws.flows import flows_of
from jaxlint.analysis.draws.gradients import are_of_one_function
from jaxlint.analysis.draws.intended import (
    are_value_and_slope,
    is_compared,
    is_copy,
    is_of_pair,
    is_one_of_two_runs,
    is_selected,
)
from jaxlint.analysis.draws.plotted import are_plotted, are_returned_for_plots, is_plotted_for_each
from jaxlint.analysis.draws.reruns import (
    are_inputs_of_compared,
    are_one_and_many,
    is_dry_run,
    is_measured,
    is_replayed,
)
from jaxlint.analysis.draws.settings import (
    are_candidates,
    are_of_settings,
    is_evaluated,
    is_evaluated_anew,
    is_of_settings,
    is_shared_by_option,
    is_shown,
)
from jaxlint.analysis.draws.shown import are_shown_settings
from jaxlint.analysis.draws.signs import is_regenerated
from jaxlint.analysis.draws.sweeps import is_sweep
from jaxlint.analysis.draws.texts import called_at, entered, entered_around, given_to, holder_of
from jaxlint.analysis.draws.unread import is_dropped, is_never_read
from jaxlint.analysis.mutations.deliberate import is_memoised, keeps
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import Module
from jaxlint.ir.loop_carried import Turns, assignments, statements
from jaxlint.ir.loop_guards import bound_by, mentions
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    Expr,
    ForStmt,
    NameExpr,
    Stmt,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import (
    calls_in,
    calls_of,
    heads,
    innermost_loop,
    is_clock,
    last_name,
    number_of,
    reads_clock,
    structure_of,
    suites,
    walk,
)

_FEW = 4  # statements between two readings of a clock that are all timed
_OBSERVES = frozenset(
    "trace TraceAnnotation StepTraceAnnotation log_compiles debug_nans debug_infs checking_leaks "
    "transfer_guard enable_checks debug_key_reuse".split()
)
_SHOWS = re.compile(r"_*(plot|show|visuali[sz]e|render|display|animate|save_\w*(plot|fig))", re.IGNORECASE)
# functions that put what was saved in the place of what they draw
_LOADS = re.compile(
    r"_*((load|restore)_(\w+_)?(checkpoint|ckpt|model|params|weights|state)|from_(pretrained|checkpoint))",
    re.IGNORECASE,
)
# what makes a function the derivative of another one, whose draws it makes again
_RULES = frozenset("defjvp defjvps def_jvp defvjp def_vjp".split())
# what makes a copy of a record with other fields, and whether it is a method
_COPIES = {
    "$replace": True,
    "builtins.tuple._replace": True,
    "equinox.nn.State.set": True,
    "flax.training.train_state.TrainState.apply_gradients": True,
    "dataclasses.replace": False,
    "copy.replace": False,
}
_TIMERS = re.compile(r"(^|_)(timer?|timeit|timed|timing|stopwatch|profile|bench)", re.IGNORECASE)


class RepeatedDraws:
    """Says of two calls that consume one key whether the second one repeats the first one on purpose."""

    def __init__(self, constants: ConstantKeys) -> None:
        self.constants = constants
        self._known: dict[tuple[Code, int, int, tuple[bool, ...]], bool] = {}
        self._kept: dict[Place, bool] = {}
        self._shown: dict[tuple[Code, int, int], bool] = {}  # by call and what the loop goes through

    def is_on_purpose(
        self,
        module: Module,
        code: Code,
        first: Consumption,
        second: Consumption,
        turns: Sequence[Turns] = (),
        uses: Sequence[Consumption] = (),
    ) -> bool:
        """Whether what the second of two calls in a function, or in the module's body, draws need not be
        independent of what the first one draws, or it draws nothing. `turns`: the loops around it; `uses`:
        where the key has been consumed."""
        for place in _shared(first, second):
            kept = self._kept.get(place)
            if kept is None:
                kept = self._kept[place] = _is_kept(*place)
            if kept:
                return True
        if _LOADS.match(code.name) or _SHOWS.match(code.name):
            return True
        if _SHOWS.match(first.by) and _SHOWS.match(second.by):
            return True
        if any(last_name(each) in _RULES for each in code.decorators):
            return True
        if first.module is not module or second.module is not module:
            return False
        if _TIMERS.search(code.name) and is_observed(code, second.nid):
            return True
        if all(any(_is_only_timed(*place) for place in each.inner) for each in (first, second)):
            return True
        if first.nid == second.nid:
            if first.inner and is_subtracted(code.body, first, uses, turns[-1] if turns else None):
                return True
            if takes_parts(code, first, turns[-1] if turns else None):
                return True
            if is_never_read(module.program, code, first.nid):
                return True
            return bool(turns) and (
                is_evaluated_anew(code.body, first.nid, first.inner, turns[-1])
                or is_of_opposites(code.body, turns[-1])
                or (bool(first.inner) and are_candidates(code.body, first.nid, turns[-1]))
                or (bool(first.inner) and is_shown(module.program, code, first.nid, turns[-1]))
                or is_sweep(code.body, first.nid, turns[-1])
                or is_one_taken(module.program, code, first.nid, turns[-1])
                or is_plotted_for_each(module.program, code, first.nid, turns[-1])
                or (bool(first.inner) and is_of_settings(code.body, first.nid, turns[-1]))
                or (bool(first.inner and module.program.cells) and self._is_shown(code, first, turns[-1]))
            )
        numbers = first.nid, second.nid
        draws = [each for each in (first, second) if each.inner and not each.splits]
        if any(is_dropped(module.program, code, each) for each in draws):
            return True
        is_split = first.splits or second.splits
        if not is_split and code is not module.program.body:
            if are_on_other_paths(module.program, code, *numbers):
                return True
        kinds = tuple([kind for each in (first, second) for kind in (bool(each.inner), each.splits)])
        asked = code, first.nid, second.nid, kinds
        found = self._known.get(asked)
        if found is None:
            found = self._known[asked] = _is_repeated(module.program, code, first, second)
        return found

    def _is_shown(self, code: Code, where: Consumption, loop: Turns) -> bool:
        """Whether a loop of a notebook only shows what a function gives that it calls in each turn; or the
        function is given a new key there, and draws what does not change with the default of a parameter."""
        default = self.constants.constants.get(root_of(where.token))
        if default is not None and default[2] == "default" and is_given_new_key(where.nid, loop):
            return True
        asked = code, where.nid, id(loop.target)
        if asked not in self._shown:
            self._shown[asked] = is_displayed(where.module.program, code, where.nid, loop)
        return self._shown[asked]


def _is_repeated(program: Program, code: Code, first: Consumption, second: Consumption) -> bool:
    """What the text of a function, or of a module's body, says of two calls."""
    if program.cells and code is program.body and are_apart(program, first, second):
        return True
    numbers, of_functions = (first.nid, second.nid), bool(first.inner and second.inner)
    if _is_timed_again(code.body, *numbers) or is_copy(code.body, *numbers, of_functions):
        return True
    of_keys = first.splits and second.splits
    if (first.inner or second.inner) and _is_equal(code.body, *numbers):  # also what comes of the results
        if is_compared(code.body, *numbers, of_functions, True):
            return True
    if is_compared(code.body, *numbers, of_functions, of_keys) or is_selected(code.body, *numbers):
        return True
    if is_mirrored(code.body, *numbers) or is_shared_by_option(code.body, *numbers):
        return True
    if (first.inner or not first.splits) and is_never_read(program, code, first.nid):
        return True
    if are_plotted(program, code, *numbers) or are_one_and_many(program, code, first, second):
        return True
    if is_dry_run(program, code, *numbers):
        return True
    if are_inputs_of_compared(program, code, *numbers) or are_returned_for_plots(program, code, *numbers):
        return True
    if first.inner and first.inner[-1:] == second.inner[-1:]:
        if are_value_and_slope(program, code.body, *numbers):
            return True
        if are_of_one_function(program, code.body, first, second):
            return True
    return of_functions and (
        is_evaluated(code.body, first, second)
        or is_of_pair(code.body, *numbers)
        or is_regenerated(code.body, *numbers)
        or are_of_settings(code.body, *numbers)
        or are_shown_settings(program, code.body, first, second)
        or all(is_subtracted(code.body, each, (first, second)) for each in (first, second))
        or is_one_of_two_runs(program, code.body, first, second)
        or is_replayed(program, code, *numbers)
        or is_measured(program, code, *numbers)
    )


def _is_equal(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether two calls are written alike."""
    called = called_at(body, first, second)
    return called is not None and structure_of(called[0]) == structure_of(called[1])


def _shared(first: Consumption, second: Consumption) -> Iterator[Place]:
    """The calls on the way to two draws that are the same, from the draw outwards."""
    for one, other in zip(reversed(first.inner), reversed(second.inner), strict=False):
        if one != other:
            return
        yield one


def _is_kept(module: Module, number: int) -> bool:
    """Whether what is made at a place is kept, and made only where it is not there yet."""
    code = holder_of(module.program, number)
    return code is not None and (is_memoised(code) or keeps(code, number))


def _is_timed_again(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function is called twice, and the second call is timed: a clock is read between the two
    and again later, or it is made in a `with timer():`. The first call compiles the function."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    clocks = [call.nid for call in calls_of(body) if is_clock(call)]
    is_started = any(first < each < second for each in clocks)
    return (is_started and any(each > second for each in clocks)) or _is_in_timer(body, second)


def _is_in_timer(body: Sequence[Stmt], number: int) -> bool:
    """Whether a call is made under a context manager that by its name takes the time."""
    return any(map(_TIMERS.search, entered_around(body, number)))


def is_observed(code: Code, number: int) -> bool:
    """Whether a call is made to see what it does: little else is done between two readings of a clock, or it
    is under a context manager that takes the time, or with which JAX records, logs or checks what is run."""
    return number in _observed(code)


@lru_cache(maxsize=512)
def _is_only_timed(module: Module, number: int) -> bool:
    """Whether a function makes nothing of what a call in it gives but the time that something takes with it:
    it hands it to functions of the file that time what they are given, or to calls between two readings of a
    clock whose results nothing reads."""
    program = module.program
    code = holder_of(program, number)
    if code is None or code is program.body:
        return False
    timers = _timers(program)
    if not timers.intersection(last_name(each.func) for each in calls_of(code.body)) and not _observed(code):
        return False
    flows, is_timed = flows_of(code, program), False
    stack, seen = [number], {number}
    while stack:
        read = stack.pop()
        unit = flows.units.get(read)
        if unit is None:
            return False
        readers = [*flows.readers(unit)]
        calls = [each for each in calls_in(*unit.value) if each.nid != number and _has(each, read)]
        if any(last_name(each.func) in timers for each in calls) or (
            not readers and any(each.nid in _observed(code) for each in calls)
        ):
            is_timed = True
        elif isinstance(unit.statement, AssignStmt):
            stack += [each for each in readers if each not in seen]
            seen.update(readers)
        else:
            return False
    return is_timed


@lru_cache(maxsize=64)
def _timers(program: Program) -> frozenset[str]:
    return frozenset(
        each.name for each in program.codes if reads_clock(*each.body) and _times_functions(each)
    )


def _times_functions(code: Code) -> bool:
    """Whether a function takes the time of a call of what it is given, with what it is given."""
    params = {each.name for each in code.params}
    changed = {name for targets, _ in assignments(code.body) for name in variables(targets)}
    return any(
        isinstance(each.func, NameExpr)
        and each.func.name in params
        and each.nid in _observed(code)
        and not mentions(each, changed)
        for each in calls_of(code.body)
    )


def _has(call: CallExpr, read: int) -> bool:
    """Whether a call is given what has a read, or a call, of this number."""
    return any(number_of(part) == read for part in walk(*given_to(call)))


def is_only_observed(code: Code, call: CallExpr, name: str) -> bool:
    """Whether a call is made to see what it does, and for nothing else. What makes a copy of a record with
    other fields is not, where the record is gone on with. `name`: what is called."""
    part = _observed(code).get(call.nid)
    if part is None or name not in _COPIES:
        return part is not None
    owner = (
        call.func.value if isinstance(call.func, AttrExpr) and _COPIES[name] else next(iter(call.args), call)
    )
    return not _goes_on_with(part, call, owner)


def _goes_on_with(part: Sequence[Stmt], call: CallExpr, record: Expr) -> bool:
    """Whether statements read a record after a call, or in the next turn of a loop around it, other than to
    make such copies of it again."""
    place, name = structure_of(record), last_name(call.func)
    loop = innermost_loop(part, call.nid)
    bound: set[str] = set()
    if isinstance(loop, ForStmt):
        bound.update(bound_by(Turns(None, loop.body, loop.target, loop.iterable)))
    elif isinstance(loop, WhileStmt):
        bound.update(bound_by(Turns(None, loop.body)))
    is_same = loop is not None and not any(
        isinstance(each, NameExpr) and each.name in bound for each in walk(record)
    )
    again = set(map(number_of, walk(loop))) if loop is not None and is_same else set()
    copies = [each for each in calls_in(*part) if last_name(each.func) == name]
    in_copies = set(map(number_of, walk(*copies)))
    return any(
        structure_of(each) == place and (each.nid > call.nid or each.nid in again)
        for each in walk(*part)
        if isinstance(each, (NameExpr, AttrExpr)) and each.nid not in in_copies
    )


@lru_cache(maxsize=4096)
def _observed(code: Code) -> Mapping[int, Sequence[Stmt]]:
    """The calls of a function, or of a module's body, that are made to see what they do, and the statements
    that are observed together."""
    found: dict[int, Sequence[Stmt]] = {}
    blocks = [code.body, *(block for each in statements(code.body) for block in suites(each))]
    for block in blocks:
        clocks = [place for place, each in enumerate(block) if reads_clock(*heads(each))]
        for start, end in pairwise(clocks):
            timed = block[start + 1 : end]
            if end - start <= _FEW and all(map(_is_little, timed)):
                found |= {call.nid: timed for call in calls_in(*timed)}
    for each in statements(code.body):
        names = entered(each)
        if isinstance(each, WithStmt) and any(_TIMERS.search(name) or name in _OBSERVES for name in names):
            found |= {call.nid: each.body for call in calls_of(each.body)}
    return found


def _is_little(statement: Stmt) -> bool:
    """Whether a statement is one line, or a loop or the like around a few."""
    inner = [each for block in suites(statement) for each in block]
    return len(inner) < _FEW and not any(any(suites(each)) for each in inner)
