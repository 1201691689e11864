"""Policies: tell what was observed, get what to do."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _quip
from .arrays import Array
from .assignment import Assignment
from .errors import IllegalObservation
from .numeric import exact
from .expressions import Var
from .keys import spread
from .play import Advised, Followed, Play
from .program import Program
from .strategy import Strategy
from .waiting import answered

if TYPE_CHECKING:
    from .model import Model


class Policy:
    """A strategy as a function of what has been observed.

    Call it with observations by variable, array or name, in the order of the game as far as they are
    known. The answer holds every decision that follows from them. What the opponent's rows forbid is
    refused with the row.
    """

    def __init__(
        self, model: "Model", program: Program, strategy: Optional[Strategy], *, perfect: bool = False
    ) -> None:
        self.model = model
        self.program = program
        #: What it follows; ``None`` if none was written down, and what is left is solved each time.
        self.strategy = strategy
        self.perfect = perfect or strategy is None
        #: Whether it is the opponent's.
        self.forall = strategy is not None and strategy.forall
        self._places = {index: place for place, index in enumerate(program.order)}
        self._solves: Dict[Any, _quip.Outcome] = {}

    def __call__(self, observed: Optional[Mapping[Any, Any]] = None, /, **by_name: Any) -> Assignment:
        return self._played({**self._told(observed or {}), **self._told(by_name)}).replies

    def play(self) -> Play:
        """A play that is told one observation at a time."""
        return Advised(self) if self.strategy is None else Followed(self, self.strategy)

    def simulate(self, scenarios: Any, *, seed: int = 0) -> Any:
        """Plays against scenarios, and returns a :class:`Simulation`.

        Scenarios are a number of random legal plays, a list of mappings as for a call, a table of
        pandas with a column for each name, or one mapping whose arrays have a line for each play.
        """
        from .simulation import simulated

        return simulated(self, scenarios, seed)

    def _played(self, told: Mapping[int, Fraction]) -> Play:
        play = self.play()
        play._tell(told)
        return play

    def _told(self, observed: Mapping[Any, Any]) -> Dict[int, Fraction]:
        told: Dict[int, Fraction] = {}
        for key, value in observed.items():
            key = self.model.variable(key) if isinstance(key, str) else key
            if isinstance(key, Array):
                given = spread(value, key.keys, "the observation")
                flat = _flat(given, key.size)
                told.update(zip((self._place(it) for it in key.flat()), (Fraction(exact(it)) for it in flat)))
            else:
                told[self._place(key)] = Fraction(exact(value))
        return told

    def _place(self, key: Any) -> int:
        if not isinstance(key, Var):
            raise IllegalObservation(f"{key!r} is no variable; tell observations by variable, array or name")
        if key.model is not self.model and key.model._names is not self.model._names:
            raise IllegalObservation(f"`{key.name}` is a variable of another model")
        place = self._places.get(key.index)
        if place is None or self.program.variables[place].forall == self.forall:
            raise IllegalObservation(f"`{key.name}` is no variable of the other player")
        return place

    def _var(self, place: int) -> Var:
        return Var(self.model, self.program.order[place])

    def _solved(self, moves: Sequence[Tuple[int, Fraction]]) -> _quip.Outcome:
        """The answer to what is left after these moves."""
        fixed = self.program.native.fixed([(var, str(value)) for var, value in moves])
        key = fixed.fingerprint()
        if key not in self._solves:
            run = _quip.Run.solve(
                fixed, method="auto", time=None, nodes=None, memory=None, threads=None,
                target=None, decide=False, certificate=self.strategy is not None, switches=[],
            )
            outcome = answered(run)
            assert isinstance(outcome, _quip.Outcome)
            self._solves[key] = outcome
        return self._solves[key]

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_solves": {}}

    def __repr__(self) -> str:
        return f"<quip.Policy following {'what is left' if self.strategy is None else repr(self.strategy)}>"


def _flat(given: Any, size: int) -> List[Any]:
    if hasattr(given, "ravel"):
        return list(given.ravel())
    return [given] * size
