"""Run the examples of the reference, and describe their results.

A script runs on the sample market: by default on the last 100 bars of AAPL in 30 minutes. The line `@ KEY=VALUE ...`
before a script changes this: `symbol`, `timeframe` (in Pine's form) and `bars` (their number), and `show`, the numbers
of the bars whose values are shown (by default the last three). `overlay=true` gives it a declaration of an overlay.

Usage: python scripts/docs/reference_examples.py [NAME ...] runs the examples of these names, or all, and prints the
results.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pinebench.backtesting.backtest import BacktestRun  # noqa: E402 - of this checkout
from pinebench.calendars.timeframes import timeframe as timeframe_of  # noqa: E402 - of this checkout
from pinebench.checker import open_program  # noqa: E402 - of this checkout
from pinebench.diagnostics import Severity  # noqa: E402 - of this checkout
from pinebench.market import sample_bars, samples  # noqa: E402 - of this checkout
from pinebench.reference.texts import BuiltinText, ReferenceScript, texts  # noqa: E402 - of this checkout
from pinebench.runtime import Drawing, NotComputed, RequestSource, Result, Table  # noqa: E402 - of this checkout
from pinebench.runtime.outputs import Output  # noqa: E402 - of this checkout
from pinebench.runtime.report import left  # noqa: E402 - of this checkout
from pinebench.workers.jobs import perform  # noqa: E402 - of this checkout
from pinebench.workers.request import Request  # noqa: E402 - of this checkout

_CLOCK = 1_793_491_200_000
"""The value of `timenow`: 2026-11-01 00:00 UTC."""
_MOST_LINES = 8
_DECIMALS = 4


def main() -> int:
    names = sys.argv[1:] or list(texts())
    for name in names:
        for script in scripts(texts()[name]):
            print(f"== {name}", *(f"    {line}" for line in shown(script)), sep="\n")
    return 0


def all_shown(names: Iterable[str] | None = None) -> dict[str, list[list[str]]]:
    """Run the scripts of each entry, and return a list of lines for each script, by name. The example comes first;
    its list is empty if the entry has no example."""
    return {name: [shown(script) for script in scripts(texts()[name])] for name in (names or texts())}


def scripts(text: BuiltinText) -> Iterator[ReferenceScript]:
    """Yield the scripts of an entry, in the order of `shown.json`."""
    yield text.example or ReferenceScript("")
    for warning in text.watch_outs:
        yield warning.script


def findings(script: ReferenceScript) -> list[str]:
    """Return the errors and warnings of a script, one per line. Line numbers count from the first line of its text."""
    program = open_program(script.source)
    above = script.source.count("\n") - script.text.count("\n") - 1
    return [
        f"{each.severity.label} {each.code} in line {program.document.lines.position(each.span.start).line - above}: "
        f"{each.message.splitlines()[0]}"
        for each in program.diagnostics
        if each.severity in (Severity.ERROR, Severity.WARNING)
    ]


def shown(script: ReferenceScript) -> list[str]:
    """Describe the run of a script in a few lines."""
    if not script.text:
        return []
    options = dict(script.options)
    found = findings(script)
    if any(line.startswith("error") for line in found):
        return found
    try:
        ran = perform(request_of(script))
    except NotComputed as refused:
        return [*found, f"not run: {str(refused).partition(' (line')[0]}"]
    lines = [*found, *_result(ran.result, script, _bars(options, len(ran.result.times)))]
    if ran.tested is not None:
        lines += _trades(ran.tested)
    if options.get("data") == "none":
        lines.append("the sample market has no such data")
    return lines[:_MOST_LINES] or ["nothing is shown"]


def request_of(script: ReferenceScript) -> Request:
    """Return the request to run a script on its bars of the sample market."""
    return _request(script.source, dict(script.options))


def _request(source: str, options: Mapping[str, str]) -> Request:
    symbol = samples.find(options.get("symbol", "AAPL"))
    assert symbol is not None
    timeframe = timeframe_of(options.get("timeframe", "30"))
    bars = sample_bars(symbol, timeframe, int(options.get("bars", "100")))
    info = symbol.info(timeframe.text)
    others: dict[str, RequestSource] = {}
    if "lower" in options:
        shorter = timeframe_of(options["lower"])
        others[symbol.full_name] = RequestSource(
            sample_bars(symbol, shorter, 20 * len(bars)), symbol.info(shorter.text)
        )
    return Request(source, bars, info, others=others, samples=True, clock=_CLOCK)


def _bars(options: Mapping[str, str], count: int) -> list[int]:
    """Return the numbers of the bars whose values are shown."""
    if "show" in options:
        return [int(number) % count for number in options["show"].split(",")]
    return list(range(max(count - 3, 0), count))


def _result(result: Result, script: ReferenceScript, bars: list[int]) -> Iterator[str]:
    if result.error is not None:
        yield f"stops on bar {result.error.bar}: {result.error.message}"
    rows = script.source.splitlines()
    last = bars == list(range(max(len(result.times) - 3, 0), len(result.times)))
    if result.outputs and not last and result.error is None:
        yield f"on the bars {', '.join(map(str, bars))}:"
    for output in result.outputs:
        if result.error is None:
            yield from _output(output, rows[output.line - 1], bars)
    for log in result.logs[-4:]:
        head = "" if len(result.times) == 1 else f"log on bar {log.bar}: "
        yield from (head + log.message).splitlines()
    told = left(result)
    yield from (f"alert on bar {one['bar']}: {one['message']}" for one in told["alerts"][-2:])
    most = 1 if result.plots else 3
    for kind, made in told["drawings"].items():
        if len(made) > most:
            yield f"{len(made)} {kind}{'es' if kind == 'box' else 's'}; the last:"
        for drawing, state in list(zip(result.drawings[kind], made, strict=True))[-most:]:
            yield from _drawing(drawing, state)


def _output(output: Output, row: str, bars: list[int]) -> Iterator[str]:
    title = output.title or _first_argument(row, output.function)
    if output.function in ("plotshape", "plotchar", "plotarrow"):
        told = [number for number, value in enumerate(output.values) if value and value == value]
        named = f' "{output.title}"' if output.title else ""
        which = f"; the last: {', '.join(map(str, told[-3:]))}" if told else ""
        yield f"{output.function}{named} on {len(told)} bars{which}"
        return
    columns = output.columns
    if "series" in columns:
        yield f"{title}: {_values(output.exported, bars)}"
        columns = {name: values for name, values in columns.items() if name != "series"}
    for name, values in columns.items():
        if output.function == "plot":
            yield f"  {name}: {_values(values, bars, name)}"
        else:
            yield f"{output.function} {name}: {_values(values, bars, name)}"
    if output.function == "hline":
        yield f"hline at {_value(output.settings.get('price'))}"


def _first_argument(row: str, function: str) -> str:
    """Return the source text of the first argument of the call in a row."""
    depth = 0
    rest = row.partition(f"{function}(")[2]
    for place, character in enumerate(rest):
        if (character == "," and not depth) or (character == ")" and not depth):
            return rest[:place]
        depth += (character in "([") - (character in ")]")
    return rest


def _values(values: list[Any], bars: list[int], name: str = "") -> str:
    return ", ".join(_value(values[number], name) for number in bars if number < len(values))


def _value(value: Any, name: str = "") -> str:
    if value is None or value != value:
        return "na"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and "color" in name:
        return f"#{value:08X}"
    if isinstance(value, float):
        fits = not value or 1e-3 <= abs(value) < 1e14
        return f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".") if fits else f"{value:.4g}"
    return str(value)


@cache
def _defaults(kind: str) -> dict[str, Any]:
    """Return the properties of a drawing that was made with required arguments only."""
    calls = {
        "line": "line.new(0, 0, 0, 0)",
        "label": "label.new(0, 0)",
        "box": "box.new(0, 0, 0, 0)",
        "polyline": "polyline.new(array.from(chart.point.now()))",
        "linefill": "linefill.new(line.new(0, 0, 0, 0), line.new(0, 0, 0, 0), na)",
        "table": "table.new(position.top_right, 1, 1)",
    }
    source = f'//@version=6\nindicator("")\nif barstate.islast\n    {calls[kind]}\n'
    result = perform(_request(source, {"bars": "2"})).result
    return next(
        state
        for key, made in left(result)["drawings"].items()
        for drawing, state in zip(result.drawings[key], made, strict=True)
        if type(drawing).__name__.lower() == kind
    )


def _drawing(drawing: Drawing, state: dict[str, Any]) -> Iterator[str]:
    single = type(drawing).__name__.lower()
    usual = _defaults(single)
    told = [
        f"{name} {_property(value, name)}"
        for name, value in state.items()
        if name not in ("cells", "merged") and (value != usual.get(name) or name in _ALWAYS)
    ]
    yield f"{single}: {', '.join(told)}"
    if isinstance(drawing, Table):
        yield from (f"merged cells {', '.join(map(str, corners))}" for corners in state["merged"])
        for cell in state["cells"]:
            kept = [
                f"{name} {_property(value, name)}"
                for name, value in cell.items()
                if name in _CELL and value != _CELL[name]
            ]
            yield f"cell {cell['column']}, {cell['row']}: {', '.join(kept)}"


_ALWAYS = ("x1", "y1", "x2", "y2", "x", "y", "left", "top", "right", "bottom", "points", "position")
_CELL = {"text": "", "bgcolor": None, "text_color": "#363A45FF", "text_size": "normal", "tooltip": None}
_CELL |= {
    "text_font_family": "default",
    "text_formatting": 0,
    "width": None,
    "height": None,
    "text_halign": "center",
    "text_valign": "center",
}
"""The properties of a cell that are shown if they do not have these values."""


def _property(value: Any, name: str = "") -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_property, value)) + "]"
    if isinstance(value, dict) and "width" in value:
        return f"from ({value['x1']}, {_value(value['y1'])}) to ({value['x2']}, {_value(value['y2'])})"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_property(each, key)}" for key, each in value.items() if each is not None) + ")"
    quoted = isinstance(value, str) and not value.startswith("#")
    return '"' + value.replace("\n", "\\n") + '"' if quoted else _value(value, name)


def _trades(tested: BacktestRun) -> Iterator[str]:
    closed = tested.trades
    if closed:
        yield f"{len(closed)} closed trades; the last:" if len(closed) > 2 else "closed trades:"
    for one in closed[-2:]:
        yield (
            f"  {_side(one.side)} {_value(one.quantity)}: {one.entry_id} on bar {one.entry_bar} at "
            f"{_value(one.entry_price)}, {one.exit_signal or one.exit_id} on bar {one.exit_bar} at "
            f"{_value(one.exit_price)}, profit {one.profit:.2f}"
        )
    for one in tested.open_trades[-2:]:
        yield f"open {_side(one.side)} {_value(one.quantity)}: {one.id} on bar {one.bar} at {_value(one.price)}"


def _side(side: int) -> str:
    return "long" if side > 0 else "short"


if __name__ == "__main__":
    sys.exit(main())
