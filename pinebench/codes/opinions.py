"""The groups of the linter's rules.

An opinion is never an error. Opinions that every careful author would share are reported by default. The others are
reported only if they are selected by code, rule name, group name or group number. `opinions.txt` defines their codes.
Each code belongs to a rule in `linter/rules`, whose docstring explains it with two scripts.
"""

GROUPS = {
    "correctness": "PB1",
    "repainting": "PB2",
    "strategy": "PB3",
    "limits": "PB4",
    "traps": "PB5",
    "alerts": "PB6",
    "style": "PB7",
    "publish": "PB8",
}
"""The groups of rules by name, each with the beginning of its codes."""
