"""Measure parse and check, in CPU time and memory: `python benchmarks/check.py [FOLDER]`.

Without a folder of real scripts it measures the samples and templates. After a warm-up it prints: milliseconds per 1000
lines, the time for the full check of 3,000-line scripts that are joined from real ones, the memory that results use per
1000 lines, and how the time grows with the length of a chain of untyped functions and with the number of statements.
"""

import gc
import re
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from pinebench.checker import check
from pinebench.checker.symbols import VariableSymbol
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk

CHECKOUT = Path(__file__).resolve().parents[1]
JOINED_LINES = 3000
JOINED_SCRIPTS = 20
LONGEST_PART = 400
RUNS = 3
SIZES = (50, 100, 200, 400)
_HEAD = re.compile(r"\s*(?://.*\s*)*(?:indicator|strategy)\s*\(")


def main() -> None:
    """Print every figure."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    paths = (
        folder.rglob("*.pine")
        if folder
        else [*CHECKOUT.glob("pine/samples/*.pine"), *CHECKOUT.glob("pine/templates/*.pine")]
    )
    texts = [path.read_bytes().decode("utf-8", errors="replace") for path in sorted(paths)]
    if not texts:
        sys.exit("check: there is no .pine file in that folder")
    lines = sum(text.count("\n") + 1 for text in texts)
    measure(texts)
    passes = [1e6 * measure(texts) / lines for _ in range(RUNS)]
    print(
        f"parse and check   {min(passes):6.1f} ms per 1000 lines (best of {RUNS}; {len(texts)} scripts, {lines} lines)"
    )
    parsing = min(seconds(lambda: parse_all(texts)) for _ in range(RUNS))
    print(f"  of this parse   {1e6 * parsing / lines:6.1f} ms per 1000 lines")
    report_joined(texts)
    report_memory(texts)
    report_growth("call chain", call_chain)
    report_growth("statements", lambda size: statements(10 * size))


def measure(texts: list[str]) -> float:
    """Return the CPU seconds to parse and check all of `texts`."""
    return seconds(lambda: [check(parse(text)).diagnostics for text in texts])


def parse_all(texts: list[str]) -> None:
    """Parse `texts` one after another, and discard the results."""
    for text in texts:
        parse(text)


def seconds(action: Callable[[], object]) -> float:
    """Return the CPU seconds of `action`, after collecting the garbage of earlier actions."""
    gc.collect()
    started = time.process_time()
    action()
    return time.process_time() - started


def report_joined(texts: list[str]) -> None:
    """Print how long it takes to parse and check long scripts completely."""
    times = sorted(1000 * min(measure([text]) for _ in range(RUNS)) for text in joined(texts))
    p95 = times[min(len(times) - 1, round(0.95 * len(times)))]
    median = statistics.median(times)
    print(
        f"{JOINED_LINES} lines from nothing   {median:6.0f} ms median, {p95:.0f} ms p95 of {len(times)} joined scripts"
    )


def joined(texts: list[str]) -> list[str]:
    """Return strategies of about 3,000 lines: real scripts one after another, with unique names."""
    parts = [part for number, text in enumerate(texts) if (part := apart(text, number))]
    scripts: list[str] = []
    position = 0
    while len(scripts) < JOINED_SCRIPTS:
        chosen = ['//@version=6\nstrategy("Joined")\n']
        size = 2
        while size < JOINED_LINES:
            part = parts[position % len(parts)]
            position += 1
            chosen.append(part)
            size += part.count("\n")
        scripts.append("".join(chosen))
    return scripts


def apart(text: str, number: int) -> str | None:
    """Return `text` without its declaration statement, with `number` appended to the names that it declares.

    Return None if the script cannot be joined with others.
    """
    document = parse(text)
    program = check(document)
    has_errors = any(finding.severity is Severity.ERROR for finding in program.diagnostics)
    has_methods = any(function.is_method for group in program.functions.values() for function in group)
    if has_errors or has_methods or program.imports or "\nlibrary(" in text or text.count("\n") > LONGEST_PART:
        return None
    declared = {*program.functions, *program.types, *program.enums}
    pieces: list[str] = []
    for chunk in document.chunks:
        if _HEAD.match(chunk.text):
            continue
        ends: set[int] = set()
        for node in walk(chunk.body):
            if isinstance(node, nodes.Name) and (
                isinstance(program.symbol_of(node), VariableSymbol) or node.id in declared
            ):
                ends.add(node.end)
            elif isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name) and node.callee.id in declared:
                named = [argument for argument in node.arguments if isinstance(argument, nodes.NamedArgument)]
                ends.update(argument.start + len(argument.name) for argument in named)
        done = 0
        for end in sorted(ends):
            pieces += chunk.text[done:end], f"_{number}"
            done = end
        pieces.append(chunk.text[done:])
    return "".join(pieces).rstrip() + "\n"


def report_memory(texts: list[str]) -> None:
    """Print the memory that documents and programs use."""
    size = memory_kept(texts, lambda text: check(parse(text)))
    print(f"memory kept       {size:6.2f} MiB per 1000 lines ({len(texts)} programs)")


def memory_kept(texts: list[str], make: Callable[[str], object]) -> float:
    """Return the MiB of memory per 1000 lines that the results of `make` for the texts use."""
    make(texts[0])
    gc.collect()
    tracemalloc.start()
    kept = [make(text) for text in texts]
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return size / 2**20 / sum(text.count("\n") + 1 for text in texts[: len(kept)]) * 1000


def report_growth(name: str, shape: Callable[[int], str]) -> None:
    """Print the time for scripts of increasing size."""
    check(parse(shape(10)))
    times = [1000 * min(measure([shape(size)]) for _ in range(RUNS)) for size in SIZES]
    figures = ", ".join(f"{size}: {time:.1f} ms" for size, time in zip(SIZES, times, strict=True))
    print(f"{name:<17} {figures} ({times[-1] / times[0]:.1f} times for {SIZES[-1] // SIZES[0]} times the size)")


def call_chain(size: int) -> str:
    """Return a script with `size` untyped functions; each one calls the function before it."""
    functions = [f"f{number}(x) => f{number - 1}(x) + 1" for number in range(1, size)]
    return "\n".join(['//@version=6\nindicator("Chain")', "f0(x) => x + 1", *functions, f"plot(f{size - 1}(close))\n"])


def statements(size: int) -> str:
    """Return a script with `size` statements that do not depend on each other."""
    body = [f"v{number} = ta.sma(close, {number + 1}) + {number}" for number in range(size)]
    return "\n".join(['//@version=6\nindicator("Wide")', *body, "plot(close)\n"])


if __name__ == "__main__":
    main()
