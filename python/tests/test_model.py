"""Building models: variables, sums, rows, logic, and what is said when something is wrong."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import quip
from shared import lot_sizing


def test_a_number_is_exactly_what_is_written() -> None:
    assert quip.exact(0.1) == Fraction(1, 10)
    assert quip.exact(np.float32(0.1)) == Fraction(1, 10)
    assert quip.exact(Decimal("0.30")) == Fraction(3, 10)
    assert quip.exact("7/3") == Fraction(7, 3)
    assert quip.exact(1e21) == 10**21 and quip.exact(True) == 1
    assert quip.exact(5e-324) == Fraction(5, 10**324)


@pytest.mark.parametrize("strange", [float("nan"), float("inf"), "half", "1e99999", "1/0", None, [], "1" * 2000, Decimal("1e9999"), 1j])
def test_what_is_no_number_is_refused(strange: object) -> None:
    with pytest.raises(quip.NumberError):
        quip.exact(strange)


def test_the_lot_sizing_model_is_the_one_of_the_readme() -> None:
    m, _ = lot_sizing()
    again = quip.parse(m.to_text())
    assert again.program().fingerprint == m.program().fingerprint
    assert m.to_text().count("exists") == 5 and "budget: d1 + d2 <= 3" in m.to_text()


def test_sums_add_up_exactly_and_are_printed() -> None:
    m = quip.Model()
    x, y = m.decide("x", ub=1), m.decide("y", ub=1)
    sum = 0.1 * x + 0.2 * x - y / 3 + 4 - x
    assert sum.coefficient(x) == Fraction(-7, 10) and sum.coefficient(y) == Fraction(-1, 3)
    assert repr(sum) == "-7/10 x - 1/3 y + 4"
    assert repr(2 * x <= y + 3) == "2 x - y <= 3"
    assert quip.sum(it for it in [x, y, 1]).constant == 1


def test_rows_between_two_sides_and_chains_that_python_cannot_say() -> None:
    m = quip.Model()
    x = m.decide("x", ub=9)
    m.add(quip.between(1, x, 3), name="r")
    assert "r: 1 <= x <= 3" in m.to_text()
    with pytest.raises(quip.ModelError, match="between"):
        1 <= x <= 3
    with pytest.raises(quip.ModelError):
        x != 1
    with pytest.raises(quip.ModelError):
        x < 1


def test_variables_are_keys_of_dictionaries() -> None:
    m = quip.Model()
    x, y = m.decide("x", ub=1), m.decide("y", ub=1)
    assert {x: 1, y: 2}[y] == 2 and x in [y, x] and x not in [y]


def test_stages_follow_the_order_of_calls_or_the_numbers_given() -> None:
    m = quip.Model()
    q = m.decide("q", 2, ub=9, stage=[1, 3])
    d = m.reveal("d", 2, ub=2, integer=True, stage=[0, 2])
    order = [it.name for it in m.program().variables]
    assert order == ["d[0]", "q[0]", "d[1]", "q[1]"]
    with pytest.raises(quip.ModelError, match="one player"):
        m.reveal("late", ub=1, stage=3)
    m.add(q >= d)
    assert m.solve().status == "feasible"


def test_families_take_labels_of_any_kind() -> None:
    m = quip.Model()
    x = m.decide("x", ["New York", "Köln", 3, (1, 2)], binary=True)
    assert x["New York"].name == "x[New_York]" and x[(1, 2)].name == "x[1,2]"
    y = m.decide("y", pd.Index(["a", "b"], name="plant"), range(1, 3), ub=pd.DataFrame([[1, 2], [3, 4]], ["b", "a"], [1, 2]))
    assert y["a", 2].ub == 4 and y["b", 1].ub == 1
    assert y.sum("plant").shape == (2,) and y[:, 1].shape == (2,) and y["a"].shape == (2,)
    with pytest.raises(quip.ModelError, match="there is no index 'c'"):
        y["c", 1]
    with pytest.raises(quip.ModelError, match="twice"):
        m.decide("z", ["a", "a"])


def test_data_is_aligned_by_label() -> None:
    m = quip.Model()
    x = m.decide("x", ["a", "b"], ub={"b": 2, "a": 1})
    cost = pd.Series({"b": 0.2, "a": 0.1})
    for weighed in (cost * x, x * cost, x * {"a": 0.1, "b": 0.2}, np.array([0.1, 0.2]) * x):
        assert weighed.sum().coefficient(x["a"]) == Fraction(1, 10)
    assert (cost.to_numpy() @ x).coefficient(x["b"]) == Fraction(1, 10), "a product of matrices goes by place"
    with pytest.raises(quip.ModelError, match="no entry for 'b'"):
        m.decide("y", ["a", "b"], ub={"a": 1})


def test_arrays_broadcast_slice_and_multiply_like_numpy() -> None:
    m = quip.Model()
    x = m.decide("x", 3, 4, ub=1)
    cost = np.arange(12).reshape(3, 4) / 10
    assert (cost * x).sum().coefficient(x[2, 3]) == Fraction(11, 10)
    assert np.sum(x, axis=0).shape == (4,) and repr(np.sum(x)) == repr(x.sum())
    assert (x + x[0]).shape == (3, 4) and (x.T).shape == (4, 3)
    assert (np.ones((2, 3)) @ x[:, 0]).shape == (2,)
    assert (2 * x[1] - 1)[2].constant == -1
    row = x.sum(axis=1) <= np.array([1, 2, 3])
    m.add(row, name="r")
    assert "r[2]: x[2,0] + x[2,1] + x[2,2] + x[2,3] <= 3" in m.to_text()
    assert x[np.array([True, False, True]), 1].shape == (2,) and x[[0, 2]].shape == (2, 4)
    with pytest.raises(quip.ModelError, match="do not fit"):
        x + np.ones(3)


def test_sparse_matrices_multiply() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    m = quip.Model()
    x = m.decide("x", 3, ub=1)
    matrix = sparse.csr_array(np.array([[1, 0, 2.5], [0, 3, 0]]))
    for product in (matrix @ x, quip.Array.__rmatmul__(x, matrix)):
        assert product.shape == (2,)
        assert product[0].coefficient(x[2]) == Fraction(5, 2) and product[0].coefficient(x[1]) == 0


def test_a_large_sum_of_decimals_is_exact() -> None:
    m = quip.Model()
    x = m.decide("x", 1000, ub=1)
    assert (x * 0.1).sum().coefficient(x[7]) == Fraction(1, 10)
    y = m.decide("y", ub=1)
    tenths = quip.array([y] * 1000) * np.full(1000, 0.1)
    assert tenths.sum().coefficient(y) == 100


def test_indicators_bind_only_under_their_conditions() -> None:
    m = quip.Model()
    x = m.decide("x", lb=-2, ub=9, integer=True)
    on = m.decide("on", binary=True)
    m.add(x == 3, when=on, name="fixed")
    m.add(x <= 0, when=on == 0)
    m.maximize(x - 4 * on)
    assert m.solve().value == 0
    m.maximize(x - 2 * on)
    assert m.solve().first_stage[x] == 3
    names = m.decide("b", 2, binary=True)
    m.add(quip.array([x, x]) <= 5, when=names, name="each")
    assert "each[1]" in m.to_text()
    wide = m.decide("wide")
    with pytest.raises(quip.ModelError, match="finite upper bound of `wide`"):
        m.add(wide <= 1, when=on)
    with pytest.raises(quip.ModelError, match="not binary"):
        m.add(x <= 1, when=x)


def test_products_are_what_they_say() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        m = quip.Model()
        a, b = m.decide("a", binary=True), m.decide("b", binary=True)
        n = m.decide("n", lb=-2, ub=3, integer=True)
        m.add(a == int(rng.integers(2)))
        m.add(b == int(rng.integers(2)))
        m.add(n == int(rng.integers(-2, 4)))
        product = 2 * a * b + 3 * (a - 1) * n + a * a
        m.minimize(product)
        s = m.solve()
        A, B, N = (s.first_stage[it] for it in (a, b, n))
        assert s.value == 2 * A * B + 3 * (A - 1) * N + A, seed
        assert s.first_stage[product] == s.value
    with pytest.raises(quip.ModelError, match="neither factor is binary"):
        m.add(n * n <= 3)


def test_products_with_what_is_revealed_are_known_when_it_is() -> None:
    m = quip.Model()
    build = m.decide("build", binary=True)
    hit = m.reveal("hit", binary=True)
    m.minimize(build * hit * 5 + 2 * (1 - build))
    assert m.solve().value == 2
    with pytest.raises(quip.ModelError, match="both factors must be revealed"):
        m.uncertainty(build * hit <= 0)
    other = m.reveal("other", binary=True, stage=1)
    m.uncertainty(hit * other <= 0)
    assert m.solve().value == 2


def test_sentences_about_binaries() -> None:
    m = quip.Model()
    x = m.decide("x", 4, binary=True)
    m.add(quip.exactly_one(x))
    m.add(quip.implies(x[0], ~x[3]))
    m.add(quip.at_least_one([~x[0], x[1]]))
    m.add(quip.at_most_one(x[:2]))
    every, some = m.all_of("every", [x[2], ~x[0]]), m.any_of("some", [x[0], x[1]])
    m.maximize(every + some + 0 * x.sum())
    s = m.solve()
    assert s.value == 1


def test_budget_sets_in_one_line() -> None:
    m = quip.Model()
    stock = m.decide("stock", ub=100, integer=True)
    d = m.budget("d", ["mon", "tue", "wed"], nominal=10, deviation={"mon": 5, "tue": 3, "wed": 1}, budget=2)
    m.add(stock >= d.sum())
    m.minimize(stock)
    assert m.solve().value == 38
    both = m.budget("e", 2, nominal=1, deviation=2, budget=1, both=True)
    m.add(stock + 10 >= both.sum())
    assert m.solve().value == 38


def test_faults_name_the_line_of_the_user() -> None:
    m = quip.Model()
    x = m.decide("x")
    m.reveal("y", ub=1)
    m.decide("z")
    with pytest.raises(quip.ModelError, match=r"variable `x` needs finite bounds.*\(at test_model.py, line \d+\)"):
        m.program()
    m.add(x <= 1, name="r")
    with pytest.raises(quip.ModelError, match=r"two rows are called `r`.*\(at test_model.py, line \d+\)"):
        m.add(x <= 2, name="r")
    with pytest.raises(quip.ModelError, match=r"two variables are called `x`.*test_model.py"):
        m.decide("x")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda m, x: m.decide("2x"), lambda m, x: m.decide("end"), lambda m, x: m.decide("a b"),
        lambda m, x: m.decide(3), lambda m, x: m.decide("n", integer=True), lambda m, x: m.reveal("d"),
        lambda m, x: m.decide("f", -1), lambda m, x: m.decide("f", "abc"), lambda m, x: m.decide("f", 3.5),
        lambda m, x: m.decide("f", 2, ub=[1, 2, 3]), lambda m, x: m.decide("f", stage="late"),
        lambda m, x: m.decide("f", stage=float("nan")), lambda m, x: m.add(True), lambda m, x: m.add(x),
        lambda m, x: m.add(3), lambda m, x: m.add(None), lambda m, x: m.add(quip.Model().decide("q") <= 1),
        lambda m, x: m.add(x + quip.Model().decide("q") <= 1), lambda m, x: m.minimize(quip.array([x, x])),
        lambda m, x: m.minimize("cost"), lambda m, x: x / 0, lambda m, x: x / x, lambda m, x: x**3,
        lambda m, x: x + "y", lambda m, x: x * None, lambda m, x: m.variable("nobody"),
        lambda m, x: m.product(x, 3), lambda m, x: m.add([x <= 1, 4]), lambda m, x: quip.between(1, 2, 3),
        lambda m, x: m.solve(method="magic"), lambda m, x: m.solve(time=-1), lambda m, x: m.solve(threads=0),
        lambda m, x: m.solve(nodes=1.5), lambda m, x: m.solve(memory="a lot"), lambda m, x: m.solve(target="x"),
        lambda m, x: m.solve(switches={"search.magic": True}), lambda m, x: m.solve(target=3),
        lambda m, x: quip.read("no/such/file.qip"), lambda m, x: quip.parse("minimize"), lambda m, x: m.write("a.txt"),
        lambda m, x: m.to_text("pdf"), lambda m, x: quip.array([x])["a"], lambda m, x: quip.exactly_one([x]),
        lambda m, x: np.array([[1.0]]) @ quip.array([x, x]), lambda m, x: quip.array([x]) * np.nan,
    ],
)
def test_whatever_is_wrong_is_an_error_of_the_package_with_a_sentence(wrong) -> None:  # type: ignore[no-untyped-def]
    m = quip.Model()
    x = m.decide("x", ub=5)
    with pytest.raises(quip.Error) as fault:
        wrong(m, x)
    assert len(str(fault.value)) > 15


def test_models_are_copied_and_pickled_with_everything() -> None:
    m, var = lot_sizing()
    for again in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert again.program().fingerprint == m.program().fingerprint
        extra = again.decide("extra", binary=True)
        again.add(extra >= again.variable("open"))
    assert len(m.variables) == 7
    assert copy.deepcopy((m, var))[1]["open"].name == "open"


def test_a_model_goes_on_after_it_was_solved() -> None:
    m, var = lot_sizing()
    assert m.solve().value == 16
    m.add(var["q1"] >= 3)
    assert m.solve().value == 19


def test_models_show_themselves() -> None:
    m, _ = lot_sizing()
    assert "7 variables" in repr(m) and "minimize" in m._repr_html_()
    unfinished = quip.Model()
    unfinished.decide("x")
    unfinished.reveal("y", ub=1)
    unfinished.decide("z")
    assert "needs finite bounds" in unfinished._repr_html_()
    assert "<table>" in m.solve()._repr_html_()
