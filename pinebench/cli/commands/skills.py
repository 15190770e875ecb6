"""`pinebench skills`: list, read and install instructions for models."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pinebench.cli.console import note, output_path, print_report, style_for, terminal_width
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.skills.installation import InstallationResult

_CLIENTS = ("claude-code", "codex", "cursor", "gemini", "vscode")
WIDTH = 100
"""The largest number of columns for prose, even on a wider terminal."""

EPILOG = """\
examples:
  pinebench skills                          list them: ours, and those in the folder skills/ of this project
  pinebench skills repaint-audit            print one
  pinebench skills --approve                read the skills of this project, and let models have them
  pinebench skills --install claude-code    copy ours to where Claude Code looks for skills of this project
  pinebench skills --remove claude-code     remove them again
  pinebench skills --plugin pine-plugin     write the Claude Code plugin: skills, tools, commands, and a hook that
                                            checks every edited script; 'claude --plugin-dir pine-plugin' loads it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="print the instructions of this skill")
    action = parser.add_mutually_exclusive_group().add_argument
    action("--install", choices=_CLIENTS, metavar="CLIENT", help=f"copy our skills for {', '.join(_CLIENTS)}")
    action("--remove", choices=_CLIENTS, metavar="CLIENT", help="remove our skills from these clients")
    action("--approve", action="store_true", help="show the skills of this project, and approve them")
    action("--plugin", type=output_path, metavar="FOLDER", help="write the Claude Code plugin into this folder")
    add("--force", action="store_true", help="also replace or remove files that you changed; copies of skills are kept")
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")


def run(args: argparse.Namespace) -> int:
    """List, print, install or remove skills, or write the plugin; return the exit code."""
    chosen = args.install or args.remove or args.plugin or args.approve
    if chosen and args.name:
        raise UsageError(
            f"a NAME ({args.name}) cannot be combined with --install, --remove, --approve or --plugin",
            "leave NAME out: these options are for all skills",
        )
    if args.force and not (args.install or args.remove or getattr(args, "result_file", None)):
        raise UsageError("--force works only with --install, --remove and -o", "leave it out")
    if args.approve:
        return _approve()
    if args.plugin:
        return _plugin(args.plugin)
    if args.install or args.remove:
        return _change(args)
    if args.name:
        return _show(args)
    return _list(args.format)


def _list(form: str) -> int:
    from textwrap import wrap

    from pinebench import skills

    known = skills.known()
    found = list(known.by_name.values())
    for remark in known.remarks:
        note(remark)
    if form == "json":
        from pinebench.linter.report.json import dump

        rows = [{"name": each.name, "description": each.description, "origin": each.origin} for each in found]
        print_report(dump(rows))
        return 0
    paint = style_for(sys.stdout)
    width = max(len(each.name) for each in found)
    indent = " " * (width + 2)
    for each in found:
        told = each.description if each.is_ours else f"{each.description} (from {each.origin})"
        columns = max(20, min(terminal_width(), WIDTH) - len(indent))
        lines = wrap(told, columns) if sys.stdout.isatty() else [told]
        print(f"{paint(f'{each.name:<{width}}', 'bold')}  " + f"\n{indent}".join(lines))
    return 0


def _show(args: argparse.Namespace) -> int:
    from pinebench import skills

    found = skills.find(args.name)
    if args.format == "json":
        from pinebench.linter.report.json import dump

        told = {"name": found.name, "description": found.description, "origin": found.origin}
        print_report(dump({**told, "instructions": skills.load(found.name)}))
        return 0
    print(printable(skills.load(found.name), keep="\n\t"), end="")
    return 0


def _approve() -> int:
    """Print the whole texts of the project's skills, and remember that a person approved them."""
    from pinebench import skills

    known = skills.known()
    if not known.unapproved:
        note("there is nothing to approve: this project has no skills, or you approved them earlier")
        return 0
    for each in known.unapproved:
        told = f"{each.name} (in place of pinebench's own)" if each.replaces else each.name
        print(style_for(sys.stdout)(told, "bold"))
        print(printable(each.text, keep="\n\t"))
    skills.approve(known.unapproved)
    note("models now get these skills in their present form; each change must be approved again")
    return 0


def _change(args: argparse.Namespace) -> int:
    from pinebench.skills import installation

    name = args.install or args.remove
    folder = installation.folder_of(name)
    if args.install:
        done = installation.install(folder, force=args.force)
        note(f"{name}: skills are in {folder}; start a new session of the client")
        _mend_entry(name)
    else:
        done = installation.remove(folder, force=args.force)
        note(f"{name}: skills are removed from {folder}")
    return _told(done, "replaces" if args.install else "removes")


def _mend_entry(name: str) -> None:
    """Repair an entry of an earlier version in the client's configuration, which ran files of its working folder."""
    from pinebench.mcp import clients

    client = clients.client(name)
    try:
        change = clients.mended(client)
        if change is None:
            return
        said = clients.write(client, change)
    except UsageError as error:
        note(error.message, error.hint)
        return
    note(
        f"{client.path}: the pinebench entry would run a file pinebench.py from the open folder; this is now corrected"
    )
    for each in said:
        note(each)


def _told(done: InstallationResult, by_force: str) -> int:
    for said in done.notes:
        note(said)
    for place in done.left:
        why = "it is a link or a folder" if place.state == "linked" else f"you changed it; --force {by_force} it"
        note(f"{place.path}: not changed: {why}")
    return 1 if done.left else 0


def _plugin(folder: str) -> int:
    from pinebench import invocation
    from pinebench.skills import plugin

    command = invocation.by_name() or invocation.command()
    for said in plugin.build(Path(folder), command):
        note(said)
    note(f"the plugin is in {folder}", f"claude --plugin-dir {folder}")
    if paths := invocation.paths_in(command):
        note(
            f"the plugin contains paths that exist only on this machine: {', '.join(paths)}",
            "keep it out of repositories, or put pinebench on the PATH and write the plugin again",
        )
    return 0
