"""Results that are too long for a model: what it gets at once, and how it gets all of the rest."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pinebench.errors import UsageError
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.pages import MOST, READ, LongResult, LongResults, shortened
from pinebench.tools.tool_calls import call

TRADES = [{"number": n, "side": "long", "entry_price": 100 + n / 8, "profit": n % 7 - 3.25} for n in range(2_000)]
TEXT = "".join(f"line {n} of a long script\n" for n in range(4_000))


def size(value: Any, indent: int | None = None) -> int:
    return len(json.dumps(value, ensure_ascii=False, indent=indent))


def whole(browser: ChartBrowser, told: dict[str, Any], key: str) -> Any:
    """All of a list or text that was cut, as a model reads it page by page."""
    found: list[Any] = []
    place: int | None = 0
    while place is not None:
        page = call(browser, READ, {"result": told["rest"]["result"], "key": key, "from": place})
        assert page["success"] and size(shortened(page, READ, LongResults())) <= MOST, page
        found.append(page["entries"] if "entries" in page else page["text"])
        assert page["next"] is None or page["next"] > place
        place = page["next"]
    if isinstance(found[0], str):
        return "".join(found)
    if isinstance(found[0], dict):
        return {name: each for page in found for name, each in page.items()}
    return [each for page in found for each in page]


def keys(told: dict[str, Any]) -> list[str]:
    return [key for part in told["rest"]["parts"] for key in part.get("keys", [part.get("key")])]


def test_a_short_result_stays_as_it_is() -> None:
    result = {"success": True, "rows": TRADES[:50]}
    assert shortened(result, "x", LongResults()) is result


def test_first_and_last_entries_stay_and_all_others_can_be_read() -> None:
    browser = ChartBrowser(port=9)
    result = {"success": True, "symbol": "X:Y", "data": "sample", "total": 2_000, "trades": TRADES}
    told = shortened(result, "data_get_trades", browser.results)
    assert list(told)[:3] == ["success", "truncated", "rest"] and size(told) <= MOST
    [part] = told["rest"]["parts"]
    first, last = part["first"], part["last"]
    assert (part["key"], part["total"], first + last) == ("trades", 2_000, len(told["trades"]))
    assert told["trades"] == TRADES[:first] + TRADES[-last:] and min(first, last) > 20
    assert whole(browser, told, "trades") == TRADES
    page = call(browser, "read_result", {"result": told["rest"]["result"], "key": "trades", "from": first})
    assert size(page) <= MOST and page["entries"] == TRADES[first : page["next"]]
    assert page["of"] == {"tool": "data_get_trades", "symbol": "X:Y", "data": "sample", "total": 2_000}
    assert result["trades"] is TRADES and len(TRADES) == 2_000, "the result of programs stays whole"


def test_lists_that_belong_together_are_cut_at_the_same_places() -> None:
    times = [1_700_000_000 + 60 * n for n in range(3_000)]
    plots = [{"title": f"p{k}", "values": [k + n / 3 for n in range(3_000)]} for k in range(3)]
    told = shortened({"success": True, "times": times, "plots": plots}, "pine_run", LongResults())
    assert size(told) <= MOST
    [part] = told["rest"]["parts"]
    assert part["keys"] == ["times", "plots[0].values", "plots[1].values", "plots[2].values"]
    place = {time: n for n, time in enumerate(times)}
    for each, row in enumerate(zip(*(plot["values"] for plot in told["plots"]), strict=True)):
        assert row == tuple(k + place[told["times"][each]] / 3 for k in range(3))


def test_a_text_is_marked_where_it_is_cut() -> None:
    browser = ChartBrowser(port=9)
    told = shortened({"success": True, "source": TEXT}, "pine_get_source", browser.results)
    assert size(told) <= MOST and "characters are left out here" in told["source"]
    assert told["source"].startswith(TEXT[:5_000]) and told["source"].endswith(TEXT[-3_000:])
    assert whole(browser, told, "source") == TEXT


def odd(maker: random.Random, depth: int = 0) -> Any:
    """Some JSON value, often a large one."""
    match maker.randrange(8 if depth < 3 else 2):
        case 0:
            return maker.choice([None, True, -1.5, 12345678, "é" * maker.randrange(90)])
        case 1:
            return "text\n" * maker.choice([1, 70, 4_000])
        case 2 | 3:
            return [odd(maker, depth + 1) for _ in range(maker.choice([0, 1, 2, 12]))]
        case 4:
            return [maker.random() for _ in range(maker.choice([3, 500, 1_500]))]
        case 5:
            return {f"a name {n}": maker.random() for n in range(maker.choice([2, 3_000]))}
        case _:
            return {name: odd(maker, depth + 1) for name in ("rows", "name", "a.b")[: maker.randrange(4)]}


def named(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside of a result, by its name."""
    for step, each in value.items() if isinstance(value, dict) else enumerate(value):
        plain = isinstance(step, str) and step.isidentifier()
        own = f"{prefix}.{step}".lstrip(".") if plain else f"{prefix}[{json.dumps(step)}]"
        yield own, each
        if isinstance(each, dict | list):
            yield from named(each, own)


def test_whatever_a_result_holds_it_fits_and_nothing_of_it_is_lost() -> None:
    for seed in range(6):
        maker = random.Random(seed)
        browser = ChartBrowser(port=9)
        result = {"success": True, **{f"k{n}": odd(maker) for n in range(5)}}
        before = json.dumps(result)
        for indent in (2, None):
            told = shortened(result, "x", browser.results, indent=indent)
            assert size(told, indent) <= MOST, seed
        assert json.dumps(result) == before
        known = dict(named(result))
        for key in keys(told)[:3] if told is not result else []:
            assert whole(browser, told, key) == known[key], (seed, key)


def test_only_the_newest_are_kept_and_only_for_their_owner() -> None:
    kept = LongResults()
    names = [kept.keep("a", LongResult("x", {}, {"rows": [n]}, 10)) for n in range(25)]
    assert kept.find("a", names[-1]).page("rows", 0).value == [24]
    for owner, name in (("a", names[0]), ("b", names[-1]), (None, names[-1])):
        with pytest.raises(UsageError, match="there is no stored result") as gone:
            kept.find(owner, name)
        assert "call its tool again" in str(gone.value.hint)
    large = [kept.keep("a", LongResult("x", {}, {}, 30_000_000)) for _ in range(2)]
    assert kept.find("a", large[1])
    with pytest.raises(UsageError):
        kept.find("a", large[0])


def test_a_wrong_key_or_place_is_told_with_the_right_ones() -> None:
    browser = ChartBrowser(port=9)
    told = shortened({"success": True, "trades": TRADES}, "x", browser.results)
    name = told["rest"]["result"]
    wrong = call(browser, READ, {"result": name, "key": "rows"})
    assert wrong["error"] == "key cannot be 'rows'" and wrong["hint"] == "the result has trades"
    beyond = call(browser, READ, {"result": name, "key": "trades", "from": 2_000})
    assert beyond["error"] == "from must be below 2000, got: 2000"
    assert "there is no stored result" in call(browser, READ, {"result": "r1", "key": "trades"})["error"]
