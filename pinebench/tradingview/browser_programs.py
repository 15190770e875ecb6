"""The programs that can show TradingView's chart: their paths on each operating system, and their profiles."""

from __future__ import annotations

import contextlib
import logging
import ntpath
import os
import posixpath
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pinebench.errors import UnavailableError, UsageError


class BrowserProgram(NamedTuple):
    """A program that can show TradingView's chart.

    `places` (paths of the program) and `profiles` (its default profile folders) are templates by platform: `{home}` and
    environment variables (`{NAME}`) are filled in, and `*` matches any text in a folder's name. `commands` are names to
    look for in PATH.
    """

    title: str
    desktop: bool
    places: dict[str, tuple[str, ...]]
    commands: tuple[str, ...]
    profiles: dict[str, tuple[str, ...]]


KNOWN: dict[str, BrowserProgram] = {
    "desktop": BrowserProgram(
        "TradingView Desktop",
        True,
        {
            "linux": (
                "/opt/TradingView/tradingview",
                "/opt/TradingView/TradingView",
                "{home}/.local/share/TradingView/TradingView",
                "/usr/bin/tradingview",
                "/usr/local/bin/tradingview",
                "/snap/bin/tradingview",
                "/var/lib/flatpak/exports/bin/com.tradingview.TradingView",
                "{home}/.local/share/flatpak/exports/bin/com.tradingview.TradingView",
            ),
            "macos": (
                "/Applications/TradingView.app/Contents/MacOS/TradingView",
                "{home}/Applications/TradingView.app/Contents/MacOS/TradingView",
            ),
            "windows": (
                "{LOCALAPPDATA}\\TradingView\\TradingView.exe",
                "{PROGRAMFILES}\\TradingView\\TradingView.exe",
                "{PROGRAMFILES(X86)}\\TradingView\\TradingView.exe",
                "{PROGRAMFILES}\\WindowsApps\\TradingView.Desktop*\\TradingView.exe",
                "{PROGRAMFILES}\\WindowsApps\\31178TradingViewInc.TradingView*\\TradingView.exe",
            ),
        },
        ("tradingview",),
        {},
    ),
    "chrome": BrowserProgram(
        "Google Chrome",
        False,
        {
            "linux": ("/opt/google/chrome/chrome", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome"),
            "macos": (
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "{home}/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            ),
            "windows": (
                "{PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe",
                "{PROGRAMFILES(X86)}\\Google\\Chrome\\Application\\chrome.exe",
                "{LOCALAPPDATA}\\Google\\Chrome\\Application\\chrome.exe",
            ),
        },
        ("google-chrome-stable", "google-chrome", "chrome"),
        {
            "linux": ("{home}/.config/google-chrome",),
            "macos": ("{home}/Library/Application Support/Google/Chrome",),
            "windows": ("{LOCALAPPDATA}\\Google\\Chrome\\User Data",),
        },
    ),
    "chromium": BrowserProgram(
        "Chromium",
        False,
        {
            "linux": (
                "/usr/bin/chromium",
                "/usr/bin/chromium-browser",
                "/snap/bin/chromium",
                "/usr/lib/chromium/chromium",
            ),
            "macos": ("/Applications/Chromium.app/Contents/MacOS/Chromium",),
            "windows": ("{LOCALAPPDATA}\\Chromium\\Application\\chrome.exe",),
        },
        ("chromium", "chromium-browser"),
        {
            "linux": ("{home}/.config/chromium", "{home}/snap/chromium/common/chromium"),
            "macos": ("{home}/Library/Application Support/Chromium",),
            "windows": ("{LOCALAPPDATA}\\Chromium\\User Data",),
        },
    ),
    "edge": BrowserProgram(
        "Microsoft Edge",
        False,
        {
            "linux": ("/opt/microsoft/msedge/msedge", "/usr/bin/microsoft-edge-stable", "/usr/bin/microsoft-edge"),
            "macos": ("/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",),
            "windows": (
                "{PROGRAMFILES(X86)}\\Microsoft\\Edge\\Application\\msedge.exe",
                "{PROGRAMFILES}\\Microsoft\\Edge\\Application\\msedge.exe",
            ),
        },
        ("microsoft-edge-stable", "microsoft-edge", "msedge"),
        {
            "linux": ("{home}/.config/microsoft-edge",),
            "macos": ("{home}/Library/Application Support/Microsoft Edge",),
            "windows": ("{LOCALAPPDATA}\\Microsoft\\Edge\\User Data",),
        },
    ),
}
"""Every program by the name that `--browser` takes."""

SEARCH_ORDER = ("chrome", "chromium", "edge", "desktop")
"""The order in which programs are searched; the first installed program is used. Browsers come first, because
TradingView Desktop must be quit before it can be started with a debug port."""


def platform_name(name: str = sys.platform) -> str:
    """Return `linux`, `macos` or `windows` for a value of `sys.platform`."""
    return {"darwin": "macos", "win32": "windows", "cygwin": "windows"}.get(name, "linux")


@dataclass(frozen=True, slots=True)
class Executable:
    """A program that was found: its name in `KNOWN` and its path."""

    name: str
    path: str

    @property
    def known(self) -> BrowserProgram:
        """The entry of `KNOWN` for this program."""
        return KNOWN[self.name]


def fill(template: str, platform: str, environment: Mapping[str, str]) -> str | None:
    """Return the path template with `{home}` and variables filled in, or None if a variable is not set."""
    values = {key.upper(): value for key, value in environment.items()}
    home = values.get("USERPROFILE" if platform == "windows" else "HOME")
    path = template
    for name in ("home", "LOCALAPPDATA", "PROGRAMFILES(X86)", "PROGRAMFILES"):
        if "{" + name + "}" not in path:
            continue
        value = home if name == "home" else values.get(name)
        if not value:
            return None
        path = path.replace("{" + name + "}", value)
    return path


def places(name: str, platform: str, environment: Mapping[str, str]) -> list[str]:
    """Return every path at which the program `name` may be, in order. Paths that need an unset variable are left
    out."""
    filled = (fill(template, platform, environment) for template in KNOWN[name].places.get(platform, ()))
    return [path for path in filled if path is not None]


def _matches(pattern: str) -> list[str]:
    """Return the existing files that match the path `pattern`, in reverse alphabetical order."""
    if "*" not in pattern:
        return [pattern] if os.path.isfile(pattern) else []
    import glob

    with contextlib.suppress(OSError):
        return sorted((path for path in glob.glob(pattern) if os.path.isfile(path)), reverse=True)
    return []


def find(
    wanted: str | None = None,
    *,
    platform: str | None = None,
    environment: Mapping[str, str] = os.environ,
    files: Callable[[str], list[str]] = _matches,
    which: Callable[[str], str | None] = shutil.which,
) -> Executable:
    """Return the program to start: `wanted` (a name of `KNOWN` or a path), else PINEBENCH_BROWSER, else the first
    found. Raises UsageError if `wanted` is neither a known name nor an existing program, and UnavailableError if no
    program is found. The paths that were tried are logged."""
    platform = platform or platform_name()
    wanted = wanted or environment.get("PINEBENCH_BROWSER") or None
    if wanted and wanted.lower() not in KNOWN:
        return _from_path(wanted, files, which)
    tried: list[str] = []
    for name in [wanted.lower()] if wanted else SEARCH_ORDER:
        for pattern in places(name, platform, environment):
            tried.append(pattern)
            for path in files(pattern):
                return Executable(name, path)
        for command in KNOWN[name].commands:
            path = which(command)
            if path:
                return Executable(name, path)
    title = KNOWN[wanted.lower()].title if wanted else "Chrome, Chromium, Edge or TradingView Desktop"
    logging.getLogger(__name__).info("looked for a browser at %s and in PATH", ", ".join(tried))
    raise UnavailableError(
        f"{title} was not found", "install one, or give its path with --browser PATH or PINEBENCH_BROWSER"
    )


def _from_path(wanted: str, files: Callable[[str], list[str]], which: Callable[[str], str | None]) -> Executable:
    path = (files(wanted) or [which(wanted)])[0]
    if not path:
        names = ", ".join(KNOWN)
        raise UsageError(
            f"'{wanted}' is neither a program nor one of {names}", "name one of these, or give a path that exists"
        )
    base = posixpath.basename(ntpath.basename(path)).lower()
    hints = {"tradingview": "desktop", "chromium": "chromium", "edge": "edge"}
    return Executable(next((name for word, name in hints.items() if word in base), "chrome"), path)


def default_profile(executable: Executable, platform: str, environment: Mapping[str, str]) -> str | None:
    """Return the profile folder that pinebench uses for a browser, or None for TradingView Desktop, which has its
    own."""
    if executable.known.desktop:
        return None
    home = fill("{home}", platform, environment) or ""
    if platform == "linux" and (executable.path.startswith("/snap/") or "/snap/" in os.path.realpath(executable.path)):
        return f"{home}/snap/chromium/common/pinebench-profile"
    if platform == "windows":
        return ntpath.join(environment.get("LOCALAPPDATA", home), "pinebench", f"profile-{executable.name}")
    if platform == "macos":
        return f"{home}/Library/Application Support/pinebench/profile-{executable.name}"
    return posixpath.join(
        environment.get("XDG_STATE_HOME") or f"{home}/.local/state", "pinebench", f"profile-{executable.name}"
    )


def is_default_profile(profile: str, platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether `profile` is a browser's default profile folder, or inside one. With such a profile, browsers
    ignore the debug port."""
    flavour = ntpath if platform == "windows" else posixpath
    chosen = flavour.normcase(flavour.normpath(profile))
    for known in KNOWN.values():
        for template in known.profiles.get(platform, ()):
            default = fill(template, platform, environment)
            if default is None:
                continue
            default = flavour.normcase(flavour.normpath(default))
            if chosen == default or chosen.startswith(default + flavour.sep):
                return True
    return False
