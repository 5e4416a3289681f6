"""The nodes of lowered programs: every kind is walked, evaluated and kept."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import astuple

from jaxlint.ir.lowering import lower
from jaxlint.ir.nodes import EXPRESSIONS, STATEMENTS, Node
from jaxlint.ir.parsing import outcome_of, parsed, record_of
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, is_question, kind_of, walk
from jaxlint.source.deep_stack import with_room

EVERYTHING = """
import a.b, c as d
from .e import f as g, h
from i import *
x: int = 1
y = z = [1, 2.5, 3j, "t", b"b", None, True, ...]
del x, y[0], z.a
@decorated(1, *two, three=3, **four)
def function(p, /, n, *r, k=1, **q) -> int:
    global u
    assert p, "no"
    s = {1, 2}; t = {"a": 1, **q}; v = (lambda w: w)(1)
    for i, *j in [a for b in c if d for e in b]:
        if i and not j or i < 2 <= 3: continue
        elif i: break
        else: s[1:2, ::3] += -i @ i
    while (m := f()): pass
    else: raise ValueError from None
    with open(p) as o, o: return f"{p!r:>{n}}a{n}"
    try: yield 1 if p else 2
    except (A, B) as error: pass
    else: pass
    finally: yield from r
    match p:
        case 1 | None: pass
        case [1, *rest] as whole: pass
        case {"a": inner, **others}: pass
        case Point(x=0, y=_) if n: pass
async def awaiting(): return await function()
class C(B, metaclass=M): a = 1
"""


def everything() -> Iterator[Program]:
    yield lower(ast.parse(EVERYTHING)).program
    for path in sorted(Path(__file__).parents[1].glob("jaxlint/*/*.py"))[::7]:
        outcome = parsed(path.read_bytes())
        assert isinstance(outcome, Program)
        yield outcome


def nodes_of(program: Program) -> Iterator[Node]:
    for code in program.codes:
        yield from walk(*code.body, *code.decorators, code.returns)
        for param in code.params:
            yield from walk(param.default, param.annotation)
    for record in program.classes:
        yield from walk(
            *record.bases, *record.decorators, *record.body, *(value for _, value in record.keywords)
        )


def parts_of(code: Code) -> object:
    fields = [each for each in astuple(code) if each is not code.params]
    return fields, [*map(astuple, code.params)]


def held(value: object) -> Iterator[Node]:
    """The nodes in a field, whatever its type is said to be."""
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from held(each)


def test_the_sample_has_every_kind() -> None:
    seen = {type(node) for node in nodes_of(next(everything()))}
    assert {kind.__name__ for kind in (*EXPRESSIONS, *STATEMENTS)} - {kind.__name__ for kind in seen} == {
        "OpaqueExpr"
    }


def test_children_are_all_nodes_that_a_node_holds() -> None:
    for program in everything():
        for node in nodes_of(program):
            assert children(node) == [*held(astuple(node))]


def test_kinds_have_names_of_their_own() -> None:
    for kinds in (EXPRESSIONS, STATEMENTS):
        assert len({kind_of(kind) for kind in kinds}) == len(kinds)


def test_a_record_gives_back_the_program() -> None:
    for program in everything():
        back = outcome_of(record_of(program))
        assert isinstance(back, Program)
        assert [*map(parts_of, back.codes)] == [*map(parts_of, program.codes)]
        assert [*map(astuple, back.classes)] == [*map(astuple, program.classes)]
        assert (back.tops, back.methods, back.targets, back.size, back.imports) == (
            program.tops,
            program.methods,
            program.targets,
            program.size,
            program.imports,
        )


@pytest.mark.parametrize(
    "constant",
    [
        "1 << 70",
        str(1 << 70),
        str(-(1 << 64)),
        repr("a\ud800"),
        "-0.0",
        "1e999",
        "-1e999j",
        "b'\\xff'",
        "'\\0'",
    ],
)
def test_a_record_gives_back_every_constant(constant: str) -> None:
    """Also numbers beyond 64 bits and halves of characters, which MessagePack lacks."""
    program = parsed(f"x = {constant}, 'more'\n".encode())
    assert isinstance(program, Program)
    back = outcome_of(record_of(program))
    assert isinstance(back, Program) and repr(back.body.body) == repr(program.body.body)


def test_a_record_is_the_same_in_every_process() -> None:
    code = f"import sys; from jaxlint.ir import parsing; data = {EVERYTHING!r}.encode()\n"
    code += "sys.stdout.buffer.write(parsing.record_of(parsing.parsed(data)))"
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] and made[0] == made[1]


def test_deep_programs_are_kept() -> None:
    text = "x = " + " + ".join(["a"] * 3000) + "\n"
    program = with_room(lambda: parsed(text.encode()))
    assert isinstance(program, Program)
    record = with_room(lambda: record_of(program))
    back = with_room(lambda: outcome_of(record))
    assert isinstance(back, Program)
    assert len([*walk(*back.body.body)]) == len([*walk(*program.body.body)])


def test_questions() -> None:
    def asked(text: str) -> bool:
        statement = lower(ast.parse(text)).program.body.body[0]
        return is_question(statement.value)  # type: ignore[union-attr]

    assert asked("a.b[0] < len(c) and isinstance(a, D)")
    assert not asked("f(a)")
    assert not asked("a and [b for b in c]")
