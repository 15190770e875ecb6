"""`pinebench lint`: report errors and warnings in Pine scripts, with TradingView's codes, positions and messages."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from pinebench import files
from pinebench.cli.console import (
    InputPath,
    Progress,
    add_config_argument,
    add_paths_argument,
    note,
    output_path,
    positive,
    print_diff,
    print_report,
    read_stdin,
    style_for,
    tell_error,
)
from pinebench.config import FAIL_ON, UNCHECKED
from pinebench.errors import UsageError
from pinebench.garbage import CollectionRare
from pinebench.linter.report import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pinebench.linter import Finding
    from pinebench.linter.baseline import Baseline
    from pinebench.linter.cache import Cache
    from pinebench.linter.project import FileProblem, FixedScript, LintedFile, ScriptFindings
    from pinebench.linter.settings import FileSettings, RunSettings

_STDIN_NAME = "<stdin>"
_PLACES_TOLD = 5

_FAIL_ON_HELP = (
    "exit with 1 if a finding has at least this severity: error (default), warning, info or never; "
    "unchecked, alone or after a comma, also if a script of Pine v5 or older was not checked"
)

EPILOG = """\
examples:
  pinebench lint                          every script below this folder
  pinebench lint my.pine --tradingview    only the findings of TradingView's editor
  pinebench lint scripts --format json    for programs
  pinebench lint my.pine --fix            apply the fixes that cannot change what a script does
  pinebench lint - < my.pine              from standard input

a comment hides the codes that it names: // pinebench: ignore[CW10003]
it applies to its line or, if it is alone on a line, to the next line
for a whole script: // pinebench: ignore-file[CW10003]; a hidden error still fails
"""

USAGE = "[PATH]... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add_paths_argument(add, default="this folder")
    add("--format", choices=FORMATS, default="text", help="the format of the report (default: text)")
    add("--tradingview", action="store_true", help="show only the findings of TradingView's editor, at its positions")
    add(
        "--select",
        action="append",
        metavar="CODES",
        help="only these codes, prefixes, rules or groups of rules, as in CE,PB2,style; ALL: everything",
    )
    add("--ignore", action="append", metavar="CODES", help="leave out these codes, prefixes, rules or groups")
    add(
        "--fix",
        action="store_true",
        help="apply safe fixes to the files (for -: print the fixed text, report on stderr)",
    )
    add(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also apply guesses, which may change what a script does; each is listed, "
        "and the original is kept",
    )
    add(
        "--diff",
        action="store_true",
        help="show what --fix would change and change nothing; exit 1 if there are changes",
    )
    add("--baseline", type=InputPath, metavar="FILE", help="leave out the findings listed in FILE")
    add(
        "--write-baseline",
        type=output_path,
        metavar="FILE",
        help="accept the present findings: list them in FILE, and leave them out",
    )
    add("--prune-baseline", action="store_true", help="remove findings that no longer occur from the --baseline")
    add("--stdin-filename", metavar="NAME", help="the name of standard input in reports")
    add("--fail-on", action="append", type=_levels, metavar="LEVEL", help=_FAIL_ON_HELP)
    add("--statistics", action="store_true", help="count findings by code instead of listing them")
    add("--no-cache", action="store_true", help="check unchanged scripts again, without the cache")
    add("--jobs", type=positive, metavar="N", help="the number of processes (default: chosen by the amount of work)")
    add(
        "--force-exclude",
        action="store_true",
        help="leave out files that the configuration excludes, even if they are named",
    )
    add_config_argument(add)


def _levels(text: str) -> str:
    """Check the value of --fail-on and return it unchanged; for argparse."""
    words = text.split(",")
    unknown = [word for word in words if word not in (*FAIL_ON, UNCHECKED)]
    if unknown or len(words) - words.count(UNCHECKED) > 1:
        known = ", ".join(FAIL_ON)
        from pinebench.near import near_names

        near = "".join(f" (did you mean '{name}'?)" for name in near_names(text, (*FAIL_ON, UNCHECKED)))
        raise argparse.ArgumentTypeError(f"must be one of {known}, optionally with {UNCHECKED}, not '{text}'{near}")
    return text


def run(args: argparse.Namespace) -> int:
    """Lint the scripts, print the report, and return the exit code."""
    with CollectionRare():
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    _refuse_contradictions(args)
    accepted = _baseline(args)
    problems: list[FileProblem] = []
    settled = _settled(args)
    with Progress() as progress:
        progress.show("looking for scripts")
        scripts = _scripts(args, settled, problems)
    asked = {script.path: settled.asked(script.path) for script in scripts}
    scripts = [script._replace(opinions=asked[script.path].opinions) for script in scripts]
    results = _check(args, scripts, problems, _cache(args, scripts))
    if args.diff or args.fix:
        fixed = _fixed(args, results, asked, problems)
        if args.diff:
            return _exit_code(problems, found=_print_diff(fixed))
        results = _check(args, _written(args, fixed, problems), problems)
    shown = [asked[result.script.path].as_shown(result) for result in results]
    if accepted is not None:
        shown = _without_accepted(args, accepted, results, shown, asked)
    if shown or args.format != "text":
        _print_report(args, shown, problems, lambda finding: asked[finding.path].fails_by(finding))
    failing = [result for result in shown if asked[result.script.path].fails(result)]
    _tell_hidden_errors(failing)
    return _exit_code(problems, found=bool(failing))


def _check(
    args: argparse.Namespace, scripts: list[LintedFile], problems: list[FileProblem], cache: Cache | None = None
) -> list[ScriptFindings]:
    """The findings of `scripts`, in the same order. If Ctrl-C ends the work, only the scripts checked by then."""
    from pinebench.linter import batch

    order = {id(script): place for place, script in enumerate(scripts)}
    results: list[ScriptFindings] = []
    try:
        with Progress() as progress:
            progress.show(_done(0, scripts))
            for result in batch.check_scripts(scripts, args.jobs, cache, problems):
                results.append(result)
                progress.show(_done(len(results), scripts))
    except KeyboardInterrupt:
        checked = {id(result.script) for result in results}
        first = next((script.path for script in scripts if id(script) not in checked), "")
        problems.append(batch.interrupted(first, f"interrupted: {_done(len(results), scripts)}"))
    return sorted(results, key=lambda result: order[id(result.script)])


def _done(count: int, scripts: list[LintedFile]) -> str:
    return f"{count} of {len(scripts)} {'script' if len(scripts) == 1 else 'scripts'} checked"


def _fixed(
    args: argparse.Namespace, results: list[ScriptFindings], asked: dict[str, FileSettings], problems: list[FileProblem]
) -> list[FixedScript]:
    """Fix each script in memory. A script on which fixing fails stays as it is and adds a problem.

    Raises KeyboardInterrupt if the check before was interrupted.
    """
    from pinebench.linter import batch, project

    if any(problem.code == batch.INTERRUPTED for problem in problems):
        note("interrupted; nothing was changed")
        raise KeyboardInterrupt
    fixed: list[FixedScript] = []
    with Progress() as progress:
        for result in results:
            progress.show(f"{len(fixed)} of {len(results)} scripts fixed")
            script = result.script
            try:
                fixed.append(project.fix_result(result, asked[script.path].view, unsafe=args.unsafe_fixes))
            except Exception as error:  # the other scripts are fixed anyway
                problems.append(batch.failure(script, error))
                fixed.append(project.FixedScript(script, script, 0))
    return fixed


def _written(args: argparse.Namespace, fixed: list[FixedScript], problems: list[FileProblem]) -> list[LintedFile]:
    """Write the changed scripts to their files, or the script of standard input to stdout; return the scripts as they
    are now."""
    if "-" not in args.paths:
        return _save(fixed, problems)
    _print_fixed(fixed)
    return [script.after for script in fixed]


def _refuse_contradictions(args: argparse.Namespace) -> None:
    if args.statistics and args.format != "text":
        raise UsageError(
            f"--statistics cannot be written as {args.format}", "leave --format out: statistics are a text report"
        )
    if args.diff and (args.statistics or args.format != "text"):
        raise UsageError(
            "--diff prints a diff, and --format and --statistics are about a report", "leave --diff or the other out"
        )
    if args.stdin_filename and "-" not in args.paths:
        raise UsageError("--stdin-filename works only with - (standard input) as a path", "add -, or leave it out")
    if args.fix and "-" in args.paths and len(args.paths) > 1:
        raise UsageError("with --fix, - (standard input) must be the only path", "leave the other paths out")
    if args.baseline and args.write_baseline:
        raise UsageError(
            "--baseline and --write-baseline cannot be used together", "the first reads the file, the second writes it"
        )
    if args.diff and (args.write_baseline or args.prune_baseline):
        raise UsageError("--diff writes nothing, so it cannot write a baseline", "leave one of them out")
    if args.tradingview and (args.write_baseline or args.prune_baseline):
        raise UsageError("--tradingview hides findings that a baseline must contain", "leave --tradingview out")
    if args.tradingview and (args.fix or args.diff):
        raise UsageError("--tradingview cannot be combined with --fix or --diff", "leave --tradingview out")


def _scripts(args: argparse.Namespace, settled: RunSettings, problems: list[FileProblem]) -> list[LintedFile]:
    from pinebench.linter import project

    paths = [path for path in args.paths if path != "-"]
    if not args.paths:
        paths = ["."]
    found = project.discover(paths, settled.excludes, problems, force_exclude=args.force_exclude)
    scripts = project.read_scripts(found, problems, changing=bool(args.fix or args.diff))
    if "-" in args.paths:
        name = args.stdin_filename or _STDIN_NAME
        try:
            given = project.LintedFile(name, read_stdin(name))
            if args.force_exclude and settled.excludes(name):
                _pass_on(args, given)
            else:
                scripts.append(given)
        except UsageError as error:
            problems.append(project.FileProblem(name, error.message, error.hint))
    scripts = [script._replace(libraries=settled.libraries(script.path)) for script in scripts]
    return sorted(scripts, key=lambda script: script.path)


def _cache(args: argparse.Namespace, scripts: list[LintedFile]) -> Cache | None:
    # A single script is mostly the changed buffer of an editor, for which the cache would cost more than it saves.
    if args.no_cache or len(scripts) < 2:
        return None
    from pinebench.linter.cache import Cache

    return Cache()


def _settled(args: argparse.Namespace) -> RunSettings:
    from pinebench.linter.settings import RunSettings

    select, ignore = _codes(args.select), _codes(args.ignore)
    fail_on = ",".join(args.fail_on or ())
    flags = {"select": select, "ignore": ignore, "fail_on": fail_on, "tradingview": args.tradingview}
    return RunSettings(args.config, **flags)


def _codes(given: list[str] | None) -> list[str]:
    return [code for item in given or () for code in item.replace(" ", "").split(",") if code]


def _print_diff(fixed: list[FixedScript]) -> bool:
    """Print the changes that fixing made, and return whether there are any."""
    changed = [script for script in fixed if script.fixes]
    for script in changed:
        print_diff(script.before.text, script.after.text, script.before.path)
        _tell_guesses(script)
    return bool(changed)


def _print_fixed(fixed: list[FixedScript]) -> None:
    """Print the fixed script of standard input to stdout; the report goes to stderr in this case."""
    sys.stdout.flush()
    for script in fixed:
        sys.stdout.buffer.write(script.after.file.encode(script.after.text))
        _tell_guesses(script)


def _pass_on(args: argparse.Namespace, script: LintedFile) -> None:
    """Print the excluded script of standard input unchanged, if the command should fix it."""
    if args.fix and not args.diff:
        sys.stdout.buffer.write(script.file.encode(script.text))


def _tell_guesses(script: FixedScript) -> None:
    """Print a note for each fix that was a guess, with its line."""
    for line, title in script.guesses:
        note(f"{script.before.path}:{line}: guess: {title}")


def _save(fixed: list[FixedScript], problems: list[FileProblem]) -> list[LintedFile]:
    """Write the changed scripts to their files, and return the scripts as they are on disk now."""
    from pinebench.linter import project

    saved: list[LintedFile] = []
    for script in fixed:
        before, after, count = script.before, script.after, script.fixes
        try:
            if count:
                said = project.save_script(script)
                note(f"{after.path}: {count} {'fix' if count == 1 else 'fixes'} applied")
                _tell_guesses(script)
                for words in said:
                    note(words)
            if script.ended:
                note(f"{before.path}: there are too many errors for one run; run the command again to continue")
            saved.append(after)
        except UsageError as error:
            problems.append(project.FileProblem(before.path, error.message, error.hint))
            saved.append(before)
    return saved


def _baseline(args: argparse.Namespace) -> Baseline | None:
    """The baseline that the arguments name, or None. It is read before any other work, and so is its place checked."""
    if not args.baseline and not args.write_baseline:
        return None

    from pinebench.linter import baseline

    if args.write_baseline or args.prune_baseline:
        files.check_place(args.write_baseline or args.baseline)
    if args.write_baseline and not os.path.lexists(args.write_baseline):
        return baseline.Baseline(args.write_baseline)
    file = args.baseline or args.write_baseline
    return baseline.load(file) if file else None


def _without_accepted(
    args: argparse.Namespace,
    accepted: Baseline,
    results: list[ScriptFindings],
    shown: list[ScriptFindings],
    asked: dict[str, FileSettings],
) -> list[ScriptFindings]:
    """`shown` without the findings that the baseline accepts; the baseline is written or pruned first, if asked for."""
    from pinebench.amounts import counted
    from pinebench.linter.suppress import looked_for

    sought = {each.script.path: looked_for(each.findings, asked[each.script.path].view) for each in results}

    def wants(path: str, code: str) -> bool:
        return asked[path].view.wants(code) and sought[path](code)

    if args.write_baseline:
        accepted = accepted.renewed(shown, wants)
        accepted.save()
        note(
            f"{accepted.file}: lists {counted(accepted.accepted.total(), 'finding')}",
            f"--baseline {accepted.file} leaves them out",
        )
        return accepted.without(shown)
    # The findings about comments are in `shown` only.
    both = zip(results, shown, strict=True)
    found = [each._replace(findings=list(dict.fromkeys([*each.findings, *also.findings]))) for each, also in both]
    stale = accepted.stale(found, wants)
    if stale and args.prune_baseline:
        accepted = accepted.pruned(stale)
        accepted.save()
        removed = counted(stale.total(), "finding")
        note(f"{accepted.file}: {removed} removed, because {_gone(stale.total(), 'it', 'they')}")
    elif stale and not args.tradingview:
        them = "it" if stale.total() == 1 else "them"
        said = _gone(stale.total(), f"{counted(1, 'finding')} in it", f"{counted(stale.total(), 'finding')} in it")
        note(f"{accepted.file}: {said}", f"--prune-baseline removes {them}")
    return accepted.without(shown)


def _gone(findings: int, one: str, more: str) -> str:
    """Say that findings do not occur any more: `one` is the subject for 1, `more` for other numbers."""
    return f"{one} no longer occurs" if findings == 1 else f"{more} no longer occur"


def _print_report(
    args: argparse.Namespace,
    results: list[ScriptFindings],
    problems: list[FileProblem],
    fails: Callable[[Finding], bool],
) -> None:
    from importlib import import_module

    from pinebench.linter.report import LintRun

    run = LintRun(results, problems, fails)
    stream = sys.stderr if args.fix and "-" in args.paths else sys.stdout
    if args.format != "text":
        print_report(import_module(f"pinebench.linter.report.{args.format}").render(run), stream)
        return
    from pinebench.linter.report import text

    print_report(text.statistics(run) if args.statistics else text.render(run, style_for(stream)), stream)


def _tell_hidden_errors(failing: list[ScriptFindings]) -> None:
    """Report the errors that a comment hides, but that still fail the run."""
    hidden = [error for result in failing for error in result.hidden_errors]
    if not hidden:
        return
    places = [f"{error.path}:{error.line}: {error.code}" for error in hidden[:_PLACES_TOLD]]
    if len(hidden) > _PLACES_TOLD:
        places.append("…")
    tell_error(
        f"ignored by a comment, but still fails the run: {', '.join(places)}", "TradingView refuses such a script"
    )


def _exit_code(problems: list[FileProblem], *, found: bool) -> int:
    for problem in problems:
        tell_error(problem.message, problem.hint)
    return max((problem.exit_code for problem in problems), default=int(found))
