"""JAX405: methods that are jitted with self traced."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

from jaxlint.rule import (
    LEAVES,
    Claim,
    Class,
    Edit,
    Example,
    External,
    Finding,
    Fix,
    JittedMethod,
    Located,
    Model,
    Rule,
    Transformed,
    Value,
    cst,
    lacks_hash,
    reached,
)

_TRACEABLE = frozenset("pytree namedtuple equinox nnx enum altered given".split())
_PLAIN = frozenset(("flax.linen.Module", "haiku.Module"))
# of Python's own classes, those that JAX takes as arrays, objects of classes that derive from them too
_NUMBERS = frozenset(("builtins.int", "builtins.float", "builtins.complex"))
# what makes JAX take an object apart, or for an array
_HOOKS = frozenset(("_fields", "__jax_array__"))


class JittedMethodWithoutStaticSelf(Rule):
    """A method is jitted, and `self` is neither a pytree nor static.

    ## What it does
    Finds methods under `jax.jit`, and `jax.jit(Class.method)`, whose first argument is an instance of a
    class that is not registered as a pytree and is not static.

    ## Why
    `jax.jit` wraps the function before it is bound, so the object is its first argument. An argument that is
    not static must be an array or a pytree of arrays: the call raises `TypeError`.

    ## When it is fine
    The class is registered as a pytree, by a decorator, a call, a base class or one of its hooks. `self` is
    static. A static method, or a bound method is jitted: `jax.jit(self.step)`. Where a base class or
    decorator is not known, nothing is reported.

    ## Fix safety
    The fix makes `self` static. It is unsafe: compiled code then keeps the attributes as they were at the
    first call, and each object compiles again. If the class is a pytree, they are traced instead.
    """

    code = "JAX405"
    name = "jitted-method-without-static-self"
    category = "correctness"
    fix = "unsafe"
    raises = ("TypeError",)
    examples = (
        Example(
            bad="""
import jax


class Net:
    def __init__(self, w):
        self.w = w

    @jax.jit
    def forward(self, x):
        return self.w * x


print(Net(2.0).forward(1.0))
""",
            good="""
import jax
import functools


class Net:
    def __init__(self, w):
        self.w = w

    @functools.partial(jax.jit, static_argnums=0)
    def forward(self, x):
        return self.w * x


print(Net(2.0).forward(1.0))
""",
            prints="2.0",
        ),
    )
    claim = Claim("raises", "builtins.TypeError", "as an abstract array", elsewhere=True)

    def visit_JittedMethod(self, method: JittedMethod, m: Model) -> Iterator[Finding]:
        func, code = method.func, method.code
        if not isinstance(func, Transformed) or func.option(LEAVES) is not None:
            return
        static = m.static_arguments(func, 1)
        if static is None or 0 in static[0] or not code.params or code.params[0].kind not in "pn":
            return
        own = code.params[0].name
        called = [cls for cls in method.callers if _is_plain(cls)]
        named = own == "self" and bool(method.heirs) and all(_is_plain(cls) for cls in method.heirs)
        if not called and not named:
            return
        is_module = method.cls.has_mark("framework")  # whose parameters a static self would keep
        kept = (
            is_module
            or any(map(lacks_hash, (method.cls, *method.heirs)))
            or _is_written(method)
            or isinstance(func.func, Transformed)
        )
        yield Finding(
            method.nid,
            "`{method}` traces `{own}`, which is not a pytree: calling it raises TypeError",
            help="jit the function that calls `apply` instead"
            if is_module
            else f"{_more(static)}, or register `{{cls}}` as a pytree",
            label=f"traces `{own}`",
            names={"method": code.name, "own": own, "cls": method.cls.code.name},
            data=None if kept else own,
            traced=False,
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        if finding.data is None:
            return None
        edits = _with_static(code, code.node(finding.nid), finding.data)
        return Fix("unsafe", f"make `{finding.data}` static", edits) if edits else None


def _more(static: tuple[Collection[int], Collection[str]]) -> str:
    """What makes the first argument static beside those that are."""
    if any(static):
        return "name `{own}` among the static arguments too"
    return "@functools.partial(jax.jit, static_argnums=0)"


def _is_plain(cls: Class) -> bool:
    """Whether an object of the class is certainly no pytree."""
    for each in cls.lineage():
        if each.marks & _TRACEABLE or not _HOOKS.isdisjoint(each.attributes):
            return False
        if not all(isinstance(base, Class) or _is_plain_base(base) for base in each.bases):
            return False
    return True


def _is_plain_base(base: Value) -> bool:
    """Whether a class of a library makes no pytrees of what derives from it. Python registers nothing, and
    JAX takes Python's containers apart, but no object of a class that derives from one."""
    if not isinstance(base, External) or base.name in _NUMBERS:
        return False
    return base.name in _PLAIN or base.name.partition(".")[0] in sys.stdlib_module_names


def _is_written(method: JittedMethod) -> bool:
    """Whether attributes are written outside `__init__`: they would be stale if self were static."""
    return any(
        name != "__init__"
        for cls in method.heirs or (method.cls,)
        for writes in cls.instance_writes.values()
        for name, _, _ in writes
    )


def _with_static(code: Located, node: cst.CSTNode, own: str) -> tuple[Edit, ...]:
    """The edits that make the first argument static."""
    if isinstance(node, cst.Call):
        for arg in node.args:
            name = arg.keyword.value if arg.keyword is not None else ""
            if name == "static_argnames":
                return _extended(code, arg.value, f'"{own}"')
            if name == "static_argnums":
                return _extended(code, arg.value, "0")
        if not node.args:
            end = code.offsets(node)[1] - 1
            return (Edit(code.source.span(end, end), "static_argnums=0"),)
        last = node.args[-1]
        end = code.offsets(last.value)[1]
        if last.value.rpar:
            end = code.offsets(last.value.rpar[-1])[1]
        return (Edit(code.source.span(end, end), ", static_argnums=0"),)
    if isinstance(node, (cst.Name, cst.Attribute)):
        start, end = code.offsets(node)
        spelled = reached(code, "functools.partial")
        if spelled is None:
            return ()
        partial, imports = spelled
        text = f"{partial}({code.text_of(node)}, static_argnums=0)"
        return (*imports, Edit(code.source.span(start, end), text))
    return ()


def _extended(code: Located, value: cst.BaseExpression, item: str) -> tuple[Edit, ...]:
    start, end = code.offsets(value)
    if isinstance(value, (cst.Integer, cst.SimpleString)):
        return (Edit(code.source.span(start, end), f"({item}, {code.text_of(value)})"),)
    if isinstance(value, (cst.Tuple, cst.List)) and value.elements:
        if isinstance(value, cst.Tuple) and not value.lpar:
            return ()
        first = code.offsets(value.elements[0].value)[0]
        return (Edit(code.source.span(first, first), f"{item}, "),)
    return ()
