"""The workbench in the terminal: an editor for Pine Script with everything that pinebench knows around it.

`app` is the frame: tabs, dock, status line, and what is done by a key. A thing to look at beside the script is a panel
(`panels`), a question to a person is a dialog (`dialogs`), what takes time is asked of `language`. Only this room uses
Textual.
"""
