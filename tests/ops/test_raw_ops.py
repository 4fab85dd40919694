"""`tf.raw_ops` functions take only keyword arguments, with TensorFlow's names."""

import inspect

import pytest

import tinytf as tf


def test_arguments_by_position_are_refused():
    with pytest.raises(
        TypeError, match=r"^Sum only takes keyword args \(possible keys: \['input', 'axis', 'keep_dims', 'name'\]\)"
    ):
        tf.raw_ops.Sum(tf.constant([1.0]), 0)


@pytest.mark.parametrize(
    ("op", "parameters"),
    [
        *[
            (op, ["input", "axis", "keep_dims"])
            for op in ("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum")
        ],
        ("ExpandDims", ["input", "axis"]),
        ("Split", ["axis", "value", "num_split"]),
        ("SplitV", ["value", "size_splits", "axis", "num_split"]),
        ("Squeeze", ["input", "axis"]),
        ("Select", ["condition", "x", "y"]),
        ("Where", ["condition"]),
    ],
)
def test_parameters_that_tensorflow_renames(op, parameters):
    assert list(inspect.signature(getattr(tf.raw_ops, op)).parameters) == [*parameters, "name"]


def test_renamed_parameters_reach_the_op():
    total = tf.raw_ops.Sum(input=tf.constant([[1.0, 2.0]]), axis=[1], keep_dims=True)
    assert total.op.type == "Sum"
    assert total.shape.as_list() == [1, 1]
    assert tf.raw_ops.Squeeze(input=tf.ones([1, 2, 1]), axis=[0]).shape.as_list() == [2, 1]
    pieces = tf.raw_ops.SplitV(value=tf.ones([3]), size_splits=[1, 2], axis=0, num_split=2)
    assert [piece.shape.as_list() for piece in pieces] == [[1], [2]]


def test_wrapper_is_documented():
    assert tf.raw_ops.MatMul.__name__ == "MatMul"
    assert tf.raw_ops.MatMul.__doc__ == tf.linalg.matmul.__doc__ or "product" in tf.raw_ops.MatMul.__doc__.lower()
