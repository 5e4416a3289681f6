"""What functions of the standard library that compute with numbers do with tracers.

Made by `python tests/derive_api.py --write`, which runs JAX; not edited by hand.

STANDARD: canonical name -> rows of (position, parameter, part, levels, errors), for arguments that must not be traced
  part    itself; items, of a list; several, where a list of one is fine
  levels  letters of the kinds of tracer for which it raises: S staged (jit, scan, ...), B batched (vmap alone),
          D differentiated (grad alone; integers computed from such a tracer are no tracers); a leading `!` says that
          it raises for an array that is not traced, too
  errors  the class of error, or `S:Class B:Class ...` where they differ
VERSIONS: the versions that the tables were made with, the newest first
OTHERWISE: version -> table -> the rows that this version has otherwise; None where it lacks the name
"""

# fmt: off
# ruff: noqa: E501

VERSIONS: tuple[dict[str, str], ...] = (
    {"jax": "0.12.0.1", "python": "3.13"},
    {"jax": "0.10.2", "python": "3.11"},
)

STANDARD: dict[str, tuple[tuple[int, str, str, str, str], ...]] = {
    "array.array": ((1, "", "items", "SBD", "ConcretizationTypeError"),),
    "builtins.str.center": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "builtins.str.expandtabs": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "builtins.str.ljust": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "builtins.str.rjust": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "builtins.str.zfill": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "colorsys.hls_to_rgb": ((0, "h", "itself", "SB", "TracerBoolConversionError"), (1, "l", "itself", "SB", "TracerBoolConversionError"), (2, "s", "itself", "SB", "TracerBoolConversionError")),
    "colorsys.hsv_to_rgb": ((0, "h", "itself", "SB", "ConcretizationTypeError"), (1, "s", "itself", "SB", "TracerBoolConversionError")),
    "colorsys.rgb_to_hls": ((0, "r", "itself", "SB", "TracerBoolConversionError"), (1, "g", "itself", "SB", "TracerBoolConversionError"), (2, "b", "itself", "SB", "TracerBoolConversionError")),
    "colorsys.rgb_to_hsv": ((0, "r", "itself", "SB", "TracerBoolConversionError"), (1, "g", "itself", "SB", "TracerBoolConversionError"), (2, "b", "itself", "SB", "TracerBoolConversionError")),
    "colorsys.yiq_to_rgb": ((0, "y", "itself", "SB", "TracerBoolConversionError"), (1, "i", "itself", "SB", "TracerBoolConversionError"), (2, "q", "itself", "SB", "TracerBoolConversionError")),
    "ctypes.c_double": ((0, "", "itself", "SBD", "ConcretizationTypeError"),),
    "ctypes.c_float": ((0, "", "itself", "SBD", "ConcretizationTypeError"),),
    "ctypes.c_int": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "ctypes.c_int32": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "ctypes.c_int64": ((0, "", "itself", "SB", "TracerIntegerConversionError"),),
    "datetime.date": ((0, "", "itself", "SB", "TracerIntegerConversionError"), (1, "", "itself", "SB", "TracerIntegerConversionError"), (2, "", "itself", "SB", "TracerIntegerConversionError")),
    "datetime.datetime": ((0, "", "itself", "SB", "TracerIntegerConversionError"), (1, "", "itself", "SB", "TracerIntegerConversionError"), (2, "", "itself", "SB", "TracerIntegerConversionError")),
    "datetime.time": ((0, "", "itself", "SB", "TracerIntegerConversionError"), (1, "", "itself", "SB", "TracerIntegerConversionError")),
    "datetime.timedelta": ((0, "", "itself", "!SBD", "TypeError"), (1, "", "itself", "!SBD", "TypeError"), (2, "", "itself", "!SBD", "TypeError")),
    "decimal.Context": ((0, "prec", "itself", "!SBD", "TypeError"),),
    "decimal.Decimal": ((0, "value", "itself", "!SBD", "TypeError"),),
    "fractions.Fraction": ((0, "numerator", "itself", "!SBD", "TypeError"), (1, "denominator", "itself", "SBD", "TypeError")),
    "json.dumps": ((0, "obj", "items", "!SBD", "TypeError"), (0, "obj", "itself", "!SBD", "TypeError")),
    "statistics.NormalDist": ((0, "mu", "itself", "SBD", "ConcretizationTypeError"), (1, "sigma", "itself", "SBD", "S:TracerBoolConversionError B:TracerBoolConversionError D:ConcretizationTypeError")),
    "statistics.correlation": ((0, "", "items", "SBD", "ConcretizationTypeError"), (1, "", "items", "SBD", "ConcretizationTypeError")),
    "statistics.covariance": ((0, "", "items", "SBD", "ConcretizationTypeError"), (1, "", "items", "SBD", "ConcretizationTypeError")),
    "statistics.fmean": ((0, "data", "items", "SBD", "ConcretizationTypeError"), (1, "weights", "items", "SBD", "ConcretizationTypeError")),
    "statistics.geometric_mean": ((0, "data", "items", "SBD", "S:TracerBoolConversionError B:TracerBoolConversionError D:ConcretizationTypeError"),),
    "statistics.harmonic_mean": ((0, "data", "items", "!SBD", "S:TracerBoolConversionError B:TracerBoolConversionError D:TypeError"), (1, "weights", "items", "!SBD", "S:TracerBoolConversionError B:TracerBoolConversionError D:TypeError")),
    "statistics.kde": ((1, "h", "itself", "SB", "TracerBoolConversionError"),),
    "statistics.kde_random": ((1, "h", "itself", "SB", "TracerBoolConversionError"),),
    "statistics.linear_regression": ((0, "", "items", "SBD", "ConcretizationTypeError"), (1, "", "items", "SBD", "ConcretizationTypeError")),
    "statistics.mean": ((0, "data", "items", "!SBD", "TypeError"),),
    "statistics.median": ((0, "data", "several", "SB", "TracerBoolConversionError"),),
    "statistics.median_grouped": ((0, "data", "items", "SB", "TracerBoolConversionError"), (1, "interval", "itself", "SBD", "ConcretizationTypeError")),
    "statistics.median_high": ((0, "data", "several", "SB", "TracerBoolConversionError"),),
    "statistics.median_low": ((0, "data", "several", "SB", "TracerBoolConversionError"),),
    "statistics.pstdev": ((0, "data", "items", "!SBD", "TypeError"), (1, "mu", "itself", "SBD", "TypeError")),
    "statistics.pvariance": ((0, "data", "items", "!SBD", "TypeError"), (1, "mu", "itself", "SBD", "TypeError")),
    "statistics.quantiles": ((0, "data", "several", "SB", "TracerBoolConversionError"),),
    "statistics.stdev": ((0, "data", "items", "!SBD", "TypeError"), (1, "xbar", "itself", "SBD", "TypeError")),
    "statistics.variance": ((0, "data", "items", "!SBD", "TypeError"), (1, "xbar", "itself", "SBD", "TypeError")),
    "struct.pack": ((1, "", "itself", "SBD", "error"),),
    "time.sleep": ((0, "", "itself", "!SBD", "TypeError"),),
}

OTHERWISE: dict[str, dict[str, dict[str, object]]] = {
    "jax 0.12.0.1, python 3.13": {
    },
    "jax 0.10.2, python 3.11": {
        "STANDARD": {
            "statistics.geometric_mean": ((0, "data", "items", "SBD", "ConcretizationTypeError"),),
            "statistics.kde": None,
            "statistics.kde_random": None,
            "statistics.quantiles": ((0, "data", "items", "SB", "TracerBoolConversionError"),),
        },
    },
}
