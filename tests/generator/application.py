"""Ways of applying a transform to the traced function, written into a program.

Takes a `Writer`, which gives the traced function's body and the names; adds the function,
the transform's application and whatever wrapper it goes through to the program's modules,
and returns the expression that runs it.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from .block import Lines, function, indented
from .transform import Calling, Layer, Wrapping
from .value import argument

if TYPE_CHECKING:
    from .program import Writer

WRAPPERS = ("compiled", "prepared", "accelerated")


def write(w: Writer) -> str:
    if isinstance(w.transform, Calling):
        return _Called(w, w.transform).write()
    return _Wrapped(w, w.transform).write()


class _Applied:
    """What both kinds of transform share: names, the argument, the traced function."""

    def __init__(self, w: Writer) -> None:
        self.w, self.spec = w, w.spec
        self.dice = w.spec.dice("application")
        self.name = w.functions[-1]
        self.title = w.titles[-1]
        self.config = w.config_name
        self.has_config = self.spec.binding != "absent"
        self.wrapper = self.dice.choice(WRAPPERS)
        self.polymorphic = self.dice.random() < 0.6
        # The wrapper lives in the last module that nothing else imports upwards from.
        self.wrapper_home = w.modules[2] if self.dice.random() < 0.4 else w.home

    def import_from_home(self, name: str) -> str:
        return self.w.main.use(self.w.home, name)

    def sent(self, value: str) -> str:
        return f"{value}, {self.w.config_literal}" if self.has_config else value

    def made_by_factory(self, parameters: tuple[str, ...]) -> str:
        """`make(3)`: the function closes over its second argument."""
        inner = function(self.name, parameters, self.body(self.config))
        config = (self.config,) if self.has_config else ()
        self.w.home.add(*function(f"make_{self.name}", config, [*inner, "", f"return {self.name}"]))
        literal = self.w.config_literal if self.has_config else ""
        return f"{self.import_from_home(f'make_{self.name}')}({literal})"

    def body(self, config: str) -> Lines:
        raise NotImplementedError


class _Wrapped(_Applied):
    """`jax.jit(f)` and its like."""

    def __init__(self, w: Writer, transform: Wrapping) -> None:
        super().__init__(w)
        self.transform = transform
        self.layers = () if self.spec.bare else transform.layers
        self.result = transform.result
        self.lead = None if self.spec.bare else transform.lead

    def leave(self, out: str) -> str:
        if self.result == "number":
            return f"return jnp.sum({self.w.value}) + jnp.sum({out})"
        if self.result == "array" or self.spec.dice("result").random() < 0.4:
            return f"return jnp.sum({self.w.value} * 1) + jnp.sum({out})"
        return f"return {out}"

    def body(self, config: str) -> Lines:
        return self.w.root_body(config, self.leave)

    def define(self, with_config: bool) -> Lines:
        parameters = (self.w.value, *((self.config,) if with_config and self.has_config else ()))
        return function(self.name, parameters, self.body(self.config))

    def options(self, layer: Layer, with_config: bool) -> str:
        if with_config and self.spec.binding == "static":
            return self.dice_for(layer).choice(layer.static).replace("{cfg}", self.config)
        if with_config and self.spec.binding == "traced":
            return ""
        return layer.harmless if self.dice_for(layer).random() < 0.3 else ""

    def dice_for(self, layer: Layer) -> random.Random:
        return self.spec.dice(f"options/{layer.name}")

    def wrap(self, ref: str, names: dict[str, str], with_config: bool) -> str:
        for layer in reversed(self.layers):
            options = self.options(layer, with_config)
            called = names.get(layer.path, layer.path)
            ref = f"{called}({ref}, {options})" if options else f"{called}({ref})"
        return ref

    @property
    def argument(self) -> str:
        return argument(self.spec.kind, self.lead, self.needs_array, self.spec.dice("argument"))

    @property
    def needs_array(self) -> bool:
        """Without a transform a Python number stays one."""
        return self.w.operation.array or self.spec.kind == "vector"

    def sent(self, value: str) -> str:
        if self.has_config and self.spec.binding == "traced" and self.lead is not None:
            kind = self.spec.start if self.spec.origin == "config" else "integer"
            return f"{value}, {argument(kind, self.lead, True, self.spec.dice('argument'))}"
        return super().sent(value)

    def write(self) -> str:
        method = "_" + self.spec.application.replace("-", "_")
        expression: str = getattr(self, method)()
        return expression

    def _decorated(self, lines: list[str]) -> str:
        self.w.home.add(*lines, *self.define(True))
        return f"{self.import_from_home(self.name)}({self.sent(self.argument)})"

    def _decorator(self) -> str:
        return self._decorated([f"@{layer.path}" for layer in self.layers])

    def _partial_decorator(self) -> str:
        lines = []
        for layer in self.layers:
            options = self.options(layer, True) or ("" if self.has_config else layer.harmless)
            lines.append(f"@partial({layer.path}, {options})" if options else f"@partial({layer.path})")
        return self._decorated(lines)

    def _plain(self) -> str:
        self.w.home.add(*self.define(True))
        return self.import_from_home(self.name)

    def _inline(self) -> str:
        return f"{self.wrap(self._plain(), {}, True)}({self.sent(self.argument)})"

    def _assigned(self) -> str:
        self.w.main.add(f"fast = {self.wrap(self._plain(), {}, True)}")
        return f"fast({self.sent(self.argument)})"

    def _alias(self) -> str:
        names = {}
        for layer in self.layers:
            names[layer.path] = layer.name[0].upper()
            home = "jax.numpy" if layer.home == "jnp" else layer.home
            self.w.main.imports[f"from {home} import {layer.name} as {names[layer.path]}"] = None
        return f"{self.wrap(self._plain(), names, True)}({self.sent(self.argument)})"

    def _rebound(self) -> str:
        names = {layer.path: f"my_{layer.name}" for layer in self.layers}
        for path, name in names.items():
            self.w.main.add(f"{name} = {path}")
        return f"{self.wrap(self._plain(), names, True)}({self.sent(self.argument)})"

    def _table(self) -> str:
        self.w.main.add(f'RUNNERS = {{"train": {self.wrap(self._plain(), {}, True)}, "none": None}}')
        return f'RUNNERS["train"]({self.sent(self.argument)})'

    def _project_wrapper(self) -> str:
        plain = self._plain()
        home = self.wrapper_home
        if (
            self.polymorphic
            and self.spec.binding == "static"
            and self.spec.transform == "jit"
            and self.layers
        ):
            home.add(
                *function(self.wrapper, ("fn", "static=()"), ["return jax.jit(fn, static_argnums=static)"])
            )
            made = f"{self.w.main.use(home, self.wrapper)}({plain}, static=(1,))"
        else:
            home.add(*function(self.wrapper, ("fn",), [f"return {self.wrap('fn', {}, True)}"]))
            made = f"{self.w.main.use(home, self.wrapper)}({plain})"
        if self.dice.random() < 0.5:
            return f"{made}({self.sent(self.argument)})"
        self.w.main.add(f"fast = {made}")
        return f"fast({self.sent(self.argument)})"

    def _decorator_factory(self) -> str:
        home, given = self.wrapper_home, '"main"'
        parameter, wrapped = "label", self.wrap("fn", {}, True)
        if (
            self.polymorphic
            and self.spec.binding == "static"
            and self.spec.transform == "jit"
            and self.layers
        ):
            parameter, wrapped, given = "static", "jax.jit(fn, static_argnums=static)", "static=(1,)"
        if self.dice.random() < 0.5:
            inner = function("decorate", ("fn",), [f"return {wrapped}"])
        else:
            inner = function(
                "decorate",
                ("fn",),
                [
                    f"fast = {wrapped}",
                    "",
                    "@functools.wraps(fn)",
                    *function("wrapper", ("*args",), ["return fast(*args)"]),
                    "",
                    "return wrapper",
                ],
            )
        home.add(*function(self.wrapper, (parameter,), [*inner, "", "return decorate"]))
        return self._decorated([f"@{self.w.home.use(home, self.wrapper)}({given})"])

    def _of_partial(self) -> str:
        if not self.has_config:
            name = self._plain()
            return f"{self.wrap(f'partial({name})', {}, False)}({self.argument})"
        value, literal = self.w.value, self.w.config_literal
        first = self.dice.random() < 0.5
        parameters = (self.config, value) if first else (value, self.config)
        self.w.home.add(*function(self.name, parameters, self.body(self.config)))
        bound = literal if first else f"{self.config}={literal}"
        wrapped = self.wrap(f"partial({self.import_from_home(self.name)}, {bound})", {}, False)
        return f"{wrapped}({self.argument})"

    def _of_factory(self) -> str:
        return f"{self.wrap(self.made_by_factory((self.w.value,)), {}, False)}({self.argument})"

    def _of_lambda(self) -> str:
        name = self._plain()
        function_ = f"lambda a: {name}({self.sent('a')})"
        return f"{self.wrap(function_ if self.layers else f'({function_})', {}, False)}({self.argument})"

    def _closure(self) -> str:
        inner = function(self.name, (self.w.value,), self.body(self.config))
        config = (self.config,) if self.has_config else ()
        self.w.home.add(
            *function(
                "run", ("data", *config), [*inner, "", f"return {self.wrap(self.name, {}, False)}(data)"]
            )
        )
        return f"{self.import_from_home('run')}({self.sent(self.argument)})"

    def _class(self, decorators: Lines, setup: Lines, run: Lines) -> str:
        config = (self.config,) if self.has_config else ()
        stored = [f"self.{each} = {each}" for each in config] + setup
        method = function(self.name, ("self", self.w.value), self.body(f"self.{self.config}"))
        self.w.home.add(
            f"class {self.title}:",
            *indented(
                [
                    *([*function("__init__", ("self", *config), stored), ""] if stored else []),
                    *decorators,
                    *method,
                    *run,
                ]
            ),
        )
        literal = self.w.config_literal if self.has_config else ""
        return f"{self.import_from_home(self.title)}({literal})"

    def _attribute(self) -> str:
        setup = [f"self._{self.name} = {self.wrap(f'self.{self.name}', {}, False)}"]
        run = ["", *function("run", ("self", "data"), [f"return self._{self.name}(data)"])]
        return f"{self._class([], setup, run)}.run({self.argument})"

    def _method(self) -> str:
        decorators = []
        for layer in self.layers:
            static = "static_argnums=0" if layer.name == "jit" else "static_argnums=(0,)"
            decorators.append(f"@partial({layer.path}, {static})")
        return f"{self._class(decorators, [], [])}.{self.name}({self.argument})"


class _Called(_Applied):
    """`lax.scan(body, ...)` and its like."""

    def __init__(self, w: Writer, transform: Calling) -> None:
        super().__init__(w)
        self.transform = transform

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(name.replace("{v}", self.w.value) for name in self.transform.parameters)

    def body(self, config: str) -> Lines:
        value = self.w.value

        def leave(out: str) -> str:
            return "return " + self.transform.result.replace("{v}", value).replace("{out}", out)

        unpack = self.transform.unpack.replace("{v}", value)
        return [*([unpack] if unpack else []), *self.w.root_body(config, leave)]

    @property
    def argument(self) -> str:
        lead = None if self.spec.bare else self.transform.lead
        typed = self.transform.typed or self.w.operation.array or self.spec.transform == "eval_shape"
        return argument(self.spec.kind, lead, typed, self.spec.dice("argument"))

    def filled(self, template: str, ref: str, value: str, called: str) -> str:
        pairs = (("{t}", called), ("{f}", ref), ("{x}", value))
        for key, text in pairs:
            template = template.replace(key, text)
        return template

    def call(self, ref: str, value: str, called: str = "") -> tuple[Lines, str]:
        """Setup lines, and the expression that runs `ref` under the transform."""
        called = called or self.transform.path
        if self.spec.bare:
            ref = f"({ref})" if ref.startswith("lambda") else ref
            return [], self.filled(self.transform.plain, ref, value, called)
        setup = self.filled(self.transform.setup, ref, value, called)
        return setup.split("\n") if setup else [], self.filled(self.transform.call, ref, value, called)

    def placed(self, ref: str, called: str = "") -> str:
        """The call, at the top of the program or in a function of its own."""
        setup, expression = self.call(ref, "data", called)
        if self.dice.random() < 0.5:
            self.w.main.add(*function("run", ("data",), [*setup, f"return {expression}"]))
            return f"run({self.argument})"
        setup, expression = self.call(ref, self.argument, called)
        if setup:
            self.w.main.add(*setup)
        return expression

    def plain(self, with_config: bool) -> str:
        config = (self.config,) if with_config and self.has_config else ()
        self.w.home.add(*function(self.name, (*self.parameters, *config), self.body(self.config)))
        return self.import_from_home(self.name)

    def write(self) -> str:
        method = "_" + self.spec.application.replace("-", "_")
        expression: str = getattr(self, method)()
        return expression

    def _inline(self) -> str:
        return self.placed(self.plain(False))

    def _alias(self) -> str:
        short = self.transform.attribute[0].upper()
        line = f"from {self.transform.home} import {self.transform.attribute} as {short}"
        self.w.main.imports[line] = None
        return self.placed(self.plain(False), short)

    def _rebound(self) -> str:
        self.w.main.add(f"transform = {self.transform.path}")
        return self.placed(self.plain(False), "transform")

    def _table(self) -> str:
        self.w.main.add(f'BODIES = {{"main": {self.plain(False)}}}')
        return self.placed('BODIES["main"]')

    def _assigned(self) -> str:
        plain = self.plain(False)
        setup, expression = self.call("fn", "data")
        self.w.main.add(*function("run_with", ("fn", "data"), [*setup, f"return {expression}"]))
        self.w.main.add(f"loop = partial(run_with, {plain})")
        return f"loop({self.argument})"

    def _project_wrapper(self) -> str:
        plain = self.plain(False)
        setup, expression = self.call("fn", "data")
        self.wrapper_home.add(*function(self.wrapper, ("fn", "data"), [*setup, f"return {expression}"]))
        return f"{self.w.main.use(self.wrapper_home, self.wrapper)}({plain}, {self.argument})"

    def decorating(self) -> Lines:
        setup, expression = self.call("fn", "data")
        wraps = ["@functools.wraps(fn)"] if self.dice.random() < 0.5 else []
        return [*wraps, *function("run", ("data",), [*setup, f"return {expression}"]), "", "return run"]

    def decorated(self, line: str) -> str:
        self.w.home.add(line, *function(self.name, self.parameters, self.body(self.config)))
        return f"{self.import_from_home(self.name)}({self.argument})"

    def _decorator(self) -> str:
        self.wrapper_home.add(*function(self.wrapper, ("fn",), self.decorating()))
        return self.decorated(f"@{self.w.home.use(self.wrapper_home, self.wrapper)}")

    def _decorator_factory(self) -> str:
        inner = function("decorate", ("fn",), self.decorating())
        self.wrapper_home.add(*function(self.wrapper, ("label",), [*inner, "", "return decorate"]))
        return self.decorated(f'@{self.w.home.use(self.wrapper_home, self.wrapper)}("main")')

    def _of_partial(self) -> str:
        if not self.has_config:
            return self.placed(f"partial({self.plain(False)})")
        first = self.dice.random() < 0.5
        parameters = (self.config, *self.parameters) if first else (*self.parameters, self.config)
        self.w.home.add(*function(self.name, parameters, self.body(self.config)))
        literal = self.w.config_literal
        bound = literal if first else f"{self.config}={literal}"
        return self.placed(f"partial({self.import_from_home(self.name)}, {bound})")

    def _of_factory(self) -> str:
        return self.placed(self.made_by_factory(self.parameters))

    def _of_lambda(self) -> str:
        name = self.plain(True)
        names = ", ".join("abc"[k] for k in range(len(self.parameters)))
        return self.placed(f"lambda {names}: {name}({self.sent(names)})")

    def _closure(self) -> str:
        inner = function(self.name, self.parameters, self.body(self.config))
        config = (self.config,) if self.has_config else ()
        setup, expression = self.call(self.name, "data")
        self.w.home.add(*function("run", ("data", *config), [*inner, "", *setup, f"return {expression}"]))
        return f"{self.import_from_home('run')}({self.sent(self.argument)})"

    def _attribute(self) -> str:
        config = (self.config,) if self.has_config else ()
        stored = [f"self.{each} = {each}" for each in config]
        method = function(self.name, ("self", *self.parameters), self.body(f"self.{self.config}"))
        setup, expression = self.call(f"self.{self.name}", "data")
        self.w.home.add(
            f"class {self.title}:",
            *indented(
                [
                    *([*function("__init__", ("self", *config), stored), ""] if stored else []),
                    *method,
                    "",
                    *function("run", ("self", "data"), [*setup, f"return {expression}"]),
                ]
            ),
        )
        literal = self.w.config_literal if self.has_config else ""
        return f"{self.import_from_home(self.title)}({literal}).run({self.argument})"
