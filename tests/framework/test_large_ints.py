"""Python ints of 2^31 and more become int64 where an op prefers int32 but accepts int64; otherwise they are errors,
never other numbers.
"""

import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

LARGE = (1 << 32) + 1  # wraps around to 1 as int32
MINUS = -(1 << 31) - 1  # wraps around to 2^31 - 1 as int32


def build(make):
    with tf.Graph().as_default():
        return make()


def execute(make):
    with eager_mode(), tf.EagerSession():
        return make()


# Calls that need little memory with the wrapped number, and otherwise either fail or produce no elements.
CALLS = {
    "tile": lambda n: tf.tile(tf.ones([0]), [n]),
    "fill": lambda n: tf.fill([n, 0], 1.0),
    "pad": lambda n: tf.pad(tf.ones([1, 0]), [[n - 1, 0], [0, 0]]),
    "reshape": lambda n: tf.reshape(tf.ones([0]), [n, 0]),
    "zeros": lambda n: tf.zeros([n, 0]),
    "broadcast_to": lambda n: tf.broadcast_to(tf.ones([1, 0]), [n, 0]),
}


@pytest.mark.parametrize("call", CALLS)
def test_in_graphs_the_size_is_an_int64(call):
    shape = build(lambda: CALLS[call](LARGE)).shape.as_list()
    assert shape == ([0] if call == "tile" else [LARGE, 0])


@pytest.mark.parametrize("call", CALLS)
def test_executed_it_is_too(call):
    shape = execute(lambda: CALLS[call](LARGE).shape.as_list())
    assert shape == ([0] if call == "tile" else [LARGE, 0])


@pytest.mark.parametrize("run", [build, execute])
@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.one_hot(1, 1 << 40),
        lambda: tf.nn.top_k(tf.ones([3]), LARGE),
        lambda: tf.reshape(tf.ones([1]), [LARGE]),
        lambda: tf.fill([MINUS], 1.0),
        lambda: tf.concat([tf.ones([2]), tf.ones([2])], LARGE - 1),
        lambda: tf.expand_dims(tf.ones([3]), LARGE),
        lambda: tf.reduce_sum(tf.ones([3]), [LARGE - 1]),
        lambda: tf.transpose(tf.ones([3]), [LARGE - 1]),
    ],
    ids=["one_hot", "top_k", "reshape", "fill", "concat", "expand_dims", "reduce_sum", "transpose"],
)
def test_what_is_no_such_size_or_axis_is_an_error(run, call):
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        run(call)


def test_small_ints_are_int32_as_ever():
    with tf.Graph().as_default():
        for shape in ([2], [[1, 1]], (2,)):
            op = tf.tile(tf.ones([1]), shape).op if shape != [[1, 1]] else tf.pad(tf.ones([1]), shape).op
            assert op.inputs[1].dtype == tf.int32


@pytest.mark.parametrize("run", [build, execute])
def test_a_number_of_outputs_that_memory_does_not_bear(run):
    with pytest.raises((tf.errors.ResourceExhaustedError, ValueError)):
        run(lambda: tf.dynamic_partition(tf.ones([2]), [0, 1], 2**31 - 1))
