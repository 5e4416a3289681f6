"""Where settings come from, what they may say, and which rules they turn on."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest
from conftest import Run, Tree
from jsonschema import Draft7Validator

from jaxlint.cli import formats
from jaxlint.diagnostic import Severity
from jaxlint.project.configuration import Configuration
from jaxlint.project.globs import Glob, GlobError
from jaxlint.project.option import FORMATS, SettingsError
from jaxlint.project.settings import OPTIONS, Settings
from jaxlint.project.versions import NEWEST_VERIFIED, declared_jax, jax_range, parsed
from jaxlint.rule.registry import registry

SURFACE_KEYS = (
    "select ignore extend-select extend-ignore per-file-ignores fixable unfixable extend-safe-fixes "
    "explicit-preview-rules extend-unsafe-fixes fix unsafe-fixes fix-only show-fixes extend-fixable extend-per-file-ignores extend-include "
    "preview src include exclude extend-exclude force-exclude respect-gitignore output-format "
    "cache-dir required-version baseline facts target-jax plugins tests extend extension severity jax.jit-wrappers jax.traced-functions "
    "jax.static-types jax.key-sinks confirm.platforms confirm.timeout"
).split()


class TestOptions:
    def test_every_key_is_there_once(self) -> None:
        assert sorted(option.key for option in OPTIONS) == sorted(SURFACE_KEYS)

    @pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
    def test_has_a_type_a_default_and_one_sentence(self, option: object) -> None:
        assert option.type and option.default  # type: ignore[attr-defined]
        assert re.fullmatch(r"[A-Z`][^\n]*\.", option.doc)  # type: ignore[attr-defined]

    def test_settings_are_frozen_and_hashable(self) -> None:
        settings = Settings()
        with pytest.raises(FrozenInstanceError):
            settings.preview = True  # type: ignore[misc]
        assert hash(settings) == hash(Settings())

    def test_formats_are_those_of_the_command(self) -> None:
        assert tuple(formats.FORMATS) == FORMATS

    def test_fields_are_options_or_resolved(self) -> None:
        tops = {option.key.partition(".")[0].replace("-", "_") for option in OPTIONS}
        assert {item.name for item in fields(Settings)} - tops == {"layers", "target", "origin"}


class TestFiles:
    def test_closest_file_wins_outright(self, tree: Tree) -> None:
        root = tree(
            {
                "pyproject.toml": '[tool.jaxlint]\nignore = ["JAX101"]\npreview = true\n',
                "sub/jaxlint.toml": 'ignore = ["JAX301"]\n',
                "sub/deep/a.py": "",
            }
        )
        configuration = Configuration()
        assert configuration.for_folder(str(root)).ignore == ("JAX101",)
        deep = configuration.for_folder(str(root / "sub" / "deep"))
        assert (deep.ignore, deep.preview) == (("JAX301",), False)
        assert deep.origin == str(root / "sub" / "jaxlint.toml")

    def test_the_users_own_file_stands_in_where_there_is_none(
        self, tree: Tree, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = tree(
            {
                "config/jaxlint/jaxlint.toml": 'extend = "base.toml"\nsrc = ["lib"]\ntarget-jax = "0.5"\n',
                "config/jaxlint/base.toml": 'ignore = ["JAX3"]\n',
                "a/jaxlint.toml": "preview = true\n",
                "b/x.py": "",
            }
        )
        monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "config"))
        monkeypatch.chdir(root / "b")
        configuration = Configuration(overrides={"preview": False})
        own = configuration.for_folder(str(root / "b"))
        assert own.origin == str(root / "config" / "jaxlint" / "jaxlint.toml")
        assert (own.ignore, own.src) == (("JAX3",), (str(root / "b" / "lib"),))
        assert own.target == jax_range("0.5", "target-jax")
        assert configuration.for_folder(str(root / "a")).ignore == ()
        assert Configuration(isolated=True).for_folder(str(root / "b")).ignore == ()

    def test_pyproject_without_the_table_is_passed_over(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": "preview = true\n", "sub/pyproject.toml": "[tool.other]\nx = 1\n"})
        assert Configuration().for_folder(str(root / "sub")).preview

    def test_order_within_a_folder(self, tree: Tree) -> None:
        root = tree(
            {
                "jaxlint.toml": 'src = ["a"]',
                ".jaxlint.toml": 'src = ["b"]',
                "pyproject.toml": "[tool.jaxlint]",
            }
        )
        assert Configuration().for_folder(str(root)).src == (str(root / "b"),)

    def test_extend_is_under_the_file_and_relative_to_it(self, tree: Tree) -> None:
        root = tree(
            {
                "base/shared.toml": 'src = ["lib"]\nextend-exclude = ["x"]\npreview = true\nseverity = {JAX1 = "info"}\n',
                "p/jaxlint.toml": 'extend = "../base/shared.toml"\nextend-exclude = ["y"]\npreview = false\n'
                '[severity]\nJAX3 = "error"\n',
            }
        )
        settings = Configuration().for_folder(str(root / "p"))
        assert settings.src == (str(root / "base" / "lib"),)
        assert [str(glob) for glob in settings.extend_exclude] == ["x", "y"]
        assert not settings.preview
        assert settings.severity == (("JAX1", Severity.INFO), ("JAX3", Severity.ERROR))

    def test_extend_in_a_circle(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": 'extend = "b.toml"', "b.toml": 'extend = "jaxlint.toml"'})
        with pytest.raises(SettingsError, match="comes back"):
            Configuration().for_folder(str(root))

    def test_isolated_reads_none(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": "no-such-key = 1"})
        assert Configuration(isolated=True).for_folder(str(root)) == Settings()

    def test_one_file_for_all(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": "no-such-key = 1", "other.toml": "preview = true"})
        assert Configuration(file="other.toml").for_folder(str(root)).preview

    def test_file_with_isolated(self, tree: Tree) -> None:
        tree({"other.toml": ""})
        with pytest.raises(SettingsError, match="isolated"):
            Configuration(file="other.toml", isolated=True)

    def test_inline_over_files_and_flags_over_inline(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": 'target-jax = "0.4.30"\ncache-dir = "a"'})
        configuration = Configuration(
            inline=['target-jax="0.5"', "cache-dir = b", 'severity.JAX101 = "info"'],
            overrides={"cache-dir": "c"},
        )
        settings = configuration.for_folder(str(root))
        assert (settings.target_jax, settings.cache_dir) == ("0.5", str(root / "c"))
        assert settings.severity == (("JAX101", Severity.INFO),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selct = ["JAX1"]', "unknown key `selct`; did you mean `select`?"),
        ("extend_select = []", "unknown key `extend_select`; did you mean `extend-select`?"),
        ("[jax]\njit-wrapper = []", "unknown key `jit-wrapper` in `jax`; did you mean `jit-wrappers`?"),
        ("[sevrity]", "unknown key `sevrity`; did you mean `severity`?"),
        ('select = "JAX1"', "`select` must be a list of strings, not a string"),
        ("select = [1]", "`select` must be a list of strings, not a number"),
        ('preview = "yes"', "`preview` must be true or false, not a string"),
        ("jax = []", "`jax` must be a table, not a list"),
        ("[confirm]\ntimeout = 0", "`confirm.timeout` must be above zero"),
        ('output-format = "jsn"', "`output-format`: no format `jsn`; did you mean `json`?"),
        ('severity = {JAX1 = "fatal"}', "`severity.JAX1` must be error, warning or info, not `fatal`"),
        ('exclude = ["a["]', "`exclude`: `a[` is not a glob: `[` is not closed"),
        ('target-jax = "new"', "`target-jax`: `new` is not a version or a range of versions"),
        ('target-jax = ">=2,<1"', "`target-jax`: `>=2,<1` admits no version"),
        ('required-version = ">=99"', "`required-version` is `>=99`, and this is jaxlint"),
        ('extend = "none.toml"', "`extend`: no configuration file `none.toml`"),
        ("a = = 1", "Invalid value"),
        ('src = [""]', "`src` has an empty path"),
        ('exclude = [""]', "`exclude` has an empty glob"),
        ('target-jax = "99"', "`target-jax`: there is no JAX `99`"),
        ('target-jax = ""', "`target-jax` is empty"),
    ],
)
def test_wrong_file_is_one_line_and_status_2(tree: Tree, run: Run, text: str, message: str) -> None:
    root = tree({"jaxlint.toml": text, "a.py": ""})
    ran = run("check", ".")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert message in ran.err
    assert str(root / "jaxlint.toml") in ran.err


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("selct = 1", 1),
        ('# selct\npreview = true\n\n"selct" = 1', 4),
        ("[jax]\nkey-sinks = []\njit-wrapper = []", 3),
        ("jax.jit-wrapper = []", 1),
        ("jax = {\\n jit-wrapper = [] }".replace("\\n", ""), 1),
        ('[jax]\nkey-sinks = ["""\nstatic-types = 1\n"""]\nstatic-types = 1', 5),
        ('select = [\n  "JAX1",\n  "JAX9x",\n]', 3),
        ('extend-select = ["JAX1"]\nfixable = [\n"JAX3",\n\'JAXX\']', 4),
        ('[per-file-ignores]\n"a.py" = ["JAX1"]\n"b c.py" = 1', 3),
        ('[severity]\nJAX1 = "info"\nJAX3 = "bad"', 3),
    ],
)
@pytest.mark.parametrize("name", ["jaxlint.toml", "pyproject.toml"])
def test_wrong_setting_tells_its_row(tree: Tree, run: Run, text: str, row: int, name: str) -> None:
    if name == "pyproject.toml":
        text = "[tool.jaxlint]\n" + re.sub(r"(?m)^\[(?=[a-z])", "[tool.jaxlint.", text)
        row += 1
    root = tree({name: "\n" + text, "a.py": ""})
    assert run(".").err.startswith(f"jaxlint: {root / name}:{row + 1}: ")


class TestSelection:
    def on(self, configuration: Configuration, folder: Path) -> set[str]:
        return set(registry().enabled(configuration.for_folder(str(folder))))

    def test_default_is_what_is_marked_on(self, tmp_path: Path) -> None:
        on = self.on(Configuration(isolated=True), tmp_path)
        assert {entry.code for entry in registry().entries if entry.on and not entry.nursery} == on
        assert "JAX101" in on and "JAX712" not in on

    @pytest.mark.parametrize(
        ("flags", "inside", "outside"),
        [
            ({"select": ["JAX101"]}, {"JAX001", "JAX101"}, {"JAX011", "JAX301"}),
            ({"select": ["JAX1"]}, {"JAX101"}, {"JAX301"}),
            ({"select": ["ALL"]}, {"JAX011", "JAX101", "JAX712"}, set()),
            ({"select": ["JAX"]}, {"JAX101", "JAX712"}, set()),
            ({"select": ["pedantic"]}, {"JAX712"}, {"JAX101"}),
            ({"select": ["key-reuse"]}, {"JAX301"}, {"JAX101"}),
            ({"extend-select": ["JAX712"]}, {"JAX101", "JAX712"}, set()),
            ({"ignore": ["JAX1"]}, {"JAX301"}, {"JAX101"}),
            ({"extend-ignore": ["branch-on-traced"]}, {"JAX301"}, {"JAX101"}),
            ({"select": ["JAX101"], "ignore": ["JAX1"]}, {"JAX101"}, set()),
            ({"select": ["JAX1"], "ignore": ["JAX101"]}, set(), {"JAX101"}),
            ({"select": ["JAX101"], "ignore": ["JAX101"]}, set(), {"JAX101"}),
            ({"select": ["JAX712"], "ignore": ["ALL"]}, {"JAX712", "JAX001"}, {"JAX101"}),
            ({"select": ["correctness"], "ignore": ["JAX1"]}, {"JAX301"}, {"JAX101"}),
            ({"select": []}, {"JAX001", "JAX002", "JAX003"}, {"JAX101", "JAX011"}),
        ],
    )
    def test_selectors(
        self, tmp_path: Path, flags: dict[str, list[str]], inside: set[str], outside: set[str]
    ) -> None:
        on = self.on(Configuration(isolated=True, overrides=flags), tmp_path)
        assert inside <= on and not outside & on

    def test_flags_win_over_the_file_whatever_they_name(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": 'ignore = ["JAX101"]'})
        assert "JAX101" in self.on(Configuration(overrides={"extend-select": ["JAX1"]}), root)

    def test_select_keeps_an_ignore_from_the_file(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": 'ignore = ["JAX101"]'})
        assert "JAX101" not in self.on(Configuration(overrides={"select": ["ALL"]}), root)
        both = {"select": ["ALL"], "ignore": ["JAX712"]}
        assert "JAX101" in self.on(Configuration(overrides=both), root)

    @pytest.mark.parametrize(
        ("selector", "message"),
        [
            ("jax101", "did you mean `JAX101`?"),
            ("jax1", "did you mean `JAX1`?"),
            ("all", "did you mean `ALL`?"),
            ("key-resue", "did you mean `key-reuse`?"),
            ("key_reuse", "did you mean `key-reuse`?"),
            ("corectness", "did you mean `correctness`?"),
            ("JAX1011", "did you mean `JAX101`?"),
            ("JAX10x", "unknown selector `JAX10x`"),
            ("", "unknown selector ``"),
        ],
    )
    def test_unknown_selector(self, tmp_path: Path, selector: str, message: str) -> None:
        with pytest.raises(SettingsError, match=re.escape(message)):
            self.on(Configuration(isolated=True, overrides={"select": [selector]}), tmp_path)

    def test_fixable(self, tmp_path: Path) -> None:
        flags = {"fixable": ["JAX7"], "unfixable": ["JAX703"]}
        fixable = registry().fixable(Configuration(isolated=True, overrides=flags).for_folder(str(tmp_path)))
        assert "JAX712" in fixable and not {"JAX703", "JAX601"} & fixable

    def test_most_specific_severity(self, tmp_path: Path) -> None:
        flags = {"severity": {"JAX101": "info", "correctness": "warning", "JAX1": "error"}}
        severities = registry().severities(
            Configuration(isolated=True, overrides=flags).for_folder(str(tmp_path))
        )
        assert severities["JAX101"] is Severity.INFO
        assert severities["JAX301"] is Severity.WARNING


def test_plugin_rules_are_added(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(
        {
            "jaxlint.toml": 'plugins = ["own_patterns"]',
            "own_patterns.py": '''
from jaxlint.rule import Rule


class OwnPattern(Rule):
    """A pattern of our own."""

    code = "OWN101"
    name = "own-pattern"
    category = "style"
    on = False
    since = "1"
    fix = None
    examples = ()
''',
        }
    )
    monkeypatch.syspath_prepend(str(root))
    ran = run("rule", "own-pattern")
    assert ran.status == 0 and ran.out.startswith("own-pattern (OWN101)\n")
    assert run("--select", "OWN", "--exit-zero", ".").status == 0


def test_preview_rules_are_selected_by_prefixes_or_by_name_alone(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(
        {
            "jaxlint.toml": 'plugins = ["new_patterns"]',
            "new_patterns.py": '''
from jaxlint.rule import Rule


class NewPattern(Rule):
    """A pattern of our own."""

    code = "OWN102"
    name = "new-pattern"
    category = "style"
    on = True
    nursery = True
    since = "1"
    fix = None
    examples = ()
''',
        }
    )
    monkeypatch.syspath_prepend(str(root))

    def is_on(*flags: str) -> bool:
        return "OWN102" in run(*flags, "--show-settings", ".").out.splitlines()[-1]

    explicit = ("--preview", "--config", "explicit-preview-rules = true")
    assert not is_on("--select", "new-pattern") and not is_on("--preview")
    assert is_on("--preview", "--select", "OWN")
    assert not is_on(*explicit, "--select", "OWN") and not is_on(*explicit, "--select", "ALL")
    assert is_on(*explicit, "--select", "OWN102") and is_on(*explicit, "--extend-select", "new-pattern")


def test_plugin_that_is_not_there(tree: Tree, run: Run) -> None:
    tree({"jaxlint.toml": 'plugins = ["no_such_plugin"]', "a.py": ""})
    ran = run(".")
    assert ran.status == 2 and ran.err.count("\n") == 1
    assert "plugin `no_such_plugin` cannot be imported: No module named 'no_such_plugin'" in ran.err


class TestGlob:
    @pytest.mark.parametrize(
        ("pattern", "path", "matches"),
        [
            ("*.py", "/p/a/b.py", True),
            ("b.py", "/p/a/b.py", True),
            ("tests", "/p/x/tests", True),
            ("tests", "/p/x/tests2", False),
            ("tests/*", "/p/tests/a/b.py", True),
            ("tests/*", "/p/x/tests/a.py", False),
            ("**/tests/*", "/p/x/tests/a.py", True),
            ("**/tests/*", "/p/tests/a.py", True),
            ("./a.py", "/p/a.py", True),
            ("../q/a.py", "/q/a.py", True),
            ("/p/a.py", "/p/a.py", True),
            ("{a,b}.py", "/p/x/b.py", True),
            ("[!a].py", "/p/a.py", False),
            ("[!a].py", "/p/b.py", True),
            ("a?.py", "/p/ab.py", True),
            ("build/", "/p/build", True),
            (".*", "/p/.venv", True),
            (".*", "/p/venv", False),
            ("a+(1).py", "/p/a+(1).py", True),
        ],
    )
    def test_matches(self, pattern: str, path: str, matches: bool) -> None:
        assert Glob(pattern, "/p").matches(path) is matches

    def test_without_a_folder_only_the_last_part_counts(self) -> None:
        assert not Glob(".*").matches("/.hidden/p/a.py")

    @pytest.mark.parametrize("pattern", ["a[", "{a,b", "[b-a]"])
    def test_not_a_glob(self, pattern: str) -> None:
        with pytest.raises(GlobError):
            Glob(pattern, "/p")


class TestVersions:
    @pytest.mark.parametrize(
        ("text", "lowest", "highest"),
        [
            ("0.4.30", (0, 4, 30), (0, 4, 30)),
            ("0.6", (0, 6, 0), (0, 6, 10**6)),
            (">=0.4.30,<0.6", (0, 4, 30), (0, 5, 10**6)),
            (">=0.4.30,<0.4.36", (0, 4, 30), (0, 4, 35)),
            (">=0.4.30,!=0.5.1,<=0.7", (0, 4, 30), (0, 7, 0)),
            ("~=0.4.30", (0, 4, 30), (0, 4, 10**6)),
            ("~=0.4", (0, 4, 0), (0, 10**6, 10**6)),
            ("==0.5.*", (0, 5, 0), (0, 5, 10**6)),
            ("^0.4.30", (0, 4, 30), (0, 4, 10**6)),
            ("> 0.4.1, < 1", (0, 4, 2), (0, 10**6, 10**6)),
            (">=0.5.0rc1,<0.6.dev0", (0, 5, 0), (0, 5, 10**6)),
        ],
    )
    def test_bounds(self, text: str, lowest: object, highest: object) -> None:
        assert parsed(text) == (lowest, highest)

    def test_open_ends(self) -> None:
        assert jax_range(">=0.4.30", "").highest == NEWEST_VERIFIED
        assert jax_range(">=99", "").highest == (99, 0, 0)
        below = jax_range("<0.6", "")
        assert below.lowest == below.highest == (0, 5, 10**6)
        assert below.reaches((0, 5, 3)) and not below.reaches((0, 6, 0))

    @pytest.mark.parametrize(
        ("files", "lowest", "highest"),
        [
            ({}, NEWEST_VERIFIED, NEWEST_VERIFIED),
            ({"pyproject.toml": '[project]\ndependencies = ["jaxlib>=0.1", "jax[cuda12]>=0.4.30,<0.5"]'}, (0, 4, 30), (0, 4, 10**6)),
            ({"pyproject.toml": '[project]\ndependencies = ["jax"]'}, NEWEST_VERIFIED, NEWEST_VERIFIED),
            (
                {
                    "pyproject.toml": '[project.optional-dependencies]\na = ["jax>=0.5.0,<0.6"]\nb = ["jax == 0.4.30"]',
                    "requirements.txt": "jax==0.6.0\n",
                },
                (0, 4, 30),
                (0, 5, 10**6),
            ),
            ({"pyproject.toml": '[dependency-groups]\ndev = ["jax~=0.7.0", {include-group = "x"}]'}, (0, 7, 0), (0, 7, 10**6)),
            ({"setup.cfg": "[options]\ninstall_requires =\n    numpy\n    jax>=0.4.1,<=0.4.20\n"}, (0, 4, 1), (0, 4, 20)),
            ({"setup.cfg": "[options.extras_require]\ngpu = jax==0.4.9\n"}, (0, 4, 9), (0, 4, 9)),
            ({"requirements-dev.txt": "# jax==1\n-r x.txt\njax==0.5.1 ; python_version > '3.9'  # why\n"}, (0, 5, 1), (0, 5, 1)),
            ({"requirements.txt": "jax @ git+https://example.org/jax\n"}, NEWEST_VERIFIED, NEWEST_VERIFIED),
            ({"pyproject.toml": '[tool.poetry.dependencies]\njax = {version = "^0.4.30", extras = ["cpu"]}'}, (0, 4, 30), (0, 4, 10**6)),
            ({"pyproject.toml": "not toml ["}, NEWEST_VERIFIED, NEWEST_VERIFIED),
        ],
    )  # fmt: skip
    def test_own_dependency(self, tree: Tree, files: dict[str, str], lowest: object, highest: object) -> None:
        found = declared_jax(str(tree(files)))
        assert (found.lowest, found.highest) == (lowest, highest)

    def test_target_jax_wins_over_the_dependency(self, tree: Tree) -> None:
        root = tree(
            {
                "pyproject.toml": '[project]\ndependencies = ["jax==0.4.30"]\n[tool.jaxlint]\ntarget-jax = "0.6.1"'
            }
        )
        assert Configuration().for_project(str(root)).target.lowest == (0, 6, 1)
        assert Configuration(isolated=True).for_project(str(root)).target.lowest == (0, 4, 30)


class TestSchema:
    def validator(self, run: Run) -> Draft7Validator:
        ran = run("config", "--output-format", "json-schema")
        assert ran.status == 0
        schema = json.loads(ran.out)
        Draft7Validator.check_schema(schema)
        return Draft7Validator(schema)

    def test_every_option_is_in_it(self, run: Run) -> None:
        properties = self.validator(run).schema["properties"]
        for option in OPTIONS:
            table, _, key = option.key.rpartition(".")
            owner = properties[table]["properties"] if table else properties
            assert owner[key]["description"].startswith(option.doc)

    @pytest.mark.parametrize(
        "text",
        [
            'select = ["ALL", "JAX1", "key-reuse", "my-own-rule"]\nsrc = ["."]\npreview = true',
            'output-format = "sarif"\n[per-file-ignores]\n"a.py" = ["JAX101"]',
            '[severity]\nJAX1 = "info"\n[jax]\nkey-sinks = ["a.b"]\n[confirm]\ntimeout = 2.5',
        ],
    )
    def test_what_jaxlint_reads_is_valid(self, tree: Tree, run: Run, text: str) -> None:
        tree({"jaxlint.toml": text.replace(', "my-own-rule"', ""), "a.py": ""})
        assert run(".").status == 0
        assert not [*self.validator(run).iter_errors(tomllib.loads(text))]

    @pytest.mark.parametrize(
        "text",
        [
            "selct = []",
            'select = "JAX1"',
            "select = [1]",
            'src = [""]',
            'preview = "yes"',
            'output-format = "jsn"',
            '[severity]\nJAX1 = "fatal"',
            "[confirm]\ntimeout = 0",
            "[jax]\njit-wrapper = []",
        ],
    )
    def test_what_jaxlint_refuses_is_not(self, tree: Tree, run: Run, text: str) -> None:
        tree({"jaxlint.toml": text, "a.py": ""})
        assert run(".").status == 2
        assert [*self.validator(run).iter_errors(tomllib.loads(text))]

    def test_goes_with_no_key(self, run: Run) -> None:
        assert run("config", "select", "--output-format", "json-schema").status == 2
