"""`python -m pinebench` is the same as the `pinebench` command."""

import sys

from pinebench.cli import main

if __name__ == "__main__":
    sys.exit(main())
