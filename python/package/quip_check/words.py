"""The words of a line."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import List, Optional

from .model import Invalid

#: No number of a certificate is longer.
LONGEST = 1000

_NUMBER = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)")


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
        return number_of(self.take("a number"))

    def count(self) -> int:
        word = self.take("a whole number")
        if not re.fullmatch(r"\d{1,18}", word):
            raise Invalid(f"`{word}` is no whole number")
        return int(word)

    def end(self) -> None:
        if self.peek() is not None:
            raise Invalid(f"the line goes on with `{self.peek()}`")


def number_of(word: str) -> Fraction:
    if len(word) > LONGEST or not _NUMBER.fullmatch(word) or re.search(r"/0+$", word):
        raise Invalid(f"`{word}` is no number")
    return Fraction(word)
