"""Constants whose elements are all alike are written as one element when they are large, as TensorFlow writes those that
were made of one: a graph with the initial values of large variables stays small."""

import numpy as np
import pytest

import tinytf as tf


def _written(value, **options):
    with tf.Graph().as_default() as graph:
        tf.constant(value, **options)
        (node,) = graph.as_graph_def().node
    return node.attr["value"].tensor


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(0.5, "float32"), (0.0, "float64"), (7, "int32"), (-1, "int64"), (3, "uint8"), (True, "bool"), (1.5, "float16")],
)
def test_large_ones_are_small_in_graphs_and_come_back_whole(value, dtype):
    written = _written(value, dtype=dtype, shape=[100, 200])
    assert written.ByteSize() < 64
    array = tf.make_ndarray(written)
    assert array.shape == (100, 200) and array.dtype == dtype and (array == np.array(value, dtype)).all()
    with tf.Graph().as_default() as graph:
        tf.constant(value, dtype=dtype, shape=[100, 200], name="c")
        message = graph.as_graph_def()
    with tf.Graph().as_default(), tf.Session() as session:
        (c,) = tf.import_graph_def(message, return_elements=["c:0"])
        assert (session.run(c) == array).all()


def test_bits_are_what_counts():
    zeros = np.zeros([1000], np.float32)
    zeros[-1] = -0.0
    assert len(_written(zeros).tensor_content) == 4000
    assert len(_written(np.full([1000], np.nan, np.float32)).float_val) == 1


def test_small_ones_and_others_are_written_whole():
    assert _written([1, 1]).tensor_content == np.int32([1, 1]).tobytes()
    assert len(_written(np.zeros([256], np.float32)).tensor_content) == 1024
    assert len(_written(np.zeros([257], np.float32)).float_val) == 1
    assert len(_written(np.arange(1000.0)).tensor_content) == 8000
    assert len(_written(["a"] * 2000).string_val) == 2000


def test_meta_graphs_have_them_so():
    with tf.Graph().as_default():
        tf.get_variable("v", [1000, 1000], initializer=tf.constant_initializer(0.5))
        assert tf.train.export_meta_graph().ByteSize() < 10_000
