"""Reads the script of a project with its local libraries, as its configuration names them, and bundles it."""

from __future__ import annotations

import os

from pinebench import config
from pinebench.checker import Program, open_program
from pinebench.files.libraries import locate_library
from pinebench.projects.bundle import Bundle, bundle
from pinebench.records import NamedTuple


class Project(NamedTuple):
    """A script that imports local libraries: the checked script, and its bundle."""

    program: Program
    bundle: Bundle


def project_of(
    text: str, path: str, configuration: str | None = None, *, folders: tuple[str, ...] | None = None
) -> Project | None:
    """Bundle the script `text` of the file `path`. None if it imports no local library, so that it is sent as it is.

    `folders` may hold the source of libraries; None for the ones that the configuration names. The libraries are read
    again each time, because they may be edited. Raises NotBundled if it cannot be bundled.
    """
    folders = config.library_folders(path, configuration) if folders is None else folders
    if not folders:
        return None
    program = open_program(text, folders, fresh=True)
    if all(found is None for found in program.libraries_read.values()):
        return None
    return Project(program, bundle(program, path, library_files(program, folders)))


def text_to_send(text: str, path: str, configuration: str | None = None) -> str:
    """The text that TradingView gets of a script: its bundle, or the script itself if it imports no local library."""
    project = project_of(text, path, configuration)
    return text if project is None else project.bundle.text


def library_files(program: Program, folders: tuple[str, ...]) -> dict[str, str]:
    """The file of each local library of a script, by its path."""
    found: dict[str, str] = {}
    for path, text in program.libraries_read.items():
        located = locate_library(folders, path) if text is not None else None
        if located is not None:
            found[path] = os.path.relpath(located[0]) if _is_below(located[0]) else located[0]
    return found


def _is_below(file: str) -> bool:
    """Whether a file is in the current folder or below it, so that messages name it by its short path."""
    return os.path.abspath(file).startswith(os.path.join(os.getcwd(), ""))
