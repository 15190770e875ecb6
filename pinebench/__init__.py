"""pinebench: a workbench for people who write Pine Script v6."""

__version__ = "0.1.0"

LANGUAGE_DATE = "2026-08"
"""Month of the Pine Script v6 release notes up to which the language is known."""
