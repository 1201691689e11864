"""Solving, and what can be done with the answer."""

from __future__ import annotations

import asyncio
import copy
import pickle
import random
import signal
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import quip
from random_models import random_model
from shared import hard, knapsack, lot_sizing


def test_the_answer_and_what_to_do() -> None:
    m, var = lot_sizing()
    s = m.solve()
    assert (s.status, s.value, s.bound, s.stop, s.gap) == ("optimal", 16, 16, None, 0.0)
    assert float(s.value) == 16.0 and s.is_proved
    assert s.first_stage[var["open"]] == 1 and s.first_stage["open"] == 1
    with pytest.raises(quip.NoAnswer, match="fixed later"):
        s.first_stage[var["q1"]]
    assert s.worst_case[10 * var["open"] + 2 * var["q1"]] == 12
    assert "16 can be guaranteed" in repr(s) and s.effort.nodes > 0
    assert list(s.to_pandas().columns) == ["player", "exact", "value"]


def test_values_of_families_come_by_label_as_arrays_and_as_pandas() -> None:
    m = quip.Model()
    x = m.decide("x", pd.Index(["a", "b"], name="site"), 2, ub=[[1, 2], [3, 4.5]])
    m.maximize(x.sum())
    values = m.solve().first_stage[x]
    assert values["b", 1] == Fraction(9, 2) and len(values) == 4
    assert values.floats.tolist() == [[1, 2], [3, 4.5]]
    table = values.to_pandas()
    assert table.loc["a", 1] == 2 and table.index.name == "site"
    assert dict(m.solve().first_stage[x["a"]]) == {0: 1, 1: 2}


def test_every_status_has_a_word() -> None:
    def status(text: str) -> str:
        return quip.parse(text).solve().status

    assert status("subject to x = y prefix forall binary y exists binary x end") == "feasible"
    assert status("subject to 2 x = y prefix forall integer y in [0, 2] exists binary x end") == "infeasible"
    assert status("uncertainty y >= 2 prefix exists binary x forall binary y end") == "universal_stuck"
    assert status("minimize x prefix exists real x in [-inf, 0] end") == "unbounded"
    s = quip.parse("minimize x subject to x >= 2 prefix exists binary x end").solve()
    for ask in (lambda: s.value, lambda: s.first_stage, s.strategy, s.policy):
        with pytest.raises(quip.NoAnswer, match="Infeasible"):
            ask()


def test_targets_and_decisions() -> None:
    m, _ = lot_sizing()
    assert m.solve(decide=True).status == "feasible"
    assert m.solve(target=15).status == "infeasible"
    s = m.solve(target=20)
    assert s.status == "target_reached" and s.stop is None and repr(s).startswith("Target reached: 16 can be guaranteed")


@pytest.mark.parametrize("method", ["search", "expand", "reference"])
def test_methods_agree(method: str) -> None:
    m, _ = lot_sizing()
    s = m.solve(method=method)
    assert s.value == 16 and s.method == method


def test_an_engine_that_refuses_says_what_is_in_the_way() -> None:
    m, _ = lot_sizing()
    with pytest.raises(quip.UnsupportedError, match="clausal"):
        m.solve(method="clausal")


def test_switches_are_listed_and_set() -> None:
    assert "search.relax" in quip.switches() and "search" in quip.methods()
    m, _ = lot_sizing()
    assert m.solve(switches={"search.relax": False, "presolve.bounds": "off"}).value == 16


def test_a_policy_replies_to_what_is_observed() -> None:
    m, var = lot_sizing()
    policy = m.solve().policy()
    assert policy()[var["open"]] == 1
    assert policy({var["d1"]: 2})[var["q1"]] == 2
    reply = policy(d1=1, d2=2)
    assert reply["q2"] == 2 and var["d1"] not in reply
    play = policy.play()
    assert repr(play.awaits) == "d1"
    assert play.observe(0).observe(2).is_over and play.end == "complete"
    assert play.objective <= 16 and play.replies == policy(d1=0, d2=2)


@pytest.mark.parametrize(
    "told, reason",
    [
        ({"d1": 2, "d2": 2}, "d2 = 2 is illegal: it breaks row `budget` of the opponent"),
        ({"d1": 3}, r"d1 = 3 is illegal: d1 is a whole number in \[0, 2\]"),
        ({"d1": 0.5}, "d1 = 1/2 is illegal"),
        ({"d2": 1}, "`d1` is revealed before d2"),
        ({"q1": 1}, "`q1` is no variable of the other player"),
    ],
)
def test_an_illegal_observation_is_refused_with_the_row(told: Any, reason: str) -> None:
    m, _ = lot_sizing()
    with pytest.raises(quip.IllegalObservation, match=reason):
        m.solve().policy()(told)


def test_rows_that_forbid_only_together_are_named_together() -> None:
    m = quip.parse(
        "minimize x subject to x >= a + b uncertainty p: a + b + c >= 2\nq: a - c <= 0\nr: b + c <= 1"
        " prefix forall binary a b c exists integer x in [0, 3] end"
    )
    policy = m.solve().policy()
    legal = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1) if a + b + c >= 2 and a <= c and b + c <= 1]
    for a in (0, 1):
        for b in (0, 1):
            for c in (0, 1):
                if (a, b, c) in legal:
                    assert policy(a=a, b=b, c=c)["x"] == a + b
                else:
                    with pytest.raises(quip.IllegalObservation):
                        policy(a=a, b=b, c=c)


def test_real_observations_between_two_answers_are_mixed() -> None:
    m = quip.Model()
    d = m.reveal("d", ub=10)
    x = m.decide("x", ub=20)
    m.add(x == 2 * d)
    m.minimize(x)
    policy = m.solve().policy()
    assert policy({d: "7/3"})[x] == Fraction(14, 3)
    assert policy({d: 10})[x] == 20


def test_real_observations_within_a_budget_are_answered_by_their_ends() -> None:
    m = quip.Model()
    level, cost, demands = quip.sum([0]), quip.sum([0]), []
    for t in range(3):
        demand = m.reveal(f"d{t}", lb=1, ub=3)
        order = m.decide(f"q{t}", ub=4)
        level = level + order - demand
        m.add(level >= 0)
        cost = cost + (t + 1) * order
        demands.append(demand)
    m.uncertainty(quip.sum(demands) <= 7, name="budget")
    m.minimize(cost)
    s = m.solve()
    policy = s.policy()
    dice = random.Random(1)
    for _ in range(200):
        told = [1 + Fraction(dice.randint(0, 12), 6) for _ in range(3)]
        if sum(told) > 7:
            with pytest.raises(quip.IllegalObservation, match="`budget`"):
                policy(dict(zip(demands, told)))
            continue
        play = policy.play()
        for value in told:
            play.observe(value)
        assert play.objective <= s.value
        stock = Fraction(0)
        for t, value in enumerate(told):
            stock += play.moves[f"q{t}"] - value
            assert stock >= 0, told
    assert s.simulate(50).refused == {}


def test_an_integer_between_two_answers_is_answered_by_their_mixture() -> None:
    m = quip.Model()
    d = m.reveal("d", ub=10, integer=True)
    x = m.decide("x", ub=20)
    m.add(x == 2 * d)
    m.minimize(x)
    policy = m.solve().policy()
    assert [policy({d: value})[x] for value in range(11)] == [2 * value for value in range(11)]


def test_models_without_a_written_strategy_are_played_by_solving_what_is_left() -> None:
    m = quip.Model()
    open = m.decide("open", binary=True)
    u = m.reveal("u", ub=3)
    y = m.decide("y", ub=3, integer=True)
    z = m.decide("z", ub=1)
    m.add(y + z >= u)
    m.add(y <= 3 * open)
    m.minimize(open + 2 * y + 3 * z - 2 * u)
    s = m.solve()
    with pytest.raises(quip.CertificateError, match="perfect=True"):
        s.policy()
    policy = s.policy(perfect=True)
    assert policy()[open] == s.first_stage[open] == 1 and policy.strategy is None
    reply = policy({u: "3/2"})
    assert reply[y] == 1 and reply[z] == Fraction(1, 2)
    play = policy.play()
    assert play.awaits is not None and play.awaits.name == "u"
    with pytest.raises(quip.IllegalObservation, match=r"u is in \[0, 3\]"):
        play.observe(4)
    assert play.observe("1/4").end == "complete" and play.objective <= s.value
    with pytest.raises(quip.IllegalObservation, match="no variable of the other player"):
        policy({y: 2})
    made = s.simulate(8, seed=1, perfect=True)
    assert max(it for it in made.objectives if it is not None) <= s.value
    assert pickle.loads(pickle.dumps(policy))(u=0)["z"] == policy({u: 0})[z]


def test_mixed_models_have_values_policies_and_proofs() -> None:
    m = quip.Model()
    on = m.decide("on", 2, binary=True)
    load = m.budget("load", 3, nominal=[4, 5, 3], deviation=2, budget=1, integer=False)
    run, shed = m.decide("run", 3, ub=9), m.decide("shed", 3, ub=9)
    m.add(run + shed >= load)
    m.add(run <= 4 * on[0] + 3 * on[1])
    m.minimize(7 * on[0] + 5 * on[1] + run.sum() + 4 * shed.sum())
    s = m.solve()
    assert s.value == 26 and s.certificate.check() == s.certificate.check(independent=True)
    reply = s.policy()({"load[0]": "1/3", "load[1]": "2/3", "load[2]": 0})
    values = [reply[run + shed][t] for t in range(3)]
    assert values[0] >= 4 + Fraction(2, 3) and values[1] >= 5 + Fraction(4, 3) and values[2] >= 3


def test_a_variable_of_another_model_is_no_observation() -> None:
    m, var = lot_sizing()
    other, theirs = lot_sizing()
    with pytest.raises(quip.IllegalObservation, match="another model"):
        m.solve().policy()({theirs["d1"]: 1})


def test_values_that_no_play_attains_say_so() -> None:
    m = quip.Model()
    u = m.reveal("u", ub=1)
    y = m.decide("y", ub=2, integer=True)
    m.add(y >= u)
    m.minimize(y - u)
    s = m.solve()
    assert s.value == 1 and s.approached[u] == "above" and s.worst_case[u] == 0
    assert "u just above 0" in repr(s) and "u just above 0" in s._repr_html_()
    assert lot_sizing()[0].solve().approached == {}


def test_perfect_play_takes_what_the_opponent_gives_away() -> None:
    m = quip.Model()
    y = m.reveal("y", ub=9, integer=True)
    x = m.decide("x", ub=9, integer=True)
    m.add(x >= y)
    m.minimize(x)
    s = m.solve()
    assert s.policy(perfect=True)({y: 4})[x] == 4
    assert s.policy()({y: 9})[x] == 9


def test_the_opponent_of_a_lost_model_has_a_strategy() -> None:
    m = quip.parse("subject to 2 x = y prefix forall integer y in [0, 2] exists binary x end")
    refutation = m.solve().refutation()
    assert refutation.forall and refutation.guarantee == "lost" and "y = 1" in refutation.text


def test_simulation_of_scenarios_of_every_form() -> None:
    m, var = lot_sizing()
    s = m.solve()
    drawn = s.simulate(30, seed=3)
    assert len(drawn) == 30 and not drawn.refused and max(drawn.objectives) <= 16
    table = pd.DataFrame({"d1": [0, 1, 2], "d2": [2, 2, 2]})
    made = s.simulate(table)
    assert list(made.refused) == [2] and "budget" in made.refused[2]
    assert made.to_pandas()["objective"].notna().tolist() == [True, True, False]
    arrays = s.simulate({var["d1"]: np.array([0, 1]), var["d2"]: [2, 2]})
    assert arrays.objectives == made.objectives[:2] and s.simulate([{"d1": 0, "d2": 2}]).objectives == made.objectives[:1]
    family = quip.Model()
    d = family.reveal("d", ["a", "b"], ub=3, integer=True)
    x = family.decide("x", ub=9)
    family.add(x >= d.sum())
    family.minimize(x)
    assert family.solve().simulate({d: np.array([[1, 2], [3, 3]])}).objectives[1] == 6
    for strange in ({"d1": 1, "d2": 2}, 3.5, [1], {"d1": [1], "d2": [1, 2]}, [{"d1": 1}]):
        with pytest.raises(quip.Error):
            s.simulate(strange)


def test_an_explanation_is_told_in_sentences() -> None:
    m, _ = lot_sizing()
    told = str(m.explain())
    assert "16 can be guaranteed, and nothing better." in told and "The first decision: open = 1" in told
    lost = quip.parse("subject to half: 2 x = y\nidle: x <= 7 prefix forall integer y in [0, 2] exists binary x end")
    why = lost.solve().explain()
    assert why.core == ["`half`"] and why.pressure == [("y", 1)] and why.is_minimal
    assert "Row `half` already refutes" in str(why)


def test_all_first_moves_that_are_as_good() -> None:
    m = quip.parse("minimize x + y subject to x + y >= 1 prefix exists binary x y end")
    s = m.solve()
    found = s.all_first_moves()
    assert found.is_complete and [it.to_dict() for it in found] == [{"x": 0, "y": 1}, {"x": 1, "y": 0}]
    assert list(found.to_pandas().columns) == ["x", "y"] and len(found.to_pandas()) == 2
    assert len(s.all_first_moves(most=1)) == 1 and not s.all_first_moves(most=1).is_complete
    assert len(pickle.loads(pickle.dumps(s)).all_first_moves()) == 2
    assert {it.variable for it in s.explain().as_good} == {"x", "y"}


def test_a_lost_model_and_one_where_the_opponent_begins_have_no_first_moves() -> None:
    for text in ("subject to x >= 2 prefix exists binary x end", "prefix forall binary y exists binary x end"):
        found = quip.parse(text).solve().all_first_moves()
        assert found == [] and found.is_complete


def test_certificates_are_checked_twice_and_saved(tmp_path: Path) -> None:
    m, _ = lot_sizing()
    certificate = m.solve(certificate=True).certificate
    assert certificate.claim == "optimal 16"
    assert certificate.check() == certificate.check(independent=True)
    certificate.save(tmp_path / "c.cert")
    assert (tmp_path / "c.cert").read_text() == str(certificate)
    broken = quip.Certificate(certificate.program, certificate.text.replace("claim optimal 16", "claim optimal 15"))
    for independent in (False, True):
        with pytest.raises(quip.InvalidCertificate, match="line"):
            broken.check(independent=independent)
    with pytest.raises(quip.FileError):
        certificate.save(tmp_path / "no" / "c.cert")


def test_an_answer_without_a_certificate_gets_one_when_asked() -> None:
    m, _ = lot_sizing()
    assert m.solve().certificate.check().claim == "optimal 16"


@pytest.mark.parametrize("certificate", [False, True])
def test_solutions_are_pickled_and_copied_with_their_strategies(certificate: bool) -> None:
    m, _ = lot_sizing()
    s = m.solve(certificate=certificate)
    strategy = s.strategy()
    for again in (pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
        assert again.value == 16 and again.first_stage.to_dict() == s.first_stage.to_dict()
        assert again.policy()(d1=1)["q1"] == 1 and again.strategy().text == strategy.text
        assert again.certificate.check().claim == "optimal 16"
        assert repr(again) == repr(s)
        assert again.worst_case[again.model.variable("open")] == 1
    policy = pickle.loads(pickle.dumps(s.policy()))
    assert policy(d1=2).to_dict() == s.policy()(d1=2).to_dict()


def test_events_come_to_a_callback_which_may_stop() -> None:
    seen = []

    def listen(event: quip.Event) -> bool:
        seen.append(event)
        return False

    start = time.monotonic()
    s = hard().solve(on_event=listen, time=30)
    assert s.stop == "signal" and seen and time.monotonic() - start < 10
    assert str(seen[0]) and s.events == seen


def test_a_callback_that_raises_ends_the_solve() -> None:
    def listen(event: quip.Event) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        hard().solve(on_event=listen, time=30)


def test_a_run_is_iterated_stopped_and_asked() -> None:
    run = hard().start(time=30)
    for event in run:
        assert event.seconds >= 0
        run.stop()
    assert run.done and run.result().status == "interrupted" and run.result() is run.result()


def test_a_limit_gives_the_best_answer_with_its_bounds() -> None:
    s = knapsack(20, 2).solve(nodes=3000)
    assert s.stop == "nodes" and s.objective is not None and s.bound is not None
    assert s.bound >= s.objective and s.gap is not None and s.gap > 0
    assert "Interrupted (nodes)" in repr(s) and not s.is_proved and len(s.first_stage)
    late = hard().solve(time=0.5)
    assert late.stop == "time" and late.bound is not None and late.effort.seconds < 3


def test_ctrl_c_returns_the_best_answer() -> None:
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.monotonic()
    s = hard().solve(time=60)
    assert s.stop == "signal" and s.bound is not None and time.monotonic() - start < 8


def test_other_threads_go_on_while_it_solves() -> None:
    count = 0
    stop = threading.Event()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1

    thread = threading.Thread(target=work)
    thread.start()
    hard().solve(time=0.5, threads=1)
    stop.set()
    thread.join()
    assert count > 1000


def test_solving_is_awaited_beside_other_tasks() -> None:
    m, _ = lot_sizing()

    async def both() -> Any:
        return await asyncio.gather(m.solve_async(), m.solve_async(decide=True))

    first, second = asyncio.run(both())
    assert first.value == 16 and second.status == "feasible"

    async def cancelled() -> None:
        task = asyncio.create_task(hard().solve_async())
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


def test_plots_are_drawn() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    m, _ = lot_sizing()
    s = m.solve()
    assert quip.plots.bound_over_time(s).get_xlabel() == "seconds"
    assert quip.plots.histogram(s.simulate(5), s.value).get_ylabel() == "plays"
    drawn = [it.get_text() for it in quip.plots.strategy_tree(s.strategy()).texts]
    assert "open = 1\nd1?" in drawn and "q1 = 2\ns1 = 0\nd2?" in drawn and drawn.count("2") > 1 and "…" not in drawn
    top = [it.get_text() for it in quip.plots.strategy_tree(s.strategy(), most=1).texts]
    assert [it for it in top if it] == ["open = 1\nd1?", "…"]

    def model(budget: int) -> quip.Model:
        m = quip.Model()
        x = m.decide("x", ub=99)
        m.add(x >= m.budget("d", 3, nominal=1, budget=budget).sum())
        m.minimize(x)
        return m

    line = quip.plots.price_of_robustness(model, range(3)).lines[0]
    assert list(line.get_ydata()) == [3, 4, 5]


def test_policies_of_random_models_keep_their_rows_and_their_guarantee() -> None:
    played = 0
    for seed in range(250):
        m = random_model(seed)
        try:
            s = m.solve(time=3)
            if s.status not in ("optimal", "feasible"):
                continue
            policy = s.policy()
            made = policy.simulate(6, seed=seed)
        except (quip.UnsupportedError, quip.NoAnswer, quip.CertificateError):
            continue
        goal = m.program().objective()
        for play, objective in zip(made.plays, made.objectives):
            values = {name: value for name, value in play.to_dict().items()}
            if len(values) < len(m.variables):
                continue
            played += 1
            for row in m.program().rows(False):
                total = sum((by * values[m.program().variables[var].name] for var, by in row.terms), Fraction(0))
                dead = any(
                    not (row.lower is None or row.lower <= it) or not (row.upper is None or it <= row.upper)
                    for row in m.program().rows(True)
                    for it in [sum((by * values[m.program().variables[var].name] for var, by in row.terms), Fraction(0))]
                )
                kept = (row.lower is None or row.lower <= total) and (row.upper is None or total <= row.upper)
                assert kept or dead, (seed, row.label)
            if s.status == "optimal" and goal is not None and objective is not None:
                assert objective <= s.value if goal[2] else objective >= s.value, seed
    assert played > 300


def test_perfect_play_of_random_models_is_never_worse() -> None:
    for seed in range(60):
        m = random_model(seed, 4)
        try:
            s = m.solve(time=3)
            if s.status != "optimal":
                continue
            plain, perfect = (s.policy(perfect=it) for it in (False, True))
            made = plain.simulate(3, seed=seed)
            again = perfect.simulate(3, seed=seed)
        except (quip.UnsupportedError, quip.NoAnswer, quip.CertificateError, quip.IllegalObservation):
            continue
        goal = m.program().objective()
        assert goal is not None
        for objective in [*made.objectives, *again.objectives]:
            assert objective is None or (objective <= s.value if goal[2] else objective >= s.value), seed
