"""Rules that are off in test files, or that give way to others: which, where, and how a selector turns them on."""

from __future__ import annotations

import json

import pytest
from conftest import Run, Tree

from jaxlint.rule.registry import registry

REUSED = "import jax\n\n\ndef draw(key):\n    return jax.random.normal(key), jax.random.normal(key)\n"
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


def codes(run: Run, *flags: str) -> list[tuple[str, str]]:
    rows = json.loads(run("--output-format", "json", *flags).out)
    return sorted((row["filename"].rpartition("/")[2], row["code"]) for row in rows)


class TestWhere:
    @pytest.mark.parametrize(
        "path",
        [
            "test_a.py", "pkg/a_test.py", "pkg/conftest.py", "tests/a.py", "pkg/tests/deep/a.py",
            "tests.py", "pkg/tests.py", "benchmarks/a.py", "pkg/bench_a.py", "pkg/speed_benchmark.py",
            "bench/a.py", "pkg/deprecated/old/a.py",
        ],
    )  # fmt: skip
    def test_default_patterns(self, tree: Tree, run: Run, path: str) -> None:
        tree({"jaxlint.toml": "", path: REUSED})
        assert codes(run, ".") == []
        assert codes(run, path) == []

    @pytest.mark.parametrize(
        "path",
        ["a.py", "test.py", "testing/a.py", "pkg/latest.py", "contests.py", "contest_a.py", "bench.py"],
    )
    def test_other_files(self, tree: Tree, run: Run, path: str) -> None:
        tree({"jaxlint.toml": "", path: REUSED})
        assert {code for _, code in codes(run, ".")} == {"JAX301"}

    def test_the_folder_above_the_project_does_not_count(self, tree: Tree, run: Run) -> None:
        tree({"tests/project/jaxlint.toml": "", "tests/project/a.py": REUSED})
        assert codes(run, "tests/project") == [("a.py", "JAX301")]

    def test_globs_are_relative_to_the_configuration(self, tree: Tree, run: Run) -> None:
        tree({"jaxlint.toml": 'tests = ["checks/**"]', "checks/a.py": REUSED, "test_b.py": REUSED})
        assert codes(run, ".") == [("test_b.py", "JAX301")]
        assert len(codes(run, "--config", "tests=[]", ".")) == 2

    def test_what_raises_stays_on(self, tree: Tree, run: Run) -> None:
        tree({"jaxlint.toml": "", "test_a.py": BRANCH})
        assert codes(run, ".") == [("test_a.py", "JAX101")]

    def test_transforms_applied_in_tests_count_for_the_library(self, tree: Tree, run: Run) -> None:
        library = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"
        test = "import jax\nimport lib\n\n\ndef test_f():\n    assert jax.jit(lib.f)(1.0) == 1.0\n"
        tree({"jaxlint.toml": "", "lib.py": library, "test_lib.py": test})
        assert codes(run, ".") == [("lib.py", "JAX101")]


class TestSelection:
    @pytest.mark.parametrize(
        "flags",
        [
            ["--select", "JAX301"],
            ["--select", "key-reuse"],
            ["--extend-select", "JAX301"],
            ["--config", 'extend-select=["key-reuse"]'],
        ],
    )
    def test_a_code_or_a_name_turns_a_rule_on(self, tree: Tree, run: Run, flags: list[str]) -> None:
        tree({"jaxlint.toml": "", "test_a.py": REUSED})
        assert codes(run, *flags, ".") == [("test_a.py", "JAX301")]

    @pytest.mark.parametrize("selector", ["ALL", "JAX3", "JAX30", "correctness", "suspicious"])
    def test_nothing_wider_does(self, tree: Tree, run: Run, selector: str) -> None:
        tree({"jaxlint.toml": "", "test_a.py": REUSED})
        assert codes(run, "--select", selector, ".") == []

    def test_a_later_select_starts_over(self, tree: Tree, run: Run) -> None:
        tree({"jaxlint.toml": 'extend-select = ["JAX301"]', "test_a.py": REUSED})
        assert codes(run, ".") == [("test_a.py", "JAX301")]
        assert codes(run, "--select", "JAX3", ".") == []

    def test_an_ignore_of_it_is_not_unused(self, tree: Tree, run: Run) -> None:
        text = "import jax\n\nkey = jax.random.key(0)  # jaxlint: ignore[JAX301]\n"
        tree({"jaxlint.toml": "", "test_a.py": text, "b.py": text})
        assert codes(run, ".") == [("b.py", "JAX011")]
        assert len(codes(run, "--extend-select", "JAX301", ".")) == 2


def test_the_rules_that_are_idle() -> None:
    idle = {entry.code for entry in registry().entries if entry.idle_in_tests}
    assert idle >= {"JAX201", "JAX202", "JAX301", "JAX302", "JAX303", "JAX403", "JAX404", "JAX502", "JAX601"}
    assert not any(code.startswith("JAX1") for code in idle)  # what raises stays on


LEAK_AND_EFFECT = """
import jax


class Box:
    def __init__(self):
        self.n = 0

    def set(self, x):
        self.n = x


box = Box()
jax.jit(lambda x: box.set(x))(1.0)
jax.jit(lambda x: box.set(3))(1.0)
print(box.n)
"""


@pytest.mark.parametrize("selected, told", [("JAX201", "JAX201"), ("JAX203", "JAX203"), ("JAX2", "JAX203")])
def test_a_rule_gives_way_only_to_one_that_is_selected(
    tree: Tree, run: Run, selected: str, told: str
) -> None:
    tree({"jaxlint.toml": "", "a.py": LEAK_AND_EFFECT})
    assert codes(run, "a.py", "--select", selected) == [("a.py", told)]


TRIED = "import jax\n    key = jax.random.key(0)\n    print(jax.random.normal(key), jax.random.normal(key))"


class TestTrial:
    """What a module that others import does under `if __name__ == "__main__":`."""

    def files(self, body: str) -> dict[str, str]:
        return {
            "jaxlint.toml": "",
            "layers.py": f'import jax\n\n\ndef f(x):\n    return x\n\n\nif __name__ == "__main__":\n    {body}\n',
            "script.py": f'if __name__ == "__main__":\n    import layers\n    {TRIED}\n',
        }

    def test_it_counts_as_a_test(self, tree: Tree, run: Run) -> None:
        tree(self.files(TRIED))
        assert codes(run, ".") == [("script.py", "JAX301")]
        assert codes(run, "--extend-select", "JAX301", ".") == [
            ("layers.py", "JAX301"),
            ("script.py", "JAX301"),
        ]

    def test_errors_are_reported(self, tree: Tree, run: Run) -> None:
        tree(self.files(BRANCH.replace("\n", "\n    ").rstrip()))
        assert ("layers.py", "JAX101") in codes(run, ".")

    def test_a_loop_is_no_trial(self, tree: Tree, run: Run) -> None:
        loop = "for _ in range(3):\n        pass\n    "
        tree(self.files(loop + TRIED))
        assert codes(run, ".") == [("layers.py", "JAX301"), ("script.py", "JAX301")]

    def test_nobody_imports_it(self, tree: Tree, run: Run) -> None:
        files = self.files(TRIED)
        tree({**files, "script.py": "import jax\n"})
        assert codes(run, ".") == [("layers.py", "JAX301")]


SMOKE = """
import jax


def drawn(key, x):
    return x + jax.random.normal(jax.random.split(key)[0], x.shape)


def other(key, x):
    return x * jax.random.uniform(jax.random.split(key)[0], x.shape)


def test_all():
    key = jax.random.key(0)

    @jax.jit
    def both(x):
        return other(key, drawn(key, x))

    print(both(jax.numpy.zeros(3)), drawn(key, drawn(key, jax.numpy.ones(3))))


"""
MAIN = 'if __name__ == "__main__":\n    '


class TestOwnTests:
    """A function by which a module tests itself when it is run."""

    @pytest.mark.parametrize(
        "end",
        [
            f"{MAIN}test_all()\n",
            f"def test_twice():\n    test_all()\n    test_all()\n\n\n{MAIN}test_twice()\n",
            f"{MAIN}for each in (test_all,):\n        each()\n",
        ],
    )
    def test_it_counts_as_a_test(self, tree: Tree, run: Run, end: str) -> None:
        tree({"jaxlint.toml": "", "layers.py": SMOKE + end})
        assert codes(run, ".") == []
        assert ("layers.py", "JAX301") in codes(run, "--extend-select", "JAX301", ".")

    @pytest.mark.parametrize(
        "end",
        [
            "test_all()\n",
            f"def main():\n    test_all()\n\n\n{MAIN}main()\n",
            f"CHECKS = [test_all]\n\n{MAIN}test_all()\n",
            "",
        ],
    )
    def test_others_may_call_it(self, tree: Tree, run: Run, end: str) -> None:
        tree({"jaxlint.toml": "", "layers.py": SMOKE + end})
        assert ("layers.py", "JAX301") in codes(run, ".")

    @pytest.mark.parametrize(
        "before, after",
        [
            ("test_all", "evaluate"),
            ("test_all()", "test_all(seed)"),
            ("jax.random.key(0)", "jax.random.key(seed)"),
            ("print(both", "return (both"),
        ],
    )
    def test_what_is_no_test(self, tree: Tree, run: Run, before: str, after: str) -> None:
        text = f"{SMOKE}{MAIN}seed = 1\n    test_all()\n".replace(before, after)
        tree({"jaxlint.toml": "", "layers.py": text})
        assert ("layers.py", "JAX301") in codes(run, ".")

    def test_another_module_calls_it(self, tree: Tree, run: Run) -> None:
        script = "from layers import test_all\n\ntest_all()\n"
        tree({"jaxlint.toml": "", "layers.py": f"{SMOKE}{MAIN}test_all()\n", "script.py": script})
        assert ("layers.py", "JAX301") in codes(run, ".")
