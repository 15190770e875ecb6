"""Measure the workbench in the terminal.

The figures are: the start; opening a long script until it is painted and until it is checked; a key until the screen is
drawn in a separate terminal; the total cost of a key; idle time without and with the chart panel on a quiet studio
chart; and the memory that reloads and pastes leave behind.

Run it alone: `python benchmarks/terminal.py [SECONDS] [PART]`, where PART is process, memory or screen. It prints each
figure with its limit, and ends with 1 if a figure is above its limit. The CPU time includes the threads; the studio is
a separate process and does not count. Keys are also measured in CPU time, because other programs on the machine
lengthen only the elapsed time.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import gc
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.widgets.text_area import Selection

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench
    from pinebench.tui.script_tab import ScriptTab

KEYS = 200
LINES, LONG = 2_000, 5_000
RELOADS, PASTES = 200, 2_000
PATIENCE = 60.0
"""Seconds for which anything is waited for."""
LIMITS = {
    "start to first paint": 300.0,
    "open 5,000 lines": 400.0,
    "5,000 lines checked first": 2000.0,
    "CPU of a key": 30.0,
    "idle": 0.3,
    "idle with the chart": 1.0,
    "key to screen, median": 80.0,
    "key to screen, 99 of 100": 200.0,
    "CPU until drawn, median": 80.0,
    "CPU until drawn, 99 of 100": 200.0,
    "growth by reloads": 3.0,
    "growth by pastes": 3.0,
}
_UNITS = {"idle": "% of a core", "idle with the chart": "% of a core", "key to screen, median": "ms",
          "key to screen, 99 of 100": "ms", "growth by reloads": "MB", "growth by pastes": "MB"}  # fmt: skip
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
    """Return a script of about `lines` lines."""
    parts = [_PART.format(n=n, m=n % 50 + 2, k=n % 90 + 2) for n in range(lines // 11)]
    return '//@version=6\nindicator("Long", overlay = true)\n' + "".join(parts) + "plot(close)\n"


@contextlib.contextmanager
def _studio() -> Iterator[int]:
    """Run a studio with a browser during the block. Yield the browser's debug port."""
    command = [sys.executable, "-m", "pinebench", "studio", "--headless"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["debug_port"]
    finally:
        process.terminate()
        process.wait(30)


async def _idle(seconds: float) -> float:
    """Return the percentage of a core that the process uses during `seconds` without activity."""
    begun, clock = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    return 100 * (time.process_time() - begun) / (time.perf_counter() - clock)


def _memory() -> float:
    """Return the megabytes that this process uses, after unused memory was returned to the system."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _in_process(folder: Path, seconds: float, imported: float) -> dict[str, float]:
    """Return the figures that need no terminal."""
    from pinebench.tui.app import Workbench
    from pinebench.tui.buffer import Buffer

    long, usual = folder / "long.pine", folder / "usual.pine"
    long.write_text(script(LONG))
    usual.write_text(script(LINES))
    app = Workbench()
    found: dict[str, float] = {}
    async with app.run_test(size=(120, 40)) as pilot:
        found["start to first paint"] = 1000 * (time.process_time() - imported)
        await pilot.pause(0.5)
        begun, own = time.process_time(), time.thread_time()
        opened = await app.add(Buffer.open(str(long)))
        painted = asyncio.Event()
        opened.editor.call_after_refresh(painted.set)
        await painted.wait()
        # Only this thread: the check runs beside it, and has its own figure.
        found["open 5,000 lines"] = 1000 * (time.thread_time() - own)
        await _until(lambda: opened.is_checked)
        found["5,000 lines checked first"] = 1000 * (time.process_time() - begun)
        await app.remove(opened)
        opened = await app.add(Buffer.open(str(usual)))
        await _until(lambda: opened.is_checked)
        await pilot.pause(3)
        found["CPU of a key"] = await _typed(app, opened)
        await pilot.pause(3)
        found["idle"] = await _idle(seconds)
        with _studio() as port:
            os.environ["PINEBENCH_CDP_PORT"] = str(port)
            panel = await app.show_panel("chart")
            await _until(lambda: getattr(panel, "age", None) is not None)
            await pilot.pause(5)
            found["idle with the chart"] = await _idle(seconds)
    return found


async def _memory_of_repeats(folder: Path) -> dict[str, float]:
    """Return the memory that reloads and pastes leave behind."""
    from pinebench.tui.app import Workbench

    path = folder / "memory.pine"
    path.write_text(script(LINES))
    app = Workbench([str(path)])
    async with app.run_test(size=(120, 40)):
        await _until(lambda: bool(app.opened) and app.opened[0].is_checked)
        opened = app.opened[0]
        return {
            "growth by reloads": await _grown(opened, RELOADS, lambda number: _reload(app, opened, number)),
            "growth by pastes": await _grown(opened, PASTES, lambda number: _paste(app, opened, number)),
        }


async def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise RuntimeError(f"it took more than {PATIENCE:g} s")
        await asyncio.sleep(0.02)


async def _typed(app: Workbench, opened: ScriptTab) -> float:
    """Return the CPU milliseconds of each of some quickly typed keys, including the check."""
    row = opened.editor.document.line_count // 2
    opened.editor.move_cursor((row, 0), center=True)
    opened.editor._replace_via_keyboard("\n", (row, 0), (row, 0))
    await asyncio.sleep(1)
    begun = time.process_time()
    letters = "total = ta.ema(close, 21) + fast10 * 2 \n"
    for number in range(KEYS):
        letter = letters[number % len(letters)]
        app.simulate_key({" ": "space", "\n": "enter", ".": "full_stop", "(": "left_parenthesis"}.get(letter, letter))
        await asyncio.sleep(0.06)  # quick typing: about 16 keys a second
    await _until(lambda: opened.is_checked)
    return 1000 * (time.process_time() - begun) / KEYS


async def _grown(opened: ScriptTab, times: int, step: Callable[[int], Awaitable[None]]) -> float:
    """Return the megabytes that the second half of the steps adds; the first half fills bounded caches."""
    for number in range(times // 2):
        await step(number)
    await _until(lambda: opened.is_checked)
    before = _memory()
    for number in range(times // 2, times):
        await step(number)
    await _until(lambda: opened.is_checked)
    return _memory() - before


async def _reload(app: Workbench, opened: ScriptTab, number: int) -> None:
    text = script(LINES) + f"// {number}\n"
    Path(opened.buffer.path or "").write_text(text)
    app.do("reload")
    await _until(lambda: opened.editor.text == text)


async def _paste(app: Workbench, opened: ScriptTab, number: int) -> None:
    editor = opened.editor
    editor.selection = Selection((1, 0), (1, len(editor.document[1])))
    app.post_message(events.Paste(f'indicator("Paste {number}")'))
    await _until(lambda: editor.document[1] == f'indicator("Paste {number}")')


# a key until it is on the screen


class _Terminal:
    """The workbench in a terminal of its own, with its output."""

    def __init__(self, path: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "pinebench", "edit", str(path)]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)

    def read(self, seconds: float) -> bytes:
        """Return the next bytes of output; none after `seconds`."""
        return os.read(self._ours, 65536) if select.select([self._ours], [], [], seconds)[0] else b""

    def until(self, words: bytes) -> None:
        """Wait until `words` are drawn."""
        seen, end = b"", time.monotonic() + PATIENCE
        while words not in seen:
            if time.monotonic() > end:
                raise RuntimeError(f"{words!r} was not drawn: {seen[-500:]!r}")
            seen += self.read(0.1)

    def quiet(self, seconds: float) -> None:
        """Wait until nothing has been drawn for `seconds`."""
        while self.read(seconds):
            pass

    def cpu(self) -> float:
        """Return the milliseconds of CPU time that the process has used so far."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def key(self, key: bytes) -> tuple[float, float]:
        """Press a key. Return the milliseconds and the CPU milliseconds until its effect is drawn."""
        self.quiet(0.0)
        cpu, begun = self.cpu(), time.perf_counter()
        os.write(self._ours, key)
        seen = b""
        while key not in seen:
            if time.perf_counter() - begun > PATIENCE:
                raise RuntimeError(f"{key!r} was not drawn: {seen[-500:]!r}")
            seen += self.read(10)
        return 1000 * (time.perf_counter() - begun), self.cpu() - cpu

    def close(self) -> None:
        """End the workbench."""
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


def _to_screen(folder: Path) -> dict[str, float]:
    """Measure how long a key takes to the screen in a script of 2,000 lines that is checked while the user types."""
    path = folder / "keys.pine"
    path.write_text(script(LINES))
    terminal = _Terminal(path)
    try:
        terminal.until(b"nothing wrong")
        terminal.quiet(1.0)
        taken = []
        for number in range(KEYS):
            # Letters that nothing else on the screen draws again, at a place that the person sees.
            taken.append(terminal.key(b"\r" if number % 40 == 39 else b"QZJX"[number % 4 : number % 4 + 1]))
            time.sleep(0.09)
    finally:
        terminal.close()
    found: dict[str, float] = {}
    for name, figures in zip(("key to screen", "CPU until drawn"), zip(*taken, strict=True), strict=True):
        ordered = sorted(figures)
        found[f"{name}, median"] = ordered[len(ordered) // 2]
        found[f"{name}, 99 of 100"] = ordered[len(ordered) * 99 // 100]
    return found


def main() -> int:
    """Measure and print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    import textual.app
    import textual.widgets  # noqa: F401  (the import is measured)

    imported = time.process_time()
    parts: dict[str, Callable[[Path], dict[str, float]]] = {
        "process": lambda folder: asyncio.run(_in_process(folder, seconds, imported)),
        "memory": lambda folder: asyncio.run(_memory_of_repeats(folder)),
        "screen": _to_screen,
    }
    found: dict[str, float] = {}
    for part in sys.argv[2:] or parts:
        with tempfile.TemporaryDirectory() as name:
            # A state of its own: the question about texts that another part left unsaved would take the keys.
            os.environ["PINEBENCH_STATE_DIR"] = os.path.join(name, "state")
            os.environ["PINEBENCH_CDP_PORT"] = "1"
            found |= parts[part](Path(name))
    for key, figure in found.items():
        limit = f"limit {LIMITS[key]:g}" if key in LIMITS else ""
        print(f"{key:<28}{figure:8.1f} {_UNITS.get(key, 'ms CPU'):<12} {limit}".rstrip())
    return int(any(figure > LIMITS[key] for key, figure in found.items() if key in LIMITS))


if __name__ == "__main__":
    sys.exit(main())
