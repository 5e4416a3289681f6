"""What the tokens of keys say: which keys are parts of one array, and which of them are the same.

In: tokens. Out: the array that a part is of, what two parts have in common, what a key is split from.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Instance, Key, Module
from jaxlint.domain.values import Const, Counter, TracerPytree, Value


class Field(str):
    """A field of a record or an item of a dict, which the methods of the record may read, too."""


class Somewhere(str):
    """An item that is not known; as the last one of a path: the key is the value, or is anywhere in it."""


Path = tuple[int | str, ...]
"""Where a key is in a value: the positions in tuples, or attributes of objects, one in the other; empty where
it is the value."""
SOMEWHERE: Path = (Somewhere(),)
Part = tuple[Hashable, str, Hashable]
"""A token that is made of another one: of which, how, and which item or number."""

EACH = "[*]"  # `(array, EACH, which)` are all items of an array in turn; `which` tells several such apart
FIRST = "first"  # `(array, "[:]", FIRST)` are the first items of an array, of which it is not known how many
_PARTS = frozenset(("[]", "[:]", EACH))
_ENDLESS = 1 << 40
SPLIT = "split"  # `(key, SPLIT, shape)` are the children of a key
COUNTED = "counted"  # `(COUNTED, (first, step))` are the numbers that loops count from the first one
TURNED = "turned"  # `(key, TURNED, which)` is what one of several objects that have this key made of it
OWN = "own"  # `(OWN, name)`: of objects that are made with one key, each has something else by this name
WAS_SPLIT = "split!"  # `(key, WAS_SPLIT, None)` stands for a split of it
MADE = "made"  # `(key, MADE, call)` is the key that a call was given of what has made a function
MANY = "many"  # a function is one of many that as many calls have made
LOCAL = "local"  # a key that is handed on so counts in the function that does it, not in its callers
INITIAL = "initial"  # a key that is handed on so counts where equal parameters cannot be meant
STORED = "stored!"  # `(key, STORED, None)` stands for its being handed to what rather stores it
QUIET = "quiet"  # `(which, QUIET, None)` is a module, or a function, that has been told to draw nothing
# what says that a model is evaluated: it neither drops units nor adds noise
_EVALUATES = {
    **dict.fromkeys(("train", "training", "is_training", "is_train", "enable_dropout"), Const(False)),
    **dict.fromkeys(("deterministic", "eval_mode", "inference"), Const(True)),
}
_KEEPERS = frozenset(
    "append extend add put insert get set setdefault pop replace update copy deepcopy print format write "
    "info debug log warning save restore seed partial clone fold_in block_until_ready send key_data".split()
)
_KEEPING = (
    "device_put", "replicate", "unreplicate", "shard", "tree_", "wrap_", "to_", "as_", "asarray", "astype",
    "broadcast", "with_",
    "assert", "check", "is_", "_replace", "_check", "_assert",
)  # fmt: skip


def made_by(token: Hashable, frame: object) -> int | None:
    """The call that was given a key of what it has made a function, by its number, where that function
    context has made it."""
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] == MADE:
            owner, number = token[2][:2]
            return int(number) if owner is frame else None
        token = token[0]
    return None


def is_held(token: Hashable) -> bool:
    """Whether an object holds the key: which of several such objects that is need not be known."""
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] == ".":
            return True
        token = token[0]
    return False


def is_part(token: Hashable) -> TypeGuard[Part]:
    return type(token) is tuple and len(token) == 3 and token[1] in _PARTS


def is_each(token: Hashable) -> bool:
    """Whether a token stands for each item of an array of keys."""
    return is_part(token) and token[1] == EACH


def root_of(token: Hashable) -> Hashable:
    """What a token is derived from in the first place."""
    while type(token) is tuple and len(token) == 3:
        token = token[0]
    return token


def key_of(token: Hashable) -> Hashable:
    """The key that a key is made of by splits and what is folded in."""
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] in (SPLIT, "fold"):
            token = token[0]
        elif is_part(token) and isinstance(token[0], tuple) and len(token[0]) == 3 and token[0][1] == SPLIT:
            token = token[0][0]
        else:
            break
    return token


def is_quiet(token: Hashable) -> bool:
    """Whether a token is that of what has been told to draw nothing, or of a part of it: parameters are drawn
    all the same."""
    while type(token) is tuple and len(token) == 3 and token[1] != QUIET:
        if token[1] == "." and "init" in str(token[2]):
            return False
        token = token[0]
    return type(token) is tuple and len(token) == 3


def is_evaluated(keywords: Mapping[str, Value]) -> bool:
    """Whether arguments say that a model, or a policy, is evaluated."""
    return any(keywords.get(each) == said for each, said in _EVALUATES.items())


def cut_of(key: Key) -> tuple[Hashable, range]:
    """The array that a key array was cut from, and which of its items it is."""
    token = key.token
    if is_part(token) and token[1] == "[:]" and isinstance(token[2], range):
        return token[0], token[2]
    return token, range(_ENDLESS if key.count is None else key.count)


def is_folded(token: Hashable) -> TypeGuard[Part]:
    """Whether anything is folded into the key on its way."""
    while type(token) is tuple and len(token) == 3:
        if token[1] == "fold":
            return True
        token = token[0]
    return False


def folds_in(token: Hashable, numbers: Container[Hashable]) -> bool:
    """Whether one of these numbers is folded into the key on its way."""
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] == "fold" and token[2] in numbers:
            return True
        token = token[0]
    return False


def is_made_of(token: Hashable, keys: Container[Hashable]) -> bool:
    """Whether a key is one of these, or is derived from one."""
    while token not in keys:
        if not isinstance(token, tuple) or len(token) != 3:
            return False
        token = token[0]
    return True


def keeps_keys(name: str) -> bool:
    """Whether a function of this name rather stores or shows what it is given than draws from it."""
    return name in _KEEPERS or name.startswith(_KEEPING)


def splits_of(token: Hashable) -> list[Part]:
    """The arrays of children that a key comes from, that of the first split first."""
    found = []
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] == SPLIT:
            found.append(token)
        token = token[0]
    return found[::-1]


def parents(token: Hashable) -> list[Hashable]:
    """The keys that a key is a child of by splits, the first one first."""
    return [children[0] for children in splits_of(token)]


def renamed(token: Hashable, before: Hashable, after: Hashable) -> Hashable:
    """A token that begins with another one."""
    if token == before:
        return after
    if isinstance(token, tuple) and len(token) == 3:
        return renamed(token[0], before, after), token[1], token[2]
    return token


def with_number(token: Hashable, before: Hashable, after: Hashable) -> Hashable:
    """A token with another number wherever this one is folded in."""
    if not isinstance(token, tuple) or len(token) != 3:
        return token
    origin, how, which = token
    return with_number(origin, before, after), how, after if how == "fold" and which == before else which


def extent(part: Part) -> Part:
    """The items of a slice, one after another, are the slice."""
    array = part[0]
    if part[1] == EACH and is_part(array) and array[1] == "[:]" and isinstance(array[2], range):
        return array
    return part


def _share(a: Part, b: Part) -> bool:
    """Whether two parts of one array have an item in common for certain."""
    if a[1] == EACH or b[1] == EACH:
        return bool(a[1:] != b[1:])
    cuts = [each for each in (_cut(a), _cut(b)) if each and each[0] >= 0]
    if len(cuts) < 2:
        return False
    first, second = sorted(cuts, key=len)
    return any(place in second for place in first[:64])


def _cut(part: Part) -> range | None:
    """The items of an array that a part is, where they are known."""
    _, how, which = part
    if how != "[:]" and isinstance(which, int):
        return range(which, which + 1)
    return which if isinstance(which, range) else None


def handed_keys(values: Iterable[Value], keywords: Mapping[str, Value]) -> Iterator[Key]:
    """The keys among arguments, and those in dicts of them by name, as in `rngs={"dropout": key}`, which a
    model that is only evaluated does not draw from, and into which one that does folds its path first."""
    for value in values:
        if isinstance(value, Key):
            yield value
        elif isinstance(value, MutableContainer) and value.entries:
            found = [(name, each) for name, each in value.entries.items() if isinstance(each, Key)]
            if found and not is_evaluated(keywords):
                is_folded_in = value is keywords.get("rngs")
                yield from (_of_stream(name, each) if is_folded_in else each for name, each in found)


def _of_stream(name: Hashable, key: Key) -> Key:
    """What a framework makes of a key that it is given for a stream: draws from the key itself are others."""
    token = None if key.token is None else (key.token, "fold", ("stream", name))
    return Key(token, key.level, key.many, key.count, made=key.made)


def made_alike(key: Key, _: Hashable) -> tuple[tuple[Module, int], ...]:
    """A key that gets another token comes from the same runs of splits."""
    return key.made


def is_local(token: Hashable) -> bool:
    """Whether a key counts as consumed in one function only."""
    return isinstance(token, tuple) and len(token) == 3 and token[1:] == ("fold", ("handed on", LOCAL))


def initial_of(token: Hashable) -> tuple[Hashable, Hashable, bool] | None:
    """Of a key that is handed on for parameters the key, what for, and whether that is a layer."""
    if not (isinstance(token, tuple) and len(token) == 3 and token[1] == "fold"):
        return None
    which = token[2]
    if not (isinstance(which, tuple) and len(which) == 2 and which[0] == "handed on"):
        return None
    marked = which[1]
    if not (isinstance(marked, tuple) and len(marked) == 3 and marked[0] == INITIAL):
        return None
    return token[0], marked[1], bool(marked[2])


def counters(args: Sequence[Value], lifted: Sequence[Value]) -> list[tuple[Hashable, Hashable]]:
    """The numbers that a mapped function gets one by one, with what they are counted by."""
    found: list[tuple[Hashable, Hashable]] = []
    for whole, lane in zip(args, lifted, strict=False):
        if isinstance(whole, Counter) and isinstance(lane, Counter):
            found.append((lane.token, whole.token))
        elif isinstance(whole, Tuple) and isinstance(lane, Tuple):
            found += counters(whole.items or (), lane.items or ())
    return found


def lanes(args: Sequence[Value], lifted: Sequence[Value]) -> list[tuple[Key, Key]]:
    """The keys that a mapped function gets one by one, with the array."""
    found: list[tuple[Key, Key]] = []
    for whole, lane in zip(args, lifted, strict=False):
        if isinstance(whole, Key) and isinstance(lane, Key) and whole.many and not lane.many:
            found.append((lane, whole))
        elif isinstance(whole, Tuple) and isinstance(lane, Tuple):
            found += lanes(whole.items or (), lane.items or ())
        elif isinstance(whole, Instance) and isinstance(lane, Instance):
            found += _of_parts(whole.attributes, lane.attributes)
        elif isinstance(whole, MutableContainer) and isinstance(lane, MutableContainer):
            found += lanes(whole.items or (), lane.items or ()) + _of_parts(whole.entries, lane.entries)
    return found


def _of_parts(whole: Mapping[Any, Value], lane: Mapping[Any, Value]) -> list[tuple[Key, Key]]:
    names = [name for name in whole if name in lane]
    return lanes([whole[name] for name in names], [lane[name] for name in names])


def keys_in(value: Value, path: Path = ()) -> Iterator[tuple[Hashable, Path]]:
    """The tokens of the keys in a value, and where they are."""
    if isinstance(value, Key):
        yield value.token, path
    elif isinstance(value, Tuple):
        for position, each in enumerate(value.items or ()):
            yield from keys_in(each, (*path, position))


def keys_handed(args: Iterable[Value], back: Mapping[Hashable, Hashable]) -> dict[Hashable, Hashable]:
    """The keys that a function is given by a call: its own tokens, with the caller's."""
    return {
        token: back[token] for value in args for token, _ in keys_in(value) if back.get(token) is not None
    }


def has_key(value: Value, path: Path) -> bool:
    """Whether there is a key at this place of a value."""
    if not path:
        return isinstance(value, Key)
    place = path[0]
    found: Value | None = None
    if isinstance(value, Instance):
        found = value.attributes.get(place) if isinstance(place, str) else None
    elif isinstance(value, MutableContainer):
        found = value.entries.get(place) if isinstance(place, str) else None
    elif isinstance(value, Tuple) and value.items is not None:
        fields = [] if value.cls is None else [*value.cls.all_fields()]
        at = fields.index(place) if place in fields else place
        found = value.items[at] if isinstance(at, int) and at < len(value.items) else None
    return found is not None and has_key(found, path[1:])


def item_path(path: Path) -> Path:
    """Where the key is in an item of a value that holds it at this place."""
    return SOMEWHERE if path == SOMEWHERE else path[1:]


def wholes(args: Sequence[Value], lifted: Sequence[Value]) -> dict[Hashable, Key]:
    """By the tokens of what a mapped function gets one by one the arrays of keys, or of what may be keys."""
    found = {lane.token: whole for lane, whole in lanes(args, lifted) if whole.token is not None}
    for each in lifted:
        if isinstance(each, TracerPytree) and each.token is not None:
            found[each.token] = Key(each.token, each.level, many=True)
    return found


def whole_of(key: Key, level: int, lanes: Mapping[Hashable, Key] | None) -> Key | None:
    """The array of the keys that the lanes of a mapped function make of the ones that they are given; None
    where they make them of something else, or arrays. lanes: by the tokens of these the array of them; None
    where nothing is mapped."""
    if lanes is None:
        return Key(key.token, level, key.many, key.count, key.made)
    root = root_of(key.token)
    if key.many or root not in lanes:
        return None
    whole = lanes[root]
    made = (*whole.made, *key.made)
    return Key(renamed(key.token, root, whole.token), level, many=True, count=whole.count, made=made)
