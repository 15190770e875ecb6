"""Lays a script out anew by Pine's style guide, without changing what it says: `format_text`."""

from __future__ import annotations

from pinebench.formatting.formatter import Formatted, Style, format_text

__all__ = ["Formatted", "Style", "format_text"]
