"""Many runs of one script: over inputs (optimize), over time (walk-forward test), over symbols (screen), and over
chance (Monte Carlo)."""
