"""Stages take elements by next() and next_rows(), which measure pipelines; pull() and pull_rows() are for the stages
themselves."""

import re

import pytest
from repository import CSRC

_PULL = re.compile(r"(?:->|\.)pull(?:_rows)?\(")
# Pulls of RowCalls and BranchInput, which are no iterators and call next() themselves.
_OTHERS = re.compile(r"\bcalls_\.pull\(|\.pull\(ctx, dataset\(\)\.turn\(\)")
_FILES = sorted(path for folder in ("data", "ops/data") for path in (CSRC / folder).rglob("*.[ch]*"))


@pytest.mark.parametrize("file", _FILES, ids=lambda path: path.name)
def test_stages_take_elements_by_next(file):
    found = [line.strip() for line in file.read_text().splitlines() if _PULL.search(line) and not _OTHERS.search(line)]
    assert not found, f"call next() or next_rows() instead: {found}"
