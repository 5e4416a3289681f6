"""What happens to a value inside one function: opaque steps, harmless lines, local moves.

Takes the value's expression, adds lines, gives the expression that holds it afterwards.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from .block import Lines, function, indented
from .spec import VECTOR, Spec


def hidden(spec: Spec, value: str, literal: str, lines: Lines) -> str:
    """An opaque step on the value, or on what lies beside it."""
    key = "other" if spec.opaque.endswith("-sibling") else "value"
    match spec.opaque.removesuffix("-sibling"):
        case "getattr":
            lines.append(f"box = types.SimpleNamespace(value={value}, other={literal})")
            return f"getattr(box, {read_text(key)})"
        case "dict-get":
            lines.append(f'box = {{"value": {value}, "other": {literal}}}')
            return f"box.get({read_text(key)})"
        case "attrgetter":
            lines.append(f"box = types.SimpleNamespace(value={value}, other={literal})")
            return f'operator.attrgetter("{key}")(box)'
        case "choice":
            return f"random.choice([{value if key == 'value' else literal}])"
        case "reduce":
            pair = f"[{literal}, {value}]" if key == "value" else f"[{value}, {literal}]"
            return f"functools.reduce(lambda a, b: b, {pair})"
    return value


def read_text(text: str) -> str:
    """A text that only running the program tells; without quotes, as it may be put into an f-string, where
    Python 3.11 takes none of those around it."""
    return f"json.loads(bytes({[*json.dumps(text).encode()]}))"


def decoys(dice: random.Random, value: str, kind: str, leave: Callable[[str], str]) -> Lines:
    """Lines on static facts about the value; they never raise."""
    if dice.random() < 0.55:
        return []
    choices = [
        [f"if jnp.ndim({value}) > 3:", f"    {leave(value)}"],
        [f"for axis in range(jnp.ndim({value})):", "    assert axis >= 0"],
        [f"rank_of = float(jnp.ndim({value}))"],
        [f"label = f'{{jnp.shape({value})}}'"],
        [f"if isinstance({value}, (str, bytes)):", '    raise TypeError("not a number")'],
        [f"if {value} is None:", '    raise ValueError("no value")'],
        [f"rank = max(np.ndim({value}), 1)"],
        ["norm = math.sqrt(2.0)", "base = np.sqrt(norm)"],
        [f"history = [{value}]", "if history:", "    count = len(history)"],
        [f"low = jnp.where({value} > 0, {value}, 0)"],
    ]
    if kind == VECTOR:
        choices += [
            [f"if {value}.shape[0] > 2:", "    wide = True"],
            [f"base = np.zeros({value}.shape)"],
            [f"rows = [row for row in {value}]"],
            [f"half = {value}[: len({value}) // 2]"],
            [f"assert {value}.ndim == 1, {value}.shape"],
        ]
    return dice.choice(choices)


def moved(local: str, value: str, literal: str, lines: Lines) -> tuple[str, list[Lines]]:
    """Depth 0: the value moves within the traced function."""
    match local:
        case "dict-entry":
            lines.append(f'state = {{"main": {value}, "other": {literal}}}')
            return 'state["main"]', []
        case "tuple-element":
            lines.append(f"pair = ({value}, {literal})")
            return "pair[0]", []
        case "list-comprehension":
            lines.append(f"items = [item for item in ({value}, {value})]")
            return "items[1]", []
        case "dataclass-field":
            support = ["@dataclass", "class Record:", "    main: Any", "    other: Any = None"]
            lines.append(f"record = Record({value})")
            return "record.main", [support]
        case "self-attribute":
            support = [
                "class Holder:",
                *indented(function("__init__", ("self", "main"), ["self.main = main"])),
            ]
            lines.append(f"holder = Holder({value})")
            return "holder.main", [support]
        case "loop-carry":
            lines += [f"total = {literal}", "for _ in (1, 2):", f"    total = {value}"]
            return "total", []
        case "walrus":
            lines.append(f"assert (kept := {value}) is not None")
            return "kept", []
        case "unpacking":
            lines.append(f"kept, *rest = [{value}, {literal}, {literal}]")
            return "kept", []
        case "ternary":
            lines.append(f"kept = {value} if jnp.ndim({value}) < 9 else {literal}")
            return "kept", []
        case "closure":
            lines += ["def inner():", f"    return {value}", ""]
            return "inner()", []
        case "match":
            lines += [f"match {value}:", "    case kept:", "        pass"]
            return "kept", []
        case "match-mapping":
            lines += [
                f'match {{"main": {value}, "other": {literal}}}:',
                '    case {"main": kept}:',
                "        pass",
            ]
            return "kept", []
        case "try":
            lines += ["try:", f"    kept = {value}", "except KeyError:", f"    kept = {literal}"]
            return "kept", []
        case "with":
            lines += [f"with contextlib.nullcontext({value}) as kept:", "    pass"]
            return "kept", []
        case "zip":
            lines += [f"for kept, beside in zip([{value}], [{literal}]):", "    pass"]
            return "kept", []
        case "setdefault":
            lines += [
                "table = {}",
                f'table.setdefault("main", {value})',
                f'table.setdefault("other", {literal})',
            ]
            return 'table["main"]', []
        case "nonlocal":
            lines += [
                "kept = None",
                *function("keep", ("given",), ["nonlocal kept", "kept = given"]),
                "",
                f"keep({value})",
            ]
            return "kept", []
        case "pytree":
            support = [
                "@jax.tree_util.register_pytree_node_class",
                "class Pair:",
                *indented(
                    [
                        *function(
                            "__init__", ("self", "main", "label"), ["self.main = main", "self.label = label"]
                        ),
                        "",
                        *function("tree_flatten", ("self",), ["return (self.main,), self.label"]),
                        "",
                        "@classmethod",
                        *function(
                            "tree_unflatten", ("cls", "label", "children"), ["return cls(*children, label)"]
                        ),
                    ]
                ),
            ]
            lines.append(f'pair = Pair({value}, "unit")')
            return "pair.main", [support]
        case "partial":
            lines.append(f"bound = partial(lambda a, b: a, {value}, b={literal})")
            return "bound()", []
    return value, []
