"""Labels, lines, boxes, tables, polylines and fills: creation, changes, limits, and restoring earlier states."""

from pinebench.runtime.drawings.objects import ChartPoint, Drawing, alive
from pinebench.runtime.drawings.registry import Drawings, Limits
from pinebench.runtime.drawings.tables import Table

__all__ = ["ChartPoint", "Drawing", "Drawings", "Limits", "Table", "alive"]
