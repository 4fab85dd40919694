"""Classes that Python sees have names of their own. Clang tells classes in unnamed namespaces of two files apart by
their names only, so the module would not load if two had the same.
"""

import re
from collections import defaultdict
from pathlib import Path

_FOLDER = Path(__file__).resolve().parents[2] / "csrc/python"
_BOUND = re.compile(r"py::(?:class_|enum_)<(\w+)[^>]*>(?:\s+\w+)?\(\s*m\b,")


def test_classes_that_are_bound_have_names_of_their_own():
    files = defaultdict(set)
    for path in _FOLDER.rglob("*.cc"):
        for name in _BOUND.findall(path.read_text()):
            files[name].add(path.name)
    assert len(files) > 10
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
