"""What any editor asks about a script, answered for a text and a place in it, also in the middle of typing.

`OpenScript` is a text that changes; `OpenScript.view` is one state of it, and the modules of this room answer questions
about that state. Places are offsets of code points; the faces translate them into an editor's protocol.
"""

from __future__ import annotations

from pinebench.services.script import OpenScript, View

__all__ = ["OpenScript", "View"]
