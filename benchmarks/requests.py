"""Measure the size of requests to a model: the first request of a run, and the second one, after a draft with an error.

Usage: python benchmarks/requests.py [--checkout FOLDER]

The requests come from `tests/authoring/transcripts`. `pinebench write` sends them to a service on loopback that replays
the answers. With --checkout an older state of the project sends them, for a comparison.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.authoring.fake_anthropic import FakeAnthropic, Request, script

ROOT = Path(__file__).resolve().parent.parent
BYTES_PER_TOKEN = 3
"""The estimate that `authoring/feedback.py` uses."""
FAULT = "\nplot(whatWasNeverDeclared)\n"
"""An error that only a model can repair."""


def main() -> int:
    """Replay every transcript and print the sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the state of the project to measure")
    checkout = parser.parse_args().checkout.resolve()
    firsts: list[int] = []
    seconds: list[int] = []
    for path in sorted((ROOT / "tests" / "authoring" / "transcripts").glob("*.toml")):
        sizes = [_size(request) for request in _play(tomllib.loads(path.read_text(encoding="utf-8")), checkout)]
        print(f"{path.stem:<20}", *(f"{size:>7}" for size in sizes))
        firsts += sizes[:1]
        seconds += sizes[1:2]
    print(f"{len(firsts)} first requests, median {statistics.median(firsts):.0f} tokens")
    print(f"{len(seconds)} second requests, median {statistics.median(seconds):.0f} tokens")
    return 0


def _play(transcript: dict[str, Any], checkout: Path) -> list[Request]:
    """Return the requests of a run whose first draft has an error."""
    fenced = re.search(r"```pine\n(.*?)```", transcript["answers"][0]["text"], re.DOTALL)
    draft = fenced[1] if fenced else '//@version=6\nindicator("Draft")\nplot(close)\n'
    with FakeAnthropic([script(draft + FAULT), script(draft)]) as fake, tempfile.TemporaryDirectory() as folder:
        given: list[str] = []
        if "base" in transcript:
            Path(folder, "base.pine").write_text(transcript["base"], encoding="utf-8")
            given = ["--from", "base.pine"]
        surroundings = {
            **os.environ,
            "PYTHONPATH": str(checkout),
            "ANTHROPIC_BASE_URL": fake.url,
            "ANTHROPIC_API_KEY": "key-of-the-benchmark",
            "NO_PROXY": "127.0.0.1",
            "PINEBENCH_STATE_DIR": folder,
        }
        order = [sys.executable, "-m", "pinebench", "write", transcript["request"], "--with", "local", *given]
        subprocess.run(
            [*order, "--max-rounds", "2", "--max-seconds", "20", "-o", "out.pine"],
            cwd=folder,
            env=surroundings,
            capture_output=True,
            check=False,
        )
        return fake.requests[:2]


def _size(request: Request) -> int:
    """Return the approximate number of tokens of a request: its text, and the tools that it offers."""
    sent = {key: request.body[key] for key in ("system", "tools", "messages") if key in request.body}
    return len(json.dumps(sent, ensure_ascii=False).encode()) // BYTES_PER_TOKEN


if __name__ == "__main__":
    raise SystemExit(main())
