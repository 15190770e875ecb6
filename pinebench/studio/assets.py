"""Serves the files of the built page, and reports missing files."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from pathlib import Path

from pinebench import __version__
from pinebench.errors import UnavailableError
from pinebench.files.resources import HOW_TO_BUILD
from pinebench.studio.web import Response, StudioRequest

_STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".ttf": "font/ttf"}
_NEEDED = ("index.html", "studio.js", "studio.css", "editor.worker.js")


def chart_library(folder: Path = _STATIC) -> str:
    """Return the library that draws charts, as one script. Raises UnavailableError if it is not built."""
    path = folder / "charts.js"
    if not path.is_file():
        raise UnavailableError(f"the chart library is not built: charts.js is missing from {folder}", HOW_TO_BUILD)
    return path.read_text(encoding="utf-8")


class Assets:
    """The files of the built page, read once. Only files that exist in the folder are served."""

    def __init__(self, folder: Path = _STATIC) -> None:
        """Read the page. Raises UnavailableError, with how to build it, if files are missing."""
        missing = [name for name in _NEEDED if not (folder / name).is_file()]
        if missing:
            raise UnavailableError(
                f"the studio's page is not built: {missing[0]} is missing from {folder}", HOW_TO_BUILD
            )
        files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix != _PACKED]
        self._files = {path.name: _File(path) for path in files}
        page = self._files["index.html"].body.replace(b"%VERSION%", __version__.encode())
        self._page = re.sub(rb"(/studio/assets/)([A-Za-z0-9_.-]+)", self._versioned, page)

    def page(self) -> Response:
        """Return the page itself. The addresses of its files contain a digest of their contents, so that browsers may
        cache them."""
        return Response(200, self._page, "text/html; charset=utf-8")

    def file(self, name: str, request: StudioRequest | None = None) -> Response:
        """Return one file of the page by name; 404 for any other name.

        If the request or the file name contains the file's version, the browser may use its cached copy without asking
        again. Otherwise it must ask each time, and gets status 304 if the file has not changed.
        """
        file = self._files.get(name)
        if file is None:
            return Response(404, b"no such file", "text/plain")
        query, headers = (request.query, request.headers) if request is not None else ({}, {})
        kept = _FOREVER if query.get("v") == file.digest or _HASHED.search(name) else "no-cache"
        told = {"Cache-Control": kept, "ETag": f'"{file.digest}"', "Vary": "Accept-Encoding"}
        if file.digest in headers.get("if-none-match", ""):
            return Response(304, b"", file.type, told)
        coding = file.coding_for(headers.get("accept-encoding", ""))
        if coding is None:
            return Response(200, file.body, file.type, told)
        return Response(200, file.packed(coding), file.type, {**told, "Content-Encoding": coding})

    def _versioned(self, found: re.Match[bytes]) -> bytes:
        file = self._files.get(found[2].decode())
        is_named_by_hash = _HASHED.search(found[2].decode())
        return found[0] if file is None or is_named_by_hash else found[0] + f"?v={file.digest}".encode()


_HASHED = re.compile(r"-[A-Z0-9]{8}\.\w+$")
"""The names of files that contain a hash of their contents already: the fonts."""
_PACKED = ".br"
"""The suffix of the files, compressed with brotli, that the build puts beside the others."""
_FOREVER = "private, max-age=31536000, immutable"


class _File:
    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        self.type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.digest = hashlib.sha256(self.body).hexdigest()[:16]
        self._is_packed = path.suffix == ".woff2"
        beside = path.with_name(path.name + _PACKED)
        self._packed = {"br": beside.read_bytes()} if beside.is_file() else {}

    def coding_for(self, accepted: str) -> str | None:
        """The best content coding among those that a request accepts; None if there is none."""
        names = {name.partition(";")[0].strip() for name in accepted.split(",")}
        if "br" in names and "br" in self._packed:
            return "br"
        return "gzip" if "gzip" in names and not self._is_packed else None

    def packed(self, coding: str) -> bytes:
        """The bytes in a content coding. Without a file from the build they are compressed at the first use."""
        if coding not in self._packed:
            self._packed[coding] = gzip.compress(self.body, 5)
        return self._packed[coding]
