"""Write the TextMate grammar from the scanner's tables and the reference: `python scripts/make_grammar.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pinebench.services.highlighting import textmate

TARGET = Path(__file__).resolve().parent.parent / "pinebench" / "grammars" / "pine.tmLanguage.json"


def main() -> int:
    """Write the file."""
    TARGET.write_text(json.dumps(textmate(), indent=2) + "\n", encoding="utf-8")
    print(f"{TARGET} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
