"""Compiles in the editor of TradingView's page or of a studio: writes the source into it and reads the markers."""

from __future__ import annotations

import contextlib
import hashlib
import re
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinebench import config, files
from pinebench.compilers.online import read_answer
from pinebench.compilers.protocol import CompilerUnavailable, Verdict
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError, UsageError

if TYPE_CHECKING:
    from pinebench.diagnostics import Diagnostic
    from pinebench.tradingview.connection import Connection
    from pinebench.tradingview.editor import EditorWrite, PageEditor
    from pinebench.tradingview.results import Marker
    from pinebench.tradingview.verdict import CompileOutcome


PICTURE_SECONDS = 5.0
"""The longest wait for a screenshot. It is only evidence, not the verdict."""

KEPT_PICTURES = 20
"""The largest number of screenshots in the state folder; older ones are deleted."""

ATTEMPTS = 4
"""The largest number of attempts to write and compile a script, if the page meanwhile replaces the script with its
own."""

_CODE = re.compile(r"\(C[EW]\d+\)")


class ChartCompiler:
    """Compiles in the Pine editor of a chart page.

    `host`, `port` and `target` select the page (default: PINEBENCH_CDP_HOST, PINEBENCH_CDP_PORT, the first chart).
    `allow_remote` permits a host other than this computer. `wait=False` fails immediately if no page can be reached.
    `confirm_external_data` lets the page add scripts that use external data. With `guarded`, a source that somebody
    else has put into the editor meanwhile is never replaced. `notify` is called with one-line messages for people. A
    given `connection` is used instead of a new one, and is not closed.
    """

    name = "chart"

    def __init__(
        self,
        host: str | None = None,
        port: int | str | None = None,
        target: str | None = None,
        *,
        allow_remote: bool = False,
        wait: bool = True,
        confirm_external_data: bool = False,
        guarded: bool = False,
        notify: Callable[[str], None] | None = None,
        connection: Connection | None = None,
    ) -> None:
        from pinebench.tradingview import endpoint
        from pinebench.tradingview.connection import Connection
        from pinebench.tradingview.editor import PageEditor
        from pinebench.tradingview.page import Page

        self._own = connection is None
        if connection is None:
            where = endpoint.resolve(host, port, target)
            connection = Connection(
                where.host, where.port, where.target, wait=wait, allow_remote=allow_remote, notify=notify
            )
        self._connection = connection
        self._confirm = confirm_external_data
        self.editor: PageEditor = PageEditor(Page(connection), guarded=guarded)

    def reach(self, context: Context) -> None:
        """Connect to the page and open its editor. Raises CompilerUnavailable if that fails."""
        with _told_as_unavailable():
            self.editor.open(context)

    def compile(self, source: str, context: Context) -> Verdict:
        """Compile `source` on the page, and return the verdict. Raises CompilerUnavailable if no page can be reached or
        the page gives no verdict. In that case nothing is known about the script."""
        started = time.perf_counter()
        with _told_as_unavailable(), self._connection.exclusive(context):
            self.reach(context)
            origin = self._connection.origin(context)  # read now, because the page may be gone after its verdict
            written, compiled = self._write_and_compile(source, context)
            picture = self._keep_picture(source, context) if compiled.ok else None
        evidence = {
            **_evidence(compiled),
            "written": {"lines": written.lines, "strategy": written.strategy},
            "replaced": None if written.kept is None else str(written.kept),
        }
        if compiled.ok:
            evidence["screenshot"] = picture
        diagnostics = to_diagnostics(compiled.markers, source)
        verdict = "studio" if origin == "studio" else "tradingview"
        return Verdict(compiled.ok, tuple(diagnostics), verdict, time.perf_counter() - started, evidence)

    def _write_and_compile(self, source: str, context: Context) -> tuple[EditorWrite, CompileOutcome]:
        """Write and compile, and repeat both if the page replaced our text by its own, as a starting page does."""
        from pinebench.tradingview.editor import OVERTAKEN_PAUSE
        from pinebench.tradingview.errors import TextOvertaken

        attempt = 0
        while True:
            attempt += 1
            context.progress("writing to the editor")
            written = self.editor.write(source, context)
            context.progress("compiling on the page")
            try:
                compiled = self.editor.compile(context, text=source, confirm_external_data=self._confirm)
            except TextOvertaken as error:
                if attempt == ATTEMPTS or error.by != "page" or self.editor.guarded:
                    raise
                context.sleep(OVERTAKEN_PAUSE)
                continue
            return written, compiled

    def screenshot(self) -> bytes:
        """Return a screenshot of the page as PNG. Raises CompilerUnavailable if it cannot be taken."""
        try:
            self.editor.page.bring_to_front()
            return self.editor.page.screenshot()
        except PinebenchError as error:
            raise CompilerUnavailable(error.message, error.hint) from error

    def _keep_picture(self, source: str, context: Context) -> str | None:
        """Save a screenshot of the page with the script, and return its path. None if that is impossible."""
        try:
            limit = context.narrowed(PICTURE_SECONDS)  # includes the check whether the page still exists
            tab = self._connection.tab(limit)
            picture = self.editor.page.screenshot(timeout=PICTURE_SECONDS, context=limit, tab=tab)
            folder = Path(config.private_state_folder("verdicts"))  # a person's screenshots are never deleted
            path = folder / f"{hashlib.sha256(source.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}.png"
            files.write_atomically(path, picture, private=True)
            for old in sorted(folder.glob("*.png"), key=lambda file: file.stat().st_mtime)[:-KEPT_PICTURES]:
                old.unlink(missing_ok=True)
        except (PinebenchError, OSError):
            return None
        return str(path)

    def close(self) -> None:
        """Close the connection if this compiler opened it."""
        if self._own:
            self._connection.close()


@contextlib.contextmanager
def _told_as_unavailable() -> Generator[None]:
    """Convert errors of the page to CompilerUnavailable, because they say nothing about the script. Cancellations and
    wrong arguments are not converted."""
    try:
        yield
    except (CancelledError, DeadlineError, UsageError, CompilerUnavailable):
        raise
    except PinebenchError as error:
        raise CompilerUnavailable(error.message, error.hint) from error


def to_diagnostics(markers: tuple[Marker, ...], source: str) -> list[Diagnostic]:
    """Convert a page's error and warning markers to diagnostics with positions in `source`."""

    def entry(marker: Marker) -> dict[str, Any]:
        message, code = _without_code(marker["message"])
        return {
            "code": marker["code"] or code,
            "message": message,
            "start": {"line": marker["line"], "column": marker["column"]},
            "end": {"line": marker["end_line"], "column": marker["end_column"] - 1},  # inclusive in the check
        }

    found = {
        "errors": [entry(marker) for marker in markers if marker["severity"] == "error"],
        "warnings": [entry(marker) for marker in markers if marker["severity"] == "warning"],
    }
    return read_answer({"success": True, "result": found}, source)[1]


def _without_code(message: str) -> tuple[str, str | None]:
    """Split a message into its text and the code in parentheses that some pages show after it."""
    stripped = message.rstrip()
    start = stripped.rfind("(")
    if start < 0 or not _CODE.fullmatch(stripped[start:]):
        return message, None
    return stripped[:start].rstrip(), stripped[start + 1 : -1]


def _evidence(compiled: CompileOutcome) -> dict[str, Any]:
    return {
        "outcome": compiled.outcome,
        "button": compiled.button,
        "via": compiled.via,
        "markers": [{**marker} for marker in compiled.markers],
        "study": compiled.study,
        "study_state": compiled.state,
        "study_error": compiled.failure,
        "console": list(compiled.console),
    }
