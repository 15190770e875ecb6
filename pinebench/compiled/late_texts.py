"""Finds the strings that a script joins on a bar, whose characters machine code does not have.

Such a string can be displayed, stored and passed on. If the script needs its characters during the run, Python computes
them (`library_calls`). Machine code knows whether a joined string is empty if this is known of each part; a number is
never empty.
"""

from __future__ import annotations

from typing import Any

from pinebench.runtime import BarInvariants, ir, parts_of

_ELEMENTS = "elements of arrays"
"""All elements of all arrays: they are one source of texts."""
_FILLED = ("#.##########", "mintick", "percent", "volume")
"""The formats in which a number is never an empty text, whatever it is."""


class LateTexts:
    """The variables, fields and arrays of a script that may hold a string concatenated while it runs."""

    def __init__(self, module: ir.Module, invariants: BarInvariants, *, is_unclear: bool = False) -> None:
        """Find these texts in `module`. With `is_unclear`, find only texts that may be empty without being the empty
        text of the table."""
        self._known = invariants
        self._is_unclear = is_unclear
        self._late: set[Any] = set()
        functions = {function: list(parts_of([function.unit.body])) for function in module.functions}
        results = [part for function in module.functions for part in parts_of([function.result])]
        every = [*parts_of(invariants.statements), *results, *(part for parts in functions.values() for part in parts)]
        size = -1
        while size != len(self._late):
            size = len(self._late)
            for part in every:
                self._follow(part)

    @property
    def has_elements(self) -> bool:
        """Whether an array may contain a string that is joined on a bar."""
        return _ELEMENTS in self._late

    def __contains__(self, value: ir.Expression | None) -> bool:
        """Return whether an expression may be such a text."""
        if value is None or value.kind != "string" or self._known.is_settled(value) or ir.is_settled(value):
            return False
        if isinstance(value, ir.Get | ir.Past):
            return value.variable in self._late
        if isinstance(value, ir.RecordedValue):
            return value.value in self
        if isinstance(value, ir.Choose):
            return value.then in self or value.otherwise in self
        if isinstance(value, ir.CallFunction):
            return value.function.result in self
        if isinstance(value, ir.GetField):
            return value.code in self._late
        if isinstance(value, ir.CallBuiltin) and value.name.startswith("array."):
            return self.has_elements
        if self._is_unclear and isinstance(value, ir.Binary):
            return value.left in self or value.right in self
        if self._is_unclear and isinstance(value, ir.CallBuiltin) and value.name.startswith("str.tostring"):
            form = self._known.constant(value.arguments[-1]) if len(value.arguments) > 1 else None
            is_filled = len(value.arguments) == 1 or (form is not None and form.value in _FILLED)
            return value.arguments[0].kind == "string" or not is_filled
        return not (isinstance(value, ir.CallHost) and value.name.startswith(("strategy.", "request.")))

    def _follow(self, part: Any) -> None:
        """Note the variables, fields and arrays that a text can reach."""
        if isinstance(part, ir.Assign | ir.Initialize):
            self._give(part.variable, part.value)
        elif isinstance(part, ir.Unpack):
            items = part.value
            while isinstance(items, ir.CallFunction) and items.function.result is not None:
                items = items.function.result
            for k, variable in enumerate(part.variables):
                is_text = variable is not None and variable.kind == "string"
                found = items.items[k] in self if isinstance(items, ir.TupleOf) else not isinstance(items, ir.CallHost)
                if is_text and found:
                    self._late.add(variable)
        elif isinstance(part, ir.CallFunction):
            for parameter, value in zip(part.function.parameters, part.arguments, strict=True):
                self._give(parameter, value)
        elif isinstance(part, ir.New):
            for field, value in zip(part.type.fields.values(), part.arguments, strict=True):
                self._give(field.code, value)
        elif isinstance(part, ir.SetField):
            self._give(part.code, part.value)
        elif isinstance(part, ir.CallBuiltin) and part.name.startswith("array."):
            for value in part.arguments:
                self._give(_ELEMENTS, value)
        elif isinstance(part, ir.Each) and part.element.kind == "string" and self.has_elements:
            self._late.add(part.element)

    def _give(self, target: Any, value: ir.Expression) -> None:
        if value in self:
            self._late.add(target)
