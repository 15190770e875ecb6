"""The records of all built-ins, collected from all modules of this package."""

from __future__ import annotations

from pinebench.reference.data import charts, collections, constants, drawings, plain, strategy, ta, values

MODULES = (charts, collections, constants, drawings, plain, strategy, ta, values)

FUNCTIONS = dict(sorted((name, record) for module in MODULES for name, record in module.FUNCTIONS.items()))
VARIABLES = dict(sorted((name, record) for module in MODULES for name, record in module.VARIABLES.items()))
CONSTANTS = dict(sorted((name, record) for module in MODULES for name, record in module.CONSTANTS.items()))
