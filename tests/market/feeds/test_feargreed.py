"""The fear and greed index as daily bars."""

from pathlib import Path
from typing import Any

import pytest

from pinebench.errors import UnavailableError, UsageError
from pinebench.market.bar_choice import bars_named, names
from pinebench.market.feeds import PREFIXES, feed_bars
from tests.market.feeds.server import DAY, Service, serving

NOW = 1_767_225_600_000 + DAY // 3


def _index(_path: str, _asked: dict[str, str]) -> Any:
    days = range(NOW // DAY, NOW // DAY - 400, -1)
    return {"data": [{"value": str(day % 101), "timestamp": str(day * 86_400)} for day in days]}


def test_it_is_named_where_bars_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(feed_bars.time, "time", lambda: NOW / 1000)
    with serving(Service(_index, NOW)) as service:
        monkeypatch.setenv("PINEBENCH_FEARGREED_URL", service.url)
        data = bars_named("feargreed:index:1d", count=300)
        assert len(data.bars) == 300 and data.bars.time[-1] == (NOW // DAY - 1) * DAY
        assert data.bars.close == data.bars.open and data.bars.close[-1] == (NOW // DAY - 1) % 101
        assert data.kind == "exchange" and data.freshness.startswith("read at 2026-01-01 08:00:00 UTC")
        weeks = bars_named("feargreed:INDEX:1w", count=10)
        assert len(weeks.bars) == 10 and weeks.symbol.timeframe == "1W"
        with pytest.raises(UsageError, match="daily bars only"):
            bars_named("feargreed:INDEX:1h")
        with pytest.raises(UsageError, match="no series 'BTC'"):
            bars_named("feargreed:btc:1d")
        service.rows = lambda *_: {"data": [{"value": "x", "timestamp": "1"}]}
        with pytest.raises(UnavailableError):
            bars_named("feargreed:INDEX:1d", count=350)


def test_every_feed_has_its_prefix() -> None:
    assert tuple(f"{name}:" for name in feed_bars._FEEDS) == PREFIXES


def test_symbols_with_an_equals_sign_are_split_rightly() -> None:
    found = names(["yahoo:EURUSD=X:1d", "FX:EUR=yahoo:EURUSD=X:1h", "MOOD=feargreed:INDEX:1d", "A:B=some.csv"])
    assert found.chart == "yahoo:EURUSD=X:1d"
    assert found.others == {"FX:EUR": "yahoo:EURUSD=X:1h", "MOOD": "feargreed:INDEX:1d", "A:B": "some.csv"}
    assert [path.name for path in found.files()] == ["some.csv"]
