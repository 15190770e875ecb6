"""A file in the workbench: what is read from it, and what may be written to it."""

import asyncio
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.files import ChangedFile
from pinebench.tui.buffer import Buffer
from tests.tui.support import bench, write

TEXTS = [
    (b"// caf\xe9 \x80\n", "// café €\n", "windows-1252"),
    (b"// \x81\xe9\n", "// \x81é\n", "latin-1"),  # a byte that Windows-1252 does not have
    (b"\xff\xfe\x00", "ÿþ\0", ""),  # a byte order mark, and half a character
    (b"\x89PNG\r\n\x1a\n\0\0", "", ""),
]


@pytest.mark.parametrize(("data", "text", "encoding"), TEXTS)
def test_a_file_in_another_encoding_is_read_and_never_written(
    tmp_path: Path, data: bytes, text: str, encoding: str
) -> None:
    path = write(tmp_path / "a.pine", data)
    if not encoding:
        with pytest.raises(UsageError, match="not UTF-"):
            Buffer.open(str(path))
        return
    buffer = Buffer.open(str(path))
    assert (buffer.saved, buffer.file.encoding, buffer.is_guessed) == (text, encoding, True)
    with pytest.raises(UsageError, match="only guessed"):
        buffer.save(text + "more", data)
    assert path.read_bytes() == data
    with pytest.raises(ChangedFile):
        buffer.save_as(str(path), text, b"another content")
    assert (buffer.file.encoding, buffer.is_guessed) == (encoding, True)  # nothing was written
    buffer.save_as(str(tmp_path / "b.pine"), text, None)
    assert (tmp_path / "b.pine").read_bytes() == text.encode() and path.read_bytes() == data
    assert not buffer.is_guessed and buffer.save(text + "more", text.encode()) is None


async def test_a_guessed_text_is_shown_marked_and_takes_no_letter_until_it_has_another_name(tmp_path: Path) -> None:
    path, data = tmp_path / "a.pine", "// café €\n".encode("windows-1252")
    write(path, data)
    async with bench(path) as it:
        assert it.text == "// café €\n"
        assert "WINDOWS-1252?" in it.status and "read-only: not UTF-8" in it.status
        await it.press("x", "enter", "delete", "alt+c", "alt+l", "ctrl+s")
        await it.until(lambda: "save it under another name" in it.message, "why it is not saved")
        assert it.text == "// café €\n" and path.read_bytes() == data and not it.front.is_dirty
        await it.press("alt+s")
        await it.asked()
        await it.press("home", *["right"] * len(str(path.parent)), "right", "b", "enter")
        await it.calm()
        await it.until(lambda: (tmp_path / "ba.pine").exists(), "the copy")
        await it.press("x")
        assert it.text == "x// café €\n" and "UTF-8" in it.status and "read-only" not in it.status


async def test_a_job_that_ends_late_does_not_hide_why_a_later_command_failed(tmp_path: Path) -> None:
    path = tmp_path / "a.pine"
    write(path, "// café €\n".encode("windows-1252"))
    async with bench(path) as it:
        go_on = asyncio.Event()

        async def late() -> None:
            await go_on.wait()
            it.app.say("nothing to format")

        it.app.work(late())
        await it.press("ctrl+s")
        await it.until(lambda: "save it under another name" in it.message, "why it is not saved")
        go_on.set()
        await it.pilot.pause()
        assert "save it under another name" in it.message
        await it.press("right")
        it.app.work(late())
        await it.until(lambda: "nothing to format" in it.message, "a note that replaces no trouble")
