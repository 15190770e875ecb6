"""`pinebench demo` tells its story anywhere and leaves only a picture behind."""

import shlex
import sys
from pathlib import Path

import pytest

from pinebench.cli import main
from pinebench.cli.commands import demo
from pinebench.files import resources
from tests.cli.support import Outcome, pinebench


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, Path]:
    folder = tmp_path_factory.mktemp("demo")
    outcome = pinebench("demo", folder=folder, environment={"PINEBENCH_BROWSER": "/nowhere"})
    assert outcome.code == 0, outcome.out + outcome.err
    return outcome, folder


def acts(told: tuple[Outcome, Path]) -> list[str]:
    return told[0].out.split("== ")[1:]


def test_the_old_script_is_migrated_its_error_fixed_and_it_passes_our_check(told: tuple[Outcome, Path]) -> None:
    migrated, fixed = acts(told)[:2]
    assert "`when` is an `if` around the order" in migrated + told[0].err
    assert 'error CE10272: Undeclared identifier "slowLenght"' in fixed
    assert (
        fixed.index("1 error")
        < fixed.index("lint new.pine --fix\n")
        < fixed.index("new.pine: passes pinebench's check (origin: local")
    )
    assert "compiles" not in told[0].out


def test_the_repaint_is_found_before_the_edit_and_not_after(told: tuple[Outcome, Path]) -> None:
    caught, steady = acts(told)[2:4]
    assert "differs after a reload" in caught
    assert "request.security on line 10" in caught
    assert "request close[1] with lookahead = barmerge.lookahead_on" in caught
    assert "nothing repaints on 1000 bars" not in caught
    assert "line 10, now:    day = request.security(syminfo.tickerid, " + demo.CLOSED in steady
    assert "1 script checked: nothing to report" in steady
    assert "nothing repaints on 1000 bars" in steady
    assert "differs after a reload" not in steady


def test_the_strategy_trades_on_prices_that_are_called_made_up(told: tuple[Outcome, Path]) -> None:
    tested = acts(told)[4]
    assert "prices are made up" in tested.splitlines()[0]
    closed = next(line for line in tested.splitlines() if line.startswith("Closed trades"))
    assert int(closed.split()[2]) > 0


def test_the_last_line_names_a_picture_that_shows_more_than_one_colour(told: tuple[Outcome, Path]) -> None:
    image = pytest.importorskip("PIL.Image")
    outcome, folder = told
    path = Path(outcome.out.splitlines()[-1].removeprefix("The picture of the trades on made-up prices: "))
    assert path == folder / ".state" / "demo" / "made-up-trades.png"
    with image.open(path) as picture:
        assert picture.format == "PNG"
        assert min(picture.size) > 200
        assert len(picture.convert("RGB").getcolors(1 << 24)) > 10


def test_only_the_picture_stays(told: tuple[Outcome, Path]) -> None:
    _, folder = told
    left = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    assert [path for path in left if not path.startswith(".cache/")] == [".state/demo/made-up-trades.png"]


def test_the_work_is_that_of_a_minute(told: tuple[Outcome, Path]) -> None:
    """Few commands run, none of them on many bars, and none starts a browser."""
    commands = [shlex.split(line)[2:] for line in told[0].out.splitlines() if line.startswith("$ pinebench ")]
    assert [words[0] for words in commands] == [
        "migrate", "lint", "lint", "compile", "run", "lint", "run", "backtest",
    ]  # fmt: skip
    bars = [words[words.index("--data") + 1] for words in commands if "--data" in words]
    assert all(int(each.rpartition("x")[2]) <= 1000 for each in bars)


def test_without_pillow_the_picture_is_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    assert main(["demo"]) == 0
    path = Path(capsys.readouterr().out.splitlines()[-1].removeprefix("The picture of the trades on made-up prices: "))
    assert path == tmp_path / "state" / "demo" / "made-up-trades.html"
    assert "<svg" in path.read_text("utf-8") or "<canvas" in path.read_text("utf-8")


def test_a_state_folder_that_cannot_be_written_does_not_lose_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_text("a file")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "made-up-trades.png").write_bytes(b"picture")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    kept = Path(demo._keep(str(tmp_path), "made-up-trades.png"))
    assert kept.read_bytes() == b"picture"
    assert kept.is_relative_to(tmp_path / "temporary")


def test_an_act_that_goes_wrong_ends_the_demo_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "demo").mkdir()
    text = (resources.folder("samples") / "demo" / demo.SOURCE).read_text("utf-8").replace(demo.LIVE, demo.CLOSED)
    (tmp_path / "demo" / demo.SOURCE).write_text(text, "utf-8")
    real = resources.folder
    monkeypatch.setattr(resources, "folder", lambda name: tmp_path if name == "samples" else real(name))
    assert main(["demo"]) == 1
    out = capsys.readouterr().out
    assert out.count("== ") == 3
    assert "The picture" not in out


def test_an_interrupted_command_ends_the_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr("pinebench.linter.batch.check_scripts", interrupted)
    assert main(["demo"]) == 130
    assert capsys.readouterr().out.count("== ") == 2
