"""Notebooks: which Python is in a cell, where findings are, and what is written back."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import Run, Tree
from linted import findings, programs
from verify_cases import share_of

from jaxlint.diagnostic import Diagnostic
from jaxlint.ir.document import read_document
from jaxlint.source.comments import PIECE
from jaxlint.source.magics import of_script, plain, with_automagic
from jaxlint.source.notebook import Notebook
from jaxlint.source.text import UnreadableSource

BRANCH = "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x"
SELECT = ("--isolated", "--no-cache", "--select", "ALL", "--output-format", "concise")


def cell(text: str, kind: str = "code", **metadata: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "cell_type": kind,
        "id": "c",
        "metadata": metadata,
        "source": text.splitlines(True),
    }
    return {**found, "execution_count": None, "outputs": []} if kind == "code" else found


def notebook(*cells: str | Mapping[str, Any], **metadata: Any) -> str:
    made = [cell(each) if isinstance(each, str) else dict(each) for each in cells]
    for number, each in enumerate(made):
        each["id"] = f"cell{number}"
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, **metadata}
    whole = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def sources(data: bytes) -> list[str]:
    return [each.text for each in Notebook.read(data).cells]


class TestMagic:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("x = 1\n", "x = 1\n"),
            ("%matplotlib inline\nx = 1", "pass\nx = 1"),
            ("!pip install 'jax\nx = 1", "pass\nx = 1"),
            ("if x:\n    !ls\n    %cd ..", "if x:\n    pass\n    pass"),
            ("!ls \\\n  -l\nx", "pass\n\nx"),
            ("jax.jit?", "pass"),
            ("?jax.jit\njax.jit??\n  x?  ", "pass\npass\n  pass"),
            ("files = !ls\ny = %sql select 1", "files = get_ipython()\ny = get_ipython()"),
            ("a, b.c['x'] = !ls", "a, b.c['x'] = get_ipython()"),
            ("x = '''\n%no magic\n!none\n'''\ny = f(\n  a %\n  b)", None),
            ("x = a \\\n  % b", None),
            ("x != 1; a % b", None),
            ('print("why?")', None),
            ("x = 1  # why?", None),
            ("%timeit f(x)", "def _():f(x)"),
            ("%timeit -n 10 -r3 -o f(x)", "def _():" + " " * 13 + "f(x)"),
            ("%timeit -1 + x", "def _():-1 + x"),
            ("%time ! cp a*.nc b", "if 1: pass"),
            ("%time names = !ls", "if 1: names = get_ipython()"),
            ("%time %matplotlib inline", "if 1: pass"),
            ("%time %timeit f(x)", "if 1:         f(x)"),
            ("%time y = f(x)", "if 1: y = f(x)"),
            ("%time  --no-raise-error y = f(x)", "if 1:" + " " * 19 + "y = f(x)"),
            ("%prun -l 3 f(x)", "if 1:      f(x)"),
            ("%lprun -f f f(x)", "if 1:       f(x)"),
            ("%timeit", "pass"),
            ("%timeit f(x, \\\n  y)", "def _():f(x, \\\n  y)"),
            ("%%time\ny = f(x)\n%ls", "pass\ny = f(x)\npass"),
            ("\n# text\n%%capture out\ny = 1", "\n# text\npass\ny = 1"),
            ("%%timeit -n 3 a = 1\nf(a)", "if 1:" + " " * 9 + "a = 1\nf(a)"),
            ("%%timeit\nf(a)", "pass\nf(a)"),
            (",f a b\n/g x", "pass\npass"),
            ("%time for k in x: f(k)", "     \ffor k in x: f(k)"),
            ("if y:\n    %time with x: f(k)", "if y:\n     \f    with x: f(k)"),
            ("%time # no code", "     \f# no code"),
            ("%%timeit for k in x: y = k\nf(y)", "        \ffor k in x: y = k\nf(y)"),
            ("x: list = !ls\né = %sql x", "x: list = get_ipython()\né = get_ipython()"),
            ("if y: x = !ls\nd['='][f(1)] = !ls", "if y: x = get_ipython()\nd['='][f(1)] = get_ipython()"),
            ("print('x = !ls', \"y = %z\"); x == 1; y != 2 % 3", None),
            ("  %%bash\nls", ""),
            ("%%bash\nls", ""),
            ("%%capture\n%%bash\nls", ""),
            ("%%capture out\n\n%%time\ny = f(x)", "pass\n\npass\ny = f(x)"),
            ("%%capture", "pass"),
            ("%%javascript\nlet x", ""),
        ],
    )
    def test_plain(self, text: str, expected: str | None) -> None:
        found = plain(text)
        assert ("" if found is None else found.text) == (text if expected is None else expected)
        if found is not None:
            ast.parse(found.text.replace("    !ls", ""), mode="exec") if expected is None else None

    @pytest.mark.parametrize(
        "text",
        [
            "%timeit -n 10 f(x)\n%time y = f(x)",
            "%%time\nf(x)",
            "for i in x:\n    %time f(i)\n    !ls {i}",
            "files = !ls\nf(x)\nf?\n%matplotlib inline",
            "x = '''\n%timeit f(x)\n'''",
        ],
    )
    def test_ipython_reads_the_same_code(self, text: str) -> None:
        """What IPython runs as Python is there, and at the same places."""
        from IPython.core.inputtransformer2 import TransformerManager

        found = plain(text)
        assert found is not None
        own = ast.parse(found.text)
        rows = text.split("\n")
        for node in ast.walk(own):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id != "get_ipython"
            ):
                assert rows[node.lineno - 1][node.col_offset :].startswith(node.func.id)
        made = TransformerManager().transform_cell(text)  # type: ignore[no-untyped-call]
        there = {node.id for node in ast.walk(ast.parse(made)) if isinstance(node, ast.Name)}
        mine = {node.id for node in ast.walk(own) if isinstance(node, ast.Name)}
        assert there - {"get_ipython"} <= mine

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("pip install jax", "pass"),
            ("timeit -n 5 f(x)", "if 1:       f(x)"),
            ("  time y = f(x)\nls\nls = 1\ncat.x", "  if 1:y = f(x)\npass\nls = 1\ncat.x"),
            ('print "x"', None),
            ("time = 1\ntime.x()\nrun(x)\nls\t=1", None),
        ],
    )
    def test_automagic(self, text: str, expected: str | None) -> None:
        found = with_automagic(text)
        assert (None if found is None else found.text) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("%matplotlib inline\n!pip install jax\nx = 1", "pass\npass\nx = 1"),
            ("if x:\n    %timeit f(x)\n    !ls \\\n-l", "if x:\n    def _():f(x)\n    pass\n"),
            ('x = """\n%s\n!no\n""" % 3', 'x = """\n%s\n!no\n""" % 3'),
            ("x = (7\n  %y)", "x = (7\n  %y)"),
            ("x = !ls\nf?\n;g x", None),
            ("%%bash\nls", None),
        ],
    )
    def test_script(self, text: str, expected: str | None) -> None:
        assert of_script(text) == expected

    def test_a_long_cell_takes_a_time_in_proportion(self) -> None:
        """Counted are the characters that are looked at."""
        import jaxlint.source.magics as magics

        class Counting:
            looked = 0

            def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
                for piece in PIECE.finditer(text, start):
                    Counting.looked += len(piece.group())
                    yield piece

        text = "\n".join(f"x{number} = f({number})" for number in range(2000)) + "\n!ls"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(magics, "PIECE", Counting())
            assert plain(text) is not None
        assert Counting.looked <= 2 * len(text)

    def test_is_timed(self) -> None:
        timed, once = plain("%%timeit\nx"), plain("%%time\nx")
        assert timed is not None and timed.is_timed and once is not None and not once.is_timed


class TestJson:
    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("{}", "it has no `nbformat`"),
            ("[]", "it is no JSON object"),
            ("<<<<<<< ours", "it is no JSON object"),
            ('{"nbformat": 3, "worksheets": []}', "its format is 3"),
            ('{"nbformat": 5, "cells": []}', "the newest that is known is 4"),
            ('{"nbformat": true, "cells": []}', "it has no `nbformat`"),
            ('{"nbformat": [4], "cells": []}', "it has no `nbformat`"),
            ('{"nbformat": 4}', "it has no list of `cells`"),
            ('{"nbformat": 4, "cells": {}}', "it has no list of `cells`"),
            ('{"nbformat": 4, "cells": [1]}', "a cell is no object"),
            ('{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "a code cell has no `source`"),
            (
                '{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}',
                "a code cell has no `source`",
            ),
            ('{"nbformat": 4, "cells": [}', "expecting value in row 1, column 27"),
            ('{"nbformat": 4,\n "cells": []', "expecting ',' delimiter in row 2"),
            ('{"nbformat": 4, "cells": []} x', "extra data in row 1"),
            ('{"nbformat": 4, "cells": [],}', "row 1"),
            ('{"nbformat": 4, "cells": ["', "unterminated string"),
            ('{"nbformat" 4}', "expecting ':' delimiter"),
            ('{"a":' * 100_000, "no JSON that can be read"),
        ],
    )
    def test_what_is_no_notebook(self, data: str, reason: str) -> None:
        with pytest.raises(UnreadableSource) as refused:
            Notebook.read(data.encode())
        assert reason in str(refused.value) and "\n" not in str(refused.value)

    def test_not_utf8(self) -> None:
        with pytest.raises(UnreadableSource, match="not UTF-8"):
            Notebook.read(b"\xff")

    def test_nothing_is_nested_too_deeply(self) -> None:
        deep = "[" * 9000 + "]" * 9000
        text = notebook("x", deep=0).replace('"deep": 0', f'"deep": {deep}')
        assert sources(text.encode()) == ["x"]

    def test_outputs_are_not_decoded(self) -> None:
        text = notebook("x = 1").replace('"outputs": []', '"outputs": [{"data": {"image/png": "\\qABC]}"}}]')
        assert sources(text.encode()) == ["x = 1"]

    @pytest.mark.parametrize(
        ("metadata", "is_python"),
        [
            ({}, True),
            ({"language_info": {"name": "python"}}, True),
            ({"kernelspec": {"language": "python", "name": "python3"}}, True),
            ({"language_info": {"name": "julia"}}, False),
            ({"kernelspec": {"language": "R"}}, False),
            ({"kernelspec": 5, "language_info": []}, True),
        ],
    )
    def test_language(self, metadata: dict[str, Any], is_python: bool) -> None:
        (only,) = Notebook.read(notebook("x = 1", **metadata).encode()).cells
        assert only.is_python is is_python

    def test_language_of_a_cell(self) -> None:
        text = notebook(
            cell("select 1", vscode={"languageId": "sql"}), cell("x", vscode={"languageId": "python"})
        )
        assert [each.is_python for each in Notebook.read(text.encode()).cells] == [False, True]

    @pytest.mark.parametrize("form", ["list", "string", "compact", "odd"])
    @pytest.mark.parametrize("ascii_only", [True, False])
    @pytest.mark.parametrize("seed", range(10))
    def test_law_only_changed_rows_change(self, form: str, ascii_only: bool, seed: int) -> None:
        rng = random.Random(seed)
        words = ["x = 1", "y = 'é\\n'", "", "# 🎈 \u2028", '"""\\t"""', "    z = [1]", "a\x0cb", "q\r"]
        texts = ["\n".join(rng.choices(words, k=rng.randrange(6))) for _ in range(3)]
        texts = [text.removesuffix("\r") for text in texts]
        whole = json.loads(notebook("", "", ""))
        for each, text in zip(whole["cells"], texts, strict=True):
            rows = text.splitlines(True) if form != "odd" else [*text]
            each["source"] = text if form == "string" else rows
            each["outputs"] = [{"output_type": "stream", "text": ["é\\", "\\u00e9"], "name": "stdout"}]
        separators = (",", ":") if form == "compact" else None
        data = json.dumps(
            whole, indent=None if form == "compact" else 2, separators=separators, ensure_ascii=ascii_only
        ).encode()
        read = Notebook.read(data)
        assert [each.text for each in read.cells] == texts
        assert read.with_texts(texts) == data
        for number, text in enumerate(texts):
            rows = text.split("\n")
            at = rng.randrange(len(rows))
            rows[at : at + rng.randrange(2)] = rng.choices([*words[:6], "new = 'ü'"], k=rng.randrange(3))
            changed = [*texts[:number], "\n".join(rows), *texts[number + 1 :]]
            written = read.with_texts(changed)
            assert sources(written) == changed
            after = json.loads(written)
            for each in after["cells"]:
                each["source"] = []
            before = json.loads(data)
            for each in before["cells"]:
                each["source"] = []
            assert after == before
            place = read.cells[number].place
            head, tail = read.json[: place.start].encode(), read.json[place.end :].encode()
            assert written.startswith(head) and written.endswith(tail)
            if ascii_only and "\\u" in read.json[place.start : place.end]:
                assert written.isascii()

    def test_rows_that_stay_keep_their_bytes(self) -> None:
        text = notebook("a = '1'\nb = 2\nc = 3").replace("'1'", "'\\u00e9'")
        read = Notebook.read(text.encode())
        written = read.with_texts(["a = 'é'\nb = 22\nnew = 0\nc = 3"]).decode()
        assert written == text.replace('"b = 2\\n",', '"b = 22\\n",\n    "new = 0\\n",')


class TestKeysInCells:
    """Cells are run again, and one by one: a key that two of them consume."""

    SETUP = "import jax\nkey = jax.random.key(0)\ndef sample(scale, key):\n    return scale * jax.random.normal(key)"
    SETUP += "\ndef other(scale, key):\n    return scale * jax.random.uniform(key)"

    @pytest.mark.parametrize(
        "cells, found",
        [
            (["a = sample(1.0, key)", "b = sample(2.0, key)"], 0),
            (["a = sample(1.0, key)", "print(sample(2.0, key))"], 0),
            (["x = jax.random.normal(key)\nprint(x)", "x = jax.random.normal(key)"], 0),
            (["a, b = jax.random.split(key)\nsample(1.0, a)", "c, d = jax.random.split(key)\nsample(1.0, c)"], 0),
            (["%%time\na = sample(1.0, key)", "b = sample(2.0, key)"], 0),
            (["a = sample(1.0, key)\nb = sample(2.0, key)"], 1),
            (["a = sample(1.0, key)\nb = other(2.0, key)\nprint(b)"], 1),
            (["a = sample(1.0, key)\nb = other(2.0, key)\nprint(a)"], 1),
            (["a = sample(1.0, key)\nb = other(2.0, key)\nprint(a, b)"], 1),
            (["a = 1.0\nprint(a)", "a = sample(1.0, key)\nb = other(2.0, key)\nprint(b)"], 1),
            (["a = 1.0\nprint(a)", "a = sample(1.0, key)\nb = other(2.0, key)\nprint(a, b)"], 1),
            (["a = sample(1.0, key)\nb = other(2.0, key)\nprint(b)", "a = 1.0\nprint(a)"], 1),
            (["a = sample(1.0, key)\nb = other(2.0, key)\nprint(b)", "print(a)"], 1),
            (["def f():\n    return a", "a = sample(1.0, key)\nb = other(2.0, key)\nprint(b)"], 1),
            (["x = jax.random.normal(key)\ny = jax.random.uniform(key)\nprint(y)"], 1),
            (["a, _ = jax.random.split(key)\nx = sample(1.0, a)\ny = sample(2.0, a)\nprint(y)"], 1),
            (["a = sample(1.0, key)", "b = sample(2.0, key)", "y = a + b"], 1),
            (["a = sample(1.0, key)", "twice = 2 * a", "y = twice + sample(2.0, key)"], 1),
            (["x = jax.random.normal(key)", "noise = jax.random.normal(key)"], 0),
            (["x = jax.random.normal(key)\nprint(x)", "y = jax.random.normal(key)\nprint(y)"], 0),
            (["x = jax.random.normal(key)\nprint(x)", "print(jax.random.normal(key))"], 0),
            (["x = jax.random.normal(key)\nprint(x)", "y = jax.random.normal(key)\nprint(y + 2 * x)"], 1),
            (["x = jax.random.normal(key)", "print(x + jax.random.normal(key))"], 1),
            (["x = jax.random.normal(key)", "y = jax.random.normal(key)", "def f(v):\n    return v * x", "print(f(y))"], 1),
            (["x = jax.random.normal(key)\nall = []\nall.append(x)", "y = jax.random.normal(key)\nall.append(y)"], 1),
            (["x = sample(1.0, key)\nprint(x)", "y = jax.random.normal(key)\nd = y"], 0),
            (["x = jax.random.normal(key)\nprint(x)", "model = 2 * x", "y = sample(model, key)"], 0),
            (["x = jax.random.normal(key)", "w = sample(2.0, key)", "x = 1.0", "print(w * x)"], 0),
            (["x = jax.random.normal(key)", "w = sample(2.0, key)", "x = x + 1.0", "print(w * x)"], 1),
            (["x = jax.random.normal(key)\nprint(x)", "model = 2 * x", "y = sample(model, key)", "y"], 1),
            (["x = jax.random.normal(key)\nd = {}\nd['x'] = x", "d['y'] = jax.random.normal(key)", "print(d)"], 1),
            (["d = {}\nd['x'] = sample(1.0, key)", "d['y'] = sample(2.0, key)", "for k in d:\n    print(k, d[k])"], 0),
            (["d = {}\nd['x'] = sample(1.0, key)", "d['y'] = d['x'] + sample(2.0, key)", "print(d)"], 1),
            (["a = sample(1.0, key)", "b = sample(2.0, key)", "print(a, b, f'{a} {b}')", "a, b"], 0),
            (["a = sample(1.0, key)", "b = sample(2.0, key)", "print(f'{a * b}')"], 1),
            (["a = sample(1.0, key)\nout = 2 * a", "b = sample(2.0, key)\nout = 3 * b\nprint(out)"], 0),
            (["a = sample(1.0, key)\nout = [a]\nprint(out)", "b = sample(2.0, key)\nout = []\nout.append(b)", "print(out)"], 0),
            (["a = sample(1.0, key)\nc = 2 * a", "b = sample(2.0, key)\nc = 1.0\nprint(b * c)"], 0),
            (["a = sample(1.0, key)\nc = 2 * a", "b = sample(2.0, key)\nprint(b * c)"], 1),
            (["a = sample(1.0, key)", "b = sample(2.0, key)", "def f():\n    return a * b", "f()"], 1),
            (["a = sample(1.0, key)", "def f():\n    return 2 * a", "b = sample(2.0, key)", "print(f() + b)"], 1),
            (["a = sample(1.0, key)", "b = sample(2.0, key)", "pair = a, b", "for each in pair:\n    print(each)"], 0),
            (["a = sample(1.0, key)", "b = sample(2.0, key)", "x, y = a, b", "print(x, y)"], 0),
            (["keys = jax.random.split(key, 4)\nxs = jax.vmap(lambda k: sample(1.0, k))(keys)", "y = sample(2.0, key)", "xs + y"], 0),
            (["a = sample(1.0, key)", "for _ in range(3):\n    print(sample(2.0, key))"], 1),
            (["a = sample(1.0, key)", "b = a\nfor _ in range(3):\n    b = b + sample(2.0, key)\nprint(b)"], 1),
        ],
    )  # fmt: skip
    def test_are_told_where_both_are_used(self, cells: list[str], found: int, tmp_path: Path) -> None:
        from jaxlint import lint

        path = written_in(tmp_path, notebook(self.SETUP, *cells))
        assert len(lint(path, isolated=True, select=["JAX301", "JAX302"])) == found
        if "%%time" in cells[0]:
            return
        path.unlink()
        for border in ("# %%", "#%% of the second kind", "# In[3]:"):
            (tmp_path / "script.py").write_text(f"\n\n{border}\n".join((self.SETUP, *cells)))
            assert len(lint(tmp_path / "script.py", isolated=True, select=["JAX301", "JAX302"])) == found

    LOOP = (
        "import jax\nimport jax.numpy as jnp\nimport matplotlib.pyplot as plt\nkey = jax.random.key(0)\n"
        "def draw(rate, key):\n    return rate * jax.random.normal(key, (3,))\n"
        "def step(params, key):\n    return params + jax.random.normal(key, (3,)), jnp.sum(params)\n"
        "def labels(x, key=jax.random.key(1)):\n    return x @ jax.random.normal(key, (3,))\n"
        "def batch(key):\n    x = jax.random.normal(key, (8, 3))\n    return x, labels(x)\n"
        "models, params = [jnp.ones(3), jnp.zeros(3)], jnp.ones(3)"
    )

    @pytest.mark.parametrize(
        "cells, found",
        [
            (["losses = [draw(m, key) for m in models]", "for m, loss in zip(models, losses):\n    print(m, loss)"], 0),
            (["for m in models:\n    print(draw(m, key))"], 0),
            (["losses = []\nfor m in models:\n    losses.append(draw(m, key))", "for each in losses:\n    plt.plot(each)"], 0),
            (["losses = jnp.array([draw(m, key) for m in models])", "plt.plot(losses)"], 0),
            (["d = {}\nfor m in models:\n    p = draw(m, key)\n    d[str(m)] = dict(p=p)", "plt.plot(d['a']['p'])"], 0),
            (["logs = {}\nfor i in range(9):\n    params = params * 0.9\n    logs.update(loss=draw(params, key))", "logs"], 0),
            (["all = []\nfor m in models:\n    all += [draw(m, key)]", "for each in all:\n    print(each)"], 0),
            (["def run():\n    for m in models:\n        plt.plot(draw(m, key))\n        plt.savefig('a')", "run()"], 0),
            (["for _ in range(3):\n    new, key2 = jax.random.split(key)\n    key = key2\n    print(batch(new)[1])"], 0),
            (["for m in models:\n    p = draw(1.0, key)\n    p = draw(m * p, jax.random.key(2))\n    print(p)"], 0),
            (["_, axes = plt.subplots(2)\nfor m, ax in zip(models, axes):\n    ax.plot(draw(m, key))"], 0),
            (["_, axes = plt.subplots(2)\ndraws = [draw(m, key) for m in models]", "for ax, d in zip(axes, draws):\n    ax.plot(d)"], 0),
            # nothing differs from turn to turn
            (["for _ in range(3):\n    print(draw(1.0, key))"], 1),
            (["losses = [draw(1.0, key) for _ in range(3)]", "for each in losses:\n    print(each)"], 1),
            # a training step, a random walk
            (["for i in range(3):\n    params, loss = step(params, key)\n    print(loss)"], 1),
            (["for i in range(3):\n    grads, loss = step(params, key)\n    params = params - grads\n    print(loss)"], 1),
            # results are pooled
            (["losses = [draw(m, key) for m in models]", "print(jnp.mean(jnp.array(losses)))"], 1),
            (["losses = [draw(m, key) for m in models]", "a = jnp.stack(losses)\nplt.plot(a.mean(0))"], 1),
            (["print(sum(draw(m, key) for m in models))"], 1),
            (["total = 0.0\nfor m in models:\n    total = total + draw(m, key)\nprint(total)"], 1),
            (["total = 0.0\nfor m in models:\n    total += draw(m, key)\nprint(total)"], 1),
            # a sampler itself
            (["for m in models:\n    print(m + jax.random.normal(key, (3,)))"], 1),
            # a key is made for each turn, and another one given by mistake
            (["for i, m in enumerate(models):\n    sub = jax.random.fold_in(key, i)\n    print(draw(m, key))"], 1),
            # others may use what a function gives back, or an object keeps
            (["def run():\n    return [draw(m, key) for m in models]", "run()"], 1),
            (["class Store:\n    pass\ns = Store()\nfor m in models:\n    s.keep(draw(m, key))", "print(s.draw())"], 1),
            (["out = []\ndef run():\n    for m in models:\n        out.append(draw(m, key))", "run()", "print(jnp.mean(jnp.array(out)))"], 1),
            (["for _ in range(3):\n    print(batch(key)[1])"], 1),
        ],
    )  # fmt: skip
    def test_are_told_in_loops(self, cells: list[str], found: int, tmp_path: Path) -> None:
        """But for what runs on something else in each turn, and is only shown."""
        from jaxlint import lint

        path = written_in(tmp_path, notebook(self.LOOP, *cells))
        assert [each.code for each in lint(path, isolated=True, select=["JAX302"])] == ["JAX302"] * found


class TestFindings:
    def test_are_by_cell(self, tree: Tree, run: Run) -> None:
        tree(
            {
                "n.ipynb": notebook(
                    "import jax\nkey = jax.random.key(0)",
                    cell("# text", "markdown"),
                    "%%bash\nls",
                    "x = jax.random.normal(key)\n%timeit jax.random.normal(key)\n%timeit jax.random.normal(key)",
                    "%%timeit\nz = jax.random.normal(key)\nz[0] = 1",
                    BRANCH + "\n\n%time q = f(1.0)",
                    "def (:",
                    "await g()\ny = jax.random.normal(key)\nz = jax.tree_map(f, x + y)",
                )
            }
        )
        ran = run(*SELECT, "n.ipynb")
        assert ran.status == 1
        assert [line.split(" ", 3)[:3] for line in ran.out.splitlines()[:5]] == [
            ["n.ipynb:cell", "4:3:1:", "JAX501"],
            ["n.ipynb:cell", "5:3:8:", "JAX101"],
            ["n.ipynb:cell", "6:1:5:", "JAX001"],
            ["n.ipynb:cell", "7:2:5:", "JAX301"],
            ["n.ipynb:cell", "7:3:5:", "JAX901"],
        ]
        found = json.loads(run(*SELECT[:-1], "json", "n.ipynb").out)
        assert [row["cell"] for row in found] == [4, 5, 6, 7, 7]
        assert found[1]["location"] == {"row": 3, "column": 8} and found[1]["noqa_row"] == 3
        assert found[1]["related"][0]["cell"] == 5
        assert found[4]["fix"]["edits"][0]["cell"] == 7
        assert [Diagnostic.from_json(row).to_json() for row in found] == found
        full = run(*SELECT[:-1], "full", "n.ipynb").out
        assert "3 |     if x > 0:" in full and "note: n.ipynb:cell 5:1: `f` is traced by `jit` here" in full

    def test_files_beside_it(self, tree: Tree, run: Run) -> None:
        tree(
            {
                "pyproject.toml": "",
                "lib.py": "import jax\n\n\n" + BRANCH.replace("@jax.jit\n", ""),
                "n.ipynb": notebook("import jax\nfrom lib import f", "g = jax.jit(f)\ng(1.0)"),
            }
        )
        ran = run(*SELECT, ".")
        assert ran.out.startswith("lib.py:5:8: JAX101 ")
        full = run(*SELECT[:-1], "full", ".").out
        assert "note: n.ipynb:cell 2:1: `f` is traced by `jit` here" in full

    @pytest.mark.parametrize(
        "shown",
        [
            cell("f(1.0)\nx[0] = 1", tags=["raises-exception"]),
            {
                **cell("x[0] = 1"),
                "outputs": [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}],
            },
        ],
    )
    def test_cells_that_show_an_error_are_silent(self, tree: Tree, run: Run, shown: dict[str, Any]) -> None:
        tree({"n.ipynb": notebook("import jax.numpy as jnp\nx = jnp.ones(3)", shown, "y = x")})
        assert run(*SELECT, "n.ipynb").out == "All checks passed!\n"

    TAIL = "x[0] = 1\nbad = jax.random.normal(key)\nbad[0] = 1\ntotal = int(bad)\nx[1] = 2"

    @pytest.mark.parametrize(
        ("name", "frames", "expected"),
        [
            ("TypeError", ["Cell In[2], line 3\n      1 x[0] = 1\n----> 3 bad[0] = 1\n      4 total"], [1]),
            (
                "TypeError",
                [
                    "\x1b[0;32m<ipython-input-2-1a>\x1b[0m in \x1b[0;36m<module>\x1b[0m\n\x1b[0;32m----> 5\x1b[0;31m x[1] = 2\x1b[0m\n"
                ],
                [1, 3],
            ),
            ("TypeError", ["Cell In[2], line 3\n----> 3 another_text()"], []),  # of another source
            ("TypeError", ["File lib.py:3, in f()\n----> 3 bad[0] = 2"], []),
            ("TypeError", [], []),
            ("FilteredStackTrace", [], []),
            ("ImportError", [], []),
            ("AssertionError", [], [1, 3, 5]),
            ("KeyboardInterrupt", ["Cell In[2], line 1\n----> 1 x[0] = 1"], [1, 3, 5]),
        ],
    )
    def test_only_what_raised_the_saved_error_is_silent(
        self, tree: Tree, run: Run, name: str, frames: list[str], expected: list[int]
    ) -> None:
        """Or what would have been run after it."""
        error = {"output_type": "error", "ename": name, "evalue": "", "traceback": ["---", *frames, name]}
        head = "import jax\nimport jax.numpy as jnp\nx = jnp.ones(3)\nkey = jax.random.key(0)"
        tree({"n.ipynb": notebook(head, {**cell(self.TAIL), "outputs": [error]}, "x[2] = 3")})
        rows = re.findall(r"cell 2:(\d+):1: JAX501", run(*SELECT, "n.ipynb").out)
        assert list(map(int, rows)) == expected
        assert "cell 3:1:1: JAX501" in run(*SELECT, "n.ipynb").out

    def test_a_function_that_raised_the_saved_error(self, tree: Tree, run: Run) -> None:
        text = (
            "@jax.jit\ndef f(x):\n    return int(x)\n\n\n@jax.jit\ndef g(x):\n    return float(x)\n\n\nf(1.0)"
        )
        frames = [
            "Cell In[2], line 11\n---> 11 f(1.0)",
            "Cell In[2], line 3, in f\n----> 3     return int(x)",
        ]
        error = {
            "output_type": "error",
            "ename": "ConcretizationTypeError",
            "evalue": "",
            "traceback": frames,
        }
        tree({"n.ipynb": notebook("import jax", {**cell(text), "outputs": [error]}, "y = 1")})
        out = run(*SELECT, "n.ipynb").out
        assert re.findall(r"cell 2:(\d+):\d+: (JAX\d+)", out) == [("8", "JAX105")]

    def test_a_key_that_is_used_twice_before_a_saved_error(self, tree: Tree, run: Run) -> None:
        text = "a = jax.random.normal(key)\nb = jax.random.normal(key)\nassert a > b"
        error = {"output_type": "error", "ename": "AssertionError", "evalue": "", "traceback": []}
        tree({"n.ipynb": notebook("import jax\nkey = jax.random.key(0)", {**cell(text), "outputs": [error]})})
        assert "n.ipynb:cell 2:2:5: JAX301 " in run(*SELECT, "n.ipynb").out

    def test_cells_with_saved_errors_are_apart(self, tree: Tree, run: Run) -> None:
        """As all cells: the second one may split the key again."""
        text = "one, two = jax.random.split(key)\nassert jax.random.normal(one) > jax.random.normal(two)"
        error = {"output_type": "error", "ename": "AssertionError", "evalue": "", "traceback": []}
        shown = {**cell(text), "outputs": [error]}
        tree({"n.ipynb": notebook("import jax\nkey = jax.random.key(0)", shown, shown)})
        assert run(*SELECT, "n.ipynb").out == "All checks passed!\n"

    def test_fixes_of_a_cell_with_a_saved_error(self, tree: Tree, run: Run) -> None:
        frames = ["Cell In[2], line 3\n----> 3 bad[0] = 1"]
        error = {"output_type": "error", "ename": "TypeError", "evalue": "", "traceback": frames}
        head = "import jax\nimport jax.numpy as jnp\nx = jnp.ones(3)\nkey = jax.random.key(0)"
        path = tree({"n.ipynb": notebook(head, {**cell(self.TAIL), "outputs": [error]})}) / "n.ipynb"
        run(*SELECT, "--fix", "--unsafe-fixes", "n.ipynb")
        assert sources(path.read_bytes())[1] == self.TAIL.replace("x[0] = 1", "x = x.at[0].set(1)")

    def test_what_is_slow_only_where_a_loop_calls_it(self, tree: Tree, run: Run) -> None:
        made = "import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n\n\ndef g(x):\n    return jax.jit(lambda y: y * x)(x)"
        turn = "    jax.vmap(f)(jax.numpy.ones(3))\n    g(1.0)"
        rounds = {
            "for n in range(20):\n": [],
            "for n in range(5000):\n": ["JAX601", "JAX404"],
            "while ready():\n": ["JAX601", "JAX404"],
        }
        for head, expected in rounds.items():
            loop = head + (turn if expected else turn.splitlines()[0])
            tree({"n.ipynb": notebook(made, "jax.vmap(f)(jax.numpy.ones(3))\ng(1.0)\ng(2.0)", loop)})
            lines = run(*SELECT, "n.ipynb").out.splitlines()
            found = [line.split(" ", 3)[2] for line in lines if line.startswith("n.ipynb")]
            assert sorted(found) == sorted(expected)

    def test_a_cell_that_is_indented(self, tree: Tree, run: Run) -> None:
        tree({"n.ipynb": notebook("import jax.numpy as jnp\nx = jnp.ones(3)", "\n  y = 1\n  x[0] = 1")})
        assert run(*SELECT, "n.ipynb").out.startswith("n.ipynb:cell 2:3:3: JAX501 ")

    def test_cells_are_parsed_apart(self, tree: Tree, run: Run) -> None:
        """A string or a block does not go on in the next cell."""
        tree({"n.ipynb": notebook('"""', "x = 1", '"""', "if x:", "    pass", "# coding: nonsense\ny = 2")})
        out = run(*SELECT, "n.ipynb").out
        assert [line.split(":")[1] for line in out.splitlines() if "JAX001" in line] == [
            "cell 1",
            "cell 3",
            "cell 4",
        ]

    def test_a_notebook_that_was_not_run_may_show_text(self, tree: Tree, run: Run) -> None:
        """Whatever runs a notebook names its kernel there; outputs show it as well."""
        inner = "        def g(u):\n            return f(u)\n        return g"
        texts = [
            "import jax",
            "class A:\n    def k(self):\n        f = abs",
            inner,
            "loss = 0.1",
            "loss[0] = 0.1, n = 2",
            BRANCH,
        ]
        call = "f(1.0)"
        out = {"output_type": "stream", "name": "stdout", "text": ["1.0"]}
        bare: dict[str, Any] = {"kernelspec": {}}
        counted = {**cell(call), "execution_count": 3}
        shown = {**cell(call), "execution_count": 3, "outputs": [out]}
        for last, metadata, faults in (
            (call, bare, 0),
            (call, {"kernelspec": {}, "language_info": {"name": "python"}}, 0),
            (counted, bare, 0),
            (shown, bare, 2),
            (call, {}, 2),
        ):
            tree({"n.ipynb": notebook(*texts, last, **metadata)})
            lines = run(*SELECT, "n.ipynb").out.splitlines()
            assert sum("JAX001" in line for line in lines) == faults
            assert sum("JAX101" in line for line in lines) == 1

    @pytest.mark.parametrize(
        "data", ["", "\n", notebook(), notebook("%%bash\nls"), notebook("x", kernelspec={"language": "R"})]
    )
    def test_nothing_to_say(self, tree: Tree, run: Run, data: str) -> None:
        tree({"n.ipynb": data})
        assert run(*SELECT, "--fix", "n.ipynb").out == "All checks passed!\n"

    def test_broken_notebooks_are_one_line_each(self, tree: Tree, run: Run) -> None:
        tree({"a.ipynb": "{}", "b.ipynb": "{", "c.py": "import jax\nx = jax.tree_map(0, 1)\n"})
        ran = run(*SELECT, ".")
        assert ran.status == 1
        assert [line.split(" ")[1] for line in ran.out.splitlines()[:3]] == ["JAX002", "JAX002", "JAX901"]

    def test_ignores(self, tree: Tree, run: Run) -> None:
        text = "import jax.numpy as jnp\nx = jnp.ones(3)\n!ls\nx[0] = 1"
        tree(
            {
                "n.ipynb": notebook(
                    text, "%time x[1] = 2", "x = 1  # jaxlint: ignore[JAX501]", cell_toolbar="x"
                )
            }
        )
        added = run("--add-ignore", *SELECT, "n.ipynb")
        assert added.status == 0
        ran = run(*SELECT, "n.ipynb")
        assert ran.out.startswith("n.ipynb:cell 3:1:8: JAX011 [*] ")
        assert sources(Path("n.ipynb").read_bytes())[1] == "%time x[1] = 2  # jaxlint: ignore[JAX501]"
        assert run(*SELECT, "--fix", "n.ipynb").status == 0
        assert sources(Path("n.ipynb").read_bytes())[2] == "x = 1"

    def test_baseline(self, tree: Tree, run: Run) -> None:
        tree({"n.ipynb": notebook("import jax.numpy as jnp\nx = jnp.ones(3)", "x[0] = 1")})
        flags = (*SELECT, "--baseline", "known.txt")
        assert run(*flags, "--write-baseline", "n.ipynb").status == 0
        Path("n.ipynb").write_text(
            notebook("import jax.numpy as jnp", "x = jnp.ones(3)", "x[0] = 1", "x[1] = 1")
        )
        assert run(*flags, "n.ipynb").out.startswith("n.ipynb:cell 4:1:1: JAX501 ")

    def test_a_cached_run_is_the_same(self, tree: Tree, run: Run) -> None:
        tree(
            {
                "jaxlint.toml": "",
                "n.ipynb": notebook("import jax.numpy as jnp\nx = jnp.ones(3)", "x[0] = 1", "("),
            }
        )
        flags = ("--output-format", "json", ".")
        cold = run(*flags).out
        assert cold == run(*flags).out == run("--no-cache", *flags).out and len(json.loads(cold)) == 2
        Path("n.ipynb").write_text(notebook("import jax.numpy as jnp\nx = jnp.ones(3)\nx[0] = 1", "("))
        assert run(*flags).out == run("--no-cache", *flags).out != cold

    def test_standard_input(self, tree: Tree, run: Run) -> None:
        tree({})
        text = notebook("import jax\nx = jax.tree_map(f, y)").encode()
        flags = (*SELECT, "--stdin-filename", "n.ipynb", "-")
        assert run(*flags, stdin=text).out.startswith("n.ipynb:cell 1:2:5: JAX901 ")


class TestFixes:
    def test_every_other_byte_stays(self, tree: Tree, run: Run) -> None:
        output = {"output_type": "stream", "name": "stdout", "text": ["é 🎈 \\u00e9 </script>"]}
        before = notebook(
            cell("# é 🎈", "markdown"),
            "import jax\n!ls\nfiles = !ls",
            {**cell("%time y = jax.tree_map(f, x)\nz = '🎈'\nw = jax.tree_map(f, y)"), "outputs": [output]},
        )
        path = tree({"n.ipynb": before}) / "n.ipynb"
        change = run(*SELECT, "--diff", "n.ipynb").out
        assert [row[:1] + row[1:].strip() for row in change.splitlines() if row[0] in "+-"] == [
            "--- a/n.ipynb",
            "+++ b/n.ipynb",
            '-"%time y = jax.tree_map(f, x)\\n",',
            '+"%time y = jax.tree.map(f, x)\\n",',
            '-"w = jax.tree_map(f, y)"',
            '+"w = jax.tree.map(f, y)"',
        ]
        assert run(*SELECT, "--fix", "n.ipynb").status == 0
        after = path.read_text(encoding="utf-8")
        assert after == before.replace("jax.tree_map", "jax.tree.map")
        nbformat.validate(nbformat.reads(after, as_version=4))  # type: ignore[no-untyped-call]

    def test_in_a_cell_that_runs_apart(self, tree: Tree, run: Run) -> None:
        before = notebook("import jax", "%%timeit -n 3\n\ny = jax.tree_map(\n    f,\n    x)")
        path = tree({"n.ipynb": before}) / "n.ipynb"
        run(*SELECT, "--fix", "n.ipynb")
        assert path.read_text() == before.replace("jax.tree_map", "jax.tree.map")

    def test_of_standard_input(self, tree: Tree, run: Run) -> None:
        tree({})
        before = notebook("import jax\nx = jax.tree_map(f, y)")
        flags = (*SELECT, "--fix", "--stdin-filename", "n.ipynb", "-")
        ran = run(*flags, stdin=before.encode())
        assert ran.out == before.replace("jax.tree_map", "jax.tree.map")


class TestMyst:
    TEXT = """\
---
title: x
---

# Text `x[0] = 1`

```{code-cell} ipython3
:tags: [hide-input]

import jax.numpy as jnp
x = jnp.ones(3)
!ls
```

~~~{code-cell}
---
tags: [raises-exception]
---
x[0] = 1
~~~

```{code-block} python
x[1] = 1
```

```python
x[2] = 1
```

```{code-cell} ipython3
x[3] = 1
```
"""

    def test_code_cells(self, tree: Tree, run: Run) -> None:
        path = tree({"n.md": self.TEXT}) / "n.md"
        assert run(*SELECT, "--extension", "md:myst", ".").out.startswith("n.md:31:1: JAX501 ")
        assert run(*SELECT, ".").err == "jaxlint: no Python files found under `.`\n"
        run(*SELECT, "--extension", "md:myst", "--fix", "--unsafe-fixes", ".")
        assert path.read_text() == self.TEXT.replace("x[3] = 1", "x = x.at[3].set(1)")

    def test_fences(self, tree: Tree, run: Run) -> None:
        text = (
            "```python\nimport jax.numpy as jnp\nx = jnp.ones(3)\n```\n\n```python\nx = ...)\n```\n"
            "```pycon\n>>> x[0] = 1\n```\n````py\n```\nx[1] = 1\n````\n```bash\nls\n```\n"
            "```python\n>>> x[0] = 1\n```\n\n~~~ python\nx[2] = 1\n"
        )
        tree({"n.md": text, "jaxlint.toml": 'extension = {md = "myst"}\n'})
        out = run("--no-cache", "--output-format", "concise", ".").out
        assert [line.split(":")[1] for line in out.splitlines() if line.startswith("n.md")] == ["24"]

    @pytest.mark.parametrize(
        ("flag", "message"),
        [
            ("md", "--extension `md` is not END:FORMAT"),
            ("md:nb", "`extension.md` must be one of python, pyi, ipynb, myst, not `nb`"),
            (":myst", "is no end of a file name"),
        ],
    )
    def test_bad_extension(self, tree: Tree, run: Run, flag: str, message: str) -> None:
        tree({})
        ran = run("--extension", flag, ".")
        assert ran.status == 2 and message in ran.err and ran.err.count("\n") == 1


def parted(text: str, rng: random.Random) -> list[str]:
    """A program in cells, cut between statements at random."""
    rows = text.split("\n")
    starts = {
        min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        for node in ast.parse(text).body
    }
    cuts = [0, *sorted(row - 1 for row in starts if row > 1 and rng.random() < 0.4), len(rows)]
    return ["\n".join(rows[start:end]) for start, end in zip(cuts, cuts[1:], strict=False)]


def told(found: Sequence[Diagnostic], cells: Sequence[str]) -> list[tuple[int, int, str, str]]:
    """Findings by the row of the program that the cells are of."""
    starts = [0]
    for text in cells:
        starts.append(starts[-1] + text.count("\n") + 1)
    return sorted(
        (
            each.span.row + (starts[each.cell - 1] if each.cell else 0),
            each.span.column,
            each.code,
            each.message,
        )
        for each in found
    )


def written_in(folder: Path, text: str) -> Path:
    path = folder / "n.ipynb"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("part", share_of(range(8)))
def test_law_a_program_in_cells_has_the_same_findings(part: int, tmp_path: Path) -> None:
    """Whether a program is a file or the cells of a notebook changes nothing, but for expressions whose value
    the notebook shows, for keys that two cells consume, and for what is slow only where a loop runs it."""
    from jaxlint import lint

    rng = random.Random(part)
    some = [each for each in programs() if "coding" not in each.text and "__file__" not in each.text]
    count = 0
    for program in rng.sample(some, 40):
        if any(each.code in ("JAX001", "JAX002", "JAX003") for each in findings(program.text)):
            continue
        cells = parted(program.text, rng)
        path = written_in(tmp_path, notebook(*cells))
        plain_path = tmp_path / "sub" / "n.py"
        plain_path.parent.mkdir(exist_ok=True)
        plain_path.write_text(program.text, encoding="utf-8")
        own = told(lint(path, isolated=True, select=["ALL"]), cells)
        whole = told(lint(plain_path, isolated=True, select=["ALL"]), [program.text])
        keys = {"JAX301", "JAX302", "JAX308"}
        shown = {"JAX404", "JAX502", "JAX601"}
        idle = shown | keys
        assert [each for each in own if each[2] not in keys] == [
            each for each in whole if each[2] not in idle or (each in own and each[2] not in keys)
        ], program.name
        # where one of them is silent about two cells, another one may speak, as it does where that is off
        assert keys.isdisjoint(each[2] for each in own) or not keys.isdisjoint(each[2] for each in whole)
        one = told(
            lint(written_in(tmp_path, notebook(program.text)), isolated=True, select=["ALL"]), [program.text]
        )
        less = {*shown, "JAX302"}
        assert one == [each for each in whole if each[2] not in less or each in one], program.name
        count += len(own)
    assert count


@pytest.mark.parametrize(
    "first, count",
    [("from __future__ import annotations", 0), ("from __future__ import (annotations)", 0), ("", 1)],
)
def test_annotations_are_postponed_in_all_cells(first: str, count: int, tmp_path: Path) -> None:
    """A cell that imports from `__future__` does so for the program."""
    from jaxlint import lint

    path = tmp_path / "n.ipynb"
    used = "import jax\n\n\ndef shown(x) -> jax.core.Effects:\n    return x\n"
    path.write_text(notebook(first, used), encoding="utf-8")
    found = lint(path, isolated=True, select=["ALL"])
    assert [each.code for each in found] == ["JAX901"] * count


def test_a_document_of_python_is_the_file() -> None:
    data = "é = 1\r\n".encode()
    document = read_document("python", data)
    assert (
        document.python is data
        and document.plain == document.source.text
        and document.text_of(None) == "é = 1\r\n"
    )


SCRIPT = """#%%
%load_ext autoreload
!pip install jax
import jax.numpy as jnp

x = jnp.zeros(3)
x[0] = 1.0  # noqa: JAX501
%timeit jnp.ones(3)
x[2] = 2.0
"""


def test_a_script_for_ipython(run: Run, tree: Tree) -> None:
    root = tree({"jaxlint.toml": "", "a.py": SCRIPT, "b.py": "%matplotlib inline\nif x:\n!ls\n"})
    rows = run("--output-format", "concise", ".").out.splitlines()
    assert [row.split(" ")[:2] for row in rows[:2]] == [["a.py:9:1:", "JAX501"], ["b.py:3:1:", "JAX001"]]
    run("--fix", "--unsafe-fixes", "a.py")
    assert (root / "a.py").read_text() == SCRIPT.replace("x[2] = 2.0", "x = x.at[2].set(2.0)")


def test_a_value_that_a_notebook_shows_is_used(run: Run, tree: Tree) -> None:
    """The last expression of a cell is shown below it, unless a semicolon ends it; what a loop or an `if` runs
    there is not."""
    update = "x.at[0].set(1.0)"
    cells = [
        "import jax.numpy as jnp\nx = jnp.ones(3)",
        update,
        f"{update}\nx.sum()",
        f"{update};",
        f"%time\n{update}",
        f"for n in (1, 2):\n    {update}",
        f"if x.any():\n    print(x)\n    {update}",
        f"x = (\n    x\n)\n(\n    {update}\n)",
    ]
    tree({"n.ipynb": notebook(*cells)})
    rows = run(*SELECT, "n.ipynb").out.splitlines()
    found = [row.partition(": JAX502")[0] for row in rows if "JAX502" in row]
    assert found == [f"n.ipynb:cell {place}" for place in ("3:1:1", "4:1:1", "6:2:5", "7:3:5")]


def test_a_value_that_ends_a_cell_of_a_script_is_shown(run: Run, tree: Tree) -> None:
    """Editors run a script with `# %%` cell by cell; one without such a comment shows nothing."""
    cells = [
        "import jax.numpy as jnp\nw = jnp.ones(3)",
        "jnp.sort(w)",
        "jnp.sort(w)\nw.sum()",
        "jnp.sort(w);",
    ]
    tree({"a.py": "\n# %% next\n".join(cells) + "\n", "b.py": "\n".join(cells) + "\n"})
    rows = run(*SELECT, "a.py", "b.py").out.splitlines()
    found = [row.partition(": JAX502")[0] for row in rows if "JAX502" in row]
    assert found == ["a.py:6:1", "a.py:9:1", "b.py:3:1", "b.py:4:1", "b.py:6:1"]


def test_a_value_that_ends_a_cell_of_jupytexts_light_format_is_shown(run: Run, tree: Tree) -> None:
    """Its cells begin with `# +` where the comment at the head of the file says that it is this format."""
    head = "# A licence.\n\n# ---\n# jupyter:\n#   jupytext:\n#     text_representation:\n#       format_name: {}\n# ---\n\n# +\n"
    cells = ["import jax.numpy as jnp\nw = jnp.ones(3)", "jnp.sort(w)", "jnp.sort(w)\nw.sum()"]
    text = "\n# + id='a'\n".join(cells) + "\n"
    tree({"a.py": head.format("light") + text, "b.py": head.format("sphinx") + text})
    rows = run(*SELECT, "a.py", "b.py").out.splitlines()
    found = [row.partition(": JAX502")[0] for row in rows if "JAX502" in row]
    assert found == ["a.py:16:1", "b.py:14:1", "b.py:16:1"]
