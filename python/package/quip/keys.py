"""Index sets: the labels along one dimension of a family of variables, and data that is given by them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Hashable, Iterable, Iterator, Optional, Sequence, Union

import numpy as np

from .errors import ModelError

#: A number of things, or the things themselves.
IndexSet = Union[int, Iterable[Hashable]]

_STRANGER = re.compile(r"[^A-Za-z0-9_.\[\],'@#]")


class Keys(Sequence[Hashable]):
    """The labels of one dimension, in order, each once."""

    __slots__ = ("labels", "name", "_places")

    def __init__(self, given: IndexSet, name: Optional[str] = None) -> None:
        if isinstance(given, (bool, str, bytes)):
            raise ModelError(f"{given!r} is not an index set; give a number, a list or a pandas index")
        if isinstance(given, (int, np.integer)):
            if given < 0:
                raise ModelError(f"an index set cannot have {given} members")
            given = range(int(given))
        self.labels: Sequence[Hashable]
        if isinstance(given, (range, Keys)):
            self.labels = given.labels if isinstance(given, Keys) else given
        else:
            try:
                members = list(given)
            except TypeError:
                raise ModelError(
                    f"{given!r} is not an index set; give a number, a list or a pandas index"
                ) from None
            self.labels = [_plain(label) for label in members]
        self.name = name or getattr(given, "name", None)
        self._places: Optional[dict[Hashable, int]] = None
        if not isinstance(self.labels, range) and len(self.places) != len(self.labels):
            seen: set[Hashable] = set()
            twice = next(it for it in self.labels if it in seen or seen.add(it))  # type: ignore[func-returns-value]
            raise ModelError(f"the index set has {twice!r} twice")

    @property
    def places(self) -> dict[Hashable, int]:
        """Where each label stands."""
        if self._places is None:
            try:
                self._places = {label: place for place, label in enumerate(self.labels)}
            except TypeError as fault:
                raise ModelError(f"the members of an index set must be hashable: {fault}") from None
        return self._places

    def place(self, label: Any) -> int:
        """Where the label stands; an error names what there is."""
        label = _plain(label)
        try:
            place = self.places.get(label)
        except TypeError:
            place = None
        if place is None:
            shown = ", ".join(repr(it) for it in self.labels[:8])
            more = ", …" if len(self.labels) > 8 else ""
            raise ModelError(f"there is no index {label!r}; the index set is {shown}{more}")
        return place

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.labels)

    def __getitem__(self, place: Any) -> Any:
        return self.labels[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and list(self.labels) == list(other.labels)

    def __hash__(self) -> int:
        return hash(tuple(self.labels))

    def __repr__(self) -> str:
        return f"Keys({list(self.labels)!r})"

    def spelled(self) -> list[str]:
        """The labels as parts of names that every file format carries."""
        if isinstance(self.labels, range):
            return [str(label) for label in self.labels]
        return [_spelled(label) for label in self.labels]


def _plain(label: Any) -> Hashable:
    plain: Hashable = label.item() if isinstance(label, np.generic) else label
    return plain


def _spelled(label: Hashable) -> str:
    text = ",".join(map(str, label)) if isinstance(label, tuple) else str(label)
    if hasattr(label, "hour") and text.endswith(" 00:00:00"):
        # A day is called by its date.
        text = text[: -len(" 00:00:00")]
    if isinstance(label, int) and label < 0:
        return text.replace("-", "m")
    return _STRANGER.sub("_", text)


def member_names(base: str, dimensions: Sequence[Keys]) -> list[str]:
    """The names of a family: ``ship[Kiel,Bonn]``."""
    names = [f"{base}["]
    for number, keys in enumerate(dimensions):
        joint = "," if number else ""
        texts = [f"{joint}{text}" for text in keys.spelled()]
        names = [f"{name}{text}" for name in names for text in texts]
    names = [f"{name}]" for name in names]
    if len(set(names)) < len(names):
        # Labels that differ only in letters that names cannot have.
        names = [f"{name}#{number}" for number, name in enumerate(names)]
    return names


def spread(given: Any, dimensions: Sequence[Keys], what: str) -> Any:
    """Data for each member of a family: one value for all, an array, or values by label."""
    shape = tuple(len(keys) for keys in dimensions)
    if callable(given):
        flat = [given(*labels) for labels in members(dimensions)]
        return _filled(flat, shape)
    if hasattr(given, "reindex") and hasattr(given, "index"):
        return _aligned(given, dimensions, what)
    if isinstance(given, Mapping):
        flat = []
        for labels in members(dimensions):
            label = labels[0] if len(labels) == 1 else labels
            if label not in given:
                raise ModelError(f"{what} has no entry for {label!r}")
            flat.append(given[label])
        return _filled(flat, shape)
    if isinstance(given, (list, tuple, range, np.ndarray)):
        array = np.asarray(given) if not isinstance(given, (list, tuple)) else _listed(given)
        try:
            return np.broadcast_to(array, shape)
        except ValueError:
            raise ModelError(
                f"{what} has the shape {array.shape}, and the variables have {shape}"
            ) from None
    return given


def _listed(given: Any) -> Any:
    array = np.asarray(given)
    return array if array.dtype.kind in "biuf" else np.asarray(given, dtype=object)


def _filled(flat: list[Any], shape: tuple[int, ...]) -> Any:
    made = np.empty(len(flat), dtype=object)
    made[:] = flat
    return made.reshape(shape)


def _aligned(given: Any, dimensions: Sequence[Keys], what: str) -> Any:
    """A pandas object in the order of the labels, not in its own."""
    if len(dimensions) == 2 and hasattr(given, "columns"):
        axes = [(given.index, dimensions[0]), (given.columns, dimensions[1])]
        places = [_places(axis, keys, what) for axis, keys in axes]
        return given.to_numpy()[np.ix_(*places)]
    if len(dimensions) == 1:
        return given.to_numpy()[_places(given.index, dimensions[0], what)]
    if getattr(given.index, "nlevels", 1) == 1 and len(dimensions) > 1:
        return _along(given, dimensions, what)
    wanted = [tuple(labels) for labels in members(dimensions)]
    places = given.index.get_indexer(wanted)
    if (places < 0).any():
        raise ModelError(f"{what} has no entry for {wanted[int(np.argmin(places))]!r}")
    shape = tuple(len(keys) for keys in dimensions)
    return given.to_numpy()[places].reshape(shape)


def _along(given: Any, dimensions: Sequence[Keys], what: str) -> Any:
    """A series for one of several dimensions: that of its name, or the only one that it has all labels of."""
    axes = [axis for axis, keys in enumerate(dimensions) if keys.name is not None and keys.name == given.index.name]
    if len(axes) != 1:
        axes = [axis for axis, keys in enumerate(dimensions) if (given.index.get_indexer(list(keys.labels)) >= 0).all()]
    if len(axes) != 1:
        raise ModelError(f"{what} is a series, and the variables have {len(dimensions)} dimensions; its labels do not tell which is meant")
    shape = [1] * len(dimensions)
    shape[axes[0]] = -1
    line = given.to_numpy()[_places(given.index, dimensions[axes[0]], what)].reshape(shape)
    return np.broadcast_to(line, tuple(len(keys) for keys in dimensions))


def _places(axis: Any, keys: Keys, what: str) -> Any:
    if not axis.is_unique:
        raise ModelError(f"the index of {what} has a label twice")
    places = axis.get_indexer(list(keys.labels))
    if (places < 0).any():
        raise ModelError(f"{what} has no entry for {keys[int(np.argmin(places))]!r}")
    return places


def members(dimensions: Sequence[Keys]) -> Iterator[tuple[Hashable, ...]]:
    """Every combination of labels, the last dimension fastest."""
    if not dimensions:
        yield ()
        return
    for label in dimensions[0]:
        for rest in members(dimensions[1:]):
            yield (label, *rest)
