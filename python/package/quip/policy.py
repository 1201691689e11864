"""Strategies, and playing them: tell what was observed, get what to do.

A play stands at one node of the strategy or, after a real value between two that are answered, at a
mixture of nodes whose weights add up to one. The answer of a mixture is the mixture of the answers.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from . import _quip
from .arrays import Array
from .assignment import Assignment
from .errors import IllegalObservation, NoAnswer
from .numeric import exact, read
from .expressions import Var
from .keys import spread
from .program import Program, RowData

if TYPE_CHECKING:
    from .model import Model

#: What a player is guaranteed, in the order of our wishes.
_ORDER = {"won": 0, "unbounded": 1, "kept": 2, "value": 3, "lost": 4}


class Strategy:
    """What one player does against everything the other may do: a graph, equal parts once."""

    def __init__(self, program: Program, native: _quip.Strategy) -> None:
        self.program = program
        self._native: Optional[_quip.Strategy] = native
        #: The graph in the form ``quip-strategy/1`` of ``docs/strategy.md``.
        self.json: str = native.written("json")
        data = json.loads(self.json)
        self.forall: bool = data["player"] == "forall"
        #: ``value``, ``kept``, ``won``, ``lost`` or ``unbounded``.
        self.guarantee: str = data["guarantee"]
        #: What is guaranteed, where that is a value.
        self.value: Optional[Fraction] = None if data["value"] is None else read(data["value"])
        self._root: int = data["root"]
        self._text: Optional[str] = None
        places = {variable.name: place for place, variable in enumerate(program.variables)}
        self._nodes = [_node(it, places) for it in data["nodes"]]

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def text(self) -> str:
        """A decision tree in words."""
        if self._text is None:
            self._text = self._written("txt")
        return self._text

    def to_terms(self) -> str:
        """A term with if-then-else for each decision."""
        return self._written("ite")

    def to_dot(self) -> str:
        """A graph for Graphviz."""
        return self._written("dot")

    def to_svg(self) -> str:
        """A picture of the graph."""
        return self._written("svg")

    def _written(self, form: str) -> str:
        if self._native is None:
            raise NoAnswer("a strategy that was pickled has its text and JSON only; ask for this before")
        return self._native.written(form)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_text": self.text, "_native": None}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        owner = "opponent" if self.forall else "decisions"
        value = self.guarantee if self.value is None else self.value
        return f"<quip.Strategy of the {owner}: {value}, {len(self)} nodes>"

    def _repr_html_(self) -> str:
        from .tables import strategy_html

        return strategy_html(self)


def _node(it: Dict[str, Any], places: Dict[str, int]) -> Tuple[Any, ...]:
    if it["node"] == "choose":
        return ("choose", places[it["variable"]], read(it["value"]), it["next"])
    if it["node"] == "await":
        branches = [(read(b["from"]), read(b["to"]), b["next"]) for b in it["branches"]]
        illegal = [(read(b["from"]), read(b["to"]), b["rows"]) for b in it.get("illegal", [])]
        return ("await", places[it["variable"]], branches, illegal)
    moves = [(places[name], read(value)) for name, value in it.get("moves", [])]
    return ("end", it["end"], moves)


class Play:
    """A play in which the owner of a strategy follows it: observe, reply, and so on."""

    def __init__(self, policy: "Policy") -> None:
        self._policy = policy
        self._strategy = policy.strategy
        self._at: List[Tuple[int, Fraction]] = [(self._strategy._root, Fraction(1))]
        self._values: Dict[int, Fraction] = {}
        self._reply()

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
        node = self._node()
        return self._policy._var(node[1]) if node[0] == "await" else None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play, or nothing that matters."""
        return bool(self._node()[0] == "end")

    @property
    def end(self) -> Optional[str]:
        """How it ended: ``complete``, ``won``, ``ray``, ``settled`` or ``open``; see ``docs/strategy.md``."""
        node = self._node()
        return str(node[1]) if node[0] == "end" else None

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
        node = self._node()
        if node[0] != "await":
            raise IllegalObservation("the play is over: there is nothing to observe any more")
        var, number = node[1], Fraction(exact(value))
        self._policy._refuse(var, number, self._values)
        following: Dict[int, Fraction] = {}
        for at, weight in self._at:
            _, _, branches, illegal = self._strategy._nodes[at]
            shares = _shares(branches, number, self._policy.program.variables[var].integer)
            if not shares:
                known: List[str] = next((rows for low, high, rows in illegal if low <= number <= high), [])
                raise IllegalObservation(self._policy._together(var, number, known, self._values))
            for to, share in shares:
                following[to] = following.get(to, Fraction(0)) + weight * share
        self._at = sorted(following.items())
        self._values[var] = number
        if self._policy.perfect and self._node()[0] == "choose":
            self._reconsider()
        self._reply()
        return self

    def _node(self) -> Tuple[Any, ...]:
        return self._strategy._nodes[self._at[0][0]]

    def _reply(self) -> None:
        """Makes the owner's moves until the other player is to move or the play is over."""
        while self._node()[0] == "choose":
            nodes = [(self._strategy._nodes[at], weight) for at, weight in self._at]
            self._values[nodes[0][0][1]] = sum((weight * node[2] for node, weight in nodes), Fraction(0))
            following: Dict[int, Fraction] = {}
            for node, weight in nodes:
                following[node[3]] = following.get(node[3], Fraction(0)) + weight
            self._at = sorted(following.items())

    def _reconsider(self) -> None:
        """Takes the strategy for what is left, if it guarantees more."""
        program = self._policy.program
        fixed = program.native.fixed([(var, str(value)) for var, value in self._values.items()])
        native = self._policy._solved(fixed)
        if native is None:
            return
        other = Strategy(program, native)
        if not _is_better(other, self._strategy, program):
            return
        # The same moves under the new strategy; it stays where they are not its own.
        at, left = [(other._root, Fraction(1))], dict(self._values)
        while left:
            node = other._nodes[at[0][0]]
            if node[0] == "end" or node[1] not in left:
                return
            value = left.pop(node[1])
            if node[0] == "choose":
                if node[2] != value:
                    return
                at = [(node[3], Fraction(1))]
            else:
                at = _shares(node[2], value, program.variables[node[1]].integer)
                if len(at) != 1:
                    return
        self._strategy, self._at = other, at

    def __repr__(self) -> str:
        return f"<quip.Play: {self.moves!r}; {'over' if self.is_over else f'awaits {self.awaits}'}>"


def _is_better(left: Strategy, right: Strategy, program: Program) -> bool:
    """Whether the first guarantees its owner more."""
    goal = program.objective()
    sign = 1 if goal is None or goal[2] else -1

    def worth(it: Strategy) -> Tuple[int, Fraction]:
        return (_ORDER[it.guarantee], sign * (it.value or Fraction(0)))

    return bool(worth(left) > worth(right) if left.forall else worth(left) < worth(right))


def _shares(branches: List[Tuple[Fraction, Fraction, int]], value: Fraction, integer: bool) -> List[Tuple[int, Fraction]]:
    """The branches that answer a value: one, or the two neighbours of a real value between them."""
    above = bisect_left([to for _, to, _ in branches], value)
    if above == len(branches):
        return []
    low, _, following = branches[above]
    if low <= value:
        return [(following, Fraction(1))]
    if integer or above == 0:
        return []
    before = branches[above - 1]
    share = (value - before[1]) / (low - before[1])
    return [(before[2], 1 - share), (following, share)]


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
        play, left = Play(self), dict(told)
        while left:
            awaited = play.awaits
            if awaited is None:
                break
            place = self._places[awaited.index]
            if place not in left:
                names = ", ".join(self.program.variables[it].name for it in sorted(left))
                raise IllegalObservation(f"`{awaited.name}` is revealed before {names}; tell it too")
            play.observe(left.pop(place))
        for place, value in left.items():
            # The play is decided; what is told nevertheless must be possible.
            self._refuse(place, value, {})
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
            outcome = None
            while outcome is None or not isinstance(outcome, _quip.Outcome):
                outcome = run.poll(0.05)
            self._solves[key] = outcome.strategy(self.strategy.forall)
        return self._solves[key]

    # What the other player may not do.

    def _refuse(self, var: int, value: Fraction, values: Mapping[int, Fraction]) -> None:
        variable = self.program.variables[var]
        low, high = variable.lower, variable.upper
        outside = (low is not None and value < low) or (high is not None and value > high)
        if outside or (variable.integer and value.denominator != 1):
            kind = "a whole number in" if variable.integer else "in"
            domain = f"{kind} [{'-inf' if low is None else low}, {'inf' if high is None else high}]"
            raise IllegalObservation(f"{variable.name} = {value} is illegal: {variable.name} is {domain}")
        known = {**values, var: value}
        for row in self.program.rows(not self.strategy.forall):
            if not self._is_possible(row, known):
                raise IllegalObservation(
                    f"{variable.name} = {value} is illegal: it breaks row {row.label} of the opponent"
                )

    def _together(self, var: int, value: Fraction, known: List[str], values: Mapping[int, Fraction]) -> str:
        name = self.program.variables[var].name
        rows = self.program.rows(not self.strategy.forall)
        labels = [it if it.isdigit() else f"`{it}`" for it in known]
        if not labels:
            fixed = {*values, var}
            labels = [row.label for row in rows if any(it not in fixed for it, _ in row.terms)]
        joined = ", ".join(labels)
        return f"{name} = {value} is illegal: rows {joined} of the opponent cannot hold together after it"

    def _is_possible(self, row: RowData, known: Mapping[int, Fraction]) -> bool:
        """Whether a row can hold for some values of the variables that have none."""
        least: Optional[Fraction] = Fraction(0)
        most: Optional[Fraction] = Fraction(0)
        for var, by in row.terms:
            if var in known:
                low: Optional[Fraction] = known[var]
                high = low
            else:
                low, high = self.program.variables[var].lower, self.program.variables[var].upper
            if by < 0:
                low, high = high, low
            least = None if least is None or low is None else least + by * low
            most = None if most is None or high is None else most + by * high
        reaches = row.lower is None or most is None or row.lower <= most
        return reaches and (row.upper is None or least is None or least <= row.upper)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_solves": {}}

    def __repr__(self) -> str:
        return f"<quip.Policy following {self.strategy!r}>"


def _flat(given: Any, size: int) -> List[Any]:
    if hasattr(given, "ravel"):
        return list(given.ravel())
    return [given] * size
