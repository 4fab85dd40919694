"""docs/internals/add_an_op.md quotes the current sources and names existing files."""

import re

import pytest
from repository import ROOT

_SECTIONS = (ROOT / "docs/internals/add_an_op.md").read_text().split("\n## ")


@pytest.mark.parametrize("section", [s for s in _SECTIONS if "```" in s], ids=lambda s: s[:10])
def test_quotes(section):
    title = re.match(r".*`(.+)`", section)
    assert title, "a section that quotes code names its file"
    source = (ROOT / title[1]).read_text()
    for block in re.findall(r"```\w+\n(.*?)```", section, re.DOTALL):
        at = 0
        for piece in re.split(r" *…\n", block):
            at = source.find(piece, at)
            assert at >= 0, f"not in {title[1]}, or not in this order:\n{piece}"


def test_named_files_exist():
    names = {n for s in _SECTIONS for n in re.findall(r"`((?:\w+/)+\w+\.\w+)`", s)}
    assert names
    missing = [
        n for n in names if not any((ROOT / folder / n).exists() for folder in ("", "csrc", "csrc/ops", "tinytf/_src"))
    ]
    assert not missing, missing
