"""Bad input: each gives one clear line and the right status, and the other files are linted all the same."""

from __future__ import annotations

import errno
import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Tree

import jaxlint

MARKED = {"pyproject.toml": ""}

# A program with one finding, in row 6.
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


def codes(run: Run, *args: str, status: int = 1) -> list[tuple[str, int, str]]:
    """File, row and code of what is reported."""
    ran = run("--output-format", "json", *(args or (".",)))
    assert ran.status == status, ran.err
    assert "Traceback" not in ran.err
    rows = json.loads(ran.out)
    assert all("\n" not in row["message"] and row["message"] for row in rows)
    return [(os.path.basename(row["filename"]), row["location"]["row"], row["code"]) for row in rows]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (b"x = 1\ny = '\xff'\n", 1),
        (b"# -*- coding: no-such-codec -*-\nx = 1\n", 1),
        (b"# -*- coding: rot13 -*-\nx = 1\n", 1),
        (b"# -*- coding: ascii -*-\nx = '\xc3\xa9'\n", 1),
        (b"\xef\xbb\xbf# -*- coding: latin-1 -*-\nx = 1\n", 1),
        ("x = 1\n".encode("utf-16"), 1),
        (b"x = 1\ny = '\0'\n", 1),
        (b"\x7fELF\x02\x01\x01\0\0\0", 1),
    ],
    ids=[
        "not UTF-8",
        "unknown codec",
        "no text codec",
        "not ASCII",
        "mark and cookie",
        "UTF-16",
        "NUL",
        "binary",
    ],
)
def test_bytes_that_are_no_python_text(tree: Tree, run: Run, data: bytes, row: int) -> None:
    root = tree({**MARKED, "good.py": BRANCH})
    (root / "bad.py").write_bytes(data)
    found = codes(run)
    assert [(name, code) for name, _, code in found] == [("bad.py", "JAX002"), ("good.py", "JAX101")]
    assert found[0][1] >= row


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("x = 1\ndef f(:\n    pass\n", 2),
        ('import os\nprint "hello"\n', 2),
        ('def f():\n    raise ValueError, "text"\n', 2),
        ("x = 1\n  y = 2\n", 2),
        ("if x:\n\ty = 1\n        z = 2\n", 3),
        ("x = (1,\n", 1),
        ("x = '''open\n", 1),
        ("<<<<<<< ours\nx = 1\n=======\n", 1),
        ("return = 1\n", 1),
    ],
    ids=["def", "print", "raise", "indent", "tabs", "bracket", "string", "conflict", "keyword"],
)
def test_syntax_error(tree: Tree, run: Run, text: str, row: int) -> None:
    tree({**MARKED, "bad.py": text, "good.py": BRANCH})
    found = codes(run)
    assert [(name, code) for name, _, code in found] == [("bad.py", "JAX001"), ("good.py", "JAX101")]
    # Parsers differ in where they give up: at the start of what is left open, or at the end of the file.
    assert row <= found[0][1] <= text.count("\n") + 1


def test_no_selection_and_no_comment_hides_a_syntax_error(tree: Tree, run: Run) -> None:
    tree(
        {
            **MARKED,
            "bad.py": "# jaxlint: ignore-file[JAX001]\nx = (  # noqa\n",
            "jaxlint.toml": 'per-file-ignores = {"*" = ["ALL"]}',
        }
    )
    assert [code for _, _, code in codes(run, "--select", "JAX101", "--min-severity", "error", ".")] == [
        "JAX001"
    ]


def test_file_that_cannot_be_opened(tree: Tree, run: Run) -> None:
    root = tree({**MARKED, "good.py": BRANCH})
    os.symlink("nothing.py", root / "gone.py")
    os.symlink("itself.py", root / "itself.py")
    found = codes(run, "gone.py", "itself.py", "good.py")
    assert [(name, code) for name, _, code in found] == [
        ("gone.py", "JAX002"),
        ("good.py", "JAX101"),
        ("itself.py", "JAX002"),
    ]


def test_file_that_may_not_be_read(tree: Tree, run: Run) -> None:
    root = tree({**MARKED, "good.py": BRANCH, "secret.py": BRANCH})
    (root / "secret.py").chmod(0)
    if os.access(root / "secret.py", os.R_OK):
        pytest.skip("this user may read everything")
    assert [(name, code) for name, _, code in codes(run)] == [("good.py", "JAX101"), ("secret.py", "JAX002")]


def test_folder_that_may_not_be_read(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({**MARKED, "good.py": BRANCH, "closed/a.py": BRANCH})
    scandir, lstat = os.scandir, os.lstat

    def closed(path: object) -> bool:
        return str(path).startswith(str(root / "closed"))

    def refuse_list(path: str) -> object:
        if closed(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    def refuse_look(path: str, **options: object) -> object:
        if closed(path) and str(path).endswith("a.py"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return lstat(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "scandir", refuse_list)
    assert [(name, code) for name, _, code in codes(run)] == [("closed", "JAX002"), ("good.py", "JAX101")]
    assert [(name, code) for name, _, code in codes(run, "closed")] == [("closed", "JAX002")]
    (root / "closed/a.py").unlink()
    monkeypatch.setattr(os, "lstat", refuse_look)
    assert [(name, code) for name, _, code in codes(run, "closed/a.py")] == [("a.py", "JAX002")]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\xef\xbb\xbf",
        b"# only a comment",
        b"x = 1",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"\x0c\nx = 1\n",
        b"if True:\n\tx = 1\n",
        b"x = 1 \\\n    + 2\n",
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
        "ünïcödé = 'ﬁ'\n".encode(),
    ],
)
def test_odd_text_is_clean(tree: Tree, run: Run, data: bytes) -> None:
    root = tree(MARKED)
    (root / "a.py").write_bytes(data)
    assert codes(run, status=0) == []


def test_empty_stub_and_empty_package(tree: Tree, run: Run) -> None:
    tree({**MARKED, "pkg/__init__.py": "", "pkg/a.pyi": ""})
    assert codes(run, status=0) == []


def started(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: a crash of a parser must not take the tests along."""
    command = [sys.executable, "-m", "jaxlint", *args]
    return subprocess.run(
        command, cwd=root, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL
    )


def test_long_file(tree: Tree) -> None:
    root = tree({**MARKED, "long.py": "x = 1\n" * 50_000 + BRANCH})
    ran = started(root, ".")
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("long.py:50006:8: JAX101 ")


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 500 + "1" + ")" * 500,
        "x = " + "[" * 500 + "]" * 500,
        "x = " + "f(" * 500 + "1" + ")" * 500,
        "x = " + "not " * 500 + "y",
        "x = " + "lambda: " * 500 + "1",
        "x = " + "1 + " * 500 + "1",
        "x = " + "1 if y else " * 500 + "1",
        "x = a" + ".b" * 500,
        "x = a" + "[0]" * 500,
        "\n".join("    " * depth + "if x:" for depth in range(500)) + "\n" + "    " * 500 + "pass",
        "\n".join("    " * depth + "def f():" for depth in range(90)) + "\n" + "    " * 90 + "pass",
        "if x:\n    pass\n" + "elif y:\n    pass\n" * 500,
        "x = '" + "a' 'a" * 5000 + "'",
        "x = " + "-" * 20_000 + "1",
    ],
    ids=[
        "parens",
        "lists",
        "calls",
        "not",
        "lambda",
        "sum",
        "ternary",
        "dots",
        "index",
        "if",
        "def",
        "elif",
        "string",
        "minus",
    ],
)
def test_deep_nesting(tree: Tree, text: str) -> None:
    root = tree({**MARKED, "deep.py": text + "\n", "good.py": BRANCH})
    ran = started(root, ".")
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr == ""
    assert "good.py:6:8: JAX101" in ran.stdout
    # What Python itself refuses to read is a syntax error; nothing else may be said about the file.
    assert {line.split()[1] for line in ran.stdout.splitlines() if line.startswith("deep.py")} <= {"JAX001"}


def test_every_beginning_of_a_program(tree: Tree, run: Run) -> None:
    root = tree(MARKED)
    for length in range(len(BRANCH)):
        (root / f"p{length:03}.py").write_text(BRANCH[:length])
    assert {code for _, _, code in codes(run)} <= {"JAX001", "JAX101"}


def test_noise(tree: Tree, run: Run) -> None:
    root = tree(MARKED)
    source = random.Random(7)
    words = [
        *"()[]{}:=,.@#'\"\\\n\t ",
        "\n    ",
        "def ",
        "if ",
        "jax.jit",
        "x",
        "1",
        "lambda",
        "*",
        "**",
        "async ",
        "match ",
    ]
    for number in range(200):
        (root / f"n{number:03}.py").write_text("".join(source.choices(words, k=40)))
        (root / f"b{number:03}.py").write_bytes(source.randbytes(40))
    assert {code for _, _, code in codes(run)} <= {"JAX001", "JAX002", "JAX012", "JAX013"}


def test_folder_loop(tree: Tree, run: Run) -> None:
    root = tree({**MARKED, "pkg/a.py": BRANCH})
    os.symlink(root, root / "pkg" / "up")
    os.symlink(root / "pkg", root / "pkg" / "self")
    assert codes(run) == [("a.py", 6, "JAX101")]


def test_link_and_file_are_fixed_once(tree: Tree, run: Run) -> None:
    root = tree({**MARKED, "a.py": "import jax\n\nf = jax.vmap(jax.jit(abs))\n"})
    os.symlink("a.py", root / "z.py")
    ran = run("--fix", "a.py", "z.py")
    assert (ran.status, ran.err) == (0, "")
    assert (root / "a.py").read_text() == "import jax\n\nf = jax.jit(jax.vmap(abs))\n"
    assert (root / "z.py").is_symlink()


def test_names_that_a_terminal_cannot_show(tree: Tree, run: Run) -> None:
    root = tree(MARKED)
    try:
        for name in (b"\xff.py", b"new\nline.py", "ünï.py".encode()):
            with open(os.path.join(os.fsencode(root), name), "w") as file:
                file.write(BRANCH)
    except OSError:
        pytest.skip("the file system has no such names")
    ran = run("--output-format", "json", ".")
    assert ran.status == 1 and len(json.loads(ran.out)) == 3
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    command = [sys.executable, "-m", "jaxlint", "."]
    done = subprocess.run(command, cwd=root, capture_output=True, env=environment, timeout=120)
    assert done.returncode == 1 and done.stderr == b"" and b"JAX101" in done.stdout


@pytest.mark.parametrize("name", ["junit", "checkstyle", "html"])
def test_what_says_that_it_is_utf_8_is(tree: Tree, name: str) -> None:
    root = tree({**MARKED, "ünï.py": BRANCH})
    environment = {
        **os.environ,
        "PYTHONIOENCODING": "latin-1",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    command = [sys.executable, "-m", "jaxlint", "--output-format", name, "."]
    done = subprocess.run(command, cwd=root, capture_output=True, env=environment, timeout=120)
    assert (done.returncode, done.stderr) == (1, b"") and "ünï.py" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("files", "args", "message"),
    [
        ({}, ["none.py"], "no such file or folder: `none.py`"),
        ({}, [""], "no such file or folder: ``"),
        ({}, ["--add-ignore", "-"], "--add-ignore does not go with `-` (standard input)"),
        ({}, ["--add-ignore", "--diff", "."], "--add-ignore does not go with --diff"),
        (
            {},
            ["--add-ignore", "--baseline", "b.json", "--write-baseline", "."],
            "--add-ignore does not go with --write-baseline",
        ),
        ({}, ["--add-ignore", "--fix", "."], "--add-ignore does not go with --fix"),
        ({"jaxlint.toml": "[tool.jaxlint]\n"}, ["."], "`[tool.jaxlint]` is for pyproject.toml"),
        ({"jaxlint.toml": "selct = []"}, ["."], "unknown key `selct`; did you mean `select`?"),
        ({"jaxlint.toml": 'select = ["JAX10l"]'}, ["."], "unknown selector `JAX10l`"),
        ({"jaxlint.toml": "select = ["}, ["."], "jaxlint.toml: "),
        ({"pyproject.toml": "[tool.jaxlint\n"}, ["."], "pyproject.toml: "),
        ({"pyproject.toml": "[tool]\njaxlint = 1\n"}, ["."], "`tool.jaxlint` must be a table"),
        (
            {"jaxlint.toml": 'per-file-ignores = {"*" = ["vmap-of-jot"]}'},
            ["."],
            "did you mean `vmap-of-jit`?",
        ),
        ({"jaxlint.toml": 'severity = {JAX999 = "info"}'}, ["."], "unknown selector `JAX999`"),
        ({"jaxlint.toml": 'unfixable = ["JAX999"]'}, ["."], "unknown selector `JAX999`"),
        ({}, ["--select", "JAX999", "."], "unknown selector `JAX999`"),
    ],
)
def test_wrong_run(tree: Tree, run: Run, files: dict[str, str], args: list[str], message: str) -> None:
    tree({"a.py": BRANCH, **files})
    ran = run(*args)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("jaxlint: ") and ran.err.count("\n") == 1
    assert message in ran.err


def test_configuration_that_is_no_utf8(tree: Tree, run: Run) -> None:
    root = tree({"a.py": ""})
    (root / "jaxlint.toml").write_bytes(b"src = ['\xff']")
    ran = run(".")
    assert ran.status == 2 and ran.err == f"jaxlint: {root / 'jaxlint.toml'}: not UTF-8\n"


def test_configuration_with_a_mark_and_other_newlines(tree: Tree, run: Run) -> None:
    root = tree({"a.py": BRANCH})
    (root / "jaxlint.toml").write_bytes(b"\xef\xbb\xbfselect = ['JAX3']\r\nignore = []\r\n")
    assert codes(run, status=0) == []


def test_broken_pyproject_of_other_tools(tree: Tree, run: Run) -> None:
    tree({"pyproject.toml": "[tool.other\n", "a.py": BRANCH})
    assert codes(run) == [("a.py", 6, "JAX101")]


def test_unknown_rule_in_a_comment(tree: Tree, run: Run) -> None:
    tree(
        {
            **MARKED,
            "a.py": "x = 1  # jaxlint: ignore[vmap-of-jot]\ny = 2  # jaxlint: ignor[JAX101]\nz = 3  # noqa: E501\n",
        }
    )
    assert codes(run) == [("a.py", 1, "JAX012"), ("a.py", 2, "JAX013")]


@pytest.mark.skipif(os.name != "posix", reason="the shell of POSIX closes streams")
@pytest.mark.parametrize(
    ("redirection", "status", "said"),
    [
        ("a.py >&-", 1, b""),
        ("a.py >&- 2>&-", 1, b""),
        ("- <&-", 2, b"jaxlint: standard input is closed\n"),
        ("none.py >&-", 2, b"jaxlint: no such file or folder: `none.py`\n"),
        ("a.py >/dev/full", 2, b"jaxlint: cannot write: No space left on device\n"),
        ("--output-file /dev/full a.py", 2, b"jaxlint: cannot write: No space left on device\n"),
    ],
)
def test_streams_that_are_closed_or_full(tree: Tree, redirection: str, status: int, said: bytes) -> None:
    if "/dev/full" in redirection and not os.path.exists("/dev/full"):
        pytest.skip("no device that is full")
    root = tree({**MARKED, "a.py": BRANCH})
    command = f"{shlex.quote(sys.executable)} -m jaxlint {redirection}"
    ran = subprocess.run(command, shell=True, cwd=root, stderr=subprocess.PIPE, timeout=120)
    assert (ran.returncode, ran.stderr) == (status, said)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once(tree: Tree) -> None:
    root = tree(MARKED)
    os.mkfifo(root / "pipe.py")
    command = [sys.executable, "-m", "jaxlint", "--output-format", "full", "pipe.py"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as ran:
        (root / "pipe.py").write_text(BRANCH)
        said, _ = ran.communicate(timeout=120)
    assert ran.returncode == 1
    assert said.startswith("pipe.py:6:8: JAX101 ") and "if x > 0:" in said


def test_text_from_standard_input_that_is_no_text(tree: Tree) -> None:
    root = tree(MARKED)
    command = [sys.executable, "-m", "jaxlint", "--fix", "-"]
    ran = subprocess.run(command, cwd=root, input=b"x = '\xff'\n", capture_output=True, timeout=120)
    assert (ran.returncode, ran.stdout) == (1, b"x = '\xff'\n")
    assert b"JAX002" in ran.stderr


def test_a_rule_that_raises_at_the_end_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged when a whole project was followed fails as one file does: the rest is reported."""
    from jaxlint.analysis.whole_program import WholeProgram

    def broken(self: WholeProgram) -> None:
        raise RuntimeError("no history")

    monkeypatch.setattr(WholeProgram, "events", broken)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n")
    found = jaxlint.lint(str(tmp_path), isolated=True)
    assert [(each.code, each.span.row) for each in found] == [("JAX003", 1), ("JAX101", 6)]
    assert "no history" in found[0].message


def test_a_part_that_libcst_does_not_parse(tree: Tree, run: Run) -> None:
    branch = "@jax.jit\ndef f{0}(x):\n    {1}\n    if x > 0:\n        return x\n    return -x\n\n\n"
    tree({"a.py": "import jax\n\n\n" + branch.format(1, "y = 1") + branch.format(2, "(y): int = 1")})
    rows = run("check", "--output-format", "concise").out.splitlines()[:3]
    assert rows[0].startswith("a.py:7:8: JAX101") and rows[1].startswith("a.py:15:8: JAX101")
    assert "2 errors" in rows[2]


def test_an_object_that_calls_its_like(tmp_path: Path) -> None:
    """Methods that call themselves on other objects of their class, in many ways, outside all traces."""
    text = (
        "import jax\n\n\nclass Node:\n    def __init__(self, children, key):\n        self.children = children\n"
        "        self.key = key\n        self.seen = None\n\n    def draw(self, depth, other):\n"
        "        self.seen = depth\n        self.last = other\n        for child in self.children:\n"
        "            child.draw(depth + 1, self)\n            self.left = child.draw(other, child)\n"
        "        return self\n\n\n"
    )
    for number in range(12):
        text += (
            f"def main_{number}(key):\n    a = Node([], key)\n    b = Node([a, a], a.key)\n"
            f"    return b.draw({number}, [a]).draw(b, a)\n\n\n"
        )
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_text(text)
    assert list(jaxlint.lint(str(tmp_path), isolated=True)) == []


def test_objects_that_wrap_each_other(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_text(
        "class Wrapper:\n    def __init__(self):\n        self.inner = None\n\n"
        "    def __getattr__(self, name):\n        return getattr(self.inner, name)\n\n\n"
        "a, b = Wrapper(), Wrapper()\na.inner, b.inner = b, a\nprint(a.missing)\n"
    )
    assert list(jaxlint.lint(str(tmp_path), isolated=True)) == []


def test_a_function_that_calls_itself_at_many_places(tree: Tree, run: Run) -> None:
    arms = "".join(f"    elif kind == {n}:\n        walk(node['part{n}'], seen)\n" for n in range(60))
    text = f"""import jax


def note(node, seen):
    seen.found[node["kind"]] = node
    seen.parts.append(node)


def walk(node, seen):
    kind = node["kind"]
    if kind is None:
        note(node["meta"], seen)
{arms}    if "rest" in node:
        walk(node["rest"], seen)
    note(node["meta"], seen)
"""
    tree({**MARKED, "a.py": text, "good.py": BRANCH})
    assert [(name, code) for name, _, code in codes(run)] == [("good.py", "JAX101")]


def test_package_in_a_checkout_that_is_a_package_of_its_name(tree: Tree, run: Run) -> None:
    """The name of the package around it is the package's own, too."""
    inner = {"__init__.py": "", "pack/__init__.py": "HALF = 0.5\n", "main.py": f"import pack\n{BRANCH}"}
    tree({f"pack/{name}": text for name, text in {**MARKED, **inner}.items()})
    assert codes(run, "pack") == [("main.py", 7, "JAX101")]
