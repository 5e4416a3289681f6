"""JAX601: vmap around jit."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    LEAVES,
    Bound,
    Claim,
    Edit,
    Example,
    Finding,
    Fix,
    Located,
    MappedJit,
    Model,
    Partial,
    Rule,
    Transformed,
    cst,
    dotted_name,
    has_comment,
    meaning,
)


class VmapOfJit(Rule):
    """`jax.vmap` is applied to a jitted function.

    ## What it does
    Finds `jax.vmap` of what `jax.jit` made, in every spelling: nested calls, stacked decorators, a name that
    is bound to a jitted function, a method that is jitted.

    ## Why
    `vmap` is a Python function: at each call it wraps the arguments, runs the function under a batching trace
    and applies the batching rule of the compiled call to all of it. `jit` outside does that once, when it
    compiles. The values are the same.

    A call costs 0.2 ms or more of Python, whatever the function computes; the call of a small compiled
    program takes a few microseconds. It matters where the result is called repeatedly, in every step of a
    training loop or a simulation. A program that calls it once loses this once.

    ## When it is fine
    In a function that is traced, or where only traced code uses the result, the map is part of a larger
    program that is compiled as a whole; so it may be in a function that nothing in the project calls, of what
    it is given, unless it compiles what it maps there (`vmap(jit(f))`) or has a loop around the map. Where
    what is mapped runs a network, or a `scan`, `while_loop` or `fori_loop`, as a whole training run does,
    where it is called while an object is made, and where it maps what is compiled for other calls too (a
    function that is called without the map as well, or what an object of another module has, as `env.reset`),
    0.2 ms are little, unless a loop calls it; in the cell of a notebook a loop of a thousand turns or more.
    So they are in a loop that in each turn also takes a gradient, as a training step does, or runs another
    loop, of Python or of JAX, in one that calls the map under a test that holds now and then (`if step % 100
    == 0`), and where each call compiles what is mapped anew, which is reported as such. These are not
    reported.

    ## Fix safety
    The two are swapped where the result is bound once: at module level, as a decorator, in `__init__`. In a
    function `jit(vmap(f))` is a new function at each call and would compile each time, and options of `jit`
    that count arguments may mean something else outside: there the swap is only shown.
    """

    code = "JAX601"
    name = "vmap-of-jit"
    idle_in_tests = True
    category = "performance"
    fix = "safe"
    when = "eager"
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


def score(x):
    return jnp.sum(jnp.tanh(x))


points = jnp.ones((8, 3))
scores = jax.vmap(jax.jit(score))
print(scores(points))
""",
            good="""
import jax
import jax.numpy as jnp


def score(x):
    return jnp.sum(jnp.tanh(x))


points = jnp.ones((8, 3))
scores = jax.jit(jax.vmap(score))
print(scores(points))
""",
        ),
    )
    claim = Claim("warm-binds", calls=("scores(points)",), bad=">=1", good=0)
    also = (Claim("slower", calls=("scores(points)",), ratio=3.0),)

    def visit_MappedJit(self, mapped: MappedJit, m: Model) -> Iterator[Finding]:
        func = mapped.func
        assert isinstance(func, Transformed)
        inner = func.func
        direct = isinstance(inner, Transformed)
        while isinstance(inner, (Bound, Partial)):
            inner = inner.func
        assert isinstance(inner, Transformed)
        frame = mapped.frame
        maker = frame.func
        once = maker is None or maker.code.name == "__init__"
        yield Finding(
            mapped.nid,
            "`{vmap}` maps a jitted function: each call costs ~0.2 ms of Python",
            help="jax.jit(jax.vmap(...)): jit outside, vmap inside; it matters where calls are repeated",
            label="vmap outside, jit inside",
            names={"vmap": mapped.nid},
            data=(once and direct and not inner.options, direct and func.option(LEAVES) is None),
            traced=False,
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        safe, direct = finding.data
        node = code.node(finding.nid)
        parent = code.parent(node)
        safe = safe and not _is_repeated(code, node)
        if not direct or has_comment(code, node):
            return None
        if isinstance(parent, cst.Decorator):
            edits = _swapped_decorators(code, parent)
        else:
            edits = _swapped_calls(code, node, safe)
        if not edits:
            return None
        return Fix("safe" if safe else "displayonly", "put `jit` outside", edits)


def _is_repeated(code: Located, node: cst.CSTNode) -> bool:
    """Whether a loop or a comprehension makes the map in each iteration, where jit would compile each one."""
    outer = code.parent(node)
    while outer is not None and not isinstance(outer, (cst.FunctionDef, cst.Lambda)):
        if isinstance(outer, (cst.For, cst.While, cst.BaseComp)):
            return True
        outer = code.parent(outer)
    return False


def _swapped_decorators(code: Located, decorator: cst.Decorator) -> tuple[Edit, ...]:
    """`@vmap` above `@jit`: the two change places."""
    function = code.parent(decorator)
    if not isinstance(function, cst.FunctionDef):
        return ()
    position = next(i for i, each in enumerate(function.decorators) if each is decorator)
    if position + 1 >= len(function.decorators):
        return ()
    below = function.decorators[position + 1]
    upper, lower = decorator.decorator, below.decorator
    if not _is_jit(code, lower) or has_comment(code, decorator) or has_comment(code, below):
        return ()
    return (
        Edit(code.span_of(upper), code.text_of(lower)),
        Edit(code.span_of(lower), code.text_of(upper)),
    )


def _swapped_calls(code: Located, node: cst.CSTNode, safe: bool) -> tuple[Edit, ...]:
    """`vmap(jit(f), ...)` becomes `jit(vmap(f, ...))`; around the name of a jitted function, jit is put
    outside."""
    if not isinstance(node, cst.Call) or not node.args:
        return ()
    inner = node.args[0].value
    if isinstance(inner, cst.Call):
        if not inner.args or inner.args[0].star or inner.args[0].keyword or not _is_jit(code, inner.func):
            return ()
        options = "".join(f", {code.text_of(arg)}" for arg in inner.args[1:]).rstrip(", ")
        return (
            Edit(code.span_of(node.func), f"{code.text_of(inner.func)}({code.text_of(node.func)}"),
            Edit(code.span_of(inner), code.text_of(inner.args[0].value)),
            _after(code, node, f"{options})"),
        )
    vmap = dotted_name(node.func)
    if safe and isinstance(inner, (cst.Name, cst.Attribute)) and vmap.endswith(".vmap"):
        start = code.offsets(node)[0]
        jit = f"{vmap.removesuffix('vmap')}jit("
        return (Edit(code.source.span(start, start), jit), _after(code, node, ")"))
    return ()


def _is_jit(code: Located, node: cst.BaseExpression) -> bool:
    """Whether an expression is `jax.jit`, under whatever name, or `partial` or a call of it."""
    if isinstance(node, cst.Call):
        if node.args and dotted_name(node.func).rpartition(".")[2] == "partial":
            return _is_jit(code, node.args[0].value)
        return _is_jit(code, node.func)
    name = dotted_name(node)
    return name.endswith(".jit") or meaning(code, node) == "jax.jit"


def _after(code: Located, node: cst.CSTNode, text: str) -> Edit:
    end = code.offsets(node)[1]
    return Edit(code.source.span(end, end), text)
