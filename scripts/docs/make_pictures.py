"""Draw the documentation's pictures of a run, a report page, the workbench and the studio.

Usage: python scripts/docs/make_pictures.py [--check]

All pictures show the running product. Each picture stores the checksum of its source, so --check needs no browser to
find outdated pictures. It writes nothing, and ends with 1 if a picture is out of date.
"""

import argparse
import asyncio
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, PngImagePlugin

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
PICTURES = ROOT / "docs" / "pictures"
SOURCE = "source-sha256"
"""The key of the checksum in a picture."""
BARS = "sample:AAPL@1Dx800"
_SHOWN = ROOT / "pine" / "templates" / "market_structure.pine"


def main(arguments: list[str]) -> int:
    """Draw the pictures, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if a picture is out of date")
    check = parser.parse_args(arguments).check
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"PINEBENCH_STATE_DIR": f"{folder}/state", "PINEBENCH_CACHE_DIR": f"{folder}/cache"}
        os.environ["PINEBENCH_CDP_PORT"] = "1"  # no browser is looked for
        pictures = {
            "run.png": (run(Path(folder)), draw_run),
            "report.png": (report(Path(folder)), functools.partial(draw, size=(1280, 900))),
            "workbench.png": (workbench(Path(folder)), functools.partial(draw, size=(1220, 830))),
            "studio.png": (studio(), draw_studio),
        }
        old = [name for name, (source, _) in pictures.items() if known(PICTURES / name) != checksum(source)]
        for name in old:
            source, drawn = pictures[name]
            if not check:
                keep(drawn(source), checksum(source), PICTURES / name)
            print(f"docs/pictures/{name}: {'out of date' if check else 'drawn'}")
    return 1 if check and old else 0


def run(folder: Path) -> str:
    """Return the drawing of an indicator of `pine/templates/` on the sample market."""
    return _run(folder, "svg").read_text(encoding="utf-8")


def draw_run(_drawing: str) -> Image.Image:
    """Draw the run of `run` as a picture."""
    with tempfile.TemporaryDirectory() as folder, Image.open(_run(Path(folder), "png")) as image:
        return image.copy()


def _run(folder: Path, ending: str) -> Path:
    shutil.copy(_SHOWN, folder)
    target = folder / f"run.{ending}"
    command = ["run", _SHOWN.name, "--data", "sample:AAPL@1Dx200", "--plot", str(target), "-o", "run.csv"]
    subprocess.run([sys.executable, "-m", "pinebench", *command], cwd=folder, check=True, capture_output=True)
    return target


def studio() -> str:
    """Return the parts that determine the studio's look: its style and the script, but not its programs."""
    styles = sorted((ROOT / "pinebench" / "studio" / "page" / "src").rglob("*.css"))
    return "".join(path.read_text(encoding="utf-8") for path in [*styles, _SHOWN])


def draw_studio(_source: str) -> Image.Image:
    """Draw a new studio in a browser, with a script on the chart."""
    from pinebench.studio.session import StudioSession
    from pinebench.tradingview import browser
    from pinebench.tv import Chart

    with tempfile.TemporaryDirectory() as folder, StudioSession() as session:
        profile = str(Path(folder, "profile"))
        flags = ("--hide-scrollbars", "--window-size=1440,900")
        launched = browser.launch(port=0, profile=profile, url=session.address(""), headless=True, extra=flags)
        try:
            if not session.wait_until_ready(60):
                sys.exit("make_pictures: the studio's page did not start")
            chart = Chart(port=launched.port)
            chart.call("pine_set_source", source=_SHOWN.read_text(encoding="utf-8"))
            chart.call("pine_smart_compile")
            taken = chart.call("capture_screenshot", embed=False)
            chart.chart_browser.close()
        finally:
            launched.stop()
    with Image.open(taken["file_path"]) as image:
        return image.copy()


def report(folder: Path) -> str:
    """Return the report page of a strategy of `pine/templates/` on the sample market."""
    shutil.copy(ROOT / "pine" / "templates" / "supertrend_strategy.pine", folder)
    page = folder / "report.html"
    command = ["backtest", "supertrend_strategy.pine", "--data", BARS, "--format", "html", "-o", str(page)]
    subprocess.run([sys.executable, "-m", "pinebench", *command], cwd=folder, check=True, capture_output=True)
    return page.read_text(encoding="utf-8")


def workbench(folder: Path) -> str:
    """Return the screen of the workbench with a script that has errors, as a page with one drawing."""
    script = folder / "crossing.pine"
    shutil.copy(ROOT / "pine" / "samples" / "demo" / "crossing.pine", script)
    here = Path.cwd()
    os.chdir(folder)
    try:
        drawing = asyncio.run(_screen(script.name))
    finally:
        os.chdir(here)
    return f"<!doctype html><meta charset='utf-8'><body style='margin:0;background:#121212'>{drawing}"


async def _screen(name: str) -> str:
    from pinebench.tui.app import Workbench

    app = Workbench([name])
    drawing = ""
    async with app.run_test(size=(98, 32)) as pilot:
        for _ in range(200):
            await pilot.pause(0.05)
            drawing = app.export_screenshot(title="pinebench edit crossing.pine", simplify=True)
            if "CE10272" in drawing:
                break
        app.exit()
    return _without_identity(drawing)


def _without_identity(drawing: str) -> str:
    """Replace the random number that Rich writes on each run by a fixed one."""
    found = re.search(r"terminal-(\d+)", drawing)
    return drawing.replace(found[1], "1") if found else drawing


def checksum(page: str) -> str:
    """Return the checksum of a page without its programs, because the same data and style draw the same."""
    return hashlib.sha256(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL).encode()).hexdigest()


def known(picture: Path) -> str:
    """Return the checksum of the page that a picture shows; "" if there is no picture."""
    if not picture.is_file():
        return ""
    with Image.open(picture) as image:
        return str(image.info.get(SOURCE, ""))


def draw(page: str, size: tuple[int, int]) -> Image.Image:
    """Draw a page of `size` pixels in a browser."""
    program = os.environ.get("PINEBENCH_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.exit("make_pictures: a Chromium is needed to draw")
    with tempfile.TemporaryDirectory() as folder:
        source, drawn = Path(folder, "page.html"), Path(folder, "page.png")
        source.write_text(page, encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--virtual-time-budget=8000"]
        options += [f"--window-size={size[0]},{size[1]}", f"--screenshot={drawn}"]
        subprocess.run([program, *options, source.as_uri()], check=True, capture_output=True, timeout=120)
        with Image.open(drawn) as image:
            return image.copy()


def keep(image: Image.Image, source: str, target: Path) -> None:
    """Write a picture with the checksum of its source."""
    about = PngImagePlugin.PngInfo()
    about.add_text(SOURCE, source)
    image.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT).save(target, pnginfo=about, optimize=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
