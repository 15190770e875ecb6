"""Has Claude write or change a script until it passes the check and meets goals, such as `trades>10`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from pinebench import config
from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import (
    ChoiceArgument,
    IntegerArgument,
    ListArgument,
    Number,
    ScriptArgument,
    TextArgument,
)
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool
from pinebench.tools.runs import draw_run
from pinebench.tools.tool_calls import ToolRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.authoring.author import AuthorBudget
    from pinebench.authoring.events import Event, FinishedEvent
    from pinebench.compilers import Compiler
    from pinebench.context import Context

_GOALS = ListArgument(
    TextArgument(longest=200, example="trades>10"),
    "what must hold on the bars of data, such as trades>10, na(My plot)<0.5, max_drawdown<20%, or no-repaint",
    most=20,
)
_FROM = ScriptArgument("a whole script to change, instead of writing a new one")
_TEMPLATE = TextArgument(
    "a template's name, nearest (the template most like the task), or none (default: nearest; with from: none)", 100
)
_JUDGE = ChoiceArgument(
    ("local", "online", "chart"), "who judges the script: pinebench's check, TradingView's service, or the chart page"
)


class WrittenScript(TypedDict):
    """A script that Claude wrote or changed, and the verdict on it.

    `passes` is True if the check named in `origin` finds no error and all goals are met. `compiled` is True only if
    that check was one of TradingView's own compilers. `origin`, `error_count` and `warning_count` are None if no check
    judged the script, such as one of an older version that could not be converted. `dollars` is the estimated cost, and
    `words` is Claude's comment. `bars` describes the bars of the run, `unmet` lists the goals that `source` does not
    meet and why, and `did` describes its run. `not_checked` names the libraries whose source is not available, so that
    uses of them were not checked.
    """

    source: str | None
    passes: bool
    compiled: bool
    origin: str | None
    attempts: int
    error_count: int | None
    warning_count: int | None
    dollars: float
    message: str
    words: str
    bars: NotRequired[str]
    unmet: NotRequired[list[str]]
    did: NotRequired[list[str]]
    not_checked: NotRequired[list[str]]
    remarks: NotRequired[list[str]]


@tool(
    "scripts",
    "Have Claude write or change a Pine script, checked until it passes and meets its goals (needs"
    " ANTHROPIC_API_KEY; costs money).",
    needs=Needs.NETWORK,
    spends=True,
    prices=True,
)
def pine_write(
    at: ToolContext,
    request: Annotated[str, TextArgument("what the script should do", 10_000)],
    from_: Annotated[str | None, _FROM] = None,
    template: Annotated[str | None, _TEMPLATE] = None,
    goals: Annotated[list[str] | None, _GOALS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    image: Annotated[bool, markets.IMAGE] = False,
    compile_with: Annotated[str, _JUDGE] = "local",
    max_rounds: Annotated[int | None, IntegerArgument("the largest number of attempts", least=1, most=20)] = None,
    max_dollars: Annotated[float | None, Number("the largest cost, in US dollars", least=0.001, most=100)] = None,
) -> WrittenScript:
    """Let Claude write, check and correct a script, like `pinebench write`. Return the best one, even if it fails."""
    from pinebench.authoring import session
    from pinebench.authoring.claude import Claude
    from pinebench.authoring.goals import trial
    from pinebench.authoring.older import in_v6
    from pinebench.migration import migrate_draft

    asked = tuple(goals or ())
    found = _market(at, asked, data, image=image)
    chart, others = _sources(data)
    is_run = found is not None and (asked or data is not None)
    base = in_v6(from_, migrate_draft)
    tried = trial(asked, found.chart, found.others, base) if found is not None and is_run else None
    if from_ is not None and template not in (None, session.FROM_NOTHING):
        raise UsageError("from and template cannot be combined", "leave one of them out")
    author = Claude(None, libraries=config.library_folders("."))
    compiler = _compiler(at, compile_with)
    events = session.write(
        request,
        author,
        compiler,
        _budget(max_rounds, max_dollars, at.context),
        at.context,
        text=from_,
        template=template or session.NEAREST,
        model=author.model,
        goals=asked,
        data=chart,
        others=others,
        trial=tried,
        migrate=migrate_draft,
    )
    finished = _followed(at, events)
    answer = _written(finished)
    if tried is not None:
        answer["bars"], answer["unmet"], answer["did"] = tried.about, list(finished.unmet), list(finished.account)
    remarks = _remarks(at, finished, found if image else None)
    if remarks or image:
        answer["remarks"] = remarks
    return answer


def _written(finished: FinishedEvent) -> WrittenScript:
    """The script at the end of a run, and the verdict on it. Raises ToolRefused without a script."""
    from pinebench import compilers

    dollars = round(finished.usage.dollars, 4)
    if finished.source is None:
        words = {"words": finished.words} if finished.words else {}
        raise ToolRefused(finished.message, finished.hint, **words, dollars=dollars)
    answer: WrittenScript = {
        "source": finished.source,
        "passes": finished.success,
        "compiled": finished.success and finished.origin not in compilers.OURS,
        "origin": finished.origin,
        "attempts": finished.attempts,
        "error_count": None if finished.origin is None else finished.errors,
        "warning_count": None if finished.origin is None else finished.warnings,
        "dollars": dollars,
        "message": finished.message,
        "words": finished.words,
    }
    if finished.not_checked:
        answer["not_checked"] = list(finished.not_checked)
    return answer


def _budget(rounds: int | None, dollars: float | None, context: Context) -> AuthorBudget:
    """Return the usual limits of a conversation with an author, replaced by the given ones. The limit of dollars is
    never above what the account of `context` has left."""
    from dataclasses import replace

    from pinebench.authoring.author import AuthorBudget

    limits = {"rounds": rounds, "dollars": dollars}
    budget = replace(AuthorBudget(), **{name: value for name, value in limits.items() if value is not None})
    left = context.spending.left() if context.spending is not None else budget.dollars
    return replace(budget, dollars=max(0.0, min(budget.dollars, left)))


def _compiler(at: ToolContext, name: str) -> Compiler:
    """Return the compiler called `name`; for the chart's compiler, the page that the tools use."""
    from pinebench import compilers

    if name != "chart":
        return compilers.get(name)
    return compilers.get(name, connection=at.connection)


def _remarks(at: ToolContext, finished: FinishedEvent, pictured: markets.Market | None) -> list[str]:
    """Return the remarks about the configuration, and about a picture on the bars `pictured` that could not be
    drawn."""
    left_out = config.left_out(config.file_for(os.getcwd()))
    remarks = [f"{left_out} ({config.ADVICE})"] if left_out else []
    if pictured is None or finished.source is None:
        return remarks
    if finished.errors:
        return [*remarks, "there is no picture: the script has errors"]
    return [*remarks, *draw_run(at, finished.source, pictured)]


def _sources(data: list[str] | None) -> tuple[str | None, tuple[str, ...]]:
    """The names of the chart's bars and of other symbols' bars, as the journal of a run has them."""
    from pinebench.market import bar_choice

    if data is None:
        return None, ()
    named = bar_choice.names(data, "data")
    return named.chart, tuple(f"{symbol}={bars}" for symbol, bars in named.others.items())


def _market(at: ToolContext, goals: tuple[str, ...], data: list[str] | None, *, image: bool) -> markets.Market | None:
    """Return the bars on which the script is run; None if it is not run. A picture without data shows the sample
    market."""
    if data is None and goals:
        raise UsageError("goals need bars to run the script on", "give data, for example sample:NASDAQ:AAPL")
    return markets.market(at, data=data) if data is not None or image else None


def _followed(at: ToolContext, events: Iterator[Event]) -> FinishedEvent:
    """Follow a run, report its progress, and add up its cost; return its last event."""
    from pinebench.authoring.events import (
        CompiledEvent,
        DraftedEvent,
        ExchangedEvent,
        FinishedEvent,
        MigratedEvent,
        RevisedEvent,
        StartedEvent,
        TriedEvent,
        UnansweredEvent,
    )

    met = ""
    spending = at.context.spending
    for event in events:
        if spending is not None and isinstance(event, DraftedEvent | RevisedEvent | ExchangedEvent | UnansweredEvent):
            spending.pay(event.usage.dollars)
        match event:
            case StartedEvent():
                met = "all goals are met on the bars" if event.goals else "it ran on the bars without an error"
            case DraftedEvent() | RevisedEvent():
                at.context.progress(
                    f"round {event.round}: {'drafted' if isinstance(event, DraftedEvent) else 'revised'}"
                )
            case MigratedEvent():
                at.context.progress(f"round {event.round}: converted from Pine v{event.version} to v6")
            case CompiledEvent():
                at.context.progress(f"round {event.round}: {len(event.verdict.errors)} errors")
            case TriedEvent():
                at.context.progress(f"round {event.round}: {met if event.met else event.words[0]}")
            case FinishedEvent():
                return event
            case _:
                continue
    raise AssertionError("a run ends with Finished")
