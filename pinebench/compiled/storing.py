"""Keeps machine code on disk."""

from __future__ import annotations

from pathlib import Path

from pinebench.compiled import machine


class Store:
    """Compiles modules, and keeps their machine code in a private folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def loaded(self, *texts: str) -> machine.Loaded:
        """The machine code of modules in LLVM's language, loaded together."""
        return machine.Loaded([machine.compiled(text) for text in texts])
