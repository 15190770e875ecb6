"""The studio as a function from request to response: page, bars, scripts, checker. It opens no socket."""

from __future__ import annotations

import json
import os
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from pinebench import __version__, decoding
from pinebench.broker import checked_properties
from pinebench.calendars import spreads
from pinebench.calendars.timeframes import Timeframe, timeframe
from pinebench.context import Engine
from pinebench.errors import PinebenchError
from pinebench.market import bar_choice, samples
from pinebench.studio import csv_exports, documents, inspector_answers, portfolio
from pinebench.studio.alerts import AlertRoutes
from pinebench.studio.assets import Assets
from pinebench.studio.bars import ChartBars, StudioBars, averaged
from pinebench.studio.compile import LARGEST_BODY, LONGEST_SOURCE, compile_source, markers, meta_info
from pinebench.studio.editor_answers import EditorAnswers
from pinebench.studio.engine_tools import EngineTools
from pinebench.studio.facade import Facade
from pinebench.studio.indicators import indicators_json
from pinebench.studio.inputs import definitions
from pinebench.studio.language_words import words_json
from pinebench.studio.optimizer_runs import MOST, Optimizations
from pinebench.studio.outcome import page
from pinebench.studio.own import LARGEST_FILE, OwnSeries
from pinebench.studio.pictures import SVG, NoPicture, Pictures, digest_of
from pinebench.studio.program_routes import Driver
from pinebench.studio.resolutions import parse_resolution
from pinebench.studio.script_runs import Runs, StrategySettings, request_of_page, shared
from pinebench.studio.scripts import SAMPLE, NameTaken, ScriptStore
from pinebench.studio.watchlists import Watchlists
from pinebench.studio.web import JSON, BadRequest, Response, Routes, StudioRequest, json_response, refusal
from pinebench.workers.request import Request as RunRequest

_DOCUMENTS = ("layouts", "watchlist")
_RUN = {
    "source": str,
    "symbol": str,
    "resolution": str,
    "count": int,
    "until": (int, None),
    "inputs": {str: (str, int, float, bool)},
    "study?": str,
    "properties?": {str: (str, int, float, bool)},
    "look?": {"heikinAshi": bool, "dark": bool},
}
"""The shape of the page's request to run a script. `inputs` are values by the id of the input, or by its variable.
`study` names the study for which the script runs. `properties` replace arguments of a strategy's declaration."""
_OPTIMIZE = {**_RUN, "ranges": {str: ([(str, int, float, bool)], str)}, "metric": str, "most": int, "holdout": float}
"""The shape of the page's request to optimize a strategy. `ranges` has the values of each varied input by its id: a
list, or a string `from:to:step`. `most` combinations are tried, and the share `holdout` of the bars is held back."""
_PORTFOLIO = {
    "members": [
        {
            "name": str,
            "source": str,
            "symbol": str,
            "resolution": str,
            "inputs": {str: (str, int, float, bool)},
            "properties": {str: (str, int, float, bool)},
        }
    ],
    "count": int,
    "until": (int, None),
    "study": str,
    "trading": {str: (str, int, float, bool)},
    "shared": bool,
    "look?": {"heikinAshi": bool, "dark": bool},
}
"""The shape of the page's request to run a portfolio. `trading` replaces properties of all strategies, and `study` is
the name by which it is stopped."""
_PLAIN = {"heikinAshi": False, "dark": False}
"""The look of a chart if a request does not name it."""
_INSPECTIONS: dict[str, tuple[Callable[..., bytes], dict[str, Any], tuple[str, ...]]] = {
    "values": (inspector_answers.values, {"first": int, "last": int}, ("shown",)),
    "hits": (inspector_answers.hits, {"line": int, "condition": str}, ()),
    "why": (inspector_answers.why, {"expression": str, "time": int, "line": int, "call": str}, ()),
    "order": (inspector_answers.order, {"order": str, "time": int}, ()),
}
"""The questions of the inspector: the function that answers, the shape of the fields in addition to a run's, and what
else the answer needs. Times are in milliseconds UTC."""
_DEFAULT_BARS = 500
_SPREADS = "'pinebench chart' draws it from the bars of its symbols, and a script reads it with request.security()"

_FIRST_SCRIPT = """//@version=6
indicator("Trend ribbon", overlay = true)

// Two averages and the ground between them: a calm first look at any market.
int fastLength = input.int(21, "Fast length", minval = 1)
int slowLength = input.int(55, "Slow length", minval = 1)

float fast = ta.ema(close, fastLength)
float slow = ta.ema(close, slowLength)
bool rising = fast > slow

color tone = rising ? color.teal : color.maroon
fastPlot = plot(fast, "Fast", tone, 2)
slowPlot = plot(slow, "Slow", color.new(tone, 40))
fill(fastPlot, slowPlot, color.new(tone, 85), "Ground")

alertcondition(ta.crossover(fast, slow), "Turned up", "The fast average rose above the slow one")
"""

_FIRST_DOCUMENTS: dict[str, object] = {
    "layouts": [
        {
            "id": 48213377,
            "url": "Kq3vTn8e",
            "name": "Morning desk",
            "symbol": "NASDAQ:AAPL",
            "resolution": "1D",
            "modified": 1793404800,
        },
        {
            "id": 48219064,
            "url": "Zp7wLc2r",
            "name": "Crypto hours",
            "symbol": "BINANCE:BTCUSDT",
            "resolution": "60",
            "modified": 1793318400,
        },
    ],
    "watchlist": ["NASDAQ:AAPL", "NASDAQ:MSFT", "NASDAQ:NVDA", "AMEX:SPY", "BINANCE:BTCUSDT", "OANDA:EURUSD"],
    "alerts": [],
}


class Studio:
    """The application that serves the page; `handle` may be called from any thread."""

    def __init__(
        self,
        store: ScriptStore | None = None,
        bars: Path | None = None,
        assets: Assets | None = None,
        runs: Runs | None = None,
        kept: Path | None = None,
        engine: Engine | None = None,
        folders: tuple[str, ...] = (),
    ) -> None:
        """Set up a studio with `store` (None: in memory) and the files of the folder `bars`.

        A new store gets some example contents. Files that a person opens in the page are copied to the folder `kept`;
        None keeps them only while the studio runs. `runs` runs the scripts; by default, all studios of this process
        share one. `engine` is the trading engine of this process, None without one. `folders` may hold the source of
        local libraries.

        Raises UnavailableError if the page is not built, and UsageError for unreadable files of bars.
        """
        self.store = store or ScriptStore()
        self.ready = threading.Event()
        self._run_id = uuid.uuid4().hex
        self._folders = tuple(map(os.path.abspath, folders))  # workers may be in another current folder
        self.facade = Facade(self.store, self._folders)
        self._assets = assets or Assets()
        self._market = StudioBars(bars, kept)
        self.driver = Driver()
        self._editing = EditorAnswers()
        self._runs = runs or shared()
        self._pictures = Pictures()
        self._tools = EngineTools(engine)
        self._optimizations = Optimizations()
        self._routes = self._make_routes()
        self._furnish()

    def handle(self, request: StudioRequest) -> Response:
        """Answer one request."""
        return self._routes.answer(request)

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        """Return a response that refuses `request` before its body (`length` bytes) is read; None if it may be read."""
        return self._routes.refusal(request, length)

    def _make_routes(self) -> Routes:
        """The table of routes. Open routes are the page's own code, and data that TradingView shows to visitors too."""
        routes = Routes()
        add, api = routes.add, "/studio/api/"
        add("GET", "/", lambda _: Response(302, b"", "text/plain", {"Location": "/chart/"}), open=True)
        add("GET", "/chart(?:/[A-Za-z0-9]*)?/?", lambda _: self._assets.page())
        add(
            "GET",
            r"/studio/assets/([A-Za-z0-9_.-]+)",
            lambda request: self._assets.file(request.groups[0], request),
            open=True,
        )
        add("GET", api + "health", self._health, open=True)
        add("POST", api + "ready", self._page_ready)
        add("GET", api + "symbols", self._symbols, open=True)
        add("GET", api + "bars", self._bars, open=True)
        add("GET", api + "words", lambda _: Response(200, words_json(), JSON), open=True)
        add("GET", api + "indicators", lambda _: Response(200, indicators_json(), JSON), open=True)
        add("GET", api + "templates", lambda _: Response(200, _templates_json(), JSON))
        add("GET", api + "pictures/(indicator|template|script)/(.{1,200})", self._picture)
        add("POST", api + "check", self._check, largest=LARGEST_BODY)
        add("POST", api + "editor/([a-z]+)", self._editing.answer, largest=LARGEST_BODY)
        add("POST", api + "run", self._run, largest=LARGEST_BODY)
        add("POST", api + f"inspect/({'|'.join(_INSPECTIONS)})", self._inspect, largest=LARGEST_BODY)
        add("POST", api + "stop", self._stop)
        add("POST", api + "optimize", self._optimize, largest=LARGEST_BODY)
        add("GET", api + "optimize/([0-9]{1,9})", self._optimized)
        add("POST", api + "optimize/([0-9]{1,9})/stop", self._stop_optimization)
        add("POST", api + "portfolio", self._portfolio, largest=LARGEST_BODY)
        add("POST", api + "exports/trades", self._export_trades, largest=csv_exports.LARGEST_BODY)
        add("POST", api + "exports/table", self._export_table, largest=csv_exports.LARGEST_BODY)
        add("POST", api + "data", self._take_file, largest=LARGEST_FILE)
        add("POST", api + "data/exchange", self._fetch)
        add("GET", api + "documents/([a-z]+)", self._get_document)
        add("PUT", api + "documents/([a-z]+)", self._put_document, largest=documents.LARGEST_BODY)
        add("POST", api + "documents/([a-z]+)", self._replace_document, largest=2 * documents.LARGEST_BODY)
        add("GET", api + "drafts", self._list_drafts)
        add("GET", api + "drafts/([a-z0-9]{1,40})", self._get_draft)
        add("PUT", api + "drafts/([a-z0-9]{1,40})", self._put_draft, largest=LARGEST_BODY)
        add("PUT", api + "desks/([a-z0-9]{1,40})", self._put_desk, largest=documents.LARGEST_BODY)
        add("POST", api + "desks", self._take_desk)
        add("GET", "(?:/scanner)?/symbol/?", self._quote, open=True)
        add("GET", "(?:/symbol-search)?/symbol_search/(?:v3/?)?", self._symbol_search, open=True)
        self.facade.add_to(routes)
        AlertRoutes(self.store).add_to(routes)
        Watchlists(self.store).add_to(routes)
        self.driver.add_to(routes)
        self._tools.add_to(routes)
        return routes

    def _furnish(self) -> None:
        for name, value in _FIRST_DOCUMENTS.items():
            if self.store.document(name) is None:
                if name == "layouts" and not self.store.scripts():
                    # Another studio may be furnishing the same store at this moment.
                    with suppress(NameTaken):
                        self.store.create("Trend ribbon", _FIRST_SCRIPT, "Trend ribbon", "indicator", SAMPLE)
                self.store.put_document(name, json.dumps(value))

    def _health(self, request: StudioRequest) -> Response:
        own: dict[str, object] = {}
        if not request.visitor:
            data = {"generation": self._market.generation, "problems": self._market.own.problems}
            own = {"scripts": len(self.store.scripts()), "data": data}
        return json_response({"studio": __version__, "ready": self.ready.is_set(), **own})

    def _page_ready(self, _: StudioRequest) -> Response:
        self.ready.set()
        self._runs.warm()
        return json_response({})

    def _symbols(self, request: StudioRequest) -> Response:
        found = samples.search(request.query.get("text", ""), self._known_symbols(request))
        return json_response({"symbols": [self._symbol_answer(symbol, timeframe("1D")) for symbol in found]})

    def _quote(self, request: StudioRequest) -> Response:
        """TradingView's quote service: the requested fields of the last daily bar of a symbol that is named in full."""
        wanted = request.query.get("symbol", "").upper()
        symbol = next((each for each in self._known_symbols(request) if each.full_name.upper() == wanted), None)
        if symbol is None:
            missing = {"error": "symbol_not_exists", "code": "symbol_not_exists"}
            return json_response({} if request.query.get("no_404") == "true" else missing, 200)
        bars = self._market.bars(symbol, Timeframe(1, "D"), 2)
        told: dict[str, object] = {"description": symbol.description, "exchange": symbol.exchange, "type": symbol.type}
        told |= {"currency": symbol.currency, "update_mode": "streaming"}
        if bars:
            last, before = bars[-1], bars[-2].close if len(bars) > 1 else bars[-1].open
            told |= {name: getattr(last, name) for name in ("open", "high", "low", "close")}
            told |= {"volume": last.volume if self._market.has_volume(symbol, Timeframe(1, "D")) else None}
            told |= {"change_abs": last.close - before}
            told |= {"change": (last.close - before) / abs(before) * 100 if before else None}
        fields = request.query.get("fields", "").split(",")
        return json_response({name: told.get(name) for name in fields if name})

    def _symbol_search(self, request: StudioRequest) -> Response:
        """TradingView's symbol search, with the same request and the same shape of the answer."""
        kind, exchange = (request.query.get(name, "").lower() for name in ("search_type", "exchange"))
        found = [
            {
                "symbol": symbol.ticker,
                "description": symbol.description,
                "exchange": symbol.exchange,
                "prefix": symbol.exchange,
                "type": symbol.type,
                "currency_code": symbol.currency,
            }
            for symbol in samples.search(request.query.get("text", "").rpartition(":")[2], self._known_symbols(request))
            if kind in ("", "undefined", symbol.type) and exchange in ("", symbol.exchange.lower())
        ]
        return json_response({"symbols_remaining": 0, "symbols": found})

    def _bars(self, request: StudioRequest) -> Response:
        name, text = request.query.get("symbol", ""), request.query.get("resolution", "1D")
        resolution = parse_resolution(text)
        if resolution is None:
            raise BadRequest(f"'{text}' is not a resolution; expected minutes such as 60, or 1D, 1W, 1M")
        symbol = samples.find(name, self._market.symbols)
        if request.visitor and (symbol is None or self._market.is_own(symbol)):
            return refusal()
        if symbol is None:
            if spreads.read(name, (each.full_name for each in self._market.symbols)) is not None:
                return json_response({"error": f"the studio has no chart of the spread '{name}': {_SPREADS}"}, 404)
            return json_response({"error": f"there is no symbol '{name}'"}, 404)
        count = request.query.get("count", "")
        wanted = max(1, int(count)) if count.isdecimal() and len(count) < 7 else _DEFAULT_BARS
        heikin_ashi = request.query.get("heikin_ashi") == "true"
        bars = self._market.bars(symbol, resolution, wanted + 1, heikin_ashi=heikin_ashi)
        return json_response(
            {
                "symbol": self._symbol_answer(symbol, resolution),
                "resolution": resolution.text,
                "bars": bars[-wanted:],
                "more": len(bars) > wanted,
            }
        )

    def _known_symbols(self, request: StudioRequest) -> tuple[samples.SampleSymbol, ...]:
        """The symbols that the request may see. A visitor must not learn for which symbols the owner has files."""
        return samples.SAMPLES if request.visitor else self._market.symbols

    def _symbol_answer(self, symbol: samples.SampleSymbol, resolution: Timeframe) -> dict[str, object]:
        info = self._market.info(symbol)
        return {
            "symbol": symbol.ticker,
            "full_name": symbol.full_name,
            "exchange": symbol.exchange,
            "description": symbol.description,
            "type": symbol.type,
            "currency": symbol.currency,
            "decimals": symbol.decimals,
            "timezone": info.timezone,
            "session": info.session,
            "mintick": info.mintick,
            "pointvalue": info.pointvalue,
            "base_currency": info.basecurrency,
            "own": self._market.is_own(symbol),
            "made_up": info.is_made_up,
            "read": self._market.told(symbol),
            "first_bars": self._market.first_bars(symbol),
            "has_volume": self._market.has_volume(symbol, resolution),
        }

    def _picture(self, request: StudioRequest) -> Response:
        """The small picture of an indicator, a template or a saved script; 304 if the browser has it."""
        source = self._source_of(*request.groups)
        if source is None:
            return json_response({"error": "there is no such script"}, 404)
        dark = request.query.get("dark") != "false"
        digest = digest_of(source, dark=dark)
        told = {"Cache-Control": "private, no-cache", "ETag": f'"{digest}"'}
        if digest in request.headers.get("if-none-match", ""):
            return Response(304, b"", SVG, told)
        try:
            return Response(200, self._pictures.of(source, dark=dark), SVG, told)
        except NoPicture as error:
            return json_response({"error": error.message}, 422)

    def _source_of(self, kind: str, name: str) -> str | None:
        if kind == "script":
            return self.store.source(name)
        known = indicators_json() if kind == "indicator" else _templates_json()
        return next((one["source"] for one in json.loads(known) if _name_of(one) == name), None)

    def _check(self, request: StudioRequest) -> Response:
        body = request.json()
        source = body.get("source") if isinstance(body, dict) else None
        if not isinstance(source, str) or len(source) > LONGEST_SOURCE:
            raise BadRequest(f"expected a source of at most {LONGEST_SOURCE} characters")
        compiled = compile_source(source, self._folders)
        return json_response(
            {
                "ok": compiled.ok,
                "markers": markers(compiled),
                "metaInfo": meta_info(compiled.declaration),
                "inputs": definitions(compiled.program) if compiled.ok else [],
            }
        )

    def _run(self, request: StudioRequest) -> Response:
        """Run a script on the bars of a chart, and answer with its results."""
        return self._answered(request, _RUN, page, ["shown"])

    def _export_trades(self, request: StudioRequest) -> Response:
        return json_response({"csv": csv_exports.trades_csv(_checked(request, csv_exports.TRADES))})

    def _export_table(self, request: StudioRequest) -> Response:
        return json_response({"csv": csv_exports.table_csv(_checked(request, csv_exports.TABLE))})

    def _inspect(self, request: StudioRequest) -> Response:
        """Answer a question of the inspector about the run of a script."""
        answer, shape, more = _INSPECTIONS[request.groups[0]]
        return self._answered(request, {**_RUN, **shape}, answer, [*shape, *more])

    def _answered(
        self, request: StudioRequest, shape: dict[str, Any], answer: Callable[..., bytes], names: Sequence[str]
    ) -> Response:
        """Run the script of a request, and send `answer`, which gets the fields `names` of the body. One of them may be
        `shown`: the number of bars that the chart shows."""
        told = _checked(request, shape)
        generation = self._market.generation  # before the bars, which may change meanwhile
        chart, shown, others, trading = self._asked(told)
        key = (
            self._market,
            generation,
            samples.find(told["symbol"], self._market.symbols),
            parse_resolution(told["resolution"]),
            told["count"],
            told["until"],
            told.get("look", _PLAIN)["heikinAshi"],
        )
        told["shown"] = shown
        about = {name: told[name] for name in names}
        dark = told.get("look", _PLAIN)["dark"]
        source, inputs, study = told["source"], told["inputs"], told.get("study", "")
        how = {"dark": dark, "folders": self._folders}
        ran = self._runs.ask(answer, about, source, chart, inputs, others, key, study, trading, **how)
        return Response(200, ran)

    def _asked(self, told: dict[str, Any]) -> tuple[ChartBars, int, dict[str, ChartBars], StrategySettings]:
        """The chart that a request to run a script names, the number of bars that it shows, the charts of other
        symbols, and the settings of a strategy. Raises BadRequest if there is no such chart."""
        symbol, resolution = samples.find(told["symbol"], self._market.symbols), parse_resolution(told["resolution"])
        if symbol is None or resolution is None or len(told["source"]) > LONGEST_SOURCE:
            raise BadRequest("expected a source, an existing symbol, and its resolution")
        chart, shown = self._market.whole(symbol, resolution, told["count"], told["until"])
        if told.get("look", _PLAIN)["heikinAshi"]:
            chart = averaged(chart, len(chart.bars))
        others = self._market.others(symbol, resolution) if "request." in told["source"] else {}
        return (
            chart,
            shown,
            others,
            StrategySettings(told.get("properties", {}), self._market.lower(symbol, resolution)),
        )

    def _optimize(self, request: StudioRequest) -> Response:
        """Begin to optimize the strategy on the bars of a chart, and answer with its number and its progress."""
        told = _checked(request, _OPTIMIZE)
        chart, _, others, trading = self._asked(told)
        if not 1 <= told["most"] <= MOST:
            raise BadRequest(f"most: expected a number from 1 to {MOST}")
        fixed = {name: value for name, value in told["inputs"].items() if name not in told["ranges"]}
        dark = told.get("look", _PLAIN)["dark"]
        asked = request_of_page(told["source"], chart, fixed, others, trading, dark=dark, folders=self._folders)
        try:
            begun = self._optimizations.begin(asked, told["ranges"], told["metric"], told["most"], told["holdout"])
        except PinebenchError as error:
            return json_response({"error": error.message, "hint": error.hint}, 422)
        return json_response(begun)

    def _portfolio(self, request: StudioRequest) -> Response:
        """Run several strategies in one account on all bars of their symbols, and answer with the report."""
        told = _checked(request, _PORTFOLIO)
        dark = told.get("look", _PLAIN)["dark"]
        asked: list[tuple[str, RunRequest]] = []
        for one in told["members"]:
            chart, _, others, trading = self._asked({**told, **one})
            how = {"dark": dark, "folders": self._folders}
            run = request_of_page(one["source"], chart, one["inputs"], others, trading, **how)
            asked.append((one["name"], run))
        try:
            members = portfolio.members_of(asked, checked_properties(told["trading"]), shared=told["shared"])
            found = self._runs.work(told["study"], lambda context: portfolio.run(members, context))
        except PinebenchError as error:
            words = error.message if error.hint is None else f"{error.message}; {error.hint}"
            return json_response({"error": words}, 422)
        return json_response(found)

    def _optimized(self, request: StudioRequest) -> Response:
        """The progress of an optimization, and its results when it is finished."""
        found = self._optimizations.find(int(request.groups[0]))
        if found is None:
            return json_response({"error": "this optimization no longer exists"}, 404)
        return json_response(found.told())

    def _stop_optimization(self, request: StudioRequest) -> Response:
        """Stop an optimization; the runs that are done are its results."""
        found = self._optimizations.find(int(request.groups[0]))
        if found is not None:
            found.stop()
        return json_response({})

    def _take_file(self, request: StudioRequest) -> Response:
        """Take the file in the body as bars for the chart, under the `name` in the query."""
        return self._taken(lambda: self._market.own.take(request.query.get("name", ""), request.body))

    def _fetch(self, request: StudioRequest) -> Response:
        """Fetch bars from the web for the chart: `{"name": "ccxt:EXCHANGE:SYMBOL:TIMEFRAME"}`, or a feed's."""
        asked = request.json()
        name = asked.get("name") if isinstance(asked, dict) else None
        if not isinstance(name, str) or not bar_choice.is_of_the_web(name):
            raise BadRequest("expected a name such as binance:BTCUSDT:15m")
        return self._taken(lambda: self._market.own.fetch(name))

    def _taken(self, take: Callable[[], OwnSeries]) -> Response:
        try:
            series = take()
        except PinebenchError as error:
            told = error.message if error.hint is None else f"{error.message}; {error.hint}"
            return json_response({"error": told}, 422)
        return json_response({"symbol": series.name, "resolution": series.timeframe.text, "bars": len(series.bars)})

    def _stop(self, request: StudioRequest) -> Response:
        """End the run of a study, if one is going on."""
        asked = request.json()
        study = asked.get("study") if isinstance(asked, dict) else None
        if not isinstance(study, str):
            raise BadRequest("expected the name of a study")
        self._runs.stop(study)
        return json_response({})

    def _get_document(self, request: StudioRequest) -> Response:
        try:
            value = documents.read(self.store, request.groups[0]) if request.groups[0] in _DOCUMENTS else None
        except documents.DamagedDocument as error:
            return json_response({"error": str(error)}, 500)
        return json_response({"error": "no such document"}, 404) if value is None else json_response(value)

    def _put_document(self, request: StudioRequest) -> Response:
        if request.groups[0] not in _DOCUMENTS:
            raise BadRequest("no such document")
        documents.write(self.store, request.groups[0], request.json())
        return json_response({})

    def _replace_document(self, request: StudioRequest) -> Response:
        """Keep a document in place of the expected one, so that nothing that was saved meanwhile is lost."""
        if request.groups[0] not in _DOCUMENTS:
            raise BadRequest("no such document")
        asked = request.json()
        if not isinstance(asked, dict) or not {"expected", "value"} <= asked.keys():
            raise BadRequest("expected a document and the document that it replaces")
        try:
            done = documents.replace(self.store, request.groups[0], asked["expected"], asked["value"])
        except documents.DamagedDocument as error:
            return json_response({"error": str(error)}, 500)
        return (
            json_response({})
            if done
            else json_response({"error": f"the {request.groups[0]} changed in the meantime"}, 409)
        )

    def _list_drafts(self, _: StudioRequest) -> Response:
        """List the drafts without their texts, which may be large."""
        return json_response(
            [
                {
                    **{name: value for name, value in draft.items() if name != "text"},
                    "lines": draft["text"].count("\n") + 1,
                }
                for draft in documents.drafts(self.store)
            ]
        )

    def _get_draft(self, request: StudioRequest) -> Response:
        draft = next((draft for draft in documents.drafts(self.store) if draft["page"] == request.groups[0]), None)
        return json_response({"error": "no such draft"}, 404) if draft is None else json_response(draft)

    def _put_draft(self, request: StudioRequest) -> Response:
        documents.write_draft(self.store, request.groups[0], request.json())
        return json_response({})

    def _put_desk(self, request: StudioRequest) -> Response:
        documents.write_desk(self.store, request.groups[0], self._run_id, request.json())
        return json_response({})

    def _take_desk(self, request: StudioRequest) -> Response:
        """Give the page the charts that a page of an ended studio left open, or null."""
        layout = _checked(request, {"layout": str})["layout"]
        return json_response(documents.take_desk(self.store, self._run_id, layout or None))


def _checked(request: StudioRequest, shape: Any) -> dict[str, Any]:
    """The body of a request. Raises BadRequest if it does not have the shape."""
    asked = request.json()
    try:
        decoding.check(asked, shape, "the body")
    except decoding.MalformedDocument as error:
        raise BadRequest(str(error)) from None
    return asked  # pyright: ignore[reportReturnType]


def _name_of(entry: dict[str, Any]) -> str:
    """The name of an indicator or a template in the list."""
    return entry["name"] if "name" in entry else entry["metaInfo"]["description"]


@cache
def _templates_json() -> bytes:
    """The templates that the page's list of indicators offers, as JSON."""
    from pinebench.authoring.catalogue import templates

    told = [
        {"name": one.name, "title": one.title, "kind": one.kind, "source": one.source}
        for one in templates()
        if one.kind != "library"
    ]
    return json_response(told).body
