"""``python -m quip_check MODEL CERTIFICATE``: exit code 0 if the certificate proves its claim, 1 if not."""

import gzip
import sys
from typing import List

from . import Invalid, check


def _text(path: str) -> str:
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()


def main(words: List[str]) -> int:
    if len(words) != 2:
        print("usage: python -m quip_check MODEL.qip CERTIFICATE", file=sys.stderr)
        return 2
    try:
        model, certificate = map(_text, words)
    except (OSError, UnicodeDecodeError) as fault:
        print(f"cannot read the files: {fault}", file=sys.stderr)
        return 66
    try:
        verdict = check(model, certificate)
    except Invalid as fault:
        print(f"invalid: {fault}")
        return 1
    print(f"valid: {verdict.claim}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
