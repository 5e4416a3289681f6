"""Calls of the project's own functions and classes, each analyzed once per vector of facts.

Tokens of keys and of unknown values are made local to the callee by number and put back in what it
returns and spends, so that a helper is analyzed once for all keys it may be given.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.agreement import Agreement, left_in
from jaxlint.analysis.core import TRACER_SEEN
from jaxlint.analysis.events import Hashed, Kept, KeyUse, Mutation, Place
from jaxlint.analysis.function_context import Context, Entry, FunctionContext, Link, Vars
from jaxlint.analysis.net_mutations import gathered, lasting
from jaxlint.analysis.objects import Objects, is_factory
from jaxlint.analysis.statements import merge
from jaxlint.analysis.trace_cache import Effects, TraceCache
from jaxlint.domain.consumed_keys import NOTHING
from jaxlint.domain.context_budget import Budget
from jaxlint.domain.key_tokens import SPLIT, merged, root_of
from jaxlint.domain.values import (
    NONE,
    OF_ARRAYS,
    UNKNOWN,
    WITH_TOKENS,
    Array,
    Bound,
    Class,
    Const,
    Environment,
    External,
    FeatureProbe,
    Function,
    Instance,
    Key,
    MutableContainer,
    Number,
    NumPyArray,
    OneOf,
    Partial,
    Product,
    Static,
    TracerPytree,
    Transformed,
    Tuple,
    Unknown,
    Value,
    any_of,
    asks,
    join_all,
    level_of,
    map_tokens,
    options_of,
    rename_tokens,
)
from jaxlint.ir.limits import CONTEXTS, DEPTH, HIGHER, KEYS, REACHED, SHARED, TRACES
from jaxlint.ir.loop_guards import Held, mentions, singles_out
from jaxlint.ir.lowering import ClassCode, Code, Expr
from jaxlint.ir.mentions import asks_for_tracer

if TYPE_CHECKING:
    from jaxlint.analysis.key_consumption import Consumption
    from jaxlint.domain.program import Module
    from jaxlint.ir.finding import Finding

RunKey = tuple[Code, Environment, Hashable, Context, bool, tuple[Hashable, ...]]
"""A function, what it closes over, and how it is called: the context, whether something asks for it, and
what is known of the arguments."""

_PLAIN = (Const, Static, Function, Class, External)
# Objects of other classes with which one is compared. Of more, it has its own analysis: no result changes.
COMPARED = 8
_FAR = 6  # how deep containers are looked into for a difference
_LOOPS = frozenset(("scan", "while_loop", "fori_loop", "map"))
ARRAY_ANNOTATIONS = frozenset(
    ("jax.Array", "jax.numpy.ndarray", "chex.Array", "jaxtyping.Array", "jax.typing.ArrayLike")
)


# methods that change nothing, if what they are called on is a record, a mapping or an array
_PURE = OF_ARRAYS | frozenset("replace _replace _asdict items keys values get copy".split())
_SAME = frozenset(("lifted", "lowered"))  # what is kept so is an object that was there, as a trace sees it
_NEVER_TRACED = frozenset(("str", "bytes"))  # transforms refuse these
_HANDED = (Function, Bound, Partial, Transformed)
_MAY_BE_KEY = frozenset((Key, Unknown, OneOf))
_FIXED = frozenset((Const, Static, Array, NumPyArray, External))  # the same for whoever gets it


class Tokens:
    """The two-way mapping between a caller's tokens and those of a callee, which are named for it: what a
    function closes over keeps the names of the function around it."""

    __slots__ = ("back", "count", "forth", "made", "objects", "owner")

    def __init__(self, func: Function) -> None:
        self.owner = id(func.code)
        self.made: dict[Hashable, tuple[Place, ...]] = {}  # where splits were run, by the tokens of arguments
        self.forth: dict[Hashable, Hashable] = {}
        self.back: dict[Hashable, Hashable] = {}
        self.objects: dict[Hashable, Instance] = {}  # what an argument of which nothing is known is
        self.count = 0

    def unknown(self, token: Hashable, value: Value | None) -> Unknown:
        """An argument of which the callee knows nothing: the caller's token, or its object."""
        name = self.local(token)
        if isinstance(value, Instance):
            self.objects[name] = value
        return Unknown(name)

    def local(self, token: Hashable) -> Hashable:
        self.count += 1  # for a known token too: a place has its number whatever is in the others
        if token is not None and token in self.forth:
            return self.forth[token]
        name = ("p", (self.owner, self.count))
        if token is not None:
            self.forth[token] = name
        self.back[name] = token
        return name

    def argument(self, value: Value) -> Value:
        """An argument as the callee sees it: what is known of it, and what is not, has an identity."""
        if isinstance(value, Unknown):
            return Unknown(self.local(value.token), value.truth)
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level, self.local(value.token))
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple([self.argument(item) for item in value.items]), cls=value.cls)
        if isinstance(value, Key) and value.made:
            self.made[value.token] = value.made
        return map_tokens(value, self.local)

    def made_of(self, token: Hashable, call: Place) -> tuple[Place, ...]:
        """Where the splits were run that a key comes from which the callee consumes. Those in the callee are
        said to be run at the call."""
        inside: tuple[Place, ...] = ()
        while token not in self.made:
            if token in self.forth or not isinstance(token, tuple) or len(token) != 3:
                return inside
            inside += (call,) * (token[1] == SPLIT)
            token = token[0]
        return self.made[token] + inside


_NOTHING_GIVEN: Mapping[str, Value] = MappingProxyType({})


def _is_plain(value: Value) -> bool:
    return isinstance(value, (Const, Static, NumPyArray, Unknown)) and not isinstance(value, FeatureProbe)


def _says_nothing(value: Value) -> bool:
    """Whether an argument tells no more than that there is one."""
    if isinstance(value, Tuple):
        return all(map(_says_nothing, value.items if value.items is not None else (value.elem,)))
    if isinstance(value, MutableContainer):
        return not value.entries and not value.items and isinstance(value.elem or UNKNOWN, Unknown)
    return isinstance(value, (Unknown, Class)) or (isinstance(value, Instance) and value.generic)


def _token_of(value: Value) -> Hashable:
    return value.token if isinstance(value, (Unknown, Key, TracerPytree, Number)) else None


def _in_general(value: Value, tokens: Tokens, is_traced: bool, is_split_up: bool = False) -> Value | None:
    """An argument of which no more is known than that it is traced, a key, or a tuple with keys.
    `is_split_up`: a tuple is one of arguments."""
    if isinstance(value, Key):
        return tokens.argument(Key(value.token, value.level, value.many, made=value.made))
    if is_traced and isinstance(value, (Array, TracerPytree)) and value.level:
        return tokens.argument(value) if isinstance(value, TracerPytree) else Array(value.level)
    if not isinstance(value, Tuple) or value.items is None or value.cls is not None:
        return None
    if not is_split_up and not any(isinstance(each, Key) for each in value.items):
        return None
    kept = []
    for item in value.items:
        each = _in_general(item, tokens, is_traced)
        kept.append(Unknown(tokens.local(_token_of(item))) if each is None else each)
    return Tuple(tuple(kept))


class Outward:
    """The way from a callee's tokens to its caller's, at one call. stale: a constant that the callee closes
    over is another one now."""

    __slots__ = ("back", "is_own", "machine", "owner", "renamed", "stale", "touched")

    def __init__(self, machine: Calls, tokens: Tokens, activation: FunctionContext, stale: bool) -> None:
        self.machine = machine
        self.back = tokens.back
        self.owner = tokens.owner
        self.is_own = activation.has_made
        self.stale = stale
        self.touched = machine.frame.touched
        self.renamed: dict[Hashable, Hashable] = {}  # what the callee made and hands out

    def __call__(self, token: Any) -> Any:
        if token in self.back:
            return self.back[token]
        if self.is_own(token):
            if token not in self.renamed:
                self.renamed[token] = self.machine.follower_of(token)
            return self.renamed[token]
        if not isinstance(token, tuple):
            return token
        if token[0] == "p" and token[1][0] == self.owner:
            return None  # an argument of another call that this run was made for
        return self._derived(*token) if len(token) == 3 else token

    def _derived(self, origin: Any, how: str, which: Any) -> Any:
        if how == ".":
            overlay = self.machine.env.vars.get(("@", origin, which))
            if overlay is not None:
                return getattr(overlay, "token", None)
        base = self(origin)
        if base is None or (how in (".", "[]") and base in self.touched):
            return None
        if how == "fold":
            if isinstance(which, tuple):
                if which in self.back or which not in self.machine.numbers:
                    which = self(which)
            elif self.stale:
                which = None
            if which is None:
                return None
        return base, how, which


_AUTOGRAPH = ("malt.", "tensorflow.autograph", "tensorflow.python.autograph")


def _of_tracers(returns: tuple[tuple[Value, Vars], ...]) -> tuple[tuple[Value, Vars], ...]:
    """The returns of a function that says on one path whether something is a tracer, and on others does so
    for what is no array of JAX: where it is one, that path is the one that is taken."""
    asked = tuple([each for each in returns if TRACER_SEEN in each[1]])
    told = all(isinstance(value, Const) and isinstance(value.value, bool) for value, _ in asked)
    return asked if asked and told else returns


def _key(func: Function, context: Context, asked: bool, values: Iterable[Value]) -> RunKey:
    """What the run of a function on these values is remembered by."""
    facts = tuple([value.fact() for value in values])
    return func.code, func.env, func.captured(), context, asked, facts


def _receiver(values: Vars) -> Instance | None:
    """What a method is called on, where it is an object of which only the class is known."""
    first = next(iter(values.values()), None)
    return first if isinstance(first, Instance) and first.generic else None


def _apart(key: RunKey) -> Hashable:
    """What a run of a method is remembered by, without what it is called on."""
    code, env, captured, context, asked, facts = key
    return code, env, captured, context, asked, facts[1:]


def _outcome(activation: FunctionContext, watched: Container[Hashable]) -> object:
    """All that the callers of a function context see of it, but what it may change.

    Args:
        watched: What traces depend on.
    """
    start, end = activation.tokens

    def relative(token: Any) -> Any:
        if isinstance(token, tuple):
            if len(token) == 2 and token[0] == "new" and start < token[1] <= end:
                return ("own", token[1] - start)
            if len(token) == 3:
                return (relative(token[0]), token[1], relative(token[2]))
        return token

    result, notes = activation.result, activation.noted
    effects = activation.affected or Effects()
    return (
        map_tokens(result, relative),
        result.key(_FAR),
        [value.key(_FAR) for value in activation.arguments],
        [(relative(each.token), each.module, each.nid, bool(each.tests)) for each in activation.consumptions],
        list(activation.captures),
        activation.operations,
        [(each.place, each.how, each.nid, level_of(each.new)) for each in activation.mutations],
        (effects.reads, effects.own, effects.uses, effects.ends),
        {key: write[:2] for key, write in effects.written.items() if key in watched},
        {made for made in effects.made if made in watched},
        notes and (notes.statics, {key[:2] for key in notes.changes}),
    )


def _moved(token: Any, before: int, after: int) -> Any:
    """The token of what one object has, for what another one has."""
    if isinstance(token, tuple) and len(token) == 3:
        return _moved(token[0], before, after), token[1], token[2]
    return after if token == before else token


def _base(consume: Consumption) -> Any:
    return root_of(consume.token)


def _is_single(tests: Sequence[Held], func: Function | None) -> bool:
    """Whether a body of a compiled loop does under these tests what may be done at one turn only."""
    names = func.code.bound if func is not None else ()
    return any(singles_out(held.test, held.truth) and mentions(held.test, names) for held in tests)


def _is_given(activation: FunctionContext, tests: Sequence[Held]) -> bool:
    """Whether what a function does under these tests needs an argument to be None that may be there."""
    params = () if activation.func is None else activation.func.code.params
    given = {
        param.name
        for param, value in zip(params, activation.arguments, strict=False)
        if isinstance(value, OneOf) and NONE in value.options
    }
    absent = (("is", ("const", None)),)
    return any(
        held.truth and held.test[0] == "cmp" and held.test[2][0] == "name" and held.test[2][2] in given
        for held in tests
        if held.test[-1] == absent
    )


def _is_called_inside(activation: FunctionContext, token: Any) -> bool:
    """Whether a token is that of a parameter of what was called while this was analyzed: at each such call it
    stands for something else."""
    base = root_of(token)
    if not isinstance(base, tuple) or len(base) != 2 or base[0] != "p":
        return False
    stack, seen = [*activation.callees], set(activation.callees)
    while stack:
        callee = stack.pop()
        if callee.func is not None and id(callee.func.code) == base[1][0]:
            return True
        fresh = [each for each in callee.callees if each not in seen]
        seen.update(fresh)
        stack += fresh
    return False


def _is_object(method: Value) -> bool:
    """Whether what a class has for `__call__` is an object itself: from one to the next it may go round."""
    if isinstance(method, OneOf):
        return any(map(_is_object, method.options))
    return isinstance(method, Instance) or (isinstance(method, Partial) and _is_object(method.func))


def _outer(value: Value | None, outward: Callable[[Any], Any]) -> Value | None:
    return None if value is None else map_tokens(value, outward)


def in_all(told: Sequence[Sequence[tuple[Any, Finding]]]) -> list[tuple[Any, Finding]]:
    """Of what was found for each of several possible functions, what holds whichever it is."""
    places = [{(finding.rule, finding.nid) for _, finding in found} for found in told]
    return [
        each for found in told for each in found if all((each[1].rule, each[1].nid) in own for own in places)
    ]


class Calls(Objects):
    """Dispatches calls and analyzes the project's functions."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pending_checks = []
        self.functions: dict[int, Function] = {}
        self.variants: dict[tuple[int, Environment], Function] = {}  # by what they close over, too
        self.classes: dict[Class, None] = {}
        self.generics: dict[int, FunctionContext] = {}  # by code: the run for an outside caller
        # the keywords of which nothing is known, by code and how many traces enclose the call
        self.spreads: dict[tuple[Code, int], MutableContainer] = {}
        self.rests: dict[
            Hashable, MutableContainer
        ] = {}  # by code and what is in it: what `**` takes of a call
        self.budget = Budget()
        self.agreement = Agreement()
        # methods analyzed outside traces on an object of which the class is known, by all else in their keys
        self.alike: dict[Hashable, list[FunctionContext]] = {}
        self.managers: set[int] = set()  # codes of the generators that are context managers
        self.answers: dict[int, Value] = {}  # by code: what it found when it asked a library
        self.closures: dict[int, list[FunctionContext]] = {}  # by the environment closed over
        self.entering = ""  # the transform that the next function context is the trace of
        self.around: tuple[str, ...] = ()  # the transforms entered since the current function was
        self.place: tuple[Any, int] = (self.module, 0)
        self._namespace: Class | None = None
        self.mapped: frozenset[Any] | None = None  # what the lanes of the `vmap` that is entered differ in
        self.returns = 0  # how often a call of a function was over
        self.steps = 0  # grows with each call and body analyzed: while it is equal, so is the call graph
        self.rewritten: set[int] = set()  # codes that do not run as they are written
        self._rewriters: dict[str, bool] = {}
        self._askers: dict[int, bool] = {}  # whether a function asks if something is a tracer
        # calls of memoised functions: the first in a trace, by where the trace begins; those that no trace
        # is around; and those in traces whose tracers other calls are given
        self.remembered: dict[Hashable, tuple[Kept, Code | None]] = {}
        self.warm: set[Hashable] = set()
        self.leaks: dict[Hashable, Kept] = {}

    def note_function(self, function: Function) -> None:
        self.functions.setdefault(id(function.code), function)
        if function.env.parent is not None:
            self.variants.setdefault((id(function.code), function.env), function)

    def note_class(self, cls: Class) -> None:
        self.classes[cls] = None

    # ---- dispatch

    def call(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool = True
    ) -> Value:
        kind = type(func)
        self.last_called = ("", None)
        if kind is External:
            return self.call_external(func.name, args, keywords, nid, exact)  # type: ignore[attr-defined]
        if kind is Function:
            result = self.call_function(func, args, keywords, nid, exact)  # type: ignore[arg-type]
            return self.answer(args, result) if isinstance(result, Unknown) else result
        if kind is Unknown:
            self.touch(func, args, keywords)  # type: ignore[arg-type]
            self.handed(args, keywords, nid)
            self.escape(args, keywords)
            return UNKNOWN
        if isinstance(func, FeatureProbe) and func.type != "object":
            return func
        if isinstance(func, Bound):
            return self.call(func.func, [func.owner, *args], keywords, nid, exact)
        if isinstance(func, Partial):
            return self.call(func.func, [*func.args, *args], {**dict(func.keywords), **keywords}, nid, exact)
        if isinstance(func, Transformed):
            return self.call_transformed(func, args, keywords, nid, exact)
        if isinstance(func, Product):
            return self.call_product(func, args, keywords, nid, exact)
        if isinstance(func, Class):
            return self.instantiate(func, args, keywords, nid, exact)
        if isinstance(func, Instance):
            method = self.special(func, "__call__", nid)
            if method is None or isinstance(method, Unknown) or _is_object(method):
                return UNKNOWN
            return self.call(method, args, keywords, nid, exact)
        if isinstance(func, OneOf):
            told: list[list[tuple[Any, Finding]]] = []
            result = self.either(
                [
                    partial(self.call_option, option, list(args), dict(keywords), nid, exact, told)
                    for option in func.options
                    if not isinstance(option, Const)
                ]
            )
            self.frame.findings.extend(in_all(told))
            self.last_called = ("", None)
            return result
        self.escape(args, keywords)
        return UNKNOWN

    def either(self, calls: Sequence[Callable[[], Value]]) -> Value:
        """The result of one of these calls; what one spends the others have not spent."""
        start = self.env.vars.get("$spent")
        entered = (self.entering, self.place)
        spent = NOTHING
        results = []
        for each in calls:
            self.entering, self.place = entered
            self.restore_spent(start)
            results.append(each())
            end = self.env.vars.get("$spent")
            if isinstance(end, Product):
                spent = merged(spent, end.parts[0])
        if spent is not NOTHING:
            self.env.vars["$spent"] = Product("spent", spent)
        return join_all(results)

    def restore_spent(self, before: Value | None) -> None:
        """What was spent since `before` was read off the variables is not spent."""
        if before is None:
            self.env.vars.pop("$spent", None)
        else:
            self.env.vars["$spent"] = before

    def call_option(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool,
        told: list[list[tuple[Any, Finding]]],
    ) -> Value:  # fmt: skip
        """Calls one of several functions, of which it is not known which one is called. What is found at
        the call goes to `told`."""
        findings, self.frame.findings = self.frame.findings, []
        self.unsure = True
        try:
            result = self.call(func, args, keywords, nid, exact)
        finally:
            told.append(self.frame.findings)
            self.frame.findings = findings
        self.unsure = False
        return result

    def touch(self, func: Unknown, args: list[Value], keywords: dict[str, Value]) -> None:
        """Objects of which nothing is known, that code of which nothing is known has in hand: what they
        hold may be another thing now."""
        touched = self.frame.touched
        for value in (*args, *keywords.values()):
            if type(value) is Unknown and value.token is not None:
                touched.add(value.token)
        token = func.token
        if isinstance(token, tuple) and len(token) == 3 and token[1] == "." and token[2] not in _PURE:
            touched.add(token[0])

    def escape(self, args: list[Value], keywords: dict[str, Value]) -> None:
        """Values that reach code which is not known: a list's order and number are forgotten."""
        for value in (*args, *keywords.values()):
            if isinstance(value, MutableContainer) and value.kind == "list":
                value.blur()

    def call_external(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        raise NotImplementedError

    def call_transformed(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        raise NotImplementedError

    def call_product(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        raise NotImplementedError

    # ---- binding

    def bind_arguments(
        self, func: Function, args: list[Value], keywords: dict[str, Value], exact: bool
    ) -> Vars | None:
        """The parameters' values; None where the call cannot succeed."""
        found: Vars = {}
        rest: Value | None = None
        positional: list[Value] = []
        for value in args:
            if isinstance(value, Product) and value.kind == "rest":
                rest = value.parts[0]
            else:
                positional.append(value)
        keywords = dict(keywords)
        spread = keywords.pop("**", None)
        position = 0
        for param in func.code.params:
            name, kind = param.name, param.kind
            if kind == "*":
                tail = tuple(positional[position:])
                found[name] = Tuple(tail) if rest is None else Tuple(None, join_all((*tail, rest)))
                position = len(positional)
            elif kind == "**":
                found[name] = self._rest_of(func, keywords, spread)
                keywords = {}
            elif kind in "pn" and position < len(positional):
                found[name] = positional[position]
                position += 1
            elif kind != "p" and name in keywords:
                found[name] = keywords.pop(name)
            elif rest is not None and kind in "pn":
                # how many there are is not known: they fill what has no default, each with another one
                found[name] = self.fresh_copy(rest) if param.default is None else UNKNOWN
            elif param.default is not None and (exact or spread is None):
                found[name] = func.defaults.get(name, UNKNOWN)
            elif spread is not None or not exact:
                found[name] = UNKNOWN
            else:
                return None
        if position < len(positional) or keywords:
            return None
        return found

    def _rest_of(
        self, func: Function, keywords: Mapping[str, Value], spread: Value | None
    ) -> MutableContainer:
        """What `**` takes of a call: of calls with the same keywords the same, so that one run is theirs."""
        parts = tuple([(name, value.fact()) for name, value in keywords.items()])
        key = (func.code, self.context.depth, parts, None if spread is None else spread.fact())
        box = self.rests.get(key)
        if box is None:
            box = self.rests[key] = MutableContainer("dict", self.context.depth, self.block)
        box.entries, box.elem, box.block = dict(keywords), spread, self.block
        return box

    # ---- functions

    def call_function(
        self,
        func: Function,
        args: list[Value],
        keywords: dict[str, Value],
        nid: int,
        exact: bool = True,
        context: Context | None = None,
    ) -> Value:
        """Analyzes a function of the project with these arguments."""
        values = self.bind_arguments(func, args, keywords, exact)
        if values is None:
            self.unbound = None if func.code.decorators else (self.module, nid)
            return UNKNOWN
        if len(args) == 1:
            self.subjects[nid] = args[0]
        if self._rewrites(func.module):
            self.rewritten.update(id(each.code) for each in args if isinstance(each, Function))
        context = context or self.context
        if context.depth > TRACES.most:
            REACHED["traces"] += 1
            return UNKNOWN
        if self.silent:
            context = context._replace(quiet=True)
        most = self._most_runs(func, values, context)
        tokens = Tokens(func)
        given = values
        if most:
            values = self._arguments_apart(func, given, tokens)
        memo = None
        if id(func.code) in self.memoised:
            for value in (*args, *keywords.values()):
                if isinstance(value, Array):
                    self.emit("Hashed", Hashed(nid, self.frame, value, "memo"))
            if exact and all(isinstance(value, Const) for value in (*args, *keywords.values())):
                memo = (func, tuple(args), tuple(sorted(keywords.items(), key=lambda item: item[0])))
        transform, self.entering = self.entering, ""
        mapped, self.mapped = self.mapped, None
        module, place = self.place if transform else (self.module, nid)
        static = self.static if transform else ()
        self.note_site(func, nid)
        self.unsure = False
        around = self.around
        link = Link(self.frame, module, place, transform, static, around[:-1] if transform else ())
        calling = self.calling
        self.around = ()
        try:
            activation = self._activation_within(func, values, context, link, most) if most else None
        finally:
            self.around = around
        if activation is None:
            if id(func.code) in self.driven and not (context.depth or self.driving):
                # what a module runs is known as it is run: a call of which nothing is known adds nothing
                context = context._replace(quiet=True)
            return self._call_in_general(func, given, context, link, nid)
        self.frame.operations += activation.operations
        result = self.returned(activation, tokens, nid, calling=calling)
        if mapped is not None:
            self.tell_shared(activation, Outward(self, tokens, activation, False), mapped, nid)
        if memo is not None and func.env.depth == 0:
            self.frame.notes.recalls = True
            self._remember(memo, result, nid)
        return result

    def _arguments_apart(self, func: Function, given: Vars, tokens: Tokens) -> Vars:
        """The arguments of a call whose context is told apart from others, as the callee sees them."""
        values = dict(given)
        trees = False
        for name, value in given.items():
            kind = type(value)
            if kind in WITH_TOKENS:
                values[name] = tokens.argument(value)
                trees = trees or kind is TracerPytree or kind is OneOf
        if trees:
            self._annotate(func, values)
        return values

    def _remember(self, memo: Hashable, result: Value, nid: int) -> None:
        """functools keeps what a call in a trace gives, and gives it to other traces, and to none."""
        made = self.remembered.get(memo)
        if not self.context.depth:
            if made is None or not self.driving:
                self.warm.add(memo)
            else:
                self.leaks[memo] = made[0]
        elif level_of(result):
            frame = self.frame
            while (
                frame.link is not None and frame.link.parent is not None and frame.link.parent.context.depth
            ):
                frame = frame.link.parent
            root = None if frame.func is None else frame.func.code
            if made is None:
                self.remembered[memo] = (Kept(nid, self.frame, result), root)
            elif made[1] is not root:
                self.leaks[memo] = made[0]

    def tell_leaks(self) -> None:
        """Tells of the tracers that memoised functions keep, where no call outside of traces came first."""
        for memo, event in self.leaks.items():
            if memo not in self.warm:
                self.frame = event.frame
                self.emit("Kept", event)

    def _call_in_general(self, func: Function, given: Vars, context: Context, link: Link, nid: int) -> Value:
        """A call of a function that is called in many ways: what holds in all of them holds in this one.
        `nid` is the call; the link may be where a transform was applied, in another module."""
        owner = next(iter(given.values()), None)
        own = owner if isinstance(owner, Instance) and func.cls is not None else None
        answer = self.answer([*given.values()], UNKNOWN)
        tokens = Tokens(func)
        # Nothing is reported there: what the method does for objects of its own class is enough.
        is_of_base = own is not None and context.quiet and not context.depth and own.cls is not func.cls
        kind = func.cls if own is None or is_of_base else own.cls
        values = self._arguments_in_general(func, given, tokens, kind, context.depth)
        key = self._key_of(func, context, values)
        if context.depth and not self.budget.admits((func.code, "shared"), key, SHARED.most):
            REACHED["shared"] += 1
            return self._answer_beyond(func, values, nid)
        served = None if context.depth or is_of_base else self._served(key, values)
        if served is not None:
            values = {**values, func.code.params[0].name: served.arguments[0]}
            key = self._key_of(func, context, values)
        trace_cache, self.trace_cache = self.trace_cache, TraceCache()
        activation = self.activation(func, values, context, link, key)
        self.trace_cache = trace_cache
        if activation is None:
            return self._answer_beyond(func, values, nid)
        self.frame.operations += activation.operations
        first = next(iter(values.values()), None)
        stand_in = first if isinstance(first, Instance) and first is not own else None
        result = self.returned(activation, tokens, nid, stand_in, original=own)
        if isinstance(answer, FeatureProbe):
            return answer
        if own is None or stand_in is None:
            return result
        if served is not None:
            self._serve(activation, stand_in, own)
        self.note_effects(activation, own, stand_in)
        for name in activation.written_of(stand_in):
            mark = self.frame.writes[own, name] = ("@", id(own), name)
            self.env.vars[mark] = Unknown(self.fresh())
        if is_of_base and result != NONE and result is not stand_in:
            return UNKNOWN  # the class of the object may have another method that says it

        def held(token: Any) -> Any:
            return self._held_by(own, token) if root_of(token) == id(stand_in) else token

        result = map_tokens(result, held)
        return any_of(own if each is stand_in else each for each in options_of(result))

    def _served(self, key: RunKey, values: Vars) -> FunctionContext | None:
        """The run of a method on an object of another class, where it is the same as on this one."""
        receiver = _receiver(values)
        before = self.activations.get(key)
        if receiver is None or (before is not None and before.done):
            return None
        for each in self.alike.get(_apart(key), ())[:COMPARED]:
            if each.done and not each.running and each is not before:
                other = each.arguments[0]
                assert isinstance(other, Instance)
                lookups = self.agreement.lookups(each)
                if lookups is not None and self.agreement.holds(lookups, other, receiver):
                    reads = dict.fromkeys([(receiver, lookup) for lookup in lookups], self.changes)
                    self.frame.reads = reads | self.frame.reads
                    return each
        return None

    def _serve(self, activation: FunctionContext, stand_in: Instance, own: Instance) -> None:
        """What a method sets on the object that it was analyzed for, it sets on those of another class."""
        generic = self.generic_instance(own.cls)
        for name, value in left_in(activation, stand_in):
            self.set_attribute(generic, name, value)

    def _answer_beyond(self, func: Function, values: Vars, nid: int) -> Value:
        """What is known of a call that is not analyzed: what it says of a library, and not what it says of a
        tracer."""
        if any(map(level_of, values.values())) and self._asks_for_tracer(func.code):
            self.env.vars["tracer", nid] = NONE
        return self.answers.get(id(func.code), UNKNOWN)

    def _rewrites(self, module: Module) -> bool:
        """Whether a module uses AutoGraph, which makes another function of the source of one."""
        known = self._rewriters.get(module.path)
        if known is None:
            known = any(name.startswith(_AUTOGRAPH) for name, _, _ in module.program.imports)
            self._rewriters[module.path] = known
        return known

    def _asks_for_tracer(self, code: Code) -> bool:
        known = self._askers.get(id(code))
        if known is None:
            known = self._askers[id(code)] = asks_for_tracer(code)
        return known

    def _arguments_in_general(
        self, func: Function, given: Vars, tokens: Tokens, cls: Class | None, depth: int
    ) -> Vars:
        """What is known of arguments beyond the budget of a function: which are traced or keys, and the
        class of the object whose method it is. `depth`: how many traces enclose the call."""
        is_traced = depth > 0
        known = {name: _token_of(value) for name, value in given.items()}
        if not is_traced and all(map(_is_plain, given.values())):
            for name, value in given.items():
                if isinstance(value, Const) and type(value.value) is int:
                    known[name] = self.number(value.value)
        values = self.unknown_arguments(func, tokens, known, cls, depth, given)
        stars = {param.name for param in func.code.params if param.kind == "*"}
        is_tree = False
        for name, value in given.items():
            kept = _in_general(value, tokens, is_traced, name in stars)
            if kept is not None:
                values[name] = kept
                is_tree = is_tree or type(kept) is TracerPytree
        if is_tree:
            self._annotate(func, values)
        return values

    def _annotate(self, func: Function, values: Vars) -> None:
        """An annotation says that a traced argument is one array, never that it is traced."""
        for param in func.code.params:
            value = values[param.name]
            if not isinstance(value, TracerPytree) or value.level == 0 or param.annotation is None:
                continue
            kind = self.annotated_kind(func, param.annotation)
            if kind == "array":
                values[param.name] = Array(value.level)
            elif kind in _NEVER_TRACED or kind in self.taught.static_types:
                values[param.name] = UNKNOWN

    def annotated_kind(self, func: Function, node: Any) -> str:
        """`array`, or the name of a builtin type, or nothing."""
        saved = self.env, self.module
        self.env, self.module = func.env, func.module
        hooks, self.hooks = self.hooks, {}
        try:
            value = self.eval(node[2]) if node[0] == "sub" else self.eval(node)
        finally:
            self.env, self.module = saved
            self.hooks = hooks
        if isinstance(value, External):
            if value.name in ARRAY_ANNOTATIONS and node[0] != "sub":
                return "array"
            if value.name.startswith("jaxtyping.") and node[0] == "sub":
                return "array"
            return value.name.removeprefix("builtins.")
        return self.full_name(value) if isinstance(value, Class) else ""

    def full_name(self, value: Function | Class) -> str:
        """The dotted name under which other modules reach a function or a class."""
        return f"{value.module.name}.{value.code.qualname}"

    def _activation_within(
        self, func: Function, values: Vars, context: Context, link: Link, most: int
    ) -> FunctionContext | None:
        """The run of a function on these values, as far as its runs are told apart; None where calls like
        this one share a run that knows little of the arguments."""
        key = self._key_of(func, context, values)
        if not self.budget.admits((func.code, context.depth > 0), key, most):
            REACHED["contexts" if most > HIGHER.most else "higher"] += 1
            return None
        return self.activation(func, values, context, link, key)

    def _key_of(self, func: Function, context: Context, values: Vars) -> RunKey:
        return _key(func, context, self.enters_asked(func), values.values())

    def activation(
        self, func: Function, values: Vars, context: Context, link: Link, key: RunKey | None = None
    ) -> FunctionContext | None:
        """The run of a function on these values; None where calls are nested too deeply. `key`: what it is
        remembered by, where the caller knows."""
        self.steps += 1
        key = key or self._key_of(func, context, values)
        found = self.activations.get(key)
        if found is None:
            if self.depth > DEPTH.most:
                REACHED["depth"] += 1
                return None
            env = Environment(func.code, func.module, func.env, context.depth)
            _, _, _, _, asked, _ = key
            found = FunctionContext(func.module, func, context, env, link, asked=asked, key=key)
            self.activations[key] = self.homes[env] = found
            self.order.append(found)
            self.closures.setdefault(id(func.env), []).append(found)
            if not context.depth and func.cls is not None and _receiver(values) is not None:
                self.alike.setdefault(_apart(key), []).append(found)
        found.links[link] = None
        if link.parent is not None:
            self.frame.callees[found] = None
        if self.driving:
            self.driven.add(id(func.code))
        begins = context.staged and not self.frame.context.staged
        holder, given = self.holder, self.given
        if begins:
            found.arguments = tuple(values.values())
            self.use_trace(found, holder)
        if not found.done and not found.running:
            if self.depth > DEPTH.most:
                REACHED["depth"] += 1
                return None
            self.analyze(found, values)
        elif not found.running and not context.staged:
            self.replay(found)
        if begins:
            self.keep_trace(found, holder, given)
        elif context.staged:
            if found.affected is not None:
                if not self.is_inert(found):
                    self.frame.effects.reads.update(found.affected.reads)
                self.frame.effects.own |= found.affected.own
        return found

    def is_inert(self, activation: FunctionContext) -> bool:
        """Whether nothing that a call reads gets to what its caller computes: it gives back nothing, or is
        the generator of a context manager, and it is handed nothing that it could change."""
        if activation.func is None or not all(isinstance(each, _PLAIN) for each in activation.arguments):
            return False
        if id(activation.func.code) in self.managers:
            held = activation.result.parts[0] if isinstance(activation.result, Product) else UNKNOWN
            return not isinstance(held, (Const, Static, NumPyArray, Array)) or held == NONE
        return activation.result == NONE and not activation.mutations

    def _most_runs(self, func: Function, values: Vars, context: Context) -> int:
        if context.depth or self.driving:
            return CONTEXTS.most
        if id(func.code) in self.driven:
            return 0 if all(map(_says_nothing, values.values())) else HIGHER.most
        return HIGHER.most if any(isinstance(each, _HANDED) for each in values.values()) else 0

    def analyze(self, activation: FunctionContext, values: Vars) -> None:
        """Runs the body of a function context."""
        self.steps += 1
        func = activation.func
        assert func is not None
        code = func.code
        if activation.context.staged:
            self.staged_codes.add(id(code))
        if activation.context.depth:
            self.traced_codes.add(id(code))
        if activation.context.unjitted:
            self.unjitted_codes.add(id(code))
        saved = (self.frame, self.env, self.context, self.module, self.block)
        activation.running = True
        activation.arguments = tuple(values.values())
        activation.entry = Entry(self.trace_cache.traces, self.driving, self.depth)
        for inner in self.closures.get(id(activation.env), ()):
            inner.done = False  # the variables that it closes over are made anew
        activation.begin()
        self.frame, self.env = activation, activation.env
        self.context, self.module = activation.context, func.module
        self.block = self.new_block()
        self.depth += 1
        start = self.clock
        conditions, self.conditions = self.conditions, []
        tests, self.tests = self.tests, []
        asking = (self.guards, self.warned, self.floors)
        self.guards, self.warned, self.floors = int(activation.asked), 0, ()
        trace_cache, self.trace_cache = self.trace_cache, self.trace_cache.inner()
        env = activation.env
        env.vars = dict(values)
        if self.run_block(code.body):
            activation.returns += ((NONE, env.vars),)
        if activation.sees_tracer:
            activation.returns = _of_tracers(activation.returns)
        if activation.returns:
            env.vars = merge([state for _, state in activation.returns])
        result = join_all([value for value, _ in activation.returns])
        if code.is_generator:
            result = Product("iterator", join_all(activation.yields), None, activation.context.depth)
        elif code.is_async:
            result = UNKNOWN
        activation.result = result
        if asks(result):
            self.answers[id(code)] = result
        spent = env.vars.get("$spent")
        found = [*spent.parts[0].all().values()] if isinstance(spent, Product) else []
        if len(found) > KEYS.most:
            REACHED["keys"] += 1
        activation.consumptions = tuple([self.representative(each) for each in found[: KEYS.most]])
        activation.tokens = (start, self.clock)
        # What is set of an object of which nothing is known, callers have to read anew.
        marks = [each for each in env.vars if type(each) is tuple and each[0] == "@"]
        activation.touched.update([token for _, token, _ in marks if type(token) is not int])
        activation.touched = {each for each in activation.touched if not activation.has_made(root_of(each))}
        activation.done = True
        activation.running = False
        self.trace_cache.end(trace_cache, activation)
        self.trace_cache = trace_cache
        activation.end()
        self.depth -= 1
        self.conditions, self.tests = conditions, tests
        self.guards, self.warned, self.floors = asking
        self.frame, self.env, self.context, self.module, self.block = saved
        self.last_called = ("", None)  # what the body called is not what its caller called

    def analyze_again(self, activation: FunctionContext, watched: Container[Hashable]) -> bool:
        """Runs a body anew as it was called; says whether its callers may see a difference. Where what it was
        called with is no longer what it was, only its callers can run it anew."""
        func, entry = activation.func, activation.entry
        begins = activation.link is not None and activation.link.transform
        if func is None or entry is None or begins or func.env.parent is not None:
            activation.done = False
            return True
        key = _key(func, activation.context, activation.asked, activation.arguments)
        if self.activations.get(key) is not activation:
            activation.done = False
            return True
        before, written, touched = _outcome(activation, watched), activation.writes.keys(), activation.touched
        self.trace_cache, self.driving, self.depth = TraceCache(entry.traces), entry.driving, entry.depth
        names = [param.name for param in func.code.params]
        self.analyze(activation, dict(zip(names, activation.arguments, strict=True)))
        # Where less is written now, callers may go on with what they know: it may be written.
        is_less = activation.writes.keys() <= written and activation.touched <= touched
        return not is_less or before != _outcome(activation, watched)

    def returned(
        self, activation: FunctionContext, tokens: Tokens, nid: int, stand_in: Instance | None = None,
        calling: Expr | None = None, original: Instance | None = None,
    ) -> Value:  # fmt: skip
        """A function context's result and effects, in the caller's tokens. `stand_in`: the object that took
        the place of the caller's, the original."""
        self.leaving = ()
        self.lent = False
        if activation.does_nothing() and type(activation.result) in _FIXED:
            activation.told = True
            activation.uses += 1
            self.returns += 1
            return activation.result
        stale = self._recapture(activation, tokens)
        activation.told = True
        outward = Outward(self, tokens, activation, stale)
        activation.uses += 1
        if activation.uses == 2:
            for made in activation.heap.values():
                if isinstance(made, Instance):
                    made.many = True
        if stand_in is None:
            self.note_effects(activation)
        code = None if activation.func is None else activation.func.code
        self.lent = activation.lends and id(code) in self.managers
        if activation.mutations:
            self._pass_mutations(activation, outward)
        result = self.renewed(self._detached(activation.result, outward), activation)
        if activation.sees_tracer:
            result = self._predicate_answer(activation, result, nid)
        remade = {base for base in map(_base, activation.consumptions) if self._is_made_in(base, activation)}
        if remade:
            self.forget_spent(remade)  # what an earlier call has made are other objects
        node, self.calling = self.calling, calling or self.calling
        self.returns += 1
        self.follows = activation
        self._pass_consumptions(activation, outward, tokens, nid, stand_in, original)
        self.calling = node
        for token in tuple(activation.touched):
            if stand_in is not None and original is not None:
                token = _moved(token, id(stand_in), id(original))
            # At each call of a function in itself every part would have all parts anew.
            self.frame.touched.add(outward(root_of(token) if activation.running else token))
        if stand_in is None and activation.writes:
            self._pass_writes(activation, outward)
        return result

    def _recapture(self, activation: FunctionContext, tokens: Tokens) -> bool:
        """The variables closed over, as they are now; whether a constant among them has changed."""
        stale = False
        for (env, variable), held in activation.captures.items():
            now = env.vars.get(variable, UNKNOWN)
            if activation.told and now is not held:
                rename_tokens(held, now, tokens.back)
                stale = stale or (type(held) is Const and now != held)
            if env is not self.env:  # what was just analyzed may have set it since it was read
                self.frame.captures.setdefault((env, variable), now if activation.told else held)
        return stale

    def _pass_consumptions(
        self, activation: FunctionContext, outward: Outward, tokens: Tokens, nid: int,
        stand_in: Instance | None, original: Instance | None,
    ) -> None:  # fmt: skip
        """The keys that a call consumes, in the caller's tokens."""
        func = activation.func
        is_method = func is not None and func.cls is not None
        objects = {id(value) for value in activation.arguments[is_method:] if isinstance(value, Instance)}
        told: dict[Any, Consumption] = {}  # two keys of the callee's may be one of the caller's
        for where in activation.consumptions:
            token = where.token
            base = root_of(token)
            if outward.is_own(base) and base not in outward.renamed:
                continue  # a key of the callee's own, which it did not hand out
            if stand_in is not None and base == id(stand_in):
                outer = None if original is None else self._held_by(original, token)
            elif base in tokens.objects:
                outer = self._held_by(tokens.objects[base], token)
            else:
                outer = outward(token)
            if outer is not None and not _is_called_inside(activation, outer):
                inside = activation.link is not None and activation.link.transform in _LOOPS
                at = where.nid if inside and where.module is self.module else nid
                absent = self.still_absent(where.absent, tokens)
                if absent is None or _is_given(activation, where.tests):
                    continue
                earlier = told.setdefault((outer, where.splits, where.weak), where)
                is_certain = not (where.splits or where.weak or earlier.tests or where.tests)
                if earlier is not where and is_certain:
                    before = (earlier.module, earlier.nid)
                    self.emit("KeyUse", KeyUse(at, self.frame, outer, activation.name, before))
                once = earlier is not where or (inside and _is_single(where.tests, func))
                own = base not in tokens.back and base not in objects
                splits = tokens.made_of(outer, (self.module, at))
                self.consume_token(
                    outer, at, activation.name, bool(where.tests), once, where, absent, own, splits
                )

    def _held_by(self, owner: Instance, token: Any) -> Any:
        """The token of what an object holds where another one of its class holds the key of this token."""
        if not isinstance(token, tuple) or len(token) != 3 or owner.many:
            return None
        if isinstance(token[0], tuple):
            inner = self._held_by(owner, token[0])
            if inner is None or (token[1] in (".", "[]") and inner in self.frame.touched):
                return None  # what it has there may be another thing now
            return inner, token[1], token[2]
        name = token[2]
        value = self.env.vars.get(("@", id(owner), name))
        if value is None and name in owner.attributes:
            value = self.held(owner, name)
        return (id(owner), ".", name) if value is None else getattr(value, "token", None)

    def _predicate_answer(self, activation: FunctionContext, answer: Value, nid: int) -> Value:
        """What a function says that asks whether it was handed a tracer. Of a pytree that has tracers the
        answer is not certain: the other one is doubtful. Where it is not known, either is."""
        if isinstance(answer, Const) and isinstance(answer.value, bool):
            if not activation.presumes:
                self.env.vars[TRACER_SEEN] = NONE
                self.frame.sees_tracer = True
                return answer
            self.env.vars["tracer", nid] = answer
            return Static("bool")
        if isinstance(answer, Unknown) or answer == Static("bool"):
            self.env.vars["tracer", nid] = NONE
        return answer

    def _is_made_in(self, base: Any, activation: FunctionContext) -> bool:
        """Whether a call makes the object, by identity, that a token begins with."""
        origin = self.origins.get(base) if type(base) is int else None
        while origin is not None and origin[1][0] in _SAME:
            origin = self.origins.get(origin[1][1])
        if origin is None or origin[0].running:
            return False
        if origin[1][0] == "replaced":
            return False  # it may hold the keys of the one that it replaces
        seen, stack = {activation}, [activation]
        while stack:
            each = stack.pop()
            if each is origin[0]:
                return True
            new = [callee for callee in each.callees if callee not in seen]
            seen.update(new)
            stack += new
        return False

    def forget_spent(self, bases: Iterable[Any]) -> None:
        raise NotImplementedError

    def _pass_mutations(self, activation: FunctionContext, outward: Outward) -> None:
        """What a call changed its caller has changed. Where a trace is over, what is still there of the
        changes that it made to what was made around it is told."""
        frame, cut = self.frame, activation.yielded
        here = frame.context.depth
        if activation.context.depth > here:
            self._tell_mutations(activation, here)
            if not here:
                return
        outer = [
            each.with_values(map_tokens(each.new, outward), _outer(each.before, outward))
            for each in activation.mutations
            if activation.context.depth == here or each.depth < here
        ]
        frame.mutations = gathered(frame.mutations, tuple(outer))
        if activation.func is not None and activation.func.code.is_generator:
            self.leaving = tuple(outer[cut:])

    def _tell_mutations(self, activation: FunctionContext, depth: int) -> None:
        """`depth`: how many traces enclose the one that is over; the others may undo what they can see."""
        events = [each for each in activation.mutations if each.depth >= depth or each.depth < 0]
        told = {(each.frame, each.nid) for each, _ in activation.findings if isinstance(each, Mutation)}
        for event in lasting(events):
            if (event.frame, event.nid) not in told and not self._is_in_manager(event.frame):
                self._show(self.hooks.get("Mutation", ()), event, activation)

    def _is_in_manager(self, frame: FunctionContext | None) -> bool:
        """Whether code runs where a context is entered or left: what one does the other undoes."""
        while frame is not None and frame.func is not None:
            code = frame.func.code
            if code.name in ("__enter__", "__exit__") or id(code) in self.managers:
                return True
            frame = None if frame.link is None else frame.link.parent
        return False

    def _detached(self, value: Value, outward: Callable[[Any], Any]) -> Value:
        """A result in the caller's tokens; a list of keys is another list at each call."""
        if isinstance(value, MutableContainer) and any(
            isinstance(each, Key) for each in (*(value.items or ()), *value.entries.values())
        ):
            box = MutableContainer(value.kind, value.depth, self.block)
            box.items = None if value.items is None else [map_tokens(each, outward) for each in value.items]
            box.entries = {name: map_tokens(each, outward) for name, each in value.entries.items()}
            box.elem = value.elem
            return box
        return map_tokens(value, outward)

    def _pass_writes(self, activation: FunctionContext, outward: Outward) -> None:
        """What a call has left in attributes its caller sees there."""
        self.frame.writes.update(activation.writes)
        state = self.env.vars
        for owner, name, mark, last in activation.left():
            value = owner.attributes.get(name, UNKNOWN)
            if type(last) is Key:
                value = self._written(owner, value, last, outward)
            elif type(value) is Unknown:
                value = Unknown(self.fresh())
            elif type(value) in _MAY_BE_KEY:
                value = self._written(owner, value, last, outward)
            state[mark] = value

    def _written(self, owner: Instance, value: Value, last: Value | None, outward: Outward) -> Value:
        """What a call has left in an attribute; a key that it was handed is still that key."""
        if isinstance(last, Key) and not owner.many and root_of(last.token) in outward.back:
            token = outward(last.token)
            if token is not None:
                return Key(token, last.level, last.many, last.count)
        if isinstance(value, Unknown) or (
            isinstance(value, OneOf) and any(isinstance(each, Key) for each in value.options)
        ):
            return Unknown(self.fresh())
        return Key(self.fresh(), value.level, value.many, value.count) if isinstance(value, Key) else value

    def consume_token(
        self, token: Any, nid: int, name: str, tested: bool = False, once: bool = False,
        within: Consumption | None = None, absent: frozenset[Hashable] = frozenset(), own: bool = False,
        made: tuple[Place, ...] = (),
    ) -> None:  # fmt: skip
        raise NotImplementedError

    def tell_shared(
        self, activation: FunctionContext, outward: Outward, mapped: frozenset[Any], nid: int
    ) -> None:
        raise NotImplementedError

    def handed(
        self, args: Iterable[Value], keywords: Mapping[str, Value], nid: int, is_stored: bool = False
    ) -> None:
        raise NotImplementedError

    def representative(self, found: Sequence[Consumption]) -> Consumption:
        raise NotImplementedError

    def still_absent(self, absent: frozenset[Hashable], tokens: Tokens) -> frozenset[Hashable] | None:
        """What has to be None in the caller where a callee consumes a key: an argument that is written out
        is taken to be there, but one that hands on a parameter whose default is None."""
        if not absent:
            return absent
        found = set()
        func = self.frame.func
        params = () if func is None else func.code.params
        optional = {
            getattr(value, "token", None)
            for param, value in zip(params, self.frame.arguments, strict=False)
            if param.default == ("const", None)
        }
        for token in absent & tokens.back.keys():
            outer = tokens.back[token]
            if outer is None or (outer not in optional and ("none", outer) not in self.env.vars):
                return None
            found.add(outer)
        return frozenset(found)

    def follower_of(self, token: Hashable) -> Hashable:
        raise NotImplementedError

    numbers: dict[Any, int]
    follows: FunctionContext  # whose keys are consumed at a call

    def number(self, value: int, counted: bool = False) -> Any:
        raise NotImplementedError

    # ---- generic runs

    def analyze_generic(self, func: Function) -> None:
        """Analyzes a function of which no call is known: nothing is known of its arguments."""
        before = self.generics.get(id(func.code))
        if before is not None and before.done:
            return
        around = self.generics.get(id(func.env.code))
        if around is not None:  # what closes over as little that is known
            func = self.variants.get((id(func.code), around.env), func)
        args = self.unknown_arguments(func, Tokens(func), {}, func.cls)
        self.depth = 0
        self.trace_cache = TraceCache()
        link = Link(None, func.module, func.code.nid)
        found = self.activation(func, args, self.context_after(func.module), link)
        if found is not None:
            self.generics[id(func.code)] = found

    def context_after(self, module: Module) -> Context:
        """The context that a module's body leaves for what is called later."""
        raise NotImplementedError

    def unknown_arguments(
        self,
        func: Function,
        tokens: Tokens,
        known: Mapping[str, Hashable],
        cls: Class | None,
        depth: int = 0,
        given: Mapping[str, Value] = _NOTHING_GIVEN,
    ) -> Vars:
        """Parameters of which nothing is known but the tokens of some, which objects are given, and of a
        method its object's class."""
        args: Vars = {}
        for position, param in enumerate(func.code.params):
            if position == 0 and func.cls is not None and func.code.name != "__new__" and param.kind in "pn":
                decorated = func.cls.attributes.get(func.code.name)
                static = isinstance(decorated, Product) and decorated.kind == "staticmethod"
                if static or func.code.name == "__init_subclass__":
                    args[param.name] = Unknown(tokens.local(None))
                elif isinstance(decorated, Product) and decorated.kind == "classmethod":
                    own = given.get(param.name)
                    args[param.name] = own if isinstance(own, Class) else func.cls
                else:
                    args[param.name] = self.instance_for(cls or func.cls, depth > 0, False)
            elif param.kind == "*":
                args[param.name] = Tuple(None, UNKNOWN)
            elif param.kind == "**":
                box = self.spreads.setdefault((func.code, depth), MutableContainer("dict", depth, 0))
                box.entries, box.elem = {}, UNKNOWN
                args[param.name] = box
            else:
                args[param.name] = tokens.unknown(known.get(param.name), given.get(param.name))
        return args

    # ---- classes

    def instantiate(
        self, cls: Class, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        if cls.has_mark("enum"):
            return UNKNOWN
        fields = cls.all_fields()
        self.handed(args, keywords, nid, True)
        if cls.has_mark("namedtuple"):
            items = self._field_values(cls, fields, args, keywords, nid, exact)
            if exact and not self._fits(cls, fields, args, keywords):
                self.unbound = (self.module, nid)
                return UNKNOWN
            return Tuple(tuple(items.values()), cls=cls)
        owner = self._instance(cls, nid)
        init = cls.lookup("__init__")
        if init is not None:
            method = self.bind_method(init[0], owner, nid)
            self.call(method, args, keywords, nid, exact)
        elif cls.has_mark("dataclass"):
            values = self._field_values(cls, fields, args, keywords, nid, exact)
            for name, value in values.items():
                self.set_attribute(owner, name, value)
                if isinstance(value, Key) and not owner.many:
                    self.env.vars["@", id(owner), name] = value
            for hook in ("__post_init__", "setup"):
                after = cls.lookup(hook)
                if after is not None:
                    self.call(self.bind_method(after[0], owner, nid), [], {}, nid)
        return owner

    def _instance(self, cls: Class, nid: int) -> Instance:
        """An object of a class, made at this place."""
        key = ("instance", nid, id(cls), self.module.path)
        owner = self.frame.heap.get(key)
        if not isinstance(owner, Instance):
            owner = self.keep(key, Instance(cls, self.context.depth))
        owner.depth = self.context.depth
        self.note_made(id(owner))
        self.note_new(owner)
        owner.many = owner.many or self.frame.loop > 0
        return owner

    def _field_values(
        self, cls: Class, fields: Any, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Vars:
        found: Vars = {}
        for position, (name, (default, _)) in enumerate(fields.items()):
            if position < len(args) and not any(
                isinstance(each, Product) and each.kind == "rest" for each in args[: position + 1]
            ):
                found[name] = args[position]
            elif name in keywords:
                found[name] = keywords[name]
            elif default is not None and exact:
                found[name] = self._fresh_copies(default, nid, name) if is_factory(default) else default
            else:
                found[name] = UNKNOWN
        return found

    def _fits(self, cls: Class, fields: Any, args: list[Value], keywords: dict[str, Value]) -> bool:
        """Whether these may be the arguments of a named tuple: one for each field."""
        if cls.lookup("__new__") is not None:
            return True
        names = list(fields)
        rest = names[len(args) :]
        if len(args) > len(names) or any(name not in rest for name in keywords):
            return False
        return all(name in keywords or fields[name][0] is not None for name in rest)

    def _fresh_copies(self, default: Product, nid: int, name: str) -> Value:
        """What a field's factory makes for the instance that is made at `nid`."""
        made: Value = self.call(default.parts[0], [], {}, nid)
        if not isinstance(made, MutableContainer) or not isinstance(default.parts[0], External):
            return made
        own = self.box(made.kind, nid, ("field", name))
        own.items = None if made.items is None else [*made.items]
        own.entries, own.elem = {**made.entries}, made.elem
        return own

    def namespace(self, keywords: dict[str, Value], nid: int) -> Value:
        """A `types.SimpleNamespace`: an object of a class without methods."""
        if self._namespace is None:
            record = ClassCode(-1, "SimpleNamespace", "SimpleNamespace", nid, (), (), (), ())
            self._namespace = Class(record, self.module, self.env)
            self._namespace.marks.add("unhashable")
        owner = self._instance(self._namespace, nid)
        for name, value in keywords.items():
            if name != "**":
                self.set_attribute(owner, name, value)
                self.env.vars["@", id(owner), name] = value
        return owner

    def _is_handed(self, box: MutableContainer) -> bool:
        """Whether a caller made a list and handed it to what is analyzed: whoever takes something out of it
        since then blurs it."""
        origin = self.origins.get(id(box))
        return (
            box.kind == "list"
            and box.home is None
            and origin is not None
            and origin[0].running
            and any(each is box for each in self.frame.arguments)
        )

    def truth(self, value: Value) -> bool | None:
        kind = type(value)
        if kind is Unknown:
            return value.truth  # type: ignore[attr-defined, no-any-return]
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
            if value.kind == "dict" and value.entries and value.elem is None and value.block == self.block:
                return True
            return True if value.items and (value.block == self.block or self._is_handed(value)) else None
        if isinstance(value, OneOf):
            answers = {self.truth(option) for option in value.options}
            return answers.pop() if len(answers) == 1 else None
        return None
