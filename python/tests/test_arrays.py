"""Arrays of sums beside arrays and tables of numbers: dimensions by name, by place and by label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import quip

SITES = pd.Index(["Kiel", "Bonn"], name="site")
DAYS = pd.Index([1, 2, 3], name="day")


def shipped() -> "tuple[quip.Model, quip.VarArray]":
    m = quip.Model()
    return m, m.decide("ship", SITES, DAYS, ub=9)


def texts(array: Any) -> Any:
    return [repr(it) for it in array.flat()]


def test_dimensions_with_names_are_matched_by_name() -> None:
    m, ship = shipped()
    open, sun = m.decide("open", SITES, binary=True), m.decide("sun", DAYS, binary=True)
    assert texts(ship - open) == [f"ship[{s},{d}] - open[{s}]" for s in SITES for d in DAYS]
    assert texts(ship - sun) == [f"ship[{s},{d}] - sun[{d}]" for s in SITES for d in DAYS]
    assert texts(open - ship) == [f"open[{s}] - ship[{s},{d}]" for s in SITES for d in DAYS]
    turned = m.decide("turned", DAYS, SITES, ub=1)
    assert texts(ship + turned) == [f"ship[{s},{d}] + turned[{d},{s}]" for s in SITES for d in DAYS]
    m.add(ship <= 9 * open, name="closed")
    assert "closed[Bonn,3]: ship[Bonn,3] - 9 open[Bonn] <= 0" in m.to_text()
    with pytest.raises(quip.ModelError, match="matched by name"):
        ship + m.decide("other", 2, ub=1)


def test_none_adds_a_dimension_as_in_numpy() -> None:
    m = quip.Model()
    x, y = m.decide("x", 2, ub=1), m.decide("y", ["a", "b", "c"], ub=1)
    assert (x[:, None] + y).shape == (2, 3) and x[None].shape == (1, 2) and x[1, None].shape == (1,)
    assert texts(x[:, None] - y)[4] == "x[1] - y[b]"
    grid = m.decide("grid", 2, 3, ub=1)
    assert grid[None, :, 1].shape == (1, 2) and texts(grid[:, None, 1]) == ["grid[0,1]", "grid[1,1]"]
    with pytest.raises(quip.ModelError, match="3 indices"):
        grid[0, 1, 2]


def test_a_series_lies_along_the_dimension_of_its_labels() -> None:
    _, ship = shipped()
    by_site = pd.Series([2, 3], index=["Bonn", "Kiel"])
    assert texts(by_site * ship)[0] == "3 ship[Kiel,1]" and texts(ship * by_site)[3] == "2 ship[Bonn,1]"
    by_day = pd.Series([5, 6, 7], index=DAYS)
    assert texts(ship * by_day)[:3] == ["5 ship[Kiel,1]", "6 ship[Kiel,2]", "7 ship[Kiel,3]"]
    m = quip.Model()
    assert m.decide("x", SITES, DAYS, ub=by_site)["Kiel", 2].ub == 3
    square = m.decide("square", ["p", "q"], ["p", "q"], ub=1)
    with pytest.raises(quip.ModelError, match="do not tell which"):
        square * pd.Series([1, 2], index=["p", "q"])


@pytest.mark.parametrize("make", [np.array, sparse.csr_matrix, sparse.csr_array, pd.DataFrame])
def test_matrices_multiply_two_dimensions(make: Any) -> None:
    _, ship = shipped()
    left, right = [[1, 2], [0, 3], [1, 1]], [[1, 0], [2, 5], [1, 4]]
    wanted = [quip.sum(right[d][k] * ship.flat()[s * 3 + d] for d in range(3)) for s in range(2) for k in range(2)]
    made = ship @ make(right)
    assert made.shape == (2, 2) and all(bool(a == b) for a, b in zip(made.flat(), wanted))
    if make is not pd.DataFrame:
        # A table of pandas asks for numbers before it leaves a product to anybody.
        made = make(left) @ ship
        wanted = [quip.sum(left[k][s] * ship.flat()[s * 3 + d] for s in range(2)) for k in range(3) for d in range(3)]
        assert made.shape == (3, 3) and all(bool(a == b) for a, b in zip(made.flat(), wanted))
    with pytest.raises(quip.ModelError, match="does not fit"):
        ship @ make(left[:2])


def test_what_numpy_does_with_sums_is_right_or_refused() -> None:
    _, ship = shipped()
    assert bool(np.sum(ship) == ship.sum()) and np.sum(ship, axis=0).shape == (3,)
    assert texts(np.dot([1, 2], ship))[0] == "ship[Kiel,1] + 2 ship[Bonn,1]" and np.shape(ship) == (2, 3)
    assert texts(ship @ np.ones(3))[0] == "ship[Kiel,1] + ship[Kiel,2] + ship[Kiel,3]"
    for strange in (np.mean, np.max, np.cumsum, lambda it: np.concatenate([it, it]), abs, lambda it: 2 / it, lambda it: it**3):
        with pytest.raises(quip.ModelError):
            strange(ship)


def test_rows_by_label_and_days_have_names() -> None:
    m = quip.Model()
    x = m.decide("x", pd.date_range("2026-03-01", periods=2), ub=9)
    m.add({day: var <= 3 for day, var in x.items()}, name="most")
    assert m.to_text().count("most[2026_03_0") == 2 and "x[2026_03_02] in" in m.to_text()


def test_products_of_arrays_are_ours_and_no_part_of_rules_for_the_opponent() -> None:
    m, ship = shipped()
    open, fail = m.decide("open", SITES, binary=True), m.reveal("fail", SITES, binary=True)
    flow = m.decide("flow", SITES, DAYS, ub=1)
    m.add(flow <= open * (1 - fail))
    m.add(ship["Kiel"] <= 5 - 3 * open["Kiel"] * fail["Kiel"])
    m.maximize(flow.sum() + 0 * ship.sum())
    m.uncertainty(fail.sum() <= 1)
    assert m.solve().value == 3
    with pytest.raises(quip.ModelError, match="revealed=True"):
        m.uncertainty(open * fail <= 0)
