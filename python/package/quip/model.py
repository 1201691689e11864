"""Models: stages of decisions and of what is revealed, rows for either player, an objective."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, overload

import numpy as np

from . import _quip
from . import numeric as ex
from .arrays import Array, Rows, VarArray, stacked
from .errors import ModelError
from .expressions import Expr, Linear, Row, Var, condition_of
from .keys import IndexSet, Keys, member_names, spread
from .logic import relaxed
from .names import check_name
from .places import Place, here, told
from .program import Program
from .solving import Solving
from .systems import System

#: One number for all, an array, a function of the labels, or numbers by label.
Data = Any


class Model(Solving):
    """A quantified program in the making.

    Variables are fixed in the order in which their stages are opened: :meth:`decide` is our move,
    :meth:`reveal` the opponent's. Rows that we must keep go to :meth:`add`, rows that bind the
    opponent to :meth:`uncertainty`. Numbers are exact.

    >>> m = Model()
    >>> lot = m.decide("lot", ub=9, integer=True)
    >>> demand = m.reveal("demand", lb=2, ub=4, integer=True)
    >>> rush = m.decide("rush", ub=9, integer=True)
    >>> m.minimize(3 * lot + 3.5 * rush)
    >>> m.add(lot + rush >= demand, name="serve")
    >>> m.solve().value
    Fraction(12, 1)
    """

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self._names: List[str] = []
        self._foralls = bytearray()
        self._integers = bytearray()
        self._lower: List[Optional[ex.Exact]] = []
        self._upper: List[Optional[ex.Exact]] = []
        self._stages: List[float] = []
        self._player: Dict[float, bool] = {}
        self._taken: Dict[str, Optional[Place]] = {}
        self._systems = (System(), System())
        self._goal: Optional[Tuple[Expr, bool, Optional[str]]] = None
        self._goal_place: Optional[Place] = None
        #: The variables that stand for products, by their factors and their owner.
        self._products: Dict[Tuple[int, int, bool], int] = {}
        #: Warnings of the file that was read.
        self.warnings: List[str] = []
        self._built: Optional[Program] = None

    # Variables.

    @overload
    def decide(
        self, name: Optional[str] = None, *, lb: Data = ..., ub: Data = ...,
        integer: bool = ..., binary: bool = ..., stage: Data = ...,
    ) -> Var: ...

    @overload
    def decide(
        self, name: Optional[str], first: IndexSet, /, *more: IndexSet, lb: Data = ..., ub: Data = ...,
        integer: bool = ..., binary: bool = ..., stage: Data = ...,
    ) -> VarArray: ...

    def decide(
        self, name: Optional[str] = None, *indices: IndexSet, lb: Data = 0, ub: Data = None,
        integer: bool = False, binary: bool = False, stage: Data = None,
    ) -> Any:
        """Variables that we fix, knowing all earlier stages.

        Index sets make a family: a number, a list of labels, a pandas index. Bounds are one number
        for all, arrays, or numbers by label. ``stage`` is a number by which variables are ordered,
        also one for each member; without it the variables join the last stage, or open one.

        >>> m = Model()
        >>> build = m.decide("build", ["Kiel", "Bonn"], binary=True)
        >>> build["Kiel"]
        build[Kiel]
        """
        return self._variables(False, name, indices, lb, ub, integer, binary, stage)

    @overload
    def reveal(
        self, name: Optional[str] = None, *, lb: Data = ..., ub: Data = ...,
        integer: bool = ..., binary: bool = ..., stage: Data = ...,
    ) -> Var: ...

    @overload
    def reveal(
        self, name: Optional[str], first: IndexSet, /, *more: IndexSet, lb: Data = ..., ub: Data = ...,
        integer: bool = ..., binary: bool = ..., stage: Data = ...,
    ) -> VarArray: ...

    def reveal(
        self, name: Optional[str] = None, *indices: IndexSet, lb: Data = 0, ub: Data = None,
        integer: bool = False, binary: bool = False, stage: Data = None,
    ) -> Any:
        """Variables that the opponent fixes: the weather, the demand, a rival.

        The same as :meth:`decide`; both bounds must be finite.
        """
        return self._variables(True, name, indices, lb, ub, integer, binary, stage)

    def _variables(
        self, forall: bool, name: Optional[str], indices: Sequence[IndexSet], lb: Data, ub: Data,
        integer: bool, binary: bool, stage: Data,
    ) -> Any:
        base = name if name is not None else f"_{len(self._names) + 1}"
        check_name(base)
        keys = [Keys(it) for it in indices]
        if binary:
            lb, ub, integer = 0 if lb is None else lb, 1 if ub is None else ub, True
        names = member_names(base, keys) if keys else [base]
        count = len(names)
        lower, upper = (_ends(side, keys, count, what) for side, what in ((lb, "lb"), (ub, "ub")))
        if integer or forall:
            for side, what in ((lower, "lb"), (upper, "ub")):
                if None in side:
                    kind = "revealed" if forall else "integer"
                    raise ModelError(
                        f"`{names[side.index(None)]}` needs a finite {what}: it is {kind}; "
                        "only real variables of the last decisions may be unbounded"
                    )
        stages = self._stages_of(forall, keys, count, stage)
        first = len(self._names)
        self._admit(names)
        self._names += names
        self._foralls += bytes([forall]) * count
        self._integers += bytes([integer]) * count
        self._lower += lower
        self._upper += upper
        self._stages += stages
        self._changed()
        return VarArray._fresh(self, keys, first, base) if keys else Var(self, first)

    def _stages_of(self, forall: bool, keys: Sequence[Keys], count: int, stage: Data) -> List[float]:
        if stage is None:
            last = max(self._player, default=None)
            if last is None:
                stage = 0
            else:
                stage = last if self._player[last] == forall else float(np.floor(last)) + 1
        given = spread(stage, keys[:1] if np.ndim(stage) == 1 else keys, "stage")
        if np.ndim(given) == 1 and len(keys) > 1:
            given = np.reshape(given, (-1, *[1] * (len(keys) - 1)))
        shape = tuple(len(it) for it in keys)
        try:
            stages = np.broadcast_to(np.asarray(given, dtype=np.float64), shape).ravel().tolist() or [0.0] * count
        except (TypeError, ValueError):
            raise ModelError("stage is a number, one for all or one for each member") from None
        for number in set(stages):
            if number != number or number in (float("inf"), float("-inf")):
                raise ModelError("stage is a finite number")
            if self._player.get(number, forall) != forall:
                raise ModelError(
                    f"stage {number:g} is the {'decisions' if forall else 'opponent'}'s already; "
                    "in one stage one player moves"
                )
        self._player.update(dict.fromkeys(stages, forall))
        return list(stages)

    def _admit(self, names: Sequence[str]) -> None:
        place = here()
        if not self._taken.keys().isdisjoint(names):
            twice = next(name for name in names if name in self._taken)
            raise ModelError(f"two variables are called `{twice}`; the first one is there{told(self._taken[twice])}")
        self._taken.update(dict.fromkeys(names, place))

    def _bound(self, index: int) -> Tuple[Optional[Fraction], Optional[Fraction]]:
        lower, upper = self._lower[index], self._upper[index]
        return (None if lower is None else Fraction(lower), None if upper is None else Fraction(upper))

    @property
    def variables(self) -> List[Var]:
        """Every variable, in the order in which they were made."""
        return [Var(self, index) for index in range(len(self._names))]

    def variable(self, name: str) -> Var:
        """The variable of that name."""
        try:
            return Var(self, self._names.index(name))
        except ValueError:
            raise ModelError(f"there is no variable called `{name}`") from None

    def budget(
        self, name: str, *indices: IndexSet, nominal: Data = 0, deviation: Data = 1, budget: Data,
        both: bool = False, integer: bool = True, stage: Data = None,
    ) -> Array:
        """A budget set in one line: ``nominal + deviation * z``, where the ``z`` are revealed between 0
        and 1, whole numbers unless ``integer=False``, and their sum is at most ``budget``.

        With ``both`` they may also deviate downwards.
        """
        if not indices:
            raise ModelError("a budget is shared by a family; give an index set")
        up: Any = self._variables(True, name, indices, 0, 1, integer, False, stage)
        if not both:
            self.uncertainty(up.sum() <= budget, name=f"{name}.budget")
            return _deviating(up, deviation, nominal)
        down: Any = self._variables(True, f"{name}.down", indices, 0, 1, integer, False, stage)
        self.uncertainty(up.sum() + down.sum() <= budget, name=f"{name}.budget")
        self.uncertainty(up + down <= 1, name=f"{name}.side")
        return _deviating(up - down, deviation, nominal)

    # Rows.

    def add(self, rows: Any, *, name: Optional[str] = None, when: Any = None) -> None:
        """Rows that we must keep: a comparison of sums, an array, an iterable of them, or rows by label.

        ``when`` is a condition, or several: the rows bind only where binary variables are 1, or 0
        with ``~x``.

        >>> m = Model()
        >>> x, open = m.decide("x", ub=9), m.decide("open", binary=True)
        >>> m.add(x <= 0, when=~open, name="closed")
        """
        self._add(False, rows, name, when)

    def uncertainty(self, rows: Any, *, name: Optional[str] = None, when: Any = None) -> None:
        """Rows that bind the opponent: what it may reveal."""
        self._add(True, rows, name, when)

    def _add(self, forall: bool, rows: Any, name: Optional[str], when: Any) -> None:
        if name is not None:
            check_name(name)
        conditions = () if when is None else tuple(when) if isinstance(when, (list, tuple)) else (when,)
        if isinstance(rows, Rows) and not (rows.conditions or conditions):
            self._add_array(forall, rows, name or rows.name)
        elif isinstance(rows, Row):
            row = rows.when(*conditions) if conditions else rows
            self._add_row(forall, row, name or row.name)
        elif isinstance(rows, (bool, np.bool_)):
            raise ModelError(f"this comparison is {bool(rows)} whatever is decided; a row needs a variable")
        elif isinstance(rows, Linear):
            raise ModelError("a sum is no row; compare it with something")
        else:
            if isinstance(rows, Rows):
                name = name or rows.name
                rows = rows.when(*conditions) if conditions else rows
                conditions = ()
            if isinstance(rows, Mapping):
                labels = Keys(rows.keys())
                names = member_names(name, [labels]) if name else [None] * len(labels)
                for called, row in zip(names, rows.values()):
                    self._add(forall, row, called, conditions)
                return
            try:
                several = list(rows.ravel() if isinstance(rows, np.ndarray) else rows)
            except TypeError:
                raise ModelError(f"{rows!r} is no row; compare two sums") from None
            for number, row in enumerate(several):
                self._add(forall, row, f"{name}[{number}]" if name else None, conditions)
        self._changed()

    def _add_row(self, forall: bool, row: Row, name: Optional[str]) -> None:
        sum = self._own(self._lowered(row.sum, forall))
        for condition in row.conditions:
            self._own(condition)
        sides = [None if it is None else it - sum.constant for it in (row.lower, row.upper)]
        place = here()
        if not row.conditions:
            self._systems[forall].add(name, sum.terms, sides[0], sides[1], place)
            return
        for ending, terms, lower, upper in relaxed(self, sum.terms, sides[0], sides[1], row.conditions):
            self._systems[forall].add(name and name + ending, terms, lower, upper, place)

    def _add_array(self, forall: bool, rows: Rows, name: Optional[str]) -> None:
        array = rows.array
        if array.model is None:
            raise ModelError("these rows name no variable")
        if array.model is not self:
            raise ModelError("these rows use variables of another model")
        names: Sequence[Optional[str]] = [None] * array.size
        if name is not None:
            names = member_names(name, array.keys)
        if forall:
            self._check_products(array.var.tolist())
        columns = (array.element, array.var, array.coef)
        self._systems[forall].add_many(names, *columns, rows.lower, rows.upper, here())

    def _check_products(self, vars: Iterable[int]) -> None:
        """The opponent's rows hold no products that we fix."""
        ours = {z for (_, _, forall), z in self._products.items() if not forall}
        if ours and not ours.isdisjoint(vars):
            raise ModelError(
                "an array of products is ours, and this row binds the opponent; "
                "make the products with Model.product(…, revealed=True)"
            )

    def _own(self, sum: Expr) -> Expr:
        if sum.model is not None and sum.model is not self:
            raise ModelError("this uses a variable of another model")
        return sum

    def minimize(self, cost: Any, *, name: Optional[str] = None) -> None:
        """What we want small, and the opponent large."""
        self._aim(cost, True, name)

    def maximize(self, gain: Any, *, name: Optional[str] = None) -> None:
        """What we want large, and the opponent small."""
        self._aim(gain, False, name)

    def _aim(self, given: Any, small: bool, name: Optional[str]) -> None:
        if name is not None:
            check_name(name)
        if isinstance(given, Array):
            raise ModelError("an objective is a single sum; .sum() adds an array up")
        sum = given._sum().copy() if isinstance(given, Linear) else Expr(None, {}, ex.exact(given))
        self._goal = (self._own(self._lowered(sum, False)), small, name)
        self._goal_place = here()
        self._changed()

    # Logic.

    def product(self, left: Var, right: Var, *, revealed: bool = False) -> Var:
        """A variable that is the product of a binary variable and another bounded one.

        It is ours, in the first of our stages in which both factors are known, and its rows are
        ours. With ``revealed`` both factors must be the opponent's, and so is the product.
        """
        for factor in (left, right):
            if not isinstance(factor, Var) or factor.model is not self:
                raise ModelError(f"{factor!r} is no variable of this model")
        return self._product(left.index, right.index, revealed)

    def all_of(self, name: str, conditions: Iterable[Any]) -> Var:
        """A binary variable of ours that is 1 exactly where all conditions hold."""
        return self._joined(name, conditions, True)

    def any_of(self, name: str, conditions: Iterable[Any]) -> Var:
        """A binary variable of ours that is 1 exactly where some condition holds."""
        return self._joined(name, conditions, False)

    def _joined(self, name: str, conditions: Iterable[Any], every: bool) -> Var:
        parts = [self._own(condition_of(it)) for it in conditions]
        known = [self._stages[index] for part in parts for index in part.terms]
        made: Var = self.decide(name, binary=True, stage=self._stage_from(known, False))
        count = Expr(None, {}, 0)
        for part in parts:
            self.add(made <= part if every else made >= part)
            count._plus(part, 1)
        self.add(made >= count - (len(parts) - 1) if every else made <= count)
        return made

    def _stage_from(self, known: Sequence[float], forall: bool) -> float:
        """The first stage of a player in which all this is known; a new one if there is none."""
        last = max(known, default=min(self._player, default=0.0))
        later = [it for it, player in self._player.items() if player == forall and it >= last]
        return min(later) if later else float(np.floor(max(self._player, default=-1.0))) + 1

    def _product(self, i: int, j: int, forall: bool) -> Var:
        if i == j and self._is_binary(i):
            return Var(self, i)
        i, j = (j, i) if not self._is_binary(i) else (i, j)
        key = (i, j, forall)
        if key in self._products:
            return Var(self, self._products[key])
        names = self._names[i], self._names[j]
        if not self._is_binary(i):
            raise ModelError(f"`{names[0]} * {names[1]}` is no product that rows can say: neither factor is binary")
        low, high = self._lower[j], self._upper[j]
        if low is None or high is None:
            raise ModelError(f"`{names[0]} * {names[1]}` needs finite bounds of `{names[1]}`")
        if forall and not (self._foralls[i] and self._foralls[j]):
            raise ModelError(
                f"`{names[0]} * {names[1]}` in a row of the opponent: both factors must be revealed, "
                "because whoever owns the product must keep its rows"
            )
        stage = self._stage_from([self._stages[i], self._stages[j]], forall)
        least, most = min(low, 0), max(high, 0)
        integer = bool(self._integers[j])
        label = f"product[{names[0]},{names[1]}]"
        z = self._variables(forall, label, (), least, most, integer, False, stage)
        b, v = Var(self, i), Var(self, j)
        rows = [z <= high * b, z >= low * b, z <= v - low * ~b, z >= v - high * ~b]
        for row in rows:
            self._add(forall, row, None, None)
        self._products[key] = z.index
        return Var(self, z.index)

    def _lowered(self, sum: Expr, forall: bool) -> Expr:
        """The sum with a variable in the place of each product."""
        if not sum.products:
            return sum
        self._own(sum)
        plain = sum.copy()
        plain.products = None
        for (i, j), by in sum.products.items():
            if by:
                plain._plus(self._product(i, j, forall)._sum()._times(by), 1)
        return plain

    def _is_binary(self, index: int) -> bool:
        return bool(self._integers[index]) and self._lower[index] == 0 and self._upper[index] == 1

    # The program.

    def program(self) -> Program:
        """The model as it stands, validated. Everything that is wrong with it is said at once."""
        if self._built is None:
            self._built = self._build()
        return self._built

    def _build(self) -> Program:
        order = np.argsort(np.asarray(self._stages, dtype=np.float64), kind="stable")
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        picked = order.tolist()
        names = [self._names[index] for index in picked]
        flags = [bytes([kept[index] for index in picked]) for kept in (self._foralls, self._integers)]
        ends = [ex.column([kept[index] for index in picked]) for kept in (self._lower, self._upper)]
        systems = tuple(system.columns(position) for system in self._systems)
        goal = None
        if self._goal is not None:
            sum, small, name = self._goal
            var = position[np.fromiter(sum.terms, dtype=np.int64, count=len(sum.terms))]
            goal = (var.tobytes(), ex.column(list(sum.terms.values())), str(sum.constant), small, name)
        try:
            native = _quip.Program.build(names, flags[0], flags[1], (ends[0], ends[1]), systems, goal)
        except ModelError as fault:
            raise ModelError(self._placed(str(fault))) from None
        return Program(native, picked)

    def _placed(self, faults: str) -> str:
        """The faults, each with the line that it comes from."""
        lines = []
        for line in faults.splitlines():
            name = re.search(r"`([^`]+)`", line)
            known: Mapping[str, Optional[Place]] = self._taken
            if line.startswith(("row", "two rows")):
                known = {**self._systems[0].places, **self._systems[1].places}
            lines.append(line + (told(known.get(name[1])) if name else ""))
        return "\n".join(lines)

    def to_text(self, format: str = "qip") -> str:
        """The model as a file; ``lp`` and ``mps`` are its equivalent over all scenarios."""
        from .bridges import to_text

        return to_text(self, format)

    def write(self, path: Any, format: Optional[str] = None) -> None:
        """Writes a file; its ending tells the format, unless ``format`` does."""
        from .bridges import write

        write(self, path, format)

    def _changed(self) -> None:
        self._built = None

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_built": None}

    def __repr__(self) -> str:
        rows, universal = (system.count for system in self._systems)
        return f"<quip.Model {self.name}: {len(self._names)} variables, {rows} + {universal} rows>"

    def _repr_html_(self) -> str:
        from .tables import model_html

        return model_html(self)


def array(sums: Any) -> Array:
    """An array of single sums, to be added, weighed and compared as a whole."""
    several = list(sums)
    return stacked(several, [Keys(len(several))])


def _deviating(part: Array, deviation: Data, nominal: Data) -> Array:
    moved: Array = part * spread(deviation, part.keys, "deviation") + spread(nominal, part.keys, "nominal")
    return moved


def _ends(given: Data, keys: Sequence[Keys], count: int, what: str) -> List[Optional[ex.Exact]]:
    side = spread(given, keys, what)
    if not keys or np.ndim(side) == 0:
        return [ex.optional(side.item() if isinstance(side, np.ndarray) else side)] * count
    shape = tuple(len(it) for it in keys)
    flat = np.broadcast_to(np.asarray(side), shape).ravel()
    if flat.dtype.kind in "iub":
        return list(map(int, flat.tolist()))
    return [ex.optional(value) for value in (flat.tolist() if flat.dtype == np.float64 else flat)]
