"""What methods of NumPy's arrays do with a tracer.

Made by `python tests/derive_api.py --write`, which runs JAX; not edited by hand.

HOST_METHODS: method -> (levels, errors) where its first argument must not be traced
  levels  letters of the kinds of tracer for which it raises: S staged (jit, scan, ...), B batched (vmap alone),
          D differentiated (grad alone)
  errors  the class of error, or `S:Class B:Class ...` where they differ
VERSIONS: the versions that the tables were made with, the newest first
OTHERWISE: version -> table -> the rows that this version has otherwise; None where it lacks the name
"""

# fmt: off
# ruff: noqa: E501

VERSIONS: tuple[dict[str, str], ...] = (
    {"jax": "0.12.0.1", "numpy": "2.5.5"},
    {"jax": "0.10.2", "numpy": "2.4.6"},
)

HOST_METHODS: dict[str, tuple[str, str]] = {
    "all": ("SB", "TracerIntegerConversionError"),
    "any": ("SB", "TracerIntegerConversionError"),
    "argmax": ("SB", "TracerIntegerConversionError"),
    "argmin": ("SB", "TracerIntegerConversionError"),
    "argpartition": ("SB", "TracerArrayConversionError"),
    "argsort": ("SB", "TracerIntegerConversionError"),
    "byteswap": ("SB", "TracerBoolConversionError"),
    "clip": ("SBD", "TracerArrayConversionError"),
    "compress": ("SBD", "TracerArrayConversionError"),
    "conj": ("SBD", "TypeError"),
    "conjugate": ("SBD", "TypeError"),
    "cumprod": ("SB", "TracerIntegerConversionError"),
    "cumsum": ("SB", "TracerIntegerConversionError"),
    "dot": ("SBD", "TracerArrayConversionError"),
    "dumps": ("SB", "TracerIntegerConversionError"),
    "fill": ("SBD", "ValueError"),
    "item": ("SB", "TracerIntegerConversionError"),
    "max": ("SB", "TracerIntegerConversionError"),
    "mean": ("SB", "TracerIntegerConversionError"),
    "min": ("SB", "TracerIntegerConversionError"),
    "partition": ("SB", "TracerArrayConversionError"),
    "prod": ("SB", "TracerIntegerConversionError"),
    "repeat": ("SB", "TracerArrayConversionError"),
    "resize": ("SB", "TracerIntegerConversionError"),
    "round": ("SB", "TracerIntegerConversionError"),
    "searchsorted": ("SBD", "TracerArrayConversionError"),
    "setflags": ("SB", "TracerBoolConversionError"),
    "sort": ("SB", "TracerIntegerConversionError"),
    "std": ("SB", "TracerIntegerConversionError"),
    "sum": ("SB", "TracerIntegerConversionError"),
    "take": ("SB", "TracerArrayConversionError"),
    "transpose": ("SB", "TypeError"),
    "var": ("SB", "TracerIntegerConversionError"),
}

OTHERWISE: dict[str, dict[str, dict[str, object]]] = {
    "jax 0.12.0.1, numpy 2.5.5": {
    },
    "jax 0.10.2, numpy 2.4.6": {
    },
}
