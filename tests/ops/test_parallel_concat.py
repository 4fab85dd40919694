"""ParallelConcat joins rows of known shapes."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "bool", "complex128", "string"])
def test_parallel_concat(dtype):
    rows = [[1, 0, 3], [4, 5, 0]] if dtype != "string" else [[b"a", b"bc", b""], [b"d", b"e", b"f"]]
    rows = np.array(rows).astype(object if dtype == "string" else tf.as_dtype(dtype).as_numpy_dtype)
    y = tf.parallel_stack([tf.constant(row, dtype) for row in rows])
    assert y.op.type == "ParallelConcat" and y.shape.as_list() == [2, 3]
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(y), rows)


def test_parallel_concat_refuses():
    one, two = tf.ones([1, 2]), tf.ones([2, 2])
    with pytest.raises(ValueError, match="Size of first dimension must be 1."):
        gen_ops.parallel_concat([one, two], shape=[2, 2])
    with pytest.raises(ValueError, match="All input shapes must be fully defined."):
        gen_ops.parallel_concat([one, tf.placeholder(tf.float32, [1, None])], shape=[2, 2])
    with pytest.raises(ValueError, match="shape attr must be fully defined."):
        gen_ops.parallel_concat([one, one], shape=[2, None])
    with pytest.raises(ValueError, match="From merging shape 0 with other shapes."):
        gen_ops.parallel_concat([one, one], shape=[2, 3])
