"""Random MPS files with everything that the format has, judged by HiGHS."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import quip


def number(draw: random.Random) -> str:
    return draw.choice([str(draw.randint(-6, 6)), str(draw.randint(-40, 40) / 4), f"{draw.randint(-9, 9)}.5e0"])


def columns(draw: random.Random, count: int, rows: list[str]) -> list[str]:
    """Columns with their entries, two on a line, and integer markers between them."""
    lines, whole = [], False
    for column in range(count):
        if (draw.random() < 0.6) != whole:
            whole = not whole
            lines.append(f" M{column} 'MARKER' '{'INTORG' if whole else 'INTEND'}'")
        entries = ["cost", *(row for row in rows if draw.random() < 0.6)]
        for pair in range(0, len(entries), 2):
            fields = " ".join(f"{row} {number(draw)}" for row in entries[pair : pair + 2])
            lines.append(f" x{column} {fields}")
    return lines + ([" M 'MARKER' 'INTEND'"] if whole else [])


def bounds(draw: random.Random, column: str) -> list[str]:
    low, kind = draw.randint(-4, 2), draw.randint(0, 9)
    if kind < 5:
        return [f" LO BND {column} {low}", f" UP BND {column} {low + draw.randint(0, 6)}"]
    return {
        5: [f" FX BND {column} {low}"],
        6: [f" BV BND {column}"],
        7: [f" MI BND {column}", f" UP BND {column} {draw.randint(0, 5)}"],
        8: [f" UI BND {column} {draw.randint(1, 7)}", f" LI BND {column} {draw.randint(-3, 0)}"],
        9: [],
    }[kind]


def model(draw: random.Random) -> str:
    count = draw.randint(1, 6)
    rows = [f"r{row}" for row in range(draw.randint(0, 5))]
    lines = ["NAME random", *draw.choice([[], ["OBJSENSE", " MAX"], ["OBJSENSE", " MIN"]]), "ROWS", " N cost"]
    lines += [f" {draw.choice('LGE')} {row}" for row in rows]
    lines += ["COLUMNS", *columns(draw, count, rows), "RHS"]
    lines += [f" RHS {row} {number(draw)}" for row in ["cost", *rows] if draw.random() < 0.7]
    lines += ["RANGES", *(f" RNG {row} {number(draw)}" for row in rows if draw.random() < 0.4), "BOUNDS"]
    lines += [line for column in range(count) for line in bounds(draw, f"x{column}")]
    return "\n".join([*lines, "ENDATA", ""])


def test_mps_files_have_the_value_that_highs_finds(tmp_path: Path) -> None:
    highspy = pytest.importorskip("highspy")
    path, judged, lost = tmp_path / "random.mps", 0, 0
    for seed in range(300):
        path.write_text(model(random.Random(seed)))
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("mip_rel_gap", 0.0)
        assert highs.readModel(str(path)) != highspy.HighsStatus.kError
        highs.run()
        status = highs.modelStatusToString(highs.getModelStatus())
        try:
            solution = quip.read(path).solve()
        except quip.ReadError as refusal:
            assert "E105" in str(refusal), f"{path.read_text()}\n{refusal}"
            continue
        if status == "Optimal":
            assert solution.status == "optimal", path.read_text()
            assert float(solution.value) == pytest.approx(highs.getInfo().objective_function_value), path.read_text()
        else:
            assert solution.status in ("infeasible", "unbounded"), f"{status}\n{path.read_text()}"
            lost += 1
        judged += 1
    assert judged > 200 and 20 < lost < judged - 60
