"""Segment ops report invalid ids with the messages of TensorFlow 1.15; with several faults, for the one it finds
first.
"""

import numpy as np
import pytest

import tinytf as tf

OUTSIDE = r"Segment id {} out of range \[0, {}\), possibly because 'segment_ids' input is not sorted."
FAULTS = {
    (-1, 0): OUTSIDE.format(-1, 1),
    (-3, 0, 0): OUTSIDE.format(-3, 1),
    (3, 5, 2, 1): OUTSIDE.format(3, 2),
    (1, 0): "segment ids are not increasing",
    (1, -1, 2): "segment ids are not increasing",
    (2, 1, 7): "segment ids are not increasing",
    (0, -1): "segment ids must be >= 0",
    (-1, -2): "segment ids must be >= 0",
}
DENSE = ["segment_sum", "segment_mean", "segment_prod", "segment_max", "segment_min"]
SPARSE = ["sparse_segment_sum", "sparse_segment_mean", "sparse_segment_sqrt_n"]


@pytest.mark.parametrize("ids", FAULTS)
@pytest.mark.parametrize("name", DENSE + SPARSE)
def test_faults(name, ids):
    rows = [np.arange(len(ids), dtype=np.int32)] if name in SPARSE else []
    made = getattr(tf, name)(np.ones([len(ids), 1]), *rows, np.array(ids, np.int32))
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=FAULTS[ids]):
        sess.run(made)


@pytest.mark.parametrize("name", SPARSE)
def test_faults_with_a_number_of_segments(name):
    made = [getattr(tf, name)([[1.0], [2.0]], [0, 1], ids, num_segments=2) for ids in ([-1, 0], [0, -1])]
    with tf.Session() as sess:
        for tensor, text in zip(made, (OUTSIDE.format(-1, 2), "segment ids are not increasing")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                sess.run(tensor)


@pytest.mark.parametrize("op", ["SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad"])
@pytest.mark.parametrize(
    ("indices", "ids", "rows", "text"),
    [
        ([0, 1], [0, 5], 2, "Invalid number of segments"),
        ([0, 9], [0, 1], 3, r"Index 9 out of range \[0, 3\)."),
        ([9, 0], [-1, 0], 2, r"Segment id -1 out of range \[0, 2\)."),
        ([0, 1], [0, 1], 0, None),
    ],
)
def test_gradients(op, indices, ids, rows, text):
    made = getattr(tf.raw_ops, op)(grad=[[1.0], [2.0]], indices=indices, segment_ids=ids, output_dim0=rows)
    with tf.Session() as sess:
        if text is None:
            assert sess.run(made).shape == (0, 1)
            return
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            sess.run(made)
