"""Two checkers, written apart, say the same of every certificate, whole or damaged.

``QUIP_DAMAGED=10000`` makes the tests larger: so many damaged ones of the models and of random ones.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Counter, List, Optional, Tuple

import pytest

import quip
import quip_check
from damage import damaged
from random_models import random_mixed, random_model, random_setups
from shared import MODELS, ROOT

DAMAGED = int(os.environ.get("QUIP_DAMAGED", "1500"))


def certificate_of(m: quip.Model, limit: float = 3) -> Optional[quip.Certificate]:
    try:
        return m.solve(time=limit, certificate=True).certificate
    except (quip.CertificateError, quip.UnsupportedError):
        return None


def opinions(certificate: quip.Certificate, model: str, text: str) -> Tuple[Optional[str], Optional[str]]:
    """What either checker has against it."""
    try:
        first = None
        quip.Certificate(certificate.program, text).check()
    except quip.InvalidCertificate as fault:
        first = str(fault)
    try:
        second = None
        quip_check.check(model, text)
    except quip_check.Invalid as fault:
        second = str(fault)
    return first, second


def agreed(certificate: quip.Certificate, dice: random.Random, times: int) -> None:
    model = certificate.program.text()
    for _ in range(times):
        text = damaged(certificate.text, dice)
        first, second = opinions(certificate, model, text)
        assert (first is None) == (second is None), f"{first!r} but {second!r} of\n{model}\n{text}"


@pytest.fixture(scope="module")
def certificates() -> List[quip.Certificate]:
    """Those of the models that can be had quickly and are short enough."""
    made = [certificate_of(quip.read(path), 1.5) for path in MODELS]
    short = [it for it in made if it is not None and it.text.count("\n") < 1500]
    assert len(short) > 25
    return short


def test_certificates_of_the_models_are_accepted_by_both(certificates: List[quip.Certificate]) -> None:
    for certificate in certificates:
        assert certificate.check(independent=True) == certificate.check()


def test_damaged_certificates_of_the_models_are_judged_alike(certificates: List[quip.Certificate]) -> None:
    dice = random.Random(1)
    short = [it for it in certificates if it.text.count("\n") < 250]
    for _ in range(DAMAGED):
        agreed(dice.choice(short), dice, 1)


def test_certificates_of_random_models_and_damaged_ones_are_judged_alike() -> None:
    made = 0
    for seed in range(DAMAGED // 8):
        certificate = certificate_of(random_model(seed))
        if certificate is not None:
            made += 1
            assert certificate.check(independent=True) == certificate.check(), seed
            agreed(certificate, random.Random(seed), 8)
    assert made > DAMAGED // 12


#: What refutations by plays, answers within budgets and older proofs are made of, as it stands in a certificate.
STEPS = {
    "plays": r"^refutation \S+ plays", "cut": "^cut ", "round": "^round ", "tighten": "^tighten ", "split": "^split ",
    "mix": "^mix ", "budgets": r"await u\S+ 0 \d+\.? 1 (\d|illegal)", "illegal": " illegal ", "sum": " sum ", "dead": " dead ",
}


def test_certificates_of_mixed_models_and_damaged_ones_are_judged_alike() -> None:
    seen: Counter[str] = Counter()
    for seed in range(DAMAGED // 8):
        m = random_setups(seed) if seed % 4 == 3 else random_mixed(seed)
        certificate = certificate_of(m)
        if certificate is None:
            continue
        assert certificate.check(independent=True) == certificate.check(), seed
        agreed(certificate, random.Random(seed), 8)
        seen["all"] += 1
        seen.update(name for name, step in STEPS.items() if re.search(step, certificate.text, re.MULTILINE))
    assert seen["all"] > DAMAGED // 10
    assert all(seen[name] for name in STEPS), seen


#: Models and refutations of them, written by hand: what engines seldom or never write.
BY_HAND = [
    (
        "minimize y - u subject to y >= u prefix forall real u in [0, 1] exists integer y in [0, 2] end",
        "refutation 1 plays 1\nplay u=0+e\ncut r1-@1 y@1\nmix 1 z@1 1",
    ),
    (
        "minimize 2 y + z subject to y + z >= u uncertainty u + v <= 1 "
        "prefix exists integer y in [0, 3] forall binary u v exists real z in [0, 1/2] end",
        "refutation 2 plays 1\nplay u=1 v=0\nsplit y@1 0\nmix 1 r1-@1 1\nmix 1 z@1 1",
    ),
    (
        "minimize 2 y + z subject to y + z >= u uncertainty u + v <= 1 "
        "prefix exists integer y in [0, 3] forall binary u v exists real z in [0, 1/2] end",
        "refutation 2 plays 1\nplay u=1 v=0\nround d1 1 y@1 -1 -1 at 1 y@1 1 0 below 2 r1-@1 2 at 1 above 1 at 1\nmix 2 d1 2 z@1 1",
    ),
    (
        "maximize u - y subject to y >= u - 1/2 "
        "prefix forall real u in [0, 3] exists integer y in [0, 3] exists real z in [0, 1] end",
        "refutation 1/2 plays 2\nplay u=3/2+e\nplay u=1/2\ncut r1-@1 y@1\ntighten 1 z@1 1\nmix 1 z@2 1",
    ),
]


@pytest.mark.parametrize("model, side", BY_HAND)
def test_refutations_by_hand_and_damaged_ones_are_judged_alike(model: str, side: str) -> None:
    program = quip.parse(model).program()
    text = f"quip-certificate 3\nmodel {program.fingerprint}\nclaim interrupted\n{side}\nend\n"
    certificate = quip.Certificate(program, text)
    assert opinions(certificate, program.text(), text) == (None, None)
    agreed(certificate, random.Random(1), DAMAGED // 8)


def test_the_second_checker_is_a_command(tmp_path: Path) -> None:
    m = quip.parse("minimize x subject to x >= y prefix forall integer y in [0, 2] exists integer x in [0, 5] end")
    (tmp_path / "m.qip").write_text(m.to_text())
    m.solve(certificate=True).certificate.save(tmp_path / "c.cert")

    def run(*words: str) -> Tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "quip_check", *words], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout

    assert run("m.qip", "c.cert") == (0, "valid: optimal 2\n")
    (tmp_path / "c.cert").write_text((tmp_path / "c.cert").read_text().replace("optimal 2", "optimal 1"))
    code, said = run("m.qip", "c.cert")
    assert code == 1 and "invalid: line" in said
    assert run("m.qip")[0] == 2 and run("m.qip", "no")[0] == 66


def test_the_example_of_the_page_is_accepted() -> None:
    page = (MODELS[0].parents[2] / "docs" / "certificate.md").read_text()
    model = page.split("```qip\n")[1].split("```")[0]
    text = page.split("```certificate\n")[1].split("```")[0]
    assert quip_check.check(model, text).claim == "optimal 2"
    for line in range(1, text.count("\n")):
        lines = text.splitlines()
        del lines[line]
        with pytest.raises(quip_check.Invalid):
            quip_check.check(model, "\n".join(lines))


@pytest.mark.parametrize("text", ["", "quip-certificate 3", "quip-certificate 3\nmodel 804f91ddcf378aac\nclaim optimal " + "1" * 5000,
                                  "\\ nothing", "quip-certificate 2\nend", "\x00", "0 0 0"])
def test_what_is_no_certificate_is_refused(text: str) -> None:
    with pytest.raises(quip_check.Invalid):
        quip_check.check("prefix exists binary x end", text)


@pytest.mark.parametrize("text", ["", "minimize", "min x end", "st 1/0 x >= 1\nprefix exists binary x end", "prefix exists binary end end",
                                  "st x >= " + "9" * 5000 + "\nprefix exists binary x end", "min x st x >= 1 + prefix end", "end end", "\x00"])
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(quip_check.Invalid):
        quip_check.parse(text)


@pytest.mark.parametrize("name", ["fraction", "graph-reliability", "interior-real-reply", "lot-sizing", "unbounded"])
def test_certificates_of_released_versions_are_read(name: str) -> None:
    for folder in (ROOT / "tests" / "kept").iterdir():
        model = (folder / f"{name}.qip").read_text()
        verdict = quip_check.check(model, (folder / f"{name}.cert").read_text())
        assert verdict.claim.split()[0] in ("optimal", "feasible", "unbounded")
