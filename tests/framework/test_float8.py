"""The float8 types of TensorFlow 2: names, enum values, constants, feeds, GraphDefs and casts."""

import ml_dtypes
import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.values import dtypes

NUMBERS = {
    "float8_e5m2": 24,
    "float8_e4m3fn": 25,
    "float8_e4m3fnuz": 26,
    "float8_e4m3b11fnuz": 27,
    "float8_e5m2fnuz": 28,
}
LARGEST = {
    "float8_e5m2": 57344,
    "float8_e4m3fn": 448,
    "float8_e4m3fnuz": 240,
    "float8_e4m3b11fnuz": 30,
    "float8_e5m2fnuz": 57344,
}
EVERY = pytest.mark.parametrize("name", NUMBERS)


@pytest.fixture
def sess():
    with tf.Session() as session:
        yield session


def _dtype(name):
    return getattr(tf.dtypes.experimental, name)


def _all_halves():
    return np.arange(2**16, dtype=np.uint16).view(np.float16)


def _ties(name):
    """Every number of the type, the midpoints between neighbors, and values slightly off these, also beyond the
    largest.
    """
    numbers = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, name)).astype(np.float64)
    numbers = np.unique(np.abs(numbers[np.isfinite(numbers)]))
    numbers = np.append(numbers, [2 * numbers[-1] - numbers[-2], 4 * numbers[-1], 1e300, np.inf])
    half_way = (numbers[:-1] + numbers[1:]) / 2
    near = np.concatenate(
        [half_way * (1 + 2**-20), half_way * (1 - 2**-20), half_way, numbers, [np.nan, 5e-324, 1e-40]]
    )
    return np.concatenate([near, -near])


def _bits(array):
    """The bytes of the array, with all NaNs mapped to one value."""
    return np.where(np.isnan(array.astype(np.float32)), 0xFFF, array.view(np.uint8).astype(np.int32))


@EVERY
def test_names_and_numbers(name):
    dtype = _dtype(name)
    numpy_type = getattr(ml_dtypes, name)
    assert dtype.name == name and repr(dtype) == f"tf.{name}"
    assert dtype.as_datatype_enum == NUMBERS[name] == tf.as_dtype(NUMBERS[name]).as_datatype_enum
    assert dtype.as_numpy_dtype is numpy_type
    for given in (name, numpy_type, np.dtype(numpy_type), f"{name}_ref"):
        assert tf.as_dtype(given).base_dtype is dtype
    assert (dtype.is_floating, dtype.is_integer, dtype.is_quantized, dtype.is_numpy_compatible) == (
        True,
        False,
        False,
        True,
    )
    assert (float(dtype.min), float(dtype.max), dtype.size) == (-LARGEST[name], LARGEST[name], 1)
    assert dtypes.as_dtype(NUMBERS[name] + 100).base_dtype is dtype


@EVERY
def test_casts_from_and_to_floats_are_those_of_ml_dtypes(name, sess):
    numpy_type = getattr(ml_dtypes, name)
    with np.errstate(all="ignore"):
        ties = [_ties(name).astype(t) for t in (np.float64, np.float32, ml_dtypes.bfloat16)]
    for source in (_all_halves(), *ties):
        x = tf.placeholder(source.dtype, [None])
        with np.errstate(all="ignore"):
            wanted = source.astype(numpy_type)
        found = sess.run(tf.cast(x, _dtype(name)), {x: source})
        assert found.dtype == numpy_type
        np.testing.assert_array_equal(_bits(found), _bits(wanted))
    every = np.arange(256, dtype=np.uint8).view(numpy_type)
    for target in (tf.float32, tf.float64, tf.float16, tf.bfloat16):
        x = tf.placeholder(_dtype(name), [None])
        with np.errstate(all="ignore"):
            wanted = every.astype(target.as_numpy_dtype)
        found = sess.run(tf.cast(x, target), {x: every})
        np.testing.assert_array_equal(found.astype(np.float64), wanted.astype(np.float64))


@EVERY
@pytest.mark.parametrize("other", NUMBERS)
def test_casts_between_them(name, other, sess):
    every = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, name))
    x = tf.placeholder(_dtype(name), [None])
    found = sess.run(tf.cast(x, _dtype(other)), {x: every})
    np.testing.assert_array_equal(_bits(found), _bits(every.astype(np.float32).astype(getattr(ml_dtypes, other))))


@EVERY
def test_casts_to_other_numbers_but_not_from(name, sess):
    x = tf.placeholder(_dtype(name), [None])
    numbers = np.array([0, 1, 2.5, -3], getattr(ml_dtypes, name))
    for target, wanted in (
        (tf.int32, [0, 1, 2, -3]),
        (tf.int8, [0, 1, 2, -3]),
        (tf.uint8, [0, 1, 2, 253]),
        (tf.int64, [0, 1, 2, -3]),
        (tf.bool, [False, True, True, True]),
        (tf.complex64, [0, 1, 2.5, -3]),
    ):
        assert sess.run(tf.cast(x, target), {x: numbers}).tolist() == wanted
    for source in (tf.int32, tf.uint8, tf.bool, tf.complex64):
        with pytest.raises(tf.errors.UnimplementedError, match=f"Cast {source.name} to {name} is not supported"):
            sess.run(tf.cast(tf.placeholder_with_default(tf.zeros([1], source), [1]), _dtype(name)))


def test_doubles_are_rounded_once(sess):
    half_way = 1.0625  # between 1 and 1.125
    x = tf.constant([half_way * (1 + 2**-50), half_way, half_way * (1 - 2**-50)], tf.float64)
    assert sess.run(tf.cast(x, _dtype("float8_e4m3fn"))).astype(float).tolist() == [1.125, 1, 1]


def test_large_casts_are_split_and_empty_ones_are_not(sess):
    x = tf.placeholder(tf.float32, [None])
    numbers = np.random.RandomState(1).randn(300_001).astype(np.float32)
    y = tf.cast(tf.cast(x, _dtype("float8_e4m3fn")), tf.float32)
    wanted = numbers.astype(ml_dtypes.float8_e4m3fn).astype(np.float32)
    np.testing.assert_array_equal(sess.run(y, {x: numbers}), wanted)
    assert sess.run(y, {x: numbers[:0]}).shape == (0,)


@EVERY
def test_constants_feeds_and_what_moves_data(name, sess):
    numpy_type = getattr(ml_dtypes, name)
    dtype = _dtype(name)
    one = sess.run(tf.constant(1.5, dtype))
    assert (float(one), type(one)) == (1.5, numpy_type)
    assert sess.run(tf.constant([1, 2], dtype)).astype(float).tolist() == [1, 2]
    assert tf.constant(np.array([1.0], numpy_type)).dtype is dtype
    assert sess.run(tf.zeros([2], dtype)).astype(float).tolist() == [0, 0]
    assert sess.run(tf.ones([2], dtype)).astype(float).tolist() == [1, 1]
    x = tf.placeholder(dtype, [None])
    for fed in ([1.0, 2.0], np.array([1, 2], np.float32), np.array([1, 2], numpy_type)):
        found = sess.run([tf.identity(x), tf.concat([x, x], 0), tf.reshape(x, [2, 1]), tf.stack([x, x])], {x: fed})
        assert [f.dtype for f in found] == [numpy_type] * 4
        assert [f.astype(float).ravel().tolist() for f in found] == [[1, 2], [1, 2, 1, 2], [1, 2], [1, 2, 1, 2]]
    with pytest.raises(TypeError, match=f"has DataType {name} not in list of allowed values"):
        tf.multiply(x, x)


def test_eager_values(eager_values=((1.5, 0x3C), (-448.0, 0xFE))):
    with tf.EagerSession():
        for value, bits in eager_values:
            x = tf.constant(value, _dtype("float8_e4m3fn"))
            assert float(tf.cast(x, tf.float32)) == value
            assert x.numpy().view(np.uint8) == bits


@EVERY
@pytest.mark.parametrize("value", [1.5, [1.0, -2.0, 0.5], [[1.0]]])
def test_graphs_keep_them(name, value):
    c = tf.constant(value, _dtype(name))
    proto = c.op.node_def.attr["value"].tensor
    assert proto.dtype == NUMBERS[name]
    assert bool(proto.tensor_content) == (np.size(value) > 1)
    assert len(proto.float8_val) == (0 if np.size(value) > 1 else 1)
    np.testing.assert_array_equal(tf.make_ndarray(proto).astype(float), value)
    graph_def = tf.get_default_graph().as_graph_def()
    graph_def = type(graph_def).FromString(graph_def.SerializeToString())
    with tf.Graph().as_default(), tf.Session() as session:
        [again] = tf.import_graph_def(graph_def, return_elements=[c.name])
        assert again.dtype is _dtype(name)
        np.testing.assert_array_equal(session.run(again).astype(float), value)


def test_protos_are_tensorflows():
    full = tf.constant(1.5, _dtype("float8_e4m3fn"), [3]).op.node_def.attr["value"].tensor
    assert tf.make_tensor_proto(1.5, _dtype("float8_e4m3fn")).SerializeToString() == b"\x08\x19\x12\x00\x92\x01\x01<"
    assert tf.make_ndarray(full).astype(float).tolist() == [1.5] * 3
