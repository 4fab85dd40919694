"""Serialized examples that a function parses one by one in front of a batch."""

import re

import numpy as np
import pytest

import tinytf as tf

_BATCH = 4


def _example(number, **more):
    def floats(*values):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))

    def texts(*values):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))

    features = {"x": floats(number), "pair": floats(number, -number), "name": texts(b"n%d" % number)}
    if number % 2:
        features["odd"] = tf.train.Feature(int64_list=tf.train.Int64List(value=[number]))
    return tf.train.Example(features=tf.train.Features(feature={**features, **more})).SerializeToString()


_EXAMPLES = [_example(number) for number in range(10)]
_DAMAGED = [*_EXAMPLES[:6], b"no example", *_EXAMPLES[7:]]
_LACKING = [*_EXAMPLES[:6], tf.train.Example().SerializeToString(), *_EXAMPLES[7:]]
_OF_OTHER_TYPE = [*_EXAMPLES[:6], _example(6, x=tf.train.Feature()), *_EXAMPLES[7:]]

_FIXED = {
    "x": tf.FixedLenFeature([], tf.float32),
    "pair": tf.FixedLenFeature([2], tf.float32),
    "name": tf.FixedLenFeature([], tf.string),
    "odd": tf.FixedLenFeature([], tf.int64, default_value=-1),
}
_VARYING = {"x": tf.VarLenFeature(tf.float32), "name": tf.FixedLenFeature([], tf.string)}


def _computed(features):
    return features["x"] * 2 + 1, -features["pair"], tf.cast(features["odd"], tf.float32)


def _related(features):
    return features["x"] + features["pair"], tf.cast(features["odd"], tf.float32) * features["x"]


def _outcomes(dataset):
    """The elements, and the text of the error that ends them."""
    found = []
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session:
        try:
            while True:
                found.append(session.run(element))
        except tf.errors.OutOfRangeError:
            return found, None
        except tf.errors.OpError as error:
            return found, (type(error), re.sub(r"IteratorGetNext\w*", "IteratorGetNext", error.message))


def _parse(features, use):
    return lambda line: use(tf.parse_single_example(line, features))


@pytest.mark.parametrize("use", [dict.copy, _computed, _related], ids=["parsed", "computed", "related"])
@pytest.mark.parametrize("size", [1, _BATCH, 100])
def test_batches_have_the_elements(use, size):
    mapped = tf.data.Dataset.from_tensor_slices(_EXAMPLES).map(_parse(_FIXED, use))
    batches, error = _outcomes(mapped.batch(size))
    assert error is None
    single, _ = _outcomes(mapped)
    flat = [tf.nest.flatten(element) for element in single]
    for begin, batch in zip(range(0, len(flat), size), batches, strict=True):
        expected = [np.stack(column) for column in zip(*flat[begin : begin + size])]
        for found, wanted in zip(tf.nest.flatten(batch), expected, strict=True):
            assert found.dtype.kind == wanted.dtype.kind.replace("S", "O")
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("lines", [_DAMAGED, _LACKING, _OF_OTHER_TYPE], ids=["damaged", "lacking", "of other type"])
def test_an_error_is_that_of_the_example(lines):
    mapped = tf.data.Dataset.from_tensor_slices(lines).map(_parse(_FIXED, dict.copy))
    elements, single = _outcomes(mapped)
    assert len(elements) == 6 and single is not None
    batches, error = _outcomes(mapped.batch(_BATCH))
    assert len(batches) == 1 and error == single


def test_varying_features_are_parsed_one_by_one():
    lines = tf.data.Dataset.from_tensor_slices(_EXAMPLES)
    (batches, error) = _outcomes(lines.map(_parse(_VARYING, dict.copy)).batch(_BATCH))
    assert error is None and [len(batch["name"]) for batch in batches] == [4, 4, 2]
    assert [batch["x"].dense_shape.tolist() for batch in batches] == [[4, 1], [4, 1], [2, 1]]


def test_the_lines_are_scalars():
    lines = tf.data.Dataset.from_tensor_slices(_EXAMPLES).map(
        lambda line: tf.py_func(lambda x: np.array([x]), [line], tf.string)
    )
    found, error = _outcomes(lines.map(_parse(_FIXED, dict.copy)).batch(_BATCH))
    assert not found and error[0] is tf.errors.InvalidArgumentError
    assert "Expected serialized to be a scalar, got shape: [1]" in error[1]
