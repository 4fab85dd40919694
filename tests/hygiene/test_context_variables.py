"""Context variables are set in a single way that finalizers run by the garbage collector cannot disturb."""

import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "tinytf"


def test_they_are_made_in_one_file():
    made = {file.name for file in PACKAGE.rglob("*.py") if re.search(r"\bContextVar\b", file.read_text())}
    assert made == {"context_variable.py"}
