"""JAX310: random keys that a split makes and nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Call, Claim, Example, Finding, Model, Rule

_SAYS_SO = ("_", "unused", "dummy", "ignored")


class UnusedSubkey(Rule):
    """A subkey of a split is never used.

    ## What it does
    Finds `jax.random.split` in a function whose result, or a part of it, goes into a variable that nothing
    reads: neither what follows, on any path, nor a function inside. The key that is carried on may be left
    over at the end: in `key, subkey = split(key)`, and wherever a later part is used, the first part is not
    reported.

    ## Why
    Most often the wrong key is used: what was to be drawn from the subkey is drawn from the key, which is
    then split, or drawn from, once more. Otherwise the split is made for nothing, and each eager call pays
    for it.

    ## When it is fine
    Where it keeps later draws the same while code is changed. Silent for names that begin with `_`, `unused`,
    `dummy` or `ignored`, for `del subkey`, for variables of modules, which others may import, and for those
    of other scopes (`global`, `nonlocal`); where `locals()` or `eval` may read the variable; in test files.

    ## Fix safety
    No fix is applied: another split, or none, changes every number that is drawn after it.
    """

    code = "JAX310"
    name = "unused-subkey"
    category = "suspicious"
    idle_in_tests = True
    nursery = True
    calls = ("jax.random.split",)
    examples = (
        Example(
            bad="""
import jax


def initial(key):
    weight_key, bias_key = jax.random.split(key)
    return jax.random.normal(weight_key, (3,))


key = jax.random.key(0)
print(initial(key).shape)
""",
            good="""
import jax


def initial(key):
    return jax.random.normal(key, (3,))


key = jax.random.key(0)
print(initial(key).shape)
""",
        ),
    )
    claim = Claim("warm-binds", calls=("initial(key)",), bad=">=1", good=0)

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        carried = m.names_in(call)
        bindings = m.bindings(call)
        unused = [each for each in bindings if m.is_read(call, each) is False]
        is_partly_used = len(unused) < len(bindings)
        for binding in unused:
            if binding.name in carried or binding.name.startswith(_SAYS_SO):
                continue
            if binding.path == (0,) and is_partly_used:
                continue  # it is what is left to be carried on
            yield Finding(
                binding.nid,
                "`{name}` is split off a key and never used",
                label="never used",
                names={"name": binding.name},
                traced=False,
            )
