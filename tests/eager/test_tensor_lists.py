"""Tensor lists in eager execution: tapes differentiate through them; functions take, capture and return them."""

import pytest

import tinytf as tf
from tinytf._src.ops.data_flow import list_ops


@pytest.fixture(autouse=True)
def _executed(eager):
    pass


def _stack(handle):
    return list_ops.tensor_list_stack(handle, tf.float32)


def test_lists_are_values():
    rows = list_ops.tensor_list_from_tensor([1.0, 2.0], [])
    longer = list_ops.tensor_list_push_back(rows, 3.0)
    changed = list_ops.tensor_list_set_item(longer, 0, 7.0)
    assert _stack(rows).numpy().tolist() == [1, 2]
    assert _stack(longer).numpy().tolist() == [1, 2, 3]
    assert _stack(changed).numpy().tolist() == [7, 2, 3]


def test_lists_are_not_printed():
    rows = list_ops.tensor_list_from_tensor([1.0, 2.0], [])
    assert str(rows) == "tf.Tensor(<unprintable>, shape=(), dtype=variant)"
    assert repr(rows).endswith("shape=(), dtype=variant, numpy=<unprintable>>")


def test_tapes_go_through_lists():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        handle = list_ops.tensor_list_push_back(list_ops.tensor_list_from_tensor(x, [2]), x[0] * 3.0)
        handle, last = list_ops.tensor_list_pop_back(handle, tf.float32)
        handle = list_ops.tensor_list_set_item(handle, 1, last * x[1])
        total = tf.reduce_sum(_stack(handle) ** 2.0)
    # As in TensorFlow 1.15.5: the gradient of x0² + (3 x0 x1)².
    assert tape.gradient(total, x).numpy().tolist() == [[164.0, 580.0], [54.0, 288.0]]


def test_tapes_give_zeros_for_what_is_not_used():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        shorter, last = list_ops.tensor_list_pop_back(list_ops.tensor_list_from_tensor(x, []), tf.float32)
        second = list_ops.tensor_list_get_item(shorter, 1, tf.float32)
        total = last * last + second
    assert tape.gradient(total, x).numpy().tolist() == [0.0, 1.0, 6.0]


def test_second_gradients():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            handle = list_ops.tensor_list_set_item(list_ops.tensor_list_from_tensor(x, []), 0, x[1] * x[2])
            total = tf.reduce_sum(_stack(handle) ** 3.0)
        gradient = inner.gradient(total, x)
    _, a, b = x.numpy()
    expected = [
        0.0,
        6 * a * b**3 + 6 * a + 9 * a**2 * b**2,
        6 * b * a**3 + 6 * b + 9 * a**2 * b**2,
    ]
    assert outer.gradient(gradient, x).numpy().tolist() == expected


@pytest.mark.parametrize("in_a_graph", [False, True])
def test_functions_and_lists(in_a_graph):
    def values():
        rows = list_ops.tensor_list_from_tensor(tf.constant([1.0, 2.0, 3.0]), [])
        captured = tf.function(lambda i: list_ops.tensor_list_get_item(rows, i, tf.float32))
        taken = tf.function(lambda handle, i: list_ops.tensor_list_get_item(handle, i, tf.float32))
        yielded = tf.function(lambda x: list_ops.tensor_list_push_back(rows, x))
        return [captured(tf.constant(1)), taken(rows, tf.constant(2)), _stack(yielded(tf.constant(4.0)))]

    if in_a_graph:
        with tf.Graph().as_default(), tf.Session() as session:
            found = session.run(values())
    else:
        found = [value.numpy() for value in values()]
    assert [value.tolist() for value in found] == [2.0, 3.0, [1.0, 2.0, 3.0, 4.0]]
