"""Write the files of the repository that are made from the code, and the documentation with its lists (`build/docs`).

Usage: python scripts/docs/generate.py [--check]

With --check nothing is written; the exit code is 1 if a file of the repository is out of date.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pinebench.broker import figure_table  # noqa: E402 - of this checkout
from pinebench.linter.rules import rules, trigger_of  # noqa: E402 - of this checkout
from pinebench.linter.settings import schema  # noqa: E402 - of this checkout
from pinebench.reference import texts  # noqa: E402 - of this checkout
from pinebench.services.highlighting import textmate  # noqa: E402 - of this checkout
from scripts.docs import boards, built_pages, reference_pages  # noqa: E402 - of this checkout

DOCS = ROOT / "docs"
BUILT = ROOT / "build" / "docs"
FIGURES = ROOT / "pinebench" / "studio" / "page" / "src" / "model" / "figures.json"
GRAMMAR = ROOT / "pinebench" / "grammars" / "pine.tmLanguage.json"
SCHEMA = ROOT / "pinebench" / "config" / "pinebench.schema.json"
SHOWN = ROOT / "pinebench" / "reference" / "texts" / "shown.json"
TRIGGERS = ROOT / "pinebench" / "linter" / "rules" / "_triggers.py"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a file is not current")
    options = parser.parse_args()
    stale = False
    for path, text in files().items():
        current = path.read_text(encoding="utf-8") if path.exists() else ""
        if current != text:
            stale = True
            print(path.relative_to(ROOT).as_posix(), file=sys.stderr)
            if not options.check:
                path.write_text(text, encoding="utf-8")
    if not options.check:
        build(BUILT)
    return int(stale and options.check)


def files() -> dict[Path, str]:
    """Return the text of every generated file of the repository: the package needs it, or the README shows it."""
    return {
        **boards.pages(),
        SHOWN: reference_pages.shown_json(),
        TRIGGERS: triggers(),
        FIGURES: json.dumps(figure_table.for_page(), indent=2, ensure_ascii=False) + "\n",
        GRAMMAR: json.dumps(textmate(), indent=2) + "\n",
        SCHEMA: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n",
    }


def build(target: Path) -> None:
    """Write the documentation with its lists and their pictures to the folder `target`, which is replaced."""
    texts.texts.cache_clear()  # `shown.json` may be another one now
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target)
    for name, text in {**built_pages.pages(), **built_pages.pictures()}.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def triggers() -> str:
    """Return the text of the module that says which rules can apply to a script, without loading the rules."""
    lines = [f"    {code!r}: {tuple(trigger_of(rule))!r},\n" for code, rule in rules().items()]
    return f'''"""The parts of scripts that each rule looks at; written by `scripts/docs/generate.py`."""

# ruff: noqa: E501
# fmt: off
TRIGGERS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool, bool]] = {{
{"".join(lines)}}}
'''


if __name__ == "__main__":
    sys.exit(main())
