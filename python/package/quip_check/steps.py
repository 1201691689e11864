"""Steps of proofs inside a certificate, and what they refer to: nodes, sides, variables."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Dict, List, NamedTuple, Optional, Tuple

from .model import Invalid, Program, Terms
from .proof import Need, Room, Share, Side, weighed
from .words import Words, number_of


class Node(NamedTuple):
    place: int
    most: Dict[str, Fraction]
    least: Dict[str, Need]
    #: In an `unbounded` strategy: whether every line is told to its end, and whether one has a ray.
    told: bool
    ray: bool
    #: Of a `sum`, and of choices before one.
    share: Optional[Share]


class Steps:
    """The sides of a program's rows, the nodes that were read, and proofs about them."""

    def __init__(self, program: Program, forall: bool, words: Words) -> None:
        self.program = program
        #: Whether the universal player owns it.
        self.forall = forall
        self.order = program.playing_order()
        self.positions = {var: place for place, var in enumerate(self.order)}
        self.numbers = {it.name: number for number, it in enumerate(program.variables)}
        self.nodes: List[Optional[Node]] = []
        word = words.take("a guarantee")
        words.end()
        kinds = ("lost",) if forall else ("won", "kept", "unbounded")
        self.value: Optional[Fraction] = None if word in kinds else number_of(word)
        self.guarantee = word if self.value is None else str(self.value)
        self.sides: Dict[str, Side] = {}
        for letter, rows in zip("ru", program.rows):
            for number, row in enumerate(rows, 1):
                if row.upper is not None:
                    self.sides[f"{letter}{number}+"] = Side(row.terms, row.upper, False)
                if row.lower is not None:
                    negated = {var: -by for var, by in row.terms.items()}
                    self.sides[f"{letter}{number}-"] = Side(negated, -row.lower, False)
        self.own = [name for name in self.sides if name[0] == ("u" if forall else "r")]
        self.limit: Optional[Fraction] = None
        cost, constant = program.cost()
        if self.value is not None:
            maximize = program.objective is not None and program.objective[1] == "maximize"
            self.limit = (-self.value if maximize else self.value) - constant
        self.sides["z"] = Side(cost, self.limit or Fraction(0), True)
        self.derived = 0

    def size(self) -> int:
        return len(self.nodes)

    def refer(self, words: Words, place: Optional[int] = None, share: bool = False) -> Node:
        word = words.take("a node")
        if not re.fullmatch(r"\d{1,18}\.?", word):
            raise Invalid(f"`{word}` is no node")
        number = int(word.rstrip("."))
        node = self.nodes[number] if number < len(self.nodes) else None
        if node is None:
            raise Invalid(f"node {number} is not there")
        if word.endswith("."):
            self.nodes[number] = None
        if place is not None and node.place != place:
            raise Invalid(f"node {number} begins after {node.place} variables, not after {place}")
        if node.share is not None and not share:
            raise Invalid(f"node {number} is a sum; only choices and sums refer to it")
        return node

    def variable(self, word: str) -> int:
        if word not in self.numbers:
            raise Invalid(f"`{word}` is no variable")
        return self.numbers[word]

    def side(self, words: Words, letters: str) -> Tuple[str, Side]:
        name = words.take("a side")
        if name not in self.sides or name[0] not in letters or (name == "z" and self.limit is None):
            raise Invalid(f"`{name}` is no side that may be used here")
        return name, self.sides[name]

    def assignments(self, words: Words, place: int) -> Dict[int, Fraction]:
        made: Dict[int, Fraction] = {}
        while words.peek() is not None and "=" in (words.peek() or ""):
            name, _, value = words.take("an assignment").rpartition("=")
            var = self.variable(name)
            number = number_of(value)
            if self.positions[var] < place or made.get(var, number) != number:
                raise Invalid(f"`{name}` is fixed already")
            made[var] = number
        return made

    # Proofs.

    def proof(self, words: Words, room: Room, letters: str, most: Optional[Dict[str, Fraction]] = None) -> None:
        while words.accept("given"):
            name, side = self.side(words, letters)
            value = words.number()
            # Of two for one side the later one counts.
            room.given[name] = value
            room.needs[name] = Need(value, False)
        self.branch(words, room, letters, most)

    def branch(self, words: Words, room: Room, letters: str, most: Optional[Dict[str, Fraction]]) -> None:
        domains = room.domains
        while words.accept("cut"):
            name, side = self.side(words, letters)
            var = self.variable(words.take("a variable"))
            room.cut(name, side, var, self.program.variables[var])
        end = words.take("`cut`, `row`, `mix` or `split`")
        if end == "row":
            name, side = self.side(words, letters)
            self.row(room, name, side)
        elif end == "mix":
            weights, constant, strict = self.mixture(words, room, most, letters)
            self.closed(room, weights, constant, strict)
        elif end == "split":
            var = self.variable(words.take("a variable"))
            before = room.domains
            for ends in room.split(var, words.number(), self.program.variables[var]):
                room.domains = {**before, var: ends}
                self.branch(words, room, letters, most)
        else:
            raise Invalid(f"`{end}` is no step of a proof")
        room.domains = domains

    def row(self, room: Room, name: str, side: Side) -> None:
        if room.is_empty:
            return
        rest = room.least(side.terms, True)
        if rest is None:
            raise Invalid(f"`{name}` can hold")
        # The fixed variables must add enough: more than what is left, or as much for `z`.
        short = Need(side.limit - rest, not side.strict)
        if name in room.given and Need(room.given[name], False) >= short:
            return
        if not any(var in room.fixed for var in side.terms):
            if short > Need(Fraction(0), False):
                raise Invalid(f"`{name}` can hold")
            return
        room.need(name, *short)

    def mixture(
        self, words: Words, room: Room, most: Optional[Dict[str, Fraction]], letters: str = "rzd"
    ) -> Tuple[Dict[str, Fraction], Fraction, bool]:
        """A weighed sum: the weights of sides, and the least that variables that are not fixed add to it
        beyond the limits."""
        shares: List[Tuple[Fraction, Share]] = []
        direct: Dict[str, Fraction] = {}
        strict = False
        for _ in range(words.count()):
            word = words.peek() or ""
            if word.startswith("@"):
                words.words[words.at] = word[1:]
                node = self.refer(words, share=True)
                weight = words.number()
                if node.share is None or most is None:
                    raise Invalid("only a sum may be weighed")
                self.between(room, node, most)
                shares.append((weight, node.share))
                strict = strict or (node.share.strict and weight > 0)
            else:
                name, side = self.side(words, letters)
                weight = words.number()
                direct[name] = direct.get(name, Fraction(0)) + weight
                strict = strict or (side.strict and weight > 0)
            if weight < 0:
                raise Invalid("a weight is negative")
        constant = sum((weight * share.constant for weight, share in shares), Fraction(0))
        constant -= sum((by * self.sides[name].limit for name, by in direct.items()), Fraction(0))
        terms = self.combined(direct, len(self.order))
        for weight, share in shares:
            for var, by in self.combined(share.weights, share.place).items():
                terms[var] = terms.get(var, Fraction(0)) + weight * by
        rest = room.least({var: by for var, by in terms.items() if by}, True)
        if rest is None:
            raise Invalid("the sum has no least value")
        weights = weighed([(Fraction(1), direct)] + [(weight, share.weights) for weight, share in shares])
        return weights, constant + rest, strict

    def combined(self, weights: Dict[str, Fraction], place: int) -> Terms:
        terms: Terms = {}
        for name, weight in weights.items():
            for var, by in self.sides[name].terms.items():
                if self.positions[var] < place:
                    terms[var] = terms.get(var, Fraction(0)) + weight * by
        return terms

    def between(self, room: Room, node: Node, most: Dict[str, Fraction]) -> None:
        """A sum begins after existential variables only, and its demands hold whatever they are."""
        place = len(room.fixed)
        span = self.order[place:node.place]
        if node.place < place or any(self.program.variables[var].forall for var in span):
            raise Invalid("a sum begins after existential variables only")
        for name, value in node.most.items():
            for var in span:
                by = self.sides[name].terms.get(var)
                if by:
                    end = room.domains[var][by > 0]
                    if end is None:
                        raise Invalid(f"whether `{name}` holds depends on what is decided")
                    value -= by * end
            most[name] = min(value, most.get(name, value))

    def closed(self, room: Room, weights: Dict[str, Fraction], constant: Fraction, strict: bool) -> None:
        if room.is_empty:
            return
        known = sum((by * room.known(name, self.sides[name]) for name, by in weights.items() if by), Fraction(0))
        if known + constant < 0 or (known + constant == 0 and not strict):
            raise Invalid("the weighed sum can hold")
