"""Operations that may raise on a tracer, and their near neighbours that never do.

Each is a few lines over a value expression `{v}`; `out` holds the value on entry and the
result on exit, of the same shape and kind. The line marked `#!` is the operation's. `codes`
are the rules that may name it; whether it raises is not written here: JAX is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from .spec import FLAG, INTEGER, SCALAR, VECTOR

MARK = "  #!"
REAL, ROW, WHOLE, BOOL = (SCALAR,), (VECTOR,), (INTEGER,), (FLAG,)
NUMBER = REAL + WHOLE


@dataclass(frozen=True, slots=True)
class Operation:
    """`array`: a Python number will not do. `positive`: zero will not do.

    `host`: makes no jax call of its own, so it may run in a callback.
    """

    name: str
    kinds: tuple[str, ...]
    text: str
    codes: frozenset[str]
    safe: str = ""
    array: bool = False
    positive: bool = False
    host: bool = False

    def lines(self, value: str) -> list[str]:
        return self.text.replace("{v}", value).split("\n")


OPERATIONS: dict[str, Operation] = {}


def _add(codes: str, kinds: tuple[str, ...], safe: str, rows: dict[str, str], traits: str = "") -> None:
    for name, text in rows.items():
        marked = text if MARK in text else f"{text}{MARK}"
        words = traits.split()
        OPERATIONS[name] = Operation(
            name,
            kinds,
            marked,
            frozenset(f"JAX{code}" for code in codes.split()),
            safe,
            "array" in words,
            "positive" in words,
            "host" in words,
        )


_add(
    "101",
    NUMBER,
    "where",
    {
        "if": "if {v} > 1:  #!\n    out = out * 2",
        "elif": "if out is None:\n    out = 0\nelif {v} > 1:  #!\n    out = out * 2",
        "ternary": "out = out * 2 if {v} > 1 else out",
        "assert": "assert {v} > -100, 'too low'",
        "comprehension-if": "out = out + len([k for k in (1, 2) if {v} > k])",
        "match-guard": "match 1:\n    case 1 if {v} > 0:  #!\n        out = out * 2\n    case _:\n        out = out * 3",
        "if-break": "while True:\n    if out > 4:  #!\n        break\n    out = out + 1",
        "if-walrus": "if (gap := {v} - 1) > 0:  #!\n    out = out + gap",
        "if-isclose": "if jnp.isclose({v}, 2.0):  #!\n    out = out * 2",
        "ternary-nested": "out = out + (1 if {v} > 1 else 2)",
    },
)
_add(
    "101",
    BOOL,
    "where-flag",
    {
        "if-flag": "if {v}:  #!\n    label = 'yes'",
        "ternary-flag": "label = 'yes' if {v} else 'no'",
        "assert-flag": "assert {v} is not None and isinstance('a', str)\nif {v}:  #!\n    label = 'a'",
    },
)
_add("101", NUMBER, "where", {"if-truth": "if {v}:  #!\n    out = out * 2"})
_add(
    "101",
    ROW,
    "where-vector",
    {
        "if-any": "if jnp.any({v} > 1):  #!\n    out = out * 2",
        "if-all": "if ({v} > 0).all():  #!\n    out = out * 2",
        "if-sum": "if {v}.sum() > 1:  #!\n    out = out * 2",
        "if-element": "if {v}[0] > 1:  #!\n    out = out * 2",
        "if-norm": "if jnp.linalg.norm({v}) > 1:  #!\n    out = out / 2",
        "assert-finite": "assert jnp.isfinite({v}).all()",
        "ternary-max": "out = out * 2 if {v}.max() > 1 else out",
        "if-row": "for row in {v}:\n    if row > 9:  #!\n        out = out * 2",
    },
)
_add(
    "102",
    NUMBER,
    "where",
    {
        "while": "while out < 3:  #!\n    out = out + 1",
        "while-count": "count = 0\nwhile count < {v}:  #!\n    count += 1",
    },
)
_add("102 103", NUMBER, "where", {"while-and": "while out < 3 and True:  #!\n    out = out + 1"})
_add(
    "102",
    ROW,
    "where-vector",
    {
        "while-sum": "while jnp.sum(out) < 9:  #!\n    out = out + 1",
    },
)
_add("102 103", ROW, "where-vector", {"while-not-any": "while not jnp.any(out > 4):  #!\n    out = out + 1"})
_add(
    "103",
    NUMBER,
    "logical",
    {
        "and": "both = {v} > 0 and {v} < 9",
        "or": "either = {v} > 5 or {v} > 0",
        "not": "low = not {v}",
        "not-compared": "low = not ({v} > 1)",
        "chained": "inside = 0 < {v} < 9",
        "in-tuple": "hit = {v} in (7, 8, 9)",
        "or-default": "speed = {v} or 1",
    },
)
_add(
    "101 103",
    NUMBER,
    "logical",
    {
        "if-and": "if {v} > 0 and {v} < 9:  #!\n    out = out * 2",
        "if-not": "if not {v} > 1:  #!\n    out = out * 2",
        "if-chained": "if 0 < {v} < 9:  #!\n    out = out * 2",
        "if-static-and": "if jnp.ndim({v}) < 9 and {v} > 1:  #!\n    out = out * 2",
        "ternary-or": "out = out * 2 if {v} > 5 or {v} > 0 else out",
        "assert-and": "assert {v} > -100 and {v} < 100",
    },
)
_add(
    "103",
    BOOL,
    "where-flag",
    {
        "not-flag": "off = not {v}",
        "and-flag": "both = {v} and 'x'",
    },
)
_add(
    "103",
    ROW,
    "where-vector",
    {
        "not-any": "none = not jnp.any({v} > 1)",
        "and-vector": "both = {v}[0] > 0 and {v}[1] > 0",
    },
)
_add(
    "104",
    WHOLE,
    "fori",
    {
        "range": "for k in range({v}):  #!\n    out = out + k",
        "range-from": "for k in range(1, {v}):  #!\n    out = out + 0 * k",
        "range-list": "ids = list(range({v}))",
        "range-comprehension": "squares = [k * k for k in range({v})]",
        "range-len": "count = len(range({v}))",
    },
)
_add(
    "105",
    NUMBER,
    "astype",
    {
        "int": "count = int({v})",
        "int-added": "out = out + int({v})",
        "float": "size = float({v})",
        "bool-compared": "high = bool({v} > 1)",
        "complex": "phase = complex({v})",
        "float-logged": "history = []\nhistory.append(float({v}))  #!",
        "float-keyword": "sizes = dict(low=float({v}), high=2.0)",
    },
    "host",
)
_add("104 105", WHOLE, "fori", {"range-int": "for k in range(int({v})):  #!\n    out = out + k"})
_add("105", NUMBER, "astype", {"item": "size = {v}.item()"}, "array host")
_add("105", BOOL, "where-flag", {"bool-flag": "on = bool({v})", "int-flag": "on = int({v})"})
_add(
    "105",
    ROW,
    "astype-vector",
    {
        "tolist": "rows = {v}.tolist()",
        "float-element": "first = float({v}[0])",
        "float-sum": "total = float({v}.sum())",
        "int-argmax": "best = int(jnp.argmax({v}))",
        "float-rows": "rows = [float(row) for row in {v}]",
        "item-max": "top = {v}.max().item()",
        "map-float": "rows = list(map(float, {v}))",
    },
)
_add(
    "105",
    WHOLE,
    "text",
    {
        "operator-index": "k = operator.index({v})",
        "percent-d": "text = '%d steps' % {v}",
    },
    "host",
)
_add(
    "105",
    REAL,
    "text",
    {
        "format-spec": "text = f'{{v}:.2f}'",
        "format-method": "text = '{:.2f}'.format({v})",
        "format-builtin": "text = format({v}, '.2f')",
        "percent-f": "text = '%.2f' % {v}",
    },
    "host",
)
_add(
    "106",
    REAL,
    "jnp",
    {
        "np-sin": "size = np.sin({v})",
        "np-maximum": "size = np.maximum({v}, 0.0)",
        "np-asarray": "size = np.asarray({v})",
        "np-array": "size = np.array([{v}, 1.0])",
        "np-clip": "size = np.clip({v}, 0.0, 1.0)",
        "np-where": "size = np.where({v} > 0, 1.0, 0.0)",
        "np-isnan": "bad = np.isnan({v})",
        "np-full": "grid = np.full(3, {v})",
        "np-linspace": "grid = np.linspace(0.0, {v}, 3)",
        "np-interp": "size = np.interp({v}, [0.0, 1.0], [0.0, 1.0])",
        "np-sqrt-abs": "size = np.sqrt(np.abs({v}))",
    },
    "host",
)
_add(
    "105 106",
    REAL,
    "jnp",
    {
        "np-float32": "size = np.float32({v})",
        "np-buffer": "buffer = np.zeros(3)\nbuffer[0] = {v}  #!",
    },
    "host",
)
_add(
    "106",
    ROW,
    "jnp-vector",
    {
        "np-exp": "size = np.exp({v})",
        "np-dot": "size = np.dot({v}, {v})",
        "np-norm": "size = np.linalg.norm({v})",
        "np-stack": "rows = np.stack([{v}, {v}])",
        "np-concatenate": "rows = np.concatenate([{v}, {v}])",
        "np-sort": "rows = np.sort({v})",
        "np-allclose": "same = np.allclose({v}, 1.0)",
        "np-outer": "table = np.outer({v}, {v})",
        "np-asarray-vector": "rows = np.asarray({v}, dtype=np.float32)",
        "np-nan-to-num": "rows = np.nan_to_num({v})",
        "np-einsum": "rows = np.einsum('i,i->i', {v}, {v})",
        "np-unique": "rows = np.unique({v})",
        "np-array-list": "rows = np.array(list({v}))",
        "np-out-product": "size = np.multiply({v}, 2.0).sum()",
    },
    "host",
)
_add(
    "104 106 109",
    WHOLE,
    "zeros-static",
    {
        "np-zeros": "grid = np.zeros({v})",
        "np-arange": "grid = np.arange({v})",
        "np-ones-pair": "grid = np.ones(({v}, 2))",
    },
    "host",
)
_add(
    "107",
    REAL,
    "jnp",
    {
        "math-exp": "size = math.exp({v})",
        "math-floor": "size = math.floor({v})",
        "math-isfinite": "fine = math.isfinite({v})",
        "math-hypot": "size = math.hypot({v}, 1.0)",
        "math-cos": "size = math.cos({v})",
        "math-pow": "size = math.pow(2.0, {v})",
        "math-fsum": "size = math.fsum([{v}, 1.0])",
        "math-isclose": "same = math.isclose({v}, 1.0)",
    },
    "host",
)
_add(
    "107",
    WHOLE,
    "math-static",
    {
        "math-exp-integer": "size = math.exp({v})",
        "math-degrees": "size = math.degrees({v})",
    },
    "host",
)
_add(
    "108",
    WHOLE,
    "take",
    {
        "list-index": "pick = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0][{v}]",
        "tuple-index": "rows = (1, 2, 3, 4, 5, 6, 7, 8, 9)\npick = rows[{v}]  #!",
        "text-index": "letter = 'abcdefghi'[{v}]",
        "table-index": "layers = [jnp.sin, jnp.cos, jnp.tanh, jnp.exp, jnp.abs, jnp.sign, jnp.exp, jnp.cos, jnp.sin]\nchosen = layers[{v}]  #!",
    },
)
_add("106 108", WHOLE, "take", {"np-index": "pick = np.arange(99)[{v}]"})
_add("108 112", WHOLE, "take", {"list-slice": "part = [1, 2, 3, 4, 5, 6, 7, 8, 9][:{v}]"})
_add(
    "109",
    WHOLE,
    "zeros-static",
    {
        "zeros": "grid = jnp.zeros({v})",
        "ones-pair": "grid = jnp.ones(({v}, 2))",
        "full": "grid = jnp.full(({v},), 1.0)",
        "arange": "grid = jnp.arange({v})",
        "linspace": "grid = jnp.linspace(0.0, 1.0, {v})",
        "eye": "grid = jnp.eye({v})",
        "reshape": "grid = jnp.reshape(jnp.arange(24.0), ({v}, -1))",
        "reshape-method": "grid = jnp.arange(24.0).reshape({v}, -1)",
        "broadcast-to": "grid = jnp.broadcast_to(1.0, ({v}, 2))",
        "random-normal": "grid = jax.random.normal(jax.random.key(0), ({v},))",
        "one-hot": "grid = jax.nn.one_hot(0, {v})",
        "iota": "grid = jax.lax.iota(jnp.int32, {v})",
        "tile": "grid = jnp.tile(jnp.ones(2), {v})",
    },
    "positive",
)
_add("109 110", WHOLE, "zeros-static", {"repeat": "grid = jnp.repeat(jnp.ones(2), {v})"}, "positive")
_add(
    "110",
    ROW,
    "sized",
    {
        "nonzero": "hits = jnp.nonzero({v})",
        "unique": "values = jnp.unique({v})",
        "where-one": "hits = jnp.where({v} > 0)",
        "argwhere": "hits = jnp.argwhere({v} > 0)",
        "flatnonzero": "hits = jnp.flatnonzero({v})",
        "union1d": "values = jnp.union1d({v}, jnp.ones(2))",
        "setdiff1d": "values = jnp.setdiff1d({v}, jnp.ones(2))",
        "bincount": "counts = jnp.bincount(jnp.asarray({v}, jnp.int32))",
    },
)
_add(
    "111",
    ROW,
    "where-vector",
    {
        "mask": "kept = {v}[{v} > 0]",
        "mask-sum": "out = out + {v}[{v} > 0].sum()",
        "mask-named": "mask = {v} > 1\nkept = {v}[mask]  #!",
        "mask-and": "kept = {v}[({v} > 0) & ({v} < 9)]",
        "mask-set": "out = jnp.asarray({v}).at[{v} > 0].set(0.0)",
        "mask-of-other": "weights = jnp.arange(3.0)\nkept = weights[{v} > 0]  #!",
    },
)
# The mask is of JAX; what it indexes may be of NumPy.
_add(
    "106 111",
    ROW,
    "where-vector",
    {
        "mask-isfinite": "kept = {v}[jnp.isfinite({v})]",
        "mask-not": "kept = {v}[~jnp.isnan({v})]",
    },
)
_add(
    "112",
    WHOLE,
    "dynamic-slice",
    {
        "slice-stop": "part = jnp.arange(9.0)[:{v}]",
        "slice-start": "part = jnp.arange(9.0)[{v}:]",
        "slice-window": "row = jnp.arange(9.0)\npart = row[{v} : {v} + 2]  #!",
        "slice-set": "part = jnp.arange(9.0).at[:{v}].set(0.0)",
    },
)
_add("106 108 112", WHOLE, "dynamic-slice", {"np-slice": "part = np.arange(9.0)[:{v}]"})
_add(
    "109 113",
    ROW,
    "prod-static",
    {
        "zeros-prod": "grid = jnp.zeros(jnp.prod(jnp.array({v}.shape)))",
        "reshape-prod": "grid = {v}.reshape(jnp.prod(jnp.array({v}.shape)))",
    },
)
_add("105 113", ROW, "prod-static", {"int-prod": "count = int(jnp.prod(jnp.array({v}.shape)))"})
_add("101 113", ROW, "shape-if", {"if-prod": "if jnp.prod(jnp.array({v}.shape)) > 2:  #!\n    out = out * 2"})
_add(
    "501",
    ROW,
    "at-set",
    {
        "set-item": "{v}[0] = 1.0",
        "set-slice": "{v}[:2] = 1.0",
        "add-item": "{v}[0] += 1.0",
    },
)
_add(
    "117",
    NUMBER,
    "jnp",
    {
        "max": "top = max({v}, 0)",
        "min": "low = min({v}, 9)",
        "max-list": "top = max([{v}, 1])",
        "sorted": "ranked = sorted([{v}, 1])",
        "max-three": "out = out + max(0, 1, {v})",
    },
)
_add(
    "117",
    ROW,
    "jnp-vector",
    {
        "max-vector": "top = max({v})",
        "any": "hit = any({v} > 1)",
        "sorted-vector": "ranked = sorted({v})",
        "min-vector": "low = min({v})",
    },
)
_add("101 103 117", ROW, "jnp-vector", {"all": "fine = all(row > 0 for row in {v})"})

# NumPy's reductions hand a tracer back to JAX; which functions do is for JAX to say.
_add(
    "106",
    NUMBER,
    "jnp",
    {
        "np-sum": "size = np.sum({v})",
    },
    "host",
)
_add(
    "106",
    ROW,
    "jnp-vector",
    {
        "np-mean": "size = np.mean({v})",
        "np-max": "size = np.max({v})",
        "np-any": "hit = np.any({v})",
        "np-ravel": "flat = np.ravel({v})",
        "np-round": "near = np.round({v})",
    },
    "host",
)

_add(
    "",
    NUMBER,
    "",
    {
        "where": "out = jnp.where({v} > 1, {v} * 2, {v})",
        "logical": "inside = ({v} > 0) & ({v} < 9)",
        "astype": "size = jnp.asarray({v}, jnp.float32)",
        "text": "text = f'{{v}}'",
        "jnp": "size = jnp.maximum(jnp.sin({v}), 0)",
        "and-last": "both = jnp.ndim({v}) < 5 and {v} > 0",
        "cond": "out = jax.lax.cond({v} > 1, lambda a: a * 2, lambda a: a, {v})",
        "is-none": "if {v} is None:  #!\n    out = 0",
        "list-truth": "if [{v}]:  #!\n    out = out * 1",
        "dict-membership": "if 'a' in {'a': {v}}:  #!\n    out = out * 1",
        "max-single": "top = max([{v}])",
        "builtin-sum": "total = sum([{v}, 1])",
        "builtin-abs": "size = abs({v})",
        "round": "near = round({v})",
        "math-prod": "size = math.prod([{v}, 2])",
        "np-ndim": "rank = np.ndim({v})",
        "np-shape": "shape = np.shape({v})",
        "np-size": "size = np.size({v})",
        "jnp-full": "grid = jnp.full((2,), {v})",
        "jnp-array": "grid = jnp.array([{v}, {v}])",
        "jnp-clip": "out = jnp.clip({v}, 0, 9)",
        "isinstance": "if isinstance({v}, str):  #!\n    out = 0",
        "repr": "text = repr({v})",
        "debug-print": "jax.debug.print('value {}', {v})",
        "try-float": "try:\n    size = float({v})  #!\nexcept TypeError:\n    size = 0.0",
        "try-if": "try:\n    if {v} > 0:  #!\n        label = 'high'\nexcept jax.errors.TracerBoolConversionError:\n    label = 'unknown'",
        "select": "out = jax.lax.select(jnp.asarray({v} > 1), jnp.asarray({v}), jnp.asarray({v}))",
    },
)
_add(
    "",
    BOOL,
    "",
    {
        "where-flag": "label = jnp.where({v}, 1.0, 2.0)",
        "and-last-flag": "both = True and {v}",
    },
)
_add(
    "",
    ROW,
    "",
    {
        "where-vector": "out = jnp.where({v} > 0, {v}, 0.0)",
        "astype-vector": "rows = {v}.astype(np.float32)",
        "jnp-vector": "size = jnp.exp(jnp.asarray({v}))",
        "sized": "hits = jnp.nonzero({v}, size=3)",
        "unique-sized": "values = jnp.unique({v}, size=3, fill_value=0.0)",
        "where-sized": "hits = jnp.where({v} > 0, size=3)",
        "argwhere-sized": "hits = jnp.argwhere({v}, size=2)",
        "where-three": "out = jnp.where({v} > 0, {v}, -{v})",
        "bincount-length": "counts = jnp.bincount(jnp.asarray({v}, jnp.int32), length=8)",
        "prod-static": "grid = jnp.zeros(math.prod({v}.shape))",
        "np-prod-shape": "grid = jnp.zeros(int(np.prod({v}.shape)))",
        "shape-if": "if {v}.shape[0] > 2:  #!\n    out = out * 2",
        "shape-range": "for k in range({v}.shape[0]):  #!\n    out = out + k",
        "ndim-if": "if {v}.ndim != 1:  #!\n    out = out.ravel()",
        "len-range": "total = sum({v}[k] for k in range(len({v})))",
        "shape-float": "scale = 1.0 / math.sqrt({v}.shape[-1])",
        "np-zeros-shape": "base = np.zeros({v}.shape)",
        "zeros-like": "base = np.arange({v}.size)",
        "dtype-if": "if {v}.dtype == jnp.float32:  #!\n    out = out * 1.0",
        "at-set": "out = jnp.asarray({v}).at[0].set(1.0)",
        "at-add": "out = jnp.asarray({v}).at[:2].add(1.0)",
        "static-mask": "kept = {v}[np.array([True, False, True])]",
        "static-slice": "part = {v}[:2]",
        "size-slice": "half = {v}[: {v}.size // 2]",
        "unpack": "first, *rest = {v}",
        "iterate": "total = 0.0\nfor row in {v}:  #!\n    total = total + row",
        "builtin-sum-vector": "total = sum({v})",
        "host-buffer": "buffer = np.zeros(3)\nbuffer[0] = 1.0  #!",
        "list-buffer": "rows = list({v})\nrows[0] = 1.0  #!",
        "dict-buffer": "table = {}\ntable['a'] = {v}  #!",
        "host-if": "limit = np.ones(3)\nif limit[0] > 0:  #!\n    out = out * 1.0",
        "vector-sort": "ranked = jnp.sort(jnp.asarray({v}))",
    },
)
_add(
    "",
    WHOLE,
    "",
    {
        "fori": "out = jax.lax.fori_loop(0, {v}, lambda _, a: a + 0, {v})",
        "zeros-static": "grid = jnp.zeros((3,)) + {v}",
        "take": "pick = jnp.arange(9.0)[{v}]",
        "jnp-take": "pick = jnp.take(jnp.arange(9.0), {v})",
        "dynamic-slice": "part = jax.lax.dynamic_slice_in_dim(jnp.arange(9.0), {v}, 2)",
        "roll": "turned = jnp.roll(jnp.arange(9.0), {v})",
        "math-static": "size = math.exp(jnp.ndim({v}))",
        "at-dynamic": "row = jnp.zeros(9).at[{v}].set(1.0)",
        "fold-in": "key = jax.random.fold_in(jax.random.key(0), {v})",
        "arange-plus": "ids = jnp.arange(3) + {v}",
    },
)
