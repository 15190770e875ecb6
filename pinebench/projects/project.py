"""Reads a script with the local libraries that its configuration names, and bundles it."""

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
    """Bundle the script `text` of the file `path`. Return None if it imports no local library: then it is sent
    unchanged.

    `folders` may contain the source of libraries; None means the folders in the configuration. The libraries are read
    again each time, because they may have been edited. Raises NotBundled if bundling is impossible, and UsageError if a
    library exists but cannot be read.
    """
    folders = config.library_folders(path, configuration) if folders is None else folders
    if not folders:
        return None
    program = open_program(text, folders, fresh=True)
    files = library_files(program, folders)
    if all(found is None for found in program.libraries_read.values()):
        return None
    return Project(program, bundle(program, path, files))


def text_to_send(text: str, path: str, configuration: str | None = None) -> str:
    """Return the text to send to TradingView: the script's bundle, or the script if it imports no local library."""
    project = project_of(text, path, configuration)
    return text if project is None else project.bundle.text


def library_files(program: Program, folders: tuple[str, ...]) -> dict[str, str]:
    """Map the path of each local library of a script to its file. Raises UsageError for one that cannot be read."""
    found: dict[str, str] = {}
    for path, text in program.libraries_read.items():
        located = locate_library(folders, path)
        if located is not None and text is not None:
            found[path] = os.path.relpath(located[0]) if _is_below(located[0]) else located[0]
    return found


def _is_below(file: str) -> bool:
    """Return whether a file is in or below the current folder, so that messages can use its short path."""
    return os.path.abspath(file).startswith(os.path.join(os.getcwd(), ""))
