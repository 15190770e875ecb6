"""The table of everything that pinebench knows about the internals of TradingView's page, with its date.

If TradingView moves something, change this file. The page functions receive the table as data; `pinebench doctor`
checks every entry. Property paths are walked step by step (`name` reads, `name()` calls). They are never evaluated as
code. The entries come from reports of public projects and their users. Our tests check the entries that they can reach
against the studio.
"""

from __future__ import annotations

from typing import Any, NamedTuple

TABLE_VERSION = "2026-11-21"
"""The day on which the table was last compared with the reports about TradingView's page."""

TESTED = (
    ("Chromium 156", "headless on Linux, with the studio and with pages served under TradingView's address"),
    (
        "TradingView Desktop 3.1 to 3.4, Chrome 140 to 146",
        "as reported by users of other tools; not driven by our tests",
    ),
)
"""The programs with which the table was tested: the name of each, and how it was tested."""


class PropertyPath(NamedTuple):
    """The path of an object below `window`, its purpose, and whether pinebench's main tasks need it (`needed`)."""

    path: str
    purpose: str
    needed: bool = False

    @property
    def expression(self) -> str:
        """The path as a person would type it into the browser's console."""
        return f"window.{self.path}"


class Selectors(NamedTuple):
    """CSS selectors for one kind of node, the best first, and a description of the node."""

    css: tuple[str, ...]
    purpose: str


_CHART = "TradingViewApi._activeChartWidgetWV.value()"

PATHS: dict[str, PropertyPath] = {
    "chartApi": PropertyPath(_CHART, "the active chart: symbol, resolution, studies, shapes", True),
    "chartWidgetCollection": PropertyPath("TradingViewApi._chartWidgetCollection", "all panes and their layout"),
    "bottomWidgetBar": PropertyPath("TradingView.bottomWidgetBar", "opens the Pine editor and the strategy tester"),
    "replayApi": PropertyPath("TradingViewApi._replayApi", "bar replay"),
    "alertService": PropertyPath("TradingViewApi._alertService", "alerts"),
    "chartApiInstance": PropertyPath("ChartApiInstance", "the session with the chart server"),
    "mainSeriesBars": PropertyPath(
        f"{_CHART}._chartWidget.model().mainSeries().bars()", "bars of the main series", True
    ),
    "strategyStudy": PropertyPath(
        f"{_CHART}._chartWidget.model().model().dataSources()", "studies, strategies, drawings"
    ),
    "layoutManager": PropertyPath("TradingViewApi.getSavedCharts", "saved layouts"),
    "symbolSearchApi": PropertyPath("TradingViewApi.searchSymbols", "symbol search of the page"),
    "pineEditorApi": PropertyPath("TradingViewApi.pineEditorTestApi", "the page's own functions for the Pine editor"),
    "globalMonaco": PropertyPath("monaco", "Monaco itself, on the few builds that expose it"),
}
"""Every property path by key."""

SERVICES: dict[str, tuple[str, str]] = {
    "watchlists": ("https://www.tradingview.com/api/v1/symbols_list", "watchlists: read, change"),
    "alerts": ("https://pricealerts.tradingview.com", "alerts: list, create, delete"),
    "symbolSearch": ("https://symbol-search.tradingview.com/symbol_search", "symbol search"),
    "quotes": ("https://scanner.tradingview.com", "prices of symbols that the chart does not show"),
    "pineFacadeApi": ("https://pine-facade.tradingview.com/pine-facade", "saved scripts: list, read, save"),
}
"""Every HTTP service that page functions call with the page's own log-in: address and purpose."""

SELECTORS: dict[str, Selectors] = {
    "editor": Selectors(
        (
            ".monaco-editor.pine-editor-monaco",
            '[class*="pine-editor"] .monaco-editor',
            ".tv-script-widget .monaco-editor",
        ),
        "roots of Monaco in the Pine editor; some may be stale or hidden",
    ),
    "editorArea": Selectors(
        (".tv-script-widget", ".pine-editor-container", '[data-name="pine-dialog"]', '[class*="pine-editor"]'),
        "the panel around the Pine editor, with its toolbar",
    ),
    "editorOpener": Selectors(
        (
            '[data-name="pine-dialog-button"]',
            '[aria-label="Pine"]',
            '[aria-label="Pine Editor"]',
            '[data-name="pine-editor-toolbar"]',
            '[class*="scriptEditorButton"]',
            '[class*="pine-editor-button"]',
        ),
        "buttons that open the Pine editor",
    ),
    "scriptName": Selectors(
        (
            '[data-name="pine-script-name"]',
            '[class*="pine-editor"] [class*="nameButton"]',
            '.tv-script-widget [class*="nameButton"]',
            '[data-name="pine-editor-toolbar"] [class*="title"]',
        ),
        "name of the script that the editor is bound to",
    ),
    "consoleRow": Selectors(
        ('[class*="consoleRow"]', '[class*="consoleLine"]', '[class^="log-"]', '[class*=" log-"]'),
        "rows of the Pine console",
    ),
    "pineLogs": Selectors(
        ('[data-name="pine-logs"]', '[data-name="pine-logs-dialog"]', '[class*="pineLogs"]', '[class*="pine-logs"]'),
        "the panel of the Pine Logs",
    ),
    "bottomArea": Selectors(
        ('[class*="layout__area--bottom"]', '[class*="bottom-widgetbar-content"]'), "the area below the chart"
    ),
    "bid": Selectors(('[class*="bid"] [class*="price"]', '[class*="dom-"] [class*="bid"]'), "the bid beside the chart"),
    "ask": Selectors(('[class*="ask"] [class*="price"]', '[class*="dom-"] [class*="ask"]'), "the ask beside the chart"),
    "depthPanel": Selectors(
        ('[class*="depth"]', '[class*="orderBook"]', '[class*="dom-"]', '[class*="DOM"]', '[data-name="dom"]'),
        "the order book (depth of market)",
    ),
    "headerPrice": Selectors(
        ('[class*="headerRow"] [class*="last-"]',), "the last price in a heading beside the chart"
    ),
    "watchRow": Selectors(("[data-symbol-full]",), "rows of the watchlist"),
    "watchlistPanel": Selectors(('[data-name="watchlist"]', '[class*="watchlist"]'), "the watchlist"),
    "watchlistButton": Selectors(
        (
            '[data-name="base-watchlist-widget-button"]',
            '[class*="widgetbar"] [data-name="base"]',
            '[aria-label*="Watchlist"]',
        ),
        "opens the watchlist",
    ),
    "alertsButton": Selectors(('[data-name="alerts-button"]', '[aria-label="Alerts"]'), "opens the alerts"),
    "tradingButton": Selectors(
        ('[data-name="trading-button"]', '[aria-label="Trading Panel"]'), "opens the trading panel"
    ),
    "addSymbol": Selectors(
        (
            '[data-name="add-symbol-button"]',
            '[aria-label="Add symbol"]',
            '[aria-label*="Add symbol"]',
            'button[class*="addSymbol"]',
        ),
        "adds a symbol to the watchlist",
    ),
    "symbolOption": Selectors(
        ('[data-name="symbol-search-items-dialog"] [role="option"]', '[role="dialog"] [class*="itemRow"]'),
        "rows of the symbol search",
    ),
    "indicatorsButton": Selectors(
        ('[data-name="open-indicators-dialog"]', "#header-toolbar-indicators button", '[aria-label^="Indicators"]'),
        "opens the dialog in which indicators are searched",
    ),
    "indicatorsDialog": Selectors(('[data-name="indicators-dialog"]',), "the dialog in which indicators are searched"),
    "rightArea": Selectors(('[class*="layout__area--right"]',), "the area beside the chart"),
    "widgetBar": Selectors(('[data-name="widgetbar-wrap"]',), "the strip of buttons that open side panels"),
    "dialog": Selectors(
        (
            '[role="dialog"]',
            '[role="alertdialog"]',
            '[data-name="confirm-dialog"]',
            '[class*="dialog"][data-dialog-name]',
        ),
        "dialogs of the page",
    ),
    "spinner": Selectors(
        ('[class*="loader"]', '[class*="loading"]', '[data-name="loading"]'), "spinners, shown while the chart loads"
    ),
    "chartCanvas": Selectors(
        ('[data-name="pane-canvas"]', '[class*="chart-container"]', "canvas"), "the drawn chart, for screenshots"
    ),
    "strategyTester": Selectors(
        ('[data-name="backtesting"]', '[class*="strategyReport"]'), "the strategy tester's panel"
    ),
}
"""Every CSS selector by key."""

LABELS: dict[str, tuple[str, ...]] = {
    "add": (
        "add to chart", "zum chart hinzufügen", "ajouter au graphique", "añadir al gráfico",
        "agregar al gráfico", "aggiungi al grafico", "adicionar ao gráfico", "добавить на график",
        "チャートに追加", "차트에 추가", "차트에 넣기", "添加到图表", "添加至图表", "新增至圖表",
        "إضافة إلى الرسم البياني", "أضف إلى الرسم البياني", "dodaj do wykresu", "grafiğe ekle",
    ),
    "update": (
        "update on chart", "auf chart aktualisieren", "im chart aktualisieren",
        "mettre à jour sur le graphique", "actualizar en el gráfico", "aggiorna sul grafico",
        "atualizar no gráfico", "обновить на графике", "チャート上で更新", "チャートを更新",
        "차트에서 업데이트", "차트에 업데이트", "在图表上更新", "更新到图表", "在圖表上更新",
        "تحديث على الرسم البياني", "aktualizuj na wykresie", "grafikte güncelle",
    ),
    "save": (
        "save", "save script", "speichern", "skript speichern", "enregistrer", "sauvegarder", "guardar",
        "salva", "salvar", "сохранить", "保存", "저장", "儲存", "حفظ", "zapisz", "kaydet",
    ),
    "cancel": (
        "cancel", "abbrechen", "annuler", "cancelar", "annulla", "отмена", "отменить", "キャンセル", "취소",
        "取消", "إلغاء", "anuluj", "iptal", "close", "no",
    ),
    "confirm": (
        "continue", "confirm", "ok", "yes", "allow", "agree", "fortfahren", "weiter", "bestätigen", "ja", "continuer",
        "confirmer", "oui", "continuar", "confirmar", "aceptar", "sí", "continua", "conferma", "sì", "sim",
        "продолжить", "подтвердить", "да", "続行", "確認", "はい", "계속", "확인", "예", "继续", "确认", "確定",
        "متابعة", "تأكيد", "نعم", "kontynuuj", "potwierdź", "tak", "devam", "onayla", "evet",
    ),
    "discard": (
        "don't save", "don’t save", "discard", "open anyway", "create anyway", "nicht speichern",
        "ne pas enregistrer", "no guardar", "non salvare", "não salvar", "не сохранять", "保存しない",
        "저장 안 함", "不保存", "不儲存", "عدم الحفظ",
    ),
}  # fmt: skip
"""The labels of buttons in lower case, by purpose, in the languages that TradingView's users report."""


class DialogKind(NamedTuple):
    """A kind of dialog: how to recognise it, and what to do with it.

    All strings are in lower case, and only whole words match. `names` are matched against `data-name` and similar
    attributes, and `words` against the title or text. `offers` is the purpose of a button that no other dialog has.

    `meaning` explains the dialog to the user. With `dismiss` the dialog is cancelled after it has been read. Without
    `blocks` it is a dialog that a person opened and that does not block our work.
    """

    meaning: str
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    offers: str | None = None
    dismiss: bool = True
    blocks: bool = True


DIALOGS: dict[str, DialogKind] = {
    "settings": DialogKind(
        "a dialog of the chart is open",
        names=(
            "indicator-properties-dialog", "series-properties-dialog", "symbol-search-items-dialog",
            "indicators-dialog",
        ),
        dismiss=False,
        blocks=False,
    ),
    "plan-limit": DialogKind(
        "the plan allows no further indicator on this chart: remove one, or upgrade",
        names=("gopro", "go-pro", "upgrade-dialog"),
        words=("indicator limit", "indicators per chart", "upgrade your plan", "upgrade now"),
    ),
    "session-disconnected": DialogKind(
        "the session was taken over by another device: press Connect in the browser",
        names=("session-disconnected",),
        words=("session disconnected", "accessed from another"),
        dismiss=False,
    ),
    "sign-in": DialogKind(
        "TradingView asks to log in: do so in the browser, once",
        names=("sign-in", "signin", "log-in", "login"),
        words=("sign in", "log in"),
    ),
    "unsaved-changes": DialogKind(
        "the editor has unsaved changes: save or discard them first",
        names=("unsaved", "unsaved-changes"),
        words=("unsaved", "unsaved changes", "don't save", "don’t save", "discard"),
        offers="discard",
    ),
    "save-before-add": DialogKind(
        "TradingView wants the script saved before it goes on the chart",
        words=("save script before", "save before", "save your script", "must be saved"),
    ),
    "save-name": DialogKind(
        "TradingView asks for a name",
        names=("save-name", "save-script", "rename"),
        words=("script name", "save script", "rename"),
    ),
    "external-data": DialogKind(
        "the script wants to use external data, and the question is still open: answer it in the browser, or "
        "give --confirm-external-data",
        # Only by its words: TradingView's dialogs that ask other things have the same name.
        words=("external data", "wants to use data", "third-party data"),
        dismiss=False,
    ),
}  # fmt: skip
"""The kinds of dialogs that pinebench recognises; the first kind that matches is used. A dialog that matches no kind is
left to a person."""

HARMLESS_DIALOGS = frozenset(key for key, kind in DIALOGS.items() if not kind.blocks)
"""The kinds of dialogs that do not block our work."""

STUDIO_MARKER = "__PINEBENCH_STUDIO__"
"""The property of `window` by which a studio's page identifies itself: an object with a `version`."""


def as_data() -> dict[str, Any]:
    """Return the table as JSON-ready data, as the page functions receive it."""
    return {
        "paths": {key: entry.path for key, entry in PATHS.items()},
        "services": {key: address for key, (address, _) in SERVICES.items()},
        "selectors": {key: list(entry.css) for key, entry in SELECTORS.items()},
        "labels": {key: list(words) for key, words in LABELS.items()},
        "dialogs": {
            key: {"names": list(kind.names), "words": list(kind.words), "offers": kind.offers}
            for key, kind in DIALOGS.items()
        },
        "studioMarker": STUDIO_MARKER,
    }
