"""Random sequences of calls crash nothing: whatever is raised is an error of the package."""

from __future__ import annotations

import copy
import math
import os
import pickle
from fractions import Fraction
from typing import Any, Callable, List

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import quip

#: ``QUIP_SEQUENCES=1000`` tries more.
SEQUENCES = int(os.environ.get("QUIP_SEQUENCES", "250"))

small = st.one_of(
    st.integers(-3, 6),
    st.sampled_from([0.5, "1/3", Fraction(2, 3), -0.1, Fraction(10**30), math.nan, math.inf, None, "x", np.float64(2), np.int8(-1)]),
)
names = st.sampled_from(["a", "b", "c", "x", "end", "2", "", None, "a[1]", "ä"])
sets = st.sampled_from([(), (2,), (["p", "q"],), (2, 2), (0,), (["p", "p"],), ("pq",), (-1,), ([[]],)])
calls = st.sampled_from(
    ["decide", "reveal", "row", "row", "array", "uncertainty", "goal", "product", "indicator", "logic", "budget", "copy", "show", "text"]
)


def ours(thing: Any) -> quip.Array:
    """An array of sums; what numpy does with plain numbers is not asked."""
    if not isinstance(thing, quip.Array):
        raise TypeError("no array")
    return thing


def ours(thing: Any) -> quip.Array:
    """An array of sums; what numpy does with plain numbers is not asked."""
    if not isinstance(thing, quip.Array):
        raise TypeError("no array")
    return thing


class Session:
    """A model and what has been made with it so far."""

    def __init__(self) -> None:
        self.model = quip.Model()
        self.things: List[Any] = [1]

    def thing(self, draw: Callable[..., Any]) -> Any:
        return self.things[draw(st.integers(0, len(self.things) - 1))]

    def sum(self, draw: Callable[..., Any]) -> Any:
        result = self.thing(draw)
        for _ in range(draw(st.integers(0, 2))):
            other = self.thing(draw) if draw(st.booleans()) else draw(small)
            operator = draw(st.sampled_from("+-*/@"))
            if operator == "+":
                result = result + other
            elif operator == "-":
                result = other - result
            elif operator == "*":
                result = other * result
            elif operator == "/":
                result = result / other
            else:
                result = np.array([[1, 0.5], [-2, 3]]) @ result
        return result

    def row(self, draw: Callable[..., Any]) -> Any:
        left, right = self.sum(draw), self.sum(draw) if draw(st.booleans()) else draw(small)
        return draw(st.sampled_from([lambda: left <= right, lambda: left >= right, lambda: left == right,
                                     lambda: quip.between(draw(small), left, draw(small))]))()

    def call(self, name: str, draw: Callable[..., Any]) -> None:
        m = self.model
        if name in ("decide", "reveal"):
            options = {"lb": draw(small), "ub": draw(small), "integer": draw(st.booleans()), "binary": draw(st.booleans())}
            if draw(st.integers(0, 2)):
                options.update(lb=0, ub=draw(st.integers(0, 2)))
            if draw(st.integers(0, 5)) == 0:
                options["stage"] = draw(small)
            self.things.append(getattr(m, name)(draw(names), *draw(sets), **options))
        elif name == "row":
            m.add(self.row(draw), name=draw(st.sampled_from([None, None, "r", "s"])))
        elif name == "uncertainty":
            m.uncertainty(self.row(draw))
        elif name == "array":
            thing = self.thing(draw)
            self.things.append(draw(st.sampled_from([lambda: thing.sum(), lambda: thing[0], lambda: thing["p"], lambda: thing[:, 1],
                                                     lambda: thing.T, lambda: thing[:, None], lambda: thing @ [1, 2], lambda: np.sum(ours(thing)), lambda: np.dot([1, 2], ours(thing)),
                                                     lambda: abs(thing), lambda: quip.array([thing, 2]), lambda: ~thing, lambda: thing.sum(axis=1)]))())
        elif name == "goal":
            draw(st.sampled_from([m.minimize, m.maximize]))(self.sum(draw))
        elif name == "product":
            self.things.append(m.product(self.thing(draw), self.thing(draw)))
        elif name == "indicator":
            m.add(self.row(draw), when=self.thing(draw))
        elif name == "logic":
            several = [self.thing(draw), self.thing(draw)]
            m.add(draw(st.sampled_from([quip.exactly_one, quip.at_most_one, quip.at_least_one]))(several))
            self.things.append(m.all_of(draw(names), several))
        elif name == "budget":
            self.things.append(m.budget(draw(names), *draw(sets), nominal=draw(small), deviation=draw(small), budget=draw(small)))
        elif name == "copy":
            self.model, self.things = copy.deepcopy((m, self.things))
        elif name == "show":
            assert repr(m) and m._repr_html_() and [repr(it) for it in self.things]
        else:
            mark = m.program().fingerprint
            assert quip.parse(m.to_text()).program().fingerprint == mark


#: What Python itself raises for a call that cannot be meant, before the package is asked.
PYTHONS = (TypeError, AttributeError, ZeroDivisionError, IndexError)


@settings(max_examples=SEQUENCES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data(), st.lists(calls, min_size=3, max_size=14))
def test_random_sequences_of_calls_crash_nothing(data: Any, sequence: List[str]) -> None:
    session = Session()
    for name in ["decide", "reveal", *sequence]:
        try:
            session.call(name, data.draw)
        except quip.Error as fault:
            assert not isinstance(fault, quip.InternalError) and str(fault)
        except PYTHONS:
            # An attribute that a number has not, an operator between two plain values.
            continue
        except ValueError as fault:
            # The same of numpy: shapes of two plain arrays.
            assert "matmul" in str(fault) or "ambiguous" in str(fault), fault
    try:
        s = session.model.solve(nodes=300, time=1, threads=1)
        again = pickle.loads(pickle.dumps(s))
        assert again.status == s.status and repr(s) == repr(again)
        if s.objective is not None and s.status == "optimal":
            s.simulate(2)
    except quip.Error as fault:
        assert not isinstance(fault, quip.InternalError) and str(fault)
