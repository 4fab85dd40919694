"""Examples in JSON."""

import pytest

import tinytf as tf


def _run(texts):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.io.decode_json_example(texts))


def test_examples_are_those_that_the_json_says():
    text = (
        '{"features": {"feature": {"a": {"int64List": {"value": ["1", 2]}}, "b": {"bytes_list": {"value": ["YQ=="]}},'
        ' "c": {"floatList": {"value": [1.5, "Infinity"]}}}}}'
    )
    found = _run([[text], ["{}"]])
    assert found.shape == (2, 1)
    assert found[1, 0] == b""
    feature = tf.train.Example.FromString(found[0, 0]).features.feature
    assert list(feature["a"].int64_list.value) == [1, 2]
    assert list(feature["b"].bytes_list.value) == [b"a"]
    assert list(feature["c"].float_list.value) == [1.5, float("inf")]


def test_one_example():
    assert _run("{}") == b""


@pytest.mark.parametrize("text", ["{", "", '{"x": 1}', '{"features": {"feature": {"a": {"int64List": 3}}}}', b"\xff"])
def test_what_is_no_such_json_is_an_error(text):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Error while parsing JSON"):
        _run([text])


def test_shapes_are_known():
    with tf.Graph().as_default():
        assert tf.decode_json_example(tf.placeholder(tf.string, [3, None])).shape.as_list() == [3, None]
