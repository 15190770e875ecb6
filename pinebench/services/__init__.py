"""What any editor asks about a script, answered for a text and a place in it, also in the middle of typing.

`Script` is a text that changes; `Script.view` is one state of it, of which the modules of this room are asked. Places
are offsets of code points; what an editor's protocol makes of them is its face's.
"""

from __future__ import annotations

from pinebench.services.script import Script, View

__all__ = ["Script", "View"]
