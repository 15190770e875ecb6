"""Makes the modules of `scripts/` importable for the tests of the documentation."""

import sys
from pathlib import Path

SCRIPTS = str(Path(__file__).parents[2] / "scripts")
if SCRIPTS not in sys.path:
    sys.path.append(SCRIPTS)
