"""Playing a policy against many scenarios."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from .arrays import Array
from .assignment import Assignment
from .errors import IllegalObservation, ModelError

if TYPE_CHECKING:
    from .play import Play
    from .policy import Policy

#: How often a random value is drawn anew when rows forbid it, before the ends of the domain are tried.
_DRAWS = 40


class Simulation:
    """Plays of one policy: what was played, what it came to, what was refused."""

    def __init__(self) -> None:
        #: The moves of each play; none of one that was refused.
        self.plays: List["Assignment"] = []
        #: The exact objective of each play; ``None`` where it was refused or there is no objective.
        self.objectives: List[Optional[Fraction]] = []
        #: Numbers of plays that were refused, and why.
        self.refused: Dict[int, str] = {}

    @property
    def floats(self) -> Any:
        """The objectives as an array; NaN where there is none."""
        return np.array([np.nan if it is None else float(it) for it in self.objectives])

    @property
    def worst(self) -> Tuple[Optional[Fraction], Optional[Fraction]]:
        """The least and the greatest objective that occurred."""
        known = [it for it in self.objectives if it is not None]
        return (min(known), max(known)) if known else (None, None)

    def to_pandas(self) -> Any:
        """A line for each play: every variable, the objective, why it was refused."""
        from .tables import simulation_to_pandas

        return simulation_to_pandas(self)

    def __len__(self) -> int:
        return len(self.plays)

    def __repr__(self) -> str:
        least, greatest = self.worst
        return f"<quip.Simulation: {len(self)} plays, {len(self.refused)} refused, objectives {least} to {greatest}>"


def simulated(policy: "Policy", scenarios: Any, seed: int) -> Simulation:
    """The plays of a policy against scenarios of any of the forms that it takes."""
    made = Simulation()
    if isinstance(scenarios, (int, np.integer)) and not isinstance(scenarios, bool):
        dice = random.Random(seed)
        for _ in range(int(scenarios)):
            _note(policy, made, _random_play(policy, dice))
        return made
    for scenario in _scenarios(scenarios):
        told = policy._told(scenario)
        try:
            play = policy._played(told)
        except IllegalObservation as refusal:
            made.refused[len(made.plays)] = str(refusal)
            made.plays.append(Assignment(policy.model, {}))
            made.objectives.append(None)
        else:
            _note(policy, made, play)
    return made


def _note(policy: "Policy", made: Simulation, play: "Play") -> None:
    if not play.is_over:
        raise ModelError(f"a scenario says nothing about `{play.awaits}`; it must tell every revealed variable")
    made.plays.append(play.moves)
    goal = policy.program.objective()
    whole = goal is not None and play.end == "complete"
    made.objectives.append(play.objective if whole else None)


def _scenarios(given: Any) -> List[Mapping[Any, Any]]:
    if hasattr(given, "to_dict") and hasattr(given, "columns"):
        return [dict(zip(map(str, given.columns), line)) for line in given.itertuples(index=False, name=None)]
    if isinstance(given, Mapping):
        columns = {key: np.asarray(value, dtype=object) for key, value in given.items()}
        lengths = {len(it) if it.ndim else -1 for it in columns.values()}
        if len(lengths) != 1 or -1 in lengths:
            raise ModelError("scenarios by variable need arrays with the same number of lines")
        for key, array in columns.items():
            if array.ndim != 1 + (key.ndim if isinstance(key, Array) else 0):
                raise ModelError(f"the scenarios of {key!r} have the shape {array.shape}, a line for each play")
        return [{key: array[line] for key, array in columns.items()} for line in range(lengths.pop())]
    try:
        scenarios = list(given)
    except TypeError:
        raise ModelError("scenarios are a number, a list of mappings, a mapping of arrays or a table") from None
    for scenario in scenarios:
        if not isinstance(scenario, Mapping):
            raise ModelError(f"{scenario!r} is no scenario; a scenario maps variables to values")
    return scenarios


def _random_play(policy: "Policy", dice: random.Random) -> "Play":
    """A play whose observations are drawn from what is legal, each by itself."""
    play = policy.play()
    while True:
        awaited = play.awaits
        if awaited is None:
            return play
        place = policy._places[awaited.index]
        variable = policy.program.variables[place]
        low, high = variable.lower, variable.upper
        assert low is not None and high is not None
        for value in _draws(low, high, variable.integer, dice):
            try:
                play.observe(value)
                break
            except IllegalObservation:
                continue
        else:
            raise IllegalObservation(f"no legal value of `{awaited}` was found for a random play")


def _draws(low: Fraction, high: Fraction, integer: bool, dice: random.Random) -> List[Fraction]:
    def drawn() -> Fraction:
        if integer:
            return Fraction(dice.randint(ceil(low), floor(high)))
        return low + (high - low) * Fraction(dice.randint(0, 1000), 1000)

    return [drawn() for _ in range(_DRAWS)] + [low, high]
