"""Thousands of slips in the scripts below `PINEBENCH_CORPUS` (else in our own), mended: none of them to another
meaning."""

import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.cli import main
from pinebench.linter.fixes import fix_text
from tests.authoring.mutants import sound_scripts
from tests.linter.typos import Typo, has_errors, outcome, typos

SLIPS = 3_000
LONGEST = 15_000
"""Characters; longer scripts say nothing more."""


def _scripts() -> list[str]:
    folder = os.environ.get("PINEBENCH_CORPUS")
    if not folder:
        return list(sound_scripts())
    texts = (path.read_text("utf-8", "replace") for path in sorted(Path(folder).rglob("*.pine")))
    return [
        text
        for text in texts
        if len(text) < LONGEST and open_program(text).document.version == 6 and not has_errors(text)
    ]


def _slips(seed: int) -> Iterator[Typo]:
    chance, scripts = random.Random(seed), _scripts()
    while True:
        yield from list(typos(chance.choice(scripts), chance, 20))[:8]


def _judge(mended: Iterable[tuple[Typo, str]]) -> Counter[str]:
    """What became of slips; none of them may have got another meaning."""
    found: Counter[str] = Counter()
    changed: list[str] = []
    for typo, text in mended:
        told = outcome(typo.sound, text, typo.text)
        found[told] += 1
        if told not in ("restored", "renamed", "left"):
            changed.append(f"{told}, {typo.kind} at {typo.place}:\n{typo.text[typo.place - 40 : typo.place + 40]!r}")
    print(found)
    assert not changed, "\n".join(changed)
    return found


@pytest.mark.soak
@pytest.mark.parametrize("unasked", [False, True], ids=["errors", "everything"])
@pytest.mark.parametrize("seed", range(4))
def test_slips_are_undone_or_left(seed: int, unasked: bool) -> None:
    wanted = None if unasked else (lambda finding: finding.severity == 0)
    slips = islice(_slips(seed), SLIPS)
    assert _judge((typo, fix_text(typo.text, wanted).text) for typo in slips).total() == SLIPS


@pytest.mark.soak
@pytest.mark.parametrize("command", ["fix", "lint --fix"])
def test_the_commands_undo_slips_or_leave_them(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands themselves, on files: what stands there afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / ".state"))
    slips = list(islice(_slips(4), SLIPS))
    for number, typo in enumerate(slips):
        Path(f"{number:04}.pine").write_bytes(typo.text.encode("utf-8", "surrogatepass"))
    if command == "fix":
        codes = Counter(main(["fix", f"{number:04}.pine"]) for number in range(SLIPS))
    else:
        codes = Counter([main(["lint", "--fix", "--no-cache", "."])])
    capsys.readouterr()
    assert set(codes) <= {0, 1}
    mended = (Path(f"{number:04}.pine").read_bytes().decode("utf-8", "surrogatepass") for number in range(SLIPS))
    found = _judge(zip(slips, mended, strict=True))
    assert found["restored"] > SLIPS // 3
