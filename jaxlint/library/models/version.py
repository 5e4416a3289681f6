"""Versions of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import (
    UNKNOWN,
    Const,
    FeatureProbe,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model(
    "packaging.version.Version",
    "packaging.version.parse",
    "pkg_resources.parse_version",
    "distutils.version.LooseVersion",
)
def version(call: Call, m: Parts) -> Value:
    """A version is compared like what it is made of."""
    made = call.args[0] if call.args else UNKNOWN
    return made if isinstance(made, (FeatureProbe, Const)) else UNKNOWN
