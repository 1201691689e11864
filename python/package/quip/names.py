"""Names that every file format carries."""

from __future__ import annotations

import re
from typing import Any

from .errors import ModelError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\[\],'@#]*")
_RESERVED = set(
    "all binaries binary bounds end exists forall free general generals in inf infinity integer integers max "
    "maximise maximize min minimise minimize order prefix real s.t. st subject such uncertainty".split()
)


def check_name(name: Any) -> None:
    """Refuses what cannot be a name of a variable, a row or an objective."""
    if not isinstance(name, str):
        raise ModelError(f"{name!r} is no name; a name is a text")
    if not _NAME.fullmatch(name):
        raise ModelError(
            f"{name!r} cannot be a name: it begins with a letter or `_`, then letters, digits and _ . [ ] , ' @ #"
        )
    if name.lower() in _RESERVED:
        raise ModelError(f"{name!r} cannot be a name: it is a keyword of the file format")
