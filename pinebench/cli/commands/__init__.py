"""One module a command; `pinebench.cli.table` says how to add one."""
