"""The commands, one module each. `pinebench.cli.table` explains how to add one."""
