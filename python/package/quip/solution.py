"""What a solve found out."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from . import _quip
from .assignment import Assignment
from .certificate import Certificate
from .errors import CertificateError, Error, NoAnswer
from .expressions import Var
from .numeric import equation, read, spelled
from .policy import Policy
from .strategy import Strategy

if TYPE_CHECKING:
    from .explanation import Explanation
    from .model import Model
    from .program import Program
    from .solving import Event

_SENTENCES = {
    "optimal": "Optimal: {value} can be guaranteed against every legal play of the opponent.",
    "feasible": "Feasible: the rows can be kept against every legal play of the opponent.",
    "infeasible": "Infeasible: the opponent can keep the rows from being satisfied.",
    "target_reached": "Target reached: {value} can be guaranteed against every legal play of the opponent.",
    "good_enough": "Good enough: {value} can be guaranteed against every legal play of the opponent.",
    "universal_stuck": "Won outright: the opponent can be left without a legal move.",
    "unbounded": "Unbounded: the objective can be pushed beyond every bound.",
}


class Effort(NamedTuple):
    """What was spent."""

    seconds: float
    nodes: int
    lps: int
    learnt: int


class NearMiss(NamedTuple):
    """A model that is lost by less than a billionth, in rows of many digits."""

    #: The rows that would have to give way.
    rows: List[str]
    #: By how much.
    by: Fraction
    #: What could be guaranteed then.
    objective: Optional[Fraction]


class FirstMoves(List[Assignment]):
    """First decisions that are as good as the best one."""

    def __init__(self, decisions: Sequence[Assignment], is_complete: bool) -> None:
        super().__init__(decisions)
        #: Whether these are all of them.
        self.is_complete = is_complete

    def to_pandas(self) -> Any:
        """A table with a line for each decision and a column for each variable."""
        from .tables import first_moves_to_pandas

        return first_moves_to_pandas(self)


class Solution:
    """The answer to a solve, with what is needed to act on it.

    ``status`` is ``optimal``, ``feasible``, ``infeasible``, ``universal_stuck``, ``unbounded``,
    ``target_reached``, ``good_enough`` or ``interrupted``; ``stop`` says what interrupted it: ``time``, ``nodes``, ``memory``
    or ``signal``.
    """

    def __init__(
        self,
        model: "Model",
        program: "Program",
        outcome: _quip.Outcome,
        options: Dict[str, Any],
        events: "Sequence[Event]" = (),
    ) -> None:
        self.model = model
        self.program = program
        self.status: str = outcome.status
        self.stop: Optional[str] = outcome.stop
        #: What the strategy in hand guarantees; ``None`` if there is none or no objective.
        self.objective: Optional[Fraction] = _number(outcome.objective)
        #: Nothing better than this can be guaranteed; ``None`` if nothing is proved.
        self.bound: Optional[Fraction] = _number(outcome.bound)
        near = outcome.near_miss
        #: By how little the model is lost, if that is less than a billionth.
        self.near_miss = None if near is None else NearMiss(near[0], read(near[1]), _number(near[2]))
        #: Revealed values of the worst case that are approached and not attained: the value just ``"above"``
        #: it is meant, or just ``"below"``. The value of the model is exact all the same.
        self.approached: Dict[Var, str] = {
            Var(model, program.order[var]): "above" if above else "below" for var, above in outcome.approached
        }
        #: The engine that found the answer.
        self.method: str = outcome.method
        self.effort = Effort(outcome.seconds, *outcome.effort)
        #: What was told on the way.
        self.events: List["Event"] = list(events)
        self._options = options
        self._first = self._assigned(outcome.first_stage)
        self._worst = self._assigned(outcome.principal_variation)
        self._outcome: Optional[_quip.Outcome] = outcome
        self._kept: Dict[Any, Any] = {}

    def _assigned(self, moves: Sequence[Tuple[int, str]]) -> Assignment:
        order = self.program.order
        return Assignment(self.model, {order[var]: read(value) for var, value in moves})

    # The answer.

    @property
    def value(self) -> Fraction:
        """What can be guaranteed: exact. ``float(s.value)`` is the nearest float."""
        if self.objective is None:
            raise NoAnswer(f"there is no value: {self._sentence()}")
        return self.objective

    @property
    def is_proved(self) -> bool:
        """Whether nothing is left open."""
        return self.status != "interrupted"

    @property
    def gap(self) -> Optional[float]:
        """How far objective and bound are apart, relative to the objective."""
        if self.objective is None or self.bound is None:
            return None
        apart = abs(self.objective - self.bound)
        if not apart:
            return 0.0
        return float(apart / abs(self.objective)) if self.objective else None

    @property
    def first_stage(self) -> Assignment:
        """What to decide before anything is revealed."""
        if not len(self._first) and self.status in ("infeasible", "interrupted"):
            raise NoAnswer(f"there is nothing to decide: {self._sentence()}")
        return self._first

    @property
    def worst_case(self) -> Assignment:
        """Best play of both sides, as far as it is known."""
        return self._worst

    def _sentence(self) -> str:
        if self.status == "interrupted":
            held = "no strategy yet" if self.objective is None else f"a strategy that guarantees {spelled(self.objective)}"
            bound = "" if self.bound is None else f", and nothing better than {spelled(self.bound)} can be guaranteed"
            return f"Interrupted ({self.stop}): {held}{bound}."
        value = "" if self.objective is None else spelled(self.objective)
        if self.status == "infeasible" and not self._has_opponent():
            return "Infeasible: the rows cannot be satisfied."
        if self.status == "optimal" and not self._has_opponent():
            return f"Optimal: {value}."
        return _SENTENCES[self.status].format(value=value)

    def _has_opponent(self) -> bool:
        return any(variable.forall for variable in self.program.variables)

    # Strategies.

    def strategy(self) -> Strategy:
        """What to do against everything the opponent may do.

        Unless the solve left one behind, the model is solved again for a certificate, with the
        limits of this solve.
        """
        return self._strategy(False)

    def refutation(self) -> Strategy:
        """What the opponent does against everything we may do: why there is nothing better."""
        return self._strategy(True)

    def policy(self, *, perfect: bool = False) -> Policy:
        """The strategy as a function: tell what has been observed, get what to do.

        ``perfect`` solves what is left after each observation, and takes what errors of the opponent
        give away; without it, the guarantee is kept and no more. It also plays models whose strategy no
        engine writes down, such as those with integers that are decided after real observations.
        """
        try:
            strategy: Optional[Strategy] = self.strategy()
        except CertificateError:
            if not perfect or self.status not in ("optimal", "feasible"):
                raise
            strategy = None
        return Policy(self.model, self.program, strategy, perfect=perfect)

    def simulate(self, scenarios: Any, *, seed: int = 0, perfect: bool = False) -> Any:
        """Plays the policy against scenarios; see :meth:`Policy.simulate`."""
        return self.policy(perfect=perfect).simulate(scenarios, seed=seed)

    def _strategy(self, forall: bool) -> Strategy:
        if forall not in self._kept:
            native = None if self._outcome is None else self._outcome.strategy(forall)
            if native is None:
                native = self._proved().strategy(forall)
            if native is None and self.status in ("optimal", "feasible"):
                # There is one, and the certificate says why it is not written down.
                try:
                    self._proved().certificate()
                except CertificateError as fault:
                    instead = "" if forall else "; policy(perfect=True) solves what is left instead"
                    raise CertificateError(f"{fault}{instead}") from None
            if native is None:
                who = "the opponent" if forall else "us"
                raise NoAnswer(f"there is no strategy for {who}: {self._sentence()}")
            self._kept[forall] = Strategy(self.program, native)
        kept = self._kept[forall]
        assert isinstance(kept, Strategy)
        return kept

    def _proved(self) -> _quip.Outcome:
        """The answer with a certificate; solved for it once more, if need be."""
        if "proved" not in self._kept:
            from .solving import Run

            outcome = self._outcome
            if outcome is None or not self._options["certificate"]:
                options = {**self._options, "certificate": True}
                run = Run(self.model, self.program, options)
                outcome = run.result()._outcome
            self._kept["proved"] = outcome
        proved = self._kept["proved"]
        assert isinstance(proved, _quip.Outcome)
        return proved

    @property
    def certificate(self) -> Certificate:
        """The proof of the answer; the model is solved again for it, if none was asked for."""
        if "certificate" not in self._kept:
            text = self._proved().certificate()
            assert text is not None
            self._kept["certificate"] = Certificate(self.program, text)
        kept = self._kept["certificate"]
        assert isinstance(kept, Certificate)
        return kept

    def explain(self, *, time: Optional[float] = None, alternatives: int = 12) -> "Explanation":
        """Why the answer is what it is, in sentences; see :meth:`Model.explain`."""
        from .solving import explained

        return explained(self.program, self._known(), time, alternatives)

    def all_first_moves(self, *, most: int = 1000, time: Optional[float] = None) -> "FirstMoves":
        """Every first decision that is as good as the best one, at most so many.

        They differ in whole variables; real ones are as in one best plan. There are none where the
        opponent moves first or we lose.

        >>> m = Model()
        >>> a, b = m.decide("a", binary=True), m.decide("b", binary=True)
        >>> m.add(a + b >= 1)
        >>> m.minimize(a + b)
        >>> m.solve().all_first_moves()
        [a = 0, b = 1, a = 1, b = 0]
        """
        from .solving import listed

        decisions, is_complete = listed(self.program, self._known(), time, most)
        return FirstMoves([self._assigned(it) for it in decisions], is_complete)

    def _known(self) -> Optional[_quip.Outcome]:
        """The answer, where it is that of the program and not of an easier question."""
        asked = self._options["decide"] or self._options["target"] is not None
        return None if asked or not self.is_proved else self._outcome

    # How it is shown.

    def to_pandas(self) -> Any:
        """A table of the best play of both sides: variable, who fixes it, value."""
        return self.worst_case.to_pandas()

    def __getstate__(self) -> Dict[str, Any]:
        """The native answer stays behind; strategies and certificate that it has go along."""
        for forall in (False, True):
            if forall not in self._kept and self._outcome is not None:
                native = self._outcome.strategy(forall)
                if native is not None:
                    self._kept[forall] = Strategy(self.program, native)
        if self._options["certificate"]:
            try:
                self.certificate
            except Error:
                # Asked for it, the copy says why there is none.
                pass
        kept = {key: value for key, value in self._kept.items() if key != "proved"}
        return {**self.__dict__, "_outcome": None, "_kept": kept}

    def __repr__(self) -> str:
        lines = [self._sentence()]
        if len(self._first):
            lines.append(f"  decide now   {_short(self._first)}")
        if len(self._worst) > len(self._first):
            lines.append(f"  worst case   {_short(self._worst)}")
        lines += [f"  {head:<12} {text}" for head, text in self._remarks()]
        effort = self.effort
        lines.append(
            f"  effort       {effort.seconds:.2f} s, {effort.nodes:,} nodes, {effort.lps:,} LPs, method {self.method}"
        )
        return "\n".join(lines)

    def _remarks(self) -> Iterator[Tuple[str, str]]:
        """What else there is to say about the value."""
        if self.approached:
            near = [f"{var.name} just {side} {spelled(self._worst[var])}" for var, side in self.approached.items()]
            yield "approached", f"{', '.join(near)}; no play attains the value"
        if self.near_miss is not None:
            rows, by, objective = self.near_miss
            worth = "" if objective is None else f" worth {spelled(objective)}"
            yield "near miss", f"with {_listed(rows)} relaxed by {float(by):.0e} there is a plan{worth}; rationalize= may read what is meant"

    def _repr_html_(self) -> str:
        from .tables import solution_html

        return solution_html(self)


def _short(values: Assignment) -> str:
    """What is something, where there is much that is nothing."""
    given = values.to_dict()
    shown = {name: value for name, value in given.items() if value or len(given) <= 12}
    told = [equation(name, value) for name, value in shown.items()]
    more = f", … {len(told) - 12} more" if len(told) > 12 else ""
    nothing = f"; {len(given) - len(shown)} others are 0" if len(shown) < len(given) else ""
    return (", ".join(told[:12]) or "nothing") + more + nothing


def _listed(rows: Sequence[str]) -> str:
    more = f" and {len(rows) - 6} more" if len(rows) > 6 else ""
    return ", ".join(rows[:6]) + more


def _number(text: Optional[str]) -> Optional[Fraction]:
    return None if text is None else read(text)
