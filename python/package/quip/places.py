"""Where in the user's files something was said."""

from __future__ import annotations

import os
import sys
from typing import Optional, Tuple

#: A file and a line.
Place = Tuple[str, int]

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def here() -> Optional[Place]:
    """The line outside this package that is being executed."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_PACKAGE):
            return (name, frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def told(place: Optional[Place]) -> str:
    """`` (at model.py, line 12)``, or nothing."""
    if place is None:
        return ""
    name = os.path.basename(place[0]) or place[0]
    return f" (at {name}, line {place[1]})"
