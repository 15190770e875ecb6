"""Arrays, maps and matrices.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "array.abs": """
says Makes an array of the absolute values of the elements.
reads object
runs arrays.absolute
needs id
id; array<(int|float)>
-> array<float>
id; array<int>
-> array<int>
""",
    "array.avg": """
says Gives the mean of the elements.
reads object
runs arrays.average
used 10
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.binary_search": """
says Finds the index of a value in a sorted array, -1 when it is missing.
reads object
runs arrays.binary_search
rule search
needs id; val
id; array<(int|float)>
val; series int|float; ; series float
-> series int
id; array<T>
val; series int|float|string; ; series float
sort_field?; const int|string; 0; const int
-> series int
""",
    "array.binary_search_leftmost": """
says Finds a value in a sorted array, or the nearest smaller one on its left.
reads object
runs arrays.binary_search_leftmost
rule search
needs id; val
id; array<(int|float)>
val; series int|float; ; series float
-> series int
id; array<T>
val; series int|float|string; ; series float
sort_field?; const int|string; 0; const int
-> series int
""",
    "array.binary_search_rightmost": """
says Finds a value in a sorted array, or the nearest larger one on its right.
reads object
runs arrays.binary_search_rightmost
rule search
needs id; val
id; array<(int|float)>
val; series int|float; ; series float
-> series int
id; array<T>
val; series int|float|string; ; series float
sort_field?; const int|string; 0; const int
-> series int
""",
    "array.clear": """
says Removes all elements.
reads object
changes object
runs arrays.clear
traits removes
used 47
often id
needs id
id; array<T>
-> void
""",
    "array.concat": """
says Appends the elements of the second array to the first.
reads object
changes object
runs arrays.concat
traits joins
needs id1; id2
id1; array<T>
id2; array<T>
-> array<T>
""",
    "array.copy": """
says Makes a shallow copy of the array.
reads object
runs arrays.copy
used 8
often id
needs id
id; array<T>
-> array<T>
""",
    "array.covariance": """
says Gives the covariance of two arrays: how far they move together, in the units of both.
reads object
runs arrays.covariance
needs id1; id2
id1; array<(int|float)>
id2; array<(int|float)>
biased?; series bool; true
-> series float
""",
    "array.every": """
says Tells whether all elements are true.
reads object
runs arrays.every
needs id
id; array<bool>
-> series bool
""",
    "array.fill": """
says Sets all elements of a range to one value.
reads object
changes object
runs arrays.fill
traits sets
used 4
needs id; value
id; array<T>
value; T
index_from?; series int; 0
index_to?; series int; na
-> void
""",
    "array.first": """
says Gives the first element.
reads object
runs arrays.first
traits needs_elements picks
needs id
id; array<T>
-> T
""",
    "array.from": """
says Makes an array of its arguments.
pure
runs arrays.of
used 44
needs arg0, arg1, ...
variadic 1
arg0, arg1, ...; T
-> array<T>
arg0, arg1, ...; series enum
-> array<enum>
arg0, arg1, ...; series label
-> array<label>
arg0, arg1, ...; series line
-> array<line>
arg0, arg1, ...; series box
-> array<box>
arg0, arg1, ...; series table
-> array<table>
arg0, arg1, ...; series linefill
-> array<linefill>
arg0, arg1, ...; series string
-> array<string>
arg0, arg1, ...; series color
-> array<color>
arg0, arg1, ...; series int
-> array<int>
arg0, arg1, ...; series int|float
-> array<float>
arg0, arg1, ...; series bool
-> array<bool>
""",
    "array.get": """
says Gives the element at an index; negative indices count from the end.
reads object
runs arrays.get
traits indexes picks
used 338
often id index
needs id; index
id; array<T>
index; series int
-> T
""",
    "array.includes": """
says Tells whether a value is among the elements.
reads object
runs arrays.includes
needs id; value
id; array<T>
value; T
-> series bool
""",
    "array.indexof": """
says Gives the index of the first element equal to a value, -1 when there is none.
reads object
runs arrays.index_of
used 3
needs id; value
id; array<T>
value; T
-> series int
""",
    "array.insert": """
says Inserts a value before an index.
reads object
changes object
runs arrays.insert
traits adds
needs id; value
id; array<T>
index?; series int
value; T
-> void
""",
    "array.join": """
says Joins the elements into one string.
reads object
runs arrays.join
needs id
id; array<(int|float|string)>; ; array<float>
separator?; series string
-> series string
""",
    "array.last": """
says Gives the last element.
reads object
runs arrays.last
traits needs_elements picks
needs id
id; array<T>
-> T
""",
    "array.lastindexof": """
says Gives the index of the last element equal to a value, -1 when there is none.
reads object
runs arrays.last_index_of
needs id; value
id; array<T>
value; T
-> series int
""",
    "array.max": """
says Gives the greatest element, or the nth greatest.
reads object
runs arrays.maximum
traits picks
used 17
needs id
id; array<(int|float)>
nth?; series int; 0
-> series float
id; array<int>
nth?; series int; 0
-> series int
""",
    "array.median": """
says Gives the median of the elements.
reads object
runs arrays.median
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.min": """
says Gives the smallest element, or the nth smallest.
reads object
runs arrays.minimum
traits picks
used 15
needs id
id; array<(int|float)>
nth?; series int; 0
-> series float
id; array<int>
nth?; series int; 0
-> series int
""",
    "array.mode": """
says Gives the most frequent element, the smallest of several.
reads object
runs arrays.mode
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.new": """
says Makes an array of a type, with a size and an initial value.
pure
runs arrays.new
used 112
often initial_value size
size?; series int; 0
initial_value?; T; na
-> array<T>
""",
    "array.new_bool": """
says Makes an array of bool values, with a size and an initial value.
pure
runs arrays.new
used 9
size?; series int; 0
initial_value?; series bool; false
-> array<bool>
""",
    "array.new_box": """
says Makes an array of boxes, with a size and an initial value.
pure
runs arrays.new
used 6
size?; series int; 0
initial_value?; series box; na
-> array<box>
""",
    "array.new_color": """
says Makes an array of colors, with a size and an initial value.
pure
runs arrays.new
size?; series int; 0
initial_value?; series color; na
-> array<color>
""",
    "array.new_float": """
says Makes an array of floats, with a size and an initial value.
pure
runs arrays.new
used 223
size?; series int; 0
initial_value?; series int|float; na
-> array<float>
""",
    "array.new_int": """
says Makes an array of ints, with a size and an initial value.
pure
runs arrays.new
used 22
size?; series int; 0
initial_value?; series int; na
-> array<int>
""",
    "array.new_label": """
says Makes an array of labels, with a size and an initial value.
pure
runs arrays.new
used 6
size?; series int; 0
initial_value?; series label; na
-> array<label>
""",
    "array.new_line": """
says Makes an array of lines, with a size and an initial value.
pure
runs arrays.new
used 10
size?; series int; 0
initial_value?; series line; na
-> array<line>
""",
    "array.new_linefill": """
says Makes an array of linefills, with a size and an initial value.
pure
runs arrays.new
size?; series int; 0
initial_value?; series linefill; na
-> array<linefill>
""",
    "array.new_string": """
says Makes an array of strings, with a size and an initial value.
pure
runs arrays.new
used 4
size?; series int; 0
initial_value?; series string; na
-> array<string>
""",
    "array.new_table": """
says Makes an array of tables, with a size and an initial value.
pure
runs arrays.new
size?; series int; 0
initial_value?; series table; na
-> array<table>
""",
    "array.percentile_linear_interpolation": """
says Gives the value a percentage of the elements lies below, interpolated.
reads object
runs arrays.percentile_linear_interpolation
needs id; percentage
id; array<(int|float)>
percentage; series int|float
-> series float
id; array<int>
percentage; series int|float
-> series int
""",
    "array.percentile_nearest_rank": """
says Gives the element below or at which a percentage of the elements lies.
reads object
runs arrays.percentile_nearest_rank
needs id; percentage
id; array<(int|float)>
percentage; series int|float
-> series float
id; array<int>
percentage; series int|float
-> series int
""",
    "array.percentrank": """
says Gives the percentage of elements that are not greater than the element at an index.
reads object
runs arrays.percentrank
needs id; index
id; array<(int|float)>
index; series int
-> series float
id; array<int>
index; series int
-> series int
""",
    "array.pop": """
says Removes the last element and gives it back.
reads object
changes object
runs arrays.pop
traits needs_elements removes
used 30
often id
needs id
id; array<T>
-> T
""",
    "array.push": """
says Appends a value.
reads object
changes object
runs arrays.push
traits adds
used 110
often id value
needs id; value
id; array<T>
value; T
-> void
""",
    "array.range": """
says Gives the difference of the greatest and the smallest element.
reads object
runs arrays.spread
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.remove": """
says Removes the element at an index and gives it back.
reads object
changes object
runs arrays.remove
traits indexes removes
used 7
needs id; index
id; array<T>
index; series int
-> T
""",
    "array.reverse": """
says Turns the order of the elements around.
reads object
changes object
runs arrays.reverse
used 5
needs id
id; array<T>
-> void
""",
    "array.set": """
says Sets the element at an index.
reads object
changes object
runs arrays.put
traits indexes sets
used 208
often id index value
needs id; index; value
id; array<T>
index; series int
value; T
-> void
""",
    "array.shift": """
says Removes the first element and gives it back.
reads object
changes object
runs arrays.shift
traits needs_elements removes
used 53
often id
needs id
id; array<T>
-> T
""",
    "array.size": """
says Gives the number of elements.
reads object
runs arrays.size
traits counts maybe_zero never_na
within 0
used 176
often id
needs id
id; array<T>
-> series int
""",
    "array.slice": """
says Gives a view on a range of the array; changes show in both.
reads object
runs arrays.slice_of
needs id
id; array<T>
index_from?; series int
index_to?; series int
-> array<T>
""",
    "array.some": """
says Tells whether at least one element is true.
reads object
runs arrays.some
needs id
id; array<bool>
-> series bool
""",
    "array.sort": """
says Sorts the array in place.
reads object
changes object
runs arrays.sort
rule sort
used 6
needs id
id; array<(int|float|string)>
order?; series sort_order
-> void
id; array<T>
order?; series sort_order
sort_field?; const int|string; 0; const int
-> void
""",
    "array.sort_indices": """
says Gives the indices that would put the elements in order.
reads object
runs arrays.sort_indices
rule sort
needs id
id; array<(int|float|string)>
order?; series sort_order; order.ascending
-> array<int>
id; array<T>
order?; series sort_order; order.ascending
sort_field?; const int|string; 0; const int
-> array<int>
""",
    "array.standardize": """
says Makes an array of the elements scaled to mean 0 and deviation 1.
reads object
runs arrays.standardize
needs id
id; array<(int|float)>
-> array<float>
id; array<int>
-> array<int>
""",
    "array.stdev": """
says Gives the standard deviation of the elements.
reads object
runs arrays.deviation
needs id
id; array<(int|float)>
biased?; series bool; true
-> series float
id; array<int>
biased?; series bool; true
-> series int
""",
    "array.sum": """
says Gives the sum of the elements.
reads object
runs arrays.sum_of
used 9
often id
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.unshift": """
says Inserts a value at the beginning.
reads object
changes object
runs arrays.unshift
traits adds
used 20
often id value
needs id; value
id; array<T>
value; T
-> void
""",
    "array.variance": """
says Gives the variance of the elements.
reads object
runs arrays.variance
needs id
id; array<(int|float)>
biased?; series bool; true
-> series float
id; array<int>
biased?; series bool; true
-> series int
""",
    "map.clear": """
says Removes all pairs.
reads object
changes object
runs maps.clear
needs id
id; map<K,V>
-> void
""",
    "map.contains": """
says Tells whether a key is in the map.
reads object
runs maps.contains
needs id; key
id; map<K,V>
key; K
-> series bool
""",
    "map.copy": """
says Makes a shallow copy of the map.
reads object
runs maps.copy
needs id
id; map<K,V>
-> map<K,V>
""",
    "map.get": """
says Gives the value of a key, na when it is missing.
reads object
runs maps.get
used 2
needs id; key
id; map<K,V>
key; K
-> V
""",
    "map.keys": """
says Makes an array of the keys, in order of insertion.
reads object
runs maps.keys
needs id
id; map<K,V>
-> array<K>
""",
    "map.new": """
says Makes an empty map for the given types of key and value.
pure
runs maps.new
used 2
-> map<K,V>
""",
    "map.put": """
says Sets the value of a key and gives back the former one.
reads object
changes object
runs maps.put
traits adds
needs id; key; value
id; map<K,V>
key; K
value; V
-> V
""",
    "map.put_all": """
says Puts all pairs of another map into this one.
reads object
changes object
runs maps.put_all
traits joins
needs id; id2
id; map<K,V>
id2; map<K,V>
-> void
""",
    "map.remove": """
says Removes a key and gives back its value.
reads object
changes object
runs maps.remove
needs id; key
id; map<K,V>
key; K
-> V
""",
    "map.size": """
says Gives the number of pairs.
reads object
runs maps.size
traits counts maybe_zero never_na
within 0
used 2
needs id
id; map<K,V>
-> series int
""",
    "map.values": """
says Makes an array of the values, in order of insertion.
reads object
runs maps.values
needs id
id; map<K,V>
-> array<V>
""",
    "matrix.add_col": """
says Inserts a column before an index.
reads object
changes object
runs matrices.add_column
needs id
id; matrix<T>
column?; series int; matrix.columns(id)
array_id?; array<T>
-> void
""",
    "matrix.add_row": """
says Inserts a row before an index.
reads object
changes object
runs matrices.add_row
needs id
id; matrix<T>
row?; series int; matrix.rows(id)
array_id?; array<T>
-> void
""",
    "matrix.avg": """
says Gives the mean of all elements.
reads object
runs matrices.average
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.col": """
says Makes an array of the elements of a column.
reads object
runs matrices.column
needs id; column
id; matrix<T>
column; series int
-> array<T>
""",
    "matrix.columns": """
says Gives the number of columns.
reads object
runs matrices.column_count
traits counts never_na
within 0
needs id
id; matrix<T>
-> series int
""",
    "matrix.concat": """
says Appends the rows of the second matrix to the first.
reads object
changes object
runs matrices.concat
needs id1; id2
id1; matrix<T>
id2; matrix<T>
-> matrix<T>
""",
    "matrix.copy": """
says Makes a shallow copy of the matrix.
reads object
runs matrices.copy
needs id
id; matrix<T>
-> matrix<T>
""",
    "matrix.det": """
says Gives the determinant of a square matrix.
reads object
runs matrices.determinant
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.diff": """
says Subtracts a matrix or a number from a matrix.
reads object
runs matrices.difference
needs id1; id2
id1; matrix<int>
id2; series int|float|matrix<int>
-> matrix<int>
id1; matrix<(int|float)>
id2; series int|float|matrix<(int|float)>
-> matrix<float>
""",
    "matrix.eigenvalues": """
says Gives the eigenvalues of a square matrix.
reads object
runs matrices.eigenvalues
needs id
id; matrix<(int|float)>
-> array<float>
id; matrix<int>
-> array<int>
""",
    "matrix.eigenvectors": """
says Gives a matrix whose columns are the eigenvectors of a square matrix.
reads object
runs matrices.eigenvectors
needs id
id; matrix<(int|float)>
-> matrix<float>
id; matrix<int>
-> matrix<int>
""",
    "matrix.elements_count": """
says Gives the number of elements.
reads object
runs matrices.elements_count
needs id
id; matrix<T>
-> series int
""",
    "matrix.fill": """
says Sets all elements of a rectangle to one value.
reads object
changes object
runs matrices.fill
needs id; value
id; matrix<T>
value; T
from_row?; series int; 0
to_row?; series int; matrix.rows(id)
from_column?; series int; 0
to_column?; series int; matrix.columns(id)
-> void
""",
    "matrix.get": """
says Gives the element at a row and a column.
reads object
runs matrices.get
traits indexes
needs id; row; column
id; matrix<T>
row; series int
column; series int
-> T
""",
    "matrix.inv": """
says Gives the inverse of a square matrix.
reads object
runs matrices.inverse
needs id
id; matrix<(int|float)>
-> matrix<float>
id; matrix<int>
-> matrix<int>
""",
    "matrix.is_antidiagonal": """
says Tells whether all elements off the secondary diagonal are zero.
reads object
runs matrices.is_antidiagonal
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_antisymmetric": """
says Tells whether the transpose equals the negated matrix.
reads object
runs matrices.is_antisymmetric
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_binary": """
says Tells whether all elements are 0 or 1.
reads object
runs matrices.is_binary
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_diagonal": """
says Tells whether all elements off the main diagonal are zero.
reads object
runs matrices.is_diagonal
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_identity": """
says Tells whether the matrix is an identity matrix.
reads object
runs matrices.is_identity
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_square": """
says Tells whether there are as many rows as columns.
reads object
runs matrices.is_square
needs id
id; matrix<T>
-> series bool
""",
    "matrix.is_stochastic": """
says Tells whether all elements are at least 0 and each row has the sum 1.
reads object
runs matrices.is_stochastic
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_symmetric": """
says Tells whether the matrix equals its transpose.
reads object
runs matrices.is_symmetric
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_triangular": """
says Tells whether all elements above or below the main diagonal are zero.
reads object
runs matrices.is_triangular
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_zero": """
says Tells whether all elements are zero.
reads object
runs matrices.is_zero
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.kron": """
says Gives the Kronecker product: the second matrix, times each element of the first.
reads object
runs matrices.kronecker
needs id1; id2
id1; matrix<(int|float)>
id2; matrix<(int|float)>
-> matrix<float>
id1; matrix<int>
id2; matrix<int>
-> matrix<int>
""",
    "matrix.max": """
says Gives the greatest element.
reads object
runs matrices.maximum
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.median": """
says Gives the median of all elements.
reads object
runs matrices.median
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.min": """
says Gives the smallest element.
reads object
runs matrices.minimum
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.mode": """
says Gives the most frequent element, the smallest of several.
reads object
runs matrices.mode
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.mult": """
says Multiplies a matrix by a matrix, an array or a number.
reads object
runs matrices.product
needs id1; id2
id1; matrix<int>
id2; array<int>
-> array<int>
id1; matrix<(int|float)>
id2; array<(int|float)>
-> array<float>
id1; matrix<int>
id2; series int|float|matrix<int>
-> matrix<int>
id1; matrix<(int|float)>
id2; series int|float|matrix<(int|float)>
-> matrix<float>
""",
    "matrix.new": """
says Makes a matrix of a type, with a size and an initial value.
pure
runs matrices.new
used 4
rows?; series int; 0
columns?; series int; 0
initial_value?; T; na
-> matrix<T>
""",
    "matrix.pinv": """
says Gives the pseudoinverse of a matrix, which solves equations as well as possible if there is no inverse.
reads object
runs matrices.pseudo_inverse
needs id
id; matrix<(int|float)>
-> matrix<float>
id; matrix<int>
-> matrix<int>
""",
    "matrix.pow": """
says Multiplies a square matrix by itself a number of times.
reads object
runs matrices.power
needs id; power
id; matrix<(int|float)>
power; series int
-> matrix<float>
id; matrix<int>
power; series int
-> matrix<int>
""",
    "matrix.rank": """
says Gives the number of rows that do not follow from other rows.
reads object
runs matrices.rank
needs id
id; matrix<T>
-> series int
""",
    "matrix.remove_col": """
says Removes a column and gives it back as an array.
reads object
changes object
runs matrices.remove_column
needs id
id; matrix<T>
column?; series int; matrix.columns(id)
-> array<T>
""",
    "matrix.remove_row": """
says Removes a row and gives it back as an array.
reads object
changes object
runs matrices.remove_row
needs id
id; matrix<T>
row?; series int; matrix.rows(id)
-> array<T>
""",
    "matrix.reshape": """
says Changes the numbers of rows and columns, keeping the elements.
reads object
changes object
runs matrices.reshape
needs id; rows; columns
id; matrix<T>
rows; series int
columns; series int
-> void
""",
    "matrix.reverse": """
says Turns the order of rows and of columns around.
reads object
changes object
runs matrices.reverse
needs id
id; matrix<T>
-> void
""",
    "matrix.row": """
says Makes an array of the elements of a row.
reads object
runs matrices.row
needs id; row
id; matrix<T>
row; series int
-> array<T>
""",
    "matrix.rows": """
says Gives the number of rows.
reads object
runs matrices.row_count
traits counts never_na
within 0
needs id
id; matrix<T>
-> series int
""",
    "matrix.set": """
says Sets the element at a row and a column.
reads object
changes object
runs matrices.put
traits indexes
used 5
needs id; row; column; value
id; matrix<T>
row; series int
column; series int
value; T
-> void
""",
    "matrix.sort": """
says Sorts the rows by the values of a column.
reads object
changes object
runs matrices.sort
rule sort
needs id
id; matrix<(int|float|string)>
column?; series int; 0
order?; series sort_order; ; ; order.ascending order.descending
-> void
id; matrix<T>
column?; series int; 0
order?; series sort_order; ; ; order.ascending order.descending
sort_field?; const int|string; 0; const int
-> void
""",
    "matrix.submatrix": """
says Makes a matrix of a rectangle of another.
reads object
runs matrices.submatrix
needs id
id; matrix<T>
from_row?; series int; 0
to_row?; series int; matrix.rows(id)
from_column?; series int; 0
to_column?; series int; matrix.columns(id)
-> matrix<T>
""",
    "matrix.sum": """
says Adds a matrix or a number to a matrix.
reads object
runs matrices.sum_of
needs id1; id2
id1; matrix<int>
id2; series int|float|matrix<int>
-> matrix<int>
id1; matrix<(int|float)>
id2; series int|float|matrix<(int|float)>
-> matrix<float>
""",
    "matrix.swap_columns": """
says Exchanges two columns.
reads object
changes object
runs matrices.swap_columns
needs id; column1; column2
id; matrix<T>
column1; series int
column2; series int
-> void
""",
    "matrix.swap_rows": """
says Exchanges two rows.
reads object
changes object
runs matrices.swap_rows
needs id; row1; row2
id; matrix<T>
row1; series int
row2; series int
-> void
""",
    "matrix.trace": """
says Gives the sum of the main diagonal.
reads object
runs matrices.trace
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.transpose": """
says Makes a matrix with rows and columns exchanged.
reads object
runs matrices.transpose
used 2
needs id
id; matrix<T>
-> matrix<T>
""",
}

VARIABLES: dict[str, str] = {}

CONSTANTS: dict[str, str] = {}
