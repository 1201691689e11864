"""Exact numbers: what users write becomes an ``int`` or a ``Fraction``, and nothing is rounded.

A float means the shortest decimal that it prints as: ``0.1`` is one tenth. Arrays of numbers are
kept in one of two forms: ``float64`` whose entries mean their shortest decimals, or ``object`` with
an ``int`` or ``Fraction`` in each place. Arithmetic stays in floats only while that is exact.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _quip
from .errors import NumberError

Exact = Union[int, Fraction]
#: What may be written where a number is meant.
Number = Union[int, float, Fraction, Decimal, str, "np.integer[Any]", "np.floating[Any]"]
Numbers = npt.NDArray[Any]

_SPELLED = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)")
_LONGEST = 1000
#: Floats below this without a fraction are integers that floats hold exactly, sums of two as well.
_WHOLE = 2.0**51


def exact(value: Any) -> Exact:
    """The exact number that ``value`` means.

    >>> exact(0.1), exact("7/3"), exact(2.0)
    (Fraction(1, 10), Fraction(7, 3), 2)
    """
    if type(value) is int:
        return value
    if isinstance(value, (bool, int, np.integer, np.bool_)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return _of_float(value)
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else value
    if isinstance(value, Decimal):
        return _of_text(str(value))
    if isinstance(value, str):
        return _of_text(value.strip())
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return exact(value.item())
    raise NumberError(
        f"{_shown(value)} is not a number; write an int, a float, a Fraction, a Decimal or a text like '7/3'"
    )


def _of_float(value: Any) -> Exact:
    plain = float(value)
    if plain.is_integer() and abs(plain) < _WHOLE:
        return int(plain)
    if plain != plain or plain in (float("inf"), float("-inf")):
        raise NumberError(f"{value} is not a number that a model can hold")
    # The shortest text of a narrower float is its own, not that of the double it becomes.
    return _shortest(repr(value) if type(value) is float else str(value))


@lru_cache(maxsize=1 << 16)
def _shortest(text: str) -> Exact:
    """The decimal that a float prints as."""
    whole, point, rest = text.partition(".")
    if point and rest.isdigit():
        fraction = Fraction(int(whole + rest), 10 ** len(rest))
    else:
        fraction = Fraction(text)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _of_text(text: str) -> Exact:
    if len(text) > _LONGEST or not _SPELLED.fullmatch(text):
        raise NumberError(f"{_shown(text)} is not a number; write it like 3, 0.1, 1e-3 or 7/3")
    exponent = re.search(r"[eE]([+-]?\d+)", text)
    if exponent and abs(int(exponent[1])) > _LONGEST:
        raise NumberError(f"the exponent of {_shown(text)} is too large; at most {_LONGEST} is read")
    try:
        fraction = Fraction(text)
    except ZeroDivisionError:
        raise NumberError(f"the denominator of {_shown(text)} is zero") from None
    return fraction.numerator if fraction.denominator == 1 else fraction


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def optional(value: Any) -> Optional[Exact]:
    """The exact number, or ``None`` for an infinite one."""
    if value is None:
        return None
    if isinstance(value, (float, np.floating)) and np.isinf(value):
        return None
    return exact(value)


def read(text: str) -> Fraction:
    """A number that the native layer wrote."""
    return Fraction(text) if "/" in text else Fraction(int(text))


def spelled(value: Union[Exact, Fraction]) -> str:
    """The number for people: a decimal, marked with ``≈`` and followed by a short fraction where it is rounded."""
    return _quip.written(str(value))


def equation(name: str, value: Union[Exact, Fraction]) -> str:
    """``x = 2.5``, or ``x ≈ 2.333333 (7/3)``."""
    text = spelled(value)
    return f"{name} ≈ {text[1:]}" if text.startswith("≈") else f"{name} = {text}"


# Arrays of numbers.


def numbers(values: Any) -> Numbers:
    """An array of exact numbers in one of the two forms."""
    array = np.asarray(values)
    kind = array.dtype.kind
    if kind == "b":
        return array.astype(np.float64)
    if kind in "iu":
        if array.size == 0 or max(abs(int(array.max())), abs(int(array.min()))) < _WHOLE:
            return array.astype(np.float64)
        return _objects(array)
    if kind == "f" and array.dtype.itemsize == 8:
        if not np.isfinite(array).all():
            raise NumberError("an array of numbers has an entry that is infinite or not a number")
        return array
    return _objects(array)


def _objects(array: Any) -> Numbers:
    made = np.empty(array.shape, dtype=object)
    made.ravel()[:] = [exact(value) for value in array.ravel()]
    return made


def as_objects(array: Numbers) -> Numbers:
    """The same numbers, each as an ``int`` or ``Fraction``."""
    return array if array.dtype == object else _objects(array)


def is_whole(array: Numbers) -> bool:
    """Whether sums of two entries are exact in floats."""
    if array.dtype == object:
        return False
    return bool(np.all((array == np.trunc(array)) & (np.abs(array) < _WHOLE)))


def add(left: Numbers, right: Numbers) -> Numbers:
    if is_whole(left) and is_whole(right):
        return np.asarray(left + right)
    if not left.any():
        return np.array(np.broadcast_to(right, np.broadcast_shapes(left.shape, right.shape)))
    if not right.any():
        return np.array(np.broadcast_to(left, np.broadcast_shapes(left.shape, right.shape)))
    return np.asarray(as_objects(left) + as_objects(right))


def multiply(left: Numbers, right: Numbers) -> Numbers:
    if left.dtype != object and right.dtype != object:
        # Products by nothing, one and minus one are exact whatever the other factor is.
        for unit in (left, right):
            if np.all((unit == 0) | (np.abs(unit) == 1)):
                return np.asarray(left * right)
    if is_whole(left) and is_whole(right):
        product = left * right
        if is_whole(product):
            return np.asarray(product)
    return np.asarray(as_objects(left) * as_objects(right))


def total(array: Numbers) -> Exact:
    """The exact sum of all entries."""
    if is_whole(array) and float(np.abs(array).sum()) < _WHOLE:
        return int(array.sum())
    result: Exact = 0
    for value in as_objects(array).ravel():
        result = result + value
    return result


def column(values: Any) -> tuple[bytes, list[tuple[int, str]]]:
    """Numbers for the native layer: floats, and texts where floats do not say it; ``None`` is a gap."""
    if isinstance(values, np.ndarray) and values.dtype == np.float64:
        return np.ascontiguousarray(values).tobytes(), []
    floats = np.zeros(len(values), dtype=np.float64)
    texts: list[tuple[int, str]] = []
    for place, value in enumerate(values):
        if value is None:
            floats[place] = np.nan
        elif isinstance(value, int) and -_WHOLE < value < _WHOLE:
            floats[place] = value
        else:
            texts.append((place, str(value)))
    return floats.tobytes(), texts
