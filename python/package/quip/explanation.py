"""Why an answer is what it is, in sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .numeric import equation, read, spelled
from .program import Program

#: How many moves or rows a line lists.
_SHOWN = 24
_ANSWERS = {
    "infeasible": "the rows cannot be kept",
    "interrupted": "not found out before a limit was reached",
    "universal_stuck": "an outright win",
    "won": "an outright win",
    "unbounded": "beyond every bound",
    "feasible": "the rows can be kept",
    "target_reached": "the target is in reach",
    "good_enough": "as good as was asked for",
    "optimal": "the rows can be kept",
    "unknown": "not found out",
}


class Alternative(NamedTuple):
    """Another way to begin: a change of one variable, and what becomes of it."""

    variable: str
    sign: str
    bound: Fraction
    status: str
    value: Optional[Fraction]
    #: Whether it is as good as the decision; ``None`` if that was not found out.
    as_good: Optional[bool]
    #: How the opponent answers it.
    answer: List[Tuple[str, Fraction]]

    def __str__(self) -> str:
        worth = spelled(self.value) if self.value is not None else _ANSWERS[self.status]
        ending = ", as good" if self.as_good else ""
        if self.answer and not self.as_good:
            ending = f", after {_moves(self.answer)}"
        return f"With {self.variable} {self.sign} {self.bound}: {worth}{ending}."


class Explanation:
    """What solving the model, and further models beside it, found out. Print it.

    ``status`` and ``value`` are the answer; ``tight`` the rows without room in best play;
    ``alternatives`` other first decisions; ``core`` the rows that already refute a lost model, and
    ``pressure`` the moves of the opponent that do; ``prices`` what easier games are worth.
    """

    def __init__(self, program: Program, told: Dict[str, Any]) -> None:
        names = [variable.name for variable in program.variables]

        def named(moves: Sequence[Tuple[int, str]]) -> List[Tuple[str, Fraction]]:
            return [(names[var], read(value)) for var, value in moves]

        self._has_opponent = any(variable.forall for variable in program.variables)
        self.status: str = told["status"]
        self.value = _number(told["value"])
        worst = told["worst"] or {"moves": [], "value": None, "parts": [], "tight": [], "tight_universal": []}
        self._knows_worst = told["worst"] is not None
        #: Best play of both sides, and what each variable adds to the objective there.
        self.worst_case = named(worst["moves"])
        self.parts = named(worst["parts"])
        self.tight: List[str] = worst["tight"]
        self.tight_universal: List[str] = worst["tight_universal"]
        others = told["alternatives"]
        self.decision = named(others["decision"]) if others else []
        self.alternatives = [
            Alternative(
                names[it["variable"]], it["change"][0], read(it["change"][1]), it["status"],
                _number(it["value"]), it["as_good"], named(it["answer"]),
            )
            for it in (others["tried"] if others else [])
        ]
        self._left_out: int = others["left_out"] if others else 0
        core = told["core"]
        self.core: List[str] = core["rows"] if core else []
        self.pressure: List[Tuple[str, Optional[Fraction]]] = [
            (names[var], _number(value)) for var, value in (core["pressure"] if core else [])
        ]
        self.is_minimal: bool = bool(core and core["is_minimal"])
        self._refuting = named(core["play"]) if core else []
        empty = core["empty_domain"] if core else None
        self.empty_domain: Optional[str] = None if empty is None else names[empty]
        self._has_core = core is not None
        price = told["price"]
        #: Name, whether it is one scenario, what is known, value.
        self.prices: List[Tuple[str, bool, str, Optional[Fraction]]] = [
            (name, scenario, word, _number(value)) for name, scenario, word, value in (price["entries"] if price else [])
        ]

    @property
    def as_good(self) -> List[Alternative]:
        """Changes of the first decision that cost nothing."""
        return [it for it in self.alternatives if it.as_good]

    def __str__(self) -> str:
        parts = [self._result(), self._worst(), self._others(), self._lost(), self._price()]
        return "\n\n".join(part for part in parts if part)

    __repr__ = __str__

    def _result(self) -> str:
        if self.status == "optimal" and self.value is not None:
            return f"{spelled(self.value)} can be guaranteed, and nothing better."
        if self.status in ("optimal", "feasible"):
            against = "The rows can be kept, whatever the opponent does."
            return against if self._has_opponent else "The rows can be satisfied."
        return {
            "infeasible": "The opponent can keep the rows from being satisfied."
            if self._has_opponent else "The rows cannot be satisfied.",
            "universal_stuck": "The opponent can be left without a legal move: the game is won outright.",
            "unbounded": "The objective can be pushed beyond every bound.",
        }.get(self.status, "The answer was not found out before a limit was reached; there is nothing to explain.")

    def _worst(self) -> str:
        if not self._knows_worst:
            return ""
        lines = ["Best play of both sides", f"  {_moves(self.worst_case)}"]
        if self.parts:
            made = ", ".join(f"{spelled(value)} for {name}" for name, value in self.parts[:_SHOWN])
            lines.append(f"  Its cost is made of {made}.")
        lines.append(f"  Rows that leave no room there: {_listed(self.tight) or 'none but equations'}.")
        if self.tight_universal:
            lines.append(f"  Rows that hold the opponent back there: {_listed(self.tight_universal)}.")
        return "\n".join(lines)

    def _others(self) -> str:
        if not self.decision:
            return ""
        lines = [f"The first decision: {_moves(self.decision)}"]
        lines += [f"  {it}" for it in self.alternatives]
        if self._left_out:
            lines.append(f"  {self._left_out} other alternatives were not looked at.")
        return "\n".join(lines)

    def _lost(self) -> str:
        if not self._has_core:
            return ""
        if self.empty_domain is not None:
            return f"Why it is lost\n  `{self.empty_domain}` has no value to take."
        lines = ["Why it is lost"]
        if self._refuting:
            lines.append(f"  A {'shortest ' if self.is_minimal else ''}refuting play: {_moves(self._refuting)}")
        moves = [f"{name} = {'as the play demands' if it is None else it}" for name, it in self.pressure]
        pressed = f"together with the opponent's {', '.join(moves)}" if moves else "whatever the opponent does"
        one = len(self.core) == 1
        lines.append(f"  Row{'' if one else 's'} {_listed(self.core)} already refute{'s' if one else ''}, {pressed}.")
        needed = "Each of them is needed: without it the game is not lost."
        lines.append(f"  {needed if self.is_minimal else 'Whether each of them is needed was not found out.'}")
        return "\n".join(lines)

    def _price(self) -> str:
        if not self.prices:
            return ""
        spoken = {"cooperative value": "with an opponent who helps"}
        lines = ["The price of robustness"]
        for name, is_scenario, word, value in self.prices:
            label = f"scenario `{name}`, known beforehand" if is_scenario else spoken.get(name, "with all decisions made beforehand")
            worth = _ANSWERS.get(word, "") if value is None else spelled(value)
            worth = f"not better than {worth}" if word == "at_least" else worth
            lines.append(f"  {label:<40} {worth}")
        return "\n".join(lines)


def _moves(moves: Sequence[Tuple[str, Fraction]]) -> str:
    told = [equation(name, value) for name, value in moves[:_SHOWN]]
    more = f", … {len(moves) - _SHOWN} more" if len(moves) > _SHOWN else ""
    return ", ".join(told) + more


def _listed(labels: Sequence[str]) -> str:
    more = f", … {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
    return ", ".join(labels[:_SHOWN]) + more


def _number(text: Optional[str]) -> Optional[Fraction]:
    return None if text is None else read(text)
