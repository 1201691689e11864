"""Damaged certificates: a line lost, doubled or moved, a word lost or exchanged, a number or a letter changed."""

from __future__ import annotations

import random
import re
from fractions import Fraction


def damaged(text: str, dice: random.Random) -> str:
    """The certificate with one or two faults below its first two lines."""
    lines = text.splitlines()
    for _ in range(dice.choice([1, 1, 1, 2])):
        if len(lines) < 5:
            break
        place = dice.randrange(2, len(lines))
        words = lines[place].split()
        kind = dice.randrange(10)
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(place, dice.choice(lines[2:]))
        elif kind == 2 and len(words) > 1:
            del words[dice.randrange(len(words))]
            lines[place] = " ".join(words)
        elif kind == 3 and len(words) > 1:
            words[dice.randrange(len(words))] = dice.choice(dice.choice(lines[2:]).split() or ["0"])
            lines[place] = " ".join(words)
        elif kind == 4:
            other = dice.randrange(2, len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif kind < 8:
            lines[place] = _with_another_number(lines[place], words, dice)
        else:
            lines[place] = _with_another_letter(lines[place], dice)
    return "\n".join(lines) + "\n"


def _with_another_letter(line: str, dice: random.Random) -> str:
    """Another digit or sign inside a word: of a value, a play, a side, what is beside a number."""
    places = [it for it, letter in enumerate(line) if letter in "0123456789+-"]
    if not places:
        return line
    place = dice.choice(places)
    other = {"+": "-", "-": dice.choice(["+", ""])}.get(line[place], dice.choice(["0", "1", "2", "1+e", "2-e", ""]))
    return line[:place] + other + line[place + 1 :]


def _with_another_number(line: str, words: "list[str]", dice: random.Random) -> str:
    numbers = [it for it, word in enumerate(words) if it and re.fullmatch(r"-?\d+(/\d+)?\.?", word)]
    if not numbers:
        return line.replace("+", "-", 1) if "+" in line else line.replace("-", "+", 1)
    place = dice.choice(numbers)
    ending = "." if words[place].endswith(".") else ""
    value = Fraction(words[place].rstrip(".")) + dice.choice([1, -1, 2, -2, Fraction(1, 2)])
    words[place] = f"{value}{ending}"
    return " ".join(words)
