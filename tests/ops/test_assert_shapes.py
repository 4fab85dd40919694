"""`tf.debugging.assert_shapes` gives the verdicts and messages of TensorFlow 1.15."""

import numpy as np
import pytest

import tinytf as tf

VECTOR = [1.0, 2.0, 3.0]


def _check(shapes, feeds=None, **options):
    with tf.Session() as sess:
        assert sess.run(tf.debugging.assert_shapes(shapes, **options), feeds) is None


@pytest.mark.parametrize(
    ("p_shape", "q_shape", "q_value"),
    [
        (("N", "Q"), ("B", "Q"), np.ones([2, 3])),
        (("...", "Q"), ("B", "Q"), np.ones([4, 3])),
        ((Ellipsis, "Q"), None, np.ones([4, 3])),
        (("*", 2, "3"), (None, "."), np.ones([4, 3])),
        ("ND", "ND", np.ones([2, 3])),
    ],
)
def test_shapes_that_fit(p_shape, q_shape, q_value):
    p, q = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 3])
    _check([(p, p_shape), (q, q_shape)], {p: np.ones([2, 3]), q: q_value})


def test_scalars_are_vectors_of_one():
    p = tf.placeholder(tf.float32)
    _check({tf.constant(1.0): (1,), tf.constant(2.0): (), p: ()}, {p: 1.0})
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have size"):
        _check([(p, ())], {p: [1.0, 2.0]})


def test_sizes_that_are_known_to_differ():
    x = tf.constant(VECTOR, name="x")
    text = r"msg.  Specified explicitly.  Tensor x:0 dimension 0 must have size 4.  Received size 3, shape \(3,\)"
    with pytest.raises(ValueError, match=text):
        tf.debugging.assert_shapes([(x, (4,))], message="msg")
    with pytest.raises(
        ValueError, match="Specified by tensor x:0 dimension 0.  Tensor y:0 dimension -1 must have size 3"
    ):
        tf.debugging.assert_shapes([(x, ("N",)), (tf.zeros([2, 5], name="y"), ("*", "N"))])
    with pytest.raises(ValueError, match=r"Tensor x:0 must have rank 2.  Received rank 1, shape \(3,\)"):
        tf.debugging.assert_shapes([(x, ("N", "M"))])


def test_sizes_that_differ_in_the_step():
    p, q = tf.placeholder(tf.float32, name="p"), tf.placeholder(tf.float32, [None, 3], name="q")
    text = r"\[Specified by tensor p:0 dimension 1\] \[Tensor q:0 dimension\] \[1\] \[must have size\] \[4\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        _check([(p, ("N", "Q")), (q, ("B", "Q"))], {p: np.ones([2, 4]), q: np.ones([2, 3])})
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"assertion failed: \[D\] \[1 2...\]"):
        _check([(p, (4,))], {p: VECTOR}, data=["D", p], summarize=2)


def test_what_is_no_shape():
    p = tf.placeholder(tf.float32)
    with pytest.raises(ValueError, match="Specified shape must be an iterable"):
        tf.debugging.assert_shapes([(p, 3)])
    with pytest.raises(ValueError, match="only allowed as the first entry"):
        tf.debugging.assert_shapes([(p, ("a", "*"))])
