"""Many runs of one script: over inputs (optimize), time (walk-forward), symbols (screen), and chance (Monte Carlo)."""
