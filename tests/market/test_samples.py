"""The symbols of the sample market, as scripts are told of them."""

from pinebench.market.samples import SAMPLES


def test_coins_are_traded_in_parts_and_shares_as_a_whole() -> None:
    told = {symbol.ticker: symbol.info("1D") for symbol in SAMPLES}
    assert told["BTCUSDT"].mincontract < 0.001, "a position of a thousand dollars is a part of a coin"
    assert (told["AAPL"].mincontract, told["EURUSD"].mincontract) == (1, 1)


def test_pairs_know_what_they_are_made_of() -> None:
    told = {symbol.ticker: (symbol.info("1D").basecurrency, symbol.info("1D").currency) for symbol in SAMPLES}
    assert told["BTCUSDT"] == ("BTC", "USDT")
    assert told["EURUSD"] == ("EUR", "USD")
    assert told["AAPL"] == ("", "USD")
