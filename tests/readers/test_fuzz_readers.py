"""A few cases of every kind of files pass; `make soak` runs more, `make fuzz` runs them under sanitizers."""

import os

import pytest
from fuzz_readers import batch_of, cases_of, new_worker
from reader_kinds import KINDS

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
