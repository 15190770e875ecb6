"""Many runs of one script: over inputs (optimise), over time (walk forward), over symbols (screen), over chance."""
