"""List the keys in the results of each tool during the tests; most tests run on a studio in a real browser.

Run: python scripts/data/keys_seen.py [FILE]. It runs tests/tools and prints, or writes to FILE, a table in Markdown:
the tool, how often it succeeded, the keys in its results, and the declared keys that no result had. The exit code is 1
if a tool never succeeded, or returned a key that it does not declare.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.tools import registry, tool_calls
from pinebench.tools.chart_browser import ChartBrowser, Image
from pinebench.tools.registry import Tool

TESTS = Path(__file__).resolve().parents[2] / "tests" / "tools"

ENVELOPE = frozenset({"success", "notes", "untrusted", "truncated", "left_out"})
"""Keys that the result of every tool may have, in addition to its own."""


class Recorder:
    """Records the calls of tools: their number, and the keys of their results."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.keys: defaultdict[str, set[str]] = defaultdict(set)
        self._perform = tool_calls._perform  # pyright: ignore[reportPrivateUsage]

    def perform(
        self, chart_browser: ChartBrowser, tool: Tool, given: dict[str, object], context: Context
    ) -> tuple[dict[str, Any], tuple[Image, ...]]:
        """Call a tool and record the keys of its result."""
        result, images = self._perform(chart_browser, tool, given, context)
        self.calls[tool.name] += 1
        self.keys[tool.name] |= result.keys()
        return result, images


def main() -> int:
    """Run the tests and write the table."""
    recorder = Recorder()
    tool_calls._perform = recorder.perform  # pyright: ignore[reportPrivateUsage]
    status = pytest.main(["-q", "-p", "no:xdist", "-p", "no:randomly", "-m", "not soak", str(TESTS)])
    lines = ["| tool | calls | keys seen | declared, not seen |", "|---|---|---|---|"]
    wrong: list[str] = []
    for name, tool in registry.tools().items():
        declared, seen = set(tool.result_keys), recorder.keys[name] - ENVELOPE
        if not recorder.calls[name] or seen - declared:
            wrong.append(name)
        shown = [", ".join(sorted(keys)) for keys in (seen, declared - seen)]
        lines.append(f"| {name} | {recorder.calls[name]} | {shown[0]} | {shown[1]} |")
    table = "\n".join(lines) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(table, encoding="utf-8")
    else:
        print(table)
    for name in wrong:
        print(f"{name}: never went well, or has keys that it does not declare", file=sys.stderr)
    return 1 if wrong or status else 0


if __name__ == "__main__":
    sys.exit(main())
