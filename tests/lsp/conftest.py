"""A server in a thread of this process, spoken to over pipes."""

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pinebench.lsp.editor_session import make_server
from tests.lsp.client import Client

Connect = Callable[..., Client]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Makes clients, each with a server of its own, initialized with the given capabilities."""
    ends: list[Callable[[], None]] = []

    def connected(capabilities: dict[str, Any] | None = None, **more: Any) -> Client:
        to_server, from_client = os.pipe()
        to_client, from_server = os.pipe()
        server = make_server()
        streams = os.fdopen(to_server, "rb"), os.fdopen(from_server, "wb")
        thread = threading.Thread(target=server.start_io, args=streams, daemon=True)
        thread.start()
        client = Client(os.fdopen(to_client, "rb"), os.fdopen(from_client, "wb"))
        client.begin(capabilities, **more)

        def end() -> None:
            client.end()
            thread.join(120)
            assert not thread.is_alive()
            for stream in streams:
                stream.close()
            client.close()

        ends.append(end)
        return client

    yield connected
    for end in ends:
        end()
