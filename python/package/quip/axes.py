"""Dimensions of arrays: labels as places, and which dimension of one array belongs to which of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

import numpy as np

from .errors import ModelError
from .keys import Keys

if TYPE_CHECKING:
    from .arrays import Array


def place_of(given: Any, keys: Keys) -> Any:
    """Labels as places: a label, a list of labels, a slice of places, or a mask."""
    if isinstance(given, slice):
        return given
    if isinstance(given, np.ndarray) and given.dtype == bool:
        if given.shape != (len(keys),):
            raise ModelError(f"a mask of {given.shape} does not fit {len(keys)} members")
        return given
    if isinstance(given, (list, np.ndarray, Keys)):
        return np.array([keys.place(it) for it in given], dtype=np.int64)
    return keys.place(given)


def is_label(label: Any, keys: Keys) -> bool:
    try:
        return label in keys.places
    except TypeError:
        return False


def by_name(left: "Array", right: "Array") -> "Tuple[Array, Array]":
    """Two arrays whose indices have names, with their dimensions side by side where one has all names of the other."""
    names = [[keys.name for keys in it.keys] for it in (left, right)]
    if names[0] == names[1] or any(None in it or len(set(it)) < len(it) for it in names):
        return left, right
    if set(names[1]) <= set(names[0]):
        return left, _in_order(right, names[0])
    if set(names[0]) <= set(names[1]):
        return _in_order(left, names[1]), right
    return left, right


def _in_order(array: "Array", names: Sequence[Optional[str]]) -> "Array":
    """The array with its dimensions in the order of these names, and one member where it has none."""
    own = [keys.name for keys in array.keys]
    order = [own.index(name) for name in names if name in own]
    grid = np.arange(array.size, dtype=np.int64).reshape(array.shape).transpose(order)
    keys = [array.keys[own.index(name)] if name in own else Keys(1) for name in names]
    return array._taken(grid.ravel(), keys)


def joint_keys(left: "Array", right: "Array", shape: Tuple[int, ...]) -> List[Keys]:
    """The labels of a joint shape: those of whoever has the dimension in full."""
    keys = []
    for axis in range(1, len(shape) + 1):
        both = [it.keys[-axis] for it in (left, right) if it.ndim >= axis and it.model is not None]
        full = [it for it in both if len(it) == shape[-axis]]
        keys.append(full[0] if full else Keys(shape[-axis]))
    return keys[::-1]
