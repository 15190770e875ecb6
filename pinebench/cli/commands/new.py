"""`pinebench new`: start a project with a script, a library, a test, and a CI workflow."""

from __future__ import annotations

import argparse

from pinebench.cli.console import note
from pinebench.printable import printable

EPILOG = """\
examples:
  pinebench new my-idea                  a folder with an indicator, a library that it imports, and a test
  pinebench new my-idea --strategy       with a strategy
  pinebench new my-tools --library       with a library, and an example that imports it

Then: 'cd my-idea', 'pinebench test', 'pinebench lint', 'pinebench bundle main.pine -o out/main.pine'.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("name", metavar="NAME", help="the project's folder, which is created; its name becomes the title")
    kinds = parser.add_mutually_exclusive_group()
    for kind in ("indicator", "strategy", "library"):
        default = " (the default)" if kind == "indicator" else ""
        kinds.add_argument(
            f"--{kind}", dest="kind", action="store_const", const=kind, help=f"a project for one {kind}{default}"
        )
    add("--user", default="me", metavar="USER", help="your user name on TradingView, for imports (default: me)")
    add(
        "--pinebench",
        metavar="REQUIREMENT",
        help="how CI and pre-commit install pinebench (default: as it was installed here)",
    )


def about_unknown(args: argparse.Namespace, unknown: list[str]) -> str:
    """Return a hint to join NAME and the following words with hyphens; empty if one of the words is an option."""
    words = [args.name, *unknown]
    return "" if any(word.startswith("-") for word in words) else f"did you mean '{'-'.join(words)}'?"


def run(args: argparse.Namespace) -> int:
    """Write the project's files and print their names."""
    import shlex

    from pinebench.projects import skeleton

    project = skeleton.new_project(args.name, args.kind or "indicator", args.user, args.pinebench)
    for path in skeleton.write(args.name, project):
        print(printable(path))
    if project.requirement.startswith("pinebench=="):
        what = f"the workflow installs {project.requirement} from the package index"
        note(f"{what}; if pinebench is not in the index yet, --pinebench names another source")
    note(printable(f"now: cd {shlex.quote(args.name)} && pinebench test"))
    return 0
