"""What rules may ask of the model: who reads a value, who calls a function, what is around."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jaxlint.domain.program import Module, World
from jaxlint.ir.def_use import DefUse
from jaxlint.ir.lowering import lower
from jaxlint.ir.nodes import CallExpr
from jaxlint.ir.places import Places
from jaxlint.ir.program import Program
from jaxlint.ir.walks import last_name, walk
from jaxlint.project.settings import JaxSettings
from jaxlint.rule import Call, Finding, Model, Rule
from jaxlint.session.driver import Driver

HEAD = "import jax\nimport jax.numpy as jnp\n\n"


class Asks(Rule):
    """Asks a question wherever the program calls `jnp.sin`, when all is analyzed."""

    code = "ASK101"
    name = "asks"
    calls = ("jax.numpy.sin", "jax.random.split")

    def __init__(self, question: Callable[[Model, Call], Any]) -> None:
        self.question = question
        self.answers: list[Any] = []
        self.early: list[Any] = []

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        self.early.append(self.question(m, call))
        yield Finding(call.nid, "asked")

    def stands(self, event: Any, finding: Finding, m: Model) -> bool:
        self.answers.append(self.question(m, event))
        return True


def asked(
    question: Callable[[Model, Call], Any], text: str, path: str = "/p/a.py", knows_tests: bool = True
) -> Asks:
    program = lower(ast.parse(HEAD + text)).program
    rule = Asks(question)
    driver = Driver(
        World([Module(path, ("a",), False, program)], lambda name, importer, level: None),
        [rule],
        (None, None),
        JaxSettings(),
        is_test=(lambda path: "test" in path) if knows_tests else None,
    )
    driver.run()
    assert not driver.core.failures
    return rule


def answers(question: Callable[[Model, Call], Any], text: str, path: str = "/p/a.py") -> set[Any]:
    return set(asked(question, text, path).answers)


# ---- who reads a value


def unread(text: str) -> list[str] | None:
    """The names of the bindings in `f` that nothing reads; None where that is not known of some."""
    program = lower(ast.parse(text)).program
    code = next(code for code in program.codes if code.name == "f")
    uses = DefUse(code, program)
    found = [(nid, name, uses.readers(nid)) for nid, name in uses.names.items()]
    if any(readers is None for _, _, readers in found):
        return None
    return sorted(name for _, name, readers in found if not readers and not name.startswith(("x", "use")))


READS = {
    "plain": ("a, b = g()\nuse(a)", ["b"]),
    "overwritten before it is read": ("a = g()\na = h()\nuse(a)", ["a"]),
    "one branch": ("a, b = g()\nif x:\n    use(a, b)", []),
    "overwritten in one branch": ("a = g()\nif x:\n    a = h()\nuse(a)", []),
    "overwritten in both branches": ("a = g()\nif x:\n    a = h()\nelse:\n    a = i()\nuse(a)", ["a"]),
    "the next iteration": ("a = g()\nfor x in xs:\n    use(a)\n    a = h()", []),
    "no next iteration": ("for x in xs:\n    a = g()\n    b = h(a)", ["b"]),
    "continue leads on": ("a = g()\nwhile x():\n    if use(a):\n        a = h()\n        continue\n    a = i()", []),
    "break leads out": ("for x in xs:\n    a = g()\n    if x:\n        break\n    a = h()\nuse(a)", []),
    "the else of a loop": ("for x in xs:\n    a = g()\nelse:\n    use(a)", []),
    "after return": ("a = g()\nreturn 1\nuse(a)", ["a"]),
    "returned": ("a = g()\nreturn a", []),
    "deleted": ("a = g()\ndel a", []),
    "augmented": ("a = g()\na += 1", ["a"]),
    "augmented and read": ("a = g()\na += 1\nuse(a)", []),
    "a closure": ("a = g()\ndef use1():\n    return a\nreturn use1", []),
    "a closure in a closure": ("a = g()\nreturn lambda: lambda: a", []),
    "a closure has its own": ("a = g()\ndef use1(a):\n    return a\nreturn use1", ["a"]),
    "a class": ("a = g()\nclass use1:\n    x = a", []),
    "a default": ("a = g()\ndef use1(x=a):\n    return x", []),
    "a decorator": ("a = g()\n@a\ndef use1():\n    pass", []),
    "an f-string": ("a = g()\nuse(f'{a}')", []),
    "a format": ("a = g()\nuse(f'{x:{a}}')", None),
    "a comprehension": ("a = g()\nuse([a for x in xs])", []),
    "a comprehension has its own": ("a = g()\nuse([a for a in xs])", ["a"]),
    "a comprehension over it": ("a = g()\nuse([a for a in a])", []),
    "an attribute of it": ("a = g()\na.x = 1", []),
    "an item of it": ("a = g()\na[0] = 1", []),
    "a subscript by it": ("a = g()\nx[a] = 1", []),
    "locals": ("a = g()\nuse(locals())", None),
    "eval": ("a = g()\nuse(eval('a'))", None),
    # The second is unread: where `h` raises, the first is there.
    "a try that raises": ("a = g()\ntry:\n    a = h()\nexcept E:\n    use(a)", ["a"]),
    "finally": ("a = g()\ntry:\n    return h()\nfinally:\n    use(a)", []),
    "finally after an overwrite": ("a = g()\ntry:\n    a = h()\n    i()\nfinally:\n    use(a)", []),
    "with may swallow": ("a = g()\nwith x:\n    h()\n    a = i()\nuse(a)", []),
    "a walrus": ("use((a := g()), a)", []),
    "a walrus that may not run": ("a = g()\nuse(x and (a := h()))\nuse(a)", []),
    "a pattern": ("a = g()\nmatch x:\n    case [a]:\n        use(a)", ["a"]),
    "a guard": ("a = g()\nmatch x:\n    case 1 if a:\n        pass", []),
    "a keyword called const": ("a = g()\nuse(const=a)", []),
    "a keyword called name": ("a = g()\nuse(name=a, opaque=a, fstring=a)", []),
    "starred": ("a, *b = g()\nuse(*b)", ["a"]),
    "yielded": ("a = g()\nyield a", []),
    "asserted": ("a = g()\nassert x, a", []),
    "raised": ("a = g()\nraise a", []),
    "annotated": ("a: int = g()", ["a"]),
    "imported": ("import use1\nimport b.c\nfrom d import e as f1", ["b", "f1"]),
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_which_bindings_are_read(name: str) -> None:
    body, wanted = READS[name]
    text = "def f(x, xs):\n    " + body.replace("\n", "\n    ")
    assert unread(text) == wanted


def test_names_of_other_scopes_are_not_known() -> None:
    assert unread("def f():\n    global a\n    a = 1") is None
    program = lower(ast.parse("def f():\n    def g():\n        nonlocal a\n        a = 1\n    a = 2")).program
    inner = next(code for code in program.codes if code.name == "g")
    uses = DefUse(inner, program)
    assert [uses.readers(nid) for nid in uses.names] == [None]


def of_bindings(m: Model, call: Call) -> Any:
    return tuple((each.name, each.path, m.is_read(call, each)) for each in m.bindings(call))


def test_bindings_of_a_call() -> None:
    def found(line: str) -> Any:
        text = f"def f(key):\n    {line}\n    return jnp.cos(1.0)"
        return answers(lambda m, call: of_bindings(m, call) if "split" in call.name else (), text) - {()}

    split = "jax.random.split(key, 3)"
    assert found(f"a, b, c = {split}") == {(("a", (0,), False), ("b", (1,), False), ("c", (2,), False))}
    assert found(f"a = {split}[1]") == {(("a", (1,), False),)}
    assert found(f"a = b = {split}") == {(("a", (), False), ("b", (), False))}
    assert found(f"a, *b, c = {split}") == {(("a", (0,), False), ("b", (-1,), False), ("c", (-1,), False))}
    assert found(f"a = jnp.sum({split})") == set()
    assert found(f"self.a, b = {split}") == {(("b", (1,), False),)}
    assert found(f"key, b = {split}; jax.random.normal(b)") == {(("key", (0,), False), ("b", (1,), True))}


def test_a_module_may_be_read_by_others() -> None:
    text = "a, b = jax.random.split(jax.random.key(0))\njax.random.normal(a)\n"
    assert answers(of_bindings, text) == {(("a", (0,), True), ("b", (1,), None))}


# ---- who calls a function


def calls(m: Model, call: Call) -> Any:
    found = m.callers(call)
    return found and tuple((each.function, each.transform, each.in_loop) for each in found)


def test_callers() -> None:
    text = """
def f(x):
    return jnp.sin(x)

def g(x):
    for _ in range(3):
        x = f(x)
    return x

g(jnp.ones(3))
f(jnp.ones(3))
"""
    assert answers(calls, text) == {(("g", "", True), ("<module>", "", False))}
    assert set(asked(calls, text).early) == {None}


def test_callers_through_a_transform() -> None:
    text = """
@jax.jit
def f(x):
    return jnp.sin(x)

def g(x):
    return f(x)

g(jnp.ones(3))
"""
    assert answers(calls, text) == {(("g", "jit", False),)}
    assert answers(lambda m, call: m.transforms(call), text) == {frozenset({"jit"})}


def test_transforms_of_a_callee() -> None:
    text = """
def h(x):
    return jnp.sin(x)

step = jax.jit(jax.vmap(lambda x: h(x)))
step(jnp.ones((3, 3)))
h(jnp.ones(3))
"""
    assert answers(lambda m, call: m.transforms(call), text) == {frozenset({"jit", "vmap"})}
    assert answers(lambda m, call: m.transforms(call), "jnp.sin(1.0)") == {frozenset()}


OFTEN = {
    "a module's body": ("jnp.sin(1.0)", "once"),
    "one call of a private function": ("def _f():\n    return jnp.sin(1.0)\n_f()", "once"),
    "a public one": ("def f():\n    return jnp.sin(1.0)\nf()", None),
    "handed on": ("def _f():\n    return jnp.sin(1.0)\n_f()\nuse(_f)", None),
    "two calls": ("def f():\n    return jnp.sin(1.0)\nf()\nf()", "many"),
    "a loop": ("def f():\n    return jnp.sin(1.0)\nfor _ in range(3):\n    f()", "loop"),
    "a comprehension": ("def f():\n    return jnp.sin(1.0)\n[f() for _ in range(3)]", "loop"),
    "a loop around the caller": (
        "def f():\n    return jnp.sin(1.0)\ndef g():\n    f()\nwhile x():\n    g()",
        "loop",
    ),
    "no call": ("def f():\n    return jnp.sin(1.0)", None),
    "recursion": ("def _f(n):\n    jnp.sin(1.0)\n    _f(n - 1)\n_f(3)", "many"),
}


@pytest.mark.parametrize("name", OFTEN)
def test_how_often(name: str) -> None:
    text, wanted = OFTEN[name]
    assert answers(lambda m, call: m.how_often(call), text) == {wanted}


# ---- what is around


LOOPS = {
    "for": ("for _ in xs:\n    jnp.sin(1.0)", True),
    "the iterable": ("for _ in jnp.sin(jnp.ones(3)):\n    pass", False),
    "the else": ("for _ in range(3):\n    pass\nelse:\n    jnp.sin(1.0)", False),
    "while": ("while x():\n    jnp.sin(1.0)", True),
    "the test of while": ("while jnp.sin(1.0) > x():\n    pass", True),
    "a comprehension": ("[jnp.sin(1.0) for _ in range(3)]", True),
    "what it is over": ("[_ for _ in jnp.sin(jnp.ones(3))]", False),
    "a function in a loop": ("for _ in range(3):\n    def f():\n        jnp.sin(1.0)\n    f()", False),
    "none": ("if x():\n    jnp.sin(1.0)", False),
}


@pytest.mark.parametrize("name", LOOPS)
def test_in_loop(name: str) -> None:
    text, wanted = LOOPS[name]
    assert answers(lambda m, call: m.in_loop(call), text) == {wanted}


def test_in_test_file() -> None:
    assert answers(lambda m, call: m.in_test_file(call), "jnp.sin(1.0)", "/p/test_a.py") == {True}
    assert answers(lambda m, call: m.in_test_file(call), "jnp.sin(1.0)") == {False}
    found = asked(lambda m, call: m.in_test_file(call), "jnp.sin(1.0)", knows_tests=False)
    assert set(found.answers) == {None}


DEAD = {
    "a module's body": ("jnp.sin(1.0)", False),
    "a function that is called": ("def f():\n    jnp.sin(1.0)\nf()", False),
    "a public one": ("def f():\n    jnp.sin(1.0)", None),
    "a private one that nothing mentions": ("def _f():\n    jnp.sin(1.0)", True),
    "a private one that is listed": ("__all__ = ['_f']\ndef _f():\n    jnp.sin(1.0)", None),
    "a private one that is registered": ("@register\ndef _f():\n    jnp.sin(1.0)", None),
    "one inside that nothing mentions": ("def f():\n    def g():\n        jnp.sin(1.0)\nf()", True),
    "a method": ("class A:\n    def _f(self):\n        jnp.sin(1.0)", None),
}


@pytest.mark.parametrize("name", DEAD)
def test_is_dead(name: str) -> None:
    text, wanted = DEAD[name]
    assert answers(lambda m, call: m.is_dead(call), text) == {wanted}


BEHIND = {
    "return": ("def f():\n    return 1\n    dead()", True),
    "raise in both branches": ("def f():\n    if x:\n        raise E\n    else:\n        return 1\n    dead()", True),
    "one branch": ("def f():\n    if x:\n        return 1\n    dead()", False),
    "if False": ("if False:\n    dead()", True),
    "the else of if True": ("if True:\n    pass\nelse:\n    dead()", True),
    "type checking": ("if TYPE_CHECKING:\n    dead()", True),
    "not type checking": ("if not TYPE_CHECKING:\n    dead()", False),
    "an endless loop": ("while True:\n    x()\ndead()", True),
    "a loop that breaks": ("while True:\n    if x():\n        break\ndead()", False),
    "a break of a loop inside": ("while True:\n    for _ in x():\n        break\ndead()", True),
    "break": ("for _ in x:\n    break\n    dead()", True),
    "a try that returns": ("def f():\n    try:\n        return 1\n    except E:\n        pass\n    dead()", False),
    "all handlers leave": ("def f():\n    try:\n        return 1\n    except E:\n        raise\n    dead()", True),
    "a function inside": ("def f():\n    return 1\n    def g():\n        dead()", True),
    "with may swallow": ("def f():\n    with x:\n        return 1\n    dead()", False),
}  # fmt: skip


def number_of_dead(program: Program) -> int:
    """The number of the call of `dead`."""
    for node in walk(*(each for code in program.codes for each in code.body)):
        if isinstance(node, CallExpr) and last_name(node.func) == "dead":
            return node.nid
    raise AssertionError


@pytest.mark.parametrize("name", BEHIND)
def test_what_the_text_shows_to_be_dead(name: str) -> None:
    text, wanted = BEHIND[name]
    program = lower(ast.parse(text)).program
    assert (number_of_dead(program) in Places(program).dead) is wanted


def test_every_number_has_its_function() -> None:
    text = """
@decorated(lambda: 1)
def f(a: int = g(), *b) -> str:
    def inner(c):
        return c
    return [x for x in a if x] + [inner(a)]


class A(B, metaclass=C):
    x: int = 1

    def m(self, y=2):
        try:
            yield from self.z
        except (E, F) as e:
            raise G from e
        match y:
            case {"a": [1, *rest], **more} if rest:
                return f"{more!r:>3}"
"""
    program = lower(ast.parse(text)).program
    places = Places(program)
    missing = set(range(1, program.size)) - places.home.keys()
    assert not missing
    assert {code.name for code in places.home.values()} >= {"f", "inner", "m", "<module>", "<lambda>"}
