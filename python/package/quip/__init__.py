"""Exact, certified solver for quantified integer linear programs.

Variables are decided by us or revealed by an opponent, one after the other; the answer is the best
that can be guaranteed against every legal play, and the moves that guarantee it. All arithmetic is
exact.

>>> import quip
>>> m = quip.Model()
>>> stock = m.decide("stock", ub=9, integer=True)
>>> demand = m.reveal("demand", lb=2, ub=4, integer=True)
>>> rush = m.decide("rush", ub=9, integer=True)
>>> m.minimize(3 * stock + 3.5 * rush)
>>> m.add(stock + rush >= demand, name="serve")
>>> s = m.solve()
>>> s.value, s.first_stage[stock]
(Fraction(12, 1), Fraction(4, 1))
"""

from . import plots
from ._quip import __version__
from .arrays import Array, Rows, VarArray
from .assignment import Assignment, Values
from .bridges import from_highspy, parse, read, to_highspy
from .certificate import Certificate, Verdict
from .errors import (
    CertificateError,
    Error,
    FileError,
    IllegalObservation,
    InternalError,
    InvalidCertificate,
    MissingPackage,
    ModelError,
    NoAnswer,
    NumberError,
    OptionError,
    ReadError,
    UnsupportedError,
)
from .numeric import exact
from .explanation import Alternative, Explanation
from .expressions import Expr, Row, Var, between
from .expressions import total as sum
from .logic import at_least_one, at_most_one, exactly_one, implies
from .model import Model, array
from .options import methods, switches
from .play import Play
from .policy import Policy
from .program import Program
from .simulation import Simulation
from .solution import Effort, Solution
from .solving import Event, Run
from .strategy import Strategy

__all__ = [
    "Alternative", "Array", "Assignment", "Certificate", "CertificateError", "Effort", "Error", "Event",
    "Explanation", "Expr", "FileError", "IllegalObservation", "InternalError", "InvalidCertificate",
    "MissingPackage", "Model", "ModelError", "NoAnswer", "NumberError", "OptionError", "Play", "Policy",
    "Program", "ReadError", "Row", "Rows", "Run", "Simulation", "Solution", "Strategy", "UnsupportedError",
    "Values", "Var", "VarArray", "Verdict", "__version__", "array", "at_least_one", "at_most_one", "between",
    "exact", "exactly_one", "from_highspy", "implies", "methods", "parse", "plots", "read", "sum", "switches",
    "to_highspy",
]
