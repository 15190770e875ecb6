"""A chart of a run that can be saved or shown in a notebook."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from pinebench import charts
from pinebench.api.pages import framed
from pinebench.errors import UnavailableError
from pinebench.printable import printable


class Figure:
    """A chart of a run, with prices, plots, drawings, and the fills of a strategy."""

    def __init__(self, chart: charts.ChartDescription) -> None:
        self._chart = chart

    def to_png(self) -> bytes:
        """Return the chart as a PNG file. Raises UnavailableError without Pillow, which the extra `run` installs."""
        return charts.as_png(self._chart)

    def to_svg(self) -> str:
        """Return the chart as an SVG file."""
        return charts.as_svg(self._chart)

    def to_html(self) -> str:
        """Return the chart as a self-contained HTML file, in which it can be moved and zoomed, even offline.

        Raises UnavailableError if this installation lacks the built page.
        """
        return charts.as_html(self._chart)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart to a file. The extension selects the format: `.png`, `.svg` or `.html`.

        An existing file is replaced. Raises UsageError for another extension, or if the file cannot be written.
        """
        from pinebench.files import write_atomically

        name = os.fspath(path)
        charts.check_name(name)
        write_atomically(name, charts.as_file(self._chart, name))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        shown: dict[str, Any] = {"text/plain": printable(f"<chart: {self._chart.title}>")}
        try:
            shown["text/html"] = framed(self.to_html(), "16/9")
        except UnavailableError:
            shown["image/svg+xml"] = self.to_svg()
        with contextlib.suppress(UnavailableError):
            shown["image/png"] = self.to_png()
        return shown
