"""Checkpoints, graphs and models of TensorFlow 1.15.5 can be read here, and the reverse."""

import os
import tarfile
from pathlib import Path

import pytest
from files_programs import read, write

import tinytf as tf

_HERE = Path(__file__).parent
_ASK = (_HERE / "files_programs.py").read_text().partition('if __name__ == "__main__"')[0]


@pytest.fixture
def theirs(tmp_path):
    """The files written by TensorFlow."""
    with tarfile.open(_HERE / "files_of_1_15.tar.gz") as tar:
        tar.extractall(tmp_path / "theirs", filter="data")
    return tmp_path / "theirs"


@pytest.fixture
def written(tmp_path):
    """The files written by this package."""
    folder = tmp_path / "ours"
    folder.mkdir()
    write(tf, str(folder))
    return folder


def _close(one, other):
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_close, one, other))
    return one == pytest.approx(other, rel=1e-4) if isinstance(one, float) else one == other


def test_files_of_1_15_and_our_own_are_the_same_to_a_reader(written, theirs):
    ours = read(tf, str(written))
    assert ours[5] == 4 and ours[-1][0] == "/model/assets/words.txt"
    assert _close(read(tf, str(theirs)), ours)


def test_the_same_files_are_written(written, theirs):
    def files(folder):
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())

    assert files(theirs) == [name for name in files(written) if name != "checkpoint"]
    for name in files(theirs):
        if name.endswith(".index") or ".data-" in name:
            assert os.path.getsize(theirs / name) == os.path.getsize(written / name), name


@pytest.mark.oracle
def test_tensorflow_reads_what_is_written_here(oracle1, written):
    there = oracle1(_ASK + "result = read(tf, folder)", folder=str(written))
    assert _close(read(tf, str(written)), there)


@pytest.mark.oracle
def test_what_tensorflow_writes_now_is_read_here(oracle1, tmp_path):
    there = oracle1(_ASK + "write(tf, folder)\nresult = read(tf, folder)", folder=str(tmp_path))
    assert _close(read(tf, str(tmp_path)), there)
