"""The language server, which offers the answers of `services` to every editor with the Language Server Protocol."""
