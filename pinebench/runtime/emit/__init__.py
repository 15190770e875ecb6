"""The typed form to Python: one function that makes the running copy, and within it one that runs a bar."""

from __future__ import annotations

from pinebench.runtime.emit.module import Generated, generate

__all__ = ["Generated", "generate"]
