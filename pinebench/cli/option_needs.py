"""Rejects options that have no effect because an option that they need is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.errors import UsageError

if TYPE_CHECKING:
    import argparse

_PAGE = ("--cdp-host", "--cdp-port", "--target", "--allow-remote-cdp", "--no-wait")
_CHART = (*_PAGE, "--confirm-external-data")
_SERVER = ("--serve", "--trade", "--engines")
_NEEDS: dict[str, dict[str, tuple[str, ...]]] = {
    "bundle": {"--data": ("--check",)},
    "compare": {"--limit": ("--reduce",), **dict.fromkeys(_CHART, ("--with chart",))},
    "compile": dict.fromkeys(_CHART, ("--with chart",)),
    "fix": {"--model": ("--author claude",), **dict.fromkeys(_CHART, ("--with chart",))},
    "mcp": {
        **dict.fromkeys(("--host", "--base-url", "--passphrase-file", "--users", "--no-auth"), _SERVER),
        "--interval": ("--trade",),
        "--port": ("--http", *_SERVER),
    },
    "lint": {"--unsafe-fixes": ("--fix", "--diff"), "--prune-baseline": ("--baseline",)},
    "optimize": {"--seed": ("--search random", "--search tpe", "--search nsga2")},
    "watch": {**dict.fromkeys(_CHART, ("--with chart",)), **dict.fromkeys(_PAGE, ("--with chart", "--push"))},
    "write": dict.fromkeys(_CHART, ("--with chart", "--resume")),
}
"""For each command, the options that need another one, and the options that satisfy the need, some with a value. A
resumed run of `write` has the compiler with which it began (`refuse_idle_page`)."""


def refuse_idle(command: str, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Raise UsageError for an option of `command` that has no effect because an option that it needs is missing."""
    for option, needed in _NEEDS.get(command, {}).items():
        if _is_given(option, parser, args) and not any(_is_given(each, parser, args) for each in needed):
            words = " or ".join(needed)
            raise UsageError(f"{option} works only with {words}", f"add {words}, or leave {option} out")


def refuse_idle_page(args: argparse.Namespace, compiler: str) -> None:
    """Raise UsageError for an option about a chart page if the resumed run uses a `compiler` other than chart."""
    for option in _CHART if compiler != "chart" else ():
        if getattr(args, option[2:].replace("-", "_")) not in (None, False):
            raise UsageError(
                f"{option} has no effect: the run compiles with {compiler}", f"add --with chart, or leave {option} out"
            )


def _is_given(option: str, parser: argparse.ArgumentParser, args: argparse.Namespace) -> bool:
    """Whether the arguments have `option`, a name or a name with its value."""
    name, _, value = option.partition(" ")
    action = parser._option_string_actions.get(name)
    given = None if action is None else getattr(args, action.dest)
    return given == value if value else given is not None and given is not False
