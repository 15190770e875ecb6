"""Check that a change of the code changes no finding: run it before the change and after it.

It lints every script below FOLDER with all rules, and makes one hash of each script's findings: their codes, messages,
hints, positions and fixes, in report order. `--keep FILE` writes the hashes. `--same-as FILE` compares with them: it
names each script whose findings differ, and then ends with status 1.

    python scripts/data/findings.py SCRIPTS --keep /tmp/before
    python scripts/data/findings.py SCRIPTS --same-as /tmp/before
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Make the hashes, and write or compare them."""
    parser = argparse.ArgumentParser(description="Show that a change of the code changes no finding.")
    parser.add_argument("folder", type=Path)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--keep", type=Path, metavar="FILE", help="write the hashes to FILE")
    chosen.add_argument("--same-as", type=Path, metavar="FILE", help="compare with the hashes in FILE")
    options = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    paths = sorted(path for path in options.folder.rglob("*.pine") if path.is_file())
    if not paths:
        sys.exit(f"findings: there is no .pine file in {options.folder}")
    made = {str(path.relative_to(options.folder)): hash_of(path) for path in paths}
    lines = "".join(f"{hashed}  {name}\n" for name, hashed in made.items())
    print(f"{len(made)} scripts, all findings {hashlib.sha256(lines.encode()).hexdigest()}")
    if options.keep:
        options.keep.write_text(lines, encoding="utf-8")
    return compare(made, options.same_as) if options.same_as else 0


def hash_of(path: Path) -> str:
    """Return the hash of everything that lint reports about the script at `path`, with all rules."""
    from pinebench.codes import opinion_codes
    from pinebench.linter.engine import check_text
    from pinebench.linter.findings import encode

    text = path.read_bytes().decode("utf-8", errors="replace")
    found = check_text(text, "script.pine", opinions=sorted(opinion_codes()))
    entries = [encode(finding) for finding in found]
    return hashlib.sha256(json.dumps(entries, ensure_ascii=False).encode()).hexdigest()


def compare(made: dict[str, str], before: Path) -> int:
    """Print each script whose hash differs from the file `before`. Return the exit code."""
    lines = before.read_text(encoding="utf-8").splitlines()
    kept = {name: hashed for hashed, _, name in (line.partition("  ") for line in lines)}
    different = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    for name in different:
        print(f"different: {name}")
    print(f"{len(different)} of {len(made)} scripts have other findings")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
