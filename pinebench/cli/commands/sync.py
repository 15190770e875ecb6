"""`pinebench sync`: keep a folder in step with the saved scripts of the account that is logged in on the page."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from pinebench.cli.console import InputPath, note, print_diff, print_report, tell_error
from pinebench.cli.page import add_page_arguments
from pinebench.errors import UnavailableError, UsageError
from pinebench.printable import json_text, printable

if TYPE_CHECKING:
    from pinebench.projects.sync import Sync
    from pinebench.projects.synced_folder import ScriptState

_ACTIONS = ("status", "pull", "push", "diff", "resolve", "moved")

_ONE_SIDED = ("new there", "only here", "gone there", "missing here", "empty there")

EPILOG = """\
examples:
  pinebench sync pull scripts           write the account's scripts into the folder, and later what changed there
  pinebench sync status scripts         what is changed here, there, or on both sides
  pinebench sync push scripts           save what you changed, as new versions on TradingView
  pinebench sync diff scripts           how the files differ from the account's newest versions
  pinebench sync resolve scripts --script "Trend.pine"    your file is the answer to a change on both sides
  pinebench sync moved scripts --script "Trend.pine" --to "Slow trend.pine"    you have renamed and edited the file

Nothing is deleted on either side. A file is replaced only if it is as sync left it; if both sides changed, statements
that only one side changed are merged, and the rest is kept beside the file. A script is saved only on the version that
the folder has seen. pinebench-sync.json, beside the scripts, belongs into version control.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("action", choices=_ACTIONS, metavar="ACTION", help="one of: " + ", ".join(_ACTIONS))
    add("folder", type=InputPath, nargs="?", default=".", metavar="FOLDER", help="the folder (default: this one)")
    add(
        "--script",
        type=InputPath,
        action="append",
        default=[],
        metavar="FILE",
        help="only this file; may be given several times",
    )
    add("--to", type=InputPath, metavar="FILE", help="moved: the present name of the file")
    add("--new", action="store_true", help="push: save files that are not in the account as new scripts")
    add("--restore", action="store_true", help="pull: restore files that are missing here")
    add("--git", action="store_true", help="pull: commit each script with its name and version")
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Perform the action, print a line for each script, and return the exit code."""
    from pinebench.cli.page import connect
    from pinebench.projects import commits
    from pinebench.projects.sync import Sync
    from pinebench.tradingview.account import PageAccount
    from pinebench.tradingview.page import Page

    _check(args)
    if args.git:
        commits.check(args.folder)
    only = [_file(name, args.folder) for name in args.script]
    with connect(args) as connection, Sync(args.folder, PageAccount(Page(connection))) as sync:
        if args.action == "diff":
            return _diff(sync, only)
        outcomes = _done(sync, args, only)
        if args.git:
            outcomes += _commit(args.folder, sync, outcomes)
    return _told(outcomes, args.format)


def _check(args: argparse.Namespace) -> None:
    if not os.path.isdir(args.folder):
        raise UsageError(f"{args.folder} is not a folder", "make it first, or name another one")
    for option, action in (("new", "push"), ("restore", "pull"), ("git", "pull")):
        if getattr(args, option) and args.action != action:
            raise UsageError(f"--{option} works only with 'pinebench sync {action}'", "leave it out")
    if args.action == "resolve" and not args.script:
        raise UsageError("resolve needs --script FILE", "'pinebench sync status' lists the clashes")
    if (args.action == "moved") != (args.to is not None) or (args.to and len(args.script) != 1):
        raise UsageError("moved needs --script OLD.pine --to NEW.pine", "'pinebench sync status' lists missing files")


def _file(name: str, folder: str) -> str:
    """The name of a file in `folder`, which a person may have given with its folder."""
    place, file = os.path.split(name)
    if place and os.path.realpath(place) != os.path.realpath(folder):
        raise UsageError(f"{name} is not in the folder {folder}", "give the name of a file in it")
    return file


def _done(sync: Sync, args: argparse.Namespace, only: list[str]) -> list[ScriptState]:
    if args.action == "status":
        return sync.status(only)
    if args.action == "pull":
        return sync.pull(only, restore=args.restore)
    if args.action == "push":
        return sync.push(only, new=args.new)
    if args.action == "moved":
        return [sync.moved(only[0], _file(args.to, args.folder))]
    return [sync.resolve(name) for name in only]


def _diff(sync: Sync, only: list[str]) -> int:
    """Print the differences between the account's texts and the files; the exit code says whether there is one."""
    found = sync.status()
    one_sided = [] if only else [each for each in found if each.state in _ONE_SIDED]
    for each in one_sided:
        note(f"{each.file}: {each.state}, so there is nothing to compare it with")
    differs = not all(each.settled for each in one_sided)
    for name in only or sorted({each.file for each in found} - {each.file for each in one_sided}):
        try:
            theirs, ours = sync.texts(name)
        except UsageError as error:
            if only:
                raise
            tell_error(error.message, error.hint)
            differs = True
            continue
        if theirs.rstrip("\n") != ours.rstrip("\n"):
            differs = True
            print_diff(theirs, ours, name, "here")
    return int(differs)


def _commit(folder: str, sync: Sync, outcomes: list[ScriptState]) -> list[ScriptState]:
    """Commit each script that came, and return an outcome for each one that is not committed."""
    from pinebench.projects import commits
    from pinebench.projects.lock_file import NAME

    refused: list[ScriptState] = []
    for each in outcomes:
        if each.state not in ("new here", "pulled", "merged", "renamed"):
            continue
        if sync.has_own_changes(each.file):
            told = "the file contains your changes, which are not the account's: read it and commit it yourself"
            refused.append(each._replace(state="not committed", told=told, settled=False))
            continue
        name, version = sync.title_of(each.file)
        names = [each.file, NAME, *sync.old_names.get(each.file, ())]
        try:
            commits.commit(folder, names, f"{name}, version {version}, from TradingView")
        except UnavailableError as error:
            told = f"it is in the folder, but {error.message}; {error.hint}"
            refused.append(each._replace(state="not committed", told=told, settled=False))
    return refused


def _told(outcomes: list[ScriptState], form: str) -> int:
    if form == "json":
        print_report(json_text([each._asdict() for each in outcomes]))
    else:
        width = max((len(each.state) for each in outcomes), default=0)
        for each in outcomes:
            told = f"  {each.told}" if each.told else ""
            print(printable(f"{each.state:<{width}}  {each.file}{told}"))
        if not outcomes:
            print("there are no scripts in the folder or in the account")
    return int(not all(each.settled for each in outcomes))
