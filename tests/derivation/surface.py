"""The public surface of the JAX that is installed: names, the parameters of functions, methods, options.

    python tests/derivation/surface.py > surface.json

In: an interpreter with JAX; the file needs nothing else and runs by itself in any environment. Out: JSON with
    jax      the version
    names    dotted public name -> what it is: module, class, function, value; or "deprecated: message" where
             reading it warns, "gone: message" where a module's own message says that it was removed
    keywords function -> its parameters in order, `*` before those by keyword only
    methods  kind of value (as in deprecations.csv) -> public attribute -> fine, or the message of its warning
    options  the names that `jax.config.update` takes
A module that cannot be imported is "unreadable: message". What a module imports for its own use is no part of the
surface: JAX exports a name of another module by `import name as name` (PEP 484) or by `__all__`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import json
import os
import pkgutil
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from enum import EnumType
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

OWN = ("jax", "jaxlib")
# The implementation, bindings that are generated from others' definitions, and JAX's own tests, which add options.
LEFT_OUT = (
    "jax._src",
    "jax.experimental.jax2tf",
    "jax.experimental.mosaic",
    "jax.experimental.sparse.test_util",
    "jax.extend.mlir",
    "jax.tools",
    "jax.version",
)


def module_names() -> list[str]:
    """Every public module of the package, in order of name."""
    import jax

    found = ["jax"]

    def walk(module: types.ModuleType) -> None:
        for each in pkgutil.iter_modules(getattr(module, "__path__", ()), module.__name__ + "."):
            last = each.name.rpartition(".")[2]
            if last.startswith("_") or each.name.startswith(LEFT_OUT):
                continue
            found.append(each.name)
            if each.ispkg and (inner := imported(each.name)) is not None:
                walk(inner)

    walk(jax)
    return found


def imported(name: str) -> types.ModuleType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except Exception:  # what it needs is not installed
            return None


def observed(read: Callable[[], Any]) -> tuple[Any, str]:
    """What is read, and the message of the deprecation that JAX warned of meanwhile."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = read()
    messages = [
        str(each.message)
        for each in caught
        if issubclass(each.category, (DeprecationWarning, FutureWarning, UserWarning))
    ]
    return value, one_line(" ".join(messages))


def belongs(value: Any) -> bool:
    """Whether a value is JAX's own; a value that does not say where it is from is."""
    home = getattr(value, "__module__", None)
    return not isinstance(home, str) or home.partition(".")[0] in OWN


def one_line(text: object) -> str:
    return " ".join(str(text).split())


def imported_for_itself(module: types.ModuleType) -> set[str]:
    """The names that a module imports without exporting them."""
    path = getattr(module, "__file__", None)
    if not path or not path.endswith(".py"):
        return set()
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for each in node.names:
                if each.asname is None:
                    found.add(each.name.partition(".")[0])
    return found - set(getattr(module, "__all__", ())) - {"*"}


def kind_of(value: Any) -> str:
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "value"


def names_of(module: types.ModuleType) -> Iterator[tuple[str, str, Any]]:
    """Public names of a module: the word, what it is, its value. Removed ones have no value."""
    retired: dict[str, Any] = {}
    for table in ("_deprecations", "_deprecated", "_DEPRECATIONS"):
        retired |= getattr(module, table, None) or {}
    own = {*vars(module)} - imported_for_itself(module)
    for word in sorted({*own, *getattr(module, "__all__", ()), *retired}):
        if word.startswith("_"):
            continue
        try:
            value, message = observed(lambda word=word: getattr(module, word))
        except Exception as error:
            if word in retired:
                yield word, "gone: " + one_line(error), None
            continue
        if not message and word in retired and isinstance(retired[word], tuple):
            message = str(retired[word][0])
        if message:
            yield word, "deprecated: " + one_line(message), value
        elif (
            value.__name__ == f"{module.__name__}.{word}"
            if isinstance(value, types.ModuleType)
            else belongs(value)
        ):
            yield word, kind_of(value), value


def parameters(value: Any) -> list[str] | None:
    """As they are written in a definition, without defaults; None where the signature cannot be read."""
    if isinstance(value, EnumType) or isinstance(type(value), EnumType):
        return None
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    words: list[str] = []
    starred = False
    for name, each in signature.parameters.items():
        if each.kind is each.VAR_POSITIONAL:
            words.append(f"*{name}")
            starred = True
        elif each.kind is each.VAR_KEYWORD:
            words.append(f"**{name}")
        else:
            if each.kind is each.KEYWORD_ONLY and not starred:
                words.append("*")
                starred = True
            words.append(name)
    return words


def receivers() -> dict[str, Any]:
    """A value of each kind that deprecations.csv has methods of."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    lowered = jax.jit(jnp.sin).lower(jnp.ones(3))
    return {
        "array": jnp.ones(3),
        "key": jax.random.key(0),
        "compiled": lowered.compile(),
        "lowered": lowered,
        "jitted": jax.jit(jnp.sin),
        "device": jax.devices()[0],
        "mesh": Mesh(np.array(jax.devices()[:1]), ("x",)),
        "namedsharding": NamedSharding(Mesh(np.array(jax.devices()[:1]), ("x",)), PartitionSpec("x")),
        "partitionspec": PartitionSpec("x"),
        "shapedtype": jax.ShapeDtypeStruct((3,), jnp.float32),
        "jaxpr": jax.make_jaxpr(jnp.sin)(1.0),
        "aval": jnp.ones(3).aval,
        "at": jnp.ones(3).at[0],
    }


def methods() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for kind, value in receivers().items():
        found[kind] = {}
        for word in dir(value):
            if word.startswith("_"):
                continue
            try:
                message = observed(lambda word=word, value=value: getattr(value, word))[1]
            except Exception as error:  # there, but not for this value
                message = "raises " + type(error).__name__
            found[kind][word] = message or "fine"
    return found


def surface() -> dict[str, Any]:
    import jax

    names: dict[str, str] = {}
    keywords: dict[str, list[str]] = {}
    for name in module_names():
        module, message = None, ""
        try:
            module, message = observed(lambda name=name: importlib.import_module(name))
        except Exception as error:
            names[name] = (
                "gone: " + one_line(error) if "remove" in str(error) else "unreadable: " + one_line(error)
            )
            continue
        names[name] = "deprecated: " + message if "deprecat" in message else "module"
        for word, what, value in names_of(module):
            names.setdefault(f"{name}.{word}", what)
            if (
                not isinstance(value, types.ModuleType)
                and callable(value)
                and (found := parameters(value)) is not None
            ):
                keywords[f"{name}.{word}"] = found
    options = sorted(each for each in jax.config.values if each.startswith("jax_"))
    return {
        "jax": jax.__version__,
        "names": names,
        "keywords": keywords,
        "methods": methods(),
        "options": options,
    }


if __name__ == "__main__":
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        result = surface()
    json.dump(result, sys.stdout, indent=0, sort_keys=True)
