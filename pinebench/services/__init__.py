"""Answers editors' requests about a position in a script, even while the script is being typed.

`OpenScript` is a text that changes. `OpenScript.view` is its current state; the functions of this package take such a
state. Offsets count code points; the code for each editor converts them to its protocol.
"""

from pinebench.services.script import OpenScript, ScriptView

__all__ = ["OpenScript", "ScriptView"]
