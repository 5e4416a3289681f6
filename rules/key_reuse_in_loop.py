"""JAX302: random keys that every iteration of a loop consumes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Claim,
    Example,
    Finding,
    Fix,
    KeyUse,
    Located,
    Model,
    Part,
    Rule,
    counters,
    cst,
    is_steady,
    key_notes,
    meaning,
    reached,
    reads,
    replaced,
    unused,
)

_FOLD = "jax.random.fold_in"


class KeyReuseInLoop(Rule):
    """A PRNG key from outside a loop is consumed in every iteration.

    ## What it does
    Finds a sampler in a loop whose key is the same in every iteration: in `for` and `while`, in
    comprehensions, in `map`, `starmap` and `tree.map`, and in the bodies of `scan`, `fori_loop` and
    `while_loop`; and a `split` there whose children are drawn from. A retry is a loop too: a `try` that
    raises an error itself where a test of the draw says so, and a handler that goes on with the next attempt.
    An `apply` of haiku or linen, such as `apply(variables, x, rngs={"dropout": key})`, is a sampler where it
    certainly draws. The notes show where the key is made and which loop does not change it.

    ## Why
    A key determines what is drawn, and drawing does not change it. Each iteration draws the numbers of the
    one before: a random walk goes straight on, every batch drops the same units, rejection tries one proposal
    for ever.

    ## When it is fine
    A key that the loop replaces, `key, subkey = split(key)`, or takes from an array of keys, or makes by
    `fold_in` of its counter, is new in every iteration. A draw that leaves the loop happens once. One
    permutation, or one choice, of several arrays keeps their rows paired. Equal parameters of `init` may be
    meant, but for those that a comprehension `for _ in ...` makes, itself or by a function that it calls.
    Functions whose names say that what they give is made up (`fake`, `dummy`, `mock`) may draw it with one
    key. Runs of a sweep may begin alike: a function that is called for each of several fractions that are
    written out, or `train` and `fit` for each setting, where the next call gets nothing of what it gives;
    what is drawn for each of several numbers that are written out, with that number, and put into results
    (`errors.append(...)`, `losses[n] = ...`) which nothing pools; and so may what is drawn by, or with,
    each of the things that a loop goes through, where it is only plotted. A loop that is timed, and whose
    results nothing reads, may draw the same, and so may a function that measures how long something takes
    with what it draws. So may one that takes another part of one draw in each
    iteration (`permutation(key, n)[i:i + size]`), goes through opposite numbers (`(h, -h)`, `(1, -1)`),
    takes the difference of two results, gives scores to candidates of which it picks the best, or makes
    several things of which one is taken (`lax.switch(index, made, ...)`, `made[index]`); and an evaluation of
    what the loop changes: one that is only printed or logged, one in some of the iterations that is only
    shown, or one with a key whose name says that it is for that (`eval_key`), also one that an object keeps.
    In a notebook so may a function that each turn calls with what the loop goes through or changes, where all
    that comes of the results is to print, log or plot them, by turn. A retry for an error that rests on
    something else than the draw, or that changes what the `try` makes of it, may draw the same again.

    ## Fix safety
    The fix folds the loop's counter into the key, `fold_in(key, i)`, and is only shown: whether the loop
    should do that, carry the key or go over split keys cannot be known, and each changes the numbers that are
    drawn. It is offered where all loops around the call count by `range`, `enumerate` or `fori_loop`, and
    where nothing else reads the variable that holds the key.
    """

    code = "JAX302"
    name = "key-reuse-in-loop"
    idle_in_tests = True
    category = "correctness"
    fix = "displayonly"
    raises = ("KeyReuseError",)
    unless = ("JAX301",)
    examples = (
        Example(
            bad="""
import jax

key = jax.random.key(0)
draws = []
for _ in range(3):
    draws.append(jax.random.normal(key))
""",
            good="""
import jax

key = jax.random.key(0)
draws = []
for step in range(3):
    draws.append(jax.random.normal(jax.random.fold_in(key, step)))
""",
        ),
    )
    claim = Claim("same", calls=("draws[0]", "draws[1]", "draws[2]"))

    def visit_KeyUse(self, use: KeyUse, m: Model) -> Iterator[Finding]:
        if use.kind == "draw" and use.in_loop:
            yield Finding(
                use.nid,
                "reuses the same PRNG key in every iteration: the samples will be identical",
                help="jax.random.fold_in(key, i), or split the key in every iteration",
                label="consumed in every iteration",
                names={"call": Part(use.nid, ("func",))},
                data=m.holders(use),
                traced=False,
                cause=use.cause,
                also=key_notes(use, m),
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        call = code.node(finding.nid)
        if not isinstance(call, cst.Call) or len(finding.data) != 1:
            return None
        ((name, is_one),) = finding.data
        given = [each for each in _given(call) if isinstance(each, cst.Name) and each.value == name]
        is_one = is_one or (meaning(code, call.func) or "").startswith("jax.random.")
        if len(given) != 1 or not is_one or not _is_read_alone(code, given[0]):
            return None
        found = counters(code, call, name)
        fold = reached(code, _FOLD)
        if not found or fold is None:
            return None
        text, edits = name, [*fold[1]]
        called: set[str] = set()
        for counter in reversed(found):
            number = counter.value
            if number == "_":
                if any(reads(code, counter)):
                    return None
                number = unused(code, "step", called)
                edits.append(replaced(code, counter, number))
            elif not is_steady(code, counter):
                return None
            called.add(number)
            text = f"{fold[0]}({text}, {number})"
        if len(called) < len(found):
            return None
        edit = replaced(code, given[0], text)
        return Fix("displayonly", "fold the loop counter into the key", (edit, *edits))


def _given(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """The arguments of a call, and what stands in an argument that is a dict of keys by name."""
    for arg in call.args:
        if isinstance(arg.value, cst.Dict):
            yield from (each.value for each in arg.value.elements if isinstance(each, cst.DictElement))
        elif not arg.star:
            yield arg.value


def _is_read_alone(code: Located, name: cst.Name) -> bool:
    """Whether nothing else is made of the key: all other reads replace it, or hand it on."""
    return all(each is name or _is_replaced(code, each) for each in reads(code, name))


def _is_replaced(code: Located, name: cst.Name) -> bool:
    """Whether the statement around a read gives the variable another value, or returns this one."""
    statement: cst.CSTNode | None = name
    while statement is not None and not isinstance(statement, cst.BaseSmallStatement):
        statement = code.parent(statement)
    if isinstance(statement, cst.Return):
        return not any(isinstance(each, cst.Call) for each in _between(code, name, statement))
    if not isinstance(statement, cst.Assign):
        return False
    targets = [each.target for each in statement.targets]
    return any(_holds(target, name.value) for target in targets)


def _between(code: Located, node: cst.CSTNode, end: cst.CSTNode) -> Iterator[cst.CSTNode]:
    inner = code.parent(node)
    while inner is not None and inner is not end:
        yield inner
        inner = code.parent(inner)


def _holds(node: cst.CSTNode, name: str) -> bool:
    return (isinstance(node, cst.Name) and node.value == name) or any(
        _holds(each, name) for each in node.children
    )
