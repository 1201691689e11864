"""Certificates: graphs that are read from their ends to their root, each node once.

Moves before a node matter only through the sums that they leave in the sides of rows. So each node
keeps the weakest demands on these sums under which its claim holds: `most` is what they may add at
most (the owner's rows, and the cost of a strategy), `least` what they must add at least (rows by
which the opponent is shown to be lost). At the root nothing is fixed, and every demand must admit
zero.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

from .model import Invalid, Program, Terms, parse
from .proof import Ends, Need, Room, Share, Side, weighed

_NUMBER = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)")


class Verdict(NamedTuple):
    """What a certificate proves."""

    claim: str
    strategy_nodes: Optional[int]
    refutation_nodes: Optional[int]


class Node(NamedTuple):
    place: int
    most: Dict[str, Fraction]
    least: Dict[str, Need]
    #: In an `unbounded` strategy: whether every line is told to its end, and whether one has a ray.
    told: bool
    ray: bool
    #: Of a `sum`, and of choices before one.
    share: Optional[Share]


class Words:
    """The words of a line."""

    def __init__(self, words: List[str], line: int) -> None:
        self.words = words
        self.line = line
        self.at = 0

    def peek(self) -> Optional[str]:
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self, what: str) -> str:
        word = self.peek()
        if word is None:
            raise Invalid(f"{what} is missing")
        self.at += 1
        return word

    def accept(self, word: str) -> bool:
        if self.peek() == word:
            self.at += 1
            return True
        return False

    def number(self) -> Fraction:
        return _number(self.take("a number"))

    def count(self) -> int:
        word = self.take("a whole number")
        if not re.fullmatch(r"\d+", word):
            raise Invalid(f"`{word}` is no whole number")
        return int(word)

    def end(self) -> None:
        if self.peek() is not None:
            raise Invalid(f"the line goes on with `{self.peek()}`")


def _number(word: str) -> Fraction:
    if not _NUMBER.fullmatch(word) or re.search(r"/0+$", word):
        raise Invalid(f"`{word}` is no number")
    return Fraction(word)


def check(model: str, certificate: str) -> Verdict:
    """What a certificate proves about a model in native text; raises :class:`Invalid` if it does not."""
    program = parse(model)
    lines = []
    for number, line in enumerate(certificate.splitlines(), 1):
        words = line.split("\\")[0].split()
        if words:
            lines.append(Words(words, number))
    reader = _Reader(program, lines)
    try:
        return reader.read()
    except Invalid as fault:
        raise Invalid(f"line {reader.line}: {fault}") from None


class _Reader:
    def __init__(self, program: Program, lines: List[Words]) -> None:
        self.program = program
        self.lines = lines
        self.at = 0
        self.line = 0

    def next(self, what: str) -> Words:
        if self.at == len(self.lines):
            raise Invalid(f"{what} is missing")
        words = self.lines[self.at]
        self.line = words.line
        self.at += 1
        return words

    def expect(self, *expected: str) -> Words:
        words = self.next(f"`{' '.join(expected)}`")
        for word in expected:
            if words.take(f"`{word}`") != word:
                raise Invalid(f"`{word}` is missing")
        return words

    def read(self) -> Verdict:
        self.expect("quip-certificate", "3").end()
        words = self.expect("model")
        if words.take("a fingerprint") != self.program.fingerprint():
            raise Invalid("the certificate is for another model")
        words.end()
        words = self.expect("claim")
        status = words.take("a status")
        value = words.number() if words.peek() is not None else None
        words.end()
        guarantees: Dict[str, str] = {}
        counts: Dict[str, int] = {}
        while True:
            words = self.next("`end`")
            side = words.take("`strategy`, `refutation` or `end`")
            if side == "end":
                words.end()
                break
            if side not in ("strategy", "refutation"):
                raise Invalid(f"`{side}` is no side of a certificate")
            plan = _Plan(self.program, side == "refutation", words)
            while not plan.read(self.next("`root`")):
                pass
            guarantees[side], counts[side] = plan.guarantee, len(plan.nodes)
        if self.at < len(self.lines):
            raise Invalid("the text goes on after its end")
        if not self.proves(status, value, guarantees):
            raise Invalid("the claim is not proved")
        told = status if value is None else f"{status} {value}"
        return Verdict(told, counts.get("strategy"), counts.get("refutation"))

    def proves(self, status: str, value: Optional[Fraction], sides: Dict[str, str]) -> bool:
        strategy, refutation = sides.get("strategy"), sides.get("refutation")
        if status == "optimal":
            return value is not None and strategy == refutation == str(value)
        if value is not None:
            return False
        first = self.program.variables[:1]
        stuck = bool(first) and any(it.is_empty for it in self.program.variables if it.forall == first[0].forall)
        return {
            "feasible": strategy == "kept",
            "infeasible": refutation == "lost" or stuck and not first[0].forall,
            "universal_stuck": strategy == "won" or stuck and first[0].forall,
            "unbounded": strategy == "unbounded",
            "interrupted": True,
        }.get(status, False)


class _Plan:
    """One side of a certificate."""

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
        self.value: Optional[Fraction] = None if word in kinds else _number(word)
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

    # Lines.

    def read(self, words: Words) -> bool:
        """Reads a line; true at the root."""
        if words.accept("derive"):
            self.derive(words)
            return False
        if words.accept("root"):
            self.root(words)
            return True
        if words.count() != len(self.nodes):
            raise Invalid(f"the next node has the number {len(self.nodes)}")
        kind = words.take("a kind of node")
        makers = {"choose": self.choose, "await": self.awaits, "complete": self.complete, "dead": self.dead}
        makers.update({"bound": self.bound, "sum": self.sum} if self.forall else {"ray": self.ray})
        if kind not in makers:
            raise Invalid(f"`{kind}` is no node here")
        node = makers[kind](words)
        words.end()
        self.nodes.append(node)
        return False

    def derive(self, words: Words) -> None:
        name = f"d{self.derived + 1}"
        if not self.forall or self.nodes or words.take("a derived row") != name:
            raise Invalid(f"`derive {name}` is expected, before the nodes of a refutation")
        terms: Terms = {}
        limit, strict = Fraction(0), False
        while words.peek() is not None:
            side, times = self.side(words, "rzd")[1], words.number()
            if times < 0:
                raise Invalid("a row is taken less than never")
            for var, by in side.terms.items():
                terms[var] = terms.get(var, Fraction(0)) + times * by
            limit += times * side.limit
            strict = strict or (side.strict and times > 0)
        self.sides[name] = Side({var: by for var, by in terms.items() if by}, limit, strict)
        self.derived += 1

    def root(self, words: Words) -> None:
        node = self.refer(words, 0)
        words.end()
        if node.share is not None:
            raise Invalid("a sum is no root")
        for name, most in node.most.items():
            if most < 0:
                raise Invalid(f"at the root, `{name}` is {-most} short")
        for name, need in node.least.items():
            if need > Need(Fraction(0), False):
                raise Invalid(f"at the root, `{name}` needs {need.value}")
        if self.guarantee == "unbounded" and not (node.told and node.ray):
            raise Invalid("not every line goes on without end")

    def refer(self, words: Words, place: Optional[int] = None, share: bool = False) -> Node:
        word = words.take("a node")
        if not re.fullmatch(r"\d+\.?", word):
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
            number = _number(value)
            if self.positions[var] < place or made.get(var, number) != number:
                raise Invalid(f"`{name}` is fixed already")
            made[var] = number
        return made

    def admits(self, var: int, value: Fraction) -> bool:
        it = self.program.variables[var]
        low, high = it.domain
        inside = (low is None or low <= value) and (high is None or value <= high)
        return inside and (not it.integer or value.denominator == 1)

    # Nodes.

    def choose(self, words: Words) -> Node:
        var = self.variable(words.take("a variable"))
        value = words.number()
        place = self.positions[var]
        child = self.refer(words, place + 1, share=True)
        if self.program.variables[var].forall != self.forall:
            raise Invalid("the opponent fixes this variable")
        if not self.admits(var, value):
            raise Invalid(f"{value} is not in the domain")
        share = child.share
        if share is not None:
            added = sum((by * value * self.sides[it].terms.get(var, 0) for it, by in share.weights.items()), Fraction(0))
            share = share._replace(constant=share.constant + added, place=place)
        return self.moved(child, var, value, value)._replace(place=place, share=share)

    def moved(self, child: Node, var: int, low: Fraction, high: Fraction) -> Node:
        """The demands before a variable takes any value of a range."""
        most, least = dict(child.most), dict(child.least)
        for name in most:
            by = self.sides[name].terms.get(var)
            if by:
                most[name] -= by * (high if by > 0 else low)
        for name, need in child.least.items():
            by = self.sides[name].terms.get(var)
            if by:
                least[name] = need._replace(value=need.value - by * (low if by > 0 else high))
        return child._replace(most=most, least=least)

    def awaits(self, words: Words) -> Node:
        var = self.variable(words.take("a variable"))
        it, place = self.program.variables[var], self.positions[var]
        if it.forall == self.forall:
            raise Invalid("the owner fixes this variable")
        mixes = self.mixes(var)
        low, high = it.domain
        reached: Optional[Fraction] = None
        most: Dict[str, Fraction] = {}
        least: Dict[str, Need] = {}
        told, ray, goes_on = True, False, False
        while words.peek() is not None:
            first, last = self.range(words, low, high)
            if not (self.admits(var, first) and self.admits(var, last) and first <= last):
                raise Invalid(f"{first}..{last} is not in the domain")
            if reached is None:
                follows = first == low
            elif mixes:
                follows = first > reached
            else:
                follows = first == (reached + 1 if it.integer else reached)
            if not follows:
                raise Invalid("the answers do not follow one another through the domain")
            reached = last
            if words.accept("illegal"):
                # The value counts as fixed.
                room = Room(self.program, self.order, place + 1, self.free(place + 1, not self.forall), set())
                self.proof(words, room, "r" if self.forall else "u")
                child = Node(place + 1, {}, room.needs, True, False, None)
                moved = self.moved(child, var, first, last)
            else:
                child = self.refer(words, place + 1)
                moved = self.moved(child, var, first, last)
                told, ray, goes_on = told and child.told, ray or child.ray, True
            for name, value in moved.most.items():
                most[name] = min(value, most.get(name, value))
            for name, need in moved.least.items():
                least[name] = need.stronger(least.get(name))
        if reached is None or reached != high:
            raise Invalid("the answers do not reach the end of the domain")
        if not goes_on:
            raise Invalid("no answer goes on")
        return Node(place, most, least, told, ray, None)

    def mixes(self, var: int) -> bool:
        """Whether answers to two values of it make an answer to each value between them."""
        variables = self.program.variables
        if self.forall:
            return False
        later = [it for it in self.order[self.positions[var]:] if not variables[it].forall]
        coupled = {it for row in self.program.rows[1] for it in row.terms}
        return all(not variables[it].integer for it in later) and not coupled & {var, *later}

    def range(self, words: Words, low: Optional[Fraction], high: Optional[Fraction]) -> Tuple[Fraction, Fraction]:
        word = words.take("a value")
        if word == "any":
            if low is None or high is None:
                raise Invalid("`any` needs a bounded domain")
            return low, high
        first, dots, last = word.partition("..")
        return _number(first), _number(last if dots else first)

    def complete(self, words: Words) -> Node:
        most = {name: self.sides[name].limit for name in self.own}
        least: Dict[str, Need] = {}
        if self.forall:
            if self.limit is None:
                raise Invalid("a play that is lost is not complete")
            least["z"] = Need(self.limit, False)
        elif self.guarantee == "won":
            raise Invalid("a play that is won ends `dead`")
        elif self.limit is not None:
            most["z"] = self.limit
        return Node(len(self.order), most, least, False, False, None)

    def ray(self, words: Words) -> Node:
        rates = self.assignments(words, 0)
        child = self.refer(words, len(self.order))
        if self.guarantee != "unbounded":
            raise Invalid("only what is unbounded has a ray")
        last = len(self.order)
        while last and not self.program.variables[self.order[last - 1]].forall:
            last -= 1
        for var, rate in rates.items():
            it = self.program.variables[var]
            open_end = it.upper is None if rate > 0 else it.lower is None
            if self.positions[var] < last or it.integer or (rate and not open_end):
                raise Invalid(f"`{it.name}` cannot go on without end")

        def drift(terms: Terms) -> Fraction:
            return sum((by * rates.get(var, Fraction(0)) for var, by in terms.items()), Fraction(0))

        if any(drift(side.terms) > 0 for name, side in self.sides.items() if name[0] in "ru"):
            raise Invalid("the ray breaks a row")
        if drift(self.sides["z"].terms) >= 0:
            raise Invalid("the ray does not improve the objective")
        return child._replace(told=True, ray=True)

    def dead(self, words: Words) -> Node:
        place = words.count()
        if place > len(self.order):
            raise Invalid("there are not so many variables")
        variables = self.program.variables
        most: Dict[str, Fraction] = {}
        if words.accept("alive"):
            values = self.assignments(words, place)
            domains = self.free(place, self.forall)
            for var in self.order[place:]:
                low, high = domains[var]
                if var not in values and low is not None:
                    values[var] = low
                value = values.get(var)
                if value is None:
                    continue
                inside = (low is None or low <= value) and (high is None or value <= high)
                if not inside or (variables[var].integer and value.denominator != 1):
                    raise Invalid(f"{variables[var].name} = {value} is not in the domain")
            for name in self.own:
                side = self.sides[name]
                left = {var: by for var, by in side.terms.items() if self.positions[var] >= place}
                if not left.keys() <= values.keys():
                    raise Invalid(f"`{name}` has a variable without a lower end that is not named")
                added = sum((by * values[var] for var, by in left.items()), Fraction(0))
                most[name] = side.limit - added
        elif place > 0 or variables[self.order[0]].forall == self.forall:
            raise Invalid("it is not shown that the owner's system is alive")
        needs: Dict[str, Need] = {}
        if words.peek() is None:
            if place > 0 or not any(it.is_empty for it in variables if it.forall != self.forall):
                raise Invalid("a proof is missing")
        else:
            room = Room(self.program, self.order, place, self.free(place, not self.forall), set())
            self.proof(words, room, "r" if self.forall else "u")
            needs = room.needs
        return Node(place, most, needs, True, False, None)

    def free(self, place: int, forall: bool) -> Dict[int, Ends]:
        """The domains for one player's system: those of the other that are empty are free."""
        domains: Dict[int, Ends] = {}
        for var in self.order[place:]:
            it = self.program.variables[var]
            domains[var] = (None, None) if it.is_empty and it.forall != forall else it.domain
        return domains

    def opening(self, words: Words) -> Tuple[int, Dict[int, Ends], Set[int], Dict[str, Fraction]]:
        """What `bound` and `sum` begin with: the play that is named, and what it asks of his own rows."""
        place = words.count()
        if place > len(self.order):
            raise Invalid("there are not so many variables")
        play = self.assignments(words, place) if words.accept("play") else {}
        variables = self.program.variables
        coupled = {var for row in self.program.rows[1] for var in row.terms}
        domains: Dict[int, Ends] = {}
        pressing: Set[int] = set()
        for var in self.order[place:]:
            it = variables[var]
            domains[var] = it.domain
            if it.is_empty:
                raise Invalid(f"`{it.name}` has no value")
            if var in play:
                if not it.forall or not self.admits(var, play[var]):
                    raise Invalid(f"{it.name} = {play[var]} is no move of the opponent")
                domains[var] = (play[var], play[var])
            elif it.forall and var in coupled:
                low = it.domain[0]
                domains[var] = (low, low)
            elif it.forall and it.domain[0] != it.domain[1]:
                pressing.add(var)
        room = Room(self.program, self.order, place, domains, set())
        most: Dict[str, Fraction] = {}
        for name in self.own:
            side = self.sides[name]
            least = room.least({var: -by for var, by in side.terms.items()}, False)
            if least is None:
                raise Invalid(f"whether `{name}` holds depends on what is decided")
            most[name] = side.limit + least
        return place, domains, pressing, most

    def bound(self, words: Words) -> Node:
        place, domains, pressing, most = self.opening(words)
        room = Room(self.program, self.order, place, domains, pressing)
        self.proof(words, room, "rzd", most)
        return Node(place, most, room.needs, True, False, None)

    def sum(self, words: Words) -> Node:
        place, domains, pressing, most = self.opening(words)
        room = Room(self.program, self.order, place, domains, pressing)
        weights, constant, strict = self.mixture(words, room, most)
        share = Share(weights, constant, strict, place)
        return Node(place, most, {}, True, False, share)

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
