"""Tools for the page's Pine editor: its text, the compiler's messages, and saved scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from pinebench.context import CancelledError, DeadlineError
from pinebench.errors import PinebenchError
from pinebench.tools import timing
from pinebench.tools.arguments import (
    LONGEST_SOURCE,
    ChoiceArgument,
    Flag,
    IntegerArgument,
    ScriptArgument,
    TextArgument,
)
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.check import FindingEntry
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results

if TYPE_CHECKING:
    from pinebench.tradingview.results import Marker
    from pinebench.tradingview.verdict import CompileOutcome

SOURCE = ScriptArgument()
NAME = TextArgument("the script's name", longest=200, example="Trend ribbon")
MOST_CHARS = IntegerArgument("cut longer text", 1, LONGEST_SOURCE)


class EditorText(TypedDict):
    """The editor's text; `truncated` is True if `source` is only its beginning."""

    source: str
    line_count: int
    char_count: int
    truncated: NotRequired[bool]


@tool(
    "pine",
    "Read the text in the Pine editor; it can be long, so ask once. Its name alone: pine_current.",
    needs=Needs.EDITOR,
    untrusted=("source",),
)
def pine_get_source(at: ToolContext, max_chars: Annotated[int, MOST_CHARS] = 100_000) -> EditorText:
    """Return the editor's text, cut to `max_chars` characters."""
    text = at.editor.read(at.context).replace("\r\n", "\n")
    found: EditorText = {"source": text[:max_chars], "line_count": text.count("\n") + 1, "char_count": len(text)}
    if len(text) > max_chars:
        found["truncated"] = True
    return found


class EditorChange(TypedDict):
    """The editor's text after a change. `script` is the title that the text declares. `normalised` names the changes
    that the editor itself made to the text. `kept` is the file with a copy of the replaced text."""

    script: str | None
    lines_set: int
    char_count: int
    verified: bool
    method: str
    normalised: NotRequired[list[str]]
    kept: NotRequired[str]


@tool(
    "pine",
    "Replace the script in the Pine editor and read it back; nothing is saved.",
    needs=Needs.EDITOR,
    changes=True,
    destroys=True,
    proof="the editor's text, read back",
)
def pine_set_source(at: ToolContext, source: Annotated[str, SOURCE]) -> EditorChange:
    """Write the script, compare it with the text that the editor then holds, and save the replaced text to a file."""
    written = at.editor.push(source, at.context)
    result: EditorChange = {
        "script": title_of(source),
        "lines_set": written.lines,
        "char_count": written.characters,
        "verified": written.verified,
        "method": written.via,
    }
    if written.normalised:
        result["normalised"] = list(written.normalised)
    if written.kept:
        result["kept"] = str(written.kept)
    return result


class PageVerdict(TypedDict):
    """The page's verdict on the script; `verified` is True if it was read from markers, a study or the console.

    `script` is the title that the compiled text declares, and `symbol` is the chart's symbol. `study_state` is the
    state of the study (`done`, `failed`, `loading`, null if unknown), and `study_error` is the error that stopped it.
    """

    script: str | None
    symbol: str | None
    has_errors: bool
    error_count: int
    warning_count: int
    errors: list[FindingEntry]
    warnings: NotRequired[list[FindingEntry]]
    outcome: str
    button_clicked: str | None
    source: str
    study_added: bool
    study: str | None
    study_state: str | None
    study_error: NotRequired[str]
    elapsed_ms: int
    verified: bool


_EXTERNAL = Flag("answer yes if the page asks whether the script may use external data")


@tool(
    "pine",
    "Compile: add the editor's script to the chart or update it there, wait for the verdict, list errors. Never saves.",
    needs=Needs.EDITOR,
    changes=True,
    untrusted=("script", "errors", "warnings", "study_error"),
    proof="markers, studies or the console after the press",
)
def pine_smart_compile(at: ToolContext, confirm_external_data: Annotated[bool, _EXTERNAL] = False) -> PageVerdict:
    """Press the editor's compile button, and wait until markers, a study or a dialog show the result."""
    return _compiled(at.editor.compile(at.context, confirm_external_data=confirm_external_data))


def _script(at: ToolContext) -> str | None:
    """Return the title of the script in the editor; None if it cannot be read, because markers are reported without it
    too."""
    try:
        return title_of(at.editor.read(at.context))
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError:
        return None


_DECLARED = re.compile(
    r"^[ \t]*(?:indicator|strategy|library|study)[ \t]*\([ \t]*(?:title[ \t]*=[ \t]*)?"
    r"(?:\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)')",
    re.MULTILINE,
)


def title_of(source: str) -> str | None:
    """Return the title that a script declares; None if it is not the first argument of the declaration statement."""
    found = _DECLARED.search(source)
    return None if found is None else (found[1] or found[2] or "")[:200]


def _compiled(done: CompileOutcome) -> PageVerdict:
    result: PageVerdict = {
        "script": title_of(done.source),
        "symbol": done.symbol,
        "has_errors": bool(done.errors),
        "error_count": len(done.errors),
        "warning_count": len(done.warnings),
        "errors": [_marker(each) for each in done.errors],
        "outcome": done.outcome,
        "button_clicked": done.button,
        "source": done.via,
        "study_added": done.outcome == "added",
        "study": done.study,
        "study_state": done.state,
        "elapsed_ms": round(done.elapsed * 1000),
        "verified": done.via != "",
    }
    if done.failure is not None:
        result["study_error"] = done.failure
    if done.warnings:
        result["warnings"] = [_marker(each) for each in done.warnings]
    return result


def _marker(marker: Marker) -> FindingEntry:
    entry: FindingEntry = {
        "line": marker["line"],
        "column": marker["column"],
        "message": marker["message"],
        "severity": marker["severity"],
    }
    if marker["code"]:
        entry["code"] = marker["code"]
    return entry


class Errors(TypedDict):
    """The markers of the editor; only markers with severity `error` make `has_errors` true. `script` is the title that
    the text declares."""

    script: str | None
    has_errors: bool
    error_count: int
    warning_count: int
    errors: list[FindingEntry]
    warnings: list[FindingEntry]


@tool(
    "pine",
    "Read the errors and warnings that the Pine editor marks now; nothing is compiled.",
    needs=Needs.EDITOR,
    untrusted=("script", "errors", "warnings"),
)
def pine_get_errors(at: ToolContext) -> Errors:
    """Return the markers of the editor's text, with errors separate from all others."""
    script = _script(at)
    markers = at.editor.markers(at.context)
    errors = [_marker(each) for each in markers if each["severity"] == "error"]
    others = [_marker(each) for each in markers if each["severity"] != "error"]
    return {
        "script": script,
        "has_errors": bool(errors),
        "error_count": len(errors),
        "warning_count": len(others),
        "errors": errors,
        "warnings": others,
    }


class ConsoleRow(TypedDict):
    """A row of the console; `type` is error, warning, compile or info."""

    timestamp: str | None
    type: str
    message: str


class Console(TypedDict):
    """The newest rows of the Pine console, in order of time."""

    entries: list[ConsoleRow]
    entry_count: int


@tool(
    "pine",
    "Read the console below the Pine editor, with the compiler's messages. A script's logs: pine_get_logs.",
    needs=Needs.EDITOR,
    untrusted=("entries",),
)
def pine_get_console(
    at: ToolContext, max_entries: Annotated[int, IntegerArgument("the newest ones", 1, 1000, clamp=True)] = 100
) -> Console:
    """Read the rows of the editor's console."""
    rows = [
        ConsoleRow(timestamp=row["timestamp"], type=row["type"], message=row["message"]) for row in at.editor.console()
    ]
    return {"entries": rows[-max_entries:], "entry_count": len(rows)}


class LogEntry(TypedDict):
    """A message that a script logged on a bar. `time` is the bar's opening time in unix seconds; `bar_time` is the same
    time as UTC text."""

    study: str | None
    level: str | None
    time: float | None
    bar_time: str | None
    message: str
    line: int | None


class Logs(TypedDict):
    """The newest messages that scripts logged, in order of time; `total` counts all messages of the requested level. A
    message whose `level` the page does not tell has every level."""

    study_count: int
    total: int
    showing: int
    source: str
    logs: list[LogEntry]


_LOG_KEYS = ("logs", "pineLogs", "_logs", "_pineLogs")
"""The properties of a data source in which the page may keep a script's log. No other property is called."""


@tool(
    "pine",
    "Read what scripts on the chart logged by log.info, log.warning, log.error: level, bar time, text."
    " Compile errors: pine_get_errors.",
    untrusted=("logs",),
    prices=True,
)
def pine_get_logs(
    at: ToolContext,
    study_filter: Annotated[str, TextArgument("part of a study's name", 200, empty=True)] = "",
    level: Annotated[str | None, ChoiceArgument(("info", "warning", "error"), "only this level")] = None,
    max_logs: Annotated[int, IntegerArgument("the newest ones", 1, 1000, clamp=True)] = 100,
    max_chars: Annotated[int, IntegerArgument("of each message", 20, 5000, clamp=True)] = 500,
) -> Logs:
    """Read the log records of the studies, or the rows of the Pine Logs panel if the page has no records."""
    found: chart_results.ScriptLogs = at.read(
        "pine_logs", {"filter": study_filter, "keys": list(_LOG_KEYS), "limit": timing.COMPUTED_MS}
    )
    if found["source"] is None:
        raise ToolRefused(
            "the page does not show what scripts logged", "open the Pine Logs panel in the browser, then ask again"
        )
    if found["source"] == "panel" and study_filter:
        at.connection.notify("the page's panel does not say which script logged, so study_filter was not applied")
    for name in found["computing"]:
        at.connection.notify(f"'{name}' is still being computed, so it may log more")
    logs = [_log(each, max_chars) for each in found["logs"]]
    chosen = logs if level is None else [each for each in logs if each["level"] in (level, None)]
    wanted = sorted(chosen, key=lambda each: each["time"] or 0.0)
    shown = wanted[-max_logs:]
    return {
        "study_count": found["studies"],
        "total": len(wanted),
        "showing": len(shown),
        "source": found["source"],
        "logs": shown,
    }


def _log(record: chart_results.LogRecord, longest: int) -> LogEntry:
    time = record["time"]
    seconds = time / 1000 if time is not None and abs(time) > 1e11 else time
    moment = None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
    message = record["message"] if len(record["message"]) <= longest else record["message"][: longest - 1] + "…"
    return {
        "study": record["study"],
        "level": record["level"],
        "time": seconds,
        "bar_time": moment,
        "message": message,
        "line": record["line"],
    }


class ScriptSave(TypedDict):
    """The script that was saved; `verified` is True if the script service lists the new version."""

    name: str
    version: str | None
    created: bool
    action: str
    verified: bool


@tool(
    "pine",
    "Save the editor's script, if it was opened or created here. To overwrite another script, give its "
    "name and confirm.",
    needs=Needs.EDITOR,
    changes=True,
    destroys=True,
    outside=True,
    untrusted=("name",),
    proof="the new version in the script service's list",
)
def pine_save(
    at: ToolContext,
    name: Annotated[str | None, NAME] = None,
    confirm: Annotated[bool, Flag("overwrite the saved script with that name")] = False,
) -> ScriptSave:
    """Save the script, and verify that the script service lists the new version."""
    from pinebench.tradingview.script_service import same_name

    if name is not None and not confirm and any(same_name(each.name, name) for each in at.scripts.listed(at.context)):
        raise ToolRefused(
            f"there is already a saved script called '{name}'",
            "call again with confirm: true to overwrite it, or choose another name",
        )
    saved = at.scripts.save(name, at.context)
    if not saved.verified:
        raise ToolRefused(
            f"the script service does not list a new version of '{saved.name}'", "look at the editor in the browser"
        )
    action = "saved_with_dialog" if saved.created else "saved"
    return {
        "name": saved.name,
        "version": saved.version,
        "created": saved.created,
        "action": action,
        "verified": saved.verified,
    }


class EditorScript(TypedDict):
    """The script in the editor; `bound` is True if the editor's Save writes to this script. `saves_to` is the name of
    another saved script that the editor's Save would overwrite."""

    name: str
    type: NotRequired[str]
    script_id: str | None
    lines: int
    source: str
    opened: bool
    bound: bool
    saves_to: NotRequired[str]
    action: str
    verified: bool


_DISCARD = Flag("discard unsaved changes")


class _SavesTo(TypedDict):
    """The script that the editor's Save would overwrite, if the editor could not be bound to the wanted one."""

    saves_to: NotRequired[str]


def _saves_to(at: ToolContext, bound: bool) -> _SavesTo:
    shown = None if bound else at.scripts.shown_name()
    return {} if shown is None else {"saves_to": shown}


@tool(
    "pine",
    "Begin a script in the Pine editor; unsaved changes stay unless discarded.",
    needs=Needs.EDITOR,
    changes=True,
    proof="the editor's text and the name of its script",
)
def pine_new(
    at: ToolContext,
    type: Annotated[str, ChoiceArgument(("indicator", "strategy", "library"), "the kind of script")] = "indicator",
    name: Annotated[str, NAME] = "Untitled script",
    discard: Annotated[bool, _DISCARD] = False,
) -> EditorScript:
    """Start a new script of this type, with a template of a few lines as its text."""
    opened = at.scripts.new(type, name, discard=discard)
    held = at.editor.read(at.context).replace("\r\n", "\n")
    return {
        **_saves_to(at, opened.bound),
        "name": opened.name,
        "type": type,
        "script_id": None,
        "lines": held.count("\n") + 1,
        "source": held,
        "opened": True,
        "bound": opened.bound,
        "action": "new_script_created" if opened.bound else "text_replaced",
        "verified": held == opened.source,
    }


@tool(
    "pine",
    "Open a saved script in the editor by its name.",
    needs=Needs.EDITOR,
    changes=True,
    outside=True,
    untrusted=("name", "source"),
    proof="the editor's text and the name of its script",
)
def pine_open(at: ToolContext, name: Annotated[str, NAME], discard: Annotated[bool, _DISCARD] = False) -> EditorScript:
    """Open the script whose name or title is `name`, or else the only one whose name or title contains `name`."""
    opened = at.scripts.open(name, discard=discard)
    held = at.editor.read(at.context).replace("\r\n", "\n")
    return {
        **_saves_to(at, opened.bound),
        "name": opened.name,
        "script_id": opened.script_id,
        "lines": held.count("\n") + 1,
        "source": held,
        "opened": True,
        "bound": opened.bound,
        "action": "opened" if opened.bound else "text_replaced",
        "verified": held == opened.source.replace("\r\n", "\n"),
    }


class ScriptEntry(TypedDict):
    """A saved script."""

    id: str
    name: str
    title: str
    version: str
    modified: int | None


class SavedScriptList(TypedDict):
    """The saved scripts of the user who is logged in."""

    scripts: list[ScriptEntry]
    count: int
    source: str


@tool("pine", "List the saved scripts.", needs=Needs.CHART, outside=True, untrusted=("scripts",))
def pine_list_scripts(
    at: ToolContext, search: Annotated[str, TextArgument("part of a name", 200, empty=True)] = ""
) -> SavedScriptList:
    """Return the saved scripts whose name or title contains `search`."""
    needle = search.strip().casefold()
    found: list[ScriptEntry] = [
        {"id": each.id, "name": each.name, "title": each.title, "version": each.version, "modified": each.modified}
        for each in at.scripts.listed(at.context)
        if needle in each.name.casefold() or needle in each.title.casefold()
    ]
    return {"scripts": found, "count": len(found), "source": "internal_api"}


class BoundScript(TypedDict):
    """The script that the editor is bound to, and the size of its text."""

    name: str | None
    saved: bool
    script_id: str | None
    version: str | None
    line_count: int
    char_count: int
    read_only: bool
    first_line: str


@tool(
    "pine",
    "Say which saved script the Pine editor is bound to: name, id, version, size. Its text: pine_get_source.",
    needs=Needs.EDITOR,
    outside=True,
    untrusted=("name", "first_line"),
)
def pine_current(at: ToolContext) -> BoundScript:
    """Return the name, id and version of the script that Save would overwrite, and the size of the text."""
    editor = at.editor
    found = editor.open(at.context)
    scripts = {each.name: each for each in at.scripts.listed(at.context)}
    shown = at.scripts.shown_name(scripts)
    script = scripts.get(shown or "")
    text = editor.read(at.context)
    return {
        "name": shown,
        "saved": script is not None,
        "script_id": script.id if script else None,
        "version": script.version if script else None,
        "line_count": text.count("\n") + 1,
        "char_count": len(text),
        "read_only": found.read_only,
        "first_line": next((line for line in text.splitlines() if line.strip() and not line.startswith("//")), "")[
            :200
        ],
    }
