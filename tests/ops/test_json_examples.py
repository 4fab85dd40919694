"""Examples are parsed from JSON."""

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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "Encountered non UTF-8 code points."),
        (b'{"\xc3"', "Encountered non UTF-8 code points."),
        ("[" * 1_000_000, "Message too deep. Max recursion depth reached for key ''"),
        ('{"a":' * 1_000_000, "Message too deep. Max recursion depth reached for key 'a'"),
        (
            '{"features": {"feature": {"a": {"int64List": {"value": [1, {}, 2]}}}}}',
            r"\(features.feature\[0\].value.int64_list.value\[1\]\): invalid value {} for type TYPE_INT64",
        ),
    ],
    ids=["no text", "cut", "lists", "objects", "no number"],
)
def test_what_tensorflow_does_not_survive_is_an_error(text, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        _run([text])


def test_the_first_wrong_one_of_many_is_told():
    texts = ["{}"] * 500
    texts[123], texts[400] = '{"x": 1}', "{"
    with pytest.raises(tf.errors.InvalidArgumentError, match="x: Cannot find field"):
        _run(texts)


def test_a_graph_with_it_runs_where_it_is_imported():
    with tf.Graph().as_default() as graph:
        tf.io.decode_json_example(tf.placeholder(tf.string, name="x"), name="y")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph.as_graph_def(), name="")
        assert session.run("y:0", {"x:0": '{"features": {}}'}) == b"\n\0"


def test_shapes_are_known():
    with tf.Graph().as_default():
        assert tf.decode_json_example(tf.placeholder(tf.string, [3, None])).shape.as_list() == [3, None]
