"""The files of the built page, and the errors if they are missing."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from functools import cached_property
from pathlib import Path

from pinebench import __version__
from pinebench.errors import UnavailableError
from pinebench.studio.web import Request, Response

_STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".ttf": "font/ttf"}
HOW_TO_BUILD = "install a wheel, which has the page, or with npm on the machine run 'make page' in a checkout"
_NEEDED = ("index.html", "studio.js", "studio.css", "editor.worker.js")


def chart_library(folder: Path = _STATIC) -> str:
    """The library that draws charts, as one script. Raises UnavailableError, with how to build it, if it is missing."""
    path = folder / "charts.js"
    if not path.is_file():
        raise UnavailableError(
            f"the library of charts is not built: charts.js is missing in {folder}",
            HOW_TO_BUILD,
        )
    return path.read_text(encoding="utf-8")


class Assets:
    """The files of the built page, read once. Only files that exist in the folder are served."""

    def __init__(self, folder: Path = _STATIC) -> None:
        """Read the page. Raises UnavailableError, with how to build it, if files are missing."""
        missing = [name for name in _NEEDED if not (folder / name).is_file()]
        if missing:
            raise UnavailableError(
                f"the studio's page is not built: {missing[0]} is missing in {folder}",
                HOW_TO_BUILD,
            )
        self._files = {path.name: _File(path) for path in sorted(folder.iterdir()) if path.is_file()}
        page = self._files["index.html"].body.replace(b"%VERSION%", __version__.encode())
        self._page = re.sub(rb"(/studio/assets/)([A-Za-z0-9_.-]+)", self._versioned, page)

    def page(self) -> Response:
        """The page itself. The addresses of its files contain a digest of their contents, so that browsers may cache
        them."""
        return Response(200, self._page, "text/html; charset=utf-8")

    def file(self, name: str, request: Request | None = None) -> Response:
        """One file of the page by name; 404 for any other name.

        A browser may cache a file without asking again if the request names the file's version. For other requests it
        must ask each time, and gets status 304 if the file has not changed.
        """
        file = self._files.get(name)
        if file is None:
            return Response(404, b"no such file", "text/plain")
        query, headers = (request.query, request.headers) if request is not None else ({}, {})
        kept = _FOREVER if query.get("v") == file.digest else "no-cache"
        told = {"Cache-Control": kept, "ETag": f'"{file.digest}"', "Vary": "Accept-Encoding"}
        if file.digest in headers.get("if-none-match", ""):
            return Response(304, b"", file.type, told)
        if "gzip" not in headers.get("accept-encoding", ""):
            return Response(200, file.body, file.type, told)
        return Response(200, file.packed, file.type, {**told, "Content-Encoding": "gzip"})

    def _versioned(self, found: re.Match[bytes]) -> bytes:
        file = self._files.get(found[2].decode())
        return found[0] if file is None else found[0] + f"?v={file.digest}".encode()


_FOREVER = "private, max-age=31536000, immutable"


class _File:
    """One file of the page."""

    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        self.type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.digest = hashlib.sha256(self.body).hexdigest()[:16]

    @cached_property
    def packed(self) -> bytes:
        """The compressed bytes; they are compressed at the first use."""
        return gzip.compress(self.body, 5)
