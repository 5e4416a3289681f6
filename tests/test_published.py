"""A project that is the library itself: its definitions mean what their public names mean."""

from __future__ import annotations

from pathlib import Path

import jaxlint

FILES = {
    "jax/__init__.py": "from jax._src.api import jit as jit\nfrom jax import numpy as numpy\n",
    "jax/numpy/__init__.py": "from jax._src.numpy import (\n    nonzero as nonzero,\n    sin as sin,\n)\n",
    "jax/_src/__init__.py": "",
    "jax/_src/api.py": "def jit(fun, **options):\n    return bind(fun, options)\n",
    "jax/_src/numpy.py": (
        "from jax._src import api\n\n\ndef sin(x):\n    return x\n\n\n"
        "def nonzero(a, *, size=None):\n    return (a,)\n\n\n"
        "@api.jit\ndef norm(x):\n    if sin(x) > 0:\n        return x\n    return -x\n"
    ),
    "jax/nn.py": (
        "from jax._src import numpy as jnp\nfrom jax._src.api import jit\n\n\n"
        "@jit\ndef pick(x):\n    return jnp.nonzero(x)\n"
    ),
}


def test_definitions_of_the_library_are_known_by_their_public_names(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = jaxlint.lint(str(tmp_path), isolated=True)
    said = [(Path(each.filename).name, each.span.row, each.code) for each in found]
    assert said == [("numpy.py", 14, "JAX101"), ("nn.py", 7, "JAX110")]


def test_loops_of_imports_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("from jax.a import jit\n")
    (tmp_path / "jax" / "a.py").write_text("from jax import jit\n")
    assert list(jaxlint.lint(str(tmp_path), isolated=True)) == []
