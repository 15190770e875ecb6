"""The documentation's pictures show what the product shows today."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.docs import make_pictures
from tests.cli.support import CHECKOUT

pytestmark = pytest.mark.soak


def test_no_picture_is_out_of_date() -> None:
    command = [sys.executable, "scripts/docs/make_pictures.py", "--check"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_another_page_is_noticed_and_a_changed_program_in_it_is_not() -> None:
    page = '<p>1</p><script id="data" type="application/json">[2]</script><script>run()</script>'
    assert make_pictures.checksum(page) != make_pictures.checksum(page.replace("1", "3"))
    assert make_pictures.checksum(page) != make_pictures.checksum(page.replace("[2]", "[4]"))
    assert make_pictures.checksum(page) == make_pictures.checksum(page.replace("run()", "start()"))
    assert make_pictures.known(Path("nowhere.png")) == ""
