"""One side of a certificate: a strategy or a refutation, node by node.

Moves before a node matter only through the sums that they leave in the sides of rows. So each node
keeps the weakest demands on these sums under which its claim holds: `most` is what they may add at
most (the owner's rows, and the cost of a strategy), `least` what they must add at least (rows by
which the opponent is shown to be lost). At the root nothing is fixed, and every demand must admit
zero.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Dict, Optional, Set, Tuple

from .budgets import counted
from .model import Invalid, Program, Terms
from .proof import Ends, Need, Room, Share, Side
from .steps import Node, Steps
from .words import Words, number_of


class Plan(Steps):
    """One side of a certificate."""

    def __init__(self, program: Program, forall: bool, words: Words) -> None:
        super().__init__(program, forall, words)
        self.counted = counted(program, self.order)

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
        if var in self.counted:
            return True
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
        return number_of(first), number_of(last if dots else first)

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
