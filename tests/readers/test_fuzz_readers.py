"""A few cases of every kind of files pass; `make soak` runs more, `make fuzz` runs them under sanitizers."""

import os

import pytest
from fuzz_readers import batch_of, cases_of, new_worker
from reader_cases import Reading
from reader_kinds import KINDS, seeds_of

_SEED = 20261126
_BATCHES = int(os.environ.get("TINYTF_READER_BATCHES", "2"))


@pytest.fixture(scope="module")
def worker():
    started = new_worker()
    yield started
    started.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind, worker):
    wrong = cases_of(worker, kind, _SEED, 0, _BATCHES * batch_of(kind))
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.keeps_state  # the reading steps are cached across tests
def test_elements_of_snapshots_come_from_their_files():
    reading = Reading()
    [files] = seeds_of("snapshot")
    name = "00000000.snapshot"
    assert b"bc" * 40 in files[name]
    found = reading.read("snapshot", {**files, name: files[name].replace(b"bc" * 40, b"xy" * 40)})
    reading.close()
    assert [text for _, text in found] == [b"a", b"", b"xy" * 40]
