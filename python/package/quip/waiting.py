"""Waiting for what goes on in the background, so that Ctrl-C is heard."""

from __future__ import annotations

from typing import Any, Callable, List

from . import _quip

#: How long a look for Ctrl-C is put off, in seconds.
PATIENCE = 0.05


def waited(step: Callable[[], bool], stop: Callable[[], None]) -> None:
    """Calls ``step`` until it says that it is done.

    The first Ctrl-C asks the work to stop, so that it ends with what it has; a second one, and
    whatever else is raised, is raised here.
    """
    interrupted = False
    while True:
        try:
            if step():
                return
        except KeyboardInterrupt:
            stop()
            if interrupted:
                raise
            interrupted = True
        except BaseException:
            stop()
            raise


def answered(native: _quip.Run) -> Any:
    """What a run in the background answers; its events are not listened to."""
    told: List[Any] = []

    def step() -> bool:
        heard = native.poll(PATIENCE)
        if heard is not None and not isinstance(heard, tuple):
            told.append(heard)
        return bool(told)

    waited(step, native.stop)
    return told[0]
