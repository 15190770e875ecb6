"""Generates Python from the typed form: one function makes a running copy, and a function inside it runs the bars."""

from __future__ import annotations

from pinebench.runtime.emit.module import Generated, generate

__all__ = ["Generated", "generate"]
