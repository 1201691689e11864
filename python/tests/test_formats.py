"""Files of every format, and the way to HiGHS and back."""

from __future__ import annotations

import gzip
from fractions import Fraction
from pathlib import Path

import pytest

import quip
import quip_check
from shared import MODELS, ROOT, lot_sizing


@pytest.mark.parametrize("path", MODELS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_models_are_read_built_anew_and_written(path: Path) -> None:
    m = quip.read(path)
    mark = m.program().fingerprint
    m._changed()
    assert m.program().fingerprint == mark, "the columns say the same"
    assert quip.parse(m.to_text()).program().fingerprint == mark
    assert quip_check.parse(m.to_text()).fingerprint() == mark
    if path.parent.name != "sets":
        # Models with sets are spelled out by quip; a checker reads what is flat.
        assert quip_check.parse(path.read_text()).fingerprint() == mark, "the second reader reads what people write"


def test_formulas_and_zipped_files_are_read(tmp_path: Path) -> None:
    formula = "p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n"
    (tmp_path / "f.qdimacs.gz").write_bytes(gzip.compress(formula.encode()))
    m = quip.read(tmp_path / "f.qdimacs.gz")
    assert m.solve().status == "feasible"
    m.write(tmp_path / "f.qcir")
    assert quip.read(tmp_path / "f.qcir").solve().status == "feasible"
    assert m.to_text("qdimacs").startswith("p cnf") or "p cnf" in m.to_text("qdimacs")
    m.write(tmp_path / "f.qlp")
    assert quip.read(tmp_path / "f.qlp").program().fingerprint == m.program().fingerprint


@pytest.mark.parametrize(
    "name, value",
    [("plan.mps", 1), ("plan.prefix", 24), ("cover.lp", Fraction(189, 4)), ("interdiction.aux", 7), ("interdiction.mps", 0)],
)
def test_files_of_other_solvers_are_read(name: str, value: Fraction) -> None:
    assert quip.read(ROOT / "models" / "plain" / name).solve().value == value


def test_models_with_sets_are_read_with_their_data(tmp_path: Path) -> None:
    text = "set T = 1..days\nparam days\nparam need[T]\nminimize sum{t in T} x[t]\nsubject to\n  serve[t in T]: x[t] >= need[t] + y\n" \
        "prefix\n  forall integer y in [0, 1]\n  stage t in T: exists integer x[t] in [0, 9]\nend\n"
    (tmp_path / "m.qip").write_text(text)
    (tmp_path / "d.toml").write_text("days = 2\n")
    (tmp_path / "n.toml").write_text("need = [3, 4]\n")
    assert quip.read(tmp_path / "m.qip", data=[tmp_path / "d.toml", tmp_path / "n.toml"]).solve().value == 9
    with pytest.raises(quip.ReadError, match="days"):
        quip.read(tmp_path / "m.qip", data=tmp_path / "n.toml")
    with pytest.raises(quip.Error):
        quip.read(tmp_path / "m.qip", data=tmp_path / "none.toml")
    folder = ROOT / "models" / "sets"
    assert quip.read(folder / "location.qip").solve().value == Fraction(11228, 5)


def test_what_is_wrong_with_a_file_is_shown_with_its_line() -> None:
    with pytest.raises(quip.ReadError, match=r"(?s)not declared.*did you mean `demand`"):
        quip.parse("minimize 2 demnd\nprefix exists binary demand\nend")
    with pytest.raises(quip.FileError, match="cannot read"):
        quip.read("no/such/file.qip")
    assert quip.parse("minimize x\nprefix exists integer x in [2, 1]\nend").warnings


def test_a_model_that_was_read_can_be_extended() -> None:
    m = quip.parse("minimize x subject to r: x >= y prefix forall integer y in [0, 2] exists integer x in [0, 5] end")
    m.add(m.variable("x") >= 3)
    assert m.solve().value == 3


def test_the_equivalent_goes_to_highs() -> None:
    pytest.importorskip("highspy")
    m = quip.parse("minimize x subject to r: x >= y prefix exists integer x in [0, 5] forall integer y in [0, 2] end")
    highs = quip.to_highspy(m)
    highs.run()
    assert highs.getInfo().objective_function_value == pytest.approx(2)


def test_a_model_of_highs_becomes_one_of_quip() -> None:
    highspy = pytest.importorskip("highspy")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    x = highs.addVariable(lb=0, ub=4, obj=-0.1, name="x", type=highspy.HighsVarType.kInteger)
    y = highs.addVariable(lb=0, ub=2, obj=0.0, name="y", type=highspy.HighsVarType.kInteger)
    highs.addConstr(x + 0.5 * y <= 3, name="cap")
    plain = quip.from_highspy(highs)
    assert plain.solve().value == Fraction(-3, 10)
    robust = quip.from_highspy(highs, reveal=["y"])
    assert robust.solve().value == Fraction(-1, 5)
    assert "cap: x + 1/2 y <= 3" in robust.to_text()


def test_the_equivalent_of_a_text_is_written(tmp_path: Path) -> None:
    m, _ = lot_sizing()
    m = quip.parse("minimize x subject to x >= y prefix exists binary x forall binary y end")
    m.write(tmp_path / "e.lp")
    assert "Minimize" in (tmp_path / "e.lp").read_text()
    assert m.to_text("mps").rstrip().endswith("ENDATA")
