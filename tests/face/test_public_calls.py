"""Public functions add the same operations as in TensorFlow 1.15.5 for every way to pass their arguments: with
names that are None or empty, by keyword and by position, as arrays, messages and variables. See `calls.py`.
"""

import gzip
import json
from pathlib import Path

import calls
import pytest

import tinytf as tf

_FOLDER = Path(__file__).parent
_TABLE = json.loads(gzip.decompress((_FOLDER / calls.TABLE).read_bytes()))
_DIFFERENT = dict(line.split(": ", 1) for line in (_FOLDER / "different_calls.txt").read_text().splitlines()[1:])


_NAMES = [name for name in _TABLE if calls.is_there(tf, name)]


@pytest.mark.filterwarnings("ignore")  # about meaningless arguments
@pytest.mark.parametrize("name", _NAMES)
def test_same_operations(name):
    arguments, parameters, wanted = _TABLE[name]
    found = calls.ways(tf, name, arguments, parameters)
    different = {way for way in wanted if found[way] != wanted[way]}
    known = {way for way in wanted if f"{name} {way}" in _DIFFERENT or name in _DIFFERENT}
    wrong = [f"{way}\n  1.15: {wanted[way]}\n  here: {found[way]}" for way in wanted if way in different - known]
    assert not wrong, f"{name} {arguments}\n" + "\n".join(wrong)


def test_differences_are_of_calls():
    ways = {f"{name} {way}" for name, (_, _, found) in _TABLE.items() for way in found} | set(_TABLE)
    assert set(_DIFFERENT) <= ways


@pytest.mark.oracle
def test_tensorflow_does_what_is_kept(oracle1):
    """TensorFlow still gives the recorded outcomes, checked for a tenth of the functions, because all take minutes."""
    source = (_FOLDER / "calls.py").read_text() + "\nresult = {n: ways(tf, n, a, p) for n, a, p in asked}"
    asked = [(name, *_TABLE[name][:2]) for name in _NAMES[::10]]
    found = oracle1(source, asked=asked, __name__="calls")
    assert found == {name: _TABLE[name][2] for name, _, _ in asked}
