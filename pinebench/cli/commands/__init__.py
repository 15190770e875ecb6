"""One module for each command; `pinebench.cli.table` says how to add one."""
