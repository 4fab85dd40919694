"""If a graph refuses an operation because of the rank of an input, so does eager execution.

Omitted are inputs that kernels accept with any rank as long as they have one element, here as in TensorFlow 1.15.5:
axes of reductions and of SplitV, the size of Bincount, and the messages of DeserializeManySparse.
"""

import numpy as np
import pytest
from op_table import _apply, all_rows, inputs_of, is_executable

import tinytf as tf
from tinytf import _core

OF_ANY_RANK = {
    "reduction_indices": None,
    "split_dim": "SplitV",
    "size": "Bincount",
    "serialized_sparse": "DeserializeManySparse",
}  # None: for all ops


def _places(row):
    """The numbers of the inputs that are single arrays."""
    arguments = _core.op_def(row.op)["inputs"]
    for i, (name, _, _, number, type_list, _) in enumerate(arguments):
        if not number and not type_list and OF_ANY_RANK.get(name, "") not in (None, row.op):
            yield i


def _refusal(row, inputs):
    try:
        _apply(row, inputs)
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return error
    return None


CASES = [
    pytest.param(row, id=name)
    for name, row in all_rows()
    if is_executable(row) and row.program is None and list(_places(row))
]


@pytest.mark.parametrize("row", CASES)
def test_other_ranks(row):
    dtype, shapes = row.cases()[0]
    inputs = inputs_of(row, dtype, shapes)
    for place in _places(row):
        _check_ranks(row, inputs, place)


def _check_ranks(row, inputs, place):
    given = np.asarray(inputs[place])
    others = [given[None]]
    if given.shape[:1] == (1,):
        others.append(given[0])
    for other in others:
        changed = (*inputs[:place], np.asarray(other), *inputs[place + 1 :])
        with tf.Graph().as_default():
            in_graph = _refusal(row, changed)
        with tf.EagerSession():
            executed = in_graph is None or _refusal(row, changed) is None
        assert in_graph is None or not executed, f"with {np.shape(other)} as input {place} a graph says: {in_graph}"
