"""Whichever memory allocation fails while an op runs, the op fails or succeeds, and the session remains usable."""

import functools

import numpy as np
import pytest
from op_table import (
    _apply,
    _constant,
    _flat,
    _fully_known,
    _is_constant,
    _map,
    graph_of,
    inputs_of,
    is_executable,
    runnable_rows,
)

import tinytf as tf
from tinytf import _core

pytestmark = pytest.mark.hooks

_MOST = 12  # allocations of one call: first the step's, then the kernel's

# A Python function that runs out of memory ends with the class of its own exception.
_ROWS = [pytest.param(row, id=name) for name, row in runnable_rows() if row.op != "EagerPyFunc"]


@pytest.fixture(autouse=True)
def plenty():
    """Disables allocation failures after the test."""
    yield
    _core.testing.fail_allocation(-1)


def _check(call):
    """Runs the call with the first, the second, … allocation failing, until none is left, and then normally.

    Returns the number of calls that failed.
    """
    call()
    for number in range(_MOST):
        _core.testing.fail_allocation(number)
        try:
            call()
        except (tf.errors.ResourceExhaustedError, MemoryError):
            pass
        failed = _core.testing.allocation_has_failed()
        _core.testing.fail_allocation(-1)
        if not failed:
            break
    call()
    return number


@pytest.mark.parametrize("row", _ROWS)
def test_steps(row):
    dtype, shapes = row.cases()[-1]
    inputs = inputs_of(row, dtype, shapes)
    with graph_of(row).as_default(), tf.Session() as sess:
        tensors = [_map(_constant if _is_constant(row, i) else _fully_known, v) for i, v in enumerate(inputs)]
        pairs = zip(_flat([tensors]), _flat([inputs]), strict=True)
        feeds = {tensor: value for tensor, value in pairs if tensor.op.type == "Placeholder"}
        in_sequence = _apply(row, tensors)
        # A plan with a kernel that may block is run concurrently.
        concurrently = [*in_sequence, tf.FIFOQueue(1000, tf.int32, shapes=[[]]).enqueue(1)]
        for fetches in (in_sequence, concurrently):
            failed = _check(functools.partial(sess.run, fetches, feeds))
            assert failed > 0, "nothing is requested, so nothing is tested"


@pytest.mark.parametrize("row", [param for param in _ROWS if is_executable(param.values[0])])
def test_eager_operations(row):
    dtype, shapes = row.cases()[-1]
    inputs = inputs_of(row, dtype, shapes)
    # Values are freed by the thread whose allocations fail.
    with tf.EagerSession(resource_cleanup_strategy=tf.EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS):
        tensors = [_map(lambda a: tf.constant(np.asarray(a)), v) for v in inputs]
        _check(lambda: _apply(row, tensors))
