"""JAX301: random keys that are drawn from twice."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, Finding, KeyUse, Model, Part, Rule, key_notes


class KeyReuse(Rule):
    """A PRNG key is reused: random numbers are drawn from a key that was already consumed.

    ## What it does
    Finds a sampler that gets a key which another sampler consumed before, under whatever name, in helpers
    and in traced code too; and a second `split` of a key where children of both splits are used at the same
    positions, since equal splits give equal keys; and a draw from a key that is made of the seed of an
    earlier one (`jax.random.key(0)` twice), where one computation has both, as data and the noise of it, or
    a model is trained with the one and asked about the other. `sample(seed=key)` of a distribution is a
    sampler, and so are dropout of equinox and haiku, samples of numpyro, and `apply` of haiku's functions
    and linen's modules of which it is certain that they draw. A function of which nothing is known consumes
    a key that is passed to it if a sampler gets that key later; but not as the second argument of three or
    more, as in `apply(params, key, x)` of a network that may draw nothing.
    The notes show where the key is made, where it was first consumed, and, inside a helper, where the helper
    consumes it.

    ## Why
    A key determines what is drawn, and drawing does not change it. Two draws of one sampler are identical,
    and those of samplers that transform the same bits, as `normal`, `uniform` and `bernoulli`, are
    correlated: weights start alike, noise does not cancel, chains move together. Others, as `randint` and
    `permutation`, split the key first; that they are independent of what else is drawn from it, JAX does not
    promise.

    ## When it is fine
    `fold_in` consumes nothing, nor does a key that is only compared, stored or looked at by `eval_shape`.
    Branches of which only one is taken may consume one key each, also under tests that exclude each other
    (`len(xs) == 1` and `len(xs) > 1`, `mode is Mode.TRAIN` and `mode is Mode.TEST`), in functions that are
    called there too, and so may the functions of a `lax.cond` and the two values of a `where`, also of one
    that `jax.tree.map` applies to the leaves of two trees, and what an index takes one of, with all that is
    drawn for one of them alone. Silent too: two draws of which no path uses both, one that is the same for
    all keys (`randint(key, (), 0, 1)`), a draw that nothing reads, or only the shape of, in functions that
    get it too, or that is kept and made only where it is not there yet; a call of whose result only parts are
    read that rest on no draw; one permutation, or one choice, of several arrays, which keeps their rows
    paired; functions whose names say that what they give is made up (`fake`, `dummy`, `mock`); a function and
    the one that by its name undoes it (`inverse_rotate`); a compiled function whose result nothing reads, and
    one that is called again to be timed, between two readings of a clock or in a `with timer():`. Silent too:
    weights that a file replaces (`tree_deserialise_leaves(path, Net(key))`), a network that is made like
    another one and by its name is its copy (`target_critic`, `init_params`), two calls that are asked to be
    equal (`allclose`), a function that evaluates two things with a key called `eval_key` or the like, and
    draws for plots, in functions whose names begin with `plot`, `show` or the like, or where all that is done
    with each of two that differ is to plot it by itself, with matplotlib, seaborn, plotly or bokeh, also
    where a function returns both. So are two calls of one function of the program that are compared: by `==`,
    as it is and compiled, with a flag on and off, on other arguments where the difference of the results is
    taken, or for settings that are written out (`price(0.1, key)`, `price(0.6, key)`) where the results are
    only printed or compared; and two that fit models (`fit_em`, `train`), where neither gets what the other
    one gives; an antithetic pair (`theta + eps` and `theta - eps`, `pos_theta` and `neg_theta`), draws that
    are added and taken away again (`perturb(params, key, -2 * eps)`), one change of a picture and of its
    mask, labels or depth, or of training and test data, and what a function that is called a benchmark draws
    where it takes the time; what is drawn for values that are only timed, waited for or asked for their
    shapes, as an example for a replay buffer is; two draws of which each position gets one (`x = where(mask,
    draw, x)`), a draw and its opposite, a second difference, data and targets that are moved alike, the key
    that an option says two draws share, what functions such as `load_model` draw, and the rule of a
    derivative; a function that is run for one thing, and by `vmap` for many, where each result is only
    printed; a step that is run again on other data, where its new state is thrown away and the rest only
    printed, logged or plotted; a call that is made again to be rendered; a dry run in a constructor, all of
    which ends in calls with the same key whose results nothing takes; and inputs of shapes that differ, as
    they are written, which are given to two functions whose results are asserted to be alike. Cells of a
    notebook, or of a script with `# %%`, are run again: what two of them draw with one key is reported where
    something is made of both draws, or two samplers fill one collection; not what each cell shows by itself,
    or what a later cell has under the same names. A draw and a `split` of one key repeat no number: see
    JAX308; nor do equal children of two splits of which those of one are drawn from, and those of the other
    only split, folded, or given to a module of flax linen as `rngs`. A function and its derivative may see
    the same draws, and so may its derivatives for other arguments, also where closures call it, and the
    backward rule that a program gives it. Other common random numbers, where two runs are to see the same
    draws, are a reuse on purpose: say so in an ignore comment.

    ## Fix safety
    No fix is applied: new keys change every number that is drawn after them.
    """

    code = "JAX301"
    name = "key-reuse"
    idle_in_tests = True
    category = "correctness"
    raises = ("KeyReuseError",)
    examples = (
        Example(
            bad="""
import jax

key = jax.random.key(0)
weights = jax.random.normal(key, (3,))
noise = jax.random.normal(key, (3,))
assert (weights == noise).all()
""",
            good="""
import jax

weight_key, noise_key = jax.random.split(jax.random.key(0))
weights = jax.random.normal(weight_key, (3,))
noise = jax.random.normal(noise_key, (3,))
assert (weights != noise).any()
""",
        ),
        Example(
            note="Equal splits of one key give equal keys",
            bad="""
import jax

key = jax.random.key(0)
weight_key, _ = jax.random.split(key)
noise_key, _ = jax.random.split(key)
weights = jax.random.normal(weight_key, (3,))
noise = jax.random.normal(noise_key, (3,))
""",
            good="""
import jax

key = jax.random.key(0)
weight_key, noise_key = jax.random.split(key)
weights = jax.random.normal(weight_key, (3,))
noise = jax.random.normal(noise_key, (3,))
""",
        ),
    )
    claim = Claim("same", calls=("weights", "noise"))

    def visit_KeyUse(self, use: KeyUse, m: Model) -> Iterator[Finding]:
        if use.kind == "draw" and not use.in_loop:
            yield Finding(
                use.nid,
                "reuses a PRNG key that was already consumed: the samples may be identical or correlated",
                help="key, subkey = jax.random.split(key), and draw once from each",
                label="consumed again",
                names={"call": Part(use.nid, ("func",))},
                traced=False,
                cause=use.cause,
                also=key_notes(use, m, "{key} is first consumed here"),
            )
        elif use.kind == "seed":
            yield Finding(
                use.nid,
                "draws from the same PRNG key as before: keys of one seed are equal",
                help="key, other_key = jax.random.split(jax.random.key(seed)), and draw once from each",
                label="consumed again",
                names={"call": Part(use.nid, ("func",))},
                traced=False,
                cause=use.cause,
                also=key_notes(use, m, "a key of the same seed is consumed here"),
            )
