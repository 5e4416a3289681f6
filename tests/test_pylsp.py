"""The plugin of python-lsp-server, in the real one: findings of unsaved texts, fixes, ignores, settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from client import Client, Message

pytest.importorskip("pylsp")

ABS = "def size(x):\n    if x > 0:\n        return x\n    return -x\n"
MAIN = "import jax\n\nfrom helper import size\n\n\n@jax.jit\ndef f(x):\n    return size(x)\n"
RENAMED = 'import jax\n\nsmile = "😀"; y = jax.tree_map(abs, [1])\nz = jax.tree_map(abs, [2])\n'
NOBODY_ELSE = ("autopep8", "flake8", "mccabe", "pycodestyle", "pydocstyle", "pyflakes", "pylint", "yapf")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "main.py").write_text(MAIN)
    with Client(tmp_path, module=("pylsp",), textDocument={"publishDiagnostics": {}}) as found:
        configure(found)
        yield found


def configure(client: Client, **settings: Any) -> None:
    plugins: dict[str, Any] = {name: {"enabled": False} for name in NOBODY_ELSE}
    plugins["jaxlint"] = {"enabled": True, **settings}
    client.notify("workspace/didChangeConfiguration", {"settings": {"pylsp": {"plugins": plugins}}})


def told(client: Client, uri: str) -> list[Message]:
    found: list[Message] = client.published(uri)
    return [{**each, "code": each["code"]} for each in found if each["source"] == "jaxlint"]


def actions(client: Client, uri: str, row: int, **context: Any) -> list[Message]:
    place = {"line": row - 1, "character": 0}
    end = {"line": row, "character": 0}
    asked = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": end},
        "context": {"diagnostics": [], **context},
    }
    return [each for each in client.request("textDocument/codeAction", asked) if "jaxlint" in each["title"]]


def test_findings_come_from_callers_in_other_files(client: Client) -> None:
    uri = client.open("helper.py", ABS)
    (found,) = told(client, uri)
    assert found["code"] == "JAX101" and found["severity"] == 1
    assert found["range"] == {"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 12}}
    assert [each["location"]["uri"].rpartition("/")[2] for each in found["relatedInformation"]] == [
        "main.py"
    ] * 2
    # The caller's unsaved text counts.
    main = client.open("main.py", MAIN.replace("@jax.jit\n", ""))
    assert told(client, main) == []
    client.change(uri, {"text": ABS + "\n"})
    assert told(client, uri) == []


def test_fixes_and_ignores(client: Client) -> None:
    uri = client.open("old.py", RENAMED)
    assert [each["code"] for each in told(client, uri)] == ["JAX901", "JAX901"]
    menu = actions(client, uri, 3)
    assert [each["title"] for each in menu] == [
        "jaxlint (JAX901): write jax.tree.map",
        "jaxlint (JAX901): ignore here",
        "jaxlint: fix all JAX901 in this file",
        "jaxlint: fix all",
    ]
    (edit,) = menu[0]["edit"]["changes"][uri]
    # A character outside of the basic plane is two units.
    assert edit["range"]["start"] == {"line": 2, "character": 22} and edit["newText"] == "tree.map"
    assert "# jaxlint: ignore[JAX901]" in menu[1]["edit"]["changes"][uri][0]["newText"]
    for action in menu[2:]:
        assert len(action["edit"]["changes"][uri]) == 1 and "data" not in action
    assert [each["title"] for each in actions(client, uri, 3, only=["source.fixAll"])] == ["jaxlint: fix all"]


def test_settings_are_those_of_the_server(client: Client) -> None:
    configure(client, ignore=["JAX901"])
    uri = client.open("old.py", RENAMED)
    assert told(client, uri) == []
    configure(client, enabled=False)
    other = client.open("helper.py", ABS)
    assert told(client, other) == []


def test_what_does_not_parse_is_left_to_others_and_a_wrong_configuration_is_said(client: Client) -> None:
    uri = client.open("broken.py", "def f(:\n")
    assert told(client, uri) == []
    (client.root / "jaxlint.toml").write_text("selcet = []\n")
    other = client.open("helper.py", ABS)
    said = client.wait(lambda message: message.get("method") == "window/showMessage")
    assert "jaxlint: " in said["params"]["message"] and "selcet" in said["params"]["message"]
    assert told(client, other) == []


def test_a_notebook_is_one_program(client: Client) -> None:
    cells = [
        "import jax\n\ndef g(x):\n    return jax.tree_map(abs, x)\n",
        "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x",
    ]
    uri = (client.root / "n.ipynb").as_uri()
    documents = [
        {"uri": f"vscode-notebook-cell:{uri}#{number}", "languageId": "python", "version": 1, "text": text}
        for number, text in enumerate(cells)
    ]
    listed = [{"kind": 2, "document": each["uri"]} for each in documents]
    client.notify(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": uri,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": listed,
            },
            "cellTextDocuments": documents,
        },
    )
    found = {}
    for document in documents:
        message = client.wait(
            lambda message, uri=document["uri"]: (
                message.get("method") == "textDocument/publishDiagnostics"  # type: ignore[misc]
                and message["params"]["uri"] == uri
            )
        )
        found[document["uri"]] = [
            each["code"] for each in message["params"]["diagnostics"] if each["source"] == "jaxlint"
        ]
    assert list(found.values()) == [["JAX901"], ["JAX101"]]
