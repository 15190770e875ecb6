"""The Pine Logs panel: what scripts on the chart logged, by level, with the way to the line."""

from tests.studio.support import Driver

SCRIPT = """//@version=6
indicator("Log")
if barstate.isfirst
    log.info("first")
if barstate.islast
    log.error("last")
plot(close)
"""
LINES = "[...document.querySelectorAll('.pineLogs__line')].map(n => n.dataset.level + ' ' + n.textContent)"


def test_logs_are_listed_by_level_and_lead_to_their_line(page: Driver) -> None:
    page.js(f"TradingViewApi.pineEditorTestApi().setEditorText({SCRIPT!r})")
    page.js("TradingViewApi.pineEditorTestApi().addScriptOnChart()")
    page.click("[data-name=pine-logs-button]")
    page.until(f"{LINES}.length === 2")
    first, last = page.js(LINES)
    assert first.startswith("info [") and first.endswith("+00:00]: first")
    assert last.startswith("error [") and last.endswith("]: last")
    level = "document.querySelector('.pineLogs__level select')"
    page.js(
        "(s => { Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(s, 'error');"
        f" s.dispatchEvent(new Event('change', {{ bubbles: true }})); }})({level})"
    )
    page.until(f"{LINES}.length === 1 && {LINES}[0].startsWith('error')")
    page.click(".pineLogs__jump")
    page.until("document.querySelector('[data-name=pine-dialog-button]').getAttribute('aria-selected') === 'true'")
    page.until("document.querySelector('.statusline').textContent.includes('6')")
