"""Arrays of sums and of rows, for models that are written in whole index sets.

An :class:`Array` keeps all its terms in three columns (element, variable, coefficient), so that a
hundred thousand sums are added, weighed and compared by numpy. Terms of one element may name a
variable twice; the native layer adds them up exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import numeric as ex
from .axes import by_name, is_label, joint_keys, place_of
from .errors import ModelError
from .expressions import Expr, Linear, Row, Var
from .keys import Keys, spread

if TYPE_CHECKING:
    from .model import Model

Places = npt.NDArray[np.int64]


class Array(Linear):
    """Sums along index sets. Variables come in arrays from :meth:`Model.decide` and :meth:`Model.reveal`."""

    __slots__ = ("model", "keys", "element", "var", "coef", "const")

    def __init__(
        self,
        model: Optional["Model"],
        keys: Sequence[Keys],
        element: Places,
        var: Places,
        coef: ex.Numbers,
        const: ex.Numbers,
    ) -> None:
        self.model = model
        self.keys = tuple(keys)
        #: The element of each term, never decreasing.
        self.element = element
        self.var = var
        self.coef = coef
        #: The constant of each element.
        self.const = const

    # What it looks like.

    @property
    def shape(self) -> Tuple[int, ...]:
        return tuple(len(keys) for keys in self.keys)

    @property
    def ndim(self) -> int:
        return len(self.keys)

    @property
    def size(self) -> int:
        return len(self.const)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """One object, not its members: so that sparse matrices leave products to this class."""
        return _objects([self]).reshape(())

    @property
    def is_plain(self) -> bool:
        """Whether each element is one variable, once."""
        return len(self.var) == self.size and bool(
            np.all(self.coef == 1) and not self.const.any() and np.all(np.diff(self.element) == 1)
        )

    def __len__(self) -> int:
        if not self.keys:
            raise TypeError("a single sum has no length")
        return len(self.keys[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.keys:
            raise TypeError("a single sum has no members")
        for place in range(len(self)):
            yield self._at((place,))

    def items(self) -> Iterator[Tuple[Any, Any]]:
        """Labels and members: of two or more dimensions a tuple and a single sum."""
        from .keys import members

        for place, labels in enumerate(members(self.keys)):
            yield (labels[0] if len(labels) == 1 else labels), self._single(place)

    def __getitem__(self, label: Any) -> Any:
        labels = label if isinstance(label, tuple) else (label,)
        if self.ndim == 1 and isinstance(label, tuple) and is_label(label, self.keys[0]):
            labels = (label,)
        given = [it for it in labels if it is not None]
        if len(given) > self.ndim:
            raise ModelError(f"{len(given)} indices were given, and there are {self.ndim}")
        places = [place_of(it, keys) for it, keys in zip(given, self.keys)]
        part = self._at(tuple(places))
        return part if len(given) == len(labels) else self._with_axes(part, labels, places)

    def _with_axes(self, part: Any, labels: Tuple[Any, ...], places: List[Any]) -> "Array":
        """The part with a dimension of one member in the place of each ``None``, as in numpy."""
        if not isinstance(part, Array):
            part = Array._of_sum(part._sum(), ())
        left, at, keys = list(part.keys), iter(places), []
        for label in labels:
            if label is None:
                keys.append(Keys(1))
            elif not isinstance(next(at), (int, np.integer)):
                keys.append(left.pop(0))
        return Array(part.model, keys + left, part.element, part.var, part.coef, part.const)

    def _at(self, places: Tuple[Any, ...]) -> Any:
        """The part at places along the first dimensions: an integer takes a dimension away."""
        grid = np.arange(self.size, dtype=np.int64).reshape(self.shape)
        kept: List[Keys] = []
        for axis, keys in enumerate(self.keys):
            at = places[axis] if axis < len(places) else slice(None)
            if isinstance(at, (int, np.integer)):
                grid = np.take(grid, [int(at)], axis=len(kept)).squeeze(axis=len(kept))
                continue
            chosen = np.arange(len(keys))[at]
            grid = np.take(grid, chosen, axis=len(kept))
            whole = isinstance(at, slice) and at == slice(None)
            kept.append(keys if whole else Keys([keys[int(it)] for it in chosen], keys.name))
        if not kept:
            return self._single(int(grid))
        return self._taken(grid.ravel(), kept)

    def _single(self, place: int) -> Linear:
        first, last = np.searchsorted(self.element, [place, place + 1])
        coefs = ex.as_objects(self.coef[first:last])
        constant = ex.exact(self.const[place])
        if self.model is None:
            return Expr(None, {}, constant)
        if last - first == 1 and constant == 0 and coefs[0] == 1:
            return Var(self.model, int(self.var[first]))
        sum = Expr(self.model, {}, constant)
        for var, by in zip(self.var[first:last].tolist(), coefs):
            sum.terms[var] = sum.terms.get(var, 0) + by
        return sum

    def _taken(self, elements: Places, keys: Sequence[Keys]) -> "Array":
        """Element ``i`` of the result is element ``elements[i]`` of this array."""
        starts = np.searchsorted(self.element, np.arange(self.size + 1))
        counts = np.diff(starts)[elements]
        element = np.repeat(np.arange(len(elements), dtype=np.int64), counts)
        before = np.cumsum(counts) - counts
        terms = np.arange(len(element)) - np.repeat(before - starts[:-1][elements], counts)
        return type(self)._of(
            self.model, keys, element, self.var[terms], self.coef[terms], self.const[elements]
        )

    @classmethod
    def _of(cls, *parts: Any) -> "Array":
        return Array(*parts)

    @staticmethod
    def _of_sum(sum: Expr, shape: Tuple[int, ...]) -> "Array":
        """The same sum in each element."""
        if sum.products and sum.model is not None:
            sum = sum.model._lowered(sum, False)
        size = int(np.prod(shape))
        vars = np.fromiter(sum.terms.keys(), dtype=np.int64, count=len(sum.terms))
        coefs = ex.numbers(_objects(list(sum.terms.values())))
        return Array(
            sum.model,
            [Keys(length) for length in shape],
            np.repeat(np.arange(size, dtype=np.int64), len(vars)),
            np.tile(vars, size),
            np.tile(coefs, size),
            ex.numbers(_objects([sum.constant] * size)),
        )

    # Arithmetic.

    def _paired(self, other: Any) -> Tuple["Array", "Array"]:
        """Both with the same shape."""
        if isinstance(other, Linear) and not isinstance(other, Array):
            other = Array._of_sum(other._sum(), ())
        if not isinstance(other, Array):
            given = ex.numbers(spread(other, self.keys, "the data") if _by_label(other) else other)
            sizes = given.shape if given.shape else ()
            none = np.zeros(0, dtype=np.int64)
            keys = [Keys(length) for length in sizes]
            other = Array(None, keys, none, none, np.zeros(0), given.ravel())
        if self.model is not None and other.model is not None and self.model is not other.model:
            raise ModelError("a sum cannot hold variables of two models")
        if self.model is not None and other.model is not None:
            self, other = by_name(self, other)
        if self.shape == other.shape:
            return self, other
        try:
            shape = np.broadcast_shapes(self.shape, other.shape)
        except ValueError:
            raise ModelError(
                f"arrays of the shapes {self.shape} and {other.shape} do not fit; indices with names, such as "
                "pandas.Index(…, name=…), are matched by name, and x[:, None] adds a dimension"
            ) from None
        keys = joint_keys(self, other, shape)
        return self._broadcast(shape, keys), other._broadcast(shape, keys)

    def _broadcast(self, shape: Tuple[int, ...], keys: Sequence[Keys]) -> "Array":
        if self.shape == shape:
            return self
        grid = np.arange(self.size, dtype=np.int64).reshape(self.shape)
        return self._taken(np.broadcast_to(grid, shape).ravel(), keys)

    def _joined(self, other: Any, sign: int) -> "Array":
        left, right = self._paired(other)
        coef = right.coef if sign > 0 else -right.coef
        const = right.const if sign > 0 else -right.const
        model = left.model if left.model is not None else right.model
        const = ex.add(left.const, const)
        keys = left.keys if left.model is not None else right.keys
        if not len(right.var):
            return Array(model, keys, left.element, left.var, left.coef, const)
        element = np.concatenate([left.element, right.element])
        order = np.argsort(element, kind="stable")
        coefs = np.concatenate(_alike(left.coef, coef))
        var = np.concatenate([left.var, right.var])
        return Array(model, keys, element[order], var[order], coefs[order], const)

    def __add__(self, other: Any) -> "Array":
        return self._joined(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Array":
        return self._joined(other, -1)

    def __rsub__(self, other: Any) -> "Array":
        return (-self)._joined(other, 1)

    def __neg__(self) -> "Array":
        return Array(self.model, self.keys, self.element, self.var, -self.coef, -self.const)

    def __pos__(self) -> "Array":
        return self

    def __invert__(self) -> "Array":
        return 1 - self

    def __mul__(self, other: Any) -> "Array":
        if isinstance(other, Linear):
            return self._product(other)
        left, right = self._paired(other)
        coef = ex.multiply(left.coef, right.const[left.element])
        const = ex.multiply(left.const, right.const)
        return Array(left.model, left.keys, left.element, left.var, coef, const)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Array":
        if isinstance(other, Linear):
            raise ModelError("a row is linear: divide by a number, not by a variable")
        divisors = ex.as_objects(self._paired(other)[1].const)
        if not all(divisors):
            raise ModelError("a sum was divided by zero")
        shape = self._paired(other)[1].shape
        factors = _objects([ex.exact(Fraction(1) / it) for it in divisors])
        return self.__mul__(factors.reshape(shape))

    def __pow__(self, power: Any) -> Any:
        if power == 1:
            return self
        if power == 2:
            return self._product(self)
        raise ModelError("a row is linear; only products of two variables can be written as rows")

    def _product(self, other: Linear) -> "Array":
        """Products element by element; each becomes a variable of its own."""
        left, right = self._paired(other)
        made = []
        for place in range(left.size):
            product = left._single(place) * right._single(place)
            sum = product._sum() if isinstance(product, Linear) else Expr(None, {}, product)
            made.append(sum.model._lowered(sum, False) if sum.model is not None else sum)
        return stacked(made, left.keys)

    def __matmul__(self, other: Any) -> Any:
        from .matrices import matrix_product

        made = matrix_product(other.T if hasattr(other, "T") else np.asarray(other).T, self.T)
        return made.T if isinstance(made, Array) else made

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from .matrices import numpy_function

        return numpy_function(self, function, args, kwargs)

    def __rmatmul__(self, other: Any) -> Any:
        from .matrices import matrix_product

        return matrix_product(other, self)

    # Sums.

    def sum(self, axis: Union[None, int, str] = None, *, out: None = None) -> Any:
        """The sum of everything, or along one dimension: its number, or the name of its index.

        ``out`` is what ``numpy.sum`` hands over, and nothing else.
        """
        if axis is None:
            return self._total()
        place = self._axis(axis)
        kept = [keys for number, keys in enumerate(self.keys) if number != place]
        if not kept:
            return self._total()
        shape = tuple(len(keys) for keys in kept)
        grid = np.expand_dims(np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape), place)
        target = np.broadcast_to(grid, self.shape).ravel()
        element = target[self.element]
        order = np.argsort(element, kind="stable")
        if ex.is_whole(self.const):
            const = ex.numbers(np.bincount(target, self.const, int(np.prod(shape))))
        else:
            const = ex.as_objects(self.const).reshape(self.shape).sum(axis=place).ravel()
        return Array(self.model, kept, element[order], self.var[order], self.coef[order], const)

    def _total(self) -> Expr:
        result = Expr(self.model, {}, ex.total(self.const))
        if ex.is_whole(self.coef) and float(np.abs(self.coef).sum()) < 2.0**51:
            vars, places = np.unique(self.var, return_inverse=True)
            sums = np.bincount(places, self.coef, len(vars)) if len(vars) else np.zeros(0)
            result.terms = {int(var): int(by) for var, by in zip(vars.tolist(), sums.tolist())}
            return result
        terms = result.terms
        for var, by in zip(self.var.tolist(), ex.as_objects(self.coef)):
            terms[var] = terms[var] + by if var in terms else by
        return result

    def _axis(self, axis: Union[int, str]) -> int:
        if isinstance(axis, str):
            names = [keys.name for keys in self.keys]
            if axis not in names:
                raise ModelError(f"there is no index called {axis!r}; there are {names}")
            return names.index(axis)
        if not -self.ndim <= axis < self.ndim:
            raise ModelError(f"there is no dimension {axis}; there are {self.ndim}")
        return axis % self.ndim

    @property
    def T(self) -> "Array":
        """The array with its dimensions turned around."""
        grid = np.arange(self.size, dtype=np.int64).reshape(self.shape)
        return self._taken(grid.T.ravel(), self.keys[::-1])

    def flat(self) -> List[Any]:
        """The members one after the other."""
        return [self._single(place) for place in range(self.size)]

    # Rows.

    def _compared(self, other: Any, lower: Any, upper: Any) -> "Rows":
        apart = self._joined(other, -1)
        none = [None] * apart.size
        return Rows(
            apart,
            none if lower is None else -apart.const,
            none if upper is None else -apart.const,
        )

    def _between(self, lower: Any, upper: Any) -> "Rows":
        low, high = (self._paired(it)[1]._broadcast(self.shape, self.keys) for it in (lower, upper))
        return Rows(self, ex.add(low.const, -self.const), ex.add(high.const, -self.const))

    def _sum(self) -> Expr:
        raise ModelError("a single sum is needed here, not an array; .sum() adds it up")

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        shown = [repr(self._single(place)) for place in range(min(self.size, 6))]
        more = ", …" if self.size > 6 else ""
        return f"<{type(self).__name__} {self.shape}: {', '.join(shown)}{more}>"


class VarArray(Array):
    """Variables along index sets."""

    __slots__ = ("name",)

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.name: Optional[str] = None

    @classmethod
    def _of(cls, *parts: Any) -> "VarArray":
        return VarArray(*parts)

    @staticmethod
    def _fresh(model: "Model", keys: Sequence[Keys], first: int, name: str) -> "VarArray":
        size = int(np.prod([len(it) for it in keys]))
        element = np.arange(size, dtype=np.int64)
        made = VarArray(model, keys, element, element + first, np.ones(size), np.zeros(size))
        made.name = name
        return made


class Rows:
    """A row for each element of an array."""

    __slots__ = ("array", "lower", "upper", "conditions", "name")

    def __init__(self, array: Array, lower: Any, upper: Any) -> None:
        self.array = array
        self.lower = lower
        self.upper = upper
        self.conditions: Tuple[Any, ...] = ()
        self.name: Optional[str] = None

    def when(self, *conditions: Any) -> "Rows":
        """The rows that bind only where all conditions hold; a condition may be an array too."""
        rows = self.named(self.name)
        rows.conditions = self.conditions + conditions
        return rows

    def named(self, name: Optional[str]) -> "Rows":
        """The same rows under a name; each has its labels behind it."""
        rows = Rows(self.array, self.lower, self.upper)
        rows.conditions, rows.name = self.conditions, name
        return rows

    def __iter__(self) -> Iterator[Row]:
        for place in range(self.array.size):
            sum = self.array._single(place)._sum()
            constant = sum.constant
            lower, upper = (None if side[place] is None else ex.exact(side[place]) for side in (self.lower, self.upper))
            row = Row(sum, *(None if it is None else it + constant for it in (lower, upper)))
            yield row.when(*(self._condition(it, place) for it in self.conditions))

    def _condition(self, given: Any, place: int) -> Any:
        if isinstance(given, Array):
            if given.size != self.array.size:
                raise ModelError(f"{given.size} conditions were given for {self.array.size} rows")
            return given._single(place)
        if isinstance(given, Rows):
            return list(given)[place]
        return given

    def __len__(self) -> int:
        return self.array.size

    def __bool__(self) -> bool:
        raise ModelError("rows are neither true nor false; write `1 <= x <= 3` as quip.between(1, x, 3)")

    def __repr__(self) -> str:
        return f"<{len(self)} rows>"


def stacked(sums: Sequence[Any], keys: Sequence[Keys]) -> Array:
    """An array of single sums."""
    model = None
    element: List[int] = []
    var: List[int] = []
    coef: List[Any] = []
    const: List[Any] = []
    for place, single in enumerate(sums):
        sum = single._sum() if isinstance(single, Linear) else Expr(None, {}, ex.exact(single))
        if sum.products and sum.model is not None:
            sum = sum.model._lowered(sum, False)
        if sum.model is not None:
            if model is not None and model is not sum.model:
                raise ModelError("a sum cannot hold variables of two models")
            model = sum.model
        element += [place] * len(sum.terms)
        var += sum.terms.keys()
        coef += sum.terms.values()
        const.append(sum.constant)
    columns = (np.array(element, dtype=np.int64), np.array(var, dtype=np.int64))
    return Array(model, keys, *columns, ex.numbers(_objects(coef)), ex.numbers(_objects(const)))


def _alike(left: ex.Numbers, right: ex.Numbers) -> List[ex.Numbers]:
    if (left.dtype == object) == (right.dtype == object):
        return [left, right]
    return [ex.as_objects(left), ex.as_objects(right)]


def _by_label(given: Any) -> bool:
    return isinstance(given, dict) or hasattr(given, "reindex")


def _objects(values: Sequence[Any]) -> Any:
    made = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        made[place] = value
    return made
