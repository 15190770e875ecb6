"""A kernel that is put back to what it was goes on as it went on then: live bars are computed many times."""

import random
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinebench import reference
from pinebench.runtime.library import KERNELS, SOURCES, averages, spread
from pinebench.runtime.library.collections import Array

_NUMBERS = st.one_of(
    st.floats(-1e3, 1e3, allow_subnormal=False).map(lambda x: round(x, 2)), st.just(float("nan")), st.just(5.0)
)
_CONSTANTS: dict[str, Any] = {
    "type": "Classic",
    "developing": False,
    "offset": 0,
    "sigma": 6.0,
    "floor": False,
    "mult": 2.0,
    "factor": 3.0,
    "percentage": 40.0,
    "occurrence": 1,
    "seed": 7,
    "min": 0.0,
    "max": 0.2,
    "start": 0.02,
    "inc": 0.02,
    "useTrueRange": True,
    "handle_na": True,
}
_CONDITIONS = ("condition", "anchor", "biased", "session.isfirstbar")
_NOT_NAMED_LENGTH = ("atrPeriod", "leftbars", "rightbars", "adxSmoothing")


def _is_length(name: str) -> bool:
    return "len" in name.lower() or name in _NOT_NAMED_LENGTH


def _strategy(name: str, type_text: str, series_length: bool) -> st.SearchStrategy[Any]:
    if name in _CONSTANTS:
        return st.just(_CONSTANTS[name])
    if _is_length(name):
        return st.integers(1, 5) if series_length and "series int" in type_text else st.just(3)
    if name in _CONDITIONS or "bool" in type_text:
        return st.booleans()
    if "color" in type_text:
        return st.one_of(st.none(), st.integers(0, 2**32 - 1))
    return _NUMBERS


def _parameters(name: str) -> list[tuple[str, str]]:
    """The names and types of the parameters and reads of the kernel `name`, by the reference."""
    plain, _, number = name.partition("#")
    function = reference.function(plain)
    if number == "variable" or function is None:
        parameters = ()
    else:
        overloads = function.overloads
        parameters = overloads[int(number)].parameters if number else max((o.parameters for o in overloads), key=len)
    given = [(p.name, p.type) for p in parameters] + [(read, "series float") for read in KERNELS[name].reads]
    return [(SOURCES[name], "series float"), *given] if name in SOURCES else given


def _arguments(name: str, series_length: bool) -> list[st.SearchStrategy[Any]]:
    """How to draw one bar's arguments and reads of the kernel `name`."""
    return [_strategy(parameter, type_text, series_length) for parameter, type_text in _parameters(name)]


def _plain(value: Any) -> Any:
    return repr(value.items) if isinstance(value, Array) else repr(value)


@pytest.mark.parametrize("series_length", [False, True], ids=["known-length", "series-length"])
@pytest.mark.parametrize("name", sorted(KERNELS))
@settings(max_examples=6)
@given(data=st.data())
def test_a_restored_kernel_goes_on_as_before(name: str, series_length: bool, data: st.DataObject) -> None:
    row = st.tuples(st.integers(1, 2), *_arguments(name, series_length))
    rows = data.draw(st.lists(row, min_size=2, max_size=14))
    saved_at = data.draw(st.integers(0, len(rows) - 1))
    kernel: Any = KERNELS[name](series_length)
    i = -1
    bars: list[tuple[int, tuple[Any, ...]]] = []
    for step, *arguments in rows:
        i += step
        bars.append((i, tuple(arguments)))
    first: list[Any] = []
    state = None
    for k, (bar, arguments) in enumerate(bars):
        if k == saved_at:
            state = kernel.save()
        first.append(_plain(kernel(bar, *arguments)))
    for _ in range(2):
        kernel.restore(state)
        assert [_plain(kernel(bar, *arguments)) for bar, arguments in bars[saved_at:]] == first[saved_at:]


SUMMED: dict[str, tuple[Any, ...]] = {
    "wma": (),
    "hma": (),
    "alma": (0.85, 6.0, False),
    "dev": (),
    "cci": (),
    "linreg": (1,),
    "stdev": (True,),
    "variance": (False,),
    "bb": (2.0,),
}
"""The functions that add up windows, with what they are given behind the length."""


@pytest.mark.parametrize("found", [None, numpy], ids=["alone", "numpy"])
@pytest.mark.parametrize("name", sorted({name for name in KERNELS if name.removeprefix("ta.") in SUMMED}))
@settings(max_examples=12)
@given(data=st.data())
def test_sums_over_windows_are_the_same_with_numpy(name: str, found: Any, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (averages, spread):
            patch.setattr(module, "numpy_for", lambda additions: found)
        price = st.floats(-1e6, 1e6) | st.sampled_from([1.5, 2.5, float("inf")])
        first = data.draw(st.integers(0, 4))
        source = [float("nan")] * first + data.draw(st.lists(price, min_size=2, max_size=40))
        if data.draw(st.booleans()):
            source[data.draw(st.integers(0, len(source) - 1))] = float("nan")
        length = data.draw(st.integers(2, 9))
        rest = [length, *SUMMED[name.removeprefix("ta.")]]
        bars = data.draw(st.integers(1, len(source) - 1))
        whole, single = KERNELS[name](False), KERNELS[name](False)
        call: Any = single
        assert _told(whole.column(bars, [source, *rest])) == _told([call(i, source[i], *rest) for i in range(bars)])
        call_on: Any = whole
        behind = range(bars, len(source))
        assert _told([call_on(i, source[i], *rest) for i in behind]) == _told(
            [call(i, source[i], *rest) for i in behind]
        )


@pytest.mark.parametrize("name", sorted(KERNELS))
@settings(max_examples=5)
@given(data=st.data())
def test_a_column_is_what_single_calls_give_and_leaves_the_same_behind(name: str, data: st.DataObject) -> None:
    parts = _arguments(name, series_length=False)
    rows = data.draw(st.lists(st.tuples(*parts), min_size=2, max_size=30))
    bars = data.draw(st.integers(1, len(rows) - 1))
    columns = [list(column) for column in zip(*rows, strict=True)]
    # What is the same on all bars is given once, as it is in a script.
    series = [
        column[0] if repr(part).startswith("just(") else column for part, column in zip(parts, columns, strict=True)
    ]
    whole, single = KERNELS[name](False), KERNELS[name](False)
    call: Any = single
    expected = [call(i, *rows[i]) for i in range(bars)]
    assert _told(whole.column(bars, series)) == _told(expected)
    call_on: Any = whole
    rest = range(bars, len(rows))
    assert _told([call_on(i, *rows[i]) for i in rest]) == _told([call(i, *rows[i]) for i in rest])


_EXTREMES = (float("inf"), -float("inf"), float("nan"), -0.0, 0.0, 1e308, -1e308, 5e-324, -2.2e-308, 1e-300)


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_a_column_of_extreme_numbers_is_what_single_calls_give(name: str) -> None:
    """An average of an infinite number once was another one in a column."""
    chance = random.Random(name)
    for _ in range(30):
        count = chance.randint(2, 40)
        series = _extreme_series(chance, name, count)
        rows = [[each[i] if isinstance(each, list) else each for each in series] for i in range(count)]
        bars = chance.randint(1, count - 1)
        whole, single = KERNELS[name](False), KERNELS[name](False)
        call: Any = single
        expected = [call(i, *rows[i]) for i in range(bars)]
        assert _told(whole.column(bars, series)) == _told(expected), series
        call_on: Any = whole
        rest = range(bars, count)
        assert _told([call_on(i, *rows[i]) for i in rest]) == _told([call(i, *rows[i]) for i in rest]), series


def _extreme_series(chance: random.Random, name: str, count: int) -> list[Any]:
    """Columns of numbers of one size with extreme ones among them, and what is the same on all bars."""
    share, size = chance.choice((0.03, 0.1, 0.3)), chance.choice((1, 1e-310, 1e300))
    length = chance.choice((2, 3, 14) if name == "ta.hma" else (1, 2, 3, 14))

    def drawn(parameter: str, type_text: str) -> Any:
        if parameter in _CONSTANTS:
            return _CONSTANTS[parameter]
        if _is_length(parameter):
            return length
        if parameter in _CONDITIONS or "bool" in type_text:
            return [chance.random() < 0.5 for _ in range(count)]
        if "color" in type_text:
            return [chance.choice((None, 7, 2**32 - 1)) for _ in range(count)]
        return [
            chance.choice(_EXTREMES) if chance.random() < share else size * chance.uniform(-1, 1) for _ in range(count)
        ]

    return [drawn(*each) for each in _parameters(name)]


def _told(values: list[Any]) -> list[str]:
    return [_plain(value) for value in values]
