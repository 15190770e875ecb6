"""Bars of exchanges: through ccxt's own classes from a server on this machine, and errors that stay errors."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from pinebench.errors import UnavailableError, UsageError
from pinebench.market.bar_loader import in_another
from pinebench.market.exchanges import fetch, fetch_from
from pinebench.market.gaps import gaps
from pinebench.market.ticks import tick_of

NOW = 1_704_067_200_000 + 90_000
MINUTE = 60_000
LISTED = NOW // MINUTE * MINUTE - 1200 * MINUTE
"""The exchange has bars from here on."""


class Exchange(BaseHTTPRequestHandler):
    """Markets and bars as an exchange sends them; at most 300 bars at once, oldest first."""

    status: ClassVar[int] = 200
    answer: ClassVar[Any] = None
    silent: ClassVar[range] = range(0)
    """Times, in milliseconds, of which it tells nothing."""
    asked: ClassVar[list[int]] = []
    clock: ClassVar[int | None] = None
    """Its own clock, which it tells."""

    def do_GET(self) -> None:
        since = int(parse_qs(urlsplit(self.path).query).get("since", ["0"])[0])
        self.asked.append(since)
        first = max(since, LISTED)
        rows = [[time, 10, 12, 9, 11, 5] for time in range(first, min(first + 300 * MINUTE, NOW), MINUTE)]
        rows = [row for row in rows if row[0] not in self.silent]
        content = json.dumps(rows if self.answer is None else self.answer).encode()
        self.send_response_only(self.status)
        if self.clock is not None:
            moment = datetime.fromtimestamp(self.clock / 1000, UTC)
            self.send_header("Date", format_datetime(moment, usegmt=True))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Exchange.status, Exchange.answer, Exchange.asked, Exchange.silent, Exchange.clock = 200, None, [], range(0), None
    made = ThreadingHTTPServer(("127.0.0.1", 0), Exchange)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def client(port: int) -> Any:
    """An exchange of ccxt's, whose answers come from this machine by ccxt's own way."""
    import ccxt  # loads a hundred exchanges, and not when tests are collected

    class Loopback(ccxt.Exchange):
        def describe(self) -> Any:
            told = {
                "id": "loopback",
                "timeframes": {"1m": "1m", "1h": "1h", "1M": "1M"},
                "precisionMode": ccxt.TICK_SIZE,
            }
            return self.deep_extend(super().describe(), told)

        def fetch_markets(self, params: Any = None) -> Any:
            market = {"id": "BTCUSDT", "symbol": "BTC/USDT", "base": "BTC", "quote": "USDT", "type": "spot"}
            return [{**market, "precision": {"price": 0.01, "amount": 0.0001}, "spot": True, "active": True}]

        def fetch_ohlcv(
            self, symbol: str, timeframe: str = "1m", since: Any = None, limit: Any = None, params: Any = None
        ) -> Any:
            return self.fetch(f"http://127.0.0.1:{port}/bars?since={since}")

    made = Loopback({"timeout": 2000})
    made.__dict__["milliseconds"] = lambda: NOW
    return made


def test_the_last_closed_bars_come_page_by_page_with_their_symbol(server: ThreadingHTTPServer) -> None:
    data = fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 700)
    assert len(data.bars) == 700
    assert data.gaps is None
    assert data.bars.time[-1] == NOW // MINUTE * MINUTE - MINUTE  # the bar that is still open is left out
    assert data.bars.time[0] == data.bars.time[-1] - 699 * MINUTE
    assert len(Exchange.asked) == 3
    told = data.symbol
    assert (told.prefix, told.symbol, told.timeframe, told.mintick) == ("LOOPBACK", "BTCUSDT", "1", 0.01)
    assert (told.currency, told.basecurrency, told.mincontract, told.type) == ("USDT", "BTC", 0.0001, "crypto")


def test_a_tick_and_a_size_that_the_exchange_does_not_tell_are_not_said_to_be_of_it(
    server: ThreadingHTTPServer,
) -> None:
    exchange = client(server.server_address[1])
    assert fetch_from(exchange, "BTC/USDT", "1m", 10).tick == "of the exchange"
    exchange.load_markets()["BTC/USDT"]["precision"] = {}
    data = fetch_from(exchange, "BTC/USDT", "1m", 10)
    assert data.tick == tick_of(data.bars).origin != "of the exchange"
    assert data.symbol.mintick == tick_of(data.bars).size
    assert data.symbol.assumed == ("mincontract",)


def test_an_inverse_contract_is_told(server: ThreadingHTTPServer) -> None:
    """Its profits would be wrong by the factor of the price."""
    exchange = client(server.server_address[1])
    assert fetch_from(exchange, "BTC/USDT", "1m", 10).remarks == []
    exchange.load_markets()["BTC/USDT"]["inverse"] = True
    assert "the contracts are inverse: they pay in BTC" in fetch_from(exchange, "BTC/USDT", "1m", 10).remarks[0]


def test_a_symbol_that_is_younger_gives_what_there_is(server: ThreadingHTTPServer) -> None:
    data = fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 5000)
    assert data.bars.time[0] == LISTED
    assert len(data.bars) == 1200
    assert data.gaps is not None and "3800 earlier bars were requested" in data.gaps
    assert "the exchange has none before 2023-12-31 04:01 UTC" in data.gaps


def test_an_empty_page_announces_the_gap_wherever_it_is(server: ThreadingHTTPServer) -> None:
    """Pages of 300 bars are silent at the beginning, in the middle, and at the end."""
    for first, last, said in (
        (1200, 500, "700 earlier bars were requested"),
        (800, 100, "700 bars are missing from"),
        (600, 0, "600 bars are missing from"),
    ):
        begin, end = (NOW // MINUTE * MINUTE - minutes * MINUTE for minutes in (first, last))
        Exchange.silent = range(begin, end, MINUTE)
        data = fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 1200)
        assert data.gaps is not None and said in data.gaps and len(data.bars) == 1200 - (first - last)


@pytest.mark.parametrize("ahead", [30 * MINUTE, -30 * MINUTE, 40 * 1440 * MINUTE])
def test_the_clock_of_the_exchange_decides_which_bar_is_closed(server: ThreadingHTTPServer, ahead: int) -> None:
    Exchange.clock = NOW
    exchange = client(server.server_address[1])
    exchange.__dict__["milliseconds"] = lambda: NOW + ahead
    data = fetch_from(exchange, "BTC/USDT", "1m", 100)
    newest = NOW // MINUTE * MINUTE - MINUTE
    assert data.bars.time == [newest - k * MINUTE for k in range(99, -1, -1)] and data.gaps is None


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (700, 701, "1 bar is missing from 2023-12-31 12:21 UTC on"),
        (1000, 400, "600 bars are missing from 2023-12-31 07:21 UTC on"),
        (30, 0, "30 bars are missing from 2023-12-31 23:31 UTC on"),
        (700, 699, "1 bar is missing"),
    ],
)
def test_bars_that_an_exchange_leaves_out_are_told(
    server: ThreadingHTTPServer, first: int, last: int, said: str
) -> None:
    begin, end = (NOW // MINUTE * MINUTE - minutes * MINUTE for minutes in (first, last))
    Exchange.silent = range(begin, max(end, begin + MINUTE), MINUTE)
    data = fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 1100)
    assert len(data.bars) == 1100 - len(Exchange.silent)
    assert data.gaps is not None and said in data.gaps
    assert data.gaps.startswith("loopback BTC/USDT 1m: ")
    assert data.remarks == [data.gaps]


def test_several_gaps_are_counted() -> None:
    times = [time * MINUTE for time in range(100) if time not in (5, 6, 7, 50)]
    said = gaps(times, MINUTE, 100 * MINUTE + 5, "x")
    assert said == (
        "x: 4 bars are missing in 2 places, 3 of them from 1970-01-01 00:05 UTC on: there were no trades "
        "then, or the exchange does not have these bars"
    )
    assert gaps(times[:5], MINUTE, 5 * MINUTE, "x") is None
    assert gaps([], MINUTE, 5, "x") is None
    assert gaps([0, 31 * 86_400_000], 30 * 86_400_000, 62 * 86_400_000, "x") is None


@pytest.mark.parametrize(
    ("status", "answer", "error"),
    [
        (500, None, UnavailableError),
        (429, None, UnavailableError),
        (404, None, (UsageError, UnavailableError)),
        (200, [], UsageError),
        (200, {"error": "no"}, UsageError),
        (200, [[NOW - MINUTE * 5, 10, 12, 9, None, 1]], UsageError),
        (200, [[NOW - MINUTE * 5, 10, 5, 9, 11, 1]], UsageError),
        (200, [[None, 10, 12, 9, 11, 1]], UsageError),
    ],
)
def test_what_is_no_answer_is_an_error_and_never_bars(
    server: ThreadingHTTPServer, status: int, answer: Any, error: Any
) -> None:
    Exchange.status, Exchange.answer = status, answer
    with pytest.raises(error):
        fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 10)


def test_an_exchange_that_is_not_there_is_said(server: ThreadingHTTPServer) -> None:
    server.server_close()
    with pytest.raises(UnavailableError, match="loopback BTC/USDT 1m: the exchange cannot be reached"):
        fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 10)


def test_names_that_are_none_are_refused(server: ThreadingHTTPServer) -> None:
    made = client(server.server_address[1])
    with pytest.raises(UsageError, match="no symbol 'ETH/USDT'"):
        fetch_from(made, "ETH/USDT", "1m")
    with pytest.raises(UsageError, match="no bars of '7m'"):
        fetch_from(made, "BTC/USDT", "7m")
    with pytest.raises(UsageError, match="does not name bars"):
        fetch("ccxt:binance")
    with pytest.raises(UsageError, match="knows no exchange 'os'"):
        fetch("ccxt:os:BTC/USDT:1m")
    assert Exchange.asked == []


def test_joined_bars_of_an_exchange_are_closed_too(server: ThreadingHTTPServer) -> None:
    """The last bar of an hour would else be one of its first minute, and the first one of its last 50 minutes."""
    Exchange.clock = NOW
    minutes = fetch_from(client(server.server_address[1]), "BTC/USDT", "1m", 171)
    assert minutes.bars.time[-1] == NOW // MINUTE * MINUTE - MINUTE
    hours = in_another(minutes, None, "60")
    begin = NOW // (60 * MINUTE) * 60 * MINUTE
    assert hours.bars.time == [begin - 120 * MINUTE, begin - 60 * MINUTE]
    assert hours.bars.volume == [300.0, 300.0]
    assert "2 bars of 1 hour at the ends of the period left out: not complete" in hours.remarks
    with pytest.raises(UsageError, match="no bar of 1 day is complete in the requested period"):
        in_another(minutes, None, "1D")


def test_a_page_that_ends_with_february_is_followed_by_march(server: ThreadingHTTPServer) -> None:
    """ccxt counts 30 days for a month: as many are fewer months than were requested, and 30 days after the first of
    February March has begun."""
    months = [
        round(datetime(2023 - (k - 1) // 12, 12 - (k - 1) % 12, 1, tzinfo=UTC).timestamp() * 1000)
        for k in range(120, 0, -1)
    ]
    Exchange.clock = NOW
    exchange = client(server.server_address[1])

    def page(symbol: str, step: str, since: int, limit: int) -> list[list[float]]:
        found = [time for time in months if time >= since]
        end = next((k for k, time in enumerate(found) if datetime.fromtimestamp(time / 1000, UTC).month == 2), limit)
        return [[time, 10, 12, 9, 11, 5] for time in found[: end + 1]]

    exchange.fetch_ohlcv = page
    found = fetch_from(exchange, "BTC/USDT", "1M", 120)
    assert found.bars.time == months[-120:]
    assert found.gaps is None
    assert "2 earlier bars were requested" in (fetch_from(exchange, "BTC/USDT", "1M", 122).gaps or "")


def test_a_month_is_closed_when_its_last_day_is_over(server: ThreadingHTTPServer) -> None:
    """ccxt counts 30 days for a month, and the last day of December would be missing from its bar."""
    months = [round(datetime(2023, month, 1, tzinfo=UTC).timestamp() * 1000) for month in (10, 11, 12)]
    Exchange.answer = [[time, 10, 12, 9, 11, 5] for time in months]
    exchange = client(server.server_address[1])
    Exchange.clock = NOW - 720 * MINUTE
    assert fetch_from(exchange, "BTC/USDT", "1M", 3).bars.time == months[:2]
    Exchange.clock = NOW
    assert fetch_from(exchange, "BTC/USDT", "1M", 3).bars.time == months
