"""`jaxlint observe --leaks` and `--nans`: what is recorded, and what the program notices of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_observe import observe, write

from jaxlint.observe import sentence
from jaxlint.observe.facts import Event, Facts, read_facts
from jaxlint.observe.page import html

LEAKING = """
    import jax, jax.numpy as jnp
    from functools import partial

    kept = []

    class Model:
        def __init__(self):
            self.p = [jnp.ones((3, 3))] * 2

        def loss(self, p, x):
            for w in p:
                x = jnp.tanh(x @ w)
            return jax.lax.fori_loop(0, 3, lambda i, c: c * 1.5, x).sum()

        def step(self, x):
            return jax.jit(jax.value_and_grad(self.loss))(self.p, x)

    @jax.jit
    def local(x):
        here = [x + 1]  # is gone before the trace is over
        return here[0] * 2

    def scaled(model, x):
        model.w = x * 2
        return x

    @jax.jit
    def leaky(x):
        z = x + 1
        kept.append(z)
        return z

    def main():
        model = Model()
        print(model.step(jnp.ones((2, 3)))[0] > 0, local(1.0))
        jax.vmap(jax.jacfwd(jnp.sin))(jnp.ones(4))
        try:
            jax.vmap(partial(scaled, model))(jnp.ones(3))
        except Exception as error:
            print(type(error).__name__)
        kept.clear()
        leaky(jnp.ones(2))
        print("not reached with the check")

    main()
"""
"""Two programs in one: with JAX's check `vmap` raises, and `leaky` ends the program."""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("leaks")
    write(folder, {"main.py": LEAKING})
    words = ("--leaks", "--facts", "facts.json", "--page", "page.html", "--", sys.executable, "main.py")
    return folder, observe(folder, *words)


def leaks_of(facts: Facts) -> set[tuple[str, int, str, str]]:
    return {(each.function, each.line, each.what, each.error) for each in facts.events if each.kind == "leak"}


class TestLeaks:
    def test_a_leak_raises_in_the_program(
        self, checked: tuple[Path, subprocess.CompletedProcess[str]]
    ) -> None:
        _, done = checked
        assert done.returncode == 1
        assert done.stdout == "True 4.0\nException\n"
        assert "Exception: Leaked trace" in done.stderr

    def test_each_leak_is_where_its_tracer_was_made_and_nothing_else_is_one(
        self, checked: tuple[Path, subprocess.CompletedProcess[str]]
    ) -> None:
        folder, _ = checked
        assert leaks_of(read_facts(str(folder / "facts.json"))) == {
            ("main.py::leaky", 1, "a list", "Exception"),
            ("main.py::main", 5, "attribute `w` of `Model`", "Exception"),  # `vmap` doesn't say where
        }

    def test_table_and_page_say_so(self, checked: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
        folder, done = checked
        said = "a tracer made here outlives its trace: a list keeps it; JAX's leak check raised once"
        assert f"main.py:30: {said}\n" in done.stderr
        page = (folder / "page.html").read_text(encoding="utf-8")
        assert "Leaked tracers" in page and said.replace("'", "&#x27;") in page
        assert "jaxlint: JAX's leak check was on" in done.stderr and "missed" not in done.stderr

    def test_without_the_flag_nothing_is_raised(self, tmp_path: Path) -> None:
        write(tmp_path, {"main.py": LEAKING})
        done = observe(tmp_path, "--no-check", "--facts", "facts.json", "--", sys.executable, "main.py")
        assert (done.returncode, done.stdout) == (0, "True 4.0\nnot reached with the check\n")
        assert leaks_of(read_facts(str(tmp_path / "facts.json"))) == {("main.py::leaky", 1, "a list", "")}
        assert "leak check" not in done.stderr

    def test_a_check_that_the_program_turns_on_is_recorded(self, tmp_path: Path) -> None:
        program = """
            import jax
            kept = {}

            @jax.jit
            def leaky(x):
                kept["x"] = x * 2
                return x

            with jax.checking_leaks():
                leaky(1.0)
        """
        write(tmp_path, {"main.py": program})
        done = observe(tmp_path, "--no-check", "--facts", "facts.json", "--", sys.executable, "main.py")
        assert done.returncode == 1
        found = leaks_of(read_facts(str(tmp_path / "facts.json")))
        assert found == {("main.py::leaky", 1, "a dict", "Exception")}

    def test_who_keeps_it_may_not_be_known(self) -> None:
        event = Event("leak", "a.py::f", 1, 2, error="Exception")
        text = "a tracer made here outlives its trace; JAX's leak check raised twice"
        assert sentence.happened(event).text == text
        assert text.replace("'", "&#x27;") in html(Facts(events=[event]), {}, {})


NOT_A_NUMBER = """
    import jax, jax.numpy as jnp

    @jax.jit
    def normalized(x):
        return x / x.sum()

    def caller(x):
        return normalized(x)

    def tree(x):
        return {"a": [normalized(x)], "b": 1}

    def eager(x):
        y = jnp.sqrt(x)
        return y

    def passes_on(y):
        return y + 1

    def keeps(x):
        y = normalized(x)
        return y is x

    def main():
        bad = caller(jnp.zeros(3))
        print(bad)
        passes_on(bad)
        keeps(jnp.zeros(3))
        eager(jnp.float32(4)), eager(jnp.float32(-1))
        for _ in range(2):
            tree(jnp.zeros(3))

    main()
    raise SystemExit(4)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nans")


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    write(folder, {"main.py": NOT_A_NUMBER})
    words = ("--nans", "--no-check", "--facts", "facts.json", "--page", "page.html")
    return observe(folder, *words, "--", sys.executable, "main.py")


class TestNans:
    def test_the_program_is_as_it_is(self, done: subprocess.CompletedProcess[str]) -> None:
        assert (done.returncode, done.stdout) == (4, "[nan nan nan]\n")
        assert "missed" not in done.stderr

    def test_who_returns_one_is_recorded(self, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
        """Of a jitted function, who returns its result: the function itself is only traced. Not what a NaN
        was given to, nor what keeps it for itself."""
        facts = read_facts(str(folder / "facts.json"))
        found = {
            (each.function, each.line): each.count for each in facts.events if each.kind == "nan"
        }  # rows: those of `return`
        assert found == {("main.py::caller", 1): 1, ("main.py::tree", 1): 2, ("main.py::eager", 2): 1}

    def test_table_and_page_say_so(self, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
        assert "main.py:9: a NaN comes into being, once\n" in done.stderr
        page = (folder / "page.html").read_text(encoding="utf-8")
        assert "<h2>NaNs</h2>" in page and "a NaN comes into being, twice" in page

    def test_without_the_flag_none_is(self, tmp_path: Path) -> None:
        write(tmp_path, {"main.py": NOT_A_NUMBER})
        done = observe(tmp_path, "--no-check", "--facts", "facts.json", "--", sys.executable, "main.py")
        assert (done.returncode, done.stdout) == (4, "[nan nan nan]\n")
        assert {each.kind for each in read_facts(str(tmp_path / "facts.json")).events} == set()
