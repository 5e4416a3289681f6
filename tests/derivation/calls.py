"""A call that can be replayed with some of its arguments traced.

In: a function, its parameters and one working argument per parameter. Out: what the call
returned, or the exception that it raised, staged (the way `jax.jit` traces) with the chosen
arguments as tracers. It compiles nothing: `jax.eval_shape` stages without running.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
NUMERIC = (bool, int, float, complex, np.ndarray, np.generic, jax.Array)


@dataclass(frozen=True)
class Outcome:
    """What a call returned, or the exception that it raised."""

    value: Any = None
    error: Exception | None = None


@dataclass(frozen=True)
class Call:
    """A function with an argument for each named parameter."""

    function: Callable[..., Any]
    parameters: Mapping[str, inspect.Parameter]
    arguments: Mapping[str, Any]

    def replaced(self, /, **arguments: Any) -> Call:
        return Call(self.function, self.parameters, {**self.arguments, **arguments})

    def run(self, arguments: Mapping[str, Any] | None = None, by_keyword: Collection[str] = ()) -> Any:
        """Call the function; parameters are passed by position as far as that is possible."""
        given = self.arguments if arguments is None else arguments
        positional: list[Any] = []
        keyword: dict[str, Any] = {}
        gap = False
        for name, parameter in self.parameters.items():
            if name not in given:
                gap = gap or parameter.kind in POSITIONAL
            elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                positional.extend(given[name])
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                keyword.update(given[name])
            elif parameter.kind in POSITIONAL and not gap and name not in by_keyword:
                positional.append(given[name])
            else:
                gap = True
                keyword[name] = given[name]
        if "axis_name" in given:
            return within_axis(given["axis_name"], lambda: self.function(*positional, **keyword))
        return self.function(*positional, **keyword)

    def concrete(self) -> Outcome:
        """Run it for real, nothing traced."""
        try:
            return Outcome(self.run())
        except Exception as error:
            return Outcome(error=error)

    def works_staged(self) -> bool:
        """Whether it works in a staged trace with nothing traced."""
        return self.staged(()).error is None

    def staged(self, traced: Iterable[str], by_keyword: Collection[str] = ()) -> Outcome:
        """Run it in a staged trace with the named arguments as tracers."""
        chosen = {name: traceable(self.arguments[name]) for name in traced}
        leaves, structure = jax.tree.flatten(chosen)
        mixed = {
            name: any(is_number_array(leaf) for leaf in jax.tree.leaves(value))
            for name, value in chosen.items()
        }
        # Beside arrays, as in (factor, lower), a plain number is meant to stay plain.
        traces = [
            isinstance(leaf, NUMERIC) and (is_number_array(leaf) or not mixed[name])
            for name in sorted(chosen)
            for leaf in jax.tree.leaves(chosen[name])
        ]
        arrays = [leaf for leaf, trace in zip(leaves, traces, strict=True) if trace]
        outcome: list[Outcome] = []

        def body(tracers: list[Any]) -> None:
            remaining = iter(tracers)
            filled = [next(remaining) if trace else leaf for leaf, trace in zip(leaves, traces, strict=True)]
            arguments = {**self.arguments, **jax.tree.unflatten(structure, filled)}
            outcome.append(Outcome(self.run(arguments, by_keyword)))

        try:
            jax.eval_shape(body, arrays)
        except Exception as error:
            return Outcome(error=error)
        return outcome[0]


def within_axis(name: str, thunk: Callable[[], Any]) -> Any:
    """What `thunk` returns where a mapped axis of this name is in scope."""
    result: list[Any] = []
    jax.vmap(lambda _: result.append(thunk()), axis_name=name)(np.zeros(2))
    return result[0]


def traceable(value: Any) -> Any:
    """The value to trace in place of `value`: itself if it holds numbers, else an integer."""
    leaves = jax.tree.leaves(value)
    return value if any(isinstance(leaf, NUMERIC) for leaf in leaves) else 0


def as_concrete(value: Any) -> Any:
    """`value` with its numbers turned into concrete arrays: what a tracer of it stands for."""

    def convert(leaf: Any) -> Any:
        if isinstance(leaf, jax.Array) or not isinstance(leaf, NUMERIC):
            return leaf
        return jnp.asarray(np.asarray(leaf, narrow(np.asarray(leaf).dtype)))

    return jax.tree.map(convert, value)


def narrow(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype({"i": np.int32, "f": np.float32, "c": np.complex64}.get(dtype.kind, dtype))


def is_number_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic, jax.Array))
