"""Writes projects into folders, bundles and runs them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import Program, open_program
from pinebench.market import Bars, sample_bars, samples
from pinebench.projects.bundle import Bundle, bundle
from pinebench.projects.project import library_files
from pinebench.workers.request import Request

SYMBOL = samples.SAMPLES[0]


@cache
def bars() -> Bars:
    """Bars of the sample market."""
    return sample_bars(SYMBOL, timeframe("60"), 300)


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a project with its configuration, and return its script."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    (folder / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libs"]\n', encoding="utf-8")
    return folder / "main.pine"


def opened(main: Path) -> Program:
    """The checked script of a project."""
    return open_program(main.read_bytes().decode(), (str(main.parent / "libs"),), fresh=True)


def bundled(main: Path) -> Bundle:
    """The bundle of a project."""
    program = opened(main)
    return bundle(program, str(main), library_files(program, (str(main.parent / "libs"),)))


def request(main: Path, text: str | None = None) -> Request:
    """A request to run the script of a project, or `text` with its libraries, on 300 bars."""
    source = main.read_bytes().decode() if text is None else text
    return Request(source, bars(), SYMBOL.info("60"), samples=True, libraries=(str(main.parent / "libs"),))
