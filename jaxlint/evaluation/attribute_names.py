"""Names of attributes that say what has them: an array, a cell, a module of a framework."""

from __future__ import annotations

from jaxlint.domain.layers import field_of, is_layer
from jaxlint.domain.objects import Bound, Function, Instance
from jaxlint.domain.program import World
from jaxlint.domain.values import BATCHED, DIFFERENTIATED, STAGED, UNKNOWN, Array, Product, Value
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.mentions import reads_own
from jaxlint.ir.nodes import NameExpr, ReturnStmt
from jaxlint.tables.array_methods import METHODS

METADATA = frozenset(
    "shape ndim dtype size itemsize nbytes aval sharding weak_type is_fully_addressable vma".split()
)
SAME_ARRAY = frozenset(("T", "mT", "real", "imag", "flat", "conj"))
# attributes that only an array has: reading one shows that a value is a single leaf
ARRAY_ONLY = frozenset(
    "shape ndim dtype size itemsize nbytes at T mT real imag flat sum mean max min prod std var any all "
    "argmax argmin reshape astype flatten ravel squeeze transpose swapaxes dot conj item cumsum "
    "clip round take trace diagonal block_until_ready tolist".split()
)
# those of them that are methods, and what else an array may be asked for
ARRAY_METHODS = ARRAY_ONLY - METADATA - (SAME_ARRAY - {"conj"}) - {"at"}
ATTRIBUTES = ARRAY_ONLY.union(METADATA, METHODS)
CELL_METHODS = frozenset(("get_value", "set_value"))
# methods of every module of flax's linen, with the names of their positional parameters but the last `*args`
LINEN_METHODS: dict[str, list[str]] = {
    "apply": ["variables"],
    "init": ["rngs"],
    "init_with_output": ["rngs"],
    "param": ["name", "init_fn"],
    "variable": ["col", "name", "init_fn"],
    "make_rng": ["name"],
    "is_initializing": [],
}
OF_IDENTIFIERS = frozenset(("hex", "urn", "version", "variant", "is_safe"))  # of which none is a number
TRACER_MODULES = {STAGED: "partial_eval", BATCHED: "batching", DIFFERENTIATED: "ad"}
CLOSED = frozenset(("tracer class", "opaque", "context", "schedule"))
# what of a distribution is known to be a method
OF_DISTRIBUTIONS = frozenset(
    "sample rsample sample_and_log_prob sample_with_intermediates log_prob prob expand "
    "expand_by to_event mask".split()
)
# methods of distrax's, of which numpyro's has the first one, and others as attributes
STATISTICS = frozenset("entropy mean median mode stddev variance".split())
_KNOWN_METHODS = {"signature": frozenset(("bind",))}


def held_by(owner: Product, name: str, depth: int, world: World) -> Value | None:
    """What a library's object holds under a name; None where that may be a method. `depth`: of the traces
    that read it. A program may set the variables of layers of nnx, and those of equinox are fixed."""
    if owner.kind == "record":
        fields: dict[str, Value] = dict(owner.parts[0])
        return fields.get(name, UNKNOWN)
    known = _KNOWN_METHODS.get(owner.kind)
    if is_layer(owner):
        is_fixed = owner.parts[0].startswith("equinox.") or not world.may_set(name)
        return (field_of(owner, name, depth) if is_fixed else None) or UNKNOWN
    if owner.kind == "distribution":
        if owner.parts[0].startswith("distrax") and name in STATISTICS:
            return None
        if name in owner.parts[2] and name != "entropy":
            return Array(STAGED)
        return None if name in (*OF_DISTRIBUTIONS, "entropy") else UNKNOWN
    return UNKNOWN if owner.kind in CLOSED or (known is not None and name not in known) else None


def haiku_parameters(method: str, made: Product) -> list[str]:
    """The parameters of `init` and `apply` of a function that haiku has transformed, but the last `*args`."""
    _, is_keyed, has_state = made.parts
    return ["params", *["state"] * has_state, *["rng"] * is_keyed] if method == "apply" else ["rng"]


def is_kept_from_start(owner: Value, getter: Value) -> bool:
    """Whether an object has the value of a getter that runs once before anybody else can ask for it: its
    constructor reads it."""
    if not isinstance(owner, Instance) or not isinstance(getter, Function):
        return False
    makers = [
        each.attributes.get(name) for each in owner.cls.lineage() for name in ("__init__", "__post_init__")
    ]
    return any(isinstance(each, Function) and reads_own(each.code, getter.code.name) for each in makers)


def gives_itself(method: Value) -> bool:
    """Whether all that a coroutine gives, once it is waited for, is the object that it is a method of."""
    func = method.func if isinstance(method, Bound) else method
    if not isinstance(func, Function) or not func.code.is_async or not func.code.params:
        return False
    given = [each.value for each in statements(func.code.body) if isinstance(each, ReturnStmt)]
    own = func.code.params[0].name
    return bool(given) and all(isinstance(each, NameExpr) and each.name == own for each in given)
