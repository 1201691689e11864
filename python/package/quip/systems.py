"""The rows of one player, in the columns that the native layer takes."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from . import numeric as ex
from .errors import ModelError
from .places import Place, told


class Part:
    """Rows that came together: names, starts of their terms, variables, coefficients, sides."""

    __slots__ = ("names", "starts", "var", "coef", "lower", "upper")

    def __init__(self) -> None:
        self.names: Any = []
        self.starts: Any = [0]
        self.var: Any = []
        self.coef: Any = []
        self.lower: Any = []
        self.upper: Any = []


class System:
    """Rows in the order in which they were added."""

    def __init__(self) -> None:
        self.parts: List[Part] = []
        self.count = 0
        self.terms = 0
        #: Where each named row comes from.
        self.places: Dict[str, Optional[Place]] = {}

    def add(
        self,
        name: Optional[str],
        terms: Dict[int, ex.Exact],
        lower: Optional[ex.Exact],
        upper: Optional[ex.Exact],
        place: Optional[Place],
    ) -> None:
        """One row."""
        self._named([name] if name else [], place)
        if not self.parts or isinstance(self.parts[-1].var, np.ndarray):
            self.parts.append(Part())
        part = self.parts[-1]
        part.names.append(name)
        part.var += terms.keys()
        part.coef += terms.values()
        part.starts.append(len(part.var))
        part.lower.append(lower)
        part.upper.append(upper)
        self.count += 1
        self.terms += len(terms)

    def add_many(
        self,
        names: Sequence[Optional[str]],
        element: npt.NDArray[np.int64],
        var: npt.NDArray[np.int64],
        coef: ex.Numbers,
        lower: Any,
        upper: Any,
        place: Optional[Place],
    ) -> None:
        """Many rows at once; the terms are sorted by their row."""
        self._named([name for name in names if name], place)
        part = Part()
        part.names = names
        part.starts = np.searchsorted(element, np.arange(len(names) + 1)).astype(np.int64)
        part.var, part.coef, part.lower, part.upper = var, coef, lower, upper
        self.parts.append(part)
        self.count += len(names)
        self.terms += len(var)

    def _named(self, names: Sequence[str], place: Optional[Place]) -> None:
        before = len(self.places)
        if len(names) == 1 and names[0] in self.places:
            earlier = told(self.places[names[0]])
            raise ModelError(f"two rows are called `{names[0]}`; the first one is there{earlier}")
        self.places.update(dict.fromkeys(names, place))
        if len(self.places) < before + len(names):
            raise ModelError(f"two rows are called alike, among them `{names[0]}`")

    def columns(self, position: npt.NDArray[np.int64]) -> Tuple[Any, ...]:
        """Everything, with the variables at their places in the prefix."""
        names: List[Optional[str]] = []
        starts = [np.zeros(1, dtype=np.int64)]
        var = [np.zeros(0, dtype=np.int64)]
        columns: List[List[Any]] = [[], [], []]
        terms = 0
        for part in self.parts:
            names += part.names
            starts.append(np.asarray(part.starts[1:], dtype=np.int64) + terms)
            var.append(position[np.asarray(part.var, dtype=np.int64)])
            terms += len(part.var)
            for kept, given in zip(columns, (part.coef, part.lower, part.upper)):
                kept.append(given)
        coef, lower, upper = (_joined(kept) for kept in columns)
        return (
            names,
            np.concatenate(starts).tobytes(),
            np.concatenate(var).tobytes(),
            coef,
            lower,
            upper,
        )


def _joined(parts: List[Any]) -> Tuple[bytes, List[Tuple[int, str]]]:
    data: List[bytes] = []
    texts: List[Tuple[int, str]] = []
    before = 0
    for part in parts:
        floats, exact = ex.column(part)
        data.append(floats)
        texts += [(place + before, text) for place, text in exact] if before else exact
        before += len(part)
    return b"".join(data), texts
