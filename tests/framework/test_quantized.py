"""Quantized types: elements are tuples in NumPy arrays and plain integers in results of steps, as in TensorFlow
1.15.
"""

import numpy as np
import pytest

import tinytf as tf

PLAIN = {tf.qint8: np.int8, tf.quint8: np.uint8, tf.qint16: np.int16, tf.quint16: np.uint16, tf.qint32: np.int32}


@pytest.fixture
def sess():
    with tf.Session() as session:
        yield session


EVERY = pytest.mark.parametrize("dtype", PLAIN, ids=lambda t: t.name)


def _structs(dtype):
    return np.array([(3,), (4,)], dtype.as_numpy_dtype)


@EVERY
def test_constants(dtype, sess):
    for value, wanted in (((3,), 3), ([(3,), (4,)], [3, 4]), (_structs(dtype), [3, 4])):
        c = tf.constant(value, dtype)
        assert c.dtype is dtype and c.shape == np.shape(wanted)
        found = sess.run(c)
        assert found.dtype == PLAIN[dtype]
        assert found.tolist() == wanted
    for value in (3, [3, 4], 3.0):
        with pytest.raises(TypeError, match=f"Expected {dtype.name}, got 3"):
            tf.constant(value, dtype)


@EVERY
def test_constants_of_graphs(dtype):
    proto = tf.constant([(3,), (4,)], dtype).op.node_def.attr["value"].tensor
    assert proto.dtype == dtype.as_datatype_enum
    assert proto.tensor_content == np.array([3, 4], PLAIN[dtype]).tobytes()
    scalar = tf.constant((3,), dtype, name="scalar").op.node_def.attr["value"].tensor
    assert list(scalar.int_val) == [3]
    assert tf.make_ndarray(proto).tolist() == [(3,), (4,)]
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default(), tf.Session() as session:
        both = tf.import_graph_def(graph_def, return_elements=["Const:0", "scalar:0"])
        assert [x.dtype for x in both] == [dtype] * 2
        assert [x.tolist() for x in session.run(both)] == [[3, 4], 3]


@EVERY
def test_feeds(dtype, sess):
    x = tf.placeholder(dtype, [None])
    for fed in (_structs(dtype), [3, 4], [(3,), (4,)], np.array([3, 4], PLAIN[dtype]), np.array([3, 4], np.int64)):
        found = sess.run(tf.identity(x), {x: fed})
        assert (found.dtype, found.tolist()) == (PLAIN[dtype], [3, 4])
    found = sess.run([tf.concat([x, x], 0), tf.reshape(x, [2, 1]), x[:1]], {x: [3, 4]})
    assert [f.tolist() for f in found] == [[3, 4, 3, 4], [[3], [4]], [3]]


@EVERY
def test_casts(dtype, sess):
    x = tf.placeholder(dtype, [None])
    for target in (tf.float32, tf.float64, tf.int32, tf.int64, tf.uint8, tf.float16, *PLAIN):
        found = sess.run(tf.identity(tf.cast(x, target)), {x: [3, 4]})
        assert found.tolist() == [3, 4]
        assert found.dtype == PLAIN.get(target, None if target in PLAIN else target.as_numpy_dtype)
    for source in ([1.9, 2.0], [1, 2], np.array([1, 2], np.int64)):
        found = sess.run(tf.cast(tf.constant(source), dtype))
        assert (found.dtype, found.tolist()) == (PLAIN[dtype], [1, 2])


@EVERY
def test_what_has_the_same_bytes_is_not_converted(dtype, sess):
    plain = tf.as_dtype(PLAIN[dtype])
    x = tf.placeholder(dtype, [None])
    y = tf.placeholder(plain, [None])
    assert sess.run(tf.cast(x, plain), {x: [3, 4]}).tolist() == [3, 4]
    assert sess.run(tf.bitcast(x, plain), {x: [3, 4]}).tolist() == [3, 4]
    assert sess.run([tf.cast(y, dtype), tf.bitcast(y, dtype)], {y: [3, 4]})[1].tolist() == [3, 4]


@EVERY
def test_variables(dtype, sess):
    v = tf.Variable(_structs(dtype))
    assert v.dtype.base_dtype is dtype
    sess.run(v.initializer)
    assert sess.run(tf.assign(v, tf.constant([(5,), (6,)], dtype))).tolist() == [5, 6]
