"""Strategies, and playing them: tell what was observed, get what to do."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from . import _quip
from .arrays import Array
from .assignment import Assignment
from .errors import IllegalObservation, NoAnswer
from .numeric import exact, read
from .expressions import Var
from .keys import spread
from .program import Program
from .waiting import answered

if TYPE_CHECKING:
    from .model import Model

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


class Play:
    """A play in which the owner of a strategy follows it: observe, reply, and so on."""

    def __init__(self, policy: "Policy", observed: Optional[Mapping[int, Fraction]] = None) -> None:
        self._policy = policy
        self._strategy = policy.strategy
        #: What was observed, in order.
        self._observed: List[Tuple[int, str]] = []
        self._reply(self._strategy, [] if policy.perfect else list((observed or {}).items()))
        if policy.perfect and observed:
            self._tell(dict(observed))

    def _reply(self, strategy: Strategy, told: List[Tuple[int, Fraction]]) -> None:
        observed = self._observed + [(var, str(value)) for var, value in told]
        moves, self._awaits, self._end = strategy._native.reply(observed)
        self._strategy, self._observed = strategy, observed
        self._values = {var: read(value) for var, value in moves}

    def _tell(self, left: Dict[int, Fraction]) -> None:
        """Observes one after the other, and looks each time what has become possible."""
        while left and self._awaits in left:
            place = self._awaits
            assert place is not None
            self._reply(self._strategy, [(place, left.pop(place))])
            self._reconsider(place)
        if left:
            # What was told too early, or after the end, is refused as it is without perfection.
            self._strategy._native.reply(self._observed + [(var, str(value)) for var, value in left.items()])

    @property
    def moves(self) -> Assignment:
        """Every move so far, of both players."""
        order = self._policy.program.order
        return Assignment(self._policy.model, {order[var]: value for var, value in self._values.items()})

    @property
    def replies(self) -> Assignment:
        """The moves so far of the strategy's owner."""
        variables = self._policy.program.variables
        mine = {var: value for var, value in self._values.items() if variables[var].forall == self._strategy.forall}
        order = self._policy.program.order
        return Assignment(self._policy.model, {order[var]: value for var, value in mine.items()})

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
        place = self._awaits
        if place is None:
            raise IllegalObservation("the play is over: there is nothing to observe any more")
        self._reply(self._strategy, [(place, Fraction(exact(value)))])
        if self._policy.perfect:
            self._reconsider(place)
        return self

    def _reconsider(self, observed: int) -> None:
        """Takes the strategy for what is left, if it guarantees more and has made the same moves."""
        program = self._policy.program
        moves = list(self._values.items())
        made = moves[: [var for var, _ in moves].index(observed) + 1]
        if len(made) == len(moves):
            return
        fixed = program.native.fixed([(var, str(value)) for var, value in made])
        native = self._policy._solved(fixed)
        if native is None:
            return
        other = Strategy(program, native)
        if not _is_better(other, self._strategy, program):
            return
        try:
            again, _, _ = other._native.reply(self._observed)
        except IllegalObservation:
            return
        if [(var, read(value)) for var, value in again[: len(made)]] == made:
            self._reply(other, [])

    def __repr__(self) -> str:
        return f"<quip.Play: {self.moves!r}; {'over' if self.is_over else f'awaits {self.awaits}'}>"


def _is_better(left: Strategy, right: Strategy, program: Program) -> bool:
    """Whether the first guarantees its owner more."""
    goal = program.objective()
    sign = 1 if goal is None or goal[2] else -1

    def worth(it: Strategy) -> Tuple[int, Fraction]:
        return (_ORDER[it.guarantee], sign * (it.value or Fraction(0)))

    return bool(worth(left) > worth(right) if left.forall else worth(left) < worth(right))


class Policy:
    """A strategy as a function of what has been observed.

    Call it with observations by variable, array or name, in the order of the game as far as they are
    known. The answer holds every decision that follows from them. What the opponent's rows forbid is
    refused with the row.
    """

    def __init__(self, model: "Model", program: Program, strategy: Strategy, *, perfect: bool = False) -> None:
        self.model = model
        self.program = program
        self.strategy = strategy
        self.perfect = perfect
        self._places = {index: place for place, index in enumerate(program.order)}
        self._solves: Dict[Any, Optional[_quip.Strategy]] = {}

    def __call__(self, observed: Optional[Mapping[Any, Any]] = None, /, **by_name: Any) -> Assignment:
        return self._played({**self._told(observed or {}), **self._told(by_name)}).replies

    def play(self) -> Play:
        """A play that is told one observation at a time."""
        return Play(self)

    def simulate(self, scenarios: Any, *, seed: int = 0) -> Any:
        """Plays against scenarios, and returns a :class:`Simulation`.

        Scenarios are a number of random legal plays, a list of mappings as for a call, a table of
        pandas with a column for each name, or one mapping whose arrays have a line for each play.
        """
        from .simulation import simulated

        return simulated(self, scenarios, seed)

    def _played(self, told: Mapping[int, Fraction]) -> Play:
        return Play(self, told)

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
        if place is None or self.program.variables[place].forall == self.strategy.forall:
            raise IllegalObservation(f"`{key.name}` is no variable of the other player")
        return place

    def _var(self, place: int) -> Var:
        return Var(self.model, self.program.order[place])

    def _solved(self, fixed: _quip.Program) -> Optional[_quip.Strategy]:
        key = fixed.fingerprint()
        if key not in self._solves:
            run = _quip.Run.solve(
                fixed, method="auto", time=None, nodes=None, memory=None, threads=None,
                target=None, decide=False, certificate=True, switches=[],
            )
            outcome = answered(run)
            assert isinstance(outcome, _quip.Outcome)
            self._solves[key] = outcome.strategy(self.strategy.forall)
        return self._solves[key]

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_solves": {}}

    def __repr__(self) -> str:
        return f"<quip.Policy following {self.strategy!r}>"


def _flat(given: Any, size: int) -> List[Any]:
    if hasattr(given, "ravel"):
        return list(given.ravel())
    return [given] * size
