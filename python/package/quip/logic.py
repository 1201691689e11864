"""Rows that bind only under conditions, and sentences about binary variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Optional, Sequence, Tuple

from .errors import ModelError
from .numeric import Exact
from .expressions import Expr, Row, condition_of

if TYPE_CHECKING:
    from .model import Model

Relaxed = Tuple[str, Dict[int, Exact], Optional[Exact], Optional[Exact]]


def relaxed(
    model: "Model", terms: Dict[int, Exact], lower: Optional[Exact], upper: Optional[Exact], conditions: Sequence[Expr]
) -> Iterator[Relaxed]:
    """A conditional row as plain ones: with a condition broken, it gives way by as much as the sum
    can miss its side inside the bounds of its variables."""
    both = lower is not None and upper is not None
    for side, sign, ending in ((lower, 1, ".lower"), (upper, -1, ".upper")):
        if side is None:
            continue
        missing = side - _extreme(model, terms, -sign)
        slack = max(missing * sign, 0) * sign
        # sum + slack * (conditions that are broken) >= lower, and the same upwards with a negative slack.
        relaxed = dict(terms)
        for condition in conditions:
            for index, by in condition.terms.items():
                relaxed[index] = relaxed.get(index, 0) - slack * by
        rest = side - slack * sum(1 - it.constant for it in conditions)
        ends = (rest, None) if sign > 0 else (None, rest)
        yield (ending if both else "", relaxed, *ends)


def _extreme(model: "Model", terms: Dict[int, Exact], sign: int) -> Exact:
    """The largest sum inside the bounds, or the smallest for a negative sign."""
    total: Exact = 0
    for index, by in terms.items():
        upper = (by > 0) == (sign > 0)
        end = (model._upper if upper else model._lower)[index]
        if end is None and by:
            what = "upper" if upper else "lower"
            raise ModelError(
                f"this row holds only under a condition, which needs a finite {what} bound of `{model._names[index]}`"
            )
        total += by * (end or 0)
    return total


def _count(conditions: Iterable[Any]) -> Expr:
    result = Expr()
    for part in _flat(conditions):
        result._plus(condition_of(part), 1)
    return result


def _flat(conditions: Iterable[Any]) -> Iterator[Any]:
    flat = getattr(conditions, "flat", None)
    return iter(flat()) if callable(flat) else iter(conditions)


def exactly_one(conditions: Iterable[Any]) -> Row:
    """Exactly one of the binary variables is 1."""
    return _row(_count(conditions) == 1)


def at_most_one(conditions: Iterable[Any]) -> Row:
    """One of the binary variables is 1, or none."""
    return _row(_count(conditions) <= 1)


def at_least_one(conditions: Iterable[Any]) -> Row:
    """At least one of the binary variables is 1: a clause."""
    return _row(_count(conditions) >= 1)


def implies(premise: Any, conclusion: Any) -> Row:
    """Where the first holds, the second does."""
    return _row(condition_of(premise) <= condition_of(conclusion))


def _row(row: Any) -> Row:
    assert isinstance(row, Row)
    return row
