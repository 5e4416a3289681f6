"""Comprehensions, and the elements that an iteration takes in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlint.analysis.advancing import advance
from jaxlint.analysis.conditions.asked_tracers import ask_anew, asked_too
from jaxlint.analysis.core import DOUBT, Core
from jaxlint.analysis.events import Loop, Test
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.join import MutableContainer, Tuple, join, join_all, level_of, options_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.questions import asks, kept_under
from jaxlint.domain.values import (
    ANY,
    NONE,
    UNKNOWN,
    Const,
    External,
    Product,
    TracerPytree,
    Value,
)
from jaxlint.evaluation.expressions import Expressions
from jaxlint.ir.limits import ITEMS, REACHED, TURNS
from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.mentions import takes_keys
from jaxlint.ir.nodes import CallExpr, Clause, ComprehensionExpr, Expr, NameExpr, StarExpr, TupleExpr
from jaxlint.ir.walks import nid_of, walk


def hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _target_names(target: Expr) -> set[str]:
    if isinstance(target, NameExpr):
        return {target.name}
    if isinstance(target, StarExpr):
        return _target_names(target.value)
    if isinstance(target, TupleExpr):
        return {name for each in target.items for name in _target_names(each)}
    return set()


class Comprehensions:
    """Evaluates comprehensions, and tells what a loop takes in turn."""

    def __init__(
        self, flow: FlowState, core: Core, expressions: Expressions, interpreter: Interpreter
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.interpreter = interpreter

    def x_comprehension(self, node: ComprehensionExpr) -> Value:
        kind, clauses = node.kind, node.clauses
        saved = self.flow.env.vars
        saved.pop(("tracer", node.nid), None)
        block = self.flow.block
        self.flow.env.vars = dict(saved)
        found: list[Value] = []
        keys: list[Value] = []
        frame = self.flow.frame
        asked = ask_anew(frame)
        exact = self._comprehend(node, 0, found, keys)
        if frame.sees_tracer and not (frame.doubts_tracer or exact) and any(each.tests for each in clauses):
            self.flow.env.vars["tracer", node.nid] = Const(bool(found))
        asked_too(frame, asked)
        walrus = {name: value for name, value in self.flow.env.vars.items() if name not in saved}
        spent = self.flow.env.vars.get("$spent")
        inner = self.flow.env.vars
        self.flow.env.vars = saved
        targets = {name for clause in clauses for name in _target_names(clause.target)}
        saved.update({name: value for name, value in walrus.items() if name not in targets})
        if spent is not None:
            saved["$spent"] = spent
        for name, value in [each for each in inner.items() if saved.get(each[0]) is not each[1]]:
            if isinstance(name, str) and name[0] != "$" and name not in targets and name in saved:
                saved[name] = join(saved[name], value)  # what is called in there may bind it anew
            if isinstance(name, tuple) and name != DOUBT:
                saved[name] = value
        self.flow.block = block
        if kind == "generator":
            items = tuple(found) if exact else None
            return Product("iterator", join_all(found) if found else UNKNOWN, items, self.flow.context.depth)
        box = self.core.box(kind, node.nid)
        if kind != "list":
            is_dict = kind == "dict"
            self.expressions.hashing.hash_any(
                keys if is_dict else found, "key" if is_dict else "element", node.nid
            )
        if kind == "dict":
            for name, value in zip(keys, found, strict=True):
                if exact and isinstance(name, Const) and hashable(name.value):
                    box.entries[name.value] = value
                else:
                    box.elem = kept_under(name, box.elem, value)
        elif exact:
            box.items = found
        else:
            box.items = None
            box.elem = join_all(found) if found else UNKNOWN
        return box

    def _comprehend(
        self, node: ComprehensionExpr, depth: int, found: list[Value], keys: list[Value], around: int = 1
    ) -> bool:
        """Analyzes one clause, which is run `around` times; says whether the result's elements are exactly
        `found`."""
        if depth == len(node.clauses):
            if node.key is not None:
                keys.append(self.expressions.eval(node.key))
            found.append(self.expressions.eval(node.element))
            if self.flow.frame.doubts_tracer:
                self._note_doubted(node)
            return True
        clause = node.clauses[depth]
        nid, target, tests = clause.nid, clause.target, clause.tests
        iterable = self.interpreter.containers.iterator_of(self.expressions.eval(clause.iterable), nid)
        turns, exact = self._turns_of(node, clause, iterable)
        if depth and exact and around * len(turns) > ITEMS.most:
            REACHED["items"] += 1
            turns, exact = [join_all(turns)], False
        unrolled, is_unrolled = self.flow.frame.unrolled, exact
        before = self.flow.frame.operations
        self.flow.frame.loop += 1
        outer, self.flow.block = self.flow.block, self.core.new_block()
        iterations, held, rounds = self.flow.frame.iterations, len(self.flow.tests), len(self.flow.rounds)
        count = self.interpreter.control.turn_count(iterable)
        loops = self.flow.frame.turns
        self.flow.frame.turns = (*loops, Turns(count, (), target, clause.iterable))
        self.flow.arms += 1
        for number, value in enumerate(turns):
            self.flow.frame.iterations = (*iterations, (self.flow.block, number))
            self.flow.frame.unrolled = (*unrolled, number) if is_unrolled else unrolled
            self.flow.rounds[rounds:] = [((self.flow.module, nid), "comprehension", number)]
            if number:
                advance(self.expressions.staleness, self.flow.frame, clause.iterable, nid)
            self.interpreter.keys.begin_turn(value)
            self.interpreter.assignments.assign(target, value, nid)
            skip = False
            guards = self.flow.guards
            for test_nid, test in tests:
                condition = self.interpreter.attributes.asked(
                    self.expressions.eval(test), nid_of(test, test_nid), "CompIf"
                )
                if level_of(condition):
                    self.core.emit(
                        "CompIf", Test(nid_of(test, test_nid), self.flow.frame, condition, "comprehension")
                    )
                truth = self.interpreter.calls.truth(condition)
                if truth is None:
                    exact = False
                skip = skip or truth is False
                skip = not self.interpreter.narrowing.assume(test, True) or skip
                self.flow.guards += bool(asks(condition))
                self.flow.tests.append(Held(test, True, len(self.flow.frame.iterations)))
            if not skip:
                exact = self._comprehend(node, depth + 1, found, keys, around * len(turns)) and exact
            self.flow.guards = guards
            del self.flow.tests[held:]
        self.flow.arms -= 1
        self.flow.block = outer
        self.flow.frame.iterations, self.flow.frame.unrolled = iterations, unrolled
        del self.flow.rounds[rounds:]
        self.flow.frame.turns = loops
        self.flow.frame.loop -= 1
        if "CompFor" in self.core.hooks:
            added = self.flow.frame.operations - before
            place = nid_of(clause.iterable, nid)
            self.core.emit("CompFor", Loop(place, self.flow.frame, iterable, count, added, bool(tests)))
        return exact

    def _turns_of(
        self, node: ComprehensionExpr, clause: Clause, iterable: Value
    ) -> tuple[Sequence[Value], bool]:
        """What a clause goes through, and whether that is exactly so."""
        turns, exact = self.interpreter.keys.turns(iterable, clause.nid)
        if not exact and (numbers := self._numbers_of(node, iterable)) is not None:
            turns, exact = numbers, True
        if type(iterable) is TracerPytree and takes_keys(clause.target, clause.iterable, [node]):
            turns = [ANY for _ in turns]
        return turns, exact

    def _numbers_of(self, node: ComprehensionExpr, iterable: Value) -> list[Value] | None:
        """The numbers that a module makes a dict of, one entry for each, where it calls nothing for them."""
        if node.kind != "dict" or len(node.clauses) > 1 or self.flow.frame.func is not None:
            return None
        if not isinstance(iterable, Product) or iterable.kind != "range" or self.flow.frame.loop:
            return None
        count, start, step = iterable.parts
        if (
            count is None
            or count > ITEMS.most
            or any(isinstance(each, CallExpr) for each in walk(node.element))
        ):
            return None
        return [Const(start + turn * step) for turn in range(count)]

    def _note_doubted(self, node: ComprehensionExpr) -> None:
        """Which answer what is asked in a turn has where one is in doubt, as that something is no tracer."""
        tests = [test for clause in node.clauses for _, test in clause.tests] or [node.element]
        state, doubted = self.flow.env.vars, set()
        for truth in (True, False):
            for test in tests:
                self.flow.env.vars = {**state, DOUBT: NONE}
                if self.interpreter.narrowing.assume(test, truth) and self.flow.env.vars[DOUBT] != NONE:
                    doubted.add(truth)
        self.flow.env.vars = state
        answer = Const(False in doubted) if len(doubted) == 1 else NONE
        if doubted:
            before = state.get(("tracer", node.nid), answer)
            state["tracer", node.nid] = answer if before == answer else NONE

    def plain_turns(self, iterable: Value, nid: int) -> tuple[list[Value], bool]:
        """The values that a loop takes in turn: all of them where they are known and few, or are the rows of
        a table that is gone through outside of traces, else two turns with what any element is; and whether
        those are exactly the turns."""
        items = self.expressions.known_items(iterable)
        if isinstance(iterable, Product) and iterable.kind == "iterator" and iterable.parts[1] is not None:
            items = iterable.parts[1]
        if items is not None and (len(items) <= TURNS.most or self._is_table(items)):
            return list(items), True
        REACHED[TURNS.name] += items is not None
        if (entered := self.entered(iterable)) is not None:
            return entered, False
        return [
            self.interpreter.containers.iterate(iterable, nid, 0),
            self.interpreter.containers.iterate(iterable, nid, 1),
        ], False

    def entered(self, iterable: Value) -> list[Value] | None:
        """The functions that functions put into a list which a loop goes through, each of which is made once,
        so that one turn calls it; None where that is not known, or they may be taken out again."""
        if not isinstance(iterable, MutableContainer) or iterable.kind == "dict" or iterable.is_open:
            return None
        found = options_of(iterable.each()) if iterable.items is None and iterable.elem is not None else ()
        if len(found) > 1 and iterable.lacking:
            return None
        return [*found] if found and all(map(self._is_made_once, found)) else None

    def _is_made_once(self, value: Value) -> bool:
        """Whether this is one function, or object that is called, and not one of several that a loop makes,
        or a function each time that it is called."""
        while isinstance(value, (Bound, Partial, Transformed)):
            if value.birth is not None and value.birth.iterations:
                return False
            value = value.owner if isinstance(value, Bound) else value.func
        if isinstance(value, Function):
            home = None if value.env.parent is None else self.core.homes.get(value.env)
            is_there = value.env.parent is None or (home is not None and home.running)
            return is_there and (value.birth is None or not value.birth.iterations)
        if isinstance(value, Instance):
            return (
                not (value.many or value.generic or value.alike) and value.cls.lookup("__call__") is not None
            )
        return isinstance(value, (External, Class))

    def _is_table(self, items: Sequence[Value]) -> bool:
        """Whether what no transform traces goes through records, or a decorator through what a class has, in
        a loop that is in no other one."""
        frame, decorates = self.flow.frame, self.flow.decorating
        if (frame.context.depth and not decorates) or frame.unrolled or len(items) > ITEMS.most:
            return False
        return decorates or all(isinstance(each, (Tuple, MutableContainer, Instance)) for each in items)
