"""Tables: pandas for those who have it, HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Iterable, Sequence

from .errors import MissingPackage, ModelError

if TYPE_CHECKING:
    from .assignment import Assignment
    from .keys import Keys
    from .model import Model
    from .strategy import Strategy
    from .simulation import Simulation
    from .solution import FirstMoves, Solution

#: How many lines of a table a notebook shows.
_LINES = 60
#: Pictures of larger strategies are not drawn by themselves.
_DRAWN = 120


def pandas() -> Any:
    """The package pandas, or an error that says how to get it."""
    try:
        import pandas
    except ImportError:
        raise MissingPackage("tables need pandas; install it with `pip install pandas`") from None
    return pandas


def values_to_pandas(keys: "Sequence[Keys]", floats: Any) -> Any:
    pd = pandas()
    if len(keys) == 1:
        return pd.Series(floats, index=pd.Index(list(keys[0]), name=keys[0].name))
    if len(keys) == 2:
        index, columns = (pd.Index(list(it), name=it.name) for it in keys)
        return pd.DataFrame(floats, index=index, columns=columns)
    labels = pd.MultiIndex.from_product([list(it) for it in keys], names=[it.name for it in keys])
    return pd.Series(floats.ravel(), index=labels)


def assignment_to_pandas(values: "Assignment") -> Any:
    pd = pandas()
    lines = [(name, player, value, float(value)) for name, player, value in values.rows()]
    return pd.DataFrame(lines, columns=["variable", "player", "exact", "value"]).set_index("variable")


def simulation_to_pandas(made: "Simulation") -> Any:
    pd = pandas()
    lines = [{name: float(value) for name, value in play.to_dict().items()} for play in made.plays]
    table = pd.DataFrame(lines)
    table["objective"] = made.floats
    table["refused"] = [made.refused.get(number) for number in range(len(made))]
    return table


def first_moves_to_pandas(found: "FirstMoves") -> Any:
    return pandas().DataFrame([{name: float(value) for name, value in it.to_dict().items()} for it in found])


def _table(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    given = list(lines)
    cells = "".join(f"<th>{escape(it)}</th>" for it in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(it))}</td>" for it in line) + "</tr>" for line in given[:_LINES]
    )
    more = f"<p>… {len(given) - _LINES} more</p>" if len(given) > _LINES else ""
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>{more}"


def assignment_html(values: "Assignment") -> str:
    return _table(["variable", "player", "value"], values.rows())


def solution_html(solution: "Solution") -> str:
    effort = solution.effort
    told = f"{effort.seconds:.2f} s, {effort.nodes:,} nodes, {effort.lps:,} LPs, method {solution.method}"
    remarks = "".join(f"<br>{escape(head)}: {escape(text)}" for head, text in solution._remarks())
    return (
        f"<p><b>{escape(solution._sentence())}</b>{remarks}<br>{escape(told)}</p>"
        + (assignment_html(solution.worst_case) if len(solution.worst_case) else "")
    )


def model_html(model: "Model") -> str:
    """The model as a file, which is how people read it."""
    rows = sum(system.count for system in model._systems)
    if len(model._names) + rows > 4 * _LINES:
        return f"<p>{escape(repr(model))}</p>"
    try:
        return f"<pre>{escape(model.to_text())}</pre>"
    except ModelError as fault:
        # A model in the making is shown with what is still wrong.
        return f"<p>{escape(repr(model))}</p><pre>{escape(str(fault))}</pre>"


def strategy_html(strategy: "Strategy") -> str:
    if len(strategy) <= _DRAWN:
        return strategy.to_svg()
    return f"<pre>{escape(strategy.text)}</pre>"
