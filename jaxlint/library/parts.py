"""The parts of the analysis, put together: each is given those that it uses.

A part is built after the parts that it uses. What it asks of parts that are built later goes through the
`Interpreter`, which is complete once this is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.constant_keys import ConstantKeys
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
from jaxlint.calling.control_primitives import ControlPrimitives
from jaxlint.calling.function_calls import FunctionCalls
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.transforms import Transforms
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.control_flow import ControlFlow
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.module_imports import ModuleImports
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.evaluation.operators import Operators
from jaxlint.evaluation.statements import Statements
from jaxlint.library.array_results import ArrayResults
from jaxlint.library.builtin import Builtins
from jaxlint.library.containers import Containers
from jaxlint.library.decisions import Decisions
from jaxlint.library.framework_modules import FrameworkModules
from jaxlint.library.iteration import Iterators
from jaxlint.library.jax_calls import PUBLISHED, Library
from jaxlint.library.object_methods import ObjectMethods
from jaxlint.library.pytrees import Pytrees
from jaxlint.library.self_hosting import published
from jaxlint.library.standard import Standard

if TYPE_CHECKING:
    from jaxlint.analysis.core import Listener
    from jaxlint.domain.program import World
    from jaxlint.project.settings import JaxSettings


class Parts:
    """All parts of one analysis."""

    def __init__(
        self, world: World, rules: Sequence[Listener], taught: JaxSettings, loader: ModuleLoader
    ) -> None:
        flow = self.flow = FlowState()
        interpreter = Interpreter(loader)
        core = self.core = Core(flow, world, rules, taught)
        guards = self.guards = FeatureGuards(flow, core, interpreter)
        staleness = self.staleness = TraceStaleness(flow, core)
        freshness = self.freshness = FunctionFreshness(flow, staleness)
        constants = self.constants = ConstantKeys(flow, core)
        consumption = self.consumption = KeyConsumption(flow, core, constants)
        expressions = self.expressions = Expressions(flow, core, guards, staleness, interpreter)
        keys = self.keys = Keys(flow, core, constants, consumption, expressions, interpreter)
        operators = self.operators = Operators(flow, core, expressions, interpreter)
        definitions = self.definitions = Definitions(
            flow, core, guards, staleness, freshness, expressions, interpreter
        )
        attributes = self.attributes = Attributes(
            flow, core, guards, staleness, freshness, expressions, definitions, interpreter
        )
        narrowing = self.narrowing = Narrowing(
            flow, core, consumption, expressions, definitions, attributes, interpreter
        )
        assignments = self.assignments = Assignment(
            flow,
            core,
            guards,
            staleness,
            freshness,
            constants,
            expressions,
            keys,
            operators,
            attributes,
            narrowing,
            interpreter,
        )
        control = self.control = ControlFlow(
            flow,
            core,
            guards,
            staleness,
            freshness,
            expressions,
            keys,
            operators,
            attributes,
            narrowing,
            assignments,
            interpreter,
        )
        imports = self.imports = ModuleImports(flow, core, guards, expressions, assignments, interpreter)
        statements = self.statements = Statements(
            flow,
            core,
            guards,
            staleness,
            constants,
            expressions,
            definitions,
            attributes,
            narrowing,
            assignments,
            interpreter,
        )
        arguments = self.arguments = Arguments(flow, core, expressions, keys, definitions)
        effects = self.effects = CallEffects(flow, core, freshness, consumption, attributes)
        contexts = self.contexts = FunctionCalls(
            flow,
            core,
            guards,
            staleness,
            freshness,
            consumption,
            definitions,
            statements,
            arguments,
            effects,
            interpreter,
        )
        construction = self.construction = Construction(
            flow, core, staleness, freshness, consumption, attributes, interpreter
        )
        calls = self.calls = Calls(
            flow, core, guards, consumption, attributes, contexts, construction, interpreter
        )
        lifting = self.lifting = Lifting(flow, core, arguments)
        transforms = self.transforms = Transforms(
            flow, core, staleness, freshness, expressions, keys, definitions, narrowing, calls, lifting
        )
        primitives = self.primitives = ControlPrimitives(
            flow, core, staleness, expressions, keys, calls, lifting, transforms
        )
        containers = self.containers = Containers(
            flow, core, staleness, expressions, keys, attributes, assignments, calls
        )
        decisions = self.decisions = Decisions(flow, core, operators, attributes, calls, containers)
        builtins = self.builtins = Builtins(
            flow,
            core,
            guards,
            expressions,
            keys,
            operators,
            attributes,
            assignments,
            calls,
            containers,
            interpreter,
        )
        iterators = self.iterators = Iterators(
            flow, core, expressions, operators, attributes, calls, containers, decisions
        )
        standard = self.standard = Standard(
            flow, core, staleness, freshness, statements, effects, calls, lifting, containers, builtins
        )
        modules = self.modules = FrameworkModules(
            flow, core, consumption, attributes, calls, lifting, primitives
        )
        arrays = self.arrays = ArrayResults(flow, core)
        pytrees = self.pytrees = Pytrees(flow, core, consumption, calls, lifting)
        methods = self.methods = ObjectMethods(
            flow,
            core,
            staleness,
            keys,
            calls,
            transforms,
            containers,
            decisions,
            builtins,
            standard,
            interpreter,
        )
        library = self.library = Library(
            flow,
            core,
            guards,
            staleness,
            consumption,
            expressions,
            keys,
            construction,
            calls,
            transforms,
            builtins,
            iterators,
            modules,
            arrays,
            pytrees,
            methods,
        )

        interpreter.expressions = expressions
        interpreter.keys = keys
        interpreter.definitions = definitions
        interpreter.attributes = attributes
        interpreter.narrowing = narrowing
        interpreter.assignments = assignments
        interpreter.control = control
        interpreter.imports = imports
        interpreter.statements = statements
        interpreter.contexts = contexts
        interpreter.calls = calls
        interpreter.transforms = transforms
        interpreter.containers = containers
        interpreter.decisions = decisions
        interpreter.builtins = builtins
        interpreter.library = library

        expressions.register(expressions, operators)
        statements.register(statements, assignments, control, imports, definitions)
        builtins.register(builtins, decisions, iterators, standard)
        library.register(library, pytrees, primitives, iterators, standard, modules)
        statements.published = published(world, (*PUBLISHED, *taught.jit_wrappers, *taught.key_sinks))
