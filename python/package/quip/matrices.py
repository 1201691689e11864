"""Products of matrices of numbers, dense or sparse, with vectors of sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import numeric as ex
from .arrays import Array, _objects
from .errors import ModelError
from .keys import Keys


def matrix_product(matrix: Any, array: Array) -> Any:
    """``matrix @ array`` for a vector of sums; the matrix may be sparse."""
    if array.ndim != 1:
        raise ModelError("`@` needs a vector of sums; take a part, or sum along a dimension")
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        row, column = sparse.row.astype(np.int64), sparse.col.astype(np.int64)
        data, shape = ex.numbers(sparse.data), matrix.shape
    else:
        index = getattr(matrix, "index", None)
        dense = ex.numbers(matrix.to_numpy() if index is not None else matrix)
        if dense.ndim not in (1, 2):
            raise ModelError("`@` needs a vector or a matrix of numbers")
        shape = dense.shape
        grid = dense if dense.ndim == 2 else dense.reshape(1, -1)
        row, column = (it.astype(np.int64) for it in np.nonzero(grid))
        data = grid[row, column]
    if shape[-1] != array.size:
        raise ModelError(f"a matrix of the shape {shape} does not fit {array.size} sums")
    if array.is_plain:
        places = np.arange(len(column), dtype=np.int64)
        weighed = Array(array.model, [Keys(len(column))], places, array.var[column], data, np.zeros(len(column)))
    else:
        weighed = array._taken(column, [Keys(len(column))]) * data
    if len(shape) == 1:
        return weighed.sum()
    labels = Keys(list(matrix.index)) if hasattr(matrix, "index") else Keys(int(shape[0]))
    element = row[weighed.element]
    order: Any = np.argsort(element, kind="stable") if (np.diff(element) < 0).any() else slice(None)
    if weighed.const.any():
        const: ex.Numbers = _objects([0] * shape[0])
        np.add.at(const, row, ex.as_objects(weighed.const))
        const = ex.numbers(const)
    else:
        const = np.zeros(shape[0])
    return Array(array.model, [labels], element[order], weighed.var[order], weighed.coef[order], const)
