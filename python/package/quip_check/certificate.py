"""Certificates: graphs that are read from their ends to their root, each node once."""

from __future__ import annotations

from fractions import Fraction
from typing import Dict, List, NamedTuple, Optional, Union

from .model import Invalid, Program, parse
from .plan import Plan
from .plays import Plays
from .words import Words


class Verdict(NamedTuple):
    """What a certificate proves."""

    claim: str
    strategy_nodes: Optional[int]
    refutation_nodes: Optional[int]


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
    except RecursionError:
        raise Invalid(f"line {reader.line}: the splits are nested too deeply for this checker") from None


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
            plays = side == "refutation" and "plays" in words.words
            read: Union[Plan, Plays]
            if plays:
                guarantee = Words(words.words[1:2], words.line)
                words.at = 2
                if not words.accept("plays"):
                    raise Invalid("`plays` is missing")
                read = Plays(self.program, guarantee, words.count())
                words.end()
            else:
                read = Plan(self.program, side == "refutation", words)
            while not read.read(self.next("the end of a side")):
                pass
            guarantees[side], counts[side] = read.guarantee, read.size()
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
