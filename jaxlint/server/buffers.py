"""The open documents of a client, as files.

In: the documents that the protocol keeps up to date. Out: `Buffer`s by path, with the bytes that stand for
the file, and the addresses by which the client knows them. The cells of an open notebook are one buffer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path, uri_scheme
from pygls.workspace import Workspace

from jaxlint.source.text import as_bytes

_LANGUAGES = ("python", "jupyter-python", "ipython")
_ENDS = (".py", ".pyi", ".ipynb")


@dataclass(frozen=True, slots=True)
class Buffer:
    """What is open of a file.

    uris: The address of the document; of a notebook those of its code cells, in order. versions: Of the same.
    """

    path: str
    data: bytes
    uris: tuple[str, ...]
    versions: tuple[int | None, ...]
    is_notebook: bool = False


def path_of(uri: str, root: str) -> str | None:
    """The path of the file that an address means; of a text that was never saved one in the root; None for
    what is no file."""
    scheme = uri_scheme(uri)
    if scheme == "untitled":
        name = unquote(uri.partition(":")[2]).replace("/", "_") or "untitled"
        return os.path.join(root, name if name.endswith(_ENDS) else f"{name}.py")
    try:
        path = to_fs_path(uri) if scheme in ("file", "") else None
    except (ValueError, TypeError):
        return None
    if not path or "\0" in path:
        return None
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def buffers_of(workspace: Workspace, root: str) -> dict[str, Buffer]:
    """The open files by path; of two documents that are one file the one that was opened last."""
    found: dict[str, Buffer] = {}
    cells = set()
    for notebook in workspace.notebook_documents.values():
        codes = [cell for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
        cells |= {cell.document for cell in notebook.cells}
        path = path_of(notebook.uri, root)
        if path is not None:
            documents = [workspace.text_documents.get(unquote(cell.document)) for cell in codes]
            uris = tuple(cell.document for cell in codes)
            versions = tuple(None if each is None else each.version for each in documents)
            found[path] = Buffer(path, _notebook(notebook, workspace), uris, versions, True)
    for document in workspace.text_documents.values():
        path = None if document.uri in cells else path_of(document.uri, root)
        if path is not None and (document.language_id in _LANGUAGES or path.endswith(_ENDS[:2])):
            data = as_bytes(document.source)
            found[path] = Buffer(path, data, (document.uri,), (document.version,))
    return found


def _notebook(notebook: types.NotebookDocument, workspace: Workspace) -> bytes:
    """The JSON of an open notebook, without outputs."""
    cells = []
    for cell in notebook.cells:
        document = workspace.text_documents.get(unquote(cell.document))
        metadata = dict(cell.metadata) if isinstance(cell.metadata, Mapping) else {}
        if document is not None and document.language_id not in (None, *_LANGUAGES):
            metadata["vscode"] = {"languageId": document.language_id}
        is_code = cell.kind == types.NotebookCellKind.Code
        cells.append(
            {
                "cell_type": "code" if is_code else "markdown",
                "metadata": metadata,
                "source": "" if document is None else document.source.rstrip("\r"),
            }
        )
    # Editors say of the language what the cells do; a notebook's own metadata they hand on in parts.
    metadata = {"kernelspec": {"name": "python3"}}  # it can be run where it is edited
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def root_of(workspace: Workspace, start: str) -> str:
    """The folder that texts without a file belong to. `start`: where the server runs."""
    for folder in workspace.folders.values():
        path = to_fs_path(folder.uri)
        if path:
            return os.path.realpath(path)
    return os.path.realpath(workspace.root_path or start)
