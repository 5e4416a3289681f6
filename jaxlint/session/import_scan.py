"""Which imports a file may have, by a look at its text that costs far less than parsing it.

In: the bytes of a file. Out: every import that its program has, and what else looks like one, as a line of a
text that shows code does. It refuses to know whether the file is parsed at all.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from jaxlint.ir.program import Import
from jaxlint.source.text import UnreadableSource, read_source

_COOKIE = re.compile(rb"coding[=:]\s*(?!utf-?8\b|ascii\b|us-ascii\b)", re.IGNORECASE)
_SPACE = rb"(?:[ \t\f]|\\\r?\n|\\\r)*"
_NAME = rb"[\w\x80-\xff]+"
_DOTTED = _NAME + rb"(?:%s\.%s%s)*" % (_SPACE, _SPACE, _NAME)
_ONE = rb"%s(?:%s\bas\b%s%s)?" % (_DOTTED, _SPACE, _SPACE, _NAME)
_LIST = rb"%s(?:%s,%s%s)*" % (_ONE, _SPACE, _SPACE, _ONE)
# Within brackets there may be comments, with brackets in them.
_IN_BRACKETS = rb"\((?:[^)#]|#[^\r\n]*)*\)"
# A statement begins on a line, behind another one, or behind what has a block.
_BEGIN = re.compile(rb"(?:^|[\r\n;:]|\xef\xbb\xbf)%s(?=import\b|from\b)" % _SPACE)
_STATEMENT = re.compile(
    rb"import\b%s(%s)|from\b((?:%s\.)*)%s(%s)??%s\bimport\b%s(\*|%s|%s)"
    % (_SPACE, _LIST, _SPACE, _SPACE, _DOTTED, _SPACE, _SPACE, _IN_BRACKETS, _LIST)
)
_CONTINUED = (b"\\\n", b"\\\r\n")
_BLANK = re.compile(rb"#[^\r\n]*|[\s\\()]+")
_AS = re.compile(rb"\bas\b.*", re.DOTALL)


def possible_imports(data: bytes) -> dict[Import, None]:
    """What may be imported anywhere in a file, in the form in which programs say it."""
    if b"import" not in data:
        return {}
    if _COOKIE.search(data[:400]):
        try:
            data = read_source(data).text.encode("utf-8", "surrogatepass")
        except UnreadableSource:
            return {}
    found: dict[Import, None] = {}
    end = 0
    while (place := data.find(b"import", end)) >= 0:
        begin = _line_of(data, place)
        end = place + 6
        for before in _BEGIN.finditer(data, max(begin - 1, 0), end):
            statement = _STATEMENT.match(data, before.end())
            if statement is not None:
                _put(found, *statement.groups(b""))
                end = max(end, statement.end())
    return found


def _line_of(data: bytes, place: int) -> int:
    """Where the line begins, with those that it continues."""
    begin = data.rfind(b"\n", 0, place) + 1
    while begin and data.endswith(_CONTINUED, 0, begin):
        begin = data.rfind(b"\n", 0, begin - 1) + 1
    return begin


def _put(found: dict[Import, None], plain: bytes, dots: bytes, module: bytes, names: bytes) -> None:
    if plain:
        for name in plain.split(b","):
            found[_text(_AS.sub(b"", name)), 0, None] = None
        return
    level = dots.count(b".")
    found[_text(module), level, None] = None
    if names != b"*" and (listed := _listed(names)):
        found[_text(module), level, listed] = None


def _listed(names: bytes) -> tuple[str, ...]:
    named = (_text(_AS.sub(b"", name)) for name in _BLANK.sub(b" ", names).split(b","))
    return tuple([name for name in named if name])


def _text(name: bytes) -> str:
    """A name as Python takes it, without what stands between its parts."""
    text = _BLANK.sub(b"", name).decode("utf-8", "replace")
    return text if text.isascii() else normalize("NFKC", text)
