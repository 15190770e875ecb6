"""Every test of the workbench has a state folder of its own."""

from tests.tui.support import painted, state

__all__ = ["painted", "state"]
