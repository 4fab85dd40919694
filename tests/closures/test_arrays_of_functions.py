"""Gradients through TensorArrays that functions share with the graph around them, which TensorFlow 1.15 refuses, are
right or refused, never zeros.
"""

import pytest

import tinytf as tf
from tinytf.python.framework.function import Defun

WEIGHTS = [1.0, 10.0, 100.0]


def _function(call):
    return tf.function(call, autograph=False)


def _array(values=None):
    x = tf.constant([1.0, 2.0, 3.0])
    return x, tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x if values is None else values(x))


def _written_in_a_loop(x):
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, x[i])), [0, array])[1]


READS = {
    "one element": (lambda a: a.read(1) * 3.0, [0.0, 3.0, 0.0]),
    "all elements": (lambda a: a.stack() * WEIGHTS, WEIGHTS),
    "some elements": (lambda a: a.gather([2, 0, 2]) * WEIGHTS, [10.0, 0.0, 101.0]),
    "elements in a row": (lambda a: tf.reshape(a.stack(), [-1]) * WEIGHTS, WEIGHTS),
    "a loop": (
        lambda a: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + a.read(i) * WEIGHTS[2]), [0, 0.0])[1],
        [100.0, 100.0, 100.0],
    ),
}


def _value(tensors):
    with tf.Session() as session:
        return session.run(tensors)


@pytest.mark.parametrize("written", ["at once", "in a loop"])
@pytest.mark.parametrize("read", [name for name in READS if name != "a loop"])
def test_gradients_in_a_function_go_through_an_outer_array(read, written):
    reader, expected = READS[read]
    x, array = _array()
    if written == "in a loop":
        array = _written_in_a_loop(x)
    read_outside = reader(array)
    found = [
        _function(lambda: tf.gradients(reader(array), x)[0])(),
        _function(lambda: tf.gradients(read_outside, x)[0])(),
        _function(lambda: _function(lambda: tf.gradients(reader(array), x)[0])())(),
        tf.gradients(read_outside, x)[0],
    ]
    for gradient in _value(found):
        assert gradient.tolist() == expected


def test_gradients_in_a_function_of_an_array_that_is_an_argument():
    x, array = _array()
    found = _function(lambda a: tf.gradients(a.stack() * WEIGHTS, x)[0])(array)
    assert _value(found).tolist() == WEIGHTS


def test_reads_in_and_outside_of_a_function_are_added():
    x, array = _array()
    outside = array.read(0) * 5.0
    found = _function(lambda: tf.gradients(array.read(0) * 3.0 + outside, x)[0])()
    assert _value(found).tolist() == [8.0, 0.0, 0.0]


def _refused(ys, xs):
    with pytest.raises(NotImplementedError, match="The gradient of the TensorArray 'TensorArray.*' is not supported"):
        tf.gradients(ys, xs)


CALLS = {
    "captured": lambda reader, array: _function(lambda: reader(array))(),
    "an argument": lambda reader, array: _function(reader)(array),
    "captured by an inner function": lambda reader, array: _function(
        lambda: _function(lambda: reader(array))() * 2.0
    )(),
    "passed on": lambda reader, array: _function(lambda a: _function(reader)(a) * 2.0)(array),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("read", [name for name in READS if name != "a loop"])
@pytest.mark.parametrize("written", ["at once", "in a loop", "one by one"])
def test_gradients_of_calls_that_read_an_outer_array_are_refused(read, call, written):
    x, array = _array()
    if written == "in a loop":
        array = _written_in_a_loop(x)
    elif written == "one by one":
        array = tf.TensorArray(tf.float32, 3, clear_after_read=False)
        for i in range(3):
            array = array.write(i, x[i])
    y = CALLS[call](READS[read][0], array)
    _value(y)
    _refused(y, x)
    _refused(y * 2.0, x)
    _refused([y, array.stack()], x)


def test_gradients_of_calls_in_branches_and_loops_are_refused():
    x, array = _array()
    read = _function(lambda i: array.read(i) * 3.0)
    _refused(tf.cond(x[0] > 0.0, lambda: read(1), lambda: read(0)), x)
    _refused(tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + read(i)), [0, 0.0])[1], x)

    def read_and_write(i, total, a):
        read = _function(lambda handle, flow: tf.TensorArray(tf.float32, handle=handle, flow=flow).read(0))
        total = total + tf.reshape(read(a.handle, a.flow), [])
        return i + 1, total, a.write(i + 1, x[i])

    start = tf.TensorArray(tf.float32, 4, clear_after_read=False).write(0, x[2])
    _refused(tf.while_loop(lambda i, s, a: i < 3, read_and_write, [0, 0.0, start])[1], x)


def test_a_tape_refuses_them():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        array = tf.TensorArray(tf.float32, 3).unstack(x)
        y = _function(lambda i: array.read(i) * 3.0)(1)
    with pytest.raises(NotImplementedError, match="The gradient of the TensorArray 'TensorArray' is not supported"):
        tape.gradient(y, x)


def test_an_array_that_functions_write_or_share_is_refused():
    x = tf.constant([1.0, 2.0, 3.0])
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    flow = _function(lambda: array.unstack(x).flow)()
    whole = tf.TensorArray(tf.float32, handle=array.handle, flow=flow)
    _refused(whole.stack(), x)
    _refused(_function(lambda a: a.stack())(whole), x)


def test_other_gradients_of_such_calls_are_right():
    x, array = _array()
    w = tf.constant(2.0)
    y = _function(lambda w: w * w * array.read(1))(w)
    assert _value([tf.gradients(y, w)[0], tf.gradients(y + array.read(0) * w, w)[0]]) == [8.0, 9.0]
    sized = _function(lambda w: w * tf.cast(array.size(), tf.float32))(w)
    found = tf.gradients(sized + array.read(0) * 7.0, [w, x])
    assert [gradient.tolist() for gradient in _value(found)] == [3.0, [7.0, 0.0, 0.0]]
    passed = tf.TensorArray(tf.float32, handle=array.handle, flow=_function(lambda: tf.identity(array.flow))())
    assert _value(tf.gradients(passed.stack() * WEIGHTS, x)[0]).tolist() == WEIGHTS
    own = _function(lambda x: tf.TensorArray(tf.float32, 3).unstack(x).stack() * WEIGHTS)(x)
    assert _value(tf.gradients(own, x)[0]).tolist() == WEIGHTS


def test_functions_of_the_first_generation_are_right_or_refused():
    x, array = _array()

    @Defun()
    def read():
        return array.stack() * WEIGHTS

    y = read()
    assert _value(tf.gradients(y, x)[0]).tolist() == WEIGHTS
    _refused(y, x)
