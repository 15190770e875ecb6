"""docs/privacy.md names every host that the program can speak to."""

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
NEVER_ASKED = {
    "json.schemastore.org",
    "www.speedscope.app",
    "www.w3.org",
    "127.0.0.1",
    "localhost",
    "host",
    "example.com",
}
"""Hosts that stand in identifiers and messages; nothing is fetched from them."""

_BUILT = {"static", "node_modules", "page"}
"""Folders of the studio's page, whose libraries name hosts. While it is built, it is in `static.PID.new`."""


def test_every_host_in_the_code_is_documented() -> None:
    told = (CHECKOUT / "docs" / "privacy.md").read_text("utf-8")
    found: set[str] = set()
    for path in (CHECKOUT / "pinebench").rglob("*"):
        if path.suffix in (".py", ".js") and not _BUILT & {part.partition(".")[0] for part in path.parts}:
            found |= set(re.findall(r"https?://([A-Za-z0-9.-]+)", path.read_text("utf-8")))
    assert {host for host in found - NEVER_ASKED if f"`{host}`" not in told} == set()
    # The address of Anthropic's service is the SDK's own.
    assert "`api.anthropic.com`" in told
