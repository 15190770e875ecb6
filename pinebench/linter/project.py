"""Finds, reads and fixes the files of a lint run, and reports problems with them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pinebench import files
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.files import originals
from pinebench.linter.engine import check_text
from pinebench.linter.findings import UNCHECKED_SCRIPT, is_opinion
from pinebench.linter.ignored import GitIgnore
from pinebench.linter.suppress import may_hide, split_hidden, without_unused
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from pinebench.linter.findings import Finding, FindingFilter
    from pinebench.linter.fixes import Guess
    from pinebench.linter.suppress import HiddenFinding

EXTENSIONS = files.ENDINGS
"""The file name endings that are searched for in folders; a file named on the command line may have any ending."""

SKIPPED_FOLDERS = {"node_modules", "__pycache__"}
"""Folders that are never searched, in addition to hidden ones."""


class LintedFile(NamedTuple):
    """A script to lint: its path in reports, its text, the folders with its libraries, and the codes of the rules to
    run."""

    path: str
    file: files.DecodedText
    libraries: tuple[str, ...] = ()
    opinions: Collection[str] = ()

    @property
    def text(self) -> str:
        """The source text of the script."""
        return self.file.text

    def with_text(self, text: str) -> LintedFile:
        """Return the same script with `text` as its source."""
        return self._replace(file=self.file._replace(text=text))


class ScriptFindings(NamedTuple):
    """The findings in one script. `as_shown` returns a result with only the shown findings, and with the hidden ones in
    `hidden`. `unread` lists the paths of the libraries without a readable text, so that uses of them were not checked.
    `is_checked` is False for a script of an older version of Pine, even if the finding that says so is not shown.
    """

    script: LintedFile
    findings: list[Finding]
    hidden: Sequence[HiddenFinding] = ()
    unread: Sequence[str] = ()
    is_checked: bool = True

    @property
    def hidden_errors(self) -> list[Finding]:
        """The errors among the hidden findings."""
        return [each.finding for each in self.hidden if each.finding.severity is Severity.ERROR]

    def as_shown(self, view: FindingFilter) -> ScriptFindings:
        """Return the result with only the findings that `view` shows."""
        shown = split_hidden(self.script.text, self.script.path, self.findings, view)
        is_checked = all(each.code != UNCHECKED_SCRIPT for each in self.findings)
        return self._replace(findings=shown.findings, hidden=shown.hidden, is_checked=is_checked)


UNREADABLE = "unreadable"
"""The code in reports for a file or folder that could not be read."""
LEFT_OUT = "left-out"
"""The code in reports for a link that was not followed."""


class FileProblem(NamedTuple):
    """Something that could not be checked: its path, the reason, advice, its code in reports and its exit code."""

    path: str
    message: str
    hint: str | None = None
    code: str = UNREADABLE
    exit_code: int = UsageError.exit_code


def discover(
    paths: Sequence[str],
    excluded: Callable[[str], bool],
    problems: list[FileProblem],
    *,
    outside: bool = False,
    force_exclude: bool = False,
) -> list[str]:
    """Return the scripts that `paths` name: sorted, without duplicates, and with `/` in the paths.

    A path names a file or a folder; a pattern such as `*.pine` names the files that match it. A folder is searched for
    files that end in EXTENSIONS. Hidden folders, files that git ignores and files for which `excluded(path)` is true
    are skipped. With `force_exclude`, `excluded` applies to files in `paths` too.

    A problem is added to `problems` for a folder without a script, for a folder that cannot be read and, unless
    `outside` is set, for a link in a folder that leads out of it. The user who asks for fixes in a folder does not
    expect changes outside it.
    """
    found: dict[str, str] = {}  # by real path, because `./a.pine` is `a.pine`
    for path in files.matching(paths):
        if not os.path.isdir(path):
            if force_exclude and excluded(path):
                continue
            found.setdefault(os.path.realpath(path), path.replace(os.sep, "/"))
            continue
        unreadable: list[FileProblem] = []
        there = list(_walk(path, unreadable))
        inside = [file for file in there if not excluded(file)]
        problems += unreadable
        if not inside and not unreadable and not (there and force_exclude):
            endings = " or ".join(EXTENSIONS)
            hint = f"scripts end in {endings}; hidden folders and what git ignores are left out"
            problems.append(FileProblem(path, f"{path}: no scripts in this folder", hint))
        root = os.path.realpath(path)
        places: dict[str, str] = {}  # the real path of each folder
        links = {file for file in inside if os.path.islink(file)}
        for file in sorted(inside, key=links.__contains__):  # links last, so that a file keeps its own name
            real = os.path.realpath(file) if file in links else _beneath(root, path, file, places)
            if outside or real.startswith(os.path.join(root, "")):
                found.setdefault(real, file)
            elif real not in found:
                said = f"{file} is a link that leads out of {path}, so it was left out"
                problems.append(FileProblem(file, said, "give the file itself, or exclude it", LEFT_OUT))
    return sorted(found.values())


def _beneath(root: str, top: str, file: str, places: dict[str, str]) -> str:
    """The real path of `file` in the folder `top`, whose real path is `root`.

    `places` keeps the real paths of the folders met so far. The search follows no links to folders, so these paths can
    be computed.
    """
    folder, name = os.path.split(file)
    if folder not in places:
        inside = os.path.relpath(folder or ".", top)
        places[folder] = root if inside == "." else os.path.join(root, inside)
    return os.path.join(places[folder], name)


def read_scripts(paths: Iterable[str], problems: list[FileProblem], *, changing: bool = False) -> list[LintedFile]:
    """Read the scripts at `paths`. A file that cannot be read or is not text is added to `problems` and left out.

    `changing` says that the files will be written, so each file must be known to be a script.
    """
    scripts: list[LintedFile] = []
    for path in paths:
        try:
            scripts.append(LintedFile(path, files.read_script(path, changing=changing)))
        except UsageError as error:
            problems.append(FileProblem(path, error.message, error.hint))
    return scripts


class FixedScript(NamedTuple):
    """A script before and after its fixes, the number of fixes, and the unsafe ones. `ended` is true if the budget
    for trying fixes was used up before all fixes were tried."""

    before: LintedFile
    after: LintedFile
    fixes: int
    guesses: tuple[Guess, ...] = ()
    ended: bool = False


def fix_result(result: ScriptFindings, view: FindingFilter, *, unsafe: bool) -> FixedScript:
    """Apply the safe fixes (with `unsafe`, all fixes) of the findings that `view` shows, and remove the comments that
    no longer hide anything. Findings that a comment hides are left alone."""
    script = result.script
    fixes, guesses, ended = 0, (), False
    after, findings = script, result.findings
    if any(finding.fix and (unsafe or finding.fix.safe) for finding in findings):
        from pinebench.linter.fixes import fix_text

        fixed = fix_text(
            script.text,
            lambda diagnostic: view.shows(diagnostic.code),
            unsafe=unsafe,
            libraries=script.libraries,
            opinions=script.opinions,
            heeds_comments=True,
            diagnostics=[finding.diagnostic for finding in findings if not is_opinion(finding.code)],
        )
        fixes, guesses, ended = fixed.applied.total(), fixed.guesses, fixed.ended
        after = script.with_text(fixed.text)
        if fixes and may_hide(after.text):
            findings = check_text(after.text, script.path, script.libraries, script.opinions)
    text, unused = without_unused(after.text, findings, view)
    return FixedScript(script, after.with_text(text), fixes + unused, guesses, ended)


def save_script(fixed: FixedScript) -> list[str]:
    """Write the fixed script to its path in its original encoding.

    Return messages for the user about the file: where the original is kept if unsafe fixes were applied, and how the
    file's access rights changed.

    Raises UsageError if the file cannot be written or has changed since it was read.
    """
    before, after = fixed.before, fixed.after
    held = before.file.encode(before.text)
    kept = originals.keep(before.path, held) if fixed.guesses else None
    said = files.replace(after.path, after.file.encode(after.text), held)
    told = [f"{before.path}: the original is kept as {kept}"] if kept else []
    return [*told, said] if said else told


def _walk(folder: str, unreadable: list[FileProblem]) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        why = (error.strerror or str(error)).lower()
        unreadable.append(FileProblem(error.filename, f"{error.filename} cannot be read: {why}"))

    ignored = GitIgnore(folder)
    waiting = [folder]
    while waiting:  # not recursive, because Python limits the depth of calls
        parent, folders, names = next(os.walk(waiting.pop(), onerror=refuse), ("", [], []))
        for name in folders:
            path = os.path.join(parent, name)
            if name.startswith(".") or name in SKIPPED_FOLDERS or os.path.islink(path):
                continue
            if not ignored.leaves_out(path, is_folder=True):
                waiting.append(path)
        for name in names:
            path = os.path.join(parent, name)
            if name.lower().endswith(EXTENSIONS) and not ignored.leaves_out(path):
                path = path.replace(os.sep, "/")
                yield path.removeprefix("./") if folder == "." else path
