"""A validated program, and how its variables are numbered in the model it comes from."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _quip
from .errors import OptionError
from .numeric import exact, read


class Variable(NamedTuple):
    """A variable in the order of play; the ends of an integer one are whole."""

    name: str
    forall: bool
    integer: bool
    lower: Optional[Fraction]
    upper: Optional[Fraction]


class RowData(NamedTuple):
    """A row over places in the order of play."""

    label: str
    terms: List[Tuple[int, Fraction]]
    lower: Optional[Fraction]
    upper: Optional[Fraction]


class Reread(NamedTuple):
    """A number of a model that was read as a simpler one."""

    number: Fraction
    read_as: Fraction
    #: How often it was met.
    times: int
    #: Where it was met first.
    place: str


class Program:
    """What is solved. It does not change when the model does."""

    def __init__(self, native: _quip.Program, order: Sequence[int], reread: Sequence[Reread] = ()) -> None:
        self.native = native
        #: What :meth:`rationalized` read as simpler numbers.
        self.reread = list(reread)
        #: The number in the model of each variable in the order of play.
        self.order = list(order)
        self._variables: Optional[List[Variable]] = None
        self._rows: Dict[bool, List[RowData]] = {}

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that depend on everything in the program."""
        return self.native.fingerprint()

    @property
    def variables(self) -> List[Variable]:
        """The variables in the order of play."""
        if self._variables is None:
            self._variables = [
                Variable(name, forall, integer, _domain(lower, integer, ceil), _domain(upper, integer, floor))
                for name, forall, integer, lower, upper in self.native.variables()
            ]
        return self._variables

    def rows(self, forall: bool) -> List[RowData]:
        """The rows of one player."""
        if forall not in self._rows:
            ending = " of the uncertainty" if forall else ""
            self._rows[forall] = [
                RowData(
                    f"`{name}`" if name else f"number {number}{ending}",
                    [(var, read(by)) for var, by in terms],
                    _end(lower),
                    _end(upper),
                )
                for number, (name, terms, lower, upper) in enumerate(self.native.rows(forall), 1)
            ]
        return self._rows[forall]

    def objective(self) -> Optional[Tuple[List[Tuple[int, Fraction]], Fraction, bool]]:
        """Terms, constant, and whether small is good; ``None`` asks only who wins."""
        given = self.native.objective()
        if given is None:
            return None
        terms, constant, small, _ = given
        return [(var, read(by)) for var, by in terms], read(constant), small

    def rationalized(self, within: Any) -> "Program":
        """The program with every number read as the simplest fraction that is at most that far away.

        For data that floats have computed: ``0.3333333333333333`` is read as 1/3. Numbers below one
        move by at most that share of themselves, whole ones stay.

        >>> import quip
        >>> m = quip.Model()
        >>> x = m.decide("x", ub=9)
        >>> row = m.add(x * 0.6666666666666667 >= 1)
        >>> p = m.program().rationalized(1e-12)
        >>> p.reread[0].read_as
        Fraction(2, 3)
        """
        distance = exact(within)
        if not 0 < distance < Fraction(1, 4):
            raise OptionError(f"numbers are read within more than 0 and less than 1/4, such as 1e-12, not {within!r}")
        native, told = self.native.rationalized(str(distance))
        reread = [Reread(read(number), read(to), times, place) for number, to, times, place in told]
        return Program(native, self.order, reread)

    def text(self, format: str = "qip") -> str:
        """The program as a file in that format."""
        return self.native.text(format)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_variables": None, "_rows": {}}


def _domain(text: Optional[str], integer: bool, rounded: Callable[[Fraction], int]) -> Optional[Fraction]:
    end = _end(text)
    return Fraction(rounded(end)) if integer and end is not None else end


def _end(text: Optional[str]) -> Optional[Fraction]:
    return None if text is None else read(text)
