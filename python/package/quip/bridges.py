"""Files in every format that the command reads, and the way to HiGHS and back."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable, Iterable, Optional, Union

import numpy as np

from . import _quip
from .errors import FileError, MissingPackage, UnsupportedError
from .numeric import exact
from .numeric import read as number
from .expressions import Expr, Row
from .model import Model
from .program import Program

Path = Union[str, "os.PathLike[str]"]


def read(path: Path, *, data: Union[Path, Iterable[Path]] = ()) -> Model:
    """Reads a model: ``.qip``, ``.qlp``, ``.qdimacs``, ``.qcir``, ``.mps`` or ``.lp``, a ``.prefix`` or ``.aux`` file that
    makes the model beside it one of two players; also ``.gz``. The content tells which.

    ``data`` are files with the data of a model with sets: ``.toml``, ``.json`` or ``.csv``.
    """
    files = [data] if isinstance(data, (str, os.PathLike)) else list(data)
    native, warnings, _ = _quip.Program.read(os.fspath(path), [os.fspath(it) for it in files])
    return _model(native, warnings, os.path.basename(os.fspath(path)))


def parse(text: Union[str, bytes], name: str = "<text>") -> Model:
    """Reads a model from a text in any of the formats."""
    data = text.encode() if isinstance(text, str) else bytes(text)
    native, warnings, _ = _quip.Program.parse(name, data)
    return _model(native, warnings, name)


def _model(native: _quip.Program, warnings: "list[str]", name: str) -> Model:
    model = Model(name)
    model.warnings = warnings
    program = Program(native, [])
    stage, last = -1.0, None
    for given, forall, integer, lower, upper in native.variables():
        if forall != last:
            stage, last = stage + 1, forall
        model._names.append(given)
        model._foralls.append(forall)
        model._integers.append(integer)
        model._lower.append(None if lower is None else _exact(lower))
        model._upper.append(None if upper is None else _exact(upper))
        model._stages.append(stage)
        model._player[stage] = forall
        model._taken[given] = None
    for forall in (False, True):
        for label, terms, lower, upper in native.rows(forall):
            exact = {var: _exact(by) for var, by in terms}
            ends = [None if it is None else _exact(it) for it in (lower, upper)]
            model._systems[forall].add(label, exact, ends[0], ends[1], None)
    goal = native.objective()
    if goal is not None:
        terms, constant, small, title = goal
        model._goal = (Expr(model, {var: _exact(by) for var, by in terms}, _exact(constant)), small, title)
    program.order = list(range(len(model._names)))
    model._built = program
    return model


def _exact(text: str) -> Any:
    value = number(text)
    return value.numerator if value.denominator == 1 else value


def write(model: Model, path: Path, format: Optional[str] = None) -> None:
    """Writes a model; the ending tells the format, unless ``format`` does. ``.lp`` and ``.mps`` hold the
    equivalent program over all scenarios."""
    name = os.fspath(path)
    wanted = format or os.path.splitext(name)[1].lstrip(".").lower()
    if wanted not in ("qip", "qlp", "qdimacs", "qcir", "lp", "mps"):
        raise FileError(f"`{name}` does not tell its format; end it in .qip, .qlp, .qdimacs, .qcir, .lp or .mps")
    text = to_text(model, wanted)
    try:
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as fault:
        raise FileError(f"cannot write `{name}`: {fault.strerror}") from None


def to_text(model: Model, format: str = "qip") -> str:
    """The model as a text in a format; ``lp`` and ``mps`` are its equivalent over all scenarios."""
    native = model.program().native
    if format in ("lp", "mps"):
        return native.equivalent(format == "mps")
    return native.text(format)


def _highspy() -> Any:
    try:
        import highspy
    except ImportError:
        raise MissingPackage("this needs highspy; install it with `pip install highspy`") from None
    return highspy


def to_highspy(model: Model) -> Any:
    """A ``highspy.Highs`` that holds the equivalent program over all scenarios.

    Its objective is the model's as a cost, scaled to whole numbers; comments of
    ``model.to_text("lp")`` say how they relate.
    """
    highs = _highspy().Highs()
    highs.setOptionValue("output_flag", False)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "equivalent.mps")
        write(model, path)
        if highs.readModel(path) != _highspy().HighsStatus.kOk:
            raise UnsupportedError("HiGHS does not read the equivalent program")
    return highs


def from_highspy(highs: Any, *, reveal: Union[Iterable[str], Callable[[str], bool]] = ()) -> Model:
    """The model that a ``highspy.Highs`` holds. Its columns are decided in their order; those whose
    names are in ``reveal``, or for which it is true, are the opponent's.

    Floats mean their shortest decimals. Columns without a name are called ``c0``, ``c1``, …
    """
    highspy = _highspy()
    given = highs.getLp()
    wanted = reveal if callable(reveal) else set(reveal).__contains__
    names = [it or f"c{place}" for place, it in enumerate(list(given.col_names_) or [""] * given.num_col_)]
    infinite = highspy.kHighsInf
    model = Model(given.model_name_ or "highs")
    kinds = list(given.integrality_)
    variables = []
    for place, name in enumerate(names):
        integer = bool(kinds) and kinds[place] == highspy.HighsVarType.kInteger
        ends = [None if abs(it) >= infinite else it for it in (given.col_lower_[place], given.col_upper_[place])]
        make = model.reveal if wanted(name) else model.decide
        variables.append(make(name, lb=ends[0], ub=ends[1], integer=integer))
    matrix = given.a_matrix_
    starts, index, value = (np.asarray(it) for it in (matrix.start_, matrix.index_, matrix.value_))
    by_row = matrix.format_ != highspy.MatrixFormat.kColwise
    sums: "list[dict[int, Any]]" = [{} for _ in range(given.num_row_)]
    for major in range(len(starts) - 1):
        for at in range(starts[major], starts[major + 1]):
            row, column = (major, int(index[at])) if by_row else (int(index[at]), major)
            sums[row][variables[column].index] = exact(float(value[at]))
    titles = list(given.row_names_) or [""] * given.num_row_
    for terms, low, high, title in zip(sums, given.row_lower_, given.row_upper_, titles):
        ends = [None if abs(it) >= infinite else exact(float(it)) for it in (low, high)]
        model.add(Row(Expr(model, terms), ends[0], ends[1]), name=title or None)
    costs = [exact(float(it)) for it in given.col_cost_]
    goal = Expr(model, {var.index: by for var, by in zip(variables, costs) if by}, exact(float(given.offset_)))
    if goal.terms or goal.constant:
        small = given.sense_ == highspy.ObjSense.kMinimize
        (model.minimize if small else model.maximize)(goal)
    return model
