"""What the analysis believes of functions: which run while JAX traces, by what, with what static.

In: the contexts that the analysis has arrived at, and the ways to them. Out: a `Traced` for each function of
a file. It says what was seen: a function counts as traced only where something in the project traces it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.diagnostic import Note
from jaxlint.domain.join import level_of, options_of
from jaxlint.domain.objects import Function, Instance
from jaxlint.domain.values import Const, NumPyArray, Static, Value
from jaxlint.ir.document import Document, note_in_text
from jaxlint.ir.locations import Located
from jaxlint.ir.program import Code, Program
from jaxlint.report.trace_notes import Chains, Step, is_observed, places

STATIC, TRACED, UNKNOWN = "static", "traced", "unknown"


@dataclass(frozen=True, slots=True)
class Traced:
    """A function as the analysis sees it.

    place: where it is; the message is its qualified name. chain: the way from the outermost transform to it;
    empty where it is not traced. arguments: of a function that is traced, what each parameter is in the calls
    that trace it: `static`, `traced`, `unknown`, or several of these. is_plain: whether something calls it
    outside of traces too. transform: the outermost one's name; `observed` where only runs have shown it.
    """

    place: Note
    chain: tuple[Note, ...] = ()
    arguments: tuple[tuple[str, str], ...] = ()
    is_plain: bool = False
    transform: str = ""

    def in_text(self, documents: Mapping[str, Document]) -> Traced:
        """The same by the rows of cells, where files have cells."""
        notes = (self.place, *self.chain)
        place, *chain = (note_in_text(note, documents.get(note.filename)) for note in notes)
        return replace(self, place=place, chain=tuple(chain))

    def to_json(self) -> dict[str, Any]:
        place = self.place.to_json()
        name = place.pop("message")
        return {
            "name": name,
            **place,
            "traced": bool(self.chain),
            "chain": [note.to_json() for note in self.chain],
            "arguments": dict(self.arguments),
            "runs_untraced": self.is_plain,
        }


class Functions:
    """The functions of files.

    Args:
        reached: The contexts that the analysis has arrived at in the end.
        chains: The ways to them.
        located: The nodes of all files of the analysis, by path.
    """

    def __init__(
        self, reached: Collection[FunctionContext], chains: Chains, located: Callable[[str], Located]
    ) -> None:
        self._chains = chains
        self._located = located
        self._contexts: dict[int, list[FunctionContext]] = {}
        for frame in reached:
            if frame.func is not None and frame.analyzed:
                self._contexts.setdefault(id(frame.func.code), []).append(frame)

    def of(self, path: str, program: Program) -> Iterator[Traced]:
        """The functions of a file, in the order of the text; lambdas only where they are traced."""
        for code in program.codes[1:]:
            frames = self._contexts.get(id(code), [])
            inside = [frame for frame in frames if frame.context.depth]
            chain = self._chain(inside)
            if (code.is_lambda and not chain) or code.name == "_":  # what `%timeit` runs has this name
                continue
            yield Traced(
                Note(path, self._located(path).span(code.nid), code.qualname),
                tuple(self._note(step) for step in chain),
                tuple(_arguments(code, inside)) if chain else (),
                any(frame.is_called() for frame in frames if not frame.context.depth),
                _transform(chain),
            )

    def _chain(self, frames: Iterable[FunctionContext]) -> list[Step]:
        chains = [chain for frame in frames if (chain := self._chains.to(frame))]
        return min(chains, key=lambda chain: (is_observed(chain), len(chain), places(chain)), default=[])

    def _note(self, step: Step) -> Note:
        module, number, text = step
        return Note(module.path, self._located(module.path).span(number), text)


def _transform(chain: list[Step]) -> str:
    if is_observed(chain):
        return "observed"
    return chain[0][2].rpartition(" traced by ")[2].removesuffix(" here").strip("`") if chain else ""


def _arguments(code: Code, frames: Iterable[FunctionContext]) -> Iterator[tuple[str, str]]:
    kinds: list[set[str]] = [set() for _ in code.params]
    for frame in frames:
        for found, value in zip(kinds, frame.arguments, strict=False):
            found.update(map(_kind, options_of(value)))
    for param, found in zip(code.params, kinds, strict=True):
        yield param.name, " or ".join(sorted(found)) or UNKNOWN


def _kind(value: Value) -> str:
    if level_of(value):
        return TRACED
    return STATIC if isinstance(value, Const | Static | NumPyArray | Function | Instance) else UNKNOWN
