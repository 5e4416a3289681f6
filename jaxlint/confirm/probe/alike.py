"""Whether two results are the same: their trees, dtypes and numbers.

In: what calls gave or programs printed. Out: yes or no. Numbers of floating point may differ by what a
compiler's reordering changes in the last places, and by no more, unless exactness is asked for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def alike(left: Any, right: Any, *, typed: bool = True, exact: bool = False) -> bool:
    """Whether two trees have the same structure and leaves. typed: dtypes count as well."""
    if not typed:
        left, right = _listed(left), _listed(right)
    leaves, structure = jax.tree_util.tree_flatten(left)
    others, other = jax.tree_util.tree_flatten(right)
    if structure != other:
        return False
    return all(_alike(one, two, typed, exact) for one, two in zip(leaves, others, strict=True))


def given(literal: str) -> Any:
    """The value that a literal states; `nan` and `inf` are numbers."""
    if literal in ("nan", "inf", "-inf"):
        return float(literal)
    return ast.literal_eval(literal)


def prints_alike(lines: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two outputs have the same words and, to four places, the same numbers."""
    one, two = " ".join(lines), " ".join(others)
    words = [re.sub(r"[\s,\[\]()]+", " ", NUMBER.sub("#", text)).split() for text in (one, two)]
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (one, two)]
    return words[0] == words[1] and bool(np.allclose(numbers[0], numbers[1], rtol=1e-4, atol=1e-6))


def array(leaf: Any) -> Any:
    """A leaf as a NumPy array; a random key as its words."""
    if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    return np.asarray(leaf)


def _alike(left: Any, right: Any, typed: bool, exact: bool) -> bool:
    try:
        one, two = array(left), array(right)
    except (TypeError, ValueError):
        return bool(left == right)
    if one.shape != two.shape or (typed and one.dtype != two.dtype):
        return False
    if one.dtype.kind not in "fcV" or exact:
        if one.dtype.kind in "OSU" or two.dtype.kind in "OSU":
            return bool(np.all(one == two))
        return bool(np.array_equal(one, two, equal_nan=one.dtype.kind in "fc"))
    if one.dtype.kind == "V":  # narrow floats of ml_dtypes
        one, two = one.astype(np.float32), two.astype(np.float32)
    near = 1e-5 if one.dtype.itemsize <= 4 or not typed else 1e-12
    return bool(np.allclose(one, two, rtol=near, atol=near, equal_nan=True))


def _listed(value: Any) -> Any:
    """Tuples and arrays as nested lists, so that a literal can state them."""
    if isinstance(value, (list, tuple)):
        return [_listed(item) for item in value]
    if isinstance(value, (jax.Array, np.ndarray, np.generic)):
        return array(value).tolist()
    return value
