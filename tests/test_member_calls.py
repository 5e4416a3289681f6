"""Members of classes that Python runs without a call: whatever runs them, each note is at a place in the file."""

from __future__ import annotations

from itertools import product

import pytest
from linted import lint
from verify_cases import share_of

HEADS = {
    "namedtuple": "class C(NamedTuple):\n    row: jax.Array\n",
    "dataclass": "@dataclasses.dataclass\nclass C:\n    row: jax.Array\n",
    "plain": "class C:\n    def __init__(self, row):\n        self.row = row\n",
    "enum": "class C(enum.Enum):\n    row = 1\n",
    "protocol": "class C(Protocol):\n    row: jax.Array\n",
    "module": "class C(eqx.Module):\n    row: jax.Array\n",
}
ASSERT = "        assert self.row > 0\n        return self.row\n"
MEMBERS = {
    "@property": "    @property\n    def part(self):\n",
    "@cached_property": "    @functools.cached_property\n    def part(self):\n",
    "__getattr__": "    def __getattr__(self, name):\n",
    "__call__": "    def __call__(self):\n",
    "__iter__": "    def __iter__(self):\n        yield 1\n",
    "__getitem__": "    def __getitem__(self, index):\n",
    "__add__": "    def __add__(self, other):\n",
    "__bool__": "    def __bool__(self):\n",
    "__len__": "    def __len__(self):\n",
    "__enter__": "    def __exit__(self, *_): pass\n    def __enter__(self):\n",
    "__eq__": "    def __eq__(self, other):\n",
    "__contains__": "    def __contains__(self, item):\n",
    "__post_init__": "    def __post_init__(self):\n",
    "setter": "    @property\n    def part(self):\n        return 1\n    @part.setter\n    def part(self, to):\n",
}
USES = (
    "C(x).part C(x)() [*C(x)] tuple_of(*C(x)) list(items(C(x))) C(x)[0] C(x)+1 (1)if(C(x))else(2) len(C(x)) entered(C(x)) "
    "C(x)==1 1(in)C(x) written(C(x)) C.part(x) super_part(C(x)) {**C(x)} max(C(x),C(x)) [c.part(for)c(in)[C(x)]] "
    "functools.reduce(operator.add,[C(x)]) getattr(C(x),'part') vars(C(x)) matched(C(x)) sorted([C(x)])"
).split()
HELPERS = """\
import dataclasses, enum, functools, operator
from typing import NamedTuple, Protocol
import equinox as eqx
import jax


def tuple_of(*items):
    return items


def items(c):
    yield from c


def entered(c):
    with c as d:
        return d


def written(c):
    c.part = c[0] = 1
    return c


def matched(c):
    match c:
        case C(part=part) if part > 0:
            return part
        case [first, *rest]:
            return first


def super_part(c):
    class D(C):
        @property
        def part(self):
            return super().part
    return D(c.row).part


"""


@pytest.mark.parametrize("head", share_of([*HEADS]))
def test_notes_are_at_places_in_the_file(head: str) -> None:
    found = 0
    for (name, member), use in product(MEMBERS.items(), USES):
        code = use.replace("(in)", " in ").replace("(for)", " for ").replace("(if)", " if ")
        body = f"{HEADS[head]}\n{member}{ASSERT}\n"
        text = f"{HELPERS}{body}\n@jax.jit\ndef f(x):\n    return {code.replace('(else)', ' else ')}\n\n\nf(1.0)"
        for diagnostic in lint(text):
            assert diagnostic.code not in ("JAX001", "JAX003"), (name, use, diagnostic.message)
            found += diagnostic.code == "JAX101"
            for note in diagnostic.related:
                assert note.span.row == note.span.end_row, (name, use, note)
    assert found or head in ("enum", "protocol")  # which cannot be made
