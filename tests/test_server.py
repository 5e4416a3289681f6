"""The language server, with a real client: what it tells, what it offers, and what it survives."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from client import Client, Message
from conftest import Run
from test_notebook import BRANCH

from jaxlint.diagnostic import Span
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.server.option import Options
from jaxlint.server.position import Encoding
from jaxlint.session.check import Check
from jaxlint.source.text import Source

EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example"
EDITS = 150
AT_START = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}
FIXABLE = "import jax\n\n\ndef f(x):\n    y = jax.tree_map(abs, x)\n    return jax.tree_map(abs, y)\n"

Start = Callable[..., Client]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "a project é"
    shutil.copytree(EXAMPLE, folder)
    (folder / "pyproject.toml").touch()
    return folder


@pytest.fixture
def start(root: Path) -> Iterator[Start]:
    clients = []

    def begin(**kwargs: Any) -> Client:
        clients.append(Client(root, **kwargs))
        return clients[-1]

    yield begin
    for client in clients:
        client.process.kill()
        client.process.wait()


def codes(found: list[Message]) -> list[str]:
    return [each["code"] for each in found]


def actions(client: Client, uri: str, row: int, column: int, **context: Any) -> list[Message]:
    at = {"line": row, "character": column}
    params = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}}
    found = client.request("textDocument/codeAction", {**params, "context": {"diagnostics": [], **context}})
    assert isinstance(found, list)
    return found


def edited(text: str, edits: list[Message], encoding: str = "utf-16") -> str:
    """A text after a client's edits."""
    source, units = Source.from_text(text), Encoding(encoding)
    from lsprotocol import types

    def offset(place: Message) -> int:
        return source.offset(*units.place(source, types.Position(place["line"], place["character"])))

    for edit in sorted(edits, key=lambda edit: -offset(edit["range"]["start"])):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class TestDiagnostics:
    def test_are_pushed(self, start: Start, root: Path) -> None:
        client = start()
        text = (root / "solver.py").read_text()
        uri = client.open("solver.py", text)
        (found,) = client.published(uri)
        assert (found["code"], found["severity"], found["source"]) == ("JAX101", 1, "jaxlint")
        assert found["range"] == {"start": {"line": 5, "character": 7}, "end": {"line": 5, "character": 19}}
        assert found["codeDescription"]["href"].endswith("/branch-on-traced.md")
        places = [each["location"]["uri"].rpartition("/")[2] for each in found["relatedInformation"]]
        assert places == ["train.py", "train.py", "solver.py"]
        client.change(uri, {"text": text.replace("norm > limit", "limit > 1")})
        assert client.published(uri) == []
        client.change(uri, {"text": "x = (\n"})
        assert codes(client.published(uri)) == ["JAX001"]
        assert client.close() == 0

    def test_one_file_changes_what_is_told_of_another(self, start: Start, root: Path) -> None:
        client = start()
        solver = client.open("solver.py", (root / "solver.py").read_text())
        assert codes(client.published(solver)) == ["JAX101"]
        text = (root / "train.py").read_text()
        train = client.open("train.py", text.replace("@jax.jit\n", ""))
        client.published(train)
        client.wait(lambda message: client.diagnostics[solver] == [])
        client.change(train, {"text": text})
        client.wait(lambda message: codes(client.diagnostics[solver]) == ["JAX101"])
        # While it does not parse, its last text that did stands in for it.
        client.change(train, {"text": text + "\nx = (\n"})
        assert codes(client.published(train)) == ["JAX001"]
        assert codes(client.diagnostics[solver]) == ["JAX101"]

    def test_are_pulled(self, start: Start, root: Path) -> None:
        client = start(textDocument={"diagnostic": {}}, workspace={"diagnostics": {"refreshSupport": True}})
        assert client.answer["capabilities"]["diagnosticProvider"]["interFileDependencies"]
        solver = client.open("solver.py", (root / "solver.py").read_text())
        ask = {"textDocument": {"uri": solver}}
        full = client.request("textDocument/diagnostic", ask)
        assert full["kind"] == "full" and codes(full["items"]) == ["JAX101"]
        same = client.request("textDocument/diagnostic", {**ask, "previousResultId": full["resultId"]})
        assert same == {"kind": "unchanged", "resultId": full["resultId"]}
        client.open("train.py", (root / "train.py").read_text().replace("@jax.jit\n", ""))
        client.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        assert client.request("textDocument/diagnostic", ask)["items"] == []
        assert not client.diagnostics

    def test_files_that_change_on_disk(self, start: Start, root: Path) -> None:
        client = start(workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
        asked = client.wait(lambda message: message.get("method") == "client/registerCapability")
        assert asked["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        solver = client.open("solver.py", (root / "solver.py").read_text())
        client.published(solver)
        train = root / "train.py"
        train.write_text(train.read_text().replace("@jax.jit\n", ""))
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": train.as_uri(), "type": 2}]})
        client.wait(lambda message: client.diagnostics[solver] == [])
        (root / "jaxlint.toml").write_text('selct = ["ALL"]\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        shown = client.wait(lambda message: message.get("method") == "window/showMessage")
        assert "selct" in shown["params"]["message"] and "select" in shown["params"]["message"]

    def test_a_wrong_configuration_costs_its_own_project(self, start: Start, root: Path) -> None:
        """It is said again where it was mended in between; what is told of texts that have changed is not."""
        other = root / "other"
        other.mkdir()
        (other / "jaxlint.toml").touch()
        client = start()
        text = (root / "solver.py").read_text()
        solver, new = client.open("solver.py", text), client.open("other/new.py", FIXABLE)
        assert codes(client.published(new)) == ["JAX901", "JAX901"]
        for settings in ("selct = []\n", 'select = ["NOPE"]\n', 'baseline = "none"\n', "selct = []\n"):
            (other / "jaxlint.toml").write_text(settings)
            client.change(solver, {"text": f"# {settings}{text}"})
            assert codes(client.published(solver)) == ["JAX101"]
            assert codes(client.published(new)) == ["JAX901", "JAX901"]
            client.wait(lambda message: message.get("method") == "window/showMessage")
            ask = {"textDocument": {"uri": solver}, "range": client.diagnostics[solver][0]["range"]}
            assert client.request("textDocument/codeAction", {**ask, "context": {"diagnostics": []}})
        client.change(new, {"text": FIXABLE + "\n"})
        assert client.published(new) == []
        (other / "jaxlint.toml").write_text("")
        client.change(new, {"text": FIXABLE})
        assert codes(client.published(new)) == ["JAX901", "JAX901"]

    def test_tags(self, start: Start) -> None:
        client = start(settings={"select": ["ALL"]})
        uri = client.open("new.py", FIXABLE + "x = 1  # jaxlint: ignore[JAX101]\n")
        found = client.published(uri)
        assert [(each["code"], each.get("tags")) for each in found] == [
            ("JAX901", [2]),
            ("JAX901", [2]),
            ("JAX011", [1]),
        ]

    @pytest.mark.parametrize(
        ("encoding", "column"), [("utf-8", 12), ("utf-16", 10), ("utf-32", 9), (None, 10)]
    )
    def test_position_encodings(self, start: Start, encoding: str | None, column: int) -> None:
        client = start(general={"positionEncodings": [encoding]} if encoding else {})
        uri = client.open("new.py", 'import jax\nz = "𝑥", jax.tree_map(abs, 1)\n')
        (found,) = client.published(uri)
        assert found["range"]["start"] == {"line": 1, "character": column}
        place = {"line": 1, "character": column - 3}
        client.change(uri, {"range": {"start": place, "end": place}, "text": "é"})
        assert codes(client.published(uri)) == ["JAX901"]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
    def test_lines_end_where_the_protocol_says(self, start: Start, encoding: str) -> None:
        """A form feed ends a line of `str.splitlines`, not of an editor; a place behind an end is that end."""
        client = start(general={"positionEncodings": [encoding]})
        uri = client.open("new.py", 'import jax\n\f\nx = "\u2028é\x85"\ny = jax.tree_map(abs, 1)')
        assert [each["range"]["start"]["line"] for each in client.published(uri)] == [3]
        place = {"line": 1, "character": 99}
        client.change(uri, {"range": {"start": place, "end": place}, "text": "\n# more"})
        assert [each["range"]["start"]["line"] for each in client.published(uri)] == [4]
        place = {"line": 4, "character": 99}
        client.change(uri, {"range": {"start": place, "end": place}, "text": " ; z = jax.tree_map(abs, 1)"})
        assert [each["range"]["start"]["character"] for each in client.published(uri)] == [4, 31]

    def test_settings(self, start: Start, root: Path) -> None:
        client = start(settings={"settings": {"ignore": ["JAX1"], "traceHints": 5}})
        shown = client.wait(lambda message: message.get("method") == "window/showMessage")
        assert shown["params"]["message"] == "jaxlint: the option `traceHints` must be of the type boolean"
        uri = client.open("solver.py", (root / "solver.py").read_text())
        assert client.published(uri) == []
        client.notify("workspace/didChangeConfiguration", {"settings": {"jaxlint": {"select": ["JAX1"]}}})
        client.wait(lambda message: codes(client.diagnostics[uri]) == ["JAX101"])

    def test_settings_of_the_command_line(self, start: Start, root: Path) -> None:
        (root / "own.toml").write_text('ignore = ["JAX1"]\n')
        client = start(module=("jaxlint", "server", "--config", "own.toml"))
        uri = client.open("solver.py", (root / "solver.py").read_text())
        assert client.published(uri) == []
        client.notify("workspace/didChangeConfiguration", {"settings": {"select": ["JAX1"]}})
        client.wait(lambda message: codes(client.diagnostics[uri]) == [])
        client.notify("workspace/didChangeConfiguration", {"settings": {"configuration": {"select": ["JAX1"]}}})
        client.wait(lambda message: codes(client.diagnostics[uri]) == ["JAX101"])

    def test_settings_of_a_configuration_sent_as_a_table(self, start: Start, root: Path) -> None:
        table = {"per-file-ignores": {"solver.py": ["JAX1"]}, "severity": {"JAX301": "info"}}
        client = start(settings={"configuration": table})
        solver = client.open("solver.py", (root / "solver.py").read_text())
        assert client.published(solver) == []
        model = client.open("model.py", (root / "model.py").read_text())
        assert ("JAX301", 3) in {(each["code"], each["severity"]) for each in client.published(model)}
        client.notify("workspace/didChangeConfiguration", {"settings": {"configuration": {"ignroe": []}}})
        shown = client.wait(lambda message: message.get("method") == "window/showMessage")
        assert shown["params"]["message"].endswith("unknown key `ignroe`; did you mean `ignore`?")

    def test_progress_of_the_first_look(self, start: Start) -> None:
        client = start(window={"workDoneProgress": True})
        client.wait(lambda message: message.get("method") == "window/workDoneProgress/create")
        for kind in ("begin", "end"):
            client.wait(
                lambda message, kind=kind: message.get("params", {}).get("value", {}).get("kind") == kind
            )


class TestActions:
    def test_fixes(self, start: Start) -> None:
        client = start(**RESOLVES)
        uri = client.open("new.py", FIXABLE)
        client.published(uri)
        fix, ignore, rule = actions(client, uri, 4, 12, only=["quickfix"])
        assert fix["isPreferred"] and fix["title"].startswith("jaxlint (JAX901): ")
        assert edited(FIXABLE, fix["edit"]["changes"][uri]) == FIXABLE.replace("tree_map", "tree.map", 1)
        after = edited(FIXABLE, ignore["edit"]["changes"][uri])
        assert after.splitlines()[4] == "    y = jax.tree_map(abs, x)  # jaxlint: ignore[JAX901]"
        assert rule["title"] == "jaxlint: fix all JAX901 in this file" and "edit" not in rule
        done = client.request("codeAction/resolve", rule)
        assert edited(FIXABLE, done["edit"]["changes"][uri]) == FIXABLE.replace("tree_map", "tree.map")
        (everything,) = actions(client, uri, 0, 0, only=["source.fixAll"])
        assert everything["kind"] == "source.fixAll.jaxlint"
        done = client.request("codeAction/resolve", everything)
        assert edited(FIXABLE, done["edit"]["changes"][uri]) == FIXABLE.replace("tree_map", "tree.map")
        assert actions(client, uri, 0, 0, only=["refactor"]) == []

    def test_of_the_findings_that_the_client_names(self, start: Start) -> None:
        client = start(**RESOLVES)
        uri = client.open("new.py", FIXABLE)
        first, second = client.published(uri)
        assert actions(client, uri, 4, 0, only=["quickfix"]) == []
        fix, *_ = actions(client, uri, 4, 0, only=["quickfix"], diagnostics=[first])
        assert fix["diagnostics"] == [first]
        others = [{**first, "source": "ruff"}, {**first, "code": "JAX902"}, {**first, "range": AT_START}]
        assert actions(client, uri, 4, 0, only=["quickfix"], diagnostics=others) == []

    def test_commands(self, start: Start, root: Path) -> None:
        client = start()
        uri = client.open("new.py", FIXABLE)
        client.published(uri)
        ask = {"command": "jaxlint.applyAutofix", "arguments": [{"uri": uri, "version": 1}]}
        client.request("workspace/executeCommand", ask)
        sent = client.wait(lambda message: message.get("method") == "workspace/applyEdit")
        edits = sent["params"]["edit"]["changes"][uri]
        assert edited(FIXABLE, edits) == FIXABLE.replace("tree_map", "tree.map")
        said = client.request("workspace/executeCommand", {"command": "jaxlint.printDebugInformation"})
        assert f"open: {root / 'new.py'}: 2 findings" in said
        client.request(
            "workspace/executeCommand", {**ask, "arguments": [{"uri": (root / "none.py").as_uri()}]}
        )

    def test_options_of_what_is_offered_and_told(self, start: Start, root: Path) -> None:
        client = start(
            settings={"ignoreComments": False, "syntaxErrors": False, "exclude": ["gen*"], "preview": True},
            **RESOLVES,
        )
        uri = client.open("new.py", FIXABLE)
        assert len(client.published(uri)) == 2
        assert [each["title"] for each in actions(client, uri, 4, 12, only=["quickfix"])] == [
            "jaxlint (JAX901): write jax.tree.map",
            "jaxlint: fix all JAX901 in this file",
        ]
        assert client.published(client.open("generated.py", FIXABLE)) == []
        assert client.published(client.open("broken.py", "x = (\n")) == []

    def test_newlines_are_those_of_the_document(self, start: Start) -> None:
        client = start()
        text = "import jax\r\n\r\n\nclass C:\r\n    @jax.jit\r\n    def g(self, x):\r\n        return x\r\n"
        uri = client.open("new.py", text)
        client.published(uri)
        (fix,) = [each for each in actions(client, uri, 4, 6) if "unsafe" in each["title"]]
        made = edited(text, fix["edit"]["changes"][uri])
        assert "import functools\r\n" in made and made.count("\n") == made.count("\r\n") + 1

    def test_a_client_that_does_not_resolve(self, start: Start) -> None:
        client = start(settings={"unsafeFixes": True})
        text = "import jax\n\n\nclass C:\n    @jax.jit\n    def g(self, x):\n        return x\n"
        uri = client.open("new.py", text)
        client.published(uri)
        (everything,) = actions(client, uri, 0, 0, only=["source.fixAll.jaxlint"])
        assert "@functools.partial(jax.jit, static_argnums=0)" in edited(
            text, everything["edit"]["changes"][uri]
        )
        (fix,) = [each for each in actions(client, uri, 4, 6) if "unsafe" in each["title"]]
        assert not fix["isPreferred"]

    def test_hover(self, start: Start, root: Path, run: Run) -> None:
        client = start()
        uri = client.open("solver.py", (root / "solver.py").read_text())
        ask = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 9}}
        shown = client.request("textDocument/hover", ask)
        assert shown["contents"]["kind"] == "markdown"
        assert shown["contents"]["value"] == run("rule", "JAX101", "--output-format", "markdown").out.rstrip(
            "\n"
        )
        assert client.request("textDocument/hover", {**ask, "position": {"line": 0, "character": 0}}) is None

    def test_hover_on_a_code_in_a_comment(self, start: Start) -> None:
        client = start()
        text = "x = 'é'  # noqa: E501, JAX301\n# jaxlint: ignore[branch-on-traced, none]\ny = '# jaxlint: ignore[JAX101]'\n"
        uri = client.open("new.py", text)

        def page(row: int, word: str) -> str | None:
            place = {"line": row, "character": text.splitlines()[row].index(word)}
            asked = {"textDocument": {"uri": uri}, "position": place}
            shown = client.request("textDocument/hover", asked)
            return None if shown is None else shown["contents"]["value"].splitlines()[0]

        assert page(0, "JAX301") == "# key-reuse (JAX301)"
        assert page(1, "branch") == "# branch-on-traced (JAX101)"
        assert page(1, "none") == "# unknown-code (JAX012)"
        assert page(0, "E501") is None and page(2, "JAX101") is None

    def test_trace_hints(self, start: Start, root: Path) -> None:
        client = start(settings={"traceHints": True})
        text = "\n" + (root / "solver.py").read_text()
        uri = client.open("solver.py", text)
        everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        ask = {"textDocument": {"uri": uri}, "range": everywhere}
        hints = client.request("textDocument/inlayHint", ask)
        assert [(each["position"]["line"], each["label"]) for each in hints] == [
            (4, "traced: jit at train.py:6"),
            (11, "traced: jit at train.py:6"),
        ]
        client.notify("workspace/didChangeConfiguration", {"settings": {"traceHints": False}})
        assert client.request("textDocument/inlayHint", ask) == []


class TestNotebooks:
    def test_cells(self, start: Start, root: Path) -> None:
        client = start(notebookDocument={"synchronization": {}})
        assert client.answer["capabilities"]["notebookDocumentSync"]["notebookSelector"]
        texts = [
            "import jax\nx = 1",
            "# text",
            "%%bash\nls",
            BRANCH + "\n\nf(1.0)",
            "y = jax.tree_map(abs, x)",
        ]
        kinds = [2, 1, 2, 2, 2]
        uris = [f"vscode-notebook-cell:{root}/n.ipynb#{number}" for number in range(len(texts))]
        cells = [{"kind": kind, "document": uri} for kind, uri in zip(kinds, uris, strict=True)]
        notebook = {"uri": (root / "n.ipynb").as_uri(), "notebookType": "jupyter-notebook", "version": 1}
        documents = [
            {"uri": uri, "languageId": "markdown" if kind == 1 else "python", "version": 1, "text": text}
            for uri, kind, text in zip(uris, kinds, texts, strict=True)
        ]
        params = {"notebookDocument": {**notebook, "cells": cells}, "cellTextDocuments": documents}
        client.notify("notebookDocument/didOpen", params)
        client.wait(lambda message: codes(client.diagnostics.get(uris[4], [])) == ["JAX901"])
        (branch,) = client.diagnostics[uris[3]]
        assert branch["range"]["start"] == {"line": 2, "character": 7}
        assert branch["relatedInformation"][0]["location"]["uri"] == uris[3]
        fix = actions(client, uris[4], 0, 6, only=["quickfix"])[0]
        assert edited(texts[4], fix["edit"]["changes"][uris[4]]) == "y = jax.tree.map(abs, x)"
        everything = actions(client, uris[0], 0, 0, only=["source.fixAll"])[0]
        assert edited(texts[4], everything["edit"]["changes"][uris[4]]) == "y = jax.tree.map(abs, x)"
        (whole,) = actions(client, uris[0], 0, 0, only=["notebook.source.fixAll"])
        assert whole["edit"] == everything["edit"] and whole["kind"] == "notebook.source.fixAll.jaxlint"
        ignore = next(each for each in actions(client, uris[3], 2, 8) if "ignore" in each["title"])
        assert "ignore[JAX101]" in edited(texts[3], ignore["edit"]["changes"][uris[3]])
        change = {
            "structure": {"array": {"start": 3, "deleteCount": 1}, "didClose": [{"uri": uris[3]}]},
            "textContent": [{"document": {"uri": uris[4], "version": 2}, "changes": [{"text": "y = 2"}]}],
        }
        client.notify(
            "notebookDocument/didChange",
            {"notebookDocument": {**notebook, "version": 2}, "change": {"cells": change}},
        )
        client.wait(lambda message: client.diagnostics[uris[4]] == [] and client.diagnostics[uris[3]] == [])


NONSENSE: list[tuple[str, Any]] = [
    (
        "textDocument/hover",
        {"textDocument": {"uri": "file:///none.py"}, "position": {"line": 9, "character": 9}},
    ),
    ("textDocument/hover", {"textDocument": {"uri": "%%%"}, "position": {"line": -5, "character": 1 << 31}}),
    ("textDocument/hover", {}),
    ("textDocument/codeAction", None),
    ("textDocument/codeAction", {"textDocument": {"uri": 5}, "range": [], "context": 0}),
    ("textDocument/diagnostic", {"textDocument": {"uri": "untitled:Untitled-1"}}),
    ("codeAction/resolve", {"title": "x", "data": {"path": "/none.py"}}),
    ("codeAction/resolve", {"title": "x", "data": {"path": 5}}),
    ("nothing/known", {"a": 1}),
]


class TestSurvives:
    def test_nonsense(self, start: Start, root: Path) -> None:
        client = start()
        uri = client.open("solver.py", (root / "solver.py").read_text())
        for method, params in NONSENSE:
            number = client.ask(method, params)
            client.wait(lambda message, number=number: message.get("id") == number)
        for data in (b"{", b"[]", b'"x"', b"\xff", b'{"jsonrpc": "1.0"}', b'{"jsonrpc": "2.0", "method": 5}'):
            client.send_bytes(data)
        far = {"start": {"line": 500, "character": 7}, "end": {"line": 900, "character": 0}}
        client.change(uri, {"range": far, "text": "\n# at the end\n"})
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.py"}})
        client.notify("textDocument/didChange", {"textDocument": {"uri": "file:///x.py", "version": 1}})
        client.open("untitled:Untitled-1", FIXABLE)
        client.open("git:/x.py", FIXABLE)
        client.open("deleted/none.py", FIXABLE)
        client.open("solver.py", FIXABLE)
        client.wait(lambda message: codes(client.diagnostics.get(uri, [])) == ["JAX901", "JAX901"])
        client.wait(lambda message: "untitled:Untitled-1" in client.diagnostics)
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.wait(lambda message: client.diagnostics[uri] == [])
        assert client.close() == 0

    def test_a_folder_that_is_deleted(self, start: Start, root: Path) -> None:
        client = start()
        uri = client.open("solver.py", (root / "solver.py").read_text())
        client.published(uri)
        shutil.rmtree(root, ignore_errors=True)
        client.change(uri, {"text": FIXABLE})
        assert codes(client.published(uri)) == ["JAX901", "JAX901"]

    def test_a_client_that_dies(self, start: Start) -> None:
        client = start()
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(30) == 0

    def test_a_client_that_leaves_without_a_goodbye(self, start: Start) -> None:
        client = start()
        client.notify("exit", None)
        assert client.process.wait(30) == 1

    def test_messages_at_the_wrong_time(self, start: Start, root: Path) -> None:
        client = start()
        with pytest.raises(RuntimeError, match="only once"):
            client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        solver = client.open("solver.py", (root / "solver.py").read_text())
        client.request("shutdown", None)
        client.open("train.py", FIXABLE)
        with pytest.raises(RuntimeError, match="shut down"):
            client.request("textDocument/diagnostic", {"textDocument": {"uri": solver}})
        client.notify("exit", None)
        assert client.process.wait(30) == 0
        assert not [each for each in client.told if each.get("method") == "window/showMessage"]

    @pytest.mark.parametrize(
        ("sent", "status", "answer", "said"),
        [
            (b"a line\n\0\xff\n", 0, b"", b""),
            (b"Content-Length: -5\r\n\r\n{}", 0, b"", b""),
            (b"Content-Length: %d\r\n\r\n{}" % 10**30, 2, b"", b"a message that is too long"),
            (
                b'Content-Length: 49\r\n\r\n{"id": 1, "jsonrpc": "2.0", "method": "shutdown"}\n',
                0,
                b"comes first",
                b"",
            ),
        ],
    )
    def test_junk_on_standard_input(self, sent: bytes, status: int, answer: bytes, said: bytes) -> None:
        server = [sys.executable, "-P", "-m", "jaxlint", "server"]
        ran = subprocess.run(server, input=sent, capture_output=True, timeout=60, check=False)
        assert (ran.returncode, ran.stderr.count(b"\n")) == (status, bool(said))
        assert said in ran.stderr and answer in ran.stdout and bool(answer) == bool(ran.stdout)

    def test_without_pygls(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [each for each in sys.modules if each.startswith(("pygls", "jaxlint.server"))]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "pygls", None)
        ran = run("server")
        assert ran.status == 2 and ran.err.startswith("jaxlint: the language server needs `pygls`")
        assert ran.err.count("\n") == 1 and "pip install jaxlint" not in ran.err


def test_an_internal_error_is_said_once_and_the_server_goes_on(
    start: Start, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule of a plugin that breaks costs its own findings, and a line."""
    (root / "breaks.py").write_text(
        "from jaxlint.rule import Rule\n\n\nclass Breaks(Rule):\n"
        '    """A rule that breaks."""\n\n    code = "OWN101"\n    name = "breaks"\n    category = "style"\n'
        '    on = True\n    since = "1"\n    fix = None\n    examples = ()\n\n'
        "    def visit_If(self, event, m):\n        raise ValueError(5)\n"
    )
    (root / "jaxlint.toml").write_text('plugins = ["breaks"]\n')
    monkeypatch.setenv("PYTHONPATH", str(root))
    client = start()
    text = (root / "solver.py").read_text()
    uri = client.open("solver.py", text)
    assert set(codes(client.published(uri))) == {"JAX101", "JAX003"}
    shown = client.wait(lambda message: message.get("method") == "window/showMessage")
    assert "ValueError" in shown["params"]["message"]
    client.change(uri, {"text": f"# again\n{text}"})
    assert set(codes(client.published(uri))) == {"JAX101", "JAX003"}
    client.change(uri, {"text": "x = 1\n"})
    assert client.published(uri) == []
    assert not [each for each in client.told if each.get("method") == "window/showMessage"]


def test_syntactic_rules_see_unsaved_text(start: Start, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "syntactic.py").write_text(
        "from jaxlint.rule import NodeFinding, SyntacticRule\n\n\nclass Lambdas(SyntacticRule):\n"
        '    """A lambda."""\n\n    code = "OWN101"\n    name = "lambdas"\n    category = "style"\n\n'
        "    def visit_Lambda(self, node, m):\n        yield NodeFinding(node, 'a lambda')\n"
    )
    (root / "jaxlint.toml").write_text('plugins = ["syntactic"]\nselect = ["OWN"]\n')
    monkeypatch.setenv("PYTHONPATH", str(root))
    client = start()
    uri = client.open("solver.py", "import jax\n")
    assert client.published(uri) == []
    client.change(uri, {"text": "import jax\n\nf = lambda x: x\n"})
    (found,) = client.published(uri)
    assert found["code"] == "OWN101" and found["range"]["start"] == {"line": 2, "character": 4}


def fresh(root: Path, texts: dict[str, str]) -> dict[str, list[tuple[str, int, int]]]:
    """What a check that has nothing kept reports of unsaved texts."""
    unsaved = {str(root / name): text.encode() for name, text in texts.items()}
    (project,) = find_projects([], Configuration(), unsaved=unsaved).projects
    found: dict[str, list[tuple[str, int, int]]] = {name: [] for name in texts}
    for each in Check(project, unsaved=unsaved).diagnostics:
        found[os.path.relpath(each.filename, root)].append((each.code, each.span.row, each.span.column))
    return found


def test_law_what_is_told_is_what_a_fresh_check_reports(start: Start, root: Path) -> None:
    """After any edits; only a file beside which another does not parse may be told of its last good state."""
    client = start()
    rng = random.Random(5)
    texts = {name: (root / name).read_text() for name in ("model.py", "solver.py", "train.py")}
    originals = dict(texts)
    uris = {name: client.open(name, text) for name, text in texts.items()}
    compared = 0
    for number in range(EDITS):
        name = rng.choice([*texts])
        text = texts[name]
        if rng.random() < 0.3 or number % 10 > 7:  # as when one undoes what one has tried
            change: dict[str, Any] = {"text": originals[name]}
            texts[name] = originals[name]
        else:
            source = Source.from_text(text)
            start_at = rng.randrange(len(text) + 1)
            end_at = min(len(text), start_at + rng.choice([0, 0, 0, 1, 3, 20]))
            new = rng.choice(
                [
                    "",
                    "x",
                    "\n",
                    "    ",
                    "(",
                    ")",
                    "if x:\n",
                    "@jax.jit\n",
                    "é𝑥",
                    "\r\n",
                    "import jax\n",
                    "\f",
                    "\u2028",
                ]
            )
            change = {"range": _range(source, source.span(start_at, end_at)), "text": new}
            texts[name] = text[:start_at] + new + text[end_at:]
        client.change(uris[name], change)
        if number % 10 == 9:
            told = {
                each: client.request("textDocument/diagnostic", {"textDocument": {"uri": uris[each]}})
                for each in texts
            }
            expected = fresh(root, texts)
            broken = {each for each, rows in expected.items() if any(code == "JAX001" for code, _, _ in rows)}
            for each in texts:
                if broken <= {each}:
                    own = Source.from_text(texts[each])
                    rows = [(row["code"], *_place(own, row["range"]["start"])) for row in told[each]["items"]]
                    assert rows == expected[each], (number, each, json.dumps(texts))
                    compared += 1
    assert compared > EDITS // 20


def _range(source: Source, span: Span) -> Message:
    made = Encoding("utf-16").range(source, span)
    return {
        "start": {"line": made.start.line, "character": made.start.character},
        "end": {"line": made.end.line, "character": made.end.character},
    }


def _place(source: Source, position: Message) -> tuple[int, int]:
    from lsprotocol import types

    return Encoding("utf-16").place(source, types.Position(position["line"], position["character"]))


@pytest.mark.parametrize("kind", ["utf-8", "utf-16", "utf-32"])
def test_law_places_come_back(kind: str) -> None:
    source, encoding = Source.from_text("aé𝑥\r\n\n𝑥𝑥 b\rc"), Encoding(kind)
    for row in range(1, source.row_count + 1):
        for column in range(1, len(source.line(row)) + 2):
            assert encoding.place(source, encoding.position(source, row, column)) == (row, column)


@pytest.mark.parametrize("kind", ["utf-8", "utf-16"])
def test_places_within_a_character(kind: str) -> None:
    """They are before it, whatever else is in the line; half a pair of surrogates is a character."""
    from lsprotocol import types

    source, encoding = Source.from_text("\ud83d𝑥\ude00"), Encoding(kind)
    starts = {"utf-8": [0, 3, 7, 10], "utf-16": [0, 1, 3, 4]}[kind]
    for units in range(12):
        column = sum(start <= units for start in starts)
        assert encoding.place(source, types.Position(0, units)) == (1, column), units


def test_options() -> None:
    assert Options.read(None) == (Options(), [])
    found, wrong = Options.read({"jaxlint": {"select": ["JAX1"], "minSeverity": "loud", "other": 1}})
    assert found == Options(select=("JAX1",)) and len(wrong) == 1


def test_a_look_that_is_out_of_date_ends(start: Start, root: Path) -> None:
    """A newer edit ends it, unless the client has been told nothing for long."""
    from jaxlint.server.told import Superseded, Teller

    path = str(root / "solver.py")
    texts = {path: (root / "solver.py").read_bytes()}
    wanted = Teller(str(root), lambda: True).told(texts, Options())
    assert [found.code for found in wanted[path].diagnostics] == ["JAX101"]
    teller = Teller(str(root), lambda: False)
    with pytest.raises(Superseded):
        teller.told(texts, Options())
    client = start()
    uri = client.open("solver.py", texts[path].decode())
    for number in range(30):
        client.change(uri, {"text": f"# {number}\n" + texts[path].decode()})
    assert [found["range"]["start"]["line"] for found in client.published(uri)] == [6]


def test_options_that_are_slips() -> None:
    """Clients send options of their own beside the server's."""
    options, wrong = Options.read({"selct": ["JAX1"], "trace": {"server": "off"}, "path": [], "preview": True})
    assert options == Options(preview=True)
    assert wrong == ["no option `selct`; did you mean `select`?"]
