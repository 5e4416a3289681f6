"""All that a rule imports: its base class, events, the model, abstract values, places, and the kit for fixes.

A rule is one class without state. Its docstring is its documentation. `visit_<Event>` methods get an event
and the model, and yield findings; a finding's place is a node number and its texts are templates filled from
the source when it is reported.
"""

from __future__ import annotations

from jaxlint.analysis.events import (
    AttributeRead,
    Binary,
    Boolean,
    Call,
    Choice,
    ClassEnd,
    ConstantKey,
    Count,
    Decision,
    Discard,
    DonatedRead,
    Format,
    Hashed,
    JittedMethod,
    Kept,
    KeyUse,
    Loop,
    LostChange,
    MappedJit,
    ModuleChange,
    Recompile,
    Reference,
    StaleRead,
    StaticRead,
    Store,
    Subscript,
    Test,
    Transform,
    TransformedCall,
    Update,
)
from jaxlint.analysis.function_context import Event, Mutation
from jaxlint.analysis.numpy_memory import Written, is_always_refused, written
from jaxlint.analysis.static_hash import hashed_by_method
from jaxlint.claim import CLAIM_KINDS, Claim, Example
from jaxlint.diagnostic import Applicability, Edit, Fix
from jaxlint.domain.hashing import (
    has_hash_of_leaves,
    hashed_array,
    hashed_fields,
    hashed_leaf,
    hashes_fields,
    lacks_hash,
)
from jaxlint.domain.objects import CALLABLE
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.values import BATCHED, UNKNOWN, VIEW
from jaxlint.failure import MESSAGE
from jaxlint.fixes.api_migration import advice, error_of, migration_of, number, rewritten, subject
from jaxlint.fixes.array_safe_uses import safety, takes_tracer
from jaxlint.fixes.definite_assignment import is_bound_at, next_statement, only_statement
from jaxlint.fixes.imports import has_builtin, meaning, reached, spelled, spelling, unused
from jaxlint.fixes.induction_variables import counters, is_steady
from jaxlint.fixes.item_updates import UPDATES, keeps_order, updated, written_item
from jaxlint.fixes.loops_to_lax import as_fori_loop, as_while_loop
from jaxlint.fixes.matmul import as_matmul, sides
from jaxlint.fixes.rewrite import (
    around,
    bounds,
    cut,
    has_comment,
    is_atom,
    is_repeatable,
    operand,
    plain_operator,
    put,
    replaced,
    whole,
)
from jaxlint.fixes.shapes import (
    SCALAR,
    Kinds,
    Reader,
    arrays_by_use,
    forms_of,
    kind_of,
    kinds_of,
    result_of,
    variables_in,
)
from jaxlint.fixes.static_arguments import takes_tuple, traced_static_arguments
from jaxlint.fixes.uniqueness import binding, home_of, is_bound, is_owner, occurrences, reads
from jaxlint.ir.finding import Finding, NodeFinding, Part
from jaxlint.ir.locations import Located
from jaxlint.ir.loop_carried import LONG
from jaxlint.ir.places import Binding
from jaxlint.library.call_sites import Caller
from jaxlint.library.rule_model import (
    Array,
    Bound,
    Class,
    Const,
    External,
    Function,
    Instance,
    Model,
    MutableContainer,
    NumPyArray,
    OneOf,
    Partial,
    Product,
    Static,
    Text,
    TracerPytree,
    Transformed,
    Tuple,
    Unknown,
    Value,
)
from jaxlint.rule.definition import API_VERSION, Rule, SyntacticRule
from jaxlint.rule.event_names import EVENTS
from jaxlint.rule.key_notes import key_notes
from jaxlint.rule.source_model import SourceModel
from jaxlint.rule.traced_part import traced_part
from jaxlint.source.from_libcst import dotted_name
from jaxlint.source.lazy_libcst import cst, matchers
from jaxlint.tables.array_methods import METHODS
from jaxlint.tables.host_methods import HOST_METHODS
from jaxlint.tables.impure import GENERATOR_METHODS, IMPURE
from jaxlint.tables.jax_functions import ALIASES, FUNCTIONS
from jaxlint.tables.numpy_functions import NUMPY, POSITIONS, STRICT
from jaxlint.tables.python_on_tracer import MATH
from jaxlint.tables.scipy_functions import SCIPY
from jaxlint.tables.signatures import METHOD, parameter_at, signature
from jaxlint.tables.standard import STANDARD

__all__ = [
    "ALIASES",
    "UNKNOWN",
    "API_VERSION",
    "Applicability",
    "Array",
    "AttributeRead",
    "BATCHED",
    "Binary",
    "Binding",
    "Boolean",
    "Bound",
    "CALLABLE",
    "CLAIM_KINDS",
    "Call",
    "Caller",
    "Choice",
    "Claim",
    "Class",
    "ClassEnd",
    "Const",
    "ConstantKey",
    "Count",
    "Decision",
    "Discard",
    "DonatedRead",
    "EVENTS",
    "Edit",
    "Event",
    "Example",
    "External",
    "FUNCTIONS",
    "Finding",
    "Fix",
    "Format",
    "Function",
    "GENERATOR_METHODS",
    "HOST_METHODS",
    "Hashed",
    "IMPURE",
    "Instance",
    "JittedMethod",
    "Kept",
    "KeyUse",
    "Kinds",
    "LEAVES",
    "MESSAGE",
    "LONG",
    "Located",
    "Loop",
    "MATH",
    "METHOD",
    "METHODS",
    "LostChange",
    "ModuleChange",
    "MappedJit",
    "Model",
    "MutableContainer",
    "Mutation",
    "NUMPY",
    "NodeFinding",
    "NumPyArray",
    "OneOf",
    "POSITIONS",
    "SCIPY",
    "STRICT",
    "Part",
    "Partial",
    "Product",
    "Reader",
    "Recompile",
    "Reference",
    "Rule",
    "SCALAR",
    "STANDARD",
    "SourceModel",
    "StaleRead",
    "Static",
    "StaticRead",
    "Store",
    "Subscript",
    "SyntacticRule",
    "Test",
    "Text",
    "TracerPytree",
    "Transform",
    "Transformed",
    "TransformedCall",
    "Tuple",
    "UPDATES",
    "Unknown",
    "Update",
    "VIEW",
    "Value",
    "Written",
    "advice",
    "around",
    "arrays_by_use",
    "as_fori_loop",
    "as_matmul",
    "as_while_loop",
    "binding",
    "bounds",
    "counters",
    "cst",
    "cut",
    "dotted_name",
    "error_of",
    "forms_of",
    "has_builtin",
    "has_comment",
    "has_hash_of_leaves",
    "hashed_array",
    "hashed_by_method",
    "hashed_fields",
    "hashed_leaf",
    "hashes_fields",
    "home_of",
    "is_always_refused",
    "is_atom",
    "is_bound",
    "is_bound_at",
    "is_owner",
    "is_repeatable",
    "is_steady",
    "keeps_order",
    "key_notes",
    "lacks_hash",
    "traced_part",
    "kind_of",
    "kinds_of",
    "matchers",
    "migration_of",
    "meaning",
    "next_statement",
    "number",
    "occurrences",
    "only_statement",
    "operand",
    "parameter_at",
    "plain_operator",
    "put",
    "reached",
    "reads",
    "replaced",
    "result_of",
    "rewritten",
    "safety",
    "sides",
    "signature",
    "spelled",
    "spelling",
    "subject",
    "takes_tracer",
    "takes_tuple",
    "traced_static_arguments",
    "unused",
    "updated",
    "variables_in",
    "whole",
    "written",
    "written_item",
]
