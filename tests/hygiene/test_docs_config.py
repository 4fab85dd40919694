"""The page about sessions documents every field of the session configuration."""

import re

import pytest
from repository import ROOT

import tinytf as tf

_PAGE = (ROOT / "docs" / "usage" / "sessions.md").read_text()
_TABLES = "\n".join(re.findall(r"^\|.*$", _PAGE, re.MULTILINE))
_NAMES = set(re.findall(r"[`.]([a-z]\w+)", _TABLES))


@pytest.mark.parametrize("message", ["ConfigProto", "GraphOptions", "OptimizerOptions", "RunOptions", "RunMetadata"])
def test_every_field_is_there(message):
    missing = {field.name for field in getattr(tf, message).DESCRIPTOR.fields} - _NAMES
    assert not missing, missing
