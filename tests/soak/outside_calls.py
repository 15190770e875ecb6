# ruff: noqa: E501 - each expression of JavaScript is one line
"""The calls of a client that was written for TradingView's page, each as JavaScript that is true if it succeeded.

They follow the contract of the page: its objects, nodes and services. `$` in an expression stands for the active chart.
"""

import re
from typing import NamedTuple

CHART = "TradingViewApi._activeChartWidgetWV.value()"
_WIDGET = "$._chartWidget"
_MODEL = f"{_WIDGET}.model()"
_BARS = f"{_MODEL}.mainSeries().bars()"
_SOURCES = f"{_MODEL}.model().dataSources()"
_FIND = """(() => {
  let node = document.querySelector('.monaco-editor.pine-editor-monaco'), key;
  for (let i = 0; i < 20 && node; i++, node = node.parentElement) {
    key = Object.keys(node).find((name) => name.startsWith('__reactFiber$'));
    if (key) break;
  }
  for (let fiber = node?.[key], i = 0; fiber && i < 15; i++, fiber = fiber.return) {
    const env = fiber.memoizedProps?.value?.monacoEnv;
    if (env?.editor?.getEditors?.().length > 0) return { editor: env.editor.getEditors()[0], env };
  }
  return null;
})()"""
_SETTLED = "await new Promise((done) => setTimeout(done, 120));"
_DONE = "while (!$.dataReady() || document.querySelector('[data-name=\"loading\"]')) {" + _SETTLED + "}"
_SOURCE = "//@version=6\\nindicator('Outside', overlay = true)\\nplot(ta.sma(close, 5), 'Mean')\\n"
_STRATEGY = (
    "//@version=6\\nstrategy('Outside strategy', overlay = true)\\n"
    "if ta.crossover(ta.sma(close, 5), ta.sma(close, 9))\\n    strategy.entry('L', strategy.long)\\n"
    "if ta.crossunder(ta.sma(close, 5), ta.sma(close, 9))\\n    strategy.close('L')\\n"
)


class Call(NamedTuple):
    """One call: its name, and an expression that is true on the page if the call succeeded."""

    name: str
    expression: str


def _wait(expression: str) -> str:
    """Wait on the page, at most 20 seconds, until an expression is true."""
    return (
        "(async () => { for (let i = 0; i < 200; i++) {"
        f" try {{ if (await ({expression})) return true; }} catch {{}}"
        " await new Promise((done) => setTimeout(done, 100)); } return false; })()"
    )


def _steps(body: str) -> str:
    return f"(async () => {{ {body} }})()"


def _symbols() -> list[Call]:
    """The chart's symbol, interval and type; each change is read back."""
    found = []
    for symbol in ("NASDAQ:MSFT", "BINANCE:BTCUSDT", "AMEX:SPY", "NASDAQ:AAPL"):
        legend = "document.querySelector('[data-name=\"legend-source-title\"]').textContent"
        found.append(
            Call(
                f"set symbol {symbol}",
                _steps(f"$.setSymbol('{symbol}', {{}}); {_DONE} return $.symbol() === '{symbol}';"),
            )
        )
        found.append(Call(f"legend of {symbol}", _wait(f"{legend} === '{symbol}'")))
        found.append(Call(f"bars of {symbol}", f"{_BARS}.size() > 100"))
    for resolution, told in (("60", "60"), ("D", "1D"), ("1W", "1W"), ("1D", "1D")):
        change = f"$.setResolution('{resolution}', {{}}); {_DONE} return $.resolution() === '{told}';"
        found.append(Call(f"set interval {resolution}", _steps(change)))
    for number in (0, 1, 2, 3, 8, 9, 1):
        found.append(
            Call(
                f"set chart type {number}",
                _steps(f"$.setChartType({number}); {_DONE} return $.chartType() === {number};"),
            )
        )
    both = f"$.setSymbol('NASDAQ:NVDA', {{}}); $.setResolution('60', {{}}); {_DONE} return $.symbol() + $.resolution() === 'NASDAQ:NVDA60';"
    back = f"$.setSymbol('NASDAQ:AAPL', {{}}); $.setResolution('1D', {{}}); {_DONE} return $.resolution() === '1D';"
    found += [Call("symbol and interval at once", _steps(both)), Call("back at once", _steps(back))]
    for name in ("symbol", "full_name", "exchange", "description", "type"):
        found.append(Call(f"symbol information: {name}", f"typeof $.symbolExt().{name} === 'string'"))
    return found


def _data() -> list[Call]:
    """Bars, the visible range and exports."""
    return [
        Call("first and last index", f"{_BARS}.lastIndex() > {_BARS}.firstIndex()"),
        Call("a bar has six numbers", f"{_BARS}.valueAt({_BARS}.lastIndex()).slice(0, 6).every(Number.isFinite)"),
        Call("no bar after the last", f"{_BARS}.valueAt({_BARS}.lastIndex() + 1) === null"),
        Call("bars can be serialised", f"JSON.stringify({_BARS}.valueAt({_BARS}.lastIndex())).length > 10"),
        Call("visible range", "$.getVisibleRange().to > $.getVisibleRange().from"),
        Call("visible bars", "$.getVisibleBarsRange().to > $.getVisibleBarsRange().from"),
        Call(
            "zoom",
            _steps(
                f"{_MODEL}.timeScale().zoomToBarsRange(100, 160); {_SETTLED} return $.getVisibleBarsRange() !== null;"
            ),
        ),
        Call("export", "$.exportData({includedStudies: []}).then(({data}) => data.length > 100)"),
        Call(
            "export of times",
            "$.exportData({includeTime: true, includedStudies: []}).then(({data}) => data.at(-1)[0] > 1e9)",
        ),
        Call("the series' symbol", f"{_MODEL}.mainSeries().symbol() === $.symbol()"),
        Call("the series' interval", f"{_MODEL}.mainSeries().interval() === $.resolution()"),
        Call("the chart's element", f"{_WIDGET}._mainDiv instanceof HTMLElement"),
        Call("the same widget each time", f"{_WIDGET} === TradingViewApi._chartWidgetCollection.getAll()[0]"),
        Call("the data is ready", "$.dataReady() === true"),
        Call("volume of the last bar", f"{_BARS}.valueAt({_BARS}.lastIndex())[5] >= 0"),
        Call(
            "bars in the order of time",
            f"{_BARS}.valueAt({_BARS}.lastIndex())[0] > {_BARS}.valueAt({_BARS}.firstIndex())[0]",
        ),
        Call(
            "quote of the last bar",
            f"(([, o, h, l, c]) => h >= Math.max(o, c) && l <= Math.min(o, c))({_BARS}.valueAt({_BARS}.lastIndex()))",
        ),
    ]


def _studies() -> list[Call]:
    """Studies of the list: each is added and found, then one is read, changed, hidden and removed."""
    names = (
        "Moving Average Simple",
        "Moving Average Exponential",
        "Bollinger Bands",
        "Relative Strength Index",
        "MACD",
        "Volume",
        "Average True Range",
        "Stochastic",
        "Supertrend",
        "VWAP",
    )
    found = [
        Call(
            f"add {name}",
            f"$.createStudy('{name}', false, false).then((id) => $.getAllStudies().some((one) => one.id === id))",
        )
        for name in names
    ]
    study, last = "$.getStudyById($.getAllStudies()[0].id)", f"{_SOURCES}[0]"
    return [
        *found,
        Call("studies are listed", f"$.getAllStudies().length === {len(names)}"),
        Call("names of studies", "$.getAllStudies().every(({id, name}) => id && typeof name === 'string')"),
        Call("a study by its id", f"typeof {study}.isVisible === 'function'"),
        Call("no study by another id", _steps("try { return !$.getStudyById('nothing'); } catch { return true; }")),
        Call("inputs", f"{study}.getInputValues().every((one) => 'id' in one && 'value' in one)"),
        Call(
            "set an input",
            _steps(
                f"const id = {study}.getInputValues().find(({{value}}) => typeof value === 'number').id; {study}.setInputValues([{{id, value: 33}}]); return {study}.getInputValues().find((one) => one.id === id).value === 33;"
            ),
        ),
        Call("hide", _steps(f"{study}.setVisible(false); return {study}.isVisible() === false;")),
        Call("show", _steps(f"{study}.setVisible(true); return {study}.isVisible() === true;")),
        Call("its source", f"{_SOURCES}.length >= {len(names)}"),
        Call("its description", f"{last}.metaInfo().description === 'Moving Average Simple'"),
        Call("its short name", f"{last}.metaInfo().shortDescription.length > 0"),
        Call("whether it is on the prices", f"{last}.metaInfo().is_price_study === true"),
        Call(
            "rows of the data window",
            _wait(f"{last}.dataWindowView().items().some(({{_title, _value}}) => _title && /\\d/.test(_value))"),
        ),
        Call("values of all bars", _wait(f"{last}.data().size() > 100")),
        Call("last values", f"Object.values({last}._lastBarValues).every(Number.isFinite)"),
        Call("not failed", f"{last}.isFailed() === false"),
        Call(
            "remove",
            _steps(
                "const [{id}] = $.getAllStudies(); $.removeEntity(id); return !$.getAllStudies().some((one) => one.id === id);"
            ),
        ),
        Call("remove all", _steps("$.removeAllStudies(); return $.getAllStudies().length === 0;")),
        Call(
            "an unknown study is refused", "$.createStudy('No such study', false, false).then((id) => !id, () => true)"
        ),
    ]


def _drawings() -> list[Call]:
    """Each kind of drawing is made and read back."""
    one = ("horizontal_line", "vertical_line", "text", "arrow_up", "flag")
    two = ("trend_line", "ray", "rectangle", "fib_retracement", "date_and_price_range", "long_position")
    place = f"((i) => (({{0: time, 4: price}}) => ({{time, price}}))({_BARS}.valueAt({_BARS}.lastIndex() - i)))"
    found = []
    for kind in one:
        made = f"$.createShape({place}(9), {{shape: '{kind}', text: 'x', overrides: {{linecolor: '#ff0000'}}}})"
        found.append(
            Call(f"draw {kind}", _steps(f"await {made}; {_SETTLED} return $.getAllShapes().at(-1).name === '{kind}';"))
        )
    for kind in two:
        made = f"$.createMultipointShape([{place}(30), {place}(9)], {{shape: '{kind}'}})"
        found.append(
            Call(f"draw {kind}", _steps(f"await {made}; {_SETTLED} return $.getAllShapes().at(-1).name === '{kind}';"))
        )
    shape = "$.getShapeById($.getAllShapes()[0].id)"
    return [
        *found,
        Call("ids of drawings", "new Set($.getAllShapes().map(({id}) => id)).size === $.getAllShapes().length"),
        Call("points of a drawing", f"{shape}.getPoints().length === 1"),
        Call("properties of a drawing", f"{shape}.getProperties().linecolor === '#ff0000'"),
        Call("a drawing is visible", f"{shape}.isVisible() === true"),
        Call("a drawing is not locked", f"{shape}.isLocked() === false"),
        Call("a drawing can be selected", f"{shape}.isSelectionEnabled() === true"),
        Call(
            "remove a drawing",
            _steps(
                "const [{id}] = $.getAllShapes(); $.removeEntity(id); return !$.getAllShapes().some((one) => one.id === id);"
            ),
        ),
        Call("remove all drawings", _steps("$.removeAllShapes(); return $.getAllShapes().length === 0;")),
    ]


def _editor() -> list[Call]:
    """The editor is opened, found through React's fibres, written and compiled."""
    press = "[...document.querySelectorAll('button')].find((one) => /^(add to chart|update on chart)$/i.test(one.textContent.trim())).click()"
    markers = f"((found) => found.env.editor.getModelMarkers({{resource: found.editor.getModel().uri}}))({_FIND})"
    write = 'const {editor} = %s; editor.setValue("%s");'
    return [
        Call(
            "activate the editor's tab", _steps("TradingView.bottomWidgetBar.activateScriptEditorTab(); return true;")
        ),
        Call("click the editor's tab", "(document.querySelector('[aria-label=\"Pine\"]').click(), true)"),
        Call("find the editor", _wait(f"{_FIND} !== null")),
        Call("the editor has a text area", "document.querySelector('.pine-editor-monaco textarea') !== null"),
        Call("read the source", f"{_FIND}.editor.getValue().length > 0"),
        Call("count the lines", f"{_FIND}.editor.getModel().getLineCount() > 1"),
        Call("write the source", _steps(f"{write % (_FIND, _SOURCE)} return editor.getValue().includes('Outside');")),
        Call("press the button", _wait(f"({press}, true)")),
        Call("the script is on the chart", _wait("$.getAllStudies().some(({name}) => name === 'Outside')")),
        Call("its values", _wait(f"{_SOURCES}.find((one) => one.name() === 'Outside').data().size() > 100")),
        Call("no markers", _wait(f"{markers}.filter((one) => one.severity === 8).length === 0")),
        Call(
            "write an error",
            _steps(
                f"{write % (_FIND, '//@version=6 ' + chr(92) + 'nindicator(1' + chr(92) + 'nplot(zzz)')} return true;"
            ),
        ),
        Call(
            "a marker of the error",
            _wait(f"{markers}.some((one) => one.severity === 8 && one.startLineNumber > 0 && one.message)"),
        ),
        Call("the console says so", _steps(f"{press}; {_SETTLED} return true;")),
        Call(
            "rows of the console",
            _wait(
                "[...document.querySelectorAll('[class*=\"consoleRow\"]')].some((one) => /^\\d\\d:\\d\\d/.test(one.textContent))"
            ),
        ),
        Call(
            "write a strategy",
            _steps(f"{write % (_FIND, _STRATEGY)} return editor.getValue().includes('strategy.entry');"),
        ),
        Call("add the strategy", _wait(f"({press}, true)")),
        Call("the strategy is on the chart", _wait(f"{_SOURCES}.some((one) => one.metaInfo().isTVScriptStrategy)")),
        Call(
            "its report",
            _wait(
                f"((of) => of.reportData().performance.all.totalTrades > 3)({_SOURCES}.find((one) => one.metaInfo().isTVScriptStrategy))"
            ),
        ),
        Call(
            "its trades",
            f"((of) => of.reportData().trades.length > 3)({_SOURCES}.find((one) => one.metaInfo().isTVScriptStrategy))",
        ),
        Call(
            "its orders",
            f"((of) => [of.ordersData?.() ?? of.reportData().filledOrders].flat().length > 0)({_SOURCES}.find((one) => one.metaInfo().isTVScriptStrategy))",
        ),
        Call("the tester's panel", _steps("TradingView.bottomWidgetBar.showWidget('backtesting'); return true;")),
        Call("node of the tester", _wait("document.querySelector('[data-name=\"backtesting\"]') !== null")),
        Call("figures in the tester", _wait("document.querySelectorAll('[class*=\"reportItem\"]').length > 3")),
        Call("back to the editor", _steps("TradingView.bottomWidgetBar.showWidget('pine-editor'); return true;")),
        Call("the editor by its test API", "typeof TradingViewApi.pineEditorTestApi().openEditor === 'function'"),
        Call(
            "set the text by its test API",
            _steps(
                "await TradingViewApi.pineEditorTestApi().openEditor(); TradingViewApi.pineEditorTestApi().setEditorText('//@version=6'); return true;"
            ),
        ),
        Call("the text is there", _wait(f"{_FIND}.editor.getValue() === '//@version=6'")),
    ]


def _page() -> list[Call]:
    """Nodes that a client looks for, and panels that it opens."""
    nodes = (
        '[data-name="pane-canvas"]',
        '[class*="chart-container"]',
        '[data-name="legend-source-title"]',
        '[class*="bar"]',
        '[class*="layout__area--bottom"]',
        '[class*="layout__area--right"]',
        '[class*="bottom-widgetbar-content"]',
        '[data-name="widgetbar-wrap"]',
        '[data-name="base-watchlist-widget-button"]',
        '[data-name="header-toolbar-fullscreen"]',
        "#header-toolbar-alerts",
        '[aria-label="Change symbol"]',
        '[data-name="pine-dialog-button"], [aria-label="Pine"]',
        "#overlap-manager-root",
        '[data-name="alerts"]',
    )
    found = [Call(f"node {node}", f"document.querySelector('{node}') !== null") for node in nodes]
    loader = '[class*="loader"], [class*="loading"], [data-name="loading"]'
    rows = "document.querySelectorAll('[class*=\"layout__area--right\"] [data-symbol-full]')"
    return [
        *found,
        Call(
            "no loader when idle",
            f"![...document.querySelectorAll('{loader}')].some((one) => one.offsetParent !== null)",
        ),
        Call(
            "the address", "location.href.includes('tradingview.com/chart') || location.pathname.startsWith('/chart')"
        ),
        Call("no editor of its own on the window", "window.monaco === undefined"),
        Call("the bottom is open", "document.querySelector('[class*=\"layout__area--bottom\"]').offsetHeight > 50"),
        Call(
            "open the watchlist",
            _wait(
                f"{rows}.length > 0 || (document.querySelector('[data-name=\"base-watchlist-widget-button\"]').click(), false)"
            ),
        ),
        Call("rows of the watchlist", f"{rows}[0].querySelectorAll('[class*=\"cell\"]').length >= 3"),
        Call(
            "prices of the watchlist",
            _wait(f"Number.isFinite(Number({rows}[0].querySelectorAll('[class*=\"cell\"]')[0].textContent))"),
        ),
        Call("the button that adds a symbol", "document.querySelector('[data-name=\"add-symbol-button\"]') !== null"),
        Call(
            "the buttons of the right say what is open",
            "[...document.querySelectorAll('[class*=\"layout__area--right\"] [aria-pressed], .strip [aria-pressed]')].length >= 3",
        ),
        Call(
            "functions of the chart's API",
            "typeof ChartApiInstance === 'object' && Object.values(ChartApiInstance).some((one) => typeof one === 'function')",
        ),
        Call(
            "methods of the chart can be counted",
            "Object.keys($).filter((name) => typeof $[name] === 'function').length > 15",
        ),
        Call(
            "methods of the collection can be counted", "Object.keys(TradingViewApi._chartWidgetCollection).length > 4"
        ),
        Call("methods of the bottom bar can be counted", "Object.keys(TradingView.bottomWidgetBar).length > 2"),
    ]


def _charts() -> list[Call]:
    """Layouts of charts, saved layouts and pictures."""
    all_, collection = "TradingViewApi._chartWidgetCollection.getAll()", "TradingViewApi._chartWidgetCollection"
    unwrapped = "((one) => one?.value ? one.value() : one)"
    return [
        Call("one chart", f"{all_}.length === 1"),
        Call("two charts", _steps(f"await {collection}.setLayout('2h'); {_SETTLED} return {all_}.length === 2;")),
        Call("the layout's code", f"{unwrapped}({collection}._layoutType) === '2h'"),
        Call("the number of charts", f"{unwrapped}({collection}.inlineChartsCount) === 2"),
        Call("click the second chart", _wait(f"({all_}[1]._mainDiv.click(), {all_}[1] === {_WIDGET})")),
        Call("its symbol", f"typeof {all_}[1].model().mainSeries().symbol() === 'string'"),
        Call("one chart again", _steps(f"await {collection}.setLayout('s'); {_SETTLED} return {all_}.length === 1;")),
        Call("saved layouts", "new Promise((done) => TradingViewApi.getSavedCharts((all) => done(all.length >= 2)))"),
        Call(
            "names of layouts",
            "new Promise((done) => TradingViewApi.getSavedCharts((all) => done(all.every((one) => one.name ?? one.title))))",
        ),
        Call(
            "search for symbols", "TradingViewApi.searchSymbols('AAPL').then((all) => (all.symbols ?? all).length > 0)"
        ),
        Call("a picture", f"Promise.resolve({collection}.takeScreenshot()).then((one) => String(one).length > 100)"),
        Call("the alerts' service", "typeof TradingViewApi._alertService === 'object'"),
    ]


def _replay() -> list[Call]:
    """A replay with a practice trade."""
    api = "TradingViewApi._replayApi"
    ask = f"((name) => ((one) => (one?.value ? one.value() : one))({api}[name]()))"
    date = f"(() => {_BARS}.valueAt(Math.max({_BARS}.lastIndex() - 60, 0))[0] * 1000)()"
    return [
        Call("replay can be had", f"{ask}('isReplayAvailable') === true"),
        Call("show the toolbar", f"({api}.showReplayToolbar(), true)"),
        Call("choose a date", _steps(f"await {api}.selectDate({date}); return true;")),
        Call("replay has started", _wait(f"{ask}('isReplayStarted') === true")),
        Call("the date", f"Number({ask}('currentDate')) > 0"),
        Call(
            "step",
            _steps(
                f"const before = Number({ask}('currentDate')); {api}.doStep(); for (let i = 0; i < 60 && Number({ask}('currentDate')) === before; i++) {{ {_SETTLED} }} return Number({ask}('currentDate')) > before;"
            ),
        ),
        Call("buy", _steps(f"{api}.buy(); {_SETTLED} return Number({ask}('position')) > 0;")),
        Call("profit is a number", f"Number.isFinite(Number({ask}('realizedPL')))"),
        Call(
            "close the position", _steps(f"{api}.closePosition(); {_SETTLED} return Number({ask}('position')) === 0;")
        ),
        Call("autoplay is off", f"{ask}('isAutoplayStarted') === false"),
        Call(
            "start autoplay", _steps(f"{api}.toggleAutoplay(); {_SETTLED} return {ask}('isAutoplayStarted') === true;")
        ),
        Call(
            "stop autoplay", _steps(f"{api}.toggleAutoplay(); {_SETTLED} return {ask}('isAutoplayStarted') === false;")
        ),
        Call(
            "stop the replay",
            _steps(
                f"{api}.stopReplay(); for (let i = 0; i < 60 && {ask}('isReplayStarted'); i++) {{ {_SETTLED} }} return {ask}('isReplayStarted') === false;"
            ),
        ),
        Call("back to the newest bar", f"({api}.goToRealtime(), true)"),
    ]


def _services() -> list[Call]:
    """TradingView's services, asked with the page's cookies."""
    facade = "https://pine-facade.tradingview.com/pine-facade"
    alerts = "https://pricealerts.tradingview.com"
    form = f"{{method: 'POST', credentials: 'include', body: new URLSearchParams({{source: \"{_SOURCE}\"}})}}"
    asked = "{credentials: 'include'}"
    saved = f"fetch('{facade}/list/?filter=saved', {asked}).then((one) => one.json())"
    level = (
        "{payload: {symbol: 'NASDAQ:AAPL', resolution: '1D', message: 'outside', conditions: [{type: 'cross',"
        " frequency: 'on_first_fire', series: [{type: 'barset'}, {type: 'value', value: 200}], resolution: '1D'}]}}"
    )
    listed = f"fetch('{alerts}/list_alerts', {asked}).then((one) => one.json())"
    return [
        Call(
            "check a script",
            f"fetch('{facade}/translate_light?user_name=Guest&v=3', {form}).then((one) => one.json()).then((one) => one.success === true)",
        ),
        Call(
            "the title of a script",
            f"fetch('{facade}/parse_title', {form}).then((one) => one.json()).then((one) => one.success === true)",
        ),
        Call("list saved scripts", f"{saved}.then((all) => all.length >= 1)"),
        Call(
            "names of saved scripts", f"{saved}.then((all) => all.every((one) => one.scriptName && one.scriptIdPart))"
        ),
        Call(
            "get a saved script",
            f"{saved}.then(([one]) => fetch('{facade}/get/' + encodeURIComponent(one.scriptIdPart) + '/last', {asked})).then((one) => one.json()).then((one) => one.source.includes('//@version'))",
        ),
        Call(
            "save a new script",
            f"fetch('{facade}/save/new/?name=Outside&allow_overwrite=true', {form}).then((one) => one.json()).then((one) => one.success !== false)",
        ),
        Call("the script is listed", f"{saved}.then((all) => all.some((one) => one.scriptName === 'Outside'))"),
        Call(
            "save the next version",
            f"{saved}.then((all) => fetch('{facade}/save/next/' + encodeURIComponent(all.find((one) => one.scriptName === 'Outside').scriptIdPart), {form})).then((one) => one.json()).then((one) => one.success !== false)",
        ),
        Call(
            "versions of a script",
            f"{saved}.then((all) => fetch('{facade}/versions/' + encodeURIComponent(all.find((one) => one.scriptName === 'Outside').scriptIdPart) + '/last', {asked})).then((one) => one.json()).then((one) => one.length >= 2)",
        ),
        Call(
            "search for symbols by the service",
            f"fetch('https://symbol-search.tradingview.com/symbol_search/v3/?text=AAPL', {asked}).then((one) => one.json()).then((one) => one.symbols.length > 0)",
        ),
        Call(
            "make an alert",
            f"fetch('{alerts}/create_alert', {{method: 'POST', credentials: 'include', headers: {{'Content-Type': 'text/plain'}}, body: JSON.stringify({level})}}).then((one) => one.json()).then((one) => one.s === 'ok')",
        ),
        Call("list alerts", f"{listed}.then((one) => one.r.some(({{message}}) => message === 'outside'))"),
        Call(
            "delete an alert",
            f"{listed}.then(({{r}}) => fetch('{alerts}/delete_alerts', {{method: 'POST', credentials: 'include', headers: {{'Content-Type': 'text/plain'}}, body: JSON.stringify({{payload: {{alert_ids: r.map((one) => one.alert_id)}}}})}})).then((one) => one.json()).then((one) => one.s === 'ok')",
        ),
        Call("no alert is left", f"{listed}.then((one) => one.r.length === 0)"),
    ]


def _on_chart(expression: str) -> str:
    """Put the active chart in the place of `$`."""
    return re.sub(r"(?<![\w')])\$(?=[.\[)])", CHART, expression)


CALLS: tuple[Call, ...] = tuple(
    Call(call.name, _on_chart(call.expression))
    for group in (_page, _symbols, _data, _studies, _drawings, _editor, _charts, _replay, _services)
    for call in group()
)
"""All calls, in the order of a session."""
