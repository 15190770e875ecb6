"""A debugger for scripts over the Debug Adapter Protocol: breakpoints, steps forward and back, and values.

`server` talks to the editor. The script runs in a process of its own (`script_process`), in which `engine` stops it.
"""
