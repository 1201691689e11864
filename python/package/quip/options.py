"""What can be chosen: methods, and the switches of the engines."""

from __future__ import annotations

from typing import Dict, List, Tuple

from . import _quip


def methods() -> List[str]:
    """The names that ``solve(method=…)`` takes."""
    return _quip.methods()


def switches() -> Dict[str, Tuple[str, str]]:
    """Every switch that ``solve(switches=…)`` takes: its default, and what it does."""
    return {key: (value, help) for key, value, help in _quip.switches()}
