"""The public names, their docstrings with examples, and what importing the package costs."""

import doctest
import inspect
import json
import subprocess
import sys
from importlib import import_module

import pytest

import pinebench as pb

PUBLIC = """
    Backtest DoesNotCompile Figure Finding LANGUAGE_DATE Member Migration NotComputed Optimization PinebenchError
    Portfolio RepaintCheck Report Run Screening ScriptStopped SymbolBars SymbolInfo Trade UnavailableError
    UnknownName UsageError WalkForward __version__
    backtest bars check format indicator load_ipython_extension migrate optimize portfolio run
    screen walk_forward write
""".split()


def test_the_public_names_are_the_ones_that_are_promised() -> None:
    assert sorted(pb.__all__) == sorted(PUBLIC)
    assert set(PUBLIC) <= set(dir(pb))
    for name in PUBLIC:
        assert getattr(pb, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'chek'"):
        pb.chek  # noqa: B018 - pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("name", [name for name in PUBLIC if not name.startswith("__") and name != "LANGUAGE_DATE"])
def test_every_public_thing_has_a_docstring_and_types(name: str) -> None:
    thing = getattr(pb, name)
    assert inspect.getdoc(thing)
    members = (
        [member for key, member in vars(thing).items() if not key.startswith("_")]
        if isinstance(thing, type)
        else [thing]
    )
    for member in members:
        if inspect.isfunction(member):
            assert inspect.getdoc(member), member
            kinds = inspect.signature(member)
            assert kinds.return_annotation is not inspect.Signature.empty, member


@pytest.mark.parametrize(
    "name", ["optimize", "portfolio", "screen", "walk_forward", "run", "backtest", "check", "indicator"]
)
def test_what_runs_scripts_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(pb, name)) or "")


@pytest.mark.parametrize(
    "room", ["bars", "check_report", "functions", "portfolio", "run_results", "script_changes", "sweep_functions"]
)
def test_the_examples_in_docstrings_run(room: str) -> None:
    done = doctest.testmod(import_module(f"pinebench.api.{room}"))
    assert done.attempted and not done.failed


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, json; old = set(sys.modules); import pinebench; print(json.dumps(sorted(set(sys.modules) - old)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert [name for name in json.loads(told.stdout) if name.startswith("pinebench")] == [
        "pinebench",
        "pinebench.faces",
    ]
    assert not {"numpy", "pandas", "lark", "starlette"} & set(json.loads(told.stdout))
