"""Places of nodes: statements parsed alone lie where they lie in the whole file."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest

from jaxlint.engine.locate import Located
from jaxlint.engine.lower import lower
from jaxlint.engine.source import Source, read_source

HERE = Path(__file__).parent
FILES = sorted(
    path
    for folder in ("generator", "derivation", "../rules")
    for path in (HERE / folder).rglob("*.py")
)
ODD = {
    "semicolons": "import jax; x = 1; y = 2\nz = (x,\n  y); w = 3\n",
    "decorators": "import jax\n@(\n  jax.jit\n)\n@jax.checkpoint  # twice\ndef f(x):\n    return x\ny = 1\n",
    "comments": "# top\n\nx = 1  # one\n\n# between\n    # indented\n\ny = 2\n# end",
    "strings": 'x = """\na\n"""; y = 1\nz = f"{x!r:>{y}}"\n',
    "carriage-returns": "x = 1\r\nif x:\r\n    y = 2\r\nelse:\r\n    y = 3\r\nz = x\r\n",
    "form-feed": "x = 1\n\x0c\ny = 2\n\x0cdef f():\n    pass\n",
    "continuation": "x = \\\n  1\ny = 2 + \\\n 3; w = 1\nz = 3",
    "tabs": "def f(x):\n\tif x:\n\t\treturn 1\n\treturn 2\nclass A:\n    def g(self):\n        pass\n",
    "one-line": "class A: x = 1; y = 2\nfor i in x: pass\nelse: z = 1\n",
    "empty": "",
    "comment-only": "# nothing\n",
}


def compare(source: Source) -> int:
    """How many nodes were compared."""
    program, nodes = lower(cst.parse_module(source.text))
    pieces, whole = Located(source, program), Located(source, program)
    whole._ends = None
    numbers = range(1, len(nodes))
    pieces.prepare(numbers)
    whole.prepare(numbers)
    for number in numbers:
        assert type(pieces.node(number)) is type(whole.node(number)) is type(nodes[number])
        assert pieces.span(number) == whole.span(number)
        assert pieces.span_of(pieces.node(number)) == whole.span_of(whole.node(number))
    assert [pieces.last_row(at) for at in range(len(program.tops))] == [
        whole.last_row(at) for at in range(len(program.tops))
    ]
    return len(numbers)


@pytest.mark.parametrize("name", ODD)
def test_odd_files(name: str) -> None:
    compare(Source.from_text(ODD[name]))


def test_real_files() -> None:
    assert sum(compare(read_source(path.read_bytes())) for path in FILES) > 20_000


def test_statements_are_parsed_when_they_are_asked_for() -> None:
    source = Source.from_text("def f(x):\n    return x\n" * 50)
    program, _ = lower(cst.parse_module(source.text))
    located = Located(source, program)
    located.prepare([program.codes[7].nid])
    assert len(located._pieces) == 1
    assert located.span(program.codes[7].nid).row == 13


def test_what_this_python_cannot_parse_is_parsed_whole() -> None:
    source = Source.from_text("x = 1\ny = 2\n")
    program, _ = lower(cst.parse_module(source.text))
    broken = Located(Source.from_text("x = 1\ny = = 2\n"), program)
    assert broken._ends is None
