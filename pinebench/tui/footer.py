"""The row of keys at the bottom of the screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey  # Textual exports no other name of it.


class Keys(Footer):
    """The keys that can be pressed now, each with what it does.

    Textual's footer binds each of its keys to itself and never lets go of them, so that a workbench would grow with
    each change of the focus (measured: 1 MB for 10 changes with Textual 8). The keys here are not bound.
    """

    def compose(self) -> ComposeResult:
        """Yield a widget for each key that is shown."""
        for _, binding, enabled, tooltip in self.screen.active_bindings.values():
            if binding.show:
                yield FooterKey(
                    binding.key, self.app.get_key_display(binding), binding.description, binding.action,
                    disabled=not enabled, tooltip=tooltip,
                )  # fmt: skip
