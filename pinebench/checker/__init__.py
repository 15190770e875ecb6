"""Tree to `Program`: every name resolved, every expression typed, TradingView's errors and warnings."""

from __future__ import annotations

from pinebench.checker.bound import (
    BoundArgument,
    BoundCall,
    BuiltinCall,
    CallSite,
    ConstructorCall,
    CopyCall,
    LibraryCall,
    UserCall,
)
from pinebench.checker.folders import LibraryFolders, known_libraries
from pinebench.checker.opening import open_changed, open_program, read_script
from pinebench.checker.program import NamedCall, Program, check
from pinebench.checker.trial import findings_after

__all__ = [
    "BoundArgument",
    "BoundCall",
    "BuiltinCall",
    "CallSite",
    "ConstructorCall",
    "CopyCall",
    "LibraryCall",
    "LibraryFolders",
    "NamedCall",
    "Program",
    "UserCall",
    "check",
    "findings_after",
    "known_libraries",
    "open_changed",
    "open_program",
    "read_script",
]
