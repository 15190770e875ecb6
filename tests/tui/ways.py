"""The table of ways to lose, overwrite or half-edit a text; `test_ways_in_a_terminal.py` tries each of them.

In the words of a way, `BEGUN` is the text of the file at first, `MINE` the text after a line was typed, and `THEIRS`
and `LATER` are two texts that another program writes. Each way has files and texts of its own, and `NAME` is in each
text that a file has at first, so that the screen shows which one is in front; `FILE` is the name of the file.
"""

import os
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

BEGUN, MINE, THEIRS, LATER = "BEGUN", "MINE", "THEIRS", "LATER"


class Place(NamedTuple):
    """The file of a way, and the process of the workbench."""

    script: Path
    texts: dict[str, str]
    process: int = 0

    def filled(self, text: str) -> str:
        """`text` with the texts of this way in place of their names."""
        for name, known in self.texts.items():
            text = text.replace(name, known)
        return text

    @property
    def other(self) -> Path:
        """Another file in the folder."""
        return self.script.with_name("other.pine")


Step = tuple[str, ...] | str | bytes | Callable[[Place], bytes | None]
"""Keys that are pressed at once, words that are waited for, a paste, or what another program does. What that returns is
pasted."""


class Way(NamedTuple):
    """A way to lose a text."""

    name: str
    steps: tuple[Step, ...]
    kept: tuple[str, ...] = ()
    """The texts that must be found at the end: in a file, in a draft, or among what can be restored."""
    after: str | None = None
    """The text in the file at the end; None if it does not matter."""
    begun: str = BEGUN
    """The text in the file at first."""
    encoding: str = "utf-8"
    """The encoding of both."""
    is_closed: bool = False
    """Whether the way itself closes the tab."""
    is_alone: bool = False
    """Whether the way needs a workbench of its own."""


@dataclass(frozen=True)
class _FileCheck:
    """Look that the file holds a text now."""

    text: str

    def __call__(self, at: Place) -> None:
        assert at.script.read_bytes().decode() == at.filled(self.text)


@dataclass(frozen=True)
class _ForeignWrite:
    """Another program that writes a file in one step, or as a part only."""

    text: str
    name: str = ""

    def __call__(self, at: Place) -> None:
        path = at.script.with_name(self.name) if self.name else at.script
        data = at.filled(self.text).encode()
        path.with_name("new").write_bytes(data)
        os.replace(path.with_name("new"), path)


def _gone(at: Place) -> None:
    at.script.unlink()


def _touched(at: Place) -> None:
    os.utime(at.script, ns=(10**18, 10**18))


def _same_size_and_time(at: Place) -> None:
    before = at.script.stat()
    with at.script.open("r+b") as file:
        file.write(at.filled(THEIRS).encode())
    os.utime(at.script, ns=(before.st_atime_ns, before.st_mtime_ns))


def _emptied(at: Place) -> None:
    at.script.write_bytes(b"")


def _cut(at: Place) -> None:
    os.truncate(at.script, at.script.stat().st_size // 2)


@dataclass(frozen=True)
class _PartWrite:
    """Another program that writes a text into the file bit by bit: its first half, or the rest."""

    text: str
    is_rest: bool = False

    def __call__(self, at: Place) -> None:
        data = at.filled(self.text).encode()
        half = len(data) // 2
        with at.script.open("ab" if self.is_rest else "wb") as file:
            file.write(data[half:] if self.is_rest else data[:half])


def _more(at: Place) -> None:
    with at.script.open("ab") as file:
        file.write(b"// more\n")


def _another_of_the_same_size_and_time(at: Place) -> None:
    before = at.script.stat()
    _ForeignWrite(THEIRS)(at)
    os.utime(at.script, ns=(before.st_atime_ns, before.st_mtime_ns))


def _binary(at: Place) -> None:
    at.script.write_bytes(b"\0\xff\0\xfe binary")


def _linked(at: Place) -> None:
    at.other.symlink_to(at.script)


def _folder_gone(at: Place) -> None:
    at.script.unlink()
    at.script.parent.rmdir()


def _folder_moved(at: Place) -> None:
    at.script.parent.rename(at.script.parent.with_name(at.script.parent.name + "-moved"))


def _now_a_folder(at: Place) -> None:
    at.script.unlink()
    at.script.mkdir()


def _now_a_pipe(at: Place) -> None:
    at.script.unlink()
    os.mkfifo(at.script)


def _now_a_link(at: Place) -> None:
    at.script.unlink()
    at.other.write_text(at.filled(THEIRS))
    at.script.symlink_to(at.other)


def _now_a_link_to_nothing(at: Place) -> None:
    at.script.unlink()
    at.script.symlink_to(at.other)


def _a_second_name(at: Place) -> None:
    at.other.hardlink_to(at.script)
    at.other.write_text(at.filled(THEIRS))


def _moved_away(at: Place) -> None:
    at.script.write_text(at.filled(THEIRS))
    at.script.rename(at.other)


def _read_only(at: Place) -> None:
    at.script.chmod(0o444)


def _a_folder_of_that_name(at: Place) -> None:
    at.other.mkdir()


def _still(true: Callable[[Path], bool]) -> Callable[[Place], None]:
    """Look that the file is still what another program made of it."""

    def looked(at: Place) -> None:
        assert true(at.script)

    return looked


def _disk(limit: int) -> Callable[[Place], None]:
    """Let the workbench write no byte into a file any more, as on a full disk; -1 gives it room again."""

    def limited(at: Place) -> None:
        resource.prlimit(at.process, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    return limited


def _files(limit: int) -> Callable[[Place], None]:
    """Let the workbench open no file above this number any more."""

    def limited(at: Place) -> None:
        resource.prlimit(at.process, resource.RLIMIT_NOFILE, (limit, 4096))

    return limited


TYPED = ("ctrl+home", *"// mine", "enter")
_TYPED = (TYPED, "// mine")
_HEAD = '//@version=6\nindicator("NAME")\n'
_LINE = "// NAME\n"
_SAVED = (("ctrl+s",), "saved: FILE")
_ASKED = (("ctrl+s",), "FILE was changed on disk")
_CLOSED = (("ctrl+w",), "FILE is not saved")
_LOADED = "FILE: loaded from disk"
_NEXT = (("ctrl+end", "ctrl+home"),)
"""Keys that change nothing, so that words which are drawn again are seen."""


def _command(words: str) -> tuple[Step, ...]:
    """Run a command from the list of all commands."""
    return ("ctrl+p",), (*words, "enter")


ENDED = (
    Way("the question is left", (*_TYPED, *_CLOSED, ("escape",)), (BEGUN, MINE), BEGUN),
    Way("stay", (*_TYPED, *_CLOSED, ("y",), *_SAVED), (MINE,), MINE),
    Way("close and save", (*_TYPED, *_CLOSED, ("s",)), (MINE,), MINE, is_closed=True),
    Way("close without saving", (*_TYPED, *_CLOSED, ("w",)), (BEGUN, MINE), BEGUN, is_closed=True),
    Way("quit, and stay", (*_TYPED, ("ctrl+q",), "1 script not saved", ("escape",)), (BEGUN, MINE), BEGUN),
    Way("keys and save at once", ((*TYPED, "ctrl+s"),), (MINE,), MINE),
    Way(
        "a script without a file is closed",
        (("ctrl+n",), "untitled-", ("ctrl+home", *"// mine"), ("ctrl+w",), "is not saved", ("w",), "NAME"),
        ('// mine//@version=6\nindicator("My script", overlay = true)\n\nplot(close)\n', BEGUN),
        BEGUN,
    ),
    Way("keys and close at once", ((*TYPED, "ctrl+w"), "is not saved", ("w",)), (BEGUN, MINE), BEGUN, is_closed=True),
)
OUTSIDE = (
    Way("too many open files", (*_TYPED, _files(3), ("ctrl+s",), "not saved", _files(1024), *_SAVED), (MINE,), MINE),
    Way("written over", (*_TYPED, _ForeignWrite(THEIRS), *_ASKED, ("w",), "saved: FILE"), (MINE, THEIRS), MINE),
    Way(
        "theirs is loaded",
        (*_TYPED, _ForeignWrite(THEIRS), *_ASKED, ("l",), "FILE: loaded from disk"),
        (MINE, THEIRS),
        THEIRS,
    ),
    Way("not saved after all", (*_TYPED, _ForeignWrite(THEIRS), *_ASKED, ("n",)), (MINE, THEIRS), THEIRS),
    Way(
        "compared first",
        (
            *_TYPED,
            _ForeignWrite(THEIRS),
            *_ASKED,
            ("d",),
            "the file (-)",
            ("escape",),
            "Do not save",
            ("w",),
            "saved: FILE",
        ),
        (MINE, THEIRS),
        MINE,
    ),
    Way(
        "written again while it is asked",
        (*_TYPED, _ForeignWrite(THEIRS), *_ASKED, _ForeignWrite(LATER), ("w",), "saved: FILE"),
        (MINE, LATER),
        MINE,
    ),
    Way(
        "loaded, and written again",
        (
            _ForeignWrite(THEIRS),
            "FILE: loaded from disk",
            *_TYPED,
            _ForeignWrite(LATER),
            *_ASKED,
            ("w",),
            "saved: FILE",
        ),
        (LATER,),
        "// mine\nTHEIRS",
    ),
    Way("loaded, and undone", (_ForeignWrite(THEIRS), "FILE: loaded from disk", ("ctrl+z",), *_SAVED), (BEGUN,), BEGUN),
    Way(
        "loaded by a command",
        (*_TYPED, _ForeignWrite(THEIRS), *_command("Reload the file"), "FILE: loaded from disk"),
        (MINE, THEIRS),
        THEIRS,
    ),
    Way("the same size and time", (*_TYPED, _same_size_and_time, *_ASKED, ("w",), "saved: FILE"), (MINE, THEIRS), MINE),
    Way("only touched", (*_TYPED, _touched, *_SAVED), (MINE,), MINE),
    Way("emptied", (*_TYPED, _emptied, *_ASKED, ("n",)), (MINE,), ""),
    Way("no text any more", (*_TYPED, _binary, *_ASKED, ("w",), "saved: FILE"), (MINE,), MINE),
    Way("deleted", (*_TYPED, _gone, ("ctrl+s",), "the file was gone"), (MINE,), MINE),
    Way("deleted while clean", (_gone, *_CLOSED, ("w",)), (BEGUN,), is_closed=True),
    Way("deleted while clean, and saved", (_gone, ("ctrl+s",), "the file was gone"), (BEGUN,), BEGUN),
    Way(
        "deleted while clean, and made again",
        (_gone, "file is gone", _ForeignWrite(THEIRS), _LOADED),
        (BEGUN, THEIRS),
        THEIRS,
    ),
    Way(
        "a link to nothing while clean",
        (_now_a_link_to_nothing, "file is gone", *_CLOSED, ("w",)),
        (BEGUN,),
        is_closed=True,
    ),
    Way(
        "written bit by bit",
        (_PartWrite(THEIRS), _LOADED, *_NEXT, _PartWrite(THEIRS, is_rest=True), _LOADED, *_TYPED, *_SAVED),
        (BEGUN,),
        "// mine\nTHEIRS",
    ),
    Way("something is added", (*_TYPED, _more, *_ASKED, ("w",), "saved: FILE"), (MINE, "BEGUN// more\n"), MINE),
    Way(
        "the same size and time while clean",
        (_same_size_and_time, _LOADED, *_TYPED, *_SAVED),
        (BEGUN,),
        "// mine\nTHEIRS",
    ),
    Way(
        "another file of the same size and time",
        (*_TYPED, _another_of_the_same_size_and_time, *_ASKED, ("w",), "saved: FILE"),
        (MINE, THEIRS),
        MINE,
    ),
    Way("emptied while clean, and undone", (_emptied, _LOADED, ("ctrl+z",), *_SAVED), (BEGUN,), BEGUN),
    Way(
        "cut while clean, and written again",
        (_cut, _LOADED, *_NEXT, _ForeignWrite(LATER), _LOADED),
        (BEGUN, LATER),
        LATER,
    ),
    Way("moved away", (*_TYPED, _moved_away, ("ctrl+s",), "the file was gone"), (MINE, THEIRS), MINE),
    Way("the folder is gone", (*_TYPED, _folder_gone, ("ctrl+s",), "not saved"), (MINE,)),
    Way("the folder is moved", (*_TYPED, _folder_moved, ("ctrl+s",), "not saved"), (MINE, BEGUN)),
    Way("a folder in its place", (*_TYPED, _now_a_folder, *_ASKED, ("w",), "not saved", _still(Path.is_dir)), (MINE,)),
    Way("a pipe in its place", (*_TYPED, _now_a_pipe, *_ASKED, ("w",), "not saved", _still(Path.is_fifo)), (MINE,)),
    Way(
        "a link in its place",
        (*_TYPED, _now_a_link, *_ASKED, ("w",), "saved: FILE", _still(Path.is_symlink)),
        (MINE, THEIRS),
        MINE,
    ),
    Way("a link to nothing in its place", (*_TYPED, _now_a_link_to_nothing, ("ctrl+s",), "not saved"), (MINE,)),
    Way("a second name", (*_TYPED, _a_second_name, *_ASKED, ("w",), "2 names"), (MINE, THEIRS), MINE),
    Way("read-only", (*_TYPED, _read_only, ("ctrl+s",), "read-only"), (MINE, BEGUN), BEGUN),
    Way(
        "read-only, and quit",
        (*_TYPED, _read_only, ("ctrl+q",), "1 script not saved", ("s",), "read-only"),
        (MINE, BEGUN),
        BEGUN,
    ),
    Way("a full disk", (*_TYPED, _disk(0), ("ctrl+s",), "not saved", _disk(-1), *_SAVED), (MINE,), MINE),
    Way(
        "a full disk, and closed",
        (*_TYPED, _disk(0), *_CLOSED, ("w",), "would be lost", ("y",), _disk(-1), *_SAVED),
        (MINE,),
        MINE,
    ),
)


def _saved_as(name: str) -> tuple[Step, ...]:
    """Save under another name in the folder of the file."""
    return ("alt+s",), "Save as", lambda at: str(at.script.parent / name).encode(), ("enter",)


NAMES = (
    Way("saved under a new name", (*_TYPED, *_saved_as("new.pine"), "saved: new.pine"), (MINE, BEGUN), BEGUN),
    Way(
        "saved over another file",
        (
            *_TYPED,
            _ForeignWrite(THEIRS, "other.pine"),
            *_saved_as("other.pine"),
            "The file already exists",
            ("w",),
            "saved: other",
        ),
        (MINE, THEIRS, BEGUN),
        BEGUN,
    ),
    Way(
        "not saved over another file",
        (*_TYPED, _ForeignWrite(THEIRS, "other.pine"), *_saved_as("other.pine"), "The file already exists", ("n",)),
        (MINE, THEIRS, BEGUN),
        BEGUN,
    ),
    Way(
        "into no folder", (*_TYPED, *_saved_as("none/a.pine"), "there is no folder", ("escape",)), (MINE, BEGUN), BEGUN
    ),
    Way(
        "as a folder",
        (*_TYPED, _a_folder_of_that_name, *_saved_as("other.pine"), "write the name of a file", ("escape",)),
        (MINE, BEGUN),
        BEGUN,
    ),
    Way(
        "changed under its new name",
        (
            *(*_TYPED, *_saved_as("other.pine"), "saved: other", _ForeignWrite(THEIRS, "other.pine")),
            *(("!",), ("ctrl+s",), "other.pine was changed on disk", ("n",)),
        ),
        (THEIRS, BEGUN),
        BEGUN,
    ),
    Way(
        "opened by a second name, too",
        (
            _linked,
            ("ctrl+o",),
            "a name, or a path",
            lambda at: str(at.other).encode(),
            ("enter",),
            "other.pine",
            ("ctrl+home", *"// theirs", "enter", "ctrl+s"),
            "saved: other",
            ("ctrl+w",),
            "NAME",
            ("ctrl+end", "!"),
        ),
        ("// theirs\nBEGUN",),
        "// theirs\nBEGUN",
    ),
)

_ODD = "\ufeff// NAME\r\n\tplot(close)\r\n// \x0c form feed\u2028 and \x85\nlast"


def _form(name: str, text: str, encoding: str = "utf-8") -> Way:
    """A text in which only the typed letter changes."""
    typed = text.replace("// NAME", "!// NAME")
    return Way(name, (("ctrl+home", "!"), *_SAVED), after=typed, begun=text, encoding=encoding)


FORMS = (
    _form("CR LF", "// NAME\r\nx\r\n"),
    _form("CR", "// NAME\rx\r"),
    _form("odd characters", _ODD),
    _form("no last line end", "// NAME\nx"),
    _form("UTF-16", "\ufeff// NAME\r\n汉\r\n", "utf-16-le"),
    _form("UTF-16, large end first", "\ufeff// NAME\n汉\n", "utf-16-be"),
    _form("control characters", "// NAME \0\x1b[31m\x07\n"),
    _form("a very long line", f"// NAME\n{'x' * 20_000}\n"),
    _form("characters of several code points", "// NAME 👩‍👩‍👧 e\u0301 \u05d0\u05d1\n"),
    Way("a line in the line ends of the file", (("ctrl+home", "end", "enter", *"é汉😀"), *_SAVED),
        after="// NAME\r\né汉😀\r\nx\r\n", begun="// NAME\r\nx\r\n"),
    Way(
        "an encoding that is only guessed",
        (("ctrl+home", "x", "ctrl+s"), "not saved", *_saved_as("new.pine"), "saved: new"),
        ("// NAME\n// caf\xe9\n",),
        "// NAME\n// caf\xe9\n",
        "// NAME\n// caf\xe9\n",
        "latin-1",
    ),
)  # fmt: skip
_CONTROLS = "".join(map(chr, sorted(set(range(32)) - {10, 13})))
_EDITING_KEYS = ("ctrl+f", *"zz", "ctrl+a", "ctrl+k", "ctrl+y", "ctrl+t", "alt+u", "alt+l", "alt+c", "ctrl+b", "ctrl+d",
                 "ctrl+u", "ctrl+e", "alt+b", "alt+f", "alt+d")  # fmt: skip
_MANY = "x = 1\n" * 6000
_CODE = _HEAD + "length = 1\nplot(length)\n"
_SLOW = _LINE + "// " + "a" * 40 + "b\n"
_EXPRESSION = ("ctrl+f", *r"/(a+)+$/")
_AT_CODE = ("ctrl+home", "down", "down")


def _edit(name: str, begun: str, after: str, *steps: Step, is_alone: bool = False) -> Way:
    """Change a text and save it."""
    return Way(name, (*steps, ("ctrl+s",)), after=after, begun=begun, is_alone=is_alone)


def _undone(name: str, begun: str, after: str, *steps: Step, times: int = 1) -> Way:
    """Change a text, save it, take the change back, and save it again."""
    return Way(name, (*steps, *_SAVED, _FileCheck(after), ("ctrl+z",) * times, *_SAVED), after=begun, begun=begun)


EDITS = (
    _undone("everything is deleted", _CODE, "", ("ctrl+a", "backspace")),
    _undone("everything is cut", _CODE, "", ("ctrl+a", "ctrl+x")),
    _undone("everything is pasted over", _CODE, "new", ("ctrl+a",), b"new"),
    _undone("formatted", _HEAD + "x=1\nplot(x)\n", _HEAD + "x = 1\nplot(x)\n", ("alt+l",), "formatted"),
    _undone("commented", "one\n// NAME\n", "// one\n// NAME\n", ("ctrl+home", "alt+c")),
    _undone("indented", "one\n// NAME\n", "    one\n// NAME\n", ("ctrl+a", "ctrl+home", "tab")),
    _undone("a line is moved", "one\n// NAME\n", "// NAME\none\n", ("ctrl+home", "alt+down")),
    _undone("renamed", _CODE, _CODE.replace("length", "len2"), _AT_CODE, ("f2",), "Rename",
            (*"len2", "enter"), "in 2 places"),
    _undone("one is replaced", "// NAME\na a a\n", "// NAME\nb a a\n",
            ("ctrl+home", "down", "ctrl+r", *"a", "tab", "ctrl+u", "b", "enter"), "of 2", ("escape",)),
    _undone("every fix is made", _HEAD + "plot(close);\n", _HEAD + "plot(close)\n",
            *_command("Apply every safe"), "Every safe fix", ("enter",), "fixed"),
    _undone("typed at once", "// NAME\n", "// " + "word " * 3 + "\n// NAME\n",
            ("ctrl+home", *("// " + "word " * 3), "enter"), times=25),
    _edit("undone and redone", "// NAME\n", "ab// NAME\n", ("ctrl+home", "a", "b"), ("ctrl+z",) * 9, ("ctrl+y",) * 9),
    _edit("a script with errors is not formatted", "x = (\n// NAME\n", "!x = (\n// NAME\n", ("alt+l",), "not formatted",
          ("ctrl+home", "!")),
    _edit("a name that cannot be", _CODE, "!" + _CODE, _AT_CODE, ("f2",), "Rename", (*"if", "enter"), "if",
          ("ctrl+home", "!")),
    _edit("a question is left", _CODE, "!" + _CODE, ("ctrl+g",), "Go to line", (*"3", "escape"), ("!",)),
    _edit("replace all replaces all", _LINE + _MANY, _LINE + "y = 1\n" * 6000,
          ("ctrl+r", "x", "tab", "ctrl+u", "y", "alt+a"), "replaced in 6,000 places"),
    _edit("replace all by an expression", "// NAME.\r\na1 b2\r\nc3\r\n", "// NAME.\r\na1 2b\r\n3c\r\n",
          ("ctrl+r", *r"/(\w)(\d)$/", "tab", "ctrl+u", *r"\2\1", "alt+a"), "replaced in 2 places"),
    _edit("replace all by an expression in many lines", "// NAME\r\n" + "x = 1\r\n" * 6000,
          "// NAME\r\n" + "y = 1\r\n" * 6000, ("ctrl+r", *"/^x/", "tab", "ctrl+u", "y", "alt+a"),
          "replaced in 6,000 places"),
    _undone("replace all is one step", _LINE + _MANY, _LINE + "y = 1\n" * 6000,
            ("ctrl+r", "x", "tab", "ctrl+u", "y", "alt+a"), "replaced in 6,000 places", ("escape",)),
    _edit("replace all while only the words are shown", _CODE, "!" + _CODE, ("ctrl+f", *"length"), "1 of", ("alt+a",),
          "nothing was replaced", ("escape", "ctrl+home", "!")),
    _edit("replace all in another tab", _CODE, "!" + _CODE, ("ctrl+r", *"length", "tab", *"x"), "1 of", ("escape",),
          ("ctrl+pageup",), "first one", ("alt+a",), "nothing was replaced", ("ctrl+pageup",), "NAME",
          ("ctrl+home", "!"), is_alone=True),
    _edit("a slow expression in the search of a folder", _SLOW, "!" + _SLOW, ("alt+i", *r"/(a+)+$/", "enter"),
          "nothing found", ("alt+e", "ctrl+home", "!"), is_alone=True),
    _edit("replace all by a slow expression", _SLOW, "!" + _SLOW,
          ("ctrl+r", *r"/(a|aa)+$/", "tab", "ctrl+u", "x", "alt+a"), ("escape", "ctrl+home", "!")),
    _edit("the ends of lines that end in CR", "// NAME.\rb;\rc;\r", "// NAME.\rb?\rc?\r",
          ("ctrl+r", *"/;$/", "tab", "ctrl+u", "?", "alt+a"), "replaced in 2 places"),
    _edit("the ends of lines in the search of a folder", "close\r\n// NAME\r\nclose\r\n",
          "open\r\n// NAME\r\nopen\r\n", ("alt+i", *"/close$/", "enter"), "2 places", ("tab", *"open", "enter"),
          "by open", ("r",), "still unsaved", is_alone=True),
    _edit("a slow expression", _LINE + "// " + "a" * 40 + "b\n", "!" + _LINE + "// " + "a" * 40 + "b\n",
          _EXPRESSION, "nothing found", ("escape", "ctrl+home", "!")),
    _edit("a wrong expression", _CODE, "!" + _CODE, ("ctrl+r", *"/(/", "tab", *"x", "alt+a"),
          ("escape", "ctrl+home", "!")),
    _edit("replace all without its line", _CODE, "!" + _CODE, ("ctrl+f", *"length"), "1 of", ("escape",), ("alt+a",),
          "nothing was replaced", ("ctrl+home", "!")),
    _edit("the next one of a hidden bar", _CODE, "!" + _CODE, ("ctrl+f", *"length"), "1 of", ("escape",), ("f3",),
          "2 of", ("escape", "ctrl+home", "!")),
    _edit("tab in the search of a folder", "close\n// NAME\nclose\n", "open\n// NAME\nopen\n",
          ("alt+i", *"close", "enter"), "2 places", ("tab", *"open", "enter"), "Replace close by open", ("r",),
          "still unsaved", is_alone=True),
    _edit("tab in the search goes around", _CODE, "!" + _CODE, ("alt+i", *"length"),
          ("tab", "tab", "tab", "tab", "shift+tab", *"zz"), ("alt+e", "!")),
    _edit("a coloured paste", _CODE, "AA\x1b[31mBB\n" + _CODE, b"AA\x1b[31mBB\n"),
    _edit("a paste with the key that quits", _CODE, "AA\x1b[31mBB\x11CC\n" + _CODE, b"AA\x1b[31mBB\x11CC\n"),
    _edit("a paste with every control character", _CODE, _CONTROLS + "\n" + _CODE, _CONTROLS.encode() + b"\n"),
    _edit("a paste that looks like keys", _CODE, "\x1bOP\x1b[21~\x1bq\x1bl\n" + _CODE, b"\x1bOP\x1b[21~\x1bq\x1bl\n"),
    _edit("a paste into a field", _CODE, "!" + _CODE, ("ctrl+f",), b"len\x1bgth\x11", "of 2",
          ("escape", "ctrl+home", "!")),
    _edit("two pastes and a key", _CODE, "one 2 three\n" + _CODE, b"one ", ("2", " "), b"three\n"),
    _edit("a paste of other line ends", "// NAME\r\n", "a\r\nb\r\n// NAME\r\n", b"a\nb\r"),
    _edit("a large paste", _LINE, "y = 1\n" * 2000 + _LINE, b"y = 1\n" * 2000),
    _edit("an empty paste", _LINE, "!" + _LINE, b"", ("!",)),
    _edit("line feeds of an unmarked paste", _CODE, "a\n    b\n" + _CODE, ("a", "ctrl+j", *"    b", "ctrl+j")),
    _edit("delete a word in the find bar", _CODE, "!" + _CODE, ("ctrl+f", *"foo bar"), "nothing found",
          ("ctrl+w", *"x"), ("escape", "ctrl+home", "!")),
    _edit("delete a word with alt", "// NAME\none two", "// NAME\none !", ("ctrl+end", "alt+\x7f", "!")),
    _edit("every editing key in the find bar", _CODE, "!" + _CODE, _EDITING_KEYS, ("escape",), ("ctrl+home", "!")),
    _edit("editing keys in the line for the assistant", _CODE, "!" + _CODE, ("alt+m",), "Ask",
          (*"hello world", "ctrl+w", "ctrl+k", "ctrl+u", "alt+d"), ("alt+e", "!")),
    _edit("a completion is left", _HEAD, _HEAD + "plo!", ("ctrl+end", *"plo"), "plotshape", ("escape", "!")),
    _edit("a completion is taken", _HEAD, _HEAD + "ta.highestbars()", ("ctrl+end", *"ta.highestb"), "highestbars",
          ("tab",), ("escape",)),
)  # fmt: skip
_OFFERED = "Unsaved text of"
LEFT = (
    Way("restored", (("r",),), (MINE,), MINE),
    Way("shown first", (("s",), "the file (-)", ("escape",), _OFFERED, ("r",)), (MINE,), MINE),
    Way("left for later", (("l",),), (BEGUN, MINE), BEGUN),
    Way("neither", (("escape",),), (BEGUN, MINE), BEGUN),
    Way("dropped", (("d",),), (BEGUN, MINE), BEGUN),
    Way("its file was changed", (_ForeignWrite(THEIRS), ("r",)), (MINE, THEIRS), MINE),
    Way("its file is gone", (_gone, ("r",)), (MINE,), MINE),
    Way("its file has the text", (_ForeignWrite(MINE),), (MINE,), MINE),
)
"""What happens to a draft that a killed workbench left: what other programs do before the next start, and the keys that
answer the question about it. The last one is not asked about."""
