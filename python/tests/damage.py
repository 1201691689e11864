"""Damaged certificates: a line lost, doubled or moved, a word lost or exchanged, a number changed."""

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
        kind = dice.randrange(8)
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
        else:
            lines[place] = _with_another_number(lines[place], words, dice)
    return "\n".join(lines) + "\n"


def _with_another_number(line: str, words: "list[str]", dice: random.Random) -> str:
    numbers = [it for it, word in enumerate(words) if it and re.fullmatch(r"-?\d+(/\d+)?\.?", word)]
    if not numbers:
        return line.replace("+", "-", 1) if "+" in line else line.replace("-", "+", 1)
    place = dice.choice(numbers)
    ending = "." if words[place].endswith(".") else ""
    value = Fraction(words[place].rstrip(".")) + dice.choice([1, -1, 2, -2, Fraction(1, 2)])
    words[place] = f"{value}{ending}"
    return " ".join(words)
