"""Variables, exact sums of them, and rows.

Rows come of comparing sums: ``2 * x + y <= 3`` is a :class:`Row`. A product of two variables is kept
as such and becomes a variable of its own when the row joins a model; see :meth:`Model.product`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple, Union

from .errors import ModelError
from .numeric import Exact, exact

if TYPE_CHECKING:
    from .model import Model

#: Terms by the number of the variable, and of products by the numbers of both.
Terms = Dict[int, Exact]
Products = Dict[Tuple[int, int], Exact]


class Linear:
    """What variables and sums have in common: arithmetic and comparison."""

    __slots__ = ()
    # Arrays of numpy, scipy and pandas leave the arithmetic to this class.
    __array_ufunc__ = None
    __array_priority__ = 1000
    __pandas_priority__ = 10_000

    def _sum(self) -> "Expr":
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        if _is_array(other):
            return NotImplemented if _is_ours(other) else _lifted(self, other) + other
        return self._sum().copy()._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if _is_array(other):
            return NotImplemented if _is_ours(other) else _lifted(self, other) - other
        return self._sum().copy()._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        if _is_array(other):
            return NotImplemented if _is_ours(other) else _lifted(self, other) * other
        if isinstance(other, Linear):
            return _product(self._sum(), other._sum())
        return self._sum()._times(exact(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Linear):
            raise ModelError("a row is linear: divide by a number, not by a variable")
        divisor = exact(other)
        if divisor == 0:
            raise ModelError("a sum was divided by zero")
        return self._sum()._times(exact(1 / Fraction(divisor)))

    def __rtruediv__(self, other: Any) -> Any:
        raise ModelError("a row is linear: divide by a number, not by a variable")

    def __abs__(self) -> Any:
        raise ModelError("abs() is no linear sum; decide a variable that is at least the sum and at least its negative")

    def __neg__(self) -> Any:
        return self._sum()._times(-1)

    def __pos__(self) -> Any:
        return self._sum().copy()

    def __pow__(self, power: Any) -> "Expr":
        if power == 1:
            return self._sum().copy()
        if power == 2:
            return _product(self._sum(), self._sum())
        raise ModelError("a row is linear; only products of two variables can be written as rows")

    def __invert__(self) -> Any:
        """``1 - x``: what a binary variable is not."""
        return self._sum()._times(-1)._plus(1, 1)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, None, 0)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, 0, None)

    def __eq__(self, other: object) -> Any:
        if other is None or isinstance(other, str):
            return NotImplemented
        return self._compared(other, 0, 0)

    def __ne__(self, other: object) -> Any:
        if isinstance(other, Linear):
            return not bool(self == other)
        raise ModelError("`!=` is no row; use a binary variable to choose between `<` and `>`")

    def __lt__(self, other: Any) -> "Row":
        raise ModelError("`<` is no row of exact numbers; write `<=`, for integers with one less")

    def __gt__(self, other: Any) -> "Row":
        raise ModelError("`>` is no row of exact numbers; write `>=`, for integers with one more")

    def __hash__(self) -> int:
        raise TypeError("sums are no keys; use variables")

    def _compared(self, other: Any, lower: Optional[Exact], upper: Optional[Exact]) -> Any:
        if _is_array(other):
            return NotImplemented if _is_ours(other) else _lifted(self, other)._compared(other, lower, upper)
        apart = self._sum().copy()._plus(other, -1)
        return Row(apart, lower, upper)


class Var(Linear):
    """A variable of a model. Make it with :meth:`Model.decide` or :meth:`Model.reveal`."""

    __slots__ = ("model", "index")

    def __init__(self, model: "Model", index: int) -> None:
        self.model = model
        self.index = index

    @property
    def name(self) -> str:
        """Its name in the model and in every file."""
        return self.model._names[self.index]

    @property
    def lb(self) -> Optional[Fraction]:
        """Its smallest value; ``None`` if there is none."""
        return self.model._bound(self.index)[0]

    @property
    def ub(self) -> Optional[Fraction]:
        """Its largest value; ``None`` if there is none."""
        return self.model._bound(self.index)[1]

    @property
    def is_integer(self) -> bool:
        """Whether it takes whole numbers only."""
        return bool(self.model._integers[self.index])

    @property
    def is_binary(self) -> bool:
        """Whether it is 0 or 1."""
        return self.is_integer and self.lb == 0 and self.ub == 1

    @property
    def is_revealed(self) -> bool:
        """Whether the opponent fixes it."""
        return bool(self.model._foralls[self.index])

    def _sum(self) -> "Expr":
        return Expr(self.model, {self.index: 1})

    def __hash__(self) -> int:
        return hash((self.index, Var))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Var, (self.model, self.index))

    def __repr__(self) -> str:
        return self.name


class Expr(Linear):
    """An exact sum of multiples of variables, and a constant."""

    __slots__ = ("model", "terms", "constant", "products")

    def __init__(
        self,
        model: Optional["Model"] = None,
        terms: Optional[Terms] = None,
        constant: Exact = 0,
        products: Optional[Products] = None,
    ) -> None:
        self.model = model
        self.terms: Terms = {} if terms is None else terms
        self.constant = constant
        self.products = products

    def copy(self) -> "Expr":
        """A sum of its own."""
        products = None if self.products is None else dict(self.products)
        return Expr(self.model, dict(self.terms), self.constant, products)

    def coefficient(self, var: Var) -> Fraction:
        """How often the variable is in the sum."""
        return Fraction(self.terms.get(var.index, 0) if var.model is self.model else 0)

    def _sum(self) -> "Expr":
        return self

    def _plus(self, other: Any, sign: int) -> "Expr":
        """Adds in place; only for a sum that nobody else holds."""
        if isinstance(other, Var):
            self._joins(other.model)
            self.terms[other.index] = self.terms.get(other.index, 0) + sign
        elif isinstance(other, Expr):
            if other.model is not None:
                self._joins(other.model)
            terms = self.terms
            for index, by in other.terms.items():
                by = by if sign > 0 else -by
                terms[index] = terms[index] + by if index in terms else by
            self.constant += sign * other.constant
            if other.products:
                products = self.products = self.products or {}
                for pair, by in other.products.items():
                    products[pair] = products.get(pair, 0) + sign * by
        else:
            self.constant += sign * exact(other)
        return self

    def _times(self, factor: Exact) -> "Expr":
        terms = {index: by * factor for index, by in self.terms.items()}
        products = self.products and {pair: by * factor for pair, by in self.products.items()}
        return Expr(self.model, terms, self.constant * factor, products)

    def _joins(self, model: "Model") -> None:
        if self.model is None:
            self.model = model
        elif self.model is not model:
            raise ModelError("a sum cannot hold variables of two models")

    def _is_zero(self) -> bool:
        parts = [*self.terms.values(), *(self.products or {}).values(), self.constant]
        return not any(parts)

    def __iadd__(self, other: Any) -> Any:
        return self + other if _is_array(other) else self.copy()._plus(other, 1)

    __hash__ = Linear.__hash__

    def __repr__(self) -> str:
        return _spelled(self)


class Row:
    """A sum between two sides. It binds nobody until :meth:`Model.add` or :meth:`Model.uncertainty`."""

    __slots__ = ("sum", "lower", "upper", "conditions", "name")

    def __init__(self, sum: Expr, lower: Optional[Exact], upper: Optional[Exact]) -> None:
        self.sum = sum
        self.lower = lower
        self.upper = upper
        self.conditions: List[Expr] = []
        self.name: Optional[str] = None

    def when(self, *conditions: Union[Linear, "Row"]) -> "Row":
        """The row that binds only where all conditions hold: binary variables, or ``~x``."""
        row = Row(self.sum, self.lower, self.upper)
        row.name = self.name
        row.conditions = self.conditions + [condition_of(it) for it in conditions]
        return row

    def named(self, name: str) -> "Row":
        """The same row under a name."""
        row = Row(self.sum, self.lower, self.upper)
        row.conditions, row.name = self.conditions, name
        return row

    def __bool__(self) -> bool:
        if self.lower == 0 and self.upper == 0:
            # Dictionaries and `in` compare variables with `==`.
            return self.sum._is_zero()
        raise ModelError("a row is neither true nor false; write `1 <= x <= 3` as quip.between(1, x, 3)")

    def __repr__(self) -> str:
        constant = self.sum.constant
        body = self.sum.copy()
        body.constant = 0
        lower = None if self.lower is None else self.lower - constant
        upper = None if self.upper is None else self.upper - constant
        if lower is not None and lower == upper:
            told = f"{body!r} == {upper}"
        elif lower is None:
            told = f"{body!r} <= {upper}"
        elif upper is None:
            told = f"{body!r} >= {lower}"
        else:
            told = f"{lower} <= {body!r} <= {upper}"
        when = "".join(f", when {condition!r}" for condition in self.conditions)
        return f"{told}{when}"


def between(lower: Any, middle: Any, upper: Any) -> Any:
    """``lower <= middle <= upper`` as one row, or a row for each element of an array."""
    if _is_array(middle):
        return middle._between(lower, upper)
    if not isinstance(middle, Linear):
        raise ModelError("between needs a sum of variables in the middle")
    return Row(middle._sum().copy(), exact(lower), exact(upper))


def condition_of(given: Any) -> Expr:
    """A condition as a sum that is 1 where it holds and 0 where not: ``x``, ``~x``, ``x == 0``."""
    if isinstance(given, Row):
        if given.lower is None or given.lower != given.upper or given.conditions:
            raise ModelError("a condition is a binary variable, `~x`, `x == 0` or `x == 1`")
        side = given.lower - given.sum.constant
        terms = list(given.sum.terms.items())
        if len(terms) == 1 and not given.sum.products and terms[0][1] in (1, -1):
            side = side * terms[0][1]
            if side in (0, 1):
                holds = Expr(given.sum.model, {terms[0][0]: 1})
                given = holds if side == 1 else ~holds
    if isinstance(given, Linear):
        sum = given._sum()
        if len(sum.terms) == 1 and not sum.products and sum.model is not None:
            (index, by), constant = next(iter(sum.terms.items())), sum.constant
            if (by, constant) in ((1, 0), (-1, 1)):
                variable = Var(sum.model, index)
                if not variable.is_binary:
                    raise ModelError(f"`{variable.name}` is a condition, but it is not binary")
                return sum
    raise ModelError("a condition is a binary variable, `~x`, `x == 0` or `x == 1`")


def total(parts: Iterable[Any]) -> Expr:
    """The sum of single things, added up in place."""
    result = Expr()
    for part in parts:
        if _is_array(part):
            part = part.sum()
        result._plus(part, 1)
    return result


def _product(left: Expr, right: Expr) -> Expr:
    if left.products or right.products:
        raise ModelError("a product of three variables; name the product of two with Model.product")
    if not left.terms:
        return right._times(left.constant)
    if not right.terms:
        return left._times(right.constant)
    result = left._times(right.constant)._plus(right._times(left.constant), 1)
    # The product of the constants is in both.
    result.constant -= left.constant * right.constant
    if left.model is not right.model:
        raise ModelError("a product cannot hold variables of two models")
    products: Products = {}
    for i, a in left.terms.items():
        for j, b in right.terms.items():
            pair = (i, j) if i <= j else (j, i)
            products[pair] = products.get(pair, 0) + a * b
    result.products = products
    return result


def _is_array(other: Any) -> bool:
    return hasattr(other, "shape") and getattr(other, "shape") != ()


def _is_ours(other: Any) -> bool:
    return isinstance(other, _array_class())


def _lifted(linear: Linear, other: Any) -> Any:
    """One sum for each element of an array of numbers."""
    from .keys import Keys

    keys = [Keys(list(axis)) for axis in getattr(other, "axes", [])]
    lifted = _array_class()._of_sum(linear._sum(), other.shape)
    lifted.keys = tuple(keys) or lifted.keys
    return lifted


def _array_class() -> Any:
    from .arrays import Array

    return Array


def _spelled(sum: Expr) -> str:
    model = sum.model
    parts: List[Tuple[Exact, str]] = []
    if model is not None:
        names = model._names
        parts += [(by, names[index]) for index, by in sum.terms.items()]
        parts += [(by, f"{names[i]} * {names[j]}") for (i, j), by in (sum.products or {}).items()]
    if sum.constant or not parts:
        parts.append((sum.constant, ""))
    shown = parts if len(parts) <= 12 else parts[:11]
    text = ""
    for by, name in shown:
        sign = "-" if by < 0 else "+"
        size = abs(by)
        number = str(size) if not name or size != 1 else ""
        joint = f"{sign} " if text else ("-" if by < 0 else "")
        text += f"{' ' if text else ''}{joint}{number}{' ' if number and name else ''}{name}"
    if len(shown) < len(parts):
        text += f" + … {len(parts) - len(shown)} more"
    return text
