"""What runs showed, as a facts file has it: entries of the analysis, marks and notes of findings, files that are
no facts, and what is kept between runs."""

from __future__ import annotations

import json
import os
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import Ran, Run, Tree
from linted import projects
from observed import ARRAY, FLOAT, X, entry, facts_of, write

from jaxlint.observe.facts import Entry, Event, Facts, Function, Parameter, encoded, merged
from jaxlint.session.observed import Observed
from jaxlint.session.observed_values import context_of, level_of_entry, level_of_transform

STEP = """\
def step(x, lr):
    if x > lr:
        return x
    return x * lr
"""
JSON = ("check", ".", "-n", "--output-format", "json", "--select", "ALL")


def rows(ran: Ran) -> list[dict[str, Any]]:
    assert ran.status in (0, 1), ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)
    return found


def places(ran: Ran) -> list[tuple[int, str]]:
    return [(each["location"]["row"], each["code"]) for each in rows(ran)]


class TestEntries:
    """A function is analyzed as it was seen to be entered."""

    def test_a_function_that_nothing_calls(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        caller = "tests/test_a.py::test_step"
        write(root, {"a.py::step": [entry("jax.jit", caller=caller, x=X, lr=FLOAT)]})
        assert rows(run(*JSON)) == []
        (found,) = rows(run(*JSON, "--facts", "facts.json"))
        assert (found["code"], found["location"]["row"]) == ("JAX101", 2)
        assert [note["message"] for note in found["related"]] == [f"`step` is traced in {caller} (observed)"]

    @pytest.mark.parametrize(
        ("ways", "is_found"),
        [
            ([entry("jax.jit", x=X, lr=FLOAT)], True),
            ([entry("jax.jit", "jax.lax.scan", x=X, lr=FLOAT)], True),
            ([entry("jax.vmap", x=X, lr=FLOAT)], True),
            ([entry("jax.jit", x=FLOAT, lr=X)], True),
            ([entry("jax.jit", x=FLOAT, lr=FLOAT)], False),
            ([entry("jax.grad", x=X, lr=FLOAT)], False),
            ([entry(x=ARRAY, lr=FLOAT)], False),
            ([entry(x=ARRAY, lr=FLOAT), entry("jax.jit", x=X, lr=FLOAT)], True),
            ([entry("jax.jit", x=Parameter("numpy", aval="float64[3]"), lr=FLOAT)], False),
            ([entry("jax.jit", x=Parameter("wonder"), lr=FLOAT)], False),
            ([entry("jax.jit", x=Parameter("tracer", aval="Ref{float32[3]}"), lr=FLOAT)], False),
            ([entry("jax.jit")], False),
            ([], False),
        ],
    )
    def test_what_was_seen_decides(self, tree: Tree, run: Run, ways: list[Entry], is_found: bool) -> None:
        write(tree({"jaxlint.toml": "", "a.py": STEP}), {"a.py::step": ways})
        assert places(run(*JSON, "--facts", "facts.json")) == [(2, "JAX101")] * is_found

    def test_a_closure_gets_the_variables_of_its_maker(self, tree: Tree, run: Run) -> None:
        text = "def make(scale):\n    def inner(y):\n        if y > scale:\n            return y\n        return -y\n    return inner\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        inner = {"a.py::make.<locals>.inner": [entry("jax.jit", y=X)]}
        write(root, {**inner, "a.py::make": [entry(scale=FLOAT)]})
        assert places(run(*JSON, "--facts", "facts.json")) == [(3, "JAX101")]
        write(root, {**inner, "a.py::make": [entry("jax.jit", scale=X)]})
        (found,) = rows(run(*JSON, "--facts", "facts.json"))
        assert found["location"]["row"] == 3

    def test_a_closure_of_a_traced_function_gets_its_tracers(self, tree: Tree, run: Run) -> None:
        text = "def make(scale, use):\n    def inner(y):\n        if y > scale:\n            return y\n        return -y\n    return use(inner)\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        inner = {"a.py::make.<locals>.inner": [entry("jax.jit", y=FLOAT)]}
        write(root, {**inner, "a.py::make": [entry("jax.jit", scale=X)]})
        assert places(run(*JSON, "--facts", "facts.json")) == [(3, "JAX101")]
        write(root, {**inner, "a.py::make": [entry("jax.jit", "jax.lax.scan", scale=X)]})
        assert rows(run(*JSON, "--facts", "facts.json")) == []

    def test_a_closure_whose_maker_was_not_seen_is_left_alone(self, tree: Tree, run: Run) -> None:
        text = "def make(scale):\n    def inner(y):\n        if y > scale:\n            return y\n    return inner\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        write(root, {"a.py::make.<locals>.inner": [entry("jax.jit", y=X)]})
        assert rows(run(*JSON, "--facts", "facts.json")) == []

    def test_a_method_gets_its_object(self, tree: Tree, run: Run) -> None:
        text = (
            "class Model:\n    def __init__(self, limit: float = 3.0):\n        self.limit = limit\n\n"
            "    def step(self, x):\n        return self.clip(x)\n\n"
            "    def clip(self, y):\n        if y > self.limit:\n            return self.limit\n        return y\n"
        )
        root = tree({"jaxlint.toml": "", "pack/__init__.py": "", "pack/a.py": text})
        own = Parameter("object", type="pack.a.Model")
        write(root, {"pack/a.py::Model.step": [entry("jax.jit", self=own, x=X)]})
        (found,) = rows(run(*JSON, "--facts", "facts.json"))
        assert found["location"]["row"] == 9
        notes = [note["message"] for note in found["related"]]
        assert notes == ["`step` is traced (observed)", "which calls `clip` here"]

    def test_what_a_constructor_sets_in_a_trace_stays_there(self, tree: Tree, run: Run) -> None:
        text = (
            "class Model:\n    def __init__(self, limit):\n        self.limit = limit\n\n"
            "    def on(self):\n        if self.limit > 0:\n            return 1\n        return 2\n"
        )
        root = tree({"jaxlint.toml": "", "a.py": text})
        own = Parameter("object", type="a.Model")
        write(root, {"a.py::Model.__init__": [entry("jax.jit", self=own, limit=X)]})
        assert rows(run(*JSON, "--facts", "facts.json")) == []

    def test_keys(self, tree: Tree, run: Run) -> None:
        text = "import jax\n\n\ndef draw(key):\n    a = jax.random.normal(key)\n    return a + jax.random.uniform(key)\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        key = Parameter("key", aval="uint32[2]", traced=True)
        before = places(run(*JSON))
        write(root, {"a.py::draw": [entry("jax.jit", key=key)]})
        assert places(run(*JSON, "--facts", "facts.json")) == before == [(6, "JAX301")]

    @pytest.mark.parametrize(
        ("leaves", "type", "found"),
        [
            ({"[0]": X, "[1]": FLOAT}, "builtins.tuple", [3]),
            ({"[0]": FLOAT, "[1]": X}, "builtins.tuple", [5]),
            ({"[0]": X, "[1]": X}, "builtins.tuple", [3, 5]),
            ({"[0]": X, "[1]": X}, "builtins.list", [3, 5]),
            ({"[0]": X, "[1]": FLOAT}, "builtins.list", [3]),
            ({"[0]": FLOAT, "[1]": FLOAT}, "builtins.tuple", []),
            ({"<odd path>": X}, "builtins.tuple", []),
        ],
    )
    def test_pytrees(
        self, tree: Tree, run: Run, leaves: dict[str, Parameter], type: str, found: list[int]
    ) -> None:
        text = "def f(state):\n    a, b = state\n    if a > 0:\n        return a\n    if b > 0:\n        return b\n    return a + b\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        write(root, {"a.py::f": [entry("jax.jit", state=Parameter("pytree", type=type, leaves=leaves))]})
        assert places(run(*JSON, "--facts", "facts.json")) == [(row, "JAX101") for row in found]

    def test_arguments_in_any_number(self, tree: Tree, run: Run) -> None:
        text = (
            "def f(*args, **options):\n    a, b = args\n    if a > 0:\n        return 1\n    if b > 0:\n        return 2\n"
            "    if options['scale'] > 0:\n        return 3\n\n\ndef g(*args):\n    for each in args:\n        print(each)\n"
        )
        root = tree({"jaxlint.toml": "", "a.py": text})
        args = Parameter("tuple", type="builtins.tuple", leaves={"[0]": FLOAT, "[1]": X})
        options = Parameter("dict", type="builtins.dict", leaves={"['scale']": X})
        way = entry("jax.jit")
        way.parameters.update({"*args": args, "**options": options})
        write(
            root,
            {
                "a.py::f": [way],
                "a.py::g": [entry("jax.jit", args=Parameter("static", type="builtins.tuple"))],
            },
        )
        assert places(run(*JSON, "--facts", "facts.json")) == [(5, "JAX101"), (7, "JAX101")]

    def test_dicts_and_named_tuples(self, tree: Tree, run: Run) -> None:
        text = (
            "from typing import NamedTuple\n\n\nclass State(NamedTuple):\n    step: int\n    loss: float\n\n\n"
            "def f(state, options):\n    if state.step > 0:\n        return 1\n    if state.loss > 0:\n        return 2\n"
            "    if options['fast']:\n        return 3\n    if options['scale'] > 0:\n        return 4\n"
        )
        root = tree({"jaxlint.toml": "", "a.py": text})
        state = Parameter("pytree", type="a.State", leaves={".step": FLOAT, ".loss": X})
        options = Parameter("pytree", type="builtins.dict", leaves={"['fast']": FLOAT, "['scale']": X})
        write(root, {"a.py::f": [entry("jax.jit", state=state, options=options)]})
        assert places(run(*JSON, "--facts", "facts.json")) == [(12, "JAX101"), (16, "JAX101")]

    def test_a_function_that_is_handed_over(self, tree: Tree, run: Run) -> None:
        text = "def cut(x):\n    if x > 0:\n        return x\n    return 0 * x\n\n\ndef apply(f, x):\n    return f(x)\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        way = entry("jax.jit", f=Parameter("function", name="a.py::cut"), x=X)
        write(root, {"a.py::apply": [way], "a.py::cut": [entry(x=ARRAY)]})
        assert places(run(*JSON, "--facts", "facts.json")) == [(2, "JAX101")]

    def test_many_ways_are_joined(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        ways = [
            entry("jax.jit", x=Parameter("tracer", aval=f"float32[{'3,' * rank}1]"), lr=FLOAT)
            for rank in range(12)
        ]
        write(root, {"a.py::step": ways})
        ran = run(*JSON, "-v", "--facts", "facts.json")
        assert places(ran) == [(2, "JAX101")] and "observed (at most 6): 6" in ran.err

    def test_the_way_of_the_text_wins(self, tree: Tree, run: Run) -> None:
        text = f"import jax\n\n\n{STEP}\n\ndef outer(x):\n    return step(x, 2.0)\n\n\njax.jit(outer)(3.0)\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        without = run(*JSON)
        write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)], "a.py::outer": [entry("jax.jit", x=X)]})
        given = rows(run(*JSON, "--facts", "facts.json"))
        assert [{**each, "observed": None} for each in given] == [
            {**each, "observed": None} for each in rows(without)
        ]
        assert len(given) == 1 and len(given[0]["related"]) == 2

    def test_what_a_test_means_to_go_wrong(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP, "tests/test_a.py": "def test_step():\n    pass\n"})
        ways = {
            "a.py::step": [entry("jax.jit", caller="tests/test_a.py::test_step", x=X, lr=FLOAT)],
            "tests/test_a.py::test_step": [entry()],
        }
        write(root, ways)
        assert places(run(*JSON, "--facts", "facts.json")) == [(2, "JAX101")]
        write(
            root,
            ways,
            events=[Event("raised", "a.py::step", 1, error="jax.errors.TracerBoolConversionError")],
        )
        (root / "tests" / "test_a.py").write_text("import a\n\n\ndef test_step():\n    pass\n")
        write(
            root,
            ways,
            events=[Event("raised", "a.py::step", 1, error="jax.errors.TracerBoolConversionError")],
        )
        assert rows(run(*JSON, "--facts", "facts.json")) == []

    @pytest.mark.parametrize("seed", range(3))
    def test_order_changes_nothing(self, tree: Tree, run: Run, seed: int) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP, "b.py": f"import a\n\n\n{STEP}"})
        ways = {
            "a.py::step": [
                entry("jax.jit", caller="b", x=X, lr=FLOAT),
                entry("jax.jit", caller="a", x=X, lr=X),
            ],
            "b.py::step": [entry("jax.vmap", x=X, lr=FLOAT), entry("jax.jit", x=X, lr=FLOAT)],
        }
        facts = facts_of(root, ways)
        (root / "all.json").write_bytes(encoded(facts))
        expected = rows(run(*JSON, "--facts", "all.json"))
        assert len(expected) == 2
        chance = random.Random(seed)
        names = []
        for number in range(3):
            functions = {}
            for key, each in chance.sample([*facts.functions.items()], 2):
                chance.shuffle(each.entries)
                functions[key] = Function(each.fingerprint, each.calls, [], each.entries)
            (root / f"{number}.json").write_bytes(encoded(Facts(functions=functions)))
            names += ["--facts", f"{number}.json"]
        assert rows(run(*JSON, *names)) == expected
        assert rows(run(*JSON, *names[4:], *names[:4])) == expected

    @pytest.mark.parametrize("folder", projects(), ids=lambda folder: folder.name)
    def test_calls_outside_of_traces_add_nothing(self, folder: Path, tree: Tree, run: Run) -> None:
        import ast

        from jaxlint.observe.fingerprint import functions_of

        files = {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in folder.rglob("*.py")
        }
        root = tree({"jaxlint.toml": "", **files})
        keys = [
            f"{path}::{each.name}" for path, text in files.items() for each in functions_of(ast.parse(text))
        ]
        write(root, {key: [entry(caller="x")] for key in keys})
        given = rows(run(*JSON, "--facts", "facts.json"))
        for each in given:
            each.pop("observed", None)
            each["related"] = [note for note in each["related"] if "never traced" not in note["message"]]
        assert given == rows(run(*JSON))


class TestFingerprints:
    """Facts hold of functions that are as they were."""

    def test_a_change_drops_them(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]}, lines={"a.py::step": [1]})
        (root / "a.py").write_text(STEP.replace("x * lr", "x - lr"))
        ran = run(*JSON, "-v", "--facts", "facts.json")
        assert rows(ran) == []
        assert "facts: functions that are as they were: 0; changed or gone: 1\n" in ran.err

    def test_a_move_does_not(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]}, lines={"a.py::step": [1]})
        (root / "a.py").write_text(f'"""Text."""\n\n# A comment.\n{STEP}')
        (found,) = rows(run(*JSON, "--facts", "facts.json"))
        assert (found["location"]["row"], found["observed"]) == (5, True)

    def test_of_several_versions_the_one_counts_that_is_there(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        way = {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]}
        write(root, way, "now.json")
        (root / "a.py").write_text(STEP.replace("x * lr", "x - lr"))
        write(root, way, "other.json")
        (root / "a.py").write_text(STEP)
        for names in (["now.json", "other.json"], ["other.json", "now.json"]):
            given = [word for name in names for word in ("--facts", name)]
            assert places(run(*JSON, *given)) == [(2, "JAX101")]

    def test_equal_functions_are_told_apart_by_their_order(self, tree: Tree, run: Run) -> None:
        text = f"if True:\n{_indented(STEP)}else:\n{_indented(STEP)}"
        root = tree({"jaxlint.toml": "", "a.py": text})
        write(root, {"a.py::step#2": [entry("jax.jit", x=X, lr=FLOAT)], "a.py::step": [entry(x=ARRAY)]})
        facts = facts_of(root, {"a.py::step#2": [entry("jax.jit", x=X, lr=FLOAT)], "a.py::step": [entry()]})
        assert len({each.fingerprint for each in facts.functions.values()}) == 1
        assert all(row == 7 for row, _ in places(run(*JSON, "--facts", "facts.json")))


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


class TestMarks:
    """A finding says whether its line ran."""

    TEXT = (
        "import jax\n\n\n@jax.jit\ndef f(x, y):\n    if x > 0:\n        return x\n    if (\n        y\n        > 0\n    ):\n"
        "        return y\n    return -x\n\n\n@jax.jit\ndef g(x):\n    if x > 0:\n        return x\n    return -x\n"
    )

    @pytest.mark.parametrize(
        ("lines", "marks"),
        [
            ([0, 1, 3], [True, True, False]),
            ([1], [True, False, False]),
            ([5], [False, True, False]),
            ([2], [False, False, False]),
            ([], [None, None, False]),
        ],
    )
    def test_marks(self, tree: Tree, run: Run, lines: list[int], marks: list[bool | None]) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT})
        write(root, {"a.py::f": [entry("jax.jit", x=X, y=X)]}, lines={"a.py::f": lines})
        found = rows(run(*JSON, "--facts", "facts.json"))
        assert [each.get("observed") for each in found] == marks

    def test_only_observed(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT, "c.py": "def\n"})
        write(root, {"a.py::f": [entry("jax.jit", x=X, y=X)]}, lines={"a.py::f": [1]})
        ran = run(*JSON, "--facts", "facts.json", "--only-observed")
        assert [(each["code"], each["location"]["row"]) for each in rows(ran)] == [
            ("JAX101", 6),
            ("JAX001", 1),
        ]
        (root / "jaxlint.toml").write_text('facts = ["facts.json"]\n')
        assert run(*JSON, "--only-observed") == ran
        (root / "c.py").unlink()
        write(root, {"a.py::f": [entry("jax.jit", x=X, y=X)]}, lines={"a.py::f": [2]})
        assert run(*JSON, "--only-observed").status == 0

    def test_without_facts_the_key_is_not_there(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT, "b.py": "import jax\n"})
        without = run(*JSON)
        assert "observed" not in without.out
        write(root, {})
        assert run(*JSON, "--facts", "facts.json") == without

    def test_a_module_that_is_as_it_was(self, tree: Tree, run: Run) -> None:
        import ast

        from jaxlint.observe.fingerprint import MODULE, fingerprint

        text = "import jax\n\nkey = jax.random.key(0)\na = jax.random.normal(key)\nif a > 0:\n    b = jax.random.normal(key)\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        for lines, mark in (([0, 2, 3, 4, 5], True), ([0, 2, 3, 4], False)):
            own = Function(fingerprint(ast.parse(text)), 1, lines)
            (root / "facts.json").write_bytes(encoded(Facts(functions={f"a.py::{MODULE}": own})))
            (found,) = [
                each for each in rows(run(*JSON, "--facts", "facts.json")) if each["code"] == "JAX301"
            ]
            assert (found["location"]["row"], found["observed"]) == (6, mark)

    def test_text(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT})
        write(root, {"a.py::f": [entry("jax.jit", x=X, y=X)]}, lines={"a.py::f": [1]})
        full = run("check", "-n", "--output-format", "full", "--facts", "facts.json").out
        assert full.count("note: this line ran (observed)") == 1
        assert full.count("note: this line did not run (observed)") == 2
        plain = run("check", "-n", "--output-format", "concise")
        assert run("check", "-n", "--output-format", "concise", "--facts", "facts.json") == plain


class TestContradictions:
    """A belief that runs contradict is told as a note, and not taken back."""

    TEXT = (
        "import jax\n\n\n@jax.jit\ndef f(x, flag):\n    twice = 2 * flag\n    if twice > 1:\n        return x\n"
        "    if x > twice:\n        return x\n    return -x\n"
    )

    def notes(self, ran: Ran) -> list[list[str]]:
        return [
            [note["message"] for note in each["related"] if "never" in note["message"]] for each in rows(ran)
        ]

    def test_a_note(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT})
        ways = [entry(x=ARRAY, flag=FLOAT, count=40), entry("jax.jit", x=X, flag=FLOAT)]
        write(root, {"a.py::f": ways})
        ran = run(*JSON, "--facts", "facts.json")
        assert self.notes(ran) == [["`flag` was never traced in 41 observed calls"], []]
        assert places(ran) == places(run(*JSON))

    @pytest.mark.parametrize(
        "ways",
        [
            [entry("jax.jit", x=X, flag=X), entry(x=ARRAY, flag=FLOAT)],
            [entry("jax.jit", x=X, flag=Parameter("pytree", leaves={"[0]": X}))],
            [entry("jax.jit", x=X)],
            [],
        ],
    )
    def test_no_note(self, tree: Tree, run: Run, ways: list[Entry]) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT})
        write(root, {"a.py::f": ways})
        assert self.notes(run(*JSON, "--facts", "facts.json")) == [[], []]

    def test_not_where_ways_are_missing(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": self.TEXT})
        facts = facts_of(root, {"a.py::f": [entry(x=ARRAY, flag=FLOAT)]})
        facts.functions["a.py::f"].more = 1
        (root / "facts.json").write_bytes(encoded(facts))
        assert self.notes(run(*JSON, "--facts", "facts.json")) == [[], []]


class TestFiles:
    """A file that cannot be used is told of in one line and left out; the run goes on."""

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "empty"),
            (b"{", "not whole"),
            (b"[]", "not a facts file"),
            (b'{"version": 2}', "of version 2, but this jaxlint reads version 1"),
            (b'{"version": 1, "functions": {"a.py::step": 3}}', "not a facts file"),
            (b"\xff\xfe\x00", "not"),
            (b"[" * 200_000, "not a facts file"),
            (b'{"version": 1, "functions": ' + b'{"a.py::f":' * 100_000, "nested too deeply"),
            (b'{"version": -1}', "not a facts file"),
        ],
    )
    def test_what_is_no_facts_file(self, tree: Tree, run: Run, data: bytes, message: str) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]})
        (root / "b.json").write_bytes(data)
        ran = run(*JSON, "--facts", "b.json", "--facts", "facts.json")
        assert places(ran) == [(2, "JAX101")]
        assert ran.err.startswith("jaxlint: facts `b.json`: left out: ") and ran.err.count("\n") == 1
        assert message in ran.err

    def test_a_file_that_is_cut(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]})
        data = (root / "facts.json").read_bytes()
        for end in range(1, len(data) - 2, 7):
            (root / "facts.json").write_bytes(data[:end])
            ran = run("check", ".", "-n", "--facts", "facts.json")
            assert ran.status == 0 and ran.err.count("\n") == 1 and "left out: not" in ran.err

    @pytest.mark.parametrize("name", ["none.json", ".", "a.py/b"])
    def test_what_is_no_file(self, tree: Tree, run: Run, name: str) -> None:
        tree({"jaxlint.toml": "", "a.py": STEP})
        ran = run("check", ".", "-n", "--facts", name)
        assert ran.status == 0 and ran.err.count("\n") == 1 and "cannot be read" in ran.err

    def test_a_pipe(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        os.mkfifo(root / "pipe")
        ran = run("check", ".", "-n", "--facts", "pipe")
        assert ran.status == 0 and ran.err.count("\n") == 1 and "cannot be read" in ran.err

    def test_of_another_project(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP, "other/b.py": STEP})
        facts = facts_of(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]})
        for key in ("../../etc/passwd::step", "/a.py::step", "c.py::step", "a.py\0::step", "step", "::"):
            functions = {key: facts.functions["a.py::step"]}
            (root / "facts.json").write_bytes(encoded(Facts(functions=functions)))
            ran = run(*JSON, "--facts", "facts.json")
            assert rows(ran) == []
            assert ran.err == "jaxlint: facts `facts.json`: left out: they are of files elsewhere\n"

    def test_paths_are_of_the_folder_of_the_file(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "pack/a.py": STEP})
        write(root / "pack", {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]})
        assert places(run(*JSON, "--facts", "pack/facts.json")) == [(2, "JAX101")]

    def test_the_setting(self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        root = tree({"jaxlint.toml": 'facts = ["facts.json"]\n', "pack/a.py": STEP})
        write(root, {"pack/a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]})
        monkeypatch.chdir(root / "pack")
        assert places(run(*JSON)) == [(2, "JAX101")]
        assert run(*JSON, "--facts", "none.json").err.count("\n") == 1

    def test_hostile_texts(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        odd = "\x1b[31m\u202e{here}\n" * 20
        way = entry("jax.jit", odd, caller=odd, x=X, lr=Parameter(odd, type=odd, name=odd, leaves={odd: X}))
        write(root, {"a.py::step": [way]})
        ran = run("check", ".", "-n", "--output-format", "full", "--facts", "facts.json")
        assert ran.status == 1 and "\x1b" not in ran.out and "\u202e" not in ran.out


class TestKept:
    """What is kept between runs depends on the facts that were used."""

    def test_cached_equals_cold(self, tree: Tree, run: Run) -> None:
        root = tree(
            {"jaxlint.toml": "", "a.py": STEP, "b.py": "import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n"}
        )
        flags = ("check", ".", "--select", "ALL", "--output-format", "json", "--facts", "facts.json")
        ways = [
            {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]},
            {"a.py::step": [entry(x=ARRAY, lr=FLOAT)]},
            {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)], "b.py::f": [entry(x=ARRAY)]},
            {"a.py::step": [entry("jax.jit", caller="c", x=X, lr=FLOAT)]},
            {"b.py::f": [entry("jax.jit", x=X)]},
        ]
        seen = set()
        for way in ways * 2:
            for lines in ([1], [2]):
                write(root, way, lines=dict.fromkeys(way, lines))
                cold = run(*flags, "-n")
                assert run(*flags) == cold and run(*flags) == cold
                seen.add(cold.out)
        assert len(seen) > 4
        assert run(*flags[:-2]) == run(*flags[:-2], "-n")

    def test_new_facts_of_one_file_leave_others_alone(
        self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from jaxlint.session import pipeline

        parts: list[list[str]] = []
        real = pipeline.analyze_component

        def analyze_component(project: Any, data: Any, outcomes: Any, *rest: Any) -> Any:
            parts.append(sorted(map(os.path.basename, outcomes)))
            return real(project, data, outcomes, *rest)

        monkeypatch.setattr(pipeline, "analyze_component", analyze_component)
        root = tree({"jaxlint.toml": "", "a.py": f"import jax\n{STEP}", "b.py": f"import jax\n{STEP}"})
        both = {f"{name}.py::step": [entry("jax.jit", x=X, lr=FLOAT)] for name in "ab"}
        flags = ("check", ".", "--facts", "facts.json", "-q")
        write(root, both)
        assert run(*flags).out.count("JAX101") == 2
        write(root, both, lines={"a.py::step": [1]})
        assert run(*flags).out.count("JAX101") == 2
        assert parts == [["a.py"], ["b.py"]]
        write(root, {**both, "b.py::step": [entry("jax.jit", x=FLOAT, lr=FLOAT)]})
        assert run(*flags).out.count("JAX101") == 1
        assert parts[2:] == [["b.py"]]

    def test_workers_find_the_same(self, tree: Tree, run: Run) -> None:
        root = tree({"jaxlint.toml": "", "a.py": f"import jax\n{STEP}", "b.py": f"import jax\n{STEP}"})
        write(root, {f"{name}.py::step": [entry("jax.jit", x=X, lr=FLOAT)] for name in "ab"})
        assert run(*JSON, "-j", "2", "--facts", "facts.json") == run(*JSON, "--facts", "facts.json")

    def test_what_is_known_can_be_sent(self) -> None:
        facts = Facts(functions={"a": Function("0", entries=[entry("jax.jit", x=X)])})
        assert pickle.loads(pickle.dumps(facts)) == facts
        assert pickle.loads(pickle.dumps(Observed(True))) == Observed(True)


def test_a_watch_looks_at_them(tree: Tree) -> None:
    from jaxlint.cli.watch import _state
    from jaxlint.project.configuration import Configuration
    from jaxlint.project.discovery import find_projects

    root = tree({"jaxlint.toml": 'facts = ["facts.json"]\n', "a.py": STEP})
    before = _state(lambda: find_projects(["."], Configuration()))
    write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]})
    assert _state(lambda: find_projects(["."], Configuration())) != before


def test_the_server(tree: Tree) -> None:
    from jaxlint.server.option import Options
    from jaxlint.server.told import Teller

    root = tree({"jaxlint.toml": 'facts = ["facts.json", "none.json"]\n', "a.py": STEP})
    path, data = str(root / "a.py"), STEP.encode()
    teller = Teller(str(root), lambda: True)
    wrong: list[str] = []
    assert not teller.told({path: data}, Options(), wrong)[path].diagnostics and len(wrong) == 2
    write(root, {"a.py::step": [entry("jax.jit", x=X, lr=FLOAT)]}, lines={"a.py::step": [1]})
    wrong.clear()
    (found,) = teller.told({path: data}, Options(), wrong)[path].diagnostics
    assert (found.code, found.observed, len(wrong)) == ("JAX101", True, 1)
    assert teller.hints(path, {path: data}, Options()) == [(1, None, "traced: observed at a.py:1")]
    edited = data.replace(b"x * lr", b"x - lr")
    assert not teller.told({path: edited}, Options(), wrong)[path].diagnostics


def test_traces(tree: Tree, run: Run) -> None:
    root = tree({"jaxlint.toml": "", "a.py": STEP})
    write(root, {"a.py::step": [entry("jax.jit", caller="t.py::t", x=X, lr=FLOAT)]})
    ran = run("analyze", "traces", "--facts", "facts.json")
    assert "a.py:1: `step` is traced\n    a.py:1: `step` is traced in t.py::t (observed)\n" in ran.out
    assert "    static: lr\n    traced: x\n" in ran.out
    html = run("analyze", "traces", "--facts", "facts.json", "--output-format", "html")
    assert html.status == 0 and "observed" in html.out


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("jax.jit", 1),
        ("jax.vmap", 2),
        ("jax.grad", 4),
        ("jax.jvp", 4),
        ("jax.lax.scan", 1),
        ("jax.custom_vjp", 0),
    ],
)
def test_level_of_transform(name: str, level: int) -> None:
    assert level_of_transform(name) == level


def test_contexts() -> None:
    context = context_of(("jax.jit", "jax.vmap", "jax.lax.scan"), True, 8)
    assert (context.staged, context.depth, context.stage, context.batched) == (True, 3, 3, True)
    assert context_of(("jax.vmap",), True, 8).staged and context_of(("jax.jit",) * 30, True, 8).depth == 8
    assert level_of_entry(Entry(("jax.vmap", "jax.grad"), 1)) == 0


def test_merging_is_the_same_both_ways() -> None:
    one = Facts(functions={"a.py::f": Function("0", 2, [1], [entry("jax.jit", x=X, count=2)])})
    other = Facts(functions={"a.py::f": Function("0", 3, [2], [entry("jax.jit", x=X, count=3)])})
    assert merged(one, other).functions == merged(other, one).functions
