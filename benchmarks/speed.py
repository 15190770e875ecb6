"""Measure the figures of the speed board, and write them to `docs/boards/speed.json`.

usage: python benchmarks/speed.py [--peers PYTHON] [--anchor COMMAND] [--only PART...] [--target FILE]

PYTHON has `backtesting`, `vectorbt`, `numba`, `pynesys-pynecore` and `opencode-pine2pyne`; COMMAND lints the files
whose names follow it. The machine should be idle: the load before each part is recorded with it. The file is written
after each part; parts that are not measured now stay unchanged. Times are processor time, medians of several rounds. A
figure that was not measured has a reason instead. The exit code is 1 if a part failed.
"""

import argparse
import json
import multiprocessing
import os
import platform
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pinebench  # noqa: E402 - of this checkout
from pinebench.market import Bars  # noqa: E402

TARGET = ROOT / "docs" / "boards" / "speed.json"
ROUNDS = 5
PAIRS = 2_000
BAR_COUNTS = (1_000, 10_000, 100_000, 1_000_000)
SYMBOL_COUNTS = (1, 10, 100, 1_000)
CLIENTS, SERVED_SECONDS = 20, 20
PEER_SECONDS = 150
NO_PEERS = "no interpreter was given: --peers names it"
NO_PEER = "the interpreter of --peers does not have it"
NO_ANCHOR = "no program was given: --anchor names its command"
_PACKAGES = ("numpy", "llvmlite")

Figure = dict[str, Any]


class Board:
    """The figures measured so far, and the versions of the programs."""

    def __init__(self, peers: str | None, anchor: str | None) -> None:
        self.peers = peers
        self.anchor = anchor
        self.figures: list[Figure] = []
        self.versions: dict[str, str] = {"Python": platform.python_version()}
        self.versions |= {name: version(name) for name in _PACKAGES}

    def add(self, group: str, key: str, name: str, value: float | None, unit: str, reason: str = "") -> None:
        """Add a figure. If `value` is None, `reason` says why."""
        figure: Figure = {"group": group, "key": key, "name": name, "unit": unit}
        figure |= {"value": None, "reason": reason} if value is None else {"value": float(f"{value:.3g}")}
        self.figures.append(figure)
        print(f"{group}: {name}: {value if value is not None else reason} {unit}", flush=True)


def main(arguments: list[str]) -> int:
    """Measure the parts, and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--anchor", metavar="COMMAND")
    parser.add_argument("--only", nargs="+", choices=tuple(PARTS), default=tuple(PARTS))
    parser.add_argument("--target", type=Path, default=TARGET)
    given = parser.parse_args(arguments)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    failed = [name for name in PARTS if name in given.only and not measured(name, given)]
    return int(bool(failed))


def measured(name: str, given: argparse.Namespace) -> bool:
    """Measure a part and write it to the file, beside the others. If it fails, print the error and return False."""
    board, load, begin = Board(given.peers, given.anchor), os.getloadavg()[0], time.monotonic()
    try:
        PARTS[name](board)
    except Exception:
        traceback.print_exc()
        return False
    print(f"{name}: {time.monotonic() - begin:.0f} s elapsed", flush=True)
    target: Path = given.target
    told = json.loads(target.read_text(encoding="utf-8")) if target.is_file() else {"parts": {}}
    told["parts"][name] = {
        "pinebench": pinebench.__version__,
        "day": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(load),
        "versions": board.versions,
        "figures": board.figures,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return True


def machine(load: float) -> dict[str, Any]:
    """Describe the machine, without data that identifies it or its owner."""
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": f"{pages / 2**30:.0f} GiB",
        "system": platform.system(),
        "load": round(load, 2),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def child_seconds(command: Sequence[str]) -> float:
    """Return the processor time of a new process and its children, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_turns(runs: Sequence[Callable[[], float]], rounds: int = ROUNDS) -> list[float]:
    """Return the median seconds of each of `runs`, which are measured alternately; the first round is a warm-up."""
    times = [[run() for run in runs] for _ in range(rounds + 1)][1:]
    return [statistics.median(column) for column in zip(*times, strict=True)]


# parts


def checking(board: Board) -> None:
    """Measure lint of the samples and templates in a new process, beside the anchor."""
    paths = [str(path) for path in sorted((*ROOT.glob("pine/samples/*.pine"), *ROOT.glob("pine/templates/*.pine")))]
    lines = sum(Path(path).read_text(encoding="utf-8").count("\n") + 1 for path in paths)
    own = [sys.executable, "-m", "pinebench", "lint", "--no-cache", "--jobs", "1", "--format", "json", *paths]
    runs = [lambda: child_seconds(own)]
    if board.anchor is not None:
        beside = [*shlex.split(board.anchor), *paths]
        runs.append(lambda: child_seconds(beside))
    found = [1e6 * seconds / lines for seconds in by_turns(runs)]
    group, what = "Checking", f"{len(paths)} scripts of {lines:,} lines in a new process, per 1,000 lines"
    board.add(group, "lint", f"`pinebench lint`, {what}", found[0], "ms")
    theirs = found[1] if len(found) > 1 else None
    board.add(group, "anchor", f"the JavaScript anchor, {what}", theirs, "ms", NO_ANCHOR)
    ratio = theirs / found[0] if theirs is not None else None
    board.add(group, "anchor-ratio", "ratio of the anchor's time to pinebench's", ratio, "times", NO_ANCHOR)


def starting(board: Board) -> None:
    """Measure new processes that do little."""
    import cold_start  # the benchmark beside this one, as in the other parts

    script = str(cold_start.chosen_script())
    names = ("`python -c pass`", "`pinebench --version`", "`pinebench lint` of one script", "`import pinebench`")
    module = [sys.executable, "-m", "pinebench"]
    commands = (
        [sys.executable, "-c", "pass"],
        [*module, "--version"],
        [*module, "lint", script],
        [sys.executable, "-c", "import pinebench"],
    )
    runs = [lambda command=command: child_seconds(command) for command in commands]
    for number, (name, seconds) in enumerate(zip(names, by_turns(runs), strict=True)):
        board.add("Start-up", f"start-{number}", name, 1000 * seconds, "ms")


def running(board: Board) -> None:
    """Measure one run and many runs of an EMA cross, beside other programs on the same bars."""
    import compiled as tiers

    from pinebench.workers.jobs import perform

    bars, symbol = tiers.sample(tiers.BARS)
    combinations = tiers.grid(PAIRS)
    code, request = tiers.made(tiers.CROSS, bars, symbol)
    tiers.swept(code, bars, combinations[:2])
    python, machine_code, many = by_turns(
        [
            lambda: tiers.timed(perform, request)[0],
            lambda: tiers.timed(tiers.profits_of, code, bars, combinations[:1])[0],
            lambda: tiers.timed(tiers.profits_of, code, bars, combinations)[0],
        ],
        3,
    )
    one, sweep = "One run", f"{PAIRS:,} runs with different inputs"
    note = f"EMA cross, {tiers.BARS:,} bars"
    board.add(one, "run-python", f"pinebench as Python, with all figures ({note})", python, "s")
    board.add(one, "run-code", "pinebench as machine code, the profit", machine_code, "s")
    board.add(sweep, "sweep-code", f"pinebench as machine code ({note})", many, "s")
    for key, name in (
        ("numba", "hand-written numba loop"),
        ("backtesting", "backtesting.py"),
        ("vectorbt", "vectorbt"),
    ):
        told, reason = _peer(board, key, bars, combinations)
        single, all_of_them = (None, None) if told is None else (told["run"], told["sweep"] * PAIRS / told["of"])
        board.add(one, f"run-{key}", name, single, "s", reason)
        part = f", extrapolated from {told['of']} runs" if told is not None and told["of"] < PAIRS else ""
        board.add(sweep, f"sweep-{key}", name + part, all_of_them, "s", reason)
        ratio = all_of_them / many if all_of_them is not None else None
        board.add(sweep, f"ratio-{key}", f"ratio of the time of {name} to pinebench's", ratio, "times", reason)
    theirs, reason = _pynecore(board, bars)
    board.add(one, "run-pynecore", "PyneCore, all values and trades", theirs, "s", reason)
    ratio = theirs / python if theirs is not None else None
    board.add(one, "ratio-pynecore", "ratio of the time of PyneCore to pinebench's as Python", ratio, "times", reason)


def _peer(board: Board, name: str, bars: Bars, combinations: list[dict[str, int]]) -> tuple[dict[str, Any] | None, str]:
    """Return the times of another program, or None and the reason."""
    if board.peers is None:
        return None, NO_PEERS
    names = ("time", "open", "high", "low", "close", "volume")
    given = dict(zip(names, map(list, bars.columns()), strict=True))
    text = json.dumps({**given, "pairs": [(each["Fast"], each["Slow"]) for each in combinations]})
    # Without -P the modules of this folder hide theirs: requests.py is one of both.
    command = [board.peers, "-P", str(Path(__file__).with_name("peers.py")), name]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=PEER_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"it did not end within {PEER_SECONDS} s"
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return None, NO_PEER if last == f"ModuleNotFoundError: No module named '{name}'" else f"it failed: {last[:120]}"
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    board.versions[name] = told["version"]
    return told, ""


def _pynecore(board: Board, bars: Bars) -> tuple[float | None, str]:
    """Return the time of a run in PyneCore, or None and the reason."""
    from against_pynecore import their_seconds
    from compiled import CROSS

    if board.peers is None:
        return None, NO_PEERS
    asked = "from importlib.metadata import version; print(version('pynesys-pynecore'))"
    found = subprocess.run([board.peers, "-c", asked], capture_output=True, text=True, check=False)
    if found.returncode:
        return None, NO_PEER
    board.versions["PyneCore"] = found.stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        table, script = Path(folder) / "bars.csv", Path(folder) / "cross.pine"
        rows = (",".join(map(repr, row)) for row in zip(*bars.columns(), strict=True))
        table.write_text("time,open,high,low,close,volume\n" + "\n".join(rows), encoding="utf8")
        script.write_text(CROSS, encoding="utf-8")
        times = [their_seconds(board.peers, script, table) for _ in range(3)]
    known = [each for each in times if each is not None]
    return (statistics.median(known), "") if known else (None, "it did not run the script to its end")


def growing(board: Board) -> None:
    """Measure growing numbers of bars and of symbols."""
    import compiled as tiers
    import runtime as walks

    from pinebench.workers.jobs import perform

    for count in BAR_COUNTS:
        bars = walks.sample_bars(count, 15)
        symbol = tiers.sample(10)[1]
        code, request = tiers.made(tiers.INDICATOR, bars, symbol)
        rounds = 1 if count > 100_000 else 3
        python = statistics.median(tiers.timed(perform, request)[0] for _ in range(rounds))
        machine_code = statistics.median(tiers.timed(code.run_whole, bars, {})[0] for _ in range(rounds))
        board.add("Growth with bars", f"bars-python-{count}", f"an indicator as Python, {count:,} bars", python, "s")
        name = f"the same as machine code, {count:,} bars"
        board.add("Growth with bars", f"bars-code-{count}", name, machine_code, "s")
    for count in SYMBOL_COUNTS:
        seconds, megabytes = _in_a_new_process(_screen, count)
        name = f"a screen of {count:,} symbol{'s' if count != 1 else ''} of 2,000 bars"
        board.add("Growth with symbols", f"symbols-{count}", name, seconds, "s")
        board.add("Growth with symbols", f"memory-{count}", f"{name}: memory", megabytes, "MB")


def _screen(count: int) -> tuple[float, float]:
    import sweeps

    return sweeps.screen(count)


def _in_a_new_process(run: Callable[[int], tuple[float, float]], count: int) -> tuple[float, float]:
    """Return the result of `run`, measured in a new process, whose memory has nothing from earlier parts."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        return executor.submit(run, count).result()


def answering(board: Board) -> None:
    """Measure the chart server under load."""
    import serving as server

    with server.serving() as process:
        port, tokens = server.begin(process, CLIENTS)
        figures = server.measured(tokens, 2, SERVED_SECONDS, port)
    calls = [seconds for times in figures.seconds.values() for seconds in times]
    group, clients = "Chart server", f"{CLIENTS} clients (two draw) for {SERVED_SECONDS} s elapsed"
    reason = f"{len(figures.errors)} calls failed"
    is_fine = not figures.errors and bool(calls)
    rate = len(calls) / SERVED_SECONDS if is_fine else None
    board.add(group, "calls", f"calls a second: {clients}", rate, "calls/s", reason)
    board.add(
        group, "answer", "median time of a call, elapsed", statistics.median(calls) if is_fine else None, "s", reason
    )
    longest = max(figures.health) if is_fine else None
    board.add(group, "health", "longest health check meanwhile, elapsed", longest, "s", reason)


PARTS: dict[str, Callable[[Board], None]] = {
    "checking": checking,
    "starting": starting,
    "running": running,
    "growing": growing,
    "answering": answering,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
