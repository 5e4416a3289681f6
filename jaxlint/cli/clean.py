"""`jaxlint clean`: removes caches and what a killed `--fix` left, and nothing that does not say so itself."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator

import click

from jaxlint.cli.neutral import neutral
from jaxlint.cli.report import says
from jaxlint.project.configuration import Configuration
from jaxlint.session.store import NAME, folder_for, is_cache

_SCRATCH = re.compile(r"\.[a-z0-9_]{8}\.jaxlint")  # what `write_atomically` writes to


@click.command("clean")
@click.argument("paths", nargs=-1)
@click.option(
    "--cache-dir",
    metavar="FOLDER",
    help="Folder of a cache in another place.",
    envvar="JAXLINT_CACHE_DIR",
    show_envvar=True,
)
@click.option("-q", "--quiet", is_flag=True, help="Do not print what is removed.")
def command(paths: tuple[str, ...], cache_dir: str | None, quiet: bool) -> int:
    """Remove the caches below PATHS, or below the working folder, the one that `cache-dir` names, and the
    scratch files of a `--fix` that was killed."""
    configuration = Configuration(overrides={} if cache_dir is None else {"cache-dir": cache_dir})
    status = 0
    for path in paths or (".",):
        top = os.path.realpath(path)
        if not os.path.isdir(top):
            raise FileNotFoundError(f"no such folder: `{path}`")
        named = configuration.for_folder(top).cache_dir
        for place in dict.fromkeys([*([folder_for(top, named)] if named else []), *_left(top)]):
            try:
                is_removed = _remove(place)
            except OSError as error:
                says(f"{os.path.relpath(place)}: not removed: {error.strerror or error}")
                status = 2
            else:
                if is_removed and not quiet:
                    click.echo(f"removed {neutral(os.path.relpath(place))}", err=True)
    return status


def _remove(place: str) -> bool:
    """Whether there was anything to remove. A folder that does not say that it is a cache is left alone.

    Raises:
        OSError: it is a link, or the system refuses.
    """
    if os.path.islink(place):
        raise OSError(0, "it is a link")
    if _SCRATCH.fullmatch(os.path.basename(place)):
        os.unlink(place)
        return True
    if is_cache(place):
        shutil.rmtree(place)
        return True
    return False


def _left(top: str) -> Iterator[str]:
    """The caches and the scratch files below a folder."""
    for folder, names, files in os.walk(top):
        if NAME in names:
            yield os.path.join(folder, NAME)
        for name in files:
            if _SCRATCH.fullmatch(name):
                yield os.path.join(folder, name)
        # Caches lie beside configuration files, which hidden folders do not have.
        names[:] = sorted(name for name in names if not name.startswith(".") and name != "node_modules")
