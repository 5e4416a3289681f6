"""`jaxlint observe`: what a program under JAX shows, and that nothing of it changes for the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from jaxlint.observe.facts import Entry, Facts, Function, read_facts

OBSERVED = os.environ.get("JAXLINT_OBSERVED_PYTHON", sys.executable)
"""The interpreter that runs the programs under JAX: the recorder supports more versions than jaxlint itself."""

PLATFORMS = os.environ.get("JAXLINT_OBSERVED_PLATFORMS", "cpu")
"""What JAX runs the programs on, as `JAX_PLATFORMS` takes it."""

PROGRAM = """
    import sys
    import jax, jax.numpy as jnp
    from functools import partial

    kept, errors = [], []

    def helper(a, b):
        if b:
            return a * 2
        return a

    @partial(jax.jit, static_argnames="lr")
    def step(params, x, lr):
        y = helper(params["w"] * x, True)
        return jnp.sum(y) * lr

    @jax.jit
    def leaky(x):
        z = x + 1
        kept.append(z)
        return z

    def loss(w, x):
        return jnp.sum(w * x)

    def key_user(key, secret):
        a = jax.random.normal(key, (3,))
        return a, jax.random.uniform(key, (3,))

    def split_user(key):
        one, other = jax.random.split(key)
        return jax.random.normal(one), jax.random.normal(jax.random.fold_in(other, 1))

    def host(values):
        for value in values:
            print(float(value) > 1)

    @jax.jit
    def bad(x):
        if x > 0:
            return x
        return -x

    @jax.jit
    def twice(x):
        return x + 1

    class Model:
        def __init__(self):
            self.w = jnp.ones(3)

        def apply(self, x, *rest, scale=2, **options):
            return jax.lax.scan(lambda c, y: (c + y * scale, y), 0.0, x * self.w)[0]

    def main():
        params = {"w": jnp.ones(3)}
        host([step(params, jnp.ones(3), lr=0.5 * i) for i in range(4)])
        step(params, jnp.ones(3, "int32"), lr=0.5)
        jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0)))(jnp.ones(3), jnp.ones((2, 3)))
        key_user(jax.random.PRNGKey(0), "a secret of the user")
        split_user(jax.random.key(1))
        leaky(jnp.ones(2))
        for k in range(3):
            jax.jit(lambda q: q + 1)(jnp.ones(2))
        try:
            bad(1.0)
        except Exception as error:
            print(type(error).__name__)
            errors.append(error)  # and with it the frames, which hold tracers
        twice(1.0)
        twice(jnp.float32(1))
        twice(jnp.ones((2, 2)))
        Model().apply(jnp.ones(3), 1, flag=True)
        helper(3, False)
        with jax.disable_jit():
            twice(jnp.ones(7))

    main()
    print("the end", file=sys.stderr)
    sys.exit(3)
"""

JAX = {
    "lib/jax/__init__.py": """
        __version__ = "0.10.0"
        class Array: pass
        class core:
            class Tracer: pass
        class random: pass
        class errors: pass
        def jit(f): return f
    """,
    "lib/jax/monitoring.py": "def register_event_duration_secs_listener(listener): pass",
}
"""A package that the recorder takes for JAX, which is imported in no time."""


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")


def environment(folder: Path) -> dict[str, str]:
    found = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONSAFEPATH", "PYTHONPATH")
    }
    return {**found, "PYTHONPATH": str(folder / "lib"), "JAX_PLATFORMS": PLATFORMS}


def command(*words: object) -> list[str]:
    # `-P` and a module, as the script of an installation starts it.
    return [sys.executable, "-P", "-m", "jaxlint", "observe", *map(str, words)]


def observe(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    (folder / "pyproject.toml").touch()
    root = str(Path(__file__).resolve().parent.parent)
    # jaxlint is found where it is, and its place is no part of what the child gets.
    code = f"import sys; sys.path.insert(0, {root!r}); sys.argv[0] = 'jaxlint'; from jaxlint.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, "observe", *map(str, words)],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=300,
    )


def seen(folder: Path, program: str, *flags: object, files: Mapping[str, str] | None = None) -> Facts:
    """The facts of a program that imports the small package."""
    write(folder, {**JAX, "main.py": program, **(files or {})})
    done = observe(folder, "--facts", "facts.json", *flags, "--", sys.executable, "main.py")
    assert done.returncode == 0, done.stderr
    return read_facts(str(folder / "facts.json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("program")


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    write(folder, {"main.py": PROGRAM})
    words = ("--facts", "facts.json", "--page", "page.html", "--", OBSERVED, "main.py")
    return observe(folder, *words)


@pytest.fixture(scope="module")
def facts(folder: Path, done: subprocess.CompletedProcess[str]) -> Facts:
    return read_facts(str(folder / "facts.json"))


class TestProgram:
    """One run of a program with the JAX that is installed."""

    def test_output_and_status_are_the_programs(self, done: subprocess.CompletedProcess[str]) -> None:
        assert done.returncode == 3
        assert done.stdout.splitlines() == ["False", "True", "True", "True", "TracerBoolConversionError"]
        assert done.stderr.startswith("the end\njaxlint: 1 run with jax")
        assert "missed" not in done.stderr

    def test_nothing_is_left_in_the_tree(self, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
        names = {path.name for path in folder.iterdir()}
        assert names == {"main.py", "pyproject.toml", "facts.json", "page.html"}

    def test_static_values_are_a_reason(self, facts: Facts) -> None:
        step = facts.functions["main.py::step"]
        assert (step.compiled, step.traced, step.calls) == (5, 5, 5)
        assert step.reasons == [("lr", "static value", 3), ("", "first", 1), ("x", "dtype", 1)]
        assert step.compilations[-1].reason == [("x", "dtype", "float32[3]", "int32[3]")]
        assert step.compilations[0].caller == "main.py::main.<locals>.<lambda>" or step.compilations[0].caller
        assert step.seconds.trace > 0 and step.seconds.lower > 0 and step.seconds.compile > 0

    def test_weak_types_and_shapes_are_reasons(self, facts: Facts) -> None:
        twice = facts.functions["main.py::twice"]
        assert [each.reason[0][:2] for each in twice.compilations] == [
            ("", "first"), ("x", "weak type"), ("x", "shape"),
        ]  # fmt: skip
        assert twice.calls == 4  # the last one with jit disabled
        assert [] in [[*entry.transforms] for entry in twice.entries]

    def test_a_new_function_is_a_reason(self, facts: Facts) -> None:
        fresh = facts.functions["main.py::main.<locals>.<lambda>"]
        assert fresh.reasons == [("", "new function object", 2), ("", "first", 1)]

    def test_transforms_and_callers(self, facts: Facts) -> None:
        loss = entry(facts, "loss")
        assert (loss.transforms, loss.staged, loss.caller) == (
            ("jax.jit", "jax.vmap", "jax.grad"), True, "main.py::main",
        )  # fmt: skip
        body = entry(facts, "Model.apply.<locals>.<lambda>")
        assert (body.transforms, body.staged) == (("jax.lax.scan",), True)
        assert body.parameters["c"].kind == "tracer"
        helper = facts.functions["main.py::helper"].entries
        assert {(each.transforms, each.parameters["a"].kind) for each in helper} == {
            (("jax.jit",), "tracer"), ((), "static"),
        }  # fmt: skip
        assert {each.caller for each in helper} == {"main.py::step", "main.py::main"}

    def test_parameters(self, facts: Facts) -> None:
        step = entry(facts, "step").parameters
        assert (step["params"].kind, step["params"].type) == ("pytree", "builtins.dict")
        assert step["params"].leaves["['w']"].aval == "float32[3]"
        assert step["params"].leaves["['w']"].kind == "tracer"
        assert (step["lr"].kind, step["lr"].type, step["lr"].value) == ("static", "builtins.float", "")
        apply = entry(facts, "Model.apply").parameters
        assert {name: each.kind for name, each in apply.items()} == {
            "self": "object", "x": "array", "scale": "static", "rest": "tuple", "options": "dict",
        }  # fmt: skip
        assert apply["self"].type == "__main__.Model"
        keys = entry(facts, "key_user").parameters["key"], entry(facts, "split_user").parameters["key"]
        assert [each.kind for each in keys] == ["key", "key"]
        assert [each.traced for each in keys] == [False, False]

    def test_rows_that_ran(self, facts: Facts) -> None:
        assert facts.functions["main.py::helper"].lines == [1, 2, 3]
        assert facts.functions["main.py::bad"].lines == [1]
        assert 0 not in facts.functions["main.py::main"].lines

    def test_events(self, facts: Facts) -> None:
        found = {(each.kind, each.function, each.line, each.count) for each in facts.events}
        assert found == {
            ("leak", "main.py::leaky", 1, 1),
            ("key reused", "main.py::key_user", 2, 1),
            ("raised", "main.py::bad", 1, 1),
            ("transfer", "main.py::host", 2, 4),
        }
        reused = next(each for each in facts.events if each.kind == "key reused")
        assert reused.first == ("main.py::key_user", 1)
        transfer = next(each for each in facts.events if each.kind == "transfer")
        assert (transfer.what, transfer.loop) == ("__float__", True)
        raised = next(each for each in facts.events if each.kind == "raised")
        assert raised.error == "jax.errors.TracerBoolConversionError"

    def test_no_values_are_kept(self, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
        for name in ("facts.json", "page.html"):
            assert "secret of the user" not in (folder / name).read_text(encoding="utf-8")
        assert '"value"' not in (folder / "facts.json").read_text(encoding="utf-8")
        assert "secret of the user" not in done.stderr

    def test_the_table_says_why(self, done: subprocess.CompletedProcess[str]) -> None:
        assert "`step` compiled 5 times" in done.stderr
        assert "    `lr` is static and changed 3 times\n" in done.stderr
        assert "main.py:20: a tracer made here outlives its trace: a list keeps it\n" in done.stderr

    def test_the_page_has_reasons_and_pictures(
        self, folder: Path, done: subprocess.CompletedProcess[str]
    ) -> None:
        text = (folder / "page.html").read_text(encoding="utf-8")
        assert "<code>lr</code> is static and changed 3 times" in text
        assert (
            "a new function object was jitted twice; <a href=" in text
            and "JAX404 jit-of-fresh-function" in text
        )
        assert text.count("<svg") == 2 and "<script" not in text


def entry(facts: Facts, name: str) -> Entry:
    return facts.functions[f"main.py::{name}"].entries[0]


class TestRuns:
    """The process, its children, and what is kept of them; with a package that stands for JAX."""

    def test_a_command_that_is_no_python(self, tmp_path: Path) -> None:
        done = observe(tmp_path, "--facts", "facts.json", "--", "sh", "-c", "echo out; echo err >&2; exit 5")
        assert (done.returncode, done.stdout) == (5, "out\n")
        lines = done.stderr.splitlines()
        assert lines == [
            "err",
            "jaxlint: nothing was recorded: the command started no Python that the recorder could be loaded in",
        ]
        assert not (tmp_path / "facts.json").exists()

    def test_a_command_that_is_not_there(self, tmp_path: Path) -> None:
        done = observe(tmp_path, "--", "no-such-command")
        assert (done.returncode, done.stdout, done.stderr) == (
            127,
            "",
            "jaxlint: `no-such-command` is not found\n",
        )

    def test_a_command_that_cannot_be_executed(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        done = observe(tmp_path, "--", "./file")
        assert done.returncode == 126
        assert done.stderr == "jaxlint: `./file` cannot be run: Permission denied\n"

    def test_a_python_without_jax(self, tmp_path: Path) -> None:
        write(tmp_path, {"main.py": "print('here')"})
        done = observe(tmp_path, "--", sys.executable, "main.py")
        assert (done.returncode, done.stdout) == (0, "here\n")
        assert (
            done.stderr.count("\n") == 1
            and "nothing was recorded: JAX was not imported (Python 3" in done.stderr
        )

    def test_a_jax_that_is_too_old(self, tmp_path: Path) -> None:
        old = JAX["lib/jax/__init__.py"].replace("0.10.0", "0.4.29")
        program = "import jax\ndef f(): return 1\nprint(f())"
        write(tmp_path, {**JAX, "lib/jax/__init__.py": old, "main.py": program})
        done = observe(tmp_path, "--", sys.executable, "main.py")
        assert (done.returncode, done.stdout) == (0, "1\n")
        assert done.stderr == "jaxlint: nothing was recorded: JAX 0.4.29 is older than 0.4.30\n"

    def test_a_program_that_crashes(self, tmp_path: Path) -> None:
        write(tmp_path, {**JAX, "main.py": "import jax\ndef f():\n    raise KeyError('x')\nf()"})
        plain = subprocess.run(
            [sys.executable, "main.py"],
            cwd=tmp_path,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
        )
        done = observe(tmp_path, "-q", "--facts", "facts.json", "--", sys.executable, "main.py")
        assert (done.returncode, done.stderr) == (1, plain.stderr)
        assert read_facts(str(tmp_path / "facts.json")).functions["main.py::f"].calls == 1

    def test_a_program_that_is_killed(self, tmp_path: Path) -> None:
        program = """
            import jax, os, signal, time
            def f(): pass
            def g(): pass
            f()
            time.sleep(1.1)
            g()
            os.kill(os.getpid(), signal.SIGKILL)
        """
        write(tmp_path, {**JAX, "main.py": program})
        done = observe(tmp_path, "--facts", "facts.json", "--", sys.executable, "main.py")
        assert done.returncode == 128 + signal.SIGKILL
        assert "main.py::f" in read_facts(str(tmp_path / "facts.json")).functions

    def test_a_fork_that_leaves_at_once(self, tmp_path: Path) -> None:
        program = """
            import jax, os
            def before(): pass
            def parent(): pass
            def child(): pass
            before()
            pid = os.fork()
            if pid == 0:
                child()
                os._exit(0)
            os.waitpid(pid, 0)
            parent()
        """
        facts = seen(tmp_path, program)
        assert calls(facts) == {"before": 1, "parent": 1, "child": 1}

    def test_processes_and_threads(self, tmp_path: Path) -> None:
        program = """
            import jax, subprocess, sys, threading
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context
            def work(n): return n
            def thread(): work(0)
            if __name__ == "__main__":
                threads = [threading.Thread(target=thread) for _ in range(4)]
                [each.start() for each in threads]
                [each.join() for each in threads]
                for how in ("fork", "spawn"):
                    with ProcessPoolExecutor(1, mp_context=get_context(how)) as pool:
                        print(sum(pool.map(work, range(3))))
                subprocess.run([sys.executable, "-c", "import jax, main; main.work(1)"], check=True)
        """
        facts = seen(tmp_path, program)
        assert calls(facts) == {"work": 4 + 3 + 3 + 1, "thread": 4}

    def test_a_terminal_interrupt(self, tmp_path: Path) -> None:
        program = """
            import jax, time
            def f(): pass
            f()
            try:
                print("ready", flush=True)
                time.sleep(30)
            except KeyboardInterrupt:
                print("interrupted")
                raise SystemExit(9)
        """
        status, out = interrupted(tmp_path, program, lambda pid: os.killpg(pid, signal.SIGINT))
        assert (status, out) == (9, "interrupted\n")
        assert calls(read_facts(str(tmp_path / "facts.json"))) == {"f": 1}

    def test_a_termination_is_passed_on(self, tmp_path: Path) -> None:
        program = """
            import jax, signal, sys, time
            def end(*_):
                print("terminated")
                sys.exit(7)
            signal.signal(signal.SIGTERM, end)
            print("ready", flush=True)
            time.sleep(30)
        """
        status, out = interrupted(tmp_path, program, lambda pid: os.kill(pid, signal.SIGTERM))
        assert (status, out) == (7, "terminated\n")

    def test_own_sitecustomize_runs(self, tmp_path: Path) -> None:
        write(tmp_path, {"lib/sitecustomize.py": "import sys\nsys.mine = 'mine'"})
        code = (
            "import sys, sitecustomize, os; print(sys.mine, sitecustomize.__file__); print(sys.path[0] == '')"
        )
        done = observe(tmp_path, "--", sys.executable, "-c", code)
        assert done.stdout == f"mine {tmp_path}/lib/sitecustomize.py\nTrue\n"

    def test_the_program_sees_its_own_path(self, tmp_path: Path) -> None:
        code = "import sys; print(sys.path); print(sys.gettrace() is None or sys.version_info < (3, 12))"
        words = [sys.executable, "-c", code]
        plain = subprocess.run(words, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True)
        done = observe(tmp_path, "--", *words)
        assert done.stdout == plain.stdout.replace("False", "True")

    def test_modules_that_are_reloaded(self, tmp_path: Path) -> None:
        program = """
            import importlib, jax, mod
            for _ in range(3):
                mod.f()
                importlib.reload(mod)
        """
        facts = seen(tmp_path, program, files={"mod.py": "def f(): pass"})
        assert facts.functions["mod.py::f"].calls == 3

    def test_twenty_thousand_functions(self, tmp_path: Path) -> None:
        body = "".join(f"def f{number}(x): return x\n" for number in range(20_000))
        program = "import jax, many\nfor number in range(20_000): getattr(many, f'f{number}')(1)"
        facts = seen(tmp_path, program, files={"many.py": body})
        assert len(facts.functions) == 20_003  # two modules of the program, and one of the package

    def test_functions_with_one_name(self, tmp_path: Path) -> None:
        program = """
            import jax
            def f(): return 1
            f()
            def f(): return 2
            a, b = (lambda x: x), (lambda y: y)
            b(1)
            f(), f()
        """
        facts = seen(tmp_path, program)
        assert facts.functions["main.py::f"].calls == 1
        assert facts.functions["main.py::f#2"].calls == 2
        assert (
            facts.functions["main.py::<lambda>#2"].calls == 1 and "main.py::<lambda>" not in facts.functions
        )

    def test_only_the_project_is_recorded(self, tmp_path: Path) -> None:
        files = {
            "venv/pyvenv.cfg": "",
            "venv/inner.py": "def f(): pass",
            "lib/site-packages/other.py": "def f(): pass",
            "sub/own.py": "def f(): pass",
        }
        program = """
            import sys, jax
            sys.path += ["venv", "lib/site-packages", "sub"]
            import inner, other, own
            inner.f(), other.f(), own.f()
        """
        facts = seen(tmp_path, program, files=files)
        assert {key for key in facts.functions if "<module>" not in key} == {"sub/own.py::f"}
        again = seen(tmp_path, program, "--root", "sub")
        assert "sub/own.py::f" in again.functions

    def test_compiled_modules_are_not_the_projects(self, tmp_path: Path) -> None:
        """Cython names the files of its code objects from where it was run."""
        program = (
            "import jax\ndef g(): pass\ng()\nexec(compile('def f(): pass\\nf()', 'other/_fast.py', 'exec'))"
        )
        write(tmp_path, {**JAX, "main.py": program})
        done = observe(tmp_path, "--facts", "facts.json", "--", sys.executable, "main.py")
        assert "not in the files" not in done.stderr
        assert {key for key in read_facts(str(tmp_path / "facts.json")).functions if "lib" not in key} == {
            "main.py::<module>",
            "main.py::g",
        }

    def test_values_on_request(self, tmp_path: Path) -> None:
        facts = seen(tmp_path, "import jax\ndef f(a, b): pass\nf(3, 'text')", "--values")
        found = facts.functions["main.py::f"].entries[0].parameters
        assert {name: each.value for name, each in found.items()} == {"a": "3", "b": "'text'"}


def calls(facts: Facts) -> dict[str, int]:
    return {
        key.partition("::")[2]: each.calls
        for key, each in facts.functions.items()
        if "<" not in key and "end" not in key
    }


def interrupted(folder: Path, program: str, send: object) -> tuple[int, str]:
    """Runs a program until it is ready, and sends a signal: exit status, and what it said then."""
    write(folder, {**JAX, "main.py": program, "pyproject.toml": ""})
    root = str(Path(__file__).resolve().parent.parent)
    code = f"import sys; sys.path.insert(0, {root!r}); sys.argv[0] = 'jaxlint'; from jaxlint.cli.main import main; main()"
    words = [
        sys.executable,
        "-P",
        "-c",
        code,
        "observe",
        "--facts",
        "facts.json",
        "--",
        sys.executable,
        "main.py",
    ]
    with subprocess.Popen(
        words,
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        assert callable(send)
        send(process.pid)
        out = process.stdout.read()
    return process.returncode, out


class TestFacts:
    """Facts of several runs in one file."""

    def test_counts_add_up_and_what_changed_is_dropped(self, tmp_path: Path) -> None:
        first = seen(tmp_path, "import jax\ndef f(): return 1\ndef g(): return 1\nf(), g()")
        again = seen(tmp_path, "import jax\n\n# moved\ndef f(): return 1\ndef g(): return 2\nf(), g()")
        assert (first.runs, again.runs) == (1, 2)
        found: dict[str, Function] = again.functions
        assert (found["main.py::f"].calls, found["main.py::g"].calls) == (2, 1)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('{"version": 99}', "of version 99, but this jaxlint reads version 1"),
            ('{"version": 1, "functions": {"a.py::f"', "not whole"),
            ("[1]", "not a facts file"),
            ("", "empty"),
        ],
    )
    def test_a_file_that_is_none_is_said_before_the_program_runs(
        self, tmp_path: Path, text: str, said: str
    ) -> None:
        (tmp_path / "facts.json").write_text(text)
        done = observe(tmp_path, "--facts", "facts.json", "--", sys.executable, "-c", "print('ran')")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("jaxlint: facts `facts.json`: ") and done.stderr.count("\n") == 1
        assert said in done.stderr
        assert (tmp_path / "facts.json").read_text() == text
