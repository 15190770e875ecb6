"""`pinebench.indicator`: calls a built-in function of Pine, or an exported function of a script, on whole columns."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinebench.api.bars import AnyBars, SymbolProperties, bars
from pinebench.api.frames import array
from pinebench.api.run_results import run
from pinebench.api.sources import Source, read
from pinebench.checker import BOOL, Type, open_program, probe
from pinebench.diagnostics import Severity
from pinebench.errors import DoesNotCompile, UsageError
from pinebench.market import Bars, Data

if TYPE_CHECKING:
    import numpy

    Values = numpy.ndarray[Any, Any]

_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_HEAD = '//@version=6\nindicator("")\n'
_COLUMN = "PINEBENCH:COLUMN"


def indicator(
    function: str,
    on: AnyBars,
    *arguments: Any,
    library: Source | None = None,
    symbol: SymbolProperties | None = None,
    **named: Any,
) -> Any:
    """Call a Pine function on every bar, and return a numpy array with its value on each bar.

    `function` is a built-in function such as `ta.rsi`; with `library`, it is an exported function of that script. `on`
    is anything that `pinebench.bars` accepts. The function's own arguments follow, by position or by name as in Pine:

    - a number, a bool or a colour (`#RRGGBB`) is a literal;
    - a string is a Pine expression, such as `close` or `hl2`; `'"text"'` is a Pine string;
    - a sequence with one number for each bar (a list, an array, a column of a data frame) is a series.

    If the function returns a tuple, the result is a tuple of arrays. na becomes nan, and bools stay bools. Raises
    DoesNotCompile if the call is wrong, UsageError for a wrong name or series, and the errors of `run`.

    >>> import pinebench as pb
    >>> bars = pb.bars("sample:AAPL@1Dx100")
    >>> rsi = pb.indicator("ta.rsi", bars, "close", 14)
    >>> line, direction = pb.indicator("ta.supertrend", bars, factor=3, atrPeriod=10)
    >>> smooth = pb.indicator("ta.ema", bars, rsi, 5)
    >>> len(rsi), len(line), len(smooth)
    (100, 100, 100)
    """
    if not _NAME.fullmatch(function):
        raise UsageError(f"'{function}' is not the name of a function", "expected, for example, ta.rsi")
    chart = bars(on, symbol=symbol)
    series: dict[str, Data] = {}
    words = [_word(value, chart.data(), series) for value in arguments]
    words += [f"{name} = {_word(value, chart.data(), series)}" for name, value in named.items()]
    if library is None:
        return _computed(_HEAD, f"{function}({', '.join(words)})", chart, series, ())
    with tempfile.TemporaryDirectory(prefix="pinebench-") as folder:
        Path(folder, "Library.pine").write_text(read(library).text, encoding="utf-8")
        head = _HEAD + "import pinebench/Library/1 as library\n"
        return _computed(head, f"library.{function}({', '.join(words)})", chart, series, (folder,))


def _computed(
    head: str, call: str, chart: Any, series: Mapping[str, Data], libraries: tuple[str, ...]
) -> Values | tuple[Values, ...]:
    type_ = _type(head, call, libraries)
    items = type_.base.items if type_ is not None and type_.base.kind == "tuple" else ()
    if items:
        names = [f"value{number}" for number in range(len(items))]
        text = f"{head}[{', '.join(names)}] = {call}\n"
        plots = [_plotted(name, item) for name, item in zip(names, items, strict=True)]
    else:
        text = f"{head}value = {call}\n"
        plots = [_plotted("value", type_)]
    script = text + "".join(f"{plot}\n" for plot in plots)
    _refuse(script, call, libraries)
    done = run(script, chart, others=series, libraries=libraries)
    found = tuple(_array(values, plot) for values, plot in zip(done.plots.values(), plots, strict=True))
    return found if items else found[0]


def _type(head: str, call: str, libraries: tuple[str, ...]) -> Type | None:
    program = open_program(head, libraries, fresh=True)
    return probe(program, program.document, len(head), "", [call]).types[0]


def _plotted(name: str, type_: Type | None) -> str:
    return f"plot({name} ? 1 : 0)" if type_ is not None and type_.base is BOOL else f"plot({name})"


def _array(values: Sequence[Any], plot: str) -> Values:
    return array([value == 1 for value in values] if "?" in plot else [float(value) for value in values])


def _refuse(script: str, call: str, libraries: tuple[str, ...]) -> None:
    """Raise DoesNotCompile for a call that is wrong."""
    for found in open_program(script, libraries, fresh=True).diagnostics:
        if found.severity is Severity.ERROR:
            raise DoesNotCompile(f"{call}: {found.message}", found.hint)


def _word(value: Any, chart: Data, series: dict[str, Data]) -> str:
    """An argument as Pine text. A sequence becomes a symbol in `series`, whose closes are its values."""
    if hasattr(value, "dtype") and not getattr(value, "shape", ()):
        value = value.item()  # a number of numpy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "na" if value != value else repr(value)
    if isinstance(value, str):
        return value
    column = [float("nan") if one is None else float(one) for one in value]
    if len(column) != len(chart.bars):
        raise UsageError(
            f"a series has {len(column)} values, and there are {len(chart.bars)} bars",
            "expected one value for each bar",
        )
    name = f"{_COLUMN}{len(series) + 1}"
    held = Bars(list(chart.bars.time), column, column, column, column, [float("nan")] * len(column))
    series[name] = chart._replace(bars=held, kind="frame")
    return f'request.security("{name}", timeframe.period, close)'
