"""What Python's own functions and the methods of its containers take the hash of, and what has none.

Made by `python tests/derive_api.py --write`, which calls each with an object that notes it; not edited by hand.

HASHED: canonical name -> rows of (position of the argument, part of it)
  part  itself, its items, or the first of each of its items, which are pairs
UNHASHABLE: classes whose objects have no hash
VERSIONS: the versions that the tables were made with, the newest first
OTHERWISE: version -> table -> the rows that this version has otherwise; None where it lacks the name
"""

# fmt: off
# ruff: noqa: E501

VERSIONS: tuple[dict[str, str], ...] = (
    {"python": "3.13"},
    {"python": "3.11"},
)

HASHED: dict[str, tuple[tuple[int, str], ...]] = {
    "builtins.dict": ((0, "pairs"),),
    "builtins.dict.fromkeys": ((0, "items"),),
    "builtins.dict.get": ((0, "itself"),),
    "builtins.dict.pop": ((0, "itself"),),
    "builtins.dict.setdefault": ((0, "itself"),),
    "builtins.dict.update": ((0, "pairs"),),
    "builtins.frozenset": ((0, "items"),),
    "builtins.frozenset.difference": ((0, "items"), (1, "items")),
    "builtins.frozenset.intersection": ((0, "items"), (1, "items")),
    "builtins.frozenset.isdisjoint": ((0, "items"),),
    "builtins.frozenset.issubset": ((0, "items"),),
    "builtins.frozenset.issuperset": ((0, "items"),),
    "builtins.frozenset.symmetric_difference": ((0, "items"),),
    "builtins.frozenset.union": ((0, "items"), (1, "items")),
    "builtins.hash": ((0, "itself"),),
    "builtins.set": ((0, "items"),),
    "builtins.set.add": ((0, "itself"),),
    "builtins.set.difference": ((0, "items"), (1, "items")),
    "builtins.set.difference_update": ((0, "items"), (1, "items")),
    "builtins.set.discard": ((0, "itself"),),
    "builtins.set.intersection": ((0, "items"), (1, "items")),
    "builtins.set.intersection_update": ((0, "items"), (1, "items")),
    "builtins.set.isdisjoint": ((0, "items"),),
    "builtins.set.issubset": ((0, "items"),),
    "builtins.set.issuperset": ((0, "items"),),
    "builtins.set.remove": ((0, "itself"),),
    "builtins.set.symmetric_difference": ((0, "items"),),
    "builtins.set.symmetric_difference_update": ((0, "items"),),
    "builtins.set.union": ((0, "items"), (1, "items")),
    "builtins.set.update": ((0, "items"), (1, "items")),
    "collections.Counter": ((0, "items"),),
    "collections.OrderedDict": ((0, "pairs"),),
    "collections.UserDict": ((0, "pairs"),),
    "collections.defaultdict": ((1, "pairs"),),
    "statistics.mode": ((0, "items"),),
    "statistics.multimode": ((0, "items"),),
}

UNHASHABLE: frozenset[str] = frozenset((
    "argparse.Namespace",
    "array.ArrayType",
    "array.array",
    "builtins.bytearray",
    "builtins.dict",
    "builtins.list",
    "builtins.set",
    "collections.ChainMap",
    "collections.Counter",
    "collections.OrderedDict",
    "collections.UserDict",
    "collections.UserList",
    "collections.defaultdict",
    "collections.deque",
    "configparser.ConfigParser",
    "configparser.ConverterMapping",
    "configparser.RawConfigParser",
    "configparser.SectionProxy",
    "types.MappingProxyType",
    "types.SimpleNamespace",
))

OTHERWISE: dict[str, dict[str, dict[str, object]]] = {
    "python 3.13": {
    },
    "python 3.11": {
        "UNHASHABLE": {
            "builtins.slice": True,
            "configparser.SafeConfigParser": True,
        },
    },
}
