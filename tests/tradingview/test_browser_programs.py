"""Finding the programs that show the chart, as data."""

import pytest

from pinebench.errors import UnavailableError, UsageError
from pinebench.tradingview import browser_programs
from pinebench.tradingview.browser_programs import Executable
from tests.tables import each

ENVIRONMENTS = {
    "linux": {"HOME": "/home/ann", "DISPLAY": ":0"},
    "macos": {"HOME": "/Users/ann"},
    "windows": {
        "USERPROFILE": "C:\\Users\\ann",
        "LOCALAPPDATA": "C:\\Users\\ann\\AppData\\Local",
        "PROGRAMFILES": "C:\\Program Files",
        "PROGRAMFILES(X86)": "C:\\Program Files (x86)",
    },
}

EXPECTED = {
    ("desktop", "linux"): "/opt/TradingView/tradingview",
    ("desktop", "macos"): "/Applications/TradingView.app/Contents/MacOS/TradingView",
    ("desktop", "windows"): "C:\\Users\\ann\\AppData\\Local\\TradingView\\TradingView.exe",
    ("chrome", "linux"): "/opt/google/chrome/chrome",
    ("chrome", "macos"): "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ("chrome", "windows"): "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    ("chromium", "linux"): "/usr/bin/chromium",
    ("chromium", "macos"): "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ("chromium", "windows"): "C:\\Users\\ann\\AppData\\Local\\Chromium\\Application\\chrome.exe",
    ("edge", "linux"): "/opt/microsoft/msedge/msedge",
    ("edge", "macos"): "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ("edge", "windows"): "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
}


@each(("name", "platform"), [*EXPECTED])
def test_each_program_has_places_on_each_system(name: str, platform: str) -> None:
    assert EXPECTED[name, platform] in browser_programs.places(name, platform, ENVIRONMENTS[platform])


@each(("name", "platform"), [*EXPECTED])
def test_what_is_there_is_found(name: str, platform: str) -> None:
    there = EXPECTED[name, platform]
    found = browser_programs.find(
        name,
        platform=platform,
        environment=ENVIRONMENTS[platform],
        files=lambda path: [path] if path == there else [],
        which=lambda _: None,
    )
    assert found == Executable(name, there)


def nowhere(_: str) -> list[str]:
    return []


def test_the_environment_names_the_browser() -> None:
    environment = {**ENVIRONMENTS["linux"], "PINEBENCH_BROWSER": "edge"}
    found = browser_programs.find(
        environment=environment, platform="linux", files=nowhere, which=lambda name: f"/bin/{name}"
    )
    assert found == Executable("edge", "/bin/microsoft-edge-stable")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/x/TradingView", "desktop"),
        ("C:\\y\\msedge.exe", "edge"),
        ("/x/chromium-148", "chromium"),
        ("/x/brave", "chrome"),
    ],
)
def test_a_path_is_taken_as_it_is(path: str, name: str) -> None:
    assert browser_programs.find(path, files=lambda p: [p], which=lambda _: None) == Executable(name, path)


def test_nothing_found_says_where_was_looked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"), pytest.raises(UnavailableError, match="was not found") as caught:
        browser_programs.find(platform="linux", environment=ENVIRONMENTS["linux"], files=nowhere, which=lambda _: None)
    assert "/usr/bin/chromium" in caplog.text
    assert "--browser PATH" in str(caught.value.hint)
    with pytest.raises(UsageError, match="'netscape' is neither"):
        browser_programs.find("netscape", files=nowhere, which=lambda _: None)


def test_systems_have_our_names() -> None:
    assert browser_programs.platform_name("darwin") == "macos"
    assert browser_programs.platform_name("win32") == "windows"
