"""Programs: read from native ``.qip`` text, as ``docs/format-qip.md`` says it."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor
from typing import Dict, List, NamedTuple, Optional, Tuple

Terms = Dict[int, Fraction]

_TOKEN = re.compile(
    r"[ \t\r\f\v]*(?:(?P<comment>\\[^\n]*)|(?P<line>\n)"
    r"|(?P<number>\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+(?![A-Za-z_0-9.\[\],'@#]))?)"
    r"|(?P<infinite>(?i:infinity|inf)(?=[\],]))|(?P<name>[A-Za-z_][A-Za-z0-9_.\[\],'@#]*)|(?P<sign><=|>=|=<|=>|<|>|=|[+\-:\[\],]))"
)
_RELATIONS = {"<=": "<=", "=<": "<=", "<": "<=", ">=": ">=", "=>": ">=", ">": ">=", "=": "="}


class Invalid(Exception):
    """A text that proves nothing, or that cannot be read; says the line."""


class Variable(NamedTuple):
    name: str
    forall: bool
    integer: bool
    lower: Optional[Fraction]
    upper: Optional[Fraction]

    @property
    def domain(self) -> "Tuple[Optional[Fraction], Optional[Fraction]]":
        """The ends between which it is played; those of integers are whole."""
        if not self.integer:
            return self.lower, self.upper
        low = None if self.lower is None else Fraction(ceil(self.lower))
        high = None if self.upper is None else Fraction(floor(self.upper))
        return low, high

    @property
    def is_empty(self) -> bool:
        low, high = self.domain
        return low is not None and high is not None and low > high


class Row(NamedTuple):
    name: str
    terms: Terms
    lower: Optional[Fraction]
    upper: Optional[Fraction]


class Program:
    """Variables in the order of the prefix, the rows of both players, the objective as it was written."""

    def __init__(self) -> None:
        self.variables: List[Variable] = []
        self.rows: Tuple[List[Row], List[Row]] = ([], [])
        self.objective: Optional[Tuple[str, str, Terms, Fraction]] = None

    def playing_order(self) -> List[int]:
        """The prefix, with the real variables of a block after its integer ones."""
        blocks: List[Tuple[int, bool, int]] = []
        for number, variable in enumerate(self.variables):
            block = blocks[-1][0] + (self.variables[number - 1].forall != variable.forall) if blocks else 0
            blocks.append((block, not variable.integer, number))
        return [number for _, _, number in sorted(blocks)]

    def cost(self) -> Tuple[Terms, Fraction]:
        """What we want small: the objective, negated where it is maximised."""
        if self.objective is None:
            return {}, Fraction(0)
        _, sense, terms, constant = self.objective
        sign = -1 if sense == "maximize" else 1
        return {var: sign * by for var, by in terms.items()}, sign * constant

    def fingerprint(self) -> str:
        """FNV-1a with 64 bits over the text that the section `Fingerprint` of the page describes."""
        lines = []
        for it in self.variables:
            kind = "Integer" if it.integer else "Real"
            player = "forall" if it.forall else "exists"
            lines.append(f"v {it.name} {player} {kind} {_side(it.lower)} {_side(it.upper)}")
        for word, rows in zip("ru", self.rows):
            lines += [f"{word} {row.name} {_sum(row.terms)} {_side(row.lower)} {_side(row.upper)}" for row in rows]
        if self.objective is not None:
            name, sense, terms, constant = self.objective
            lines.append(f"o {name} {sense} {_sum(terms)} {constant}")
        mark = 0xCBF29CE484222325
        for byte in "".join(f"{line}\n" for line in lines).encode():
            mark = ((mark ^ byte) * 0x00000100000001B3) & 0xFFFFFFFFFFFFFFFF
        return f"{mark:016x}"


def _side(end: Optional[Fraction]) -> str:
    return "-" if end is None else str(end)


def _sum(terms: Terms) -> str:
    return " ".join(f"{by}*VarId({var})" for var, by in sorted(terms.items()))


#: Terms by name, and a constant; none is an infinite one.
_Sum = Tuple[Dict[str, Fraction], Optional[Fraction]]


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    #: Whether it is the first of its line.
    first: bool

    @property
    def word(self) -> str:
        return self.text.lower() if self.kind == "name" else self.text


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: List[_Token] = []
        self.at = 0
        self.program = Program()
        #: Sums are read before the prefix says what their names are.
        self.named: List[Tuple[str, Dict[str, Fraction]]] = []
        place, line, first = 0, 1, True
        text = text.rstrip() + "\n"
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise Invalid(f"model, line {line}: cannot read {text[place:place + 10]!r}")
            place = found.end()
            kind = found.lastgroup or ""
            if kind == "number" and (len(found[kind]) > 1000 or re.search(r"/0+$|[eE][+-]?\d{5}", found[kind])):
                raise Invalid(f"model, line {line}: `{found[kind][:20]}` is no number")
            if kind == "line":
                line, first = line + 1, True
            elif kind != "comment":
                kind = "name" if kind == "infinite" else kind
                self.tokens.append(_Token(kind, found[found.lastgroup or ""], line, first))
                first = False
        self.tokens.append(_Token("end", "", line, True))

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *words: str) -> bool:
        if self.next.word in words and self.next.kind != "end":
            self.at += 1
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.accept(word):
            self.fail(f"`{word}` is missing")

    def fail(self, reason: str) -> None:
        raise Invalid(f"model, line {self.next.line}: {reason} before {self.next.text or 'the end'!r}")

    def read(self) -> Program:
        systems: List[List[Tuple[str, Dict[str, Fraction], Optional[Fraction], Optional[Fraction]]]] = [[], []]
        goal: Optional[Tuple[str, str, Dict[str, Fraction], Fraction]] = None
        while not self.accept("end"):
            word = self.take().word
            if word in ("minimize", "minimise", "min", "maximize", "maximise", "max"):
                sense = "minimize" if word.startswith("min") else "maximize"
                name = self.label()
                if name or not self.is_section():
                    terms, constant = self.side() if not self.is_section() else ({}, Fraction(0))
                    goal = (name, sense, terms, constant or Fraction(0))
            elif word in ("st", "s.t.") or word in ("subject", "such") and self.accept("to", "that"):
                self.rows_into(systems[0])
            elif word == "uncertainty":
                if self.accept("subject", "such"):
                    self.take()
                else:
                    self.accept("st", "s.t.")
                self.rows_into(systems[1])
            elif word == "prefix":
                self.prefix()
            else:
                self.at -= 1
                self.fail("a section is missing")
        if self.next.kind != "end":
            self.fail("the text goes on")
        return self.finished(systems, goal)

    def finished(self, systems, goal) -> Program:  # type: ignore[no-untyped-def]
        places = {it.name: number for number, it in enumerate(self.program.variables)}

        def placed(terms: Dict[str, Fraction]) -> Terms:
            unknown = [name for name in terms if name not in places]
            if unknown:
                raise Invalid(f"model: `{unknown[0]}` is not declared")
            return {places[name]: by for name, by in terms.items() if by}

        for system, rows in zip(systems, self.program.rows):
            rows += [Row(name, placed(terms), lower, upper) for name, terms, lower, upper in system]
        if goal is not None:
            name, sense, terms, constant = goal
            self.program.objective = (name, sense, placed(terms), constant)
        return self.program

    def label(self) -> str:
        following = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if self.next.kind == "name" and following.text == ":":
            self.at += 2
            return self.tokens[self.at - 2].text
        return ""

    def is_section(self) -> bool:
        words = "subject such st s.t. uncertainty prefix end minimize maximize min max minimise maximise".split()
        return self.next.kind == "end" or self.next.word in words

    def rows_into(self, system) -> None:  # type: ignore[no-untyped-def]
        while not self.is_section():
            name = self.label()
            sides = [self.side()]
            relations: List[str] = []
            while self.next.text in _RELATIONS and len(relations) < 2:
                relations.append(_RELATIONS[self.take().text])
                sides.append(self.side(right=True))
            if not relations:
                self.fail("a relation is missing")
            system.append((name, *_bounded(sides, relations)))

    def side(self, right: bool = False) -> Tuple[Dict[str, Fraction], Optional[Fraction]]:
        """A sum: its terms, and its constant; no constant is an infinite one."""
        terms: Dict[str, Fraction] = {}
        constant: Optional[Fraction] = Fraction(0)
        began = False
        while not began or (self.next.text in ("+", "-") and not (right and self.next.first)):
            sign = 1
            while self.next.text in ("+", "-"):
                sign = -sign if self.take().text == "-" else sign
            token = self.take()
            if token.kind == "number":
                value = sign * Fraction(token.text)
                following = self.next
                if following.kind == "name" and not self.is_section() and not (right and following.first):
                    name = self.take().text
                    terms[name] = terms.get(name, Fraction(0)) + value
                elif constant is not None:
                    constant += value
            elif token.word in ("inf", "infinity"):
                constant = None
            elif token.kind == "name":
                terms[token.text] = terms.get(token.text, Fraction(0)) + sign
            else:
                self.at -= 1
                self.fail("a number or a name is missing")
            began = True
        return terms, constant

    def prefix(self) -> None:
        while self.next.word in ("exists", "forall"):
            forall = self.take().word == "forall"
            kind = self.take().word
            if kind not in ("binary", "integer", "real"):
                self.fail("`binary`, `integer` or `real` is missing")
            names = []
            while self.next.kind == "name" and self.next.word not in ("in", "exists", "forall") and not self.is_section():
                names.append(self.take().text)
            ends: List[Optional[Fraction]] = [Fraction(0), Fraction(1) if kind == "binary" else None]
            if self.accept("in"):
                self.expect("[")
                ends[0] = self.side()[1]
                self.expect(",")
                ends[1] = self.side()[1]
                self.expect("]")
            for name in names:
                self.program.variables.append(Variable(name, forall, kind != "real", ends[0], ends[1]))


def _bounded(sides: List[_Sum], relations: List[str]) -> Tuple[Dict[str, Fraction], Optional[Fraction], Optional[Fraction]]:
    """One row of two or three sides: terms, lower and upper side."""
    middle = 1 if len(relations) == 2 else 0
    terms, inside = dict(sides[middle][0]), sides[middle][1]
    lower: Optional[Fraction] = None
    upper: Optional[Fraction] = None
    for number, relation in enumerate(relations):
        other = number + 1 if number >= middle else number
        for name, by in sides[other][0].items():
            terms[name] = terms.get(name, Fraction(0)) - by
        outside = sides[other][1]
        if outside is None or inside is None:
            continue
        end = outside - inside
        is_upper = (relation == "<=") == (other > middle)
        if relation == "=" or is_upper:
            upper = end
        if relation == "=" or not is_upper:
            lower = end
    return terms, lower, upper


def parse(text: str) -> Program:
    """The program that a native text says; raises :class:`Invalid`."""
    return _Reader(text).read()
