"""The language server: the answers of `services` for every editor that speaks the Language Server Protocol."""
