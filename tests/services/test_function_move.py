"""A function moves to a library only where script and library compute the same."""

from pathlib import Path

import pytest

from pinebench.checker import LibraryFolders, open_program
from pinebench.errors import UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.runtime import Runtime
from pinebench.services import OpenScript
from pinebench.services.function_move import Move, function_to_move, moved
from pinebench.syntax.edits import apply_edits
from tests.runtime.running import bars_of
from tests.services.support import HEAD

LIBRARY = '//@version=6\nlibrary("Box")\nexport twice(float x) =>\n    x * 2\n'
IMPORT = "import me/Box/1 as box\n"


def asked(folder: Path, body: str, library: str = LIBRARY) -> tuple[str, Move]:
    """The script with `body`, and the move of its function `f`. Raises UsageError."""
    (folder / "Box.pine").write_text(library, newline="")
    text = HEAD + IMPORT + body
    script = OpenScript(text)
    sources = LibraryFolders([str(folder)])
    script.refresh(sources)
    function = function_to_move(script.view, text.index("f("))
    source = sources.read("me/Box/1")
    assert function is not None and source is not None
    return text, moved(script.view, function, script.view.program.imports["box"], source)


def plotted(text: str, folder: Path) -> list[list[float | None]]:
    """The values of all plots, na as None."""
    program = open_program(text, (str(folder),))
    result = Runtime(program, bars_of([1.0, 3.0, 2.0, 5.0, 4.0, 6.0]), SymbolInfo(timeframe="15")).run()
    assert result.error is None
    return [[None if value != value else value for value in plot.values] for plot in result.plots]


MOVED = {
    # types are written; comments go along; each call keeps a state of its own
    "f(x, y) =>\n    x + y\nplot(f(close, 2))\n": "export f(float x, int y) =>\n    x + y\n",
    "//@function Counts.\nf() =>\n    var n = 0\n    n += 1\n    n\nif close > open\n    log.info(str.tostring(f()))\n"
    "plot(f())\nplot(f() * 2)\n": "//@function Counts.\nexport f() =>\n    var n = 0\n    n += 1\n    n\n",
    "f(float s, int l = 2) => ta.sma(s, l) + nz(s[1])\nplot(f(close))\nplot(f(s = open, l = 3))\n": (
        "export f(float s, int l = 2) => ta.sma(s, l) + nz(s[1])\n"
    ),
    "f(s, l) => ta.ema(s, l)\nplot(f(close, 3))\n": "export f(float s, int l) => ta.ema(s, l)\n",
}
KEPT = {
    "x = 2.0\nf(a) => a * x\nplot(f(close))\n": "it uses 'x', which",
    "g(a) => a + 1\nf(a) => g(a)\nplot(f(close))\n": "it uses 'g', which",
    "type P\n    float v\nf(P p) => p.v\nplot(f(P.new(1)))\n": "declared outside of it",
    "f(a) => box.twice(a)\nplot(f(close))\n": "it uses 'twice', which",
    "f(a) => a\nplot(f(close) + str.length(f('x')))\n": "not always have the same built-in type",
    "f(a) => a + 1\nplot(close)\n": "it is never called",
    "f(a) =>\n    alert('x')\n    a\nplot(f(close))\n": "it plots, places orders or sends alerts",
    "f(a) => a + 1\nbox(a) => a\nplot(f(close))\n": "another declaration of the script has the name 'box'",
}


def test_a_moved_function_computes_the_same(tmp_path: Path) -> None:
    for number, (body, added) in enumerate(MOVED.items()):
        text, move = asked(tmp_path, body)
        library = apply_edits(LIBRARY, move.library)
        script = apply_edits(text, move.script)
        assert library == f"{LIBRARY}\n{added}", body
        assert "box.f(" in script and "f(x, y) =>" not in script
        before = plotted(text, tmp_path)
        after = tmp_path / str(number)
        after.mkdir()
        (after / "Box.pine").write_text(library)
        assert plotted(script, after) == before, body


def test_a_function_stays_where_something_might_change(tmp_path: Path) -> None:
    for body, words in KEPT.items():
        with pytest.raises(UsageError) as refused:
            asked(tmp_path, body)
        assert words in refused.value.message and "cannot be moved to me/Box/1" in refused.value.message, body
    with pytest.raises(UsageError, match="already has this name"):
        asked(tmp_path, "f(a) => a\nplot(f(close))\n", LIBRARY + "f(x) => x\n")


def test_line_breaks_are_those_of_the_library(tmp_path: Path) -> None:
    windows = LIBRARY.replace("\n", "\r\n")
    _, move = asked(tmp_path, "f(x) =>\n    x + 1\nplot(f(close))\n", windows)
    assert move.library[0].text == "\r\nexport f(float x) =>\r\n    x + 1\r\n"
