"""Variables that budgets count: universal rows hold them, and the ends of their domains are enough all the same."""

from __future__ import annotations

from fractions import Fraction
from typing import Dict, List, Set

from .model import Program


def counted(program: Program, order: List[int]) -> Set[int]:
    """The counted variables; none if one of them breaks a condition of the page."""
    variables, rows = program.variables, program.rows[1]
    held = {var for row in rows for var in row.terms}
    first = next((place for place, var in enumerate(order) if var in held and not variables[var].integer), None)
    if first is None:
        return set()
    later = order[first:]
    if any(not variables[var].forall and (variables[var].integer or var in held) for var in later):
        return set()
    members = [var for var in later if var in held]
    signs: Dict[int, bool] = {}
    for row in rows:
        own = sorted(members.index(var) for var in row.terms if var in members)
        if not own:
            continue
        if len(own) < len(row.terms) or own[-1] - own[0] + 1 != len(own):
            return set()
        least, units = Fraction(0), set()
        for var, by in row.terms.items():
            low, high = variables[var].domain
            if low is None or high is None or low == high:
                return set()
            least += by * (low if by > 0 else high)
            units.add(abs(by) * (high - low))
            if signs.setdefault(var, by > 0) != (by > 0):
                return set()
        sides = [side for side in (row.lower, row.upper) if side is not None]
        if len(units) != 1 or any((side - least) % min(units) for side in sides):
            return set()
    return set(members)
