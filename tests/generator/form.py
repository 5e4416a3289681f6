"""Forms that a helper can have: function, method, overriding, factory, table, decorator, ...

A form turns parameters and a body into definitions and the expression that is called. It
does not know what the body does or how the value is passed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from .block import Lines, function, indented


@dataclass(frozen=True, slots=True)
class Formed:
    """Blocks that define the callable, and the expression to call.

    The expression's first name is the one to import. `nested` definitions go into the
    calling function. `flag` replaces the flag's expression in the body, where the form
    holds it.
    """

    blocks: tuple[Lines, ...]
    ref: str
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a form is given: names that are free, parameters and body."""

    name: str
    title: str  # a class's name
    other: str  # another function's name
    parameters: tuple[str, ...]
    body: Lines
    harmless: Lines  # the body of a version without the operation
    dice: random.Random


def _method(w: Wanted) -> Lines:
    return indented(function(w.name, ("self", *w.parameters), w.body))


def _function(w: Wanted) -> Formed:
    return Formed((function(w.name, w.parameters, w.body),), w.name)


def _instance_method(w: Wanted) -> Formed:
    return Formed(([f"class {w.title}:", *_method(w)],), f"{w.title}().{w.name}")


def _static_method(w: Wanted) -> Formed:
    if w.dice.random() < 0.5:
        lines = ["@staticmethod", *function(w.name, w.parameters, w.body)]
    else:
        lines = ["@classmethod", *function(w.name, ("cls", *w.parameters), w.body)]
    return Formed(([f"class {w.title}:", *indented(lines)],), f"{w.title}.{w.name}")


def _base(w: Wanted, body: Lines) -> Lines:
    return [
        f"class {w.title}Base:",
        *indented(
            [
                *function(w.name, ("self", *w.parameters), body),
                "",
                *function(w.other, ("self", "*args", "**kwargs"), [f"return self.{w.name}(*args, **kwargs)"]),
            ]
        ),
    ]


def _overridden(w: Wanted) -> Formed:
    """The operation is in the child's version; called directly or through the base."""
    child = [f"class {w.title}({w.title}Base):", *_method(w)]
    called = w.dice.choice((w.name, w.other))
    return Formed((_base(w, w.harmless), child), f"{w.title}().{called}")


def _overridden_away(w: Wanted) -> Formed:
    """The operation is in the base's version, which the child never runs."""
    child = [
        f"class {w.title}({w.title}Base):",
        *indented(function(w.name, ("self", *w.parameters), w.harmless)),
    ]
    called = w.dice.choice((w.name, w.other))
    return Formed((_base(w, w.body), child), f"{w.title}().{called}")


def _super(w: Wanted) -> Formed:
    child = [
        f"class {w.title}({w.title}Base):",
        *indented(
            function(w.name, ("self", "*args", "**kwargs"), [f"return super().{w.name}(*args, **kwargs)"])
        ),
    ]
    return Formed((_base(w, w.body), child), f"{w.title}().{w.name}")


def _nested(w: Wanted) -> Formed:
    return Formed((function(w.name, w.parameters, w.body),), w.name, nested=True)


def _factory(w: Wanted) -> Formed:
    inner = function(w.name, w.parameters, w.body)
    return Formed(
        (function(w.other, ("scale=1.0",), [*inner, "", f"return {w.name}"]),),
        f"{w.other}({w.dice.choice(('', '2.0'))})",
    )


def _lambda(w: Wanted) -> Formed:
    forward = f"{w.other} = lambda *args, **kwargs: {w.name}(*args, **kwargs)"
    return Formed((function(w.name, w.parameters, w.body), [forward]), w.other)


def _table(w: Wanted) -> Formed:
    plain = function(w.other, ("*args", "**kwargs"), ["return 0.0"])
    blocks = [function(w.name, w.parameters, w.body), plain]
    if w.dice.random() < 0.6:
        blocks.append([f'{w.title.upper()} = {{"{w.name}": {w.name}, "{w.other}": {w.other}}}'])
        return Formed(tuple(blocks), f'{w.title.upper()}["{w.name}"]')
    blocks.append([f"{w.title.upper()} = [{w.other}, {w.name}]"])
    return Formed(tuple(blocks), f"{w.title.upper()}[1]")


def _wrapped(w: Wanted) -> Formed:
    wrapper = [
        "@functools.wraps(fn)",
        *function("wrapper", ("*args", "**kwargs"), ["return fn(*args, **kwargs)"]),
    ]
    if w.dice.random() < 0.5:
        decorator = function(w.other, ("fn",), [*wrapper, "", "return wrapper"])
        line = f"@{w.other}"
    else:
        inner = function("decorate", ("fn",), [*wrapper, "", "return wrapper"])
        decorator = function(w.other, ("label",), [*inner, "", "return decorate"])
        line = f'@{w.other}("{w.name}")'
    return Formed((decorator, [line, *function(w.name, w.parameters, w.body)]), w.name)


def _instance(w: Wanted) -> Formed:
    lines = indented(function("__call__", ("self", *w.parameters), w.body))
    if w.dice.random() < 0.5:
        return Formed(([f"class {w.title}:", *lines],), f"{w.title}()")
    return Formed(([f"class {w.title}:", *lines], [f"{w.other} = {w.title}()"]), w.other)


def _stored(w: Wanted) -> Formed:
    """The function is kept in an attribute of an object and called through it."""
    lines = [
        f"class {w.title}:",
        *indented(
            [
                *function("__init__", ("self", "fn"), ["self.fn = fn"]),
                "",
                *function(w.other, ("self", "*args", "**kwargs"), ["return self.fn(*args, **kwargs)"]),
            ]
        ),
    ]
    blocks = (function(w.name, w.parameters, w.body), lines, [f"{w.name}_holder = {w.title}({w.name})"])
    return Formed(blocks, f"{w.name}_holder.{w.other}")


def _applied(w: Wanted) -> Formed:
    """The function is handed to another one, which calls it."""
    apply = function(w.other, ("fn", "*args", "**kwargs"), ["return fn(*args, **kwargs)"])
    bound = f"bound_{w.name} = functools.partial({w.other}, {w.name})"
    return Formed((function(w.name, w.parameters, w.body), apply, [bound]), f"bound_{w.name}")


FORMS: dict[str, Callable[[Wanted], Formed]] = {
    "function": _function,
    "method": _instance_method,
    "static-method": _static_method,
    "overridden": _overridden,
    "overridden-away": _overridden_away,
    "super": _super,
    "nested": _nested,
    "factory": _factory,
    "lambda": _lambda,
    "table": _table,
    "wrapped": _wrapped,
    "instance": _instance,
    "stored": _stored,
    "applied": _applied,
}
