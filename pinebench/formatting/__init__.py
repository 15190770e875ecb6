"""Formats a script by Pine's style guide without changing its meaning: `format_text`."""

from pinebench.formatting.formatter import FormatResult, FormatStyle, format_text

__all__ = ["FormatResult", "FormatStyle", "format_text"]
