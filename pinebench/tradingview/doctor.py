"""Checks everything between pinebench and a chart, reports each check in one line, and advises on failed checks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pinebench.amounts import counted
from pinebench.errors import PinebenchError
from pinebench.tradingview import browser_programs, page_internals, targets
from pinebench.tradingview.endpoint import Endpoint

if TYPE_CHECKING:
    from pinebench.tradingview.page import Page
    from pinebench.tradingview.results import FoundEditor, Health


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: `state` is `ok`, `failed`, or `note` for useful information that is not a fault."""

    area: str
    name: str
    state: str
    detail: str
    advice: str | None = None


@dataclass
class DoctorReport:
    """All checks in order. The report is `ok` unless one failed."""

    checks: list[Check] = field(default_factory=list[Check])

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return all(check.state != "failed" for check in self.checks)

    @property
    def reached(self) -> bool:
        """Whether a chart page answered, so that a failed check concerns the page itself."""
        return any((check.area, check.name, check.state) == ("page", "target", "ok") for check in self.checks)

    def add(self, area: str, name: str, state: str, detail: str, advice: str | None = None) -> None:
        """Add the result of one check to the report."""
        self.checks.append(Check(area, name, state, detail, advice))

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON-ready data."""
        return {
            "version": 1,
            "ok": self.ok,
            "table": page_internals.TABLE_VERSION,
            "checks": [asdict(check) for check in self.checks],
        }


def examine(endpoint: Endpoint, allow_remote: bool = False) -> DoctorReport:
    """Check the browser, its port and pages, the page's objects and nodes, the editor and the log-in. Problems are
    reported, not raised. Nothing on the page is changed: a closed editor stays closed, and a dialog stays open."""
    report = DoctorReport()
    _browser(report)
    _versions(report)
    if _port(report, endpoint):
        _page(report, endpoint, allow_remote)
    return report


def _browser(report: DoctorReport) -> None:
    try:
        found = browser_programs.find()
    except PinebenchError as error:
        report.add("browser", "installed", "note", error.message, error.hint)
        return
    report.add("browser", "installed", "ok", f"{found.known.title} at {found.path}")


def _versions(report: DoctorReport) -> None:
    report.add("versions", "table of paths", "note", f"as of {page_internals.TABLE_VERSION}")
    for name, how in page_internals.TESTED:
        report.add("versions", name, "note", how)


def _port(report: DoctorReport, endpoint: Endpoint) -> bool:
    where = f"{endpoint.host}:{endpoint.port}"
    try:
        version = targets.version(endpoint.host, endpoint.port)
        pages = targets.list_targets(endpoint.host, endpoint.port)
    except OSError as error:
        advice = "run 'pinebench launch', or 'pinebench studio' to try without TradingView"
        report.add("port", where, "failed", f"no browser answers ({error.strerror or error})", advice)
        return False
    except ValueError as error:
        report.add("port", where, "failed", str(error), "another program uses this port: choose one with --cdp-port")
        return False
    report.add("port", where, "ok", f"{version['Browser']} answers")
    for page in pages:
        report.add("pages", page.id, "note", page.describe())
    return True


def _page(report: DoctorReport, endpoint: Endpoint, allow_remote: bool) -> None:
    try:
        from pinebench.tradingview.connection import Connection
        from pinebench.tradingview.page import Page

        connection = Connection(*endpoint, wait=False, allow_remote=allow_remote, observe=True)
    except PinebenchError as error:
        report.add("page", "target", "failed", error.message, error.hint)
        return
    with connection:
        page = Page(connection)
        try:
            target = connection.tab().target
            report.add("page", "target", "ok", f"{connection.origin()}: {target.describe()}")
            health = page.call("health", timeout=10, read=True)
        except PinebenchError as error:
            report.add("page", "target", "failed", error.message, error.hint)
            return
        _inside(report, health)
        _editor(report, page)
        _person(report, health, page)


def _inside(report: DoctorReport, health: Health) -> None:
    for key, entry in page_internals.PATHS.items():
        if health["paths"][key]["present"]:
            report.add("paths", key, "ok", entry.expression)
        elif entry.needed:
            advice = (
                "wait until the chart has loaded; if that does not help, TradingView has moved it: update pinebench"
            )
            report.add("paths", key, "failed", f"{entry.expression} is undefined or null: {entry.purpose}", advice)
        else:
            report.add("paths", key, "note", f"{entry.expression} is missing: {entry.purpose}")
    for key, (address, purpose) in page_internals.SERVICES.items():
        report.add("paths", key, "note", f"{address}: {purpose} (requested only when needed)")
    for key, entry in page_internals.SELECTORS.items():
        found = health["selectors"][key]
        if not found["count"]:
            report.add("selectors", key, "note", f"not on the page at present: {entry.purpose}")
            continue
        nodes = counted(found["count"], "node")
        by = ", ".join(f"{count} by {css}" for css, count in found["by"].items())
        report.add("selectors", key, "ok", f"{nodes}, {found['visible']} visible: {by}")


def _editor(report: DoctorReport, page: Page) -> None:
    from pinebench.tradingview.connection import LOOK_TIMEOUT
    from pinebench.tradingview.editor import found_from, why_not_found

    try:
        answer: FoundEditor = page.call("find_editor", timeout=LOOK_TIMEOUT, read=True)
    except PinebenchError as error:
        report.add("editor", "Monaco", "failed", error.message, error.hint)
        return
    found = found_from(answer)
    if found is None and answer["visible_containers"]:
        advice = "reload the page; if that does not help, TradingView has moved Monaco: update pinebench"
        report.add("editor", "Monaco", "failed", why_not_found(answer), advice)
        return
    if found is None:
        advice = "pinebench opens it when needed; to check it now, open it by hand and run this command again"
        report.add("editor", "Monaco", "note", "the Pine editor is closed", advice)
        return
    depth = f"{found.parents} parent nodes and {found.steps} React fibers away"
    report.add(
        "editor", "Monaco", "ok", f"by {found.strategy}, {depth}; {found.containers} node(s), {found.editors} editor(s)"
    )
    if found.read_only:
        report.add(
            "editor", "script", "note", "the open script is read-only", "open a script of your own, or a new one"
        )


def _person(report: DoctorReport, health: Health, page: Page) -> None:
    advice = "log in on the page, once; saving needs it"
    if health["logged_in"] is False:
        report.add("log-in", "TradingView", "failed", "nobody is logged in", advice)
    elif health["logged_in"]:
        report.add("log-in", "TradingView", "ok", "somebody is logged in")
    else:
        _scripts(report, page)
    for dialog in health["dialogs"]:
        if dialog["kind"] in page_internals.HARMLESS_DIALOGS:
            continue
        kind = page_internals.DIALOGS.get(dialog["kind"])
        meaning = kind.meaning if kind else "answer it in the browser"
        report.add("dialogs", dialog["kind"], "failed", f"a dialog is open: {dialog['text'][:80]!r}", meaning)


def _scripts(report: DoctorReport, page: Page) -> None:
    """Check the log-in by asking the script service, if the page does not say whether somebody is logged in."""
    from pinebench.tradingview.editor import PageEditor
    from pinebench.tradingview.saved_scripts import SavedScripts

    try:
        count = len(SavedScripts(PageEditor(page)).listed())
    except PinebenchError as error:
        report.add("log-in", "script service", "failed", error.message, error.hint)
        return
    report.add("log-in", "script service", "ok", f"it lists {count} saved scripts")
