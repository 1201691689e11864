"""What can go wrong, as exceptions. Every one is an :class:`Error` and says what to do."""

from __future__ import annotations


class Error(Exception):
    """Whatever this package raises."""


class ModelError(Error, ValueError):
    """The model says something that has no meaning; the message names the place in your file."""


class NumberError(ModelError):
    """Something that is not an exact number, where one is needed."""


class OptionError(Error, ValueError):
    """An option that does not exist, or a value that does not fit it."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class ReadError(Error, ValueError):
    """A file that was read and is not a model; the message shows the lines."""


class UnsupportedError(Error):
    """A program outside the class that an engine solves; the message names what is in the way."""


class NoAnswer(Error):
    """Something was asked of a solution that it does not have."""


class CertificateError(Error):
    """There is no certificate."""


class InvalidCertificate(CertificateError):
    """The certificate does not prove its claim; the message names the line."""


class IllegalObservation(Error, ValueError):
    """A move of the opponent that its own rows forbid, or that is none of its moves."""


class MissingPackage(Error, ImportError):
    """An optional package that is needed here is not installed."""


class InternalError(Error):
    """An invariant of quip does not hold: a bug. Please report it with the model."""
