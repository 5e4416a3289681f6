"""Places of nodes: statements parsed alone lie where they lie in the whole file."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import libcst as cst
import pytest
from msgspec.structs import replace
from test_stage import as_data

from jaxlint.ir.locations import Located
from jaxlint.ir.lowering import lower
from jaxlint.ir.program import Program
from jaxlint.rule import Part
from jaxlint.source.from_libcst import as_python
from jaxlint.source.lossless import Lossless
from jaxlint.source.text import Source, read_source

HERE = Path(__file__).parent
FILES = sorted(
    path for folder in ("generator", "derivation", "../rules") for path in (HERE / folder).rglob("*.py")
)
GRAMMAR = """\
import a.b.c as d, e.f
from . import g as h, i
from .. import *
from ..j.k import (l, m as n,)
async def f(a, /, b: int = 1, *c: T, d, e=2, **g) -> int:
    global u, v
    async with a as b, c as (d, e): pass
    async for x in y: await z
    return [x async for x in y if x if not y for z in x]
def g(*, a): nonlocal_ = yield; yield a; x = yield from a; return
class A(B, *c, metaclass=M, **k): x: int; y: list[int] = []
if a: pass
elif b and c and (d or e) or not f: pass
else: z = -1, +a, ~b, not c, -1.5, 1j, 0xff, 0o17, 1_000, .5, ...
while a < b <= c != d is not e not in f is g in h == i > j >= k:
    if a: break
    continue
else: b = lambda a, *b, c=1, **d: (a, b)
for (a, *b), [c, d.e, f[0]] in g, *h: pass
else: del a, b, (g, h); del (c, d); del [e]; del f
def h(*args: *Ts, **kwargs: a[*b]) -> c[d, *e]: pass
try: assert a, b
except (A, B) as error: raise C from error
except D: raise
else: x @= y; x += 1; x -= 1; x *= 1; x /= 1; x //= 1; x %= 1; x **= 1; x <<= 1; x >>= 1; x &= 1; x |= 1; x ^= 1
finally: x = a + b - c * d / e // f % g ** h @ i << j >> k & l | m ^ n
try: pass
except* A as group: pass
with (open("a") as a, open("b") as b,): pass
match a:
    case [1, -2, *rest] | (3, *_) if b: pass
    case {"k": v, **others}: pass
    case A.B(1, x, y=2) as whole: pass
    case None | True | "s" | 1 + 2j | A.b: pass
    case _: pass
x = a[1:2, ::3, ...], a[b], a[b,], a[(b, c)], a[*b], a[:], a[b:], a[i := 1]
x = f(a, *b, c=1, *d, e=2, **g), f(a for a in b), (h := 3), {**a, 1: 2}, {1, *b}, {}, []
x = {a: b for a, b in c}, {a for a in b}, (yield_ for yield_ in (lambda: (yield))())
x = "a" 'b' r"c\\d", b"e" b"f", f"{a!r:>{w}}{b=}" "c" f"{d:.2f}{e=!s}{{}}", u"g"
"text"
f"{x}"
"""

METHODS = """\
class A(B):
    # low
# lower
    @jax.jit
    # between
    @(
        b)
    def f(self): return x
    y = 1; z = 2
    async def g(self, a={}):

        class C:
            def h(self): \\
 return x
    # end

    def i(self):
        '''
low'''; return f'''{x
}'''
class D:

  def j(self): return [y for
y in x]
  x = 2
class E: x = lambda self: x
"""

FORM_FEEDS = """\
\x0cimport jax
\x0c
\x0c@jax.jit
\x0c@(
\x0c  b)
def f(x):
  \x0c    if x:
    \x0c        y = x
        z = (y,
\x0cx)
\x0c    else:
         z = '''
\x0c  a'''; w = z
    return z
class A:
    x = 1

\x0c    # high
\x0c    @property
    def g(self):
\x0c      return self.x
\x0c
\x0c    async def h(self, a={\x0c}): pass
\x0cy = \x0c f(1) + \\
\x0c 2"""

ODD = {
    "semicolons": "import jax; x = 1; y = 2\nz = (x,\n  y); w = 3\n",
    "decorators": "import jax\n@(\n  jax.jit\n)\n@jax.checkpoint  # twice\ndef f(x):\n    return x\ny = 1\n",
    "comments": "# top\n\nx = 1  # one\n\n# between\n    # indented\n\ny = 2\n# end",
    "strings": 'x = """\na\n"""; y = 1\nz = f"{x!r:>{y}}"\n',
    "carriage-returns": "x = 1\r\nif x:\r\n    y = 2\r\nelse:\r\n    y = 3\r\nz = x\r\n",
    "form-feed": "x = 1\n\x0c\ny = 2\n\x0cdef f():\n    pass\n",
    "form-feeds": FORM_FEEDS,
    "continuation": "x = \\\n  1\ny = 2 + \\\n 3; w = 1\nz = 3",
    "tabs": "def f(x):\n\tif x:\n\t\treturn 1\n\treturn 2\nclass A:\n    def g(self):\n        pass\n",
    "one-line": "class A: x = 1; y = 2\nfor i in x: pass\nelse: z = 1\n",
    "names": "µ, ﬁx = 1, 2\nclass 𝒜:\n    ℓ = µ\nprint(𝒜.ℓ, ﬁx=ﬁx)\n",
    "grammar": GRAMMAR,
    "methods": METHODS,
    "empty": "",
    "comment-only": "# nothing\n",
}


_PATHS = [("func",), ("value",), ("value", "func"), *((("argument", which),) for which in (0, 1, "c"))]


def read(source: Source) -> Program:
    return lower(ast.parse(source.text)).program


def place(source: Source, node: ast.AST) -> tuple[int, int]:
    """Row and column of a node of Python's tree, which counts bytes."""
    row, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
    return row, len(source.line(row).encode()[:column].decode()) + 1


def compare(source: Source) -> int:
    """How many nodes were compared: Python's parser and LibCST's give one program and the same places, and
    statements parsed alone the places that the whole file gives."""
    tree = ast.parse(source.text)
    program, own, _ = lower(tree)
    placed = {each for each in ast.walk(tree) if isinstance(each, (ast.expr, ast.stmt))}
    placed -= {each for each in placed if isinstance(each, (ast.GeneratorExp, ast.Tuple))}  # with brackets
    # Before 3.12 Python gives what is in a formatted string the place of the string.
    placed -= {inner for each in placed if isinstance(each, ast.JoinedStr) for inner in ast.walk(each)}
    other, nodes, _ = lower(as_python(Lossless.of(source.text).module()))
    assert as_data(replace(other, tops=[], methods=[])) == as_data(replace(program, tops=[], methods=[]))
    pieces, whole = Located(source, program), Located(source, other)
    numbers = range(1, len(nodes))
    assert not pieces.unknown(numbers)
    for number in numbers:
        assert type(pieces.node(number)) is type(whole.node(number)) is type(nodes[number].cst)  # type: ignore[attr-defined]
        assert pieces.header(number) == whole.header(number) == whole._header_of(whole.node(number))
        assert pieces.span_of(pieces.node(number)) == whole.span_of(whole.node(number))
        for path in _PATHS if isinstance(own[number], (ast.Call, ast.Subscript, ast.Attribute)) else ():
            part = Part(number, path)
            node = whole.part(part)
            text = pieces.text_of_part(part)
            assert text == (whole.text(number) if node is None else whole.text_of(node)), part
        if own[number] in placed:
            assert pieces.span_of(pieces.node(number)).start == place(source, own[number])
    ends = [whole.last_row(at) for at in range(len(other.tops))]
    assert [pieces.last_row(at) for at in range(len(program.tops))] == list(dict.fromkeys(ends))
    return len(numbers)


@pytest.mark.parametrize("name", ODD)
def test_odd_files(name: str) -> None:
    compare(Source.from_text(ODD[name]))


def test_real_files() -> None:
    assert sum(compare(read_source(path.read_bytes())) for path in FILES) > 20_000


def test_statements_are_parsed_when_they_are_asked_for() -> None:
    source = Source.from_text("def f(x):\n    return x\n" * 50)
    program = read(source)
    located = Located(source, program)
    located.node(program.codes[7].nid)
    assert len(located._tops) == 1
    assert located.span(program.codes[7].nid).row == 13


def test_what_this_python_cannot_parse_is_parsed_whole() -> None:
    source = Source.from_text("x = 1\ny = 2; z = 3\n")
    program = lower(as_python(cst.parse_module(source.text))).program
    located = Located(source, program)
    assert [located.last_row(at) for at in range(3)] == [1, 2, 2]
    assert located.text(located.program.tops[2][0]) == "z = 3"
    assert not located._tops


def test_what_is_found_is_told_without_libcst(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import jax\nkey = jax.random.key(0)\nprint(jax.random.normal(key), jax.random.normal(key))\n"
    )
    program = (
        "import sys, jaxlint; print([each.code for each in jaxlint.lint('a.py')], 'libcst' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "['JAX301'] False\n"
