"""The transforms, and what each needs from the function that it is given.

A *wrapping* transform takes a function and gives one (`jax.jit`): layers, outermost first.
A *calling* one runs the function that it is given (`lax.scan`): a template. Both say which
kinds of value they take and how the traced function's result must look.
"""

from __future__ import annotations

from dataclasses import dataclass

from .spec import FLAG, INTEGER, KINDS, SCALAR, VECTOR

REAL = (SCALAR, VECTOR)
NUMBERS = (SCALAR, VECTOR, INTEGER)


@dataclass(frozen=True, slots=True)
class Layer:
    """One function of JAX: options where the second argument is static, and harmless ones."""

    home: str
    name: str
    static: tuple[str, ...] = ("",)
    harmless: str = ""

    @property
    def path(self) -> str:
        return f"{self.home}.{self.name}"


JIT = Layer("jax", "jit", ("static_argnums=1", 'static_argnames="{cfg}"', "static_argnums=(1,)"), "")
NUMBERED_JIT = Layer("jax", "jit", ("static_argnums=1", "static_argnums=(1,)"))
VMAP = Layer("jax", "vmap", ("in_axes=(0, None)",), "in_axes=0")
GRAD = Layer("jax", "grad", harmless="argnums=0")


@dataclass(frozen=True, slots=True)
class Wrapping:
    """`lead` is the length of the mapped axis, None where nothing is mapped."""

    name: str
    layers: tuple[Layer, ...]
    kinds: tuple[str, ...] = KINDS
    lead: int | None = None
    result: str = "any"  # any | number: a float scalar is wanted
    bindings: tuple[str, ...] = ("absent", "static", "traced")
    differentiates: bool = False
    hashed: bool = True  # a static argument must be hashable


@dataclass(frozen=True, slots=True)
class Calling:
    """Templates over {f} the function, {x} its argument, {v} the traced parameter.

    `plain` calls the function without the transform.
    """

    name: str
    home: str
    attribute: str
    parameters: tuple[str, ...]
    call: str
    plain: str
    result: str
    kinds: tuple[str, ...] = NUMBERS
    lead: int | None = None
    typed: bool = False  # the argument must be an array
    unpack: str = ""
    setup: str = ""
    host: bool = False  # the function runs on the host

    @property
    def path(self) -> str:
        return f"{self.home}.{self.attribute}"


def _wrappings() -> list[Wrapping]:
    checkpoint = Layer("jax", "checkpoint", ("static_argnums=(1,)",), "prevent_cse=False")
    return [
        Wrapping("eager", ()),
        Wrapping("jit", (JIT,)),
        Wrapping("vmap", (VMAP,), lead=4, hashed=False),
        Wrapping("grad", (GRAD,), REAL, result="number", differentiates=True, hashed=False),
        Wrapping(
            "value_and_grad",
            (Layer("jax", "value_and_grad", harmless="argnums=0"),),
            REAL,
            result="number",
            differentiates=True,
            hashed=False,
        ),
        Wrapping(
            "jacfwd",
            (Layer("jax", "jacfwd", harmless="argnums=0"),),
            REAL,
            result="number",
            differentiates=True,
            hashed=False,
        ),
        Wrapping(
            "jacrev",
            (Layer("jax", "jacrev", harmless="argnums=0"),),
            REAL,
            result="number",
            differentiates=True,
            hashed=False,
        ),
        Wrapping(
            "hessian",
            (Layer("jax", "hessian", harmless="argnums=0"),),
            REAL,
            result="number",
            differentiates=True,
            hashed=False,
        ),
        Wrapping("checkpoint", (checkpoint,)),
        Wrapping("remat", (Layer("jax", "remat", ("static_argnums=(1,)",), "prevent_cse=False"),)),
        Wrapping(
            "pmap",
            (Layer("jax", "pmap", ("static_broadcasted_argnums=1",), "axis_name='i'"),),
            lead=1,
            result="array",
        ),
        Wrapping("make_jaxpr", (Layer("jax", "make_jaxpr", ("static_argnums=1",), "return_shape=False"),)),
        Wrapping(
            "vectorize",
            (Layer("jnp", "vectorize", ("excluded={1}",), "excluded=()"),),
            lead=4,
            result="array",
            kinds=(SCALAR, INTEGER, FLAG),
            bindings=("absent", "static"),
            hashed=False,
        ),
        Wrapping("jit-vmap", (NUMBERED_JIT, VMAP), lead=4),
        Wrapping("vmap-jit", (VMAP, JIT), lead=4),
        Wrapping("jit-grad", (NUMBERED_JIT, GRAD), REAL, result="number", differentiates=True),
        Wrapping("grad-jit", (GRAD, JIT), REAL, result="number", differentiates=True),
        Wrapping("vmap-grad", (VMAP, GRAD), REAL, lead=4, result="number", differentiates=True, hashed=False),
        Wrapping("grad-checkpoint", (GRAD, checkpoint), REAL, result="number", differentiates=True),
        Wrapping("jit-checkpoint", (JIT, Layer("jax", "checkpoint", ("static_argnums=(1,)",)))),
    ]


_CARRY = "jnp.asarray({v} + jnp.sum({out}), jnp.result_type({v}))"


def _callings() -> list[Calling]:
    lax = "jax.lax"
    return [
        Calling(
            "scan-x",
            lax,
            "scan",
            ("carry", "{v}"),
            "{t}({f}, 0.0, {x})",
            "{f}(0.0, {x})",
            "carry, {out}",
            KINDS,
            lead=4,
        ),
        Calling(
            "scan-carry",
            lax,
            "scan",
            ("{v}", "_"),
            "{t}({f}, {x}, None, length=2)",
            "{f}({x}, None)",
            _CARRY + ", None",
            typed=True,
        ),
        Calling(
            "while-body",
            lax,
            "while_loop",
            ("state",),
            "{t}(lambda s: s[0] < 2, {f}, (0, {x}))",
            "{f}((0, {x}))",
            "turn + 1, " + _CARRY,
            typed=True,
            unpack="turn, {v} = state",
        ),
        Calling(
            "while-cond",
            lax,
            "while_loop",
            ("{v}",),
            "{t}({f}, lambda s: s + 50, {x})",
            "{f}({x})",
            "jnp.sum({v}) + 0 * jnp.sum({out}) < 20",
            typed=True,
        ),
        Calling(
            "fori", lax, "fori_loop", ("i", "{v}"), "{t}(0, 2, {f}, {x})", "{f}(0, {x})", _CARRY, typed=True
        ),
        Calling(
            "fori-index",
            lax,
            "fori_loop",
            ("{v}", "so_far"),
            "{t}(1, 3, {f}, {x})",
            "{f}(1, {x})",
            "jnp.asarray(so_far + jnp.sum({out}), so_far.dtype)",
            (INTEGER,),
            typed=True,
        ),
        Calling(
            "cond",
            lax,
            "cond",
            ("{v}",),
            "{t}(jnp.array(True), {f}, lambda s: s, {x})",
            "{f}({x})",
            _CARRY,
            typed=True,
        ),
        Calling(
            "cond-false",
            lax,
            "cond",
            ("{v}",),
            "{t}({x} is None, lambda s: s, {f}, {x})",
            "{f}({x})",
            _CARRY,
            typed=True,
        ),
        Calling(
            "switch",
            lax,
            "switch",
            ("{v}",),
            "{t}(1, [lambda s: s, {f}], {x})",
            "{f}({x})",
            _CARRY,
            typed=True,
        ),
        Calling("map", lax, "map", ("{v}",), "{t}({f}, {x})", "{f}({x})", "{out}", KINDS, lead=4),
        Calling("eval_shape", "jax", "eval_shape", ("{v}",), "{t}({f}, {x})", "{f}({x})", "{out}", KINDS),
        Calling(
            "jvp",
            "jax",
            "jvp",
            ("{v}",),
            "{t}({f}, ({x},), (jnp.ones_like({x}),))",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            REAL,
            typed=True,
        ),
        Calling(
            "vjp",
            "jax",
            "vjp",
            ("{v}",),
            "{t}({f}, {x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            REAL,
            typed=True,
        ),
        Calling(
            "linearize",
            "jax",
            "linearize",
            ("{v}",),
            "{t}({f}, {x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            REAL,
            typed=True,
        ),
        Calling(
            "custom_vjp",
            "jax",
            "custom_vjp",
            ("{v}",),
            "rule({x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            REAL,
            typed=True,
            setup="rule = {t}({f})\nrule.defvjp(lambda a: (jnp.sum(a), a), lambda a, g: (g * a,))",
        ),
        Calling(
            "custom_jvp",
            "jax",
            "custom_jvp",
            ("{v}",),
            "jax.grad(rule)({x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            REAL,
            typed=True,
            setup="rule = {t}({f})\nrule.defjvp(lambda p, t: (jnp.sum(p[0]), jnp.sum(t[0])))",
        ),
        Calling(
            "custom_jvp-rule",
            "jax",
            "custom_jvp",
            ("primals", "tangents"),
            "jax.jit(jax.grad(rule))({x})",
            "{f}(({x},), ({x},))",
            "jnp.sum({v}), jnp.sum(tangents[0]) + 0.0 * jnp.sum({out})",
            REAL,
            typed=True,
            unpack="({v},) = primals",
            setup="rule = {t}(lambda a: jnp.sum(a))\nrule.defjvp({f})",
        ),
        Calling(
            "jit-shard_map",
            "jax",
            "shard_map",
            ("{v}",),
            "jax.jit({t}({f}, mesh=jax.make_mesh((1,), ('i',)), in_specs=jax.P(), out_specs=jax.P()))({x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            typed=True,
        ),
        Calling(
            "custom_vjp-jit",
            "jax",
            "custom_vjp",
            ("{v}",),
            "jax.jit(rule)({x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out})",
            REAL,
            typed=True,
            setup="rule = {t}({f})\nrule.defvjp(lambda a: (jnp.sum(a), a), lambda a, g: (g * a,))",
        ),
        Calling(
            "custom_vjp-fwd",
            "jax",
            "custom_vjp",
            ("{v}",),
            "jax.jit(jax.grad(rule))({x})",
            "{f}({x})",
            "jnp.sum({v}) + jnp.sum({out}), {v}",
            REAL,
            typed=True,
            setup="rule = {t}(lambda a: jnp.sum(a))\nrule.defvjp({f}, lambda a, g: (g * a,))",
        ),
        Calling(
            "custom_vjp-bwd",
            "jax",
            "custom_vjp",
            ("{v}", "g"),
            "jax.jit(jax.grad(rule))({x})",
            "{f}({x}, 1.0)",
            "(g * {v} + 0.0 * jnp.sum({out}),)",
            REAL,
            typed=True,
            setup="rule = {t}(lambda a: jnp.sum(a))\nrule.defvjp(lambda a: (jnp.sum(a), a), {f})",
        ),
        Calling(
            "pure_callback",
            "jax",
            "pure_callback",
            ("{v}",),
            "{t}({f}, jax.ShapeDtypeStruct((), jnp.float32), {x})",
            "{f}({x})",
            "(np.float32(1.0), {out})[0]",
            REAL,
            typed=True,
            host=True,
        ),
        Calling(
            "callback-in-jit",
            "jax",
            "pure_callback",
            ("{v}",),
            "jax.jit(lambda a: {t}({f}, jax.ShapeDtypeStruct((), jnp.float32), a))({x})",
            "{f}({x})",
            "(np.float32(1.0), {out})[0]",
            REAL,
            typed=True,
            host=True,
        ),
    ]


WRAPPINGS = {transform.name: transform for transform in _wrappings()}
CALLINGS = {transform.name: transform for transform in _callings()}
TRANSFORMS: dict[str, Wrapping | Calling] = {**WRAPPINGS, **CALLINGS}

# How the second argument reaches the function: as its parameter, or bound beforehand.
PARAMETER_WAYS = (
    "decorator",
    "partial-decorator",
    "inline",
    "assigned",
    "project-wrapper",
    "decorator-factory",
    "alias",
    "rebound",
    "table",
)
BOUND_WAYS = ("of-partial", "of-factory", "of-lambda", "attribute", "closure")
METHOD_WAYS = ("method",)
APPLICATIONS = (*PARAMETER_WAYS, *BOUND_WAYS, *METHOD_WAYS)


def applicable(transform: Wrapping | Calling) -> tuple[str, ...]:
    """The applications that make sense of a transform."""
    if isinstance(transform, Wrapping):
        # A bound method as a decorated function needs `self` taken out by static_argnums.
        method = METHOD_WAYS if transform.name in ("jit", "eager", "checkpoint", "remat") else ()
        return (*PARAMETER_WAYS, *BOUND_WAYS, *method)
    if transform.host:
        return ("inline", "of-lambda", "of-partial", "project-wrapper", "attribute")
    if transform.setup:
        return ("inline", "alias", "rebound", *BOUND_WAYS)
    return (
        "decorator",
        "inline",
        "assigned",
        "project-wrapper",
        "decorator-factory",
        "alias",
        "rebound",
        "table",
        *BOUND_WAYS,
    )
