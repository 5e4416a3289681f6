"""What a function that flattens an object makes of its attributes."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from jaxlint.ir.flattening import Parts, flattened_by
from jaxlint.ir.lowering import lower
from jaxlint.ir.walks import structure_of

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
    assert (None if found is None else found._replace(items=None)) == parts
    assert found is None or list(found.children) == list(parts.children)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return (self.a, self.b), self.c", (("a", "b"), "self.c")),
        ("children = [self.b, self.a]\nreturn children, None", (("b", "a"), "None")),
        ("first = self.a\nreturn (first,), (self.b, self.c)", (("a",), "(self.b, self.c)")),
        ("pair = (self.a,), None\nreturn pair", (("a",), "None")),
        ("return (self.a * 2,), None", None),
        ("return tuple(self.a), None", None),
        ("x = self.a\nx = self.b\nreturn (x,), None", None),
        ("if self.a:\n    return (self.a,), None\nreturn (self.b,), None", None),
    ],
)
def test_items(body: str, expected: tuple[tuple[str, ...], str] | None) -> None:
    """The children one by one, where each is an attribute as it is, and what goes along with them."""
    found = flattened_by(lower(ast.parse(f"def flatten(self):\n{indent(body, '    ')}")).program.codes[1])
    assert found is not None
    if expected is None:
        assert found.items is None
        return
    names, text = expected
    given = lower(ast.parse(f"def flatten(self):\n    return {text}")).program.codes[1].body[0]
    assert found.items is not None and found.items[0] == names
    assert structure_of(found.items[1]) == structure_of(given.value)  # type: ignore[union-attr]
