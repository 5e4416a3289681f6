"""Classes of libraries of which the analysis knows the fields, as if the project defined them.

In: the dotted name of a class. Out: a class with its fields and methods; what a method does is the model of
that name in `library.models`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jaxlint.domain.objects import Class, Environment, Module
from jaxlint.domain.values import External, Product
from jaxlint.ir.program import ClassCode, Code, Program


@dataclass(frozen=True, slots=True)
class Record:
    """A class of a library that is a record. static: the fields that no transform traces."""

    base: str
    marks: tuple[str, ...]
    fields: tuple[str, ...]
    static: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    makers: tuple[str, ...] = ()


RECORDS: Final[Mapping[str, Record]] = {
    "flax.training.train_state.TrainState": Record(
        "flax.struct.PyTreeNode",
        ("pytree", "dataclass", "frozen", "replaces"),
        ("step", "apply_fn", "params", "tx", "opt_state"),
        static=("apply_fn", "tx"),
        methods=("apply_gradients",),
        makers=("create",),
    ),
    "jraph.GraphsTuple": Record(
        "typing.NamedTuple",
        ("namedtuple",),
        ("nodes", "edges", "receivers", "senders", "globals", "n_node", "n_edge"),
    ),
}


def class_of(name: str) -> Class | None:
    """The class of a library with this name, where its fields are known."""
    record = RECORDS.get(name)
    return None if record is None else _made(name, record)


def records_with(names: Collection[str], by_position: Collection[str] = ()) -> str:
    """The only class that has a method among these attributes, where it has all of them; or nothing.
    `by_position`: what is called with positional arguments; all arguments of the methods are keywords."""
    having = [name for name, each in RECORDS.items() if not set(each.methods).isdisjoint(names)]
    having = [name for name in having if set(RECORDS[name].methods).isdisjoint(by_position)]
    known = {each for name in having for each in (*RECORDS[name].fields, *RECORDS[name].methods, "replace")}
    return having[0] if len(having) == 1 and known.issuperset(names) else ""


def named_tuple(name: str, fields: Sequence[str]) -> Class:
    """The class of the named tuples that a function of a library gives."""
    return _made(name, Record("typing.NamedTuple", ("namedtuple",), tuple(fields)))


def _made(name: str, record: Record) -> Class:
    holder, _, last = name.rpartition(".")
    body = Code(0, "<module>", "<module>", 0)
    module = Module(holder.replace(".", "/"), (holder,), False, Program(codes=[body]))
    found = Class(ClassCode(-1, last, last, 0, (), (), (), ()), module, Environment(None, module, None))
    found.bases = (External(record.base),)
    found.marks.update(record.marks)
    found.fields = {each: (None, each in record.static) for each in record.fields}
    for each in record.methods:
        found.attributes[each] = Product("library-method", f"{name}.{each}")
    for each in record.makers:
        found.attributes[each] = Product("classmethod", External(f"{name}.{each}"))
    return found
