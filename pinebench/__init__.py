"""pinebench: a workbench for people who write Pine Script v6."""

__version__ = "0.1.0"

LANGUAGE_DATE = "2026-10-02"
"""The day up to which changes of Pine Script v6 are known."""
