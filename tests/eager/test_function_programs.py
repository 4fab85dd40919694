"""Random programs give the same values, variables and gradients traced as in eager execution."""

import random

import numpy as np
import pytest

import tinytf as tf

UNARY = [
    tf.tanh,
    tf.sin,
    tf.square,
    tf.identity,
    tf.stop_gradient,
    lambda t: t * 2.0,
    lambda t: tf.reduce_sum(t) + tf.zeros([3]),
    lambda t: tf.reverse(t, [0]),
    lambda t: tf.gather(t, [2, 0, 1]),
    lambda t: tf.concat([t[1:], t[:1]], 0),
    lambda t: tf.clip_by_value(t, -1.0, 1.0),
]
BINARY = [tf.add, tf.multiply, tf.subtract, tf.maximum, lambda a, b: tf.where(a > b, a, b)]


STEPS = {"unary": 7, "binary": 5, "read": 3, "assign": 2, "add": 2, "scatter": 1, "rows": 2}
BLOCKS = {"cond": 2, "case": 1, "loop": 2, "array": 1, "call": 1}


def _steps(choose, most, depth):
    """Up to `most` steps (kind, three numbers, nested blocks of steps) per block; steps can use any earlier value."""
    kinds = STEPS if depth == 0 else {**STEPS, **BLOCKS}
    blocks = {"cond": 2, "case": 3, "loop": 1, "array": 1, "call": 1}
    return [
        (
            kind,
            *(choose.random() for _ in range(3)),
            *(_steps(choose, 4, depth - 1) for _ in range(blocks.get(kind, 0))),
        )
        for kind in choose.choices([*kinds], [*kinds.values()], k=choose.randrange(1 if most < 13 else 3, most + 1))
    ]


def _run(variables, steps, values):
    """The last value after running the steps, and the sum of all."""
    values = list(values)

    def block(steps, *more):
        return lambda: _run(variables, steps, [*values, *more])

    for kind, which, first, second, *blocks in steps:
        variable = variables[int(which * 2)]
        a, b = values[int(first * len(values))], values[int(second * len(values))]
        if kind == "unary":
            values.append(UNARY[int(which * len(UNARY))](a))
        elif kind == "binary":
            values.append(BINARY[int(which * len(BINARY))](a, b))
        elif kind == "read":
            values.append(variable.read_value())
        elif kind == "rows":
            values.append(tf.gather(variable, [1, 1, 0]))
        elif kind == "assign":
            variable.assign(tf.tanh(a))
        elif kind == "add":
            variable.assign_add(a * 0.1)
        elif kind == "scatter":
            variable.scatter_add(tf.IndexedSlices(a[:1], tf.constant([1])))
        elif kind == "cond":
            values += tf.cond(tf.reduce_sum(a) > tf.reduce_sum(b), *map(block, blocks))
        elif kind == "case":
            total = tf.reduce_sum(a)
            pairs = [(total > 0.5, block(blocks[0])), (total < which, block(blocks[1]))]
            values += tf.case(pairs, default=block(blocks[2]))
        elif kind == "call":
            called = tf.function(lambda *more, steps=blocks[0]: _run(variables, steps, more))
            values += called(a, b)
        else:
            values.append(_loop(kind, int(which * 4), a, b, lambda *more, steps=blocks[0]: block(steps, *more)()))
    return values[-1], tf.add_n(values)


def _loop(kind, most, a, b, body):
    """The result of a loop whose data-dependent iteration count is at most `most`."""
    count = tf.minimum(tf.cast(tf.abs(tf.reduce_sum(b)) * 2.0, tf.int32), most)
    array = tf.TensorArray(tf.float32, 4, element_shape=[3]) if kind == "array" else tf.zeros([])

    def step(i, value, array):
        last, total = body(value)
        return i + 1, tf.tanh(last), array.write(i, total) if kind == "array" else array + tf.reduce_mean(total)

    _, value, array = tf.while_loop(lambda i, *_: i < count, step, [0, a, array])
    if kind == "array":
        array = tf.reduce_sum(array.write(3, a).gather([3]), 0)
    return tf.tanh(value + array)


def _program(seed):
    """A function of two variables and two vectors."""
    choose = random.Random(seed)
    steps = _steps(choose, 13, seed % 3)
    return lambda variables, x, y: _run(variables, steps, [x, y])


def _array(value):
    """The value as an array; zeros for a gradient of None."""
    return np.zeros(3) if value is None else np.asarray(tf.convert_to_tensor(value))


def _observed(body, traced):
    with tf.EagerSession():
        variables = [tf.Variable([0.1, 0.2, 0.3]), tf.Variable([-0.5, 0.4, 0.9])]

        def call(x, y):
            return body(variables, x, y)

        function = tf.function(call) if traced else call
        found = []
        for i in range(2):
            x, y = tf.constant([0.3, -0.2, 0.5 * i]), tf.constant([1.0, 0.5, -0.7])
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as tape:
                    tape.watch([x, y])
                    last, total = function(x, y)
                    loss = tf.reduce_sum(last * total)
                gradients = tape.gradient(loss, [x, y, *variables])
                slope = tf.add_n([tf.convert_to_tensor(g) for g in gradients if g is not None] or [x])
            found += [last, total, *gradients, outer.gradient(slope, x), *variables]
        return [_array(value) for value in found]


@pytest.mark.parametrize("seed", range(120))
def test_tracing_changes_nothing(seed):
    body = _program(seed)
    for executed, traced in zip(_observed(body, False), _observed(body, True), strict=True):
        np.testing.assert_allclose(traced, executed, rtol=1e-4, atol=1e-5)
