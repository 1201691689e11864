"""Refutations by plays: copies of the existential variables after each history, and a proof about them."""

from __future__ import annotations

import re
from fractions import Fraction
from math import gcd
from typing import Dict, List, NamedTuple, Optional, Tuple

from .model import Invalid, Program
from .steps import Steps
from .words import Words, number_of


class Near(NamedTuple):
    """``at + apart * delta + beside * e``, compared part by part."""

    at: Fraction
    apart: Fraction = Fraction(0)
    beside: Fraction = Fraction(0)

    def plus(self, other: "Near", by: Fraction = Fraction(1)) -> "Near":
        return Near(*(own + by * more for own, more in zip(self, other)))

    def times(self, by: Fraction) -> "Near":
        return Near(*(own * by for own in self))

    def floor(self) -> "Near":
        whole = self.at.__floor__()
        below = whole == self.at and (self.apart, self.beside) < (Fraction(0), Fraction(0))
        return Near(Fraction(whole - below))


ZERO = Near(Fraction(0))

#: A column: ``None`` for `value`, or a variable and what is known of the play.
Column = Optional[Tuple[int, Tuple[Near, ...]]]
Sum = Dict[Column, Fraction]
Ends = Tuple[Optional[Near], Optional[Near]]


class Row(NamedTuple):
    """``terms <= limit``"""

    terms: Sum
    limit: Near


class Plays(Steps):
    """A refutation by plays while it is being read."""

    def __init__(self, program: Program, guarantee: Words, count: int) -> None:
        super().__init__(program, True, guarantee)
        variables = program.variables
        if any(it.is_empty for it in variables):
            raise Invalid("nobody moves where a domain is empty")
        if any(not variables[var].forall for row in program.rows[1] for var in row.terms):
            raise Invalid("a universal row mentions an existential variable")
        self.count = count
        self.plays: List[Dict[int, Near]] = []
        self.domains: Dict[Column, Ends] = {}
        self.rounded: List[Row] = []
        #: What was narrowed, and what it was before.
        self.trail: List[Tuple[Column, Ends]] = []
        #: Upper halves that are to be proved: what was narrowed before, the column, its lower end.
        self.open: List[Tuple[int, Column, Near]] = []
        self.has_split = False
        self.steps = 0
        if self.limit is not None:
            self.domains[None] = (None, Near(self.limit, Fraction(-1)))

    def size(self) -> int:
        return self.steps

    def read(self, words: Words) -> bool:
        if len(self.plays) < self.count:
            if not words.accept("play"):
                raise Invalid("a play is missing")
            self.play(words)
            words.end()
            return False
        self.steps += 1
        step = words.take("a step")
        done = False
        if step == "cut":
            row = self.tree_side(words)
            column = self.column(words)
            if column not in row.terms:
                raise Invalid("the column is not in the row")
            self.cut(row, [column])
        elif step == "tighten":
            row = self.weighted(words, None)
            self.least(row.terms)
            self.cut(row, list(row.terms))
        elif step == "round":
            self.round(words)
        elif step == "split":
            self.split(words)
        elif step == "mix":
            done = self.mix(words)
        else:
            raise Invalid(f"`{step}` is no step")
        words.end()
        return done

    def play(self, words: Words) -> None:
        play: Dict[int, Near] = {}
        while words.peek() is not None:
            name, _, text = words.take("a value").rpartition("=")
            var = self.variable(name)
            variable = self.program.variables[var]
            value = near_of(text)
            if not variable.forall or var in play:
                raise Invalid(f"`{name}` is not set here")
            low, high = variable.domain
            if low is not None and value < Near(low) or high is not None and value > Near(high):
                raise Invalid(f"`{name}` is outside its domain")
            if variable.integer and (value.beside or value.at.denominator != 1):
                raise Invalid(f"`{name}` is not whole")
            play[var] = value
        if any(it.forall and var not in play for var, it in enumerate(self.program.variables)):
            raise Invalid("a universal variable has no value")
        for name, side in self.sides.items():
            if name[0] == "u":
                total = ZERO
                for var, by in side.terms.items():
                    total = total.plus(play[var], by)
                if total > Near(side.limit):
                    raise Invalid(f"the play breaks `{name}`")
        self.plays.append(play)

    def copy(self, var: int, play: int) -> Column:
        before = self.order[: self.positions[var]]
        known = tuple(self.plays[play][other] for other in before if self.program.variables[other].forall)
        column = (var, known)
        if column not in self.domains:
            low, high = self.program.variables[var].domain
            self.domains[column] = (None if low is None else Near(low), None if high is None else Near(high))
        return column

    def number(self, text: str) -> int:
        if not re.fullmatch(r"\d{1,18}", text) or not 0 < int(text) <= len(self.plays):
            raise Invalid(f"`{text}` is no play")
        return int(text) - 1

    def column(self, words: Words) -> Column:
        word = words.take("a column")
        if word == "value":
            self.domains.setdefault(None, (None, None))
            return None
        name, _, play = word.rpartition("@")
        var = self.variable(name)
        if self.program.variables[var].forall:
            raise Invalid(f"`{name}` has no copies")
        return self.copy(var, self.number(play))

    def is_whole(self, column: Column) -> bool:
        return column is not None and self.program.variables[column[0]].integer

    def tree_side(self, words: Words) -> Row:
        word = words.take("a side")
        name, at, text = word.rpartition("@")
        if not at:
            if not re.fullmatch(r"d[1-9]\d{0,17}", word) or int(word[1:]) > len(self.rounded):
                raise Invalid(f"`{word}` is no side")
            return self.rounded[int(word[1:]) - 1]
        if name not in self.sides or name[0] not in "rz" or name == "z" and self.limit is None:
            raise Invalid(f"`{word}` is no side that may be used here")
        play = self.number(text)
        side = self.sides[name]
        terms: Sum = {None: Fraction(-1)} if name == "z" else {}
        limit = ZERO if name == "z" else Near(side.limit)
        for var, by in side.terms.items():
            if self.program.variables[var].forall:
                limit = limit.plus(self.plays[play][var], -by)
            else:
                terms[self.copy(var, play)] = by
        return self.reached(Row(terms, limit))

    def reached(self, row: Row) -> Row:
        """The limit that the sum can reach, where all columns are whole."""
        terms = {column: by for column, by in row.terms.items() if by}
        if not terms or not all(self.is_whole(column) for column in terms):
            return Row(terms, row.limit)
        common = 1
        for by in terms.values():
            common = common * by.denominator // gcd(common, by.denominator)
        divisor = 0
        for by in terms.values():
            divisor = gcd(divisor, abs(int(by * common)))
        step = Fraction(divisor, common)
        return Row(terms, row.limit.times(1 / step).floor().times(step))

    def weighted(self, words: Words, half: Optional[Row]) -> Row:
        terms: Sum = {}
        limit = ZERO
        for _ in range(words.count()):
            row = half if half is not None and words.accept("at") else self.tree_side(words)
            weight = words.number()
            if weight < 0:
                raise Invalid("a weight is negative")
            for column, by in row.terms.items():
                terms[column] = terms.get(column, Fraction(0)) + weight * by
            limit = limit.plus(row.limit, weight)
        return Row({column: by for column, by in terms.items() if by}, limit)

    def least(self, terms: Sum) -> Near:
        total = ZERO
        for column, by in terms.items():
            end = self.domains[column][by < 0]
            if end is None:
                raise Invalid("a sum has no least value")
            total = total.plus(end, by)
        return total

    def cut(self, row: Row, columns: List[Column]) -> None:
        found = []
        for column in columns:
            by = row.terms[column]
            others = self.least({other: own for other, own in row.terms.items() if other != column})
            most = row.limit.plus(others, Fraction(-1)).times(1 / by)
            if not self.is_whole(column):
                found.append((column, by > 0, most))
            elif by > 0:
                found.append((column, True, most.floor()))
            else:
                found.append((column, False, most.times(Fraction(-1)).floor().times(Fraction(-1))))
        for column, is_upper, end in found:
            self.narrow(column, is_upper, end)

    def narrow(self, column: Column, is_upper: bool, end: Near) -> None:
        low, high = self.domains[column]
        self.trail.append((column, (low, high)))
        if is_upper:
            self.domains[column] = (low, end if high is None else min(high, end))
        else:
            self.domains[column] = (end if low is None else max(low, end), high)

    def spelled(self, words: Words) -> Row:
        terms: Sum = {}
        for _ in range(words.count()):
            column = self.column(words)
            terms[column] = terms.get(column, Fraction(0)) + words.number()
        return Row({column: by for column, by in terms.items() if by}, Near(words.number()))

    def round(self, words: Words) -> None:
        if self.has_split:
            raise Invalid("rows are derived before the first split")
        if words.take("a name") != f"d{len(self.rounded) + 1}":
            raise Invalid("derived rows are numbered in their order")
        row = self.spelled(words)
        if not words.accept("at"):
            raise Invalid("`at` is missing")
        at = self.spelled(words)
        whole = all(self.is_whole(column) and by.denominator == 1 for column, by in at.terms.items())
        if not whole or at.limit.at.denominator != 1:
            raise Invalid("the sum is not whole")
        above = Row({column: -by for column, by in at.terms.items()}, Near(-at.limit.at - 1))
        for word, half in (("below", at), ("above", above)):
            if not words.accept(word):
                raise Invalid(f"`{word}` is missing")
            mixed = self.weighted(words, half)
            rest = dict(mixed.terms)
            for column, by in row.terms.items():
                rest[column] = rest.get(column, Fraction(0)) - by
            least = self.least({column: by for column, by in rest.items() if by})
            if least < mixed.limit.plus(row.limit, Fraction(-1)):
                raise Invalid(f"the row does not follow {word}")
        self.rounded.append(self.reached(row))

    def split(self, words: Words) -> None:
        column = self.column(words)
        if not self.is_whole(column):
            raise Invalid("only whole columns are split")
        at = Near(Fraction(words.number().__floor__()))
        self.has_split = True
        self.open.append((len(self.trail), column, at.plus(Near(Fraction(1)))))
        self.narrow(column, True, at)

    def mix(self, words: Words) -> bool:
        mixed = self.weighted(words, None)
        if not self.is_empty() and self.least(mixed.terms) <= mixed.limit:
            raise Invalid("the weighted sum can hold")
        if not self.open:
            return True
        mark, column, least = self.open.pop()
        while len(self.trail) > mark:
            other, ends = self.trail.pop()
            self.domains[other] = ends
        self.narrow(column, False, least)
        return False

    def is_empty(self) -> bool:
        return any(low is not None and high is not None and low > high for low, high in self.domains.values())


def near_of(word: str) -> Near:
    if not word.endswith("e"):
        return Near(number_of(word))
    found = re.fullmatch(r"(.+?)([+-])([^+-]*)e", word)
    if found is None:
        raise Invalid(f"`{word}` is no value")
    by = number_of(found[3]) if found[3] else Fraction(1)
    return Near(number_of(found[1]), Fraction(0), -by if found[2] == "-" else by)
