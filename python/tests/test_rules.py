"""What decision rules lose: the table of ``docs/python.md``, with rsome's own answers."""

from __future__ import annotations

import re
from typing import Any, Dict

import pytest

from shared import ROOT


def test_the_table_of_the_page_is_what_both_say(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rsome")
    page = (ROOT / "docs" / "python.md").read_text().split("## What decision rules lose")[1].split("\n## ")[0]
    names: Dict[str, Any] = {}
    exec("import quip\n" + re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0], names)
    exact, static = (float(names["stock"](adaptive).solve().value) for adaptive in (True, False))
    exec(re.findall(r"```py\n(.*?)```", page, re.DOTALL)[0], {})
    affine = float(capsys.readouterr().out.split()[-1])
    assert f"{exact:.3f}" in page and f"{affine:.3f}" in page and f"{static:.3f}" in page
    for rule in (affine, static):
        assert f"{100 * (rule / exact - 1):.1f} %" in page
