"""The transforms: what each traces, maps or differentiates when its result is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import Entry, FlowState
from jaxlint.analysis.function_freshness import ARRAYS, FunctionFreshness, is_pytree
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.calls import Calls
from jaxlint.calling.lifted_values import is_tree_of_library
from jaxlint.calling.lifting import OWN_MODULE, Lifting
from jaxlint.calling.mapped.axes import Axes, roots
from jaxlint.calling.transforms import Transforms
from jaxlint.domain.join import MutableContainer, Tuple, level_of, options_of
from jaxlint.domain.key_tokens import wholes
from jaxlint.domain.objects import Bound, Instance, Partial, Transformed
from jaxlint.domain.questions import constants, is_rest, partial_with
from jaxlint.domain.references import of_kernel
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys


def _has_dimensions(value: Value, least: int = 0) -> bool:
    return isinstance(value, (Array, NumPyArray)) and value.ndim is not None and value.ndim > least


def _core_dimensions(signature: Value) -> list[int] | None:
    """How many dimensions of each argument a function gets, by a signature like `(m,n),(n)->(m)`."""
    if not isinstance(signature, Const) or not isinstance(signature.value, str):
        return None
    groups = re.findall(r"\(([^()]*)\)", signature.value.partition("->")[0])
    return [len([each for each in group.split(",") if each.strip()]) for group in groups]


_DERIVATIVES = frozenset(("grad", "value_and_grad", "jacobian", "vjp", "linearize", "jvp"))


class TransformRules:
    """What a call of a transformed function does, by the kind of the transform."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        expressions: Expressions,
        keys: Keys,
        calls: Calls,
        lifting: Lifting,
        transforms: Transforms,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.freshness = freshness
        self.expressions = expressions
        self.keys = keys
        self.calls = calls
        self.lifting = lifting
        self.transforms = transforms
        self.axes = Axes(expressions, lifting)
        self.custom_rules: dict[Any, tuple[Value, ...]] = {}  # of functions with their own derivatives

    def t_jit(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        if self.flow.context.unjitted:
            return self.calls.call(func.func, args, keywords, nid, exact)
        static = self.transforms.static_positions(func, len(args))
        leaves = func.option(LEAVES)
        outer = self.core.arrays_level([*args, *keywords.values()])
        if static is None:
            lifted: list[Value] = [UNKNOWN for _ in args]
            named: dict[str, Value] = dict.fromkeys(keywords, UNKNOWN)
        else:
            numbers, names = static
            lifted = [
                self._fixed(value, nid, position)
                if position in numbers
                else self._staged(func, value, not (numbers or names))
                for position, value in enumerate(args)
            ]
            named = {
                name: self._fixed(value, nid, name)
                if name in names
                else self.lifting.lift_leaves(func, value, STAGED)
                for name, value in keywords.items()
            }
            fixed = [value for position, value in enumerate(args) if position in numbers]
            held = [value for name, value in keywords.items() if name in names]
            if any(isinstance(each, Array) for each in (*fixed, *held)):
                return UNKNOWN  # an array has no hash: the call raises
            self.freshness.note_static(func, fixed)
            if any(map(self.freshness.is_new, fixed)):
                self.staleness.holder = False  # it is traced anew at each call
        self._note_given(lifted)
        target = func.func
        if leaves is not None:
            target = self._with_arrays(target)
        result = self.transforms.enter_trace(target, lifted, named, nid, func.kind, STAGED, exact)
        if leaves == OWN_MODULE and isinstance(result, Unknown):
            return UNKNOWN
        return self.lifting.lower(result, outer, sloped=False, arrays_only=leaves == ARRAYS, own=STAGED)

    def _note_given(self, values: Iterable[Value]) -> None:
        """What the next trace has as positional arguments: another object has another trace."""
        if not self.flow.context.staged:
            each_of = (each for value in values for each in options_of(value))
            self.staleness.given = tuple([each for each in each_of if isinstance(each, Instance)])

    def _fixed(self, value: Value, nid: int, which: int | str) -> Value:
        """A static argument. With a list, a dict or a set the call raises before anything is traced: no trace
        holds what is changed later."""
        if not isinstance(value, MutableContainer) or value.kind not in ("list", "dict", "set"):
            return value
        copy = self.core.box(value.kind, nid, ("static", which))
        copy.fill_as(value)
        return copy

    def _with_arrays(self, target: Value) -> Value:
        """A function as equinox compiles it: the arrays of its object, or of what is bound to it, are
        arguments as well."""
        if isinstance(target, Bound):
            return Bound(target.func, self._arrays_lifted(target.owner))
        if isinstance(target, Partial) and is_pytree(target):
            return partial_with(target, self._with_arrays(target.func), self._arrays_lifted)
        return self._arrays_lifted(target) if isinstance(target, Instance) else target

    def _arrays_lifted(self, value: Value) -> Value:
        return self.lifting.lift(value, STAGED, arrays_only=True)

    def _staged(self, func: Transformed, value: Value, is_every: bool) -> Value:
        """An argument as a trace has it. `is_every`: no argument is static, so that those in any number are
        traced, too."""
        if is_rest(value) and is_every:
            return Product("rest", self.lifting.lift_leaves(func, value.parts[0], STAGED))
        is_kept = isinstance(value, Product) and not is_tree_of_library(value)
        return value if is_kept else self.lifting.lift_leaves(func, value, STAGED)

    def t_pmap(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        static = self.transforms.static_positions(func, len(args))
        numbers = static[0] if static is not None else set(range(len(args)))
        lifted = [
            value  # where it is not known which are static, those that have no hash are not
            if position in numbers and not (static is None and isinstance(value, MutableContainer))
            else self.lifting.lift(value, STAGED, drop=1)
            for position, value in enumerate(args)
        ]
        named = {name: self.lifting.lift(value, STAGED, drop=1) for name, value in keywords.items()}
        self.freshness.note_static(
            func, (value for position, value in enumerate(args) if position in numbers)
        )
        self._note_given(lifted)
        result = self.transforms.enter_trace(func.func, lifted, named, nid, func.kind, STAGED, exact)
        given, seen = [*args, *keywords.values()], [*lifted, *named.values()]
        self.keys.consume_mapped(given, seen, nid, "pmap")
        level = self.core.arrays_level(args)
        return self.lifting.lower(result, level, 1, own=STAGED, lanes=wholes(given, seen))

    def t_checkpoint(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.t_jit(func, args, keywords, nid, exact)

    def t_make_jaxpr(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        with self.keys.unspent():
            self.t_jit(func, args, keywords, nid, exact)
        return Product("opaque", "jaxpr")

    def t_shard_map(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """Outside of staged code the body runs at every call: what is the same on all devices is known but to
        NumPy and `float`, as under grad, and what a spec spreads over them is not, as under vmap."""
        specs = func.option("in_specs")
        items = specs.items if isinstance(specs, Tuple) else None
        lifted, around = [], STAGED if self.flow.context.staged else DIFFERENTIATED
        for position, value in enumerate(args):
            spec = items[position] if items is not None and position < len(items) else specs
            parts = spec.parts if isinstance(spec, Product) and spec.kind == "spec" else ()
            is_split = any(isinstance(each, Const) and each != NONE for each in parts)
            level = BATCHED if is_split and around != STAGED else around
            lifted.append(value if spec == NONE else self.lifting.lift(value, level))
        result = self.transforms.enter_trace(func.func, lifted, keywords, nid, "shard_map", around, exact)
        return self.lifting.lower(result, self.core.arrays_level(args))

    def t_pallas(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """The kernel is traced with references to its blocks, which are no arrays."""
        given, keywords = self.transforms.generic_arguments(func.func)
        if given:
            refs = [*islice(of_kernel(func, args, exact), len(given))]
            self.transforms.enter_trace(func.func, refs, keywords, nid, "pallas", STAGED, not keywords)
        return self.core.made(args)

    def t_transparent(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.calls.call(func.func, args, keywords, nid, exact)

    def t_custom(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """The function itself, and where it is differentiated its rules."""
        names = self.transforms.parameter_names(func.func) if exact and keywords else None
        for name in names[len(args) :] if names else ():  # as JAX does, too
            if name not in keywords:
                break
            keywords = dict(keywords)
            args = [*args, keywords.pop(name)]
        entry = self.flow.entry()
        rules = self.custom_rules.get(func.place, ())
        if not rules or not any(map(self.lifting.is_sloped, args)):
            return self.calls.call(func.func, args, keywords, nid, exact)
        saved, spent = self.flow.context, self.flow.env.vars.get("$spent")
        if not saved.staged or saved.stage < saved.depth:
            self.flow.context = saved._replace(quiet=True)  # the rules are run in its place
        result = self.calls.call(func.func, args, keywords, nid, exact)
        self.flow.context = saved
        given = func.option("nondiff_argnums")
        numbers = constants(given) if given is not None else ()
        if numbers is not None and func.option("nondiff_argnames") is None:
            self.calls.restore_spent(spent)
            self._analyze_rules(numbers, rules, args, result, nid, entry, func.option(LEAVES) == ARRAYS)
        return result

    def t_custom_gradient(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """The first of the two things that the function gives back. The other one is its gradient, which is
        staged where the function is differentiated."""
        is_sloped = any(map(self.lifting.is_sloped, args))
        given = [self.lifting.primal(value) for value in args] if is_sloped else args
        before = self.flow.env.vars.get("$spent")
        both = self.calls.call(func.func, given, keywords, nid, exact)
        if not isinstance(both, Tuple) or both.items is None or len(both.items) != 2:
            return UNKNOWN
        result, gradient = both.items
        if not is_sloped:
            return result
        cotangent = self.lifting.tangent(result, STAGED)
        with self._drawing_again(before):
            self.transforms.enter_trace(gradient, [cotangent], {}, nid, "custom_gradient", STAGED, False)
        return self.lifting.lift(result, DIFFERENTIATED)

    @contextmanager
    def _drawing_again(self, before: Value | None) -> Iterator[None]:
        """A backward rule makes again what was drawn since `before` was spent, with the same keys."""
        drawn = self.flow.env.vars.get("$spent")
        self.calls.restore_spent(before)
        try:
            yield
        finally:
            self.calls.restore_spent(drawn)

    def _analyze_rules(
        self, numbers: tuple[Any, ...], rules: tuple[Value, ...], args: list[Value], result: Value, nid: int,
        entry: Entry, of_equinox: bool,
    ) -> None:  # fmt: skip
        """Rules see primals with one level of differentiation less, and tangents of the form of these, or
        cotangents of the form of the result. Those of equinox are told what is perturbed as well, and the
        backward rule gets the primals again."""
        primals = [self.lifting.primal(value) for value in args]
        kept = [value for position, value in enumerate(primals) if position in numbers]
        rest = [value for position, value in enumerate(primals) if position not in numbers]
        level = self.core.arrays_level(primals)
        before = self.flow.env.vars.get("$spent")
        self.flow.enter(entry)
        if len(rules) == 1:
            level |= STAGED if self._is_linearized() else 0
            tangents = Tuple(tuple([self.lifting.tangent(each, level) for each in rest]))
            self.calls.call(rules[0], [*kept, Tuple(tuple(rest)), tangents], {}, nid)
            return
        told = [UNKNOWN] if of_equinox else []
        forward = self.calls.call(rules[0], [*told, *primals], {}, nid)
        parts = forward.items if isinstance(forward, Tuple) and forward.items is not None else ()
        residuals = parts[1] if len(parts) == 2 else UNKNOWN
        self.flow.enter(entry)
        again = [*told, *primals] if of_equinox else []
        cotangent = self.lifting.tangent(result, level)
        with self._drawing_again(before):
            self.calls.call(rules[1], [*kept, residuals, cotangent, *again], {}, nid)

    def _is_linearized(self) -> bool:
        """Whether tangents are tracers: not where the derivative is taken for given ones."""
        kinds, frame = [*reversed(self.flow.around)], self.flow.frame
        while frame.link is not None and frame.link.parent is not None:
            kinds += [frame.link.transform, *frame.link.around]
            frame = frame.link.parent
        return next((each for each in kinds if each in _DERIVATIVES), "jvp") != "jvp"

    def t_vmap(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        arrays_only = func.option(LEAVES) == ARRAYS
        axes = self.axes.of_arguments(func, len(args), self.transforms.parameter_names(func.func))
        lifted: list[Value] = [UNKNOWN] * len(args)
        if axes is not None:
            lifted = [self.axes.lifted(func, value, axis) for value, axis in zip(args, axes, strict=True)]
        named = {name: self.lifting.lift_leaves(func, value, BATCHED, 1) for name, value in keywords.items()}
        outer = self.core.arrays_level([*args, *keywords.values()])
        mapped: list[Value] = []
        if axes is not None:
            mapped = [*self.axes.mapped_parts(args, axes), *keywords.values()]
        if axes is not None and func.option(LEAVES) != OWN_MODULE:
            given = self.axes.mapped_parts(lifted, axes)
            self.flow.mapped = frozenset(roots([*mapped, *given, *named.values()]))
        result = self.transforms.enter_trace(
            func.func, lifted, named, nid, func.kind, BATCHED, exact, lifted=mapped
        )
        self.flow.mapped = None
        given, seen = [*args, *keywords.values()], [*lifted, *named.values()]
        self.keys.consume_mapped(given, seen, nid, "vmap")

        lower = partial(
            self.lifting.lower, sloped=False, arrays_only=arrays_only, own=BATCHED, lanes=wholes(given, seen)
        )
        made = self.axes.lowered(
            result, func.option("out_axes"), lambda value, extra: lower(value, outer, extra)
        )
        return self.keys.counted(made, result, given, seen)

    def t_vectorize(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        excluded = func.option("excluded")
        found = constants(excluded) if excluded is not None else ()
        signature = func.option("signature")
        core = None if signature is None else _core_dimensions(signature)
        lifted: list[Value] = []
        for position, value in enumerate(args):
            if found is None:  # what is traced is so in either case
                lifted.append(Array(level_of(value)) if level_of(value) else UNKNOWN)
            elif position in found or isinstance(value, (Const, Static)):
                lifted.append(value if position in found else Array(0))
            elif isinstance(value, (Array, NumPyArray)) and (value.ndim or 0) == 0 and value.ndim is not None:
                lifted.append(Array(level_of(value)))
            else:
                least = 0 if signature is None else core[position] if core and position < len(core) else None
                level = BATCHED if least is not None and _has_dimensions(value, least) else 0
                lifted.append(Array(level | level_of(value)))
        result = self.transforms.enter_trace(func.func, lifted, keywords, nid, func.kind, BATCHED, exact)
        return self.lifting.lower(result, self.core.arrays_level(args))

    def _differentiate(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> tuple[Value, Value, int, int]:
        """The function's result, the differentiated arguments, the outer level, and that of the derivative,
        which need not depend on what is differentiated: the function may be linear."""
        value = func.option("argnums")
        numbers = constants(value) if value is not None else (0,)
        lifted: list[Value] = []
        wanted: list[Value] = []
        passed = self.lifting.rebuilt if func.option(LEAVES) == OWN_MODULE else lambda each: each
        for position, each in enumerate(args):
            if numbers is None or func.option("**") is not None:
                lifted.append(UNKNOWN)
            elif position in numbers or (position - len(args)) in numbers:
                lifted.append(self.lifting.lift_leaves(func, each, DIFFERENTIATED))
                wanted.append(each)
            else:
                lifted.append(passed(each))
        outer = self.core.arrays_level([*args, *keywords.values()])
        fixed = [each for each in args if all(each is not one for one in wanted)]
        slope = outer & ~(BATCHED & ~self.core.arrays_level([*fixed, *keywords.values()]))
        keywords = {name: passed(each) for name, each in keywords.items()}
        result = self.transforms.enter_trace(
            func.func, lifted, keywords, nid, func.kind, DIFFERENTIATED, exact, lifted=wanted
        )
        single = value is None or isinstance(value, Const)
        target = UNKNOWN if not wanted else wanted[0] if single else Tuple(tuple(wanted))
        return result, target, outer, slope

    def t_grad(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, outer, slope = self._differentiate(func, args, keywords, nid, exact)
        gradient = self.lifting.lower(target, slope)
        aux = func.option("has_aux")
        if aux is not None and aux != Const(False):
            items = result.items if isinstance(result, Tuple) else None
            extra = items[1] if items is not None and len(items) == 2 else UNKNOWN
            return Tuple((gradient, self._computed(func, extra, outer)))
        return gradient

    def t_value_and_grad(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, outer, slope = self._differentiate(func, args, keywords, nid, exact)
        return Tuple((self._computed(func, result, outer), self.lifting.lower(target, slope)))

    def _computed(self, func: Transformed, value: Value, outer: int) -> Value:
        """What a function gives that is differentiated, beside the derivative: mapped where it is computed of
        what is, as far as that is known."""
        level = outer if type(value) is Unknown else outer & ~BATCHED
        is_of_arrays = func.option(LEAVES) == ARRAYS
        return self.lifting.lower(value, level, arrays_only=is_of_arrays, own=DIFFERENTIATED)

    def t_carrying(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """A body that is scanned over whatever its `in_axes` names an axis for."""
        axes = func.option("in_axes")
        items = (
            self.expressions.known_items(axes) if axes is not None else (External("flax.nnx.Carry"), Const(0))
        )
        lifted: list[Value] = []
        for position, value in enumerate(args):
            axis = items[position] if items is not None and position < len(items) else UNKNOWN
            known = axis == External("flax.nnx.Carry") or (isinstance(axis, Const) and axis != NONE)
            lifted.append(
                self.lifting.lift_leaves(func, value, STAGED, int(isinstance(axis, Const)))
                if known
                else UNKNOWN
            )
        self.transforms.enter_trace(func.func, lifted, keywords, nid, "scan", STAGED, exact)
        return UNKNOWN

    def t_jacobian(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, _, slope = self._differentiate(func, args, keywords, nid, exact)
        aux = func.option("has_aux")
        plain = isinstance(result, Array) and isinstance(target, Array) and aux in (None, Const(False))
        return Array(slope) if plain else TracerPytree(slope)
