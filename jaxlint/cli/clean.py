"""`jaxlint clean`: removes caches, and nothing that does not say that it is one."""

from __future__ import annotations

import os
import shutil

import click

from jaxlint.configfile import Configuration
from jaxlint.engine.store import NAME, TAG, folder_for


@click.command("clean")
@click.argument("paths", nargs=-1)
@click.option("--cache-dir", metavar="FOLDER", help="The folder of a cache that stands elsewhere.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say what is removed.")
def command(paths: tuple[str, ...], cache_dir: str | None, quiet: bool) -> int:
    """Remove the caches below PATHS, or below the working folder, and the one that `cache-dir` names."""
    configuration = Configuration(overrides={} if cache_dir is None else {"cache-dir": cache_dir})
    for path in paths or (".",):
        top = os.path.realpath(path)
        if not os.path.isdir(top):
            raise FileNotFoundError(f"no such folder: `{path}`")
        named = configuration.for_folder(top).cache_dir
        for cache in dict.fromkeys([*([folder_for(top, named)] if named else []), *_caches(top)]):
            # A folder that does not say that it is a cache is left alone.
            if os.path.isfile(os.path.join(cache, TAG)):
                shutil.rmtree(cache)
                if not quiet:
                    click.echo(f"removed {os.path.relpath(cache)}", err=True)
    return 0


def _caches(top: str) -> list[str]:
    found = []
    for folder, names, _ in os.walk(top):
        if NAME in names:
            found.append(os.path.join(folder, NAME))
        # Caches lie beside configuration files, which hidden folders do not have.
        names[:] = sorted(name for name in names if not name.startswith(".") and name != "node_modules")
    return found
