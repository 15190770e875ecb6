"""`pinebench tools`: list the chart tools, or show the arguments and the result of one tool."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import print_report, style_for
from pinebench.errors import UsageError
from pinebench.printable import json_text

if TYPE_CHECKING:
    from pinebench.tools.registry import Tool

EPILOG = """\
examples:
  pinebench tools                       every tool with one sentence
  pinebench tools --group pine          the tools of one group
  pinebench tools pine_open             its arguments and the keys of its result
  pinebench tools --format json         for programs, with JSON schemas

The same tools serve `pinebench call`, `pinebench tv`, MCP clients (`pinebench mcp`) and Python (`from pinebench import
tv`).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("name", nargs="?", metavar="TOOL", help="show this tool")
    parser.add_argument("--group", metavar="GROUPS", help="only the tools of these groups, separated by commas")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")


def run(args: argparse.Namespace) -> int:
    """Print the list of tools, or one tool."""
    from pinebench.tools import registry

    if args.name and args.group:
        raise UsageError("both a tool and a group were named", "leave one of them out")
    found = [registry.find(args.name)] if args.name else registry.in_groups(args.group or "all")
    if args.format == "json":
        print_report(json_text([_data(each) for each in found], indent=2) + "\n")
    elif args.name:
        _show(found[0])
    else:
        _list(found)
    return 0


def _data(tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name,
        "group": tool.group,
        "summary": tool.summary,
        "needs": tool.needs.name.lower(),
        "changes": tool.changes,
        "destroys": tool.destroys,
        "input_schema": tool.input_schema(),
        "output_schema": tool.output_schema(),
    }


def _list(found: list[Tool]) -> None:
    from textwrap import wrap

    from pinebench.cli.console import terminal_width
    from pinebench.tools.registry import GROUPS

    paint = style_for(sys.stdout)
    width = max(len(each.name) for each in found) + 4
    columns = max(30, min(terminal_width(), 120) - width)
    for group in GROUPS:
        inside = [each for each in found if each.group == group.name]
        if not inside:
            continue
        print(f"{paint(group.name, 'bold')}: {group.about}{'' if group.default else ' (on request only)'}")
        for each in inside:
            lines = wrap(each.summary, columns) if sys.stdout.isatty() else [each.summary]
            print(f"  {each.name:<{width - 2}}" + f"\n{' ' * width}".join(lines))
        print()


def _show(tool: Tool) -> None:
    paint = style_for(sys.stdout)
    kind = "changes the page or stored data" if tool.changes else "only reads"
    print(f"{paint(tool.name, 'bold')} ({tool.group}): {tool.summary}")
    print(f"needs {tool.needs.value}; {kind}")
    schema = tool.input_schema()["properties"]
    print(f"\n{paint('Arguments', 'bold')}" if schema else "\nNo arguments.")
    for name, about in schema.items():
        facts = [about.get("type", "")]
        facts += [f"one of {', '.join(map(str, about['enum']))}"] if "enum" in about else []
        facts += [f"from {about['minimum']:.15g}"] if "minimum" in about else []
        facts += [f"to {about['maximum']:.15g}"] if "maximum" in about else []
        facts += ["needed"] if name in tool.required else []
        facts += [about["description"]] if "description" in about else []
        print(f"  {name}: {'; '.join(facts)}")
    print(f"\n{paint('Result', 'bold')}\n  success, {', '.join(tool.result_keys)}")
