"""A running studio: the application and its server, from start to close."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from urllib.parse import urlencode

from pinebench import config
from pinebench.context import Engine
from pinebench.errors import UnavailableError
from pinebench.studio.access import OwnerAccess
from pinebench.studio.app import Studio
from pinebench.studio.asgi import Talks
from pinebench.studio.assistant import Assistant
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.server import StudioServer


def default_store() -> Path:
    """Return the path of the file in which a studio keeps scripts, layouts and the watchlist."""
    return Path(config.private_state_folder()) / "studio.sqlite3"


def _unusable(store: Path | None, error: Exception) -> UnavailableError:
    advice = "check its folder, or move the file away: pinebench then makes a new one"
    return UnavailableError(f"the script store {store} cannot be used: {error}", advice)


class StudioSession:
    """A studio on a loopback port; close it, or use it as a context manager."""

    def __init__(
        self,
        port: int = 0,
        store: Path | None = None,
        bars: Path | None = None,
        engine: Engine | None = None,
        folders: tuple[str, ...] = (),
    ) -> None:
        """Start to serve on `port` (0: any free port).

        `store` is the path of the script store (None: in memory), `bars` the folder with the user's own bars, and
        `engine` the trading engine that runs in this process, if one does. `folders` may hold the source of local
        libraries. Raises UnavailableError if the page is not built, if the store cannot be opened or if the port is
        taken, and UsageError for unreadable files of bars.
        """
        try:
            self._store = ScriptStore(store)
        except (OSError, sqlite3.Error) as error:
            raise _unusable(store, error) from None
        try:
            kept = None if store is None else store.parent / "bars"
            self.studio = Studio(self._store, bars, kept=kept, engine=engine, folders=folders)
            door = OwnerAccess(self.studio)
            self.assistant = Assistant(self.studio.driver.converse, self.studio.driver.picture)
            self._server = StudioServer(door, port, Talks(self.assistant, door.is_visitor))
        except sqlite3.Error as error:
            self._store.close()
            raise _unusable(store, error) from None
        except BaseException:
            self._store.close()
            raise
        self.port = self._server.port
        self.token = door.token
        self.url = self.address()

    def address(self, path: str = "", **query: str) -> str:
        """Return the address of the page at `path` below `/chart/`, with the token and the parameters of `query`."""
        return f"{self._server.url}{path}?{urlencode({'token': self.token, **query}, safe='/')}"

    def wait_until_ready(self, seconds: float) -> bool:
        """Wait until a page reports that its chart and editor are ready. Return False if none does within `seconds`."""
        return self.studio.ready.wait(seconds)

    def drive(self, debug_port: int, target: str | None = None) -> None:
        """Let the assistant and the routes for programs drive a page in the browser with this debug port: the page
        `target`, or the page that was used last."""
        self.studio.driver.drive(debug_port, target)

    def close(self) -> None:
        """Stop the server and close the store."""
        self._server.close()
        self.studio.driver.close()
        self._store.close()

    def __enter__(self) -> StudioSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
