"""The texts of a new rule: of a rule of jaxlint with its cases, and of a plugin with its test.

In: the names of the rule. Out: texts by path. What stands in them runs, and is all to be replaced: the rule
finds nothing, its cases expect a finding, and its claim is one that JAX refutes.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint._version import __version__


@dataclass(frozen=True, slots=True)
class Names:
    """What a rule is called: `jit-in-loop`, the module `jit_in_loop`, the class `JitInLoop`."""

    name: str
    code: str
    module: str
    cls: str
    is_syntactic: bool

    @classmethod
    def of(cls, name: str, code: str, is_syntactic: bool) -> Names:
        parts = name.split("-")
        return cls(name, code, "_".join(parts), "".join(part.capitalize() for part in parts), is_syntactic)

    def filled(self, text: str) -> str:
        base = "SyntacticRule" if self.is_syntactic else "Rule"
        pairs = {"NAME": self.name, "CODE": self.code, "MODULE": self.module, "CLASS": self.cls, "BASE": base}
        for mark, value in {**pairs, "VERSION": __version__}.items():
            text = text.replace(f"<{mark}>", value)
        return text


def of_a_clone(names: Names) -> dict[str, str]:
    """A rule of jaxlint, and its cases."""
    return {
        f"rules/{names.module}.py": names.filled(_head(names) + _BODY + _method(names)),
        f"tests/cases/{names.module}.py": names.filled(_CASES),
    }


def of_a_plugin(names: Names) -> dict[str, str]:
    """A module with a rule, and its test."""
    return {
        f"{names.module}.py": names.filled(_head(names) + _BODY + _method(names)),
        f"test_{names.module}.py": names.filled(_TEST),
    }


def _head(names: Names) -> str:
    return _SYNTACTIC_HEAD if names.is_syntactic else _EVENT_HEAD


def _method(names: Names) -> str:
    return _SYNTACTIC_METHOD if names.is_syntactic else _EVENT_METHOD


_EVENT_HEAD = '''"""<CODE>: what it finds, in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Call, Claim, Example, Finding, Model, Rule

'''

_SYNTACTIC_HEAD = '''"""<CODE>: what it finds, in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, NodeFinding, SourceModel, SyntacticRule, cst

'''

_BODY = '''
class <CLASS>(<BASE>):
    """What is wrong, in one sentence.

    ## What it does
    Finds calls of `jnp.sin` with an array.

    ## Why
    What JAX does there.

    ## When it is fine
    Where it is meant.

    ## Fix safety
    No fix is applied.
    """

    code = "<CODE>"
    name = "<NAME>"
    category = "suspicious"
    nursery = True
    since = "<VERSION>"
'''

_EXAMPLES = '''    examples = (
        Example(
            bad="""
import jax.numpy as jnp

answer = jnp.sin(jnp.ones(3))
print(answer)
""",
            good="""
import jax.numpy as jnp

answer = jnp.sin(jnp.ones(3))
print(answer)
""",
        ),
    )
    claim = Claim("differs", calls=("answer",))
'''

_EVENT_METHOD = f"""    calls = ("jax.numpy.sin",)
{_EXAMPLES}
    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        # Say here what is found: if m.is_array(call.arg(0)): yield Finding(call.nid, "...")
        yield from ()
"""

_SYNTACTIC_METHOD = f"""    needs = ("sin",)
{_EXAMPLES}
    def visit_Call(self, node: cst.Call, m: SourceModel) -> Iterator[NodeFinding]:
        # Say here what is found: if m.name_of(node.func) == "jax.numpy.sin": yield NodeFinding(node, "...")
        yield from ()
"""

_CASES = """# %% what the rule is about
import jax.numpy as jnp

print(jnp.sin(jnp.ones(3)))  #! <CODE>


# %% what looks alike and is right
import jax.numpy as jnp

print(jnp.cos(jnp.ones(3)))
"""

_TEST = '''"""Cases of <CODE> <NAME>: lines that end in `#! <CODE>` have a finding, others none."""

from pathlib import Path

import jaxlint
import pytest

HERE = Path(__file__).resolve().parent

CASES = {
    "what the rule is about": """
import jax.numpy as jnp

print(jnp.sin(jnp.ones(3)))  #! <CODE>
""",
    "what looks alike and is right": """
import jax.numpy as jnp

print(jnp.cos(jnp.ones(3)))
""",
}


@pytest.mark.parametrize("case", CASES)
def test_marked_lines_are_found(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    path = tmp_path / "case.py"
    path.write_text(CASES[case])
    found = jaxlint.lint(path, isolated=True, plugins=["<MODULE>"], preview=True, select=["<CODE>"])
    rows = [row for row, line in enumerate(CASES[case].splitlines(), 1) if line.endswith("#! <CODE>")]
    assert [each.span.row for each in found] == rows
'''
