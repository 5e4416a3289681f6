"""From a specification to a small project: the files, the entry point, the operation's line.

The program is put together from the inside out: the operation with its guard, the chain of
helper calls around it, the traced function, the transform's application, the call. Blocks
go to the modules that the links name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import application
from .guard import GUARDS, PREDICATE, flagged, written
from .module import Module
from .operation import MARK, OPERATIONS
from .passing import (
    FORMS,
    WAYS,
    Extra,
    Lines,
    Scene,
    Wanted,
    function,
    indented,
)
from .spec import FLAG, SCALAR, VECTOR, Flag, Link, Spec
from .transform import TRANSFORMS, Calling
from .value import STEPS, literal, made

Leave = Callable[[str], str]

FUNCTIONS = ("step", "score", "penalty", "update", "energy", "residual", "advance", "smooth", "project",
             "measure", "relax", "shrink", "propose", "correct", "attend", "damp")
TITLES = ("Solver", "Sampler", "Policy", "Model", "Filter", "Schedule", "Cell", "Kernel")
RECORDS = ("State", "Batch", "Context", "Params")
CONSTANTS = ("LIMIT", "WEIGHTS", "SCALE", "OFFSET", "DEPTH")
VALUES = ("x", "z", "theta", "loss", "rate", "signal", "u", "err", "mass", "gain", "level", "q")
SIBLINGS = ("width", "order", "bound", "size_", "count_", "power", "degree")
FLAGS = ("host", "debug", "check", "eager", "training", "strict")
MODULES = ("main", "core", "ops")


@dataclass(frozen=True, slots=True)
class Program:
    """Files by path; `entry` is the module to run; the operation is at `path`:`row`."""

    spec: Spec
    files: dict[str, str]
    roots: tuple[str, ...]
    entry: str
    path: str
    row: int

    def shown(self) -> str:
        parts = []
        for path, text in self.files.items():
            if not text:
                continue
            rows = text.rstrip("\n").split("\n")
            numbered = "\n".join(f"{row:4} {line}" for row, line in enumerate(rows, 1))
            parts.append(f"--- {path}\n{numbered}")
        return "\n".join(parts)


class Writer:
    """Writes one program; the names of its parts do not depend on the edited field."""

    def __init__(self, spec: Spec, package: str) -> None:
        self.spec = spec
        self.operation = OPERATIONS[spec.operation]
        self.transform = TRANSFORMS[spec.transform]
        self.package = "" if spec.layout == "flat" else package
        self.modules = [Module(name, self.package, str(spec.seed)) for name in MODULES]
        self.main = self.modules[0]
        self.home = self.modules[int(spec.split)]
        self.functions = self._pool("functions", FUNCTIONS)
        self.titles = self._pool("titles", TITLES)
        self.records = self._pool("records", RECORDS)
        self.constants = self._pool("constants", CONSTANTS)
        self.values = self._pool("values", VALUES)
        self.siblings = self._pool("siblings", SIBLINGS)
        self.flag_name = self._pool("flags", FLAGS)[0]
        self.value = self.values[-1]  # the traced parameter's name
        self.travelling = spec.operand if spec.early else spec.start
        self.plain_calls: list[str] = []

    def _pool(self, topic: str, names: tuple[str, ...]) -> list[str]:
        mixed = list(names)
        self.spec.dice(f"names/{topic}").shuffle(mixed)
        return mixed

    def literal(self, kind: str) -> str:
        return literal(kind, self.operation.array)

    @property
    def config_name(self) -> str:
        return self.flag_name if self._static_flag else self.siblings[-1]

    @property
    def _static_flag(self) -> bool:
        return self.spec.flag is not None and self.spec.flag.source == "static"

    @property
    def config_literal(self) -> str:
        if self._static_flag:
            assert self.spec.flag is not None
            return str(written(self.spec.flag))
        if self.spec.origin == "config":
            if self.spec.opaque == "json-config":
                return 'SETTINGS["value"]'
            return self.literal(self.spec.start)
        return "3"

    # -- the traced function's body ------------------------------------------------------

    def root_body(self, config: str, leave: Leave) -> Lines:
        """`config` is the expression for the second argument inside the function."""
        spec, lines = self.spec, list[str]()
        match spec.origin:
            case "traced":
                value = self.value
            case "config":
                value = config
            case "made":
                value = "fresh"
                lines.append(f"fresh = {made(spec.start, spec.dice('made'))}")
            case "host" | "device":
                value = self.constants[-1]
                text = self.literal(spec.start) if spec.origin == "host" else made(
                    spec.start, spec.dice("made"))
                self.home.add(f"{value} = {text}")
            case _:
                raise ValueError(f"no such origin: {spec.origin}")
        lines += self.decoys(value, spec.start, "root", leave)
        if spec.early:
            value = self.stepped(value, lines)
        value = self.hidden(value, lines)
        flag = config if self._static_flag else ""
        if spec.flag is not None and spec.flag.source == "threaded":
            flag = str(written(spec.flag))
        if not spec.links:
            value = self.moved(value, lines)
        return lines + self.body(0, value, self.home, flag, leave)

    def stepped(self, value: str, lines: Lines) -> str:
        step = STEPS[self.spec.step]
        if not step.text:
            return value
        lines.append(f"stepped = {step.text.replace('{v}', value)}")
        return "stepped"

    def hidden(self, value: str, lines: Lines) -> str:
        """An opaque step on the value, or on what lies beside it."""
        key = "other" if self.spec.opaque.endswith("-sibling") else "value"
        beside = self.literal(self.travelling)
        match self.spec.opaque.removesuffix("-sibling"):
            case "getattr":
                lines.append(f"box = types.SimpleNamespace(value={value}, other={beside})")
                return f"getattr(box, json.loads('\"{key}\"'))"
            case "dict-get":
                lines.append(f'box = {{"value": {value}, "other": {beside}}}')
                return f"box.get(json.loads('\"{key}\"'))"
            case "attrgetter":
                lines.append(f"box = types.SimpleNamespace(value={value}, other={beside})")
                return f'operator.attrgetter("{key}")(box)'
            case "choice":
                return f"random.choice([{value if key == 'value' else beside}])"
            case "reduce":
                pair = f"[{beside}, {value}]" if key == "value" else f"[{value}, {beside}]"
                return f"functools.reduce(lambda a, b: b, {pair})"
        return value

    def decoys(self, value: str, kind: str, topic: str, leave: Leave) -> Lines:
        """Lines on static facts about the value; they never raise."""
        dice = self.spec.dice(f"decoys/{topic}")
        if dice.random() < 0.55 or isinstance(self.transform, Calling) and self.transform.host:
            return []
        if value in self.constants:
            return []
        choices = [
            [f"if jnp.ndim({value}) > 3:", f"    {leave(value)}"],
            [f"for axis in range(jnp.ndim({value})):", "    assert axis >= 0"],
            [f"width = float(jnp.ndim({value}))"],
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

    # -- the chain of calls --------------------------------------------------------------

    def body(self, depth: int, value: str, module: Module, flag: str, leave: Leave) -> Lines:
        """The rest of a function, from where it has the value to its last return."""
        if depth == len(self.spec.links):
            return self.leaf(value, module, flag, leave)
        link = self.spec.links[depth]
        if link.way == "returned":
            return self.returned(depth, value, module, flag, leave)
        setup, call = self.link(depth, link, value, module, flag)
        return [*setup, leave(call)]

    def leaf(self, value: str, module: Module, flag: str, leave: Leave) -> Lines:
        lines: Lines = []
        if not self.spec.early:
            value = self.stepped(value, lines)
        lines.append(f"out = {value}")
        if self.spec.guard == "predicate":
            module.add(*PREDICATE)
        guarded = GUARDS[self.spec.guard](value, self.operation.lines(value), leave)
        if self.spec.flag is not None:
            guarded = flagged(self.spec.flag, self.flag_at(module, flag), value, guarded, leave)
        return [*lines, *guarded, leave("out")]

    def flag_at(self, module: Module, passed: str) -> str:
        flag = self.spec.flag
        assert flag is not None
        shown = str(written(flag))
        match flag.source:
            case "literal":
                return shown
            case "constant":
                name = f"USE_{self.flag_name.upper()}"
                text = f"json.loads('{shown.lower()}')" if self.spec.opaque == "json-flag" else shown
                module.add(f"{name} = {text}")
                return name
        return passed

    def extra(self, depth: int, passed: str) -> Extra:
        flag, name = self.spec.flag, self.flag_name
        if flag is None or flag.source in ("literal", "constant"):
            return Extra()
        last = depth == len(self.spec.links) - 1
        other = str(self.spec.dice("flag").random() < 0.5)
        if flag.source in ("threaded", "static"):
            return Extra(f"{name}={other}", f"{name}={passed}")
        if not last:
            return Extra()
        if flag.source == "default":
            return Extra(f"{name}={written(flag)}")
        return Extra(f"{name}={other}", f"{name}={written(flag)}")

    def target(self, link: Link, module: Module) -> Module:
        return self.modules[self.modules.index(module) + 1] if link.other else module

    def scene(self, depth: int, link: Link, flag: str) -> Scene:
        dice = self.spec.dice(f"way/{depth}")
        initial = dice.choice((self.literal(self.travelling), made(self.travelling, dice)))
        return Scene(
            self.values[depth], self.siblings[depth], self.literal(self.travelling),
            self.literal(self.travelling), self.records[depth], self.constants[depth], initial, link.take,
            self.extra(depth, flag), dice, "" if depth == 0 else str(depth + 1),
        )

    def link(self, depth: int, link: Link, value: str, module: Module, flag: str) -> tuple[Lines, str]:
        """Lines before the call, and the call; definitions go where they belong."""
        target = self.target(link, module)
        scene = self.scene(depth, link, flag)
        if link.way == "closure":
            return self.closure(depth, scene, value, module, target, flag)
        if link.way == "self-attribute":
            return self.self_attribute(depth, scene, value, module, target, flag)
        taken = WAYS[link.way](scene)
        inner_flag = self.flag_name if scene.extra.parameter else flag
        inner = self.inner(depth, taken.value, target, inner_flag)
        for block in taken.support:
            target.add(*block)
        harmless = [*taken.unpack, f"return {taken.value}"]
        formed = FORMS[link.form](Wanted(
            self.functions[2 * depth], self.titles[depth], self.functions[2 * depth + 1],
            taken.parameters, [*taken.unpack, *inner], harmless, self.spec.dice(f"form/{depth}"),
        ))
        if formed.nested:
            block = [line for lines in formed.blocks for line in lines]
            setup, call = taken.send(formed.ref, value, lambda name: module.use(target, name))
            return [*block, "", *setup], call
        for lines in formed.blocks:
            target.add(*lines)
        ref = self.imported(module, target, formed.ref)
        if depth == 0:
            self.note_plain_call(link, ref, module)
        if self.spec.opaque == "globals" and depth == 0 and formed.ref.isidentifier() and target is module:
            ref = f'globals()["{formed.ref}"]'
        return taken.send(ref, value, lambda name: module.use(target, name))

    def note_plain_call(self, link: Link, ref: str, module: Module) -> None:
        """A call of the first helper on host values, beside the traced one."""
        if link.way in ("positional", "partial") and link.take == "alone" and module is self.main:
            self.plain_calls.append(f"print({ref}({self.literal(self.travelling)}))")

    @staticmethod
    def imported(module: Module, target: Module, ref: str) -> str:
        head = ref[: next((k for k, letter in enumerate(ref) if letter in ".[("), len(ref))]
        return module.use(target, head) + ref[len(head):]

    def inner(self, depth: int, value: str, module: Module, flag: str) -> Lines:
        def leave(out: str) -> str:
            return f"return {out}"

        return [*self.decoys(value, self.travelling, f"link/{depth}", leave),
                *self.body(depth + 1, value, module, flag, leave)]

    def closure(
        self, depth: int, s: Scene, value: str, module: Module, target: Module, flag: str
    ) -> tuple[Lines, str]:
        name, maker = self.functions[2 * depth], self.functions[2 * depth + 1]
        extra = (s.extra.parameter,) if s.extra.parameter else ()
        given = (s.extra.argument,) if s.extra.argument else ()
        inner_flag = self.flag_name if extra else flag
        if target is module and s.dice.random() < 0.5:
            inner = self.inner(depth, s.sibling if s.take == "sibling" else value, target, inner_flag)
            bound = [f"{s.sibling} = {s.literal}"] if s.pair else []
            return [*bound, *function(name, extra, inner), ""], f"{name}({', '.join(given)})"
        names = (s.value, *((s.sibling,) if s.pair else ()))
        inner = self.inner(depth, s.used, target, inner_flag)
        target.add(*function(maker, (*names, *extra), [*function(name, (), inner), "", f"return {name}"]))
        sent = ", ".join((value, *((s.literal,) if s.pair else ()), *given))
        return [], f"{self.imported(module, target, maker)}({sent})()"

    def self_attribute(
        self, depth: int, s: Scene, value: str, module: Module, target: Module, flag: str
    ) -> tuple[Lines, str]:
        name, title = self.functions[2 * depth], self.titles[depth]
        extra = (s.extra.parameter,) if s.extra.parameter else ()
        given = (s.extra.argument,) if s.extra.argument else ()
        inner = self.inner(depth, f"self.{s.used}", target, f"self.{self.flag_name}" if extra else flag)
        names = (s.value, *((s.sibling,) if s.pair else ()))
        stored = [f"self.{each} = {each}" for each in (*names, *((self.flag_name,) if extra else ()))]
        as_property = s.dice.random() < 0.3
        target.add(f"class {title}:", *indented([
            *function("__init__", ("self", *names, *extra), stored), "",
            *(["@property"] if as_property else []), *function(name, ("self",), inner),
        ]))
        sent = ", ".join((value, *((s.literal,) if s.pair else ()), *given))
        made_object = f"{self.imported(module, target, title)}({sent})"
        ending = name if as_property else f"{name}()"
        if s.dice.random() < 0.5:
            return [f"{s.name('holder')} = {made_object}"], f"{s.name('holder')}.{ending}"
        return [], f"{made_object}.{ending}"

    def returned(self, depth: int, value: str, module: Module, flag: str, leave: Leave) -> Lines:
        """The helper gives the value back; the operation stays with the caller."""
        link = self.spec.links[depth]
        target, s = self.target(link, module), self.scene(depth, link, flag)
        name = self.functions[2 * depth]
        ref = self.imported(module, target, name)
        result = f"{s.value}_{depth}"
        sent = ", ".join((value, *((s.literal,) if s.pair else ())))
        names = (s.value, *((s.sibling,) if s.pair else ()))
        if s.pair:
            target.add(*function(name, names, [f"return {s.value}, {s.sibling}"]))
            beside = f"{s.sibling}_{depth}"
            lines = [f"{result}, {beside} = {ref}({sent})"]
            result = beside if link.take == "sibling" else result
        else:
            changed = "" if self.travelling == FLAG or s.dice.random() < 0.5 else " * 1"
            target.add(*function(name, names, [f"return {s.value}{changed}"]))
            lines = [f"{result} = {ref}({sent})"]
        return lines + self.body(depth + 1, result, module, flag, leave)

    def moved(self, value: str, lines: Lines) -> str:
        """Depth 0: the value moves within the traced function."""
        dice, literal_ = self.spec.dice("local"), self.literal(self.travelling)
        match self.spec.local:
            case "dict-entry":
                lines.append(f'state = {{"main": {value}, "other": {literal_}}}')
                return 'state["main"]'
            case "tuple-element":
                lines.append(f"pair = ({value}, {literal_})")
                return "pair[0]"
            case "list-comprehension":
                lines.append(f"items = [item for item in ({value}, {value})]")
                return "items[1]"
            case "dataclass-field":
                self.home.add("@dataclass", "class Record:", "    main: Any", "    other: Any = None")
                lines.append(f"record = Record({value})")
                return "record.main"
            case "self-attribute":
                self.home.add("class Holder:", *indented(function("__init__", ("self", "main"), [
                    "self.main = main"])))
                lines.append(f"holder = Holder({value})")
                return "holder.main"
            case "loop-carry":
                lines += [f"total = {literal_}", "for _ in (1, 2):", f"    total = {value}"]
                return "total"
            case "module-global":
                name = self.constants[0]
                initial = dice.choice((literal_, made(self.travelling, dice)))
                module = self.modules[1] if self.spec.split is False and dice.random() < 0.5 else self.home
                module.add(f"{name} = {initial}")
                return self.home.use(module, name)
            case "walrus":
                lines.append(f"assert (kept := {value}) is not None")
                return "kept"
            case "unpacking":
                lines.append(f"kept, *rest = [{value}, {literal_}, {literal_}]")
                return "kept"
            case "ternary":
                lines.append(f"kept = {value} if jnp.ndim({value}) < 9 else {literal_}")
                return "kept"
            case "closure":
                lines += ["def inner():", f"    return {value}", ""]
                return "inner()"
            case "partial":
                lines.append(f"bound = partial(lambda a, b: a, {value}, b={literal_})")
                return "bound()"
        return value

    # -- the whole -----------------------------------------------------------------------

    def program(self) -> Program:
        call = application.write(self)
        spec = self.spec
        if spec.origin == "config" and spec.opaque == "json-config":
            value = {SCALAR: "2.0", FLAG: "true"}.get(spec.start, "3")
            self.main.blocks.insert(0, [f"SETTINGS = json.loads('{{\"value\": {value}}}')"])
        plain = self.plain_calls[:1] if spec.also_eager else []
        self.main.add(*self.entry_lines(call, plain))
        return self.laid_out()

    def entry_lines(self, call: str, before: Lines) -> Lines:
        dice = self.spec.dice("entry")
        lines = [*before, f"print({call})" if dice.random() < 0.3 else f"result = {call}"]
        if self.spec.opaque == "disable-jit":
            lines = ["with jax.disable_jit():", *indented(lines)]
        match dice.randrange(3):
            case 0:
                return lines
            case 1:
                return ['if __name__ == "__main__":', *indented(lines)]
        return [*function("run_all", (), lines), "", "", "run_all()"]

    def laid_out(self) -> Program:
        """The module texts at their paths, with the mark taken out and remembered."""
        package, source = self.package, "src/" if self.spec.layout == "src" else ""
        folder = f"{source}{package}/" if package else ""
        files: dict[str, str] = {}
        found = ("", 0)
        used = [module for module in self.modules if module.blocks]
        for module in used:
            rows = module.text().split("\n")
            for number, row in enumerate(rows, 1):
                if row.endswith(MARK):
                    found = (f"{folder}{module.name}.py", number)
            files[f"{folder}{module.name}.py"] = "\n".join(row.removesuffix(MARK) for row in rows)
        if package:
            exports = [line for module in reversed(used) for line in module.reexports]
            files[f"{folder}__init__.py"] = "".join(f"{line}\n" for line in dict.fromkeys(exports))
        entry = f"{package}.main" if package else "main"
        return Program(self.spec, files, (source.rstrip("/"),), entry, *found)


def write(spec: Spec, package: str = "demo") -> Program:
    return Writer(spec, package).program()
