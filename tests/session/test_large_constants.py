"""Large constants given by few elements stay compact until a step reads them."""

import numpy as np
import pytest
from process_memory import resident_bytes

import tinytf as tf
from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.framework.values import tensor_util

_MIB = 1 << 20


def _proto(dtype, shape, **content):
    return protos.TensorProto(
        dtype=dtype.as_datatype_enum, tensor_shape={"dim": [{"size": size} for size in shape]}, **content
    )


def _graph_of(proto):
    node = protos.NodeDef(name="large", op="Const")
    node.attr["dtype"].type = proto.dtype
    node.attr["value"].tensor.CopyFrom(proto)
    return protos.GraphDef(node=[node], versions={"producer": 134})


def _imported(proto):
    (large,) = tf.import_graph_def(_graph_of(proto), return_elements=["large:0"], name="")
    return large


_PROTOS = {
    "one": _proto(tf.float32, [2**31], float_val=[1.5]),
    "several": _proto(tf.int64, [2**16, 2**16], int64_val=[1, -2, 3]),
    "none": _proto(tf.float64, [2**30, 7]),
    "half": _proto(tf.float16, [2**30], half_val=[15360, 15361]),
    "complex": _proto(tf.complex64, [2**30], scomplex_val=[1.0, -2.0]),
    "bool": _proto(tf.bool, [2**40], bool_val=[True]),
    "text": _proto(tf.string, [2**31], string_val=[b"ab"]),
    "bfloat16": _proto(tf.bfloat16, [2**30], half_val=[16320]),
    "uint16": _proto(tf.uint16, [2**33], int_val=[65535]),
}


@pytest.mark.parametrize("kind", _PROTOS)
def test_they_are_imported_and_exported_as_they_are(kind):
    proto = _PROTOS[kind]
    before = resident_bytes()
    large = _imported(proto)
    assert large.shape.as_list() == [dim.size for dim in proto.tensor_shape.dim]
    assert large.op.get_attr("value").SerializeToString() == proto.SerializeToString()
    (node,) = tf.get_default_graph().as_graph_def().node
    assert node.attr["value"].tensor.SerializeToString() == proto.SerializeToString()
    message = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as again:
        tf.import_graph_def(message, name="")
    assert again.as_graph_def() == message
    assert resident_bytes() - before < 64 * _MIB


def test_their_shape_is_known_without_them():
    large = _imported(_PROTOS["one"])
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(gen_ops.shape(large, out_type=tf.int64)), [2**31])
        assert sess.run(gen_ops.size(large, out_type=tf.int64)) == 2**31
        assert sess.run(gen_ops.rank(large)) == 1
        assert sess.memory_stats().peak_bytes < _MIB


def test_shape_functions_take_them_for_unknown():
    large = _imported(_proto(tf.int32, [2**26], int_val=[1]))
    x = tf.placeholder(tf.float32)
    assert tf.reshape(x, large[:3]).shape.as_list() == [1, 1, 1]
    assert tf.tile(tf.placeholder(tf.float32, [None]), large[:1]).shape.as_list() == [None]
    assert gen_ops.fill(gen_ops.slice(large, [0], [2]), 0.0).shape.ndims == 2


def test_a_step_that_reads_one_makes_it_once_in_the_memory_of_its_session():
    size = 64 * _MIB
    large = _imported(_proto(tf.uint8, [size], int_val=[5, 6]))
    first, last = large[:3] + 0, tf.reduce_max(large)
    with tf.Session() as sess:
        assert sess.run(first).tolist() == [5, 6, 6]
        stats = sess.memory_stats()
        assert size <= stats.live_bytes < size + _MIB
        assert sess.run(last) == 6
        assert size <= sess.memory_stats().live_bytes < size + _MIB
        value = sess.run(large)
        assert value.shape == (size,)
        assert value[[0, 1, -1]].tolist() == [5, 6, 6]
        np.testing.assert_array_equal(sess.run(tf.bitwise.invert(large))[:3], [250, 249, 249])
        assert sess.run(large)[0] == 5  # the constant is unchanged


def test_one_that_does_not_fit_is_an_error_of_the_step():
    large = _imported(_proto(tf.float32, [2**45], float_val=[1]))
    with tf.Session() as sess:
        for _ in range(2):
            with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating") as caught:
                sess.run(large[:3])
            assert caught.value.op is large.op
        assert sess.run(tf.constant(1)) == 1


def test_constants_that_fill_a_shape_are_kept_in_few_elements_too():
    before = resident_bytes()
    filled = tf.constant(2.5, shape=[2**16, 2**15])
    proto = filled.op.get_attr("value")
    assert proto.SerializeToString() == _proto(tf.float32, [2**16, 2**15], float_val=[2.5]).SerializeToString()
    assert tensor_util.constant_value(filled)[-1, -1] == 2.5
    assert resident_bytes() - before < 64 * _MIB


def test_initial_values_may_be_such_constants():
    v = tf.get_variable("v", initializer=tf.constant(1.5, shape=[8 * _MIB]), use_resource=True)
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(tf.reduce_max(v.assign_add(tf.ones_like(v)))) == 2.5
        sess.run(v.initializer)
        assert sess.run(tf.reduce_max(v)) == 1.5


def test_small_ones_are_made_at_once():
    small = _imported(_proto(tf.float32, [1000], float_val=[1.5]))
    with tf.Session() as sess:
        assert sess.plan_report(small).op_counts == {}
        assert sess.plan_report(small).constant_bytes == 4000
        np.testing.assert_array_equal(sess.run(small), np.full([1000], 1.5, np.float32))
