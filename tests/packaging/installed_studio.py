"""Opens the studio of an installed package."""

import json
import os
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path


def studio_opens(command: list[str], environment: dict[str, str], folder: Path) -> None:
    """Start the studio, fetch its page, and end it."""
    with subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        told = json.loads(studio.stdout.readline())
        try:
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(told["url"], timeout=60) as answer:
                assert answer.status == 200
            with opener.open(urllib.parse.urljoin(told["url"], "/chart/"), timeout=60) as answer:
                assert (answer.status, b"<script" in answer.read()) == (200, True)
        finally:
            os.kill(told["pid"], 15)
    assert studio.returncode == 0
