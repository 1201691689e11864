"""What solving from Python costs beside the command: the same models, by turns, the best of some repeats.

    target/python/bin/python python/benches/overhead.py target/release/quip [REPEATS] [MODEL…]

The command is timed whole, with its start and its reading; from Python, reading, solving and the answer. Seconds of
the processor are compared, so that other work on the machine does not count.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import List

import quip

#: Families that take some seconds, and what makes them.
FAMILIES = [
    ["gomoku", "--size", "3", "--row", "3"],
    ["knapsack", "--items", "9", "--periods", "4"],
    ["commitment", "--periods", "6", "--units", "5"],
]


def made(command: str, words: List[str], folder: Path) -> Path:
    path = folder / f"{''.join(words).replace('--', '-')}.qip"
    if not path.exists():
        subprocess.run([command, "generate", *words, "-o", str(path)], check=True)
    return path


def by_command(command: str, path: Path) -> float:
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([command, "solve", "-q", "-j", "1", str(path)], capture_output=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def from_python(path: Path) -> float:
    start = time.process_time()
    repr(quip.read(path).solve(threads=1))
    return time.process_time() - start


def main(command: str, repeats: int, given: List[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(it) for it in given] or [made(command, words, Path(folder)) for words in FAMILIES]
        print(f"{'model':<40} {'command':>9} {'python':>9} {'more':>8}")
        for path in paths:
            best = [float("inf")] * 2
            for _ in range(repeats):
                best = [min(best[0], by_command(command, path)), min(best[1], from_python(path))]
            print(f"{path.stem[:40]:<40} {best[0]:7.2f} s {best[1]:7.2f} s {best[1] / best[0] - 1:8.1%}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3, sys.argv[3:])
