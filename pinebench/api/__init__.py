"""The public functions and classes of `import pinebench`: check, run and test Pine scripts from Python.

Programs import them from `pinebench` itself. `docs/python.md` says which names stay stable.
"""
