"""Time the first minute of a new user, from an installed wheel to a green CI run and a script on a chart.

    python benchmarks/first_minute.py [WHEEL]

Without WHEEL it builds one from this checkout. The wheel is installed with pip and the extra for charts into a new
environment, as a new user does, and once more into the environment of the workflow, whose steps run in a shell. Then
the studio is started in the project's folder, and the script, which imports a local library, is pushed, compiled and
added to the chart. The packages that the wheel needs come from the package index. The program ends with an error at the
first step that fails.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
SLOW = frozenset({"a stranger installs it", "pip install"})
"""The steps whose time is the network's and the package index's."""


class Walk:
    """The steps so far, with the seconds of each."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float]] = []

    def step(self, name: str, words: list[str] | str, **where: Any) -> str:
        """Run a command, print its time, and return its output. Exits if it fails."""
        began = time.monotonic()
        done = subprocess.run(words, shell=isinstance(words, str), capture_output=True, text=True, check=False, **where)
        self.steps.append((name, time.monotonic() - began))
        print(f"{self.steps[-1][1]:7.1f} s  {name}", flush=True)
        if done.returncode:
            sys.exit(f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def built(folder: Path) -> Path:
    """Build a wheel of this checkout and return its path."""
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def environment(folder: Path) -> dict[str, str]:
    """Return the variables of a shell with a new active environment in `folder`."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    state = {"PINEBENCH_STATE_DIR": str(folder / "state"), "PINEBENCH_CACHE_DIR": str(folder / "cache")}
    return {**kept, **state, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}


@contextmanager
def studio(project: Path, shell: dict[str, str]) -> Iterator[dict[str, str]]:
    """Start a studio in the project's folder. Yield the variables of a shell that controls it."""
    process = subprocess.Popen(
        ["pinebench", "studio", "--headless"], cwd=project, env=shell, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        yield {**shell, "PINEBENCH_CDP_PORT": str(told["debug_port"])}
    finally:
        process.terminate()
        process.wait(30)


def main() -> None:
    """Run all steps, and print the time without the package index."""
    with tempfile.TemporaryDirectory(prefix="pinebench-minute-") as place:
        folder = Path(place)
        wheel = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else built(folder / "dist")
        walk, shell, project = Walk(), environment(folder / "own"), folder / "my-idea"
        walk.step("a stranger installs it", ["pip", "install", "--quiet", f"{wheel}[chart]"], env=shell)
        new = [
            "pinebench",
            "new",
            "my-idea",
            "--strategy",
            "--user",
            "me",
            "--pinebench",
            f"pinebench @ {wheel.as_uri()}",
        ]
        walk.step("pinebench new", new, cwd=folder, env=shell)
        walk.step("pinebench test", ["pinebench", "test"], cwd=project, env=shell)
        runner = environment(folder / "ci")
        workflow = yaml.safe_load((project / ".github/workflows/pine.yml").read_text("utf-8"))
        for each in workflow["jobs"]["check"]["steps"]:
            if "run" in each:
                name = " ".join(each["run"].split()[:2])
                walk.step(f"CI: {name}" if name not in SLOW else name, each["run"], cwd=project, env=runner)
        began = time.monotonic()
        with studio(project, shell) as driven:
            print(f"{time.monotonic() - began:7.1f} s  pinebench studio", flush=True)
            walk.steps.append(("pinebench studio", time.monotonic() - began))
            walk.step("pinebench push", ["pinebench", "push", "main.pine"], cwd=project, env=driven)
            told = json.loads(
                walk.step("on the chart", ["pinebench", "call", "pine_smart_compile"], cwd=project, env=driven)
            )
            if not (told["success"] and told["study_added"] and not told["has_errors"]):
                sys.exit(f"the script is not on the chart: {told}")
        own = sum(seconds for name, seconds in walk.steps if name not in SLOW)
        print(f"{own:7.1f} s  in all, without the package index")


if __name__ == "__main__":
    main()
