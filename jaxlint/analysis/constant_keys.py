"""Keys that are made of a constant where code runs again: in a function, a loop or a default.

In: where keys are made and spent. Out: `ConstantKey` for those that are spent. A key that a program,
a test or a constructor starts from, or that stands in for one a caller left out, is none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import lru_cache

from jaxlint.analysis.core import Core
from jaxlint.analysis.draws.texts import paired
from jaxlint.analysis.events import ConstantKey
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import Class, Imported, Key
from jaxlint.domain.values import NONE, Array, External, TracerPytree, Unknown
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import assignments, parts
from jaxlint.ir.loop_guards import bound_by, mentions, names_in
from jaxlint.ir.nodes import (
    OPAQUE,
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    BreakStmt,
    CallExpr,
    ConstExpr,
    Expr,
    NameExpr,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TryStmt,
    UnaryExpr,
    WithStmt,
)
from jaxlint.ir.program import Code, Param, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import last_name, nodes_of, reads_clock, walk

_ONCE = frozenset("main _main __init__ __post_init__ setup setUp setUpClass setup_class setup_method".split())
_SPLIT, _FOLD = "jax.random.split", "jax.random.fold_in"
_KEYS = (Array, Key, TracerPytree, Unknown)  # what may be a key


class ConstantKeys:
    """Analyzes constant keys by their tokens."""

    def __init__(self, flow: FlowState, core: Core) -> None:
        self.flow = flow
        self.core = core
        self.constants: dict[Hashable, tuple[FunctionContext, int, str]] = {}
        self.unconsuming = 0  # inside what only looks at shapes
        self.assigning: Expr = OPAQUE  # the target of the assignment that is being evaluated

    def note_constant(self, token: Hashable, nid: int) -> None:
        call = self.flow.calling
        if call is None or call.nid != nid:
            return
        seeds = (*call.args[:1], *(keyword.value for keyword in call.keywords[:1]))
        if len(seeds) == 1 and (self._is_fixed(seeds[0]) or self._repeats(seeds[0])):
            why = self._why()
            if why:
                self.constants[token] = (self.flow.frame, nid, why)

    def _is_fixed(self, node: Expr) -> bool:
        """A literal, or a constant of a module or a class: what an argument or a loop gives is another seed
        each time."""
        if isinstance(node, AttrExpr):
            held = self.flow.named(node.value) if isinstance(node.value, NameExpr) else None
            if isinstance(held, Class):
                is_set = any(node.name in _set_attributes(each) for each in self.core.world.programs())
            else:
                is_set = not isinstance(held, Imported) or node.name in held.module.rebound
            return not is_set and self._is_fixed(node.value)
        if isinstance(node, NameExpr):
            loops = self.flow.frame.turns
            if any(each.target is not None and node.name in names_in(each.target) for each in loops):
                return False
            home = self.flow.env
            while home.parent is not None and node.name not in home.vars:
                home = home.parent
            return home.parent is None and node.name not in home.module.rebound
        if isinstance(node, UnaryExpr):
            return self._is_fixed(node.operand)
        return isinstance(node, ConstExpr)

    def _repeats(self, seed: Expr) -> bool:
        """Whether a loop does the same again in each turn, and changes nothing of the seed: it counts turns,
        and nothing looks at it. One that may end early tries again; one that asks the clock takes a time."""
        turns = self.flow.frame.turns
        if not self.flow.frame.loop or not turns or not turns[-1].body:
            return False
        loop = turns[-1]
        nodes = nodes_of(loop.body)
        is_counted = isinstance(loop.iterable, CallExpr) and last_name(loop.iterable.func) == "range"
        if loop.target is None or not is_counted or reads_clock(*loop.body):
            return False
        if any(isinstance(each, (BreakStmt, ReturnStmt, TryStmt)) for each in nodes):
            return False
        if any(isinstance(each, (CallExpr, SubscriptExpr)) for each in walk(seed)):
            return False
        bound = {name.lstrip(".") for name in bound_by(loop)}
        asked = {each.name for each in walk(seed) if isinstance(each, (NameExpr, AttrExpr))}
        return asked.isdisjoint(bound) and not any(
            mentions(each, variables((loop.target,))) for each in loop.body
        )

    def _why(self) -> str:
        """What will make the same key again; nothing where that is not known."""
        frame, func = self.flow.frame, self.flow.frame.func
        if self.flow.in_default:
            return "default"
        if func is not None and self._replaces_argument(func.code):
            return "argument"
        if frame.loop:
            return "loop"
        if func is None or func.code.name in _ONCE or func.code.name.startswith("test"):
            return ""
        names = [param.name for param in func.code.params]
        if isinstance(self.assigning, NameExpr):
            names.append(self.assigning.name)
        if any(frame.env.vars.get(name) == NONE for name in names):
            return ""
        return "function"

    def _replaces_argument(self, code: Code) -> bool:
        """Whether the key is assigned to a parameter, whatever the caller has given; or, where nothing reads
        what the caller gives, one that is only made of the key, by splits and constants."""
        call = self.flow.calling
        if call is None or code.name.startswith("test"):
            return False
        names, made = {param.name: param for param in code.params}, set[str]()
        for targets, value in _always(code.body):
            for target, written in paired(targets, value):
                if not (written is call or self._is_made_of(written, call, made)):
                    continue
                for name in variables((target,)):
                    param = names.get(name)
                    is_given = param is not None and self._is_given(name)
                    if is_given and (written is call or self._is_unread_key(param, code)):
                        return True
                    made.add(name)
        return False

    def _is_given(self, name: str) -> bool:
        """Whether a caller has given a parameter something, and no test has asked for that."""
        if self.flow.env.vars.get(name) == NONE:
            return False
        return not any(mentions(held.test, (name,)) for held in self.flow.tests)

    def _is_unread_key(self, param: Param | None, code: Code) -> bool:
        """Whether a caller may give a key here, and nothing reads it."""
        if param is None or not isinstance(self.flow.env.vars.get(param.name), _KEYS):
            return False
        return def_use_of(code, self.flow.module.program).readers(param.nid) == ()

    def _is_made_of(self, node: Expr, call: CallExpr, made: Collection[str]) -> bool:
        """Whether this is a key that is only made of what a call gives: by its name, as a part, by a split,
        or folded with a constant. `made`: the variables that hold such keys."""
        while isinstance(node, SubscriptExpr) and self._is_fixed(node.index):
            node = node.value
        if isinstance(node, NameExpr):
            return node.name in made
        if not isinstance(node, CallExpr) or node.keywords or not node.args:
            return False
        called = self.flow.named(node.func)
        name = called.name if isinstance(called, External) else ""
        is_step = name == _SPLIT or (name == _FOLD and all(map(self._is_fixed, node.args[1:])))
        return is_step and (node.args[0] is call or self._is_made_of(node.args[0], call, made))

    def fold(self, token: Hashable, new: Hashable, data: Expr | None) -> None:
        """`fold_in` has made a key of another one, which is to replace a parameter as the constant one would,
        if the number is constant as well."""
        origin = self.constants.get(token)
        if origin is not None and origin[2] == "argument" and data is not None and self._is_fixed(data):
            self.constants[new] = origin

    def constant_follower(self, token: Hashable) -> Hashable:
        new = self.core.fresh()
        origin = self.constants.get(token)
        if origin is not None:
            self.constants[new] = origin
        return new

    def tell_constant(self, token: Hashable, name: str) -> None:
        origin = self.constants.get(token)
        if origin is not None and not self.unconsuming and not self.flow.context.quiet:
            frame, nid, why = origin
            event = ConstantKey(nid, frame, why, name)
            self.core.show(self.core.hooks.get("ConstantKey", ()), event, self.flow.frame)


def _always(body: Sequence[Stmt]) -> Iterator[tuple[Sequence[Expr], Expr]]:
    """The assignments that a function makes whatever it is given, unless it has returned."""
    for each in body:
        if isinstance(each, WithStmt):
            yield from _always(each.body)
        elif isinstance(each, (AssignStmt, AnnotatedStmt)):
            yield from assignments((each,))


@lru_cache(maxsize=1024)
def _set_attributes(program: Program) -> frozenset[str]:
    """The names of attributes that a file sets anywhere."""
    bound = [each for code in program.codes for each in assignments(code.body)]
    targets = [part for targets, _ in bound for target in targets for part in parts(target)]
    return frozenset([each.name for each in targets if isinstance(each, AttrExpr)])
