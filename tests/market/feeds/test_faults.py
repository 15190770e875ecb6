"""Faults of services, for every feed and series: the right bars or a clear error, and nothing broken is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from pinebench.errors import PinebenchError, UnavailableError
from pinebench.market.feeds import feed_bars
from pinebench.market.feeds.feed_bars import FeedBars
from pinebench.market.feeds.transport import TRIES, Transport
from tests.market.feeds.coins import NOW as COINS_NOW
from tests.market.feeds.coins import Coins
from tests.market.feeds.server import DAY, Service, serving
from tests.market.feeds.test_yahoo import NOW as YAHOO_NOW
from tests.market.feeds.test_yahoo import Market

NAMES = (
    *(
        "binance:BTCUSDT:4h",
        "binance:BTCUSDT:1wk",
        "binance:BTCUSDT:1mo",
        "binance:BTCUSDT.taker_buy:1h",
        "binance:BTCUSDT.funding:8h",
    ),
    *("binance:BTCUSDT.open_interest:1h", "binance:BTCUSDT.long_accounts:1h", "binance:BTCUSDT.short_accounts:4h"),
    *("yahoo:AAPL:4h", "yahoo:AAPL:1d", "yahoo:AAPL:1wk", "feargreed:INDEX:1d"),
)


@pytest.fixture(params=NAMES)
def at(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[tuple[str, Service]]:
    """The name of bars, and the service that gives them."""
    name: str = request.param
    now = int(YAHOO_NOW.timestamp() * 1000) if name.startswith("yahoo") else COINS_NOW
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(feed_bars.time, "time", lambda: now / 1000)
    with serving(Service(Market() if name.startswith("yahoo") else Coins(), now)) as service:
        for feed in ("BINANCE", "BINANCE_FUTURES", "FEARGREED", "YAHOO"):
            monkeypatch.setenv(f"PINEBENCH_{feed}_URL", service.url)
        yield name, service


def fetch(name: str) -> FeedBars:
    return feed_bars.fetch(name, 20, Transport([].append))


def clean(name: str, service: Service, folder: Path, monkeypatch: pytest.MonkeyPatch) -> FeedBars:
    """The bars without faults, from a cache of their own."""
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(folder / "clean"))
    found = fetch(name)
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(folder))
    return found


PASSING: list[list[int | bytes]] = [[503, 500], [429], [b'[[1767225600000, "1CUT'], [502, b'{"chart": {"resCUT', 504]]
STAYING = (500, 429, b"<html>Sign in</html>", b'{"data": [{CUT', b"", b"[NaN]", b"null", b"[1, 2]", b"{}", b"[" * 9_999)


def test_faults_that_pass_leave_no_trace(
    at: tuple[str, Service], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, service = at
    wanted = clean(name, service, tmp_path, monkeypatch)
    for number, faults in enumerate(PASSING):
        monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / str(number)))
        service.faults = list(faults)
        found = fetch(name)
        assert found.bars == wanted.bars and found.forming == wanted.forming and not found.cached
        assert len(found.bars) == 20 and found.gaps is None


def test_faults_that_stay_are_errors(at: tuple[str, Service]) -> None:
    name, service = at
    for fault in STAYING:
        service.faults = [fault] * TRIES * 3
        with pytest.raises(PinebenchError) as caught:
            fetch(name)
        assert caught.value.hint or isinstance(caught.value, UnavailableError)
    service.faults = []
    assert not fetch(name).cached, "nothing of a broken answer is kept"


def test_a_broken_answer_beside_kept_bars_is_an_error_and_the_kept_bars_stay(at: tuple[str, Service]) -> None:
    name, service = at
    before = fetch(name)
    service.faults = [b"<html></html>"] * 9
    with pytest.raises(UnavailableError):
        fetch(name)
    service.faults = []
    assert fetch(name).bars == before.bars


def test_a_clock_of_this_machine_that_is_wrong(
    at: tuple[str, Service], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, service = at
    wanted = clean(name, service, tmp_path, monkeypatch)
    for days in (40, -0.3, 0.3):
        monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / str(days)))
        monkeypatch.setattr(feed_bars.time, "time", lambda days=days: (service.now + days * DAY) / 1000)
        found = fetch(name)
        assert (found.bars, found.forming) == (wanted.bars, wanted.forming), days


def test_a_service_whose_name_is_not_found_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise requests.ConnectionError(
            "HTTPSConnectionPool(...): Max retries exceeded (Caused by NameResolutionError(...))"
        )

    monkeypatch.setattr(requests.Session, "get", fails)
    with pytest.raises(UnavailableError) as told:
        Transport(pause=lambda _: None).get("binance X", "https://one.example/bars", {})
    words = "its name was not found: there is no network, or the DNS does not answer"
    assert told.value.message == f"binance X: the service cannot be reached: {words}"


def test_a_clock_that_is_years_ahead_is_refused_and_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With such a clock the bar that is forming would count as closed, here and in the cache. A clock that agrees with
    the bars is right, however wrong the one here is."""
    cases = (("binance:BTCUSDT:4h", Coins(), COINS_NOW), ("yahoo:AAPL:1d", Market(), int(YAHOO_NOW.timestamp() * 1000)))
    for name, market, now in cases:
        monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / name[:5]))
        with serving(Service(market, now)) as service:
            for feed in ("BINANCE", "YAHOO"):
                monkeypatch.setenv(f"PINEBENCH_{feed}_URL", service.url)
            for is_cached in (False, True):
                monkeypatch.setattr(feed_bars.time, "time", lambda now=now: now / 1000)
                service.now = now + 31 * 365 * DAY
                with pytest.raises(UnavailableError, match="its clock or the clock"):
                    fetch(name)
                service.now = now
                monkeypatch.setattr(feed_bars.time, "time", lambda now=now: (now - 900 * DAY) / 1000)
                found = fetch(name)
                assert found.now == now and bool(found.cached) is is_cached
