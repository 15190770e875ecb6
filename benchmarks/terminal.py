"""Measure the CPU time of the workbench in the terminal.

The figures are: the start, opening a long script until it is painted, a key, an idle minute, and an idle minute with
the chart panel on a quiet chart of a studio.

Run it alone: `python benchmarks/terminal.py [LINES] [SECONDS]`. It prints each figure with its limit, and ends with 1
if a figure is above its limit. The CPU time includes the workers; the studio is a separate process and does not count.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

KEYS = 200
LIMITS = {"start to first paint": 300.0, "open": 400.0, "key": 30.0, "idle": 1.0, "idle with the chart": 1.0}
_PART = """
//@function Average of the last bars, number {n}.
average{n}(float source, simple int length = 20) =>
    float sum = 0.0
    for i = 0 to length - 1
        sum += source[i]
    sum / length
fast{n} = average{n}(close, {m})
slow{n} = ta.sma(hl2, input.int({k}, "Length {n}", minval = 1))
if ta.crossover(fast{n}, slow{n}) and barstate.isconfirmed
    label.new(bar_index, high, "up {n}", color = color.new(color.green, 20))
"""


def script(lines: int) -> str:
    """A script of about `lines` lines."""
    parts = [_PART.format(n=n, m=n % 50 + 2, k=n % 90 + 2) for n in range(lines // 11)]
    return '//@version=6\nindicator("Long", overlay = true)\n' + "".join(parts) + "plot(close)\n"


@contextlib.contextmanager
def _studio() -> Iterator[int]:
    """Start a studio with a browser for the body; yield its debug port."""
    command = [sys.executable, "-m", "pinebench", "studio", "--headless"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["debug_port"]
    finally:
        process.terminate()
        process.wait(30)


async def _idle(seconds: float) -> float:
    """Percent of a core that the process takes during `seconds` in which nothing happens."""
    begun, clock = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    return 100 * (time.process_time() - begun) / (time.perf_counter() - clock)


async def _measured(path: str, seconds: float, imported: float) -> dict[str, float]:
    from pinebench.tui.app import Workbench
    from pinebench.tui.buffer import Buffer

    app = Workbench()
    found: dict[str, float] = {}
    async with app.run_test(size=(120, 40)) as pilot:
        found["start to first paint"] = 1000 * (time.process_time() - imported)
        await pilot.pause(0.5)
        begun = time.process_time()
        opened = await app.add(Buffer.open(path))
        await pilot.pause()
        found["open"] = 1000 * (time.process_time() - begun)
        while not opened.is_checked:
            await pilot.pause(0.05)
        found["open and checked"] = 1000 * (time.process_time() - begun)
        await pilot.pause(3)
        row = opened.editor.document.line_count // 2
        opened.editor.move_cursor((row, 0), center=True)
        opened.editor._replace_via_keyboard("\n", (row, 0), (row, 0))
        await pilot.pause(1)
        begun = time.process_time()
        letters = "total = ta.ema(close, 21) + fast10 * 2 \\n".replace("\\n", "\n")
        for number in range(KEYS):
            letter = letters[number % len(letters)]
            app.simulate_key(
                {" ": "space", "\n": "enter", ".": "full_stop", "(": "left_parenthesis"}.get(letter, letter)
            )
            await asyncio.sleep(0.06)  # quick typing: about 16 keys a second
        while not opened.is_checked:
            await pilot.pause(0.05)
        found["key"] = 1000 * (time.process_time() - begun) / KEYS
        await pilot.pause(3)
        found["idle"] = await _idle(seconds)
        with _studio() as port:
            os.environ["PINEBENCH_CDP_PORT"] = str(port)
            panel = await app.show_panel("chart")
            while getattr(panel, "age", None) is None:
                await pilot.pause(0.1)
            await pilot.pause(5)
            found["idle with the chart"] = await _idle(seconds)
    return found


def main() -> int:
    """Measure and print."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    import textual.app
    import textual.widgets  # noqa: F401  (the import is measured)

    imported = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(PINEBENCH_STATE_DIR=os.path.join(folder, "state"), PINEBENCH_CDP_PORT="1")
        path = Path(folder) / "long.pine"
        path.write_text(script(lines))
        found = asyncio.run(_measured(str(path), seconds, imported))
    for name, figure in found.items():
        limit = f"limit {LIMITS[name]:g}" if name in LIMITS else ""
        print(f"{name:<22}{figure:8.1f} {'% of a core' if 'idle' in name else 'ms CPU':<12} {limit}".rstrip())
    return int(any(found[name] > LIMITS[name] for name in LIMITS))


if __name__ == "__main__":
    sys.exit(main())
