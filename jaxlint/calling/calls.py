"""Calls by the kind of what is called, and the truth of values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.copies.module_states import ModuleStates
from jaxlint.analysis.core import PATCHED, Core
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.mutations.hidden_writes import may_write
from jaxlint.calling.chosen_calls import Chosen
from jaxlint.calling.construction import Construction
from jaxlint.calling.function_calls import FunctionCalls
from jaxlint.domain.consumed_keys import NOTHING, merged
from jaxlint.domain.handed_values import in_any_call, is_called
from jaxlint.domain.join import MutableContainer, Tuple, callees_of, join_all, may_call_many
from jaxlint.domain.key_tokens import QUIET, is_evaluated
from jaxlint.domain.objects import Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.questions import OF_ARRAYS, is_always_true
from jaxlint.domain.values import (
    UNKNOWN,
    Array,
    Candidates,
    Const,
    External,
    FeatureProbe,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.ir.limits import CANDIDATES, REACHED
from jaxlint.ir.nodes import AttrExpr, Expr, StarExpr
from jaxlint.ir.walks import last_name

if TYPE_CHECKING:
    from jaxlint.ir.finding import Finding

# methods that change nothing, if what they are called on is a record, a mapping or an array
_PURE = OF_ARRAYS | frozenset("replace _replace _asdict items keys values get copy".split())

_FOLDED = 8  # items that a fold is followed through one by one


def _is_object(method: Value) -> bool:
    """Whether what a class has for `__call__` is an object itself: from one to the next it may go round."""
    if isinstance(method, OneOf):
        return any(map(_is_object, method.options))
    return isinstance(method, Instance) or (isinstance(method, Partial) and _is_object(method.func))


def in_all(told: Sequence[Sequence[tuple[Any, Finding]]]) -> list[tuple[Any, Finding]]:
    """Of what was found for each of several possible functions, what holds whichever it is."""
    places = [{(finding.rule, finding.nid) for _, finding in found} for found in told]
    return [
        each for found in told for each in found if all((each[1].rule, each[1].nid) in own for own in places)
    ]


def _in_common(called: Sequence[tuple[str, Value | None]]) -> tuple[str, Value | None]:
    """What is called whichever of several functions it is, and on what."""
    owners = [owner for _, owner in called if owner is not None]
    if len({name for name, _ in called}) != 1:
        return "", None
    return called[0][0], join_all(owners) if len(owners) == len(called) else None


class Calls:
    """Dispatches calls and analyzes the project's functions."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        consumption: KeyConsumption,
        attributes: Attributes,
        construction: Construction,
        function_calls: FunctionCalls,
        module_states: ModuleStates,
        interpreter: Interpreter,
    ) -> None:
        self.function_calls = function_calls
        self.module_states = module_states
        self.deferred = function_calls.deferred
        self.flow = flow
        self.core = core
        self.guards = guards
        self.consumption = consumption
        self.attributes = attributes
        self.construction = construction
        self.interpreter = interpreter

    def call(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool = True
    ) -> Value:
        kind = type(func)
        self.flow.last_called = ("", None)
        if kind is External:
            if self.flow.replacing and (PATCHED, func.name) in self.flow.env.vars:  # type: ignore[attr-defined]
                if any("static" in option for option in keywords):
                    return UNKNOWN  # what is there in its place does other things with them
            result = self.interpreter.library.call_external(func.name, args, keywords, nid, exact)  # type: ignore[attr-defined]
            return self._of_unknown(keywords, nid) if result is UNKNOWN and keywords else result
        if kind is Function:
            result = self.function_calls.call_function(func, args, keywords, nid, exact)  # type: ignore[arg-type]
            return self._answered(func, args, keywords, result)  # type: ignore[arg-type]
        if kind is Unknown or kind is Candidates:
            token = func.token  # type: ignore[attr-defined]
            if token is not None and self._is_worth(token, args, keywords):
                self._defer(token, args, keywords, nid, exact)
        if kind is Unknown:
            self.touch(func, args, keywords, nid)  # type: ignore[arg-type]
            self._call_hidden(args, keywords, nid)
            self.consumption.handed_to(func.token, args, keywords, nid)  # type: ignore[attr-defined]
            self.escape(args, keywords)
            self.module_states.note_unknown_call(nid)
            return self._of_unknown(keywords, nid)
        if kind is Candidates:
            result = self._call_options(func, args, keywords, nid, exact)
            if func.is_open:  # type: ignore[attr-defined]
                self.flow.last_called = ("", None)
            return result
        if isinstance(func, FeatureProbe) and func.type != "object":
            return func
        if isinstance(func, Bound):
            return self.call(func.func, [func.owner, *args], keywords, nid, exact)
        if isinstance(func, Partial):
            return self.call(func.func, [*func.args, *args], {**dict(func.keywords), **keywords}, nid, exact)
        if isinstance(func, Transformed):
            return self.interpreter.transforms.call_transformed(func, args, keywords, nid, exact)
        if isinstance(func, Product) and func.kind == "member":
            return self.call(self.attributes.attribute(func, "__call__", nid), args, keywords, nid, exact)
        if isinstance(func, Product):
            return self.interpreter.library.call_product(func, args, keywords, nid, exact)
        if isinstance(func, Class):
            return self.construction.instantiate(func, args, keywords, nid, exact)
        if isinstance(func, Instance):
            method = self.attributes.special(func, "__call__", nid)
            if method is None or isinstance(method, Unknown) or _is_object(method):
                return UNKNOWN
            return self.call(method, args, keywords, nid, exact)
        if isinstance(func, OneOf):
            return self._call_options(func, args, keywords, nid, exact, Chosen(self.flow, nid))
        self.escape(args, keywords)
        return UNKNOWN

    def _call_hidden(self, args: list[Value], keywords: dict[str, Value], nid: int) -> None:
        """A method of an object of which nothing is known may keep what it is given there."""
        node = self.flow.calling
        if self.flow.context.depth and (args or keywords) and node is not None and node.nid == nid:
            if isinstance(node.func, AttrExpr):
                names = self.core.world.set_through(node.func.name)
                may_write(self.flow.frame, nid, names, (*args, *keywords.values()))

    def _of_unknown(self, keywords: dict[str, Value], nid: int) -> Value:
        """What is given by a function of which nothing is known: where it is told that a model or a policy is
        evaluated, what it makes draws nothing."""
        node = self.flow.calling
        if not is_evaluated(keywords) or node is None or node.nid != nid or "init" in last_name(node.func):
            return UNKNOWN
        return Unknown((self.core.fresh(), QUIET, None))

    def _answered(
        self, func: Function, args: list[Value], keywords: dict[str, Value], result: Value
    ) -> Value:
        """What a function of the project gives back, as its caller sees it."""
        if type(result) is Product and result.given:
            return result.made_by(func.code.qualname, args, keywords)
        return self.guards.answer(args, result) if isinstance(result, Unknown) else result

    def _is_worth(self, token: Hashable, args: list[Value], keywords: dict[str, Value]) -> bool:
        """Whether more would be known if it were known what is called: it is traced, or may trace a function
        that it is given."""
        if self.flow.context.depth:
            return self.deferred.is_followed(token)
        return any(map(is_called, (*args, *keywords.values())))

    def _defer(
        self, token: Hashable, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> None:
        tokens = {
            at: each.token for at, each in (*enumerate(args), *keywords.items()) if type(each) is Unknown
        }
        args = [*map(in_any_call, args)]
        keywords = {name: in_any_call(each) for name, each in keywords.items()}

        def call(func: Value, told: Mapping[Hashable, Value]) -> None:
            given = [told.get(tokens.get(at), each) for at, each in enumerate(args)]
            named = {name: told.get(tokens.get(name), each) for name, each in keywords.items()}
            self.call_option(func, given, named, nid, exact, [])

        if self.flow.context.depth:
            self.deferred.defer_in_trace(token, nid, call, [*tokens.values()])
        else:
            self.deferred.defer(token, nid, call)

    def written(self, nid: int, position: int, name: str) -> Expr | None:
        """The expression that a call gives for a parameter; None where that is not known."""
        given = self._expressions_of(nid)
        return given.get(name, given.get(position))

    def _expressions_of(self, nid: int) -> dict[int | str, Expr]:
        """The arguments of the call that is being evaluated, by their places and names, if it is this one."""
        node = self.flow.calling
        if node is None or node.nid != nid:
            return {}
        given: dict[int | str, Expr] = {each.name: each.value for each in node.keywords if each.name}
        if not any(isinstance(each, StarExpr) for each in node.args):
            given.update(enumerate(node.args))
        return given

    def _call_options(
        self,
        func: Value,
        args: list[Value],
        keywords: dict[str, Value],
        nid: int,
        exact: bool,
        chosen: Chosen | None = None,
    ) -> Value:
        """Calls what a value may be one of, where that is not too many."""
        if may_call_many(func):
            REACHED[CANDIDATES.name] += 1
            return self.call(UNKNOWN, args, keywords, nid, exact)
        return self.call_any([(each, args) for each in callees_of(func)], keywords, nid, exact, chosen)

    def call_any(
        self,
        calls: Sequence[tuple[Value, list[Value]]],
        keywords: dict[str, Value],
        nid: int,
        exact: bool,
        chosen: Chosen | None = None,
    ) -> Value:
        """Calls each of several functions, of which it is not known which one is called."""
        told: list[list[tuple[Any, Finding]]] = []
        called: list[tuple[str, Value | None]] = []

        def option(func: Value, args: list[Value]) -> Value:
            self.flow.last_called = ("", None)
            result = self.call_option(func, [*args], {**keywords}, nid, exact, told, chosen)
            called.append(self.flow.last_called)
            return result

        result = self.either([partial(option, func, args) for func, args in calls], is_one=True)
        self.flow.frame.findings.extend(in_all(told))
        self.flow.last_called = _in_common(called)
        return result

    def fold(
        self, func: Value, items: Sequence[Value] | None, each: Value, start: Value | None, nid: int
    ) -> Value:
        """What a function of two arguments makes of items one after the other, `start` before them. `each`
        stands for them where they are not known, or are many: then it is called with the first, and with
        what it gives of that."""
        if items and len(items) <= _FOLDED:
            result, *others = items if start is None else [start, *items]
            for item in others:
                result = self.call(func, [result, item], {}, nid)
            return result
        begin = each if start is None else start
        first = self.call(func, [begin, each], {}, nid)
        return first if first == begin else join_all((first, self.call(func, [first, each], {}, nid)))

    def solve(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> None:
        """SciPy's optimisers call a function again and again, with an array and `args`."""
        from jaxlint.tables.scipy_functions import SCIPY

        _, params, _ = SCIPY.get(name, ("", (), ()))
        given = {**dict(zip(params, args, strict=False)), **keywords}
        func, rest = given.get(params[0]) if params else None, given.get("args", Tuple(()))
        if "args" not in params or func is None or not is_called(func) or isinstance(rest, Unknown):
            return
        items = rest.items if isinstance(rest, Tuple) else (rest,)
        for _ in range(2) if items is not None else ():
            self.call(func, [NumPyArray("f"), *(items or ())], {}, nid)

    def either(self, calls: Sequence[Callable[[], Value]], is_one: bool = False) -> Value:
        """The result of one of these calls; what one spends the others have not spent. `is_one`: it is always
        the same one, so that what not all of them spend may be left."""
        start = self.flow.env.vars.get("$spent")
        before = start.parts[0] if isinstance(start, Product) else NOTHING
        entry = self.flow.entry()
        spent = NOTHING
        results = []
        new: list[set[Hashable]] = []
        for each in calls:
            self.flow.enter(entry)
            self.restore_spent(start)
            results.append(each())
            end = self.flow.env.vars.get("$spent")
            now = end.parts[0] if isinstance(end, Product) else NOTHING
            if is_one:
                changed = now.since(before).items()
                new.append({token for token, uses in changed if uses != before.uses(token)})
            spent = merged(spent, now)
        for token in set().union(*new).difference(set.intersection(*new)) if new else ():
            known = before.uses(token)
            uses = [use if use in known else use._replace(weak=True) for use in spent.uses(token)]
            spent = spent.plus(token, tuple(uses))
        if spent is not NOTHING:
            self.flow.env.vars["$spent"] = Product("spent", spent)
        return join_all(results)

    def restore_spent(self, before: Value | None) -> None:
        """What was spent since `before` was read off the variables is not spent."""
        if before is None:
            self.flow.env.vars.pop("$spent", None)
        else:
            self.flow.env.vars["$spent"] = before

    def call_option(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool,
        told: list[list[tuple[Any, Finding]]], chosen: Chosen | None = None,
    ) -> Value:  # fmt: skip
        """Calls one of several functions, of which it is not known which one is called. What is found at
        the call goes to `told`."""
        findings, self.flow.frame.findings = self.flow.frame.findings, []
        self.flow.unsure = True
        try:
            if chosen is None:
                result = self.call(func, args, keywords, nid, exact)
            else:
                result = chosen.call(
                    func, args, keywords, lambda args, keywords: self.call(func, args, keywords, nid, exact)
                )
        finally:
            told.append(self.flow.frame.findings)
            self.flow.frame.findings = findings
        self.flow.unsure = False
        return result

    def touch(self, func: Unknown, args: list[Value], keywords: dict[str, Value], nid: int) -> None:
        """Objects of which nothing is known, that code of which nothing is known has in hand: what they
        hold may be another thing now."""
        touched = self.flow.frame.touched
        for value in (*args, *keywords.values()):
            if type(value) is Unknown and value.token is not None:
                touched.add(value.token)
            else:
                open_up(value)
        token = func.token
        if isinstance(token, tuple) and len(token) == 3 and token[1] == "." and token[2] not in _PURE:
            touched.add(token[0])
            self.function_calls.freshness.note_held(token[0], token[2], nid)

    def escape(self, args: list[Value], keywords: dict[str, Value]) -> None:
        """Values that reach code which is not known: a list's order and number are forgotten, and a dict may
        have more names."""
        for value in (*args, *keywords.values()):
            open_up(value)
            if isinstance(value, MutableContainer) and value.kind == "list":
                value.blur()

    def _is_handed(self, box: MutableContainer) -> bool:
        """Whether a caller made a list and handed it to what is analyzed: whoever takes something out of it
        since then blurs it."""
        origin = self.core.origins.get(id(box))
        return (
            box.kind == "list"
            and box.home is None
            and origin is not None
            and origin[0].running
            and any(each is box for each in self.flow.frame.arguments)
        )

    def truth(self, value: Value) -> bool | None:
        kind = type(value)
        if kind is Unknown:
            return self.flow.tested(value).truth  # type: ignore[attr-defined, no-any-return]
        if kind is Array or kind is Static:
            return None
        if isinstance(value, Const):
            try:
                return bool(value.value)
            except Exception:
                return None
        if isinstance(value, Tuple):
            return None if value.items is None else bool(value.items)
        if isinstance(value, (Function, Class, Bound, Partial, Transformed)):
            return True
        if isinstance(value, MutableContainer):
            if (count := self.flow.frame.keywords_of(value)) is not None:
                return count > 0
            if (
                value.kind == "dict"
                and value.entries
                and value.elem is None
                and value.block == self.flow.block
            ):
                return True
            return (
                True if value.items and (value.block == self.flow.block or self._is_handed(value)) else None
            )
        if isinstance(value, OneOf):
            answers = {self.truth(option) for option in value.options}
            return answers.pop() if len(answers) == 1 else None
        return True if isinstance(value, Instance) and is_always_true(value) else None


def open_up(value: Value, depth: int = 3) -> None:
    """Code of which nothing is known has a value in hand: it may put more into the dicts there."""
    if isinstance(value, MutableContainer):
        value.is_open = True
    if isinstance(value, (Tuple, MutableContainer)) and depth:
        held = value.entries.values() if isinstance(value, MutableContainer) else ()
        for each in (*held, *(value.items or ())):
            open_up(each, depth - 1)
