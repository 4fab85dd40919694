"""Test folders are not packages, so pytest requires unique file names."""

from collections import Counter
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[1]


def test_no_two_files_have_one_name():
    names = Counter(path.name for path in _TESTS.rglob("*.py") if path.name not in ("conftest.py", "__init__.py"))
    assert len(names) > 300
    assert [name for name, count in names.items() if count > 1] == []
