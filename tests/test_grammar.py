"""What Python refuses is refused, and what it compiles is not, but for what is written for a newer Python."""

from __future__ import annotations

import warnings

import pytest

from jaxlint.ir.parsing import Refusal, parsed
from jaxlint.source.magics import of_script

# fmt: off
TEXTS = (
    'y = "\\x4" "b"', 'y = "\\N{foo}"', 'y = f"\\N{foo}"', 'y = f"{x}\\x4"', 'y = b"\\x4"',
    'y = b"\\N{foo}"', 'y = "\\u12"', 'y="\\U00110000"', 'y = "\\8"', 'y = r"\\x4"', 'y = b"\xe9"',
    'y = "a" b"b"', 'y = f"{x}" b"b"', 'f"{x}" t"{x}"', 't"a" "b"', 'y = "\\N{DIGIT ONE}"', 'y = "\\N{}"',
    'y = 0777', 'y = 0x', 'y = 1_', 'y = 1__0', 'y = 0_7', 'y = 00', 'y= 1if x else 2', 'y = 0xfor x in y',
    'f"{x!z}"', 'f"{}"', 'f"{a b}"', 'f"{x"', 'f"{x:{y}}"', 'f"{lambda x: 1}"', 'f"{x=}"', 'f"{yield}"',
    'f"""{\nx}"""', 'x = 1\n\x0cy = 2', 'def f():\n  \x0c  x\n    y', 'def f():\n    x\n  \x0c    y',
    'if x:\n\x0c  y', '  \x0cx=1', 'x = 1\x0c;y=2', 'x = 1 \\\n\x0c+ 2', 'return', 'yield', 'await x',
    'def f():\n  break', 'continue', 'def f(a,a): pass', 'def f(a=1,b): pass', 'f(a=1,a=2)', 'f(**a, b)',
    'f(*a, b)', 'f(**a, *b)', 'f(a=1, b)', 'f(x for x in y, 1)', 'f(1, x for x in y)', 'x = *a', 'x = *a,',
    '(*a)', 'del f()', 'f() = 1', 'f() += 1', 'a + b = 1', '(a, b) += 1', 'a: int, b', '(a, b): int',
    'x: int = yield', 'None = 1', 'True = 1', 'def None(): pass', 'class True: pass', 'import a as None',
    'from . import *', 'def f():\n from a import *', 'from __future__ import nothing',
    'x=1\nfrom __future__ import annotations', 'from __future__ import braces', 'global x',
    'def f():\n  x=1\n  global x', 'def f(x):\n  global x', 'nonlocal x', 'def f():\n nonlocal x',
    'def f():\n x: int\n nonlocal x', '[x := 1 for x in y]', '[(x:=1) for y in z]', 'x := 1', '(x := 1)',
    'f(x := 1)', 'f(a = x := 1)', 'lambda: (yield)', 'async def f():\n  yield x\n  return 1',
    'async def f():\n  yield from x', 'def f():\n  await x', '[await x for x in y]',
    'async for x in y: pass', 'async with x: pass', 'try: pass', 'try: pass\nexcept: pass\nexcept A: pass',
    'try: pass\nexcept* A: pass\nexcept B: pass', 'try: pass\nexcept* A: return',
    'def f():\n try: pass\n except* A: return', 'match x:\n case 1: pass',
    'match x:\n case a: pass\n case b: pass', 'match x:\n case a | b: pass',
    'match x:\n case {**a, "b": 1}: pass', 'match x:\n case [*a, *b]: pass',
    'match x:\n case {"a": 1, "a": 2}: pass', 'match x:\n case A(b=1, b=2): pass',
    'match x:\n case (a, a): pass', 'match x:\n case -a: pass', 'match x:\n case 1 + 2: pass', 'x = 1 2',
    'print x', 'exec "x"', '`x`', 'x <> y', 'a ! b', '$x', 'x?', '\xe9 = 1', 'x = \u201ca\u201d',
    '\ufeffx = 1', 'x\xa0= 1', 'x = 1\u2028y = 2', '0b12', '0o8', '1e', '1.e5', '1jx', 'x = 1\r\ny = 2\ry',
    '\\', 'x = \\', 'x = "\\', '"\\\n"', '"a\nb"', '((((', '))', '(]', '{1:2, 3}', '{1, 2:3}', '{**a, *b}',
    '{*a, 1}', 'x[1:2:3:4]', 'x[*a]', 'x[*a:1]', 'x[]', '()', 'a.1', '1.a', '1 .a', '1..a', '...', '. . .',
    'not', 'a not b', 'a is not not b', '*a = b', '*a, = b', '*a, *b = c', '[*a, *b] = c',
    'for x in *a, b: pass', 'for *a in b: pass', 'for *a, in b: pass', 'with (a as b): pass',
    'with (a, b) as c: pass', 'with (a as b, c as d,): pass', 'with a as b.c, d as e[0]: pass',
    'with a as 1: pass', 'for 1 in x: pass', 'for f() in x: pass', '@x := 1\ndef f(): pass',
    '@(x := 1)\ndef f(): pass', '@a\nx = 1', '@a\nclass B: pass', 'class A(): x = 1',
    'class A(x for x in y): pass', 'class A(*a, **b): pass', 'def f(*): pass', 'def f(*, a): pass',
    'def f(*, **a): pass', 'def f(/): pass', 'def f(a, /, b, /): pass', 'def f(*a, *b): pass',
    'def f(**a, b): pass', 'def f(**a,): pass', 'def f(*a=1): pass', 'def f(*a: *b): pass',
    'def f(a: *b): pass', 'lambda *: 1', 'lambda a, /: 1', 'lambda (a, b): 1', 'def f((a, b)): pass',
    'def f() -> *a: pass', 'raise x, y', 'raise from x', 'raise x from y', 'assert', 'assert x, y, z',
    'del', 'del ()', 'del a,', 'del (a, b), c', 'del *a', 'del a, 1', 'import a.b as c', 'import a as b.c',
    'import .a', 'from .a import b', 'from ... import a', 'from .... a import b', 'from a import',
    'from a import ()', 'from a import (b,)', 'from a import b,', 'from a import (*)', 'pass pass', 'x;',
    'x;;y', ';', 'if x: pass; y\nelse: z', 'if x: if y: pass', 'while x: pass\nelse: y', 'x if y',
    'x if y else', 'x = yield = 1', 'x = yield y', '(yield) = 1', 'x = (yield)', 'yield = 1', 'async = 1',
    'await = 1', 'print(end="")', 'match = 1', 'case = 1', 'match(x)', 'match[x]', 'match x', 'type = 1',
    'type(x)', '_ = 1', '__debug__ = 1', 'def f(__debug__): pass', 'x.__debug__ = 1', 'f(__debug__=1)',
    'import __debug__', 'f(True=1)', 'f(a.b=1)', 'f((a)=1)', 'f(a := 1, b)', 'x = (y for y in z', '"',
    "'''", 'x = """\n\n', 'f"', 'f"""{x', 'f"{x}}"', 'f"{{x}"', 'f"{x!}"', 'f"{x:"', 'f"{!r}"',
    'f"{x!r!s}"', 'f"{x:%Y}"', 'f"{x:\\x4}"', 'f"{x:\\N{foo}}"', 'rf"\\N{foo}"', 'f"\\N{DIGIT ONE}"',
    'f"\\N{DIGIT ONE"', 'fr"{x}\\x4"', 'u"\\x4"', 'ub"a"', 'bu"a"', 'fb"a"', 'ft"a"', 'br"\\x4"',
    'Rb"\\x4"', 'x = 1 if True else', 'class A:\npass', 'def f():\n\tx\n        y', 'if x:\n\ty\n    z',
    'if x:\n    y\n\tz', 'if 1:\n        x\n\ty', '\t x\n', 'def f():\n    """a"""\n  x', "x = '''a\n'''y",
    '{a:b for a, b in c, d}', '[a for a in b if c else d]', '[a for a in b, c]', '[a, b for a in c]',
    '(a for a in b for c)', 'lambda: x = 1', '(lambda: x) = 1', 'a < b = c', 'a == b := c', 'x = a, = b',
    'a = b == c = d', '"a" = 1', '1 += 1', 'a.b: int', 'a[0]: int = 1', '(a): int', 'a: b: c',
    'return x if y', 'def f(): return *a, b', 'def f(): return *a', 'def f(): yield *a, b',
    'def f(): yield *a', "print(*a, sep='', **b)", '(a, b) = c, d = e', 'with a, b: pass',
    'with a as b as c: pass', 'with (a, b): pass', 'with (a): pass', 'with (a,): pass',
    'with (a as b), c: pass', 'with (yield): pass',
    'async def f():\n async with a as b, c: pass\n async for x in y: pass\n else: pass\n [x async for x in y]\n await a ** b\n return await x',
    'async lambda: 1', 'async x = 1', 'def async(): pass', 'async def f(): pass\nasync  def g(): pass',
    'def f():\n async for x in y: pass', 'def f():\n [x async for x in y]', 'class A:\n yield 1',
    'class A:\n return', 'class A:\n await x', 'lambda: await x', 'x = await', 'a if b else c = 1',
    'a and b = 1', '-a = 1', '[a, 1] = b', '(a, b()) = c', '[] = x', '() = x', '{} = x', '... = x',
    "f'' = x", 'a, b += 1', 'a = b += 1', 'a @= b', 'a := b', 'a //= b', 'a ->b',
    'def f() -> a -> b: pass', 'while (x := 1): pass', 'while x := 1: pass', 'if x := 1: pass',
    'x[a := 1]', 'x[a := 1, b]', 'x[a:=1:2]', '{a := 1}', '{a := 1: 2}', '{a: b := 1}', '[a := 1, b]',
    '(a := 1, b)', 'a = b := 1', 'def f(a := 1): pass', 'def f(a=b := 1): pass', 'def f(a: b := 1): pass',
    'lambda x := 1: x', 'lambda: x := 1', "f'{x:=1}'", "f'{(x:=1)}'", 'assert x := 1', 'return (x := 1)',
    'del (x := 1)', 'for (x := 1) in y: pass', 'import a, b as c,', 'try:\n x\nfinally:\n y\nelse:\n z',
    'try:\n x\nelse:\n y', 'try:\n x\nexcept:\n y\nelse:\n z\nfinally:\n w', 'else: x', 'elif x: y',
    'except: x', 'finally: x', 'if x:\nelse: y', 'if x:', 'def f():', 'class A:', 'for x in y:',
    'x = [\n1,\n2\n', 'x = (1\ny = 2', 'x = 1)\ny = 2', 'def f(:\n pass', 'if x\n  y', 'if x = 1: pass',
    'while x = 1: pass', "print 'a'", 'print >>x, y', 'exec x in y', 'a++', '++a', 'a--', '!a', 'a && b',
    'a || b', 'a ? b : c', "x = 'a' 'b' f'{c}' r'd'", "x = b'a' rb'b'", '0_', '0x_1', '0x1_', '0b_1',
    '1_000.0_1', '1._0', '1e1_0', '1e_1', '1E+5', '0e0', '00.5', '09.5', '09', '09j', '0_9.5', '1l', '1L',
    '0xL', '1if 1else 0', '[1for x in y]', '0or 1', '1or 2', '1in x', '0x1for x in y',
    'class A(B, k=1, k=2): pass', 'def f():\n  for x in y:\n    def g(): break',
    'while x:\n  class A:\n    continue', 'for x in y:\n  pass\nelse:\n  break',
    'class A:\n  def f(self):\n    return 1\n  return 2',
    '"""doc"""\nfrom __future__ import annotations\nx = 1', 'x = 1\ny = f"""{\nx}"""',
    'if x:\n  from __future__ import annotations', 'async def f():\n  def g(): await x',
    'async def f():\n  lambda: await x', '[[(y := 1) for x in z] for y in w]', '[x for *x in y]',
    'with a as (b, *c): pass', 'f(**a, **b)', 'f(a=1, **b)', 'global x\nx = 1',
    'def f():\n global x\n x = 1', 'match x:\n case [1, *_]: pass\n case _: pass',
    "x = 1" + "0" * 5000,
    "def f():\n" + "".join("  " * n + "while x:\n" for n in range(1, 22)) + "  " * 22 + "pass",
    "x = " + "(" * 150 + "1" + ")" * 150,
)
NEWER = (
    't"{x}"', 'f"{x!r:>{y:>{z}}}"', "f'{'a'}'", "f'{x['a']}'", 'f"{\nx}"', 'try: pass\nexcept A, B: pass',
    'type X = int', 'def f[T](x): pass', 'class A[T]: pass', '{**a for a in b}', '[*a for a in b]',
    '(*a for a in b)', '{*a for a in b}',
)
# fmt: on


def is_refused(text: str) -> bool:
    outcome = parsed(text.encode())
    assert not isinstance(outcome, Refusal) or outcome.code == "JAX001"
    return isinstance(outcome, Refusal)


def compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text.encode(), "<text>", "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


@pytest.mark.parametrize("before", ["", "import jax\n"], ids=["first", "second"])
def test_what_python_refuses_is_refused(before: str) -> None:
    """But scripts for IPython."""
    texts = [text for text in TEXTS if of_script(text) is None]
    wrong = [text for text in texts if is_refused(before + text) == compiles(before + text)]
    assert not wrong


@pytest.mark.parametrize("text", NEWER)
def test_what_is_written_for_a_newer_python_is_read(text: str) -> None:
    assert not is_refused(text + "\n")


@pytest.mark.parametrize(
    "wrong",
    [
        r'"\N{foo}"',
        r'"\x4"',
        r'f"{x}\N{foo}"',
        r'f"{x:\x4}"',
        r'"\x4" "b"',
        'b"\xe9"',
        '"a" b"b"',
        'f"{x}" t"{x}"',
    ],
)
def test_a_newer_construct_excuses_no_wrong_literal(wrong: str) -> None:
    assert is_refused(f"x = t'{{y}}'\ny = {wrong}\n")


def test_a_refusal_is_the_one_of_python() -> None:
    outcome = parsed(b'import jax\ny = "\\N{foo}"\n')
    assert isinstance(outcome, Refusal)
    assert (outcome.row, outcome.code) == (2, "JAX001")
    assert "unknown Unicode character name" in outcome.message
