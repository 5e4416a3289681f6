"""The transforms of flax.linen on methods, classes and functions: their first argument is a module, which
stays what it is; arrays among the others are traced, mapped or scanned over.

Source: flax/linen/transforms.py and flax/core/lift.py (flax 0.10 to 0.12), run with each kind of argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.control_primitives import ControlPrimitives
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.transform_rules import TransformRules
from jaxlint.calling.transforms import Transforms
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Bound, Class, Function, Partial, Transformed
from jaxlint.domain.questions import constants
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.values import BATCHED, NONE, STAGED, UNKNOWN, Const, Unknown, Value
from jaxlint.evaluation.expressions import Expressions
from jaxlint.ir.nodes import CallExpr, NameExpr
from jaxlint.ir.walks import nodes_of

_LEAVES: Final = Const("linen")  # all but modules


def within(func: Value, module: Value) -> Value:
    """A function of a module and other arguments, as one of the others; a method of the module is one."""
    return func if isinstance(func, Bound) else Partial(func, (module,), ())


class LinenTransforms:
    """Applies transforms of linen, and calls what they make."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        expressions: Expressions,
        lifting: Lifting,
        transforms: Transforms,
        rules: TransformRules,
        primitives: ControlPrimitives,
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.lifting = lifting
        self.transforms = transforms
        self.rules = rules
        self.primitives = primitives
        self._modules: dict[int, frozenset[int]] = {}  # by code: places of parameters that may be modules

    def apply(self, kind: str, target: Value, keywords: Mapping[str, Value], nid: int) -> Value:
        """What a transform makes of a function, a method or a class. Of a class, it is one below it whose
        transformed methods are the class's own, or what `methods` names."""
        options = {name: value for name, value in keywords.items() if name != "methods"}
        if not isinstance(target, Class):
            return self._applied(kind, target, options, nid)
        asked = keywords.get("methods", NONE)
        own: Mapping[str, Mapping[str, Value]] | None
        if isinstance(asked, MutableContainer) and asked.kind == "dict" and asked.elem is None:
            own = {
                str(name): {str(key): each for key, each in given.entries.items()}
                for name, given in asked.entries.items()
                if isinstance(given, MutableContainer)
            }
        else:
            names = ("__call__",) if asked == NONE else constants(asked)
            own = None if names is None else {str(name): {} for name in names}
        if own is None:
            return UNKNOWN
        key = ("lifted class", kind, nid, id(target), self.flow.module.path)
        made = self.flow.frame.heap.get(key)
        if not isinstance(made, Class):
            made = self.core.keep(key, Class(target.code, target.module, target.env))
        made.bases = (target,)
        for name, given in own.items():
            found = target.lookup(name)
            if found is not None:
                made.attributes[name] = self._applied(kind, found[0], {**options, **given}, nid)
        return made

    def _applied(self, kind: str, target: Value, options: Mapping[str, Value], nid: int) -> Value:
        if not isinstance(target, (Function, Bound, Partial, Transformed)):
            return UNKNOWN
        kept = (*sorted(options.items(), key=lambda each: each[0]), (LEAVES, _LEAVES))
        made = Transformed(kind, target, kept, (self.flow.module, nid))
        if not self.core.silent:
            self.transforms.schedule(made)
        return made

    # ---- calls of what was made

    def t_nn_jit(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        static = self.transforms.static_positions(func, len(args))
        if self.flow.context.unjitted or static is None:
            return self.rules.t_transparent(func, args, keywords, nid, exact)
        numbers, names = static
        called = self._called(func.func)
        lifted = [
            value if place == 0 or place in numbers else self._lifted(func, value, place in called)
            for place, value in enumerate(args)
        ]
        named = {
            name: value if name in names else self._lifted(func, value, False)
            for name, value in keywords.items()
        }
        outer = self.core.arrays_level([*args, *keywords.values()])
        result = self.transforms.enter_trace(func.func, lifted, named, nid, func.kind, STAGED, exact)
        return self.lifting.lower(result, outer, sloped=False)

    def _lifted(self, func: Transformed, value: Value, is_called: bool) -> Value:
        if is_called and isinstance(value, Unknown):
            return UNKNOWN  # a module
        return self.lifting.lift_leaves(func, value, STAGED)

    def _called(self, func: Value) -> frozenset[int]:
        """The places of the parameters that a function calls."""
        if not isinstance(func, Function):
            return frozenset()
        known = self._modules.get(id(func.code))
        if known is None:
            calls = [each.func for each in nodes_of(func.code.body) if isinstance(each, CallExpr)]
            names = {each.name for each in calls if isinstance(each, NameExpr)}
            known = frozenset([place for place, param in enumerate(func.code.params) if param.name in names])
            self._modules[id(func.code)] = known
        return known

    t_nn_remat = t_nn_jit

    def t_nn_vmap(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """Axes are those of the arguments after the module; keywords are not mapped."""
        axes = self.rules.axes.of_arguments(func, len(args) - 1)
        mapped = [
            UNKNOWN if axes is None else self.rules.axes.lifted(func, value, axes[place])
            for place, value in enumerate(args[1:])
        ]
        outer = self.core.arrays_level([*args, *keywords.values()])
        result = self.transforms.enter_trace(
            func.func, [*args[:1], *mapped], keywords, nid, func.kind, BATCHED, exact
        )
        return self.lifting.lower(result, outer, 1, sloped=False)

    def t_nn_scan(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """After the module comes the carry; of what is broadcast to all turns nothing is traced."""
        if len(args) < 2 or keywords:
            return UNKNOWN
        axes = func.option("in_axes")
        items = None if axes is None or isinstance(axes, Const) else self.expressions.known_items(axes)
        outer = self.core.arrays_level(args)
        rest: list[Value] = []
        for place, value in enumerate(args[2:]):
            axis = axes if items is None else items[place] if place < len(items) else UNKNOWN
            is_scanned = axis is None or (isinstance(axis, Const) and axis != NONE)
            rest.append(self.primitives.element_of(value) if is_scanned else UNKNOWN)
        body = within(func.func, args[0])
        result = self.primitives.repeat_body(body, [args[1], *rest], nid, "scan", 0)
        if not isinstance(result, Tuple) or result.items is None or len(result.items) != 2:
            return UNKNOWN
        carry = self.primitives.carried(result.items[0], args[1], outer)
        return Tuple((carry, self.lifting.lower(result.items[1], outer, 1)))
