"""`tensor[...]`: values, nodes and errors."""

import numpy as np
import pytest

import tinytf as tf

VALUES = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

INDICES = [
    np.s_[0],
    np.s_[-1, 2],
    np.s_[..., 1],
    np.s_[:, None],
    np.s_[1:2, ::2],
    np.s_[::-1, 1:, ::-2],
    np.s_[None, ..., None, 3],
    np.s_[:],
    np.s_[()],
    np.s_[np.int64(1), np.int32(2)],
    np.s_[5:, 0],
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_as_numpy_does(index):
    with tf.Session() as sess:
        x = tf.constant(VALUES)
        result = x[index]
        expected = VALUES[index]
        np.testing.assert_array_equal(sess.run(result), expected)
        assert result.shape.as_list() == list(expected.shape)


def test_tensors_as_indices():
    s = tf.placeholder(tf.int32, [])
    x = tf.constant(VALUES)
    with tf.Session() as sess:
        got = sess.run([x[s], x[s:, 0], x[:, s + 1], x[0, tf.cast(s, tf.int64)]], {s: 1})
    for value, expected in zip(got, [VALUES[1], VALUES[1:, 0], VALUES[:, 2], VALUES[0, 1]], strict=True):
        np.testing.assert_array_equal(value, expected)


def test_a_boolean_mask_selects():
    x = tf.constant(VALUES)
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(x[np.array([True, False])]), VALUES[:1])
        np.testing.assert_array_equal(sess.run(x[x > 20]), VALUES[VALUES > 20])


def test_nodes():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    _ = x[1, :2]
    names = [(op.name, op.type) for op in tf.get_default_graph().get_operations()]
    assert names == [
        ("x", "Placeholder"),
        ("strided_slice/stack", "Const"),
        ("strided_slice/stack_1", "Const"),
        ("strided_slice/stack_2", "Const"),
        ("strided_slice", "StridedSlice"),
    ]
    op = tf.get_default_graph().get_operation_by_name("strided_slice")
    assert (op.get_attr("shrink_axis_mask"), op.get_attr("begin_mask"), op.get_attr("end_mask")) == (1, 2, 0)


@pytest.mark.parametrize("index", [1.5, "a", np.array([0, 1]), np.float32(1)], ids=repr)
def test_what_is_no_index(index):
    with pytest.raises(TypeError, match="Only integers, slices"):
        tf.constant(VALUES)[index]


@pytest.mark.parametrize(
    ("index", "text"),
    [(np.s_[0, 0, 0, 0], "Index out of range"), (np.s_[1:2:0], "must be non-zero"), (7, "out of bounds")],
)
def test_indices_that_do_not_fit(index, text):
    with pytest.raises(ValueError, match=text):
        tf.constant(VALUES)[index]


@pytest.mark.parametrize("use_resource", [False, True])
def test_slices_of_variables_can_be_assigned_to(use_resource):
    v = tf.Variable(VALUES, use_resource=use_resource)
    assign = v[0, 1:].assign(np.zeros([2, 4], np.float32))
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(assign)
        expected = VALUES.copy()
        expected[0, 1:] = 0
        np.testing.assert_array_equal(sess.run(v), expected)


def test_only_variables_can_be_assigned_to():
    with pytest.raises(ValueError, match="Sliced assignment is only supported for variables"):
        tf.constant(VALUES)[0].assign(1.0)
