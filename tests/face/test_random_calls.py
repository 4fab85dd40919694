"""Public functions with random arguments have the effects on a graph of TensorFlow 1.15.5, or fail as there. The calls
are recorded; with TensorFlow, `TINYTF_CALLS` others are compared, from the seed `TINYTF_CALLS_FROM`.
"""

import gzip
import json
import os
from pathlib import Path

import call_digests
import calls
import pytest
import random_calls

import tinytf as tf

_FOLDER = Path(__file__).parent
_RECORDED = json.loads(gzip.decompress((_FOLDER / random_calls.RECORDED).read_bytes()))
_PARTS = 20
_FIRST = int(os.environ.get("TINYTF_CALLS_FROM", random_calls.COUNT))
_SEEDS = range(_FIRST, _FIRST + int(os.environ.get("TINYTF_CALLS", "200")))
_LINES = (_FOLDER / "different_random_calls.txt").read_text().splitlines()[1:]
_DIFFERENT = dict(line.split(": ", 1) for line in _LINES)


def _is_compared(name, arguments, positional):
    given = {f"{name} {parameter}" for parameter, _ in arguments + positional}
    return calls.is_there(tf, name) and not given & _DIFFERENT.keys()


def _outcome(call):
    return calls.outcome(tf, *call, described=call_digests.digest, failed=call_digests.error)


def _text(name, arguments, positional):
    given = [expression for _, expression in positional] + ["=".join(argument) for argument in arguments]
    return f"{name}({', '.join(given)})"


def _difference(call, there):
    """The call and its outcomes if they differ; of the outcomes, the first lines that do."""
    here = _outcome(call)
    if call_digests.agree(there, here):
        return []
    lines = zip((there + "\n").split("\n"), (here + "\n").split("\n"), strict=False)
    theirs, ours = next(((a, b) for a, b in lines if a != b), (there, here))
    return [f"{_text(*call)}\n  1.15: {theirs}\n  here: {ours}"]


def _recorded_difference(call, there):
    """The call and its outcome if it is not the recorded one, which tells no more than the line that differs."""
    here = _outcome(call)
    found = call_digests.checks(here)
    if call_digests.agree(there, found):
        return []
    lines = here.splitlines()
    changed = [line for i, line in enumerate(lines) if found[4 * i : 4 * i + 4] != there[4 * i : 4 * i + 4]]
    return [f"{_text(*call)}\n  1.15: {there[:40]}\n  here: {(changed or lines)[0]}"]


@pytest.mark.filterwarnings("ignore")  # about meaningless arguments
@pytest.mark.parametrize("part", range(_PARTS))
def test_recorded_calls(part):
    found = [_recorded_difference(call, there) for *call, there in _RECORDED[part::_PARTS] if _is_compared(*call)]
    assert not sum(found, []), "\n".join(sum(found, []))


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_random_calls(oracle1):
    table = json.loads(gzip.decompress((_FOLDER / calls.TABLE).read_bytes()))
    asked = [random_calls.random_call(table, seed) for seed in _SEEDS]
    source = "\n".join((_FOLDER / f"{name}.py").read_text() for name in ("call_digests", "calls"))
    source += "\nresult = [outcome(tf, *call, described=digest, failed=error) for call in asked]"
    theirs = zip(asked, oracle1(source, asked=asked, __name__="calls"), strict=True)
    found = [_difference(call, there) for call, there in theirs if _is_compared(*call)]
    assert not sum(found, []), "\n".join(sum(found, []))


def test_recorded_calls_mostly_succeed():
    """Calls that fail tell little."""
    failed = [there for *_, there in _RECORDED if there.rstrip("?").endswith(("Error", "Exception"))]
    assert len(failed) < len(_RECORDED) / 2
