"""`[tool.jaxlint.jax]`: what a project says of its own wrappers, functions, classes and key sinks."""

from __future__ import annotations

from pathlib import Path

import pytest

import jaxlint

CASES = {
    "jit-wrappers": (
        "[tool.jaxlint.jax]\njit-wrappers = ['app.fast.compiled', 'speedy.compiled']\n",
        {
            "app/__init__.py": "",
            "app/fast.py": "from elsewhere import backend\n\n\ndef compiled(fun):\n    return backend(fun)\n",
            "app/model.py": (
                "import speedy\n\nfrom app.fast import compiled\n\n\n"
                "@compiled\ndef f(x):\n    if x > 0:  #!\n        return x\n    return -x\n\n\n"
                "def g(x):\n    while x > 0:  #!\n        x = x - 1\n    return x\n\n\n"
                "fast_g = speedy.compiled(g)\n"
            ),
        },
    ),
    "traced-functions": (
        "[tool.jaxlint.jax]\ntraced-functions = ['app.layer', 'app.Layer.apply']\n",
        {
            "app.py": (
                "def layer(x, scale=2.0):\n    return helper(x)\n\n\n"
                "def helper(x):\n    if x > 0:  #!\n        return x\n    return -x\n\n\n"
                "def other(x):\n    if x > 0:\n        return x\n    return -x\n\n\n"
                "class Layer:\n    def apply(self, x):\n        return float(x)  #!\n\n"
                "    def size(self, x):\n        return float(x)\n"
            ),
        },
    ),
    "static-types": (
        "[tool.jaxlint.jax]\nstatic-types = ['app.Config', 'library.Options']\n",
        {
            "app.py": (
                "import jax\nimport library\n\n\n"
                "@jax.tree_util.register_pytree_node_class\nclass Config:\n"
                "    def __init__(self, deep):\n        self.deep = deep\n\n"
                "    def tree_flatten(self):\n        return (self.deep,), None\n\n"
                "    @classmethod\n    def tree_unflatten(cls, aux, children):\n        return cls(*children)\n\n\n"
                "@jax.jit\ndef f(x, config: Config, options: library.Options):\n"
                "    if config.deep or options.wide:\n        return x\n    if x > 0:  #!\n        return x\n"
                "    return -x\n\n\n"
                "print(f(1.0, Config(False), library.Options()))\n"
            ),
        },
    ),
    "key-sinks": (
        "[tool.jaxlint.jax]\nkey-sinks = ['sampling.draw', 'app.native']\n",
        {
            "app.py": (
                "import ctypes\n\nimport jax\nimport sampling\n\n\n"
                "def native(key):\n    return ctypes.CDLL('draw')(key)\n\n\n"
                "def main(seed):\n    key = jax.random.key(seed)\n    a = sampling.draw(key)\n"
                "    b = jax.random.normal(key)  #!\n    other = jax.random.key(seed + 1)\n"
                "    c = native(other)\n    d = native(other)  #!\n    return a + b + c + d\n"
            ),
        },
    ),
}


def findings(root: Path) -> list[tuple[str, int]]:
    found = jaxlint.lint(str(root))
    return sorted((Path(each.filename).relative_to(root).as_posix(), each.span.row) for each in found)


@pytest.mark.parametrize("name", CASES)
def test_what_is_taught_is_known(name: str, tmp_path: Path) -> None:
    settings, files = CASES[name]
    expected = []
    for path, text in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        rows = [row for row, line in enumerate(text.split("\n"), 1) if line.endswith("#!")]
        expected += [(path, row) for row in rows]
    config = tmp_path / "pyproject.toml"
    config.write_text("")
    untaught = findings(tmp_path)
    config.write_text(settings)
    assert findings(tmp_path) == sorted(expected)
    assert untaught != sorted(expected)
