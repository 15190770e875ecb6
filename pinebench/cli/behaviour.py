"""The options `--expect` and `--no-repaint` of all commands that run scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli.console import tell_error
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from pinebench.authoring.goals import Trial
    from pinebench.testing.goals import Goals, GoalsResult

HELP = """\
--expect compares a figure with a number: 'trades>10', 'profit_factor>1', 'max_drawdown<20%', 'alerts>=1'. For a
plot: 'na(TITLE)<0.5' (the share of bars on which it is na), 'last(TITLE)>0', and min, max and count. --no-repaint
runs the script on earlier parts of the bars too, and live, and reports output that changed later, and why.
"""


def add_behaviour_arguments(add: Callable[..., object]) -> None:
    """Declare `--expect` and `--no-repaint`. `add` is a parser's `add_argument` method."""
    add(
        "--expect",
        action="append",
        default=[],
        metavar="EXPR",
        help="an expectation about a figure, for example 'trades>10'",
    )
    add("--no-repaint", action="store_true", help="fail if the script's output repaints")


def goals_of(args: argparse.Namespace) -> Goals:
    """Return the goals in the options. Raises UsageError for an invalid expectation."""
    from pinebench.testing.goals import goals

    return goals(args.expect, no_repaint=args.no_repaint)


def as_text(judged: GoalsResult) -> str:
    """Return the results of the goals as text for the end of a report. It is empty if the script stopped with an error,
    which the command itself reports."""
    return "" if judged.stopped is not None else "".join(f"{printable(words)}\n" for words in judged.in_words())


def tell_failures(judged: GoalsResult) -> None:
    """Print the unmet goals to stderr, for commands that write their report elsewhere."""
    if judged.stopped is None:
        for words in judged.failures():
            tell_error(words)


def trial(asked: tuple[str, ...], data: Sequence[str], base: str | None = None) -> Trial | None:
    """Return a function that runs a script on bars and compares the results with the goals `asked`; None without bars.

    `data` has the values of `--data`. `base` is the v6 script before the change. Raises UsageError for bars that cannot
    be read, and UnavailableError for an exchange that cannot be reached.
    """
    if not data:
        return None
    from pinebench.authoring import goals
    from pinebench.market import bar_choice
    from pinebench.runtime import RequestSource

    chosen = bar_choice.choose(bar_choice.names(data))
    others = {name: RequestSource(each.bars, each.symbol) for name, each in chosen.others.items()}
    return goals.trial(asked, chosen.chart, others, base)
