"""Values of variables: what is decided now, a whole play, a reply."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Sequence, Tuple, Union, overload

import numpy as np

from .arrays import Array
from .errors import NoAnswer
from .expressions import Expr, Linear, Var
from .numeric import equation

if TYPE_CHECKING:
    from .model import Model


class Values(Mapping[Any, Fraction]):
    """The values of an array of sums, by label; as arrays of numpy and as pandas objects too."""

    def __init__(self, array: Array, values: List[Fraction]) -> None:
        self._keys = array.keys
        self._values = values
        self._places: Dict[Any, int] = {}

    def __getitem__(self, label: Any) -> Fraction:
        labels = label if len(self._keys) > 1 else (label,)
        place = 0
        for keys, it in zip(self._keys, labels):
            place = place * len(keys) + keys.place(it)
        return self._values[place]

    def __iter__(self) -> Iterator[Any]:
        from .keys import members

        return (labels[0] if len(labels) == 1 else labels for labels in members(self._keys))

    def __len__(self) -> int:
        return len(self._values)

    @property
    def exact(self) -> Any:
        """An array of ``Fraction``."""
        made = np.empty(len(self._values), dtype=object)
        made[:] = self._values
        return made.reshape([len(keys) for keys in self._keys])

    @property
    def floats(self) -> Any:
        """An array of the nearest floats."""
        return self.exact.astype(np.float64)

    def to_pandas(self) -> Any:
        """A series of floats, or for two dimensions a table."""
        from .tables import values_to_pandas

        return values_to_pandas(self._keys, self.floats)

    def __repr__(self) -> str:
        return repr({label: _plain(value) for label, value in self.items()})


class Assignment(Mapping[Var, Fraction]):
    """Values by variable, in the order of play.

    Ask it for a variable, its name, a sum or an array of them.
    """

    def __init__(self, model: "Model", values: Dict[int, Fraction]) -> None:
        self._model = model
        self._values = values

    @overload
    def __getitem__(self, asked: Array) -> Values: ...

    @overload
    def __getitem__(self, asked: Union[Var, Expr, str]) -> Fraction: ...

    def __getitem__(self, asked: Any) -> Any:
        if isinstance(asked, str):
            asked = self._model.variable(asked)
        if isinstance(asked, Array):
            return Values(asked, [self._of(it) for it in asked.flat()])
        if not isinstance(asked, Linear):
            raise NoAnswer(f"{asked!r} is no variable; ask for a variable, its name or a sum")
        return self._of(asked)

    def _of(self, asked: Linear) -> Fraction:
        sum = asked._sum()
        if sum.model is not None and sum.model._names is not self._model._names and sum.model is not self._model:
            raise NoAnswer("this is a variable of another model")
        value = Fraction(sum.constant)
        for index, by in sum.terms.items():
            value += by * self._value(index)
        for (i, j), by in (sum.products or {}).items():
            value += by * self._value(i) * self._value(j)
        return value

    def _value(self, index: int) -> Fraction:
        if index not in self._values:
            raise NoAnswer(f"`{self._model._names[index]}` has no value here: it is fixed later or by somebody else")
        return self._values[index]

    def __iter__(self) -> Iterator[Var]:
        return (Var(self._model, index) for index in self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, asked: object) -> bool:
        if isinstance(asked, str):
            return any(self._model._names[index] == asked for index in self._values)
        return isinstance(asked, Var) and asked.model is self._model and asked.index in self._values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Assignment) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> Dict[str, Fraction]:
        """Values by name."""
        return {self._model._names[index]: value for index, value in self._values.items()}

    def to_pandas(self) -> Any:
        """A table: variable, who fixes it, value."""
        from .tables import assignment_to_pandas

        return assignment_to_pandas(self)

    def rows(self) -> Sequence[Tuple[str, str, Fraction]]:
        """Name, ``decide`` or ``reveal``, value."""
        return [
            (var.name, "reveal" if var.is_revealed else "decide", self._values[var.index]) for var in self
        ]

    def __repr__(self) -> str:
        return ", ".join(equation(name, value) for name, value in self.to_dict().items()) or "nothing"

    def _repr_html_(self) -> str:
        from .tables import assignment_html

        return assignment_html(self)


def _plain(value: Fraction) -> Any:
    return int(value) if value.denominator == 1 else value
