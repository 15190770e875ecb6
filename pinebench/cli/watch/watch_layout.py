"""Finds the folders to watch and the names of the scripts in them. Links are followed."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from pinebench.linter.project import EXTENSIONS, SKIPPED_FOLDERS

MOST_LINKED_FOLDERS = 5_000
"""The largest number of folders that are searched for links, so that a link to a whole disk does not take forever."""


@dataclass(frozen=True, slots=True)
class WatchLayout:
    """The scripts and folders that must currently be watched for some paths.

    `scripts` are the names of the scripts, which begin with the paths that a person specified. The other fields map
    absolute paths: `folders` to whether subfolders are watched too, `files` to the name of a file, and `roots` to the
    beginning of the names of all files in a folder. `links` are the links to folders that were followed.
    """

    scripts: list[str] = field(default_factory=list[str])
    folders: dict[str, bool] = field(default_factory=dict[str, bool])
    files: dict[str, str] = field(default_factory=dict[str, str])
    roots: dict[str, str] = field(default_factory=dict[str, str])
    links: set[str] = field(default_factory=set[str])

    def name(self, path: str) -> str | None:
        """Return the name of the script at `path`; None if it is not a watched script."""
        absolute = os.path.abspath(path)
        if absolute in self.files:
            return self.files[absolute]
        if not absolute.lower().endswith(EXTENSIONS):
            return None
        for root in sorted(self.roots, key=len, reverse=True):
            inside = absolute.removeprefix(root.rstrip(os.sep) + os.sep)
            if inside != absolute:
                return None if _is_hidden(inside) else _joined(self.roots[root], inside)
        return None

    def watch(self, folder: str, deep: bool) -> None:
        """Add a folder to watch, with its subfolders if `deep`."""
        self.folders[folder] = self.folders.get(folder, False) or deep

    def add_file(self, path: str, name: str) -> None:
        """Add the script at `path` under `name`, with the links that its path goes through."""
        _take_file(self, path, name)


def survey(paths: Iterable[str], were_folders: Collection[str] = ()) -> WatchLayout:
    """Find the layout of `paths`, which are files and folders. Folders in `were_folders` may be temporarily missing.

    Links are followed, except links to a folder that contains the link or that is already watched. Each folder and file
    is added only once, and its own name takes precedence over the name of a link.
    """
    layout = WatchLayout()
    links: list[tuple[str, str]] = []
    for path in paths:
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute) or path in were_folders:
            layout.roots[absolute] = path
            layout.watch(absolute, True)
            links += _take_folder(layout, absolute, path)
        else:
            _take_file(layout, absolute, path.replace(os.sep, "/"))
    _follow(layout, links)
    return layout


def _take_folder(layout: WatchLayout, folder: str, name: str) -> list[tuple[str, str]]:
    """Add the scripts of a folder to the layout, and return the links in it, each with its name."""
    links: list[tuple[str, str]] = []
    for path, is_link in _entries(folder):
        shown = _joined(name, os.path.relpath(path, folder))
        if is_link:
            links.append((path, shown))
        else:
            layout.scripts.append(shown)
    return sorted(links)


def _take_file(layout: WatchLayout, path: str, name: str) -> None:
    """Add a file and every link on the way to it: if one of them is replaced, the script may have changed."""
    layout.scripts.append(name)
    for hop in _hops(path):
        layout.files[hop] = name
        layout.watch(os.path.dirname(hop), False)


def _follow(layout: WatchLayout, links: list[tuple[str, str]]) -> None:
    """Add the targets of `links`, and of the links that are found there in turn."""
    if not links:
        return
    inside = [os.path.realpath(root) for root in layout.roots]
    known = {os.path.realpath(name) for name in layout.scripts}
    left = MOST_LINKED_FOLDERS
    while links:
        path, name = links.pop(0)
        real = os.path.realpath(path)
        if not os.path.isdir(real):
            if path.lower().endswith(EXTENSIONS) and real not in known:
                known.add(real)
                _take_file(layout, path, name)
            continue
        if any(_within(real, root) or _within(root, real) for root in inside):
            continue
        left -= sum(1 for _ in _folders(real, left))
        if left <= 0:
            return
        inside.append(real)
        layout.links.add(path)
        layout.roots[real] = name
        layout.watch(real, True)
        links += _take_folder(layout, real, name)
        known |= {os.path.realpath(script) for script in layout.scripts}


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the scripts and the links in a folder and its subfolders, each with whether it is a link. Links are not
    followed."""
    for here, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = os.path.join(here, name)
            if os.path.islink(path):
                if not _is_skipped(name) or name in names:
                    yield path, True
            elif name in names and name.lower().endswith(EXTENSIONS):
                yield path, False
        folders[:] = sorted(name for name in folders if not _is_skipped(name))


def _folders(folder: str, most: int) -> Iterator[str]:
    """Yield `folder` and its subfolders, at most `most` of them."""
    for number, (here, folders, _) in enumerate(os.walk(folder)):
        if number >= most:
            return
        folders[:] = [name for name in folders if not _is_skipped(name)]
        yield here


def _hops(path: str) -> list[str]:
    """The path, the target if it is a link, the target's target and so on, and at the end the file itself."""
    found = [path]
    while os.path.islink(found[-1]) and len(found) < 40:
        target = os.path.join(os.path.dirname(found[-1]), os.readlink(found[-1]))
        found.append(os.path.abspath(target))
    return list(dict.fromkeys([*found, os.path.realpath(path)]))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _joined(name: str, inside: str) -> str:
    path = inside if name == "." else os.path.join(name, inside)
    return path.replace(os.sep, "/")


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in SKIPPED_FOLDERS


def _is_hidden(inside: str) -> bool:
    return any(_is_skipped(name) for name in inside.split(os.sep)[:-1])
