"""A debugger for scripts over the Debug Adapter Protocol: breakpoints, steps forward and back, values.

`server` speaks with the editor. The script runs in a process of its own (`child`), in which `engine` stops it.
"""
