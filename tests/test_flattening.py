"""What a function that flattens an object makes of its attributes."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from jaxlint.ir.flattening import Parts, flattened_by
from jaxlint.ir.lowering import lower

FORMS = {
    "return (self.a, self.b), self.c": ("a b", "c"),
    "return (self.a,), None": ("a", ""),
    "first, second = self.a, self.b\nreturn (first, second), None": ("a b", ""),
    "leaves = [self.b]\nleaves += (self.a,)\nleaves.append(self.c)\nreturn leaves, (self.d,)": ("b a c", "d"),
    "leaves = [self.b]\nif self.d:\n    leaves.extend([self.a])\npair = leaves, None\nreturn pair": (
        "b a",
        "d",
    ),
    "children = self.a\nreturn (children,), {'b': self.b}": ("a", "b"),
    "helper(self)\nreturn (self.a,), None": ("a", None),
    "return (self.a,), self.__dict__": ("a", None),
    "return tuple(self.__dict__.values()), None": None,
    "return tuple(vars(self).values()), None": None,
    "return tuple(getattr(self, name) for name in self.names), None": None,
    "return (getattr(self, 'a'),), self.b": ("a", None),
    "return helper(self)": None,
}


@pytest.mark.parametrize("body", FORMS)
def test_children_and_static_data(body: str) -> None:
    code = lower(ast.parse(f"def flatten(self):\n{indent(body, '    ')}")).program.codes[1]
    expected = FORMS[body]
    parts = None
    if expected is not None:
        children, static = expected
        parts = Parts(dict.fromkeys(children.split()), None if static is None else frozenset(static.split()))
    found = flattened_by(code)
    assert found == parts
    assert found is None or list(found.children) == list(parts.children)  # type: ignore[union-attr]
