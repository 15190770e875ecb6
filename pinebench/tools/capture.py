"""Screenshots of the page, saved as files and sent to models that accept images."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, NotRequired, TypedDict

from pinebench import config, files
from pinebench.tools.arguments import ChoiceArgument, Flag, TextArgument
from pinebench.tools.chart_browser import Image, ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.tool_calls import ToolRefused

MOST_EMBEDDED = 2_000_000
"""The largest size of a picture that is returned with the result, in bytes."""

_REGIONS = {"full": [], "chart": ["chartCanvas"], "strategy_tester": ["strategyTester"], "pine_editor": ["editorArea"]}


class Screenshot(TypedDict):
    """The picture: its file, its size in pixels and bytes, and its content as base64 text (`data`) if requested."""

    method: str
    file_path: str
    region: str
    size_bytes: int
    width: int
    height: int
    embedded: bool
    data: NotRequired[str]
    mime_type: NotRequired[str]


@tool(
    "capture",
    "Take a picture of the page, chart, tester or editor; it is sent with the result unless embed is false.",
    prices=True,
)
def capture_screenshot(
    at: ToolContext,
    region: Annotated[str, ChoiceArgument(tuple(_REGIONS), "the part of the page")] = "full",
    filename: Annotated[
        str | None,
        TextArgument("a file name without folder or extension", 100, pattern=r"[\w\- ]+(\.png)?", example="aapl"),
    ] = None,
    embed: Annotated[bool, Flag("send the picture with the result")] = True,
    base64: Annotated[bool, Flag("also as base64 text in the result")] = False,
    method: Annotated[str, ChoiceArgument(("cdp",), "always cdp")] = "cdp",
) -> Screenshot:
    """Wait for the next frame, take the picture, and save it as a file. TradingView's own snapshots are not supported,
    because the page uploads them to a public address. `method` is only for clients of programs that offer both."""
    from base64 import b64encode
    from pathlib import Path

    keys = _REGIONS[region]
    clip = at.read("clip", {"keys": keys or ["chartCanvas"]})
    if keys and clip is None:
        raise ToolRefused(f"the {region.replace('_', ' ')} is not on the screen", "open it with ui_open_panel")
    at.symbols += at.read("shown_symbols", {"watchlist": region == "full"})
    data = at.page.screenshot(clip if keys else None, context=at.context)
    width, height = _size(data)
    folder = Path(config.private_state_folder("screenshots"))
    name = (filename or f"tv_{region}_{datetime.now(UTC):%Y%m%dT%H%M%S%f}").removesuffix(".png")
    path = folder / f"{name}.png"
    number = 1
    while path.exists():  # an earlier picture is never replaced
        number += 1
        path = folder / f"{name}-{number}.png"
    files.write_atomically(path, data, private=True, durable=False)
    embedded = embed and len(data) <= MOST_EMBEDDED
    if embedded:
        at.images.append(Image(data, "image/png"))
    result: Screenshot = {
        "method": method,
        "file_path": str(path),
        "region": region,
        "size_bytes": len(data),
        "width": width,
        "height": height,
        "embedded": embedded,
    }
    if base64:
        if len(data) > MOST_EMBEDDED:
            raise ToolRefused(
                f"the picture has {len(data)} bytes, which is too large for a text result", f"read it from {path}"
            )
        result["data"], result["mime_type"] = b64encode(data).decode(), "image/png"
    return result


def _size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG in pixels. Raises ToolRefused if the data is not a PNG."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or len(data) < 24:
        raise ToolRefused("the browser returned no picture", "bring the page to the front and try again")
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
