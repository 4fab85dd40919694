"""Constants are exported in the compact form in which they were created, so that initial values of large variables
do not bloat the graph. Programs compare all forms with TensorFlow's (`tests/saving/written_constant_programs.txt`).
"""

import numpy as np
import pytest

import tinytf as tf


def _written(value, **options):
    with tf.Graph().as_default() as graph:
        tf.constant(value, **options)
        (node,) = graph.as_graph_def().node
    return node.attr["value"].tensor


@pytest.mark.parametrize("shape", [[2, 3], [100, 200], [3000, 3000]])
@pytest.mark.parametrize(
    ("value", "dtype"),
    [(0.5, "float32"), (0.0, "float64"), (7, "int32"), (-1, "int64"), (3, "uint8"), (True, "bool"), (1.5, "float16")],
)
def test_single_values_are_written_as_such_and_come_back_whole(value, dtype, shape):
    written = _written(value, dtype=dtype, shape=shape)
    assert written.ByteSize() < 64
    array = tf.make_ndarray(written)
    assert array.shape == tuple(shape) and array.dtype == dtype and (array == np.array(value, dtype)).all()
    with tf.Graph().as_default():
        tf.constant(value, dtype=dtype, shape=shape, name="c")
        message = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        (c,) = tf.import_graph_def(message, return_elements=["c:0"])
        assert (session.run(c) == array).all()
        assert graph.as_graph_def().node[0].attr["value"].tensor == written


def test_arrays_are_written_whole():
    assert _written([1, 1]).tensor_content == np.int32([1, 1]).tobytes()
    assert len(_written(np.zeros([257], np.float32)).tensor_content) == 1028
    assert len(_written(np.broadcast_to(np.float32(1), [1000])).tensor_content) == 4000
    assert len(_written(["a"] * 2000).string_val) == 2000


def test_values_that_were_fetched_are_written_whole():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        again = tf.constant(session.run(tf.constant(0.5, shape=[1000])))
        assert len(again.op.get_attr("value").tensor_content) == 4000
        assert len(graph.as_graph_def().node[0].attr["value"].tensor.float_val) == 1


def test_meta_graphs_have_them_so():
    with tf.Graph().as_default():
        tf.get_variable("v", [1000, 1000], initializer=tf.constant_initializer(0.5))
        assert tf.train.export_meta_graph().ByteSize() < 10_000


@pytest.mark.parametrize(
    "field", ["int_val: 1 int_val: 2", "tensor_content: '\\001\\000\\000\\000\\002\\000\\000\\000'"]
)
def test_attrs_keep_their_form_when_they_are_set(field):
    from google.protobuf import text_format

    value = tf.AttrValue()
    text_format.Merge(f"tensor {{ dtype: DT_INT32 tensor_shape {{ dim {{ size: 2 }} }} {field} }}", value)
    with tf.Graph().as_default() as graph:
        c = tf.constant([5, 6])
        c.op._set_attr("value", value)
        assert graph.as_graph_def().node[0].attr["value"] == value
        assert tf.contrib.util.constant_value(c).tolist() == [1, 2]
