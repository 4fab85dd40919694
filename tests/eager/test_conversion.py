"""Conversion of Python values to tensors in eager execution, and its errors."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.values.constant_value import constant_value, constant_value_as_shape


@pytest.fixture(autouse=True)
def _executed(eager):
    pass


def _raises(kind, text, function, *args, **kwargs):
    with pytest.raises(kind) as caught:
        function(*args, **kwargs)
    assert str(getattr(caught.value, "message", caught.value)) == text


def test_tensors_stay_what_they_are():
    x = tf.constant([1.0, 2.0])
    assert tf.convert_to_tensor(x) is x
    assert tf.convert_to_tensor(x, tf.float32) is x
    assert tf.convert_to_tensor(x, preferred_dtype=tf.int32) is x
    assert tf.constant(x) is x
    assert tf.constant(x, shape=[2]) is x
    assert tf.is_tensor(x) and not tf.is_tensor(1) and not tf.is_tensor(np.ones(1))


def test_values_of_other_types():
    x, v = tf.constant([1.5]), tf.constant([1])
    _raises(
        ValueError,
        f"Tensor conversion requested dtype int32 for Tensor with dtype float32: {x!r}",
        tf.convert_to_tensor,
        x,
        tf.int32,
    )
    _raises(TypeError, "Expected tensor with type tf.float32 not tf.int32", tf.constant, v, tf.float32)
    for left, right in ((x, v), (v, x)):
        text = (
            f"cannot compute AddV2 as input #1(zero-based) was expected to be a {'float' if left is x else 'int32'} tensor "
            f"but is a {'int32' if left is x else 'float'} tensor [Op:AddV2]"
        )
        _raises(tf.errors.InvalidArgumentError, text, lambda left=left, right=right: left + right)


@pytest.mark.parametrize("value", [1.5, [1.5]])
def test_python_numbers_of_other_types(value):
    with pytest.raises(TypeError, match="Cannot convert .*1.5.* to EagerTensor of dtype int32"):
        tf.add(tf.constant(1), value)


@pytest.mark.parametrize("value", [np.float64(1.5), np.float32(1.5), np.array(1.5)])
def test_numpy_numbers_are_cast(value):
    assert tf.add(tf.constant(1), value).numpy() == 2
    assert tf.constant(value, tf.int32).numpy() == 1


def test_arguments_of_one_type():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="cannot compute MatMul as input #1.*float tensor but is a int32"
    ):
        tf.matmul(tf.ones([2, 2]), tf.ones([2, 2], tf.int32))
    with pytest.raises(TypeError, match=r"types \[float32, int32\] that don't all match"):
        tf.concat([tf.constant([1.0]), tf.constant([1])], 0)


def test_lists_with_tensors_are_packed():
    x = tf.constant([1.0, 2.0])
    assert tf.convert_to_tensor([x, x]).numpy().tolist() == [[1, 2], [1, 2]]
    assert tf.convert_to_tensor([x[0], 5.0, [7.0][0]]).numpy().tolist() == [1, 5, 7]
    assert tf.convert_to_tensor([[x[0], 2], [3, x[1]]]).numpy().tolist() == [[1, 2], [3, 2]]
    assert tf.reshape(x, [tf.constant(2), 1]).shape == [2, 1]
    assert tf.zeros([tf.constant(2), 3]).shape == [2, 3]


@pytest.mark.parametrize(
    "scalar",
    [
        np.float16(2),
        np.float32(2),
        np.float64(2),
        np.int8(2),
        np.uint16(2),
        np.int64(2),
        np.bool_(True),
        np.complex64(2),
    ],
)
def test_numpy_scalars(scalar):
    tensor = tf.convert_to_tensor(scalar)
    assert tensor.dtype.as_numpy_dtype is type(scalar)
    assert tensor.numpy() == scalar


def test_constants():
    assert tf.constant(7, shape=[2]).numpy().tolist() == [7, 7]
    assert tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.constant(3, tf.float32).dtype == tf.float32
    _raises(TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32", tf.constant, 1.5, tf.int32)
    _raises(TypeError, "Cannot convert 'a' to EagerTensor of dtype float", tf.constant, "a", tf.float32)
    _raises(
        TypeError,
        "Eager execution of tf.constant with unsupported shape (value has 3 elements, shape is (5,) with 5 elements).",
        tf.constant,
        [1, 2, 3],
        shape=[5],
    )
    _raises(
        TypeError,
        "Expected Tensor's shape: (2, 2), got (4,).",
        tf.constant,
        [1, 2, 3, 4],
        shape=[2, 2],
        verify_shape=True,
    )


def test_values_are_known():
    x = tf.constant([2, 3])
    assert constant_value(x).tolist() == [2, 3]
    assert constant_value_as_shape(x).as_list() == [2, 3]
    assert tf.TensorShape(x).as_list() == [2, 3]


def test_tensors_as_python_numbers():
    m, one = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant(1)
    assert tf.reduce_sum(m, axis=one).numpy().tolist() == [3, 7]
    assert tf.concat([m, m], axis=one).shape == [2, 4]
    assert m[one].numpy().tolist() == [3, 4]
    assert [10, 20, 30][one] == 20
    assert list(range(one)) == [0]
    assert m.numpy()[one].tolist() == [3, 4]


def test_a_graph_takes_values_as_constants_only():
    x = tf.constant([1.0, 2.0])
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.constant(x)).tolist() == [1, 2]
        assert sess.run(tf.constant(x.numpy()) * 2).tolist() == [2, 4]
        p = tf.placeholder(tf.float32)
        for use in (
            lambda: p + x,
            lambda: tf.identity(x),
            lambda: tf.stack([x, p]),
            lambda: tf.reshape(p, x),
            lambda: tf.add_n([x]),
        ):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match="EagerTensor without building a function"
            ) as caught:
                use()
            assert isinstance(caught.value, RuntimeError)  # TensorFlow raises a RuntimeError


def test_eager_execution_takes_no_tensors_of_graphs():
    with tf.Graph().as_default():
        node = tf.constant([1.0], name="node")
    for use in (lambda: node + 1.0, lambda: tf.identity(node), lambda: tf.stack([node, node]), lambda: node[0]):
        with pytest.raises(TypeError, match=r"(?s)being passed\na \"Graph\" tensor.*The graph tensor has name: node:0"):
            use()


def test_feeds_and_fetches_are_of_the_graph():
    x = tf.constant([1.0])
    with tf.Graph().as_default(), tf.Session() as sess:
        p = tf.placeholder(tf.float32)
        with pytest.raises(TypeError, match=r"cannot be a tf.Tensor object.*feed tensor.numpy\(\)"):
            sess.run(p, {p: x})
        with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor.*not part of a graph"):
            sess.run(p, {x: 1.0})
        with pytest.raises(TypeError, match="Fetch argument.*not part of a graph"):
            sess.run(x)
        assert sess.run(p, {p: x.numpy()}).tolist() == [1]
