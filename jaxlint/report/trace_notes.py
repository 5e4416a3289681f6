"""Why the analysis believes that code is traced: the way from a transform to a function, as places.

In: the contexts of all functions, each with the calls that lead to it. Out: for a context the shortest way
from an outermost transform to it; of several ways of one length the first by path and place, so that it does
not depend on which call was analyzed first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from jaxlint.analysis.function_context import FunctionContext, Link
from jaxlint.domain.objects import Environment, Module

Step = tuple[Module, int, str]
_OBSERVED = " (observed)"


class Chains:
    """The ways to all contexts in traces.

    Args:
        reached: The contexts that the analysis has arrived at in the end.
        homes: The context that each environment is of.
    """

    def __init__(
        self, reached: Collection[FunctionContext], homes: Mapping[Environment, FunctionContext]
    ) -> None:
        self._homes = homes
        self._known: dict[FunctionContext, list[Step]] = {}
        self._find(reached, is_observed=False)
        self._find(reached, is_observed=True)

    def to(self, frame: FunctionContext | None) -> list[Step]:
        """The way to a context; to one that no trace leads to, by way of the variables that it closes over.
        Empty where it is not traced."""
        found = None if frame is None else self._known.get(frame)
        return found or self._closed_over(frame)

    def _find(self, reached: Collection[FunctionContext], is_observed: bool) -> None:
        """Breadth first from the outermost transforms: each context gets its way from the shorter ones.
        is_observed: from what runs have shown, for those that the program's text has no way to."""
        calls: dict[FunctionContext, list[tuple[FunctionContext, Link]]] = {}
        layer: dict[FunctionContext, list[Step]] = {}
        for frame in reached:
            for link in frame.live_links():
                parent = link.parent
                if parent is not None and parent.context.depth:
                    calls.setdefault(parent, []).append((frame, link))
                elif link.transform and bool(link.seen) is is_observed and frame not in self._known:
                    _offer(layer, frame, [_step(frame, link)])
        while layer:
            self._known.update(layer)
            after: dict[FunctionContext, list[Step]] = {}
            for parent, way in layer.items():
                for frame, link in calls.get(parent, ()):
                    if frame not in self._known:
                        _offer(after, frame, [*way, _step(frame, link)])
            layer = after

    def _closed_over(self, frame: FunctionContext | None) -> list[Step]:
        """The way to a context in a trace whose variables this one, or one that leads to it, sees."""
        calls: list[Step] = []
        seen: set[FunctionContext] = set()
        while frame is not None and frame.func is not None and frame not in seen:
            seen.add(frame)
            code = frame.func.code
            for home in self._homes_around(frame.func.env):
                chain = self._known.get(home)
                if chain:
                    return [*chain, (frame.module, code.nid, f"which makes `{code.name}` here"), *calls[::-1]]
            link = min(frame.live_links(), key=_order, default=None)
            if link is None:
                break
            if link.parent is not None:
                calls.append((link.module, link.nid, f"which calls `{code.name}` here"))
            frame = link.parent
        return []

    def _homes_around(self, env: Environment | None) -> Iterator[FunctionContext]:
        while env is not None:
            home = self._homes.get(env)
            if home is not None and home.context.depth:
                yield home
            env = env.parent


def _offer(layer: dict[FunctionContext, list[Step]], frame: FunctionContext, way: list[Step]) -> None:
    before = layer.get(frame)
    if before is None or places(way) < places(before):
        layer[frame] = way


def is_observed(chain: list[Step]) -> bool:
    """Whether a way begins with what runs have shown."""
    return bool(chain) and chain[0][2].endswith(_OBSERVED)


def places(chain: list[Step]) -> tuple[tuple[str, int], ...]:
    """Where the steps are, by path and number."""
    return tuple((module.path, number) for module, number, _ in chain)


def _step(frame: FunctionContext, link: Link) -> Step:
    name = frame.func.code.name if frame.func is not None else frame.module.name
    if link.seen:
        where = "" if link.seen == "?" else f" in {link.seen}"
        return link.module, link.nid, f"`{name}` is traced{where}{_OBSERVED}"
    if link.transform:
        return link.module, link.nid, f"`{name}` is traced by `{link.transform.replace('nn_', 'nn.')}` here"
    return link.module, link.nid, f"which calls `{name}` here"


def _order(link: Link) -> tuple[str, int]:
    return link.module.path, link.nid
