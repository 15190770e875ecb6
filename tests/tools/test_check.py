"""Tools that need no chart, against what the rooms below them say."""

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

import pinebench as pb
from pinebench.codes import find
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.loopback import LoopbackServer
from tests.studio.support import CLEAN, WRONG
from tests.tables import each
from tests.tools.offline import refused, use


class Service(LoopbackServer):
    """TradingView's check, which always says the same."""

    def __init__(self, body: object) -> None:
        super().__init__()
        self._body = json.dumps(body).encode()

    def respond(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(self._body)))
        handler.end_headers()
        handler.wfile.write(self._body)


def test_analyze_says_what_the_compiler_would() -> None:
    found = use("pine_analyze", source=WRONG)
    assert not found["passes_check"]
    assert [each["line"] for each in found["diagnostics"]] == [3, 4, 5]
    assert use("pine_analyze", source=CLEAN) | {"notes": []} == {
        "success": True,
        "issue_count": 0,
        "passes_check": True,
        "diagnostics": [],
        "notes": [],
    }


def test_lint_adds_opinions_and_lets_them_be_chosen() -> None:
    source = '//@version=6\nindicator("a")\nx = 1\nplot(close)\n'
    found = use("pine_lint", source=source)
    assert any(each["code"].startswith("PB") for each in found["diagnostics"])
    assert use("pine_lint", source=source, ignore=["ALL"])["diagnostics"] == []
    assert "there is no code" in refused("pine_lint", source=source, select=["XY9"])


def test_lint_tells_the_libraries_whose_uses_were_not_checked() -> None:
    source = '//@version=6\nindicator("a")\nimport me/Foo/1 as foo\nplot(foo.twice(close))\n'
    assert use("pine_lint", source=source)["not_checked"] == ["me/Foo/1"]
    assert "not_checked" not in use("pine_lint", source=CLEAN)


def test_a_choice_of_codes_keeps_what_says_that_nothing_was_checked() -> None:
    found = use("pine_lint", source='//@version=5\nstudy("Old")\n', select=["CE"])
    assert [each["code"] for each in found["diagnostics"]] == ["PB0001"]


def test_rules_are_listed_by_group() -> None:
    every = use("pine_rules")
    some = use("pine_rules", group="repainting")
    assert 0 < some["count"] < every["count"]
    assert {each["group"] for each in some["rules"]} == {"repainting"}
    assert "no group" in refused("pine_rules", group="poetry")


@each(
    ("name", "kind"),
    [
        ("CE10272", "code"),
        ("ta.sma", "function"),
        ("close", "variable"),
        ("color.red", "constant"),
        ("varip", "keyword"),
        ("?:", "operator"),
        ("@function", "annotation"),
        ("int", "function"),
        ("chart.point", "namespace"),
    ],
)
def test_names_are_explained(name: str, kind: str) -> None:
    found = use("pine_explain", name=name)
    assert found["kind"] == kind
    assert found["text"]


def test_a_function_comes_with_an_example_and_what_to_watch_out_for() -> None:
    found = use("pine_explain", name="ta.ema")
    assert found["parameters"]["length"] == "simple int: the number of bars, from 1, the current bar included"
    assert found["example"] == "plot(ta.ema(close, 9))"
    assert found["shows"][0].startswith("ta.ema(close, 9): ")
    assert any("error CE10123" in each["shows"][0] for each in found["watch_out"])


def test_errors_come_with_the_reference_for_the_script_and_clean_scripts_without() -> None:
    head = '//@version=6\nindicator("a")\n'
    told = use(
        "pine_analyze", source=head + "length = bar_index\nplot(ta.ema(close, length))\nplot(ta.sma(close, 5))\n"
    )
    # The names of the line with the error come first, in the order of the text.
    assert [line.partition("(")[0] for line in told["reference"].splitlines()][:2] == ["plot", "ta.ema"]
    assert len(told["reference"].encode()) <= 2400
    assert "reference" not in use("pine_analyze", source=head + "plot(ta.ema(close, 9))\n")


def test_what_nobody_knows_is_not_explained() -> None:
    assert "unknown name or code" in refused("pine_explain", name="ta.nonsense")


def test_format_fix_and_migrate_give_scripts() -> None:
    ugly = '//@version=6\nindicator("a")\nplot( close )\n'
    assert use("pine_format", source=ugly)["source"] == '//@version=6\nindicator("a")\nplot(close)\n'
    assert "syntax errors" in refused("pine_format", source="//@version=6\nindicator('a'\n")
    fixed = use("pine_fix", source='//@version=6\nindicator("a")\nplot(clse)\n')
    assert fixed["changed"] or fixed["errors"]
    assert fixed["passes_check"] == (fixed["error_count"] == 0)
    migrated = use("pine_migrate", source='//@version=5\nindicator("a")\nplot(close)\n')
    assert migrated["source"].startswith("//@version=6")
    assert migrated["passes_check"]
    assert use("pine_migrate", source='study("a")\nplot(sma(close, 5))\n')["version"] == 4
    assert "no //@version" in refused("pine_migrate", source='indicator("a")\nplot(close)\n')


def test_inputs_are_listed() -> None:
    source = (
        '//@version=6\nindicator("a")\nn = input.int(5, "Length", minval = 1, maxval = 9)\nplot(ta.sma(close, n))\n'
    )
    (found,) = use("pine_parameters", source=source)["parameters"]
    assert found == {
        "title": "Length",
        "variable": "n",
        "type": "int",
        "default": 5,
        "minimum": 1,
        "maximum": 9,
        "options": [],
    }


def test_a_script_runs_on_the_sample_market_and_on_a_file(tmp_path: Path) -> None:
    source = '//@version=6\nindicator("a")\nplot(close, "Close")\nif barstate.islast\n    log.info("done")\n'
    ran = use("pine_run", source=source, bars=50, last=3)
    assert ran["bars"] == 50
    assert ran["logs"][-1]["message"] == "done"
    values = use("pine_indicator_values", source=source, bars=50, last=3)
    assert values["values"]["Close"] == ran["plots"][0]["values"]
    assert "(made up)" in values["symbol"]
    csv = tmp_path / "X_Y_1D.csv"
    csv.write_text("time,open,high,low,close\n2024-01-01,1,2,1,2\n2024-01-02,2,3,2,3\n", encoding="utf-8")
    own = use("pine_indicator_values", source=source, data=str(csv), last=2)
    assert own["values"]["Close"] == [2, 3]
    assert ran["stopped"] is None
    stops = '//@version=6\nindicator("a")\nif bar_index == 3\n    runtime.error("no more")\nplot(close)\n'
    stopped = use("pine_run", source=stops, bars=50)["stopped"]
    assert (stopped["message"], stopped["line"]) == ("Error on bar 3: no more", 4)
    assert "sample market has no symbol" in refused("pine_run", source=source, symbol="NOPE")
    assert "does not compile" in refused("pine_run", source=WRONG) or "compile" in refused("pine_run", source=WRONG)


@pytest.mark.parametrize("name", ["pine_run", "pine_indicator_values", "pine_backtest"])
def test_a_run_tells_which_tier_ran_it_and_why(name: str) -> None:
    """Machine code that an earlier run has kept is used from 20,000 bars on."""
    source = '//@version=6\nstrategy("a")\nif bar_index % 9 == 0\n    strategy.entry("L", strategy.long)\nplot(close)\n'
    few = use(name, source=source, bars=50)
    assert few["tier"] == {"name": "python", "reason": "the work is small"}
    kept = pb.run(source, "sample:AAPL@1x20000", tier="compiled")
    assert kept.tier["name"] == "compiled", kept.tier
    many = use(name, source=source, timeframe="1", bars=20_000)
    assert many["tier"] == {"name": "compiled", "reason": "its machine code was already stored"}


def test_a_run_is_looked_into() -> None:
    source = '//@version=6\nindicator("a")\naverage = ta.sma(close, 3)\nabove = close > average\nplot(average)\n'
    told = use("pine_inspect", source=source, bars=30, bar=1, names=["average", "above"])
    assert told["bar"] == 1 and told["stopped"] is None and told["dropped"] == []
    assert [one["name"] for one in told["names"]] == ["average", "above"]
    assert "nothing" in refused("pine_inspect", source=source, names=["nothing"])
    why = use("pine_why", source=source, bars=30, bar=1, expression="average")
    assert why["value"] is None and "na" in " ".join(why["reasons"])
    assert any("ta.sma" in one["text"] for one in why["parts"])
    inside = source + "twice(float x) =>\n    doubled = x * 2\n    doubled\nplot(twice(close) + twice(open))\n"
    why = use("pine_why", source=inside, bars=30, bar=1, expression="doubled", line=7, call="twice(close)")
    assert why["note"].startswith("line 7 ran once on this bar in the call 'twice(close)'") and why["value"] > 0
    assert "line" in refused("pine_why", source=inside, expression="close", iteration=2)


def test_a_script_is_profiled() -> None:
    source = '//@version=6\nindicator("a")\nt = 0.0\nfor k = 0 to 9\n    t += close\nplot(t)\n'
    told = use("pine_profile", source=source, bars=30)
    assert {one["line"]: one["runs"] for one in told["lines"]}[5] == 300
    assert told["stopped"] is None and told["whole_ms"] > 0
    assert {"name": "plots", "count": 1, "limit": 64, "lines": [6], "note": ""} in told["weights"]


def test_a_strategy_is_back_tested() -> None:
    source = """//@version=6
strategy("a", initial_capital = 50000)
if bar_index % 10 == 0
    strategy.entry("L", strategy.long)
if bar_index % 10 == 5
    strategy.close("L")
"""
    tested = use("pine_backtest", source=source, bars=50, last=2)
    assert (tested["bars"], tested["trade_count"], len(tested["trades"])) == (50, 5, 2)
    assert tested["report"]["initial_capital"] == 50_000
    assert tested["report"]["trades"] == 5
    dearer = use("pine_backtest", source=source, bars=50, properties={"commission_value": 1})
    assert dearer["report"]["commission_paid"] > 0
    assert "slipage" in refused("pine_backtest", source=source, properties={"slipage": 1})
    assert "not a strategy" in refused("pine_backtest", source='//@version=6\nindicator("a")\nplot(close)\n')


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ('request.security("NASDAQ:AAPL", "1", close)', "NASDAQ:AAPL in 1 minute is not among the given bars (line 3)"),
        ("ta.sma(close, 90)", "ta.sma(close, 90) on line 3 has no value on any of the 60 bars: it needs 90"),
        ("close / (high - high)", "close / (high - high) on line 3 is na where it divides by 0, on 60 of 60 bars"),
    ],
)
def test_run_says_why_a_plot_has_no_value(expression: str, reason: str) -> None:
    source = f'//@version=6\nindicator("a")\nplot({expression}, "Empty")\nplot(close, "Full")\n'
    found = use("pine_run", source=source, bars=60)
    assert found["why_na"] == {"Empty": [reason]}
    assert "why_na" not in use("pine_run", source=CLEAN, bars=60)


def test_templates_are_listed_found_and_read() -> None:
    every = use("template_list")
    assert every["count"] == len(every["templates"]) > 10
    assert {each["kind"] for each in use("template_list", kind="library")["templates"]} == {"library"}
    assert use("template_search", query="ema ribbon")["templates"][0]["name"] == "ema_ribbon"
    assert use("template_get", name="ema-ribbon")["source"].startswith("//@version=6")
    assert "no template" in refused("template_get", name="nothing")


def test_check_asks_the_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said = {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 4}, "message": "Said so"}
    body = {"success": True, "result": {"errors": [said], "warnings": []}}
    with Service(body) as service:
        monkeypatch.setenv("PINEBENCH_ONLINE_URL", service.address)
        found = use("pine_check", source=f"{CLEAN}// {tmp_path}\n")
    assert (found["compiled"], found["error_count"], found["origin"]) == (False, 1, "online")
    assert (found["errors"][0]["line"], found["errors"][0]["message"]) == (2, "Said so")


OLD = (
    '//@version=5\nstudy("x")\nplot(clos)\nfoo(1)',
    '//@version=4\nstudy("x")\nplot(clos)',
    '//@version=5\nstrategy("x")',
)
TELLING = ("pine_analyze", "pine_fix", "pine_lint")
REFUSING = ("pine_format", "pine_parameters", "pine_audit_strategy", "pine_repaint_check", "pine_run", "pine_backtest")


def test_a_script_that_was_not_checked_never_passes() -> None:
    for source in OLD:
        version = source[11]
        for name in TELLING:
            result = call(ChartBrowser(port=9), name, {"source": source})
            assert result["success"] and result.get("passes_check") is None, name
            assert f"Pine v{version} and was not checked" in str(result), name
        for name in REFUSING:
            result = call(ChartBrowser(port=9), name, {"source": source})
            assert not result["success"] and f"Pine v{version}" in result["error"], (name, result)
            assert "migrate" in result["hint"], name
    unread = find("PB0003")
    assert unread is not None
    result = call(ChartBrowser(port=9), "pine_analyze", {"source": unread.bad})
    assert "PB0003" in [each["code"] for each in result["diagnostics"]] and not result["passes_check"]


def test_every_rule_is_explained_with_its_cure_and_scripts() -> None:
    from pinebench.codes import opinion_codes

    for code in opinion_codes():
        told = call(ChartBrowser(port=9), "pine_explain", {"name": code})
        assert len(told["text"]) > 40, code
        assert told["bad"].startswith("//@version=6\n") and told["good"].startswith("//@version=6\n"), code
    assert call(ChartBrowser(port=9), "pine_explain", {"name": "supertrend"})["name"] == "ta.supertrend"
