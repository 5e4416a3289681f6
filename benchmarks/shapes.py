"""How the cost of one file grows with its size, for files of many shapes.

    python benchmarks/shapes.py [SHAPE...] [--doublings N] [--scale F] [--most SECONDS] [-f FORMAT]

Each shape is a program whose size is one number: functions, statements, classes, terms of an expression. It
is checked at a size, at twice and at four times that size and so on, with all rules and without a cache. The
table shows processor seconds less those of an empty file, and their ratio to those of the size before: 2.0 is
linear. After a size that takes more than --most seconds, no larger one is tried.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from cost import ran

HEAD = "import jax\nimport jax.numpy as jnp\n\n\n"
LEAST = 0.05  # processor seconds below which a ratio says nothing


def repeated(text: str, head: str = HEAD, foot: str = "") -> Callable[[int], str]:
    """A shape: a text again and again, with `{i}` for how many came before."""
    return lambda n: head + "".join(text.replace("{i}", str(i)) for i in range(n)) + foot


def inside(
    text: str, head: str = "@jax.jit\ndef f(x, y):\n", foot: str = "    return x\n"
) -> Callable[[int], str]:
    """A shape: a text again and again as statements of one jitted function."""
    return repeated(text, HEAD + head, foot)


def line(begin: str, text: str, end: str = "", head: str = HEAD) -> Callable[[int], str]:
    """A shape: a text again and again on one line."""
    return repeated(text, head + begin, end + "\n")


def nested(begin: str, text: str, deepest: str) -> Callable[[int], str]:
    """A shape: blocks in blocks, at most as deep as Python allows."""

    def made(n: int) -> str:
        body = "".join("    " * (i + 1) + text.replace("{i}", str(i)) + "\n" for i in range(n))
        return HEAD + begin + body + "    " * (n + 1) + deepest + "\n    return x\n"

    return made


def chained(begin: str, text: str, end: str = "") -> Callable[[int], str]:
    """A shape: a text again and again, with `{i}` for how many came before and `{next}` for one more."""
    return lambda n: (
        HEAD
        + begin
        + "".join(text.replace("{i}", str(i)).replace("{next}", str(i + 1)) for i in range(n))
        + end.replace("{n}", str(n))
    )


def cased(n: int) -> str:
    """A `match` with so many cases."""
    cases = "".join(f"        case {i}:\n            return jnp.sin(x) + {i}\n" for i in range(n))
    return f"{HEAD}def f(x, kind):\n    match kind:\n{cases}    return x\n"


def handled(n: int) -> str:
    """A `try` with so many handlers."""
    handlers = "".join(f"    except E{i}:\n        x = x + {i}\n" for i in range(n))
    return f"{HEAD}def f(x):\n    try:\n        x = g(x)\n{handlers}    return x\n"


SHAPES: dict[str, tuple[int, Callable[[int], str]]] = {
    # many functions
    "jitted": (500, repeated("@jax.jit\ndef f{i}(x):\n    return jnp.sin(x) + {i}\n\n\n")),
    "jitted-found": (
        500,
        repeated("@jax.jit\ndef f{i}(x):\n    if x > {i}:\n        return jnp.sin(x)\n    return x\n\n\n"),
    ),
    "jitted-globals": (
        500,
        repeated("STEP{i} = {i}\n\n\n@jax.jit\ndef f{i}(x):\n    return x + STEP{i}\n\n\n"),
    ),
    "jitted-helper": (
        500,
        repeated(
            "@jax.jit\ndef f{i}(x):\n    return g(x) + {i}\n\n\n", HEAD + "def g(x):\n    return x * 2\n\n\n"
        ),
    ),
    "jitted-called": (
        500,
        repeated("@jax.jit\ndef f{i}(x):\n    return jnp.sin(x) + {i}\n\n\nprint(f{i}(1.0))\n\n\n"),
    ),
    "jitted-stale": (
        250,
        repeated(
            "@jax.jit\ndef f{i}(x):\n    return x + STEP{i}\n\n\n"
            "STEP{i} = 1\nprint(f{i}(1.0))\nSTEP{i} = 2\nprint(f{i}(1.0))\n\n\n"
        ),
    ),
    "functions": (500, repeated("def f{i}(x, y=None):\n    return [each for each in x if each != y]\n\n\n")),
    "call-chain-of-functions": (
        250,
        repeated(
            "@jax.jit\ndef f{i}(x):\n    return g{i}(x) + 1\n\n\ndef g{i}(x):\n    return x * {i}\n\n\n"
            "def h{i}(x):\n    return f{i}(x)\n\n\n"
        ),
    ),
    "scans": (
        250,
        repeated("def f{i}(x):\n    return jax.lax.scan(lambda c, a: (c + a, c), 0.0, x)\n\n\n"),
    ),
    # many classes
    "classes": (
        250,
        repeated(
            "class C{i}:\n    def __init__(self, width):\n        self.width = width\n\n"
            "    def apply(self, x):\n        return x * self.width\n\n"
            "    @jax.jit\n    def step(self, x):\n        return self.apply(x)\n\n\n"
        ),
    ),
    "methods": (
        250,
        repeated(
            "    def m{i}(self, x):\n        self.a{i} = x\n        return jnp.sin(x) + self.a{i}\n\n",
            HEAD + "class C:\n",
        ),
    ),
    # many statements
    "module-calls": (500, repeated("x{i} = f({i})\n", HEAD + "@jax.jit\ndef f(x):\n    return x + 1\n\n\n")),
    "module-calls-of-many": (
        250,
        lambda n: (
            repeated("@jax.jit\ndef f{i}(x):\n    return x + {i}\n\n\n")(n)
            + repeated("print(f{i}(1.0))\n", "")(n)
        ),
    ),
    "statements": (500, inside("    x = jnp.sin(x) + y * {i}\n")),
    "variables": (500, inside("    x{i} = jnp.sin(x) + y * {i}\n")),
    "branches": (250, inside("    if flag:\n        x = x + {i}\n", "def f(x, flag):\n")),
    "branches-variables": (
        250,
        inside(
            "    if flag > {i}:\n        x{i} = x + {i}\n    else:\n        x{i} = x\n", "def f(x, flag):\n"
        ),
    ),
    "branches-found": (250, inside("    if x > {i}:\n        x = x + 1\n")),
    "branches-jitted": (
        250,
        repeated("if flag > {i}:\n    x = f(x)\n", HEAD + "flag = 1\nx = 1\nf = jax.jit(lambda x: x + 1)\n"),
    ),
    "elif": (
        100,
        inside(
            "    elif x.ndim == {i}:\n        x = x + {i}\n", "def f(x):\n    if x is None:\n        x = 1\n"
        ),
    ),
    "loops": (250, inside("    for i{i} in range(3):\n        x = x + i{i}\n")),
    "tries": (
        250,
        inside("    try:\n        x = g(x)\n    except ValueError:\n        x = None\n", "def f(x):\n"),
    ),
    "returns": (250, inside("    if x == {i}:\n        return jnp.sin(x) + {i}\n", "def f(x):\n")),
    "keys": (
        250,
        inside(
            "    key, k{i} = jax.random.split(key)\n    x = x + jax.random.normal(k{i}, (3,))\n",
            "def f(x, key):\n",
        ),
    ),
    "keys-split": (
        500,
        inside(
            "    k{i} = jax.random.split(key, 3)\n    x = x + jax.random.normal(k{i}[0])\n",
            "def f(x, key):\n",
        ),
    ),
    "keys-folded-chain": (
        250,
        inside(
            "    key = jax.random.fold_in(key, {i})\n    x = x + jax.random.normal(key)\n", "def f(x, key):\n"
        ),
    ),
    "keys-split-chain": (
        250,
        inside(
            "    keys{i} = jax.random.split(key, 4)\n    key = keys{i}[0]\n    x = g(x, *keys{i}[1:])\n",
            "def f(x, key):\n",
        ),
    ),
    "keys-loops": (
        250,
        inside(
            "    for k in keys[{i}]:\n        x = x + jax.random.normal(k)\n",
            "def f(x, key):\n    keys = jax.random.split(key, (3, 9))\n",
        ),
    ),
    "keys-items": (
        500,
        lambda n: inside(
            "    x = x + jax.random.normal(keys[{i}], (3,))\n",
            f"def f(x, key):\n    keys = jax.random.split(key, {n})\n",
        )(n),
    ),
    "keys-items-unknown": (
        500,
        inside(
            "    x = x + jax.random.normal(keys[{i}], (3,))\n",
            "def f(x, key, n):\n    keys = jax.random.split(key, n)\n",
        ),
    ),
    "keys-slices": (
        500,
        inside(
            "    x = x + jax.vmap(jax.random.normal)(keys[{i}:{i} + 1])\n",
            "def f(x, key, n):\n    keys = jax.random.split(key, n)\n",
        ),
    ),
    "keys-folded": (
        500,
        inside("    x = x + jax.random.normal(jax.random.fold_in(key, {i}), (3,))\n", "def f(x, key):\n"),
    ),
    "keys-fresh": (500, inside("    x = x + jax.random.normal(jax.random.key({i}), (3,))\n", "def f(x):\n")),
    "keys-branches": (
        250,
        inside(
            "    if flag > {i}:\n        key, k{i} = jax.random.split(key)\n"
            "        x = x + jax.random.normal(k{i}, (3,))\n",
            "def f(x, key, flag):\n",
        ),
    ),
    "keys-handed": (
        250,
        inside("    key, k{i} = jax.random.split(key)\n    x = g(x, k{i})\n", "def f(x, key):\n"),
    ),
    "keys-called": (
        250,
        inside(
            "    key, k{i} = jax.random.split(key)\n    x = g(x, k{i})\n",
            "def g(x, key):\n    return x + jax.random.normal(key, (3,))\n\n\ndef f(x, key):\n",
        ),
    ),
    "keys-reused": (250, inside("    x = x + jax.random.normal(key, (3,))\n", "def f(x, key):\n")),
    "appends": (250, inside("    xs.append(x + {i})\n", "def f(x):\n    xs = []\n")),
    "attributes": (250, inside("    self.a{i} = x\n    x = x + self.a{i}\n", "def f(self, x):\n")),
    "items": (250, inside("    d['a{i}'] = x\n    x = x + d['a{i}']\n", "def f(x):\n    d = {}\n")),
    "closures": (
        250,
        inside("    def g{i}(a):\n        return a + y\n\n    x = g{i}(x)\n"),
    ),
    "nested": (10, nested("def f(x):\n", "if x[{i}]:", "x = jnp.sin(x)")),
    "nested-loops": (2, nested("def f(x):\n", "for i{i} in x:", "x = jnp.sin(x)")),
    "updates": (1000, inside("    x = x.at[{i}].set({i})\n")),
    "lambdas": (500, inside("    f{i} = lambda a: jnp.sin(a) + {i}\n", "def f(x):\n")),
    "lambdas-called": (500, inside("    x = (lambda a: jnp.sin(a) + {i})(x)\n", "def f(x):\n")),
    "match": (250, cased),
    "handlers": (250, handled),
    "elif-strings": (
        250,
        inside(
            "    elif kind == 'a{i}':\n        return jnp.sin(x) + {i}\n",
            "def f(x, kind):\n    if kind == '':\n        return x\n",
        ),
    ),
    "asserts": (500, inside("    assert x.shape[{i}] == y, 'no'\n", "def f(x, y):\n")),
    "attributes-nested": (
        500,
        inside("    self.a.b{i}.c = x\n    x = x + self.a.b{i}.c\n", "def f(self, x):\n"),
    ),
    "withs": (250, inside("    with g({i}) as a{i}:\n        x = x + a{i}\n", "def f(x):\n")),
    "comprehensions": (500, inside("    x{i} = [jnp.sin(a) + {i} for a in y]\n")),
    # calls
    "call-chain": (
        250,
        chained("", "def f{i}(x):\n    return f{next}(x) + 1\n\n\n", "def f{n}(x):\n    return jnp.sin(x)\n"),
    ),
    "call-chain-jitted": (
        250,
        chained(
            "",
            "@jax.jit\ndef f{i}(x):\n    return f{next}(x) + 1\n\n\n",
            "def f{n}(x):\n    return jnp.sin(x)\n",
        ),
    ),
    "call-chain-keys": (
        250,
        chained(
            "",
            "def f{i}(key):\n    key, k = jax.random.split(key)\n"
            "    return f{next}(key) + jax.random.normal(k)\n\n\n",
            "def f{n}(key):\n    return jax.random.normal(key)\n",
        ),
    ),
    "contexts": (
        250,
        repeated("f(x, 'a{i}')\n", HEAD + "x = 1.0\n\n\n@jax.jit\ndef f(x, name):\n    return x\n\n\n"),
    ),
    "contexts-static": (
        250,
        repeated(
            "y{i} = f(x, {i})\n",
            HEAD
            + "from functools import partial\n\nx = 1.0\n\n\n"
            + "@partial(jax.jit, static_argnums=1)\ndef f(x, n):\n    return x + n\n\n\n",
        ),
    ),
    "contexts-written": (
        250,
        repeated(
            "@jax.jit\ndef f{i}(x):\n    return x + STATE['a{i}']\n\n\n"
            "STATE['a{i}'] = 1.0\nf{i}(2.0)\nSTATE['a{i}'] = f{i}(1.0)\n\n\n",
            HEAD + "STATE = {}\n",
        ),
    ),
    "inheritance": (
        250,
        chained("class C0:\n    pass\n\n\n", "class C{next}(C{i}):\n    a{i} = {i}\n\n\n", "x = C{n}().a0\n"),
    ),
    "decorators": (250, repeated("@g({i})\n", HEAD, "def f(x):\n    return jnp.sin(x)\n")),
    # comments
    "suppressions": (1000, repeated("x{i} = {i}  # jaxlint: ignore[key-reuse]: the same on purpose\n")),
    "suppressed": (250, inside("    if x > {i}:  # jaxlint: ignore[branch-on-traced]\n        x = x + 1\n")),
    "comments": (5000, repeated("# a comment\n")),
    # one line
    "list": (20_000, line("x = [", "{i}, ", "]")),
    "list-of-arrays": (1000, line("x = [", "jnp.zeros({i}), ", "]")),
    "dict": (5000, line("x = {", "'{i}': {i}, ", "}")),
    "sum": (2000, line("@jax.jit\ndef f(a):\n    return a", " + a")),
    "sum-found": (1000, line("@jax.jit\ndef f(a):\n    return a", " + float(a)")),
    "chain": (500, line("@jax.jit\ndef f(a):\n    return a", ".at[0].set(1)")),
    "attributes-chain": (500, line("def f(a):\n    return a", ".b")),
    "calls-nested": (100, lambda n: HEAD + "def f(a):\n    return " + "jnp.sin(" * n + "a" + ")" * n + "\n"),
    "calls": (500, line("def f(a):\n    return [", "jnp.sin(a), ", "]")),
    "found": (500, line("@jax.jit\ndef f(a):\n    return [", "float(a), ", "]")),
    "found-wide": (500, line("@jax.jit\ndef f(a):\n    return ['é', ", "float(a), ", "]")),
    "semicolons": (500, line("", "x{i} = jnp.sin({i}); ", "x = 0")),
    "arguments": (1000, line("def f(a):\n    return print(", "a, ", ")")),
    "parameters": (500, line("@jax.jit\ndef f(", "a{i}, ", "):\n    return a0")),
    "comparisons": (500, line("def f(a):\n    return a", " and a > {i}")),
    "ands": (500, line("def f(a):\n    return a", " and a > {i} and b{i}")),
    "ors": (500, line("def f(a):\n    if a", " or a is {i}", ":\n        return a\n    return 0")),
    "ifexps": (250, line("def f(a):\n    return ", "{i} if a == {i} else ", "a")),
    "concatenations": (500, line("def f(a):\n    return ''", " + 'a{i}' + a")),
    "fstring": (500, line("def f(a):\n    return f'", "{a + {i}} ", "'")),
    "fstrings-nested": (500, line("def f(a):\n    return ['", "', f'{f\"{f(a)} {i}\"} ", "']")),
    "table": (5000, line("TABLE = [\n", "    ('a{i}', {i}, {i}.5, None, True, -{i}),\n", "]")),
    "table-of-dicts": (2000, line("TABLE = {\n", "    'a{i}': {'b': {i}, 'c': [{i}, 2]},\n", "}")),
    "table-read": (
        2000,
        line("TABLE = [\n", "    ('a{i}', {i}),\n", "]\n\n\n@jax.jit\ndef f(x):\n    return x + len(TABLE)"),
    ),
    "keywords": (1000, line("def f(a):\n    return dict(", "b{i}=a, ", ")")),
    "numbers": (40_000, line("x = jnp.array([", "{i}.5, ", "])")),
    "string": (100_000, line("x = '", "abcdefgh", "'")),
    "string-found": (100_000, line("f = jax.jit(lambda a: float(a) if '", "abcdefgh", "' else 0)")),
    "text": (10_000, repeated("abcdefgh\n", "x = '''", "'''\n")),
    "subscripts": (500, line("@jax.jit\ndef f(a):\n    return a", "[0]")),
    "imports": (1000, repeated("import m{i}\n")),
    "names": (1000, repeated("from m import n{i}\n")),
}


def seconds(text: str, output_format: str) -> float:
    """Processor seconds of a check of a file."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "jaxlint.toml").touch()
        (folder / "shape.py").write_text(text, encoding="utf-8")
        flags = ["--select", "ALL", "-n", "-j", "1", "--output-format", output_format]
        return ran([sys.executable, "-m", "jaxlint", "check", ".", *flags], folder).cost.cpu


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of all sizes")
    parser.add_argument("--most", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("-f", "--output-format", default="full")
    options = parser.parse_args()
    if unknown := set(options.shapes) - set(SHAPES):
        parser.error(f"no such shape: {', '.join(sorted(unknown))}")
    empty = min(seconds("", options.output_format) for _ in range(3))
    print(
        f"{'':26}{'n':>8}{'bytes':>10}{'cpu s':>9}{'ratio':>7}   (an empty file: {empty:.2f} s)", flush=True
    )
    for name in options.shapes or SHAPES:
        size, shape = SHAPES[name]
        before = 0.0
        for doubling in range(options.doublings + 1):
            n = max(1, int(size * options.scale)) << doubling
            text = shape(n)
            took = seconds(text, options.output_format) - empty
            ratio = f"{took / before:.2f}" if before > LEAST else ""
            print(f"{name:26}{n:8}{len(text.encode()):10}{took:9.2f}{ratio:>7}", flush=True)
            before = took
            if took > options.most:
                break


if __name__ == "__main__":
    main()
