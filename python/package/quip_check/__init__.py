"""A second opinion: a checker of certificates in pure Python, with ``fractions`` only.

It is written from ``docs/certificate.md`` and ``docs/format-qip.md``, and shares nothing with the
solver or with the checker inside it. It is slow, and short enough to be read.

>>> import quip_check
>>> model = "prefix exists binary x end"
>>> text = '''quip-certificate 3
... model 804f91ddcf378aac
... claim feasible
... strategy kept
... 0 complete
... 1 choose x 0 0.
... root 1.
... end'''
>>> quip_check.check(model, text).claim
'feasible'
"""

from .certificate import Verdict, check
from .model import Invalid, Program, parse

__all__ = ["Invalid", "Program", "Verdict", "check", "parse"]
