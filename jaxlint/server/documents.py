"""The documents of a client, and what its edits make of their texts.

In: changes that name places as the client counts them. Out: the new texts. Lines end where the protocol says,
at \\n, \\r\\n and \\r: pygls, which keeps the documents, ends them at form feeds and the like too.
"""

from __future__ import annotations

from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from jaxlint.server.position import Encoding
from jaxlint.source.text import Source

SYNC = types.TextDocumentSyncKind.Incremental


class Documents(Workspace):
    """What a client has open."""

    @classmethod
    def like(cls, other: Workspace) -> Documents:
        return cls(other.root_uri, SYNC, [*other.folders.values()], other.position_encoding)

    def update_text_document(
        self,
        text_doc: types.VersionedTextDocumentIdentifier,
        change: types.TextDocumentContentChangeEvent,
    ) -> None:
        uri = unquote(text_doc.uri)
        document = self.text_documents[uri]
        self.text_documents[uri] = TextDocument(
            document.uri,
            changed(document.source, change, Encoding(self.position_encoding)),
            text_doc.version,
            document.language_id,
            sync_kind=SYNC,
            position_codec=self.position_codec,
        )


def changed(text: str, change: types.TextDocumentContentChangeEvent, encoding: Encoding) -> str:
    """A text after a change. What lies behind the end of a line, or of the text, is that end."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    source = Source.from_text(text)
    places = (encoding.place(source, each) for each in (change.range.start, change.range.end))
    start, end = sorted(source.offset(*place) for place in places)
    return text[:start] + change.text + text[end:]
