"""From a specification to a small project: the files, the entry point, the operation's line.

The program is put together from the inside out: the operation with its guard, the chain of
helper calls around it, the traced function, the transform's application, the call. Blocks
go to the modules that the links name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import application, scenery
from .block import Lines, function, indented
from .form import FORMS, Wanted
from .guard import GUARDS, PREDICATE, flagged, written
from .module import Module
from .operation import MARK, OPERATIONS
from .passing import WAYS, Extra, Scene
from .spec import FLAG, SCALAR, Link, Spec
from .transform import TRANSFORMS, Calling
from .value import STEPS, literal, made

Leave = Callable[[str], str]

FUNCTIONS = (
    "step",
    "score",
    "penalty",
    "update",
    "energy",
    "residual",
    "advance",
    "smooth",
    "project",
    "measure",
    "relax",
    "shrink",
    "propose",
    "correct",
    "attend",
    "damp",
)
TITLES = ("Solver", "Sampler", "Policy", "Model", "Filter", "Schedule", "Cell", "Kernel")
RECORDS = ("State", "Batch", "Context", "Params")
CONSTANTS = ("LIMIT", "WEIGHTS", "SCALE", "OFFSET", "DEPTH")
VALUES = ("x", "z", "theta", "loss", "rate", "signal", "u", "err", "mass", "gain", "level", "q")
SIBLINGS = ("width", "radius", "horizon", "n_rows", "n_steps", "power", "degree")
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
                text = (
                    self.literal(spec.start) if spec.origin == "host" else made(spec.start, spec.dice("made"))
                )
                self.home.add(f"{value} = {text}")
            case _:
                raise ValueError(f"no such origin: {spec.origin}")
        lines += self.decoys(value, spec.start, "root", leave)
        if spec.early:
            value = self.stepped(value, lines)
        value = scenery.hidden(spec, value, self.literal(self.travelling), lines)
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

    def decoys(self, value: str, kind: str, topic: str, leave: Leave) -> Lines:
        on_host = isinstance(self.transform, Calling) and self.transform.host
        if on_host or value in self.constants:
            return []
        return scenery.decoys(self.spec.dice(f"decoys/{topic}"), value, kind, leave)

    def moved(self, value: str, lines: Lines) -> str:
        """Depth 0: the value moves within the traced function."""
        beside = self.literal(self.travelling)
        if self.spec.local != "module-global":
            value, support = scenery.moved(self.spec.local, value, beside, lines)
            for block in support:
                self.home.add(*block)
            return value
        dice, name = self.spec.dice("local"), self.constants[0]
        initial = dice.choice((beside, made(self.travelling, dice)))
        module = self.modules[1] if not self.spec.split and dice.random() < 0.5 else self.home
        module.add(f"{name} = {initial}")
        return self.home.use(module, name)

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
            self.values[depth],
            self.siblings[depth],
            self.literal(self.travelling),
            self.literal(self.travelling),
            self.records[depth],
            self.constants[depth],
            initial,
            link.take,
            self.extra(depth, flag),
            dice,
            "" if depth == 0 else str(depth + 1),
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
        for support in taken.support:
            target.add(*support)
        harmless = [*taken.unpack, f"return {taken.value}"]
        formed = FORMS[link.form](
            Wanted(
                self.functions[2 * depth],
                self.titles[depth],
                self.functions[2 * depth + 1],
                taken.parameters,
                [*taken.unpack, *inner],
                harmless,
                self.spec.dice(f"form/{depth}"),
            )
        )
        if formed.nested:
            block = [line for lines in formed.blocks for line in lines]
            setup, call = taken.send(formed.ref, value, lambda name: module.use(target, name))
            return [*block, "", *setup], call
        for definition in formed.blocks:
            target.add(*definition)
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
        return module.use(target, head) + ref[len(head) :]

    def inner(self, depth: int, value: str, module: Module, flag: str) -> Lines:
        def leave(out: str) -> str:
            return f"return {out}"

        return [
            *self.decoys(value, self.travelling, f"link/{depth}", leave),
            *self.body(depth + 1, value, module, flag, leave),
        ]

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
        target.add(
            f"class {title}:",
            *indented(
                [
                    *function("__init__", ("self", *names, *extra), stored),
                    "",
                    *(["@property"] if as_property else []),
                    *function(name, ("self",), inner),
                ]
            ),
        )
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
