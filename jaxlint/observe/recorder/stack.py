"""Which transforms enclose a function as it is entered, read from the frames of the interpreter's stack.

In: the frame of the function. Out: the names of JAX's own functions that are running around it and that call
it. Nothing of JAX is replaced: a function that `jit` traces has `jit`'s frame above its own.
"""

from __future__ import annotations

import os
from types import CodeType, FrameType
from typing import Any, NamedTuple

from .project import JAX, PROJECT, Files

_JIT = "jax.jit"

STAGED = {
    ("pjit.py", "cache_miss"): _JIT,
    ("pjit.py", "jit_trace"): _JIT,
    ("pjit.py", "trace"): _JIT,
    ("pjit.py", "eval_shape"): _JIT,
    ("api.py", "cache_miss"): "jax.pmap",
    ("api.py", "eval_shape"): "jax.eval_shape",
    ("api.py", "make_jaxpr_f"): "jax.make_jaxpr",
    ("api.py", "jaxpr_maker"): "jax.make_jaxpr",
    ("ad_checkpoint.py", "fun_remat"): "jax.checkpoint",
    ("loops.py", "scan"): "jax.lax.scan",
    ("loops.py", "while_loop"): "jax.lax.while_loop",
    ("conditionals.py", "cond"): "jax.lax.cond",
    ("conditionals.py", "_cond"): "jax.lax.cond",
    ("conditionals.py", "switch"): "jax.lax.switch",
    ("solves.py", "custom_root"): "jax.lax.custom_root",
    ("solves.py", "custom_linear_solve"): "jax.lax.custom_linear_solve",
    ("custom_derivatives.py", "closure_convert"): "jax.closure_convert",
    ("pallas_call.py", "wrapped"): "jax.experimental.pallas.pallas_call",
}
"""Functions of JAX that make a jaxpr of what they call, by file and name."""

PLAIN = {
    ("api.py", "vmap_f"): "jax.vmap",
    ("api.py", "grad_f"): "jax.grad",
    ("api.py", "value_and_grad_f"): "jax.value_and_grad",
    ("api.py", "jvp"): "jax.jvp",
    ("api.py", "vjp"): "jax.vjp",
    ("api.py", "linearize"): "jax.linearize",
    ("api.py", "jacfun"): "jax.jacrev",
    ("pmap.py", "wrapped"): "jax.pmap",
    ("shard_map.py", "wrapped"): "jax.shard_map",
    ("loops.py", "fori_loop"): "jax.lax.fori_loop",
    ("loops.py", "map"): "jax.lax.map",
    ("loops.py", "associative_scan"): "jax.lax.associative_scan",
    ("custom_derivatives.py", "__call__"): "jax.custom_jvp",
}
"""Functions of JAX that run a function with tracers, or that stage it by one of `STAGED`."""

BUILT_ON = {
    "jax.grad": ("jax.value_and_grad",),
    "jax.value_and_grad": ("jax.vjp",),
    "jax.jacrev": ("jax.vjp",),
    "jax.jacfwd": ("jax.vmap",),
    "jax.eval_shape": (_JIT,),
    "jax.make_jaxpr": (_JIT,),
    "jax.pmap": (_JIT, "jax.shard_map"),
    "jax.lax.fori_loop": ("jax.lax.scan", "jax.lax.while_loop"),
    "jax.lax.map": ("jax.lax.scan",),
    "jax.lax.cond": ("jax.lax.cond",),
    "jax.lax.switch": ("jax.lax.cond",),
    "jax.lax.custom_root": (_JIT,),
}
"""What a transform calls to do its work, from the outside inwards."""

CALLBACKS = {
    ("callback.py", "_wrapped_callback"),
    ("mlir.py", "_wrapped_callback"),
    ("callback.py", "pure_callback_impl"),
    ("callback.py", "io_callback_impl"),
    ("debugging.py", "debug_callback_impl"),
}

COMPREHENSIONS = ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")

_STAGED_NAMES = frozenset(STAGED.values()) - {"jax.shard_map"}


class Chain(NamedTuple):
    """What encloses a function.

    transforms: outermost first. staged: one of them makes a jaxpr. caller: the frame of the nearest function
    of the project that called. jit: the frame of the `jit` or `pmap` that is tracing this function first of
    the project's. direct: nothing else of JAX's transforms is between.
    """

    transforms: tuple[str, ...]
    staged: bool
    caller: FrameType | None
    jit: FrameType | None
    direct: bool


def chain_of(frame: FrameType, files: Files) -> Chain:
    """What encloses the function whose frame is given."""
    names: list[str] = []
    staged: list[bool] = []
    caller: FrameType | None = None
    jit: FrameType | None = None
    direct = True
    traced = False
    above = frame.f_back
    while above is not None:
        code = above.f_code
        kind = files[code.co_filename]
        if kind == PROJECT:
            if caller is None and code.co_name not in COMPREHENSIONS:
                caller = above
            traced = False
        elif kind & JAX:
            key = (_base(code.co_filename), code.co_name)
            if key in CALLBACKS and caller is None and not names:
                return Chain(("jax.pure_callback",), False, project_frame(above, files), None, False)
            if key[0] == "partial_eval.py" and code.co_name.startswith("trace_to_"):
                traced = True
            name = STAGED.get(key)
            is_staged = name is not None
            if is_staged:
                if not traced and not _is_built(names, name):
                    name = None  # jit is disabled
                traced = False
            else:
                name = PLAIN.get(key)
                if name is not None:
                    name = _exact(name, above)
            if name is not None:
                popped = _unbuilt(names, staged, name)
                is_jit = name == _JIT or name == "jax.pmap"
                if popped and jit is not None and not is_jit and caller is None:
                    jit = None
                elif is_jit and caller is None and jit is None:
                    jit, direct = above, not names
                names.append(name)
                staged.append(is_staged or popped)
        above = above.f_back
    return Chain(tuple(reversed(names)), any(staged), caller, jit, direct)


def _is_built(names: list[str], name: str | None) -> bool:
    return bool(names) and names[-1] in BUILT_ON.get(name or "", ())


def _unbuilt(names: list[str], staged: list[bool], name: str) -> bool:
    """Takes away what a transform is built on; whether that was staged."""
    found = False
    for inner in BUILT_ON.get(name, ()):
        if names and names[-1] == inner:
            names.pop()
            found = staged.pop() or found
    return found


def _exact(name: str, frame: FrameType) -> str:
    """Tells functions of one name apart."""
    if name == "jax.jacrev":
        return (
            "jax.jacfwd" if "_jvp" in frame.f_code.co_names or "pushfwd" in frame.f_code.co_varnames else name
        )
    if name == "jax.custom_jvp":
        return "jax." + type(frame.f_locals.get("self")).__name__
    return name


def project_frame(frame: FrameType | None, files: Files) -> FrameType | None:
    """The nearest frame of the project's, this one included."""
    while frame is not None and files[frame.f_code.co_filename] != PROJECT:
        frame = frame.f_back
    return frame


def jit_frame(frame: FrameType | None, files: Files) -> FrameType | None:
    """The nearest frame of `jit` or `pmap`, or of the compilation of what was lowered before."""
    while frame is not None:
        code = frame.f_code
        if files[code.co_filename] & JAX:
            key = (_base(code.co_filename), code.co_name)
            if STAGED.get(key) in (_JIT, "jax.pmap") or key == ("stages.py", "compile"):
                return frame
        frame = frame.f_back
    return None


def jitted(frame: FrameType) -> Any:
    """The function that was handed to the `jit` whose frame is given; None where it is not known."""
    there = frame.f_locals
    for name in ("fun", "f"):
        if name in there:
            return there[name]
    info = there.get("jit_info")
    if info is None:
        return getattr(there.get("jit_func"), "_fun", None)
    return getattr(info, "fun", None)


def code_of(function: Any) -> CodeType | None:
    """The code object of a function below partials, methods and wrappers."""
    for _ in range(20):
        function = getattr(function, "func", None) or getattr(function, "__func__", None) or function
        inner = getattr(function, "__wrapped__", None)
        if inner is None:
            break
        function = inner
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


_BASES: dict[str, str] = {}


def _base(filename: str) -> str:
    found = _BASES.get(filename)
    if found is None:
        found = _BASES[filename] = os.path.basename(filename)
    return found
