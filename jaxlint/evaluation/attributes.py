"""Attributes and special methods of values.

The methods named `a_KIND` read an attribute of a value of that kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.core import Core, Unreachable, readers
from jaxlint.analysis.events import AttributeRead, Test
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Birth
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import SHAPE, MutableContainer, Tuple, VariableRef, callees_of, join_all, level_of
from jaxlint.domain.key_tokens import OWN
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import arrays_of, is_of_all, texts_of, with_token
from jaxlint.domain.references import attribute_of
from jaxlint.domain.tokens import OPTAX_STATE
from jaxlint.domain.values import (
    ANY,
    BOOL,
    DTYPE,
    INT,
    STR,
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
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation import attribute_names as names_of
from jaxlint.evaluation.annotations import Annotations
from jaxlint.evaluation.bound_arguments import arguments_of
from jaxlint.evaluation.definitions import INSIDE, Definitions
from jaxlint.evaluation.delegation import Delegation, FunctionAttributes, makes_anew
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.heirs import is_abstract, own_of
from jaxlint.evaluation.inherited_containers import InheritedContainers
from jaxlint.tables.deprecation import is_listed

_TESTS = {"If": "if", "Assert": "assert", "IfExp": "ternary", "CompIf": "comprehension"}
_CALLED = (Function, Bound, Partial, Transformed, Class, Product)


class Attributes:
    """Reads attributes, and binds methods."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        expressions: Expressions,
        definitions: Definitions,
        annotations: Annotations,
        interpreter: Interpreter,
    ) -> None:
        self.flow, self.core = flow, core
        self.guards = guards
        self.staleness = staleness
        self.freshness = freshness
        self.expressions = expressions
        self.definitions = definitions
        self.annotations = annotations
        self.interpreter = interpreter
        self.inherited = InheritedContainers(core, interpreter)
        self.delegation = Delegation(flow, definitions.heirs, interpreter)
        self.of_functions = FunctionAttributes(flow, core, staleness)
        self.by_kind = readers(self, "a_")

    def special(self, owner: Instance | Tuple, name: str, nid: int) -> Value | None:
        """The method of an object, or of a named tuple, that an operator asks for."""
        if isinstance(owner, Instance):
            self.flow.frame.reads.setdefault((owner.origin or owner, name), self.core.changes)
            if owner.is_open:
                value = self._of_heirs(owner, name, nid)
                return None if value is None or isinstance(value, Unknown) else value
        found = None if owner.cls is None else owner.cls.lookup(name)
        if found is None:
            return self.inherited.method(owner, name, nid)
        return self.bind_method(found[0], owner, nid)

    def asked(self, value: Value, nid: int, event: str = "") -> Value:
        """What Python takes for the truth of a value: in a trace, of an object, what its own method gives.
        `event`: what rules are told where that is a tracer."""
        if not isinstance(value, (Instance, Tuple)) or not self.flow.context.depth:
            return value
        for name in ("__bool__", "__len__"):
            method = self.special(value, name, nid)
            if method is not None:
                result = self.interpreter.calls.call(method, [], {}, nid)
                if event and name == "__bool__" and level_of(result):
                    self.core.emit(event, Test(nid, self.flow.frame, result, _TESTS[event], name))
                return result if isinstance(result, Const) else BOOL
        return value

    def as_python(self, value: Value, names: Sequence[str], nid: int) -> None:
        """Python asks an object of the project for a number, in a trace: its method is run."""
        if isinstance(value, (Instance, Tuple)) and self.flow.context.depth:
            for name in names:
                method = self.special(value, name, nid)
                if method is not None:
                    self.interpreter.calls.call(method, [], {}, nid)
                    return

    def bind_method(self, value: Value, owner: Value, nid: int) -> Value:
        if isinstance(value, (Function, Transformed)):
            return Bound(
                value, owner, Birth(self.flow.frame, self.flow.frame.iterations, (), self.flow.frame)
            )
        if isinstance(value, Product):
            if value.kind == "staticmethod":
                inner: Value = value.parts[0]
                return inner
            if value.kind == "classmethod":
                return Bound(value.parts[0], owner.cls if isinstance(owner, Instance) else owner)
            if value.kind == "property":
                self.staleness.keeping += value.parts[1]
                context = self.flow.context
                if value.parts[1] and context.staged and names_of.is_kept_from_start(owner, value.parts[0]):
                    self.interpreter.statements.set_context(context._replace(staged=False, quiet=True))
                try:
                    return self.interpreter.calls.call(value.parts[0], [owner], {}, nid)
                finally:
                    self.interpreter.statements.set_context(context)
                    self.staleness.keeping -= value.parts[1]
            if value.kind == "dispatcher" and value.parts[1]:
                return Partial(value, (owner,), ())
            if value.kind == "library-method":
                return Bound(External(value.parts[0]), owner)
            if value.kind == "partialmethod":
                return Partial(Bound(value.parts[0], owner), value.parts[1], value.parts[2])
        if isinstance(value, (OneOf, Candidates)):
            return join_all(self.bind_method(option, owner, nid) for option in value.options)
        return value

    def _of_member(self, value: Value, owner: Product, nid: int) -> Value:
        """What the class of an enumeration has by a name: a method of its members, or another member."""
        return self.bind_method(value, owner, nid) if isinstance(value, _CALLED) else UNKNOWN

    def attribute(self, owner: Value, name: str, nid: int) -> Value:
        reader = self.by_kind.get(type(owner))
        return UNKNOWN if reader is None else reader(owner, name, nid)

    def named(self, owner: Value, name: Value, nid: int) -> Value:
        """The attribute that a value names: any of them where it is one of several names."""
        names = sorted(texts_of(name))
        if len(names) < 2:
            return self.attribute(owner, names[0], nid) if names else UNKNOWN
        names = self.interpreter.imports.there(owner, names)
        if isinstance(owner, External):  # no use of each of them
            return join_all([self.interpreter.library.external(f"{owner.name}.{each}") for each in names])
        return join_all([self.attribute(owner, each, nid) for each in names])

    def a_Unknown(self, owner: Unknown, name: str, nid: int) -> Value:
        if name == "__version__":
            return FeatureProbe("any", "version")
        if name == "at" and self.definitions.heirs.is_updater(self.flow.module):
            return Product("at", owner)
        if owner.token is None:
            return UNKNOWN
        overlay = self.flow.env.vars.get(("@", owner.token, name))
        if overlay is None:
            if name in self.definitions.getters:
                return Unknown(self.core.fresh())  # it may well be an object of that class
            overlay = Unknown((owner.token, ".", name))
        return self.core.fresh_copy(overlay) if owner.token in self.flow.frame.touched else overlay

    def a_External(self, owner: External, name: str, nid: int) -> Value:
        full = f"{owner.name}.{name}"
        if is_listed(full):
            self.guards.refer(nid, full, "attribute")
        return self.interpreter.library.external(full)

    def a_FeatureProbe(self, owner: FeatureProbe, name: str, nid: int) -> Value:
        return UNKNOWN if owner.type == "object" else owner

    def a_Imported(self, owner: Imported, name: str, nid: int) -> Value:
        module = owner.module
        if name == "__dict__":
            return Product("variables", owner)
        # What is no identifier is no variable of a program, and may be a mark of the analysis.
        value = module.env.vars.get(name) if name.isidentifier() else UNKNOWN
        if value is not None:
            if self.flow.context.staged and not isinstance(value, (Function, Class, Imported, External)):
                self.staleness.note_read(module.env, name, value, nid)
            if type(value) is MutableContainer:
                self.flow.frame.reads.setdefault((module.env, name), self.core.changes)
            if name in module.rebound:
                self.flow.frame.reads.setdefault((module.env, name), self.core.changes)
                return self.expressions.module_variable(module, name, value)
            return value
        for own in module.names:
            inner = self.core.world.by_name.get(f"{own}.{name}")
            if inner is not None:
                self.interpreter.loader.load(inner)
                return Imported(inner)
        return self.interpreter.imports.member(module, name) or UNKNOWN

    def a_Array(self, owner: Array, name: str, nid: int) -> Value:
        if name == "shape":
            return SHAPE if owner.ndim is None else Tuple((INT,) * owner.ndim)
        if name in ("ndim", "size", "itemsize", "nbytes"):
            return Const(owner.ndim) if name == "ndim" and owner.ndim is not None else INT
        if name == "dtype":
            return DTYPE
        if name in names_of.METADATA:
            return ANY
        if name == "__class__" and owner.level:
            return Product("tracer class", owner.level)
        if name in names_of.SAME_ARRAY and name != "conj":
            return owner if name != "flat" else Array(owner.level, owner.dtype, 1)
        if name == "at":
            return Product("at", owner)
        self.guards.refer_method(nid, owner, name)
        return Product("method", name, owner)

    def a_TracerPytree(self, owner: TracerPytree, name: str, nid: int) -> Value:
        if name in names_of.ARRAY_ONLY:
            return self.a_Array(Array(owner.level), name, nid)
        if name in ("items", "values", "keys", "get", "copy", "pop", "_replace", "replace", "_asdict"):
            return Product("method", name, owner)
        if owner.made == OPTAX_STATE and name[0] != "_":
            return Array(owner.level, "i", 0) if name == "count" else TracerPytree(owner.level)
        return UNKNOWN if owner.token is None else self.a_Unknown(Unknown(owner.token), name, nid)

    def a_VariableRef(self, owner: VariableRef, name: str, nid: int) -> Value:
        if name == "value":
            return owner.inner
        if name in names_of.CELL_METHODS:
            return Product("method", name, owner)
        return self.attribute(owner.inner, name, nid) if name in names_of.ARRAY_ONLY else UNKNOWN

    def a_NumPyArray(self, owner: NumPyArray, name: str, nid: int) -> Value:
        if name == "shape":
            return SHAPE
        if name in ("ndim", "size", "itemsize", "nbytes"):
            return INT
        if name == "dtype":
            return DTYPE
        if name in names_of.SAME_ARRAY:
            return owner.seen_otherwise()
        return Product("method", name, owner)

    def a_Key(self, owner: Key, name: str, nid: int) -> Value:
        if name == "shape":
            return SHAPE
        if name in names_of.METADATA:
            return ANY
        self.guards.refer_method(nid, owner, name)
        return Product("method", name, owner)

    def a_Tuple(self, owner: Tuple, name: str, nid: int) -> Value:
        if owner.cls is not None and owner.items is not None:
            names = list(owner.cls.all_fields())
            if name in names and names.index(name) < len(owner.items):
                return owner.items[names.index(name)]
            found = owner.cls.lookup(name)
            if found is not None:
                return self.bind_method(found[0], owner, nid)
        return Product("method", name, owner)

    def a_MutableContainer(self, owner: MutableContainer, name: str, nid: int) -> Value:
        return Product("method", name, owner)

    def a_Const(self, owner: Const, name: str, nid: int) -> Value:
        if owner.value is None:
            if name.startswith("__"):
                return UNKNOWN
            raise Unreachable  # this raises AttributeError: nothing follows
        if name in ("real", "imag", "numerator", "denominator"):
            return ANY
        return Product("method", name, owner)

    def a_Static(self, owner: Static, name: str, nid: int) -> Value:
        if owner.type in ("int", "float", "str", "bool"):
            return Product("method", name, owner)
        if owner.type in ("dtype", "finfo"):
            return STR if name in ("name", "kind", "char", "str") else ANY
        return Unknown()

    def a_Class(self, owner: Class, name: str, nid: int) -> Value:
        found = owner.lookup(name)
        if found is not None:
            value = found[0]
            if "enum" in owner.marks and not isinstance(value, (Function, Product)):
                return Product("member", owner, name)
            if isinstance(value, Product) and value.kind in ("staticmethod", "classmethod"):
                return self.bind_method(value, owner, nid)
            self.staleness.note_class_read(found[1], name, value, nid)
            return value
        if name in ("__name__", "__qualname__", "__module__", "__doc__"):
            return STR
        return Product("variables", owner) if name == "__dict__" else UNKNOWN

    def a_Function(self, owner: Function, name: str, nid: int) -> Value:
        if (held := self.of_functions.read(owner, name, nid)) is not None:
            return held
        if name == "cache_clear" and self.staleness.note_emptied(owner):
            return Product("method", name, owner)
        if name in ("__name__", "__qualname__", "__module__", "__doc__"):
            shown = owner.shown_name(name)
            return STR if shown is None else Const(shown)
        return UNKNOWN

    def a_Bound(self, owner: Bound, name: str, nid: int) -> Value:
        if name == "__self__":
            return owner.owner
        if isinstance(owner.func, Transformed):
            return Product("method", name, owner)
        return self.attribute(owner.func, name, nid)

    def a_Partial(self, owner: Partial, name: str, nid: int) -> Value:
        return {"func": owner.func, "args": Tuple(owner.args)}.get(name, UNKNOWN)

    def a_Transformed(self, owner: Transformed, name: str, nid: int) -> Value:
        found = owner.func if name == "__wrapped__" else self.of_functions.read(owner, name, nid)
        return found or Product("method", name, owner)

    def a_OneOf(self, owner: OneOf, name: str, nid: int) -> Value:
        self.flow.guards += 1  # which of them it is depends
        result = join_all(
            self.attribute(option, name, nid)
            for option in owner.options
            if not (isinstance(option, Const) and option.value is None)
        )
        self.flow.guards -= 1
        return result

    def a_Candidates(self, owner: Candidates, name: str, nid: int) -> Value:
        """Where it may be something else, too, no more is known of an attribute than what it calls."""
        found = []
        self.flow.guards += 1
        for option in owner.options:
            found.append(self.attribute(option, name, nid))
            is_called = all(isinstance(each, _CALLED) for each in callees_of(found[-1]) or (UNKNOWN,))
            if type(found[-1]) is Unknown or (owner.is_open and not is_called):
                found.append(self.a_Unknown(owner, name, nid))
                break
        self.flow.guards -= 1
        return join_all(found)

    def a_Product(self, owner: Product, name: str, nid: int) -> Value:
        if owner.kind == "namespace":
            return self.interpreter.imports.module_value(f"{owner.parts[0]}.{name}")
        if owner.kind == "super":
            return self._super_attribute(owner, name, nid)
        if owner.kind == "member":
            if name == "value":
                return owner.parts[0].attributes.get(owner.parts[1], UNKNOWN)  # type: ignore[no-any-return]
            own = owner.parts[0].lookup(name) if name != "name" else None
            return STR if name == "name" else UNKNOWN if own is None else self._of_member(own[0], owner, nid)
        if owner.kind == "ref":
            return attribute_of(owner, name)
        if owner.kind == "request":
            asks = Product("method", name, owner)
            return owner.parts[0] if name == "param" else asks if name == "getfixturevalue" else UNKNOWN
        if owner.kind == "haiku":
            return Product("haiku-method", name, owner)
        if owner.kind == "haiku-several":
            chosen: Value = owner.parts[name == "apply"]
            return chosen
        if owner.kind == "property" and name in ("setter", "getter", "deleter"):
            return Product("property-part", owner, name)
        if owner.kind == "tracer class" and name == "__module__":
            module = names_of.TRACER_MODULES.get(owner.parts[0])
            return STR if module is None else Const(f"jax._src.interpreters.{module}")
        if owner.kind == "layer" and name in ("init", "apply") and owner.parts[0].startswith("flax.linen."):
            return Product("linen-method", name, owner)
        if (held := names_of.held_by(owner, name, self.flow.context.depth, self.core.world)) is not None:
            return held
        if owner.kind == "rngs":
            return Product("rngs-part", name, *owner.parts)
        if owner.kind == "bound" and name != "apply_defaults":
            return arguments_of(owner.parts[2], owner.parts[3], name, self.core, nid)
        if owner.kind == "treedef" and name in ("num_leaves", "num_nodes"):
            return INT
        if owner.kind == "identifier":
            if name not in names_of.OF_IDENTIFIERS:
                self.interpreter.library.read_number(owner)
            return UNKNOWN
        self.guards.refer_method(nid, owner, name)
        return Product("method", name, owner) if owner.kind != "device" else UNKNOWN

    def _super_attribute(self, owner: Product, name: str, nid: int) -> Value:
        cls, instance = owner.parts
        lineage = instance.cls.lineage() if isinstance(instance, Instance) else cls.lineage()
        if isinstance(instance, Instance):
            self.flow.frame.reads.setdefault((instance, ("super", cls)), self.core.changes)
        after = lineage[lineage.index(cls) + 1 :] if cls in lineage else cls.lineage()[1:]
        for each in after:
            if name in each.attributes:
                return self.bind_method(each.attributes[name], instance, nid)
        if name != "__setattr__" and (own := self.inherited.method(instance, name, nid)) is not None:
            return own
        if name in ("__init__", "__setattr__") and isinstance(instance, Instance):
            return Partial(External(f"builtins.object.{name}"), (instance,), ())
        return External("builtins.object.__init__") if name.startswith("__") else UNKNOWN

    def a_Instance(self, owner: Instance, name: str, nid: int) -> Value:
        value = self.of_instance(owner, name, nid)
        self.freshness.note_static_read(owner, name, nid)
        if self.flow.context.staged and not isinstance(value, (Function, Bound, Class)):
            self.staleness.note_attribute(owner, name, value, nid)
        if "AttributeRead" in self.core.hooks and self.flow.context.staged:
            self.core.emit("AttributeRead", AttributeRead(nid, self.flow.frame, owner, name, value))
        return value

    def held(self, owner: Instance, name: str) -> Value:
        """What an attribute that methods have set holds; objects made with one key have it as yet."""
        value = owner.attributes[name]
        is_alike = bool(owner.alike) and (OWN, name) not in owner.alike
        is_one = not owner.many or (is_alike and ("@", id(owner), name) not in self.flow.env.vars)
        token = (id(owner), ".", name) if is_one else None
        if type(value) is Candidates:
            return with_token(value, token)
        if isinstance(value, Unknown):
            return Unknown(token, value.truth, arrays=arrays_of(value))
        if isinstance(value, OneOf) and any(isinstance(each, Key) for each in value.options):
            return Unknown(token, arrays=arrays_of(value))
        is_new = not is_one or (owner.many and type(value) not in (Key, TracerPytree))
        return self.core.fresh_copy(value) if is_new else value

    def _of_heirs(self, owner: Instance, name: str, nid: int) -> Value | None:
        made, beside = self.definitions.generic_instance, self.interpreter.lifting.beside
        return self.definitions.heirs.read(owner, name, nid, made, self.bind_method, beside)

    def _annotated(self, owner: Instance, name: str) -> Value:
        """What a field is annotated to be; of an object that is made, the function that any of them has."""
        of_any = self.annotations.field if owner.generic else self.definitions.heirs.function_of_any
        has_many = owner.many or makes_anew(owner.cls, name)
        return of_any(owner, name) or Unknown(None if has_many else (id(owner), ".", name))

    def of_instance(self, owner: Instance, name: str, nid: int = 0) -> Value:
        """What an attribute of an object holds; rules are not told that it is read."""
        # a property reads other things
        item, self.flow.item = self.flow.item, None
        value = self._instance_value(owner, name, nid)
        self.flow.item = item
        may_be_new = owner.depth == INSIDE and owner.cls.has_mark("nnx")
        return self.interpreter.lifting.rebuilt(value) if may_be_new else value

    def _instance_value(self, owner: Instance, name: str, nid: int) -> Value:
        overlay = self.flow.env.vars.get(("@", id(owner), name))
        if overlay is not None and (isinstance(overlay, Unknown) or is_of_all(owner, overlay)):
            return overlay
        self.flow.frame.reads.setdefault((owner.origin or owner, name), self.core.changes)
        is_shadowed = self.delegation.is_shadowed(owner, name)
        if owner.is_open and not is_shadowed and (owner.origin or name not in owner.attributes):
            value = self._of_heirs(owner, name, nid)
            if value is not None:
                return value
        if name in owner.attributes and not self.delegation.is_asked(owner, name, nid):
            return own_of(owner, name, self.held(owner, name)) if owner.origin else self.held(owner, name)
        found = owner.cls.lookup(name)
        if found is not None and not is_shadowed and not is_abstract(found[0]):
            value = found[0]
            if isinstance(value, (Function, Transformed, Product, OneOf, Candidates)):
                return self.bind_method(value, owner, nid)
            self.staleness.note_class_read(found[1], name, value, nid, True)
            if name in owner.cls.all_fields() or owner.generic:
                if owner.generic and not isinstance(value, (Class, External)):
                    # a subclass or a caller may have set it
                    return self._annotated(owner, name) if name in owner.cls.all_fields() else value
            return value
        if (base := owner.holder(name)) is not None:
            self.flow.frame.reads.setdefault((base, name), self.core.changes)
            return own_of(owner, name, base.attributes[name])
        if name in ("__class__", "__dict__"):
            return owner.cls if name == "__class__" else Product("variables", owner)
        if (method := self.inherited.method(owner, name, nid)) is not None:
            return method
        getter = owner.cls.lookup("__getattr__")
        if getter is not None and not name.startswith("__"):
            if (value := self.delegation.by_getter(getter[0], owner, name, nid)) is not None:
                return value
        if getter is None and "equinox" in owner.cls.marks and name == "__init__":
            return UNKNOWN
        if name == "replace" and owner.cls.has_mark("replaces"):
            return Product("replacing", owner)
        if name == "variant" and self.definitions.is_variant(self.flow.frame.func):
            return External("chex.$variant")
        if name in names_of.LINEN_METHODS and owner.cls.has_mark("linen"):
            return Product("linen-method", name, owner)
        return self._annotated(owner, name)
