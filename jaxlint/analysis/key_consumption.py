"""When a PRNG key is consumed, and whether it was consumed before.

In: uses of keys by their tokens, where samplers, splits and calls of functions meet them. Out: `KeyUse`. The
keys consumed so far are part of the flow's state, under `$spent`: exclusive branches don't add up, and a
loop's second iteration meets what its first one consumed. Where keys come from is of no interest here.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import partial

from jaxlint.analysis.call_uses import CallUses
from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.consumption import (
    Consumption,
    Drawn,
    EqualSplits,
    Place,
    Walk,
    are_exclusive,
    but_for_apart,
    common_turns,
    is_made_in_turn,
    is_of_other_loop,
    is_same_split,
    run_of,
    spent_in,
)
from jaxlint.analysis.core import Core
from jaxlint.analysis.draws.flows import is_made_of
from jaxlint.analysis.draws.gradients import GRADIENTS, is_of_one_function
from jaxlint.analysis.draws.idle_keys import is_idle
from jaxlint.analysis.draws.initial_keys import counted_here
from jaxlint.analysis.draws.intended import JOINT, are_paired, drawn_by, undoes
from jaxlint.analysis.draws.repeated import RepeatedDraws
from jaxlint.analysis.draws.texts import is_in_made_up, is_made_up
from jaxlint.analysis.equal_seeds import EqualSeeds
from jaxlint.analysis.events import KeyUse
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Outward
from jaxlint.domain.consumed_keys import Consumed, sharing
from jaxlint.domain.facts import exclude, facts_of, grounded
from jaxlint.domain.key_tokens import (
    EACH,
    STORED,
    WAS_SPLIT,
    folds_in,
    handed_keys,
    initial_of,
    is_folded,
    is_held,
    is_quiet,
    keeps_keys,
    made_by,
    parents,
    root_of,
)
from jaxlint.domain.objects import Environment, Key
from jaxlint.domain.questions import but_for_none
from jaxlint.domain.values import UNKNOWN, Product, TracerPytree, Unknown, Value
from jaxlint.ir.limits import EQUAL, REACHED
from jaxlint.ir.loop_guards import may_be_once, mentions, names_in
from jaxlint.ir.nodes import Expr, NameExpr
from jaxlint.ir.split_children import children_of
from jaxlint.ir.walks import last_name

# methods of the distributions of distrax and TensorFlow Probability that draw with their argument `seed`
_TAKES_KEYS = "tensorflow_probability.substrates.jax."  # a number raises
_SEEDED = frozenset(("sample", "sample_and_log_prob", "experimental_sample_and_log_prob"))


class KeyConsumption:
    """Keeps which keys are consumed."""

    def __init__(self, flow: FlowState, core: Core, constants: ConstantKeys) -> None:
        self.flow = flow
        self.core = core
        self.constants = constants
        self.returns = 0  # how often a call of a function was over
        self.absent: dict[Environment, dict[Hashable, None]] = {}  # the tokens of what may be marked as None
        self.walks: dict[Hashable, Walk] = {}  # by the token of an item
        self.follows: FunctionContext  # whose keys are consumed at a call
        self.numbers: dict[Hashable, int] = {}  # what numbers are, by their tokens
        self.counted: set[Hashable] = set()  # the tokens of those that loops count
        self.origin_of: dict[Hashable, Place] = {}  # where keys are made, by token
        self.uses = CallUses(flow)
        self.settled: dict[Hashable, Hashable] = {}  # by tokens that something is folded into
        self.repeated = RepeatedDraws(constants)
        self.equal = EqualSeeds(flow)
        self.streams: dict[Hashable, str] = {}  # from which a framework takes keys, by the tokens of these
        self.looking: FunctionContext | None = None  # where `eval_shape` and the like are called
        self.leafwise: Place | None = None  # a `tree.map` that calls a function again, for another leaf
        self.varied: Place | None = None  # a `map` that calls a function with another argument that is no key

    def spent(self) -> Consumed[Consumption]:
        return spent_in(self.flow.env.vars)

    def token_of(self, value: Value | None) -> Hashable:
        """The identity of a key, where it has one."""
        if isinstance(value, (Key, Unknown, TracerPytree)):
            return value.token
        return None

    def consume(self, value: Value | None, nid: int, name: str, tested: bool = False) -> None:
        """A key, or what may also be None, is consumed by `name`; `tested`: only under tests in there."""
        value = value and but_for_none(value)
        if (token := self.token_of(value)) is not None:
            made = value.made if isinstance(value, Key) else ()
            self.consume_token(token, nid, name, tested, made=made)

    def sample(self, value: Value | None, nid: int, name: str, parameter: str) -> None:
        """A sampler of JAX consumes what its first parameter gets. What a variable holds of which nothing is
        known has an identity from then on."""
        node = self.flow.calling
        if value == UNKNOWN and node is not None and node.nid == nid:
            named = [word.value for word in node.keywords if word.name == parameter]
            first = next(iter((*named, *node.args)), None)
            if isinstance(first, NameExpr) and self.flow.env.vars.get(first.name) == value:
                value = self.flow.env.vars[first.name] = Unknown(self.core.fresh())
        self.consume(value, nid, name)
        for before, here in self.equal.drawn_before(self.token_of(value), nid, name):
            if next(self._earlier((before,), here, False), None) is not None:
                self._tell_use(here.token, here, name, before, "seed")
                return

    def consume_token(
        self, token: Hashable, nid: int, name: str, tested: bool = False, once: bool = False,
        within: Consumption | None = None, absent: frozenset[Hashable] = frozenset(), own: bool = False,
        made: tuple[Place, ...] = (),
    ) -> None:  # fmt: skip
        """`tested`: only under tests in the function that is called; `once`: at one iteration of a loop
        there; `within`: what that function does with the key; `absent`: what is None where it does so;
        `own`: it has the key from elsewhere than its arguments; `made`: where splits were run that it is
        from."""
        if self._is_wasted(nid, within is None) or self.looking is self.flow.frame:
            return
        token = counted_here(token, self.flow)
        if within is None or not within.weak:
            self.constants.tell_constant(token, name)
        if (tested or any(held.depth for held in self.flow.tests)) and folds_in(token, self.counted):
            return
        place = self._settled(token)
        here = self._consume_here(token, nid, name, within, absent, own)._replace(made=made)
        if here.splits:
            here = here if here.weak else self._note_split(place, here, name, once)
            place = (place, WAS_SPLIT, None)
        elif here.weak:
            place = (place, STORED, None) if here.stored else place
            self._note_handed(place, here, name)
        elif initial_of(token) is None:
            self._note_draw(place, here, name, once)
            stream = self.streams.get(root_of(token))
            if stream is not None and not tested:
                self.draw(stream)
        spent = self.spent()
        kept = spent.uses(place)
        known = [i for i, each in enumerate(kept) if each.nid == here.nid and each.module is here.module]
        at = known[0] if known else len(kept)
        kept = (*kept[:at], here, *kept[at + 1 :])
        self.flow.env.vars["$spent"] = Product("spent", spent.plus(place, kept))
        if not (here.splits or here.weak or tested) and (every := self._every(token)) is not None:
            self.consume_token(every, nid, name, made=made)

    def draw(self, stream: str, *under: tuple[Expr, bool]) -> None:
        """Code draws from a stream of the framework that runs it, under the tests around it and these."""
        self.flow.frame.draws |= {Drawn(stream, (*self.flow.open_tests(), *under))}

    def _consume_here(
        self, token: Hashable, nid: int, name: str, within: Consumption | None, absent: frozenset[Hashable],
        own: bool = False,
    ) -> Consumption:  # fmt: skip
        none = [each for each in self.absent.get(self.flow.env, ()) if ("none", each) in self.flow.env.vars]
        node = self.flow.calling
        node = None if node is None or node.nid != nid else node
        joint, splits, weak, stored, call = name in JOINT, name == "split", False, False, 0
        flow = self.flow
        inner: tuple[Place, ...] = ()
        under = () if within is None else within.under
        facts = (*flow.conditions, *(fact for test in under for fact in facts_of(*test)))
        self.core.tested.update(*(fact.names for fact in facts))
        if within is None:
            drawn = None if node is None else drawn_by(name, node)
        else:
            weak, stored, joint = within.weak, within.stored, within.joint
            splits, call = within.splits, self.returns
            drawn, inner = within.drawn, within.inner
            if within.nid != nid or within.module is not self.flow.module:
                inner = (within.place, *inner)
        return Consumption(
            flow.module, nid, token, grounded(facts, flow.env.vars), tuple(flow.tests),
            flow.frame.iterations, joint, splits, inner, None, (), False,
            absent.union(none) if none else absent, tuple(flow.rounds), drawn, call,
            self.uses.arms_of(nid, inner), own, weak, stored,
            by="" if within is None or node is None else last_name(node.func), under=under,
        )  # fmt: skip

    def _is_wasted(self, nid: int, is_sampler: bool) -> bool:
        """Whether nothing reads what is drawn there; a function may do more, if not assigned."""
        how = self.uses.of(nid)
        return how == "unread" or (how == "discarded" and is_sampler)

    def _note_draw(self, place: Hashable, here: Consumption, name: str, once: bool) -> None:
        spent = self.spent()
        before = next(self._earlier(sharing(place, spent), here, once), None)
        if before is None:
            for split in self._earlier(spent.uses((place, WAS_SPLIT, None)), here, True):
                self._tell_use(place, here, name, split, "split")
                return
        elif not self._tell_equal_splits(place, name, before, here):
            self._tell_use(place, here, name, before, "draw")
        elif here.made:
            uses = spent.uses(place)
            REACHED["equal"] += len(uses) > EQUAL.most
            same = [each for each in uses[-EQUAL.most :] if each.made == here.made]
            for each in self._earlier(same, here, once):
                if not self._tell_equal_splits(place, name, each, here):
                    self._tell_use(place, here, name, each, "draw")
                    return

    def _tell_equal_splits(self, place: Hashable, name: str, before: Consumption, here: Consumption) -> bool:
        """A key is consumed twice as it is a child of two equal splits: the second split is the cause."""
        for level, parent in enumerate(parents(place)):
            if is_same_split(before, here, level):
                continue
            splits, run = self.spent().uses((parent, WAS_SPLIT, None)), run_of(here, level)
            second = [each for each in splits if each.first is not None and not is_of_other_loop(each, here)]
            cause = next((each for each in reversed(second) if each.place == run), next(iter(second), None))
            if cause is not None:
                there = [each for each in splits if each.place == cause.first and each is not cause]
                first = there[0] if there else cause._replace(inner=cause.first_inner)
                told = len(self.flow.frame.findings)
                self._tell_use(parent, cause, name, first, "draw", (before, here))
                if here.weak:
                    equal = EqualSplits(parent, first, cause, ())
                    self._keep_told(told, equal._replace(common=equal.children(place)))
                return True
        return False

    def _note_handed(self, place: Hashable, here: Consumption, name: str) -> None:
        """Children of equal splits that go to functions of which nothing is known are equal keys there."""
        spent = self.spent()
        for before in sharing(place, spent):
            if are_exclusive(before.arms, here.arms):
                continue
            if exclude(before.conditions, here.conditions, self.flow.env.vars):
                continue
            if before.place != here.place or (before.call, before.rounds) != (here.call, here.rounds):
                self._tell_equal_splits(place, name, before, here)
                return

    def handed_to(
        self, func: Hashable, args: Iterable[Value], keywords: Mapping[str, Value], nid: int
    ) -> None:
        """A function of this token gets keys, of which nothing else is known."""
        if is_quiet(func):
            self.flow.frame.quiet |= {nid}
        else:
            self.handed(args, keywords, nid)

    def handed(
        self, args: Iterable[Value], keywords: Mapping[str, Value], nid: int, is_stored: bool = False
    ) -> None:
        """A function of which nothing is known gets keys: it consumes them, if they are drawn from later.
        `is_stored`: an object gets them."""
        given = list(args)
        node = self.flow.calling
        if len(given) > 2 and not isinstance(given[0], Key):  # perhaps a network that draws nothing
            is_network = node is not None and self.uses.name_of(node.func) in ("apply", "apply_fn")
            del given[1 : None if is_network else 2]
        keys: list[Value] = [*handed_keys((*given, *keywords.values()), keywords)]
        if not (keys or "seed" in keywords) or node is None or node.nid != nid or self.uses.of(nid):
            return
        name = self.uses.name_of(node.func)
        if not name or name == "print":
            return
        if name in _SEEDED and "seed" in keywords:
            seed = keywords["seed"]
            if isinstance(seed, Key) or self.flow.context.depth or self.uses.is_of_library(node, _TAKES_KEYS):
                self.sample(seed, nid, name, "seed")
                keys = [key for key in keys if key is not seed]
            elif seed not in keys:  # it may be a number
                keys.append(seed)
        stores = is_stored or name[0].isupper() or keeps_keys(name)
        for key in keys:
            if (token := self.token_of(key)) is not None:
                self._hand(token, key.made if isinstance(key, Key) else (), nid, name, stores)

    def _hand(self, token: Hashable, made: tuple[Place, ...], nid: int, name: str, stores: bool) -> None:
        here = self._consume_here(token, nid, name, None, frozenset())
        here = here._replace(weak=True, stored=stores, made=made)
        place = self._settled(token)
        if stores:  # as a child of a split it may be the same key in every iteration all the same
            place = (place, STORED, None)
        self._note_handed(place, here, name)
        spent = self.spent()
        if here.place not in {each.place for each in spent.uses(place)}:
            self.flow.env.vars["$spent"] = Product("spent", spent.plus(place, (*spent.uses(place), here)))
        if not stores and (every := self._every(token)) is not None:
            self._hand(every, made, nid, name, stores)

    def _every(self, token: Hashable) -> Hashable:
        """All items of an array, where a token is one that a loop takes in turn, in its first turn."""
        walk = self.walks.get(token)
        if walk is None or any(held.depth > walk.depth for held in self.flow.tests):
            return None
        every = (walk.array, EACH, walk.id)
        return None if every in self.spent() else every

    def _note_split(self, place: Hashable, here: Consumption, name: str, once: bool) -> Consumption:
        spent = self.spent()
        before = next(self._earlier(spent.uses((place, WAS_SPLIT, None)), here, once), None)
        if before is not None:
            common = self._read_of_both(before, here) if before.place != here.place else ()
            told = len(self.flow.frame.findings)
            is_own = not common or not self._tell_equal_splits(place, name, before, here)
            if common and is_own:
                self._tell_use(place, here, name, before, "draw")
            self._keep_told(told, EqualSplits(place, before, here, common))
            if is_own:
                self._tell_use(place, here, name, before, "split")
            first, inner = before.place, before.inner
            return here._replace(first=first, first_inner=inner, again=first == here.place)
        drawn = next(self._earlier((e for e in sharing(place, spent) if not e.weak), here, True), None)
        if drawn is not None:
            self._tell_use(place, here, name, drawn, "split")
        return here

    def _keep_told(self, since: int, equal: EqualSplits) -> None:
        """Notes what was told of equal splits, which the rest of the function may say are fine."""
        told = [each for _, each in self.flow.frame.findings[since:]]
        if told and equal.common:
            self.flow.frame.repeated_splits += (equal._replace(told=told),)

    def settle_splits(self, activation: FunctionContext) -> None:
        """Takes back what was said of equal splits where it is known what becomes of their children: of those
        that are drawn from twice the second draw tells."""
        idle = partial(is_idle, start=activation, modules=self.core.world.modules)
        spent, splits = self.spent(), activation.repeated_splits
        known = [each for each in splits if each.are_children_known(spent, idle, self.flow.env.vars)]
        gone = {id(finding) for each in known for finding in each.told}
        activation.findings = [told for told in activation.findings if id(told[1]) not in gone]

    def _read_of_both(self, before: Consumption, here: Consumption) -> Collection[int]:
        """The children that two splits of one key have in common and that are read after both, but for those
        that are drawn from after one of them at most."""
        common: set[int] | None = None
        if (before.place, *before.inner)[-1] == (here.place, *here.inner)[-1]:
            return ()  # the function is called again with the same key, as for equal parameters
        for each, other in ((before, here), (here, before)):
            *calls, (module, split) = (each.place, *each.inner)
            is_next = children_of(module.program).is_single(split)  # the key that the next turn splits
            if is_next or not all(children_of(at.program).is_result_read(nid) for at, nid in calls):
                return ()
            beside = None if calls or other.module is not module else other.nid
            read = children_of(module.program).read_of(split, beside)
            common = set(read) if common is None else common.intersection(read)
        return but_for_apart(common or (), *((each.place, *each.inner)[-1] for each in (before, here)))

    def _earlier(
        self, candidates: Iterable[Consumption], here: Consumption, once: bool
    ) -> Iterator[Consumption]:
        """Where the key was consumed before, where that is certain and not meant."""
        for before in candidates:
            if exclude(before.conditions, here.conditions, self.flow.env.vars):
                continue
            if before.splits and before.weak:
                continue  # one of several objects, or functions, splits it
            if before.place == here.place:
                if before.call == here.call != 0:
                    continue
                meant = self.leafwise == here.place and (here.joint or is_held(here.token))
                meant = meant or (self.varied == here.place and here.joint)
                meant = meant or (here.own and before.inner == here.inner and self._is_of_one_function(here))
                meant = meant or before.weak or once or self._repeats_not(before, here)
                if meant or self._varies(here) or self._is_meant(before, here):
                    continue
            elif (are_paired(before, here) and not self._is_made_of(before, here)) or undoes(before, here):
                continue
            elif are_exclusive(before.arms, here.arms) or self._is_meant(before, here):
                continue
            elif self.uses.leaves_unread(before.nid, here.nid) and not self.flow.frame.turns:
                continue
            yield before

    def _tell_use(
        self, token: Hashable, at: Consumption, name: str, before: Consumption, kind: str,
        children: tuple[Consumption, Consumption] | None = None,
    ) -> None:  # fmt: skip
        func, (module, number) = self.flow.frame.func, (at.place, *at.inner)[-1]
        if (func is not None and is_made_up(func.code)) or is_in_made_up(module.program, number):
            return
        in_loop = before.place == at.place
        loop = None
        here, there = (at.place, at.inner), (before.place, before.inner)
        earlier, later = children or (before, at)
        for (place, what, number), (before_place, _, other) in zip(
            later.rounds, earlier.rounds, strict=False
        ):
            if in_loop and place != before_place and place[0] is self.flow.module:
                # two loops have one body: the second one begins with the key that the first one began with
                in_loop = False
                here, there = (place, (at.place, *at.inner)), (before_place, (before.place, *before.inner))
                break
            if number != other:
                loop = (place, what)
                break
        made = made_by(token, self.flow.frame)  # each call that makes a function is a cause of its own
        leaf = (self.flow.module, made) if made else at.inner[-1] if at.inner and at.own else None
        default = self.constants.constants.get(root_of(token))
        if default is not None and default[2] == "default":
            leaf = default[0].module, default[1]  # one cause for all calls that leave the key out
        # one statement may call two functions, or one that consumes what it made the time before
        is_other = loop is None or any(is_made_in_turn(each, token) for each in (earlier, later))
        in_loop &= not is_other or here[1] == there[1]
        use = KeyUse(
            here[0][1], self.flow.frame, token, name, there[0], in_loop, kind, here[1], there[1],
            self.origin_of.get(token), loop, tuple(each.place for each in children or ()),
            None if leaf is None else (leaf[0].path, leaf[1]),
        )  # fmt: skip
        self.core.emit("KeyUse", use)

    def tell_shared(
        self, activation: FunctionContext, outward: Outward, mapped: frozenset[Hashable], nid: int
    ) -> None:
        """Tells of the keys that a mapped function draws from in all of its lanes alike."""
        for where in activation.consumptions:
            if where.splits or where.weak or outward.is_own(root_of(where.token)):
                continue
            outer = outward(where.token)
            if outer is None or is_folded(outer) or is_held(outer) or root_of(outer) in mapped:
                continue
            at = where.nid if where.module is self.flow.module else nid
            inner = where.inner if at == where.nid else (where.place, *where.inner)
            origin = self.origin_of.get(root_of(outer))
            loop = ((self.flow.module, nid), "vmap")
            use = KeyUse(
                at, self.flow.frame, outer, activation.name, None, False, "lanes", inner, (), origin, loop
            )
            self.core.emit("KeyUse", use)

    def forget_spent(self, bases: Iterable[Hashable]) -> None:
        """These objects are made again, and so are the keys that they hold."""
        spent = self.spent()
        if gone := set(spent.derived_from(bases)):
            kept = {place: each for place, each in spent.all().items() if place not in gone}
            self.flow.env.vars["$spent"] = Product("spent", Consumed.of(kept))

    def follower_of(self, token: Hashable) -> Hashable:
        new = self.constants.constant_follower(token)
        if token in self.streams:
            self.streams[new] = self.streams[token]
        if token in self.origin_of:
            self.origin_of[new] = self.origin_of[token]
        return new

    def _repeats_not(self, before: Consumption, here: Consumption) -> bool:
        """Whether the iterations of a loop that one and the same place is met in may consume there once."""
        depth = common_turns(before, here)
        return may_be_once(here.tests, self.flow.frame.turns[depth:], depth)

    def _is_meant(self, before: Consumption, here: Consumption) -> bool:
        frame, uses = self.flow.frame, self.spent().uses(self._settled(here.token))
        turns = frame.turns[: common_turns(before, here) + 1]  # up to the loop in whose turns they differ
        return self.repeated.is_on_purpose(frame.module, frame.code, before, here, turns, uses)

    def _is_made_of(self, before: Consumption, here: Consumption) -> bool:
        """Whether the second draw is given what is computed of the first one."""
        module, code = self.flow.module, self.flow.frame.code
        is_here = before.module is module and here.module is module
        return is_here and is_made_of(code, module.program, before.nid, here.nid)

    def _is_of_one_function(self, here: Consumption) -> bool:
        """Whether a loop takes gradients of the outputs, or for the arguments, of one function."""
        func, link, node = self.follows.func, self.follows.link, self.flow.calling
        if func is None or link is None or link.transform not in GRADIENTS or not here.inner:
            return False
        if node is None or node.nid != here.nid:
            return False
        inner = here.inner[0][1] if len(here.inner) > 1 else None
        return is_of_one_function(node, self.flow.frame.turns, func.code, inner)

    def _varies(self, here: Consumption) -> bool:
        """Whether a loop applies one order, or one choice, to one array after another."""
        array = None if here.drawn is None else here.drawn[1]
        if array is None:
            return False
        targets = [loop.target for loop in self.flow.frame.turns if loop.target is not None]
        return mentions(array, {name for target in targets for name in names_in(target)})

    def _settled(self, token: Hashable) -> Hashable:
        """The same key by the numbers that are folded into it, wherever these are from."""
        if not is_folded(token):
            return token
        found = self.settled.get(token)
        if found is None:
            which = self.numbers.get(token[2], token[2]) if token[1] == "fold" else token[2]
            found = self.settled[token] = (self._settled(token[0]), token[1], which)
        return found
