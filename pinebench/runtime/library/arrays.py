"""The functions of `array.*`, with TradingView's behaviour for na indices, sizes and errors.

Sums begin with the first element. Machine code is generated from the functions that `compiled.library_functions` names.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import ceil, floor, sqrt
from typing import Any

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.collections import ARRAY_LIMIT, NA, Array, ArraySlice
from pinebench.runtime.library.kernel import TOLERANCE
from pinebench.runtime.library.numerals import joined
from pinebench.runtime.library.sizes import together
from pinebench.totals import total


def _of(array: Array | None) -> list[Any]:
    """The items of an array; raises RE10052 for na."""
    if array is None:
        raise RuntimeFault("RE10052")
    return array.items


def _writable(array: Array | None) -> list[Any]:
    if array is None:
        raise RuntimeFault("RE10052")
    return array.writable()


def _outside(function: str, index: float, size: int) -> RuntimeFault:
    return RuntimeFault("RE10045", funcName=function, index=int(index), size=size)


def _range(function: str, size: int, index_from: float, index_to: float) -> tuple[int, int]:
    """Return a range of an array as whole numbers. Raises RE10045 for a start or an end outside the array."""
    start = int(index_from) if index_from == index_from else 0
    stop = int(index_to) if index_to == index_to else size
    if not 0 <= start < size:
        raise _outside(function, start, size)
    if not 0 <= stop <= size:
        raise _outside(function, stop, size)
    return start, stop


def _grown(items: list[Any]) -> list[Any]:
    if len(items) > ARRAY_LIMIT:
        raise RuntimeFault("array-too-large", limit=ARRAY_LIMIT)
    return items


# creation and copies


def new(size: float = 0, initial_value: Any = NA) -> Array:
    """Implement `array.new<type>(size, initial_value)`. An na size counts as 0."""
    count = int(size) if size == size else 0
    if count < 0:
        raise RuntimeFault("array-negative-size")
    if count > ARRAY_LIMIT:
        raise RuntimeFault("array-too-large", limit=ARRAY_LIMIT)
    return Array([initial_value] * count)


def of(*values: Any) -> Array:
    """Implement `array.from(arg0, arg1, ...)`."""
    return Array(list(values))


def copy(array: Array | None) -> Array:
    """Implement `array.copy(id)`."""
    items = _of(array)
    return Array(list(items))


def slice_of(array: Array | None, index_from: float, index_to: float) -> Array:
    """Implement `array.slice(id, index_from, index_to)`. The part shares its elements with the array."""
    items = _of(array)
    start, stop = _range("slice", len(items), index_from, index_to)
    if start > stop:
        raise RuntimeFault("RE10044")
    assert array is not None
    return ArraySlice(array, start, stop - start)


def concat(array: Array | None, other: Array | None) -> Array:
    """Implement `array.concat(id1, id2)`: append the second array's elements to the first, and return the first."""
    items, others = _writable(array), _of(other)
    items.extend(list(others))
    assert array is not None
    array.items = _grown(items)
    return array


# elements


def size(array: Array | None) -> int:
    """Implement `array.size(id)`."""
    items = _of(array)
    return len(items)


def get(array: Array | None, index: float, missing: Any = NA) -> Any:
    """Implement `array.get(id, index)`. For an na index, the result is `missing`, the na of the elements."""
    if array is None:
        raise RuntimeFault("RE10052")
    items = array.items
    if index != index:
        return missing
    try:
        return items[int(index)]  # a negative index counts from the end, in Python as in Pine
    except IndexError:
        raise _outside("get", index, len(items)) from None


def put(array: Array | None, index: float, value: Any) -> None:
    """Implement `array.set(id, index, value)`. An na index changes nothing."""
    items = _writable(array)
    if index != index:
        return
    try:
        items[int(index)] = value
    except IndexError:
        raise _outside("set", index, len(items)) from None
    assert array is not None
    array.items = items


def first(array: Array | None) -> Any:
    """Implement `array.first(id)`."""
    items = _filled("first", _of(array))
    return items[0]


def last(array: Array | None) -> Any:
    """Implement `array.last(id)`."""
    items = _filled("last", _of(array))
    return items[-1]


def _filled(function: str, items: list[Any]) -> list[Any]:
    if not items:
        raise RuntimeFault("array-empty", funcName=function)
    return items


def push(array: Array | None, value: Any) -> None:
    """Implement `array.push(id, value)`."""
    items = _writable(array)
    items.append(value)
    assert array is not None
    array.items = _grown(items)


def unshift(array: Array | None, value: Any) -> None:
    """Implement `array.unshift(id, value)`."""
    items = _writable(array)
    items.insert(0, value)
    assert array is not None
    array.items = _grown(items)


def pop(array: Array | None) -> Any:
    """Implement `array.pop(id)`."""
    items = _filled("pop", _writable(array))
    value = items.pop()
    assert array is not None
    array.items = items
    return value


def shift(array: Array | None) -> Any:
    """Implement `array.shift(id)`."""
    items = _filled("shift", _writable(array))
    value = items.pop(0)
    assert array is not None
    array.items = items
    return value


def insert(array: Array | None, index: float, value: Any) -> None:
    """Implement `array.insert(id, index, value)`. An na index means the end."""
    items = _writable(array)
    count = len(items)
    number = int(index) if index == index else count
    if not -count <= number <= count:
        raise _outside("insert", index, count)
    items.insert(number, value)
    assert array is not None
    array.items = _grown(items)


def remove(array: Array | None, index: float, missing: Any = NA) -> Any:
    """Implement `array.remove(id, index)`. For an na index, it removes nothing and returns `missing`, the na of the
    elements."""
    items = _writable(array)
    if index != index:
        return missing
    try:
        value = items.pop(int(index))
    except IndexError:
        raise _outside("remove", index, len(items)) from None
    assert array is not None
    array.items = items
    return value


def clear(array: Array | None) -> None:
    """Implement `array.clear(id)`."""
    items = _writable(array)
    items.clear()
    assert array is not None
    array.items = items


def fill(array: Array | None, value: Any, index_from: float = 0, index_to: float = NA) -> None:
    """Implement `array.fill(id, value, index_from, index_to)`. A reversed range changes nothing."""
    items = _writable(array)
    start, stop = _range("fill", len(items), index_from, index_to)
    for k in range(start, stop):
        items[k] = value
    assert array is not None
    array.items = items


def reverse(array: Array | None) -> None:
    """Implement `array.reverse(id)`."""
    items = _writable(array)
    items.reverse()
    assert array is not None
    array.items = items


# searching


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, float) or isinstance(right, float):
        if left is None or right is None:
            return False
        return left == right or -TOLERANCE <= left - right <= TOLERANCE
    return left is right or left == right


def includes(array: Array | None, value: Any) -> bool:
    """Implement `array.includes(id, value)`, with a tolerance of 1e-10 for floats."""
    return index_of(array, value) >= 0


def index_of(array: Array | None, value: Any) -> int:
    """Implement `array.indexof(id, value)`, with a tolerance of 1e-10 for floats; -1 if the value is not found."""
    items = _of(array)
    for k, item in enumerate(items):
        if _equal(item, value):
            return k
    return -1


def last_index_of(array: Array | None, value: Any) -> int:
    """Implement `array.lastindexof(id, value)`, with a tolerance of 1e-10 for floats; -1 if the value is not found."""
    items = _of(array)
    for k in range(len(items) - 1, -1, -1):
        if _equal(items[k], value):
            return k
    return -1


def _keys(array: Array | None, sort_field: int | str | None) -> list[Any]:
    """Return the values to compare: the elements, or one field of objects, given by number or name."""
    items = _of(array)
    if not items or sort_field is None or not hasattr(next((x for x in items if x is not None), 0), "fields"):
        return items
    if any(item is None for item in items):
        raise RuntimeFault("array-object-sort")
    name = _field(items[0], sort_field)
    return [getattr(item, name) for item in items]


def _field(item: Any, wanted: int | str) -> str:
    """The attribute of a field, given by the field's number or by its name in the script."""
    if isinstance(wanted, str) and wanted in item.names:
        return item.fields[item.names.index(wanted)]
    if isinstance(wanted, int) and 0 <= wanted < len(item.fields):
        return item.fields[wanted]
    raise RuntimeFault("sort-field", field=wanted)


def binary_search(array: Array | None, value: Any, sort_field: int | str | None = None) -> int:
    """Implement `array.binary_search(id, val, sort_field)`. The result is -1 if the value is not found."""
    keys = _keys(array, sort_field)
    low, high = 0, len(keys) - 1
    while low <= high:
        middle = (low + high) // 2
        if keys[middle] == value:
            return middle
        if keys[middle] < value:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def binary_search_leftmost(array: Array | None, value: Any, sort_field: int | str | None = None) -> int:
    """Implement `array.binary_search_leftmost(id, val, sort_field)`. If the value is not found, the result is the index
    of the last smaller element, at least 0."""
    keys = _keys(array, sort_field)
    found = bisect_left(keys, value)
    return found if found < len(keys) and keys[found] == value else max(found - 1, 0)


def binary_search_rightmost(array: Array | None, value: Any, sort_field: int | str | None = None) -> int:
    """Implement `array.binary_search_rightmost(id, val, sort_field)`. If the value is not found, the result is the
    index of the first larger element, which can be the size of the array."""
    keys = _keys(array, sort_field)
    found = bisect_right(keys, value)
    return found - 1 if found and keys[found - 1] == value else found


# sorting


def _positions(keys: list[Any], descending: bool, stable: bool) -> list[int]:
    """The indices of `keys` in sorted order: na is larger than all numbers, and smaller than all strings. The
    descending order is the ascending order reversed. With `stable`, equal keys keep their order instead."""
    here = [k for k, key in enumerate(keys) if key is not None and key == key]
    holes = [k for k, key in enumerate(keys) if key is None or key != key]
    if descending and stable:
        here.sort(key=keys.__getitem__, reverse=True)
    else:
        here.sort(key=keys.__getitem__)
    texts = bool(here) and isinstance(keys[here[0]], str)
    if descending and stable:
        return here + holes if texts else holes + here
    order = holes + here if texts else here + holes
    return order[::-1] if descending else order


def sort(array: Array | None, order: str | None = "ascending", sort_field: int | str | None = None) -> None:
    """Implement `array.sort(id, order, sort_field)`."""
    items = _writable(array)
    if items and isinstance(items[0], int | float):
        sort_numbers(array, order == "descending")
        return
    keys = _keys(array, sort_field)
    places = _positions(keys, order == "descending", stable=True)
    items[:] = [items[k] for k in places]
    assert array is not None
    array.items = items


def sort_numbers(array: Array | None, descending: bool) -> None:
    """Sort numbers in place, descending or ascending; na is larger than all of them."""
    items = _writable(array)
    order = sorted((value for value in items if value == value), reverse=descending)
    holes = len(items) - len(order)
    first = holes if descending else 0
    items[first : first + len(order)] = order
    for k in range(holes):
        items[k if descending else len(order) + k] = NA
    assert array is not None
    array.items = items


def sort_indices(array: Array | None, order: str | None = "ascending", sort_field: int | str | None = None) -> Array:
    """Implement `array.sort_indices(id, order, sort_field)`. Descending order also reverses equal elements."""
    return Array(_positions(_keys(array, sort_field), order == "descending", stable=False))


# text and bools


def join(array: Array | None, separator: str | None = ",") -> str:
    """Implement `array.join(id, separator)`. Numbers have up to 16 decimals."""
    return together("," if separator is None else separator, map(_text, _of(array)))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "NaN" if value is None else joined(value)


def every(array: Array | None) -> bool:
    """Implement `array.every(id)`. The result is false for an empty array."""
    items = _of(array)
    return len(items) > 0 and all(items)


def some(array: Array | None) -> bool:
    """Implement `array.some(id)`."""
    items = _of(array)
    return any(items)


# numbers


def _present(array: Array | None) -> list[Any]:
    items = _of(array)
    return [value for value in items if value == value]


def absolute(array: Array | None) -> Array:
    """Implement `array.abs(id)`. The result is a new array."""
    return Array([abs(value) for value in _of(array)])


def sum_of(array: Array | None) -> float:
    """Implement `array.sum(id)`. The result is na if all elements are na."""
    items = _of(array)
    result, count = _sum_and_count(items)
    return result if count else NA


def _sum_and_count(values: list[Any]) -> tuple[float, int]:
    """The sum of the values that are not na, from the first one on, and their number. The sum of ints is an int."""
    result: float = 0
    count = 0
    for value in values:
        if value == value:
            result += value
            count += 1
    return result, count


def total_of(values: list[Any]) -> Any:
    """Return the sum of the values, added in order; it is an int if all values are ints."""
    result: Any = 0
    for value in values:
        result += value
    return result


def average(array: Array | None) -> float:
    """Implement `array.avg(id)`."""
    items = _of(array)
    result, count = _sum_and_count(items)
    return result / count if count else NA


def _nth(array: Array | None, nth: float, descending: bool) -> float:
    items = _of(array)
    if not items:
        return NA
    rank = int(nth) if nth == nth else 0
    if not 0 <= rank < len(items):
        raise _outside("max" if descending else "min", rank, len(items))
    if rank:
        order = sorted((value for value in items if value == value), reverse=descending)
        return order[min(rank, len(order) - 1)] if order else NA
    if descending:
        return max((value for value in items if value == value), default=NA)
    return min((value for value in items if value == value), default=NA)


def maximum(array: Array | None, nth: float = 0) -> float:
    """Implement `array.max(id, nth)`. na elements have the last ranks; for such a rank, the result is the last value
    that is not na. Raises RE10045 for a rank outside the array (recorded)."""
    return _nth(array, nth, True)


def minimum(array: Array | None, nth: float = 0) -> float:
    """Implement `array.min(id, nth)`. Raises RE10045 for a rank outside the array."""
    return _nth(array, nth, False)


def spread(array: Array | None) -> float:
    """Implement `array.range(id)`."""
    values = _present(array)
    if not values:
        return NA
    return max(values) - min(values)


def median(array: Array | None) -> float:
    """Implement `array.median(id)`. For an even number of elements, it is the mean of the middle two, even for ints."""
    order = sorted(_present(array))
    return _middle(order)


def median_of(values: list[Any]) -> float:
    """Return the median of values without na; na if there are no values."""
    return _middle(sorted(values))


def _middle(order: list[Any]) -> float:
    middle = len(order) // 2
    if not order:
        return NA
    return order[middle] if len(order) % 2 else (order[middle - 1] + order[middle]) / 2


def mode(array: Array | None) -> float:
    """Implement `array.mode(id)`: the most frequent value; the smallest one if there are several."""
    return mode_of(_present(array))


def mode_of(values: list[Any]) -> float:
    """Return the mode of values without na; na if there are no values."""
    counts: dict[Any, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    if not counts:
        return NA
    most = max(counts.values())
    return min([value for value, count in counts.items() if count == most])


def variance(array: Array | None, biased: bool = True) -> float:
    """Implement `array.variance(id, biased)`. For a single element, the biased variance is 0, and the unbiased variance
    is na."""
    values = _present(array)
    n = len(values)
    if n < 2:
        return 0.0 if n and biased else NA
    sum_ = total(values)
    squares = total(value * value for value in values)
    mean = sum_ / n
    if biased:
        return max(0.0, squares / n - mean * mean)
    return max(0.0, squares / (n - 1) - (sum_ / (n - 1)) * mean)


def deviation(array: Array | None, biased: bool = True) -> float:
    """Implement `array.stdev(id, biased)`."""
    found = variance(array, biased)
    return sqrt(found) if found == found else NA


def standardize(array: Array | None) -> Array:
    """Implement `array.standardize(id)`. na elements stay na; all others are 1 if they are equal."""
    items, values = _of(array), _present(array)
    if not values:
        return Array([NA] * len(items))
    n = len(values)
    mean = total(values) / n
    width = sqrt(max(0.0, total(value * value for value in values) / n - mean * mean))
    if not width:
        return Array([1.0 if value == value else NA for value in items])
    return Array([(value - mean) / width for value in items])


def covariance(array: Array | None, other: Array | None, biased: bool = True) -> float:
    """Implement `array.covariance(id1, id2, biased)` over the pairs in which no value is na."""
    left, right = _of(array), _of(other)
    if len(left) != len(right):
        raise RuntimeFault("RE10073")
    pairs = [(x, y) for x, y in zip(left, right, strict=True) if x == x and y == y]
    n = len(pairs)
    if not n or (n < 2 and not biased):
        return NA
    mean_x = total(x for x, _ in pairs) / n
    mean_y = total(y for _, y in pairs) / n
    return total((x - mean_x) * (y - mean_y) for x, y in pairs) / (n if biased else n - 1)


def percentrank(array: Array | None, index: float) -> float:
    """Implement `array.percentrank(id, index)`: the percentage of other elements that are not larger. The comparison is
    exact, without tolerance (recorded)."""
    items = _of(array)
    if not items:
        return NA
    place = int(index) if index == index else 0
    if not 0 <= place < len(items):
        raise _outside("percentrank", place, len(items))
    value = items[place]
    if len(items) == 1 or value != value:
        return NA
    count = len([1 for other in items if other <= value])
    return (count - 1) * 100 / (len(items) - 1)


def _percentage(function: str, percentage: float) -> None:
    if not 0 <= percentage <= 100:
        raise RuntimeFault(
            "RE10002", argName="percentage", value=percentage, funName=f"array.{function}", min=0, max=100
        )


def percentile_nearest_rank(array: Array | None, percentage: float) -> float:
    """Implement `array.percentile_nearest_rank(id, percentage)`. na elements are larger than all others; an na
    percentage counts as 0."""
    items, values = _of(array), sorted(_present(array))
    if not items:
        return NA
    percentage = percentage if percentage == percentage else 0
    _percentage("percentile_nearest_rank", percentage)
    rank = max(ceil(percentage * len(items) / 100), 1)
    return values[rank - 1] if rank <= len(values) else NA


def percentile_linear_interpolation(array: Array | None, percentage: float) -> float:
    """Implement `array.percentile_linear_interpolation(id, percentage)`. na elements are larger than all others."""
    items, values = _of(array), sorted(_present(array))
    if not items or percentage != percentage:
        return NA
    _percentage("percentile_linear_interpolation", percentage)
    n = len(items)
    position = n * percentage / 100 + 0.5
    whole = floor(position + 0.5)
    if abs(position - whole) < 1e-9:
        position = float(whole)
    position = min(max(position, 1), n)
    below = int(position)
    part = position - below
    if not part:
        return values[below - 1] if below <= len(values) else NA
    if len(values) < n:
        return NA
    return values[below - 1] * (1 - part) + values[below] * part
