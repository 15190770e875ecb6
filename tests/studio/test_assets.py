"""Serving the built page, and saying what is missing."""

import gzip
from pathlib import Path

import pytest

from pinebench import __version__
from pinebench.errors import UnavailableError
from pinebench.studio.assets import Assets
from pinebench.studio.web import StudioRequest

NAMES = ("index.html", "studio.js", "studio.css", "editor.worker.js")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).write_text("%VERSION%")
    return tmp_path


def test_the_page_carries_the_version(folder: Path) -> None:
    assert Assets(folder).page().body == __version__.encode()


@pytest.mark.parametrize("name", ["none.js", "../index.html", "", ".", "/etc/passwd", "index.html/"])
def test_only_files_of_the_folder_are_served(folder: Path, name: str) -> None:
    assert Assets(folder).file(name).status == 404


def test_the_page_names_its_files_by_what_is_in_them_and_browsers_keep_them(folder: Path) -> None:
    (folder / "index.html").write_text('<script src="/studio/assets/studio.js"></script>')
    assets = Assets(folder)
    version = assets.page().body.decode().partition("studio.js?v=")[2].partition('"')[0]
    assert len(version) == 16
    asked = StudioRequest("GET", "/studio/assets/studio.js", {"v": version})
    assert "immutable" in assets.file("studio.js", asked).headers["Cache-Control"]
    (folder / "studio.js").write_text("other")
    changed = Assets(folder)
    assert changed.page().body != assets.page().body
    # What was kept of the older build is asked for again under the new name only.
    assert changed.file("studio.js", asked).headers["Cache-Control"] == "no-cache"


def test_a_file_that_did_not_change_is_not_sent_again_and_else_packed(folder: Path) -> None:
    assets = Assets(folder)
    tag = assets.file("studio.css").headers["ETag"]
    same = assets.file("studio.css", StudioRequest("GET", "/", headers={"if-none-match": tag}))
    assert (same.status, same.body) == (304, b"")
    packed = assets.file("studio.css", StudioRequest("GET", "/", headers={"accept-encoding": "gzip, br"}))
    assert gzip.decompress(packed.body) == (folder / "studio.css").read_bytes()
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in assets.file("studio.css", StudioRequest("GET", "/")).headers


def test_what_the_build_packed_is_sent_as_it_is(folder: Path) -> None:
    (folder / "studio.js.br").write_bytes(b"brotli")
    assets = Assets(folder)
    for accepted in ("gzip, deflate, br", "br;q=1.0"):
        answer = assets.file("studio.js", StudioRequest("GET", "/", headers={"accept-encoding": accepted}))
        assert (answer.headers["Content-Encoding"], answer.body) == ("br", b"brotli")
    answer = assets.file("studio.js", StudioRequest("GET", "/", headers={"accept-encoding": "gzip"}))
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in assets.file("studio.js", StudioRequest("GET", "/")).headers
    assert assets.file("studio.js.br").status == 404, "it is no file of the page"


def test_files_with_a_hash_in_their_names_are_kept_for_good(folder: Path) -> None:
    (folder / "inter-ABCD2345.woff2").write_bytes(b"letters")
    (folder / "index.html").write_text('<link href="/studio/assets/inter-ABCD2345.woff2">')
    assets = Assets(folder)
    # The stylesheet names it so, too: under another name it would be fetched twice.
    assert assets.page().body == b'<link href="/studio/assets/inter-ABCD2345.woff2">'
    assert "immutable" in assets.file("inter-ABCD2345.woff2").headers["Cache-Control"]


@pytest.mark.parametrize(("name", "kind"), [("studio.js", "text/javascript"), ("studio.css", "text/css")])
def test_files_have_their_content_type(folder: Path, name: str, kind: str) -> None:
    answer = Assets(folder).file(name)
    assert (answer.status, answer.content_type.split(";")[0]) == (200, kind)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_is_not_built_says_how_to_build_it(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UnavailableError, match=name) as missing:
        Assets(folder)
    assert "make page" in (missing.value.hint or "")
