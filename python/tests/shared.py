"""Models that several tests need."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Dict, Tuple

import quip

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted(ROOT.glob("models/*/*.qip"))


def lot_sizing() -> Tuple[quip.Model, Dict[str, Any]]:
    """The model of the README, worth 16."""
    m = quip.Model("lot-sizing")
    open = m.decide("open", binary=True)
    d1 = m.reveal("d1", ub=2, integer=True)
    q1 = m.decide("q1", ub=3, integer=True)
    s1 = m.decide("s1", ub=9, integer=True)
    d2 = m.reveal("d2", ub=2, integer=True)
    q2 = m.decide("q2", ub=3, integer=True)
    s2 = m.decide("s2", ub=9)
    m.minimize(10 * open + 2 * q1 + 2 * q2 + s1 / 2 + 0.5 * s2, name="cost")
    m.add(q1 <= 3 * open, name="cap1")
    m.add(s1 == q1 - d1, name="stock1")
    m.add(q2 <= 3 * open, name="cap2")
    m.add(s2 == s1 + q2 - d2, name="stock2")
    m.uncertainty(d1 + d2 <= 3, name="budget")
    return m, {"open": open, "d1": d1, "q1": q1, "s1": s1, "d2": d2, "q2": q2, "s2": s2}


def hard(count: int = 200, seed: int = 1) -> quip.Model:
    """A model that is not solved in a few seconds."""
    dice = random.Random(seed)
    m = quip.Model("hard")
    variables = [(m.reveal if k % 3 == 1 else m.decide)(f"v{k}", binary=True) for k in range(count)]
    slack = m.decide("slack", ub=999, integer=True)
    for _ in range(count // 2):
        chosen = dice.sample(variables, 6)
        m.add(quip.sum(dice.randint(-9, 9) * v for v in chosen) <= dice.randint(0, 4) + slack)
    m.minimize(quip.sum(dice.randint(-9, 9) * v for v in variables) + 2 * slack)
    return m


def knapsack(count: int = 40, budget: int = 4) -> quip.Model:
    """Items of which some are hit and few are repaired: strategies are found at once, and proofs are not."""
    dice = random.Random(1)
    value = [dice.randint(50, 99) for _ in range(count)]
    weight = [dice.randint(20, 60) for _ in range(count)]
    m = quip.Model("knapsack")
    take = m.decide("take", count, binary=True)
    hit = m.reveal("hit", count, binary=True)
    repair = m.decide("repair", count, binary=True)
    lost = m.decide("lost", count, ub=1, integer=True)
    m.uncertainty(hit.sum() <= budget, name="budget")
    m.add((weight * take).sum() <= sum(weight) // 2)
    m.add(repair <= take)
    m.add(repair.sum() <= 2)
    m.add(lost >= hit + take - repair - 1)
    m.maximize((value * take).sum() - (value * lost).sum() - 5 * repair.sum())
    return m
