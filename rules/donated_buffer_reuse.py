"""JAX505: a variable is read after its buffer was donated."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import MESSAGE, Claim, DonatedRead, Event, Example, Finding, Model, Rule

# transforms that run the function as they trace it
_AT_ONCE = frozenset("grad jacobian jvp linearize value_and_grad vjp vmap".split())
_SAID = {
    "behind": ("was donated{same} before", "reading it"),
    "arguments": ("is donated{same} by this call", "passing it"),
    "turn": ("was donated{same} in the iteration before", "using it"),
}


class DonatedBufferReuse(Rule):
    """A variable is read after its buffer was donated to a compiled function.

    ## What it does
    Finds variables that are passed for an argument of `donate_argnums` or `donate_argnames` (of equinox:
    `donate="all"`) and are read after the call, before they get another value: in the statements behind it,
    as another argument of the same call, or by the same call in the next iteration of a loop. Also those that
    hold the same array (`old = params`, `old = self.params`, `old, params = params, step(params)`) or a part
    of it (`old = state.params`), those that a function of the program is given and donates, attributes and
    items of variables (`self.params`, `state["params"]`), and other parts of a record, a dict or a tuple that
    were given one variable (`Networks(params, params)`), and lists and dicts that the function puts the array
    into (`history.append(params)`, `history.append((step, params))`), arguments that a call spreads by stars
    (`step(*state)`), objects that keep what they are given, and a `functools.partial` of it, and variables
    that went into the record, the dict or the tuple that is donated (`state = State(params, moments)`). Also
    one array that is in it twice, which cannot be donated (`State(params, params)`), and what looks like a
    copy and has the same arrays (`jax.tree.map(jnp.asarray, params)`, `dict(params)`). Also what a
    loop, the constructor or another method leaves the same as what the next call donates (`target = params`
    at the end of an iteration, `self.target = self.params`). A `functools.partial` of a compiled function, or
    a method, donates what comes behind the arguments that it holds. `jax.vmap`, `jax.grad` and other
    derivatives outside of compiled functions run their function at once: a call in it deletes the whole
    batch, or the value that is differentiated.

    ## Why
    A donated buffer is where the results are written. Its array is deleted by the call, and so are arrays
    that share the buffer: reading one raises `RuntimeError: Array has been deleted`.

    ## When it is fine
    JAX leaves a buffer alone that no result has the shape and dtype of, and copies NumPy arrays: where only
    such results or arguments are known, nothing is reported, nor where nothing is known of the function and
    the variable does not get its result. Shapes, types, the structure of trees and the
    keys of dicts can still be read, and whether an array is deleted; a read in a `try` for the error that it
    raises is meant. In a compiled function nothing is donated, and a `vmap` deletes nothing that it does not
    map, since the result has an axis more. Modules of flax nnx get the new arrays by the call.
    Parts of an argument that the function does not use, or wants the shape of only, are not deleted either.
    A function that only returns what it has donated reads no buffer: that is reported if a call in the
    project reads what it gets, or nothing calls the function.
    `step.lower(...)`, `step.trace(...)` and `step.eval_shape(...)` run nothing and donate nothing, and a
    generator donates what it is given when a loop runs it, which may give the variable another value.

    ## Fix safety
    No fix is applied: either the variable is to hold the result (`state = step(state)`), or it is not to be
    donated.
    """

    code = "JAX505"
    name = "donated-buffer-reuse"
    category = "correctness"
    raises = ("RuntimeError", "ValueError", "JaxRuntimeError")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x * 0.5, donate_argnums=0)

x = jnp.ones(3)
y = step(x)
print(x - y)
""",
            good="""
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x * 0.5, donate_argnums=0)

x = jnp.ones(3)
y = step(x.copy())
print(x - y)
""",
            prints="[0.5 0.5 0.5]",
        ),
        Example(
            note="In a loop that never replaces what it donates",
            bad="""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnames="params")
def update(params, batch):
    return params - 0.5 * batch


params = jnp.zeros(3)
for batch in jnp.ones((2, 3)):
    new_params = update(params, batch)
print(new_params)
""",
            good="""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnames="params")
def update(params, batch):
    return params - 0.5 * batch


params = jnp.zeros(3)
for batch in jnp.ones((2, 3)):
    params = update(params, batch)
print(params)
""",
            prints="[-1. -1. -1.]",
            claim=Claim("raises", error="Exception", text="deleted"),
        ),
    )
    claim = Claim("raises", error="RuntimeError", text="deleted")

    def visit_DonatedRead(self, read: DonatedRead, m: Model) -> Iterator[Finding]:
        if read.when == "twice":
            yield self._twice(read)
            return
        is_other = read.name != read.donated
        same = f" as `{read.donated}`" if is_other else ""
        said, use = _SAID[read.when]
        raises = f"{'' if is_other else f'{use} '}raises RuntimeError"
        messages = [
            f"`{read.name}` {said.format(same=known)}: {raises}{also}"
            for known in (same, "")
            for also in (" or ValueError", "")
        ]
        yield Finding(
            read.nid,
            next((each for each in messages if len(each) <= MESSAGE), messages[-1]),
            help=f"keep a copy: `{read.name} = jnp.copy({read.donated})`, or do not donate it"
            if is_other
            else f"assign the result of the call to `{read.name}`, or do not donate it",
            label="the array has been deleted",
            also=((*read.call, f"`{read.donated}` is donated here"),) if read.when == "behind" else (),
        )

    @staticmethod
    def _twice(read: DonatedRead) -> Finding:
        """Of one array that is donated as two parts of an argument."""
        messages = [
            f"`{read.donated}` and `{read.name}` are one array: donating it raises RuntimeError",
            f"`{read.name}` is in it twice: donating it raises RuntimeError",
            "one array is in it twice: donating it raises RuntimeError",
        ]
        if read.name == read.donated:
            del messages[0]
        return Finding(
            read.nid,
            next(each for each in messages if len(each) <= MESSAGE),
            help="give each an array of its own: copy one of them with `jnp.copy`",
            label="one buffer is donated twice",
        )

    def stands(self, event: Event, finding: Finding, m: Model) -> bool:
        if m.is_handed_unread(event):
            return False
        around = m.transforms(event)  # in a program that is staged nothing is donated
        return not around or (around <= _AT_ONCE and event.frame.context.deletes > 0)
