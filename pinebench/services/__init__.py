"""Answers the questions of editors about a script and a place in it, even while it is being typed.

`OpenScript` is a text that changes. `OpenScript.view` is one state of it, which the modules of this room take. Places
are offsets of code points; the code for each editor converts them to its protocol.
"""

from __future__ import annotations

from pinebench.services.script import OpenScript, ScriptView

__all__ = ["OpenScript", "ScriptView"]
