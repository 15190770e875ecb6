"""The workbench in the terminal: an editor for Pine Script, with pinebench's other features around it.

`app` is the main window: tabs, dock, status line, and the commands for keys. A panel (`panels`) shows something beside
the script. A dialog (`dialogs`) asks a person a question. Slow requests about a script run in `language`. Only this
package uses Textual.
"""
