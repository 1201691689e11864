"""Solving: in the foreground, event by event, or while other things are awaited."""

from __future__ import annotations

import asyncio
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _quip
from .errors import Error, OptionError
from .numeric import exact, read
from .explanation import Explanation
from .program import Program
from .solution import Solution
from .waiting import PATIENCE, answered, waited

if TYPE_CHECKING:
    from .model import Model

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


class Event(NamedTuple):
    """Where a solve stands: every new strategy is told, and a heartbeat now and then."""

    #: Seconds since it began.
    seconds: float
    #: Positions visited.
    nodes: int
    #: How deep the position is that is being looked at.
    depth: int
    #: What the best strategy so far guarantees.
    value: Optional[Fraction]
    #: What is proved on the other side.
    bound: Optional[Fraction]
    #: Linear programs solved.
    lps: int
    #: Rows learnt and kept.
    learnt: int
    #: Whether there is a new best strategy.
    is_new: bool

    def __str__(self) -> str:
        value, bound = ("-" if it is None else str(it) for it in (self.value, self.bound))
        star = "*" if self.is_new else " "
        return f"{star}{self.seconds:7.1f}s {self.nodes:10} nodes   strategy {value:>12}   bound {bound:>12}"


class Run:
    """A solve that goes on in the background. Iterate over it for its events.

    >>> import quip
    >>> m = quip.Model()
    >>> x = m.decide("x", ub=3, integer=True)
    >>> m.maximize(x)
    >>> run = m.start()
    >>> events = list(run)
    >>> run.result().value
    Fraction(3, 1)
    """

    def __init__(self, model: "Model", program: Program, options: Dict[str, Any]) -> None:
        self._model = model
        self._program = program
        self._options = options
        self._native = _quip.Run.solve(program.native, **options)
        self._solution: Optional[Solution] = None
        self._fault: Optional[Error] = None
        self._events: List[Event] = []

    def stop(self) -> None:
        """Asks for the best answer so far, with its bounds."""
        self._native.stop()

    @property
    def done(self) -> bool:
        """Whether the answer has been taken; events are taken by iterating or waiting."""
        return self._solution is not None or self._fault is not None

    def poll(self, seconds: float = 0.0) -> Optional[Event]:
        """The next event, if one comes within that time."""
        if self.done:
            return None
        try:
            heard = self._native.poll(seconds)
        except Error as fault:
            self._fault = fault
            return None
        if heard is None:
            return None
        if isinstance(heard, _quip.Outcome):
            self._solution = Solution(self._model, self._program, heard, self._options, self._events)
            return None
        told = [None if it is None else read(it) for it in heard[3:5]]
        event = Event(*heard[:3], *told, *heard[5:])
        self._events.append(event)
        return event

    def __iter__(self) -> Iterator[Event]:
        while not self.done:
            event = self.poll(PATIENCE)
            if event is not None:
                yield event

    def _step(self, on_event: Optional[Callable[[Event], Any]] = None, log: bool = False) -> bool:
        """Waits for one event and tells it; whether the answer is there."""
        event = self.poll(PATIENCE)
        if event is not None:
            if log:
                print(event)
            if on_event is not None and on_event(event) is False:
                self.stop()
        return self.done

    def result(self) -> Solution:
        """The answer; waits for it. The first Ctrl-C makes it the best so far."""
        waited(self._step, self.stop)
        if self._fault is not None:
            raise self._fault
        assert self._solution is not None
        return self._solution


class Solving:
    """What a model can be asked."""

    def program(self) -> Program:
        raise NotImplementedError

    def start(
        self,
        *,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        memory: Union[None, int, str] = None,
        threads: Optional[int] = None,
        method: str = "auto",
        target: Any = None,
        decide: bool = False,
        certificate: bool = False,
        rationalize: Any = None,
        switches: Optional[Mapping[str, Any]] = None,
    ) -> Run:
        """Begins to solve in the background; the options are those of :meth:`solve`."""
        options: Dict[str, Any] = {
            "method": method,
            "time": _seconds(time),
            "nodes": _count("nodes", nodes, 0),
            "memory": None if memory is None else _bytes(memory),
            "threads": _count("threads", threads, 1),
            "target": None if target is None else str(exact(target)),
            "decide": bool(decide),
            "certificate": bool(certificate),
            "switches": [(key, _switched(value)) for key, value in (switches or {}).items()],
        }
        program = self.program()
        if rationalize is not None:
            program = program.rationalized(rationalize)
        return Run(self, program, options)  # type: ignore[arg-type]

    def solve(
        self,
        *,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        memory: Union[None, int, str] = None,
        threads: Optional[int] = None,
        method: str = "auto",
        target: Any = None,
        decide: bool = False,
        certificate: bool = False,
        rationalize: Any = None,
        switches: Optional[Mapping[str, Any]] = None,
        on_event: Optional[Callable[[Event], Any]] = None,
        log: bool = False,
    ) -> Solution:
        """The best that can be guaranteed against every legal play of the opponent.

        ``time`` is in seconds; ``nodes``, ``memory`` (bytes, or a text like ``"4G"``) and ``threads``
        are limits too. ``target`` asks for a strategy that is this good, ``decide`` only for the
        winner. With ``certificate`` the answer comes with a proof. ``rationalize`` reads every number as
        the simplest fraction within that distance, such as ``1e-12``; what it read so is in
        ``solution.program.reread``. ``on_event`` is called with each
        :class:`Event`; if it returns ``False``, the best answer so far is returned. So does the first
        Ctrl-C; a second one gives up. ``switches`` are those of ``quip options``.
        """
        run = self.start(
            time=time, nodes=nodes, memory=memory, threads=threads, method=method, target=target,
            decide=decide, certificate=certificate, rationalize=rationalize, switches=switches,
        )
        waited(lambda: run._step(on_event, log), run.stop)
        return run.result()

    async def solve_async(self, *, on_event: Optional[Callable[[Event], Any]] = None, **options: Any) -> Solution:
        """As :meth:`solve`, while other tasks go on. Cancelling the task stops the solve."""
        run = self.start(**options)
        try:
            while not run.done:
                event = await asyncio.get_running_loop().run_in_executor(None, run.poll, PATIENCE)
                if event is not None and on_event is not None and on_event(event) is False:
                    run.stop()
        except BaseException:
            run.stop()
            raise
        return run.result()

    def explain(self, *, time: Optional[float] = None, alternatives: int = 12) -> Explanation:
        """Why the answer is what it is: solves the model and further ones beside it.

        The time is for everything together; Ctrl-C ends it with what was found out.
        """
        return explained(self.program(), None, time, alternatives)


def explained(
    program: Program, outcome: Optional[_quip.Outcome], time: Optional[float], alternatives: int
) -> Explanation:
    """What was found out within the time, or until Ctrl-C. An answer that is known is not looked for again."""
    most = _count("alternatives", alternatives, 0)
    return Explanation(program, answered(_quip.Run.explain(program.native, outcome, _seconds(time), most or 0)))


def listed(
    program: Program, outcome: Optional[_quip.Outcome], time: Optional[float], most: int
) -> Tuple[List[List[Tuple[int, str]]], bool]:
    """The first decisions that are as good as the best one, and whether these are all."""
    told = answered(_quip.Run.first_moves(program.native, outcome, _seconds(time), _count("most", most, 1) or 1))
    return told["decisions"], told["is_complete"]


def _seconds(given: Any) -> Optional[float]:
    """A limit of time; an infinite one is none."""
    if given is None:
        return None
    if hasattr(given, "total_seconds"):
        given = given.total_seconds()
    if isinstance(given, str) or not hasattr(given, "__float__"):
        raise OptionError(f"a time is a number of seconds or a timedelta, not {given!r}")
    return float(given)


def _count(what: str, given: Optional[int], least: int) -> Optional[int]:
    if given is None:
        return None
    number = exact(given)
    if not isinstance(number, int) or not least <= number < 2**63:
        raise OptionError(f"{what} is a whole number from {least} on, not {given!r}")
    return number


def _bytes(given: Union[int, str]) -> int:
    """A number of bytes; ``4G`` is 4 * 1024**3."""
    if isinstance(given, str):
        read = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kKmMgGtT]?)i?[bB]?\s*", given)
        if not read:
            raise OptionError(f"{given!r} is no amount of memory; write a number of bytes, or 512M, or 4G")
        return int(Fraction(read[1]) * _UNITS[read[2].lower()])
    count = _count("memory", given, 0)
    assert count is not None
    return count


def _switched(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
