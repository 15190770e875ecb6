"""Yahoo's answers with one field after the other replaced: they are refused in a sentence, or give sane bars and a sane
symbol."""

import copy
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pinebench.calendars.timeframes import timeframe
from pinebench.errors import PinebenchError
from pinebench.market import SymbolInfo
from pinebench.market.feeds.candles import CandleAnswer
from pinebench.market.feeds.transport import Reply
from pinebench.market.feeds.yahoo import Yahoo
from tests.market.feeds.test_yahoo import NOW, Market

HOSTILE: list[Any] = [
    *(None, True, -1, 0, 1.5, 1e308, 10**30, 253_402_300_799, 253_402_214_400, -(10**15), "1", "x", "", [], {}),
    *([[]], {"a": 1}, "../../etc/passwd", "America/../../x", "\x1b[2J\u202e</script>", "x" * 100_000),
    *(float("nan"), float("inf"), "1e999", "9" * 5_000, [None] * 3),
]
STEPS = [timeframe(each) for each in ("60", "1D", "1W", "1M")]
_NOW = int(NOW.timestamp() * 1000)


class Answering:
    """A transport with one answer."""

    def __init__(self, content: Any) -> None:
        self._content = content

    def get(self, *_: object) -> Reply:
        return Reply(self._content, _NOW)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of the values of an answer. Of a column, its first and its last cell."""
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for at in sorted({0, len(value) - 1}):
            yield from places(value[at], (*path, at))


def replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    changed = copy.deepcopy(value)
    if not path:
        return by
    inner = changed
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = by
    return changed


def is_sane_symbol(info: SymbolInfo) -> bool:
    texts = (info.symbol, info.prefix, info.description, info.currency, info.timezone, info.session)
    return (
        all(len(text) <= 300 and text.isprintable() for text in texts)
        and 0 < info.mintick <= 1
        and info.symbol == "AAPL"
    )


def is_sane_answer(answer: CandleAnswer) -> bool:
    bars = answer.candles
    return all(
        all(math.isfinite(price) and abs(price) <= 1e18 for price in each[2:6])
        and each.low <= min(each.open, each.close) <= max(each.open, each.close) <= each.high
        and (math.isnan(each.volume) or 0 <= each.volume <= 1e18)
        and each.time < each.end
        and each.time <= _NOW + 60_000
        for each in bars
    ) and all(before.time < after.time for before, after in pairwise(bars))


def test_each_field_of_an_answer_may_be_anything() -> None:
    faults: list[str] = []
    checked = 0
    for step, asked, days in zip(STEPS, ("60m", "1d", "1wk", "1mo"), (2, 6, 30, 90), strict=True):
        since = int(NOW.timestamp()) - days * 86_400
        good = Market()("/v8/finance/chart/AAPL", {"interval": asked, "period1": str(since)})
        for path in places(good):
            for by in HOSTILE:
                checked += 1
                source = Yahoo(Answering(replaced(good, path, by)))  # pyright: ignore[reportArgumentType]
                for ask in ("info", "candles"):
                    told = f"{asked} {ask} {path} = {str(by)[:30]!r}"
                    try:
                        if ask == "info":
                            if not is_sane_symbol(source.info("AAPL", step)):
                                faults.append(f"{told}: {str(source.info('AAPL', step))[:200]}")
                        elif not is_sane_answer(source.candles("AAPL", step, since * 1000)):
                            faults.append(told)
                    except PinebenchError as error:
                        if len(str(error)) > 1_000:
                            faults.append(f"{told}: a sentence of {len(str(error))} characters")
                    except Exception as error:
                        faults.append(f"{told}: {type(error).__name__}: {str(error)[:80]}")
    assert checked > 1_000
    assert not faults, "\n".join(faults[:60])
