"""Bars are columns of one length."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from pinebench.market.bars import Bars, SymbolInfo


def test_length_is_that_of_the_times() -> None:
    assert len(Bars()) == 0
    assert len(Bars([0, 60_000], [1, 2], [1, 2], [1, 2], [1, 2], [0, 0])) == 2


def test_a_symbol_is_the_same_after_json() -> None:
    for assumed in ((), ("type", "currency")):
        symbol = SymbolInfo(symbol="X", mincontract=0.5, assumed=assumed)
        assert SymbolInfo.of(json.loads(json.dumps(asdict(symbol)))) == symbol
    assert SymbolInfo.of({"symbol": "X"}) == SymbolInfo(symbol="X")


@pytest.mark.parametrize(("text", "names"), [("type currency", ("type", "currency")), ("", ()), ("type", ("type",))])
def test_the_assumed_names_of_older_files_are_one_text(text: str, names: tuple[str, ...]) -> None:
    assert SymbolInfo.of({"assumed": text}).assumed == names


@pytest.mark.parametrize("told", [None, 1, True, {"type": 1}, ["type", 1], [["type"]]])
def test_assumed_properties_that_are_no_names_are_refused(told: Any) -> None:
    with pytest.raises(TypeError, match="assumed"):
        SymbolInfo.of({"assumed": told})
