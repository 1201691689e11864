"""Proofs of answers."""

from __future__ import annotations

import os
from typing import NamedTuple, Optional, Union

import quip_check

from . import _quip
from .errors import CertificateError, FileError, InvalidCertificate
from .program import Program


class Verdict(NamedTuple):
    """What a certificate proves: its claim, and how many nodes each side has."""

    claim: str
    strategy_nodes: Optional[int]
    refutation_nodes: Optional[int]


class Certificate:
    """A text that proves an answer; ``docs/certificate.md`` is its grammar and its meaning."""

    def __init__(self, program: Program, text: str) -> None:
        self.program = program
        self.text = text

    @property
    def claim(self) -> str:
        """What it says: ``optimal 16``."""
        lines = self.text.splitlines()
        claim = lines[2].split() if len(lines) > 2 else []
        if not claim or claim[0] != "claim":
            raise CertificateError("this certificate claims nothing")
        return " ".join(claim[1:])

    def check(self, *, independent: bool = False) -> Verdict:
        """What it proves, in exact arithmetic; raises :class:`InvalidCertificate` if it does not.

        ``independent`` asks the second checker, ``quip_check``: pure Python, and slow.
        """
        if not independent:
            return Verdict(*_quip.check(self.program.native, self.text.encode()))
        try:
            verdict = quip_check.check(self.program.text(), self.text)
        except quip_check.Invalid as fault:
            raise InvalidCertificate(str(fault)) from None
        return Verdict(verdict.claim, verdict.strategy_nodes, verdict.refutation_nodes)

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes the text to a file, which ``quip check MODEL FILE`` reads."""
        try:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(self.text)
        except OSError as fault:
            raise FileError(f"cannot write `{os.fspath(path)}`: {fault.strerror}") from None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<quip.Certificate {self.claim}: {self.text.count(chr(10))} lines>"
