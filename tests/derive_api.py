"""Derive the data modules of `jaxlint/tables` by running the installed JAX.

`python tests/derive_api.py` says which modules differ from what JAX does; with `--write` it
writes them; `--release X.Y.Z` lists what a new JAX asks for, in these modules and elsewhere. A module has the tables of several versions of JAX: those of the newest, and where others differ; run
it in an environment of each. What the tables mean is said in their docstrings, which are written here.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import platform
import sys
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["JAX_TRACEBACK_FILTERING"] = "off"
os.environ["JAX_ENABLE_X64"] = "0"

from derivation import (
    functions,
    hashing,
    hosts,
    impure,
    keys,
    memory,
    methods,
    names,
    python,
    scipy_hosts,
    standard,
)
from derivation.modules import Module, Tables, Versions, differences, read, same_release, source_of

TARGET = Path(__file__).resolve().parent.parent / "jaxlint" / "tables"

MADE = "Made by `python tests/derive_api.py --write`, which runs JAX; not edited by hand."

FUNCTIONS_DOC = f"""What the public functions of JAX return, and which of their parameters must not be traced.

{MADE}

FUNCTIONS: canonical name -> (result, dtype, params, static, size, key)
  result  array; static (a Python value, shape or host array even for tracers); tuple:N or tuple:* (of arrays, N by
          the arguments); tuple(word,word) of several sorts; list (of arrays); namedtuple:fields (of arrays); dtype;
          function; none; tree (the structure of the argument); host (NumPy arrays where nothing is traced); ? (not
          known, or by a function argument)
  dtype   bool, int, float, complex, key; same (as the first array argument); promote (the widest of the array
          arguments); number (promote, but bool becomes int); inexact (promote, but at least float); real (promote,
          but complex becomes float); ?. A given `dtype` or `new_dtype` argument decides instead.
  params  names by position, then `*` or `*name`, then names by keyword only, then `**name`
  static  those that raise in a staged trace when given a tracer, and do not when given its value
  size    how a shape that depends on values becomes known: the parameter to give; `param:when=other` where it is
          needed only if `other` is traced (`unary`: with one argument); `!` if nothing helps
  key     the parameter that is a random key, or empty
  The row of jax.nn.initializers.Initializer says what the functions that initializers return do. That of
  jax.numpy.where is for three arguments; with one it returns tuple:* of int.
FLAGS: name -> {{boolean parameter: the result when it is not left at its default}}
ALIASES: other public names -> canonical name (the same object, or the same by its documentation)
FORMER: names gone from this JAX -> the canonical name of the same meaning
UNKNOWN: names whose rows say only their parameters, because no call of them is run
"""


def installed(package: str) -> str:
    """The version of a package, or of Python without its last part."""
    return ".".join(platform.python_version_tuple()[:2]) if package == "python" else metadata.version(package)


KEYS_DOC = f"""What functions do with random keys.

{MADE} The roles are those of JAX's own checker of key reuse.

KEYS: canonical name -> (role, parameter that is the key)
  source  makes a key
  spend   a second use of the same key is wrong
  split   the same, and the result is new keys
  fold    makes a new key from a key and a number, and does not spend the key
  clone   makes a copy that may be used again
  read    neither spends nor makes a key
SEQUENCES: two uses of one key, in this order -> whether JAX's checker refuses the second
INITIALIZERS: function that makes an initializer -> whether that one draws with the key it is given
DIRECT: sampler -> whether its numbers are made of the bits of the key itself, and not of a split of it
"""

IMPURE_DOC = """Functions of Python and NumPy whose answer is another one at each call, and frozen in a trace.

Made by `python tests/derive_api.py --write` from lists in tests/derivation/impure.py; not edited by hand.

IMPURE: dotted name -> (group, n)
  group   time, random or input
  n       impure only if called with fewer than n arguments; 0: always
GENERATOR_METHODS: class of a generator -> its methods that draw from it or change it
"""

METHODS_DOC = f"""What attributes, methods and operators of arrays do with tracers.

{MADE}

METHODS: name -> (kind, result, dtype, levels, errors, params, static, size)
  kind    method or property
  result, dtype, params, static, size: as in jax_functions.py, the receiver being the first array argument; `at` for
          the index helper; the result of `__iter__` and `__reversed__` is what a list of it holds
  levels  letters of the kinds of tracer for which it raises: S staged (jit, scan, ...), B batched (vmap alone),
          D differentiated (grad alone; what is computed from such a tracer as an integer or boolean is no tracer);
          a leading `!` says that it raises for an array that is not traced, too
  errors  the class of error, or `S:Class B:Class ...` where they differ
FORMS: a way of writing it -> (levels, errors, result)
AT_METHODS: method of `x.at[i]`, or `method(mask)` for `x.at[boolean array]` -> (levels, errors, result)
"""

PYTHON_DOC = f"""What Python's own functions, formats, indexing, math and cmath do with a tracer.

{MADE}

BUILTINS: function of one argument (operators take a plain second one) -> (scalar, vector, errors, result)
FORMS: a way of writing an operation, `x` and `y` being tracers -> the same
MATH: function of math and cmath -> the same
  scalar  letters of the kinds of scalar tracer for which it raises: S staged (jit, scan, ...), B batched (vmap
          alone), D differentiated (grad alone; a float if it takes one, since integers and booleans computed from such
          a tracer are no tracers); a leading `!` says that it raises for an array that is not traced, too
  vector  the same for a tracer with one axis
  errors  the classes of error
  result  as in jax_functions.py; iterators are given as the list of what they yield; empty where it always raises
"""

STANDARD_DOC = f"""What functions of the standard library that compute with numbers do with tracers.

{MADE}

STANDARD: canonical name -> rows of (position, parameter, part, levels, errors), for arguments that must not be traced
  part    itself; items, of a list; several, where a list of one is fine
  levels  letters of the kinds of tracer for which it raises: S staged (jit, scan, ...), B batched (vmap alone),
          D differentiated (grad alone; integers computed from such a tracer are no tracers); a leading `!` says that
          it raises for an array that is not traced, too
  errors  the class of error, or `S:Class B:Class ...` where they differ
"""

HOST_METHODS_DOC = f"""What methods of NumPy's arrays do with a tracer.

{MADE}

HOST_METHODS: method -> (levels, errors) where its first argument must not be traced
  levels  letters of the kinds of tracer for which it raises: S staged (jit, scan, ...), B batched (vmap alone),
          D differentiated (grad alone)
  errors  the class of error, or `S:Class B:Class ...` where they differ
"""

HASHING_DOC = """What Python's own functions and the methods of its containers take the hash of, and what has none.

Made by `python tests/derive_api.py --write`, which calls each with an object that notes it; not edited by hand.

HASHED: canonical name -> rows of (position of the argument, part of it)
  part  itself, its items, or the first of each of its items, which are pairs
UNHASHABLE: classes whose objects have no hash
"""

NUMPY_DOC = f"""What NumPy's and SciPy's functions do with tracers, and with arrays of JAX.

{MADE}

NUMPY: name -> (host, levels, through, given, errors, params, impure)
  host    the result for host values: host (a NumPy array), scalar (of NumPy), hosts:N and hosts:* (several NumPy
          arrays), static (a Python value), dtype, function, none, namedtuple:fields, ? (not known)
  levels  letters of the kinds of tracer for which it raises when one is passed as the first argument that holds
          numbers: S staged (jit, scan, ...), B batched (vmap alone), D differentiated (grad alone; integers and
          booleans computed from such a tracer are no tracers, so D is missing where only these are taken)
  through the result where it does not raise: array (of JAX, traced as its argument is), static, or as for host
  given   the result for an array of JAX that is not traced: array (of JAX), raises, or as for host
  errors  the class of error, or `S:Class B:Class ...` where they differ
  params  names as in jax_functions.py, empty where the signature cannot be read
  impure  whether it draws random numbers, so that tracing freezes them
POSITIONS: name -> {{parameter: (levels, through, given, errors)}} for parameters whose levels differ from the first
FORMS: a way of writing an operation on a host array `a`, a host scalar `s` or a generator `rng`, and a tracer `x` with
          one axis -> (levels, through, given, errors)
UNKNOWN: names of which no call is run
STRICT: names that raise with a dict of arrays, and with None, as the first argument that holds numbers
"""

SCIPY_DOC = f"""What SciPy's functions do with tracers, beyond those in numpy_functions.py.

{MADE}

SCIPY: canonical name -> (result, params, refused); `Class.__call__` is what an object does where it is called
  result  as in numpy_functions.py, for host values; object: of a class of SciPy
  params  names as in jax_functions.py
  refused (parameter, levels, errors) of each that must not be traced, with an array of JAX that is not traced working
  levels  letters of the kinds of tracer for which it raises: S staged (jit, scan, ...), B batched (vmap alone),
          D differentiated (grad alone)
  errors  the class of error, or `S:Class B:Class ...` where they differ
"""

MEMORY_DOC = f"""Which functions and methods of NumPy give views of an array, and which write into one.

{MADE}

VIEWS: name -> (result, whole, keeps, params): it gives a view of its first argument, which may be written to if and
          only if that may
  result  host, or hosts (several, in a tuple or list)
  whole   whether that is so only of an array that lies in one piece: of others it gives a copy
  keeps   whether the view of an array that lies in one piece does so, too
  params  names after the first by position, then `*` or `*name`, then names by keyword only; `-` before those by
          which a copy may come of it
WRITES: name -> (parameter, position, condition, error) of each parameter that is written into, so that ValueError is
          raised where it is an array that may not be written to; `self` for a method's own array
  position  -1: by keyword only
  condition flag=value, and `float` where it holds of arrays of floats alone
  error     what is raised where it is an array of JAX; empty where nothing is
"""


def functions_tables() -> Tables:
    rows, flags, aliases, unknown = functions.tables()
    return {
        "FUNCTIONS": rows,
        "FLAGS": flags,
        "ALIASES": aliases,
        "FORMER": names.FORMER,
        "UNKNOWN": frozenset(unknown),
    }


def numpy_tables() -> Tables:
    rows, differing, forms, unknown, strict = hosts.tables()
    return {
        "NUMPY": rows,
        "POSITIONS": differing,
        "FORMS": forms,
        "UNKNOWN": frozenset(unknown),
        "STRICT": frozenset(strict),
    }


ROW_OF_METHOD = "tuple[str, str, str, str, str, tuple[str, ...], tuple[str, ...], str]"
POSITION = "tuple[str, str, str, str]"

MODULES = {
    "jax_functions.py": Module(
        FUNCTIONS_DOC,
        ("jax",),
        {
            "FUNCTIONS": "dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...], str, str]]",
            "FLAGS": "dict[str, dict[str, str]]",
            "ALIASES": "dict[str, str]",
            "FORMER": "dict[str, str]",
            "UNKNOWN": "frozenset[str]",
        },
        functions_tables,
    ),
    "jax_random.py": Module(
        KEYS_DOC,
        ("jax",),
        {
            "KEYS": "dict[str, tuple[str, str]]",
            "SEQUENCES": "dict[str, bool]",
            "INITIALIZERS": "dict[str, bool]",
            "DIRECT": "dict[str, bool]",
        },
        lambda: {
            "KEYS": keys.tables(),
            "SEQUENCES": keys.sequences(),
            "INITIALIZERS": keys.initializers(),
            "DIRECT": keys.direct(),
        },
    ),
    "array_methods.py": Module(
        METHODS_DOC,
        ("jax",),
        {
            "METHODS": f"dict[str, {ROW_OF_METHOD}]",
            "FORMS": "dict[str, tuple[str, str, str]]",
            "AT_METHODS": "dict[str, tuple[str, str, str]]",
        },
        lambda: dict(zip(("METHODS", "FORMS", "AT_METHODS"), methods.tables(), strict=True)),
    ),
    "python_on_tracer.py": Module(
        PYTHON_DOC,
        ("jax", "python"),
        dict.fromkeys(("BUILTINS", "FORMS", "MATH"), f"dict[str, {POSITION}]"),
        lambda: dict(zip(("BUILTINS", "FORMS", "MATH"), python.tables(), strict=True)),
    ),
    "standard.py": Module(
        STANDARD_DOC,
        ("jax", "python"),
        {"STANDARD": "dict[str, tuple[tuple[int, str, str, str, str], ...]]"},
        lambda: {"STANDARD": standard.table()},
    ),
    "host_methods.py": Module(
        HOST_METHODS_DOC,
        ("jax", "numpy"),
        {"HOST_METHODS": "dict[str, tuple[str, str]]"},
        lambda: {"HOST_METHODS": standard.host_methods()},
    ),
    "hashing.py": Module(
        HASHING_DOC,
        ("python",),
        {"HASHED": "dict[str, tuple[tuple[int, str], ...]]", "UNHASHABLE": "frozenset[str]"},
        lambda: {"HASHED": hashing.tables(), "UNHASHABLE": hashing.unhashable()},
    ),
    "numpy_functions.py": Module(
        NUMPY_DOC,
        ("jax", "numpy", "scipy"),
        {
            "NUMPY": "dict[str, tuple[str, str, str, str, str, tuple[str, ...], bool]]",
            "POSITIONS": f"dict[str, dict[str, {POSITION}]]",
            "FORMS": f"dict[str, {POSITION}]",
            "UNKNOWN": "frozenset[str]",
            "STRICT": "frozenset[str]",
        },
        numpy_tables,
    ),
    "scipy_functions.py": Module(
        SCIPY_DOC,
        ("jax", "numpy", "scipy"),
        {"SCIPY": "dict[str, tuple[str, tuple[str, ...], tuple[tuple[str, str, str], ...]]]"},
        lambda: {"SCIPY": scipy_hosts.table()},
    ),
    "numpy_memory.py": Module(
        MEMORY_DOC,
        ("jax", "numpy", "scipy"),
        {
            "VIEWS": "dict[str, tuple[str, bool, bool, tuple[str, ...]]]",
            "WRITES": "dict[str, tuple[tuple[str, int, str, str], ...]]",
        },
        lambda: dict(zip(("VIEWS", "WRITES"), memory.tables(), strict=True)),
    ),
    "impure.py": Module(
        IMPURE_DOC,
        ("numpy",),
        {"IMPURE": "dict[str, tuple[str, int]]", "GENERATOR_METHODS": "dict[str, tuple[str, ...]]"},
        lambda: {"IMPURE": impure.rows(), "GENERATOR_METHODS": impure.generator_methods()},
    ),
}


def versions(name: str) -> Versions:
    """What is installed of the packages that a module is made with."""
    return tuple((package, installed(package)) for package in MODULES[name].packages)


def derive(name: str) -> Tables:
    """The tables of one data module, as what is installed has it."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return MODULES[name].derive()


def derive_all(modules: Iterable[str]) -> Iterator[tuple[str, Tables]]:
    """Name and tables of each module, two at a time, each made by a process of its own: what a library keeps of
    earlier calls shows in later ones."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        chosen = list(modules)
        yield from zip(chosen, pool.map(derive, chosen), strict=True)


def committed(name: str) -> dict[Versions, Tables]:
    """The tables of each version that a module has, the newest first."""
    path = TARGET / name
    return read(path.read_text(encoding="utf-8")) if path.exists() else {}


def release(new: str, old: str) -> int:
    """Print what a release asks for; 1 where it asks for anything."""
    from derivation.release import report

    topics = 0
    for topic, lines in report(new, old):
        topics += bool(lines)
        print(f"{topic}: {len(lines) or 'none'}", *(f"  {line}" for line in lines), sep="\n", flush=True)
    return min(topics, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the modules instead of comparing them")
    parser.add_argument("--release", metavar="X.Y.Z", help="list what this version of JAX asks to be changed")
    parser.add_argument(
        "--since", metavar="X.Y.Z", default="", help="compare with this one, not the last recorded"
    )
    parser.add_argument("modules", nargs="*", default=list(MODULES), help="file names of the modules")
    options = parser.parse_args()
    if options.release:
        return release(options.release, options.since)
    stale = 0
    for name, tables in derive_all(options.modules):
        known, here = committed(name), versions(name)
        if known.get(here) == tables:
            continue
        stale += 1
        if options.write:
            kept = {each: known[each] for each in known if not same_release(each, here)}
            source = source_of(MODULES[name], kept | {here: tables})
            (TARGET / name).write_text(source, encoding="utf-8")
        print(("wrote " if options.write else "differs: ") + name)
        if not options.write and known:
            print("\n".join(differences(next(iter(known.values())), tables)))
    return 0 if options.write else min(stale, 1)


if __name__ == "__main__":
    sys.exit(main())
