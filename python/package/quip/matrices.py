"""Products of matrices of numbers, dense or sparse, with vectors of sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import numeric as ex
from .arrays import Array, _objects
from .errors import ModelError
from .keys import Keys


def matrix_product(matrix: Any, array: Array) -> Any:
    """``matrix @ array`` along the first dimension of an array of sums; the matrix may be sparse."""
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        row, column = sparse.row.astype(np.int64), sparse.col.astype(np.int64)
        data, shape = ex.numbers(sparse.data), matrix.shape
    else:
        dense = ex.numbers(matrix.to_numpy() if hasattr(matrix, "to_numpy") else matrix)
        if dense.ndim not in (1, 2):
            raise ModelError("`@` needs a vector or a matrix of numbers")
        shape = dense.shape
        grid = dense if dense.ndim == 2 else dense.reshape(1, -1)
        row, column = (it.astype(np.int64) for it in np.nonzero(grid))
        data = grid[row, column]
    if not array.ndim or shape[-1] != array.shape[0]:
        raise ModelError(f"a matrix of the shape {shape} does not fit sums of the shape {array.shape}")
    others = array.keys[1:]
    width = int(np.prod(array.shape[1:]))
    if width != 1:
        # Each entry of the matrix weighs a whole line of the array.
        along = np.arange(width, dtype=np.int64)
        row, column = ((it[:, None] * width + along).ravel() for it in (row, column))
        data = np.repeat(data, width)
    if array.is_plain:
        places = np.arange(len(column), dtype=np.int64)
        weighed = Array(array.model, [Keys(len(column))], places, array.var[column], data, np.zeros(len(column)))
    else:
        weighed = array._taken(column, [Keys(len(column))]) * data
    if len(shape) == 1 and not others:
        return weighed.sum()
    labels = []
    if len(shape) > 1:
        labels = [Keys(list(matrix.index), matrix.index.name) if hasattr(matrix, "to_numpy") else Keys(int(shape[0]))]
    keys = [*labels, *others]
    size = int(np.prod([len(it) for it in keys]))
    element = row[weighed.element]
    order: Any = np.argsort(element, kind="stable") if (np.diff(element) < 0).any() else slice(None)
    if weighed.const.any():
        const: ex.Numbers = _objects([0] * size)
        np.add.at(const, row, ex.as_objects(weighed.const))
        const = ex.numbers(const)
    else:
        const = np.zeros(size)
    return Array(array.model, keys, element[order], weighed.var[order], weighed.coef[order], const)


def numpy_function(array: Array, function: Any, args: Any, kwargs: Any) -> Any:
    """What numpy's functions do with sums: add them up, multiply them by numbers, tell their shape, and nothing else."""
    if function is np.sum:
        return array.sum(*args[1:], **kwargs)
    if function is np.dot and len(args) == 2 and not kwargs:
        left, right = (it if isinstance(it, Array) else np.asarray(it) for it in args)
        return left @ right
    plain = {np.shape: array.shape, np.ndim: array.ndim, np.size: array.size}
    if function in plain and len(args) == 1:
        return plain[function]
    raise ModelError(
        f"numpy.{function.__name__} does not work on sums; use their operators, .sum() and .T, or lists and quip.array"
    )
