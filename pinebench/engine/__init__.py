"""The trading engine: alerts, notifications and paper trading on bars as they come, kept in one SQLite file."""
