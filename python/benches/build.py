"""How long a large model takes to be built: 100,000 variables and a million terms, from numpy.

    target/python/bin/python python/benches/build.py [REPEATS]

The same rows with quip, highspy and, where it is installed, linopy; the best of some repeats.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Dict

import numpy as np

import quip

VARIABLES, ROWS, PER_ROW = 100_000, 10_000, 100


def data() -> Any:
    from scipy import sparse

    dice = np.random.default_rng(1)
    columns = np.concatenate([dice.choice(VARIABLES, PER_ROW, replace=False) for _ in range(ROWS)])
    values = dice.integers(1, 1000, ROWS * PER_ROW) / 10
    starts = np.arange(0, ROWS * PER_ROW + 1, PER_ROW)
    matrix = sparse.csr_array((values, columns, starts), shape=(ROWS, VARIABLES))
    return matrix, dice.integers(1, 100, VARIABLES) / 10, matrix.sum(axis=1).round(1)


def with_quip(matrix: Any, cost: Any, sides: Any) -> None:
    m = quip.Model()
    x = m.decide("x", VARIABLES, ub=1, integer=True)
    m.add(matrix @ x <= sides)
    m.minimize(cost @ x)
    m.program()


def with_highspy(matrix: Any, cost: Any, sides: Any) -> None:
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    x = highs.addVariables(VARIABLES, lb=0, ub=1, type=highspy.HighsVarType.kInteger)
    highs.changeColsCost(VARIABLES, np.arange(VARIABLES, dtype=np.int32), cost)
    count = matrix.shape[0]
    lower = np.full(count, -highspy.kHighsInf)
    highs.addRows(count, lower, sides, matrix.nnz, matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32), matrix.data)
    assert len(x) == VARIABLES and highs.getNumNz() == matrix.nnz


def with_highspy_expressions(matrix: Any, cost: Any, sides: Any) -> None:
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    x = highs.addVariables(VARIABLES, lb=0, ub=1, type=highspy.HighsVarType.kInteger)
    for row in range(matrix.shape[0]):
        span = slice(matrix.indptr[row], matrix.indptr[row + 1])
        highs.addConstr(highs.qsum(by * x[var] for by, var in zip(matrix.data[span], matrix.indices[span])) <= sides[row])


def with_linopy(matrix: Any, cost: Any, sides: Any) -> None:
    import linopy
    import xarray

    m = linopy.Model()
    x = m.add_variables(lower=0, upper=1, coords=[np.arange(VARIABLES)], dims=["i"], name="x")
    shape = (ROWS, PER_ROW)
    picked = x.sel(i=xarray.DataArray(matrix.indices.reshape(shape), dims=["row", "term"]))
    m.add_constraints((picked * xarray.DataArray(matrix.data.reshape(shape), dims=["row", "term"])).sum("term") <= xarray.DataArray(sides, dims=["row"]))
    m.add_objective((xarray.DataArray(cost, dims=["i"]) * x).sum())
    # Its rows become a matrix when somebody asks for it, as every solver does.
    assert m.matrices.A.nnz == matrix.nnz


def main(repeats: int) -> None:
    given = data()
    makers: Dict[str, Callable[..., None]] = {
        "quip": with_quip,
        "highspy, arrays": with_highspy,
        "highspy, sums": with_highspy_expressions,
        "linopy": with_linopy,
    }
    for name, make in makers.items():
        try:
            best = min(_timed(make, given) for _ in range(repeats))
        except ImportError as fault:
            print(f"{name:<18} not installed: {fault.name}")
            continue
        print(f"{name:<18} {best:6.2f} s")


def _timed(make: Callable[..., None], given: Any) -> float:
    start = time.perf_counter()
    make(*given)
    return time.perf_counter() - start


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
