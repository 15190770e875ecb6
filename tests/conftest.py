"""Settles what every test starts from and how many processes run them; leaves out what this machine cannot run, and
says so: it has no recorded answers, no browser, or no npm.

With `CI=true` nothing that takes a browser or npm is left out, so that there it fails.
"""

import asyncio
import atexit
import contextlib
import gc
import importlib
import inspect
import os
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.studio.assets import Assets
from pinebench.tradingview import browser, browser_programs
from tests import homes, parity, recorded, selection, surroundings


def _name_own_browser() -> None:
    """Name a browser that lies below the user's home, because the tests have other homes."""
    with contextlib.suppress(PinebenchError):
        found = browser_programs.find().path
        if found.startswith(os.path.expanduser("~") + os.sep):
            os.environ.setdefault("PINEBENCH_BROWSER", found)


IS_WORKER = os.environ.pop("PYTEST_XDIST_WORKER", None) is not None
"""Whether this process is a worker of xdist. Its children are not told: tests that a test runs would end as a worker
does, with the code 0, even if they fail."""

if IS_WORKER:
    # After all else that is done at the end, a worker would free all objects that it has, one after another.
    atexit.register(os._exit, 0)

_name_own_browser()
surroundings.settle()
# Tests are collected by the ten thousand and stay until the end: to look through them for garbage again and again would
# cost a tenth of the time.
gc.disable()

collect_ignore_glob = [
    *([] if recorded.there() else ["*/test_verdicts.py"]),
    *([] if recorded.editor_there() else ["*/test_editor_verdicts.py"]),
    *([] if parity.there() else ["*/test_parity.py"]),
]

_SLOW = ("slow", "soak")
_LIVE_FIXTURES = {"chromium", "shared_chromium", "studio_page", "module_page", "session"}


@cache
def _why_not_live() -> str | None:
    """What the tests marked `live` lack here; None where they can run, or must."""
    if os.environ.get("CI") == "true":
        return None
    try:
        browser_programs.find()
        Assets()
    except UnavailableError as error:
        return f"{error.message} ({error.hint})"
    except UsageError:  # PINEBENCH_BROWSER names what is no browser: that is to be seen
        return None
    return None


@pytest.fixture(autouse=True)
def own_home(request: pytest.FixtureRequest) -> Iterator[str]:
    """A home of the test's own. The test fails if it opens what lies below the user's."""
    before = {variable: os.environ[variable] for variable in homes.VARIABLES}
    folder = homes.new()
    os.environ.update(dict.fromkeys(homes.VARIABLES, folder))
    yield folder
    os.environ.update(before)
    opened = homes.opened()
    if request.node.get_closest_marker("homeless"):
        opened = [line for line in opened if not line.startswith(homes.HOMELESS)]
    assert not opened, "this belongs to the user: " + "\n".join(opened)


@pytest.fixture(scope="session")
def shared_chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.RunningBrowser]:
    """The browser of this process, for pages that share one renderer; whoever opens a tab closes it."""
    from tests.tradingview import support

    with support.patience():
        launched = support.start_browser(tmp_path_factory.mktemp("profile"), support.ONE_RENDERER)
    yield launched
    launched.stop()


@pytest.fixture(scope="session")
def chromium(shared_chromium: browser.RunningBrowser) -> browser.RunningBrowser:
    """The browser of this process, where a room has none of its own."""
    return shared_chromium


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than there are cores: half of the time goes by in waiting for browsers and servers."""
    return (os.cpu_count() or 1) + 2


def pytest_report_header() -> list[str]:
    """What is left out, and why."""
    if recorded.there():
        lines = [f"recorded answers: {recorded.VERDICTS}"]
    else:
        lines = ["recorded answers: none; left out is test_verdicts.py (PINEBENCH_VERDICTS names their file)"]
    if not recorded.editor_there():
        lines.append("answers of the editor: none; left out is test_editor_verdicts.py (editor.jsonl beside that file)")
    if not parity.there():
        lines.append("exports of TradingView: none; left out is test_parity.py (PINEBENCH_PARITY names their folder)")
    reason = _why_not_live()
    if reason is not None:
        lines.append(f"browser: left out are the tests that take one and the studio's page: {reason}")
    return lines


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let each worker import its share of the tests before it collects them all, where the whole suite runs.

    In a new checkout all workers would otherwise compile the same modules at the same time.
    """
    given: dict[str, object] = getattr(session.config, "workerinput", {})
    if given and session.config.args == session.config.getini("testpaths"):
        _import_share(int(str(given["workerid"]).removeprefix("gw")), int(str(given["workercount"])))
    return (yield)


def _import_share(number: int, count: int) -> None:
    tests = Path(__file__).parent
    modules = sorted(path for path in tests.rglob("test_*.py") if tests / "soak" not in path.parents)
    for path in modules[number::count]:
        # Collection says what is wrong with a module, or why it is left out.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(tests.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[pytest.Item] | None:
    """Make no tests of a function of the night where they would be left out at once: they are a fifth of all tests."""
    if str(collector.config.getoption("markexpr")) not in ("not soak", "quick"):
        return None
    marks: list[pytest.Mark] = getattr(obj, "pytestmark", [])
    if inspect.isfunction(obj) and any(mark.name == "soak" for mark in marks):
        return []
    return [] if f"{collector.nodeid}::{name}" in selection.AT_NIGHT else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves to `make soak` and what `make quick` runs; leave out live tests that cannot run.

    Tests that wait for seconds come first, so that no process is alone with them at the end.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(selection.FIRST))
    light = [item for item in items if not item.get_closest_marker("soak")]
    left = selection.left_to_soak(item.nodeid for item in light)
    for item in light:
        if item.nodeid in left:
            item.add_marker("soak")
    if "quick" in str(config.getoption("markexpr")):
        _mark_quick(items)
    if _why_not_live() is None:
        return
    live = [item for item in items if _is_live(item)]
    config.hook.pytest_deselected(items=live)
    items[:] = [item for item in items if item not in set(live)]


def _mark_quick(items: list[pytest.Item]) -> None:
    able = [item for item in items if not _is_live(item) and not any(map(item.get_closest_marker, _SLOW))]
    quick = selection.quick(item.nodeid for item in able)
    for item in able:
        if item.nodeid in quick:
            item.add_marker("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a worker report a test when it has ended, and of its set-up and tear-down only what went wrong.

    Otherwise it sends six messages for each test, and a fifth of the work of a short one goes into them.
    """
    if not IS_WORKER:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(
        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters})
    )
    return True


def pytest_collection_finish() -> None:
    """Look for garbage from now on, seldom, and never among what was collected.

    Modules and caches that tests load stay: to go through them again and again took a tenth of the tests' time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    gc.enable()


def _is_live(item: pytest.Item) -> bool:
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return item.get_closest_marker("live") is not None or not _LIVE_FIXTURES.isdisjoint(fixtures)
