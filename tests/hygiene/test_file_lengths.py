"""Source files stay short, because each covers one concept."""

import statistics

from repository import ROOT, cpp_files, python_files

MEDIAN, PERCENTILE_95, LONGEST = 150, 450, 800
_WAIVERS = ROOT / "tests/hygiene/long_files.txt"


def _line_counts():
    """The number of lines of each hand-written source file, by its path from the root."""
    files = [path for path in cpp_files() + python_files() if "_gen" not in path.parts]
    return {path.relative_to(ROOT).as_posix(): path.read_text().count("\n") for path in files}


def _waivers():
    """The reasons by path; a line reads `path: reason`."""
    lines = [line for line in _WAIVERS.read_text().splitlines() if line and not line.startswith("#")]
    return {path.strip(): reason.strip() for path, _, reason in (line.partition(":") for line in lines)}


def test_most_files_are_short():
    counts = sorted(_line_counts().values())
    assert statistics.median(counts) <= MEDIAN
    assert counts[int(0.95 * (len(counts) - 1))] <= PERCENTILE_95


def test_long_files_have_a_reason():
    counts, waivers = _line_counts(), _waivers()
    wrong = [f"{path} has {n} lines" for path, n in counts.items() if n > LONGEST and not waivers.get(path)]
    assert not wrong, f"split them or give a reason in {_WAIVERS.name}: {wrong}"
    stale = [path for path in waivers if counts.get(path, 0) <= LONGEST]
    assert not stale, f"not needed any more: {stale}"
