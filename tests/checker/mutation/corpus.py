"""Where the clean scripts come from: this repository's own, or a folder of real ones."""

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
_OWN = ("pine/samples/*.pine", "pine/templates/*.pine", "tests/checker/valid/*.pine")


def own_scripts() -> Iterator[tuple[str, str]]:
    """Name and text of every sample, template and valid test script."""
    for pattern in _OWN:
        for path in sorted(CHECKOUT.glob(pattern)):
            yield path.relative_to(CHECKOUT).as_posix(), path.read_text(encoding="utf-8")


def real_scripts() -> Iterator[tuple[str, str]]:
    """Name and text of every script in the folder `PINEBENCH_CORPUS`, of grade A where an index.jsonl grades them."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    if not folder:
        return
    root = Path(folder)
    grades = _grades(root)
    for path in sorted(root.rglob("*.pine")):
        data = path.read_bytes()
        if grades.get(sha256(data).hexdigest(), "A" if not grades else "") == "A":
            yield path.relative_to(root).as_posix(), data.decode("utf-8", errors="replace")


def _grades(root: Path) -> dict[str, str]:
    index = next((found for found in (root / "index.jsonl", root.parent / "index.jsonl") if found.is_file()), None)
    if index is None:
        return {}
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {row["sha256"]: row["grade"] for row in rows}
