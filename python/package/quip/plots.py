"""Pictures with matplotlib, for those who have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional

from .errors import MissingPackage, NoAnswer
from .outline import outlined

if TYPE_CHECKING:
    from .model import Model
    from .strategy import Strategy
    from .solution import Solution


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingPackage("plots need matplotlib; install it with `pip install matplotlib`") from None
    return pyplot.subplots()[1]


def bound_over_time(solution: "Solution", ax: Any = None) -> Any:
    """The value of the best strategy and the bound while the solve went on."""
    ax = _axes(ax)
    ending = (solution.effort.seconds, solution.objective, solution.bound)
    told = [(it.seconds, it.value, it.bound) for it in solution.events] + [ending]
    for label, place in (("strategy", 1), ("bound", 2)):
        points = [(it[0], float(it[place])) for it in told if it[place] is not None]  # type: ignore[arg-type]
        if points:
            ax.step(*zip(*points), where="post", marker="o", label=label)
    ax.set_xlabel("seconds")
    ax.set_ylabel("value")
    ax.legend()
    return ax


def price_of_robustness(
    model: "Callable[[Any], Model]", budgets: Iterable[Any], ax: Any = None, **options: Any
) -> Any:
    """The value against the budget of the opponent; ``model(budget)`` makes the model for each."""
    ax = _axes(ax)
    given = list(budgets)
    values = []
    for budget in given:
        solution = model(budget).solve(**options)
        if solution.objective is None:
            raise NoAnswer(f"the model with the budget {budget!r} has no value: {solution.status}")
        values.append(float(solution.objective))
    ax.step([float(it) for it in given], values, where="post", marker="o")
    ax.set_xlabel("budget of the opponent")
    ax.set_ylabel("value that is guaranteed")
    return ax


def strategy_tree(strategy: "Strategy", ax: Any = None, most: int = 30) -> Any:
    """What to do against what: a box for each run of moves, an arrow for each observation.

    Parts that several observations lead to are drawn once. Of a large strategy the top is drawn, ``most``
    boxes, and ``…`` stands for what is below.
    """
    ax = _axes(ax)
    boxes, arrows = outlined(strategy, most)
    for box in boxes:
        ax.text(
            box.across, -box.depth, box.text, ha="center", va="center", fontsize=8,
            bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": "gray"},
        )
    for begin, end, text in arrows:
        above, below = boxes[begin], boxes[end]
        ax.annotate(
            "", (below.across, -below.depth), (above.across, -above.depth),
            arrowprops={"arrowstyle": "->", "color": "gray", "shrinkA": 14, "shrinkB": 14}, zorder=0,
        )
        # Next to where it begins, so that arrows to one part keep their texts apart.
        at = [0.65 * begin + 0.35 * end for begin, end in ((above.across, below.across), (above.depth, below.depth))]
        ax.text(
            at[0], -at[1], text, ha="center", va="center", fontsize=7,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    ax.set_xlim(min(it.across for it in boxes) - 1, max(it.across for it in boxes) + 1)
    ax.set_ylim(-max(it.depth for it in boxes) - 0.7, 0.7)
    ax.set_axis_off()
    return ax


def histogram(simulation: Any, guaranteed: Optional[Any] = None, ax: Any = None) -> Any:
    """What the objective came to in simulated plays, and the line that none of them crosses."""
    ax = _axes(ax)
    floats = simulation.floats
    ax.hist(floats[floats == floats], bins=20)
    if guaranteed is not None:
        ax.axvline(float(guaranteed), linestyle="--", label="guaranteed")
        ax.legend()
    ax.set_xlabel("objective")
    ax.set_ylabel("plays")
    return ax
