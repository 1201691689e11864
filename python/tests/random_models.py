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
