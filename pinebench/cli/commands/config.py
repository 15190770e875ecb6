"""`pinebench config`: show the settings for a script, or for the scripts in a folder, and the origin of each value."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from pinebench import config
from pinebench.cli.console import InputPath, add_config_argument, note, print_report, style_for
from pinebench.errors import UsageError
from pinebench.printable import json_text

EPILOG = """\
examples:
  pinebench config                      the settings for scripts in this folder
  pinebench config scripts/my.pine      the settings for one script, with its [per-file] settings
  pinebench config --approve            see the settings that point outside of this project, and approve them
  pinebench config --schema             the JSON schema by which editors complete pinebench.toml
"""

USAGE = "[FILE] [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "file", type=InputPath, nargs="?", default=".", metavar="FILE", help="a script or a folder (default: this one)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_config_argument(parser.add_argument)
    parser.add_argument(
        "--approve", action="store_true", help="show the settings that point outside of the project, and approve them"
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of the configuration instead")


def run(args: argparse.Namespace) -> int:
    """Print the settings."""
    from pinebench.linter.settings import schema

    if args.approve:
        return _approve(args)
    if args.schema or args.format == "json":
        plain = schema() if args.schema else _plain(args.file, args.config)
        print_report(json_text(plain, indent=2) + "\n")
        return 0
    plain = _plain(args.file, args.config)
    paint = style_for(sys.stdout)
    lines = [f"{paint('path', 'bold')}  {paint(plain['path'])}"]
    lines.append(f"{paint('file', 'bold')}  {paint(plain['file'] or 'none: the defaults apply')}")
    if plain["excluded"]:
        lines.append(f"left out by {paint(plain['excluded'])}")
    names = [f"{row['section']}.{row['key']}" for row in plain["settings"]]
    values = [json_text(row["value"]) for row in plain["settings"]]
    wide, long = (max(map(len, texts)) for texts in (names, values))
    for row, name, value in zip(plain["settings"], names, values, strict=True):
        lines.append(f"  {paint(name.ljust(wide))}  {paint(value.ljust(long))}  {paint(row['origin'], 'dim')}")
    for folder in plain["unapproved"]:
        lines.append(f"not used, because it is not approved: {paint(folder)} (pinebench config --approve)")
    lines.append(f"selected rules: {', '.join(plain['rules']) or 'none'}")
    print_report("\n".join(lines) + "\n")
    return 0


def _plain(path: str, file: str | None) -> dict[str, Any]:
    """The settings of the script or folder at `path`, as JSON-ready data; `-` means a script in this folder.

    Raises UsageError if nothing exists at `path`.
    """
    from pinebench.linter.settings import file_settings, options_of

    path = "." if path == "-" else path
    if not os.path.exists(path):
        raise UsageError(f"{path}: there is no such file or folder", "name a script or a folder that exists")
    found = config.file_for(path, file)
    rows = [
        _row(section, key, setting.value, setting.origin)
        for section in config.SECTIONS
        for key, setting in config.resolved(section, path, file).items()
    ]
    origin = found or ""
    for pattern, settings in config.per_file(path, file):
        rows += [_row(f'per-file."{pattern}"', key, value, origin) for key, value in settings.items()]
    for rule, options in options_of(path, file).items():
        rows += [_row(f"rules.{rule}", name, value, origin) for name, value in options.items()]
    return {
        "version": 1,
        "path": path.replace(os.sep, "/"),
        "file": found,
        "unapproved": list(config.unapproved(found)) if found is not None else [],
        "excluded": config.excluding(path, file),
        "settings": rows,
        "rules": list(file_settings(path, file).opinions),
    }


def _approve(args: argparse.Namespace) -> int:
    """Print the settings that reach out of the project, and remember that a person approved them."""
    if args.schema or args.format == "json":
        raise UsageError(
            "--approve cannot be combined with --schema or JSON", "--approve prints text that a person must read"
        )
    found = config.file_for(args.file, args.config)
    folders = config.unapproved(found) if found is not None else ()
    if found is None or not folders:
        note("there is nothing to approve: no setting points outside this project, or you approved it earlier")
        return 0
    paint = style_for(sys.stdout)
    print(f"{paint(found, 'bold')} names these library folders outside its project:")
    for folder in folders:
        print(f"  {paint(folder)}")
    config.approve(found, folders)
    note("scripts may now import libraries from these folders; if the list changes, you are asked again")
    return 0


def _row(section: str, key: str, value: Any, origin: str) -> dict[str, Any]:
    return {"section": section, "key": key, "value": value, "origin": origin}
