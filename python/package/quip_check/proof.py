"""Proofs that a system of rows cannot hold: cuts of domains, splits, weighed sums.

A side is `sum of a * x <= b`. What the variables that are fixed add to it is known by `given` only,
or is nothing where none of them is in it.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from .model import Invalid, Program, Terms, Variable

Ends = Tuple[Optional[Fraction], Optional[Fraction]]


class Side(NamedTuple):
    """`sum of terms <= limit`, or `<` where it is strict."""

    terms: Terms
    limit: Fraction
    strict: bool


class Need(NamedTuple):
    """The fixed variables must add at least this much, or more than it."""

    value: Fraction
    strict: bool

    def stronger(self, other: "Optional[Need]") -> "Need":
        return self if other is None else max(self, other)


class Room:
    """What a proof may count on: the domains of the variables that are not fixed, and who presses."""

    def __init__(
        self,
        program: Program,
        order: List[int],
        place: int,
        domains: Dict[int, Ends],
        pressing: Set[int],
    ) -> None:
        self.variables = program.variables
        self.fixed = set(order[:place])
        self.domains = domains
        self.pressing = pressing
        seen = [number for number, var in enumerate(order) if var in pressing]
        first = seen[0] if seen else len(order)
        #: Variables before which nobody presses: they may be split, and cut by pressed rows.
        self.early = set(order[:first])
        self.given: Dict[str, Fraction] = {}
        self.needs: Dict[str, Need] = {}

    def need(self, name: str, value: Fraction, strict: bool) -> None:
        self.needs[name] = Need(value, strict).stronger(self.needs.get(name))

    def least(self, terms: Terms, press: bool, without: int = -1) -> Optional[Fraction]:
        """The least sum of the variables that are not fixed; none if there is no least one."""
        total = Fraction(0)
        for var, by in terms.items():
            if var in self.fixed or var == without:
                continue
            low, high = self.domains[var]
            end = low if (by > 0) != (press and var in self.pressing) else high
            if end is None:
                return None
            total += by * end
        return total

    def known(self, name: str, side: Side) -> Fraction:
        """What the fixed variables add at least."""
        if name in self.given:
            return self.given[name]
        if any(var in self.fixed for var in side.terms):
            raise Invalid(f"`{name}` is used without `given`")
        return Fraction(0)

    @property
    def is_empty(self) -> bool:
        return any(low is not None and high is not None and low > high for low, high in self.domains.values())

    def cut(self, name: str, side: Side, var: int, variable: Variable) -> None:
        """What the side leaves of a variable when all others are at their best."""
        by = side.terms.get(var)
        if by is None or var in self.fixed or var in self.pressing:
            raise Invalid(f"`{name}` does not cut `{variable.name}`")
        rest = self.least(side.terms, var in self.early, without=var)
        if rest is None:
            return
        end = (side.limit - self.known(name, side) - rest) / by
        low, high = self.domains[var]
        if by > 0:
            if variable.integer:
                end = Fraction(ceil(end) - 1 if side.strict else floor(end))
            high = end if high is None else min(high, end)
        else:
            if variable.integer:
                end = Fraction(floor(end) + 1 if side.strict else ceil(end))
            low = end if low is None else max(low, end)
        self.domains = {**self.domains, var: (low, high)}

    def split(self, var: int, value: Fraction, variable: Variable) -> "Tuple[Ends, Ends]":
        if var in self.fixed or var not in self.early or var in self.pressing:
            raise Invalid(f"`{variable.name}` cannot be split here")
        low, high = self.domains[var]
        below = Fraction(floor(value)) if variable.integer else value
        above = below + 1 if variable.integer else value
        return (low, below if high is None else min(below, high)), (above if low is None else max(above, low), high)


class Share(NamedTuple):
    """What a weighed sum of sides says at a node: the sides, what is left besides them, strictness.

    The universal player does not lose by going on at the node if what the fixed variables add to the
    sides, weighed, and the constant together are above zero (or zero, where it is strict).
    """

    weights: Dict[str, Fraction]
    constant: Fraction
    strict: bool
    place: int


def weighed(parts: Iterable[Tuple[Fraction, Dict[str, Fraction]]]) -> Dict[str, Fraction]:
    total: Dict[str, Fraction] = {}
    for weight, sides in parts:
        for name, by in sides.items():
            total[name] = total.get(name, Fraction(0)) + weight * by
    return total
