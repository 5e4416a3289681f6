"""The parts of the analysis, put together: each is given those that it uses.

A part is built after the parts that it uses. What it asks of parts that are built later goes through the
`Interpreter`, which is complete once this is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.copies.module_states import ModuleStates
from jaxlint.analysis.core import Core
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter, ModuleLoader
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.arguments import Arguments
from jaxlint.calling.call_effects import CallEffects
from jaxlint.calling.calls import Calls
from jaxlint.calling.construction import Construction
from jaxlint.calling.contexts import Contexts
from jaxlint.calling.control_primitives import ControlPrimitives
from jaxlint.calling.deferred_calls import DeferredCalls
from jaxlint.calling.donated.donation import Donations
from jaxlint.calling.fixtures import Fixtures
from jaxlint.calling.function_calls import FunctionCalls
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.linen_transforms import LinenTransforms
from jaxlint.calling.transform_rules import TransformRules
from jaxlint.calling.transforms import Transforms
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import Value
from jaxlint.evaluation.annotations import Annotations
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.beliefs.declarations import Declarations
from jaxlint.evaluation.branches import Branches
from jaxlint.evaluation.comparisons import Comparisons
from jaxlint.evaluation.comprehensions import Comprehensions
from jaxlint.evaluation.control_flow import ControlFlow
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.module_imports import ModuleImports
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.evaluation.operators import Operators
from jaxlint.evaluation.statements import Statements
from jaxlint.evaluation.storing import Storing
from jaxlint.library.array_results import ArrayResults
from jaxlint.library.builtin import Builtins
from jaxlint.library.class_membership import ARRAY_CLASSES
from jaxlint.library.containers import Containers
from jaxlint.library.decisions import Decisions
from jaxlint.library.dispatching import Dispatching
from jaxlint.library.framework_modules import FrameworkModules
from jaxlint.library.gradient_transformations import GradientTransformations
from jaxlint.library.iteration import Iterators
from jaxlint.library.jax_calls import Library
from jaxlint.library.library_call import Call, around_jax
from jaxlint.library.object_methods import ObjectMethods
from jaxlint.library.pytrees import Pytrees
from jaxlint.library.self_hosting import published
from jaxlint.library.standard import Standard
from jaxlint.tables.jax_functions import FUNCTIONS

if TYPE_CHECKING:
    from jaxlint.analysis.core import Listener
    from jaxlint.domain.program import World
    from jaxlint.project.settings import JaxSettings


class Parts:
    """All parts of one analysis."""

    def __init__(
        self,
        world: World,
        rules: Sequence[Listener],
        taught: JaxSettings,
        models: Mapping[str, Callable[[Call, Parts], Value]],
        over_source: Sequence[str],
        loader: ModuleLoader,
    ) -> None:
        self.flow = FlowState()
        self.interpreter = Interpreter(loader)
        self.core = Core(self.flow, world, rules, taught)
        self.guards = FeatureGuards(self.flow, self.core, self.interpreter)
        self.staleness = TraceStaleness(self.flow, self.core)
        self.freshness = FunctionFreshness(self.flow, self.staleness)
        self.constants = ConstantKeys(self.flow, self.core)
        self.consumption = KeyConsumption(self.flow, self.core, self.constants)
        self._build_expressions()
        self._build_statements()
        self._build_calls()
        self._build_transforms()
        self._build_values()
        self._build_library(models)
        self._connect()
        names = (*TABLES, *over_source, *taught.jit_wrappers, *taught.key_sinks)
        self.statements.published = published(world, names)
        self.definitions.transparent |= around_jax(models)

    def _build_expressions(self) -> None:
        self.expressions = Expressions(self.flow, self.core, self.guards, self.staleness, self.interpreter)
        self.comprehensions = Comprehensions(self.flow, self.core, self.expressions, self.interpreter)
        self.keys = Keys(
            self.flow, self.core, self.constants, self.consumption, self.comprehensions, self.interpreter
        )
        self.operators = Operators(self.flow, self.core, self.expressions, self.interpreter)
        self.comparisons = Comparisons(
            self.flow, self.core, self.expressions, self.operators, self.interpreter
        )
        self.definitions = Definitions(
            self.flow,
            self.core,
            self.guards,
            self.staleness,
            self.freshness,
            self.expressions,
            self.interpreter,
        )
        self.annotations = Annotations(self.flow, self.core, self.expressions, self.definitions)
        self.declarations = Declarations(
            self.flow, self.core, self.expressions, self.definitions, self.annotations
        )
        self.attributes = Attributes(
            self.flow,
            self.core,
            self.guards,
            self.staleness,
            self.freshness,
            self.expressions,
            self.definitions,
            self.annotations,
            self.interpreter,
        )
        self.narrowing = Narrowing(
            self.flow,
            self.core,
            self.consumption,
            self.expressions,
            self.definitions,
            self.attributes,
            self.interpreter,
        )

    def _build_statements(self) -> None:
        self.module_states = ModuleStates(self.flow, self.staleness)
        self.storing = Storing(
            self.flow,
            self.core,
            self.staleness,
            self.freshness,
            self.attributes,
            self.narrowing,
            self.interpreter,
        )
        self.assignments = Assignment(
            self.flow,
            self.core,
            self.guards,
            self.staleness,
            self.constants,
            self.expressions,
            self.keys,
            self.operators,
            self.narrowing,
            self.interpreter,
            self.storing,
            self.module_states,
        )
        self.branches = Branches(
            self.flow,
            self.core,
            self.guards,
            self.staleness,
            self.expressions,
            self.attributes,
            self.narrowing,
            self.assignments,
            self.comparisons,
            self.interpreter,
        )
        self.control = ControlFlow(
            self.flow,
            self.core,
            self.guards,
            self.freshness,
            self.expressions,
            self.keys,
            self.attributes,
            self.narrowing,
            self.assignments,
            self.storing,
            self.interpreter,
        )
        self.imports = ModuleImports(
            self.flow, self.core, self.guards, self.expressions, self.assignments, self.interpreter
        )
        self.statements = Statements(
            self.flow,
            self.core,
            self.staleness,
            self.constants,
            self.expressions,
            self.definitions,
            self.attributes,
            self.narrowing,
            self.assignments,
            self.interpreter,
        )

    def _build_calls(self) -> None:
        self.arguments = Arguments(
            self.flow, self.core, self.expressions, self.keys, self.definitions, self.annotations
        )
        self.effects = CallEffects(
            self.flow,
            self.core,
            self.freshness,
            self.consumption,
            self.attributes,
            self.narrowing,
            self.storing.memory,
        )
        self.contexts = Contexts(
            self.flow,
            self.core,
            self.guards,
            self.staleness,
            self.consumption,
            self.statements,
            self.arguments,
            self.effects,
            self.interpreter,
        )
        self.deferred = DeferredCalls(
            self.flow,
            self.core,
            self.staleness,
            self.definitions,
            self.attributes,
            self.interpreter,
        )
        self.fixtures = Fixtures(self.flow, self.core, self.definitions, self.contexts)
        self.donations = Donations(self.flow, self.core, self.attributes)
        self.function_calls = FunctionCalls(
            self.flow,
            self.core,
            self.guards,
            self.staleness,
            self.freshness,
            self.consumption,
            self.definitions,
            self.arguments,
            self.effects,
            self.contexts,
            self.deferred,
            self.donations,
            self.module_states,
        )
        self.construction = Construction(
            self.flow,
            self.core,
            self.staleness,
            self.freshness,
            self.consumption,
            self.attributes,
            self.interpreter,
        )
        self.calls = Calls(
            self.flow,
            self.core,
            self.guards,
            self.consumption,
            self.attributes,
            self.construction,
            self.function_calls,
            self.module_states,
            self.interpreter,
        )

    def _build_transforms(self) -> None:
        self.lifting = Lifting(self.flow, self.core, self.arguments)
        self.transforms = Transforms(
            self.flow,
            self.core,
            self.staleness,
            self.freshness,
            self.definitions,
            self.annotations,
            self.declarations,
            self.narrowing,
            self.keys,
            self.calls,
            self.donations,
            self.lifting,
        )
        self.transform_rules = TransformRules(
            self.flow,
            self.core,
            self.staleness,
            self.freshness,
            self.expressions,
            self.keys,
            self.calls,
            self.lifting,
            self.transforms,
        )
        self.primitives = ControlPrimitives(
            self.flow, self.core, self.staleness, self.calls, self.lifting, self.transforms
        )
        self.linen_transforms = LinenTransforms(
            self.flow,
            self.core,
            self.expressions,
            self.lifting,
            self.transforms,
            self.transform_rules,
            self.primitives,
        )

    def _build_values(self) -> None:
        """What builtins and the objects of libraries do."""
        self.containers = Containers(
            self.flow,
            self.core,
            self.staleness,
            self.expressions,
            self.keys,
            self.attributes,
            self.comparisons,
            self.calls,
            self.storing,
        )
        self.decisions = Decisions(
            self.flow, self.core, self.attributes, self.calls, self.containers, self.comparisons
        )
        self.builtins = Builtins(
            self.flow,
            self.core,
            self.guards,
            self.expressions,
            self.keys,
            self.operators,
            self.attributes,
            self.calls,
            self.containers,
            self.storing,
            self.interpreter,
        )
        self.iterators = Iterators(self.consumption, self.keys, self.attributes, self.calls, self.containers)
        self.standard = Standard(self.flow, self.statements, self.calls, self.lifting)
        self.modules = FrameworkModules(
            self.flow,
            self.core,
            self.keys,
            self.consumption,
            self.attributes,
            self.calls,
            self.lifting,
            self.primitives,
            self.construction,
        )
        self.arrays = ArrayResults(self.flow, self.core)
        self.dispatching = Dispatching(
            self.flow,
            self.core,
            self.expressions,
            self.attributes,
            self.narrowing,
            self.calls,
            self.builtins,
        )
        self.pytrees = Pytrees(self.flow, self.core, self.keys, self.attributes, self.lifting)

    def _build_library(self, models: Mapping[str, Callable[[Call, Parts], Value]]) -> None:
        def model_of(name: str) -> Callable[[Call], Value] | None:
            function = models.get(name)
            return None if function is None else lambda call: function(call, self)

        self.gradients = GradientTransformations(
            self.flow,
            self.core,
            self.calls,
            self.pytrees,
            self.keys,
            self.statements,
            self.primitives,
        )
        self.methods = ObjectMethods(
            self.flow,
            self.core,
            self.staleness,
            self.keys,
            self.calls,
            self.containers,
            self.decisions,
            self.builtins,
            self.standard,
            self.dispatching,
            self.pytrees,
            self.gradients,
            self.transform_rules,
            self.interpreter,
        )
        self.library = Library(
            self.flow,
            self.core,
            self.guards,
            self.consumption,
            self.construction,
            self.fixtures,
            self.calls,
            self.transforms,
            self.builtins,
            self.iterators,
            self.modules,
            self.arrays,
            self.pytrees,
            self.dispatching,
            self.gradients,
            self.methods,
            model_of,
        )

    def _connect(self) -> None:
        """What parts ask of later ones, and the methods that are found by the kind of a node or a name."""
        self.interpreter.expressions = self.expressions
        self.interpreter.keys = self.keys
        self.interpreter.definitions = self.definitions
        self.interpreter.attributes = self.attributes
        self.interpreter.narrowing = self.narrowing
        self.interpreter.assignments = self.assignments
        self.interpreter.control = self.control
        self.interpreter.imports = self.imports
        self.interpreter.statements = self.statements
        self.interpreter.contexts = self.contexts
        self.interpreter.fixtures = self.fixtures
        self.interpreter.calls = self.calls
        self.interpreter.transforms = self.transforms
        self.interpreter.lifting = self.lifting
        self.interpreter.containers = self.containers
        self.interpreter.decisions = self.decisions
        self.interpreter.builtins = self.builtins
        self.interpreter.library = self.library
        self.expressions.register(self.expressions, self.operators, self.comparisons, self.comprehensions)
        self.statements.register(
            self.statements, self.assignments, self.branches, self.control, self.imports, self.definitions
        )
        self.transforms.register(self.transform_rules, self.linen_transforms)
        self.builtins.register(self.builtins, self.decisions, self.iterators, self.standard)


# what a project that is jax itself, or a framework, defines, and the tables know better
TABLES = [
    name
    for name in (*FUNCTIONS, *WRAPPERS, *ARRAY_CLASSES, "jax.core.Tracer")
    if name.startswith("jax.") or name in WRAPPERS
]
