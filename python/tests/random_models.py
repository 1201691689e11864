"""Random models of every shape: both players, integers and reals, rows for either, with and without an objective."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, List

import quip


def random_model(seed: int, most: int = 6) -> quip.Model:
    """A small model; equal seeds give equal models."""
    dice = random.Random(seed)
    m = quip.Model(f"random-{seed}")
    variables: List[Any] = []
    reals = dice.choice(["none", "none", "tail", "both", "replies"])
    count = dice.randint(2, most)
    for number in range(count):
        forall = dice.random() < 0.4
        last = number == count - 1
        integer = {"none": True, "tail": not last, "both": dice.random() < 0.5, "replies": forall}[reals]
        low = dice.randint(-2, 1)
        high: Any = low + dice.randint(0, 3)
        if dice.random() < 0.2:
            high += Fraction(1, 2)
        if dice.random() < 0.04:
            high = low - 1
        if last and not forall and not integer and dice.random() < 0.3:
            high = None
        make = m.reveal if forall else m.decide
        variables.append(make(f"{'y' if forall else 'x'}{number}", lb=low, ub=high, integer=integer))

    def total() -> Any:
        chosen = dice.sample(variables, dice.randint(1, min(3, len(variables))))
        weights = [dice.choice([1, 1, 2, -1, -2, Fraction(1, 2), 3]) for _ in chosen]
        return quip.sum(by * var for by, var in zip(weights, chosen))

    def row() -> Any:
        side = dice.randint(-2, 5)
        kind = dice.randrange(5)
        if kind == 0:
            return total() == side
        return total() <= side if kind < 4 else total() >= side - 4

    for _ in range(dice.randint(1, 3)):
        m.add(row())
    theirs = [it for it in variables if it.is_revealed]
    if theirs and dice.random() < 0.5:
        for _ in range(dice.randint(1, 2)):
            chosen = dice.sample(theirs, dice.randint(1, len(theirs)))
            if dice.random() < 0.15:
                chosen = chosen + [dice.choice(variables)]
            m.uncertainty(quip.sum(chosen) <= dice.randint(0, 4))
    goal = dice.random()
    if goal < 0.45:
        m.minimize(total() + dice.randint(-3, 3))
    elif goal < 0.8:
        m.maximize(total())
    return m


def random_mixed(seed: int) -> quip.Model:
    """Rounds of decisions of any kind and of deviations, which are whole numbers within a row, or reals within
    budgets before real decisions; equal seeds give equal models."""
    dice = random.Random(seed)
    m = quip.Model(f"mixed-{seed}")
    within_budgets = seed % 2 == 1
    ours: List[Any] = []
    theirs: List[Any] = []
    rounds = dice.randint(1, 2)
    for number in range(rounds + 1):
        for place in range(dice.randint(int(number == rounds), 2)):
            low = dice.randint(-2, 0)
            integer = dice.random() < 0.5 and not (within_budgets and number)
            ours.append(m.decide(f"x{number}_{place}", lb=low, ub=low + dice.randint(1, 3), integer=integer))
        for place in range(dice.randint(1, 2) if number < rounds else 0):
            low = 0 if within_budgets else dice.randint(-1, 0)
            high = 1 if within_budgets else low + dice.randint(1, 2)
            theirs.append(m.reveal(f"u{number}_{place}", lb=low, ub=high, integer=not within_budgets))

    def total(several: List[Any]) -> Any:
        weights = [dice.choice([0, 1, 2, 3, -1, -2, -3, Fraction(dice.randint(-5, 5), 3)]) for _ in several]
        return quip.sum(by * var for by, var in zip(weights, several)) + 0 * several[0]

    for _ in range(dice.randint(1, 3)):
        row, side = total(ours + theirs), dice.randint(-3, 5)
        m.add(row == side if dice.random() < 0.15 else row >= side if dice.random() < 0.4 else row <= side)
    if within_budgets:
        m.uncertainty(quip.sum(theirs) <= dice.randint(1, 2))
        if dice.random() < 0.3:
            m.uncertainty(quip.sum(theirs[:2]) <= 1)
    elif dice.random() < 0.6:
        m.uncertainty(total(theirs) <= dice.randint(0, 2))
    if dice.random() < 0.9:
        (m.minimize if dice.random() < 0.5 else m.maximize)(total(ours + theirs) + dice.randint(-2, 2))
    return m


def random_setups(seed: int) -> quip.Model:
    """Lots after set-ups, period by period, against a demand that deviates within a budget: proofs that derive
    rows and split."""
    dice = random.Random(seed)
    m = quip.Model(f"setups-{seed}")
    rises: List[Any] = []
    level, cost = quip.sum([0]), quip.sum([0])
    for t in range(dice.randint(2, 3)):
        nominal, more, room = dice.randint(1, 4), dice.randint(1, 4), dice.randint(4, 9)
        rise = m.reveal(f"rise{t}", binary=True)
        set_up = m.decide(f"setup{t}", ub=dice.randint(1, 2), integer=True)
        lot = m.decide(f"lot{t}", ub=20)
        owed = m.decide(f"owed{t}", ub=30)
        level = level + lot - nominal - more * rise
        m.add(lot <= Fraction(room, 2) * set_up)
        m.add(owed >= -level)
        m.add(owed >= level / 3)
        cost = cost + dice.randint(2, 9) * set_up + dice.randint(2, 5) * owed
        rises.append(rise)
    m.uncertainty(quip.sum(rises) <= 1)
    m.minimize(cost)
    return m
