"""Optional values: variants that hold tensors or nothing."""

import re

import numpy as np
import pytest

import tinytf as tf

raw = tf.raw_ops
VALUES = [tf.float32, tf.int32]
SHAPES = [[2], []]


def _some():
    return raw.OptionalFromValue(components=[tf.constant([1.0, 2.0]), tf.constant(7)])


def _value(optional, types=VALUES, shapes=SHAPES):
    return raw.OptionalGetValue(optional=optional, output_types=types, output_shapes=shapes)


def test_static_shapes_are_those_that_are_told():
    assert [t.shape.as_list() for t in _value(_some(), shapes=[[None], []])] == [[None], []]


@pytest.mark.parametrize(
    ("optional", "types", "shapes", "text"),
    [
        (raw.OptionalNone, VALUES, SHAPES, "The given optional does not have a value."),
        (_some, VALUES[:1], SHAPES[:1], "The given optional has 2 components, expected 1"),
        (
            _some,
            [tf.int32, tf.int32],
            SHAPES,
            "The given optional does not match the expected type for component 0. Expected: int32. Actual: float.",
        ),
        (
            _some,
            VALUES,
            [[3], []],
            "The given optional does not match the expected shape for component 0. Expected: [3]. Actual: [2].",
        ),
        (
            lambda: raw.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.float32),
            VALUES,
            SHAPES,
            "Input is not an optional",
        ),
    ],
)
def test_other_values_than_are_asked_for(optional, types, shapes, text):
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        session.run(_value(optional(), types, shapes))


def test_zeros_and_sums():
    with tf.Session() as session:
        assert [x.tolist() for x in session.run(_value(tf.zeros_like(_some())))] == [[0, 0], 0]
        vector, number = session.run(_value(tf.add_n([_some(), tf.zeros_like(_some()), _some()])))
        assert vector.tolist() == [2, 4] and number == 14
        none = raw.OptionalNone()
        for optional in (tf.zeros_like(none), tf.add_n([none, none])):
            assert not session.run(raw.OptionalHasValue(optional=optional))


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (raw.OptionalNone, "Cannot add optionals because one has a value and the other doesn't."),
        (
            lambda: raw.OptionalFromValue(components=[tf.constant([1.0, 2.0])]),
            "Cannot add optionals because they have different numbers of components (2 vs. 1).",
        ),
        (
            lambda: raw.OptionalFromValue(components=[tf.constant([1.0, 2.0]), tf.constant(7.0)]),
            "Trying to add two optionals of int32 and float",
        ),
        (
            lambda: raw.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.float32),
            "Trying to add an optional and a value of type tensorflow::TensorList",
        ),
    ],
)
def test_sums_of_what_differs(other, text):
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        session.run(raw.OptionalHasValue(optional=tf.add_n([_some(), other()])))


def test_gradients():
    x = tf.constant([1.0, 2.0])
    [y] = _value(raw.OptionalFromValue(components=[x * 3.0]), [tf.float32], [[2]])
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.gradients(y * y, x)[0]), [18, 36])


@pytest.mark.parametrize("shapes", [[[2]], [[2], [], []]])
def test_types_and_shapes_of_different_number(shapes):
    message = f"output_types and output_shapes must be same length, got:\noutput_types: 2\noutput_shapes: {len(shapes)}"
    with tf.EagerSession(), pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(message)):
        _value(_some(), shapes=shapes)
