"""Which projects paths mean, which files are in them, and what imports among those mean."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Tree

from jaxlint.project import discovery
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import MissingPath, find_projects
from jaxlint.project.project import Project


def found(*paths: object, **overrides: object) -> tuple[Project, ...]:
    return find_projects([str(path) for path in paths], Configuration(overrides=overrides)).projects


def one(*paths: object, **overrides: object) -> Project:
    (project,) = found(*paths, **overrides)
    return project


def names(project: Project, reported: bool = False) -> list[str]:
    paths = sorted(project.reported) if reported else [file.path for file in project.files]
    return [os.path.relpath(path, project.root).replace(os.sep, "/") for path in paths]


MARKED = {"pyproject.toml": ""}


class TestRoot:
    @pytest.mark.parametrize("marker", ["pyproject.toml", "jaxlint.toml", ".jaxlint.toml", ".git/HEAD"])
    def test_marker_above(self, tree: Tree, marker: str) -> None:
        root = tree({marker: "", "a.py": "", "pkg/__init__.py": "", "pkg/b.py": ""})
        project = one("pkg/b.py")
        assert project.root == str(root)
        assert names(project) == ["a.py", "pkg/__init__.py", "pkg/b.py"]
        assert names(project, reported=True) == ["pkg/b.py"]
        assert project.whole

    def test_what_is_analysed_does_not_depend_on_what_is_named(self, tree: Tree) -> None:
        tree({**MARKED, "a.py": "", "pkg/b.py": "", "tests/test_c.py": ""})
        whole = one(".")
        assert names(whole) == names(whole, reported=True)
        for path in ("a.py", "pkg", "tests/test_c.py"):
            assert one(path).files == whole.files

    def test_project_in_a_project(self, tree: Tree) -> None:
        tree({**MARKED, "a.py": "", "sub/jaxlint.toml": "preview = true", "sub/b.py": "", "sub/c/d.py": ""})
        outer, inner = found(".")
        assert (names(outer), names(inner)) == (["a.py"], ["b.py", "c/d.py"])
        assert inner.settings.preview and not outer.settings.preview
        assert one("sub/b.py").files == inner.files
        assert names(one("sub/c"), reported=True) == ["c/d.py"]

    def test_folder_without_a_marker_is_the_project(self, tree: Tree) -> None:
        root = tree({"x/pkg/__init__.py": "", "x/pkg/a.py": "", "y/b.py": ""})
        assert one("x").root == str(root / "x")
        assert names(one("x")) == ["pkg/__init__.py", "pkg/a.py"]

    def test_file_without_a_marker(self, tree: Tree) -> None:
        root = tree(
            {
                "x/pkg/__init__.py": "",
                "x/pkg/sub/__init__.py": "",
                "x/pkg/sub/a.py": "",
                "x/b.py": "",
                "c.py": "",
            }
        )
        project = one("x/pkg/sub/a.py")
        assert project.root == str(root / "x")
        assert names(project) == ["b.py", "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/a.py"]
        assert names(project, reported=True) == ["pkg/sub/a.py"]

    def test_file_below_a_folder_that_is_named_too(self, tree: Tree) -> None:
        tree({"x/y/a.py": "", "x/b.py": ""})
        project = one("x/y/a.py", "x")
        assert names(project, reported=True) == ["b.py", "y/a.py"]

    def test_home_folder_is_not_walked_for_one_file(
        self, tree: Tree, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = tree(
            {"a.py": "", "b.py": "", "pkg/__init__.py": "", "pkg/c.py": "", "big/d.py": "", ".git/HEAD": ""}
        )
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("USERPROFILE", str(home))
        project = one("a.py")
        assert names(project) == ["a.py", "b.py", "pkg/__init__.py", "pkg/c.py"]
        assert not project.whole
        assert one("big/d.py").root == str(home / "big")
        assert "big/d.py" in names(one("."))

    def test_home_folder_with_a_configuration_is_a_project(
        self, tree: Tree, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = tree({"pyproject.toml": "", "x/a.py": ""})
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("USERPROFILE", str(home))
        assert one("x/a.py").root == str(home)

    def test_wide_folder_is_cut_to_the_neighbourhood(
        self, tree: Tree, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tree({"a.py": "", "b.py": "", **{f"d{i}/x.py": "" for i in range(9)}})
        monkeypatch.setattr(discovery, "MOST_FOLDERS", 5)
        project = one("a.py")
        assert (names(project), project.whole) == (["a.py", "b.py"], False)
        assert len(names(one("."))) == 11


class TestFiles:
    def test_missing_paths_are_all_named(self, tree: Tree) -> None:
        tree({"a.py": ""})
        with pytest.raises(MissingPath, match="no such file or folder: `b.py`, `c`"):
            found("a.py", "b.py", "c")

    def test_left_out_by_default(self, tree: Tree) -> None:
        tree(
            {
                **MARKED,
                "a.py": "",
                "b.pyi": "",
                "c.txt": "",
                ".hidden/x.py": "",
                "venv/x.py": "",
                "own_env/pyvenv.cfg": "",
                "own_env/lib/x.py": "",
                "lib/site-packages/x.py": "",
                "build/x.py": "",
                "__pycache__/x.py": "",
            }
        )
        assert names(one(".")) == ["a.py", "b.pyi"]

    @pytest.mark.parametrize("path", ["build", "build/x.py", ".hidden/x.py", ".hidden", "venv/lib"])
    def test_named_although_left_out(self, tree: Tree, path: str) -> None:
        tree({**MARKED, "a.py": "", "build/x.py": "", ".hidden/x.py": "", "venv/lib/x.py": ""})
        project = one(path)
        assert len(project.reported) == 1
        assert "a.py" in names(project)
        assert found(path, **{"force-exclude": True}) == ()

    def test_a_name_that_is_left_out_above_the_root(self, tree: Tree) -> None:
        tree({"sub/a.py": "", "b.py": ""})
        left_out = {"extend-exclude": ["sub"], "force-exclude": True}
        assert found("sub/a.py", **left_out) == () and found("sub", **left_out) == ()
        assert found("b.py", **left_out) != () and found("sub", **{"extend-exclude": ["sub"]}) != ()

    def test_a_root_below_an_excluded_name(self, tree: Tree) -> None:
        tree({"build/p/pyproject.toml": "", "build/p/a.py": ""})
        assert names(one("build/p")) == ["a.py"]

    def test_exclude_and_include(self, tree: Tree) -> None:
        tree({**MARKED, "a.py": "", "gen/b.py": "", "x/gen/c.py": "", "build/d.py": "", "e.pyw": ""})
        assert names(one(".", exclude=["gen"])) == ["a.py", "build/d.py"]
        assert names(one(".", **{"extend-exclude": ["gen/*"]})) == ["a.py", "x/gen/c.py"]
        assert names(one(".", include=["*.pyw"])) == ["e.pyw"]

    def test_gitignore(self, tree: Tree) -> None:
        tree(
            {
                ".git/HEAD": "",
                ".git/info/exclude": "private.py\n",
                ".gitignore": "/out/\n*_gen.py\n# comment\n!keep_gen.py\n",
                "a.py": "",
                "private.py": "",
                "b_gen.py": "",
                "keep_gen.py": "",
                "out/c.py": "",
                "sub/out/d.py": "",
                "sub/.gitignore": "e.py\n!f_gen.py\n",
                "sub/e.py": "",
                "sub/f_gen.py": "",
                "e.py": "",
            }
        )
        assert names(one(".")) == ["a.py", "e.py", "keep_gen.py", "sub/f_gen.py", "sub/out/d.py"]
        assert "out/c.py" in names(one("out"))
        assert len(names(one(".", **{"respect-gitignore": False}))) == 9
        assert found("sub/e.py", **{"force-exclude": True}) == ()

    def test_gitignore_above_the_root(self, tree: Tree) -> None:
        tree(
            {
                ".git/HEAD": "",
                ".gitignore": "skip.py\np/\n",
                "p/pyproject.toml": "",
                "p/a.py": "",
                "q/jaxlint.toml": "",
                "q/skip.py": "",
            }
        )
        assert names(one("p")) == ["a.py"]
        assert found("q") == ()

    def test_notebooks_and_what_the_settings_name(self, tree: Tree) -> None:
        tree({**MARKED, "a.ipynb": "{}", "b.md": "", "c.MD": "", "d.txt": ""})
        assert names(one(".")) == ["a.ipynb"]
        configuration = Configuration(overrides={"extension": {"md": "myst", ".TXT": "python"}})
        (project,) = find_projects(["."], configuration).projects
        assert [file.format for file in project.files] == ["ipynb", "myst", "myst", "python"]
        assert not any(file.module for file in project.files)

    def test_script_without_a_suffix(self, tree: Tree) -> None:
        tree({**MARKED, "tool": "import jax\n", "a.py": ""})
        project = one("tool")
        assert names(project) == ["a.py", "tool"] and names(project, reported=True) == ["tool"]
        assert project.by_path[str(Path("tool").absolute())].module == ()

    def test_links(self, tree: Tree) -> None:
        root = tree({**MARKED, "a.py": "", "sub/b.py": ""})
        os.symlink(root, root / "sub" / "loop")
        os.symlink(root / "a.py", root / "sub" / "again.py")
        os.symlink(root / "none.py", root / "sub" / "dangling.py")
        assert names(one(".")) == ["a.py", "sub/b.py"]
        assert names(one("sub/loop"), reported=True) == ["a.py", "sub/b.py"]

    def test_link_out_of_the_project(self, tree: Tree) -> None:
        root = tree({"p/pyproject.toml": "", "shared.py": ""})
        os.symlink(root / "shared.py", root / "p" / "shared.py")
        assert names(one("p")) == ["shared.py"]

    def test_same_path_twice(self, tree: Tree) -> None:
        root = tree({**MARKED, "a.py": ""})
        assert names(one("a.py", root / "a.py", ".", "./a.py"), reported=True) == ["a.py"]

    def test_unsaved_file_that_is_not_there(self, tree: Tree) -> None:
        root = tree({**MARKED, "a.py": ""})
        (project,) = find_projects([], Configuration(), unsaved=["new.py"]).projects
        assert project.reported == {str(root / "new.py")}
        assert names(project) == ["a.py", "new.py"]

    def test_order_does_not_depend_on_the_disk(self, tree: Tree) -> None:
        tree({**MARKED, **{f"{name}/{name}.py": "" for name in "zaqm"}})
        assert names(one(".")) == sorted(names(one(".")))


class TestNames:
    def modules(self, project: Project) -> dict[str, tuple[str, ...]]:
        return dict(zip(names(project), (file.module for file in project.files), strict=True))

    def test_import_roots_and_packages(self, tree: Tree) -> None:
        tree(
            {
                **MARKED,
                "src/pkg/__init__.py": "",
                "src/pkg/a.py": "",
                "src/space/b.py": "",
                "tests/test_a.py": "",
                "libs/other/other/__init__.py": "",
                "libs/other/other/c.py": "",
                "odd-name.py": "",
                "main.py": "",
            }
        )
        assert self.modules(one(".")) == {
            "src/pkg/__init__.py": ("pkg", "src.pkg"),
            "src/pkg/a.py": ("pkg.a", "src.pkg.a"),
            "src/space/b.py": ("space.b", "src.space.b"),
            "tests/test_a.py": ("tests.test_a",),
            "libs/other/other/__init__.py": ("other", "libs.other.other"),
            "libs/other/other/c.py": ("other.c", "libs.other.other.c"),
            "odd-name.py": (),
            "main.py": ("main",),
        }

    def test_src_setting(self, tree: Tree) -> None:
        tree({"jaxlint.toml": 'src = ["libs/*"]', "libs/a/x/m.py": "", "libs/b/y.py": "", "z.py": ""})
        assert self.modules(one(".")) == {"libs/a/x/m.py": ("x.m",), "libs/b/y.py": ("y",), "z.py": ()}

    def test_named_folder_inside_a_package(self, tree: Tree) -> None:
        tree({"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/a.py": ""})
        assert self.modules(one("pkg/sub"))["a.py"] == ("pkg.sub.a", "a")

    def test_plain_folders_inside_a_package(self, tree: Tree) -> None:
        tree(
            {
                "pkg/__init__.py": "",
                "pkg/core/a.py": "",
                "pkg/core/sub/__init__.py": "",
                "pkg/core/sub/b.py": "",
                "pkg/core/sub/deep/c.py": "",
            }
        )
        assert self.modules(one("pkg")) == {
            "__init__.py": ("pkg",),
            "core/a.py": ("pkg.core.a", "core.a"),
            "core/sub/__init__.py": ("sub", "pkg.core.sub", "core.sub"),
            "core/sub/b.py": ("sub.b", "pkg.core.sub.b", "core.sub.b"),
            "core/sub/deep/c.py": ("sub.deep.c", "pkg.core.sub.deep.c", "core.sub.deep.c"),
        }
        assert self.modules(one("pkg/core/a.py"))["pkg/core/a.py"] == ("pkg.core.a",)

    def test_resolve(self, tree: Tree) -> None:
        root = tree(
            {
                **MARKED,
                "pkg/__init__.py": "",
                "pkg/a.py": "",
                "pkg/sub/__init__.py": "",
                "pkg/sub/b.py": "",
                "pkg/both.py": "",
                "pkg/both.pyi": "",
                "scripts/run.py": "",
                "scripts/util.py": "",
                "scripts/random.py": "",
                "examples/util.py": "",
                "random.py": "",
                "main.py": "",
            }
        )
        project = one(".")

        def resolve(name: str, importer: str, level: int = 0) -> str | None:
            file = project.resolve(name, str(root / importer), level)
            return None if file is None else os.path.relpath(file.path, root).replace(os.sep, "/")

        assert resolve("pkg", "main.py") == "pkg/__init__.py"
        assert resolve("pkg.sub.b", "scripts/run.py") == "pkg/sub/b.py"
        assert resolve("pkg.both", "main.py") == "pkg/both.py"
        assert resolve("a", "pkg/sub/b.py", 2) == "pkg/a.py"
        assert resolve("", "pkg/sub/b.py", 1) == "pkg/sub/__init__.py"
        assert resolve("b", "pkg/sub/__init__.py", 1) == "pkg/sub/b.py"
        assert resolve("util", "scripts/run.py") == "scripts/util.py"
        assert resolve("util", "pkg/a.py") is None
        assert resolve("a", "pkg/sub/b.py") is None
        assert resolve("random", "scripts/run.py") == "scripts/random.py"
        assert resolve("random", "pkg/a.py") is None
        assert resolve("numpy", "main.py") is None
        assert resolve("a", "pkg/sub/b.py", 9) is None
