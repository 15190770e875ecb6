"""Measure the cost of `pinebench.run` beyond the runtime alone: the same script on the same bars, measured alternately.

"Runtime alone" runs the checked script in this process. `pinebench.run` reads the bars, runs the script in a worker,
and returns its columns. Both are wall time, because the work is in two processes.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import pinebench as pb
from pinebench.checker import open_program
from pinebench.runtime import Runtime

BARS = 20_000
TURNS = 7
SCRIPT = """//@version=6
indicator("Mean and strength")
length = input.int(20, "Length")
fast = ta.ema(close, length)
slow = ta.ema(close, 3 * length)
rsi = ta.rsi(close, 14)
[line, direction] = ta.supertrend(3, 10)
var int streak = 0
streak := close > close[1] ? streak + 1 : 0
float worst = 0
for k = 0 to 20
    worst := math.max(worst, high[k] - low[k])
plot(fast, "Fast")
plot(slow, "Slow")
plot(rsi, "RSI")
plot(line, "Supertrend")
plot(streak, "Streak")
plot(worst, "Widest of 20")
"""


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call, in seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def import_cost() -> float:
    """Return the CPU milliseconds that `import pinebench` adds to an empty interpreter: the median of nine."""
    code = "import time; begin = time.process_time(); import pinebench; print(time.process_time() - begin)"
    told = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True) for _ in range(9)]
    return 1000 * statistics.median(float(one.stdout) for one in told)


def main() -> None:
    """Print the figures."""
    print(f"import pinebench: {import_cost():.1f} ms of processor time")
    bars = pb.bars(f"sample:BTCUSDT@15x{BARS}")
    data = bars.data()
    program = open_program(SCRIPT)
    Runtime(program, data.bars, data.symbol).run()
    pb.run(SCRIPT, bars)
    alone, whole = [], []
    for _ in range(TURNS):
        alone.append(seconds(lambda: Runtime(program, data.bars, data.symbol).run()))
        whole.append(seconds(lambda: pb.run(SCRIPT, bars)))
    ratio = statistics.median(one / other for one, other in zip(whole, alone, strict=True))
    print(f"{len(bars)} bars: runtime {1000 * statistics.median(alone):.0f} ms, pb.run {ratio:.3f} times that")


if __name__ == "__main__":
    main()
