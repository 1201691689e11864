"""Plays of a policy: observe, get what to do, and so on."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from .assignment import Assignment
from .errors import IllegalObservation, NoAnswer
from .expressions import Var
from .numeric import exact, read
from .strategy import Strategy, is_better

if TYPE_CHECKING:
    from .policy import Policy


class Play:
    """A play in which one player follows a policy."""

    def __init__(self, policy: "Policy") -> None:
        self._policy = policy
        self._values: Dict[int, Fraction] = {}
        self._awaits: Optional[int] = None
        self._end: Optional[str] = None

    @property
    def moves(self) -> Assignment:
        """Every move so far, of both players."""
        order = self._policy.program.order
        return Assignment(self._policy.model, {order[var]: value for var, value in self._values.items()})

    @property
    def replies(self) -> Assignment:
        """The moves so far of the one who follows the policy."""
        policy = self._policy
        order, variables = policy.program.order, policy.program.variables
        mine = {var: value for var, value in self._values.items() if variables[var].forall == policy.forall}
        return Assignment(policy.model, {order[var]: value for var, value in mine.items()})

    @property
    def awaits(self) -> Optional[Var]:
        """The variable of the other player that is to be told next; ``None`` if the play is over."""
        return None if self._awaits is None else self._policy._var(self._awaits)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play, or nothing that matters."""
        return self._end is not None

    @property
    def end(self) -> Optional[str]:
        """How it ended: ``complete``, ``won``, ``ray``, ``settled`` or ``open``; see ``docs/strategy.md``."""
        return self._end

    @property
    def objective(self) -> Fraction:
        """What the moves so far add up to."""
        goal = self._policy.program.objective()
        if goal is None:
            raise NoAnswer("this model has no objective")
        terms, constant, _ = goal
        return constant + sum((by * self._values[var] for var, by in terms if var in self._values), Fraction(0))

    def observe(self, value: Any) -> "Play":
        """The other player fixes the variable that is awaited; refused if its rows forbid it."""
        if self._awaits is None:
            raise IllegalObservation("the play is over: there is nothing to observe any more")
        self._observe(self._awaits, Fraction(exact(value)))
        return self

    def _observe(self, place: int, value: Fraction) -> None:
        raise NotImplementedError

    def _tell(self, told: Mapping[int, Fraction]) -> None:
        """Observes everything in the order of the play."""
        left = dict(told)
        while left and self._awaits is not None:
            if self._awaits not in left:
                variables = self._policy.program.variables
                names = ", ".join(variables[it].name for it in sorted(left))
                raise IllegalObservation(f"`{variables[self._awaits].name}` is revealed before {names}; tell it too")
            self._observe(self._awaits, left.pop(self._awaits))
        for place, value in left.items():
            # The play is decided; what is told nevertheless must be possible.
            self._refuse(place, value, {})

    def _refuse(self, place: int, value: Fraction, known: Mapping[int, Fraction]) -> None:
        moves = [(var, str(it)) for var, it in known.items()]
        reason = self._policy.program.native.refusal(moves, place, str(value))
        if reason is not None:
            raise IllegalObservation(reason)

    def __repr__(self) -> str:
        return f"<quip.Play: {self.moves!r}; {'over' if self.is_over else f'awaits {self.awaits}'}>"


class Followed(Play):
    """A play that follows a strategy, or with perfection the best one for what is left."""

    def __init__(self, policy: "Policy", strategy: Strategy) -> None:
        super().__init__(policy)
        self._observed: List[Tuple[int, str]] = []
        self._reply(strategy, [])

    def _reply(self, strategy: Strategy, told: List[Tuple[int, str]]) -> None:
        observed = self._observed + told
        moves, self._awaits, self._end = strategy._native.reply(observed)
        self._strategy, self._observed = strategy, observed
        self._values = {var: read(value) for var, value in moves}

    def _tell(self, told: Mapping[int, Fraction]) -> None:
        if self._policy.perfect:
            super()._tell(told)
        else:
            self._reply(self._strategy, [(place, str(value)) for place, value in told.items()])

    def _observe(self, place: int, value: Fraction) -> None:
        self._reply(self._strategy, [(place, str(value))])
        if self._policy.perfect:
            self._reconsider(place)

    def _reconsider(self, observed: int) -> None:
        """Takes the strategy for what is left, if it guarantees more and has made the same moves."""
        program = self._policy.program
        moves = list(self._values.items())
        made = moves[: [var for var, _ in moves].index(observed) + 1]
        if len(made) == len(moves):
            return
        native = self._policy._solved(made).strategy(self._policy.forall)
        if native is None:
            return
        other = Strategy(program, native)
        if not is_better(other, self._strategy, program):
            return
        try:
            again, _, _ = other._native.reply(self._observed)
        except IllegalObservation:
            return
        if [(var, read(value)) for var, value in again[: len(made)]] == made:
            self._reply(other, [])


class Advised(Play):
    """A play whose moves come of solving what is left after each observation, where no strategy was written down."""

    def __init__(self, policy: "Policy") -> None:
        super().__init__(policy)
        self._advise()

    def _observe(self, place: int, value: Fraction) -> None:
        self._refuse(place, value, self._values)
        before = dict(self._values)
        self._values[place] = value
        try:
            self._advise()
        except IllegalObservation:
            self._values = before
            raise

    def _advise(self) -> None:
        """Makes the moves of best play up to the next observation."""
        policy = self._policy
        variables = policy.program.variables
        order = [var for var in policy.program.native.playing_order() if var not in self._values]
        own: List[int] = []
        for var in order:
            if variables[var].forall:
                break
            own.append(var)
        self._awaits = order[len(own)] if len(own) < len(order) else None
        self._end = None if self._awaits is not None else "complete"
        if not own:
            return
        outcome = policy._solved(list(self._values.items()))
        if outcome.status == "universal_stuck":
            rows = policy.program.rows(True)
            if self._values and not any(not variables[var].forall for row in rows for var, _ in row.terms):
                raise IllegalObservation("rows of the opponent cannot hold together after this")
            self._awaits, self._end = None, "won"
        shown = {var: read(value) for var, value in [*outcome.principal_variation, *outcome.first_stage]}
        missing = [var for var in own if var not in shown]
        if missing and self._end != "won":
            raise NoAnswer(f"what to do with `{variables[missing[0]].name}` was not found out: {outcome.status}")
        self._values.update((var, shown[var]) for var in own if var in shown)
