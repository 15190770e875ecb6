"""Count the calls of a client for TradingView's page that succeed on a studio.

    python tests/soak/outside_client.py [DEBUG_PORT]

With the debug port of a running studio (`pinebench studio --headless`), the calls go to its page. Without one, a studio
is started for them. The calls that failed are printed, and then `N of 191`.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pinebench.errors import PinebenchError  # noqa: E402 - of this checkout
from pinebench.studio.session import StudioSession  # noqa: E402 - of this checkout
from pinebench.tradingview.connection import Connection  # noqa: E402 - of this checkout
from tests.soak.outside_calls import CALLS, Call  # noqa: E402 - of this checkout
from tests.studio.support import Tabs  # noqa: E402 - of this checkout
from tests.tradingview.support import patience, start_browser  # noqa: E402 - of this checkout

_SECONDS = 60


def failed(connection: Connection, calls: tuple[Call, ...] = CALLS) -> dict[str, str]:
    """Make the calls one after another; return those that failed, with the reason."""
    found: dict[str, str] = {}
    for name, expression in calls:
        try:
            value = connection.evaluate(expression, await_promise=True, timeout=_SECONDS)
        except PinebenchError as error:
            value = error.message
        if value is not True:
            found[name] = str(value)[:300]
    return found


def _own_studio() -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder, patience():
        os.environ["PINEBENCH_STATE_DIR"] = folder
        browser = start_browser(Path(folder) / "profile")
        try:
            with StudioSession() as session:
                tabs = Tabs(browser.port, session)
                found = failed(tabs().connection)
                tabs.close()
        finally:
            browser.stop()
    return found


def main(port: int | None) -> None:
    """Make the calls and print how many succeeded."""
    found = _own_studio() if port is None else failed(Connection(port=port))
    for name, reason in found.items():
        print(f"failed: {name}: {reason}")
    print(f"{len(CALLS) - len(found)} of {len(CALLS)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
