"""Replaces imported published libraries with pinebench's own versions if their source is missing."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.checker import Program, own_version_numbers
from pinebench.diagnostics import Severity
from pinebench.records import NamedTuple
from pinebench.runtime.refusals import NotComputed

_WHAT_TO_DO = (
    "pinebench's own version of the library does not have it. Put the library's source into one of the library folders."
)


class Runnable(NamedTuple):
    """A script that can run, and the paths of the libraries in it that pinebench's own versions replace."""

    program: Program
    own_versions: tuple[str, ...] = ()


def runnable(program: Program) -> Runnable:
    """Return the script with pinebench's own versions of the published libraries that it imports and whose source is
    missing. Raises NotComputed if the script uses something that pinebench's version of a library lacks."""
    found = program.with_own_versions if program.imports else None
    if found is None:
        return Runnable(program)
    changed, used = found
    known = set(program.diagnostics)
    for finding in changed.diagnostics:
        if finding.severity is Severity.ERROR and finding not in known:
            line = changed.document.lines.position(finding.span.start).line
            what = f"this use of {' or '.join(used)} ({finding.message.rstrip('.')})"
            raise NotComputed(what, line, _WHAT_TO_DO)
    return Runnable(changed, used)


def note_of(path: str) -> str:
    """Return the note that every run with pinebench's own version of the library `path` gets."""
    return (
        f"{path} is pinebench's own version of this published library, written from its documentation:"
        " values may differ from TradingView's"
    )


def library_notes(program: Program) -> tuple[str, ...]:
    """Return the note (`note_of`) for each published library that pinebench's own version replaces when the script
    runs. Raises NotComputed like `runnable`."""
    return tuple(map(note_of, runnable(program).own_versions))


def no_source(paths: Sequence[str], line: int, what: str = "") -> NotComputed:
    """Make the error for an imported library, one of `paths`, whose source is missing. The message begins with `what`,
    such as the name of a function."""
    return NotComputed(
        f"{what}{' or '.join(paths)}, a library whose source was not found or cannot be read,", line, _how_to_get(paths)
    )


def _how_to_get(paths: Sequence[str]) -> str:
    """The advice for a library, one of `paths`, whose source is missing."""
    names = dict.fromkeys(path.rpartition("/")[0] for path in paths)
    own = [f"{name}/{number}" for name in names for number in own_version_numbers(name)]
    stands = f" pinebench has own versions of {', '.join(own)}." if own else ""
    return f"Put its source into one of the library folders (library-paths in pinebench.toml).{stands}"
