"""Fingerprints of functions, and the file of facts: what it holds, how it is merged, what it refuses."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.observe import fingerprint as prints
from jaxlint.observe import journals
from jaxlint.observe.facts import (
    MOST_COMPILATIONS,
    MOST_ENTRIES,
    Compilation,
    Entry,
    Event,
    Facts,
    FactsError,
    Function,
    Parameter,
    decoded,
    encoded,
    first_and_last,
    joined_entries,
    merged,
    pruned,
    read_facts,
)
from jaxlint.observe.fingerprint import fingerprint, functions_of
from jaxlint.observe.recorder.compare import Signature, reason

SOURCE = '''
@decorated(1)
def outer(a, /, b=2, *rest, c: "int" = 0x10, **more) -> None:
    """A docstring."""
    x = f"{a!r:>{b}} {c=}" + "é" + b"b" + 1j + 10**100 + ...
    def inner():
        return lambda q: [q for q in more if not None]
    match x:
        case [1, *_] | {"k": None}:
            yield from inner()
class Some:
    async def method(self):
        async with self as it, other():
            await it
'''


def by_name(source: str) -> dict[str, str]:
    return {each.name: fingerprint(each.node) for each in functions_of(ast.parse(source))}


class TestFingerprint:
    def test_digests_are_the_same_for_all_pythons(self) -> None:
        assert by_name(SOURCE) == {
            "outer": "e5ed73a6f94ae3d8",
            "outer.<locals>.inner": "051879dcfb97b599",
            "outer.<locals>.inner.<locals>.<lambda>": "a262b6c305b2fd68",
            "Some.method": "24f80ff5ac11d3f7",
        }

    @pytest.mark.parametrize(
        "same",
        [
            "def f(x):\n  return (x + 1)  # a comment",
            "def f(x):\n    'a docstring'\n\n    return x+1",
            "\n\n\ndef f(x): return x + 0x1",
        ],
    )
    def test_layout_does_not_count(self, same: str) -> None:
        assert by_name(same) == by_name("def f(x): return x + 1")

    @pytest.mark.parametrize(
        "other",
        [
            "def f(x): return x + 2",
            "def f(x): return x + 1.0",
            "def f(x): return x - 1",
            "def f(y): return y + 1",
            "def f(x=None): return x + 1",
            "@jit\ndef f(x): return x + 1",
            "async def f(x): return x + 1",
            "def f(x):\n    return x + 1\n    pass",
        ],
    )
    def test_meaning_counts(self, other: str) -> None:
        assert by_name(other)["f"] != by_name("def f(x): return x + 1")["f"]

    def test_places_of_parts_count(self) -> None:
        assert by_name("def f(x): g(x)(y)")["f"] != by_name("def f(x): g(x(y))")["f"]
        assert by_name("def f(x): a, (b, c)")["f"] != by_name("def f(x): (a, b), c")["f"]
        assert by_name("def f(x): 'a', 'bc'")["f"] != by_name("def f(x): 'ab', 'c'")["f"]

    def test_long_sums_and_numbers(self) -> None:
        text = "def f(x): return " + " + ".join(["x"] * 3000) + " + " + "1" * 4000
        try:
            tree = ast.parse(text)
        except RecursionError:  # a Python that cannot parse it has nothing to digest
            return
        assert len(fingerprint(tree)) == 16

    def test_names_and_rows(self) -> None:
        found = functions_of(
            ast.parse("@d\n@e\ndef f(): pass\nf = lambda: 1\ng = lambda: (lambda: 2)\ndef f(): pass")
        )
        assert [(each.name, each.row, each.first) for each in found] == [
            ("f", 3, 1),
            ("<lambda>", 4, 4),
            ("<lambda>#2", 5, 5),
            ("<lambda>.<locals>.<lambda>", 5, 5),
            ("f#2", 6, 6),
        ]

    def test_decorators_and_defaults_are_in_the_scope_outside(self) -> None:
        found = functions_of(ast.parse("@d(lambda: 1)\ndef f(a=lambda: 2): return lambda: 3"))
        assert [each.name for each in found] == ["<lambda>", "f", "<lambda>#2", "f.<locals>.<lambda>"]

    def test_the_module_needs_the_standard_library_only(self) -> None:
        # The recorder's side may run on a Python without jaxlint's dependencies.
        code = f"import runpy; runpy.run_path({prints.__file__!r})"
        subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


def some(calls: int = 1, **more: object) -> Function:
    return Function("ab" * 8, calls, **more)  # type: ignore[arg-type]


class TestJournals:
    def test_lines_that_are_cut_are_counted_once(self, tmp_path: Path) -> None:
        head = {"t": "head", "pid": 1, "python": "3.12.1", "jax": "0.10.2"}
        function = {"t": "function", "n": 0, "path": "/p/a.py", "row": 1, "name": "f", "column": -1}
        seen = {"t": "seen", "n": 0, "calls": 2, "lines": [2], "run": 0.0, "runs": 0, "more": 0}
        wrong = {"t": "seen", "n": 7}
        texts = [json.dumps(each) for each in (head, seen, function, wrong)]
        (tmp_path / "1-1.jsonl").write_text("\n".join([*texts, texts[1][:20]]), encoding="ascii")
        found = journals.read(tmp_path)
        assert (found.processes, found.with_jax, found.cut) == (1, 1, 2)
        assert [(code.name, each.calls) for code, each in found.seen.items()] == [("f", 2)]


class TestMerging:
    def test_text_is_stable_and_read_again(self) -> None:
        facts = Facts(
            versions={"python": ["3.12.1"]},
            functions={"b.py::f": some(lines=[0, 1]), "a.py::g": some(2)},
            events=[Event("key reused", "a.py::g", 3, 2, ("a.py::g", 1))],
        )
        text = encoded(facts)
        assert text.endswith(b"}\n") and text.index(b"a.py::g") < text.index(b"b.py::f")
        assert decoded(text) == facts
        assert json.loads(text)["version"] == 1

    def test_counts_add_up(self) -> None:
        way = Entry(("jax.jit",), 2, True, "a.py::g", {"x": Parameter("tracer", "float32[3]")})
        one = Facts(functions={"a.py::f": some(3, lines=[1, 2], entries=[way], compiled=2)})
        both = merged(one, one)
        found = both.functions["a.py::f"]
        assert (both.runs, found.calls, found.lines, found.compiled) == (2, 6, [1, 2], 4)
        assert [each.count for each in found.entries] == [4]

    def test_a_function_that_changed_counts_as_it_is(self) -> None:
        old = Facts(functions={"a.py::f": some(3)}, events=[Event("nan", "a.py::f", 1)])
        new = Facts(functions={"a.py::f": Function("cd" * 8, 1)})
        assert merged(old, new).functions == new.functions
        assert merged(old, new).events == []

    def test_what_is_gone_is_dropped(self) -> None:
        facts = Facts(functions={"a.py::f": some(), "a.py::g": some(), "gone.py::h": some()})
        files = {"a.py": {"f": "ab" * 8, "g": "other"}}
        assert set(pruned(facts, files.get).functions) == {"a.py::f"}

    def test_merging_is_the_same_in_any_order(self) -> None:
        ways = [Entry((), number + 1, caller=f"a.py::{number}") for number in range(40)]
        one, more = joined_entries(ways)
        assert joined_entries(reversed(ways)) == (one, more)
        assert len(one) == MOST_ENTRIES and sum(each.count for each in one) + more == sum(range(1, 41))

    def test_values_of_static_parameters_are_left_out_first(self) -> None:
        ways = [
            Entry((), 1, parameters={"a": Parameter("static", type="builtins.int", hash=f"{number:08x}")})
            for number in range(40)
        ]
        (only,), more = joined_entries(ways)
        assert (only.count, only.parameters["a"].hash, more) == (40, "", 0)

    def test_compilations_are_bounded(self) -> None:
        found = first_and_last([Compilation(at=float(number)) for number in range(100)])
        assert len(found) == MOST_COMPILATIONS
        assert (found[0].at, found[-1].at) == (0.0, 99.0)


class TestHostile:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (b"", "empty"),
            (b"\xff\xfe", "not whole"),
            (b'{"version": 1', "not whole"),
            (b"null", "not a facts file"),
            (b'{"functions": {}}', "not a facts file"),
            (b'{"version": 2, "functions": []}', "of version 2"),
            (b'{"version": -1}', "not a facts file"),
            (b'{"version": 1, "functions": {"a::f": {"fingerprint": 3}}}', "not a facts file"),
            (b'{"version": 1, "functions": {"a::f": {"fingerprint": "x", "calls": -1}}}', "not a facts file"),
            (b'{"version": 1, "functions": {"a::f": {"fingerprint": "x", "calls": 1e400}}}', "not"),
            (
                b'{"version": 1, "events": [{"kind": "nan", "function": "f", "line": "1"}]}',
                "not a facts file",
            ),
            (b'{"version": 1, "runs": ' + b"9" * 5000 + b"}", "not"),
            (b'{"version": 1, "versions": ' + b'{"a":' * 100_000, "nested too deeply"),
            (b'{"version": 1, "versions": {"' + b"a" * 5000 + b'": []}}', "not a facts file"),
        ],
    )
    def test_what_is_wrong_is_one_line(self, text: bytes, said: str) -> None:
        with pytest.raises(FactsError) as error:
            decoded(text)
        assert said in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 300

    def test_nested_leaves_end(self) -> None:
        leaf = b'{"kind":"pytree","leaves":{"a":' * 20_000
        text = b'{"version":1,"functions":{"a::f":{"fingerprint":"x","entries":[{"transforms":[],"count":1,'
        with pytest.raises(FactsError):
            decoded(text + b'"parameters":{"p":' + leaf)

    def test_unknown_keys_of_later_versions_are_no_harm(self) -> None:
        facts = decoded(b'{"version": 1, "new": [], "functions": {"a::f": {"fingerprint": "x", "later": 1}}}')
        assert facts.functions["a::f"].fingerprint == "x"

    def test_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(FactsError, match="cannot be read: Is a directory"):
            read_facts(str(tmp_path))


def signature(
    function: int = 1, transforms: tuple[str, ...] = ("jax.jit",), **parameters: object
) -> Signature:
    described: dict[str, object] = {**parameters}
    return Signature(described, {}, function, transforms)


def array(aval: str, **more: object) -> dict[str, object]:
    return {"kind": "tracer", "aval": aval, **more}


class TestReasons:
    """Why a function was traced again."""

    def test_the_nearest_one_before_is_compared(self) -> None:
        before = [
            signature(x=array("float32[3]"), y=array("float32[3]")),
            signature(x=array("int32[9]"), y=array("int32[9]")),
        ]
        now = signature(x=array("float32[3]"), y=array("float32[4]"))
        assert reason(now, before) == [("y", "shape", "float32[3]", "float32[4]")]

    @pytest.mark.parametrize(
        ("old", "new", "what"),
        [
            (array("float32[3]"), array("float32[3]", weak=True), "weak type"),
            (array("float32[3]"), array("int32[3]"), "dtype"),
            ({"kind": "static", "type": "int", "hash": "a"}, {"kind": "static", "type": "int", "hash": "b"}, "static value"),
            ({"kind": "static", "type": "int", "hash": "a"}, {"kind": "static", "type": "str", "hash": "a"}, "static type"),
            (array("float32[3]"), {"kind": "static", "type": "int", "hash": "a"}, "kind"),
            ({"kind": "object", "type": "a.B"}, {"kind": "function", "name": "jax.numpy.tanh"}, "static value"),
            (
                {"kind": "pytree", "type": "dict", "tree": "a", "leaves": {"['a']": array("f[]")}},
                {"kind": "pytree", "type": "dict", "tree": "b", "leaves": {"['b']": array("f[]")}},
                "other tree",
            ),
        ],
    )  # fmt: skip
    def test_kinds(self, old: object, new: object, what: str) -> None:
        ((name, found, _, _),) = reason(signature(x=new), [signature(x=old)])
        assert (name, found) == ("x", what)

    def test_leaves_are_named_by_their_paths(self) -> None:
        def tree(aval: str) -> dict[str, object]:
            return {"kind": "pytree", "type": "dict", "tree": "a", "leaves": {"['w']": array(aval)}}

        found = reason(signature(p=tree("float32[3]")), [signature(p=tree("float32[4]"))])
        assert found == [("p['w']", "shape", "float32[4]", "float32[3]")]

    def test_what_is_no_parameter(self) -> None:
        x = array("float32[3]")
        assert reason(signature(x=x), []) == [("", "first", "", "")]
        assert reason(signature(2, x=x), [signature(1, x=x)]) == [("", "new function object", "", "")]
        assert reason(signature(x=x), [signature(x=x)]) == [("", "not kept", "", "")]
        other = signature(1, ("jax.jit", "jax.vmap"), x=x)
        assert reason(other, [signature(x=x)])[0][1] == "other transforms"
