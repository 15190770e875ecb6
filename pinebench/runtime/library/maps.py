"""The functions of `map.*`. Keys are in the order in which they were added; na is a key, and +0 and -0 are the same
key."""

from __future__ import annotations

from typing import Any

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.collections import MAP_LIMIT, NA, Array, Map


def _of(map_: Map | None) -> dict[Any, Any]:
    if map_ is None:
        raise RuntimeFault("na-map")
    return map_.pairs


def _key(key: Any) -> Any:
    """Return the key itself, or one common key for all na numbers."""
    return key if key == key else NA


def _missing(map_: Map | None) -> Any:
    return NA if map_ is None else map_.missing


def new(missing: Any = NA) -> Map:
    """Implement `map.new<keys, values>()`. `missing` is the result for a key that is not in the map."""
    return Map(missing=missing)


def size(map_: Map | None) -> int:
    """Implement `map.size(id)`."""
    return len(_of(map_))


def get(map_: Map | None, key: Any) -> Any:
    """Implement `map.get(id, key)`. The result is na if the key is not in the map."""
    return _of(map_).get(_key(key), _missing(map_))


def put(map_: Map | None, key: Any, value: Any) -> Any:
    """Implement `map.put(id, key, value)`, which returns the previous value. Raises RE10070 for a map that is too
    large."""
    pairs = _of(map_)
    key = _key(key)
    before = pairs.get(key, _missing(map_))
    if len(pairs) >= MAP_LIMIT and key not in pairs:
        raise RuntimeFault("RE10070", maxSize=MAP_LIMIT, currSize=len(pairs) + 1)
    pairs[key] = value
    return before


def put_all(map_: Map | None, other: Map | None) -> None:
    """Implement `map.put_all(id, id2)`."""
    for key, value in list(_of(other).items()):
        put(map_, key, value)


def remove(map_: Map | None, key: Any) -> Any:
    """Implement `map.remove(id, key)`, which returns the value that was removed, or na."""
    return _of(map_).pop(_key(key), _missing(map_))


def contains(map_: Map | None, key: Any) -> bool:
    """Implement `map.contains(id, key)`."""
    return _key(key) in _of(map_)


def clear(map_: Map | None) -> None:
    """Implement `map.clear(id)`."""
    _of(map_).clear()


def copy(map_: Map | None) -> Map:
    """Implement `map.copy(id)`."""
    return Map(dict(_of(map_)), _missing(map_))


def keys(map_: Map | None) -> Array:
    """Implement `map.keys(id)`. The result is a new array."""
    return Array(list(_of(map_)))


def values(map_: Map | None) -> Array:
    """Implement `map.values(id)`. The result is a new array."""
    return Array(list(_of(map_).values()))
