"""JAX506: matrix products that NumPy computes while JAX traces."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Binary,
    Call,
    Claim,
    Edit,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Part,
    Rule,
    as_matmul,
    cst,
    sides,
    spelling,
)

_FUNCTIONS = frozenset(("numpy.matmul", "numpy.dot", "numpy.ndarray.dot"))


class MatmulOnHost(Rule):
    """A matrix product of NumPy arrays inside a function that JAX compiles.

    ## What it does
    Finds `a @ b`, `np.matmul(a, b)`, `np.dot(a, b)` and `a.dot(b)` in code that runs while tracing, where
    both operands are certainly NumPy arrays.

    ## Why
    NumPy computes on the host, once per trace, and the result becomes a constant of the compiled program.
    The product does not run on the device, it is computed again at every retrace, in float64 unless the
    dtypes say otherwise, and a large result is stored in the executable.

    ## When it is fine
    Small tables that are meant to be constants, which is why the rule is off by default. Products outside of
    any trace, in callbacks, and products with one traced operand are not reported.

    ## Fix safety
    The fix is unsafe: `jnp.matmul` computes in JAX's precision, usually float32, on the device.
    """

    code = "JAX506"
    name = "matmul-on-host"
    category = "performance"
    on = False
    fix = "unsafe"
    calls = ("numpy",)
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp
import numpy as np

BASIS = np.eye(3, dtype=np.float32)
GAIN = np.full((3, 3), 0.5, dtype=np.float32)


@jax.jit
def project(x):
    return jnp.dot(BASIS @ GAIN, x)


print(project(jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp
import numpy as np

BASIS = np.eye(3, dtype=np.float32)
GAIN = np.full((3, 3), 0.5, dtype=np.float32)


@jax.jit
def project(x):
    return jnp.dot(jnp.matmul(BASIS, GAIN), x)


print(project(jnp.ones(3)))
""",
            note="The bad program has one dot_general, the good one two.",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp
import numpy as np

LEFT = np.ones((512, 2), dtype=np.float32)
RIGHT = np.ones((2, 512), dtype=np.float32)


@jax.jit
def apply(x):
    return jnp.dot(LEFT @ RIGHT, x)


print(apply(jnp.ones(512)).sum())
""",
            good="""
import jax
import jax.numpy as jnp
import numpy as np

LEFT = np.ones((512, 2), dtype=np.float32)
RIGHT = np.ones((2, 512), dtype=np.float32)


@jax.jit
def apply(x):
    return jnp.dot(jnp.matmul(LEFT, RIGHT), x)


print(apply(jnp.ones(512)).sum())
""",
            note="The bad program carries a constant of 1 MiB, the good one the two factors, of 4 KiB each.",
            claim=Claim(
                "memory", calls=("apply(jnp.ones(512))",), what="constants", bad=1 << 20, good=8192, ratio=128
            ),
        ),
    )
    claim = Claim("program", calls=("project(jnp.ones(3))",), what="dot_general", bad=1, good=2)

    def visit_BinaryOperation(self, product: Binary, m: Model) -> Iterator[Finding]:
        is_product = product.operator == "@" and product.staged
        if is_product and m.is_host(product.left) and m.is_host(product.right):
            yield self._finding(product.nid, sides(product.nid, product.augmented))

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if not call.staged or call.name not in _FUNCTIONS:
            return
        operands = [call.receiver, *call.args[:1]] if call.receiver is not None else call.args[:2]
        if len(operands) == 2 and all(map(m.is_host, operands)):
            left = ("func", "value") if call.receiver is not None else (("argument", 0),)
            right = (("argument", len(call.args[:2]) - 1),)
            yield self._finding(call.nid, {"left": Part(call.nid, left), "right": Part(call.nid, right)})

    @staticmethod
    def _finding(nid: int, names: dict[str, int | str | Part]) -> Finding:
        return Finding(
            nid,
            "`{it}` is computed by NumPy while tracing: its result is a constant",
            help="jnp.matmul({left}, {right}), or compute it once, outside the traced function",
            label="a product of NumPy arrays",
            names={"it": nid, **names},
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.node(finding.nid)
        edits = self._renamed(node, code) if isinstance(node, cst.Call) else as_matmul(code, node)
        return None if edits is None else Fix("unsafe", "multiply on the device", edits)

    @staticmethod
    def _renamed(call: cst.Call, code: Located) -> tuple[Edit, ...] | None:
        """The function of the same name in jax.numpy, which takes the same two arguments."""
        name = spelling(code, "jax.numpy")
        function = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        plain = len(call.args) == 2 and not any(arg.keyword or arg.star for arg in call.args)
        if name is None or function not in ("matmul", "dot") or not plain:
            return None
        return (Edit(code.span_of(call.func), f"{name[0]}.{function}"), *name[1])
