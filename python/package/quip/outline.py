"""Strategies as boxes and arrows: a box for each run of moves, an arrow for each observation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from .numeric import equation, read, spelled

if TYPE_CHECKING:
    from .strategy import Strategy

_ENDS = {"complete": "", "won": "won", "ray": "without end", "settled": "settled", "open": "the rest depends on the play"}


@dataclass
class Box:
    """A run of moves, and where it is drawn: how far across and how deep."""

    text: str
    depth: int
    across: float = 0.0


#: From one box to another, with what was observed.
Arrow = Tuple[int, int, str]


def outlined(strategy: "Strategy", most: int) -> Tuple[List[Box], List[Arrow]]:
    """The top of a strategy, at most so many boxes and what stands for the rest."""
    graph = json.loads(strategy.json)
    nodes: List[Dict[str, Any]] = graph["nodes"]
    boxes: List[Box] = []
    arrows: List[Arrow] = []
    known: Dict[int, int] = {}
    drawn = 0
    open = [(graph["root"], 0, -1, "")]
    while open:
        id, depth, above, told = open.pop(0)
        if id not in known and drawn < most:
            known[id] = len(boxes)
            drawn += 1
            text, end = _run(nodes, id)
            boxes.append(Box(text, depth))
            if end["node"] == "await":
                open += [(next, depth + 1, known[id], label) for next, label in _branches(end)]
        if id in known:
            arrows += [(above, known[id], told)] if above >= 0 else []
        elif not any(begin == above and boxes[end].text == "…" for begin, end, _ in arrows):
            # One stands for all that is left out below a box.
            arrows.append((above, len(boxes), ""))
            boxes.append(Box("…", depth))
    _place(boxes, arrows)
    return boxes, arrows


def _run(nodes: List[Dict[str, Any]], id: int) -> Tuple[str, Dict[str, Any]]:
    """The moves from a node on, and the node after them."""
    lines = []
    while nodes[id]["node"] == "choose":
        lines.append(equation(nodes[id]["variable"], read(nodes[id]["value"])))
        id = nodes[id]["next"]
    node = nodes[id]
    if node["node"] == "end":
        lines += [equation(name, read(value)) for name, value in node.get("moves", [])]
        lines += [_ENDS[node["end"]]] if _ENDS[node["end"]] else []
    else:
        lines.append(f"{node['variable']}?")
    more = [f"… {len(lines) - 8} more"] if len(lines) > 9 else []
    return "\n".join(lines[: 8 if more else 9] + more) or "done", node


def _branches(node: Dict[str, Any]) -> List[Tuple[int, str]]:
    """Where a node leads, and after which values; those that are answered alike are one arrow."""
    values: Dict[int, List[str]] = {}
    for branch in node["branches"]:
        low, high = (spelled(read(branch[end])) for end in ("from", "to"))
        values.setdefault(branch["next"], []).append(low if low == high else f"{low} to {high}")
    return [(next, ", ".join(texts)) for next, texts in values.items()]


def _place(boxes: List[Box], arrows: List[Arrow]) -> None:
    """Boxes without successors stand side by side, others above the middle of theirs; none on another."""
    below: Dict[int, List[int]] = {}
    for begin, end, _ in arrows:
        # A part that is drawn once hangs below the first arrow to it.
        if all(end not in others for others in below.values()):
            below.setdefault(begin, []).append(end)
    # A box comes after those above it, so that an explicit order from the last one on is enough.
    count = [0.0] * len(boxes)
    for number in reversed(range(len(boxes))):
        count[number] = sum(count[it] for it in below.get(number, [])) or 1.0
    left = [0.0] * len(boxes)
    for number, box in enumerate(boxes):
        box.across = left[number] + count[number] / 2
        at = left[number]
        for other in below.get(number, []):
            left[other] = at
            at += count[other]
