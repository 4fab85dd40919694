"""The bindings check each Result before they take its value."""

import re

from repository import CSRC, cpp_files

_DECLARED = re.compile(r"\b(?:auto|Result<.*>)&? (\w+)(?: = |\)|,|;)")
_TAKEN = re.compile(r"\b(\w+)\.(?:value|take)\(\)|\*(\w+)\.value\(\)")


def _unchecked(lines):
    """Line numbers where the value of a local or returned Result is taken without a check."""
    declared = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("}"):
            declared.clear()
        for name in _DECLARED.findall(line):
            declared[name] = number
        if re.search(r"\)\.(?:value|take)\(\)", line) and "error_already_set" not in line:
            yield number
        for name in filter(None, (n for found in _TAKEN.findall(line) for n in found)):
            since = declared.get(name)
            if since is None:
                continue
            seen = "\n".join(lines[since - 1 : number])
            if not re.search(rf"\b{name}\.(?:ok|status)\(\)", seen):
                yield number


def test_results_are_looked_at_before_their_values():
    wrong = []
    for path in cpp_files(CSRC / "python"):
        lines = path.read_text().splitlines()
        wrong += [f"{path.relative_to(CSRC)}:{number}: {lines[number - 1].strip()}" for number in _unchecked(lines)]
    assert not wrong, "\n".join(wrong)


def test_it_finds_what_it_looks_for():
    checked = ["auto x = f();", "if (!x.ok()) return;", "use(x.value());", "}"]
    unchecked = ["auto x = f();", "use(x.value());", "}", "use(f().take());"]
    assert list(_unchecked(checked)) == []
    assert list(_unchecked(unchecked)) == [2, 4]
