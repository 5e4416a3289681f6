"""Which events there are: a rule's method `visit_NAME` gets events of the class `EVENTS[NAME]`.

Names are those of LibCST's nodes where there is one, since an event is what happens at such a node.
"""

from __future__ import annotations

from collections.abc import Mapping

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
    MappedJit,
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

EVENTS: Mapping[str, type[Event]] = {
    "Assert": Test,
    "Assign": Store,
    "AttributeRead": AttributeRead,
    "AugAssign": Store,
    "BinaryOperation": Binary,
    "BooleanOperation": Boolean,
    "Call": Call,
    "Choice": Choice,
    "ClassDef": ClassEnd,
    "CompFor": Loop,
    "CompIf": Test,
    "Comparison": Boolean,
    "ConstantKey": ConstantKey,
    "Count": Count,
    "Decision": Decision,
    "Del": Store,
    "DonatedRead": DonatedRead,
    "Expr": Discard,
    "For": Loop,
    "FormattedString": Format,
    "Hashed": Hashed,
    "If": Test,
    "IfExp": Test,
    "JittedMethod": JittedMethod,
    "Kept": Kept,
    "KeyUse": KeyUse,
    "MappedJit": MappedJit,
    "MatchCase": Test,
    "Mutation": Mutation,
    "Recompile": Recompile,
    "Reference": Reference,
    "StaleRead": StaleRead,
    "StaticRead": StaticRead,
    "Store": Store,
    "Subscript": Subscript,
    "Transform": Transform,
    "TransformedCall": TransformedCall,
    "UnaryOperation": Boolean,
    "Update": Update,
    "While": Test,
}
"""The events by the name that a method has behind `visit_`."""
