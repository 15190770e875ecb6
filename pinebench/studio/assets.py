"""The built page: where it is, and what is missing when it is not there."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from pinebench import __version__
from pinebench.errors import UnavailableError
from pinebench.studio.web import Response

_STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".ttf": "font/ttf"}
HOW_TO_BUILD = "install a wheel, which has the page, or with npm on the machine run 'make page' in a checkout"
_NEEDED = ("index.html", "studio.js", "studio.css", "editor.worker.js")


def chart_library(folder: Path = _STATIC) -> str:
    """The library that draws charts, as one script. Raises UnavailableError saying how to build it."""
    path = folder / "charts.js"
    if not path.is_file():
        raise UnavailableError(
            f"the library of charts is not built: charts.js is missing in {folder}",
            HOW_TO_BUILD,
        )
    return path.read_text(encoding="utf-8")


class Assets:
    """The files of the built page, read once; only names that exist in the folder are ever served."""

    def __init__(self, folder: Path = _STATIC) -> None:
        """Read the page; raises UnavailableError saying how to build it when files are missing."""
        missing = [name for name in _NEEDED if not (folder / name).is_file()]
        if missing:
            raise UnavailableError(
                f"the studio's page is not built: {missing[0]} is missing in {folder}",
                HOW_TO_BUILD,
            )
        self._files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
        self._page = self._files["index.html"].replace(b"%VERSION%", __version__.encode())

    def page(self) -> Response:
        """The page itself."""
        return Response(200, self._page, "text/html; charset=utf-8")

    def file(self, name: str) -> Response:
        """One file of the page by name; 404 for any other name."""
        body = self._files.get(name)
        if body is None:
            return Response(404, b"no such file", "text/plain")
        suffix = Path(name).suffix
        return Response(200, body, _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream")
