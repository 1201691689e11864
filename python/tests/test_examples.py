"""The notebooks run and pass mypy in strict mode, and so do the examples of the page and of docstrings."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import pytest

import quip
from shared import ROOT

NOTEBOOKS = sorted((ROOT / "python" / "examples").glob("*.ipynb"))
PAGES = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md", ROOT / "README.md"]


def code_of(notebook: Path) -> str:
    cells = json.loads(notebook.read_text())["cells"]
    return "\n\n".join("".join(it["source"]) for it in cells if it["cell_type"] == "code") + "\n"


def code_of_page(page: Path) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))


def ran(*words: str, cwd: Path) -> None:
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, env={**os.environ, "MPLBACKEND": "Agg"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    folder = tmp_path_factory.mktemp("examples")
    made = {}
    for source, code in [(it, code_of(it)) for it in NOTEBOOKS] + [(it, code_of_page(it)) for it in PAGES]:
        name = f"example_{len(made)}_{source.stem}"
        made[str(source)] = folder / f"{name}.py"
        made[str(source)].write_text(code)
    return made


def test_there_are_five_notebooks_with_pictures() -> None:
    assert len(NOTEBOOKS) == 5
    for notebook in NOTEBOOKS:
        assert '"image/png"' in notebook.read_text(), notebook.name


@pytest.mark.parametrize("name", [str(it) for it in NOTEBOOKS + PAGES], ids=lambda name: "/".join(Path(name).parts[-2:]))
def test_examples_run(scripts: Dict[str, Path], name: str) -> None:
    ran(str(scripts[name]), cwd=scripts[name].parent)


def test_what_decision_rules_lose_is_what_rsome_says(tmp_path: Path) -> None:
    pytest.importorskip("rsome")
    page = (ROOT / "docs" / "python.md").read_text()
    code = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert len(code) == 1
    (tmp_path / "rules.py").write_text(code[0])
    done = subprocess.run([sys.executable, "rules.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    value = float(done.stdout.split()[-1])
    assert f"| affine rule, `rsome` | {value:.3f} | {100 * (value / (319 / 45) - 1):.1f} % |" in page


def test_examples_pass_mypy_in_strict_mode(scripts: Dict[str, Path]) -> None:
    paths = [str(it) for it in scripts.values()]
    ran("-m", "mypy", "--strict", "--config-file", str(ROOT / "python" / "pyproject.toml"), *paths, cwd=scripts[str(PAGES[0])].parent)


@pytest.mark.parametrize("package", ["quip", "quip_check"])
def test_examples_of_docstrings_hold(package: str) -> None:
    found = importlib.import_module(package)
    modules: list[Any] = [found]
    modules += [importlib.import_module(f"{package}.{it.name}") for it in pkgutil.iter_modules(found.__path__) if it.name not in ("_quip", "__main__")]
    names = {"quip": quip, **{name: getattr(quip, name) for name in quip.__all__}}
    tried = 0
    for module in modules:
        result = doctest.testmod(module, extraglobs=names)
        assert result.failed == 0, module.__name__
        tried += result.attempted
    assert tried > 3


def test_everything_public_is_documented() -> None:
    for name in quip.__all__:
        thing = getattr(quip, name)
        if callable(thing):
            assert thing.__doc__, name
        if isinstance(thing, type):
            bare = [key for key, it in vars(thing).items() if not key.startswith("_") and callable(it) and not it.__doc__]
            assert not bare or issubclass(thing, tuple), (name, bare)
