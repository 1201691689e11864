"""Strategies: what one player does against everything the other may do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, Optional, Tuple

from . import _quip
from .numeric import read
from .program import Program

#: What a player is guaranteed, in the order of our wishes.
_ORDER = {"won": 0, "unbounded": 1, "kept": 2, "value": 3, "lost": 4}


class Strategy:
    """What one player does against everything the other may do: a graph, equal parts once."""

    def __init__(self, program: Program, native: _quip.Strategy) -> None:
        self.program = program
        self._native = native
        self.forall: bool = native.universal
        word, value = native.guarantee
        #: ``value``, ``kept``, ``won``, ``lost`` or ``unbounded``.
        self.guarantee: str = word
        #: What is guaranteed, where that is a value.
        self.value: Optional[Fraction] = None if value is None else read(value)

    def __len__(self) -> int:
        return len(self._native)

    @property
    def text(self) -> str:
        """A decision tree in words."""
        return self._native.written("txt")

    @property
    def json(self) -> str:
        """The graph in the form ``quip-strategy/1`` of ``docs/strategy.md``."""
        return self._native.written("json")

    def to_terms(self) -> str:
        """A term with if-then-else for each decision."""
        return self._native.written("ite")

    def to_dot(self) -> str:
        """A graph for Graphviz."""
        return self._native.written("dot")

    def to_svg(self) -> str:
        """A picture of the graph."""
        return self._native.written("svg")

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_native": self.json}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._native = _quip.Strategy.restore(self.program.native, state["_native"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        owner = "opponent" if self.forall else "decisions"
        value = self.guarantee if self.value is None else self.value
        return f"<quip.Strategy of the {owner}: {value}, {len(self)} nodes>"

    def _repr_html_(self) -> str:
        from .tables import strategy_html

        return strategy_html(self)


def is_better(left: Strategy, right: Strategy, program: Program) -> bool:
    """Whether the first guarantees its owner more."""
    goal = program.objective()
    sign = 1 if goal is None or goal[2] else -1

    def worth(it: Strategy) -> Tuple[int, Fraction]:
        return (_ORDER[it.guarantee], sign * (it.value or Fraction(0)))

    return bool(worth(left) > worth(right) if left.forall else worth(left) < worth(right))
